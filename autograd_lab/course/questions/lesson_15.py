"""Lesson 15, under the hood: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "15/what-to-save",
        "In a Function of your own, how do you keep a tensor for backward?",
        "ctx.save_for_backward(tensor)",
        "Saved this way it is version-checked and freed in time. Numbers may go on ctx.",
        {
            "self.tensor = tensor": ("forward is static: there is no self, and many graphs share the class.", "M19"),
            "A global variable": ("The next call would overwrite it before backward reads it.", "M19"),
            "Nothing needs to be kept": ("A rule that depends on the input needs the input.", "M10"),
        },
    ),
    Entry(
        "15/create-graph",
        "You want a second derivative. What must the first call say?",
        "create_graph=True",
        "Then backward itself is recorded, so it can be walked again.",
        {
            "retain_graph=True": (
                "That keeps the first graph's saved values. The gradient would still have no graph.",
                "M20",
            ),
            "Nothing: call backward() twice": ("Twice the first derivative is not the second derivative.", "M20"),
            "requires_grad=True on the gradient": ("Then it is a new leaf, cut off from x.", "M5"),
        },
    ),
    Entry(
        "15/forward-or-reverse",
        "A function has 3 inputs and 1,000 outputs. Which mode gives all slopes with fewer passes?",
        "Forward mode: 3 passes",
        "Forward mode needs one pass for each input, reverse mode one for each output.",
        {
            "Reverse mode: 1 pass": ("Reverse mode needs one pass for each output: 1,000.", "M20"),
            "Both need the same": ("They need 3 and 1,000.", "M20"),
            "Reverse mode, as always": ("Reverse mode wins when there are few outputs, such as one loss.", "M20"),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "PowBackward0 of x ** 2 at x = 3 is called with 10. Which number does it return?": lambda x, y: {
        10.0: "That is what came in. The node multiplies by its local derivative.",
        2 * x.item(): "That is the local derivative alone. Multiply by what came in.",
        10 * y.item(): ("That is y times 10. The local derivative is 2x.", "M10"),
    },
    "loss = 5 * Cube(x) at x = 2. What is dloss/dx?": lambda x, y: {
        3 * x.item() ** 2: ("The incoming gradient 5 is lost. It is a factor.", "M19"),
        5 * y.item(): "That is the value of loss.",
        5 * 3 * x.item(): "The square of x is missing.",
    },
    "Wrong returns 6x in place of 3x ** 2. What does it give at x = 2?": lambda x: {
        3 * x.item(): "6 times x, not 3 times.",
        0.0: "The mistake does not make it 0.",
        x.item() ** 3: "That is the value of the cube.",
    },
    "Constant detaches x inside backward. gradcheck, gradgradcheck: what happens?": lambda: {
        "no error, no error": ("The second derivative looks through backward, and x is cut off there.", "M19"),
        "GradcheckError, GradcheckError": "The first derivative has the right number.",
        "GradcheckError, no error": "The other way round: the number is right, its graph is cut.",
    },
    "first = dy/dx with create_graph=True. What is dfirst/dx, the second derivative of x ** 3 at 3?": lambda x: {
        3 * x.item() ** 2: "That is the first derivative.",
        6.0: "That is the third derivative. The second is 6x.",
        x.item() ** 3: "That is y.",
    },
    "The gradient was taken with retain_graph=True. Does it require grad?": lambda: {
        True: ("retain_graph keeps what nodes saved. It records nothing new.", "M20"),
        False: "The gradient was recorded this time.",
        "yes, but only once": ("It has no graph, so not even once.", "M20"),
    },
    "loss = (3x) ** 2, and a hook on y multiplies by 10. What is x.grad?": lambda x, y: {
        x.grad.item() / 10: "That is without the hook.",
        2 * y.item() * 10: "That is what leaves the hook. Go on to x: one more factor 3.",
    },
    "3 inputs, 40 outputs, the whole Jacobian: how many passes does the cheaper mode need?": lambda inputs, outputs: {
        outputs: ("That is reverse mode, one pass for each output.", "M20"),
        inputs * outputs: "That is one for each entry. A pass gives a whole column or row.",
        1: ("Reverse mode needs one pass for one output. Here there are 40.", "M20"),
    },
    "Both checks of your op": lambda: {
        "GradcheckError and GradcheckError": "The first derivative is wrong: the slope of x ** 3 + x, times grad.",
        "no error and GradcheckError": "The number is right, but its graph is cut: no detach, no item.",
    },
}
