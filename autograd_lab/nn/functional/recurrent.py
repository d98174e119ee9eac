"""One step of a recurrent network, and the loop over a sequence.

Each cell takes the input's share of the gates (computed for the whole sequence at once) and the state, and
returns the new state. Gates lie side by side in PyTorch's order: LSTM input, forget, cell, output; GRU reset,
update, new. Read next: `../rnn.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.activation import relu, sigmoid, tanh
from ...ops.joining import unbind
from ...ops.matmul import linear
from ...ops.shape import cat, stack
from ...ops.splitting import unsafe_split

Weights = dict[str, Any]


def tanh_cell(given: Any, state: tuple[Any, ...], w: Weights) -> tuple[Any, ...]:
    """h' = tanh(W x + b + U h + c)."""
    return (tanh(linear(state[0], w["weight_hh"], w["bias_hh"]) + given),)


def relu_cell(given: Any, state: tuple[Any, ...], w: Weights) -> tuple[Any, ...]:
    """h' = relu(W x + b + U h + c)."""
    return (relu(linear(state[0], w["weight_hh"], w["bias_hh"]) + given),)


def lstm_cell(given: Any, state: tuple[Any, ...], w: Weights) -> tuple[Any, ...]:
    """Long short-term memory: c' = f c + i g, h' = o tanh(c'). Source: Hochreiter and Schmidhuber 1997."""
    h, c = state
    i, f, g, o = unsafe_split(linear(h, w["weight_hh"], w["bias_hh"]) + given, 4)
    c = sigmoid(f) * c + sigmoid(i) * tanh(g)
    h = sigmoid(o) * tanh(c)
    return (h if w.get("weight_hr") is None else linear(h, w["weight_hr"]), c)


def gru_cell(given: Any, state: tuple[Any, ...], w: Weights) -> tuple[Any, ...]:
    """Gated recurrent unit: h' = (h - n) z + n, with n = tanh(x_n + r h_n). Source: Cho et al. 2014."""
    h = state[0]
    x_r, x_z, x_n = unsafe_split(given, 3)
    h_r, h_z, h_n = unsafe_split(linear(h, w["weight_hh"], w["bias_hh"]), 3)
    r, z = sigmoid(h_r + x_r), sigmoid(h_z + x_z)
    n = tanh(x_n + h_n * r)
    return ((h - n) * z + n,)


CELLS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "RNN_TANH": tanh_cell,
    "RNN_RELU": relu_cell,
    "LSTM": lstm_cell,
    "GRU": gru_cell,
}


def one_step(kind: str, input: Any, state: tuple[Any, ...], w: Weights) -> tuple[Any, ...]:
    """The state after one input (N, I)."""
    return CELLS[kind](linear(input, w["weight_ih"], w["bias_ih"]), state, w)


def one_direction(
    kind: str, input: Any, state: tuple[Any, ...], w: Weights, backwards: bool
) -> tuple[Any, tuple[Any, ...]]:
    """The outputs of one layer for a sequence (L, N, I), and its last state."""
    given, cell = unbind(linear(input, w["weight_ih"], w["bias_ih"]), 0), CELLS[kind]
    outputs: list[Any] = []
    for at_this_time in reversed(given) if backwards else given:
        state = cell(at_this_time, state, w)
        outputs.append(state[0])
    return stack(outputs[::-1] if backwards else outputs, 0), state


def layers(
    kind: str, input: Any, states: list[tuple[Any, ...]], weights: list[Weights], directions: int, between: Any
) -> tuple[Any, list[tuple[Any, ...]]]:
    """All layers for a sequence (L, N, I); `between` is applied to what goes from layer to layer."""
    last: list[tuple[Any, ...]] = []
    for first in range(0, len(weights), directions):
        outputs = []
        for d in range(directions):
            output, state = one_direction(kind, input, states[first + d], weights[first + d], d == 1)
            outputs.append(output)
            last.append(state)
        input = outputs[0] if directions == 1 else cat(outputs, -1)
        if first + directions < len(weights):
            input = between(input)
    return input, last
