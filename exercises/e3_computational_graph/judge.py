"""Judge of exercise 3: a diagram that becomes a program, a drawing, a slope and a gradient.

At the numbers of the module (a multiplication by 5, then 10 added, then the square) and x = 3 the slope is 250, and
the typical wrong answers are 625, 50, 125, 30, 150, 56, 500 and -250. At x = 2 two mistakes give 100 and two 400: such
numbers are refused. `tests/grading/listed/e3_computational_graph.py` gives each wrong answer its reason.
"""

from autograd_lab.grading import AfterBackward, Built, Drawn, Judge, Slope

LARGEST = 2500  # of what has to be worked out on paper
ORDERS = (  # in any other order two beliefs give the same number, whatever the numbers are
    ["multiply", "add", "square"],
    ["add", "square", "multiply"],
    ["square", "add", "multiply"],
)


def draw(bits):
    """Whole numbers that one can work with on paper, and one of three orders."""
    return {
        "x": bits.integer(2, 8),
        "factor": bits.integer(2, 9),
        "shift": bits.integer(1, 12),
        "order": bits.pick(ORDERS),
    }


def steps(numbers):
    """The three steps from top to bottom: (how the diagram writes it, how Python does)."""
    written = {
        "multiply": (f"× {numbers['factor']}", f"* {numbers['factor']}"),
        "add": (f"+ {numbers['shift']}", f"+ {numbers['shift']}"),
        "square": ("square", "** 2"),
    }
    return [written[name] for name in numbers["order"]]


def program(numbers):
    """The diagram as a program."""
    (_, first), (_, second), (_, third) = steps(numbers)
    start = f"x = torch.tensor({numbers['x']}.0, requires_grad=True)"
    return f"{start}\na = x {first}\nb = a {second}\nloss = b {third}\n"


def diagram(numbers):
    """What the learner reads."""
    arrows = [f"│\n│  {step}\n▼\n{name}" for (step, _), name in zip(steps(numbers), ("a", "b", "loss"), strict=True)]
    return "\n".join([f"x = {numbers['x']}", *arrows])


def small_enough(reference):
    """Refuse numbers that need a calculator."""
    return reference.value("loss") <= LARGEST and reference.slope("loss", "x") <= LARGEST


JUDGE = Judge(
    title="E3 Computational graph",
    lesson="04_chain_rule",
    program=program,
    task=diagram,
    task_name="Your diagram.",
    draw=draw,
    accepts=small_enough,
    questions=(
        Built("q1", ("x", "loss"), points=4),
        Drawn("q2", ("drawing",), of="loss"),
        Slope("q3", ("slope",), of="loss", wrt="x"),
        AfterBackward("q4", ("x", "loss"), tells_line=False),
    ),
)
