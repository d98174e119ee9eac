"""Every number in the frames of twenty random graphs, against PyTorch and finite differences, never against the tape.

Both libraries' walks are judged alike. Wrong formulas are put into cards on purpose: the same judge must find them.
"""

import json
import re

import numpy as np
import pytest

import autograd_lab
from autograd_lab.op import CARDS, build
from autograd_lab.view.cells import cell_text
from autograd_lab.view.frames import frames_of
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.tape import record, tape_of

torch = pytest.importorskip("torch")

from walked_programs import Truth, random_program, run  # noqa: E402

SEEDS = range(20)
every_seed = pytest.mark.parametrize("seed", SEEDS)
both_libraries = pytest.mark.parametrize("library", [autograd_lab, torch], ids=["ours", "PyTorch's"])
DIGITS = {"rtol": 1e-4, "atol": 1e-4}  # texts show four decimals
RANGE = {"rtol": 5e-3, "atol": 1e-12}  # ranges show three digits


def frames_by(library, program):
    with record():
        tensors, _ = run(library, program)
    names = Names(iter(tensors.items()))
    loss = tensors[program.statements[-1].name]
    return frames_of(tape_of(loss, names=names), read_graph(loss, names)), tensors


class Judge:
    """Compares frames with the truth, number by number, and counts."""

    def __init__(self, frames, truth):
        self.frames, self.truth, self.store = frames, truth, frames[0]["store"]
        self.compared = self.evaluated = 0

    def values(self, at):
        return np.array(self.store[at]["values"], dtype=float)

    def equal(self, shown, right, about):
        np.testing.assert_allclose(shown, right, rtol=1e-5, atol=1e-8, err_msg=about)
        self.compared += np.size(right)

    def reads(self, text, right, about):
        """A text is the number, the array, or its range."""
        right, text = np.asarray(right, dtype=float), text.removeprefix("local ")
        text = re.sub(r", shape \([\d, ]*\)$", "", text)
        ends = text.startswith("all ") or " to " in text
        if text.startswith("all "):
            shown, right = float(text[4:]), np.array([right.min(), right.max()])
        elif " to " in text:
            shown, right = list(map(float, text.split(" to "))), np.array([right.min(), right.max()])
        else:
            shown = json.loads(text)
        np.testing.assert_allclose(shown, right, err_msg=about, **(RANGE if ends else DIGITS))
        self.compared += np.size(right)

    def all(self):
        forward = [frame for frame in self.frames if frame["kind"] == "forward"]
        assert [frame["node"] for frame in forward] == self.truth.names
        for i, frame in enumerate(forward):
            self.forward(frame, i)
        fired = []
        for at, frame in enumerate(self.frames):
            if frame["kind"] == "backward":
                fired.append(self.backward(frame, at))
            elif frame["kind"] == "accumulate":
                fired.append(self.accumulate(frame))
        assert fired == self.truth.fired
        return self

    def forward(self, frame, i):
        name = self.truth.statement_of.get(i)
        if name is None:
            return
        right = self.truth.values[name]
        (entry,) = [entry for entry in frame["tensors"] if entry["role"] == "value"]
        self.equal(self.values(entry["at"]), right, name)
        (box,) = [text for key, text in frame["set"].items() if key.endswith(".value")]
        self.reads(box, right, name)
        self.reads(frame["told"][0].rpartition(" = ")[2], right, name)
        statement = next(s for s in self.truth.program.statements if s.name == name)
        operands = [e for e in frame["tensors"] if e["role"] == "operand"]
        if statement.kind not in ("broadcast matmul",):
            for entry, value in zip(operands, self.truth.at[name], strict=False):
                self.equal(self.values(entry["at"]), value, name)
        self.formulas(frame, right)

    def backward(self, frame, at):
        """Which node this is shows in what it got; then all that it sent."""
        i = next(i for i in map(int, [f for f in self.truth.fired if f.isdigit()]) if i not in self.seen(at))
        got, sent = self.truth.got[i], self.truth.sent[i]
        assert frame["node"] == self.truth.names[i]
        (entry,) = [entry for entry in frame["tensors"] if entry["role"] == "incoming"]
        self.equal(self.values(entry["at"]), next(g for g in got if g is not None), frame["title"])
        assert [flow["input"] for flow in frame["flow"]] == [n for n, g in enumerate(sent) if g is not None]
        name = self.truth.statement_of.get(i)
        statement = next((s for s in self.truth.program.statements if s.name == name), None)
        told = list(frame["told"])
        for number, flow in enumerate(frame["flow"]):
            right = sent[flow["input"]]
            self.equal(self.values(flow["value"]), right, frame["title"])
            self.reads(told[number].rpartition(" = ")[2], right, frame["title"])
            if flow["edge"] is not None:
                self.reads(frame["set"][f"{flow['edge']}.grad"], right, frame["title"])
            if flow["local"] is not None and statement is not None:
                slope = self.truth.local(statement, flow["input"])
                local = np.broadcast_to(self.values(flow["local"]), slope.shape)
                np.testing.assert_allclose(local, slope, rtol=1e-4, atol=1e-6, err_msg=frame["title"])
                self.compared += local.size
                for key, text in frame["set"].items():
                    if key.endswith(".local") and flow["edge"] and self.twin(key, flow["edge"]):
                        self.reads(text, slope, frame["title"])
            self.cell(at, number, right)
        self.formulas(frame, None)
        self.ledgers(frame)
        return str(i)

    def twin(self, key, edge):
        a, b, n = edge[1:].split("-")
        return key == f"e{b}-{a}-{n}.local"

    def seen(self, at):
        done = [frame for frame in self.frames[:at] if frame["kind"] == "backward"]
        return [int(f) for f in self.truth.fired if f.isdigit()][: len(done)]

    def cell(self, at, number, right):
        flow = self.frames[at]["flow"][number]
        place = tuple(n - 1 for n in flow["shape"])
        text = cell_text(self.frames, at, number, place)
        if text:
            np.testing.assert_allclose(float(text.rpartition(" = ")[2]), right[place], **DIGITS)
            self.compared += 1

    def ledgers(self, frame):
        for entry in frame["ledger"]:
            assert len(entry["terms"]) == entry["arrived"] <= entry["of"]
            assert len(entry["awaited"]) == entry["of"] - entry["arrived"]
            terms = [term["text"] for term in entry["terms"]]
            if not any(" to " in text or text.startswith("all ") for text in [*terms, entry["sum"]]):
                sum_ = np.sum([json.loads(text) for text in terms], axis=0)
                np.testing.assert_allclose(json.loads(entry["sum"]), sum_, rtol=2e-3, atol=5e-4)

    def accumulate(self, frame):
        name = re.match(r"Backward: (\w+)\.grad is filled", frame["title"])[1]
        right = self.truth.grads[name]
        (entry,) = [entry for entry in frame["tensors"] if entry["role"] == "after"]
        self.equal(self.values(entry["at"]), right, name)
        np.testing.assert_allclose(self.values(entry["at"]), self.truth.slope(name), rtol=1e-4, atol=1e-6)
        self.reads(frame["told"][0].rpartition(" = ")[2], right, name)
        (box,) = [text for key, text in frame["set"].items() if key.endswith(".grad")]
        self.reads(box, right, name)
        self.ledgers(frame)
        return name

    def formulas(self, frame, right):
        """Each part of a line that is made of numbers alone is worked out anew; all must agree."""
        for line in frame["lines"]:
            parts = line["text"].split(" = ") if "counted" in line else []
            results = [result for part in parts if (result := worked_out(part)) is not None]
            for result in results[:-1]:
                expected = results[-1]
                if np.shape(result) != np.shape(expected):
                    result, expected = np.broadcast_arrays(result, expected)
                np.testing.assert_allclose(result, expected, rtol=1e-2, atol=2e-3, err_msg=line["text"])
                self.evaluated += 1


FUNCTIONS = {
    "exp": np.exp,
    "sin": np.sin,
    "cos": np.cos,
    "tanh": np.tanh,
    "A": lambda rows: np.array(rows, dtype=float),
}


def worked_out(text):
    """The value of a formula that has numbers only; None for one with names, sums over axes or ranges."""
    text = text.translate(str.maketrans({"·": "*", "⊙": "*", "^": "**"})).replace("²", "**2").replace("³", "**3")
    text = re.sub(r"\b(sin|cos|tanh|exp) (\(-?[\d.e-]+\)|[\d.]+)", r"\1(\2)", text)
    depth, out = 0, ""
    for char in text:
        out += "A([" if char == "[" and depth == 0 else "])" if char == "]" and depth == 1 else char
        depth += {"[": 1, "]": -1}.get(char, 0)
    if any(word not in FUNCTIONS for word in re.findall(r"[^\W\d_]\w*", re.sub(r"\de[+-]?\d", "0", out))):
        return None
    try:
        return np.asarray(eval(out, {"__builtins__": {}}, FUNCTIONS))
    except (SyntaxError, TypeError, ValueError):
        return None


def test_the_twenty_graphs_have_what_was_asked_for():
    kinds = set().union(*(random_program(seed).kinds for seed in SEEDS))
    assert kinds >= {"broadcast matmul", "diamond", "dead relu", "in-place", "double use"}


@every_seed
@both_libraries
def test_every_number_of_a_random_graph(seed, library):
    program = random_program(seed)
    truth = Truth(torch, program)
    frames, _ = frames_by(library, program)
    judge = Judge(frames, truth).all()
    assert judge.compared > 60


@every_seed
def test_ours_and_pytorchs_frames_say_the_same(seed):
    program = random_program(seed)
    ours, theirs = (frames_by(library, program)[0] for library in (autograd_lab, torch))
    for one, other in zip(ours, theirs, strict=True):
        texts = [json.dumps({key: frame[key] for key in SAID}) for frame in (one, other)]
        assert NUMBER.sub("#", texts[0]) == NUMBER.sub("#", texts[1])
        numbers = [list(map(float, NUMBER.findall(text))) for text in texts]
        np.testing.assert_allclose(*numbers, rtol=1e-3, atol=1e-4)  # the last digit shown may be rounded otherwise


NUMBER = re.compile(r"-?\d+\.?\d*(?:e[+-]?\d+)?")
SAID = ("kind", "phase", "title", "node", "told", "set", "mark", "active", "edges", "ledger", "awaits")


@pytest.fixture
def wrong(monkeypatch):
    """Put a wrong formula into a card, in one of the three places where it is used."""

    def put(where, name, argument, formula):
        card = CARDS[name]
        if card.node is None:
            build(card)
        if where == "backward":
            monkeypatch.setitem(card.node.run_keep.__globals__, f"ARRAYS_{argument}", formula)
        elif where == "local derivative":
            monkeypatch.setitem(card.formulas, argument, formula)
        else:
            monkeypatch.setitem(card.latex, argument, formula)

    return put


MUTATIONS = {
    "backward: times without the factor": ("backward", "mul", "self", lambda grad, other: grad + 0 * other),
    "backward: minus forgets its sign": ("backward", "sub", "other", lambda grad, alpha: grad),
    "local derivative: tanh without the square": ("local derivative", "tanh", "self", lambda grad, result: 1 - result),
    "text: times by the wrong operand": ("text", "mul", "other", "2 \\cdot $self"),
    "text: tanh without the square": ("text", "tanh", "self", "1 - $result"),
}


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS)
def test_a_wrong_formula_in_one_card_is_found(mutation, wrong):
    programs = [random_program(seed) for seed in SEEDS]
    truths = [Truth(torch, program) for program in programs]
    wrong(*mutation)
    found = 0
    for program, truth in zip(programs, truths, strict=True):
        frames, _ = frames_by(autograd_lab, program)
        try:
            Judge(frames, truth).all()
        except AssertionError:
            found += 1
    assert found >= 1


@every_seed
@both_libraries
def test_the_last_frame_is_the_grad_after_a_real_backward_and_the_first_the_state_before(seed, library):
    program = random_program(seed)
    frames, tensors = frames_by(library, program)
    state = [(n, t.grad, t._version, t.grad_fn) for n, t in tensors.items() if t.grad_fn is None]
    assert all(grad is None for _, grad, _, _ in state)
    boxes = {}
    for frame in frames:
        boxes.update(frame["set"])
    tensors[program.statements[-1].name].backward()  # the graph is whole: nothing was freed by looking
    for frame in frames:
        if frame["kind"] == "accumulate":
            name = frame["title"].split()[1].removesuffix(".grad")
            (at,) = [entry["at"] for entry in frame["tensors"] if entry["role"] == "after"]
            right = tensors[name].grad.numpy()
            np.testing.assert_allclose(
                np.array(frames[0]["store"][at]["values"], dtype=float), right, rtol=1e-5, atol=1e-12
            )
            (key,) = [key for key in frame["set"] if key.endswith(".grad")]
            Judge(frames, None).reads(boxes[key], right, name)
    assert {f["title"] for f in frames if f["kind"] == "accumulate"} == {
        f"Backward: {n}.grad is filled" for n in program.leaves if tensors[n].grad is not None
    }
    first = frames[0]
    assert set(first["mark"].values()) == {"is-ahead"}
    assert not any(key.endswith(".grad") and text for key, text in first["set"].items())
