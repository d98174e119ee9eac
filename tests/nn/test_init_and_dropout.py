"""First values and random zeros: spreads, means and bounds follow from the formulas."""

import math

import numpy as np
import pytest

import autograd_lab as torch
import autograd_lab.nn.functional as F
from autograd_lab import nn


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(0)


FAN_IN, FAN_OUT = 300 * 2, 200 * 2
SPREADS = {
    "xavier_uniform": (nn.init.xavier_uniform_, {}, math.sqrt(2 / (FAN_IN + FAN_OUT))),
    "xavier_normal": (nn.init.xavier_normal_, {"gain": 2.0}, 2 * math.sqrt(2 / (FAN_IN + FAN_OUT))),
    "kaiming_uniform": (nn.init.kaiming_uniform_, {"nonlinearity": "relu"}, math.sqrt(2 / FAN_IN)),
    "kaiming_normal": (
        nn.init.kaiming_normal_,
        {"mode": "fan_out", "nonlinearity": "tanh"},
        5 / 3 / math.sqrt(FAN_OUT),
    ),
    "leaky": (nn.init.kaiming_normal_, {"a": 0.5}, math.sqrt(2 / 1.25 / FAN_IN)),
    "normal": (nn.init.normal_, {"std": 0.3}, 0.3),
    "uniform": (nn.init.uniform_, {"a": -1.0, "b": 1.0}, 1 / math.sqrt(3)),
}


@pytest.mark.parametrize("name", SPREADS)
def test_spreads(name):
    function, options, spread = SPREADS[name]
    w = torch.empty(200, 300, 2)
    assert function(w, **options) is w
    assert np.std(w.numpy()) == pytest.approx(spread, rel=0.02)
    assert abs(np.mean(w.numpy())) < 0.02 * spread


def test_linear_and_conv_start_within_one_over_root_fan_in():
    for layer, fan_in in ((nn.Linear(50, 40), 50), (nn.Conv2d(4, 30, 3), 36)):
        bound = 1 / math.sqrt(fan_in)
        for p in layer.parameters():
            assert np.abs(p.detach().numpy()).max() <= bound
        assert np.abs(layer.weight.detach().numpy()).max() > 0.9 * bound


def test_orthogonal_rows_or_columns():
    for shape in ((4, 6), (6, 4), (3, 2, 2)):
        w = nn.init.orthogonal_(torch.empty(*shape), gain=2).numpy().reshape(shape[0], -1)
        small = w @ w.T if w.shape[0] <= w.shape[1] else w.T @ w
        np.testing.assert_allclose(small, 4 * np.eye(len(small)), atol=1e-5)


def test_eye_dirac_trunc_sparse():
    np.testing.assert_array_equal(nn.init.eye_(torch.empty(2, 3)).numpy(), np.eye(2, 3))
    kernel = nn.init.dirac_(torch.empty(2, 2, 3))
    x = torch.tensor(np.arange(8.0, dtype=np.float32).reshape(1, 2, 4))
    np.testing.assert_array_equal(F.conv1d(x, kernel, padding=1).numpy(), x.numpy())
    w = nn.init.trunc_normal_(torch.empty(1000), 0.5, 2.0, -1.0, 1.0).numpy()
    assert -1 <= w.min() < w.max() <= 1
    zeros = (nn.init.sparse_(torch.empty(10, 5), 0.3).numpy() == 0).sum(0)
    np.testing.assert_array_equal(zeros, 3)


def test_bad_requests():
    with pytest.raises(ValueError, match="Fan in and fan out can not be computed"):
        nn.init.xavier_uniform_(torch.empty(3))
    with pytest.raises(ValueError, match="Unsupported nonlinearity foo"):
        nn.init.calculate_gain("foo")
    with pytest.raises(ValueError, match="Mode x not supported"):
        nn.init.kaiming_normal_(torch.empty(2, 2), mode="x")
    with pytest.raises(ValueError, match="Only tensors with 2 dimensions"):
        nn.init.eye_(torch.empty(2))
    with pytest.warns(UserWarning, match="Initializing zero-element tensors is a no-op"):
        nn.init.kaiming_uniform_(torch.empty(0, 2))


def test_dropout_keeps_the_mean_and_passes_the_gradient_of_what_it_kept():
    x = torch.ones(20000, requires_grad=True)
    y = F.dropout(x, 0.25)
    y.sum().backward()
    values = y.detach().numpy()
    assert set(np.unique(values.round(5))) == {0.0, np.float32(1.33333)}
    assert values.mean() == pytest.approx(1, abs=0.03)
    np.testing.assert_array_equal(x.grad.numpy(), values)
    assert type(y.grad_fn).__name__ == "MulBackward0"


def test_channel_dropout_drops_whole_channels():
    y = F.dropout2d(torch.ones(50, 40, 2, 2), 0.5).numpy().reshape(2000, 4)
    assert (y == y[:, :1]).all()
    assert 800 < (y[:, 0] == 0).sum() < 1200


def test_alpha_dropout_keeps_mean_and_spread():
    y = F.alpha_dropout(torch.randn(200000), 0.3, training=True).numpy()
    assert abs(y.mean()) < 0.02
    assert y.std() == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("function", [F.dropout, F.dropout1d, F.dropout2d, F.alpha_dropout])
def test_dropout_off_returns_the_input_itself(function):
    x = torch.ones(2, 3, 4, 4) if function is not F.dropout1d else torch.ones(2, 3, 4)
    assert function(x, 0.5, training=False) is x
    assert function(x, 0.0, training=True) is x


def test_dropout_of_everything_is_zero():
    assert F.dropout(torch.ones(5), 1.0).abs().sum().item() == 0


def test_random_slopes_lie_between_the_bounds():
    y = F.rrelu(-torch.ones(1000), 0.1, 0.3, training=True).numpy()
    assert (y >= -0.3).all() and (y <= -0.1).all()
    assert y.std() > 0.01
    assert F.rrelu(-torch.ones(1), 0.1, 0.3).item() == pytest.approx(-0.2)


def test_gumbel_softmax_hard_gives_one_hot_with_a_gradient():
    x = torch.zeros(5, 3, requires_grad=True)
    y = F.gumbel_softmax(x, hard=True)
    np.testing.assert_allclose(np.sort(y.detach().numpy(), 1), [[0, 0, 1]] * 5, atol=1e-6)
    (y * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    assert np.abs(x.grad.numpy()).max() > 0


def test_one_seed_one_mask():
    torch.manual_seed(3)
    a = F.dropout(torch.ones(20))
    torch.manual_seed(3)
    assert torch.equal(a, F.dropout(torch.ones(20)))
