"""Scripts that real PyTorch 2.13 has run once: this package must print, warn and raise the same.

`expected/` holds what PyTorch did; `run.py` runs each case in a process of its own and compares, also the
line of the script that a warning or an error points at. By hand:

    python tests/conformance/run.py --package autograd_lab --area seeds
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = [path.stem for path in sorted((HERE / "cases").glob("*.py"))]
# Cases that only an accident of PyTorch's build explains, each with its reason. None is known.
DEPARTURES: dict[str, str] = {}


@pytest.fixture(scope="session")
def records(tmp_path_factory):
    """The runner's account of every case, made in one go."""
    report = tmp_path_factory.mktemp("conformance") / "report.json"
    command = [sys.executable, str(HERE / "run.py"), "--package", "autograd_lab", "--lines", "--jobs", "2"]
    done = subprocess.run(
        [*command, "--json", str(report)], cwd=HERE.parent.parent, capture_output=True, text=True, check=False
    )
    assert report.exists(), done.stdout + done.stderr
    return {case["case"]: case for case in json.loads(report.read_text(encoding="utf-8"))["cases"]}


@pytest.mark.parametrize("name", CASES)
def test_the_case_does_what_pytorch_did(records, name):
    if name in DEPARTURES:
        assert records[name]["problems"], f"{name} passes now: take it from DEPARTURES"
    else:
        assert not records[name]["problems"]


def test_the_corpus_is_whole_and_departures_are_few():
    assert len(CASES) == 502
    assert len(DEPARTURES) <= 5 and set(DEPARTURES) <= set(CASES)
