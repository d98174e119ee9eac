"""Run the README's first example; with --write, put what it prints and its drawing into the project.

python tools/make_readme_picture.py           print what the example prints
python tools/make_readme_picture.py --write   rewrite the output block in README.md and docs/img/loss.svg
"""

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PICTURE = ROOT / "docs" / "img" / "loss.svg"
OUTPUT = re.compile(r"(```text\n)(.*?)(```)", re.DOTALL)


def example() -> str:
    """The first Python block of the README."""
    return re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[1]


def stored_output() -> str:
    """What the README says that the example prints."""
    return OUTPUT.search(README.read_text(encoding="utf-8"))[2]


def run_example() -> tuple[str, bytes]:
    """What the example prints, and the drawing it saves; it runs as a script in an empty folder."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        Path("example.py").write_text(example(), encoding="utf-8")
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run([sys.executable, "example.py"], env=environment, capture_output=True, check=True)
        return done.stdout.decode().replace("\r\n", "\n"), Path(PICTURE.name).read_bytes()


def main() -> None:
    """Print the output, or write it with its drawing."""
    parser = argparse.ArgumentParser(description="Run the README's first example.")
    parser.add_argument("--write", action="store_true", help="write the output and the drawing")
    write = parser.parse_args().write
    printed, drawing = run_example()
    if not write:
        print(printed, end="")
        return
    text = OUTPUT.sub(lambda block: block[1] + printed + block[3], README.read_text(encoding="utf-8"), count=1)
    README.write_text(text, encoding="utf-8", newline="\n")
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_bytes(drawing)


if __name__ == "__main__":
    main()
