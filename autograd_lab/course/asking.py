"""How predictions become questions: a value, a slope, one element of a gradient, or a choice.

Right and wrong answers come from the objects of the cell, so they follow every change of its inputs. Plain functions
from tensors to `Question`; `lesson.py` numbers, shows and remembers them. Read next: `wrong_answers.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from autograd_lab import engine
from autograd_lab._tensor import Tensor, bare
from autograd_lab.course.chain import Chain, chain_between, last_step, number_of, values_before
from autograd_lab.course.entry import in_no_usual_place
from autograd_lab.course.power_slips import power_slips
from autograd_lab.course.prompt import Choice, Question
from autograd_lab.course.wrong_answers import WrongAnswer, kept, named, wrong_slopes, wrong_values
from autograd_lab.view.names import Names, is_tensor
from autograd_lab.view.texts import array_of, number_text

Place = int | tuple[int, ...]
Wrong = Mapping[Any, str | tuple[str, str]]  # {answer: reason} or {answer: (reason, belief)}
CLOSE = (
    "Close, but not it: a small step, or a rounded number on the way, gives such a number. The op's own rule gives "
    "the exact one."
)
SIDEWAYS = "Not this number. Work out one op after the other, in the order of the code."


def value_question(key: str, text: str, of: Any, names: Names, wrong: Wrong, because: str) -> Question:
    """The value of a tensor of one element, or of a plain number that the cell computed."""
    answer = number_of(of) if is_tensor(of) else float(of)
    name = (names.of(of) if is_tensor(of) else "") or "the answer"
    computed = is_tensor(of) and of.grad_fn is not None
    before = values_before(of, names) if computed else []
    last = last_step(of, names) if computed else None
    way = [f"{n} = {number_text(v)}" for n, v in reversed(before)]
    return Question(
        id=key,
        label="Predict",
        text=text,
        answer=answer,
        shown=number_text(answer),
        because=because or (", ".join([*way, f"{name} = {number_text(answer)}"]) if way else ""),
        wrong=kept(answer, [*numbers_given(wrong), *wrong_values(name, last, before)]),
        otherwise=SIDEWAYS if computed else "Not this number. Read the code of the cell again, line by line.",
        nudge=way[0] + ". Do the first op with it, then the next with what you got." if way else "",
    )


def slope_question(key: str, text: str, of: Any, wrt: Any, names: Names, wrong: Wrong, because: str) -> Question:
    """The slope d of / d wrt, both tensors of one element."""
    chain = chain_between(of, wrt, names)
    ours = isinstance(of, Tensor)
    answer = chain.slope if chain and not ours else number_of(gradient_of(of, wrt))
    return Question(
        id=key,
        label="Predict",
        text=text,
        answer=answer,
        shown=number_text(answer),
        because=because or (product_text(chain, numbers=True) if chain else ""),
        wrong=kept(answer, [*numbers_given(wrong), *(known_slips(chain) if chain else ())]),
        otherwise=_walk(chain),
        close=CLOSE,
        nudge=product_text(chain, numbers=False) if chain else "",
    )


def known_slips(chain: Chain) -> Iterator[WrongAnswer]:
    """Every wrong slope that a rule knows."""
    yield from wrong_slopes(chain)
    yield from power_slips(chain)


def _walk(chain: Chain | None) -> str:
    """What helps with a slope that no rule knows."""
    if chain and len(chain.ways) > 1:
        count = len(chain.ways)
        return f"Not this number. {count} ways lead from {chain.of} to {chain.wrt}: multiply along each, then add."
    ratio = chain.ratio if chain else "the slope"
    return f"Not this number. Walk back from the end: {ratio} has one factor for each node."


def element_question(
    key: str, text: str, of: Any, wrt: Any, at: Place, names: Names, wrong: Wrong, because: str
) -> Question:
    """One element of the gradient of a scalar with respect to a tensor with many."""
    gradient = array_of(gradient_of(of, wrt))
    answer = float(gradient[at])
    name = names.of(wrt) or "the input"
    return Question(
        id=key,
        label="Predict",
        text=text,
        answer=answer,
        shown=number_text(answer),
        because=because,
        wrong=kept(answer, [*numbers_given(wrong), *wrong_elements(gradient, array_of(wrt), number_of(of), at, name)]),
        otherwise=f"Not this number. Write down what this one element of {name} adds to the result, alone.",
    )


def wrong_elements(gradient: Any, values: Any, result: float, at: Place, name: str) -> Iterator[WrongAnswer]:
    """What learners type for one element: the 1/N of a mean, another element, the sum of all, the value."""
    size, answer = gradient.size, float(gradient[at])
    yield WrongAnswer(
        float(values[at]), f"That is the element of {name} itself, not its gradient.", "returned.input-value"
    )
    yield WrongAnswer(
        result, "That is the value of the result. The question asks for a slope.", "returned.value-not-gradient"
    )
    mean = (
        f"Count the elements: {size}. A mean divides by {size}, and so does every gradient behind it; a sum does not."
    )
    yield WrongAnswer(answer * size, mean, "reduce.mean-as-sum")
    yield WrongAnswer(answer / size, mean, "reduce.sum-as-mean")
    for other in gradient.reshape(-1):
        yield WrongAnswer(float(other), f"That is the gradient of another element of {name}.", "pair.swapped")
    yield WrongAnswer(
        float(gradient.sum()),
        f"That is the sum over all elements of {name}; each has a number of its own.",
        "reduce.summed",
    )
    yield WrongAnswer(-answer, "The size is right, the sign is not.", "sign.flipped")


def choice_question(key: str, text: str, of: Any, wrong: Wrong, because: str) -> Question:
    """Anything that is no number: True, None, the name of a node. `wrong` may list the right answer too."""
    right = words_of(of)
    options: dict[str, Choice] = {}
    for answer, reason in wrong.items():
        told, belief = reason_and_belief(reason)
        options.setdefault(words_of(answer), Choice(words_of(answer), reason=told, rule=belief))
    options.pop(right, None)
    if not options:
        raise TypeError(
            f"of must be a tensor or a number, not {type(of).__name__}; for a choice between answers, give "
            "wrong={answer: reason} with the others."
        )
    return Question(
        id=key,
        label="Predict",
        text=text,
        shown=right,
        because=because,
        choices=in_no_usual_place([Choice(right, right=True), *options.values()]),
    )


def words_of(answer: Any) -> str:
    """How an answer reads as a choice: a node by its name, everything else as Python prints it.

    >>> words_of(None), words_of("a leaf"), words_of(True)
    ('None', 'a leaf', 'True')
    """
    if hasattr(answer, "next_functions"):
        return str(answer.name())
    if is_tensor(answer) and answer.numel() == 1 and is_number(answer):
        return number_text(number_of(answer))
    return number_text(answer) if isinstance(answer, float) else str(answer)


def numbers_given(wrong: Wrong) -> Iterator[WrongAnswer]:
    """The author's own wrong numbers."""
    for value, reason in wrong.items():
        told, belief = reason_and_belief(reason)
        yield WrongAnswer(float(value), told, belief or "given")


def reason_and_belief(reason: str | tuple[str, str]) -> tuple[str, str]:
    return (reason, "") if isinstance(reason, str) else reason


def gradient_of(of: Any, wrt: Any) -> Any:
    """d of / d wrt, by the library that made the tensors; no `.grad` is written and nothing is freed.

    Our engine runs no hook either; PyTorch's cannot be told so, and a `retain_grad()` on the way would be filled.
    """
    if not isinstance(of, Tensor):
        library = sys.modules[type(of).__module__.partition(".")[0]]
        (grad,) = library.autograd.grad(of, wrt, retain_graph=True)
        return grad
    found: dict[Any, Any] = {}
    start = bare(np.ones(tuple(of.shape), array_of(of).dtype)[()])
    for _ in engine.steps([of], [start], inputs=[wrt], captured=found, looking=True):
        pass
    return found[wrt._node()]


def product_text(chain: Chain, numbers: bool) -> str:
    """The chain rule for this chain: `dloss/dx = dloss/dz · dz/dx = 20 · 3 = 60`, or its first half."""
    ways = [" · ".join(factor.ratio for factor in way) for way in chain.ways]
    text = f"{chain.ratio} = {' + '.join(ways)}" if any(len(way) > 1 for way in chain.ways) else chain.ratio
    if not numbers and len(chain.ways) == 1 and len(chain.ways[0]) == 1:
        (only,) = chain.ways[0]
        return f"{text} is the local derivative of {only.node} at {named(only.source, only.source_value)}"
    if not numbers:
        values = {f.source: f.source_value for way in chain.ways for f in way if f.source_value is not None}
        return text + ", with " + ", ".join(f"{name} = {number_text(value)}" for name, value in values.items())
    products = [" · ".join(number_text(factor.local) for factor in way) for way in chain.ways]
    end = number_text(chain.slope)
    if len(chain.ways[0]) > 1 or len(chain.ways) > 1:
        return f"{text} = {' + '.join(products)} = {end}"
    (factor,) = chain.ways[0]
    place = named(factor.source, factor.source_value)
    return f"{text} = {end}: the local derivative of {factor.node} at {place}"


def is_number(thing: Any) -> bool:
    """Whether a learner answers this with a number: an int or float, or a tensor that holds one number."""
    if is_tensor(thing):
        return thing.dtype.is_floating_point or not str(thing.dtype).endswith("bool")
    return isinstance(thing, int | float) and not isinstance(thing, bool)


def check_number(thing: Any, argument: str, plain: bool) -> None:
    """Raise unless this is a tensor of one element (or, if `plain`, a number)."""
    if is_tensor(thing):
        if thing.numel() != 1:
            raise ValueError(
                f"predict asks for one number, but {argument} has shape {tuple(thing.shape)}. "
                "Choose one element, or take its .sum() or .mean()."
            )
        if not plain and not thing.requires_grad:
            raise ValueError(
                f"{argument} has no graph: nothing it was computed from has requires_grad=True. "
                "Create the input with requires_grad=True."
            )
        return
    if not plain or isinstance(thing, bool) or not isinstance(thing, int | float):
        wanted = "a tensor or a number" if plain else "a tensor that requires grad"
        raise TypeError(f"{argument} must be {wanted}, not {type(thing).__name__}.")
    if not isfinite(thing):
        raise ValueError(f"{argument} is {thing}; nobody can predict that. Change the inputs of the cell.")


def check_wrong(wrong: Any) -> None:
    """Raise unless `wrong` is {answer: reason} or {answer: (reason, belief)}."""
    if not isinstance(wrong, Mapping):
        raise TypeError(f'wrong must be a dict such as {{16: "That is the value."}}, got {type(wrong).__name__}.')
    for answer, reason in wrong.items():
        pair = isinstance(reason, Sequence) and not isinstance(reason, str) and len(reason) == 2
        if not isinstance(reason, str) and not pair:
            raise TypeError(f"The wrong answer {answer!r} needs its reason, a sentence, or (sentence, belief).")
