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

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "What does x.requires_grad print?": lambda: {
        True: "The line does not ask for it any more.",
        False: "The line asks for it by name.",
        None: ("The flag is always True or False. None is what x.grad holds.", "M3"),
    },
    "plain does not require grad. What is result.grad_fn?": lambda: {
        "MulBackward0": ("The op ran, but no input asked for a gradient, so nothing was recorded.", "M1"),
        None: "One input asks for a gradient now.",
        "AccumulateGrad": "That is the node of a tracked leaf.",
    },
    "(v * v) + (w * 0): does it require grad?": lambda: {
        False: ("w * 0 is always 0, but the flag knows no numbers. w took part.", "M1"),
        True: "No tracked tensor takes part now.",
        "only if w is not 0": "The flag is set from flags, never from values.",
    },
    "y was computed before x.requires_grad_(). Does y require grad?": lambda: {
        True: ("The op had run already, unrecorded. The past is not recorded later.", "M14"),
        False: "x asked before the op this time.",
        "it raises": "Switching on is always allowed.",
    },
    "x.long() * 2: does it require grad?": lambda: {
        True: ("x does, but a cast to whole numbers ends the tracking.", "M4"),
        False: "No cast takes place any more.",
        "it raises": ("An error would help. None comes: the cast is silent.", "M4"),
    },
    "weight = weight.double(), then backward. What is weight.is_leaf?": lambda: {
        True: ("The leaf was the first tensor. The name means the cast's result now.", "M1"),
        False: "The cast made no new tensor.",
        "True, in double precision": ("A cast of a tracked tensor is an op. Its result is no leaf.", "M1"),
    },
    "With your flags: does out require grad?": lambda: {
        False: "One input that requires grad is enough.",
        True: "No input requires grad now.",
        None: "The flag is always True or False.",
    },
    "Exactly two of three get a gradient": lambda: {
        3: "All three got one. Leave one flag off.",
        1: "Only one got a gradient. Ask for one more.",
    },
}
