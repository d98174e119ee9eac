"""`timeline(source, watch)`: what each line of a training step changes, asked line by line.

The lines really run, one after the other, in a namespace of their own; after each of them every watched expression is
read. In expressions, `nodes(t)` counts the nodes of a graph and `saved(t)` says whether its saved values are kept.
Read `snippet.py` first.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.saved import saved_tensors
from autograd_lab.view.walk import is_leaf_end, visit
from autograd_lab.widgets import looking, snippet
from autograd_lab.widgets.answers import numbers
from autograd_lab.widgets.sheet import Cell, Row, Sheet, Wrong, cell

NOT_YET = "–"
STATES = ("kept", "freed", "nothing saved")
TRUTH = ("True", "False")
CLOSING = "backward adds to `.grad`. Nothing else does, and nothing clears it by itself."
RUNS, RAISES = "runs", "raises an error"


def timeline(
    source: str | Callable[..., Any],
    watch: Mapping[str, str] | Iterable[str],
    *,
    given: Iterable[str] = (),
    errors: bool = False,
    **variables: Any,
) -> Sheet:
    """Ask for the value of each watched expression after each line of `source`.

    `source` is code as text, or a function whose body is taken. `watch` names expressions ({"weight": "w"}), or lists
    them (["w", "w.grad", "saved(loss)"]). Expressions named in `given` are shown and not asked. `variables` and the
    modules you imported can be used in the code. `errors=True` asks too whether each line raises.

    >>> code = '''
    ... w = torch.tensor(2.0, requires_grad=True)
    ... (w * 3).backward()
    ... (w * 3).backward()
    ... '''
    >>> [cell.right for cell in timeline(code, ["w.grad"]).cells]
    ['None', '3', '6']
    """
    watched = dict(watch) if isinstance(watch, Mapping) else {expression: expression for expression in watch}
    text = body_of(source) if callable(source) else source
    moments: list[dict[str, str]] = []

    def look(_: int, namespace: dict[str, Any]) -> None:
        moments.append({label: seen(expression, namespace) for label, expression in watched.items()})

    ran = snippet.run(text, snippet.namespace(sys._getframe(1), variables), look)
    shown = set(given)
    rows = []
    for i, statement in enumerate(ran.statements):
        line = Line(i, ran.statements, moments, ran.failed, ran.error)
        cells = [line.cell(label, expression, label in shown) for label, expression in watched.items()]
        head = f"{i + 1}. `{on_one_line(statement)}`"
        after = f"{ran.failed + 1}.error" if errors and 0 <= ran.failed < i else ""
        rows.append(Row(head, (*([line.raises()] if errors else []), *cells), after))
    return Sheet(
        heading="Timeline",
        intro="The lines run from top to bottom. What does each expression hold after each line?",
        columns=[*(["this line"] if errors else []), *(f"`{label}`" for label in watched)],
        rows=rows,
        closing=CLOSING if any(".grad" in expression for expression in watched.values()) else "",
    )


def body_of(function: Callable[..., Any]) -> str:
    """The lines inside a function."""
    lines = dedent(inspect.getsource(function)).splitlines()
    start = next(i for i, line in enumerate(lines) if line.rstrip().endswith(":")) + 1
    return dedent("\n".join(lines[start:]))


def on_one_line(statement: str) -> str:
    """A `with` or `for` with its lines: `with torch.no_grad(): w -= 0.1 * w.grad`."""
    first, *rest = (line.strip() for line in statement.splitlines())
    return f"{first} {'; '.join(rest)}".strip() if first.endswith(":") else " ".join([first, *rest])


def nodes(tensor: Any) -> int:
    """How many nodes the graph of a tensor has, AccumulateGrad not counted."""
    return sum(not is_leaf_end(node) for node in visit([tensor]))


def saved(tensor: Any) -> str:
    """Whether the values that a graph saved are still there."""
    states = [kept.state for node in visit([tensor]) for kept in saved_tensors(node)]
    return STATES[2] if not states else STATES[1] if "freed" in states else STATES[0]


def seen(expression: str, namespace: dict[str, Any]) -> str:
    """What an expression holds, as one would type it; NOT_YET if its names do not exist yet."""
    try:
        with looking.quiet():
            value = eval(expression, {"nodes": nodes, "saved": saved, **namespace})
    except (NameError, AttributeError):
        return NOT_YET
    if is_tensor(value):
        return looking.typed(value)
    return looking.number(value) if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Line:
    """One line of a timeline, and what was seen after each line."""

    at: int
    statements: list[str]
    moments: list[dict[str, str]]
    failed: int
    error: Exception | None

    @property
    def text(self) -> str:
        return self.statements[self.at]

    @property
    def does(self) -> str:
        """What kind of line this is."""
        words = {"backward(": "backward", "zero_grad(": "clears", ".grad = None": "clears", ".grad.zero_(": "clears"}
        words |= {".step(": "step", "-=": "step"}
        return next((kind for word, kind in words.items() if word in self.text), "other")

    def raises(self) -> Cell | str:
        if 0 <= self.failed < self.at:
            return "not reached"
        failed = self.at == self.failed
        right = RAISES if failed else RUNS
        why = f"{type(self.error).__name__}: {str(self.error).partition('. ')[0]}." if failed else "Nothing is missing."
        if failed and "second time" in str(self.error):
            why = "The values that backward needs were freed by the first backward. Compute the forward pass again."
        wrong = [Wrong(RUNS if failed else RAISES, why if failed else RUNS_BECAUSE, "M14")]
        return cell(
            f"{self.at + 1}.error", f"Line {self.at + 1} `{self.text}`", right, why, wrong, options=(RUNS, RAISES)
        )

    def cell(self, label: str, expression: str, given: bool) -> Cell | str:
        if self.at >= len(self.moments):
            return f"raises {type(self.error).__name__}" if self.at == self.failed else "not reached"
        right = self.moments[self.at][label]
        if given or right == NOT_YET or (numbers(right) is None and " to " in right):
            return right
        options = next((o for o in (STATES, TRUTH) if right in o), ())
        before = self.moments[self.at - 1][label] if self.at else NOT_YET
        wrong = list(self.wrong(label, expression, right, before))
        wrong += [Wrong(o, self.because(expression, right, before), "timeline") for o in options]
        return cell(f"{self.at + 1}.{label}", f"After line {self.at + 1}, `{label}` is", right,
                    self.because(expression, right, before), wrong, options=options,
                    otherwise="Not this. Ask what this line does, and what it leaves alone.")  # fmt: skip

    def because(self, expression: str, right: str, before: str) -> str:
        """Why the expression holds this now."""
        graph = expression.startswith(("nodes", "saved"))
        if expression.endswith(".grad"):
            return self.because_grad(right, before)
        if right == before:
            if self.does == "backward" and not graph:
                return "backward computes gradients. It changes no weight: step does."
            if right == STATES[1]:
                return "They were freed by backward. Only a new forward pass saves values again."
            return (
                "Saved values stay until backward uses them." if right == STATES[0] else "This line does not change it."
            )
        if expression.startswith("saved"):
            if right == STATES[1]:
                return "backward used the saved values and freed them, since `retain_graph` is False."
            return "This forward pass recorded a new graph, and its nodes " + (
                "saved nothing: backward needs no values here." if right == STATES[2] else "saved what backward needs."
            )
        if expression.startswith("nodes"):
            return "Each op on a tracked tensor records one node."
        if self.does == "step":
            return "step takes a part of the gradient off: new = old − learning rate · `.grad`."
        return "This line gives it this value."

    def because_grad(self, right: str, before: str) -> str:
        if right == before:
            if self.does == "step":
                return "step reads `.grad` and leaves it as it is. Only clearing it makes it None or 0."
            return (
                "Nothing arrived: `.grad` is still None."
                if right == "None"
                else ("`.grad` stays until something is added or it is cleared. A new forward pass does not reset it.")
            )
        if self.does == "backward":
            return f"backward adds {self.added(right, before)} to what was there, {before}."
        if self.does == "clears" and right != "None":
            return "It is set to zeros, which is a gradient of 0 and not None."
        if right == "None":
            return (
                "It is cleared: None by default." if self.does == "clears" else "No gradient has arrived: None, not 0."
            )
        return "This line changes it."

    def added(self, right: str, before: str) -> str:
        now, was = numbers(right), numbers(before)
        if now is None or was is None or len(now) != len(was):
            return right
        return looking.list_text([a - b for a, b in zip(now, was, strict=True)])

    def wrong(self, label: str, expression: str, right: str, before: str) -> list[Wrong]:
        grad = expression.endswith(".grad")
        found = []
        if self.does == "backward" and grad:
            found.append(Wrong(self.added(right, before), "That is what arrives now. It is added to what was there: "
                               f"{before}. backward does not overwrite.", "M7"))  # fmt: skip
            found += self.averaged(right, before)
        if right == before:
            later = next((m[label] for m in self.moments[self.at + 1 :] if m[label] != right), None)
            if later is not None:
                found.append(
                    Wrong(later, f"Not yet: a later line does that. {self.because(expression, right, before)}", "M14")
                )
        elif self.does == "step":
            found += self.stepped(label, right, before)
        elif before != NOT_YET:
            told = f"That is what it was before this line. {self.because(expression, right, before)}"
            found.append(Wrong(before, told, "M7" if grad else "M14"))
        if grad:
            told = "Nothing has arrived, or it was cleared: `.grad` is None. Zeros would be a gradient."
            kept = f"It holds a gradient. {self.because(expression, right, before)}"
            found.append(Wrong("0", told if right == "None" else kept, "M7"))
            found.append(Wrong("None", self.because(expression, right, before), "M14"))
        return found

    def stepped(self, label: str, right: str, before: str) -> list[Wrong]:
        """What a weight is not after a step: unchanged, moved the other way, moved by the whole gradient."""
        found = [Wrong(before, f"That is what it was before. {self.because(label, right, before)}", "M21")]
        now, was, grad = (numbers(text) for text in (right, before, self.moments[self.at].get(f"{label}.grad", "")))
        if now is not None and was is not None and len(now) == len(was):
            other = looking.list_text([2 * b - a for a, b in zip(now, was, strict=True)])
            found.append(Wrong(other, "The step goes against the gradient: it is taken off, not added.", "R7"))
        if was is not None and grad is not None and len(grad) == len(was):
            whole = looking.list_text([b - g for b, g in zip(was, grad, strict=True)])
            found.append(Wrong(whole, "The learning rate is missing: only a part of the gradient is taken off.", "R2"))
            found.append(
                Wrong(looking.list_text(grad), "That is the gradient. The weight moves by a part of it.", "R1")
            )
        return found

    def averaged(self, right: str, before: str) -> list[Wrong]:
        """The mean of old and new, for those who think that backward averages."""
        now, was = numbers(right), numbers(before)
        if now is None or was is None or len(now) != len(was):
            return []
        mean = looking.list_text([a / 2 for a in now])
        return [Wrong(mean, "That is the mean of old and new. backward adds; nothing is averaged.", "M7")]


RUNS_BECAUSE = "It runs: what it needs is there."
