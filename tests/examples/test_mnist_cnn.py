"""The example trains, learns, saves its pictures, and gives PyTorch's losses from PyTorch itself."""

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ACCURACY = 0.90  # after three epochs on digits8; see `test_digits8_is_learned`


@pytest.fixture
def mnist_cnn(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.setenv(name, "1")  # what the example sets; taken back after the test
    pytest.importorskip("matplotlib", reason="the example draws pictures")
    yield importlib.import_module("mnist_cnn")
    for name in ("mnist_cnn", "digit_pictures"):
        sys.modules.pop(name, None)


@pytest.fixture
def record(mnist_cnn, tmp_path):
    """What `run` returns for options given as words."""
    return lambda *words: mnist_cnn.run(mnist_cnn.parse(["--out", str(tmp_path), *words]))


@pytest.mark.parametrize("data", ["mnist5k", "digits8"])
def test_losses_and_filters_are_those_of_pytorch(record, data):
    pytest.importorskip("torch", reason="compares with PyTorch")
    words = ("--data", data, "--steps", "20", "--no-dropout")
    ours, theirs = record(*words), record(*words, "--torch")
    assert len(ours.losses) == len(theirs.losses) == 20
    np.testing.assert_allclose(ours.losses, theirs.losses, rtol=0, atol=5e-5)
    assert len(set(ours.losses)) == 20  # they change: it is a training
    for (step, kernels), (their_step, their_kernels) in zip(ours.filters, theirs.filters, strict=True):
        assert step == their_step
        np.testing.assert_allclose(kernels, their_kernels, rtol=0, atol=1e-5)


def test_digits8_is_learned(record):
    found = record("--data", "digits8", "--epochs", "6", "--seed", "1")
    assert len(found.losses) == 6 * 45 and len(found.train_rights) == len(found.test_rights) == 6
    assert found.test_rights[-1] >= ACCURACY
    assert found.losses[0] == pytest.approx(np.log(10), abs=0.2)  # at first every digit is as likely as any other
    assert np.mean(found.losses[-45:]) < 0.5
    assert len(found.wrong) == round((1 - found.test_rights[-1]) * 359)
    assert all(answer != truth for _, answer, truth in found.wrong)


def test_the_same_seed_gives_the_same_training_and_another_another(record):
    words = ("--data", "digits8", "--steps", "5", "--seed")
    assert record(*words, "3").losses == record(*words, "3").losses != record(*words, "4").losses


def test_filters_are_kept_as_they_were(record):
    found = record("--data", "digits8", "--steps", "30")
    assert [step for step, _ in found.filters] == [0, 20, 30]
    assert not np.array_equal(found.filters[0][1], found.filters[1][1])


def test_main_prints_losses_and_accuracy_and_saves_three_pictures(mnist_cnn, tmp_path, capsys):
    assert mnist_cnn.main(["--data", "digits8", "--steps", "3", "--out", str(tmp_path / "new" / "folder")]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert [line.split()[:2] for line in lines[:3]] == [["step", "1"], ["step", "2"], ["step", "3"]]
    assert lines[3].startswith("epoch   1") and lines[4].startswith("test accuracy ")
    assert "pictures are in" in err
    for name in ("loss.png", "filters.png", "wrong.png"):
        data = (tmp_path / "new" / "folder" / name).read_bytes()
        assert data.startswith(b"\x89PNG") and len(data) > 2_000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--epochs", "0"], "argument --epochs: must be a whole number above 0, not '0'"),
        (["--batch", "many"], "argument --batch: must be a whole number above 0, not 'many'"),
        (["--hidden", "-3"], "argument --hidden: must be a whole number above 0, not '-3'"),
        (["--steps", "1.5"], "argument --steps: must be a whole number above 0, not '1.5'"),
        (["--lr", "0"], "argument --lr: must be a number above 0, not '0'"),
        (["--lr", "fast"], "argument --lr: must be a number above 0, not 'fast'"),
        (["--lr", "nan"], "argument --lr: must be a number above 0, not 'nan'"),
        (["--seed", "-1"], "argument --seed: must be a whole number, 0 or above, not '-1'"),
        (["--data", "letters"], "argument --data: invalid choice: 'letters'"),
    ],
)
def test_a_bad_option_is_a_sentence(mnist_cnn, capsys, words, sentence):
    with pytest.raises(SystemExit) as raised:
        mnist_cnn.main(words)
    assert raised.value.code == 2
    assert sentence in capsys.readouterr().err


def test_a_folder_that_cannot_be_written_is_a_sentence(mnist_cnn, tmp_path, capsys):
    (tmp_path / "file").write_text("no folder")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(SystemExit) as raised:
            mnist_cnn.main(["--out", str(out)])
        assert raised.value.code == 2
        error = capsys.readouterr().err
        assert f"cannot write into the folder {out} (" in error and "choose another with --out" in error


def test_a_loss_that_is_no_number_is_a_sentence(mnist_cnn, tmp_path):
    with pytest.raises(SystemExit) as raised:
        mnist_cnn.main(["--data", "digits8", "--lr", "1e20", "--out", str(tmp_path)])
    assert str(raised.value).startswith("The loss is no number any more after step ")
    assert str(raised.value).endswith("try a smaller --lr.")


@pytest.mark.parametrize(
    ("missing", "words", "sentence"),
    [
        ("torch", ["--torch"], "PyTorch is not installed: pip install torch, or leave --torch out."),
        ("matplotlib.figure", [], 'The pictures need matplotlib: pip install "autograd-lab[lab]"'),
    ],
)
def test_a_missing_library_is_a_sentence(mnist_cnn, monkeypatch, tmp_path, missing, words, sentence):
    monkeypatch.setitem(sys.modules, missing, None)  # importing it now fails
    with pytest.raises(SystemExit) as raised:
        mnist_cnn.main([*words, "--out", str(tmp_path)])
    assert str(raised.value) == sentence
