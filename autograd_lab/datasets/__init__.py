"""Handwritten digits that come with the package: no download, the same images everywhere.

`digits8()` has 1,797 images of 8 by 8 for quick examples, `mnist5k()` 5,000 images of 28 by 28. The files have
licences of their own, which stand beside them in `files/`. Read next: `digits.py`.

>>> from autograd_lab.datasets import digits8
>>> image, label = digits8().train[4]
>>> image.shape, label
(torch.Size([1, 8, 8]), tensor(4))
"""

from .digits import Digits as Digits
from .digits import digits8 as digits8
from .digits import mnist5k as mnist5k

__all__ = ["Digits", "digits8", "mnist5k"]
