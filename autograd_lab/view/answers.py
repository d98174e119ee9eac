"""What the learner answered while walking: kept in the progress folder, listed, and written to a file.

The page judges and keeps the states of its questions: {question: {state, tries, typed, answer, rule}}. Here they are
stored under the walk's own name, come back when the same walk is made again, and become rows of a table. A state
belongs to the number that was right then; where an input was changed, the question is a new one.
"""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from autograd_lab import progress

KIND = "step"
KEPT = ("right", "wrong")
COLUMNS = ("step", "question", "answer", "typed", "state", "tries", "belief")
States = dict[str, dict[str, Any]]
Row = dict[str, Any]


class Answers:
    """The states of one walk's questions. `key` is the same when the same walk is made again."""

    def __init__(self, key: str, root: str, frames: list[dict[str, Any]]) -> None:
        self.key, self.root, self.frames = key, root, frames
        self.states: States = {}

    def stored(self) -> States:
        """What was answered when the same walk was made before, where the right answer is still the same."""
        record = progress.recall_one(KIND, self.key) or {}
        known = record.get("answers", {})
        right = {ask["id"]: ask["answer"] for ask in self.asks()}
        self.states = {
            ask: state
            for ask, state in (known.items() if isinstance(known, dict) else ())
            if ask in right and state.get("state") in KEPT and state.get("answer") == right[ask]
        }
        return self.states

    def note(self, states: States) -> None:
        """The page's states; they are written when an answer was given, not when a question was passed."""
        given = {ask: state for ask, state in states.items() if state.get("typed")}
        before = {ask: state for ask, state in self.states.items() if state.get("typed")}
        self.states = dict(states)
        if given != before:
            progress.remember(KIND, self.key, {"root": self.root, "answers": given})

    def asks(self) -> list[dict[str, Any]]:
        """Every question, each with the number of its step."""
        return [{**ask, "step": step} for step, frame in enumerate(self.frames) for ask in frame["ask"]]

    def rows(self) -> list[Row]:
        """One row for each question, in order; what was not answered says so."""
        rows = []
        for ask in self.asks():
            state = self.states.get(ask["id"], {})
            if state.get("answer", ask["answer"]) != ask["answer"]:
                state = {}
            rows.append(
                {
                    "step": ask["step"],
                    "question": ask["prompt"],
                    "answer": ask["answer"],
                    "typed": list(state.get("typed") or []),
                    "state": {"trying": "wrong"}.get(state.get("state", ""), state.get("state") or "not answered"),
                    "tries": state.get("tries", 0),
                    "belief": state.get("rule", ""),
                }
            )
        return rows


def as_csv(rows: list[Row]) -> str:
    """The rows as a table that a spreadsheet opens.

    >>> row = dict(zip(COLUMNS, (1, "y =", 6.0, ["5", "6"], "right", 2, "value.too-early")))
    >>> print(as_csv([row]), end="")
    step,question,answer,typed,state,tries,belief
    1,y =,6.0,5 6,right,2,value.too-early
    """
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows:
        writer.writerow([" ".join(row[name]) if name == "typed" else row[name] for name in COLUMNS])
    return sheet.getvalue()


def as_json(rows: list[Row]) -> str:
    return json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
