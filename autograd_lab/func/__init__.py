"""`torch.func`: derivatives as functions of functions: grad, vjp, jvp, jacrev, jacfwd, hessian, vmap.

Each transform makes fresh inputs joined to whatever the given ones already depend on, so transforms nest.
`vmap` runs the function once per entry and stacks: the same results, without PyTorch's speed.
"""

from __future__ import annotations

from .transforms import functional_call, grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp
from .vectorized import vmap

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "vjp",
    "vmap",
]
