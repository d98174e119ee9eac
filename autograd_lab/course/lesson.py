"""A lesson's questions: `lesson = open_lesson("04_chain_rule")`, then one call in a cell.

`lesson.predict` asks for an answer before it is shown and computes right and wrong ones from the cell's own objects;
`lesson.recall` and `lesson.leave` ask in words; `lesson.check_factors` and `lesson.check_answer` check what the
learner worked out; `lesson.summary` lists every question, so that none is skipped silently. Works on our tensors and
on PyTorch's. Read next: `asking.py`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import cached_property
from html import escape
from typing import Any

from autograd_lab import progress
from autograd_lab.course import questions
from autograd_lab.course.answered import Pairs, report_on_answer
from autograd_lab.course.asking import (
    Place,
    Wrong,
    check_number,
    check_wrong,
    choice_question,
    element_question,
    is_number,
    slope_question,
    value_question,
)
from autograd_lab.course.chain import chain_between
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
from autograd_lab.view.names import Names, caller_names
from autograd_lab.view.walk import visit

KIND = "question"
FACTORS = "Your formula: one local derivative for each node"
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

    def predict(
        self,
        question: str,
        *,
        of: Any,
        wrt: Any = None,
        at: Place | None = None,
        wrong: Wrong | None = None,
        because: str = "",
    ) -> Asked:
        """Ask for an answer before it is shown: the slope d of / d wrt, or without `wrt` what `of` is.

        `of` and `wrt` are tensors of one element, ours or PyTorch's; `at` chooses one element of the gradient of
        a larger `wrt`. Without `wrt`, `of` may be any number the cell computed, and also True, None, a word or a
        `grad_fn`: then, or when a wrong answer is such a thing, the answers are choices. `wrong` is
        {answer: reason} or {answer: (reason, belief)}; for choices it may hold the right answer too, which is left
        out. Ask before `backward()`, which frees the graph.

        Raises TypeError for what cannot be asked, ValueError for tensors with more elements or when `of` does not
        depend on `wrt`, RuntimeError with PyTorch's text for a freed graph.
        """
        names = Names(caller_names(sys._getframe(1)))
        key = question_id(self.slug, "predict", question)
        given: Wrong = {} if wrong is None else wrong
        check_wrong(given)
        if wrt is not None:
            check_number(of, "of", plain=False)
            if at is None:
                check_number(wrt, "wrt", plain=False)
                made = slope_question(key, question, of, wrt, names, given, because)
            else:
                made = element_question(key, question, of, wrt, at, names, given, because)
        elif is_number(of) and all(is_number(answer) for answer in given):
            check_number(of, "of", plain=True)
            made = value_question(key, question, of, names, given, because)
        else:
            made = choice_question(key, question, of, given, because)
        return self._ask("Prediction", (made,))

    def outcome(self, run: Callable[[], object]) -> str:
        """What happens when this runs: "no error", or the name of the error. For questions like "does it raise?"."""
        try:
            run()
        except Exception as error:
            return type(error).__name__
        return "no error"

    def nodes(self, *results: Any) -> list[str]:
        """The names of all nodes behind these results, inputs first; AccumulateGrad stands for a leaf."""
        return [type(node).__name__ for node in visit(results)]

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
        return self._checked(f"{self.slug}/make/{names.of(of) or 'result'}", FACTORS, report)

    def check_answer(self, question: str, got: Any, want: Any, *, wrong: Wrong | Pairs = ()) -> Report:
        """Check what the learner computed or wrote: a number, list, tensor, word, True or False.

        `got` of `...` is "not answered". `wrong` is {answer: reason}, or pairs where an answer is a list.
        """
        return self._checked(question_id(self.slug, "check", question), question, report_on_answer(got, want, wrong))

    def summary(self) -> Summary:
        """Every question that was asked in this notebook, with right, wrong, shown or not answered."""
        return Summary(self)

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

    def _checked(self, key: str, text: str, report: Report) -> Report:
        """Note a report of the learner's own code for the summary."""
        self.asked[key] = Question(key, "Make", text, shown=report.lines[0])
        tries = self.states.pop(key, OPEN)["tries"] + 1
        if report.outcome != "not answered":
            self._answered(key, {"state": report.outcome, "typed": "", "tries": tries})
        return report

    def _answered(self, key: str, state: dict[str, Any]) -> None:
        """Keep an answer for the summary and for the next time the lesson is opened."""
        if state == OPEN or state.get("state") == "open":
            self.states.pop(key, None)
        else:
            self.states[key] = dict(state)
        kept_state = {**state, "answer": self.asked[key].shown}
        self.stored[key] = kept_state
        progress.remember(KIND, key, kept_state)


def question_id(slug: str, kind: str, text: str) -> str:
    """A question is known by its words: run its cell again and it is the same question.

    >>> question_id("04_chain_rule", "predict", "What is dy/dx?")
    '04_chain_rule/predict/what-is-dy-dx'
    """
    if not isinstance(text, str) or not text.strip():
        raise ValueError('A prediction needs its question, for example predict("What is dy/dx?", of=y, wrt=x).')
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    return f"{slug}/{kind}/{words[:80]}"


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
