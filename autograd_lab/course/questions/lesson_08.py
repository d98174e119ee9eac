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

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "How many nodes did rule(2) record, AccumulateGrad included?": lambda nodes: {
        len(nodes) + 1: ("Only the side that ran is recorded; the comparison leaves no node.", "M11"),
        len(nodes) + 2: ("There is no node for the branch that did not run, and none for x > 0.", "M11"),
    },
    "power = x ** 2. A second power.backward(): what happens?": lambda: {
        "no error": ("PowBackward0 had saved x, and the first walk freed it.", "M14"),
        "RuntimeError": "Nothing was freed: there was no first walk.",
        "0 is added": ("There is no silent zero.", "M14"),
    },
    "moved = x + 3. A second moved.backward(): what happens?": lambda: {
        "RuntimeError": ("An addition saves nothing, so nothing was freed.", "M14"),
        "no error": "This op saves something, which was freed.",
        "0 is added": "1 is added again, like the first time.",
    },
    "Multiplications recorded below 10, and from 10 on": lambda: [
        ([3, 1], "The sides are swapped."),
        ([1, 2], "One more multiplication on the second side."),
    ],
}
