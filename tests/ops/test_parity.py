"""Every card that PyTorch has under the same name: values, gradients, second derivatives, names.

The card's samples are given to PyTorch's function of the card's public name, position by position.
"""

import numpy as np
import pytest
from card_calls import Call, cases, results_of, weights

import autograd_lab
import autograd_lab.ops.every
from autograd_lab.op import CARDS
from autograd_lab.ops.splitting import unsafe_split

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore:torch.cholesky is deprecated")

# PyTorch's function of that name means something else, or takes the arguments in another form
OTHER_MEANING = {"bernoulli", "rrelu", "dropout", "unfold", "fill_"}
# factors whose columns may have either sign: their squares are compared
NOT_UNIQUE = {"svd_card", "qr_card", "eigh_card"}


# chapters whose functions are in nn.functional with the card's own arguments; tests/nn compares the others
POINTWISE_ROOMS = ("rectifier", "smooth", "activation")
LOOSE = {"hardsigmoid": 1e-7}  # PyTorch's 1/6 there has the digits of a float32


def counterpart(card):
    """PyTorch's function of the card's public name, or None."""
    found = torch
    for part in card.name.split("."):
        found = getattr(found, part, None)
    if found is None and card.forward.__module__.endswith(POINTWISE_ROOMS):
        found = getattr(torch.nn.functional, card.name, None)
    return found if callable(found) and card.name not in OTHER_MEANING else None


PAIRS = [(card, counterpart(card)) for card in CARDS.values() if card.samples is not None and counterpart(card)]
every_pair = pytest.mark.parametrize(
    ("card", "theirs"), PAIRS, ids=lambda p: getattr(getattr(p, "forward", None), "__name__", "")
)


def their_inputs(call):
    made = []
    for k, array in enumerate(call.arrays):
        if isinstance(array, (int, float, bool)):
            made.append(array)
            continue
        t = torch.from_numpy(np.array(array))
        made.append(t.requires_grad_() if k in call.targets else t)
    return made


def their_arguments(call, tensors):
    if call.listed:
        return [tensors, *call.sample[1:]]
    arguments = [torch_plain(a) for a in call.sample]
    for i, t in zip(call.places, tensors, strict=True):
        arguments[i] = t
    return arguments


def torch_plain(value):
    """A plain argument for PyTorch: our tensors inside tuples become theirs."""
    if isinstance(value, tuple):
        return tuple(torch_plain(v) for v in value)
    return torch.from_numpy(np.array(value.numpy())) if isinstance(value, autograd_lab.Tensor) else value


def both(card, theirs, sample):
    """Our results and inputs, and PyTorch's, for one sample."""
    call = Call(card, sample)
    ours, yours = call.inputs(), their_inputs(call)
    try:
        answer = theirs(*their_arguments(call, yours))
    except TypeError as error:
        pytest.skip(f"PyTorch takes other arguments: {str(error).splitlines()[0]}")
    answers = [a for a in (answer if isinstance(answer, (tuple, list)) else (answer,)) if a.is_floating_point()]
    results = results_of(call(ours))
    if card.forward.__name__ in NOT_UNIQUE:
        results, answers = [r * r for r in results], [a * a for a in answers]
    return call, results, ours, answers[: len(results)], yours


def error_of(action):
    """What an action raises, or None."""
    try:
        action()
    except RuntimeError as error:
        return error
    return None


def total(results, given):
    return sum((r * w).sum() for r, w in zip(results, given, strict=True))


@every_pair
def test_values_gradients_and_names(card, theirs):
    for sample in cases(card):
        call, results, ours, answers, yours = both(card, theirs, sample)
        for mine, answer in zip(results, answers, strict=True):
            np.testing.assert_allclose(mine.detach().numpy(), answer.detach().numpy(), rtol=1e-11, atol=1e-12)
        if not call.targets:
            continue
        assert results[0].grad_fn.name() == answers[0].grad_fn.name()
        assert [n and n.name() for n, _ in results[0].grad_fn.next_functions] == [
            n and n.name() for n, _ in answers[0].grad_fn.next_functions
        ]
        factors = weights(results)
        their_total = total(answers, [torch.from_numpy(np.array(f.numpy())) for f in factors])
        refusal = error_of(their_total.backward)
        if refusal is not None:
            mine = error_of(total(results, factors).backward)
            assert (type(mine), str(mine)) == (type(refusal), str(refusal))
            continue
        total(results, factors).backward()
        for k in call.targets:
            np.testing.assert_allclose(
                ours[k].grad.numpy(), yours[k].grad.numpy(force=True), rtol=LOOSE.get(card.name, 1e-9), atol=1e-11
            )


@every_pair
def test_second_derivatives(card, theirs):
    for sample in cases(card)[:2]:
        call, results, ours, answers, yours = both(card, theirs, sample)
        if not call.targets or card.node_name in ("NotImplemented", "Unique2Backward0"):
            pytest.skip("not differentiable")
        factors = weights(results)
        wrt = [ours[k] for k in call.targets], [yours[k] for k in call.targets]
        mine = autograd_lab.autograd.grad(total(results, factors), wrt[0], create_graph=True)
        their_factors = [torch.from_numpy(np.array(f.numpy())) for f in factors]
        try:
            found = torch.autograd.grad(total(answers, their_factors), wrt[1], create_graph=True)
        except RuntimeError as error:
            pytest.skip(str(error))
        again = weights(mine, 1)
        second = total(mine, again), total(found, [torch.from_numpy(np.array(f.numpy())) for f in again])
        if not second[0].requires_grad or not second[1].requires_grad:
            continue
        try:
            expected = torch.autograd.grad(second[1], wrt[1], materialize_grads=True)
        except RuntimeError as error:
            pytest.skip(str(error))
        got = autograd_lab.autograd.grad(second[0], wrt[0], materialize_grads=True)
        for a, b in zip(got, expected, strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(force=True), rtol=1e-8, atol=1e-9)


def saved_names(node):
    names = {n for n in dir(node) if n.startswith("_saved_")}
    return names - {"_saved_tensors"}


@every_pair
def test_saved_names(card, theirs):
    if card.forward.__name__ in NOT_UNIQUE:
        pytest.skip("the squares that are compared have nodes of their own")
    call, results, _, answers, _ = both(card, theirs, cases(card)[0])
    if not call.targets:
        pytest.skip("no gradient")
    assert saved_names(results[0].grad_fn) == saved_names(answers[0].grad_fn)


@pytest.mark.parametrize(
    ("name", "target"),
    [("multi_margin_loss", np.array([2, 0])), ("multilabel_margin_loss", np.array([[1, 0, -1], [2, -1, 0]]))],
)
def test_what_has_no_second_derivative_says_so(name, target):
    texts = []
    for lab in (autograd_lab, torch):
        x = lab.from_numpy(np.array([[0.3, -0.4, 0.1], [1.2, 0.5, -0.7]])).requires_grad_()
        loss = getattr(lab.nn.functional, name)(x, lab.from_numpy(target.copy()))
        (grad,) = lab.autograd.grad(loss, x, create_graph=True)
        texts.append(str(error_of(grad.sum().backward)))
    assert texts[0] == texts[1]
    assert "is not implemented" in texts[1]


def test_the_gates_of_a_cell_are_unsafe_splits():
    values = np.arange(8.0).reshape(2, 4)
    logs = []
    for lab, cut in ((autograd_lab, lambda t: unsafe_split(t, 2)), (torch, lambda t: t.unsafe_chunk(2, 1))):
        x = lab.from_numpy(values.copy()).requires_grad_()
        first, second = cut(x)
        node = first.grad_fn
        (first * second).sum().backward()
        saved = {n: getattr(node, n) for n in sorted(saved_names(node))}
        logs.append((node.name(), saved, first.tolist(), second.tolist(), x.grad.tolist()))
    assert logs[0] == logs[1]
