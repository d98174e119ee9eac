"""Lesson 10, vectors and the vector-Jacobian product: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "10/why-a-scalar",
        "`y` has three elements. Why does `y.backward()` raise?",
        "Backward starts with one number per element of y; for three it will not choose them for you",
        "For one number the start is 1. For more you say it: y.backward(v), or take a sum or mean.",
        {
            "Vectors have no gradients": ("They have. You must only say with which vector backward starts.", "M12"),
            "The Jacobian would not fit in memory": ("The Jacobian is never formed.", "M12"),
            "y must be a leaf": ("y is where backward starts. It is a result.", "M2"),
        },
    ),
    Entry(
        "10/rows-of-the-jacobian",
        "y has 2 elements, x has 3. What does `y.backward(torch.tensor([0.0, 1.0]))` write into x.grad?",
        "The second row of the Jacobian: 3 numbers",
        "v^T J with v = [0, 1] picks the row of y[1].",
        {
            "The whole Jacobian, 2 by 3": ("x.grad always has the shape of x. The Jacobian is never formed.", "M12"),
            "The second column of the Jacobian: 2 numbers": ("v is multiplied from the left, so it picks rows.", "M12"),
            "The gradient of x[1] alone": ("v belongs to y. Every element of x gets its share.", "M12"),
        },
    ),
    Entry(
        "10/broadcast-back",
        "`z = W + b`, W has shape (4, 3) and b shape (3,). What is the shape of b.grad, and what is in it?",
        "(3,): for each column the sum over the 4 rows",
        "b was used in every row. What comes back from the rows is added.",
        {
            "(4, 3): like z": ("`.grad` always has the shape of its tensor.", "M13"),
            "(3,): what came from the last row": ("All rows used b, so all rows count.", "M13"),
            "(3,): the mean over the 4 rows": ("Uses add up. A mean appears only if the loss takes one.", "M13"),
        },
    ),
)
