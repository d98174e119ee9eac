"""Lesson 05, fan-out and the order of firing: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "05/two-ways-add",
        "Two ways lead from y back to x. Along one comes 8, along the other 3. What is dy/dx?",
        "11",
        "A small step in x reaches y along both ways, and both changes add up.",
        {
            "24": ("Along one way numbers are multiplied. Across ways they are added.", "M9"),
            "8": ("That is one way of two. The other one counts too.", "M9"),
            "3": ("That is the way that arrived last. Nothing is overwritten.", "M9"),
        },
    ),
    Entry(
        "05/when-a-node-fires",
        "A result was used by two ops. When does its own node fire in backward?",
        "Once, after both ops have sent their part",
        "The node waits until all parts have arrived, adds them, and fires one time.",
        {
            "Twice, once for each part": (
                "Then everything behind it would be computed twice. The engine counts what is awaited.",
                "M8",
            ),
            "As soon as the first part arrives": (
                "Then the second part would be lost, or would need a second walk.",
                "M8",
            ),
            "In the order in which the code created it": (
                "Backward goes the other way: what ran last fires first.",
                "M8",
            ),
        },
    ),
    Entry(
        "05/x-times-x",
        "`y = x * x`. How many edges lead from MulBackward0 to the place of `x.grad`?",
        "2: one for each use",
        "x is both `self` and `other`. Each use sends its part, and the parts are added.",
        {
            "1: it is the same tensor": ("It is one place, but two uses: `self` and `other`.", "M8"),
            "0: x is a leaf": ("Leaves are where edges end, at AccumulateGrad.", "M2"),
            "2, and the second overwrites the first": ("Two edges, yes. Their parts are added.", "M9"),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "y = x * x: how many edges lead from MulBackward0 to AccumulateGrad?": lambda edges: {
        len(edges) - 1: ("One tensor, but two uses: self and other. Each has an edge.", "M8"),
        0: ("x is a leaf: edges end at its AccumulateGrad, and two do.", "M2"),
        len(edges) + 1: "The op has two inputs, not three.",
    },
    "How many contributions does the node that made a wait for?": lambda uses: {
        1: ("It fires once, but it waits for every use of a.", "M8"),
        uses - 1: ("a goes into b twice: a * a has two edges.", "M8"),
        uses + 1: "x belongs to the other side: the node sends to x.",
    },
    "Three ways that bring 12 together": lambda: {
        36.0: "Three times 12: the sum must be 12.",
        4.0: "One way brings 4. Add the others.",
    },
}
