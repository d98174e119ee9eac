"""Judge of exercise 5: leaves, nodes, and the gradient that a tensor in the middle does not keep.

At the numbers of the module (x = 2, y = x * 5), with loss = y ** 2, the answers are True, False, "MulBackward0", None,
and a program with y.retain_grad(). Typical wrong answers: 5 for None, AccumulateGrad for the node, and retain_graph, a
request after backward(), or a y that is made a leaf for the program. `tests/grading/listed/e5_gradient_debugging.py`
gives each its reason.
"""

from autograd_lab.grading import IsLeaf, Judge, MiddleGrad, NodeName, Retained

LARGEST = 1000  # of what has to be worked out on paper


def draw(bits):
    """A chain of two to four ops. y is made by any of four ops, with an op before it, after it, both or neither."""
    sign = bits.pick(("*", "*", "+", "-", "/"))
    return {
        "x": 2 * bits.integer(1, 4) if sign == "/" else bits.integer(2, 6),
        "before": bits.pick((0, 0, 2, 3) if sign == "*" else (0, 3, 4, 5)),
        "sign": sign,
        "number": bits.pick((2, 4)) if sign == "/" else bits.integer(2, 7),
        "after": bits.pick((0, 1, 3, 6)),
    }


def program(numbers):
    """x, perhaps a, y, perhaps b, loss."""
    before, after = numbers["before"], numbers["after"]
    start, end = "a" if before else "x", "b" if after else "y"
    lines = [
        f"x = torch.tensor({numbers['x']}.0, requires_grad=True)",
        f"a = x * {before}" if before else "",
        f"y = {start} {numbers['sign']} {numbers['number']}",
        f"b = y + {after}" if after else "",
        f"loss = {end} ** 2",
    ]
    return "\n".join(line for line in lines if line)


def small_enough(reference):
    """Refuse numbers that need a calculator, and a y of 0 or less."""
    return reference.value("y") > 0 and reference.value("loss") <= LARGEST and reference.slope("loss", "x") <= LARGEST


JUDGE = Judge(
    title="E5 Gradient debugging",
    lesson="07_leaf_nonleaf_grad_fn",
    program=program,
    draw=draw,
    accepts=small_enough,
    questions=(
        IsLeaf("q1", ("x_is_leaf",), of="x"),
        IsLeaf("q2", ("y_is_leaf",), of="y"),
        NodeName("q3", ("name_of_y",), of="y"),
        MiddleGrad("q4", ("y_grad",), of="y", result="loss", leaf="x"),
        Retained("q5", ("x", "y", "loss")),
    ),
)
