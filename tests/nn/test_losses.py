"""Every loss with every reduction: values and gradients are PyTorch's; bad input gets PyTorch's words."""

import numpy as np
import pytest

REDUCTIONS = ("mean", "sum", "none")
PAIRS = {
    "mse": lambda F, x, y, r: F.mse_loss(x, y, reduction=r),
    "l1": lambda F, x, y, r: F.l1_loss(x, y, reduction=r),
    "smooth_l1": lambda F, x, y, r: F.smooth_l1_loss(x, y, reduction=r, beta=0.7),
    "huber": lambda F, x, y, r: F.huber_loss(x, y, reduction=r, delta=0.7),
    "poisson": lambda F, x, y, r: F.poisson_nll_loss(x, y.detach(), reduction=r),
    "kl_div": lambda F, x, y, r: F.kl_div(x, y, reduction=r, log_target=True),
}
SMOOTH_PAIRS = ("mse", "poisson", "kl_div")


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("name", PAIRS)
def test_losses_of_pairs(name, reduction, same, draw):
    same(lambda t, F, x, y: PAIRS[name](F, x, y, reduction), draw(2, 3), draw(2, 3), twice=name in SMOOTH_PAIRS)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("weighted", [False, True])
def test_binary_cross_entropy(reduction, weighted, same, draw):
    def program(t, F, p, target, w):
        return F.binary_cross_entropy(p, target, w.detach() if weighted else None, reduction=reduction)

    same(program, draw(2, 3, low=0.1, high=0.9), draw(2, 3, low=0.1, high=0.9), draw(3, low=0.5), tolerance=1e-8)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("weights", ["none", "weight", "pos_weight", "both"])
def test_binary_cross_entropy_with_logits(reduction, weights, same, draw):
    def program(t, F, x, target, w):
        one, two = w.detach(), (w * 2).detach()
        return F.binary_cross_entropy_with_logits(
            x,
            target.detach(),
            one if weights in ("weight", "both") else None,
            pos_weight=two if weights in ("pos_weight", "both") else None,
            reduction=reduction,
        )

    same(program, 4 * draw(2, 3), draw(2, 3, low=0.0, high=1.0), draw(3, low=0.5), tolerance=1e-8)


CLASSES = {
    "plain": {},
    "weights": {"weight": True},
    "ignored": {"ignore_index": 1},
    "smoothed": {"label_smoothing": 0.1},
    "all": {"weight": True, "ignore_index": 1, "label_smoothing": 0.2},
}


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("options", CLASSES)
@pytest.mark.parametrize("shape", [(4, 3), (3,), (2, 3, 4), (2, 3, 2, 2)])
def test_cross_entropy_of_class_numbers(shape, options, reduction, same, draw):
    given = dict(CLASSES[options])
    weighted = given.pop("weight", False)
    target_shape = () if len(shape) == 1 else (shape[0], *shape[2:])
    target = np.asarray(np.arange(int(np.prod(target_shape))).reshape(target_shape) % 3 * 2 % 3)
    if not target_shape:
        target = np.asarray(2)

    def program(t, F, x, w):
        return F.cross_entropy(x, t.tensor(target), w.detach() if weighted else None, reduction=reduction, **given)

    same(program, draw(*shape), draw(3, low=0.5))


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("weighted", [False, True])
def test_cross_entropy_of_probabilities(weighted, smoothing, reduction, same, draw):
    def program(t, F, x, p, w):
        given = w.detach() if weighted else None
        return F.cross_entropy(x, p, given, reduction=reduction, label_smoothing=smoothing)

    same(program, draw(4, 3), draw(4, 3, low=0.0, high=1.0), draw(3, low=0.5))


OTHERS = {
    "soft_margin": (lambda t, F, x: F.soft_margin_loss(x, t.tensor([[1.0, -1.0, 1.0]], dtype=x.dtype)), [(1, 3)]),
    "multi_margin": (lambda t, F, x: F.multi_margin_loss(x, t.tensor([2, 0])), [(2, 3)]),
    "multi_margin p2": (lambda t, F, x: F.multi_margin_loss(x, t.tensor([2, 0]), p=2, margin=0.5), [(2, 3)]),
    "multi_margin weight": (
        lambda t, F, x: F.multi_margin_loss(x, t.tensor([2, 0]), weight=t.tensor([1.0, 2.0, 3.0], dtype=x.dtype)),
        [(2, 3)],
    ),
    "multilabel_margin": (
        lambda t, F, x: F.multilabel_margin_loss(x, t.tensor([[3, 0, -1, 1], [0, -1, 2, 3]])),
        [(2, 4)],
    ),
    "multilabel_soft_margin": (
        lambda t, F, x: F.multilabel_soft_margin_loss(x, t.tensor([[1.0, 0.0, 1.0]], dtype=x.dtype)),
        [(1, 3)],
    ),
    "hinge_embedding": (lambda t, F, x: F.hinge_embedding_loss(x, t.tensor([1, -1, 1, -1])), [(4,)]),
    "margin_ranking": (lambda t, F, x, y: F.margin_ranking_loss(x, y, t.tensor([1, -1, 1]), margin=0.3), [(3,), (3,)]),
    "cosine_embedding": (
        lambda t, F, x, y: F.cosine_embedding_loss(x, y, t.tensor([1, -1]), margin=0.1),
        [(2, 3), (2, 3)],
    ),
    "triplet": (lambda t, F, a, b, c: F.triplet_margin_loss(a, b, c, swap=True), [(2, 3)] * 3),
    "gaussian": (
        lambda t, F, x, y, v: F.gaussian_nll_loss(x, y, v.abs() + 0.1, full=True),
        [(2, 3)] * 3,
    ),
    "poisson full": (
        lambda t, F, x: F.poisson_nll_loss(x.abs() + 1, t.tensor([3.0, 0.0, 2.0], dtype=x.dtype), False, True),
        [(3,)],
    ),
    "kl_div batchmean": (
        lambda t, F, x: F.kl_div(x, t.tensor([[0.0, 0.4, 0.6]], dtype=x.dtype), reduction="batchmean"),
        [(1, 3)],
    ),
    "cosine_similarity": (lambda t, F, x, y: F.cosine_similarity(x, y), [(2, 3), (2, 3)]),
    "pairwise_distance": (lambda t, F, x, y: F.pairwise_distance(x, y), [(2, 3), (2, 3)]),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_losses(name, same, draw):
    program, shapes = OTHERS[name]
    same(program, *(draw(*shape) for shape in shapes), twice=False, tolerance=1e-8)


BAD = {
    "reduction": lambda t, F: F.mse_loss(t.ones(2), t.ones(2), reduction="average"),
    "mse of ints": lambda t, F: F.mse_loss(t.ones(2).long(), t.ones(2).long()),
    "smooth_l1 beta": lambda t, F: F.smooth_l1_loss(t.ones(2), t.ones(2), beta=-1),
    "huber delta": lambda t, F: F.huber_loss(t.ones(2), t.ones(2), delta=0),
    "bce sizes": lambda t, F: F.binary_cross_entropy(t.ones(2), t.ones(3)),
    "bce ints": lambda t, F: F.binary_cross_entropy(t.ones(2), t.ones(2).long()),
    "bce range": lambda t, F: F.binary_cross_entropy(t.ones(2) * 1.5, t.ones(2)),
    "logits sizes": lambda t, F: F.binary_cross_entropy_with_logits(t.ones(2), t.ones(3)),
    "logits ints": lambda t, F: F.binary_cross_entropy_with_logits(t.ones(2), t.ones(2).long()),
    "nll float target": lambda t, F: F.nll_loss(t.ones(2, 3), t.ones(2)),
    "nll int32 target": lambda t, F: F.nll_loss(t.ones(2, 3), t.ones(2).int()),
    "nll batch": lambda t, F: F.nll_loss(t.ones(2, 3), t.ones(3).long()),
    "nll two columns": lambda t, F: F.nll_loss(t.ones(2, 3), t.ones(2, 1).long()),
    "nll weights": lambda t, F: F.nll_loss(t.ones(2, 3), t.ones(2).long(), weight=t.ones(2)),
    "nll scalar": lambda t, F: F.nll_loss(t.tensor(1.0), t.ones(2).long()),
    "nll sequence": lambda t, F: F.nll_loss(t.ones(2, 3, 4), t.ones(2, 5).long()),
    "nll map": lambda t, F: F.nll_loss(t.ones(2, 3, 4, 4), t.ones(2, 4, 5).long()),
    "nll map dims": lambda t, F: F.nll_loss(t.ones(2, 3, 4, 4), t.ones(2, 4).long()),
    "one sample two targets": lambda t, F: F.cross_entropy(t.ones(3), t.tensor([1, 2])),
    "float class numbers": lambda t, F: F.cross_entropy(t.ones(2, 3), t.ones(2)),
    "integer probabilities": lambda t, F: F.cross_entropy(t.ones(2, 3), t.ones(2, 3).long()),
    "label smoothing": lambda t, F: F.cross_entropy(t.ones(2, 3), t.ones(2).long(), label_smoothing=2.0),
    "class too large": lambda t, F: F.cross_entropy(t.ones(2, 3), t.tensor([0, 3])),
    "class negative": lambda t, F: F.cross_entropy(t.ones(2, 3), t.tensor([-1, 0])),
    "logits of ints": lambda t, F: F.cross_entropy(t.ones(2, 3).long(), t.ones(2).long()),
    "multi_margin target": lambda t, F: F.multi_margin_loss(t.ones(2, 3), t.tensor([5, 0])),
    "multi_margin p": lambda t, F: F.multi_margin_loss(t.ones(2, 3), t.tensor([1, 0]), p=3),
    "ranking dims": lambda t, F: F.margin_ranking_loss(t.ones(2), t.ones(3, 1), t.ones(2)),
    "gaussian variance": lambda t, F: F.gaussian_nll_loss(t.ones(2), t.ones(2), -t.ones(2)),
    "kl reduction": lambda t, F: F.kl_div(t.ones(2, 3), t.ones(2, 3), reduction="x"),
}


def second_derivative(t, loss):
    x = t.ones(2, 3, requires_grad=True)
    (slope,) = t.autograd.grad(loss(x), x, create_graph=True)
    return t.autograd.grad((slope * slope).sum(), x)


BAD["multi_margin twice"] = lambda t, F: second_derivative(t, lambda x: F.multi_margin_loss(x, t.tensor([2, 0]), p=2))
BAD["multilabel_margin twice"] = lambda t, F: second_derivative(
    t, lambda x: F.multilabel_margin_loss(x, t.tensor([[2, 0, -1], [1, -1, 0]]))
)


@pytest.mark.parametrize("name", BAD)
def test_error_texts_are_torchs(name, messages):
    ours, theirs = messages(BAD[name])
    assert ours == theirs


def test_broadcast_targets_warn_with_torchs_text():
    import autograd_lab.nn.functional as F
    from autograd_lab import ones

    text = r"Using a target size \(torch.Size\(\[3\]\)\) that is different to the input size \(torch.Size\(\[3, 1\]\)\)"
    with pytest.warns(UserWarning, match=text):
        F.mse_loss(ones(3, 1), ones(3))


def test_all_targets_ignored_gives_nan():
    import autograd_lab.nn.functional as F
    from autograd_lab import ones, tensor

    assert np.isnan(F.cross_entropy(ones(2, 3), tensor([-100, -100])).item())
