"""Recurrent cells: one step of a sequence. RNNCell, LSTMCell, GRUCell.

Read next: `attention.py`.
"""

from __future__ import annotations

import math
from typing import Any

from ..ops.creation import empty, zeros
from ..ops.shape import squeeze_dim, unsqueeze
from . import init
from .functional.recurrent import one_step
from .module import Module
from .parameter import Parameter
from .rnn import GATES


class Cell(Module):
    """What cells share: parameters weight_ih, weight_hh, bias_ih, bias_hh, and checks."""

    mode = "RNN_TANH"

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = GATES[self.mode] * hidden_size
        place = {"device": device, "dtype": dtype}
        self.weight_ih = Parameter(empty(rows, input_size, **place))
        self.weight_hh = Parameter(empty(rows, hidden_size, **place))
        self.register_parameter("bias_ih", Parameter(empty(rows, **place)) if bias else None)
        self.register_parameter("bias_hh", Parameter(empty(rows, **place)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all parameters anew, uniform in ±1/sqrt(hidden_size)."""
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size else 0
        for p in self.parameters():
            init.uniform_(p, -bound, bound)

    def run(self, mode: str, input: Any, states: tuple[Any, ...] | None, count: int) -> tuple[Any, ...]:
        """One step for (N, input_size) or (input_size,), with `count` states."""
        if input.ndim not in (1, 2):
            raise ValueError(f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.ndim}D instead")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {input.shape[-1]} expected {self.input_size}")
        single = input.ndim == 1
        if single:
            input = unsqueeze(input, 0)
            states = None if states is None else tuple(unsqueeze(s, 0) for s in states)
        if states is None:
            states = (zeros(input.shape[0], self.hidden_size, dtype=input.dtype, device=input.device),) * count
        for k, state in enumerate(states):
            if state.shape[-1] != self.hidden_size:
                raise RuntimeError(
                    f"hidden{k} has inconsistent hidden_size: got {state.shape[-1]}, expected {self.hidden_size}"
                )
            if state.shape[0] != input.shape[0]:
                raise RuntimeError(
                    f"Input batch size {input.shape[0]} doesn't match hidden{k} batch size {state.shape[0]}"
                )
        found = one_step(mode, input, states, self._parameters)
        return tuple(squeeze_dim(s, 0) for s in found) if single else found

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else ", bias=False")
        nonlinearity = getattr(self, "nonlinearity", "tanh")
        return text + (f", nonlinearity={nonlinearity}" if nonlinearity != "tanh" else "")


class RNNCell(Cell):
    """h' = tanh(W x + b + U h + c)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Any = None) -> Any:
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self.run(f"RNN_{self.nonlinearity.upper()}", input, None if hx is None else (hx,), 1)[0]


class GRUCell(Cell):
    """One step of gated recurrent units."""

    mode = "GRU"

    def forward(self, input: Any, hx: Any = None) -> Any:
        return self.run("GRU", input, None if hx is None else (hx,), 1)[0]


class LSTMCell(Cell):
    """One step of long short-term memory; returns (h, c)."""

    mode = "LSTM"

    def forward(self, input: Any, hx: Any = None) -> tuple[Any, Any]:
        h, c = self.run("LSTM", input, None if hx is None else tuple(hx), 2)
        return h, c
