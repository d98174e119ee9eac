"""`torch.optim.lr_scheduler`: learning rates that change from epoch to epoch.

>>> import autograd_lab as torch
>>> optimizer = torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0)
>>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
>>> optimizer.step(); scheduler.step()
>>> scheduler.get_last_lr()
[0.5]
"""

from .base import LRScheduler as LRScheduler
from .combined import ChainedScheduler as ChainedScheduler
from .combined import SequentialLR as SequentialLR
from .cycles import CosineAnnealingLR as CosineAnnealingLR
from .cycles import CosineAnnealingWarmRestarts as CosineAnnealingWarmRestarts
from .cycles import CyclicLR as CyclicLR
from .cycles import OneCycleLR as OneCycleLR
from .factors import ConstantLR as ConstantLR
from .factors import ExponentialLR as ExponentialLR
from .factors import LambdaLR as LambdaLR
from .factors import LinearLR as LinearLR
from .factors import MultiplicativeLR as MultiplicativeLR
from .factors import MultiStepLR as MultiStepLR
from .factors import PolynomialLR as PolynomialLR
from .factors import StepLR as StepLR
from .plateau import ReduceLROnPlateau as ReduceLROnPlateau
