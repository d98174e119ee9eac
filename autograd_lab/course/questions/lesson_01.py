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

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "Which number does total hold?": lambda numbers: {
        sum(numbers): "That is the sum before the multiplication by 2.",
        2 * numbers[-1]: "That is the last element times 2. sum() adds all.",
    },
    "Before backward: what is x.grad?": lambda x: {
        0.0: ("A zero would be a number somebody computed. Nothing was computed yet.", "M7"),
        2 * x.item(): "That is what backward will write. It has not run.",
        x.item(): "That is x itself, x.data.",
        None: "Only requires_grad was asked for; backward has run, and it wrote a number.",
    },
    "What is x.grad_fn?": lambda: {
        None: "x was made by an op here.",
        "PowBackward0": ("That op used x. It made z.", "M1"),
        "AccumulateGrad": ("That is where x's gradient will be added. It is no op that made x.", "M3"),
    },
    "What is z.grad_fn?": lambda: {
        None: ("z was made by an op, and x requires grad, so the op was recorded.", "M2"),
        "MulBackward0": "The code has a power, and the node is named after the op that ran.",
        "PowBackward0": "The code has no power any more.",
    },
    "What is values.dtype?": lambda torch: {
        torch.float64: "Python and NumPy use 64 bits. PyTorch's default for numbers with a point is 32.",
        torch.int64: "The numbers are written with a point.",
        torch.float32: "Numbers without a point do not become float32.",
    },
    "torch.tensor([1, 2], requires_grad=True): what happens?": lambda: {
        "no error": ("Whole numbers are made of int64, which cannot change a little.", "M4"),
        "a warning, and float32": ("PyTorch does not change the dtype behind your back.", "M4"),
        "RuntimeError": "With a point in every number there is nothing to refuse.",
    },
    "What is the dtype of your tensor?": lambda: {
        "torch.float32": ("No number with a point took part, and nothing was divided.", "M4"),
        "torch.int64": ("One float among the numbers, or a division, is enough: the result is a float.", "M4"),
        "torch.float64": "Only if you ask for 64 bits.",
        "torch.bool": "Only comparisons give True and False.",
    },
}
