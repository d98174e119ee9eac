"""A few lines of code, run one after the other in a namespace of their own, so that widgets can look in between.

Compound statements (`with`, `for`) count as one line. Text that the code prints is dropped; an error ends the run and
is kept. Values and constants are recorded, so that drawings show them.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from textwrap import dedent
from types import ModuleType
from typing import Any

import autograd_lab
from autograd_lab.view.recording import record

_numbers = count(1)


@dataclass
class Ran:
    """What ran: the statements as text, the namespace afterwards, and the error that ended it, if one did."""

    statements: list[str]
    trees: list[ast.stmt]
    namespace: dict[str, Any] = field(default_factory=dict)
    error: Exception | None = None
    failed: int = -1  # number of the statement that raised

    def lines_of_names(self) -> dict[str, str]:
        """The names that the lines assign, each with the last line that assigns it and what is called on it later."""
        found: dict[str, str] = {}
        for text, tree in zip(self.statements, self.trees, strict=True):
            for node in ast.walk(tree):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    found.pop(node.id, None)
                    found[node.id] = text
            if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Call):
                on = next((n.id for n in ast.walk(tree.value.func) if isinstance(n, ast.Name)), "")
                if on in found:
                    found[on] += f"; {text}"
        return found


def run(source: str, namespace: Mapping[str, Any], after: Callable[[int, dict[str, Any]], None] | None = None) -> Ran:
    """Run the statements; `after(i, namespace)` is called behind each one. An error is kept, not raised.

    Raises SyntaxError for what is no code.

    >>> run("a = 1\\nb = a / 0\\nc = 2", {}).error
    ZeroDivisionError('division by zero')
    """
    text = dedent(source).strip("\n") + "\n"
    name = f"<snippet {next(_numbers)}>"
    tree = ast.parse(text, name)
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    ran = Ran([ast.get_source_segment(text, node) or "" for node in tree.body], tree.body, dict(namespace))
    with record(), warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        for i, node in enumerate(tree.body):
            try:
                exec(compile(ast.Module([node], []), name, "exec"), ran.namespace)
            except Exception as error:
                ran.error, ran.failed = error, i
                break
            if after is not None:
                after(i, ran.namespace)
    return ran


def namespace(frame: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """What a snippet may use: the modules that the caller imported (`torch` is ours if they have none), and `given`.

    The caller's own variables stay out, so that a snippet says all that it uses.
    """
    spaces = {**frame.f_globals, **frame.f_locals}
    modules = {name: thing for name, thing in spaces.items() if isinstance(thing, ModuleType) and name[:1] != "_"}
    return {"torch": autograd_lab, **modules, **given}
