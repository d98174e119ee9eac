"""Datasets, samplers, collating and the loader."""

import importlib
from collections import namedtuple

import numpy as np
import pytest

import autograd_lab as torch
from autograd_lab.utils.data import (
    BatchSampler,
    ChainDataset,
    ConcatDataset,
    DataLoader,
    Dataset,
    IterableDataset,
    RandomSampler,
    StackDataset,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    default_collate,
    random_split,
)


class Squares(Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        return i, float(i) ** 2


class Counting(IterableDataset):
    def __iter__(self):
        return iter(range(5))


def test_batches_of_rows_equal_rows_stacked_one_by_one():
    data = TensorDataset(torch.arange(10.0).reshape(5, 2), torch.arange(5))
    fast = list(DataLoader(data, batch_size=2))
    slow = list(DataLoader(data, batch_size=2, collate_fn=lambda rows: default_collate(rows)))
    assert len(fast) == len(slow) == 3
    for a, b in zip(fast, slow, strict=True):
        assert type(a) is type(b) is list
        assert all(torch.equal(x, y) for x, y in zip(a, b, strict=True))


def test_batches_are_copies():
    x = torch.zeros(4)
    for (batch,) in DataLoader(TensorDataset(x), batch_size=4):
        batch.add_(1)
    assert x.sum().item() == 0


def test_drop_last_and_lengths():
    for drop, sizes in ((False, [2, 2, 1]), (True, [2, 2])):
        loader = DataLoader(Squares(), batch_size=2, drop_last=drop)
        assert len(loader) == len(sizes)
        assert [len(x) for x, _ in loader] == sizes


def test_shuffling_repeats_with_a_generator_and_changes_between_epochs():
    def orders():
        loader = DataLoader(range(50), batch_size=50, shuffle=True, generator=torch.Generator().manual_seed(1))
        return [next(iter(loader)).tolist() for _ in range(2)]

    first, again = orders(), orders()
    assert first == again
    assert first[0] != first[1]
    assert sorted(first[0]) == list(range(50))


def test_workers_change_nothing():
    assert [b.tolist() for b in DataLoader(range(4), batch_size=2, num_workers=2)] == [[0, 1], [2, 3]]


def test_iterable_datasets():
    assert [b.tolist() for b in DataLoader(Counting(), batch_size=2)] == [[0, 1], [2, 3], [4]]
    assert [b.tolist() for b in DataLoader(Counting(), batch_size=2, drop_last=True)] == [[0, 1], [2, 3]]
    assert list(DataLoader(Counting(), batch_size=None)) == [0, 1, 2, 3, 4]
    assert list(ChainDataset([Counting(), Counting()])) == [0, 1, 2, 3, 4] * 2


def test_subset_concat_stack():
    data = Squares()
    assert Subset(data, [4, 1])[0] == (4, 16.0)
    both = ConcatDataset([data, data])
    assert len(both) == 10
    assert both[7] == (2, 4.0)
    assert both[-1] == (4, 16.0)
    assert len(data + data) == 10
    assert StackDataset(a=range(3), b=[5, 6, 7])[1] == {"a": 1, "b": 6}


def test_random_split_covers_everything_once():
    parts = random_split(range(11), [0.5, 0.3, 0.2])
    assert [len(p) for p in parts] == [6, 3, 2]
    assert sorted(x for p in parts for x in p) == list(range(11))


def test_samplers():
    torch.manual_seed(0)
    assert sorted(RandomSampler(range(6))) == list(range(6))
    drawn = list(RandomSampler(range(3), replacement=True, num_samples=100))
    assert len(drawn) == 100
    assert set(drawn) == {0, 1, 2}
    assert sorted(SubsetRandomSampler([7, 9])) == [7, 9]
    assert set(WeightedRandomSampler([0.0, 1.0, 3.0], 50)) <= {1, 2}
    assert len(BatchSampler(range(5), 2, True)) == 2


Pair = namedtuple("Pair", "x y")
BATCHES = {
    "ints": [1, 2],
    "floats": [1.0, 2.5],
    "bools": [True, False],
    "strings": ["a", "b"],
    "arrays": [np.array([1, 2]), np.array([3, 4])],
    "numpy numbers": [np.float32(1), np.float32(2)],
    "tuples": [(1, "a"), (2, "b")],
    "nested": [{"x": [1, 2.0], "y": (True,)}, {"x": [3, 4.0], "y": (False,)}],
}


def plain(value):
    """A batch as plain Python data with dtype names."""
    if hasattr(value, "tolist"):
        return str(value.dtype), value.tolist()
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value


@pytest.mark.parametrize("name", BATCHES)
def test_collating_is_torchs(name):
    real = pytest.importorskip("torch", reason="PyTorch is the source of the expected batches")
    collate = importlib.import_module("torch.utils.data").default_collate
    assert plain(default_collate(BATCHES[name])) == plain(collate(BATCHES[name]))
    assert real


def test_named_tuples_stay_named():
    batch = default_collate([Pair(1, 2.0), Pair(3, 4.0)])
    assert type(batch) is Pair
    assert batch.x.tolist() == [1, 3]


def bad(lib, data):
    """Calls that must fail, on either library."""
    rows = data.TensorDataset(lib.arange(4))
    return {
        "sizes": lambda: data.TensorDataset(lib.ones(2), lib.ones(3)),
        "split": lambda: data.random_split(rows, [1, 1]),
        "fractions": lambda: data.random_split(rows, [1.5, -0.5]),
        "sampler and shuffle": lambda: data.DataLoader(rows, shuffle=True, sampler=[0]),
        "batch_sampler and size": lambda: data.DataLoader(rows, batch_size=2, batch_sampler=[[0]]),
        "no batches to drop": lambda: data.DataLoader(rows, batch_size=None, drop_last=True),
        "workers": lambda: data.DataLoader(rows, num_workers=-1),
        "timeout": lambda: data.DataLoader(rows, timeout=-1),
        "persistent": lambda: data.DataLoader(rows, persistent_workers=True),
        "batch size": lambda: data.DataLoader(rows, batch_size=0),
        "empty shuffle": lambda: data.RandomSampler([]),
        "empty concat": lambda: data.ConcatDataset([]),
        "concat far": lambda: data.ConcatDataset([rows])[-9],
        "weights": lambda: data.WeightedRandomSampler([1.0], 0),
        "unequal lists": lambda: data.default_collate([[1, 2], [3]]),
        "objects": lambda: data.default_collate([object(), object()]),
        "unequal tensors": lambda: data.default_collate([lib.ones(2), lib.ones(3)]),
    }


@pytest.mark.parametrize("name", bad(torch, importlib.import_module("autograd_lab.utils.data")))
def test_error_texts_are_torchs(name):
    real = pytest.importorskip("torch", reason="PyTorch is the source of the expected texts")
    texts = []
    for lib in (torch, real):
        data = importlib.import_module(f"{lib.__name__}.utils.data")
        with pytest.raises(Exception) as caught:
            bad(lib, data)[name]()
        texts.append((type(caught.value).__name__, str(caught.value)))
    assert texts[0] == texts[1]
