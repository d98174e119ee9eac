"""Scripts that real PyTorch has run once: this package must print, warn and raise the same.

`expected/` holds what PyTorch did; `run.py` runs each case in a process of its own and compares. An area
joins DONE when all its cases pass. By hand:

    python tests/conformance/run.py --package autograd_lab --area seeds
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DONE = ("seeds",)


def area(path):
    return next(
        (
            line.split(":", 1)[1].strip()
            for line in path.read_text(encoding="utf-8").splitlines()
            if "# area:" in line
        ),
        None,
    )


CASES = [path.stem for path in sorted((HERE / "cases").glob("*.py")) if area(path) in DONE]


@pytest.fixture(scope="session")
def records(tmp_path_factory):
    """The runner's account of every case of the areas that are done, made in one go."""
    report = tmp_path_factory.mktemp("conformance") / "report.json"
    command = [
        sys.executable,
        str(HERE / "run.py"),
        "--package",
        "autograd_lab",
        "--json",
        str(report),
        "--jobs",
        "2",
    ]
    for name in DONE:
        command += ["--area", name]
    done = subprocess.run(command, cwd=HERE.parent.parent, capture_output=True, text=True, check=False)
    assert report.exists(), done.stdout + done.stderr
    return {case["case"]: case for case in json.loads(report.read_text(encoding="utf-8"))["cases"]}


@pytest.mark.parametrize("name", CASES)
def test_the_case_does_what_pytorch_did(records, name):
    assert not records[name]["problems"]


def test_every_area_that_is_done_has_cases():
    found = {area(HERE / "cases" / f"{name}.py") for name in CASES}
    assert found == set(DONE)
    assert len(CASES) >= 50
