"""Where ops are seldom called: results of arguments in another memory order, and values without a slope.

PyTorch's answers for the whole registry, and by hand what was once wrong.
"""

import math

import numpy as np
import pytest
from card_calls import cases, is_float

import autograd_lab as torch

nan, inf = math.nan, math.inf
SPECIAL = np.array([nan, 0.0, inf, -1.0, -inf, -0.0, 0.5, 1.0, -2.0])


def leaf(value):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


def slopes(function, values):
    """The derivative of a function, element by element."""
    x = leaf(values)
    function(x).sum().backward()
    return x.grad.tolist()


def registry():
    """The cards that PyTorch has, and how to call both."""
    test_parity = pytest.importorskip("test_parity", reason="torch is not installed")
    return test_parity.PAIRS, test_parity.both


def by_columns(value):
    return np.asfortranarray(value) if is_float(value) and value.ndim > 1 else value


def special(value, shift):
    """The same shape, with special values in turn."""
    if not is_float(value):
        return value
    count = np.arange(value.size).reshape(value.shape)
    return np.asarray(SPECIAL.astype(value.dtype)[(count + shift) % len(SPECIAL)])


def strides(tensor):
    return [s for s, n in zip(tensor.stride(), tensor.shape, strict=True) if n > 1]


@pytest.mark.filterwarnings("ignore")
def test_results_of_matrices_by_columns_lie_as_pytorchs_do():
    pairs, both = registry()
    wrong = []
    for card, theirs in pairs:
        for sample in cases(card):
            if card.listed or not any(is_float(v) and v.ndim > 1 for v in sample):
                continue
            try:
                _, results, _, answers, _ = both(card, theirs, tuple(by_columns(v) for v in sample))
            except pytest.skip.Exception:
                continue
            wrong += [card.name for r, a in zip(results, answers, strict=True) if strides(r) != strides(a)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.filterwarnings("ignore")
def test_pointwise_ops_meet_nan_infinities_and_zeros_as_pytorchs_do():
    pairs, both = registry()
    wrong = []
    for card, theirs in pairs:
        if not card.pointwise:
            continue
        for shift in range(len(SPECIAL)):
            for sample in cases(card):
                changed = tuple(special(v, shift * (1 + k)) for k, v in enumerate(sample))
                try:
                    call, results, ours, answers, yours = both(card, theirs, changed)
                except pytest.skip.Exception:
                    continue
                same = [
                    np.allclose(r.detach(), a.detach(), equal_nan=True) for r, a in zip(results, answers, strict=True)
                ]
                if call.targets and answers[0].grad_fn.name() != "torch::autograd::NotImplemented":
                    results[0].sum().backward()
                    answers[0].sum().backward()
                    pairs_of = [(ours[k].grad.numpy(), yours[k].grad.numpy(force=True)) for k in call.targets]
                    same += [np.allclose(a, b, equal_nan=True) for a, b in pairs_of]
                if not all(same):
                    wrong.append(f"{card.name}{changed}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        (lambda x: torch.hardshrink(x, 0.5), [nan, 0.2, 0.7], [1.0, 0.0, 1.0]),
        (torch.nn.functional.softshrink, [nan, 0.2], [1.0, 0.0]),
        (torch.nn.functional.hardtanh, [nan, 0.2, 2.0], [1.0, 1.0, 0.0]),
        (torch.logit, [-0.0, 0.5], [inf, 4.0]),
        (torch.prod, nan, 1.0),
        (lambda x: torch.sgn(torch.sqrt(x)), [-1.0, 0.0, 4.0], [0.0, 0.0, 0.0]),
        (lambda x: torch.sign(torch.sqrt(x)), [-1.0, 0.0, 4.0], [nan, nan, 0.0]),
        (lambda x: torch.diagonal_scatter(x, torch.ones(2)).log(), [[-1.0, 0.0], [2.0, 0.0]], [[0.0, inf], [0.5, 0.0]]),
    ],
)
def test_slopes_at_the_rim(function, values, expected):
    np.testing.assert_equal(slopes(function, values), expected)


def test_a_write_keeps_nan_from_what_it_has_overwritten():
    x = leaf([1.0, -1.0])
    y = x * 1
    y[1] = 5.0
    y.backward(torch.tensor([nan, nan], dtype=torch.float64))
    np.testing.assert_equal(x.grad.tolist(), [nan, 0.0])


def test_the_slope_of_digamma_at_a_pole_is_as_large_as_the_sine_is_wrong():
    assert slopes(torch.digamma, [-1.0])[0] == pytest.approx((math.pi / math.sin(math.pi)) ** 2)


def test_a_matrix_with_nan_has_no_cholesky_root():
    with pytest.raises(torch.linalg.LinAlgError, match="the leading minor of order 2 is not positive-definite"):
        torch.linalg.cholesky(torch.tensor([[1.0, 0.0], [nan, 1.0]]))


def test_a_product_shows_the_sizes_of_both_and_the_strides_of_what_is_tracked():
    w = torch.ones(3, 4, requires_grad=True)
    node = (torch.ones(2, 3) @ w).grad_fn
    assert (node._saved_self_sym_sizes, node._saved_mat2_sym_sizes) == ((2, 3), (3, 4))
    assert (node._saved_self_sym_strides, node._saved_mat2_sym_strides) == ((), (4, 1))


@pytest.mark.parametrize(
    "function",
    [lambda x: x.clone(), lambda x: torch.fill(x, 1.0), lambda x: torch.nan_to_num(x), lambda x: torch.roll(x, 1, 0)],
)
def test_what_is_made_from_an_expanded_tensor_lies_in_reading_order(function):
    assert function(torch.ones(3).expand(2, 3)).stride() == (3, 1)


def test_node_names_follow_the_memory_order():
    by_columns = torch.ones(2, 3, requires_grad=True).t()
    source = torch.ones(2, 2)
    assert torch.index_add(by_columns, 0, torch.tensor([2, 0]), source).reshape(-1).grad_fn.name() == "ViewBackward0"
    assert by_columns.flip(0).reshape(-1).grad_fn.name() == "UnsafeViewBackward0"


@pytest.mark.parametrize(
    "function",
    [torch.relu, lambda x: torch.clamp(x, min=0.0), lambda x: torch.clamp(x, 0.0, 1.0), torch.nn.functional.relu6],
)
def test_a_limit_of_zero_leaves_the_sign_of_zero(function):
    assert repr(function(torch.tensor([-0.0, -1.0]))) == "tensor([-0., 0.])"
