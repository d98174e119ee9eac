"""A lesson's questions: `lesson = open_lesson("04_chain_rule")`, then one call in a cell.

`lesson.predict` asks for a number before it is shown and computes right and wrong answers from the cell's own
graph; `lesson.recall` and `lesson.leave` ask in words; `lesson.check_factors` checks a chain the learner
worked out; `lesson.summary` lists every question, so that none is skipped silently. Works on our tensors and
on PyTorch's. Read next: `chain.py`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape
from math import isfinite
from typing import Any

from autograd_lab import progress
from autograd_lab.course import questions
from autograd_lab.course.chain import Chain, chain_between, last_step, number_of, values_before
from autograd_lab.course.construct import Report, report_on
from autograd_lab.course.prompt import (
    OPEN,
    Asked,
    Question,
    States,
    bundle,
    in_html,
    state_word,
    widget_class,
)
from autograd_lab.course.wrong_answers import WrongAnswer, kept, named, wrong_slopes, wrong_values
from autograd_lab.view.names import Names, caller_names, is_tensor
from autograd_lab.view.texts import number_text

KIND = "question"
SLUG = re.compile(r"\d\d_[a-z0-9_]+")


def open_lesson(slug: str) -> Lesson:
    """The lesson with this name, for example "04_chain_rule"; earlier answers are read from the progress
    folder.

    Raises ValueError for what is no lesson's name.
    """
    if not isinstance(slug, str) or not SLUG.fullmatch(slug):
        raise ValueError(
            f'A lesson is opened by the name of its notebook, for example open_lesson("04_chain_rule"); got {slug!r}.'
        )
    return Lesson(slug)


class Lesson:
    """The questions asked so far in one notebook, in order, and what was answered."""

    def __init__(self, slug: str) -> None:
        self.slug = slug
        self.asked: dict[str, Question] = {}
        self.stored = {key: value for key, value in progress.recall(KIND).items() if key.startswith(f"{slug}/")}
        self.states: States = {}

    def predict(self, question: str, *, of: Any, wrt: Any = None, wrong: Mapping[float, str] | None = None) -> Asked:
        """Ask for a number before it is shown: the slope d of / d wrt, or without `wrt` the value of `of`.

        `of` and `wrt` are tensors of one element, ours or PyTorch's; `of` may also be a number that the cell
        computed. `wrong` adds wrong answers with their reasons. Ask before `backward()`, which frees the
        graph.

        Raises TypeError for what is neither tensor nor number, ValueError for tensors with more elements or
        when `of` does not depend on `wrt`, RuntimeError with PyTorch's text for a freed graph.
        """
        names = Names(caller_names(sys._getframe(1)))
        check_number(of, "of", plain=wrt is None)
        own = [WrongAnswer(float(value), reason, "given") for value, reason in (wrong or {}).items()]
        if wrt is None:
            made = self._value(question, of, names, own)
        else:
            check_number(wrt, "wrt", plain=False)
            made = self._slope(question, of, wrt, names, own)
        return self._ask("Prediction", (made,))

    def recall(self, *keys: str) -> Asked:
        """Ask questions of earlier lessons, by their keys in `questions.py`."""
        return self._in_words("Recall", keys)

    def leave(self, *keys: str) -> Asked:
        """Ask this lesson's last questions, by their keys in `questions.py`."""
        return self._in_words("Exit", keys)

    def check_factors(self, factors: Sequence[float], *, of: Any, wrt: Any) -> Report:
        """Check local derivatives that the learner worked out, from `of` back to `wrt`, one for each node.

        Says which factor is wrong and where it was evaluated. An empty list is "not answered".
        """
        names = Names(caller_names(sys._getframe(1)))
        check_number(of, "of", plain=False)
        check_number(wrt, "wrt", plain=False)
        report = report_on(factors, chain_between(of, wrt, names))
        key, text = (
            f"{self.slug}/make/{names.of(of) or 'result'}",
            "Your formula: one local derivative for each node",
        )
        self.asked[key] = Question(key, "Make", text, shown=report.lines[0])
        tries = self.states.pop(key, OPEN)["tries"] + 1
        if report.outcome != "not answered":
            self._answered(key, {"state": report.outcome, "typed": str(factors), "tries": tries})
        return report

    def summary(self) -> Summary:
        """Every question that was asked in this notebook, with right, wrong, shown or not answered."""
        return Summary(self)

    # How questions are made

    def _value(self, text: str, of: Any, names: Names, own: list[WrongAnswer]) -> Question:
        answer = number_of(of) if is_tensor(of) else float(of)
        name = (names.of(of) if is_tensor(of) else "") or "the answer"
        computed = is_tensor(of) and of.grad_fn is not None
        before = values_before(of, names) if computed else []
        last = last_step(of, names) if computed else None
        right = f"{name} = {number_text(answer)}"
        way = [f"{n} = {number_text(v)}" for n, v in reversed(before)]
        return Question(
            id=self._id(text),
            label="Predict",
            text=text,
            answer=answer,
            shown=number_text(answer),
            because=", ".join([*way, right]) if way else "",
            wrong=kept(answer, [*own, *wrong_values(name, last, before)]),
            otherwise="Not this number. Work out one op after the other, in the order of the code.",
            nudge=way[0] + ". Do the first op with it, then the next with what you got." if way else "",
        )

    def _slope(self, text: str, of: Any, wrt: Any, names: Names, own: list[WrongAnswer]) -> Question:
        chain = chain_between(of, wrt, names)
        answer = slope_of(of, wrt)
        generic = list(wrong_slopes(chain)) if chain else []
        ratio = chain.ratio if chain else "the slope"
        return Question(
            id=self._id(text),
            label="Predict",
            text=text,
            answer=answer,
            shown=number_text(answer),
            because=product_text(chain, numbers=True) if chain else "",
            wrong=kept(answer, [*own, *generic]),
            otherwise=f"Not this number. Walk back from the end: {ratio} has one factor for each node.",
            nudge=product_text(chain, numbers=False) if chain else "",
        )

    def _in_words(self, label: str, keys: Sequence[str]) -> Asked:
        found = [questions.find(key) for key in keys]
        made = tuple(
            Question(
                id=f"{self.slug}/{label.lower()}/{entry.key}",
                label=f"{label} {number} of {len(found)}",
                text=entry.text,
                shown=entry.right,
                because=entry.because,
                choices=entry.choices(),
            )
            for number, entry in enumerate(found, 1)
        )
        return self._ask(label, made)

    def _id(self, text: str) -> str:
        """A question is known by its words: run its cell again and it is the same question."""
        if not isinstance(text, str) or not text.strip():
            raise ValueError('A prediction needs its question, for example predict("What is dy/dx?", of=y, wrt=x).')
        words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
        return f"{self.slug}/predict/{words[:80]}"

    def _ask(self, heading: str, made: tuple[Question, ...]) -> Asked:
        for question in made:
            self.asked[question.id] = question
            self.states.pop(question.id, None)
            before = self.stored.get(question.id)
            if (
                before and before["state"] != "open" and before.get("answer") == question.shown
            ):  # the same numbers as when it was answered
                self.states[question.id] = {key: before[key] for key in before if key != "answer"}
        return Asked(heading, made, self.states, self._answered)

    def _answered(self, key: str, state: dict[str, Any]) -> None:
        """Keep an answer for the summary and for the next time the lesson is opened."""
        if state == OPEN or state.get("state") == "open":
            self.states.pop(key, None)
        else:
            self.states[key] = dict(state)
        kept_state = {**state, "answer": self.asked[key].shown}
        self.stored[key] = kept_state
        progress.remember(KIND, key, kept_state)


class Summary:
    """The list of a lesson's questions. In a notebook it follows the answers as they are given."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson

    @cached_property
    def widget(self) -> Any:
        """The widget; ImportError names the `pip install` line if anywidget is missing."""
        rows = [{"id": q.id, "label": q.label, "text": q.text} for q in self.lesson.asked.values()]
        return widget_class()(
            kind="summary", heading="Summary of this lesson", questions=rows, states=self.lesson.states
        )

    def rows(self) -> list[tuple[str, str, str]]:
        """Label, question and state of every question, in the order of the notebook."""
        return [(q.label, q.text, state_word(self.lesson.states.get(q.id))) for q in self.lesson.asked.values()]

    def text(self) -> str:
        rows = self.rows()
        states = [self.lesson.states.get(key, OPEN)["state"] for key in self.lesson.asked]
        counts = ", ".join(f"{states.count(state)} {word}" for state, word in COUNTED.items())
        width = max((len(label) for label, *_ in rows), default=0)
        lines = [f"  {label.ljust(width)}  {text} ({state})" for label, text, state in rows]
        return "\n".join([f"{len(rows)} questions: {counts}", *lines])

    def html(self) -> str:
        heading, *_ = self.text().splitlines()
        rows = "".join(
            f"<tr><td>{escape(label)}</td><td>{in_html(text)}</td><td>{state}</td></tr>"
            for label, text, state in self.rows()
        )
        return f"<p>{escape(heading)}</p><table>{rows}</table>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return bundle(self)

    def __repr__(self) -> str:
        return self.text()


COUNTED = {"right": "right", "wrong": "wrong", "shown": "shown", "open": "not answered"}


def product_text(chain: Chain, numbers: bool) -> str:
    """The chain rule for this chain: `dloss/dx = dloss/dz · dz/dx = 20 · 3 = 60`, or its first half."""
    ways = [" · ".join(factor.ratio for factor in way) for way in chain.ways]
    text = f"{chain.ratio} = {' + '.join(ways)}" if any(len(way) > 1 for way in chain.ways) else chain.ratio
    if not numbers:
        values = {f.source: f.source_value for way in chain.ways for f in way if f.source_value is not None}
        return text + ", with " + ", ".join(f"{name} = {number_text(value)}" for name, value in values.items())
    products = [" · ".join(number_text(factor.local) for factor in way) for way in chain.ways]
    end = number_text(chain.slope)
    if len(chain.ways[0]) > 1 or len(chain.ways) > 1:
        return f"{text} = {' + '.join(products)} = {end}"
    (factor,) = chain.ways[0]
    place = named(factor.source, factor.source_value)
    return f"{text} = {end}: the local derivative of {factor.node} at {place}"


def slope_of(of: Any, wrt: Any) -> float:
    """d of / d wrt, by the library that made the tensors; no `.grad` is written and nothing is freed."""
    library = sys.modules[type(of).__module__.partition(".")[0]]
    (grad,) = library.autograd.grad(of, wrt, retain_graph=True)
    return number_of(grad)


def check_number(thing: Any, argument: str, plain: bool) -> None:
    """Raise unless this is a tensor of one element (or, if `plain`, a number)."""
    if is_tensor(thing):
        if thing.numel() != 1:
            raise ValueError(
                f"predict asks for one number, but {argument} has shape {tuple(thing.shape)}. "
                "Choose one element, or take its .sum() or .mean()."
            )
        if not plain and not thing.requires_grad:
            raise ValueError(
                f"{argument} has no graph: nothing it was computed from has requires_grad=True. "
                "Create the input with requires_grad=True."
            )
        return
    if not plain or isinstance(thing, bool) or not isinstance(thing, int | float):
        wanted = "a tensor or a number" if plain else "a tensor that requires grad"
        raise TypeError(f"{argument} must be {wanted}, not {type(thing).__name__}.")
    if not isfinite(thing):
        raise ValueError(f"{argument} is {thing}; nobody can predict that. Change the inputs of the cell.")
