"""`stand_in_for_torch()` and `autograd-lab run`: PyTorch scripts run unchanged."""

import subprocess
import sys


def run(code, *arguments):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_import_torch_and_its_rooms_mean_this_package():
    done = run(
        "from autograd_lab import stand_in_for_torch\n"
        "stand_in_for_torch()\n"
        "import torch, torch.nn as nn, torch.nn.functional as F\n"
        "from torch.utils.data import DataLoader\n"
        "from torch import optim\n"
        "import autograd_lab.nn\n"
        "assert nn is autograd_lab.nn and autograd_lab.nn.__name__ == 'autograd_lab.nn'\n"
        "x = torch.tensor(3.0, requires_grad=True)\n"
        "(x ** 2).backward()\n"
        "print(x.grad, F.relu(torch.tensor(-1.0)))\n"
    )
    assert (done.stdout, done.stderr) == ("tensor(6.) tensor(0.)\n", "")


def test_a_module_that_is_missing_is_named_as_torch_names_it():
    done = run("from autograd_lab import stand_in_for_torch\nstand_in_for_torch()\nimport torch.distributed")
    assert "ModuleNotFoundError: No module named 'torch.distributed'" in done.stderr
    assert "autograd_lab stands in for torch here" in done.stderr


def test_a_loaded_torch_is_never_mixed_with_the_stand_in():
    done = run(
        "import sys, types\n"
        "sys.modules['torch'] = types.ModuleType('torch')\n"
        "from autograd_lab import stand_in_for_torch\n"
        "stand_in_for_torch()\n"
    )
    assert "The real torch is loaded already" in done.stderr


def test_a_script_runs_with_its_arguments(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys, torch\nprint(sys.argv[1:], __name__, torch.ones(2).sum())\n")
    done = subprocess.run(
        [sys.executable, "-m", "autograd_lab", "run", str(script), "a", "--b"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout == "['a', '--b'] __main__ tensor(2.)\n", done.stderr


def test_a_script_that_is_not_there_is_a_sentence():
    done = subprocess.run(
        [sys.executable, "-m", "autograd_lab", "run", "nowhere.py"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1 and "nowhere.py" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


def test_a_script_finds_the_files_beside_it(tmp_path):
    """As with `python script.py`: the first place to import from is the script's own folder."""
    (tmp_path / "model_of_mine.py").write_text("import torch\nw = torch.tensor(2.0, requires_grad=True)\n")
    script = tmp_path / "train.py"
    script.write_text("from model_of_mine import w\n(w * 3).backward()\nprint(w.grad)\n")
    done = subprocess.run(
        [sys.executable, "-m", "autograd_lab", "run", str(script)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("tensor(3.)\n", "")
