"""`record()` hears of real PyTorch: constants, values, no_grad blocks, modules, lines; and changes nothing."""

from __future__ import annotations

import gc
import subprocess
import sys
import weakref

import pytest

import autograd_lab
from autograd_lab import draw_graph, reaches, record, why
from autograd_lab.view.tape import tape_of

torch = pytest.importorskip("torch")


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Tanh())
        self.head = torch.nn.Linear(2, 1)

    def forward(self, x):
        return self.head(self.body(x)).sum()


def boxes(drawing, kind):
    return [node for node in drawing.picture.nodes if node.kind == kind]


def test_constants_values_and_names_are_known():
    x = torch.tensor(2.0, requires_grad=True)
    with record() as tape:
        y = (x * 3 + 0.5) ** 2
        loss = y - 1
    drawing = draw_graph(loss)
    assert drawing.picture.notes == ()
    assert [node.value for node in boxes(drawing, "number")] == ["3", "0.5", "2", "1"]
    assert [(n.name or n.symbol, n.value) for n in boxes(drawing, "result")] == [
        ("t1", "6"),
        ("t2", "6.5"),
        ("y", "42.25"),
        ("loss", "41.25"),
    ]
    assert [op.op for op in tape.ops] == ["mul", "add", "pow", "sub"]
    assert tape.ops[0].line == "y = (x * 3 + 0.5) ** 2"


def test_without_record_the_drawing_says_how():
    x = torch.tensor(2.0, requires_grad=True)
    notes = draw_graph((x * 3 + 1) * 2).picture.notes
    assert notes[0].endswith("not recorded.") and "with record():" in notes[1]


def test_a_no_grad_block_is_a_frame_and_detach_a_cut():
    x, w = (torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    with record():
        h = x * 3
        with torch.no_grad():
            scale = h.mean() * 2
        d = h.detach()
        loss = (h * scale + d).sum()
        apart = d * 2 + w
    drawing = draw_graph(loss)
    block = next(cluster for cluster in drawing.picture.clusters if cluster.kind == "no_grad")
    assert {n.name for n in drawing.picture.nodes if n.cluster == block.key} == {"scale", "mul", "mean"}
    assert [n.name for n in boxes(drawing, "frozen") if n.tags == ("detached",)] == ["d"]
    assert "detach" in why(x, apart).says
    assert why(x, apart).place == "detach, in the line `d = h.detach()`"
    assert reaches(apart, {"x": x, "w": w}).missed == ("x",)


def test_a_finished_loss_knows_its_modules():
    net, x, target = Net(), torch.ones(3, 2), torch.ones(())
    with record():
        loss = (net(x) - target) ** 2
    drawing = draw_graph(loss)
    frames = {c.key: c for c in drawing.picture.clusters}
    assert [(c.title, frames[c.parent].title if c.parent else "") for c in frames.values()] == [
        ("Net", ""),
        ("body : Sequential", "Net"),
        ("0 : Linear", "body : Sequential"),
        ("1 : Tanh", "body : Sequential"),
        ("head : Linear", "Net"),
    ]
    stands = {n.title: frames[n.cluster].title if n.cluster else "" for n in boxes(drawing, "op")}
    assert stands["TanhBackward0"] == "1 : Tanh"
    assert stands["SumBackward0"] == "Net"
    assert stands["PowBackward0"] == ""


def test_recording_changes_neither_graph_nor_gradients():
    def run():
        torch.manual_seed(0)
        net = Net()
        loss = torch.nn.functional.cross_entropy(net.body(torch.ones(3, 2)), torch.tensor([0, 1, 0]))
        loss.backward()
        names, todo = [], [loss.grad_fn]
        while todo:
            node = todo.pop()
            names.append(node.name())
            todo += [source for source, _ in node.next_functions if source is not None]
        return names, [p.grad.tolist() for p in net.body.parameters()]

    plain = run()
    with record():
        recorded = run()
    assert plain == recorded


def test_notes_die_with_their_graph_and_the_hooks_are_gone():
    x = torch.tensor(2.0, requires_grad=True)
    with record():
        y = (x * 3).exp()
    array = y.grad_fn.metadata["autograd_lab.note"]
    known = weakref.ref(array.result.tensor())
    del y, array
    gc.collect()
    assert known() is None
    hooks = torch.nn.modules.module
    assert not hooks._global_forward_hooks and not hooks._global_forward_pre_hooks


def test_an_error_inside_a_module_leaves_nothing_behind():
    net = Net()
    with pytest.raises(RuntimeError), record():
        net(torch.ones(3, 5))
    with record():
        y = net(torch.ones(3, 2))
    assert draw_graph(y).picture.clusters[0].title == "Net"


def test_torch_is_not_imported_for_this():
    code = (
        "import sys, autograd_lab as t\n"
        "x = t.tensor(2.0, requires_grad=True)\n"
        "with t.record(): y = x * 2\n"
        "t.draw_graph(y).svg\n"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def mixed(t):
    x = t.tensor([1.0, 2.0], requires_grad=True)
    y = x * 3
    y[0] = x[1]
    loss = t.nn.functional.cross_entropy(y.reshape(1, 2), t.tensor([1])) + t.softmax(y, 0).sum()
    return loss + y.to(t.float64).std().to(t.float32)


def with_a_function(t):
    class Scaled(t.autograd.Function):
        @staticmethod
        def forward(ctx, a, k, b):
            ctx.save_for_backward(a, b)
            return a * k * b

        @staticmethod
        def backward(ctx, g):
            a, b = ctx.saved_tensors
            return g * 3 * b, None, g * 3 * a

    a, b = (t.tensor(v, requires_grad=True) for v in (2.0, 5.0))
    return Scaled.apply(a, 3, b) + 1


@pytest.mark.parametrize("program", [mixed, with_a_function])
def test_steps_have_the_ops_and_operands_of_our_cards(program):
    def steps(t):
        with record():
            loss = program(t)
        return [
            (step.op, [(o.name, o.source, o.text) for o in step.operands if o.name not in ("size", "shape")])
            for step in tape_of(loss).forward
        ]

    assert steps(torch) == steps(autograd_lab)


def test_what_pytorch_does_for_itself_is_no_op_of_the_program():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with record() as tape:
        c = torch.tensor([3.0, 4.0])
        y = torch.exp(x * c).tanh()
        q = torch.linalg.qr(y.reshape(1, 2))[0]
    assert [op.op for op in tape.ops] == ["mul", "exp", "tanh", "view", "linalg.qr"]
    assert q.requires_grad
    with record() as tape:
        cut = [torch.exp(x).detach(), (x * 2).detach(), x.max(0)[0].detach(), x.detach()]
    assert [op.op for op in tape.ops] == ["exp", "detach", "mul", "detach", "max", "detach", "detach"]
    assert "detach" in why(x, cut[0]).says
