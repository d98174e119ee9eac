"""Lesson 12, the training loop: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "12/order-of-the-four",
        "In which order do these belong into one training step?",
        "forward and loss, zero_grad, backward, step",
        "Clearing may stand anywhere before backward, but not between backward and step.",
        {
            "forward and loss, backward, zero_grad, step": (
                "Then step finds empty gradients: the weights do not move.",
                "M7",
            ),
            "step, forward and loss, backward, zero_grad": (
                "step needs gradients, and they are cleared before it comes round again.",
                "M7",
            ),
            "backward, forward and loss, step, zero_grad": ("Backward needs the graph that forward records.", "M14"),
        },
    ),
    Entry(
        "12/what-the-optimizer-holds",
        "`opt = SGD([w], lr=0.1)`, and later `w = w * 2`. Which tensor does `opt.step()` change?",
        "The old leaf that it was given, whatever its name now",
        "The optimizer holds tensors, not names. The name w now means another tensor.",
        {
            "The new w: it has the name": ("Names belong to your code. The optimizer holds the tensor itself.", "M21"),
            "Both": ("It knows only the one it was given.", "M21"),
            "It raises": ("It does not. That is why this mistake is hard to see.", "M21"),
        },
    ),
    Entry(
        "12/running-total",
        "`total = total + loss` in every step of a long loop. What is the trouble?",
        "total requires grad and keeps every step's graph alive",
        "Add the number instead: total += loss.item().",
        {
            "None: total is just a number": ("loss is a tensor with a graph, and so is the sum.", "M22"),
            "The gradients are counted twice": ("Only if you call backward on total. Memory is the trouble.", "M22"),
            "total is averaged wrongly": ("The number is right. What hangs on it is too much.", "M22"),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "What is dloss/dw?": lambda y: {
        2 * (y.item() - 10): "That is dloss/db. On the way to w there is one more factor: x."
    },
    "Weight 2.0, gradient 0.5, learning rate 0.1: what is the new weight?": lambda learning_rate, slope, weight: {
        weight.item() + learning_rate * slope: "That goes along the gradient, uphill. The rule subtracts.",
        weight.item() - slope: "The learning rate is missing.",
        learning_rate * slope: "That is the step alone. Subtract it from the weight.",
    },
    "One step from w = 4, loss (2w - 10) ** 2, learning rate 0.1. Which number is w now?": lambda w: {
        4 + 0.1 * w.grad.item(): "Minus: against the gradient.",
        4 - w.grad.item(): "The learning rate is missing.",
        4 - 0.05 * w.grad.item(): "The factor 2 of the inner op is missing in the gradient.",
    },
    "Cleared between backward and step, 10 rounds. Which number is w?": lambda: {
        5.0: ("That is where a right loop ends. Here step always found None.", "M7"),
        3 - 0.1 * 4 * (2 * 3 - 10): ("That is w after one right step. Here not one step was made.", "M7"),
    },
    "w was rebound to w * 2 after the optimizer was made. Which number does w hold after step()?": lambda w: {
        w.item() + 0.1 * 16: ("step() changed the old leaf, which has no name any more.", "M21"),
        w.item() / 2: ("The name w means the result of the multiplication now.", "M1"),
        10.0: "That would be a perfect step, on the other tensor.",
    },
    "With your learning rate: which number is model.weight after one step?": lambda optimizer: {
        3 - optimizer.param_groups[0]["lr"] * -8.0: "The inner slope 2 is missing in the gradient, which is -16.",
        3 + optimizer.param_groups[0]["lr"] * -16.0: "Minus: against the gradient.",
    },
    "A loop that brings the loss below 0.01": lambda: {
        False: "Not near enough: more rounds, or look whether the gradient is cleared in each round."
    },
}
