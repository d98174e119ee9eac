"""Lesson 14, the debugging clinic: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "14/nan-behind-a-mask",
        "`torch.where(x > 0, torch.log(x), 0.0)` at x = 0. Why can x.grad be nan although the mask chose 0.0?",
        "log ran anyway; backward multiplies its infinite slope by 0, and 0 · inf is nan",
        "The mask chooses among values that were all computed. Repair the input before log.",
        {
            "where chooses the wrong side in backward": ("It sends 0 to the log. But 0 times infinity is nan.", "M17"),
            "It cannot: what is masked out has no gradient": (
                "It gets a gradient of 0, and the rule of log turns it into nan.",
                "M17",
            ),
            "Because float32 is too small": ("In float64 it is the same: 0 · inf.", "M18"),
        },
    ),
    Entry(
        "14/vanishing",
        "Twenty sigmoid layers, and the first layer hardly learns. Why?",
        "Each layer's local derivative is at most 1/4, and twenty of them are multiplied",
        "Along a way factors are multiplied. (1/4) to the 20th is about 1e-12.",
        {
            "Its learning rate is smaller": ("All layers have the same one. The gradient itself is tiny.", "M17"),
            "Backward stops after some layers": ("Backward reaches every layer. The numbers are tiny.", "M14"),
            "The first layer gets its gradient last, when little is left over": (
                "Nothing is used up. It is a product of small factors.",
                "M17",
            ),
        },
    ),
    Entry(
        "14/check-in-float64",
        "A gradient check in float32 fails by a relative error of 1e-3. What do you do first?",
        "Run the check in float64",
        "The difference quotient loses half of the digits, and float32 has only seven.",
        {
            "Look for the mistake in the formula": ("First take a precision in which a right formula passes.", "M18"),
            "Make h much smaller": ("In float32 a smaller h makes rounding worse.", "M18"),
            "Accept it: gradients are always a bit off": (
                "In float64 a right formula agrees to about seven digits.",
                "M18",
            ),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "x = torch.tensor(5.0, requires_grad=False); y = x ** 2. y.backward(): what happens?": lambda: {
        "no error": "No graph leads to y: no input asked for a gradient.",
        "RuntimeError": "x asks for its gradient now.",
        "x.grad becomes 0": ("Nothing is computed, not even a zero.", "M7"),
    },
    "The flag was set on y instead. No error. What is x.grad?": lambda: {
        10.0: ("y is a leaf now: the graph begins at y, behind x.", "M5"),
        1.0: ("That is y.grad, the start. It goes nowhere.", "M5"),
        None: "x itself asked for a gradient.",
        0.0: ("Nothing was computed for x.", "M7"),
    },
    "Somebody reports: y.grad is None, so backward is broken. Which line was missing?": lambda: {
        "y.requires_grad_()": ("y requires grad already.", "M3"),
        "retain_graph=True": ("That keeps what nodes saved, not gradients.", "M3"),
        "y.retain_grad()": "It was there.",
        "loss.backward() once more": ("That raises: the graph is freed.", "M14"),
    },
    "Which of x.grad, x.grad_fn, y.grad, y.grad_fn hold something, in this order?": lambda: {
        "[True, True, True, True]": ("Leaves have no grad_fn, and results keep no grad.", "M2"),
        "[False, True, True, False]": ("The other way round: grad is with leaves, grad_fn with results.", "M3"),
        "[True, False, True, True]": ("y keeps no gradient unless it was asked to.", "M2"),
    },
    "Three rounds without zero_grad, each gives 36. What is w.grad?": lambda w: {
        w.grad.item() / 3: ("That is one round. Nothing was cleared.", "M7"),
        w.grad.item() / 3 * 2: ("All three rounds count.", "M7"),
    },
    "How many of w1 and w2 does the loss reach?": lambda reached: {
        reached + 1: ("item() gave a plain number. The tensor built from it has no way back to w1.", "M5"),
        reached - 1: "w2 goes straight into the product.",
    },
    "y = where(x > 0, log(x), 7.0) at x = 0. What is x.grad?": lambda: {
        "0.0": ("The mask sends 0 to the logarithm. But 0 times its infinite slope is nan.", "M17"),
        "inf": "The slope of log is infinite, and it is multiplied by 0.",
        "None": ("x was used, and backward reached it.", "M17"),
        "nan": "No value behind the mask is infinite now.",
    },
    "Five sigmoids in a row, each at its steepest point. What is dh/dx, as a power of 1/4?": lambda: {
        1: "That is one layer. They are multiplied.",
        20: ("That is for twenty layers.", "M17"),
        4: "One layer more.",
    },
    "gradcheck of sin(x) * x in float64: what happens?": lambda: {
        "GradcheckError": ("The formula is right, and float64 has digits enough to see it.", "M18"),
        "no error": "The check fails here.",
        "it is never exact, so it fails": ("It compares with a tolerance.", "M18"),
    },
    "The patient's gradient: d(3w)**2/dw at 2": lambda: {
        0.0: "The detour is still cut.",
        12.0: ("dloss/dhidden. Go on to w.", "M10"),
    },
}
