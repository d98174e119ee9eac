"""Judge of exercise 2: a chain of three ops, its nodes, its slope, and one backward().

At the numbers of the module (x = 3, y = x * 4, z = y + 5, loss = z ** 2) the slope is 136, and the typical
wrong answers are 289, 68, 34, 24, 96, 39, 272 and -136; `tests/grading/test_e2.py` gives each its reason.
"""

from autograd_lab.grading import AfterBackward, Judge, NodeName, Slope

LARGEST = 1000  # of what has to be worked out on paper


def draw(bits):
    """Whole numbers that one can work with on paper."""
    return {
        "x": bits.integer(2, 8),
        "factor": bits.integer(2, 9),
        "shift": bits.integer(1, 9),
        "power": bits.pick((2, 2, 3)),
    }


def small_enough(reference):
    """Refuse numbers that need a calculator."""
    return reference.value("loss") <= LARGEST and reference.slope("loss", "x") <= LARGEST


JUDGE = Judge(
    title="E2 Multiple operations",
    lesson="04_chain_rule",
    program="""
x = torch.tensor({x}.0, requires_grad=True)
y = x * {factor}
z = y + {shift}
loss = z ** {power}
""",
    draw=draw,
    accepts=small_enough,
    questions=(
        NodeName("q1", ("name_of_y",), of="y"),
        NodeName("q2", ("name_of_z",), of="z"),
        NodeName("q3", ("name_of_loss",), of="loss"),
        Slope("q4", ("slope",), of="loss", wrt="x"),
        AfterBackward("q5", ("x", "loss")),
    ),
)
