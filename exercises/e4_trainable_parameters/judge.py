"""Judge of exercise 4: two gradients of a loss, what their signs mean, and one step with them.

At the numbers of the module (x = 2, w = 3, b = 1) and the target 10 the gradients are (-12, -6). The typical wrong
pairs are (12, 6), (-6, -3), (-18, -6), (-6, -12), (-24, -12) and (-12, 0): only as pairs they all differ.
`tests/grading/listed/e4_trainable_parameters.py` gives each its reason.
"""

from autograd_lab.grading import Direction, Judge, SlopePair, Step

LOSSES = {"square": "error ** 2", "absolute": "error.abs()"}


def draw(bits):
    """Whole numbers that one can work with on paper; x may be negative, the loss a square or an absolute value."""
    return {
        "x": bits.pick((-5, -4, -3, -2, 2, 3, 4, 5)),
        "w": bits.integer(2, 6),
        "b": bits.integer(1, 6),
        "target": bits.integer(-20, 30),
        "loss": bits.pick(("square", "square", "absolute")),
        "rate": bits.pick((0.1, 0.01)),
    }


def program(numbers):
    """The model in steps: one op in each line."""
    return f"""
x = torch.tensor({numbers["x"]}.0)
w = torch.tensor({numbers["w"]}.0, requires_grad=True)
b = torch.tensor({numbers["b"]}.0, requires_grad=True)
target = torch.tensor({numbers["target"]}.0)
scaled = w * x
prediction = scaled + b
error = prediction - target
loss = {LOSSES[numbers["loss"]]}
"""


def task(numbers):
    """The program, and the learning rate of part 4."""
    return f"{program(numbers).strip()}\n\nlearning rate = {numbers['rate']}"


def small_enough(reference):
    """Refuse numbers that need a calculator, a target that is met already, and one that changes nothing."""
    return 2 <= abs(reference.value("error")) <= 9 and reference.value("target") != 0


JUDGE = Judge(
    title="E4 Trainable parameters",
    lesson="12_training_loop",
    program=program,
    task=task,
    draw=draw,
    accepts=small_enough,
    questions=(
        SlopePair("q1", ("dloss_dw", "dloss_db"), points=8, of="loss", wrts=("w", "b")),
        Direction("q2", ("w_should", "b_should"), of="loss", wrts=("w", "b")),
        Step("q3", ("new_w", "new_b"), of="loss", wrts=("w", "b"), rate="rate"),
    ),
)
