"""Lesson 01, tensors and their attributes: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "01/six-attributes",
        "Which attribute of a tensor says which op made it?",
        "grad_fn",
        "`grad_fn` is the node of the op. `grad` holds numbers, `requires_grad` a flag.",
        {
            "grad": ("`grad` holds the gradient, numbers that backward wrote.", "M3"),
            "requires_grad": ("`requires_grad` says whether ops are recorded, not which op ran.", "M3"),
            "data": ("`data` holds the numbers. They do not tell how they were computed.", "M4"),
        },
    ),
    Entry(
        "01/before-backward",
        "`x = torch.tensor(4.0, requires_grad=True)` and `z = x ** 2` ran, `backward()` did not. What is `x.grad`?",
        "None",
        "Only backward fills `.grad`. Before it there is nothing, not even a zero.",
        {
            "0": ("Nothing was computed yet, so nothing is there: None, not 0.", "M7"),
            "8": ("8 is what backward will write. It has not run.", "M14"),
            "16": ("16 is the value of z.", "M2"),
        },
    ),
    Entry(
        "01/which-dtype",
        "Which of these tensors can get a gradient?",
        "torch.tensor([1.0, 2.0])",
        "Gradients need floating point (or complex) numbers.",
        {
            "torch.tensor([1, 2])": (
                "Whole numbers make an int64 tensor. A small step away from 1 is no whole number.",
                "M4",
            ),
            "torch.tensor([True, False])": ("True and False have no slope.", "M4"),
            "torch.tensor([1.0, 2.0]).long()": (
                "`.long()` makes whole numbers, and cuts the way back to where they came from.",
                "M4",
            ),
        },
    ),
)
