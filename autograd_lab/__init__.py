"""autograd_lab: PyTorch's autograd in pure Python and NumPy, to be read, drawn, stepped and played with.

`import autograd_lab as torch` and write PyTorch. The source is a lesson; read it in this order:
graph, _tensor, op, ops/pointwise, engine, menu.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from typing import Any

# NumPy warns where PyTorch is silent (1 / 0, log(0)). Only warnings that arise inside this package are hushed.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"autograd_lab\.")

from ._device import device as device
from ._tensor import Size as Size
from ._tensor import Tensor as Tensor
from .collecting import no_collection
from .dtypes import bool_ as bool
from .dtypes import (
    can_cast,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    long,
    promote_types,
    set_default_dtype,
    short,
    uint8,
)
from .dtypes import float32 as float
from .dtypes import int32 as int
from .generators import Generator as Generator
from .generators import initial_seed, manual_seed, seed
from .grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .printing import set_printoptions

with no_collection():
    from .menu import LATER, PUBLIC, hang

    hang()
    globals().update(PUBLIC)
    from . import autograd

__version__ = "0.1.0"
strided = "torch.strided"

# Rooms that bring their own libraries, or that a small script does not need, are opened when first asked for.
LAZY = {
    "draw_graph": "view",
    "step_through": "view",
    "record": "view",
    "reaches": "view",
    "why": "view",
    "exercise": "grading",
    "nn": "nn",
    "datasets": "datasets",
    "optim": "optim",
    "utils": "utils",
    "func": "func",
    "vmap": "func",
    "save": "serialization",
    "load": "serialization",
    "cuda": "cuda",
    "linalg": "linalg",
    "special": "special",
    "random": "random",
    "stand_in_for_torch": "stand_in",
    "is_anomaly_enabled": "autograd.anomaly_mode",
}
# functions that PyTorch offers here as well as in nn.functional
LAZY |= dict.fromkeys(
    [
        "celu",
        "selu",
        "prelu",
        "rrelu",
        "hardshrink",
        "threshold",
        "dropout",
        "alpha_dropout",
        "batch_norm",
        "layer_norm",
        "group_norm",
        "instance_norm",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "bilinear",
        "embedding",
        "pairwise_distance",
        "pixel_shuffle",
        "max_pool1d",
        "max_pool2d",
        "avg_pool1d",
        "adaptive_avg_pool1d",
        "adaptive_max_pool1d",
        "channel_shuffle",
        "conv_transpose3d",
        "convolution",
        "cosine_embedding_loss",
        "feature_alpha_dropout",
        "hinge_embedding_loss",
        "kl_div",
        "margin_ranking_loss",
        "max_pool1d_with_indices",
        "pdist",
        "pixel_unshuffle",
        "poisson_nll_loss",
        "rms_norm",
        "threshold_",
        "triplet_margin_loss",
        "binary_cross_entropy_with_logits",
    ],
    "nn.functional",
)


def __getattr__(name: str) -> Any:
    if name in LATER:
        globals()[name] = function = LATER[name]()
        return function
    if name not in LAZY:
        raise AttributeError(f"module 'torch' has no attribute {name!r}" if name else name)
    room = importlib.import_module(f"{__name__}.{LAZY[name]}")
    return room if LAZY[name] == name else getattr(room, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *LAZY, *LATER})


# In a notebook the drawings should know constants and values of whatever was computed before they were asked for.
_ipython = sys.modules.get("IPython")
if _ipython is not None and hasattr(_ipython.get_ipython(), "kernel"):
    from .view.recording import record_in_background

    record_in_background()
