"""Inputs that a learner may edit: from texts to leaves, through a function, to its result.

Inputs are given as numbers, lists or tensors; each run makes fresh leaves that require grad, so nothing of the
learner's own is touched.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from autograd_lab.view.names import is_tensor
from autograd_lab.view.recording import record


def leaf(value: Any, torch: Any) -> Any:
    """A fresh leaf of this value that requires grad."""
    numbers = value.detach().tolist() if is_tensor(value) else value
    return torch.tensor(numbers, dtype=torch.float32, requires_grad=True)


def called(function: Callable[..., Any], inputs: Mapping[str, Any], torch: Any) -> tuple[Any, dict[str, Any]]:
    """What the function returns for fresh leaves of these inputs, and the leaves. Values in between are recorded."""
    tensors = {name: leaf(value, torch) for name, value in inputs.items()}
    with record():
        result = function(**tensors)
    if not is_tensor(result):
        raise TypeError(f"The function must return a tensor, got {type(result).__name__}.")
    return result, tensors


def edited(inputs: Mapping[str, Any], remake: Callable[[dict[str, Any]], Any], texts: Mapping[str, str]) -> Any:
    """Read what was typed into the boxes, and make the widget anew. ValueError says which box is no number."""
    values = {}
    for name in inputs:
        text = texts.get(name, "").strip()
        try:
            values[name] = as_floats(ast.literal_eval(text.replace("−", "-")))
        except (ValueError, SyntaxError, TypeError):
            raise ValueError(f"{name} = {text!r} is no number. Examples: 4, -0.5, [1, 2].") from None
    return remake(values)


def as_floats(value: Any) -> Any:
    return [as_floats(v) for v in value] if isinstance(value, list | tuple) else float(value)
