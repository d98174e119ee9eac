"""A tensor: an array, and where it came from. It knows no mathematics; `menu/` hangs the ops on it.

Four slots matter. `_data` is a NumPy array, or a NumPy scalar when 0-d (seven times quicker), which
`array()` turns into a real array when something must share its memory. `_edge` is None (not tracked), LEAF
(a leaf that wants a gradient) or the node that made it; its slot is `_edge_now`, empty while a view's edge is out of
date. `_counter` counts in-place writes: an int, or, once
memory is shared, a `Shared` list that all sharers hold. `_grad` is unset until a gradient arrives.
Read next: `op.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np

from . import dtypes
from ._device import CPU, META, MetaArray, device
from .caution import warn
from .grad_mode import INFERENCE, INFERENCE_VERSION
from .graph import LEAF, Node, Nowhere, Pick, RemovableHandle, hooks_of, node_at
from .memory import share
from .printing import tensor_text
from .recorder import DETACH, tell, watchers

if TYPE_CHECKING:
    from ._surface import Surface  # the methods the menu hangs on Tensor, for type checkers and editors
else:
    Surface = object

new = object.__new__

NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, "
    "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access "
    "the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)


class Size(tuple[int, ...]):
    """A shape: a tuple that prints as `torch.Size([2, 3])`."""

    def numel(self) -> int:
        n = 1
        for size in self:
            n *= size
        return n

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size(super().__add__(tuple(other)))


class Tensor(Surface):
    """An n-dimensional array that records the ops it takes part in, if `requires_grad` is set.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
    """

    __slots__ = ("__dict__", "__weakref__", "_counter", "_data", "_edge_now")

    _data: Any
    _edge_now: Any
    _counter: Any
    # Most tensors never have these: they live in the instance's own dictionary when set.
    _grad: Tensor | None = None
    _view: Any = None
    _accumulate: Any = None
    _as_given: Any = None  # what the caller wrote where this tensor stands for it: for watchers

    # what it holds

    def array(self) -> Any:
        """The data as an array that stays ours: what views, in-place ops and numpy() need."""
        if not isinstance(self._data, np.ndarray):
            self._data = np.asarray(self._data)
        return self._data

    @property
    def shape(self) -> Size:
        return Size(self._data.shape)

    @property
    def ndim(self) -> int:
        return int(self._data.ndim)

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.BY_NUMPY[self._data.dtype]

    @property
    def device(self) -> device:
        return META if isinstance(self._data, MetaArray) else CPU

    @property
    def is_meta(self) -> bool:
        return isinstance(self._data, MetaArray)

    is_cuda = is_sparse = is_quantized = False
    layout = "torch.strided"

    @property
    def data(self) -> Tensor:
        """The same memory without history and with a version counter of its own: changes go unnoticed."""
        return bare(self.array())

    @data.setter
    def data(self, other: Tensor) -> None:
        self._data = other.array()

    # where it came from

    @property
    def _edge(self) -> Any:
        """Where its gradient goes on. Code that is written for cards reads the slot itself, which is much quicker."""
        try:
            return self._edge_now
        except AttributeError:
            pass  # taken away by `bump`: the memory this view shows has been written since
        return self._view.renewed(self)

    @_edge.setter
    def _edge(self, edge: Any) -> None:
        self._edge_now = edge

    @property
    def requires_grad(self) -> bool:
        view = self._view
        return (self._edge if view is None or view.current(self) else view.base._edge) is not None

    @requires_grad.setter
    def requires_grad(self, wanted: bool) -> None:
        if self.grad_fn is not None:
            if not wanted:
                raise RuntimeError(
                    "you can only change requires_grad flags of leaf variables. If you want to use a computed variable "
                    "in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
                )
            return
        if wanted and self._data.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        if wanted and self._counter is INFERENCE_VERSION and not INFERENCE.get():
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        if wanted or self._edge is LEAF:
            self._edge = LEAF if wanted else None

    def _has_history(self) -> bool:
        """Whether an op made this tensor, as far as is known without asking."""
        edge = self._last_edge()
        return isinstance(edge, Node) and not isinstance(edge, Nowhere)

    def _last_edge(self) -> Any:
        """The edge as it stands: a view whose memory was written since is not asked for its new one."""
        view = self._view
        return self._edge if view is None or view.current(self) else view.old

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Switch tracking of this leaf on or off, in place."""
        if requires_grad and self._edge is None and self._data.dtype.kind not in "fc":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        self.requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        """True if no recorded op made this tensor: parameters, inputs, and everything untracked."""
        return self.grad_fn is None

    @property
    def grad_fn(self) -> Any:
        """The node that made this tensor, or None for a leaf."""
        edge = self._edge
        if edge is None and self._view is not None and not self._view.current(self):
            raise RuntimeError(self._view.ambiguous())  # in no_grad mode; elsewhere asking for the edge raised it
        if edge is None or edge is LEAF or isinstance(edge, Nowhere):
            return None
        return edge.next0 if isinstance(edge, Pick) else edge

    @property
    def output_nr(self) -> int:
        return self._edge.index if isinstance(self._edge, Pick) else 0

    @property
    def grad(self) -> Tensor | None:
        """The gradient accumulated so far; None before the first backward."""
        grad = self._grad
        if grad is None and self._has_history() and not self.retains_grad:
            warn(NON_LEAF_GRAD)
        return grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            self._check_assigned_grad(value)
        self._grad = value

    @grad.deleter
    def grad(self) -> None:
        self._grad = None

    def _check_assigned_grad(self, value: Any) -> None:
        if not isinstance(value, Tensor):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
            )
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if value._data.dtype != self._data.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{value.dtype_word()}' to a tensor with grad_dtype "
                f"'{dtypes.TYPE_NAMES[self.dtype.name]}'. The gradient must match the tensor's grad_dtype (defaults "
                "to the tensor's dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or "
                "None to allow any dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its "
                "gradient may break downstream systems that assume they match."
            )
        if value.device != self.device:
            raise RuntimeError("assigned grad has data located on a different device")
        if value._data.shape != self._data.shape:
            raise RuntimeError("assigned grad has data of a different size")

    @property
    def retains_grad(self) -> bool:
        hooks = getattr(self._last_edge(), "hooks", None)
        return hooks is not None and hooks.retain is not None and hooks.retain() is self

    def retain_grad(self) -> None:
        """Keep this non-leaf tensor's gradient in `.grad` during later backward passes."""
        if self._edge is None:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self.grad_fn is not None:
            hooks_of(self._edge).retain = ref(self)

    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
        """Call `hook(grad)` whenever this tensor's gradient is computed; what it returns replaces it."""
        if self._edge is None:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        return RemovableHandle(self._node(), "tensor", hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> RemovableHandle:
        """Call `hook(tensor)` after a gradient was added to this leaf's `.grad`."""
        if self._edge is None:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if self._edge is not LEAF:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        return RemovableHandle(self._node(), "post", hook)

    def _node(self) -> Any:
        """Where a gradient of this tensor arrives: its node, a leaf's AccumulateGrad, or where none ever does."""
        edge = self._edge
        return node_at(self) if edge is LEAF else Nowhere() if isinstance(edge, Nowhere) else edge

    # memory and versions

    @property
    def _version(self) -> int:
        counter = self._counter
        if counter is INFERENCE_VERSION:
            raise RuntimeError("Inference tensors do not track version counter.")
        return counter if type(counter) is int else counter[0]

    @property
    def _base(self) -> Tensor | None:
        view = self._view
        return None if view is None else view.base

    def _is_view(self) -> bool:
        return self._view is not None

    def is_inference(self) -> bool:
        return self._counter is INFERENCE_VERSION

    def detach(self) -> Tensor:
        """The same memory and version counter, without history."""
        detached = bare(self.array())
        detached._counter = share(self)
        if watchers:
            tell(DETACH, (self,), detached)
        return detached

    def detach_(self) -> Tensor:
        """Cut this tensor from its history, in place: it becomes a leaf that is not tracked."""
        if self._view is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) "
                "for training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and "
                "hence detach_() cannot be called on these gradients. To fix this error, please refer to the "
                "Optimizer.zero_grad() function in torch/optim/optimizer.py as a solution."
            )
        self._edge = None
        return self

    # how it looks

    def dtype_word(self) -> str:
        """`float`, `double`, `long int`: what C++ messages call the dtype."""
        words = {"float32": "float", "float64": "double", "float16": "c10::Half", "int64": "long int", "int32": "int"}
        return words.get(self.dtype.name, self.dtype.name)

    def type(self, dtype: Any = None) -> Any:
        """`torch.FloatTensor` and so on."""
        place = "torch." if not self.is_meta else "torch.meta."
        return f"{place}{dtypes.TYPE_NAMES[self.dtype.name]}Tensor"

    def __repr__(self) -> str:
        suffixes, kind, data = [], self.dtype, self._data
        if self.is_meta:
            suffixes += ["device='meta'", f"size={tuple(data.shape)}"]
        named = (
            (dtypes.get_default_dtype(),)
            if self.is_meta or not data.size
            else (dtypes.get_default_dtype(), dtypes.int64, dtypes.bool_)
        )
        if kind not in named and not (kind is dtypes.complex64 and data.size):
            suffixes.append(f"dtype={kind!r}")
        try:
            maker = None if self.grad_fn is None else type(self.grad_fn).__name__
        except RuntimeError:  # a view that was made in no_grad mode and written there
            maker = "Invalid"
        if maker is not None:
            suffixes.append(f"grad_fn=<{maker}>")
        elif self.requires_grad:
            suffixes.append("requires_grad=True")
        return tensor_text(np.asarray(data), suffixes, meta=self.is_meta)


def bare(data: Any) -> Tensor:
    """A tensor without history around an array or NumPy scalar."""
    made = new(Tensor)
    made._data = data
    made._edge_now = None
    made._counter = 0
    return made


class Number(Tensor):
    """A Python number that met a tensor: a 0-d constant of the tensor's dtype."""

    __slots__ = ("_as_given",)


def constant(number: Any, data: Any) -> Number:
    """The constant tensor that stands for a Python number."""
    made = new(Number)
    made._data, made._edge_now, made._counter, made._as_given = data, None, 0, number
    return made
