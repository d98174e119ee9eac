"""Build the learner's notebook of every exercise from its one source.

    python tools/build_exercises.py [NAME ...]             write exercises/NAME/exercise.ipynb (default: all)
    python tools/build_exercises.py --check                exit 1 when a notebook is not current
    python tools/build_exercises.py --solutions FOLDER     also write the solutions, for instructors

The work is done in `autograd_lab/grading/build.py`.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from autograd_lab.grading import ExerciseError, known, load  # noqa: E402
from autograd_lab.grading.build import build, notebook_text, read_source  # noqa: E402
from autograd_lab.grading.notebook import NAME  # noqa: E402


def current(slug: str) -> bool:
    """Whether the notebook on the disk is what its source gives."""
    loaded = load(slug)
    path = loaded.folder / NAME
    return path.exists() and path.read_text(encoding="utf-8") == notebook_text(
        loaded, read_source(loaded), solved=False
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Build or check each exercise; exit code 1 for one that is broken or not current."""
    parser = argparse.ArgumentParser(description="Build the exercise notebooks from their sources.")
    parser.add_argument("names", nargs="*", help="exercises (default: all)")
    parser.add_argument("--check", action="store_true", help="change nothing; say what is not current")
    parser.add_argument("--solutions", type=Path, metavar="FOLDER", help="write the solutions here")
    args = parser.parse_args(argv)
    bad = False
    for slug in args.names or known():
        try:
            if args.check:
                state = "current" if current(slug) else "not current: run python tools/build_exercises.py"
                bad = bad or state != "current"
            else:
                build(slug, args.solutions)
                state = "written"
        except ExerciseError as error:
            state, bad = str(error), True
        print(f"{slug}: {state}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
