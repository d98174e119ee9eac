"""The unhurried way into an op, and what generated code leans on.

The code written for a card handles the common case: tensors of one dtype, or a tensor and a number.
Everything else (mixed dtypes, numbers first, wrong types) comes to `general`, which makes the operands
alike, calls the card again, and lets the node remember the operands as they were. Read next: `op.py`.
"""

from __future__ import annotations

from typing import Any
from weakref import ref

import numpy as np

from . import dtypes
from ._device import MetaArray
from ._tensor import Tensor, bare, constant
from .grad_mode import GRAD_MODE
from .graph import LEAF, Nowhere, Pick
from .memory import Shared, View, share


class Constants(dict[Any, Any]):
    """number -> its constant tensor, for one dtype: a number met twice costs one look-up."""

    def __init__(self, kind: Any) -> None:
        super().__init__()
        self.kind, self.scalar = np.dtype(kind), isinstance(kind, type)

    def __missing__(self, number: Any) -> Tensor:
        if type(number) not in (int, float, bool) or self.kind.kind != "f":
            raise LookupError("not a plain number for a float tensor")
        data = np.array(number, self.kind)
        made = constant(number, data[()] if self.scalar else data)
        # 0.0 equals -0.0, nan does not equal itself, True equals 1: such numbers are never kept
        if number and number == number and type(number) is not bool and len(self) < 1000:
            self[number] = made
        return made


class Tables(dict[Any, Constants]):
    """dtype (arrays) or NumPy scalar type (0-d) -> its Constants."""

    def __missing__(self, kind: Any) -> Constants:
        if kind is MetaArray or not issubclass(np.dtype(kind).type, np.generic):
            raise LookupError("meta tensors take the general way")
        self[kind] = table = Constants(kind)
        return table


CONSTANTS = Tables()


class Target(tuple[int, ...]):
    """The shape a gradient must have, with the dtype it must have when that differs."""

    dtype: Any = None


def target(shape: tuple[int, ...], dtype: Any) -> Target:
    made = Target(shape)
    made.dtype = dtype
    return made


def general(card: Any, *args: Any) -> Any:
    """Call a card whose operands are not alike: check their types, promote, call, mend the record."""
    from_list = card.listed
    values = list(args)
    written = outdated(args)
    if written:
        return renewed(card, args, written)
    positions = [card.names.index(t) for t in card.tensors]
    if from_list:
        return general_list(card, values, positions[0])
    for i, p in enumerate(positions):
        if isinstance(values[p], np.ndarray):
            values[p] = bare(values[p])
        value = values[p]
        optional = card.names[p] in card.optional and value is None
        if (
            not isinstance(value, Tensor)
            and not optional
            and not (card.broadcasts and is_number(value) and (i or len(positions) > 1))
        ):
            raise wrong_type(card, i, value)
    present = [p for p in positions if values[p] is not None]
    if not any(isinstance(values[p], Tensor) for p in present):
        raise wrong_type(card, 0, values[positions[0]])
    kind = common_dtype(card, [values[p] for p in present if card.names[p] not in card.free_dtype])
    before = list(values)
    for p in present:
        if card.names[p] in card.free_dtype and isinstance(values[p], Tensor):
            continue
        values[p] = alike(values[p], kind)
    result = card.function(*values)
    mend(card, before, values, positions, result)
    return result


def general_operator(card: Any, *args: Any) -> Any:
    """`general` for operators: Python wants NotImplemented for operands of foreign types."""
    try:
        return general(card, *args)
    except TypeError as error:
        if getattr(error, "foreign", False):
            return NotImplemented
        raise


def general_list(card: Any, values: list[Any], p: int) -> Any:
    """The same for ops on a list of tensors, such as cat."""
    given = values[p]
    if isinstance(given, Tensor) or not isinstance(given, (list, tuple)):
        raise TypeError(
            f"{card.name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type_name(given)}"
        )
    for i, t in enumerate(given):
        if not isinstance(t, Tensor):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type_name(t)}")
    if not given:
        raise RuntimeError(f"{card.name}(): expected a non-empty list of Tensors")
    kind = common_dtype(card, list(given))
    alikes = [alike(t, kind) for t in given]
    values[p] = alikes
    result = card.function(*values)
    node = new_node(result)
    if node is not None:
        node.edges = tuple(edge_of(t) for t in given)
        node.casts = [None if a is t else t._data.dtype for a, t in zip(alikes, given, strict=True)]
    return result


def outdated(args: tuple[Any, ...]) -> list[Tensor]:
    """The views among the arguments whose memory was written since they last knew their edge."""
    given = (t for a in args for t in (a if isinstance(a, (list, tuple)) else (a,)))
    return [t for t in given if isinstance(t, Tensor) and not View.current(t)]


def renewed(card: Any, args: tuple[Any, ...], views: list[Tensor]) -> Any:
    """Call a card again, now that these views were asked for their edges and got new ones."""
    edges = [(view, view._edge) for view in views]
    kept = [(view, edge) for view, edge in edges if not View.current(view)]  # not allowed to have one for good
    for view, edge in kept:
        view._edge_now = edge
    try:
        return card.function(*args)
    finally:
        for view, _ in kept:
            del view._edge_now


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float, complex, np.number, np.bool_))


def common_dtype(card: Any, operands: list[Any]) -> dtypes.dtype:
    """The dtype an op computes in."""
    tensors = [t for t in operands if isinstance(t, Tensor)]
    kind = dtypes.promote(
        [t.dtype for t in tensors if t.ndim],
        [t.dtype for t in tensors if not t.ndim],
        [dtypes.of_number(n) for n in operands if not isinstance(n, Tensor)],
    )
    if card.floats and kind.category < 2:
        kind = dtypes.get_default_dtype()
    if card.refuses is not None:
        card.refuses(card.name, kind)
    return kind


def alike(value: Any, kind: dtypes.dtype) -> Tensor:
    """An operand in the common dtype; a tensor that has it already is returned as it is."""
    if isinstance(value, Tensor):
        if value._data.dtype is kind.numpy:
            return value
        cast = bare(value._data.astype(kind.numpy))
        cast._edge = value._edge
        cast._as_given = value
        return cast
    with np.errstate(all="ignore"):
        data = np.asarray(value).astype(kind.numpy)
    return constant(value, data)


def mend(card: Any, before: list[Any], after: list[Any], positions: list[int], result: Any) -> None:
    """Let a new node refer to the operands as they were, and cast each gradient back to their dtypes."""
    node = new_node(result)
    if node is None:
        return
    edges = []
    for p in positions:
        name, was, now = card.names[p], before[p], after[p]
        if name in card.targets:
            edges.append(edge_of(was) if isinstance(was, Tensor) else None)
        if isinstance(was, Tensor) and was is not now and getattr(node, f"saved_{name}", None) is now:
            setattr(node, f"saved_{name}", was)
            setattr(node, f"version_{name}", was._version)
    if node.arity < 3:
        for i, edge in enumerate(edges):
            setattr(node, f"next{i}", edge)
    else:
        node.edges = tuple(edges)
    if card.broadcasts:
        node.fit = tuple(
            target(b._data.shape, b._data.dtype) if isinstance(b, Tensor) else ()
            for b in (before[p] for p in positions)
        )


def new_node(result: Any) -> Any:
    first = result[0] if isinstance(result, tuple) else result
    edge = first._edge
    return edge.next0 if isinstance(edge, Pick) else edge


def edge_of(tensor: Tensor) -> Any:
    return tensor if tensor._edge is LEAF else tensor._edge


def type_name(value: Any) -> str:
    return type(value).__name__


def wrong_type(card: Any, position: int, value: Any) -> Any:
    """PyTorch's text for an argument that is no tensor."""
    name = card.tensors[position]
    shown = "input" if name == "self" else name
    error: Any = TypeError(
        f"{card.name}(): argument '{shown}' (position {position + 1}) must be Tensor, not {type_name(value)}"
    )
    error.foreign = True
    return error


def explained(card: Any, error: Exception, datas: tuple[Any, ...]) -> Exception:
    """NumPy's error in PyTorch's words: a dtype the op has not, or shapes that do not broadcast."""
    if card.refuses is not None:
        card.refuses(card.name, dtypes.of(datas[0]))
    if card.broadcasts:
        shapes = [d.shape for d, n in zip(datas, card.names, strict=False) if n in card.tensors and d is not None]
        found = mismatch(shapes)
        if found is not None:
            return found
    return error


def mismatch(shapes: list[tuple[int, ...]]) -> RuntimeError | None:
    """The error for shapes that cannot be broadcast together, or None if they can."""
    common = shapes[0]
    for shape in shapes[1:]:
        wide = max(len(common), len(shape))
        a, b = (1,) * (wide - len(common)) + tuple(common), (1,) * (wide - len(shape)) + tuple(shape)
        for i in reversed(range(wide)):
            if a[i] != b[i] and a[i] != 1 and b[i] != 1:
                return RuntimeError(
                    f"The size of tensor a ({a[i]}) must match the size of tensor b ({b[i]}) at non-singleton "
                    f"dimension {i}"
                )
        common = tuple(y if x == 1 else x for x, y in zip(a, b, strict=True))
    return None


def plain_list(datas: list[Any]) -> bool:
    """Whether the arrays of a list op are alike, so that no promotion is needed."""
    return bool(datas) and all(d.dtype is datas[0].dtype for d in datas)


def view_of(base: Tensor) -> View:
    """What a view of `base` remembers; a view of a view belongs to the first base."""
    root = base._base
    forbidden = "no_grad" if GRAD_MODE.get() is False else ""
    if root is not None and not forbidden:
        forbidden = base._view.forbidden
    return View(base if root is None else root, forbidden)


def know(view: Tensor) -> None:
    """Tell the family of tensors sharing this memory that a view exists; in-place ops update it."""
    if view._view.forbidden == "no_grad" and GRAD_MODE.get() is False and view._view.base._edge is not None:
        view._edge = Nowhere()
    views = view._counter.views if isinstance(view._counter, Shared) else None
    if views is not None:
        if len(views) > 64:
            views[:] = [v for v in views if v() is not None]
        views.append(ref(view))


def several_results(datas: Any, card: Any, base: Tensor) -> tuple[Tensor, ...]:
    """The tensors of an op with several outputs; of a view op they share memory and may not be changed."""
    results = []
    for data in datas:
        made = bare(data)
        if card.view:
            made._counter = share(base)
            made._view = view_of(base)
            made._view.forbidden = made._view.forbidden or card.node_name
            know(made)
        results.append(made)
    return tuple(results)


def attach(node: Any, results: tuple[Tensor, ...]) -> None:
    """Give each differentiable output of a node its own edge."""
    node.several = len(results)
    for i, result in enumerate(results):
        if result._data.dtype.kind in "fc":
            result._edge = Pick(node, i)


def as_tensor(value: Any) -> Any:
    """What a forward kept beside its result, for a formula that works on tensors."""
    return bare(value) if isinstance(value, (np.ndarray, np.generic)) else value
