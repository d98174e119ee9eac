"""Recording costs at most 2 times the unrecorded general loop, in one run of `benchmarks/recording.py`.

Ratios of one run are compared, never times; a run that a busy machine spoilt is run once more.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def ratio() -> float:
    child = subprocess.run(
        [sys.executable, "benchmarks/recording.py"], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    print(child.stdout)
    found = re.search(r"^recorded +\d+ us +([\d.]+) x general loop +[\d.]+ x fast loop$", child.stdout, re.MULTILINE)
    assert found is not None, child.stdout
    return float(found[1])


def test_recording_costs_at_most_twice_the_general_loop() -> None:
    assert ratio() <= 2 or ratio() <= 2
