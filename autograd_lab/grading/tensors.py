"""Why a learner's `.grad` is not what it should be, read from their tensors: facts that choose the
feedback.

They never decide marks: `questions.py` compares values for that. Only PyTorch's public names are read, so
tensors of PyTorch are explained as well as ours.
"""

import warnings
from collections.abc import Mapping
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.one_op import kind_of, saved_values
from autograd_lab.view.texts import number_text

from .answers import attempted, is_node, number, short
from .reference import Reference
from .verdict import Reason


def no_tensor(name: str, thing: Any) -> Reason | None:
    """Why this is no tensor to look into; None if it is one."""
    if is_tensor(thing):
        return None
    if thing is None:
        return Reason(
            "none.returned-backward",
            f"{name} is None. backward() returns nothing; it writes into .grad. Do not assign its result: "
            "write "
            f"{name}.backward() on a line of its own.",
        )
    if is_node(thing):
        return Reason("returned.grad-fn", f"{name} is a node, {short(thing)}. Keep the tensor itself in {name}.")
    if isinstance(thing, int | float):
        return Reason(
            "graph.python-floats",
            f"{name} is the plain number {short(thing)}, which remembers nothing. Keep it a tensor: no "
            ".item(), no "
            "float(...), and torch.tensor(...) at the start.",
        )
    return Reason("none.wrong-type", f"{name} should be a tensor, but is a {type(thing).__name__}: {short(thing)}.")


def no_gradient(leaf_name: str, leaf: Any, result_name: str, result: Any) -> Reason:
    """Why `leaf.grad` is None, the first cause that applies."""
    if not leaf.is_leaf:
        return Reason(
            "none.non-leaf",
            f"{leaf_name} was computed from another tensor (its grad_fn is {short(leaf.grad_fn)}), so it "
            "keeps no "
            f".grad. Make it directly: {leaf_name} = torch.tensor(..., requires_grad=True).",
        )
    if not leaf.requires_grad:
        return Reason(
            "none.no-requires-grad",
            f"{leaf_name} does not track: requires_grad is False. Make it with requires_grad=True, and run "
            "the "
            "lines after it again.",
        )
    if result.grad_fn is None:
        return Reason(
            "graph.detached",
            f"{result_name} has no grad_fn: its graph was cut by detach(), item(), numpy() or no_grad(). "
            "Compute it "
            f"again from {leaf_name} without them.",
        )
    if not any(found is leaf for found in leaves_of(result)):
        return Reason(
            "graph.leaf-replaced",
            f"{result_name} was computed from an earlier {leaf_name}, not from this one: the line that makes "
            f"{leaf_name} ran again afterwards. Run all lines of the program once more, in order.",
        )
    return Reason(
        "none.no-backward",
        f"{leaf_name}.grad is None: backward() has not run on this {result_name}. Call "
        f"{result_name}.backward() after "
        "the line that makes it.",
    )


def leaves_of(result: Any) -> list[Any]:
    """Every leaf that a tensor's graph ends in."""
    found, seen, todo = [], set(), [result.grad_fn]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            found.append(node.variable)
        todo.extend(source for source, _ in node.next_functions)
    return found


def other_program(reference: Reference, given: Mapping[str, Any], tells_line: bool = True) -> Reason | None:
    """The first tensor of the learner's program that holds another number than the exercise asks for.

    The line it should have is not told where that line is an answer.
    """
    for name in reference.tensors:
        thing = given.get(name)
        if not attempted(thing) or not is_tensor(thing):
            continue
        try:
            value = number(thing)
        except Exception:
            continue
        right = reference.value(name)
        if abs(value - right) > 1e-5 * max(abs(right), 1e-5):
            if tells_line:
                then = f"with your numbers it is {number_text(right)}. Your line should read: {reference.line(name)}"
            else:
                where = "the number you start with" if name in reference.leaves() else f"the arrow that leads to {name}"
                then = f"in your diagram it is {number_text(right)}. Look at {where}."
            return Reason("graph.other-numbers", f"{name} is {number_text(value)}, but {then}")
    return None


def grad_of(thing: Any) -> Any:
    """`.grad`, or None for what is no tensor; silent, since the warning for a computed tensor is for learners.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> y = x * 2
    >>> y.backward()
    >>> grad_of(x), grad_of(y), grad_of(4)
    (tensor(2.), None, None)
    """
    if not is_tensor(thing):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return thing.grad


def still_saved(result: Any) -> bool:
    """Whether a graph that was walked could be walked again: no node has freed what it saved."""
    seen, todo, saves = set(), [result.grad_fn], False
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        found, state = saved_values(node, kind_of(node, len(node.next_functions)).saved)
        if state == "freed":
            return False
        saves = saves or bool(found)
        todo.extend(source for source, _ in node.next_functions)
    return saves
