"""Every activation: values, gradients and second gradients are PyTorch's, at ordinary points and at kinks."""

import numpy as np
import pytest

SMOOTH = {
    "sigmoid": lambda t, F, x: F.sigmoid(x),
    "tanh": lambda t, F, x: F.tanh(x),
    "elu": lambda t, F, x: F.elu(x, 1.3),
    "selu": lambda t, F, x: F.selu(x),
    "celu": lambda t, F, x: F.celu(x, 0.7),
    "gelu": lambda t, F, x: F.gelu(x),
    "gelu tanh": lambda t, F, x: F.gelu(x, approximate="tanh"),
    "silu": lambda t, F, x: F.silu(x),
    "mish": lambda t, F, x: F.mish(x),
    "softplus": lambda t, F, x: F.softplus(x, 1.5, 2.0),
    "softsign": lambda t, F, x: F.softsign(x),
    "tanhshrink": lambda t, F, x: F.tanhshrink(x),
    "logsigmoid": lambda t, F, x: F.logsigmoid(x),
    "glu": lambda t, F, x: F.glu(x, 1),
    "softmax": lambda t, F, x: F.softmax(x, 1),
    "softmin": lambda t, F, x: F.softmin(x, 0),
    "log_softmax": lambda t, F, x: F.log_softmax(x, 0),
}
KINKED = {
    "relu": lambda t, F, x: F.relu(x),
    "relu6": lambda t, F, x: F.relu6(3 * x),
    "leaky_relu": lambda t, F, x: F.leaky_relu(x, 0.1),
    "hardtanh": lambda t, F, x: F.hardtanh(x, -1.5, 0.5),
    "hardsigmoid": lambda t, F, x: F.hardsigmoid(2 * x),
    "hardswish": lambda t, F, x: F.hardswish(2 * x),
    "softshrink": lambda t, F, x: F.softshrink(x, 0.5),
    "hardshrink": lambda t, F, x: F.hardshrink(x, 0.5),
    "threshold": lambda t, F, x: F.threshold(x, 0.5, -3.0),
    "prelu": lambda t, F, x: F.prelu(x, t.tensor([0.25], dtype=x.dtype)),
}


def single(name):
    """PyTorch computes these two with constants in float32, also for float64."""
    return 1e-6 if name in ("hardsigmoid", "celu") else 1e-9


@pytest.mark.parametrize("name", SMOOTH)
def test_smooth_activations_agree_with_torch_to_second_gradients(name, same, draw):
    same(SMOOTH[name], 3 * draw(3, 4), tolerance=1e-8)


@pytest.mark.parametrize("name", KINKED)
def test_kinked_activations_agree_with_torch(name, same, draw):
    same(KINKED[name], draw(3, 4), twice=False, tolerance=single(name))


@pytest.mark.parametrize("name", {**KINKED, **{k: v for k, v in SMOOTH.items() if k != "glu"}})
def test_slopes_at_kinks_zero_and_far_out_are_torchs(name, same):
    points = np.array([[0.0, 0.5, -0.5, -1.5], [1.0, 1.5, -3.0, 3.0], [-0.0, 50.0, -50.0, 2.0]])
    same({**KINKED, **SMOOTH}[name], points, twice=False, tolerance=single(name))


@pytest.mark.parametrize("name", ["elu", "silu", "mish", "softplus", "gelu", "logsigmoid", "hardswish", "softmax"])
def test_float32_stays_float32(name, same, draw):
    same({**KINKED, **SMOOTH}[name], draw(2, 3).astype(np.float32), tolerance=1e-4)


def test_prelu_learns_one_slope_per_channel(same, draw):
    same(lambda t, F, x, w: F.prelu(x, w), draw(2, 3, 4), draw(3, low=0.1), twice=False)


def test_normalize_divides_by_the_length(same, draw):
    same(lambda t, F, x: F.normalize(x, dim=1), draw(2, 3))


INPLACE = ("relu", "leaky_relu", "elu", "selu", "celu", "hardtanh", "relu6", "hardsigmoid", "hardswish", "silu", "mish")


@pytest.mark.parametrize("name", INPLACE)
def test_inplace_writes_into_the_input_and_keeps_the_gradient(name, same, draw):
    same(lambda t, F, x: getattr(F, name)(x * 1, inplace=True), draw(3), twice=False, tolerance=single(name))


TEXTS = {
    "relu of a list": lambda t, F: F.relu([1.0]),
    "gelu approximate": lambda t, F: F.gelu(t.ones(2), approximate="x"),
    "softshrink negative": lambda t, F: F.softshrink(t.ones(2), -1.0),
    "glu odd": lambda t, F: F.glu(t.ones(3)),
    "prelu channels": lambda t, F: F.prelu(t.ones(2, 3), t.ones(2)),
    "softmax bad dim": lambda t, F: F.softmax(t.ones(2), 2),
    "softmax of ints": lambda t, F: F.softmax(t.tensor([1, 2]), 0),
    "log_softmax of ints": lambda t, F: F.log_softmax(t.tensor([1, 2]), 0),
}


@pytest.mark.parametrize("name", TEXTS)
def test_error_texts_are_torchs(name, messages):
    ours, theirs = messages(TEXTS[name])
    assert ours == theirs


def test_softmax_without_dim_warns_as_torch_does():
    import autograd_lab.nn.functional as F
    from autograd_lab import tensor

    with pytest.warns(UserWarning, match="Implicit dimension choice for softmax has been deprecated"):
        F.softmax(tensor([[1.0, 2.0]]))
