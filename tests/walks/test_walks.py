"""What a walk knows besides numbers: where it goes, what waits, what is kept, what fails; for both libraries alike."""

import json
import subprocess
import sys

import numpy as np
import pytest

import autograd_lab
from autograd_lab import record, step_through
from autograd_lab.view.tape import tape_of

torch = pytest.importorskip("torch")
both_libraries = pytest.mark.parametrize("lib", [autograd_lab, torch], ids=["ours", "PyTorch's"])


def leaf(lib, value):
    return lib.tensor(value, requires_grad=True)


def of_kind(walk, kind):
    return [frame for frame in walk.frames if frame["kind"] == kind]


def store(walk, frame, role):
    return [walk.frames[0]["store"][e["at"]]["values"] for e in frame["tensors"] if e["role"] == role]


# Looking leaves no trace


@both_libraries
def test_looking_calls_no_hook_writes_no_grad_and_frees_nothing(lib):
    called = []
    x, w = leaf(lib, [1.0, 2.0]), leaf(lib, [3.0, 4.0])
    w.grad = lib.tensor([5.0, 5.0])
    y = x * w
    y.retain_grad()
    y.register_hook(called.append)
    x.register_hook(called.append)
    w.register_post_accumulate_grad_hook(called.append)
    y.grad_fn.register_hook(lambda *grads: called.append(grads))
    y.grad_fn.register_prehook(lambda *grads: called.append(grads))
    loss = (y**2).sum()
    before = [dict(t._backward_hooks or {}) for t in (x, w, y)] if lib is torch else []
    versions = [t._version for t in (x, w, y, loss)]
    nodes = [loss.grad_fn, *(n for n, _ in loss.grad_fn.next_functions)]
    for order in (1, 2):
        step_through(loss, order=order)
    step_through(loss, inputs=[y])
    assert called == []
    assert x.grad is None and y.grad is None and w.grad.tolist() == [5.0, 5.0]
    assert versions == [t._version for t in (x, w, y, loss)]
    assert nodes == [loss.grad_fn, *(n for n, _ in loss.grad_fn.next_functions)]
    if lib is torch:
        assert before == [dict(t._backward_hooks or {}) for t in (x, w, y)]
    assert lib.is_grad_enabled()
    loss.backward()
    assert len(called) == 5
    assert y.grad.tolist() == [6.0, 16.0] and w.grad.tolist() == [11.0, 37.0]


@both_libraries
def test_the_order_is_that_of_the_librarys_own_engine(lib):
    a, b = leaf(lib, 2.0), leaf(lib, 3.0)
    h = a * b
    k = h + a
    loss = (h * k).exp() + k + b
    tape = tape_of(loss)
    fired = []
    for node in tape.nodes:
        if hasattr(node, "variable"):
            node.variable.register_post_accumulate_grad_hook(lambda _, node=node: fired.append(node))
        else:
            node.register_hook(lambda *_, node=node: fired.append(node))
    loss.backward()
    assert fired == [tape.nodes[step.node] for step in tape.backward]


def test_pytorch_is_not_loaded_unless_the_tensor_is_its_own():
    code = (
        "import sys, autograd_lab as torch\n"
        "x = torch.tensor(2.0, requires_grad=True)\n"
        "with torch.record():\n    y = x * 3\n"
        "torch.step_through(y, order=1).text()\n"
        "torch.step_through(x * x * x, order=2, inputs=x).text()\n"
        "print('torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# Where a walk goes


@both_libraries
def test_a_walk_towards_inputs_prunes_and_returns(lib):
    x, w, b = leaf(lib, 2.0), leaf(lib, 3.0), leaf(lib, 4.0)
    h = x * w
    side = b**2
    loss = h * 5 + side
    walk = step_through(loss, inputs=[h])
    assert [f["node"] for f in of_kind(walk, "backward")] == ["AddBackward0", "MulBackward0"]
    (end,) = of_kind(walk, "returned")
    assert end["told"] == ["returned for h: 5"] and end["node"] == "MulBackward0"
    assert store(walk, end, "incoming") == [lib.autograd.grad(loss, [h], retain_graph=True)[0].item()]
    (turn,) = of_kind(walk, "turn")
    assert {entry["name"] for entry in turn["pruned"]} == {"x", "w", "b", "side"}
    assert "is-skipped" in turn["mark"].values()
    assert "Only the ways to h are walked" in turn["say"]
    assert any(state == "is-skipped" for state in of_kind(walk, "backward")[0]["mark"].values())
    walk = step_through(loss, inputs=(h, x))
    assert [f["told"][0] for f in walk.frames if "returned" in f["told"][0:1] or f["kind"] == "returned"] == [
        "returned for x: 15"
    ]
    assert any("returned for h: 5" in told for f in of_kind(walk, "backward") for told in f["told"])
    assert not of_kind(walk, "accumulate") and all(t.grad is None for t in (x, w, b))


@both_libraries
def test_wrong_inputs_get_pytorchs_texts(lib):
    x, other = leaf(lib, 2.0), leaf(lib, 3.0)
    loss = x * 3
    for inputs in ([other], [lib.tensor(1.0)], []):
        result = torch.tensor(2.0, requires_grad=True) * 3
        same = [torch.tensor(t.item(), requires_grad=t.requires_grad) for t in inputs]
        with pytest.raises(RuntimeError) as theirs:
            torch.autograd.grad(result, same)
        with pytest.raises(RuntimeError) as ours:
            step_through(loss, inputs=inputs)
        assert str(ours.value) == str(theirs.value)
    with pytest.raises(TypeError, match="inputs must be a tensor"):
        step_through(loss, inputs=["x"])


@both_libraries
def test_a_result_with_a_shape_is_walked_from_a_given_gradient(lib):
    x = leaf(lib, [1.0, 2.0])
    y = x**2
    walk = step_through(y, grad=lib.tensor([10.0, 100.0]))
    assert walk.frames[-1]["told"] == ["x.grad = [20, 400]"]
    with pytest.raises(RuntimeError) as theirs:
        (torch.ones(2, requires_grad=True) * 1).backward(torch.ones(3))
    with pytest.raises(RuntimeError) as ours:
        step_through(y, grad=lib.ones(3))
    assert str(ours.value) == str(theirs.value)


# What waits, what is kept


@both_libraries
def test_a_fan_out_is_a_ledger_that_grows_and_says_what_is_awaited(lib):
    x = leaf(lib, 4.0)
    square = x**2
    loss = square + 3 * x
    walk = step_through(loss)
    first, second = (f for f in of_kind(walk, "backward") if f["ledger"])
    (entry,) = first["ledger"]
    assert (entry["to"], entry["arrived"], entry["of"], entry["awaited"]) == ("x", 1, 2, ["PowBackward0"])
    assert [term["text"] for term in entry["terms"]] == ["3"] and entry["sum"] == "3"
    assert [(a["to"], a["arrived"], a["of"], a["from"]) for a in first["awaits"]] == [("x", 1, 2, ["PowBackward0"])]
    assert "x still waits for 1 more" in first["say"]
    (entry,) = second["ledger"]
    assert [(t["from"], t["text"]) for t in entry["terms"]] == [("MulBackward0", "3"), ("PowBackward0", "8")]
    assert entry["sum"] == "11" and second["awaits"] == []
    assert walk.frames[-1]["ledger"][0]["sum"] == "11"


@both_libraries
def test_what_is_saved_is_said_when_saved_and_when_freed(lib):
    x, w = leaf(lib, 2.0), leaf(lib, 3.0)
    y = x * w
    z = y.exp()
    walk = step_through(z)
    mul, exp = of_kind(walk, "forward")
    assert {(s["name"], s["of"], s["version"], s["state"]) for s in mul["saved"]} == {
        ("self", "x", 0, ""),
        ("other", "w", 0, ""),
    }
    assert [(s["name"], s["of"]) for s in exp["saved"]] == [("result", "z")]
    assert [f["freed"] for f in of_kind(walk, "backward")] == [["result = z"], ["other = w", "self = x"]] or [
        sorted(f["freed"]) for f in of_kind(walk, "backward")
    ] == [["result = z"], ["other = w", "self = x"]]


@both_libraries
def test_hooks_that_wait_are_told_and_not_called(lib):
    x = leaf(lib, 2.0)

    def clip(grad):
        raise AssertionError("a walk only looks")

    y = x * 3
    y.register_hook(clip)
    y.retain_grad()
    x.register_post_accumulate_grad_hook(clip)
    loss = y**2
    walk = step_through(loss)
    hooked = next(f for f in of_kind(walk, "backward") if f["node"] == "MulBackward0")
    assert [(h["kind"], h["name"]) for h in hooked["hooks"]] == [("tensor hook", "clip"), ("retain_grad", "")]
    assert any("does not call it" in line["text"] for line in hooked["lines"])
    assert walk.frames[-1]["hooks"] == [{"kind": "post-accumulate hook", "name": "clip"}]


# What fails


@both_libraries
def test_a_step_that_raises_is_the_last_frame_with_pytorchs_text(lib):
    x = leaf(lib, [1.0, 2.0])
    y = x * 2
    z = y**2
    y.add_(1)
    loss = (z + y).sum()
    walk = step_through(loss)
    with pytest.raises(RuntimeError) as caught:
        loss.backward()
    last = walk.frames[-1]
    assert (last["kind"], last["node"]) == ("error", "PowBackward0")
    assert last["error"]["type"] == "RuntimeError" and last["error"]["text"] == str(caught.value)
    assert store(walk, last, "incoming") == [[1.0, 1.0]]
    assert "is-error" in last["mark"].values()
    assert len(walk.frames) > 5 and json.dumps(walk.frames, allow_nan=False)
    assert str(caught.value) in walk.text()


@both_libraries
def test_a_formula_of_the_user_that_raises_is_shown_with_its_own_words(lib):
    class Bad(lib.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            return a * 2

        @staticmethod
        def backward(ctx, grad):
            raise ValueError("not today")

    last = step_through(Bad.apply(leaf(lib, 2.0)) * 3).frames[-1]
    assert last["error"] == {"type": "ValueError", "text": "not today", "notes": []}


@both_libraries
def test_a_graph_that_is_freed_in_part_is_walked_to_where_it_breaks(lib):
    x = leaf(lib, 2.0)
    y = x**2
    first, second = y * 3, y * 5
    first.backward()
    last = step_through(second).frames[-1]
    assert (last["kind"], last["node"]) == ("error", "PowBackward0")
    assert last["error"]["text"].startswith("Trying to backward through the graph a second time")


# Functions, several outputs, second order


def scaled(lib):
    class Scaled(lib.autograd.Function):
        @staticmethod
        def forward(ctx, value, factor, offset):
            ctx.save_for_backward(value)
            ctx.factor = factor
            return value * factor + offset

        @staticmethod
        def backward(ctx, grad):
            assert len(ctx.saved_tensors) == 1
            return grad * ctx.factor, None, grad

    return Scaled


@both_libraries
def test_a_function_of_the_user_is_a_step_like_any_other(lib):
    x, b = leaf(lib, 2.0), leaf(lib, 1.0)
    with record():
        y = scaled(lib).apply(x, 3.0, b)
        loss = y**2
    walk = step_through(loss)
    (fired,) = [f for f in of_kind(walk, "backward") if f["node"] == "ScaledBackward"]
    assert [(flow["to"], flow["argument"]) for flow in fired["flow"]] in (
        [("x", "value"), ("b", "offset")],
        [("x", "input 0"), ("b", "input 1")],
    )
    assert store(walk, fired, "sent") == [42.0, 14.0]
    loss.backward()
    assert (x.grad.item(), b.grad.item()) == (42.0, 14.0)


@both_libraries
def test_an_op_with_several_results_gets_a_gradient_for_each(lib):
    x = leaf(lib, [1.0, 2.0, 3.0])
    a, b, _ = x.unbind(0)
    loss = a * b + a
    walk = step_through(loss)
    loss.backward()
    assert store(walk, walk.frames[-1], "after") == [x.grad.tolist()]
    (unbind,) = [f for f in of_kind(walk, "backward") if f["node"] == "UnbindBackward0"]
    assert [line["text"] for line in unbind["lines"] if line["label"].startswith("to output")] == ["3", "1", "nothing"]


@both_libraries
@pytest.mark.parametrize("program", [lambda x: x**3, lambda x: (x * x).exp(), lambda x: 1 / x + x * x.sin()])
def test_the_second_order_ends_with_the_second_derivative(lib, program):
    x = leaf(lib, 1.3)
    y = program(x)
    walk = step_through(y, order=2)
    t = torch.tensor(1.3, dtype=torch.float64, requires_grad=True)
    (first,) = torch.autograd.grad(program(t), t, create_graph=True)
    (second,) = torch.autograd.grad(first, t)
    assert walk.order == 2
    assert store(walk, walk.frames[-1], "after")[0] == pytest.approx(second.item(), rel=1e-4)
    recorded = of_kind(walk, "recorded")
    assert recorded and all(f["order"] == 2 and f["phase"] == "backward" for f in recorded)
    (is_first,) = [f for f in recorded if f["tensors"][-1]["name"] == "x_grad"]
    assert store(walk, is_first, "value")[0] == pytest.approx(first.item(), rel=1e-4)
    assert any("The formula of" in f["say"] for f in recorded)
    turns = of_kind(walk, "turn")
    assert [t["title"] for t in turns] == ["Backward begins at y, and is recorded", "Backward begins again at x_grad"]
    assert any(cluster.kind == "order" for cluster in walk.drawing.picture.clusters)
    assert x.grad is None


@both_libraries
def test_the_second_order_of_a_matrix_is_that_of_the_sum(lib):
    w = leaf(lib, [[1.0, 2.0], [3.0, 4.0]])
    x = lib.tensor([[1.0, -1.0]])
    loss = ((x @ w) ** 3).sum()
    walk = step_through(loss, inputs=w, order=2)
    t = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    (first,) = torch.autograd.grad(((torch.tensor([[1.0, -1.0]]) @ t) ** 3).sum(), t, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), t)
    np.testing.assert_allclose(store(walk, walk.frames[-1], "incoming")[0], second.numpy(), rtol=1e-5)


@both_libraries
def test_a_constant_slope_has_nothing_to_differentiate(lib):
    with pytest.raises(RuntimeError) as caught:
        step_through(leaf(lib, 2.0) * 3, order=2)
    assert str(caught.value) == "element 0 of tensors does not require grad and does not have a grad_fn"
    assert "its slope is zero" in caught.value.__notes__[0]


# Size


def network(lib, depth, width=8):
    lib.manual_seed(0)
    h = lib.ones(4, width)
    for _ in range(depth):
        w = lib.full((width, width), 0.1).requires_grad_()
        b = lib.zeros(width, requires_grad=True)
        h = lib.tanh(h @ w + b)
    return h.mean()


@both_libraries
def test_a_network_of_some_hundred_nodes_is_walked(lib):
    with record():
        loss = network(lib, 100)
    walk = step_through(loss)
    assert len(of_kind(walk, "forward")) == 301 and len(of_kind(walk, "accumulate")) == 200
    loss.backward()
    size = len(json.dumps(walk.frames, allow_nan=False))
    assert size < 6e6, size


@both_libraries
def test_a_large_tensor_travels_as_shape_and_range(lib):
    w = lib.ones(30, 30).requires_grad_()
    walk = step_through((w * 2).sum())
    entry = walk.frames[0]["store"][walk.frames[-1]["tensors"][-1]["at"]]
    assert entry == {"shape": [30, 30], "dtype": "float32", "values": None, "span": [2.0, 2.0]}
    small = step_through((lib.ones(20, 20).requires_grad_() * 2).sum())
    assert len(small.frames[0]["store"][small.frames[-1]["tensors"][-1]["at"]]["values"]) == 20


@both_libraries
def test_pytorchs_recorded_ops_have_values_constants_and_lines(lib):
    x = leaf(lib, [1.0, 2.0])
    with record():
        loss = (x * 3 + 1).exp().sum()  # this line
    walk = step_through(loss)
    assert [f["told"][0] for f in of_kind(walk, "forward")][:2] == [
        "t1 = x * 3 = [1, 2] * 3 = [3, 6]",
        "t2 = t1 + 1 = [3, 6] + 1 = [4, 7]",
    ]
    assert all(any("this line" in line["text"] for line in f["lines"]) for f in of_kind(walk, "forward"))
