"""What a notebook cell holds of a widget: text and simple HTML always, the widget beside them when it runs live.

`Live` is the base of `sheet.py`, `firing_order.py` and `scissors.py`: plain data to the browser, answers back in
`states`, and what only the kernel can compute as a `wish`. The scripts are files of their own, joined here: no
bundler, no network.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable
from functools import cache, cached_property
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any

from autograd_lab.view.script import NUMBERS, joined

NEEDS_LAB = 'Answering in the notebook needs anywidget: pip install "autograd-lab[lab]"'
WORDS = {"open": "not answered", "right": "right", "wrong": "wrong", "shown": "shown"}
HERE = Path(__file__).parent
SCRIPTS = {
    "sheet": ("shared.js", "drawing.js", "edit.js", "board.js", "sheet.js"),
    "firing_order": ("shared.js", "drawing.js", "firing_order.js"),
    "scissors": ("shared.js", "drawing.js", "edit.js", "board.js", "sheet.js", "scissors.js"),
}

States = dict[str, dict[str, Any]]


class Live:
    """Something that a cell shows. Subclasses say `kind`, `plain()`, `text()`, `html()`, and hear `wished(wish)`."""

    kind = "sheet"
    heading = ""

    def __init__(self) -> None:
        self.states: States = {}
        self.listeners: list[Callable[[str, dict[str, Any]], None]] = []
        self.scope = ""  # what the page puts before an id when it tells others of an answer: "04_chain_rule/ledger/"

    def plain(self) -> dict[str, Any]:
        raise NotImplementedError

    def asked(self) -> list[tuple[str, str]]:
        """The id of everything that is asked, and the question in words, for a list of what was answered."""
        raise NotImplementedError

    def data(self) -> dict[str, Any]:
        return {**self.plain(), "scope": self.scope}

    def text(self) -> str:
        raise NotImplementedError

    def html(self) -> str:
        raise NotImplementedError

    def surviving(self) -> States:
        """The answers that still stand after a wish."""
        return {}

    def wished(self, wish: dict[str, Any]) -> None:
        """Compute what the learner asked the kernel for, and change what `plain()` gives."""

    @cached_property
    def widget(self) -> Any:
        """The widget; ImportError names the `pip install` line if anywidget is missing."""
        made = widget_class(self.kind)(data=self.data(), states=self.states)
        made.observe(self._answered, names="states")
        made.observe(self._wished, names="wish")
        return made

    def _answered(self, change: Any) -> None:
        before, self.states = self.states, dict(change["new"])
        for key, state in self.states.items():
            if state != before.get(key):
                self._tell(key, state)
        for key in before.keys() - self.states.keys():
            self._tell(key, {"state": "open"})

    def _tell(self, key: str, state: dict[str, Any]) -> None:
        for listener in self.listeners:
            listener(key, state)

    def _wished(self, change: Any) -> None:
        wish = dict(change["new"])
        number = wish.pop("number", 0)  # the same wish twice must change the trait too
        try:
            self.wished(wish)
        except Exception as error:
            kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
            self.widget.note = {"number": number, "text": f"{kind}{error}"}
            return
        self.states = self.surviving()
        self.widget.states = dict(self.states)
        self.widget.data = self.data()
        self.widget.note = {"number": number, "text": ""}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        fallback = {"text/plain": self.text(), "text/html": self.html()}
        if os.environ.get("AUTOGRAD_LAB_OUTPUT") == "stored":
            return fallback
        try:
            made = self.widget._repr_mimebundle_()
        except ImportError as error:
            return {**fallback, "text/html": f"{self.html()}<p>{escape(str(error))}</p>"}
        data, metadata = made if isinstance(made, tuple) else (made or {}, {})
        return {**data, **fallback}, metadata

    def __repr__(self) -> str:
        return self.text()


@cache
def script(kind: str) -> str:
    """The script of this kind as one module: its files joined, and what the page calls."""
    parts = joined(NUMBERS, *(HERE / name for name in SCRIPTS[kind]))
    return f"{parts}\nexport {{ same }};\nexport default {{ render: render_{kind} }};\n"


@cache
def style() -> str:
    return (HERE / "widgets.css").read_text("utf-8")


@cache
def widget_class(kind: str) -> Any:
    """The widget class of this kind, made when a cell first shows one."""
    try:
        base = import_module("autograd_lab.widgets.live_widget").LiveWidget
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("anywidget", "traitlets", "ipywidgets"):
            raise
        raise ImportError(NEEDS_LAB) from error
    return type("".join(kind.title().split("_")) + "Widget", (base,), {"_esm": script(kind), "_css": style()})


def state_word(state: dict[str, Any] | None, right: str = "") -> str:
    """How a state reads.

    >>> state_word(None), state_word({"state": "right"}, "8"), state_word({"state": "wrong", "typed": "4"})
    ('not answered', '8 (right)', '4 (wrong)')
    """
    if state is None or state["state"] == "open":
        return WORDS["open"]
    return f"{state.get('typed', '') if state['state'] == 'wrong' else right} ({WORDS[state['state']]})"


def in_html(text: str) -> str:
    """Text with `code` in it, as HTML.

    >>> in_html("Is `a < b`?")
    'Is <code>a &lt; b</code>?'
    """
    parts = escape(text, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if i % 2 else part for i, part in enumerate(parts))


def as_image(drawing: Any) -> str:
    """A drawing for a page that nobody trusts and no kernel serves: an image with its description."""
    data = b64encode(drawing.svg.encode()).decode()
    return f'<p><img src="data:image/svg+xml;base64,{data}" alt="{escape(drawing.alt)}"></p>'
