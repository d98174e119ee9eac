"""The walk: from a result back to the leaves, newest node first.

A node's number is higher than those of the nodes it depends on, so "highest number first" visits every
node after all its users, without sorting and without recursion. `fast` is that walk and nothing else.
`steps` is the same walk in full dress, a generator that yields one `Step` per node, for hooks,
retain_grad, create_graph, `inputs=` and the stepper. Both give the same gradients, to the last bit.
Read next: `menu/__init__.py`, which hangs `backward` on Tensor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappop, heappush, heappushpop
from typing import Any, NamedTuple

import numpy as np

from ._tensor import Tensor, bare
from .grad_mode import GRAD_MODE, OBSERVERS, mode_for
from .graph import HOOKED, LEAF, AccumulateGrad, Node, Nowhere, Pick, Several
from .memory import bump
from .ops.writing_ops import copy, zero
from .owning import owned
from .plan import Plan, Ready
from .seeds import seed


class Step(NamedTuple):
    """One node fired: the gradients of its outputs, and those it sends along `node.next_functions`."""

    node: Any
    grad_outputs: tuple[Any, ...]
    grad_inputs: tuple[Any, ...]


def run_backward(
    roots: Sequence[Tensor],
    grads: Sequence[Tensor | None],
    keep_graph: bool = False,
    create_graph: bool = False,
    inputs: Sequence[Tensor] | None = None,
    accumulate_into_inputs: bool = False,
) -> dict[Node, Any]:
    """Walk back from `roots`. With `inputs`, only towards them; their gradients are returned by node."""
    if len(roots) != len(grads):
        raise RuntimeError(f"got {len(roots)} tensors and {len(grads)} gradients")
    watched = keep_graph or create_graph or inputs is not None or HOOKED or OBSERVERS.get()
    if not watched and len(roots) == 1 and roots[0]._edge is not LEAF:
        fast(roots[0]._edge, seed(0, roots[0], grads[0])._data)
        return {}
    seeds = [seed(i, root, grad) for i, (root, grad) in enumerate(zip(roots, grads, strict=True))]
    captured: dict[Node, Any] = {}
    for _ in steps(roots, seeds, keep_graph, create_graph, inputs, captured, accumulate_into_inputs):
        pass
    return captured


def fast(node: Any, grad: Any) -> None:
    """The loop of a plain backward, on arrays. While nothing else waits it hops straight to the next node."""
    heap: list[Any] = []
    waiting: dict[Any, Any] = {}
    nodes: dict[int, Any] = {}
    leaves: dict[Tensor, Any] = {}
    try:
        while True:
            if node.arity == 1:
                edge, grad = node.next0, node.run(grad)
            elif node.arity == 2:
                grad, second = node.run(grad)
                edge, other = node.next0, node.next1
                if other is None or second is None:
                    pass
                elif edge is None or grad is None:
                    edge, grad = other, second
                elif isinstance(other, Tensor):
                    leaves[other] = leaves[other] + second if other in leaves else second
                elif other in waiting:
                    waiting[other] = waiting[other] + second
                else:
                    waiting[other] = second
                    heappush(heap, -other.number)
                    nodes[-other.number] = other
                other = second = None
            else:
                edge, grads = None, node.run(grad)
                for e, g in zip(node.edges, grads, strict=True):
                    if g is None or e is None:
                        continue
                    if isinstance(e, Tensor):
                        leaves[e] = leaves[e] + g if e in leaves else g
                    elif e in waiting:
                        waiting[e] = waiting[e] + g
                    else:
                        waiting[e] = g
                        heappush(heap, -e.number)
                        nodes[-e.number] = e
                e = g = grads = None
            if edge is None or grad is None or isinstance(edge, Tensor):
                if isinstance(edge, Tensor) and grad is not None:
                    leaves[edge] = leaves[edge] + grad if edge in leaves else grad
                if not heap:
                    break
                node = nodes.pop(heappop(heap))
            elif not heap or -edge.number < heap[0]:
                node = edge
                continue
            elif edge in waiting:
                waiting[edge] = waiting[edge] + grad
                node = nodes.pop(heappop(heap))
            else:
                waiting[edge] = grad
                nodes[-edge.number] = edge
                node = nodes.pop(heappushpop(heap, -edge.number))
            grad = waiting.pop(node)
    except Exception as error:
        error.nodes = (node,)  # type: ignore[attr-defined]  # for whoever draws the place
        raise
    grad = None  # so that accumulate() sees who else holds an array
    while leaves:
        leaf, grad = leaves.popitem()
        if owned(grad):
            accumulate(leaf, grad, True)
        else:
            accumulate(leaf, grad, False)


def accumulate(leaf: Tensor, grad: Any, ours: bool) -> None:
    """Add an array to a leaf's `.grad`. The first one is kept as it is if nobody else holds it."""
    old = leaf._grad
    data = leaf._data
    if grad.dtype != data.dtype:
        grad, ours = grad.astype(data.dtype), True
    if old is None:
        if isinstance(grad, np.ndarray) and not ours:
            grad = grad.copy()
        leaf._grad = bare(grad)
        return
    held = old._data
    if old._edge is not None:
        leaf._grad = old.detach() + bare(grad)
        return
    if isinstance(held, np.ndarray):
        np.add(held, grad, held)
    else:
        old._data = held + grad
    bump(old)


def steps(
    roots: Sequence[Tensor],
    grads: Sequence[Tensor],
    keep_graph: bool = False,
    create_graph: bool = False,
    inputs: Sequence[Tensor] | None = None,
    captured: dict[Any, Any] | None = None,
    accumulate_into_inputs: bool = False,
    looking: bool = False,
) -> Iterator[Step]:
    """The walk, one node at a time, with everything PyTorch's engine does around a node.

    `looking` leaves no trace: nothing is freed, no hook runs, no `.grad` is written.
    """
    nodes = [root._node() for root in roots]
    goals = None if inputs is None else {t._node() for t in inputs}
    plan = Plan(nodes, goals)
    waiting: dict[Any, Any] = {}
    users, ready = dict(plan.users), Ready()
    for node, grad in zip(nodes, grads, strict=True):
        waiting[node] = added(waiting.get(node), grad, create_graph)
    for node in waiting:
        if not users.get(node):
            ready.push(node)
    keep = keep_graph or looking
    while ready:
        node = ready.pop()
        grad, outputs = waiting.pop(node, None), None
        if grad is not None and (plan.useful is None or node in plan.useful):
            before = GRAD_MODE.get()
            GRAD_MODE.set(mode_for(create_graph))
            try:
                if not looking:
                    grad = before_node(node, grad)
                if goals is not None and node in goals and captured is not None:
                    captured[node] = grad
                if isinstance(node, AccumulateGrad):
                    if not looking and (goals is None or (accumulate_into_inputs and node in goals)):
                        arrive(node, grad, create_graph)
                    outputs = ()
                elif plan.runs(node, goals):
                    outputs = fire(node, grad, create_graph, keep, looking)
            except Exception as error:
                error.nodes = (node,)  # type: ignore[attr-defined]  # for whoever draws the place
                for observer in OBSERVERS.get():
                    if hasattr(observer, "failed") and "returned nan values" not in str(error):
                        observer.failed(node)
                raise
            finally:
                GRAD_MODE.set(before)  # before the yield: a paused stepper must not leave its mode behind
            if outputs is not None and not isinstance(node, (Pick, Nowhere)):
                yield Step(node, tuple(grad) if isinstance(grad, Several) else (grad,), outputs)
        for i, e in enumerate(plan.edges[node]):
            if e is None:
                continue
            g = outputs[i] if outputs else None
            if g is not None:
                waiting[e] = added(waiting.get(e), g, create_graph)
            users[e] -= 1
            if not users[e]:
                ready.push(e)


def added(old: Any, grad: Any, create_graph: bool) -> Any:
    """The sum of what waits at a node and one more contribution."""
    if old is None:
        return grad
    if isinstance(old, Several) or create_graph:
        return old + grad
    return bare(old._data + grad._data)


def before_node(node: Any, grad: Any) -> Any:
    """Tensor hooks, then the retained `.grad`, then node prehooks; each may replace the gradient."""
    hooks = getattr(node, "hooks", None)
    if hooks is None:
        return grad
    for hook in tuple(hooks.tensor.values()):
        changed = hook(grad)
        if changed is not None:
            check_hooked(changed, grad)
            grad = changed
    kept = hooks.retain() if hooks.retain is not None else None
    if kept is not None:
        old = kept._grad
        kept._grad = grad if old is None else old + grad
    for hook in tuple(hooks.before.values()):
        changed = hook(tuple(grad) if isinstance(grad, Several) else (grad,))
        if changed is not None:
            changed = changed if isinstance(changed, tuple) else (changed,)
            if isinstance(grad, Several):
                grad[:] = changed
            else:
                grad = changed[0]
    return grad


def check_hooked(changed: Any, grad: Any) -> None:
    if not isinstance(changed, Tensor):
        raise TypeError(f"hook function must return a Tensor or None, but got {type(changed).__name__}")
    if changed._data.shape != grad._data.shape:
        raise RuntimeError("hook '<lambda>' has changed the size of value")


def arrive(node: AccumulateGrad, grad: Any, create_graph: bool) -> None:
    """A gradient reaches a leaf: add it, then call the post-accumulation hooks."""
    leaf = node.variable
    if create_graph:
        old = leaf._grad
        leaf._grad = copy(zero(grad.detach()), grad) if old is None else old + grad
    else:
        accumulate(leaf, grad._data, False)
    hooks = getattr(node, "hooks", None)
    if hooks is not None:
        for hook in tuple(hooks.post.values()):
            hook(leaf)
        for hook in tuple(hooks.after.values()):
            hook((), (grad,))


def fire(node: Any, grad: Any, create_graph: bool, keep: bool, looking: bool) -> tuple[Any, ...]:
    """Run one node in the general loop: Tensors in, Tensors out."""
    if isinstance(node, Pick):
        return (node.run(grad),)
    if create_graph:
        found = node.run_tensors(grad)
        if not keep:
            node.free()
    else:
        raw = [None if g is None else g._data for g in grad] if isinstance(grad, Several) else grad._data
        found = node.run_keep(raw) if keep else node.run(raw)
    results = (found,) if node.arity == 1 else tuple(found)
    outputs = tuple(g if g is None or isinstance(g, Tensor) else bare(g) for g in results)
    for observer in OBSERVERS.get():
        observer.fired(node, outputs)
    hooks = getattr(node, "hooks", None)
    if hooks is not None and not looking:
        given = tuple(grad) if isinstance(grad, Several) else (grad,)
        for hook in tuple(hooks.after.values()):
            changed = hook(outputs, given)
            if changed is not None:
                outputs = changed if isinstance(changed, tuple) else (changed,)
    return outputs
