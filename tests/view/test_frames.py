"""Every number of the frames against PyTorch, the questions of predict mode, and what each step shows."""

import json
import re

import numpy as np
import pytest

import autograd_lab
from autograd_lab.view.formula import mathml, plain
from autograd_lab.view.frames import frames_of
from autograd_lab.view.names import Names
from autograd_lab.view.picture import read_graph
from autograd_lab.view.tape import record, tape_of

TOKEN = re.compile(r"⟦([^|⟧]*)\|([^⟧]*)⟧")


def chain(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    z = y + 4
    loss = z**2
    return {"x": x, "y": y, "z": z, "loss": loss}


def two_uses(torch):
    x = torch.tensor(4.0, requires_grad=True)
    square = x**2
    triple = 3 * x
    loss = square + triple
    return {"x": x, "square": square, "triple": triple, "loss": loss}


def diamond(torch):
    x = torch.tensor(1.5, requires_grad=True)
    a = x * 2
    b = a - 1
    c = a * a
    loss = b / c
    return {"x": x, "a": a, "b": b, "c": c, "loss": loss}


def broadcast_matmul(torch):
    X = torch.tensor([[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]])
    W = torch.tensor([[1.0, 2.0], [0.0, 1.0], [-1.0, 4.0]], requires_grad=True)
    b = torch.tensor([0.5, -0.5], requires_grad=True)
    h = X @ W
    out = h + b
    loss = out.mean()
    return {"X": X, "W": W, "b": b, "h": h, "out": out, "loss": loss}


def dead_relu(torch):
    x = torch.tensor(-2.0, requires_grad=True)
    w = torch.tensor(3.0, requires_grad=True)
    p = x * w
    r = torch.relu(p)
    loss = r * 5 + w
    return {"x": x, "w": w, "p": p, "r": r, "loss": loss}


def in_place(torch):
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    y.add_(1)
    loss = y * y
    return {"x": x, "y": y, "loss": loss}


PROGRAMS = [chain, two_uses, diamond, broadcast_matmul, dead_relu, in_place]
SCALAR = [chain, two_uses, diamond, dead_relu]
every_program = pytest.mark.parametrize("program", PROGRAMS)


def film(program, predict="none"):
    with record():
        tensors = program(autograd_lab)
    names = Names(iter(tensors.items()))
    loss = tensors["loss"]
    picture = read_graph(loss, names)
    return frames_of(tape_of(loss, names=names), picture, predict), picture


def revealed(text):
    return TOKEN.sub(r"\2", text)


def array_in(text):
    return np.array(json.loads(text), dtype=float)


def assert_reads_as(text, right):
    """A box shows the numbers, or the range of a long array."""
    if " to " in text:
        low, high = map(float, text.split(" to "))
        np.testing.assert_allclose([low, high], [right.min(), right.max()], rtol=1e-3)
    else:
        np.testing.assert_allclose(array_in(text), right, rtol=1e-3)


def on_screen(frames, upto=None):
    texts = {}
    for frame in frames[: upto if upto is None else upto + 1]:
        texts.update(frame["set"])
    return {key: revealed(text) for key, text in texts.items()}


def theirs(program):
    torch = pytest.importorskip("torch")
    tensors = program(torch)
    for tensor in tensors.values():
        if tensor.requires_grad:
            tensor.retain_grad()
    tensors["loss"].backward()
    return {name: tensor.detach().numpy() for name, tensor in tensors.items()}, {
        name: tensor.grad.numpy() for name, tensor in tensors.items() if tensor.grad is not None
    }


@every_program
def test_values_and_leaf_gradients_on_the_drawing_are_pytorchs(program):
    frames, picture = film(program)
    values, grads = theirs(program)
    texts = on_screen(frames)
    checked = 0
    for node in picture.nodes:
        if node.kind == "result" and node.name in values:
            assert_reads_as(texts[f"{node.key}.value"], values[node.name])
            checked += 1
        if node.kind == "leaf":
            assert_reads_as(texts[f"{node.key}.grad"], grads[node.name])
            checked += 1
    assert checked == len([name for name in values if name != "X"])


@every_program
def test_each_gradient_in_a_sentence_is_pytorchs(program):
    frames, _ = film(program)
    _, grads = theirs(program)
    checked = set()
    for frame in frames:
        found = re.search(r" gets dloss/d(\w+) = (\S.*?)\.( |$)", frame["say"])
        if found and found[1] in grads and frame["kind"] == "backward":
            np.testing.assert_allclose(array_in(found[2]), grads[found[1]], rtol=1e-3)
            checked.add(found[1])
    assert checked >= {name for name in grads if name not in ("x", "w", "W", "b")}


@pytest.mark.parametrize("program", SCALAR)
def test_every_equation_holds(program):
    """Each chain `a = b · c = d` of a step, with its numbers, is arithmetic that anybody can check."""
    frames, _ = film(program)
    checked = 0
    for frame in frames:
        for line in frame["lines"]:
            sides = [side.strip() for side in line["text"].split(" = ")]
            numbers = [eval(side.replace("·", "*").replace("²", "**2")) for side in sides if is_arithmetic(side)]
            if len(numbers) > 1:
                assert numbers[:-1] == pytest.approx([numbers[-1]] * (len(numbers) - 1), rel=2e-3)
                checked += 1
    assert checked > 5


def is_arithmetic(text):
    return bool(re.fullmatch(r"[-+*/·()\d.e²\s]+", text))


@pytest.mark.parametrize("program", SCALAR)
def test_each_local_derivative_is_the_slope_of_its_op(program):
    torch = pytest.importorskip("torch")
    with record():
        ours = program(autograd_lab)
    tape = tape_of(ours["loss"])
    real = program(torch)
    nodes, stack = {}, [(ours["loss"].grad_fn, real["loss"].grad_fn)]
    while stack:  # our nodes and PyTorch's, side by side
        mine, other = stack.pop()
        nodes[mine] = other
        for (a, _), (b, _) in zip(mine.next_functions, other.next_functions, strict=True):
            if a is not None:
                stack.append((a, b))
    checked = 0
    for step in tape.backward:
        for sent in step.sent:
            slope = nodes[tape.nodes[step.node]](torch.tensor(1.0))  # PyTorch's node, called with 1
            slope = slope[sent.number] if isinstance(slope, tuple) else slope
            assert float(sent.local.values) == pytest.approx(slope.item())
            checked += 1
    assert checked >= 3


def test_the_chain_reads_as_in_the_lesson():
    frames, _ = film(chain)
    told = [line for frame in frames for line in frame["told"]]
    assert told == [
        "y = x * 3 = 2 * 3 = 6",
        "z = y + 4 = 6 + 4 = 10",
        "loss = z ** 2 = 10 ** 2 = 100",
        "dloss/dloss = 1",
        "dloss/dz = dloss/dloss · dloss/dz = 1 · 20 = 20",
        "dloss/dy = dloss/dz · dz/dy = 20 · 1 = 20",
        "dloss/dx = dloss/dy · dy/dx = 20 · 3 = 60",
        "x.grad = 60",
    ]


def test_a_local_derivative_shows_formula_and_numbers():
    frames, _ = film(chain)
    square = next(f for f in frames if f["node"] == "PowBackward0" and f["kind"] == "backward")
    text = next(line["text"] for line in square["lines"] if line["label"] == "local derivative")
    assert text == "dloss/dz = 2 · z^(2 - 1) = 2 · 10^(2 - 1) = 20"


def test_a_fan_out_shows_its_parts_and_their_sum():
    frames, _ = film(two_uses)
    assert [f["told"] for f in frames[-3:]] == [
        ["to x, 1 of 2: dloss/dtriple · dtriple/dx = 1 · 3 = 3"],
        ["to x, 2 of 2: dloss/dsquare · dsquare/dx = 1 · 8 = 8"],
        ["x.grad = 3 + 8 = 11"],
    ]
    assert "used 2 times" in frames[-1]["say"]


def test_a_grad_that_was_there_is_added_to():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    (x * 4).backward()
    y = x * 3
    names = Names(iter([("x", x), ("y", y)]))
    last = frames_of(tape_of(y, names=names), read_graph(y, names))[-1]
    assert last["told"] == ["x.grad = 4 + 3 = 7"]
    assert "3 is added to the 4 already there. x.grad is now 7." in last["say"]


def test_shapes_and_the_rule_are_shown_for_a_matmul():
    frames, _ = film(broadcast_matmul)
    forward = next(f for f in frames if f["node"] == "MmBackward0")
    assert {
        "label": "shapes",
        "math": "<code>(2, 3), (3, 2) → (2, 2)</code>",
        "text": "(2, 3), (3, 2) → (2, 2)",
    } in forward["lines"]
    back = [f for f in frames if f["node"] == "MmBackward0"][1]
    assert any(line["text"].startswith("dloss/dW = Xᵀ dloss/dh") for line in back["lines"])
    spread = [f for f in frames if f["node"] == "AddBackward0"][1]
    assert any("summed back" in line["text"] for line in spread["lines"])


def test_a_leafs_grad_changes_when_its_step_fires_and_not_before():
    frames, picture = film(chain)
    key = next(node.key for node in picture.nodes if node.kind == "leaf")
    fired = [i for i, frame in enumerate(frames) if f"{key}.grad" in frame["set"]]
    assert fired == [len(frames) - 1]
    assert frames[-1]["kind"] == "accumulate"
    assert key in frames[-1]["active"]


@every_program
def test_values_appear_one_by_one(program):
    frames, picture = film(program)
    keys = [node.key for node in picture.nodes if node.kind == "result"]
    start = on_screen(frames, 0)
    assert all(start[f"{key}.value"] == "—" for key in keys)
    forward = [frame for frame in frames if frame["kind"] == "forward"]
    assert all(sum(key.endswith(".value") for key in frame["set"]) == 1 for frame in forward)
    last = on_screen(frames, len(forward))
    assert not any(last[f"{key}.value"] == "—" for key in keys)


@every_program
@pytest.mark.parametrize("predict", ["none", "gradients", "all"])
def test_frames_speak_of_keys_that_are_drawn_and_travel_as_json(program, predict):
    frames, picture = film(program, predict)
    assert json.loads(json.dumps(frames, allow_nan=False)) == frames
    keys = {n.key for n in picture.nodes} | {k for e in picture.edges for k in (e.forward_id, e.backward_id)}
    for frame in frames:
        assert set(frame["active"]) | set(frame["edges"]) | set(frame["mark"]) <= keys
        assert {key.rpartition(".")[0] for key in frame["set"]} <= keys
        assert frame["say"]


@every_program
def test_questions_have_pytorchs_answers(program):
    frames, _ = film(program, "all")
    values, grads = theirs(program)
    checked = 0
    for frame in frames:
        for ask in frame["ask"]:
            value = re.fullmatch(r"(?:element \[[0, ]*\] of )?(\w+) = .*", ask["prompt"])
            grad = re.fullmatch(r"(?:element \[[0, ]*\] of )?(?:dloss/d(\w+)|(\w+)\.grad) =", ask["prompt"])
            if grad and (grad[1] or grad[2]) in grads:
                right = grads[grad[1] or grad[2]]
            elif value and value[1] in values and frame["kind"] == "forward":
                right = values[value[1]]
            else:
                continue
            assert ask["answer"] == pytest.approx(float(np.asarray(right).reshape(-1)[0]), rel=1e-6)
            checked += 1
    assert checked >= 2


def test_gradients_are_asked_and_values_are_not():
    frames, _ = film(chain, "gradients")
    assert [[ask["prompt"] for ask in frame["ask"]] for frame in frames] == [
        *([[]] * 5),
        ["dloss/dz ="],
        ["dloss/dy ="],
        ["dloss/dx ="],
        [],
    ]


def test_the_sum_in_a_leaf_is_asked_too():
    frames, _ = film(two_uses, "gradients")
    prompts = [ask["prompt"] for frame in frames for ask in frame["ask"]]
    assert prompts[-3:] == ["part 1 of 2 of dloss/dx =", "part 2 of 2 of dloss/dx =", "x.grad ="]


@every_program
@pytest.mark.parametrize("predict", ["gradients", "all"])
def test_an_asked_number_is_nowhere_to_be_read_before_it_is_answered(program, predict):
    frames, _ = film(program, predict)
    for number, frame in enumerate(frames):
        for ask in frame["ask"]:
            hidden = f"⟦{ask['id']}|"
            assert any(hidden in text for text in frame["set"].values()), (number, ask)
            assert hidden in frame["say"]
            asked = [line for line in frame["lines"] if ask["id"] in line["math"]]
            assert asked, "the formula marks the number"
            if frame["kind"] == "forward":
                outside = TOKEN.sub("", frame["say"]).replace(frame["node"], "")
                assert not re.search(r"(?<!t)\d", outside)


def test_predict_none_asks_nothing_and_hides_nothing():
    frames, _ = film(diamond)
    assert not any(frame["ask"] for frame in frames)
    assert "⟦" not in json.dumps(frames, ensure_ascii=False)


def test_nan_is_never_asked():
    x = autograd_lab.tensor(0.0, requires_grad=True)
    with record():
        y = x / x
    frames = frames_of(tape_of(y), read_graph(y), "all")
    assert [ask for frame in frames for ask in frame["ask"]] == []


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{1}{\mathit{x}}", "1/x"),
        (r"-\frac{\mathit{x}}{\mathit{y}^2}", "-x/y²"),
        (r"1 - \mathit{h_1}^2", "1 - h_1²"),
        (r"\cos \mathit{x}", "cos x"),
        (r"\ask{q1-0}{\mathtt{60}}", "⟦q1-0|60⟧"),
        (r"(\mathtt{-3})^{2-1}", "(-3)^(2 - 1)"),
        (r"\unknown{x} } {", "unknown x}"),
    ],
)
def test_formulas_read_as_text(latex, text):
    assert plain(latex).replace("unknownx", "unknown x") == text


def test_names_are_escaped_in_mathml():
    assert "<script" not in mathml(r"\mathit{<script>}")


def test_every_card_has_a_template_we_can_typeset():
    from xml.etree import ElementTree

    import autograd_lab.ops.every  # noqa: F401
    from autograd_lab.op import CARDS

    for card in CARDS.values():
        for template in card.latex.values():
            latex = re.sub(r"\$\{?(\w+)\}?", r"\\mathit{\1}", template)
            ElementTree.fromstring(mathml(latex))
            assert "\\" not in plain(latex)
