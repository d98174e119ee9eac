"""What the benches compute, against mathematics, finite differences and PyTorch; and their wrong answers."""

import itertools
import math

import numpy as np
import pytest

import autograd_lab
from autograd_lab.course.wrong_answers import near
from autograd_lab.view.heat import EXPLODING, VANISHING
from autograd_lab.widgets.digit_monitor import digit_monitor
from autograd_lab.widgets.digit_training import FAULTS, Training, digit_net
from autograd_lab.widgets.flow_bars import ACTIVATIONS, DEPTHS, EVEN, FIRST, INITS, flow, flow_bars, starves_question
from autograd_lab.widgets.loop_effects import effect_question, effects_of, step_question
from autograd_lab.widgets.loop_lab import loop_lab
from autograd_lab.widgets.loop_run import LINES, RIGHT, Start, run
from autograd_lab.widgets.mode_meter import HIDDEN, SIZES, cheaper_question, counted, passes_question
from autograd_lab.widgets.nudge_curve import Curve
from autograd_lab.widgets.nudge_lens import nudge_lens
from autograd_lab.widgets.vjp_bench import measured, vjp_bench


def check(question):
    """No wrong answer reads as the right one or as another, and each has its reason."""
    for one, other in itertools.combinations([question.answer, *(w.value for w in question.wrong)], 2):
        assert not near(one, other)
    assert all(wrong.reason and wrong.rule for wrong in question.wrong)


# Nudge lens --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", [-2.0, -0.5, 1.0, 3.0])
@pytest.mark.parametrize(
    ("f", "slope"),
    [
        (lambda x: x**2, lambda x: 2 * x),
        (lambda x: x**3 - x, lambda x: 3 * x**2 - 1),
        (lambda x: x.sin(), math.cos),
        (lambda x: -(x.exp()), lambda x: -math.exp(x)),
    ],
)
def test_the_slope_is_that_of_mathematics(f, slope, x):
    sign, size, best = nudge_lens(f, x).questions
    assert size.answer == pytest.approx(slope(x))
    assert sign.shown == ("It rises" if slope(x) > 0 else "It falls")
    check(size)
    assert best.shown in [choice.text for choice in best.choices]


def test_the_secant_is_computed_in_the_chosen_precision():
    curve = Curve(lambda x: x**2, 5.0)
    x, h = np.float32(5), np.float32(1e-4)
    assert curve.secant(1e-4, "float32") == float(((x + h) ** 2 - x**2) / h)
    assert curve.secant(1e-4, "float64") == ((5 + 1e-4) ** 2 - 25) / 1e-4


def test_the_best_h_is_near_the_root_of_the_rounding_error():
    curve = Curve(lambda x: x.exp(), 1.0)
    for precision, eps in (("float32", 2**-23), ("float64", 2**-52)):
        assert abs(curve.best(precision) - math.log10(math.sqrt(eps))) <= 1
        assert curve.error(-1, precision) == pytest.approx(0.1 * math.e / 2, rel=0.4)  # truncation is h f'' / 2


def test_a_step_that_is_lost_in_rounding_is_named():
    (*_, best) = nudge_lens(lambda x: x**2, 5.0).questions
    assert "x + h is x itself" in next(choice.reason for choice in best.choices if choice.text == "1e-16")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"h": 2.0}, "h must be between 1e-16 and 1, got 2.0."),
        ({"precision": "half"}, 'precision must be "float32" or "float64", got \'half\'.'),
    ],
)
def test_nudge_lens_says_what_is_wrong(options, message):
    with pytest.raises(ValueError) as caught:
        nudge_lens(lambda x: x**2, 5.0, **options)
    assert str(caught.value) == message


def test_a_function_without_a_slope_is_refused():
    with pytest.raises(ValueError, match="no finite value and slope at x = 0"):
        nudge_lens(lambda x: x.sqrt(), 0.0)
    with pytest.raises(ValueError, match="operations that autograd records"):
        nudge_lens(lambda x: x.detach(), 1.0)


# VJP bench ---------------------------------------------------------------------------------------------


def stacked(library):
    return lambda x: library.stack([x[0] * x[1], x[1] ** 2, (x[0] + x[1]).sin()])


@pytest.mark.parametrize("v", [[1.0, 0.0, 0.0], [1.0, -2.0, 0.5], [0.0, 0.0, 0.0]])
def test_rows_and_products_agree_with_finite_differences(v):
    def plain(x):
        return np.array([x[0] * x[1], x[1] ** 2, np.sin(x[0] + x[1])])

    x = np.array([0.7, -1.3])
    steps = 1e-6 * np.eye(2)
    jacobian = np.stack([(plain(x + s) - plain(x - s)) / 2e-6 for s in steps], axis=1)
    found = measured(stacked(autograd_lab), x.tolist(), v)
    np.testing.assert_allclose(found.rows, jacobian, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.result, np.array(v) @ jacobian, rtol=1e-6, atol=1e-9)
    assert found.passes == 3


def test_the_jacobian_is_pytorchs():
    torch = pytest.importorskip("torch")
    x, v = [0.7, -1.3], [1.0, -2.0, 0.5]
    theirs = torch.autograd.functional.jacobian(stacked(torch), torch.tensor(x, dtype=torch.float64))
    found = measured(stacked(autograd_lab), x, v)
    np.testing.assert_allclose(found.rows, theirs.numpy(), rtol=1e-12)
    np.testing.assert_allclose(found.result, (torch.tensor(v, dtype=torch.float64) @ theirs).numpy(), rtol=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_wrong_entries_never_collide(seed):
    draw = np.random.default_rng(seed)
    n, m = draw.integers(1, 5, 2)
    matrix = autograd_lab.from_numpy(draw.integers(-3, 4, (m, n)).astype(np.float64))
    bench = vjp_bench(lambda x: matrix @ x, draw.integers(-3, 4, n).tolist(), draw.integers(-3, 4, m).tolist())
    for question in bench.questions:
        check(question)
    assert bench.questions[-1].answer == m


def test_transposed_product_is_recognised():
    bench = vjp_bench(lambda x: autograd_lab.stack([x[0] * x[1], x[1] ** 2]), [2.0, 3.0], [1.0, -1.0])
    reasons = {wrong.value: wrong.reason for wrong in bench.questions[0].wrong}
    assert reasons[1.0].startswith("That is J v")  # 3 · 1 + 2 · (-1)


def test_vjp_bench_says_what_is_wrong():
    with pytest.raises(ValueError) as caught:
        vjp_bench(lambda x: x**2, [1.0, 2.0], [1.0])
    assert str(caught.value) == "v needs one number for each output: f(x) has 2, v has 1."


# Loop lab ----------------------------------------------------------------------------------------------


def test_one_right_step_is_that_of_the_document():
    rounds = run(RIGHT, Start(), 2).rounds
    assert (rounds[0].loss, rounds[0].grad) == (9.0, -12.0)
    assert rounds[1].loss == pytest.approx((2 * 3.6 + 1.3 - 10) ** 2)
    question = step_question(Start())
    assert question.answer == pytest.approx(2.25)
    check(question)


EFFECTS = {
    ("forward", "zero", "loss", "backward", "step"): ("falls",),
    ("forward", "loss", "backward", "zero", "step"): ("still",),
    ("step", "forward", "loss", "backward", "zero"): ("still",),
    ("zero", "forward", "loss", "backward"): ("still",),
    ("zero", "forward", "loss", "step"): ("still",),
    ("forward", "loss", "backward", "step"): ("sum",),
    ("forward", "loss", "step", "zero", "backward"): ("stale",),
    ("step", "zero", "forward", "loss", "backward"): ("late",),
    (*RIGHT, "total"): ("memory",),
    (*RIGHT, "item"): ("falls",),
    ("forward", "loss", "backward", "step", "total"): ("sum", "memory"),
    ("zero", "forward", "loss", "detach", "backward", "step"): ("error",),
    ("zero", "forward", "backward", "loss", "step"): ("error",),
    (): ("still",),
}


@pytest.mark.parametrize("order", EFFECTS)
def test_what_an_order_does(order):
    assert effects_of(run(order, Start(), 20)) == EFFECTS[order]


def test_every_order_has_an_effect_and_true_effects_are_no_wrong_answers():
    for order in itertools.permutations(RIGHT):
        done = run(order, Start(), 6)
        question = effect_question(done)
        assert sum(choice.right for choice in question.choices) == 1
        wrong = [choice for choice in question.choices if not choice.right]
        assert len({choice.reason for choice in wrong}) >= 3
        moves = any(update.ages for update in done.updates)
        if not done.raised:
            assert (done.rounds[-1].w == 3.0) is not moves


@pytest.mark.parametrize("order", [order for order in EFFECTS if order])
def test_the_same_lines_in_pytorch_give_the_same_weights(order):
    torch = pytest.importorskip("torch")
    w, b = (torch.tensor(value, requires_grad=True) for value in (3.0, 1.0))
    names = {"w": w, "b": b, "x": torch.tensor(2.0), "target": torch.tensor(10.0), "total": 0.0}
    names["optimizer"] = torch.optim.SGD([w, b], lr=0.05)
    ours = run(order, Start(), 8)
    raised = None
    for _ in range(8):
        for key in order:
            try:
                exec(LINES[key], names)
            except (RuntimeError, NameError) as error:
                raised = (type(error).__name__, str(error))
                break
        if raised:
            break
    if raised:
        assert (ours.raised.name, ours.raised.message) == raised
    else:
        assert (ours.rounds[-1].w, ours.rounds[-1].b) == pytest.approx((w.item(), b.item()), rel=1e-6)


def test_a_total_of_tensors_keeps_every_graph():
    tensors, numbers = (run((*RIGHT, extra), Start(), 20).rounds for extra in ("total", "item"))
    assert len({r.nodes for r in numbers}) == 1
    steps = {b.nodes - a.nodes for a, b in itertools.pairwise(tensors)}
    assert steps == {5}  # mul, add, sub, pow, and the add of the total


def test_loop_lab_says_what_is_wrong():
    with pytest.raises(ValueError, match="at most once"):
        loop_lab(["step", "step"])
    with pytest.raises(ValueError, match="from 3 to 200"):
        loop_lab(rounds=1)


# Flow bars ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("init", INITS)
def test_the_answer_follows_from_the_bars(activation, init):
    for depth in DEPTHS:
        found = flow(depth, activation, init)
        starves, size = flow_bars(depth, activation, init).questions
        small, large = min(found.norms), max(found.norms)
        assert (starves.shown == EVEN) is (small > large / 100)
        if starves.shown == FIRST:
            assert found.norms[0] == small
        assert ("vanishes" in size.shown or "Both" in size.shown) is (small < VANISHING)
        assert ("explodes" in size.shown or "Both" in size.shown) is (large > EXPLODING)
        assert len(starves_question(found).choices) == (3 if depth == 2 else 4)


def test_a_gradient_of_the_net_is_that_of_pytorch():
    torch = pytest.importorskip("torch")
    draw = autograd_lab.Generator()
    draw.manual_seed(3)
    x = torch.from_numpy(autograd_lab.randn(8, 16, generator=draw).numpy()).double()
    weights = []
    for _ in range(5):
        weight = autograd_lab.empty(16, 16, dtype=autograd_lab.float64)
        autograd_lab.nn.init.xavier_uniform_(weight, generator=draw)
        weights.append(torch.from_numpy(weight.numpy()).requires_grad_())
        x = torch.tanh(x @ weights[-1].T)
    (x**2).mean().backward()
    theirs = [weight.grad.norm().item() for weight in weights]
    np.testing.assert_allclose(flow(5, "tanh", "xavier_uniform_").norms, theirs, rtol=1e-10)


# Mode meter --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "m"), list(itertools.product(SIZES[:6], SIZES[:6])))
def test_counted_multiplications_are_those_of_the_products(n, m):
    one = HIDDEN * n + HIDDEN * HIDDEN + m * HIDDEN
    found = counted(n, m)
    assert found.passes == (n, m)
    assert found.multiplications == (n * one, m * one)
    check(passes_question(found))
    right = "Both cost the same" if n == m else "Forward mode" if n < m else "Reverse mode"
    assert cheaper_question(found).shown == right


def test_the_jacobian_of_the_chain_is_that_of_func():
    found = counted(3, 2)
    draw = autograd_lab.Generator()
    draw.manual_seed(32)
    shapes = ((HIDDEN, 3), (HIDDEN, HIDDEN), (2, HIDDEN))
    a, b, c = (autograd_lab.randint(-2, 3, shape, generator=draw).to(autograd_lab.float64) for shape in shapes)

    def f(x):
        return c @ (b @ (a @ x))

    x = autograd_lab.ones(3, dtype=autograd_lab.float64)
    jacobian = np.array(found.jacobian)
    _, pull = autograd_lab.func.vjp(f, x)
    for i, seed in enumerate(autograd_lab.eye(2, dtype=autograd_lab.float64)):
        np.testing.assert_array_equal(pull(seed)[0].numpy(), jacobian[i])
    for j, tangent in enumerate(autograd_lab.eye(3, dtype=autograd_lab.float64)):
        np.testing.assert_array_equal(autograd_lab.func.jvp(f, (x,), (tangent,))[1].numpy(), jacobian[:, j])


# Digit monitor -----------------------------------------------------------------------------------------


def trained(bench, **values):
    """Press Train until it is done."""
    output = bench.set("run", **values)
    while output.progress < 1:
        output = bench.set("more")
    return output


@pytest.fixture(scope="module")
def monitor():
    return digit_monitor(epochs=1)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_prediction_is_what_a_training_reaches(monitor, fault):
    output = trained(monitor, fault=fault)
    monitor.set("restart")
    accuracy = next(block for block in output.blocks if getattr(block, "head", ("",))[0] == "epoch").rows[0][1]
    band = float(output.questions[0].shown.split()[1])
    assert abs(float(accuracy.rstrip("%")) - band) <= 10.05


def test_slices_of_time_do_not_change_what_is_learned():
    digits = autograd_lab.datasets.digits8()
    logs = []
    for seconds in (0.0, math.inf):
        net = digit_net(8, 16, 0.25)
        training = Training(net, digits, autograd_lab.optim.SGD(net.parameters(), lr=0.02, momentum=0.9), 64, 1, 0)
        while training.progress < 1:
            training.work(seconds)
        logs.append((training.log.losses, training.log.tested))
    assert logs[0] == logs[1]


def test_the_learners_random_numbers_are_left_alone():
    autograd_lab.manual_seed(5)
    before = autograd_lab.rand(3).tolist()
    autograd_lab.manual_seed(5)
    digit_monitor(epochs=1)
    assert autograd_lab.rand(3).tolist() == before


def test_starting_again_returns_to_the_first_weights():
    net = digit_net(8, 16, 0.25)
    first = [parameter.detach().clone() for parameter in net.parameters()]
    bench = digit_monitor(net, None, autograd_lab.optim.Adam(net.parameters()), epochs=1, batch=64)
    assert all(bool((a == b).all()) for a, b in zip(first, net.parameters(), strict=True))
    trained(bench)
    assert not all(bool((a == b).all()) for a, b in zip(first, net.parameters(), strict=True))
    bench.set("restart")
    assert all(bool((a == b).all()) for a, b in zip(first, net.parameters(), strict=True))


@pytest.mark.parametrize("fault", ["backward() left out", "step() left out"])
def test_without_this_line_no_weight_moves(monitor, fault):
    texts = [block.as_text() for block in trained(monitor, fault=fault).blocks]
    assert any("No weight has moved" in text for text in texts)


def test_digit_monitor_says_what_is_wrong():
    with pytest.raises(ValueError, match="pass that model too"):
        digit_monitor(optimizer=object())
    with pytest.raises(ValueError, match="epochs must be a whole number above 0"):
        digit_monitor(epochs=0)
