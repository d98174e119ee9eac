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
