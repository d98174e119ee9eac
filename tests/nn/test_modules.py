"""Modules: registers, traversal, state, hooks, printing. Texts and prints are PyTorch's."""

import copy
import importlib
from collections import OrderedDict

import numpy as np
import pytest

import autograd_lab as torch
from autograd_lab import nn


@pytest.fixture
def real():
    return pytest.importorskip("torch", reason="PyTorch is the source of the expected texts")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.rest = nn.Sequential(nn.ReLU(), nn.Linear(3, 1, bias=False))
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        return self.rest(self.first(x)) * self.scale


def test_assignment_registers_and_deletion_forgets():
    net = Net()
    assert [n for n, _ in net.named_parameters()] == ["scale", "first.weight", "first.bias", "rest.1.weight"]
    assert [n for n, _ in net.named_modules()] == ["", "first", "rest", "rest.0", "rest.1"]
    assert [n for n, _ in net.named_buffers()] == ["count"]
    del net.scale, net.count
    net.first = None
    assert [n for n, _ in net.named_parameters()] == ["rest.1.weight"]
    assert net.first is None


def test_a_name_moves_from_one_register_to_another():
    net = nn.Module()
    net.thing = 3
    net.thing = nn.Linear(1, 1)
    assert list(net._modules) == ["thing"]
    net.other = torch.ones(1)
    net.other = nn.Parameter(torch.ones(1))
    assert list(net._parameters) == ["other"]
    assert "other" not in net.__dict__


def test_shared_parameters_count_once():
    layer = nn.Linear(2, 2)
    both = nn.Sequential(layer, layer)
    assert len(list(both.parameters())) == 2
    assert len(list(both.modules())) == 2
    assert len(both.state_dict()) == 4


def test_buffers_follow_the_module_but_not_the_optimizer():
    net = Net().double()
    assert net.count.dtype is torch.float64
    assert all(p.dtype is torch.float64 for p in net.parameters())
    net.count = torch.ones(1)
    assert "count" in net.state_dict()
    with pytest.raises(TypeError, match="cannot assign 'int' as buffer 'count'"):
        net.count = 3


def test_conversion_keeps_parameter_objects_and_gradients():
    net = nn.Linear(2, 1)
    weight = net.weight
    net(torch.ones(1, 2)).sum().backward()
    net.double()
    assert net.weight is weight
    assert weight.grad.dtype is torch.float64
    assert weight.is_leaf


def test_meta_device_has_shapes_only():
    net = nn.Linear(2, 1, device="meta")
    assert net.weight.is_meta
    assert net(torch.ones(4, 2, device="meta")).shape == (4, 1)


def test_zero_grad_and_requires_grad():
    net = Net()
    net(torch.ones(1, 2)).sum().backward()
    net.zero_grad(set_to_none=False)
    assert net.first.weight.grad.abs().sum().item() == 0
    net.zero_grad()
    assert net.first.weight.grad is None
    net.requires_grad_(False)
    assert not net(torch.ones(1, 2)).requires_grad


def test_deepcopy_is_independent():
    net = Net()
    net(torch.ones(1, 2)).sum().backward()
    twin = copy.deepcopy(net)
    with torch.no_grad():
        twin.first.weight.zero_()
    assert net.first.weight.abs().sum().item() > 0
    assert isinstance(twin.first.weight, nn.Parameter)
    assert twin.first.bias.grad is not net.first.bias.grad
    assert repr(twin) == repr(net)


def test_state_dict_round_trip_in_one_load():
    a, b = Net(), Net()
    version = b.first.weight._version
    saved = copy.deepcopy(a.state_dict())
    assert str(b.load_state_dict(saved)) == "<All keys matched successfully>"
    x = torch.ones(3, 2)
    np.testing.assert_array_equal(a(x).detach().numpy(), b(x).detach().numpy())
    assert b.first.weight._version == version + 1


def test_load_with_assign_takes_the_tensors_themselves():
    net = nn.Linear(1, 1)
    value = torch.tensor([[5.0]])
    net.load_state_dict({"weight": value, "bias": torch.zeros(1)}, assign=True)
    assert isinstance(net.weight, nn.Parameter)
    value.mul_(2)
    assert net.weight.item() == 10


def programs(lib):
    """Calls that must fail, on either library."""
    nn = lib.nn

    class Plain(nn.Module):
        pass

    class Late(nn.Module):
        def __init__(self):
            self.p = nn.Parameter(lib.ones(1))

    class LateBuffer(nn.Module):
        def __init__(self):
            self.register_buffer("b", lib.ones(1))

    one = nn.Sequential(nn.Linear(1, 1))
    return {
        "missing and unexpected": lambda: nn.Linear(2, 1).load_state_dict({"w": lib.ones(1)}),
        "size": lambda: one.load_state_dict({"0.weight": lib.ones(2, 1), "0.bias": lib.ones(1)}),
        "not a tensor": lambda: one.load_state_dict({"0.weight": 1, "0.bias": lib.ones(1)}),
        "deep unexpected": lambda: one.load_state_dict({**one.state_dict(), "0.x.y": lib.ones(1), "z": lib.ones(1)}),
        "parameter too early": Late,
        "buffer too early": LateBuffer,
        "module as parameter": lambda: setattr(nn.Linear(1, 1), "weight", 3),
        "number as child": lambda: setattr(one, "0", 3),
        "register wrong type": lambda: nn.Module().register_parameter("p", 3),
        "dotted name": lambda: nn.Module().register_parameter("a.b", nn.Parameter(lib.ones(1))),
        "empty name": lambda: nn.Module().register_buffer("", lib.ones(1)),
        "taken name": lambda: nn.Linear(1, 1).register_buffer("forward", lib.ones(1)),
        "buffer type": lambda: nn.Module().register_buffer("b", 3),
        "add_module": lambda: nn.Module().add_module("a", 3),
        "add_module dotted": lambda: nn.Module().add_module("a.b", nn.ReLU()),
        "get_submodule": lambda: one.get_submodule("0.x"),
        "get_submodule no module": lambda: one.get_submodule("0.weight"),
        "get_parameter": lambda: one.get_parameter("0.x"),
        "get_parameter no parameter": lambda: one.get_parameter("0"),
        "get_buffer": lambda: one.get_buffer("0.weight"),
        "train": lambda: one.train("yes"),
        "to int": lambda: one.to(lib.int64),
        "attribute": lambda: one.wieght,
        "extra argument": lambda: Plain(3),
        "extra keyword": lambda: Plain(size=3),
        "no forward": lambda: Plain()(1),
        "index": lambda: one[3],
        "add": lambda: one + 3,
        "list index": lambda: nn.ModuleList([nn.ReLU()])[2],
        "list extend": lambda: nn.ModuleList().extend(3),
        "list of numbers": lambda: nn.ModuleList([3]),
        "dict update": lambda: nn.ModuleDict(3),
        "integer parameter": lambda: nn.Parameter(lib.tensor([1])),
    }


@pytest.mark.parametrize("name", programs(torch))
def test_error_texts_are_torchs(name, real):
    texts = []
    for lib in (torch, real):
        with pytest.raises(Exception) as caught:
            programs(lib)[name]()
        texts.append((type(caught.value).__name__, str(caught.value)))
    assert texts[0] == texts[1]


SHOWN = {
    "nested": lambda nn, t: nn.Sequential(nn.Linear(1, 2), nn.Sequential(nn.ReLU(), nn.Dropout(0.1))),
    "named": lambda nn, t: nn.Sequential(OrderedDict([("fc", nn.Linear(1, 2)), ("act", nn.Tanh())])),
    "list": lambda nn, t: nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU(), nn.Linear(1, 1)]),
    "list of lists": lambda nn, t: nn.ModuleList([nn.Sequential(nn.ReLU(), nn.ReLU()) for _ in range(3)]),
    "dict": lambda nn, t: nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.ModuleList()}),
    "parameters": lambda nn, t: nn.ParameterList([t.ones(2), t.ones(2, 3)]),
    "one parameter": lambda nn, t: nn.ParameterList([t.ones(2)]),
    "parameter dict": lambda nn, t: nn.ParameterDict({"a": t.ones(2, 3)}),
    "empty": lambda nn, t: nn.Sequential(),
    "parameter": lambda nn, t: nn.Parameter(t.tensor([[1.0, 2.5]])),
    "attention": lambda nn, t: nn.MultiheadAttention(4, 2),
}

LAYERS = [
    "",
    "Linear(3, 4, bias=False)",
    "Bilinear(2, 3, 4)",
    "Identity()",
    "Conv1d(1, 2, 3)",
    "Conv2d(3, 8, (3, 5), padding=1)",
    "Conv2d(4, 8, 3, stride=2, dilation=2, groups=2, bias=False)",
    "Conv2d(1, 1, 2, padding='same')",
    "Conv2d(1, 1, 2, padding=1, padding_mode='circular')",
    "Conv3d(1, 2, 3)",
    "ConvTranspose2d(1, 2, 3, 2, 1, output_padding=1)",
    "MaxPool2d(2)",
    "MaxPool1d(3, 2)",
    "MaxUnpool2d(2)",
    "AvgPool1d(2)",
    "AvgPool2d(2, padding=1)",
    "LPPool2d(2, 3)",
    "AdaptiveAvgPool2d((2, None))",
    "AdaptiveMaxPool1d(3)",
    "BatchNorm1d(3)",
    "BatchNorm2d(3, affine=False)",
    "InstanceNorm2d(3)",
    "LayerNorm((2, 3))",
    "GroupNorm(2, 4)",
    "RMSNorm(3)",
    "LocalResponseNorm(2)",
    "Dropout(0.2, inplace=True)",
    "Dropout2d()",
    "AlphaDropout()",
    "Embedding(10, 3)",
    "Embedding(10, 3, padding_idx=-1, scale_grad_by_freq=True)",
    "ReLU()",
    "ReLU(inplace=True)",
    "ReLU6()",
    "LeakyReLU(0.1, True)",
    "PReLU(3)",
    "RReLU()",
    "ELU(0.5)",
    "CELU()",
    "SELU()",
    "GELU()",
    "SiLU()",
    "Mish()",
    "Sigmoid()",
    "Softplus()",
    "Softshrink()",
    "Hardshrink(0.3)",
    "Hardtanh()",
    "Hardsigmoid()",
    "Hardswish(True)",
    "Threshold(1, 2)",
    "GLU()",
    "Softmax(1)",
    "LogSoftmax(dim=-1)",
    "Softmin(0)",
    "Softmax2d()",
    "LogSigmoid()",
    "Flatten()",
    "Unflatten(1, (2, 2))",
    "ConstantPad2d(1, 2.0)",
    "ZeroPad2d((1, 2, 3, 4))",
    "ReflectionPad1d(2)",
    "Upsample(scale_factor=2)",
    "Upsample(size=4, mode='bilinear')",
    "PixelShuffle(2)",
    "ChannelShuffle(2)",
    "Unfold(2)",
    "Fold(4, 2)",
    "CosineSimilarity()",
    "RNN(2, 3)",
    "RNN(2, 3, 2, 'relu')",
    "LSTM(2, 3, num_layers=2, dropout=0.5)",
    "LSTM(4, 3, proj_size=2, bias=False)",
    "GRU(2, 3, batch_first=True, bidirectional=True)",
    "RNNCell(2, 3, nonlinearity='relu')",
    "LSTMCell(2, 3, bias=False)",
    "MSELoss()",
    "CrossEntropyLoss()",
    "HuberLoss()",
    "TripletMarginLoss()",
    "",
][1:-1]


def made(nn, text):
    """A layer from the text of its call."""
    return eval(f"nn.{text}", {"nn": nn})


@pytest.mark.parametrize("text", LAYERS)
def test_layers_print_as_torchs(text, real):
    assert repr(made(nn, text)) == repr(made(real.nn, text))


@pytest.mark.parametrize("name", SHOWN)
def test_prints_as_torch(name, real):
    assert repr(SHOWN[name](nn, torch)) == repr(SHOWN[name](real.nn, real))


def test_hooks_see_and_change_inputs_and_outputs():
    layer = nn.Linear(1, 1, bias=False)
    nn.init.ones_(layer.weight)
    seen = []
    first = layer.register_forward_pre_hook(lambda m, args: (args[0] * 2,))
    second = layer.register_forward_hook(lambda m, args, output: output + 1)
    layer.register_forward_hook(lambda m, args, output: seen.append((args[0].item(), output.item())))
    assert layer(torch.ones(1, 1)).item() == 3
    first.remove()
    with second:
        assert layer(torch.ones(1, 1)).item() == 2
    assert layer(torch.ones(1, 1)).item() == 1
    assert seen == [(2.0, 3.0), (1.0, 2.0), (1.0, 1.0)]


def backward_hooks(lib):
    """What full backward hooks of a small network see, and the gradient that reaches its input."""
    net = lib.nn.Sequential(lib.nn.Linear(2, 2, bias=False), lib.nn.Tanh())
    with lib.no_grad():
        net[0].weight.copy_(lib.tensor([[0.5, -1.0], [2.0, 0.25]]))
    seen = []

    def note(module, grad_input, grad_output):
        seen.append((type(module).__name__, [None if g is None else g.tolist() for g in (*grad_input, *grad_output)]))

    handles = [m.register_full_backward_hook(note) for m in net]
    twice = net[1].register_full_backward_pre_hook(lambda module, grad_output: (grad_output[0] * 2,))
    tenfold = net[0].register_full_backward_hook(lambda module, grad_input, grad_output: (grad_input[0] * 10,))
    x = lib.tensor([[1.0, -1.0]], requires_grad=True)
    net(x).sum().backward()
    tenfold.remove()
    net(lib.ones(1, 2)).sum().backward()  # an input without gradient
    for handle in (*handles, twice):
        handle.remove()
    net(x).sum().backward()
    return seen, x.grad.tolist(), net[0].weight.grad.tolist()


def flat(value):
    if isinstance(value, (list, tuple)):
        return [y for v in value for y in flat(v)]
    return [value]


@pytest.mark.filterwarnings("ignore:Full backward hook is firing")
def test_full_backward_hooks_are_torchs(real):
    ours, theirs = flat(backward_hooks(torch)), flat(backward_hooks(real))
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert a == b if isinstance(b, str) or b is None else a == pytest.approx(b, rel=1e-5)


def test_a_backward_hook_without_tracked_inputs_warns():
    layer = nn.Linear(1, 1)
    layer.register_full_backward_hook(lambda module, grad_input, grad_output: None)
    with pytest.warns(UserWarning, match="Full backward hook is firing when gradients are computed"):
        layer(torch.ones(1, 1)).sum().backward()


def test_containers_behave_as_lists_and_dicts():
    net = nn.Sequential(nn.ReLU(), nn.Tanh())
    net.append(nn.Sigmoid())
    net.insert(1, nn.GELU())
    assert [type(m).__name__ for m in net] == ["ReLU", "GELU", "Tanh", "Sigmoid"]
    del net[0]
    assert list(net._modules) == ["0", "1", "2"]
    assert isinstance(net.pop(-1), nn.Sigmoid)
    net[0] = nn.ELU()
    assert isinstance(net[0], nn.ELU)
    assert len(net + net) == 4
    assert len(net * 2) == 4
    both = nn.ModuleDict({"a": nn.ReLU()})
    both["b"] = nn.Tanh()
    assert list(both.keys()) == ["a", "b"]
    assert "a" in both
    assert isinstance(both.pop("a"), nn.ReLU)
    assert len(both) == 1
    values = nn.ParameterDict({"w": torch.ones(2)})
    assert isinstance(values["w"], nn.Parameter)
    assert [n for n, _ in values.named_parameters()] == ["w"]


def test_clip_grad_norm_scales_to_the_limit(real):
    def program(lib):
        utils = importlib.import_module(f"{lib.__name__}.nn.utils")
        a = lib.tensor([3.0, -8.0], requires_grad=True)
        b = lib.tensor(4.0, requires_grad=True)
        ((a**2).sum() / 2 + b**2 / 2).backward()
        return [utils.clip_grad_norm_([a, b], 2.0).item(), *a.grad.tolist(), b.grad.item()]

    assert program(torch) == pytest.approx(program(real), rel=1e-6)


def test_clip_grad_norm_names_an_infinite_norm():
    a = torch.ones(1, requires_grad=True)
    (a * float("inf")).sum().backward()
    with pytest.raises(
        RuntimeError, match=r"The total norm of order 2\.0 for gradients from `parameters` is non-finite"
    ):
        nn.utils.clip_grad_norm_([a], 1.0, error_if_nonfinite=True)


def test_parameters_to_vector_and_back():
    net = nn.Linear(2, 1)
    vector = nn.utils.parameters_to_vector(net.parameters())
    assert vector.shape == (3,)
    nn.utils.vector_to_parameters(torch.arange(3.0), net.parameters())
    assert net.weight.tolist() == [[0.0, 1.0]]
    assert net.bias.tolist() == [2.0]
    with pytest.raises(TypeError, match=r"expected torch\.Tensor"):
        nn.utils.vector_to_parameters([1.0], net.parameters())
