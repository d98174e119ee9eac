"""A bench: inputs that one edits, questions to answer first, and what the engine computes for these inputs.

`compute(values, action)` gives the `Output` for a set of inputs; the browser asks for it through the kernel. Outputs
for the inputs of `ready` travel with the widget, so that those work without a kernel too. A terminal and a stored page
get the same content as text, simple HTML and images. Read next: `nudge_lens.py`, the shortest bench.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from html import escape
from importlib import import_module
from typing import Any

from autograd_lab.course.prompt import NEEDS_LAB, OPEN, Asked, Question, States, bundle
from autograd_lab.widgets.bench_parts import Field, Output, Text

Values = dict[str, Any]
Compute = Callable[[Values, str], Output]


class Bench:
    """One bench in a cell. `buttons` are (action, label); `states` is what was answered before, by question id.

    Every function in `listeners` is called with `(id, state)` for each new answer. `output` is what is shown now.
    """

    def __init__(
        self,
        heading: str,
        fields: Sequence[Field],
        values: Values,
        compute: Compute,
        *,
        intro: str = "",
        buttons: Sequence[tuple[str, str]] = (),
        ready: Iterable[Values] = (),
        states: States | None = None,
    ) -> None:
        self.heading, self.fields, self.values = heading, tuple(fields), dict(values)
        self.compute, self.intro, self.buttons = compute, intro, tuple(buttons)
        self.ready = ready
        self.states: States = dict(states or {})
        self.listeners: list[Callable[[str, dict[str, Any]], None]] = []
        self.output = compute(self.values, "")

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions for the inputs as they are now."""
        return self.output.questions

    def set(self, action: str = "", **values: Any) -> Output:
        """Change inputs, or press a button by its action, as the browser does. What is shown then is returned.

        Raises ValueError for an input that does not exist or a value it cannot take.
        """
        names = [field.name for field in self.fields]
        for name in values:
            if name not in names:
                raise ValueError(f"This bench has no input {name!r}. It has {', '.join(names)}.")
        changed = {**self.values, **values}
        for field in self.fields:
            field.check(changed[field.name])
        self.values = changed
        self.output = self.compute(self.values, action)
        return self.output

    @cached_property
    def widget(self) -> Any:
        """The widget; ImportError names the `pip install` line if anywidget is missing."""
        ready, parts = packed({key(self.fields, v): self.compute(v, "").plain() for v in self.ready})
        made = widget_class()(
            heading=self.heading,
            intro=self.intro,
            fields=[field.plain() for field in self.fields],
            buttons=[list(button) for button in self.buttons],
            values=self.values,
            output={**self.output.plain(), "serial": 0},
            parts=parts,
            ready=ready,
            states=self.states,
        )
        made.observe(self._requested, names="request")
        made.observe(self._answered, names="states")
        return made

    def _requested(self, change: Any) -> None:
        """The browser changed inputs or pressed a button: compute, and send what comes out."""
        request = change["new"]
        action = request.get("action", "")
        try:
            output = self.set("" if action == "quiet" else action, **request["values"])
        except Exception as error:  # shown in the bench, where the wrong input is
            output = Output((Text(f"`{type(error).__name__}`: {error}", tone="error"),), said="This did not work.")
        if action != "quiet":  # that output came along: the browser shows it already
            self.widget.output = {**output.plain(), "serial": request["serial"]}

    def _answered(self, change: Any) -> None:
        before, self.states = self.states, dict(change["new"])
        for name, state in self.states.items():
            if state != before.get(name, OPEN):
                for listener in self.listeners:
                    listener(name, state)

    def _asked(self) -> Asked:
        return Asked(self.heading, self.questions, self.states, lambda *_: None)

    def text(self) -> str:
        """Everything that the bench shows, for a terminal."""
        lines = [self.heading, *([self.intro] if self.intro else [])]
        for field in self.fields:
            lines.append(f"{field.label}: {field.text(self.values[field.name])}")
        parts = ["\n".join(lines), *([self._asked().text()] if self.questions else [])]
        parts += [block.as_text() for block in self.output.lasting()]
        return "\n\n".join(parts).replace("`", "")

    def html(self) -> str:
        """The same for a page that runs nothing. What would give the answers away is closed at first."""
        rows = "".join(
            f"<li>{escape(field.label)}: {escape(field.text(self.values[field.name]))}</li>" for field in self.fields
        )
        blocks = "".join(block.as_html() for block in self.output.lasting())
        return (
            f"<p><b>{escape(self.heading)}</b></p>{f'<p>{escape(self.intro)}</p>' if self.intro else ''}"
            f"<ul>{rows}</ul>{self._asked().html()}<details><summary>Results</summary>{blocks}</details>"
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return bundle(self)

    def __repr__(self) -> str:
        return self.text()


def key(fields: Sequence[Field], values: Values) -> str:
    """The inputs as one text, written as JavaScript's JSON.stringify writes them.

    >>> key([Field("v", "v", "numbers"), Field("h", "h", "slider")], {"v": [1.0, 0.5], "h": 3})
    '[[1,0.5],3]'
    """
    return json.dumps([whole(values[f.name]) for f in fields], separators=(",", ":"), ensure_ascii=False)


def whole(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [whole(v) for v in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def packed(outputs: dict[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """The same outputs with each block and each question held once, in a list, and named by its place there.

    >>> packed({"a": {"blocks": ["x", "y"], "questions": []}, "b": {"blocks": ["y"], "questions": []}})
    ({'a': {'blocks': [0, 1], 'questions': []}, 'b': {'blocks': [1], 'questions': []}}, ['x', 'y'])
    """
    places: dict[str, int] = {}
    parts: list[Any] = []

    def place(part: Any) -> int:
        text = json.dumps(part)
        if text not in places:
            places[text] = len(parts)
            parts.append(part)
        return places[text]

    shown = {
        name: {**output, "blocks": [*map(place, output["blocks"])], "questions": [*map(place, output["questions"])]}
        for name, output in outputs.items()
    }
    return shown, parts


def widget_class() -> Any:
    """The widget class, imported when a cell first shows a bench."""
    try:
        return import_module("autograd_lab.widgets.bench_widget").BenchWidget
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anywidget", "traitlets", "ipywidgets"):
            raise
        raise ImportError(NEEDS_LAB) from error
