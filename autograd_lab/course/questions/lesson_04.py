"""Lesson 04, the chain rule: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
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
