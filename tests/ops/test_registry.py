"""Every card of the registry keeps its promises: its formulas are the derivatives of its forward.

Without PyTorch: first and second derivatives against central differences in float64, on the card's own
samples. A card that nobody gave samples, or a formula that needs a special case, is named below with a reason.
"""

import inspect

import numpy as np
import pytest
from card_calls import Call, cases, results_of, weights, with_samples

import autograd_lab as torch
import autograd_lab.ops.every
from autograd_lab.op import CARDS

RANDOM = {
    "drawn_normal", "drawn_uniform", "drawn_bernoulli", "drawn_exponential", "drawn_integers", "bernoulli_card",
}  # fmt: skip
NOT_DIFFERENTIABLE = {"NotImplemented", "Unique2Backward0"}
ONCE = {"multi_margin_card", "multilabel_margin_card"}  # PyTorch has no second derivative of them (see test_parity)
MATRICES_OF_ONE_TRIANGLE = {"eigh_card", "cholesky_card", "cholesky_old"}  # differences must stay symmetric
STEP = 1e-5


every_card = pytest.mark.parametrize("card", list(CARDS.values()), ids=lambda card: card.forward.__name__)
every_sampled_card = pytest.mark.parametrize("card", with_samples(), ids=lambda card: card.forward.__name__)


def scalar(call, tensors):
    """One number of a call: its results weighted and summed."""
    results = results_of(call(tensors))
    return sum((r * w).sum() for r, w in zip(results, weights(results), strict=True))


def differences(function, tensors, k, symmetric=False):
    """Central differences of a function of tensors in the elements of the k-th."""
    base = tensors[k].detach().numpy()
    found = np.zeros_like(base)
    for index in np.ndindex(base.shape):
        ends = []
        for sign in (1, -1):
            moved = [t.detach() if isinstance(t, torch.Tensor) else t for t in tensors]
            changed = base.copy()
            changed[index] += sign * STEP
            if symmetric and index[-1] != index[-2]:
                mirrored = (*index[:-2], index[-1], index[-2])
                changed[mirrored] += sign * STEP
            moved[k] = torch.from_numpy(changed)
            ends.append(float(function(moved).detach().numpy()))
        found[index] = (ends[0] - ends[1]) / (2 * STEP)
    return found


def symmetrized(grad):
    """The gradient along symmetric changes."""
    both = grad + np.swapaxes(grad, -1, -2)
    return both - np.where(np.eye(grad.shape[-1], dtype=bool), grad, 0)


def skip_if_not_smooth(card):
    name = card.forward.__name__
    if name in RANDOM:
        pytest.skip("random: its gradient is zero by definition")
    if card.node_name in NOT_DIFFERENTIABLE:
        pytest.skip("PyTorch records it and refuses to differentiate it")


@every_card
def test_has_samples_and_a_sentence(card):
    assert card.samples is not None
    sentence = inspect.getdoc(card.forward).splitlines()[0]
    assert sentence.endswith((".", ":", ";", "…"))


@every_card
def test_pointwise_formulas_have_their_latex(card):
    if card.pointwise and not card.node_name.endswith(("BackwardBackward0", "NotImplemented")):
        assert all(card.latex[target] for target in card.targets), "latex= is missing"


@every_sampled_card
def test_gradient_agrees_with_differences(card):
    skip_if_not_smooth(card)
    symmetric = card.forward.__name__ in MATRICES_OF_ONE_TRIANGLE
    for sample in cases(card):
        call = Call(card, sample)
        tensors = call.inputs()
        loss = scalar(call, tensors)
        loss.backward()
        for k in call.targets:
            grad = tensors[k].grad.numpy()
            expected = differences(lambda ts, call=call: scalar(call, ts), tensors, k, symmetric)
            np.testing.assert_allclose(symmetrized(grad) if symmetric else grad, expected, rtol=2e-6, atol=2e-7)


@every_sampled_card
def test_second_derivative_agrees_with_differences(card):
    skip_if_not_smooth(card)
    symmetric = card.forward.__name__ in MATRICES_OF_ONE_TRIANGLE
    for sample in cases(card)[:2]:
        call = Call(card, sample)

        def slope(tensors, call=call):
            """One number made of all first derivatives."""
            ready = [t if not isinstance(t, torch.Tensor) or t.requires_grad else t.clone() for t in tensors]
            for k in call.targets:
                if not ready[k].requires_grad:
                    ready[k].requires_grad_()
            loss = scalar(call, ready)
            grads = torch.autograd.grad(loss, [ready[k] for k in call.targets], create_graph=True)
            return sum((g * w).sum() for g, w in zip(grads, weights(grads, 1), strict=True))

        tensors = call.inputs()
        total = slope(tensors)
        if card.forward.__name__ in ONCE:
            with pytest.raises(RuntimeError, match="is not implemented"):
                total.backward()
            continue
        if not total.requires_grad:
            second = {k: np.zeros(tensors[k].shape) for k in call.targets}
        else:
            found = torch.autograd.grad(
                total, [tensors[k] for k in call.targets], allow_unused=True, materialize_grads=True
            )
            second = dict(zip(call.targets, (g.numpy() for g in found), strict=True))
        for k in call.targets:
            expected = differences(slope, tensors, k, symmetric)
            got = symmetrized(second[k]) if symmetric else second[k]
            np.testing.assert_allclose(got, expected, rtol=5e-5, atol=5e-6)
