"""The tape of one walk: every op forward, and every node of backward in the engine's own order.

`tape_of(loss)` joins what the recorder noted (`recording.py`), what the graph saved (`values.py`), and the nodes as
they fire (`firing.py`), into the plain data of `steps.py`. Looking leaves no trace: nothing is freed, no hook runs, no
`.grad` is written. Read next: `frames.py`, which turns a tape into what one sees.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from autograd_lab.view.arrivals import steps_of
from autograd_lab.view.firing import fired
from autograd_lab.view.names import Names
from autograd_lab.view.recording import Noted, noted, record
from autograd_lab.view.second import differentiated
from autograd_lab.view.snapshots import Snapshot, snapshot
from autograd_lab.view.starting import Start, check, is_leaf_node, node_of, started, useful_nodes
from autograd_lab.view.steps import ROOT, Tape
from autograd_lab.view.values import forward_step, in_forward_order, values_of

__all__ = ["ROOT", "Noted", "Snapshot", "Tape", "check", "noted", "record", "snapshot", "tape_of"]


def tape_of(loss: Any, grad: Any = None, names: Names | None = None, *, inputs: Any = None, order: int = 1) -> Tape:
    """Walk the graph of `loss` forward and backward and note every step, without leaving a trace.

    `loss` is a tracked tensor of one element, or of any shape with a `grad` of the same shape; ours or PyTorch's.
    `names` knows tensors of the caller, for values that nobody recorded. With `inputs` the walk is that of
    `autograd.grad(loss, inputs)`: only towards these tensors, and no `.grad` is added to. With `order=2` the backward
    pass is recorded as ops (`create_graph`), and the walk goes back from the gradient. A step that raises is the last
    one and has the error. Raises PyTorch's errors for untracked and non-scalar results, and TypeError for what is no
    tensor.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(4.0, requires_grad=True)
    >>> tape = tape_of(x * x + 3 * x)
    >>> [step.op for step in tape.forward]
    ['mul', 'mul', 'add']
    >>> [float(arrived.value.values) for arrived in tape.backward[-1].arrived]
    [3.0, 4.0, 4.0]
    """
    names = names or Names()
    if order not in (1, 2):
        raise ValueError(f"order must be 1 (backward) or 2 (backward of the gradient), got {order!r}.")
    start = started(loss, grad, inputs)
    if order == 1:
        return written(start, (loss,), names)
    return written(differentiated(start, names), (loss,), names, first=node_of(loss))


def written(start: Start, outputs: tuple[Any, ...], names: Names, first: Any = None) -> Tape:
    """The tape of a walk; `outputs` are tensors that belong to the picture besides the one it starts from."""
    root = node_of(start.root)
    roots = {**{node_of(tensor): tensor for tensor in outputs}, root: start.root}
    nodes = in_forward_order(list(roots))
    number = {node: i for i, node in enumerate(nodes)}
    useful = useful_nodes(start)
    values = values_of(roots, nodes, names)
    forward = tuple(forward_step(node, number, values) for node in nodes if not is_leaf_node(node))
    gives = {number[node]: number[of] for node, of in start.gives.items() if node in number}
    since = -1 if first is None else number[first]  # what ran before is the forward pass of this walk
    forward = tuple(
        replace(step, gives=gives.get(step.node), order=1 if step.node <= since else step.order) for step in forward
    )
    backward = steps_of(fired(start), number, root, names, useful, start.inputs is not None)
    return Tape(
        forward,
        tuple(backward),
        tuple(type(node).__name__ for node in nodes),
        tuple(values.get(node) if is_leaf_node(node) else None for node in nodes),
        number[root],
        tuple(nodes),
        tuple(i for i, node in enumerate(nodes) if node not in useful),
        1 if first is None else 2,
        None if first is None else number[first],
        None if start.inputs is None else tuple(number[node_of(tensor)] for tensor in start.inputs),
        tuple(roots.values()),
    )
