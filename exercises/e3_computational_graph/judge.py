"""Judge of exercise 3: a diagram that becomes a program, a drawing, a slope and a gradient.

At the numbers of the module (a multiplication by 5, then 10 added, then the square) and x = 3 the slope is 250, and
the typical wrong answers are 625, 50, 125, 30, 150, 56, 500 and -250. At x = 2 two mistakes give 100 and two 400: such
numbers are refused. `tests/grading/listed/e3_computational_graph.py` gives each wrong answer its reason.
"""

from autograd_lab.grading import AfterBackward, Built, Drawn, Judge, Slope

LARGEST = 2500  # of what has to be worked out on paper


def draw(bits):
    """Whole numbers that one can work with on paper, and one of two orders."""
    return {
        "x": bits.integer(2, 8),
        "factor": bits.integer(2, 9),
        "shift": bits.integer(1, 12),
        "first": bits.pick(("multiply", "add")),
    }


def steps(numbers):
    """The two steps before the square: (how the diagram writes it, how Python does)."""
    both = [
        (f"× {numbers['factor']}", f"* {numbers['factor']}"),
        (f"+ {numbers['shift']}", f"+ {numbers['shift']}"),
    ]
    return both if numbers["first"] == "multiply" else both[::-1]


def program(numbers):
    """The diagram as a program."""
    (_, first), (_, second) = steps(numbers)
    return (
        f"x = torch.tensor({numbers['x']}.0, requires_grad=True)\na = x {first}\nb = a {second}\nloss = b ** 2\n"
    )


def diagram(numbers):
    """What the learner reads."""
    (first, _), (second, _) = steps(numbers)
    return f"x = {numbers['x']}\n│\n│  {first}\n▼\na\n│\n│  {second}\n▼\nb\n│\n│  square\n▼\nloss"


def small_enough(reference):
    """Refuse numbers that need a calculator."""
    return reference.value("loss") <= LARGEST and reference.slope("loss", "x") <= LARGEST


JUDGE = Judge(
    title="E3 Computational graph",
    lesson="04_chain_rule",
    program=program,
    task=diagram,
    draw=draw,
    accepts=small_enough,
    questions=(
        Built("q1", ("x", "loss"), points=4),
        Drawn("q2", ("drawing",), of="loss"),
        Slope("q3", ("slope",), of="loss", wrt="x"),
        AfterBackward("q4", ("x", "loss")),
    ),
)
