"""An answer that the learner computed or wrote, compared with the right one.

`report_on_answer` works for numbers, lists, tensors, words and True or False. An answer that is still `...` counts
as not answered, so that a notebook runs to its end before anybody wrote a line. Read next: `construct.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from autograd_lab.course.asking import Wrong, reason_and_belief, words_of
from autograd_lab.course.construct import Report
from autograd_lab.view.names import is_tensor
from autograd_lab.view.texts import array_of, number_text
from autograd_lab.view.wrong import NEAR

Pairs = Iterable[tuple[Any, str | tuple[str, str]]]


def report_on_answer(got: Any, want: Any, wrong: Wrong | Pairs = ()) -> Report:
    """Compare the learner's answer with the right one; name the belief behind a known wrong one.

    `wrong` is {answer: reason}, or pairs where an answer is a list or a tensor.

    >>> report_on_answer(8.0, 11.0, {8.0: "That is one way of two. Add what comes along the other."})
    wrong: you have 8. That is one way of two. Add what comes along the other.
    >>> report_on_answer([2.0, 4.0], [2.0, 4.0])
    right: [2, 4]
    >>> report_on_answer(..., 11.0)
    not answered: put in your own answer, then run the cell again.
    """
    if got is Ellipsis:
        return Report("not answered", ("put in your own answer, then run the cell again.",))
    if same(got, want):
        return Report("right", (shown(want),))
    for answer, reason in wrong.items() if isinstance(wrong, Mapping) else wrong:
        if same(got, answer):
            return Report("wrong", (f"you have {shown(got)}. {reason_and_belief(reason)[0]}",))
    return Report("wrong", (f"you have {shown(got)}{shape_note(got, want)}.",))


def same(a: Any, b: Any) -> bool:
    """Whether two answers are the same: numbers up to 0.2 %, everything else exactly.

    >>> same(1.0, 1), same(True, 1), same(None, 0), same([1, 2], (1.0, 2.0))
    (True, False, False, True)
    """
    if isinstance(a, bool) != isinstance(b, bool) or (a is None) != (b is None):
        return False
    if is_numeric(a) and is_numeric(b):
        one, other = as_array(a), as_array(b)
        return one.shape == other.shape and bool(np.allclose(one, other, rtol=NEAR, atol=1e-9, equal_nan=True))
    return bool(words_of(a) == words_of(b))


def is_numeric(thing: Any) -> bool:
    if is_tensor(thing) or isinstance(thing, np.ndarray | np.number):
        return True
    if isinstance(thing, list | tuple):
        return bool(thing) and all(is_numeric(part) for part in thing)
    return isinstance(thing, int | float) and not isinstance(thing, bool)


def as_array(thing: Any) -> np.ndarray:
    if isinstance(thing, list | tuple):
        return np.array([as_array(part) for part in thing])
    return np.asarray(array_of(thing) if is_tensor(thing) else thing, dtype=float)


def shown(thing: Any) -> str:
    """An answer as text."""
    if not is_numeric(thing):
        return words_of(thing)
    array = as_array(thing)
    if array.ndim == 0:
        return number_text(float(array))
    if array.size > 12:
        return f"numbers of shape {tuple(array.shape)}"
    return "[" + ", ".join(shown(part) for part in array) + "]"


def shape_note(got: Any, want: Any) -> str:
    if is_numeric(got) and is_numeric(want) and as_array(got).shape != as_array(want).shape:
        return f", of shape {as_array(got).shape}; wanted is shape {as_array(want).shape}"
    return ""
