"""Lesson 06, requires_grad: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "06/who-requires-grad",
        "`c = a * b`; a requires grad, b does not. What is `c.requires_grad`?",
        "True",
        "One input that requires grad is enough: the way back to it must be kept.",
        {
            "False, because b does not": ("One tracked input is enough.", "M1"),
            "None, until backward() runs": ("The flag is set when the op runs.", "M14"),
            "False: only tensors made with the flag have it": (
                "The flag of a result is worked out from its inputs.",
                "M1",
            ),
        },
    ),
    Entry(
        "06/integers",
        "`x` is a float tensor that requires grad. What happens in `y = x.long() * 2`?",
        "y does not require grad: the cast to whole numbers ended the tracking, without a word",
        "Whole numbers have no slope, so a cast to an integer dtype cuts silently.",
        {
            "y requires grad, since x does": ("A cast to integers is the exception: nothing is recorded for it.", "M4"),
            "An error is raised at once": (
                "There is no error here. It comes later, or never: look at requires_grad.",
                "M4",
            ),
            "y.grad will hold rounded gradients": ("No gradient passes through a cast to integers.", "M4"),
        },
    ),
    Entry(
        "06/switching-off",
        "`y = x * 2` was computed from a tracked x. What does `y.requires_grad_(False)` do?",
        "It raises: only the flag of a leaf can be changed",
        "The flag of a result follows from its inputs. To get an untracked copy use `y.detach()`.",
        {
            "It turns tracking off for y": ("It would if y were a leaf. y is a result.", "M1"),
            "It turns tracking off for x as well": ("x keeps its flag in any case.", "M1"),
            "Nothing: it is ignored": ("PyTorch does not ignore it. It raises a RuntimeError.", "M5"),
        },
    ),
)
