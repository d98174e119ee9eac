"""The tape against PyTorch and finite differences, and the promise that looking leaves no trace."""

import gc

import numpy as np
import pytest

import autograd_lab
from autograd_lab import recorder
from autograd_lab.view import notes, recording
from autograd_lab.view.tape import ROOT, Snapshot, noted, record, snapshot, tape_of


@pytest.fixture
def unwatched():
    """No recorder is on, not even a notebook's."""
    before = list(recorder.watchers)
    recorder.watchers.clear()
    yield
    recorder.watchers[:] = before


def chain(torch, leaves):
    (x,) = leaves
    y = x * 3
    z = y + 4
    return z**2


def two_uses(torch, leaves):
    (x,) = leaves
    return x**2 + 3 * x


def diamond(torch, leaves):
    (x,) = leaves
    a = x * 2
    b = a + 1
    c = a * a
    return b * c


def broadcast_matmul(torch, leaves):
    X, W, b = leaves
    return (X @ W + b).mean()


def dead_relu(torch, leaves):
    x, w = leaves
    return torch.relu(x * w) * 5 + w


def in_place(torch, leaves):
    (x,) = leaves
    y = x * 3
    y.add_(1)
    return y * y


MATRIX = [[1.0, -2.0, 0.5], [0.0, 3.0, 1.0]]
PROGRAMS = {
    "chain": (chain, [2.0]),
    "two uses": (two_uses, [4.0]),
    "diamond": (diamond, [1.5]),
    "broadcast matmul and mean": (
        broadcast_matmul,
        [MATRIX, [[1.0, 2.0], [0.0, 1.0], [-1.0, 4.0]], [0.5, -0.5]],
    ),
    "dead relu": (dead_relu, [-2.0, 3.0]),
    "in-place change": (in_place, [2.0]),
}
every_program = pytest.mark.parametrize(("program", "inputs"), PROGRAMS.values(), ids=PROGRAMS)


def run(torch, program, inputs):
    leaves = [torch.tensor(np.array(value), requires_grad=True) for value in inputs]
    return program(torch, leaves), leaves


def taped(program, inputs):
    with record():
        loss, leaves = run(autograd_lab, program, inputs)
    return tape_of(loss), loss, leaves


def number_of(tape, leaf):
    return next(i for i, node in enumerate(tape.nodes) if getattr(node, "variable", None) is leaf)


def loss_value(program, inputs):
    with autograd_lab.no_grad():
        leaves = [autograd_lab.tensor(np.array(value)) for value in inputs]
        return program(autograd_lab, leaves).item()


@every_program
def test_a_leaf_gets_the_slope_that_finite_differences_find(program, inputs):
    tape, _, leaves = taped(program, inputs)
    filled = {step.node: step.leaf.after.values for step in tape.backward if step.leaf}
    for which, leaf in enumerate(leaves):
        at = np.array(inputs[which])
        for place in np.ndindex(at.shape):
            near = [np.array(value, dtype=float) for value in inputs]
            h = 1e-5
            near[which][place] += h
            above = loss_value(program, near)
            near[which][place] -= 2 * h
            below = loss_value(program, near)
            slope = (above - below) / (2 * h)
            assert filled[number_of(tape, leaf)][place] == pytest.approx(slope, rel=1e-6, abs=1e-7)


@every_program
def test_every_value_and_every_gradient_is_pytorchs(program, inputs):
    torch = pytest.importorskip("torch")
    tape, _, leaves = taped(program, inputs)
    theirs, their_leaves = run(torch, program, inputs)
    seen = []  # what PyTorch's own nodes receive and send, in the order in which they fire

    def watch(node):
        node.register_hook(lambda sent, got: seen.append((node, got, sent)))

    stack, known = [theirs.grad_fn], set()
    while stack:
        node = stack.pop()
        if node not in known:
            known.add(node)
            watch(node)
            stack += [n for n, _ in node.next_functions if n is not None]
    theirs.backward()
    assert [type(node).__name__ for node, _, _ in seen if not hasattr(node, "variable")] == [
        tape.names[step.node] for step in tape.backward if not step.leaf
    ]
    ours = [step for step in tape.backward if not step.leaf]
    for step, (_, got, sent) in zip(ours, [s for s in seen if not hasattr(s[0], "variable")], strict=True):
        np.testing.assert_allclose(step.incoming.values, got[0].numpy(), rtol=1e-12)
        for part in step.sent:
            np.testing.assert_allclose(part.value.values, sent[part.number].numpy(), rtol=1e-12)
    for leaf, their_leaf in zip(leaves, their_leaves, strict=True):
        step = next(s for s in tape.backward if s.node == number_of(tape, leaf))
        np.testing.assert_allclose(step.leaf.after.values, their_leaf.grad.numpy(), rtol=1e-12)


@every_program
def test_the_order_is_the_engines(program, inputs):
    tape, loss, _ = taped(program, inputs)
    fired = []
    for node in tape.nodes:
        if hasattr(node, "variable"):
            node.variable.register_post_accumulate_grad_hook(lambda _, node=node: fired.append(node))
        else:
            node.register_hook(lambda *_, node=node: fired.append(node))
    loss.backward()
    assert fired == [tape.nodes[step.node] for step in tape.backward]


@every_program
def test_looking_leaves_no_trace(program, inputs):
    with record():
        loss, leaves = run(autograd_lab, program, inputs)
    leaves[0].grad = autograd_lab.ones_like(leaves[0]) * 7
    called = []
    leaves[0].register_hook(lambda grad: called.append(grad))
    before = [None if leaf.grad is None else leaf.grad.numpy().copy() for leaf in leaves]
    versions = [leaf._version for leaf in leaves]
    first, second = tape_of(loss), tape_of(loss)
    assert first == second
    assert not called
    assert versions == [leaf._version for leaf in leaves]
    for leaf, grad in zip(leaves, before, strict=True):
        assert (leaf.grad is None) if grad is None else np.array_equal(leaf.grad.numpy(), grad)
    loss.backward()  # the graph is still whole, and gives what the tape said
    for leaf in leaves:
        step = next(s for s in first.backward if s.node == number_of(first, leaf))
        np.testing.assert_array_equal(step.leaf.after.values, leaf.grad.numpy())


def test_incoming_times_local_is_what_is_sent():
    tape, _, _ = taped(*PROGRAMS["diamond"])
    checked = 0
    for step in tape.backward:
        for sent in step.sent:
            assert sent.value.values == pytest.approx(step.incoming.values * sent.local.values)
            checked += 1
    assert checked == 6


def test_a_fan_out_is_a_ledger_of_its_parts():
    tape, _, (x,) = taped(two_uses, [4.0])
    last = tape.backward[-1]
    assert last.node == number_of(tape, x)
    assert [float(part.value.values) for part in last.arrived] == [3.0, 8.0]  # 3 from 3*x, then 2*4 from x**2
    assert [tape.names[part.source] for part in last.arrived] == ["MulBackward0", "PowBackward0"]
    assert float(last.incoming.values) == 11.0


def test_a_leaf_adds_to_the_grad_it_has():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    (x * 3).backward()
    tape = tape_of(x * 5)
    leaf = tape.backward[-1].leaf
    assert (float(leaf.before.values), float(leaf.after.values)) == (3.0, 8.0)
    assert x.grad.item() == 3.0


def test_the_walk_begins_with_one_at_the_root():
    tape, _, _ = taped(chain, [2.0])
    first = tape.backward[0]
    assert first.node == tape.root
    assert [(a.source, float(a.value.values)) for a in first.arrived] == [(ROOT, 1.0)]


def test_a_broadcast_is_told_by_the_shape_before_the_sum():
    tape, _, (_, _, b) = taped(*PROGRAMS["broadcast matmul and mean"])
    sent = [s for step in tape.backward for s in step.sent if s.target == number_of(tape, b)]
    assert [s.summed for s in sent] == [(2, 2)]
    assert sent[0].value.shape == (2,)


def test_a_leaf_as_root_is_one_step():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    tape = tape_of(x)
    assert tape.forward == ()
    assert [float(step.leaf.after.values) for step in tape.backward] == [1.0]


def test_the_recorder_notes_constants_names_lines_and_values():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record() as recorded:
        y = x * 3  # this line
    note = noted(y.grad_fn)
    assert (note.op, note.in_place) == ("mul", False)
    assert [(a.name, a.text) for a in note.arguments] == [("self", ""), ("other", "3")]
    assert note.arguments[0].node is y.grad_fn.next_functions[0][0]
    assert note.arguments[0].tensor_id == id(x)
    assert (float(note.arguments[0].value.values), float(note.result.values)) == (2.0, 6.0)
    assert note.line == "y = x * 3  # this line"
    assert recorded.ops == (note,)


def test_an_in_place_change_is_noted_with_what_it_was_before():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record():
        y = x * 3
        y.add_(1)
    note = noted(y.grad_fn)
    assert note.in_place
    assert [(a.name, a.text or float(a.value.values)) for a in note.arguments[:2]] == [
        ("self", 6.0),
        ("other", "1"),
    ]
    assert float(note.result.values) == 7.0


def test_a_note_does_not_change_when_the_tensor_does():
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    with record():
        y = x * 3
    with autograd_lab.no_grad():
        x.zero_()
    assert noted(y.grad_fn).arguments[0].value.values.tolist() == [1.0, 2.0]


def test_without_a_recorder_saved_values_and_the_root_are_known(unwatched):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    tape = tape_of((x * 3 + 4) ** 2)
    assert noted(tape.nodes[tape.root]) is None
    results = [None if step.result is None else float(step.result.values) for step in tape.forward]
    assert results == [None, 10.0, 100.0]  # pow saved its input; nobody saved the result of mul
    assert float(tape.backward[-1].leaf.after.values) == 60.0


def test_notes_die_with_their_graph():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    gc.collect()
    before = len(notes._NOTES)
    with record():
        y = x * 3 * x
    assert len(notes._NOTES) == before + 2
    del y
    gc.collect()
    assert len(notes._NOTES) == before


def test_the_background_recorder_is_bounded(monkeypatch, unwatched):
    monkeypatch.setattr(notes, "BOUND", 10)
    recording.record_in_background()
    recording.record_in_background()
    assert len(recorder.watchers) == 1
    y = x = autograd_lab.tensor(1.0, requires_grad=True)
    for _ in range(50):
        y = y * x
    assert len(notes._NOTES) <= 10
    assert noted(y.grad_fn) is not None


def test_a_large_array_is_noted_by_its_shape():
    x = autograd_lab.ones(100, 100, requires_grad=True)
    with record():
        y = x * 2
    assert noted(y.grad_fn).result == Snapshot((100, 100), str(x.dtype), None)


def test_snapshots_compare_by_value():
    one = snapshot(autograd_lab.tensor([1.0, float("nan")]))
    assert one == snapshot(autograd_lab.tensor([1.0, float("nan")]))
    assert one != snapshot(autograd_lab.tensor([1.0, 2.0]))
    assert one != snapshot(autograd_lab.tensor([[1.0, float("nan")]]))
    assert one != "something else"


def test_a_long_chain_needs_no_recursion():
    y = x = autograd_lab.tensor(1.0, requires_grad=True)
    for _ in range(3000):
        y = y + x
    assert len(tape_of(y).backward) == 3001


def test_inputs_are_named_as_the_graph_orders_them():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with record():
        a = x * 2
        b = x * 3
        chosen = autograd_lab.where(x > 0, a, b)
        joined = autograd_lab.cat([chosen.reshape(1), b.reshape(1)])
    tape = tape_of(joined.sum())
    by_op = {tape.names[step.node]: step for step in tape.forward}
    where = by_op["WhereBackward0"].operands
    sources = [None if operand.source is None else tape.nodes[operand.source] for operand in where]
    assert [operand.name for operand in where] == ["condition", "self", "other"]
    assert sources == [None, a.grad_fn, b.grad_fn]
    back = next(step for step in tape.backward if tape.names[step.node] == "WhereBackward0")
    assert [(sent.name, float(sent.local.values)) for sent in back.sent] == [("self", 1.0), ("other", 0.0)]
    assert [operand.name for operand in by_op["CatBackward0"].operands][:2] == ["tensors[0]", "tensors[1]"]
