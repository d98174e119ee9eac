"""Lesson 07, leaves, grad and grad_fn: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "07/what-is-a-leaf",
        "Which of these is a leaf that gets a `.grad` by itself?",
        "w = torch.tensor(1.0, requires_grad=True)",
        "Made by you, not by a recorded op, and it requires grad.",
        {
            "w2 = w * 2": ("w2 is a result. Its gradient passes through and is not kept.", "M2"),
            "w3 = torch.tensor(1.0)": ("It is a leaf, but it does not require grad, so nothing arrives.", "M2"),
            "w4 = torch.tensor(1.0, requires_grad=True) * 1": (
                "The name on the left is the result of the multiplication, not of torch.tensor.",
                "M1",
            ),
        },
    ),
    Entry(
        "07/grad-or-grad-fn",
        "For a result z of tracked ops, after `z.backward()`: which is filled, `z.grad` or `z.grad_fn`?",
        "z.grad_fn; z.grad stays None",
        "A result knows its op. Its gradient is kept only after `retain_grad()`.",
        {
            "z.grad; z.grad_fn is None": (
                "It is the other way round: leaves have `.grad`, results have `grad_fn`.",
                "M3",
            ),
            "Both": ("z is no leaf, so its gradient was not kept.", "M2"),
            "None of them: backward deletes the graph": ("What backward needed was freed, but `grad_fn` stays.", "M14"),
        },
    ),
    Entry(
        "07/retain-which",
        "You want to see `y.grad` of a result y. Which line helps?",
        "y.retain_grad() before backward",
        "It asks the engine to keep what arrives at y.",
        {
            "loss.backward(retain_graph=True)": (
                "retain_graph keeps saved values for another backward. It keeps no gradient.",
                "M3",
            ),
            "y.requires_grad_() before backward": ("y requires grad already. That does not keep its gradient.", "M3"),
            "y.retain_grad() after backward": ("Too late: the gradient has passed through already.", "M3"),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "Is x a leaf?": lambda: {
        True: ("An op made it: look at the line again.", "M1"),
        False: ("Leaf does not mean the end of something. No op made x.", "M2"),
        "only after backward()": ("Being a leaf is settled when the tensor is made.", "M14"),
    },
    "Is y a leaf?": lambda: {
        True: ("y was made by a recorded op, the multiplication.", "M2"),
        False: "x is not tracked any more, so nothing was recorded.",
        "yes, since it is the last one": ("A leaf is where the graph begins, not where your code ends.", "M2"),
    },
    "w = torch.tensor(3.0, requires_grad=True) * 1.0. Is w a leaf?": lambda: {
        True: ("The leaf is the tensor before the multiplication, and it has no name. w is the result.", "M1"),
        False: "Nothing was multiplied, so nothing was recorded.",
        "yes, since 1.0 changes nothing": ("The numbers are the same. But an op ran, and it was recorded.", "M1"),
    },
    "y.retain_grad() was called before backward. What is y.grad now?": lambda x, y: {
        None: ("It was asked for in time, so it was kept.", "M2"),
        x.grad.item(): ("36 is x.grad: that is one op further back.", "M1"),
        y.item(): "That is y itself.",
        3.0: ("That is dy/dx, the slope of the multiplication. y.grad is dloss/dy.", "M10"),
    },
    "loss.backward(retain_graph=True) has run. Is y.grad filled now?": lambda: {
        True: ("retain_graph keeps what nodes saved, for one more backward. It keeps no gradient.", "M3"),
        False: "Something asked y to keep its gradient.",
        "only if y requires grad": ("y does require grad, and still nothing is kept for it.", "M3"),
    },
    "Which op does z.grad_fn name?": lambda: {
        "MulBackward0": "That made y, one op earlier.",
        "PowBackward0": "That uses z; it made loss.",
        None: ("Leaves have no grad_fn. z is a result.", "M2"),
        "AddBackward0": "The line that makes z ends with another op now.",
    },
    "An inner gradient, kept": lambda: [
        ((False, False, True), "backward ran, but inner keeps nothing: call inner.retain_grad() before it.")
    ],
}
