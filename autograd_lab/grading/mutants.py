"""Deliberately wrong backward rules: what would the engine's own walk give if one op were differentiated
wrongly?

A mutant is hung on the nodes of one op as an ordinary hook, then the gradient is computed as always. Its
number does not come from `rules.py`, so it tests them: a check that gives a mutant's number another name, or
none, does not see that mistake (`tests/grading/test_mutants.py`).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import autograd_lab as torch

from .reference import Reference

WrongRule = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True)
class Mutant:
    """One wrong rule: the belief it stands for, the nodes it is hung on, and what they send on instead.

    `wrong(grad, right, value)` gets the arriving gradient, what the right rule sends, and the input's value.
    """

    belief: str
    nodes: str
    wrong: WrongRule


MUTANTS = (
    Mutant("power.factor-lost", "Pow", lambda grad, right, value: grad * value),  # d(z ** 2) = z
    Mutant("product.own-factor", "Mul", lambda grad, right, value: grad * value),
    Mutant("chain.factor-missing", "Mul", lambda grad, right, value: grad),
    Mutant("chain.factor-missing", "Pow", lambda grad, right, value: grad),
    Mutant("chain.cotangent-dropped", "Mul", lambda grad, right, value: right / grad),
    Mutant("chain.added-constant", "Add", lambda grad, right, value: 0 * right),
    Mutant("sign.flipped", "Mul", lambda grad, right, value: -right),
    Mutant("sub.sign", "Sub", lambda grad, right, value: -right),
    Mutant("accumulate.not-zeroed", "Mul", lambda grad, right, value: 2 * right),
)


def mutated_slope(reference: Reference, of: str, wrt: str, mutant: Mutant) -> float | None:
    """d of / d wrt by the engine with one wrong rule; None if no node of the graph has that rule.

    >>> reference = Reference("x = torch.tensor(5.0, requires_grad=True)\\ny = x ** 2")
    >>> mutated_slope(reference, "y", "x", MUTANTS[0])
    5.0
    """
    handles = []
    for name in reference.computed():
        node = reference.tensors[name].grad_fn
        if type(node).__name__.startswith(mutant.nodes):
            value = _input_value(reference, node)
            handles.append(node.register_hook(_hook(mutant, value)))
    try:
        if not handles:
            return None
        found = torch.autograd.grad(reference.tensors[of], reference.tensors[wrt], retain_graph=True)
        return float(found[0].item())
    finally:
        for handle in handles:
            handle.remove()


def mutated(reference: Reference, of: str, wrt: str) -> Iterator[tuple[Mutant, float]]:
    """Every mutant that changes the slope, with the number it gives."""
    right = reference.slope(of, wrt)
    for mutant in MUTANTS:
        slope = mutated_slope(reference, of, wrt, mutant)
        if slope is not None and abs(slope - right) > 1e-9 * abs(right):
            yield mutant, slope


def _hook(mutant: Mutant, value: Any) -> Callable[[Any, Any], Any]:
    def replace(grad_inputs: Any, grad_outputs: Any) -> Any:
        grad = grad_outputs[0]
        return tuple(None if right is None else mutant.wrong(grad, right, value) for right in grad_inputs)

    return replace


def _input_value(reference: Reference, node: Any) -> Any:
    """The value of a node's first tracked input."""
    source = next(source for source, _ in node.next_functions if source is not None)
    for tensor in reference.tensors.values():
        if tensor.grad_fn is source or getattr(source, "variable", None) is tensor:
            return tensor.detach()
    return torch.tensor(float("nan"))  # a part of a line without a name
