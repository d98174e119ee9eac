"""The boxes of tensors: leaves with their AccumulateGrad, results, and what has no gradient.

Functions that add to a `Draft` what a `Reading` knows. Read next: `op_boxes.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograd_lab.view.draft import Draft
from autograd_lab.view.facts import NOTHING_KNOWN, Constant, Facts, tensor_facts
from autograd_lab.view.names import Names
from autograd_lab.view.one_op import Op
from autograd_lab.view.reading import Reading
from autograd_lab.view.saved import has_hook, version_of
from autograd_lab.view.texts import NOT_RECORDED, clean


def add_leaf(draft: Draft, names: Names, leaf: Any, end: Any = None) -> None:
    """The box of a leaf, and with `end`, its AccumulateGrad, the small box beside it."""
    kind = "param" if type(leaf).__name__ == "Parameter" else "leaf"
    facts = tensor_facts(leaf)
    key = draft.new(
        kind,
        name=clean(names.of(leaf)),
        grad=grad_text(leaf),
        tags=tuple(tags_of(leaf)),
        shape=facts.shape,
        dtype=facts.dtype,
        value=facts.value,
    )
    draft.places.put(leaf, key)
    if end is not None:
        draft.places.put(end, draft.new("accumulate", name="+=", title="AccumulateGrad", of=key))


def grad_text(tensor: Any) -> str:
    """How the `.grad` of a tensor reads."""
    grad = tensor.grad
    return "None" if grad is None else tensor_facts(grad).value or NOT_RECORDED


def tags_of(tensor: Any) -> Iterable[str]:
    """What a tensor at hand says of itself: a hook, a view, how often it was changed in place."""
    if tensor.grad_fn is not None:
        if version := version_of(tensor):
            yield f"v{version}"
        if getattr(tensor, "_base", None) is not None:
            yield "view"
    if has_hook(tensor):
        yield "hook"


def result_box(draft: Draft, reading: Reading, node: Any, op: Op, output: int) -> tuple[bool, Facts, dict[str, Any]]:
    """Whether a result gets a box of its own, what is known of it, and what the box says besides."""
    place = id(node), output
    tensor = reading.names.result(node, output)
    facts = op.result if output == 0 else NOTHING_KNOWN
    for source in (tensor, reading.saved.get(place)):
        if source is not None and facts.value is None:
            facts = tensor_facts(source)
    if facts.value is None:
        draft.missing["result"] += 1
    is_root = place in reading.root_places
    if tensor is None:  # nobody holds it: it has no name, and its gradient is not kept
        has_box = (facts.value is not None and not draft.compact) or is_root
        return has_box, facts, {"name": "", "symbol": draft.next_symbol(), "grad": "not kept"}
    name = reading.names.of(tensor)
    has_box = bool(name) or (facts.value is not None and not draft.compact) or is_root
    grad, tags = "not kept", []
    if tensor.retains_grad:
        tags.append("retain_grad")
        grad = grad_text(tensor)
    tags += tags_of(tensor)
    if op.in_place and name:
        tags.append("in-place")
    symbol = "" if name else draft.next_symbol()
    return has_box, facts, {"name": clean(name), "symbol": symbol, "grad": grad, "tags": tuple(tags)}


def add_constant(draft: Draft, reading: Reading, constant: Constant, node: Any) -> str:
    """The box of an input without gradient: a small one for a number, one for each tensor."""
    if constant.text is None:
        draft.missing["constant"] += 1
    names, tensor_id = reading.names, constant.tensor_id
    is_number = tensor_id is None or (constant.saved and constant.facts.shape == () and not names.of_id(tensor_id))
    if tensor_id is None or is_number:
        return draft.new("number", value=constant.text)
    key = draft.places.keys.get(tensor_id)
    if key is None:
        name = clean(names.of_id(tensor_id))
        key = draft.new("frozen", name=name, tags=("no grad",), **constant.facts.as_fields())
        draft.places.keys[tensor_id] = key
        draft.places.kept.append(constant.tensor)
        draft.frozen.append((key, constant, node))
    return draft.far_use(key, reading.uses[tensor_id])
