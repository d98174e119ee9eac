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
