"""From tape and picture to frames: what each step shows, as plain data that JSON can carry.

A frame says which boxes and edges are active, which texts of the drawing change, what is said, and what is
asked. The state on screen at frame i is the sum of frames 0 to i, so the browser can walk both ways without
asking anyone. A number that a question hides is written ⟦question|number⟧ in texts, and is marked with
`data-ask` in formulas, here and in every later frame. A line that works out what is asked has a `brief` form, without
the learner's numbers, until a second miss opens it. Read next: `browser/stepper.js`.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

import numpy as np

from autograd_lab.view import beliefs, phrases
from autograd_lab.view.cells import cells_of
from autograd_lab.view.formula import mathml, plain, value_of
from autograd_lab.view.known import Known
from autograd_lab.view.parts import Picture
from autograd_lab.view.phrases import sum_of
from autograd_lab.view.recording import Snapshot
from autograd_lab.view.steps import ROOT, BackwardStep, ForwardStep, SentGrad, Tape
from autograd_lab.view.symbols import Symbols, Veil, boxed, shown, token, veiled, written
from autograd_lab.view.texts import number_text

PREDICT = ("none", "gradients", "all")
AHEAD, DONE = "is-ahead", "is-done"
OP = "No usual mistake gives this number. Do the op with the numbers that go into it."
LOCAL = "No usual mistake gives this number. How fast does this op's result change when this input changes a little?"
PRODUCT = "No usual mistake gives this number. Say two numbers first: what arrives, and the op's own slope here."
SUM = "No usual mistake gives this number. Add what arrives along each way, and what .grad held before."
Frame = dict[str, Any]


def frames_of(tape: Tape, picture: Picture, predict: str = "none") -> list[Frame]:
    """One frame for the start, one per op, one for the turn, one per step of backward.

    `predict` says which numbers are asked for before they are shown: "none", "gradients" (what each
    step of backward sends on, and sums in a leaf's `.grad`) or "all" (values of the forward pass and local
    derivatives too).

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> from autograd_lab.view.tape import tape_of
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> [frame["kind"] for frame in frames_of(tape_of(y), read_graph(y))]
    ['start', 'forward', 'turn', 'backward', 'accumulate']
    """
    film = Film(tape, picture, predict)
    film.start()
    for step in tape.forward:
        film.forward(step)
    film.turn()
    for back in tape.backward:
        if back.leaf is not None:
            film.accumulate(back)
        else:
            film.backward(back)
    return film.frames


class Film:
    """The frames made so far, and what is needed to make the next."""

    def __init__(self, tape: Tape, picture: Picture, predict: str) -> None:
        self.tape, self.picture, self.predict = tape, picture, predict
        self.symbols, self.veil = Symbols(tape, picture), Veil()
        self.known = Known(tape, self.symbols.names)
        self.op_keys = [picture.places.keys.get(id(node)) for node in tape.nodes]
        self.forward_of = {step.node: step for step in tape.forward}
        self.uses = {back.node: len(back.arrived) for back in tape.backward}  # contributions in all
        self.sent_so_far = dict.fromkeys(self.uses, 0)
        self.frames: list[Frame] = []

    # One frame each

    def start(self) -> None:
        """Leaves are known; nothing is computed yet."""
        frame = self.new("start", "forward", "Before the forward pass")
        known = [(self.symbols.names[i], value) for i, value in enumerate(self.tape.leaves) if value is not None]
        verb = "is" if len(known) == 1 else "are"
        frame["say"] = f"{listed([title for title, _ in known])} {verb} known. Nothing else is computed yet."
        frame["lines"] += [text_line("leaf", f"{title} = {shown(value)}") for title, value in known]
        for node in self.picture.nodes:
            if node.kind in ("op", "result", "fold", "accumulate"):
                frame["mark"][node.key] = AHEAD
            if node.value is not None and node.kind in ("op", "result"):
                frame["set"][f"{node.key}.value"] = "—"
        for edge in self.picture.edges:
            frame["mark"][edge.forward_id] = frame["mark"][edge.backward_id] = AHEAD
            frame["set"][f"{edge.forward_id}.local"] = frame["set"][f"{edge.backward_id}.grad"] = ""
        given = [(self.symbols.boxes[i], value) for i, value in enumerate(self.tape.leaves)]
        constants = (o for step in self.tape.forward for o in step.operands if o.source is None and o.tensor_id)
        given += [(self.picture.places.keys.get(o.tensor_id), o.value) for o in constants]
        for box, value in given:
            if box is not None and value is not None and self.picture.by_key[box].value is not None:
                frame["set"][f"{box}.value"] = boxed(value)
                self.cells(frame, box, "value", value)

    def forward(self, step: ForwardStep) -> None:
        """An op computes its value, and a node of the graph remembers it."""
        made, title = self.symbols.names[step.node], self.tape.names[step.node]
        frame = self.new("forward", "forward", f"Forward: {made}, remembered as {title}", title)
        if self.predict == "all":
            prompt = f"{made} = {phrases.operation_of(step, self.symbols)} ="
            self.veil.values[step.node] = self.ask(
                frame, prompt, step.result, beliefs.wrong_values(self.known, step), OP
            )
        formula = phrases.forward_line(step, self.symbols, self.veil)
        change = f"{made} is changed in place: it becomes" if step.in_place else f"{made} becomes"
        value = self.veil.value(step.node, shown(step.result))
        frame["say"] = f"{change} {value}, and {title} joins the graph."
        frame["told"].append(formula)
        frame["lines"].append(briefly(text_line("value", formula), self.veil.values.get(step.node, "")))
        if sizes := phrases.shapes_line(step):
            frame["lines"].append(text_line("shapes", sizes))
        if step.line:
            frame["lines"].append(text_line("your line", step.line))
        op, box = self.op_keys[step.node], self.symbols.boxes[step.node]
        self.activate(frame, op, box)
        for edge in self.picture.edges if self.is_op(op) else ():
            if op in (edge.source, edge.target):
                self.activate_edge(frame, edge.forward_id)
        if box is not None:
            frame["set"][f"{box}.value"] = self.veil.value(step.node, boxed(step.result))
        self.cells(frame, box, "value", step.result, self.veil.values.get(step.node, ""))

    def turn(self) -> None:
        """Backward begins at the result, with the number 1."""
        root, node = self.symbols.root, self.tape.root
        frame = self.new("turn", "backward", f"Backward begins at {root}")
        first = next((back for back in self.tape.backward if back.node == node), None)
        start = next((a.value for a in first.arrived if a.source == ROOT), None) if first else None
        frame["say"] = f"Now backward. It starts at the result: d{root}/d{root} = {shown(start)}."
        frame["told"].append(f"d{root}/d{root} = {shown(start)}")
        frame["lines"].append(math_line("start", rf"{self.symbols.slope(node)} = {value_of(shown(start))}"))
        self.activate(frame, self.symbols.boxes[node])

    def backward(self, back: BackwardStep) -> None:
        """A node fires: incoming gradient times local derivative, for each of its inputs."""
        title, made = self.tape.names[back.node], self.symbols.names[back.node]
        frame = self.new("backward", "backward", f"Backward: {title} fires", title)
        op, box = self.op_keys[back.node], self.symbols.boxes[back.node]
        incoming = self.incoming(frame, back)
        frame["say"] = f"{title} gets d{self.symbols.root}/d{made} = {incoming}."
        self.activate(frame, op)
        out = self.picture.edge_out(op) if op is not None else None
        if out is not None:
            self.activate_edge(frame, out.backward_id)
        if box is not None and "retain_grad" in self.picture.by_key[box].tags:
            frame["set"][f"{box}.grad"] = token(self.veil.grads.get(back.node, ""), boxed(back.incoming))
        self.cells(frame, box, "arrived", back.incoming, self.veil.grads.get(back.node, ""))
        for sent in back.sent:
            self.send(frame, back, sent)

    def send(self, frame: Frame, back: BackwardStep, sent: SentGrad) -> None:
        """What a firing node sends to one of its inputs: lines, question, texts on the drawing."""
        step, target = self.forward_of[back.node], self.symbols.names[sent.target]
        if sent.value is None:
            frame["lines"].append(text_line(f"to {target}", "no gradient"))
            frame["told"].append(f"no gradient to {target}")
            frame["say"] += f" {target} gets no gradient from it."
            return
        alone = self.uses[sent.target] == 1
        self.sent_so_far[sent.target] += 1
        count = "" if alone else f", {self.sent_so_far[sent.target]} of {self.uses[sent.target]}"
        ask = ""
        slope = ""
        if self.predict == "all" and sent.local is not None:
            prompt = f"local derivative d{self.symbols.names[back.node]}/d{target} ="
            slope = self.ask(frame, prompt, sent.local, beliefs.wrong_locals(self.known, step, sent), LOCAL)
            self.veil.locals[back.node, sent.number] = slope
        if self.predict != "none":
            wanted = f"d{self.symbols.root}/d{target}"
            prompt = f"{wanted} =" if alone else f"part{count[1:]} of {wanted} ="
            ask = self.ask(
                frame, prompt, sent.value, beliefs.wrong_sent(self.known, back, sent, self.uses[sent.target])
            )
            self.veil.parts[back.node, sent.number] = ask
            self.veil.grads[sent.target] = ask or self.veil.grads.get(sent.target, "")
        if local := phrases.local_line(step, sent, self.symbols, self.veil):
            frame["lines"].append(briefly(math_line("local derivative", local), slope, local, keep=1))
        product = phrases.product_line(back, step, sent, self.symbols, self.veil, alone, ask)
        frame["lines"].append(briefly(math_line(f"to {target}{count}", product), ask, product))
        frame["told"].append(plain(product) if alone else f"to {target}{count}: {plain(product)}")
        if sent.summed is not None:
            shapes = f"{target} {sent.value.shape} was broadcast to {sent.summed}: the product is summed back"
            frame["lines"].append(text_line("broadcast", shapes))
        op = self.op_keys[back.node]
        edge = self.picture.edge_into(op, sent.number) if op is not None and self.is_op(op) else None
        if edge is not None:
            self.activate_edge(frame, edge.backward_id)
            frame["set"][f"{edge.backward_id}.grad"] = token(ask, boxed(sent.value))
            if edge.local is not None:
                frame["set"][f"{edge.forward_id}.local"] = f"local {token(slope, edge.local)}"
        times = f" Times the local derivative {token(slope, written(sent.local))} it" if written(sent.local) else " It"
        frame["say"] += f"{times} sends {token(ask, shown(sent.value))} to {target}."

    def accumulate(self, back: BackwardStep) -> None:
        """A leaf's gradients are summed and added to its `.grad`."""
        leaf, title, several = back.leaf, self.symbols.names[back.node], len(back.arrived)
        assert leaf is not None
        frame = self.new("accumulate", "backward", f"Backward: {title}.grad is filled", "AccumulateGrad")
        ask = self.veil.grads.get(back.node, "")
        if self.predict != "none" and (several > 1 or leaf.before is not None):
            ask = self.ask(frame, f"{title}.grad =", leaf.after, beliefs.wrong_grads(self.known, back), SUM) or ask
        incoming = self.incoming(frame, back, ask if several > 1 else self.veil.grads.get(back.node, ""))
        added = plain(sum_of(back, self.veil))
        after = token(ask, shown(leaf.after))
        now = " = ".join(part for part in (f"{title}.grad", added, after) if part)
        frame["told"].append(now)
        frame["lines"].append(text_line(".grad before", "None" if leaf.before is None else shown(leaf.before)))
        frame["lines"].append(briefly(text_line(".grad now", now), ask))
        uses = f", used {several} times" if several > 1 else ""
        kept = "" if leaf.before is None else f" to the {shown(leaf.before)} already there"
        frame["say"] = f"{title} is a leaf{uses}: {incoming} is added{kept}. {title}.grad is now {after}."
        end, box = self.op_keys[back.node], self.symbols.boxes[back.node]
        self.activate(frame, box, end)
        if box is not None:
            frame["set"][f"{box}.grad"] = token(ask, boxed(leaf.after))
        self.cells(frame, box, "grad", leaf.after, ask)
        if end is not None and end != box:
            sum_ = plain(sum_of(replace(back, leaf=None), self.veil))
            parts = sum_ or token(self.veil.grads.get(back.node, ""), boxed(back.incoming))
            frame["set"][f"{end}.value"] = f"+= {parts}"

    # Parts of frames

    def new(self, kind: str, phase: str, title: str, node: str = "") -> Frame:
        frame: Frame = {
            "kind": kind, "phase": phase, "title": title, "node": node, "root": self.symbols.root, "say": "",
            "active": [], "edges": [], "set": {}, "mark": {}, "lines": [], "told": [], "ask": [], "cells": {},
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

    def incoming(self, frame: Frame, back: BackwardStep, ask: str | None = None) -> str:
        """Show the gradient that arrived, at a fan-out as the sum of its parts; return it as text."""
        ask = self.veil.grads.get(back.node, "") if ask is None else ask
        several = len(back.arrived) > 1
        label = f"incoming, {len(back.arrived)} parts" if several else "incoming gradient"
        sum_ = sum_of(replace(back, leaf=None), self.veil)
        parts = (self.symbols.slope(back.node), sum_, veiled(ask, value_of(shown(back.incoming))))
        formula = " = ".join(part for part in parts if part)
        frame["lines"].append(briefly(math_line(label, formula), ask if several else "", formula))
        return token(ask, shown(back.incoming))

    def cells(self, frame: Frame, box: str | None, field: str, value: Snapshot | None, ask: str = "") -> None:
        """Every element of what a box shows, for whoever chooses it."""
        if box is not None and (cells := cells_of(value, ask)) is not None:
            frame["cells"][f"{box}.{field}"] = cells

    def ask(
        self, frame: Frame, prompt: str, answer: Snapshot | None, wrong: beliefs.Plain, otherwise: str = PRODUCT
    ) -> str:
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


def listed(names: list[str]) -> str:
    """`a, b and c`; a long list is cut."""
    names = names if len(names) < 7 else [*names[:5], f"{len(names) - 5} more"]
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


def briefly(line: dict[str, str], ask: str, latex: str = "", keep: int = 0) -> dict[str, str]:
    """A line that works out what is asked: its brief form leaves out the part with the learner's numbers.

    The line is a chain of equal signs that ends in the answer; `keep` is how many of its parts stay before that.
    """
    parts = (latex or line["text"]).split(" = ")
    if not ask or len(parts) < 3:
        return line
    brief = " = ".join([*parts[: keep or -2], parts[-1]])
    return {**line, "ask": ask, "brief": mathml(brief) if latex else text_line("", brief)["math"]}


def text_line(label: str, text: str) -> dict[str, str]:
    """A line of plain text, such as a line of the program."""
    return {"label": label, "math": f"<code>{escape(text)}</code>", "text": text}


def math_line(label: str, latex: str) -> dict[str, str]:
    """A formula, for the browser and as text."""
    return {"label": label, "math": mathml(latex), "text": plain(latex)}
