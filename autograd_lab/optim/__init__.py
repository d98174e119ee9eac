"""`torch.optim`: rules that change parameters by their gradients.

>>> import autograd_lab as torch
>>> w = torch.tensor([1.0], requires_grad=True)
>>> optimizer = torch.optim.SGD([w], lr=0.1)
"""

from . import lr_scheduler as lr_scheduler
from .adadelta import Adadelta as Adadelta
from .adagrad import Adagrad as Adagrad
from .adam import Adam as Adam
from .adam import AdamW as AdamW
from .adamax import Adamax as Adamax
from .asgd import ASGD as ASGD
from .lbfgs import LBFGS as LBFGS
from .nadam import NAdam as NAdam
from .optimizer import Optimizer as Optimizer
from .radam import RAdam as RAdam
from .rmsprop import RMSprop as RMSprop
from .rprop import Rprop as Rprop
from .sgd import SGD as SGD
