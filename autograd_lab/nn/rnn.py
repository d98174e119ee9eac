"""Recurrent layers for whole sequences: RNN, LSTM, GRU.

Input (L, N, input_size), or (N, L, input_size) with `batch_first`, or (L, input_size); the loop itself is in
`functional/recurrent.py`. Read next: `rnn_cells.py`.
"""

from __future__ import annotations

import math
from typing import Any

from ..caution import warn
from ..ops.creation import empty, zeros
from ..ops.indexing import select
from ..ops.shape import squeeze_dim, stack, transpose, unsqueeze
from . import functional as F
from . import init
from .functional.recurrent import layers
from .module import Module
from .parameter import Parameter

GATES = {"LSTM": 4, "GRU": 3, "RNN_TANH": 1, "RNN_RELU": 1}


class Recurrent(Module):
    """What recurrent layers share. Parameters are named weight_ih_l0, weight_hh_l0, bias_ih_l0, …"""

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        check_options(mode, hidden_size, num_layers, dropout, proj_size)
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        out, rows = proj_size or hidden_size, GATES[mode] * hidden_size
        place = {"device": device, "dtype": dtype}
        for layer in range(num_layers):
            width = input_size if layer == 0 else out * (1 + bidirectional)
            for suffix in self.suffixes(layer):
                shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, width), "weight_hh": (rows, out)}
                if bias:
                    shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
                if proj_size:
                    shapes["weight_hr"] = (proj_size, hidden_size)
                for name, shape in shapes.items():
                    self.register_parameter(name + suffix, Parameter(empty(shape, **place)))
        self.reset_parameters()

    def suffixes(self, layer: int) -> list[str]:
        """What the parameter names of a layer end in, one for each direction."""
        return [f"_l{layer}", f"_l{layer}_reverse"][: 1 + self.bidirectional]

    def reset_parameters(self) -> None:
        """Draw all parameters anew, uniform in ±1/sqrt(hidden_size)."""
        bound = 1 / math.sqrt(self.hidden_size)
        for p in self.parameters():
            init.uniform_(p, -bound, bound)

    def flatten_parameters(self) -> None:
        """Nothing to do here: PyTorch arranges memory for the GPU."""

    def weights(self) -> list[dict[str, Any]]:
        """The parameters of each layer and direction, by the first part of their names."""
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        suffixes = [s for layer in range(self.num_layers) for s in self.suffixes(layer)]
        return [{name: self._parameters.get(name + s) for name in names} for s in suffixes]

    def run(self, input: Any, states: tuple[Any, ...] | None, sizes: tuple[int, ...]) -> tuple[Any, tuple[Any, ...]]:
        """Check, add what is missing, loop; the outputs and the last states (layers, N, size)."""
        name = type(self).__name__
        if input.ndim not in (2, 3):
            raise ValueError(f"{name}: Expected input to be 2D or 3D, got {input.ndim}D tensor instead")
        weight = self._parameters["weight_ih_l0"]
        if input._data.dtype != weight._data.dtype:
            kind = weight.dtype
            raise ValueError(
                f"RNN input dtype ({input.dtype!r}) does not match weight dtype ({kind!r}). Convert input: "
                f"input.to({kind!r}), or convert model: model.to({input.dtype!r})"
            )
        batched = input.ndim == 3
        check_dims(states, batched)
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        if not batched:
            input = unsqueeze(input, 1)
        elif self.batch_first:
            input = transpose(input, 0, 1)
        count, batch = self.num_layers * (1 + self.bidirectional), input.shape[1]
        if states is None:
            states = tuple(zeros(count, batch, n, dtype=input.dtype, device=input.device) for n in sizes)
        elif not batched:
            states = tuple(unsqueeze(s, 1) for s in states)
        check_sizes(states, [(count, batch, n) for n in sizes])
        by_layer = [tuple(select(s, 0, i) for s in states) for i in range(count)]

        def between(x: Any) -> Any:
            return F.dropout(x, self.dropout, self.training)

        output, last = layers(self.mode, input, by_layer, self.weights(), 1 + self.bidirectional, between)
        final = tuple(stack([state[k] for state in last], 0) for k in range(len(sizes)))
        if not batched:
            return squeeze_dim(output, 1), tuple(squeeze_dim(f, 1) for f in final)
        return (transpose(output, 0, 1) if self.batch_first else output), final

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        shown = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0}
        for name, usual in {**shown, "bidirectional": False}.items():
            if getattr(self, name) != usual:
                text += f", {name}={getattr(self, name)}"
        return text


def check_options(mode: str, hidden_size: Any, num_layers: int, dropout: Any, proj_size: int) -> None:
    """Raise or warn about options, as PyTorch does."""
    if not isinstance(dropout, (int, float)) or isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
        )
    if dropout > 0 and num_layers == 1:
        warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
            "num_layers greater "
            f"than 1, but got dropout={dropout} and num_layers={num_layers}"
        )
    if not isinstance(hidden_size, int):
        raise TypeError(f"hidden_size should be of type int, got: {type(hidden_size).__name__}")
    if hidden_size <= 0:
        raise ValueError("hidden_size must be greater than zero")
    if num_layers <= 0:
        raise ValueError("num_layers must be greater than zero")
    if proj_size >= hidden_size:
        raise ValueError("proj_size has to be smaller than hidden_size")
    if proj_size and mode != "LSTM":
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


def check_dims(states: tuple[Any, ...] | None, batched: bool) -> None:
    """Raise PyTorch's error if the states have the wrong number of dimensions."""
    wanted = 3 if batched else 2
    if states is None or all(s.ndim == wanted for s in states):
        return
    given = ", ".join(f"{s.ndim}-D" for s in states)
    what, kind = ("hx", f"{given} tensor") if len(states) == 1 else ("hx and cx", f"({given}) tensors")
    first = "batched 3-D" if batched else "unbatched 2-D"
    raise RuntimeError(f"For {first} input, {what} should also be {wanted}-D but got {kind}")


def check_sizes(states: tuple[Any, ...], wanted: list[tuple[int, ...]]) -> None:
    """Raise PyTorch's error if a state has another size."""
    for k, (state, shape) in enumerate(zip(states, wanted, strict=True)):
        if tuple(state.shape) != shape:
            name = "hidden" if len(states) == 1 else f"hidden[{k}]"
            raise RuntimeError(f"Expected {name} size {shape}, got {list(state.shape)}")


class RNN(Recurrent):
    """h' = tanh(W x + b + U h + c) along a sequence; returns all outputs and the last state.

    >>> import autograd_lab as torch
    >>> output, h = torch.nn.RNN(2, 3)(torch.zeros(5, 1, 2))
    >>> output.shape, h.shape
    (torch.Size([5, 1, 3]), torch.Size([1, 1, 3]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        *args: Any,
        **kwargs: Any,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, *args, **kwargs)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        output, (h,) = self.run(input, None if hx is None else (hx,), (self.hidden_size,))
        return output, h


class GRU(Recurrent):
    """Gated recurrent units along a sequence; returns all outputs and the last state."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("GRU", *args, **kwargs)

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        output, (h,) = self.run(input, None if hx is None else (hx,), (self.hidden_size,))
        return output, h


class LSTM(Recurrent):
    """Long short-term memory along a sequence; returns all outputs and the last (h, c)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__("LSTM", *args, **kwargs)

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, tuple[Any, Any]]:
        states = None if hx is None else (hx[0], hx[1])
        output, (h, c) = self.run(input, states, (self.proj_size or self.hidden_size, self.hidden_size))
        return output, (h, c)
