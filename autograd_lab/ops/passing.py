"""A node that changes nothing: the place where a module's backward hooks hang.

Read next: `nn/hooks.py`.
"""

from __future__ import annotations

from ..op import op


@op("BackwardHookFunctionBackward", listed=True, several=True, inputs=("tensors",), samples=lambda rng: [
    ([rng.uniform(-2, 2, (2, 3)), rng.uniform(-2, 2, ())],)
])  # fmt: skip
def pass_through(tensors):
    """The same values, one result per tensor."""
    return tuple(a.copy() for a in tensors)


@pass_through.wrt("tensors")
def _(grads):
    return list(grads)
