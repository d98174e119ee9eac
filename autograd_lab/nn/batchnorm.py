"""Batch and instance norm: layers that keep running statistics.

Read next: `normalization.py`.
"""

from __future__ import annotations

from typing import Any

from ..dtypes import long
from ..ops.creation import ones, tensor, zeros
from . import functional as F
from . import init
from .module import Module
from .parameter import Parameter


class Tracking(Module):
    """What batch and instance norm share: a weight and bias per channel, and running statistics."""

    good: tuple[int, ...] = ()
    complaint = ""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        place = {"device": device, "dtype": dtype}
        self.register_parameter("weight", Parameter(ones(num_features, **place)) if affine else None)
        self.register_parameter("bias", Parameter(zeros(num_features, **place)) if affine and bias else None)
        track = track_running_stats
        self.register_buffer("running_mean", zeros(num_features, **place) if track else None)
        self.register_buffer("running_var", ones(num_features, **place) if track else None)
        self.register_buffer("num_batches_tracked", tensor(0, dtype=long, device=device) if track else None)

    def reset_running_stats(self) -> None:
        """Forget the running statistics."""
        if self.track_running_stats:
            init.zeros_(self.running_mean)
            init.ones_(self.running_var)
            init.zeros_(self.num_batches_tracked)

    def reset_parameters(self) -> None:
        """Forget the running statistics; weight 1, bias 0."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_input_dim(self, input: Any) -> None:
        if input.ndim not in self.good:
            raise ValueError(f"expected {self.complaint} input (got {input.ndim}D input)")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm(Tracking):
    """What batch norm layers share."""

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            count = init.written(self.num_batches_tracked, self.num_batches_tracked._data + 1)
            if self.momentum is None:
                momentum = 1.0 / float(count._data)
        by_batch = self.training or (self.running_mean is None and self.running_var is None)
        tracked = not self.training or self.track_running_stats
        return F.batch_norm(
            input,
            self.running_mean if tracked else None,
            self.running_var if tracked else None,
            self.weight,
            self.bias,
            by_batch,
            momentum,
            self.eps,
        )


class BatchNorm1d(BatchNorm):
    """Normalise features of (N, C) or channels of (N, C, L) over the batch.

    In training the running statistics move by `momentum`; in evaluation they are used. Source: Ioffe and
    Szegedy 2015.
    """

    good, complaint = (2, 3), "2D or 3D"


class BatchNorm2d(BatchNorm):
    """Normalise the channels of (N, C, H, W) over batch and space."""

    good, complaint = (4,), "4D"


class BatchNorm3d(BatchNorm):
    """Normalise the channels of (N, C, D, H, W) over batch and space."""

    good, complaint = (5,), "5D"


class InstanceNorm(Tracking):
    """What instance norm layers share."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Any) -> Any:
        self._check_input_dim(input)
        unbatched = input.ndim == self.good[0]
        made = F.instance_norm(
            input.unsqueeze(0) if unbatched else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            self.momentum or 0.0,
            self.eps,
        )
        return made.squeeze(0) if unbatched else made


class InstanceNorm1d(InstanceNorm):
    """Normalise each channel of each sample of (N, C, L)."""

    good, complaint = (2, 3), "2D or 3D"


class InstanceNorm2d(InstanceNorm):
    """Normalise each channel of each sample of (N, C, H, W)."""

    good, complaint = (3, 4), "3D or 4D"


class InstanceNorm3d(InstanceNorm):
    """Normalise each channel of each sample of (N, C, D, H, W)."""

    good, complaint = (4, 5), "4D or 5D"
