"""The front door of public functions: PyTorch's and NumPy's names for arguments, and PyTorch's complaints.

`torch.exp(input=x)`, `x.std(axis=0, keepdims=True)`, `torch.add(a, b, out=c)`. Methods that are called most
(`x.exp()`, `x + y`) do not pass here. Read next: `functions.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._tensor import Tensor
from ..caution import warn

NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x1": "self", "x2": "other", "a": "self", "x": "self"}


def front(function: Callable[..., Any], name: str = "") -> Callable[..., Any]:
    """The function with every spelling of its arguments that PyTorch accepts.

    >>> import autograd_lab as torch
    >>> front(torch.Tensor.sum, "sum")(input=torch.ones(2, 3), axis=1)
    tensor([3., 3.])
    """
    inner = getattr(function, "__wrapped__", function)
    code, name = inner.__code__, name or function.__name__
    needed = code.co_argcount - len(inner.__defaults__ or ())

    def call(*args: Any, **named: Any) -> Any:
        if named:
            known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            out = named.pop("out", None) if "out" not in known else None
            named = {own_name(k, known): v for k, v in named.items()}
            if out is not None:
                return written_to(out, function(*args, **named), name)
        if len(args) < needed:
            missing = [n for n in code.co_varnames[len(args) : needed] if n not in named]
            if missing:
                raise missing_arguments(name, ["input" if n == "self" else n for n in missing])
        return function(*args, **named)

    call.__dict__.update(function.__dict__)
    call.__name__ = call.__qualname__ = name
    call.__doc__, call.__module__ = function.__doc__, function.__module__
    call.__wrapped__ = inner  # type: ignore[attr-defined]  # as functools.wraps does, for inspect.signature
    return call


def own_name(given: str, known: tuple[str, ...]) -> str:
    """The function's own name of an argument that was given under another."""
    if given in known:
        return given
    own = NUMPY_NAMES.get(given, given)
    return own if own in known else known[0] if given in ("input", "self") and known else given


def missing_arguments(name: str, missing: list[str]) -> TypeError:
    """PyTorch's text for arguments that were not given."""
    shown = ", ".join(f'"{n}"' for n in missing)
    return TypeError(f"{name}() missing {len(missing)} required positional arguments: {shown}")


def written_to(out: Any, result: Any, name: str) -> Any:
    """What `out=` asks for: the result copied into an existing tensor, without gradient."""
    if isinstance(out, tuple):
        return type(result)(*(written_to(o, r, name) for o, r in zip(out, result, strict=True)))
    if out.requires_grad or result.requires_grad:
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments "
            "requires grad."
        )
    if out.shape != result.shape:
        if out.numel():
            resize_warning(out, result)
        out._data = result.array().astype(out.array().dtype)
        return out
    return out.copy_(result)


def resize_warning(out: Tensor, result: Tensor) -> None:
    warn(
        f"An output with one or more elements was resized since it had shape {list(out.shape)}, which does not match "
        "the "
        f"required output shape {list(result.shape)}. This behavior is deprecated, and in a future PyTorch release "
        "outputs "
        "will not be resized unless they have zero elements. You can explicitly reuse an out tensor t by resizing it, "
        "inplace, to zero elements with t.resize_(0)."
    )
