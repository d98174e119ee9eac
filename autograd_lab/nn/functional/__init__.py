"""`torch.nn.functional`: layers and losses as functions, for use inside `forward`.

>>> import autograd_lab as torch
>>> import autograd_lab.nn.functional as F
>>> F.relu(torch.tensor([-1.0, 2.0]))
tensor([0., 2.])
"""

from .activation import *  # noqa: F403
from .attention import *  # noqa: F403
from .convolution import *  # noqa: F403
from .distance import *  # noqa: F403
from .dropout import *  # noqa: F403
from .likelihood import *  # noqa: F403
from .linear import *  # noqa: F403
from .loss import *  # noqa: F403
from .margins import *  # noqa: F403
from .normalization import *  # noqa: F403
from .pooling import *  # noqa: F403
from .vision import *  # noqa: F403
