"""The frames made so far, and what is needed to make the next: names, hidden numbers, questions, ledgers.

A number that a question hides is written ⟦question|number⟧ in texts, and is marked with `data-ask` in formulas, here
and in every later frame. Read next: `frames.py`, which says what each kind of step shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from autograd_lab.view.beliefs import Plain
from autograd_lab.view.formula import mathml, plain, value_of
from autograd_lab.view.known import Known
from autograd_lab.view.parts import Picture
from autograd_lab.view.phrases import chain, sum_of
from autograd_lab.view.snapshots import Snapshot
from autograd_lab.view.steps import ROOT, BackwardStep, SentGrad, Tape
from autograd_lab.view.store import Store
from autograd_lab.view.symbols import Symbols, Veil, shown, token, veiled
from autograd_lab.view.texts import number_text

AHEAD, DONE, SKIPPED, ERROR, FREED = "is-ahead", "is-done", "is-skipped", "is-error", "is-freed"
LATEST = 24  # contributions that a ledger lists one by one
UNKNOWN = "No usual mistake gives this number."
PRODUCT = f"{UNKNOWN} Say two numbers first: what arrives, and the op's own slope here."
Frame = dict[str, Any]


class Film:
    """The state of the telling."""

    def __init__(self, tape: Tape, picture: Picture, predict: str) -> None:
        self.tape, self.picture, self.predict = tape, picture, predict
        self.symbols, self.veil, self.store = Symbols(tape, picture), Veil(), Store()
        self.known = Known(tape, self.symbols.names)
        self.op_keys = [picture.places.keys.get(id(node)) for node in tape.nodes]
        self.forward_of = {step.node: step for step in tape.forward}
        self.uses: dict[int, int] = {}  # contributions in all
        self.senders: dict[int, list[int]] = {}  # by the node that gets them, in the order of their coming
        for back in tape.backward:
            for sent in back.sent:
                if sent.value is not None:
                    self.uses[sent.target] = self.uses.get(sent.target, 0) + 1
                    self.senders.setdefault(sent.target, []).append(back.node)
        self.came: dict[int, list[tuple[int, SentGrad, str]]] = {}  # from which node, what, hidden by which question
        self.sums: dict[int, Snapshot | None] = {}  # of what has come so far
        self.frames: list[Frame] = []

    # Frames

    def new(self, kind: str, phase: str, title: str, node: str = "", order: int = 1) -> Frame:
        frame: Frame = {
            "kind": kind, "phase": phase, "title": title, "node": node, "root": self.symbols.root, "say": "",
            "active": [], "edges": [], "set": {}, "mark": {}, "lines": [], "told": [], "ask": [],
            "order": order, "tensors": [], "flow": [], "ledger": [], "awaits": [], "saved": [], "freed": [],
            "hooks": [], "pruned": [], "error": None, "cells": {},
        }  # fmt: skip
        self.frames.append(frame)
        return frame

    def activate(self, frame: Frame, *keys: str | None) -> None:
        for key in keys:
            if key is not None and key not in frame["active"]:
                frame["active"].append(key)
                frame["mark"][key] = DONE

    def activate_edge(self, frame: Frame, key: str) -> None:
        frame["edges"].append(key)
        frame["mark"][key] = DONE

    def is_op(self, key: str | None) -> bool:
        return key is not None and self.picture.by_key[key].kind == "op"

    def key_of(self, node: int) -> str | None:
        """The box where a gradient for this node arrives."""
        return self.symbols.boxes[node] or self.op_keys[node]

    def keep(self, frame: Frame, role: str, name: str, value: Snapshot | None, ask: str = "") -> int | None:
        """Let the frame speak of a tensor; returns its place in the store."""
        at = self.store.put(value)
        if at is not None:
            frame["tensors"].append({"role": role, "name": name, "at": at, "ask": ask})
        return at

    def cells(self, frame: Frame, box: str | None, field: str, value: Snapshot | None, ask: str = "") -> None:
        """Every element of what a box shows, for whoever chooses it: a place in the store."""
        if box is not None and value is not None and value.shape:
            frame["cells"][f"{box}.{field}"] = {"at": self.store.put(value), "ask": ask}

    # Gradients

    def incoming(self, frame: Frame, back: BackwardStep, ask: str | None = None) -> str:
        """Show the gradient that arrived, at a fan-out as the sum of its parts; return it as text."""
        ask = self.veil.grads.get(back.node, "") if ask is None else ask
        several = len(back.arrived) > 1
        label = f"incoming, {len(back.arrived)} parts" if several else "incoming gradient"
        sum_ = sum_of(replace(back, leaf=None), self.veil)
        named = [self.symbols.slope(back.node)]
        counted = [part for part in (sum_, veiled(ask, value_of(shown(back.incoming)))) if part]
        frame["lines"].append(math_line(label, named, counted, ask if several else ""))
        self.keep(frame, "incoming", plain(named[0]), back.incoming, ask)
        for i, value in enumerate(back.incomings):
            text = "nothing" if value is None else shown(value)
            frame["lines"].append(text_line(f"to output {i}", text))
        if several or (back.leaf is not None and back.leaf.before is not None):
            before = "" if back.leaf is None or back.leaf.before is None else shown(back.leaf.before)
            frame["ledger"].append({**self.ledger(back.node), "before": before})
        return token(ask, shown(back.incoming))

    def arrives(self, frame: Frame, back: BackwardStep, sent: SentGrad, ask: str) -> None:
        """One more contribution at a node; at a fan-out the ledger shows those so far."""
        came = self.came.setdefault(sent.target, [])
        self.sums[sent.target] = total(self.sums[sent.target], sent.value) if came else sent.value
        came.append((back.node, sent, ask))
        if self.uses[sent.target] > 1:
            frame["ledger"] = [entry for entry in frame["ledger"] if entry["node"] != sent.target]
            frame["ledger"].append(self.ledger(sent.target))

    def ledger(self, node: int) -> dict[str, Any]:
        """The contributions that have come to a node so far, their sum, and those that are still awaited."""
        came = self.came.get(node, [])
        terms = [
            {
                "from": self.tape.names[source],
                "key": self.op_keys[source],
                "text": token(ask, shown(sent.value)),
                "ask": ask,
            }
            for source, sent, ask in came[-LATEST:]
        ]
        asks = [ask for _, _, ask in came if ask]
        sums = self.sums.get(node)
        return {
            "node": node,
            "to": self.symbols.names[node],
            "key": self.key_of(node),
            "terms": terms,
            "sum": token(asks[-1] if asks else "", shown(sums)) if sums is not None else "",
            "ask": asks[-1] if asks else "",
            "arrived": len(came),
            "of": self.uses.get(node, 0),
            "before": "",
            "earlier": max(0, len(came) - LATEST),
            "awaited": [self.tape.names[source] for source in self.senders.get(node, [])[len(came) :]][:LATEST],
        }

    def note_awaits(self, frame: Frame) -> None:
        """The nodes that have some of their contributions, but not all."""
        for node, came in self.came.items():
            if len(came) < self.uses[node]:
                rest = self.senders[node][len(came) :][:LATEST]
                frame["awaits"].append(
                    {
                        "to": self.symbols.names[node],
                        "key": self.key_of(node),
                        "arrived": len(came),
                        "of": self.uses[node],
                        "from": [self.tape.names[source] for source in rest],
                        "from_keys": [self.op_keys[source] for source in rest],
                    }
                )

    # Questions

    def ask(self, frame: Frame, prompt: str, answer: Snapshot | None, wrong: Plain, otherwise: str = PRODUCT) -> str:
        """Put a question to a frame, with the wrong answers that say which belief they come from.

        `otherwise` answers a number that no belief gives. Returns the question's id, "" if nobody can say the answer.
        """
        if answer is None or answer.values is None or answer.values.size == 0:
            return ""
        value = answer.values.reshape(-1)[0]
        if answer.values.dtype.kind not in "fiub" or not np.isfinite(value):  # nobody is asked to type nan
            return ""
        ask = f"q{len(self.frames) - 1}-{len(frame['ask'])}"
        place = f"element [{', '.join('0' for _ in answer.shape)}] of " if answer.shape else ""
        frame["ask"].append(
            {
                "id": ask,
                "prompt": place + prompt,
                "answer": float(value),
                "shown": number_text(value),
                "wrong": wrong,
                "otherwise": otherwise,
            }
        )
        return ask


def total(one: Snapshot | None, other: Snapshot | None) -> Snapshot | None:
    """The sum of two contributions; None if one of them is not known, or they belong to different results."""
    if one is None or other is None or one.values is None or other.values is None or one.shape != other.shape:
        return None
    return Snapshot(one.shape, one.dtype, np.asarray(one.values + other.values))


def listed(names: list[str]) -> str:
    """`a, b and c`; a long list is cut."""
    names = names if len(names) < 7 else [*names[:5], f"{len(names) - 5} more"]
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


def text_line(label: str, text: str) -> dict[str, str]:
    """A line of plain text, such as a line of the program."""
    return {"label": label, "math": f"<code>{escape(text)}</code>", "text": text}


def halves(named: Sequence[str], counted: Sequence[str], ask: str = "") -> dict[str, str]:
    """A line of the program twice more: with names alone, and with numbers alone.

    Where the question `ask` hides its end, `brief` is the line until a second miss opens it: without own numbers.
    """
    forms = {"named": named, "counted": counted}
    if ask:
        forms["brief"] = [*named, *counted[-1:]]
    told = {key: f"<code>{escape(' = '.join(parts))}</code>" for key, parts in forms.items()}
    return {**told, "ask": ask} if ask else told


def math_line(label: str, named: Sequence[str], counted: Sequence[str] = (), ask: str = "") -> dict[str, str]:
    """A formula for the browser and as text; `named` and `counted` are its parts without and with numbers.

    `ask` and `brief` are as in `halves`.
    """
    whole = chain([*named, *counted])
    asked = {"ask": ask, "brief": mathml(chain([*named, *counted[-1:]]))} if ask else {}
    return {
        **asked,
        "label": label,
        "math": mathml(whole),
        "text": plain(whole),
        "named": mathml(chain(list(named))),
        "counted": mathml(chain(list(counted))),
    }


def is_start(back: BackwardStep) -> bool:
    """Whether the walk begins at this node."""
    return any(arrived.source == ROOT for arrived in back.arrived)
