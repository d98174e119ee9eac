"""The recorded program: run again unchanged it tells the same walk, with other inputs it tells PyTorch's numbers."""

import gc
import weakref

import numpy as np
import pytest

import autograd_lab
from autograd_lab import recorder, step_through
from autograd_lab.view.names import Names
from autograd_lab.view.program import CannotRunAgain, program_of
from autograd_lab.view.replay import Run, apart
from autograd_lab.view.tape import record
from autograd_lab.view.trial import Trial

PROGRAMS = {
    "a chain": "x = torch.tensor(2.0, requires_grad=True); y = x * 3; z = y + 4; loss = z**2",
    "a fan-out": "x = torch.tensor(4.0, requires_grad=True); loss = x**2 + 3 * x - x / 2",
    "a broadcast matmul": """
X = torch.tensor([[1.0, 2.0], [3.0, -1.0], [0.5, 2.0]])
x = torch.tensor([[0.5, -1.0], [2.0, 0.25]], requires_grad=True)
b = torch.tensor([0.1, -0.2], requires_grad=True)
loss = ((X @ x + b) ** 2).sum()""",
    "a dead relu": """
x = torch.tensor([-1.0, 2.0], requires_grad=True)
h = torch.relu(x * torch.tensor([3.0, -1.0]))
loss = h.sum() + x[1]""",
    "a change in place": """
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
y.mul_(x)
loss = y.mean()""",
    "lists, views, several results, indices": """
x = torch.tensor([1.0, -2.0], requires_grad=True)
b = torch.tensor([3.0], requires_grad=True)
c = torch.cat([x, b])
s = torch.stack([c, c * 2])
p, q = s.unbind(0)
v, i = s.max(dim=1)
picked = s[torch.tensor([0, 1]), torch.tensor([0, 2])]
loss = (p * q).sum() + v[0] + s[:, 1].sum() + picked.sum() + s.mean(dim=(0, 1))""",
    "mixed dtypes": """
x = torch.tensor([2.0, 1.0], requires_grad=True)
k = torch.tensor([1, 2])
loss = (x * k + torch.tensor(1.0, dtype=torch.float64)).sum()""",
    "a kept gradient": """
x = torch.tensor(2.0, requires_grad=True)
(x * 5).backward()
y = x**2
y.retain_grad()
loss = y * x""",
    "a network in training": """
torch.manual_seed(0)
net = torch.nn.Sequential(
    torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Tanh(), torch.nn.Dropout(0.5), torch.nn.Linear(4, 2)
)
x, t = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])
loss = torch.nn.functional.cross_entropy(net(x), t)""",
}


def walk_of(code, predict="all"):
    """The walk of a program, and its variables."""
    variables = {"torch": autograd_lab, "step_through": step_through}
    with record():
        exec(code, variables)
    exec(f"walk = step_through(loss, predict={predict!r})", variables)
    return variables["walk"], variables


@pytest.mark.parametrize("name", PROGRAMS)
def test_run_again_unchanged_it_tells_the_same_walk(name):
    walk, _ = walk_of(PROGRAMS[name])
    assert walk.still == ""
    first, *rest = walk.trial.frames()
    assert rest == walk.frames[1:]
    assert first["say"] == walk.frames[0]["say"]
    assert first["set"].items() >= walk.frames[0]["set"].items()  # constants that are gone live again in the run


@pytest.mark.parametrize("name", [name for name in PROGRAMS if "network" not in name])
def test_with_other_inputs_it_tells_pytorchs_numbers(name):
    torch = pytest.importorskip("torch")
    code = PROGRAMS[name]
    walk, variables = walk_of(code, "none")
    x = next(i for i, start in enumerate(walk.trial.program.inputs) if start.name == "x")
    before = variables["x"].detach().clone()
    value = np.array(walk.trial.program.inputs[x].data) * -0.5 + 0.75
    for place, number in enumerate(value.reshape(-1)):
        walk.trial.change(x, place, float(number))
    frames = walk.trial.frames()
    theirs = {"torch": torch}
    first, _, rest = code.partition("x = torch.tensor(")
    _, _, rest = rest.partition(", requires_grad=True)")
    exec(f"{first}x = torch.tensor({value.tolist()}, requires_grad=True){rest}", theirs)
    theirs["loss"].backward()
    assert len(frames) == len(walk.frames)
    made = Run(walk.trial.program, walk.trial.changed)
    assert made.result.item() == pytest.approx(theirs["loss"].item(), rel=1e-5)
    made.result.backward()
    assert np.allclose(made.inputs[x].grad.numpy(), theirs["x"].grad.numpy(), rtol=1e-5)
    assert autograd_lab.equal(variables["x"], before), "the learner's tensor stays"


def test_the_session_hears_nothing_of_a_run():
    walk, _ = walk_of(PROGRAMS["a chain"])
    with record() as tape, autograd_lab.no_grad():
        walk.trial.change(0, 0, 5.0)
        frames = walk.trial.frames()
    assert len(tape) == 0
    assert frames[-1]["told"] == ["x.grad = ⟦q7-1|114⟧"]
    with pytest.raises(ZeroDivisionError), apart():
        raise ZeroDivisionError


def test_a_curve_has_the_results_and_the_slope():
    walk, _ = walk_of(PROGRAMS["a chain"], "none")
    curve = walk.trial.curve(0, 0.0, 6.0)
    assert [(x, y) for x, y in curve["points"]] == [
        pytest.approx((x, (3 * x + 4) ** 2), rel=1e-5) for x in np.linspace(0, 6, 61)
    ]
    assert (curve["x"], curve["y"], curve["slope"]) == (2.0, 100.0, 60.0)


def test_what_is_not_finite_is_none_and_not_nan():
    walk, _ = walk_of("x = torch.tensor(1.0, requires_grad=True); loss = torch.log(x)", "none")
    points = walk.trial.curve(0, -1.0, 1.0)["points"]
    assert points[0][1] is None
    assert points[-1][1] == 0.0


def test_inputs_are_told_as_one_would_type_them():
    walk, _ = walk_of("x = torch.tensor([0.1, -2.0, 1e-7], requires_grad=True); loss = x.sum()")
    (told,) = walk.trial.inputs()
    assert told["texts"] == told["first"] == ["0.1", "-2", "1e-07"]
    walk.trial.change(0, 1, 0.123456)
    assert walk.trial.inputs()[0]["texts"] == ["0.1", "0.123456", "1e-07"]
    walk.trial.reset()
    assert walk.trial.inputs()[0]["texts"] == ["0.1", "-2", "1e-07"]


@pytest.mark.parametrize(("place", "value"), [(3, 1.0), (-1, 1.0), (0, float("nan")), (0, float("inf"))])
def test_what_cannot_be_put_in_is_refused(place, value):
    walk, _ = walk_of("x = torch.tensor([0.1, -2.0, 1e-7], requires_grad=True); loss = x.sum()")
    with pytest.raises(ValueError):
        walk.trial.change(0, place, value)
    assert walk.trial.frames() == walk.frames


ASKED = {
    "towards an input": "step_through(loss, inputs=[y])",
    "from a gradient": "step_through(y, grad=torch.tensor([1.0, -2.0]))",
    "to the second order": "step_through(loss, order=2)",
}


@pytest.mark.parametrize("name", ASKED)
def test_every_kind_of_walk_can_be_changed(name):
    variables = {"torch": autograd_lab, "step_through": step_through}
    with record():
        exec("x = torch.tensor([1.0, 2.0], requires_grad=True); y = x**3; loss = y.sum()", variables)
    exec(f"walk = {ASKED[name]}", variables)
    walk = variables["walk"]
    assert walk.trial.frames()[1:] == walk.frames[1:]
    walk.trial.change(0, 0, 3.0)
    with record():
        exec("x = torch.tensor([3.0, 2.0], requires_grad=True); y = x**3; loss = y.sum()", variables)
    exec(f"walk = {ASKED[name]}", variables)
    told = [frame["told"] for frame in variables["walk"].frames]
    assert [frame["told"] for frame in walk.trial.frames()] == told


def test_a_graph_of_pytorch_says_so():
    torch = pytest.importorskip("torch")
    x = torch.tensor(2.0, requires_grad=True)
    with record():
        loss = x * 3
    assert "this graph belongs to another library" in step_through(loss).still


REFUSED = {
    "a write into a part": (
        "x = torch.tensor([1.0, 2.0], requires_grad=True); y = x * 2; y[0] = 5.0; loss = y.sum()",
        "CopySlices",
    ),
    "a function of the learner": (
        """
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2
    @staticmethod
    def backward(ctx, grad):
        return grad * 2
x = torch.tensor(1.0, requires_grad=True)
loss = Twice.apply(x)""",
        "TwiceBackward",
    ),
    "a hook": (
        "x = torch.tensor(1.0, requires_grad=True); y = x * 2; y.register_hook(lambda g: g * 3); loss = y * 2",
        "a hook waits at MulBackward0",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_run_again_is_said_in_a_sentence(name):
    code, words = REFUSED[name]
    walk, _ = walk_of(code, "none")
    assert walk.trial is None
    assert walk.still.startswith("The inputs cannot be changed here: ")
    assert words in walk.still


def test_without_a_recording_the_walk_says_what_to_do():
    watchers = list(recorder.watchers)
    recorder.watchers.clear()
    x = autograd_lab.tensor(2.0, requires_grad=True)
    loss = x * 3
    recorder.watchers[:] = watchers
    assert "Compute inside `with record():`" in step_through(loss).still
    with pytest.raises(CannotRunAgain):
        program_of(loss, Names())


def test_a_leaf_that_also_goes_around_the_graph_is_fixed_with_the_reason():
    walk, _ = walk_of("x, w = (torch.tensor(2.0, requires_grad=True) for _ in range(2)); loss = x * w * x.detach()")
    fixed = {told["name"]: told["fixed"] for told in walk.trial.inputs()}
    assert fixed["x"].startswith("A constant was computed from it outside the graph (detach")
    assert fixed["w"] == ""


def test_a_walk_with_a_program_keeps_no_tensor():
    def made_and_left():
        x = autograd_lab.tensor(2.0, requires_grad=True)
        with record():
            loss = x * 3
        return step_through(loss), weakref.ref(x)

    walk, kept = made_and_left()
    gc.collect()
    assert kept() is None
    assert isinstance(walk.trial, Trial)
