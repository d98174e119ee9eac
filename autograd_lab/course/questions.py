"""Questions in words: each belongs to the lesson that teaches its answer, and later lessons ask it again.

A key is `lesson/name`. Every wrong choice says why it is wrong, and where it is a known belief, which one
(M1 to M24). Choices appear in an order that depends on their words alone, so the right one has no usual
place.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from autograd_lab.course.prompt import Choice


@dataclass(frozen=True)
class Entry:
    """One question: the right answer, why, and wrong answers {answer: (reason, belief)}."""

    key: str
    text: str
    right: str
    because: str
    wrong: dict[str, tuple[str, str]]

    @property
    def lesson(self) -> str:
        """The two digits of the lesson that teaches it."""
        return self.key.partition("/")[0]

    def choices(self) -> tuple[Choice, ...]:
        """Right and wrong answers in one fixed order."""
        made = [Choice(self.right, right=True)]
        made += [Choice(text, reason=reason, rule=belief) for text, (reason, belief) in self.wrong.items()]
        return tuple(sorted(made, key=lambda choice: hashlib.sha256(choice.text.encode()).digest()))


ENTRIES = (
    Entry(
        "02/slope-of-a-square",
        "`y = x ** 2` at `x = 5`. What is the slope dy/dx there?",
        "10",
        "dy/dx = 2 · x = 2 · 5. A small step of 0.001 in x moves y by about 0.010.",
        {
            "25": ("25 is the value of y. The slope says how fast y changes.", "value"),
            "5": ("The exponent comes down in front: 2 · x, not x.", "power"),
            "2": ("2 is the exponent. The slope depends on where you are: 2 · x.", "M11"),
        },
    ),
    Entry(
        "03/what-is-recorded",
        "`loss = z ** 2` has run, and z requires grad. What is there now, besides the number?",
        "A node, PowBackward0, that knows where z came from and keeps what backward needs",
        "Each op records one node while it runs. Backward later walks over these nodes.",
        {
            "Nothing: the graph is made when backward() is called": (
                "The graph is recorded during the forward pass, op by op. Backward only walks it.",
                "M14",
            ),
            "A formula for the derivative of the whole loss": (
                "No formula of the whole is ever made. Each node knows its own small rule, and numbers flow.",
                "M11",
            ),
            "A note inside the model that this is its loss": (
                "No model is needed. The graph hangs on the result: loss.grad_fn.",
                "M6",
            ),
        },
    ),
    Entry(
        "03/what-an-arrow-means",
        "In the drawing of `y = x * 3`, what does the solid arrow from x to the × mean?",
        "The number in x went into the multiplication",
        "Solid arrows show the forward pass. Along the dashed arrows gradients flow back.",
        {
            "x calls the function backward()": (
                "Arrows show where numbers go, not which function calls which.",
                "M23",
            ),
            "The gradient flows from x to the multiplication": (
                "Gradients flow the other way, from the result back to x: the dashed arrow.",
                "M23",
            ),
            "y is stored inside x": ("y is a new tensor. x stays as it was.", "M1"),
        },
    ),
    Entry(
        "04/where-it-is-evaluated",
        "A node in the middle of a graph squares its input. At which number is its local derivative taken?",
        "At the number that went into this node",
        "Each node knows only its own input. In this lesson the square was at z = 10, not at x = 2.",
        {
            "At x, where the graph begins": (
                "The node never sees x. At x = 2 the square would give 4, and the product 12 in place of 60.",
                "M10",
            ),
            "At the value of the loss, where backward begins": (
                "What comes from the loss is the incoming gradient. It is a factor, not the place.",
                "M10",
            ),
            "Nowhere: a local derivative is a formula without a number": (
                "The rule is a formula, but numbers flow: the rule is computed at the node's input.",
                "M11",
            ),
        },
    ),
    Entry(
        "04/two-in-a-row",
        "One way leads from loss to x over two nodes. Their local derivatives are 5 and 4. What is dloss/dx?",
        "20",
        "Along one way local derivatives are multiplied: 5 · 4.",
        {
            "9": ("Along a way they are multiplied. They are added only where several ways meet.", "M9"),
            "5": ("That is the gradient after the first node. It goes on through the second.", "M10"),
            "4": ("That is the node next to x alone. What comes from the loss is a factor too.", "M10"),
        },
    ),
    Entry(
        "04/how-it-starts",
        "`loss.backward()` begins. Which number arrives first, and where?",
        "1, at the node that made loss",
        "dloss/dloss = 1. From there each node multiplies by its own local derivative.",
        {
            "1, at x": ("x comes last: backward walks from loss to x.", "M23"),
            "The value of loss, at the node that made loss": (
                "The value does not flow back. Backward starts with the slope dloss/dloss = 1.",
                "M12",
            ),
            "0, in every .grad": (
                "Before the first backward .grad is None, and nothing is sent there at the start.",
                "M7",
            ),
        },
    ),
)


def find(key: str) -> Entry:
    """The question with this key; KeyError lists the keys of its lesson."""
    for entry in ENTRIES:
        if entry.key == key:
            return entry
    same = [entry.key for entry in ENTRIES if entry.lesson == key.partition("/")[0]]
    raise KeyError(f"No question {key!r}. Keys of this lesson: {', '.join(same) or 'none'}.")
