"""`vjp_bench(f, x, v)`: one backward pass gives v^T J, a mixture of the rows of the Jacobian J.

J is found as autograd finds it: one backward pass for each output, with a v that picks this row. The passes are
counted as they are made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import autograd_lab as torch
from autograd_lab.course.prompt import Question
from autograd_lab.course.wrong_answers import WrongAnswer, kept
from autograd_lab.view.texts import number_text
from autograd_lab.widgets.bench import Bench
from autograd_lab.widgets.bench_parts import Field, Output, Table, Text

MOST = 4  # inputs and outputs: more do not fit on a page


def vjp_bench(f: Callable[[Any], Any], x: Sequence[float], v: Sequence[float], **options: Any) -> Bench:
    """The Jacobian of `f` at `x`, and v^T J for any v. `f` takes a vector and returns one; x and v may be edited.

    `options` are those of `Bench`. Raises ValueError for more than four inputs or outputs, and for a v whose length is
    not that of `f(x)`.

    >>> bench = vjp_bench(lambda x: x ** 2, [1.0, 2.0, 3.0], [1.0, 1.0, 1.0])
    >>> [(question.text, question.shown) for question in bench.questions][-2:]
    [('Entry 2 of v^T J?', '6'), ('How many backward passes does the whole Jacobian need?', '3')]
    """
    point, weights = ([float(number) for number in given] for given in (x, v))
    outputs = measured(f, point, None).rows
    if len(point) > MOST or len(outputs) > MOST:
        raise ValueError(f"vjp_bench shows at most {MOST} inputs and {MOST} outputs.")
    if len(weights) != len(outputs):
        raise ValueError(f"v needs one number for each output: f(x) has {len(outputs)}, v has {len(weights)}.")
    fields = (Field("x", "x", "numbers"), Field("v", "v", "numbers"))
    unit = [[float(i == j) for j in range(len(weights))] for i in range(len(weights))]
    return Bench(
        "VJP bench: v times the Jacobian",
        fields,
        {"x": point, "v": weights},
        lambda now, action: shown(measured(f, [float(n) for n in now["x"]], [float(n) for n in now["v"]])),
        intro="`f(x).backward(v)` puts v^T J into `x.grad`. Each v gives one mixture of the rows of J. Change v.",
        ready=[{"x": point, "v": w} for w in (*unit, [1.0] * len(weights), [0.0] * len(weights))],
        **options,
    )


@dataclass(frozen=True)
class Measured:
    """What the engine found: f(x), J, v^T J, and how many backward passes J took."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    v: tuple[float, ...]
    rows: tuple[tuple[float, ...], ...]
    result: tuple[float, ...]
    passes: int


def measured(f: Callable[[Any], Any], x: list[float], v: list[float] | None) -> Measured:
    """One backward pass for each row of J, and one for v^T J."""
    at = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    y = f(at)
    if getattr(y, "ndim", None) != 1 or not y.requires_grad:
        raise ValueError("f must return a vector that was computed from x with operations that autograd records.")
    count = len(y)
    given = v or [1.0] * count
    if len(given) != count:
        raise ValueError(f"f(x) has {count} numbers now, and v has {len(given)}.")
    passes = 0

    def backward(weights: list[float]) -> tuple[float, ...]:
        nonlocal passes
        passes += 1
        seed = torch.tensor(weights, dtype=torch.float64)
        (grad,) = torch.autograd.grad(y, at, seed, retain_graph=True, allow_unused=True)
        return (0.0,) * len(x) if grad is None else tuple(grad.tolist())

    rows = tuple(backward([float(i == j) for j in range(count)]) for i in range(count))
    for_rows = passes
    result = backward(given)
    if not all(map(math.isfinite, (*(n for row in rows for n in row), *result))):
        raise ValueError("J has an entry that is not finite here. Choose another x.")
    return Measured(tuple(x), tuple(y.tolist()), tuple(given), rows, result, for_rows)


def shown(m: Measured) -> Output:
    """J with v at its side and v^T J below, the sums written out, and the questions."""
    entries = [entry_question(m, j) for j in range(len(m.x))]
    questions = (*entries, passes_question(m))
    ids = tuple(question.id for question in entries)
    inputs = tuple(f"x[{j}]" for j in range(len(m.x)))
    rows = tuple((f"row {i}", number_text(m.v[i]), *map(number_text, row)) for i, row in enumerate(m.rows))
    jacobian = Table(("J", "v", *inputs), rows, f"Entry (i, j) of J is d f(x)[i] / d x[j]. f(x) = {row_text(m.y)}")
    sums = tuple((f"v^T J[{j}]", terms(m, j), number_text(m.result[j])) for j in range(len(m.x)))
    blocks = (
        jacobian,
        Table(("entry", "v times the column", "result"), sums, "v^T J: v times each column of J", hides=ids),
        Text(f"One backward pass with v = {row_text(m.v)} gives `x.grad` = {row_text(m.result)}.", hides=ids),
        Text(
            f"Counted: {m.passes} backward passes for J, one for each of the {len(m.y)} outputs. "
            "One pass gives one row, with a v that has a single 1.",
            hides=(questions[-1].id,),
        ),
    )
    return Output(blocks, questions, f"v is {row_text(m.v)} now.")


def terms(m: Measured, j: int) -> str:
    """
    >>> terms(Measured((1.0,), (1.0, 2.0), (3.0, -1.0), ((2.0,), (5.0,)), (1.0,), 2), 0)
    '3 · 2 + (-1) · 5'
    """
    numbers = [[number_text(n) for n in pair] for pair in zip(m.v, (row[j] for row in m.rows), strict=True)]
    return " + ".join(" · ".join(f"({n})" if n[0] == "-" else n for n in pair) for pair in numbers)


def row_text(numbers: Sequence[float]) -> str:
    return "[" + ", ".join(map(number_text, numbers)) + "]"


def entry_question(m: Measured, j: int) -> Question:
    """One entry of v^T J. Wrong answers: v forgotten, one row only, J v in place of v^T J, a sum in place of it."""
    right = m.result[j]
    column = [row[j] for row in m.rows]
    wrong = [
        WrongAnswer(sum(column), "That is the sum of the column, as if every v were 1. Multiply each by its v.", "M12")
    ]
    if len(m.v) == len(m.x):
        across = sum(a * b for a, b in zip(m.rows[j], m.v, strict=True))
        wrong.append(WrongAnswer(across, "That is J v, row times v. Backward gives v^T J: v times the column.", "M12"))
    if sum(map(bool, column)) > 1:
        wrong += [
            WrongAnswer(
                w * c, f"That is the part of row {i} alone. Add what every row gives.", "accumulate.overwritten"
            )
            for i, (w, c) in enumerate(zip(m.v, column, strict=True))
            if c
        ]
    wrong += [
        WrongAnswer(-right, "The size is right, the sign is not. Look at the signs in v and in J.", "sign.flipped"),
        WrongAnswer(sum(m.v) * sum(column), "v and the column are multiplied entry by entry, then added.", "M12"),
        *(
            WrongAnswer(c, f"That is the entry of J in row {i}. It is still to be multiplied by v[{i}].", "M12")
            for i, c in enumerate(column)
        ),
        WrongAnswer(sum(m.v), "That is the sum of v. Each v is multiplied by an entry of J first.", "M12"),
        WrongAnswer(
            sum(w * n for w, n in zip(m.v, m.y, strict=True)),
            "That is v times f(x), the values. J holds slopes.",
            "M12",
        ),
        WrongAnswer(right / len(m.v), f"Divided by {len(m.v)}: backward adds, it does not average.", "M7"),
    ]
    return Question(
        id=f"vjp-bench/entry/{j}/{row_text(m.x)}/{row_text(m.v)}/{number_text(right)}",
        label=f"Entry {j}",
        text=f"Entry {j} of v^T J?",
        answer=right,
        shown=number_text(right),
        because=f"{terms(m, j)} = {number_text(right)}",
        wrong=kept(right, wrong),
        otherwise=f"Not this number. Multiply column x[{j}] of J entry by entry with v, then add.",
        nudge=terms(m, j),
    )


def passes_question(m: Measured) -> Question:
    """How many passes the whole Jacobian needs."""
    n, count = len(m.x), len(m.y)
    wrong = [
        WrongAnswer(1.0, "One pass gives one v^T J, a single row. J has several rows.", "M12"),
        WrongAnswer(float(n * count), "One pass gives a whole row, not one entry.", "M12"),
        WrongAnswer(float(n), "That is the number of inputs. Backward starts at an output: count the outputs.", "M12"),
        WrongAnswer(
            float(n + count), "Only outputs count: each pass starts at one output and reaches all inputs.", "M12"
        ),
        WrongAnswer(
            float(count + 1), "No extra pass is needed for the value: the forward pass is not a backward pass.", "M12"
        ),
        WrongAnswer(0.0, "J is never there by itself. Autograd finds its rows by backward passes.", "M12"),
    ]
    return Question(
        id=f"vjp-bench/passes/{n}/{count}",
        label="Passes",
        text="How many backward passes does the whole Jacobian need?",
        answer=float(count),
        shown=str(count),
        because=f"One for each of the {count} outputs; each gives one row of J."
        if count > 1
        else "One output, one row.",
        wrong=kept(float(count), wrong),
        otherwise="Not this number. How many rows has J, and how many rows does one pass give?",
    )
