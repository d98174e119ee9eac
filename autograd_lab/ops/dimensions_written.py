"""The shape changed in place: the nodes of `squeeze_`, `t_`, `unsqueeze_`, `transpose_`.

PyTorch counts them apart from the views of `dimensions.py`. Read next: `joining.py`.
"""

from __future__ import annotations

import numpy as np

from ..op import op
from ..samples import Shape, shaped
from .dimensions import squeeze_dim, t, transpose
from .views import checked_dim, reshape_card


@op("SqueezeBackward4", called="squeeze_", samples=shaped((Shape(2, 1, 3), 1)))
def squeeze_written(self, dim):
    """Without dimension `dim`, dropped from a result that nobody has seen yet."""
    dim = checked_dim(dim, self.ndim)
    return self.reshape([n for d, n in enumerate(self.shape) if d != dim or n != 1])


@squeeze_written.wrt("self")
def _(grad, self_shape, dim):
    return reshape_card(grad, self_shape)


@op("SqueezeBackward3", called="squeeze_", samples=shaped((Shape(2, 1, 3),)))
def squeeze_all_written(self):
    """Without its dimensions of size 1, in place."""
    return np.squeeze(self)


@squeeze_all_written.wrt("self")
def _(grad, self_shape):
    return reshape_card(grad, self_shape)


@op("TBackward1", called="t_", samples=shaped((Shape(2, 3),)))
def t_written(self):
    """Rows and columns exchanged, in place."""
    return self.T


@t_written.wrt("self")
def _(grad):
    return t(grad)


@op("UnsqueezeBackward1", called="unsqueeze_", samples=shaped((Shape(2, 3), 1)))
def unsqueeze_written(self, dim):
    """A new dimension of size 1, in place."""
    return np.expand_dims(self, dim)


@unsqueeze_written.wrt("self")
def _(grad, dim):
    return squeeze_dim(grad, dim)


@op("TransposeBackward1", called="transpose_", samples=shaped((Shape(2, 3), 0, 1)))
def transpose_written(self, dim0, dim1):
    """Two dimensions exchanged, in place."""
    return np.swapaxes(self, dim0, dim1)


@transpose_written.wrt("self")
def _(grad, dim0, dim1):
    return transpose(grad, dim0, dim1)
