"""Games on the drawing: what an early firing or a cut gives is arithmetic, or what PyTorch does with that program."""

import pytest

import autograd_lab
from autograd_lab.widgets import firing_order, scissors
from autograd_lab.widgets.answers import same


@pytest.fixture(params=["autograd_lab", "torch"])
def torch(request):
    """Our package and, where it is installed, PyTorch."""
    return pytest.importorskip(request.param, reason="torch is not installed")


def fan_out(torch):
    x = torch.tensor(4.0, requires_grad=True)
    return x, x * x + 3 * x


# firing_order ----------------------------------------------------------------------------------------


def play(game, order):
    """Fire nodes by number; the numbers that may not fire when it is their turn."""
    sent, early = set(), []
    for i in order:
        node = game.nodes[i]
        if i != game.order[0] and not set(node["awaits"]) <= sent:
            early.append(i)
        sent |= set(node["sends"])
    return early


def test_pytorchs_own_order_has_no_early_firing_and_the_other_way_round_has(torch):
    game = firing_order(fan_out(torch)[1])
    assert play(game, game.order) == []
    assert play(game, game.order[::-1]) != []
    assert sorted(game.order) == list(range(len(game.nodes)))


def test_an_early_firing_tells_the_gradient_it_would_give(torch):
    """At x = 4, 3 comes from the product and 4 twice from the square: parts of the sum are 3, 4, 7 and 8."""
    x, loss = fan_out(torch)
    game = firing_order(loss)
    assert x.is_leaf
    (leaf,) = (node for node in game.nodes if node["leaf"])
    assert len(leaf["awaits"]) == 3 and leaf["incoming"] == "11"
    values = {str(i): float(game.ways[i]["value"]) for i in leaf["awaits"]}
    assert len(leaf["early"]) == 6
    for here, text in leaf["early"].items():
        part = f"{sum(values[i] for i in here.split()):g}"
        assert f"with {part} in place of 11" in text and f"`x.grad` would get {part} in place of 11" in text


def test_firing_in_the_middle_of_a_diamond_too_early_spoils_the_leaf(torch):
    """y = 2x, loss = y*y*y as (y*y)*y: y awaits 3; what is missing at y is missing at x, twice over."""
    x = torch.tensor(1.0, requires_grad=True)
    y = x * 2
    game = firing_order(y * y * y)
    (node,) = (node for node in game.nodes if len(node["awaits"]) == 3)
    assert node["incoming"] == "12"
    for here, text in node["early"].items():
        part = 4.0 * len(here.split())
        assert f"`x.grad` would get {2 * part:g} in place of 24" in text


def test_the_game_leaves_no_trace(torch):
    x, loss = fan_out(torch)
    firing_order(loss)
    scissors(loss)
    assert x.grad is None
    loss.backward()
    assert x.grad.item() == 11


def test_games_need_a_tracked_result_of_moderate_size(torch):
    with pytest.raises(TypeError, match="got float"):
        firing_order(4.0)
    with pytest.raises(ValueError, match="tracked result with one element"):
        firing_order(torch.tensor([1.0, 2.0], requires_grad=True) * 2)
    x = torch.tensor(1.0, requires_grad=True)
    for _ in range(41):
        x = x * 1.1
    with pytest.raises(ValueError, match="up to 40 operations; this one has 41"):
        firing_order(x)


# scissors --------------------------------------------------------------------------------------------

CUT_PROGRAMS = {
    "detach: w on its way into MulBackward0 (w × 2)": lambda w, b, t: (w.detach() * 2 + b) * w,
    "detach: t1 on its way into AddBackward0 (t1 + b)": lambda w, b, t: ((w * 2).detach() + b) * w,
    "detach: b on its way into AddBackward0 (t1 + b)": lambda w, b, t: (w * 2 + b.detach()) * w,
    "detach: t2 on its way into MulBackward0 (t2 × w)": lambda w, b, t: (w * 2 + b).detach() * w,
    "detach: w on its way into MulBackward0 (t2 × w)": lambda w, b, t: (w * 2 + b) * w.detach(),
    "item: w on its way into MulBackward0 (t2 × w)": lambda w, b, t: (w * 2 + b) * w.item(),
    "item: t2 on its way into MulBackward0 (t2 × w)": lambda w, b, t: (w * 2 + b).item() * w,
    "numpy: b on its way into AddBackward0 (t1 + b)": lambda w, b, t: (w * 2 + b.numpy()) * w,
    "no_grad: around MulBackward0 (w × 2)": lambda w, b, t: (under(t, lambda: w * 2) + b) * w,
    "no_grad: around AddBackward0 (t1 + b)": lambda w, b, t: under(t, lambda: w * 2 + b) * w,
    "no_grad: around MulBackward0 (t2 × w)": lambda w, b, t: under(t, lambda: (w * 2 + b) * w),
}


def under(torch, function):
    with torch.no_grad():
        return function()


@pytest.mark.parametrize("label", CUT_PROGRAMS)
def test_every_cut_gives_what_the_program_with_that_cut_gives_in_pytorch(label):
    real = pytest.importorskip("torch")
    w, b = real.tensor(1.0, requires_grad=True), real.tensor(3.0, requires_grad=True)
    state = "runs"
    try:
        loss = CUT_PROGRAMS[label](w, b, real)
    except RuntimeError:
        state = "is not reached: the forward pass raises"
    else:
        try:
            loss.backward()
        except RuntimeError:
            state = "raises an error"
    game = scissors(lambda w, b: (w * 2 + b) * w, w=1.0, b=3.0)
    (cut,) = (cut for cut in game.cuts if cut.label == label)
    asked = [cell.right for cell in game.cells(cut)]
    texts = ["None" if t.grad is None else str(t.grad.item()) for t in (w, b)]
    assert asked[0] == state
    assert all(same(one, other) for one, other in zip(asked[1:], texts, strict=True))


def test_both_libraries_have_the_same_cuts_for_the_same_program():
    real = pytest.importorskip("torch")
    found = []
    for torch in (autograd_lab, real):
        w, b = torch.tensor(1.0, requires_grad=True), torch.tensor([3.0, 1.0], requires_grad=True)
        loss = ((w * b) ** 2).sum()
        game = scissors(loss)
        found.append([(cut.kind, cut.keys, [cell.right for cell in game.cells(cut)]) for cut in game.cuts])
    assert found[0] == found[1]


def test_item_of_several_elements_stops_the_forward_pass():
    game = scissors(lambda w: (w * w).sum(), w=[1.0, 2.0], kinds=["item"])
    first = [game.cells(cut)[0] for cut in game.cuts]
    assert {cell.right for cell in first} == {"is not reached: the forward pass raises"}
    assert "a Tensor with 2 elements cannot be converted to Scalar" in first[0].because


def test_each_wrong_prediction_has_its_reason():
    game = scissors(lambda w, b: (w * 2 + b) * w, w=1.0, b=3.0)
    for cut in game.cuts:
        for cell in game.cells(cut):
            answers = [wrong.answer for wrong in cell.wrong]
            assert answers and not any(same(answer, cell.right) for answer in answers)
            assert all(len(wrong.reason) > 20 and wrong.rule[0] == "M" for wrong in cell.wrong)
    (cut,) = (cut for cut in game.cuts if cut.label.startswith("detach: w on its way into MulBackward0 (w"))
    told = {wrong.answer: (wrong.rule, wrong.reason) for wrong in game.cells(cut)[1].wrong}
    assert game.cells(cut)[1].right == "5"  # 7 without the cut: 5 from w itself, 2 * 1 by way of w * 2
    assert told["7"][0] == "M15" and "cut off" in told["2"][1]


def test_unknown_cuts_are_refused():
    with pytest.raises(ValueError, match="some of detach, no_grad, item, numpy, got 'glue'"):
        scissors(lambda w: w * 2, w=1.0, kinds=["glue"])
    with pytest.raises(TypeError, match="a loss, or a function"):
        scissors(3)


def test_games_are_stored_as_text_with_everything_in_it(monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    loss = fan_out(autograd_lab)[1]
    for game in (firing_order(loss), scissors(loss)):
        first, second = game._repr_mimebundle_(), type(game)._repr_mimebundle_(game)
        assert first == second and set(first) == {"text/plain", "text/html"}
        assert "not answered" in first["text/plain"] and "0x" not in first["text/plain"]
    for node in firing_order(loss).nodes:
        assert node["name"] in firing_order(loss).text()
    for cut in scissors(loss).cuts:
        assert cut.label in scissors(loss).text()


def test_a_freed_graph_raises_pytorchs_text_with_a_note(torch):
    x = torch.tensor(3.0, requires_grad=True)
    loss = x * x
    loss.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time") as raised:
        firing_order(loss)
    assert "Call this before loss.backward()" in raised.value.__notes__[-1]


def test_a_function_of_ones_own_is_a_node_like_the_others(torch):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 2 * x * grad

    x = torch.tensor(3.0, requires_grad=True)
    game = firing_order(Square.apply(x) + x)
    assert game.in_pytorchs_order()[-1]["incoming"] == "7"
    assert any("SquareBackward" in node["name"] for node in game.nodes)


def test_nodes_with_several_results_are_refused_by_name(torch):
    a, b = torch.tensor([1.0, 2.0], requires_grad=True).unbind()
    with pytest.raises(ValueError, match="UnbindBackward0 gives several results"):
        scissors(a * b)
