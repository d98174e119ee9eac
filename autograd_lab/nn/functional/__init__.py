"""`torch.nn.functional`: layers and losses as functions, for use inside `forward`.

>>> import autograd_lab as torch
>>> import autograd_lab.nn.functional as F
>>> F.relu(torch.tensor([-1.0, 2.0]))
tensor([0., 2.])
"""

from .activation import *
from .attention import *
from .convolution import *
from .distance import *
from .dropout import *
from .likelihood import *
from .linear import *
from .loss import *
from .margins import *
from .normalization import *
from .pooling import *
from .vision import *
