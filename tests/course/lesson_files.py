"""Reading and running the stored lessons: cells, tags, calls of `lesson`, and runs with changed inputs."""

import ast
import io
import re
import tomllib
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path

import nbformat

ROOT = Path(__file__).parent.parent.parent
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
OURS = "import autograd_lab as torch"


@cache
def cells(path):
    return nbformat.read(path, as_version=4).cells


def code_cells(path):
    return [cell for cell in cells(path) if cell.cell_type == "code"]


def tags(cell):
    return set(cell.metadata.get("tags", ()))


def with_tag(path, tag):
    return [cell for cell in cells(path) if tag in tags(cell)]


def prose(path):
    return "\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")


def everything(cell):
    """A cell's text with the text of its outputs."""
    outputs = [
        o.get("text") or o.get("evalue") or o.get("data", {}).get("text/plain", "") for o in cell.get("outputs", ())
    ]
    return "\n".join([cell.source, *outputs])


def taught(path):
    """What a lesson teaches, by tag: {"seed:B8": {"words": [...], "answers": [...]}}."""
    return tomllib.loads((ROOT / "tests/course/taught" / f"{path.stem}.toml").read_text(encoding="utf-8"))


def calls(source, method):
    """Every call `lesson.method(...)` in a cell."""
    return [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == method
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "lesson"
    ]


def texts_asked(cell):
    """The words of the predictions in a cell."""
    source = cell.source if cell.cell_type == "code" else ""
    return [call.args[0].value for call in calls(source, "predict")]


def predictions(lesson):
    """{words: Question} of the predictions; recall, exit and make have other labels."""
    return {question.text: question for question in lesson.asked.values() if question.label == "Predict"}


# Running -------------------------------------------------------------------------------------------


def run(path, change=lambda source: source, without=(), forgiving=False):
    """Run all code cells: the lesson object, and what each cell printed (None for a cell left out).

    Cells tagged raises-exception may raise; with `forgiving` every cell may, as changed inputs can break one.
    """
    names, printed = {"__name__": "__main__"}, []
    for cell in code_cells(path):
        if tags(cell) & set(without):
            printed.append(None)
            continue
        out = io.StringIO()
        try:
            with redirect_stdout(out):
                exec(compile(change(cell.source), path.stem, "exec"), names)
        except Exception:
            if not forgiving and "raises-exception" not in tags(cell):
                raise
        printed.append(out.getvalue())
    return names["lesson"], printed


@cache
def plain_run(path):
    """The lesson as it is, run once for all tests."""
    return run(path)


# Changing inputs -------------------------------------------------------------------------------------


class Changed(ast.NodeTransformer):
    """Leaves the calls of `lesson` alone: what is asked stays, its inputs change."""

    def visit_Call(self, node):
        return node if ast.unparse(node.func).startswith("lesson.") else self.generic_visit(node)


class OtherNumbers(Changed):
    """Each number of a formula or of a new tensor becomes another one; exponents stay."""

    def visit_Call(self, node):
        if ast.unparse(node.func) == "torch.tensor":
            node.args = [self.deep(arg) for arg in node.args]
            return node
        return super().visit_Call(node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            node.left, node.right = self.changed(node.left), self.changed(node.right)
        return node

    def deep(self, node):
        if isinstance(node, ast.List):
            node.elts = [self.deep(part) for part in node.elts]
            return node
        if isinstance(node, ast.UnaryOp):
            node.operand = self.deep(node.operand)
            return node
        return self.changed(node)

    @staticmethod
    def changed(node):
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        return ast.Constant(node.value * 1.25 + 0.25) if number else node


class Flipped(Changed):
    """True and False change places."""

    def visit_Constant(self, node):
        return ast.Constant(not node.value) if isinstance(node.value, bool) else node


class OneMoreOp(Changed):
    """Each formula that gets a name gets one more addition."""

    def visit_Assign(self, node):
        if isinstance(node.value, ast.BinOp):
            node.value = ast.BinOp(node.value, ast.Add(), ast.Constant(1.0))
        return node


class WithoutCalls(Changed):
    """Statements that only call a method are left out: `y.retain_grad()`, `loss.backward()`."""

    def visit_Expr(self, node):
        called = isinstance(node.value, ast.Call) and not ast.unparse(node.value.func).startswith(("lesson.", "print"))
        return ast.Pass() if called else node

    def visit_With(self, node):
        return [part for statement in node.body for part in [self.visit(statement)]]


class Opposite(Changed):
    """Comparisons turn round, signs of numbers too."""

    def visit_Compare(self, node):
        turned = {ast.Gt: ast.Lt, ast.Lt: ast.Gt, ast.GtE: ast.Lt, ast.LtE: ast.Gt, ast.Eq: ast.NotEq}
        node.ops = [turned.get(type(op), type(op))() for op in node.ops]
        return node


CHANGES = (OtherNumbers, Flipped, OneMoreOp, WithoutCalls, Opposite)


def changed_by(change):
    def apply(source):
        if source.lstrip().startswith("%"):
            return source
        return ast.unparse(ast.fix_missing_locations(change().visit(ast.parse(source))))

    return apply


def words_of_terms(path):
    """The new terms that a lesson lists at its end."""
    return re.findall(r"^- \*([^*]+)\*:", cells(path)[-1].source, re.MULTILINE)
