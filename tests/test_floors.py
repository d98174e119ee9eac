"""A file imports only from floors below its own: every import is checked against docs/ARCHITECTURE.md.

On one floor, a room may import those that the list has to its right. Checked are all imports of the package's
own files, wherever they stand: at the top, in a function, or under `if TYPE_CHECKING`. A second test asks a
fresh Python what `import autograd_lab` loads.
"""

import ast
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "autograd_lab"
FRONT_DOOR = "__init__"
LAZY_FLOORS = (8, 9, 10)  # the front door loads these on demand, so they may use it


@dataclass(frozen=True)
class Found:
    """One import of our own: by `file` of `room`, of another `room`, and how it is hidden if it is."""

    file: str
    line: int
    room: str
    imported: str
    hidden: str | None


def block(text, name):
    return re.search(rf"^```{name}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1].splitlines()


def read_floors(text):
    """{room: (floor, place from the right)} of the fenced block `floors`."""
    lines = [line.split() for line in block(text, "floors")]
    return {room: (int(floor), -place) for floor, *rooms in lines for place, room in enumerate(rooms)}


def read_exceptions(text):
    """{(importer, imported)} of the fenced block `exceptions`; every line is `a -> b: reason`."""
    lines = [re.fullmatch(r"(\S+) -> (\S+): (.+)", line) for line in block(text, "exceptions")]
    assert all(lines), "an exception is written `importer -> imported: reason`"
    return {(line[1], line[2]) for line in lines}


def imports(package):
    """Every import of the package's own files by its own files."""
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        yield from _imports_of(package, path, parts)


def _imports_of(package, path, parts):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    folder = (package.name, *parts[:-1])
    for node, hidden in _walk(tree, None):
        if isinstance(node, ast.Import):
            targets = [tuple(alias.name.split(".")) for alias in node.names]
        else:
            base = folder[: len(folder) - node.level + 1] if node.level else ()
            base += tuple(node.module.split(".")) if node.module else ()
            targets = [(*base, alias.name) for alias in node.names]
        for target in targets:
            if target[0] == package.name:
                name = path.relative_to(package).as_posix()
                yield Found(name, node.lineno, parts[0], _room(package, target), hidden)


def _room(package, target):
    """The first name below the package, or the front door when that is no file of ours."""
    room = target[1] if len(target) > 1 else FRONT_DOOR
    is_file = any((package / f"{room}{end}").exists() for end in (".py", ".pyi")) or (package / room).is_dir()
    return room if is_file else FRONT_DOOR


def _walk(tree, hidden):
    """Each import statement with the place that hides it: "late", "type checking" or None."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node, hidden
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _walk(node, "late")
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _walk(node, "type checking")
        else:
            yield from _walk(node, hidden)


def violations(package, floors, exceptions):
    """One sentence for each import that breaks the rule, and for each exception that is not needed."""
    faults, used = [], set()
    for found in imports(package):
        fault = _fault(found, floors)
        if fault and (found.room, found.imported) in exceptions:
            used.add((found.room, found.imported))
        elif fault:
            faults.append(f"{found.file}:{found.line} {fault}")
    return faults + [f"exception {a} -> {b} is not needed" for a, b in sorted(exceptions - used)]


def _fault(found, floors):
    if found.room not in floors:
        return f"{found.room} stands on no floor"
    if found.room == found.imported and found.room != FRONT_DOOR:
        return None
    if found.imported not in floors:
        return f"imports {found.imported}, which stands on no floor"
    here, there, front = floors[found.room], floors[found.imported], floors[FRONT_DOOR]
    if here[0] == front[0]:
        return None
    if found.imported == FRONT_DOOR:
        return None if here[0] in LAZY_FLOORS else "imports the front door, which imports it"
    if there[0] > here[0]:
        return f"imports {found.imported} from floor {there[0]}, above its own floor {here[0]}"
    if there > here:
        return f"imports {found.imported}, which stands to its left on floor {here[0]}"
    if found.hidden:
        return f"hides its import of {found.imported} ({found.hidden})"
    return None


@pytest.fixture(scope="module")
def page():
    return (ROOT / "docs" / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_every_import_leads_down(page):
    assert violations(PACKAGE, read_floors(page), read_exceptions(page)) == []


FLOORS = {"__init__": (9, 0), "view": (8, 0), "inplace": (1, 0), "engine": (1, -1), "graph": (0, 0)}
BAD = {
    "from . import engine": "above its own floor",
    "from .engine import walk": "above its own floor",
    "import fake.engine": "above its own floor",
    "from fake import engine": "above its own floor",
    "def walk():\n    from .engine import walk": "above its own floor",
    "import typing\nif typing.TYPE_CHECKING:\n    from .engine import walk": "above its own floor",
    "import fake": "the front door",
    "from fake import draw_graph": "the front door",
    "try:\n    from .engine import walk\nexcept ImportError:\n    pass": "above its own floor",
    "import fake.attic": "on no floor",
}


def package_with(tmp_path, **files):
    """A package `fake` with all rooms of FLOORS, and these texts in some."""
    package = tmp_path / "fake"
    (package / "view").mkdir(parents=True)
    for name in ("__init__", "engine", "inplace", "graph", "view/draw"):
        (package / f"{name}.py").write_text(files.get(name, ""))
    return package


@pytest.mark.parametrize("text", BAD)
def test_an_import_that_leads_up_is_found(tmp_path, text):
    package = package_with(tmp_path, graph=text)
    if "attic" in text:
        (package / "attic.py").write_text("")
    faults = violations(package, FLOORS, set())
    assert any(fault.startswith("graph.py:") and BAD[text] in fault for fault in faults), faults


def test_a_neighbour_to_the_left_a_late_import_and_a_file_without_floor_are_found(tmp_path):
    package = package_with(
        tmp_path,
        engine="from . import inplace\ndef walk():\n    from .graph import Node",
        inplace="if TYPE_CHECKING:\n    from . import graph",
    )
    (package / "attic.py").write_text("from . import graph")
    assert violations(package, FLOORS, set()) == [
        "attic.py:1 attic stands on no floor",
        "engine.py:1 imports inplace, which stands to its left on floor 1",
        "engine.py:3 hides its import of graph (late)",
        "inplace.py:2 hides its import of graph (type checking)",
    ]


def test_an_exception_allows_one_import_and_must_be_needed(tmp_path):
    package = package_with(tmp_path, engine="def walk():\n    from .graph import Node")
    assert violations(package, FLOORS, {("engine", "graph")}) == []
    assert violations(package, FLOORS, {("engine", "graph"), ("engine", "inplace")}) == [
        "exception engine -> inplace is not needed"
    ]


def test_what_leads_down_is_fine(tmp_path):
    files = {
        "__init__": "from . import engine",
        "inplace": "from . import engine",
        "engine": "from .graph import Node",
        "graph": "import fakery",
    }
    draw = "import fake as torch\nfrom ..engine import walk\nfrom .palette import ink"
    package = package_with(tmp_path, **files, **{"view/draw": draw})
    (package / "view" / "palette.py").write_text("")
    assert violations(package, FLOORS, set()) == []


LOADED = """
import json, sys
import numpy.random
before = set(sys.modules)
import autograd_lab
print(json.dumps(sorted({name.split(".")[0] for name in set(sys.modules) - before})))
"""


def test_importing_the_package_loads_numpy_and_the_core_only(page):
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    outside = set(json.loads(done.stdout)) - set(sys.stdlib_module_names)
    assert outside == {"autograd_lab"}


def test_importing_the_package_leaves_the_lazy_floors_alone(page):
    source = "import sys, autograd_lab; print('\\n'.join(n for n in sys.modules if n.startswith('autograd_lab.')))"
    command = [sys.executable, "-c", source]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    floors = read_floors(page)
    rooms = {name.split(".")[1] for name in done.stdout.split()}
    assert {room for room in rooms if floors[room][0] in LAZY_FLOORS} == set()
    assert {"cli", "lab"} & rooms == set()
