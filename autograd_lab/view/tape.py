"""The tape of one walk: every op forward, and every node of backward in the engine's own order.

`tape_of(loss)` joins what the recorder noted (`recording.py`), what the graph saved, and what the engine's
`steps` yield, into the plain data of `steps.py`. Looking leaves no trace: nothing is freed, no hook runs, no
`.grad` is written. Read next: `frames.py`, which turns a tape into what one sees.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab import engine
from autograd_lab._tensor import Tensor, bare
from autograd_lab.card_node import local_derivatives
from autograd_lab.graph import AccumulateGrad
from autograd_lab.view.names import Names
from autograd_lab.view.recording import Noted, Snapshot, input_names, noted, record, snapshot
from autograd_lab.view.steps import (
    ROOT,
    ArrivedGrad,
    BackwardStep,
    ForwardStep,
    LeafGrad,
    Operand,
    SentGrad,
    Tape,
)  # fmt: skip
from autograd_lab.view.texts import symbol_of

__all__ = ["Noted", "Snapshot", "Tape", "noted", "record", "snapshot", "tape_of"]


def tape_of(loss: Any, grad: Any = None, names: Names | None = None) -> Tape:
    """Walk the graph of `loss` forward and backward and note every step, without leaving a trace.

    `loss` is a tracked tensor of one element, or of any shape with a `grad` of the same shape; `names` knows
    tensors of the caller, for values that nobody recorded. Raises PyTorch's errors for untracked, non-scalar
    and freed results, and TypeError for anything else.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(4.0, requires_grad=True)
    >>> tape = tape_of(x * x + 3 * x)
    >>> [step.op for step in tape.forward]
    ['mul', 'mul', 'add']
    >>> [float(arrived.value.values) for arrived in tape.backward[-1].arrived]
    [3.0, 4.0, 4.0]
    """
    check(loss, grad)
    root = _node_of(loss)
    nodes = _in_forward_order(root)
    number = {node: i for i, node in enumerate(nodes)}
    fired = list(engine.steps([loss], [_seed(loss, grad)], keep_graph=True, looking=True))
    values = _values(loss, root, nodes, names or Names())
    forward = tuple(_forward(node, number, values) for node in nodes if not isinstance(node, AccumulateGrad))
    return Tape(
        forward,
        tuple(_backward(fired, number, root)),
        tuple(type(node).__name__ for node in nodes),
        tuple(values.get(node) if isinstance(node, AccumulateGrad) else None for node in nodes),
        number[root],
        tuple(nodes),
    )


def check(loss: Any, grad: Any = None) -> None:
    """Raise PyTorch's error, with a note, unless backward could start at `loss`."""
    if not isinstance(loss, Tensor):
        kind = f"{type(loss).__module__}.{type(loss).__name__}".removeprefix("builtins.")
        raise TypeError(
            f"step_through() walks the graph of an autograd_lab tensor; it got {kind}. "
            "Pass the result of a computation on tensors, for example the loss."
        )
    if not loss.requires_grad:
        error = RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        error.add_note(
            "No graph leads to this tensor. Create the inputs with requires_grad=True and compute the loss "
            "from them, outside torch.no_grad() and without .detach()."
        )
        raise error
    if grad is None and loss.numel() != 1:
        error = RuntimeError("grad can be implicitly created only for scalar outputs")
        error.add_note(
            f"This tensor has shape {tuple(loss.shape)}; a walk starts at one number. "
            "Step through its .sum() or .mean(), or through one of its elements."
        )
        raise error


def _seed(loss: Any, grad: Any) -> Any:
    return grad if grad is not None else bare(np.ones(tuple(loss.shape), loss._data.dtype)[()])


def _node_of(tensor: Any) -> Any:
    return tensor.grad_fn if tensor.grad_fn is not None else tensor._node()


def _in_forward_order(root: Any) -> list[Any]:
    """Every node that the root leads to: leaves as they are first used, ops as they ran."""
    found, todo = {root}, [root]
    while todo:
        for node, _ in todo.pop().next_functions:
            if node is not None and node not in found:
                found.add(node)
                todo.append(node)
    ops = [node for node in found if not isinstance(node, AccumulateGrad)]
    ops.sort(key=lambda node: node.number)
    order: dict[Any, None] = {}
    for node in ops:
        for source, _ in node.next_functions:
            if isinstance(source, AccumulateGrad):
                order[source] = None
        order[node] = None
    order[root] = None
    return list(order)


def _values(loss: Any, root: Any, nodes: list[Any], names: Names) -> dict[Any, Snapshot]:
    """The value each node stands for: noted, else in a variable, else saved by whoever used it."""
    values: dict[Any, Snapshot] = {}
    for node in nodes:
        note = noted(node)
        for argument in note.arguments if note else ():
            if argument.node is not None and argument.value is not None:
                values.setdefault(argument.node, argument.value)
        if note:
            values[node] = note.result
        elif (held := names.result(node, 0)) is not None:
            values[node] = snapshot(held)
        if not note and node.card is not None:
            for name, (source, _) in zip(input_names(node.card, {}, node), node.next_functions, strict=False):
                saved = _saved(node, name)
                if source is not None and isinstance(saved, Snapshot):
                    values.setdefault(source, saved)
            result = _saved(node, "result")
            if isinstance(result, Snapshot):
                values.setdefault(node, result)
    values.setdefault(root, snapshot(loss))
    for node in nodes:
        if isinstance(node, AccumulateGrad):
            values.setdefault(node, snapshot(node.variable))
    return values


def _saved(node: Any, name: str) -> Any:
    """What the node saved under this name: a snapshot, a number, or None if there is nothing (any more)."""
    try:
        saved = getattr(node, f"_saved_{name}", None)
    except RuntimeError:  # freed, or overwritten since
        return None
    return snapshot(saved) if isinstance(saved, Tensor) else saved


def _forward(node: Any, number: dict[Any, int], values: dict[Any, Snapshot]) -> ForwardStep:
    note, card = noted(node), node.card
    if note is not None:
        operands = [Operand(a.name, number.get(a.node), a.value, a.text, a.tensor_id) for a in note.arguments]
        return ForwardStep(number[node], note.op, tuple(operands), note.result, note.line, note.in_place)
    inputs = dict(zip(input_names(card, {}, node), node.next_functions, strict=False))
    operands = []
    for name in dict.fromkeys([*inputs, *(card.names if card is not None else ())]):
        source = inputs.get(name, (None, 0))[0]
        saved = values.get(source) if source is not None else _saved(node, name)
        if name in inputs or isinstance(saved, int | float | Snapshot):
            text = f"{saved:g}" if isinstance(saved, int | float) else ""
            operands.append(Operand(name, number.get(source), None if text else saved, text))
    op = card.name if card is not None else symbol_of(type(node).__name__)
    return ForwardStep(number[node], op, tuple(operands), values.get(node), "", False)


def _backward(fired: list[Any], number: dict[Any, int], root: Any) -> list[BackwardStep]:
    """The engine's steps, with each contribution at the node where it arrived."""
    arrived: dict[Any, list[ArrivedGrad]] = {}
    steps = []
    for step in fired:
        node = step.node
        incoming = next((snapshot(grad) for grad in step.grad_outputs if grad is not None), None)
        if node is root and incoming is not None:
            arrived.setdefault(node, []).insert(0, ArrivedGrad(ROOT, 0, incoming))
        sent = _sent(step, number)
        for i, (target, output) in enumerate(node.next_functions):
            grad = step.grad_inputs[i] if i < len(step.grad_inputs) else None
            if target is not None and grad is not None:
                arrived.setdefault(target, []).append(ArrivedGrad(number[node], i, snapshot(grad), output))
        leaf = _leaf(node.variable, step.grad_outputs[0]) if isinstance(node, AccumulateGrad) else None
        steps.append(BackwardStep(number[node], tuple(arrived.get(node, ())), incoming, sent, leaf))
    return steps


def _sent(step: Any, number: dict[Any, int]) -> tuple[SentGrad, ...]:
    node, card = step.node, step.node.card
    note = noted(node)
    arguments = {a.name.partition("[")[0]: None for a in note.arguments} if note else {}
    names = input_names(card, arguments, node)
    locals_ = local_derivatives(node) if card is not None else {}
    sent = []
    for i, (target, _) in enumerate(node.next_functions):
        if target is None or i >= len(step.grad_inputs):
            continue
        grad = step.grad_inputs[i]
        local = locals_.get(names[i])
        summed = None
        if local is not None and grad is not None:
            whole = np.broadcast_shapes(np.shape(local), tuple(step.grad_outputs[0].shape))
            summed = None if whole == tuple(grad.shape) else whole
        template = card.latex.get(names[i].partition("[")[0], "") if card is not None else ""
        sent.append(
            SentGrad(
                names[i],
                i,
                number[target],
                None if local is None else snapshot(bare(local)),
                template,
                None if grad is None else snapshot(grad),
                summed,
            )
        )
    return tuple(sent)


def _leaf(variable: Any, grad: Any) -> LeafGrad:
    before = variable.grad
    if before is None:
        return LeafGrad(None, snapshot(grad))
    return LeafGrad(snapshot(before), snapshot(bare(before._data + grad._data)))
