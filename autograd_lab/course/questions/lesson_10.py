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

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "Which number does loss hold?": lambda loss, prediction, target, x: {
        loss.item() * len(x): ("That is the sum of the squares. mean divides by 3.", "M13"),
        (prediction - target).mean().item(): "That is the mean error, not squared.",
        0.0: "The predictions miss their targets.",
    },
    "What will w.grad be?": lambda errors, x: {
        (2 * errors * x).sum().item(): ("The mean's 1/N is missing: each contribution is divided by 3.", "M13"),
        (2 * errors * x)[-1].item() / 3: ("That is the last point alone. All three are added.", "M9"),
        -(2 * errors * x).mean().item(): "The size is right, the sign is not: prediction minus target is negative.",
    },
    "What will b.grad be?": lambda errors, x: {
        (2 * errors).sum().item(): ("The mean divides by 3.", "M13"),
        (2 * errors * x).mean().item(): "That is w.grad. b is not multiplied by x.",
        -(2 * errors).mean().item(): "The sign: prediction minus target is negative.",
    },
    "y has three elements. What does y.backward() do?": lambda: {
        "no error": ("backward begins with 1 for a single number. For three it would have to choose.", "M12"),
        "RuntimeError": "y is a single number now.",
        "it returns the Jacobian": ("The Jacobian is never formed, and backward returns nothing.", "M12"),
    },
    "y = [x0 * x1, x1 * x2], v = [0, 1]. What is x.grad[1]?": lambda x: {
        x[0].item(): ("That is row 0: the slope of x0 * x1. v chose row 1.", "M12"),
        x[0].item() + x[2].item(): ("That is v = [1, 1]: both rows added.", "M12"),
        x[1].item(): "That is the slope of x1 * x2 with respect to x2.",
    },
    "z = ((x + b) * 2).sum(): what will b.grad[0] be?": lambda: {
        2.0: ("That is one row. b[0] was used in both.", "M13"),
        1.0: ("1 is one use, without the 2.", "M13"),
        12.0: "That adds all three elements of b.grad.",
    },
    "Every prediction equals its target, of shapes (3, 1) and (3,): what is the loss?": lambda right_loss, wrong_loss: {
        right_loss.item(): ("With fitting shapes, yes. Here every prediction is compared with every target.", "M13"),
        wrong_loss.item() * 9: ("That is the sum over a table of 3 by 3. mean divides by 9.", "M13"),
    },
    "The Jacobian of x * x": lambda: [([2.0, 4.0, 6.0], "Those are the numbers of the diagonal. J has three rows.")],
}
