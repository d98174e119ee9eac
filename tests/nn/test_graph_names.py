"""The graph behind a layer, an activation or a loss is PyTorch's, node by node, six steps deep.

Where PyTorch's C++ takes short cuts of its own (`AddBackward1` for numbers, `NormBackward1`, `TrilinearBackward0`) the
graphs differ; those functions stand in DIFFERENT, so that a change is noticed.
"""

import pytest

import autograd_lab


def x(t, *shape):
    return t.full(shape, 0.5).requires_grad_()


LAYERS = {
    "linear": lambda t, F: F.linear(x(t, 2, 3), x(t, 4, 3), x(t, 4)),
    "linear without bias": lambda t, F: F.linear(x(t, 2, 3), x(t, 4, 3)),
    "linear of a vector": lambda t, F: F.linear(x(t, 3), x(t, 4, 3), x(t, 4)),
    "linear of a vector without bias": lambda t, F: F.linear(x(t, 3), x(t, 4, 3)),
    "linear 3-D": lambda t, F: F.linear(x(t, 2, 2, 3), x(t, 4, 3), x(t, 4)),
    "linear 3-D without bias": lambda t, F: F.linear(x(t, 2, 2, 3), x(t, 4, 3)),
    "conv2d": lambda t, F: F.conv2d(x(t, 1, 1, 4, 4), x(t, 1, 1, 2, 2), x(t, 1)),
    "conv1d": lambda t, F: F.conv1d(x(t, 1, 1, 4), x(t, 1, 1, 2)),
    "conv unbatched": lambda t, F: F.conv2d(x(t, 1, 4, 4), x(t, 1, 1, 2, 2)),
    "conv_transpose": lambda t, F: F.conv_transpose2d(x(t, 1, 1, 4, 4), x(t, 1, 1, 2, 2)),
    "max_pool2d": lambda t, F: F.max_pool2d(x(t, 1, 1, 4, 4), 2),
    "max_pool1d": lambda t, F: F.max_pool1d(x(t, 1, 1, 4), 2),
    "avg_pool2d": lambda t, F: F.avg_pool2d(x(t, 1, 1, 4, 4), 2),
    "avg_pool1d": lambda t, F: F.avg_pool1d(x(t, 1, 1, 4), 2),
    "adaptive_avg_pool2d to 1": lambda t, F: F.adaptive_avg_pool2d(x(t, 1, 1, 4, 4), 1),
    "adaptive_avg_pool2d": lambda t, F: F.adaptive_avg_pool2d(x(t, 1, 1, 4, 4), 2),
    "adaptive_avg_pool1d": lambda t, F: F.adaptive_avg_pool1d(x(t, 1, 1, 4), 2),
    "adaptive_max_pool2d": lambda t, F: F.adaptive_max_pool2d(x(t, 1, 1, 4, 4), 2),
    "max_unpool2d": lambda t, F: F.max_unpool2d(*F.max_pool2d(x(t, 1, 1, 4, 4), 2, return_indices=True), 2),
    "lp_pool2d": lambda t, F: F.lp_pool2d(x(t, 1, 1, 4, 4), 2, 2),
    "batch_norm": lambda t, F: F.batch_norm(x(t, 4, 3), None, None, x(t, 3), x(t, 3), True),
    "layer_norm": lambda t, F: F.layer_norm(x(t, 4, 3), (3,), x(t, 3), x(t, 3)),
    "group_norm": lambda t, F: F.group_norm(x(t, 2, 4), 2),
    "instance_norm": lambda t, F: F.instance_norm(x(t, 2, 4, 3)),
    "embedding": lambda t, F: F.embedding(t.tensor([0, 1]), x(t, 4, 3)),
    "nearest": lambda t, F: F.interpolate(x(t, 1, 1, 2, 2), scale_factor=2),
    "nearest 1-D": lambda t, F: F.interpolate(x(t, 1, 1, 2), scale_factor=2),
    "nearest-exact": lambda t, F: F.interpolate(x(t, 1, 1, 2, 2), scale_factor=2, mode="nearest-exact"),
    "bilinear": lambda t, F: F.interpolate(x(t, 1, 1, 2, 2), scale_factor=2, mode="bilinear"),
    "linear resizing": lambda t, F: F.interpolate(x(t, 1, 1, 2), scale_factor=2, mode="linear"),
    "area": lambda t, F: F.interpolate(x(t, 1, 1, 4, 4), size=(2, 2), mode="area"),
    "unfold": lambda t, F: F.unfold(x(t, 1, 1, 4, 4), 2),
    "fold": lambda t, F: F.fold(x(t, 1, 4, 4), (4, 4), 2, stride=2),
    "pixel_shuffle": lambda t, F: F.pixel_shuffle(x(t, 1, 4, 2, 2), 2),
    "pixel_unshuffle": lambda t, F: F.pixel_unshuffle(x(t, 1, 1, 4, 4), 2),
    "channel_shuffle": lambda t, F: F.channel_shuffle(x(t, 1, 4, 2), 2),
    "pad": lambda t, F: F.pad(x(t, 2, 3), (1, 1)),
    "pad reflect 1-D": lambda t, F: F.pad(x(t, 1, 1, 3), (1, 1), "reflect"),
    "pad reflect 2-D": lambda t, F: F.pad(x(t, 1, 1, 3, 3), (1, 1, 1, 1), "reflect"),
    "pad replicate 1-D": lambda t, F: F.pad(x(t, 1, 1, 3), (1, 1), "replicate"),
    "dropout": lambda t, F: F.dropout(x(t, 4), 0.5),
    "dropout2d": lambda t, F: F.dropout2d(x(t, 1, 4, 2, 2), 0.5),
    "alpha_dropout": lambda t, F: F.alpha_dropout(x(t, 4), 0.5, True),
    "normalize": lambda t, F: F.normalize(x(t, 2, 3)),
    "RNNCell": lambda t, F: t.nn.RNNCell(2, 3)(x(t, 1, 2)),
    "LSTMCell": lambda t, F: t.nn.LSTMCell(2, 3)(x(t, 1, 2))[0],
    "GRUCell": lambda t, F: t.nn.GRUCell(2, 3)(x(t, 1, 2)),
    "RNN": lambda t, F: t.nn.RNN(2, 3)(x(t, 2, 1, 2))[0],
    "GRU": lambda t, F: t.nn.GRU(2, 3)(x(t, 2, 1, 2))[0],
    "Flatten": lambda t, F: t.nn.Flatten()(x(t, 2, 3, 2)),
    "Unflatten": lambda t, F: t.nn.Unflatten(1, (3, 1))(x(t, 2, 3, 2)),
    "prelu": lambda t, F: F.prelu(x(t, 2, 3), x(t, 1)),
    "rrelu": lambda t, F: F.rrelu(x(t, 2, 3), training=True),
    "threshold": lambda t, F: F.threshold(x(t, 3), 0.1, 0.0),
}
ACTIVATIONS = [
    "relu",
    "leaky_relu",
    "elu",
    "selu",
    "celu",
    "relu6",
    "hardtanh",
    "hardsigmoid",
    "hardswish",
    "silu",
    "mish",
    "gelu",
    "softplus",
    "softsign",
    "tanhshrink",
    "softshrink",
    "hardshrink",
    "logsigmoid",
    "sigmoid",
    "tanh",
    "glu",
]
PAIRS = ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "poisson_nll_loss", "kl_div", "soft_margin_loss"]


def of_a_pair(name):
    """The program of a loss of two equal shapes."""
    return lambda t, F, r: getattr(F, name)(x(t, 2, 3), t.ones(2, 3), reduction=r)


LOSSES = {
    **{name: of_a_pair(name) for name in PAIRS},
    "bce": lambda t, F, r: F.binary_cross_entropy(x(t, 2, 3), t.ones(2, 3), reduction=r),
    "bce_with_logits": lambda t, F, r: F.binary_cross_entropy_with_logits(x(t, 2, 3), t.ones(2, 3), reduction=r),
    "cross_entropy": lambda t, F, r: F.cross_entropy(x(t, 2, 3), t.tensor([0, 1]), reduction=r),
    "cross_entropy of maps": lambda t, F, r: F.cross_entropy(
        x(t, 1, 3, 2, 2), t.tensor([[[0, 1], [2, 0]]]), reduction=r
    ),
    "cross_entropy of sequences": lambda t, F, r: F.cross_entropy(x(t, 1, 3, 2), t.tensor([[0, 1]]), reduction=r),
    "gaussian": lambda t, F, r: F.gaussian_nll_loss(x(t, 3), t.ones(3), x(t, 3), reduction=r),
    "multilabel_soft_margin": lambda t, F, r: F.multilabel_soft_margin_loss(x(t, 2, 3), t.ones(2, 3), reduction=r),
    "multi_margin": lambda t, F, r: F.multi_margin_loss(x(t, 2, 3), t.tensor([0, 1]), reduction=r),
}
DIFFERENT = {
    "bilinear layer": lambda t, F: F.bilinear(x(t, 2, 3), x(t, 2, 4), x(t, 5, 3, 4)),
    "rms_norm": lambda t, F: F.rms_norm(x(t, 4, 3), (3,), x(t, 3)),
    "pairwise_distance": lambda t, F: F.pairwise_distance(x(t, 2, 3), x(t, 2, 3)),
    "label_smoothing": lambda t, F: F.cross_entropy(x(t, 2, 3), t.tensor([0, 1]), label_smoothing=0.1),
    "attention": lambda t, F: F.scaled_dot_product_attention(*(x(t, 1, 2, 3) for _ in range(3))),
}


def graph(lib, program):
    """Names of nodes as nested tuples; constants are None."""

    def below(node, depth):
        if node is None or depth == 0:
            return None
        return (node.name(), *(below(n, depth - 1) for n, _ in node.next_functions))

    return below(program(lib, lib.nn.functional).grad_fn, 6)


@pytest.fixture
def real():
    return pytest.importorskip("torch", reason="PyTorch is the source of the expected names")


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name, real):
    assert graph(autograd_lab, LAYERS[name]) == graph(real, LAYERS[name])


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name, real):
    def program(t, F):
        return getattr(F, name)(x(t, 2, 4))

    assert graph(autograd_lab, program) == graph(real, program)


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", LOSSES)
def test_losses(name, reduction, real):
    def program(t, F):
        return LOSSES[name](t, F, reduction)

    assert graph(autograd_lab, program) == graph(real, program)


@pytest.mark.parametrize("name", DIFFERENT)
def test_known_differences_are_still_differences(name, real):
    assert graph(autograd_lab, DIFFERENT[name]) != graph(real, DIFFERENT[name])
