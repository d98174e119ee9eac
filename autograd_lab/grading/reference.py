"""The exercise's own program, run by the judge: its tensors, its graph, and the chain between two of them.

The text that the learner reads is the text that runs here, so task and judge cannot drift apart. Right
answers, wrong answers with their reasons, and hints are all computed from this run. Read next: `rules.py`.
"""

import ast
from typing import Any

import autograd_lab as torch
from autograd_lab.course.chain import Chain, chain_between, number_of
from autograd_lab.view.names import Names, is_tensor

from .verdict import ExerciseError


class Reference:
    """One run of a program in double precision, before any backward().

    >>> reference = Reference("x = torch.tensor(3.0, requires_grad=True)\\ny = x * 4")
    >>> reference.value("y"), reference.node("y"), reference.slope("y", "x"), reference.line("y")
    (12.0, 'MulBackward0', 4.0, 'y = x * 4')
    """

    def __init__(self, program: str) -> None:
        self.program = program
        self.tensors: dict[str, Any] = {name: thing for name, thing in _run(program).items() if is_tensor(thing)}
        self.names = Names(iter(self.tensors.items()))
        self._chains: dict[tuple[str, str], Chain] = {}
        self._lines = _lines(program)

    def value(self, name: str) -> float:
        """The number that a tensor of the program holds."""
        return number_of(self.tensors[name])

    def node(self, name: str) -> str:
        """The name of the node that made a tensor; "" for a leaf."""
        node = self.tensors[name].grad_fn
        return "" if node is None else type(node).__name__

    def line(self, name: str) -> str:
        """The line of the program that makes a tensor."""
        return self._lines.get(name, name)

    def computed(self) -> list[str]:
        """The names of the tensors that a node made, in program order."""
        return [name for name in self.tensors if self.node(name)]

    def leaves(self) -> list[str]:
        """The names of the tensors that want a gradient and were not computed."""
        return [name for name, tensor in self.tensors.items() if tensor.is_leaf and tensor.requires_grad]

    def chain(self, of: str, wrt: str) -> Chain:
        """Every way from `of` back to `wrt`, with the local derivatives on it."""
        if (of, wrt) not in self._chains:
            found = chain_between(self.tensors[of], self.tensors[wrt], self.names)
            if found is None:
                raise ExerciseError(f"An op between {wrt} and {of} has no formula for single numbers: {self.program}")
            self._chains[of, wrt] = found
        return self._chains[of, wrt]

    def slope(self, of: str, wrt: str) -> float:
        """d of / d wrt."""
        return self.chain(of, wrt).slope


def _run(program: str) -> dict[str, Any]:
    space: dict[str, Any] = {"torch": torch}
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with torch.enable_grad():
            exec(compile(program, "<the exercise's program>", "exec"), space)
    except Exception as error:
        raise ExerciseError(f"The program of this exercise does not run: {error}") from error
    finally:
        torch.set_default_dtype(before)
    return space


def _lines(program: str) -> dict[str, str]:
    """{name: the line that assigns it}."""
    lines = {}
    for statement in ast.parse(program).body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                lines[ast.unparse(target)] = ast.unparse(statement)
    return lines
