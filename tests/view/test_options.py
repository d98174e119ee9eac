"""Each option of `draw_graph` keeps what it promises."""

from __future__ import annotations

import operator

import pytest

import autograd_lab
from autograd_lab import draw_graph
from autograd_lab.view.recording import record
from autograd_lab.view.units import boxes_of, units_of

from .test_draw import SVG, groups, parsed
from .test_drawn_modules import Net, by_kind, net_drawing, no_background_recorder  # noqa: F401


def line():
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    w = autograd_lab.tensor([[3.0], [4.0]], requires_grad=True)
    with record():
        loss = (x * w).sum()
    return x, w, loss


# What is shown


def test_view_forward_shows_no_way_back():
    *_, loss = line()
    drawing = draw_graph(loss, view="forward")
    assert groups(drawing, "ag-fwd")
    assert not groups(drawing, "ag-bwd")
    assert not by_kind(drawing, "accumulate")
    assert "local" not in drawing.svg.split("</style>")[1].replace("ag-local", "")


def test_view_backward_shows_only_the_way_back():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record():
        loss = (x * 3) ** 2
    drawing = draw_graph(loss, view="backward")
    assert not by_kind(drawing, "number")
    assert by_kind(drawing, "accumulate")
    for group in groups(drawing, "ag-fwd"):
        assert not list(group.iter(f"{SVG}path"))
    assert any(list(group.iter(f"{SVG}path")) for group in groups(drawing, "ag-bwd"))


def test_top_to_bottom_is_higher_than_wide_and_puts_accumulate_grad_beside_its_leaf():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    y = x
    for _ in range(6):
        y = y.tanh()
    across, down = draw_graph(y).layout, draw_graph(y, rankdir="TB")
    assert across.width > across.height
    assert down.layout.height > down.layout.width
    unit = units_of(down.picture, boxes_of(down.picture))["n0"]
    assert unit.corners["n1"][1] == 0 < unit.corners["n1"][0]


@pytest.mark.parametrize("left_out", ["name", "shape", "value", "grad"])
def test_show_says_what_stands_in_the_boxes(left_out):
    x, w, loss = line()
    assert x.grad is None and w.grad is None
    rest = [word for word in ("name", "shape", "value", "grad") if word != left_out]
    whole, less = draw_graph(loss), draw_graph(loss, show=rest)

    def texts(drawing):
        return {t.text for g in groups(drawing, "node") for t in g.iter(f"{SVG}text")}

    gone = {"name": {"x", "w", "loss"}, "shape": {"(2, 2)"}, "value": {"value", "[1, 2]"}, "grad": {"grad", "not kept"}}
    assert gone[left_out] <= texts(whole)
    assert not gone[left_out] & texts(less)


def test_local_gradients_can_be_left_out():
    *_, loss = line()
    edges = draw_graph(loss).picture.edges
    assert [(e.local, e.rule) for e in edges if e.backward and e.kind == "use"][:3] == [
        ("[[3], [4]]", ""),
        ("[1, 2]", ""),
        (None, ""),
    ]
    for edge in draw_graph(loss, show_local_grads=False).picture.edges:
        assert (edge.local, edge.rule) == (None, "")


def test_a_rule_stands_where_no_number_does():
    X = autograd_lab.ones(5, 3)
    W = autograd_lab.ones(3, 4).requires_grad_()
    loss = (X @ W).sum()
    rules = [edge.rule for edge in draw_graph(loss).picture.edges if edge.rule]
    assert rules == ["Xᵀ grad", "grad"]


def test_arguments_are_named_where_they_may_not_change_places():
    a, b = autograd_lab.tensor(3.0, requires_grad=True), autograd_lab.tensor(2.0, requires_grad=True)
    c = autograd_lab.tensor(5.0)
    with record():
        loss = ((a - b) / c + a * b) ** 2 - 1  # neither + nor *, and no operation with a number alone
    for view in ("both", "forward"):
        drawing = draw_graph(loss, view=view)
        by_key = drawing.picture.by_key
        named = [(by_key[e.target].title, e.argument) for e in drawing.picture.edges if e.ordered]
        assert named == [(f"{op}Backward0", name) for op in ("Sub", "Div") for name in ("self", "other")]
        assert drawing.svg.count('class="ag-argument"') == 4
        assert "self, other, ..." in drawing.legend
    assert "self, other, ..." not in draw_graph(a * b).legend


def test_broadcasting_and_its_sum_are_shown():
    *_, loss = line()
    drawing = draw_graph(loss)
    mul = next(n for n in by_kind(drawing, "op") if n.title == "MulBackward0")
    assert "broadcast (2,) → (2, 2)" in mul.tags
    assert [e.summed for e in drawing.picture.edges if e.summed] == ["sum over dim 0", "sum over dim 1"]
    assert "sum over dim 0" in drawing.svg


def links_of(drawing):
    """Each link to a saved tensor as (op, tensor, argument, words)."""
    by_key = drawing.picture.by_key
    return [
        (by_key[link.op].title, by_key[link.tensor].name or by_key[link.tensor].symbol, link.argument, link.text)
        for link in drawing.picture.links
    ]


def test_saved_tensors_are_linked_with_their_version_freed_or_changed():
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    with record():
        y = x * 2
        z = y * y
        loss = z.sum()
    drawing = draw_graph(loss, show_saved=True)
    assert ("MulBackward0", "y", "other, self", "saved v0") in links_of(drawing)
    assert len(groups(drawing, "ag-saved-edge")) == len(drawing.picture.links)
    assert draw_graph(loss).picture.links == ()
    y.add_(1)
    changed = draw_graph(loss, show_saved=True)
    assert "saved v0, now v1" in {text for _, _, argument, text in links_of(changed) if argument == "other, self"}
    assert "ag-changed" in changed.svg.split("</style>")[1]
    a = autograd_lab.tensor(2.0, requires_grad=True)
    b = a * a
    b.backward()
    freed = draw_graph(b, show_saved=True)
    assert links_of(freed) == [("MulBackward0", "a", "other, self", "saved, freed")]
    assert "ag-freed" in freed.svg.split("</style>")[1]


def test_a_result_that_its_own_operation_keeps_has_a_strip():
    x = autograd_lab.tensor(0.5, requires_grad=True)
    y = autograd_lab.exp(x)
    drawing = draw_graph(y, show_saved=True)
    assert links_of(drawing) == [("ExpBackward0", "y", "result", "saved v0")]
    assert [node.tags for node in by_kind(drawing, "saved")] == [("saved v0",)]


def test_what_a_function_of_the_user_saved_is_linked_where_it_is_drawn():
    class Scale(autograd_lab.autograd.Function):
        @staticmethod
        def forward(ctx, t):
            ctx.save_for_backward(t, t * 3)
            return t * 3

        @staticmethod
        def backward(ctx, grad):
            return grad * 3

    x = autograd_lab.tensor(0.5, requires_grad=True)
    drawing = draw_graph(Scale.apply(x), show_saved=True)
    assert links_of(drawing) == [("ScaleBackward", "x", "saved[0]", "saved v0")]
    assert [node.tags for node in by_kind(drawing, "saved")] == [("saved[1] v0",)]  # it is drawn nowhere else


@pytest.mark.parametrize("engine", ["graphviz-pure", "layered"])
def test_links_have_a_way_in_every_layout(engine):
    x = autograd_lab.tensor(2.0, requires_grad=True)
    w = autograd_lab.tensor(3.0, requires_grad=True)
    drawing = draw_graph((x * w).exp() * x, show_saved=True, engine=engine)
    ways = set(drawing.layout.routes)
    assert [link.id in ways for link in drawing.picture.links].count(False) == 1  # exp keeps the result it stands on
    for group in groups(drawing, "ag-saved-edge"):
        assert "for backward: saved v0" in group.find(f"{SVG}title").text


def test_a_view_a_hook_and_a_version_are_shown():
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    x.register_hook(lambda grad: grad)
    h = x * 2
    row = h[0]
    h.add_(1)
    h.register_hook(lambda grad: grad)
    drawing = draw_graph([row * 2, h.sum()])
    tags = {node.name: node.tags for node in drawing.picture.nodes if node.name}
    assert tags["x"] == ("hook",)
    assert tags["h"] == ("v1", "hook")
    assert "view" in tags["row"]
    views = [edge for edge in drawing.picture.edges if edge.kind == "view"]
    named = {node.key: node.name for node in drawing.picture.nodes}
    assert [(named[e.source], named[e.target]) for e in views] == [("h", "row")]
    assert len(groups(drawing, "ag-view")) == 1


def test_detach_is_a_visible_cut():
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    h = x * 2
    c = h.detach()
    drawing = draw_graph((h * c).sum())
    frozen = by_kind(drawing, "frozen")
    assert [(node.name, node.tags) for node in frozen] == [("c", ("detached",))]
    cut = next(edge for edge in drawing.picture.edges if edge.kind == "cut")
    assert drawing.picture.by_key[cut.source].name == "h"
    assert not cut.backward
    assert any(p.get("class") == "ag-slash" for g in groups(drawing, "ag-cut") for p in g.iter(f"{SVG}path"))


def test_a_no_grad_block_is_a_frame_with_its_operations():
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    with record():
        h = x * 3
        with autograd_lab.no_grad():
            scale = h.mean() * 2
        loss = (h * scale).sum()
    drawing = draw_graph(loss)
    block = next(cluster for cluster in drawing.picture.clusters if cluster.kind == "no_grad")
    inside = [(node.kind, node.name) for node in drawing.picture.nodes if node.cluster == block.key]
    assert inside == [("frozen", "scale"), ("untracked", "×"), ("untracked", "mean")] or inside == [
        ("frozen", "scale"),
        ("untracked", "mul"),
        ("untracked", "mean"),
    ]
    assert "ag-hatch" in drawing.svg.split("</style>")[1]


def test_second_order_operations_stand_in_a_frame():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record():
        loss = x**3
        (grad,) = autograd_lab.autograd.grad(loss, x, create_graph=True)
    drawing = draw_graph([loss, grad])
    order = next(cluster for cluster in drawing.picture.clusters if cluster.kind == "order")
    outside = [n.title for n in by_kind(drawing, "op") if n.cluster != order.key]
    assert outside == ["PowBackward0"]
    assert len([n for n in by_kind(drawing, "op") if n.cluster == order.key]) == 3
    assert float(next(n for n in drawing.picture.nodes if n.name == "grad").value) == 12.0  # 3 x**2


def test_roll_folds_equal_steps_and_keeps_the_first_and_the_last():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    h = x
    for _ in range(10):
        h = (h * 2).tanh()
    folded, whole = draw_graph(h, roll=True), draw_graph(h, roll=False)
    assert len(by_kind(whole, "op")) == 20
    assert len(by_kind(folded, "op")) < 8
    fold = by_kind(folded, "fold")[0]
    assert "×" in fold.name and "more steps like the one before" in fold.title
    assert folded.picture.notes[0].startswith("Repeated steps are folded: ")
    assert "roll=False" in folded.picture.notes[0]


def test_an_unrolled_network_of_1000_operations_is_drawn_at_once():
    import time

    w = autograd_lab.tensor([[0.5, 0.1], [0.2, 0.3]], requires_grad=True)
    h = autograd_lab.zeros(1, 2)
    for _ in range(330):
        h = autograd_lab.tanh(autograd_lab.ones(1, 2) @ w + h @ w)
    begin = time.perf_counter()
    drawing = draw_graph(h.sum())
    assert drawing.svg
    assert time.perf_counter() - begin < 1
    assert "Repeated steps are folded" in drawing.svg


def test_an_irregular_graph_of_10000_operations_is_cut_into_parts():
    import random
    import time

    chance = random.Random(0)
    values = [autograd_lab.tensor(float(i), requires_grad=True) for i in range(5)]
    for _ in range(10_000):
        a, b = values[-1], values[max(0, len(values) - 1 - int(chance.expovariate(0.3)))]
        values.append(chance.choice((operator.mul, operator.add, operator.sub))(a, b))
    begin = time.perf_counter()
    drawing = draw_graph(values[-1])
    assert drawing.svg
    assert time.perf_counter() - begin < 15
    assert 2 <= len(by_kind(drawing, "fold")) <= 12
    assert len(by_kind(drawing, "op")) == 60
    assert "draws each of them" in drawing.picture.notes[0]


def test_uses_of_a_referred_tensor_light_up_together():
    w = autograd_lab.tensor(1.0, requires_grad=True)
    y = w * 1.0
    for _ in range(50):
        y = y * w + 1
    drawing = draw_graph(y, roll=False)
    key = next(n.key for n in drawing.picture.nodes if n.name == "w" and n.kind == "leaf")
    same = [g for g in groups(drawing, "node") if g.get("data-same") == key]
    assert len(same) == len(by_kind(drawing, "ref")) + 1
    assert f'.ag-graph:has([data-same="{key}"]:hover)' in drawing.svg


# Marks of others


def test_diff_and_heat_are_passed_on():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    with record():
        old, new = x * 3, (x * 3).tanh()
    for one in (old, draw_graph(old), draw_graph(old).picture):
        drawing = draw_graph(new, diff=one)
        assert groups(drawing, "is-added")
        assert "added" in drawing.legend
    hot = draw_graph(new, heat="grad")
    assert any("ag-heat-" in (g.get("class") or "") for g in parsed(hot).iter(f"{SVG}g"))


def test_the_legend_names_only_what_is_in_the_drawing():
    x = autograd_lab.tensor(2.0, requires_grad=True)
    plain = draw_graph(x.tanh()).legend
    assert "dashed frame" not in plain and "purple dotted link" not in plain and "dotted curve" not in plain
    assert plain["thick border, leaf"] == "a tensor of yours with requires_grad=True"
    whole = net_drawing(show_saved=True).legend
    assert {"dashed frame", "purple dotted link", "thick border, param", "dashed arrow"} <= set(whole)


@pytest.mark.parametrize(("option", "value", "words"), [
    ("view", "sideways", "view must be one of 'both', 'forward', 'backward', got 'sideways'."),
    ("rankdir", "RL", "rankdir must be one of 'LR', 'TB', got 'RL'."),
    ("show", ("colour",), "show must be one of 'name', 'shape', 'value', 'grad', got 'colour'."),
    ("roll", "maybe", "roll must be \"auto\", True or False, got 'maybe'."),
    ("max_depth", 0, "max_depth must be a whole number from 1 on, got 0."),
    ("max_nodes", 2.5, "max_nodes must be a whole number from 1 on, got 2.5."),
])  # fmt: skip
def test_an_unknown_option_says_what_may_stand_there(option, value, words):
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with pytest.raises(ValueError) as caught:
        draw_graph(x * 2, **{option: value})
    assert str(caught.value) == words


def test_collapse_takes_names_only():
    x = autograd_lab.tensor(1.0, requires_grad=True)
    with pytest.raises(TypeError, match="collapse must be a name or several names, got"):
        draw_graph(x * 2, collapse=3)
