"""Lesson 08, dynamic graphs: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "08/branch-not-taken",
        "`y = x * 2 if x > 0 else x ** 2`, at x = 3. What does the graph know about `x ** 2`?",
        "Nothing: it did not run",
        "The graph records what ran. The other branch and the comparison left no node.",
        {
            "It holds both branches, and the condition": (
                "Recording happens while ops run. What did not run is not there.",
                "M11",
            ),
            "It holds x ** 2 with gradient 0": ("Nothing is there, not even a zero.", "M11"),
            "A node for `x > 0`": ("A comparison gives True or False, which have no slope. No node is made.", "M17"),
        },
    ),
    Entry(
        "08/second-backward",
        "`y = x ** 2` and `y.backward()` ran. What does a second `y.backward()` do?",
        "It raises: what the node had saved was freed",
        "PowBackward0 kept x for its rule. After the first walk it is freed.",
        {
            "It adds the same gradient again": (
                "It would, with retain_graph=True the first time, or after a new forward pass.",
                "M14",
            ),
            "It gives 0": ("There is no silent zero. It raises.", "M14"),
            "It works, but only after x.grad = None": ("Clearing `.grad` does not bring saved values back.", "M14"),
        },
    ),
    Entry(
        "08/new-graph-each-run",
        "A training loop runs the same line `loss = f(w)` 100 times. How many graphs were made?",
        "100: each run of the line records its own",
        "A graph belongs to one run and is freed with it.",
        {
            "1: the graph belongs to the function": ("The function is only Python. Each run records anew.", "M6"),
            "1, updated 100 times": ("A recorded graph is not updated. It is walked and freed.", "M14"),
            "None, until backward() is called": ("Recording happens in the forward pass.", "M14"),
        },
    ),
)
