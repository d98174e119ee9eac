"""Judge of exercise 1: the slope of a power, predicted, computed by backward(), and written as a formula.

At the numbers of the module (x = 10, y = x ** 2) the slope is 20, and the typical wrong answers are 100, 10, 2,
40 and -20; `tests/grading/listed/e1_basic_gradient.py` gives each its reason.
"""

from autograd_lab.grading import AfterBackward, Function, Judge, Slope

LARGEST = 1000  # of what has to be worked out on paper


def draw(bits):
    """Whole numbers that one can work with on paper."""
    power = bits.pick((2, 2, 2, 3, 3, 4))
    return {"x": bits.integer(2, {2: 31, 3: 10, 4: 5}[power]), "power": power}


def small_enough(reference):
    """Refuse numbers that need a calculator."""
    return reference.value("y") <= LARGEST and reference.slope("y", "x") <= LARGEST


JUDGE = Judge(
    title="E1 Basic gradient",
    lesson="02_what_is_autodiff",
    program="""
x = torch.tensor({x:.1f}, requires_grad=True)
y = x ** {power}
""",
    draw=draw,
    accepts=small_enough,
    questions=(
        Slope("q1", ("slope",), of="y", wrt="x", typical=("R1", "R2", "R6", "R7", "power.base-lost")),
        AfterBackward("q2", ("x", "y")),
        Function("q3", ("slope_at",), of="y", wrt="x", formula="{power} * x ** ({power} - 1)"),
    ),
)
