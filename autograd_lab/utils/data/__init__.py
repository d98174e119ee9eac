"""`torch.utils.data`: datasets, samplers and the loader.

>>> import autograd_lab as torch
>>> from autograd_lab.utils.data import DataLoader, TensorDataset
>>> data = TensorDataset(torch.arange(4.0), torch.arange(4))
>>> for x, y in DataLoader(data, batch_size=2):
...     print(x, y)
tensor([0., 1.]) tensor([0, 1])
tensor([2., 3.]) tensor([2, 3])
"""

from .collate import default_collate as default_collate
from .collate import default_convert as default_convert
from .dataset import ChainDataset as ChainDataset
from .dataset import ConcatDataset as ConcatDataset
from .dataset import Dataset as Dataset
from .dataset import IterableDataset as IterableDataset
from .dataset import StackDataset as StackDataset
from .dataset import Subset as Subset
from .dataset import TensorDataset as TensorDataset
from .dataset import random_split as random_split
from .loader import DataLoader as DataLoader
from .loader import get_worker_info as get_worker_info
from .sampler import BatchSampler as BatchSampler
from .sampler import RandomSampler as RandomSampler
from .sampler import Sampler as Sampler
from .sampler import SequentialSampler as SequentialSampler
from .sampler import SubsetRandomSampler as SubsetRandomSampler
from .sampler import WeightedRandomSampler as WeightedRandomSampler
