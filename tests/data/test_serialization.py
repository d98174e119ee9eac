"""save and load: what goes in comes out, nothing is run, and a failed save leaves the old file."""

import io
import json
import os
import pickle
import zipfile
from collections import OrderedDict

import numpy as np
import pytest

import autograd_lab as torch
from autograd_lab import nn
from autograd_lab.serialization import load, save


def through(value):
    file = io.BytesIO()
    save(value, file)
    file.seek(0)
    return load(file)


PLAIN = [
    None, True, 3, 10**20, -1.5, float("inf"), "text", 2 + 3j, [1, [2.0]], (1, (2,)), {1, 2}, {"a": {2: (None,)}},
    torch.float32,
    torch.bool, torch.Size([2, 3]), torch.device("cpu"), OrderedDict(b=1, a=2),
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_come_back_equal_and_of_the_same_type(value):
    found = through(value)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8", "bool", "complex64", "float16"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
def test_tensors_come_back(dtype, shape):
    value = torch.ones(shape, dtype=getattr(torch, dtype))
    found = through(value)
    assert found.dtype is value.dtype
    assert found.shape == value.shape
    assert torch.equal(found, value)


def test_not_contiguous_and_tracked():
    value = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    found = through({"leaf": value, "turned": value.detach().t()})
    assert found["leaf"].requires_grad
    assert found["leaf"].is_leaf
    assert found["turned"].tolist() == [[1.0, 3.0], [2.0, 4.0]]


def test_shared_tensors_stay_shared():
    value = torch.ones(3)
    a, b = through([value, value.detach()])
    a.mul_(2)
    assert b.tolist() == [2.0, 2.0, 2.0]


def test_a_whole_training_state():
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    optimizer = torch.optim.Adam(net.parameters())
    net(torch.randn(4, 2)).sum().backward()
    optimizer.step()
    found = through({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 1})
    twin = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    twin.load_state_dict(found["net"])
    torch.optim.Adam(twin.parameters()).load_state_dict(found["optimizer"])
    for a, b in zip(net.state_dict().values(), twin.state_dict().values(), strict=True):
        assert torch.equal(a, b)


def test_map_location_moves_to_meta_only_where_asked():
    file = io.BytesIO()
    save({"w": torch.ones(2)}, file)
    file.seek(0)
    assert load(file, map_location="cpu")["w"].tolist() == [1.0, 1.0]
    file.seek(0)
    assert load(file, map_location="meta")["w"].is_meta
    file.seek(0)
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        load(file, map_location="cuda")


@pytest.mark.parametrize("value", [nn.Linear(1, 1), object(), len, [{"a": lambda: 1}]], ids=type)
def test_what_is_not_data_cannot_be_saved(value, tmp_path):
    path = tmp_path / "old.pt"
    save(1, path)
    with pytest.raises(TypeError, match=r"save\(\) cannot store a"):
        save(value, path)
    assert load(path) == 1
    assert os.listdir(tmp_path) == ["old.pt"]


def test_a_save_that_fails_while_writing_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "state.pt"
    save("old", path)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save("new", path)
    monkeypatch.undo()
    assert load(path) == "old"
    assert os.listdir(tmp_path) == ["state.pt"]


def test_missing_places(tmp_path):
    with pytest.raises(RuntimeError, match=r"Parent directory .* does not exist"):
        save(1, tmp_path / "no" / "file.pt")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.pt")


def test_every_damaged_file_is_one_clear_error():
    file = io.BytesIO()
    save({"w": torch.arange(100.0), "b": [1, 2.5]}, file)
    good = file.getvalue()
    assert load(io.BytesIO(good))["b"] == [1, 2.5]
    rng = np.random.default_rng(0)
    broken = [b"", b"text", good[:50], good[: len(good) // 2], good[:-10]]
    for _ in range(300):
        data = bytearray(good)
        data[rng.integers(len(data))] ^= 1 << rng.integers(8)
        broken.append(bytes(data))
    for data in broken:
        try:
            load(io.BytesIO(data))  # a flipped bit may hit a field that no reader looks at
        except RuntimeError as error:
            assert str(error).startswith(("PytorchStreamReader failed", "load() "))  # noqa: PT017


def archive(structure, **members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("structure.json", json.dumps(structure))
        for name, data in members.items():
            made.writestr(name.replace("_", "."), data)
    file.seek(0)
    return file


class Trap:
    def __reduce__(self):
        return (exec, ("raise SystemExit('a file was run')",))


def test_files_that_would_run_code_are_refused():
    value = {"format": "autograd_lab 1", "value": ["tensor", 0, False]}
    pickled = io.BytesIO()
    np.save(pickled, np.array([Trap()], object), allow_pickle=True)
    with pytest.raises(RuntimeError, match="PytorchStreamReader failed"):
        load(archive(value, **{"0_npy": pickled.getvalue()}))
    with pytest.raises(RuntimeError, match="PytorchStreamReader failed"):
        load(io.BytesIO(pickle.dumps(Trap())))


@pytest.mark.parametrize(
    "value",
    [
        ["tensor", 7, False],
        ["what", 1],
        ["dtype", "__builtins__"],
        ["tensor"],
        [],
        ["float", "x"],
        ["list", 3],
        [["list"], 1],
    ],
    ids=str,
)
def test_structures_that_make_no_sense_are_errors(value):
    with pytest.raises(RuntimeError, match="PytorchStreamReader failed"):
        load(archive({"format": "autograd_lab 1", "value": value}))


def test_files_of_others_are_named():
    with pytest.raises(RuntimeError, match="does not know the format 'other'"):
        load(archive({"format": "other", "value": 1}))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("archive/data.pkl", b"")
    file.seek(0)
    with pytest.raises(RuntimeError, match="reads only files that") as caught:
        load(file)
    assert "written by PyTorch" in caught.value.__notes__[0]
