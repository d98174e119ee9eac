"""The tool that makes the files of digits: its split, its bytes, and what it says when a wheel is wrong."""

import gzip
import hashlib
import re
import zipfile
from dataclasses import replace

import make_digits
import numpy as np
import pytest

from autograd_lab.datasets.digits import DIGITS8, unpacked

TABLE = make_digits.TABLES[0]


def wheel(folder, rows):
    """A wheel that holds a table like that of scikit-learn, and the description of this table."""
    text = "\n".join(",".join(str(v) for v in row) for row in rows)
    packed = gzip.compress(text.encode(), mtime=0)
    with zipfile.ZipFile(folder / f"scikit_learn-{TABLE.version}-py3-none-any.whl", "w") as archive:
        archive.writestr(TABLE.member, packed)
    return replace(TABLE, sha256=hashlib.sha256(packed).hexdigest())


@pytest.fixture
def rows():
    draw = np.random.default_rng(0)
    return np.concatenate([draw.integers(0, 17, (100, 64)), np.repeat(np.arange(10), 10)[:, None]], 1)


def test_every_fifth_image_of_each_digit_is_for_testing(rows):
    arrays = make_digits.divided(rows[:, :-1].reshape(-1, 8, 8), rows[:, -1])
    assert arrays["train_labels"].tolist() == [*range(10)] * 8
    assert arrays["test_labels"].tolist() == [*range(10)] * 2
    threes = rows[30:40, :-1].reshape(-1, 8, 8)
    np.testing.assert_array_equal(arrays["test_images"][[3, 13]], threes[[2, 7]])
    np.testing.assert_array_equal(arrays["train_images"][3::10], threes[[0, 1, 3, 4, 5, 6, 8, 9]])


def test_the_same_arrays_give_the_same_bytes_and_no_others():
    arrays = unpacked(DIGITS8)
    data = make_digits.packed_arrays(arrays)
    assert data == make_digits.packed_arrays({name: array.copy() for name, array in arrays.items()})
    arrays["train_images"][0, 0, 0] += 1
    assert data != make_digits.packed_arrays(arrays)


def test_what_is_written_is_read_back_and_found_current(tmp_path, monkeypatch, capsys, rows):
    monkeypatch.setattr(make_digits, "TABLES", (wheel(tmp_path, rows),))
    monkeypatch.setattr(make_digits, "FOLDER", tmp_path)
    assert make_digits.main(["--wheels", str(tmp_path), "--check"]) == 1
    assert make_digits.main(["--wheels", str(tmp_path)]) == 0
    assert make_digits.main(["--wheels", str(tmp_path), "--check"]) == 0
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "digits8.npz is missing" and third == "digits8.npz: current"
    assert re.fullmatch(r"digits8.npz: [\d,]+ bytes, SHA-256 [0-9a-f]{64}", second)


def test_other_digits_than_in_the_wheel_are_noticed(tmp_path, monkeypatch, capsys, rows):
    monkeypatch.setattr(make_digits, "TABLES", (wheel(tmp_path, rows),))
    assert make_digits.main(["--wheels", str(tmp_path), "--check"]) == 1
    assert capsys.readouterr().out == "digits8.npz: holds other digits than the wheel\n"


def test_a_missing_wheel_is_a_sentence(tmp_path, capsys):
    assert make_digits.main(["--wheels", str(tmp_path)]) == 1
    assert capsys.readouterr().err == (
        f"There is no wheel scikit_learn-1.9.1-*.whl in {tmp_path}. Leave --wheels out to fetch it.\n"
    )


def test_a_wheel_with_another_table_is_a_sentence(tmp_path, capsys, rows):
    wheel(tmp_path, rows)  # its checksum is not the one the tool expects
    assert make_digits.main(["--wheels", str(tmp_path)]) == 1
    assert "has another SHA-256 than expected" in capsys.readouterr().err


def test_a_wheel_that_is_no_archive_is_a_sentence(tmp_path, capsys):
    (tmp_path / "scikit_learn-1.9.1-x.whl").write_bytes(b"not a zip archive")
    assert make_digits.main(["--wheels", str(tmp_path)]) == 1
    assert "holds no sklearn/datasets/data/digits.csv.gz" in capsys.readouterr().err


def test_a_download_that_fails_is_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # pip looks nowhere, and finds nothing
    with pytest.raises(make_digits.SourceError) as raised:
        make_digits.fetch(TABLE, tmp_path)
    assert str(raised.value).startswith("pip could not download scikit-learn==1.9.1:\n")
