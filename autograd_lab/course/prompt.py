"""A question in a cell: plain data, and how a notebook, a stored page and a terminal show it.

The browser judges an answer at once and without the kernel, so the widget carries right and wrong answers
with their reasons. What a learner answered comes back in `states`. Nothing here computes: `lesson.py` makes
questions from graphs, `questions.py` holds those in words. Read next: `lesson.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from autograd_lab.course.wrong_answers import WrongAnswer
from autograd_lab.view.script import NUMBERS, joined

NEEDS_LAB = 'Answering in the notebook needs anywidget: pip install "autograd-lab[lab]"'
OPEN: dict[str, Any] = {"state": "open", "typed": "", "tries": 0}
WORDS = {"open": "not answered", "right": "right", "wrong": "wrong", "shown": "shown"}

States = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Choice:
    """One answer to choose; a wrong one says why."""

    text: str
    right: bool = False
    reason: str = ""
    rule: str = ""


@dataclass(frozen=True)
class Question:
    """What is asked. A number (`answer`, `wrong`) or a choice (`choices`).

    `shown` is the right answer as text, `because` the way to it. `otherwise` answers a number that no rule
    knows, `close` one that is a few per cent off; `nudge` is added from the second miss on. `id` is the
    same in every run of the cell.
    """

    id: str
    label: str
    text: str
    answer: float | None = None
    shown: str = ""
    because: str = ""
    wrong: tuple[WrongAnswer, ...] = ()
    otherwise: str = ""
    close: str = ""
    nudge: str = ""
    choices: tuple[Choice, ...] = ()

    @property
    def kind(self) -> str:
        return "choice" if self.choices else "number"

    def plain(self) -> dict[str, Any]:
        """The question as JSON can carry it."""
        return {**asdict(self), "kind": self.kind}


class Asked:
    """Questions as one cell shows them: a widget; in a stored file and in a terminal, text.

    `states` is what was answered, by question id; `on_answer(id, state)` is called for each new answer.
    """

    def __init__(
        self, heading: str, questions: tuple[Question, ...], states: States, on_answer: Callable[..., None]
    ) -> None:
        self.heading, self.questions, self.on_answer = heading, questions, on_answer
        self.states = {q.id: states[q.id] for q in questions if q.id in states}

    @cached_property
    def widget(self) -> Any:
        """The widget; ImportError names the `pip install` line if anywidget is missing."""
        made = widget_class()(
            kind="questions",
            heading=self.heading,
            questions=[question.plain() for question in self.questions],
            states=self.states,
        )
        made.observe(self._answered, names="states")
        return made

    def _answered(self, change: Any) -> None:
        """The browser sends all states; those that changed are passed on."""
        before, self.states = self.states, dict(change["new"])
        for question in self.questions:
            state = self.states.get(question.id, OPEN)
            if state != before.get(question.id, OPEN):
                self.on_answer(question.id, state)

    def text(self) -> str:
        """Each question with its state; choices on lines of their own."""
        lines = []
        for question in self.questions:
            lines.append(f"{question.label}: {question.text} ({state_word(self.states.get(question.id))})")
            lines += [f"  ( ) {choice.text}" for choice in question.choices]
        return "\n".join(lines)

    def html(self) -> str:
        """The same for a page that runs nothing."""
        parts = []
        for question in self.questions:
            state = state_word(self.states.get(question.id))
            choices = "".join(f"<li>{in_html(choice.text)}</li>" for choice in question.choices)
            parts.append(
                f"<p><b>{escape(question.label)}:</b> {in_html(question.text)} <i>({state})</i></p>"
                + (f"<ul>{choices}</ul>" if choices else "")
            )
        return "".join(parts)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return bundle(self)

    def __repr__(self) -> str:
        return self.text()


def bundle(shown: Any) -> Any:
    """What a cell holds: text and simple HTML; the widget beside them when it runs live."""
    fallback = {"text/plain": shown.text(), "text/html": shown.html()}
    if os.environ.get("AUTOGRAD_LAB_OUTPUT") == "stored":
        return fallback
    try:
        made = shown.widget._repr_mimebundle_()
    except ImportError as error:
        return {**fallback, "text/html": f"{shown.html()}<p>{escape(str(error))}</p>"}
    data, metadata = made if isinstance(made, tuple) else (made or {}, {})
    return {**data, **fallback}, metadata


def script() -> str:
    """What the browser runs for questions, as one ES module."""
    return joined(NUMBERS, Path(__file__).with_name("prompt.js"))


def widget_class() -> Any:
    """The widget class, imported when a cell first shows a question."""
    try:
        return import_module("autograd_lab.course.prompt_widget").QuestionsWidget
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anywidget", "traitlets", "ipywidgets"):
            raise
        raise ImportError(NEEDS_LAB) from error


def state_word(state: dict[str, Any] | None) -> str:
    """How a state reads.

    >>> state_word(None), state_word({"state": "right", "tries": 2}), state_word({"state": "wrong"})
    ('not answered', 'right at try 2', 'wrong')
    """
    if state is None:
        return WORDS["open"]
    tries = state.get("tries", 1)
    return f"right at try {tries}" if state["state"] == "right" and tries > 1 else WORDS[state["state"]]


def in_html(text: str) -> str:
    """Text with `code` in it, as HTML.

    >>> in_html("What is `a < b`?")
    'What is <code>a &lt; b</code>?'
    """
    parts = escape(text, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))
