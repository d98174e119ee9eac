"""The digits in the package are those of the source, and a damaged file is noticed."""

import dataclasses
import hashlib
import zipfile
from importlib.resources import files
from pathlib import Path, PurePosixPath

import numpy as np
import pytest

import autograd_lab as torch
from autograd_lab.datasets import digits8, mnist5k
from autograd_lab.datasets.digits import DIGITS8, MNIST5K, read

ROOT = Path(__file__).parents[2]
SETS = [(digits8, DIGITS8), (mnist5k, MNIST5K)]
BOTH = pytest.mark.parametrize(("dataset", "source"), SETS, ids=["digits8", "mnist5k"])

# the first image of scikit-learn's load_digits(), as its documentation prints it
FIRST_ZERO = [
    [0, 0, 5, 13, 9, 1, 0, 0],
    [0, 0, 13, 15, 10, 15, 5, 0],
    [0, 3, 15, 2, 0, 11, 8, 0],
    [0, 4, 12, 0, 0, 8, 8, 0],
    [0, 5, 8, 0, 0, 9, 8, 0],
    [0, 4, 11, 0, 1, 12, 7, 0],
    [0, 2, 14, 5, 10, 12, 0, 0],
    [0, 0, 6, 13, 10, 0, 0, 0],
]


@pytest.mark.parametrize(("dataset", "train", "test", "side"), [(digits8, 1438, 359, 8), (mnist5k, 4000, 1000, 28)])
def test_images_are_floats_from_0_to_1_and_labels_are_whole_numbers(dataset, train, test, side):
    digits = dataset()
    for part, count in ((digits.train, train), (digits.test, test)):
        images, labels = part.tensors
        assert len(part) == count
        assert images.shape == (count, 1, side, side) and images.dtype is torch.float32
        assert labels.shape == (count,) and labels.dtype is torch.int64
        assert images.min().item() == 0 and images.max().item() == 1
        assert not images.requires_grad


def test_each_digit_is_there_as_often_as_in_the_source():
    for dataset, counts in (
        (digits8, [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]),  # UCI's table of the test set
        (mnist5k, [500] * 10),
    ):
        digits = dataset()
        found = [np.bincount(part.tensors[1].numpy(), minlength=10) for part in (digits.train, digits.test)]
        assert list(found[0] + found[1]) == counts
        assert np.abs(found[1] - np.array(counts) / 5).max() < 1  # stratified: a fifth of each digit is for testing


def test_the_first_image_is_the_one_everybody_knows():
    image, label = digits8().train[0]
    assert label.item() == 0
    np.testing.assert_array_equal(image.numpy()[0] * 16, FIRST_ZERO)


def test_digits_take_turns():
    assert mnist5k().train.tensors[1][:20].tolist() == [*range(10), *range(10)]


@BOTH
def test_no_image_is_in_both_parts(dataset, source):
    digits = dataset()
    train, test = ({row.tobytes() for row in part.tensors[0].numpy()} for part in (digits.train, digits.test))
    assert not train & test


def test_changing_the_tensors_changes_nobody_elses():
    digits8().train.tensors[0].zero_()
    assert digits8().train.tensors[0].sum().item() > 0


def test_a_batch_goes_through_the_loader():
    images, labels = next(iter(torch.utils.data.DataLoader(digits8().train, batch_size=32)))
    assert images.shape == (32, 1, 8, 8) and labels.shape == (32,)


@BOTH
def test_the_checksum_in_the_code_is_that_of_the_file(dataset, source):
    data = (files("autograd_lab.datasets") / "files" / source.file).read_bytes()
    assert hashlib.sha256(data).hexdigest() == source.sha256


def test_a_damaged_file_is_a_sentence():
    with pytest.raises(RuntimeError) as raised:
        read("digits8", dataclasses.replace(DIGITS8, sha256="0" * 64))
    assert str(raised.value) == (
        f"The file digits8.npz is damaged or was changed: its SHA-256 begins with {DIGITS8.sha256[:12]}, that of the "
        "right file with 000000000000. Installing autograd-lab again brings the right one back."
    )


def test_a_missing_file_is_a_sentence():
    with pytest.raises(FileNotFoundError) as raised:
        read("digits8", dataclasses.replace(DIGITS8, file="digits9.npz"))
    assert str(raised.value) == (
        "The digits are missing: there is no file digits9.npz in the folder of autograd_lab.datasets. "
        "Installing autograd-lab again brings it back."
    )


@pytest.mark.parametrize(
    ("name", "licence", "begins"),
    [
        ("digits8", "CC BY 4.0", "Creative Commons Attribution 4.0 International Public License"),
        ("mnist5k", "CC BY-SA 3.0", "Attribution-ShareAlike 3.0 Unported"),
    ],
)
def test_each_file_has_its_attribution_and_licence_beside_it(name, licence, begins):
    text = (files("autograd_lab.datasets") / "files" / f"LICENSE-{name}.txt").read_text(encoding="utf-8")
    head, _, full = text.partition("-" * 100)
    assert licence in head and "Source:" in head and "Changes:" in head
    assert begins in full and len(full) > 15_000


def test_the_wheel_packs_the_digits_and_their_licences(tmp_path):
    wheels = pytest.importorskip("hatchling.builders.wheel", reason="hatchling builds the wheel")
    made = next(wheels.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"]))
    with zipfile.ZipFile(made) as archive:
        names = {PurePosixPath(name).name for name in archive.namelist() if "/datasets/files/" in name}
        packed = archive.read("autograd_lab/datasets/files/digits8.npz")
    assert names == {"digits8.npz", "mnist5k.npz", "LICENSE-digits8.txt", "LICENSE-mnist5k.txt"}
    assert hashlib.sha256(packed).hexdigest() == DIGITS8.sha256
