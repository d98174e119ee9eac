"""What the learner gave: found by name in the notebook's variables, and turned into a number, a name or a
call.

Whatever it is, reading it must not raise: an answer of another kind, an answer not given yet, and code that
raises each become a sentence. Read next: `questions.py`.
"""

import math
import numbers
import re
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from autograd_lab.view.names import is_tensor
from autograd_lab.view.texts import number_text

from .verdict import Reason

LONGEST = 60
ADDRESS = re.compile(r" (?:object )?at 0x[0-9a-fA-F]+")
PACKAGE = str(Path(__file__).resolve().parent.parent)


class Missing:
    """Stands for a variable that does not exist: the cell that makes it was not run."""

    def __repr__(self) -> str:
        return "nothing"


MISSING = Missing()


class Unusable(Exception):
    """An answer that cannot be judged as it is; `reason` tells the learner why."""

    def __init__(self, belief: str, text: str) -> None:
        super().__init__(text)
        self.reason = Reason(belief, text)


class Raised(Exception):
    """The learner's own code raised; the text says what and in which of their lines."""


def find(spaces: tuple[Mapping[str, Any], ...], names: tuple[str, ...]) -> tuple[Any, ...]:
    """The values of these variables, MISSING for one that is not there."""
    return tuple(next((space[name] for space in spaces if name in space), MISSING) for name in names)


def attempted(answer: Any) -> bool:
    """Whether something was given: not the three dots of the empty cell."""
    return answer is not MISSING and answer is not Ellipsis


def number(answer: Any) -> float:
    """The answer as a number. Raises Unusable with a sentence, or Raised.

    >>> number(4), number(np.float32(0.5))
    (4.0, 0.5)
    >>> number("136")
    Traceback (most recent call last):
    autograd_lab.grading.answers.Unusable: A number is asked for. '136' is text: leave out the quotes.
    """
    if is_node(answer):
        text = f"{short(answer)} is a node: it knows how to compute gradients, but it is not one. Give a number."
        raise Unusable("returned.grad-fn", text)
    if is_tensor(answer):
        return _tensor_number(answer)
    if callable(answer) and not isinstance(answer, type):
        return number(called(answer))
    if answer is None:
        raise Unusable("none.no-backward", NONE_GIVEN)
    if isinstance(answer, str):
        hint = "leave out the quotes" if _reads_as_number(answer) else "work it out and give the number"
        raise Unusable("none.wrong-type", f"A number is asked for. {short(answer)} is text: {hint}.")
    if isinstance(answer, np.ndarray) and answer.size == 1:
        answer = answer.reshape(())[()]
    if isinstance(answer, bool | np.bool_) or not isinstance(answer, numbers.Real | np.number):
        text = f"A number is asked for. {short(answer)} is a {type(answer).__name__}."
        raise Unusable("none.wrong-type", text)
    return _finite(called(lambda: float(answer)))


NONE_GIVEN = (
    "None is no number. x.grad is None until backward() has run, and what backward() itself returns is "
    "always "
    "None: look into .grad after it."
)


def called(function: Callable[..., Any], *arguments: Any) -> Any:
    """What the learner's code returns. Raises Raised naming the error and the line."""
    try:
        return function(*arguments)
    except Exception as error:
        raise Raised(_account(error)) from None


def is_node(thing: Any) -> bool:
    """Whether this is a node of a graph, ours or PyTorch's."""
    return hasattr(type(thing), "next_functions")


def short(value: Any) -> str:
    """The answer as text of at most 60 characters, whatever its own repr does.

    >>> short("a" * 100)[-4:], short(number)
    ('aaa…', '<function number>')
    """
    try:
        text = number_text(value) if type(value) is float else " ".join(repr(value).split())
    except Exception:
        text = f"a {type(value).__name__}"
    text = ADDRESS.sub("", text)  # says nothing to a learner, and differs in every run
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _tensor_number(tensor: Any) -> float:
    if tensor.numel() != 1:
        text = f"One number is asked for. This tensor has the shape {tuple(tensor.shape)}."
        raise Unusable("none.wrong-type", text)
    return _finite(float(tensor.detach().reshape(()).item()))


def _finite(value: float) -> float:
    if math.isnan(value) or math.isinf(value):
        raise Unusable("none.wrong-type", f"A finite number is asked for, this one is {value}.")
    return value


def _reads_as_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _account(error: Exception) -> str:
    """The error and the innermost line of it that is not the library's."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.line and not frame.filename.startswith(PACKAGE)]
    line = f' at the line "{own[-1].line}"' if own else ""
    try:
        message = str(error)
    except Exception:
        message = ""
    return f"Your code raised {type(error).__name__}{line}: {message}".rstrip(": ") + "."
