"""Type checkers and editors see what the menu hangs on Tensor."""

import subprocess
import sys

import make_surface
import pytest

CODE = """
import autograd_lab as torch

def f(x: torch.Tensor) -> None:
    y = x * 2 + x.exp().sum(0)
    reveal_type(y)
    y.add_(1).backward()
    y.nonsense()
"""


def test_the_stub_is_current():
    assert make_surface.TARGET.read_text(encoding="utf-8") == make_surface.text(), "run tools/make_surface.py --write"


def test_a_type_checker_knows_methods_and_operators(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    script = tmp_path / "script.py"
    script.write_text(CODE)
    command = [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", str(script)]
    done = subprocess.run(
        [*command, f"--cache-dir={tmp_path}"], capture_output=True, text=True, timeout=300, check=False
    )
    lines = done.stdout.splitlines()
    assert 'Revealed type is "autograd_lab._tensor.Tensor"' in lines[0]
    assert '"Tensor" has no attribute "nonsense"' in lines[1]
    assert lines[2] == "Found 1 error in 1 file (checked 1 source file)"
