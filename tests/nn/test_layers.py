"""Convolution, pooling, normalisation, embedding, padding, resizing, recurrent layers and attention against PyTorch."""

import numpy as np
import pytest

CONVOLUTIONS = {
    "1d": ((2, 3, 7), (4, 3, 3), {}),
    "1d strided dilated": ((2, 2, 9), (4, 2, 3), {"stride": 2, "padding": 2, "dilation": 2}),
    "2d": ((2, 2, 5, 5), (3, 2, 3, 3), {}),
    "2d strided": ((2, 2, 6, 5), (3, 2, 3, 2), {"stride": (2, 1), "padding": (1, 0)}),
    "2d stride leaves a rest": ((1, 1, 6, 6), (2, 1, 3, 3), {"stride": 2}),
    "2d dilated": ((1, 2, 7, 7), (2, 2, 3, 3), {"dilation": 2, "padding": 1}),
    "2d groups": ((2, 4, 4, 4), (6, 2, 3, 3), {"groups": 2, "padding": 1}),
    "2d wide kernel": ((2, 2, 7, 6), (3, 2, 5, 5), {"padding": 2}),
    "2d wide kernel strided": ((2, 2, 9, 13), (3, 2, 2, 4), {"padding": (1, 2), "stride": (2, 3)}),
    "2d wide kernel dilated": ((1, 2, 9, 11), (2, 2, 3, 4), {"dilation": (1, 2)}),
    "2d wide kernel in tiles": ((1, 6, 6, 25), (6, 6, 2, 5), {"padding": 1}),
    "2d wide kernel in uneven tiles": ((1, 6, 6, 15), (6, 6, 2, 5), {}),
    "1d wide kernel": ((2, 3, 11), (2, 3, 5), {"padding": 2, "stride": 2}),
    "2d many channels": ((2, 33, 4, 5), (32, 33, 2, 4), {"padding": 1}),
    "2d depthwise": ((2, 3, 4, 4), (3, 1, 2, 2), {"groups": 3}),
    "2d one by one": ((2, 3, 4, 4), (5, 3, 1, 1), {}),
    "2d same": ((1, 1, 5, 5), (1, 1, 2, 4), {"padding": "same"}),
    "2d valid": ((1, 1, 5, 5), (1, 1, 2, 4), {"padding": "valid"}),
    "2d unbatched": ((2, 5, 5), (3, 2, 3, 3), {"padding": 1}),
    "3d": ((1, 2, 4, 4, 3), (2, 2, 2, 3, 2), {"padding": 1, "stride": 2}),
}


@pytest.mark.filterwarnings("ignore:Using padding='same' with even kernel lengths")
@pytest.mark.parametrize("name", CONVOLUTIONS)
def test_convolution(name, same, draw):
    x, w, options = CONVOLUTIONS[name]

    def program(t, F, x, w, b):
        return getattr(F, f"conv{w.ndim - 2}d")(x, w, b, **options)

    same(program, draw(*x), draw(*w), draw(w[0]))


TRANSPOSED = {
    "1d": ((2, 3, 5), (3, 2, 3), {"stride": 2}),
    "2d": ((2, 3, 4, 4), (3, 2, 3, 3), {"stride": 2, "padding": 1, "output_padding": 1}),
    "2d groups": ((1, 4, 3, 3), (4, 2, 2, 2), {"groups": 2}),
    "2d wide kernel": ((2, 3, 4, 4), (3, 2, 5, 5), {"stride": 2, "padding": 1}),
    "2d dilated": ((1, 2, 3, 3), (2, 1, 2, 2), {"dilation": 2}),
    "3d": ((1, 2, 3, 2, 2), (2, 1, 2, 2, 2), {"stride": 2}),
}


@pytest.mark.parametrize("name", TRANSPOSED)
def test_transposed_convolution(name, same, draw):
    x, w, options = TRANSPOSED[name]

    def program(t, F, x, w, b):
        return getattr(F, f"conv_transpose{w.ndim - 2}d")(x, w, b, **options)

    same(program, draw(*x), draw(*w), draw(w[1] * options.get("groups", 1)))


POOLS = {
    "max 2d": (lambda F, x: F.max_pool2d(x, 2), (2, 2, 4, 6)),
    "max 2d odd": (lambda F, x: F.max_pool2d(x, 2), (2, 2, 5, 5)),
    "max 2d overlapping": (lambda F, x: F.max_pool2d(x, 3, 2, 1), (2, 1, 7, 6)),
    "max 2d dilated": (lambda F, x: F.max_pool2d(x, 2, 1, 0, 2), (1, 1, 5, 5)),
    "max 2d ceil": (lambda F, x: F.max_pool2d(x, 2, ceil_mode=True), (1, 1, 5, 5)),
    "max 2d indices": (lambda F, x: F.max_pool2d(x, 2, return_indices=True), (1, 2, 4, 4)),
    "max 2d unbatched": (lambda F, x: F.max_pool2d(x, 2), (2, 4, 4)),
    "max 1d": (lambda F, x: F.max_pool1d(x, 3, 2, 1), (2, 2, 8)),
    "avg 2d": (lambda F, x: F.avg_pool2d(x, 2), (2, 1, 4, 5)),
    "avg 2d padded": (lambda F, x: F.avg_pool2d(x, 3, 2, 1), (1, 2, 6, 5)),
    "avg 2d without padding": (lambda F, x: F.avg_pool2d(x, 3, 2, 1, count_include_pad=False), (1, 2, 6, 5)),
    "avg 2d ceil": (lambda F, x: F.avg_pool2d(x, 2, 2, 0, True), (1, 1, 5, 5)),
    "avg 2d divisor": (lambda F, x: F.avg_pool2d(x, 2, divisor_override=3), (1, 1, 4, 4)),
    "avg 1d": (lambda F, x: F.avg_pool1d(x, 2), (2, 2, 6)),
    "lp 2d": (lambda F, x: F.lp_pool2d(x, 2, 2), (1, 1, 4, 4)),
    "adaptive avg 1": (lambda F, x: F.adaptive_avg_pool2d(x, 1), (2, 2, 5, 4)),
    "adaptive avg": (lambda F, x: F.adaptive_avg_pool2d(x, (2, 3)), (2, 2, 5, 4)),
    "adaptive avg None": (lambda F, x: F.adaptive_avg_pool2d(x, (None, 2)), (2, 2, 5, 4)),
    "adaptive max": (lambda F, x: F.adaptive_max_pool2d(x, (2, 3), True), (2, 2, 5, 4)),
    "adaptive avg 1d": (lambda F, x: F.adaptive_avg_pool1d(x, 2), (2, 2, 5)),
    "adaptive max 1d": (lambda F, x: F.adaptive_max_pool1d(x, 2), (2, 2, 5)),
}


@pytest.mark.parametrize("name", POOLS)
def test_pooling(name, same, draw):
    program, shape = POOLS[name]
    same(lambda t, F, x: program(F, x), draw(*shape), twice="lp" not in name)


def test_max_unpool_puts_maxima_back(same, draw):
    def program(t, F, x):
        y, places = F.max_pool2d(x, 2, return_indices=True)
        return F.max_unpool2d(y, places, 2)

    same(program, draw(1, 2, 4, 4), twice=False)


NORMS = {
    "batch 2-D": (lambda F, x, w, b: F.batch_norm(x, None, None, w, b, True), (6, 3)),
    "batch 4-D": (lambda F, x, w, b: F.batch_norm(x, None, None, w, b, True), (2, 3, 2, 3)),
    "batch bare": (lambda F, x, w, b: F.batch_norm(x, None, None, None, None, True), (6, 3)),
    "instance": (lambda F, x, w, b: F.instance_norm(x, weight=w, bias=b), (2, 3, 4)),
    "layer": (lambda F, x, w, b: F.layer_norm(x, (3,), w, b), (2, 4, 3)),
    "layer bare": (lambda F, x, w, b: F.layer_norm(x, (4, 3)), (2, 4, 3)),
    "group": (lambda F, x, w, b: F.group_norm(x, 3, w, b), (2, 3, 4)),
    "group of all": (lambda F, x, w, b: F.group_norm(x, 1, w, b), (2, 3, 2, 2)),
    "rms": (lambda F, x, w, b: F.rms_norm(x, (3,), w), (2, 4, 3)),
    "local response": (lambda F, x, w, b: F.local_response_norm(x, 2), (2, 3, 4)),
}


@pytest.mark.parametrize("name", NORMS)
def test_normalisation(name, same, draw):
    program, shape = NORMS[name]
    same(lambda t, F, x, w, b: program(F, x, w, b), draw(*shape), draw(3), draw(3), tolerance=1e-7)


def test_batch_norm_in_evaluation_uses_running_statistics(same, draw):
    def program(t, F, x, w, b, mean, variance):
        return F.batch_norm(x, mean.detach(), variance.detach(), w, b, False)

    same(program, draw(4, 3), draw(3), draw(3), draw(3), draw(3, low=0.5), tolerance=1e-8)


@pytest.mark.parametrize("momentum", [0.1, None])
def test_batch_norm_module_moves_running_statistics(momentum, same, draw):
    def program(t, F, x):
        layer = t.nn.BatchNorm1d(3, momentum=momentum, dtype=t.float64)
        for k in range(3):
            layer(x * (k + 1))
        return layer.running_mean, layer.running_var, layer.num_batches_tracked, layer.eval()(x)

    same(program, draw(5, 3), twice=False, tolerance=1e-8)


def test_embedding_collects_gradients_per_row(same, draw):
    index = np.array([[0, 2, 2], [1, 0, 2]])
    same(lambda t, F, w, i: F.embedding(i, w), draw(4, 3), index)
    same(lambda t, F, w, i: F.embedding(i, w, padding_idx=2), draw(4, 3), index)
    same(lambda t, F, w, i: F.embedding(i, w, scale_grad_by_freq=True), draw(4, 3), index, twice=False)


RESHAPED = {
    "pad": (lambda F, x: F.pad(x, (1, 2, 0, 1), value=0.5), (1, 2, 3, 3)),
    "pad negative": (lambda F, x: F.pad(x, (-1, 2)), (2, 3)),
    "pad reflect": (lambda F, x: F.pad(x, (1, 2, 1, 0), "reflect"), (1, 2, 3, 4)),
    "pad replicate": (lambda F, x: F.pad(x, (1, 2), "replicate"), (1, 2, 4)),
    "pad circular": (lambda F, x: F.pad(x, (1, 2), "circular"), (1, 2, 4)),
    "unfold": (lambda F, x: F.unfold(x, 2, 1, 1, 2), (2, 2, 4, 3)),
    "fold": (lambda F, x: F.fold(x, (4, 4), 2, stride=2), (2, 8, 4)),
    "pixel_shuffle": (lambda F, x: F.pixel_shuffle(x, 2), (2, 8, 2, 3)),
    "pixel_unshuffle": (lambda F, x: F.pixel_unshuffle(x, 2), (2, 2, 4, 6)),
    "nearest": (lambda F, x: F.interpolate(x, scale_factor=2), (1, 2, 3, 3)),
    "nearest size": (lambda F, x: F.interpolate(x, size=(5, 2)), (1, 2, 3, 3)),
    "bilinear": (lambda F, x: F.interpolate(x, scale_factor=2, mode="bilinear"), (1, 2, 3, 3)),
    "bilinear corners": (lambda F, x: F.interpolate(x, size=(5, 4), mode="bilinear", align_corners=True), (1, 2, 3, 3)),
    "linear": (lambda F, x: F.interpolate(x, size=7, mode="linear"), (1, 2, 4)),
    "area": (lambda F, x: F.interpolate(x, size=(2, 2), mode="area"), (1, 2, 5, 4)),
}


@pytest.mark.parametrize("name", RESHAPED)
def test_padding_resizing_rearranging(name, same, draw):
    program, shape = RESHAPED[name]
    same(lambda t, F, x: program(F, x), draw(*shape))


def test_bilinear_layer(same, draw):
    same(lambda t, F, a, b, w, c: F.bilinear(a, b, w, c), draw(4, 2), draw(4, 3), draw(5, 2, 3), draw(5))


def fill(lib, module):
    """The same parameters in both libraries."""
    with lib.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_(lib.linspace(-0.6, 0.7, p.numel(), dtype=lib.float64).reshape(tuple(p.shape)) + 0.05 * k)
    return module


SEQUENCES = {
    "rnn": ("RNN", {}),
    "rnn relu": ("RNN", {"nonlinearity": "relu", "bias": False}),
    "rnn deep": ("RNN", {"num_layers": 2, "bidirectional": True}),
    "lstm": ("LSTM", {}),
    "lstm deep": ("LSTM", {"num_layers": 2, "bidirectional": True, "batch_first": True}),
    "lstm projected": ("LSTM", {"proj_size": 2}),
    "gru": ("GRU", {}),
    "gru deep": ("GRU", {"num_layers": 2, "batch_first": True}),
}


@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("shape", [(4, 2, 3), (4, 3)])
def test_recurrent_layers(name, shape, same, draw):
    kind, options = SEQUENCES[name]

    def program(t, F, x):
        layer = fill(t, getattr(t.nn, kind)(3, 4, dtype=t.float64, **options))
        output, state = layer(x)
        loss = (output * output).sum()
        grads = t.autograd.grad(loss, list(layer.parameters()), retain_graph=True)
        return (output, *(state if isinstance(state, tuple) else (state,)), *(g.detach() for g in grads))

    same(program, draw(*shape), twice=False, tolerance=1e-8)


@pytest.mark.parametrize("kind", ["RNNCell", "GRUCell", "LSTMCell"])
def test_recurrent_cells(kind, same, draw):
    def program(t, F, x, h, c):
        cell = fill(t, getattr(t.nn, kind)(3, 4, dtype=t.float64))
        return cell(x, (h, c)) if kind == "LSTMCell" else cell(x, h)

    same(program, draw(2, 3), draw(2, 4), draw(2, 4), tolerance=1e-8)


@pytest.mark.parametrize("causal", [False, True])
def test_scaled_dot_product_attention(causal, same, draw):
    def program(t, F, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=causal)

    same(program, draw(2, 3, 4), draw(2, 3, 4), draw(2, 3, 5), tolerance=1e-8)


@pytest.mark.parametrize("options", [{}, {"batch_first": True}, {"bias": False}])
def test_multi_head_attention(options, same, draw):
    def program(t, F, x):
        layer = fill(t, t.nn.MultiheadAttention(4, 2, dtype=t.float64, **options))
        mask = t.tensor(np.triu(np.ones((3, 3), bool), 1))
        return layer(x, x, x, attn_mask=mask)

    same(program, draw(3, 3, 4), twice=False, tolerance=1e-8)


BAD = {
    "conv kernel": lambda t, F: F.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 5, 5)),
    "conv dims": lambda t, F: F.conv2d(t.ones(3, 3), t.ones(1, 1, 5, 5)),
    "conv channels": lambda t, F: F.conv2d(t.ones(1, 2, 3, 3), t.ones(1, 1, 3, 3)),
    "conv dtype": lambda t, F: F.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 3, 3).double()),
    "conv bias": lambda t, F: F.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 3, 3), t.ones(2)),
    "conv groups": lambda t, F: F.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 3, 3), groups=2),
    "conv stride": lambda t, F: F.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 3, 3), stride=0),
    "conv padding": lambda t, F: F.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 3, 3), padding=-1),
    "conv same strided": lambda t, F: F.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 2, 2), padding="same", stride=2),
    "conv word": lambda t, F: F.conv2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 2, 2), padding="foo"),
    "conv_transpose channels": lambda t, F: F.conv_transpose2d(t.ones(1, 1, 3, 3), t.ones(2, 1, 2, 2)),
    "conv_transpose extra": lambda t, F: F.conv_transpose2d(t.ones(1, 1, 3, 3), t.ones(1, 1, 2, 2), output_padding=1),
    "pool dims": lambda t, F: F.max_pool2d(t.ones(3, 3), 2),
    "pool padding": lambda t, F: F.max_pool2d(t.ones(1, 1, 3, 3), 2, padding=2),
    "pool size": lambda t, F: F.max_pool2d(t.ones(1, 1, 3, 3), 5),
    "pool stride": lambda t, F: F.max_pool2d(t.ones(1, 1, 3, 3), 2, stride=0),
    "pool1d dims": lambda t, F: F.max_pool1d(t.ones(3), 2),
    "pool1d size": lambda t, F: F.max_pool1d(t.ones(1, 1, 3), 5),
    "pool1d padding": lambda t, F: F.max_pool1d(t.ones(1, 1, 3), 2, padding=2),
    "avg size": lambda t, F: F.avg_pool2d(t.ones(1, 1, 3, 3), 5),
    "avg1d dims": lambda t, F: F.avg_pool1d(t.ones(3), 2),
    "adaptive dims": lambda t, F: F.adaptive_avg_pool2d(t.ones(3), 2),
    "adaptive max dims": lambda t, F: F.adaptive_max_pool2d(t.ones(3), 2),
    "batch norm dims": lambda t, F: t.nn.BatchNorm2d(3)(t.ones(4, 3)),
    "batch norm one value": lambda t, F: t.nn.BatchNorm1d(3)(t.ones(1, 3)),
    "batch norm features": lambda t, F: t.nn.BatchNorm1d(3)(t.ones(2, 4)),
    "layer norm shape": lambda t, F: F.layer_norm(t.ones(2, 4), (3,)),
    "group norm channels": lambda t, F: F.group_norm(t.ones(2, 3), 2),
    "group norm module": lambda t, F: t.nn.GroupNorm(2, 3),
    "embedding range": lambda t, F: F.embedding(t.tensor([3]), t.ones(3, 2)),
    "embedding floats": lambda t, F: F.embedding(t.tensor([1.0]), t.ones(3, 2)),
    "dropout rate": lambda t, F: F.dropout(t.ones(2), 1.5),
    "dropout1d dims": lambda t, F: F.dropout1d(t.ones(3)),
    "linear sizes": lambda t, F: t.nn.Linear(3, 2)(t.ones(5, 4)),
    "linear dtype": lambda t, F: t.nn.Linear(3, 2)(t.ones(5, 3).double()),
    "one_hot floats": lambda t, F: F.one_hot(t.ones(2)),
    "one_hot negative": lambda t, F: F.one_hot(t.tensor([-1])),
    "one_hot too small": lambda t, F: F.one_hot(t.tensor([3]), 2),
    "pixel_shuffle": lambda t, F: F.pixel_shuffle(t.ones(1, 3, 2, 2), 2),
    "reflect too wide": lambda t, F: F.pad(t.ones(1, 1, 3), (3, 0), "reflect"),
    "interpolate both": lambda t, F: F.interpolate(t.ones(1, 1, 3), size=2, scale_factor=2),
    "rnn input dims": lambda t, F: t.nn.RNN(2, 3)(t.ones(2)),
    "rnn input size": lambda t, F: t.nn.RNN(2, 3)(t.ones(4, 1, 3)),
    "rnn hidden size": lambda t, F: t.nn.RNN(2, 3)(t.ones(4, 1, 2), t.ones(1, 2, 3)),
    "rnn hidden dims": lambda t, F: t.nn.RNN(2, 3)(t.ones(4, 2), t.ones(1, 2, 3)),
    "lstm hidden dims": lambda t, F: t.nn.LSTM(2, 3)(t.ones(4, 1, 2), (t.ones(1, 3), t.ones(1, 3))),
    "lstm cell size": lambda t, F: t.nn.LSTM(2, 3)(t.ones(4, 1, 2), (t.ones(1, 1, 3), t.ones(1, 2, 3))),
    "rnn dtype": lambda t, F: t.nn.GRU(2, 3)(t.ones(4, 2).double()),
    "rnn nonlinearity": lambda t, F: t.nn.RNN(2, 3, nonlinearity="x"),
    "rnn size zero": lambda t, F: t.nn.RNN(2, 0),
    "rnn size float": lambda t, F: t.nn.RNN(2, 3.0),
    "rnn dropout": lambda t, F: t.nn.RNN(2, 3, dropout=5),
    "gru projection": lambda t, F: t.nn.GRU(2, 3, proj_size=2),
    "cell dims": lambda t, F: t.nn.RNNCell(2, 3)(t.ones(1, 1, 2)),
    "cell size": lambda t, F: t.nn.RNNCell(2, 3)(t.ones(1, 3)),
    "cell hidden": lambda t, F: t.nn.RNNCell(2, 3)(t.ones(1, 2), t.ones(1, 4)),
    "cell batch": lambda t, F: t.nn.RNNCell(2, 3)(t.ones(1, 2), t.ones(2, 3)),
    "attention heads": lambda t, F: t.nn.MultiheadAttention(4, 3),
    "conv layer groups": lambda t, F: t.nn.Conv2d(3, 4, 2, groups=2),
    "conv layer mode": lambda t, F: t.nn.ConvTranspose2d(1, 1, 2, padding_mode="reflect"),
    "unflatten": lambda t, F: t.nn.Unflatten(1, 4),
    "hardtanh": lambda t, F: t.nn.Hardtanh(1.0, -1.0),
}


@pytest.mark.parametrize("name", BAD)
def test_error_texts_are_torchs(name, messages):
    ours, theirs = messages(BAD[name])
    assert ours == theirs
