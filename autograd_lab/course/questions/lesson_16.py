"""Lesson 16, review: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "16/one-sentence",
        "What does autograd do, in one sentence?",
        "It records ops forward and applies each op's own rule backward, adding up at the leaves",
        "Record, walk back, multiply along a way, add across ways, keep at the leaves.",
        {
            "It trains the model": ("Training is the loop around it. Autograd gives the gradients.", "M21"),
            "It finds the formula of the derivative": ("No formula of the whole is made. Numbers flow.", "M11"),
            "It changes the inputs a little and compares": (
                "That is a numerical estimate, used to check gradients.",
                "M11",
            ),
        },
    ),
    Entry(
        "16/first-reflex",
        "A parameter does not learn and nothing raises. What do you look at first?",
        "Which parameters the loss reaches, and where the graph is cut",
        "A cast, a rebuilt tensor or a detour over NumPy cuts without a word. A drawing shows it.",
        {
            "The learning rate": ("If the gradient is None, no learning rate helps.", "M5"),
            "Add requires_grad=True to the loss": ("Then the error goes away, and so do the gradients.", "M5"),
            "Call backward() once more": ("The same graph gives the same gradients.", "M14"),
        },
    ),
    Entry(
        "16/what-is-kept",
        "After one training step, what is kept and what is gone?",
        "Weights and .grad are kept; what the nodes saved is freed",
        "The graph was for one walk. `.grad` stays until it is cleared.",
        {
            "Everything is kept until the program ends": ("Saved values are freed during backward.", "M14"),
            "Everything is gone, also .grad": ("`.grad` stays, and the next backward adds to it.", "M7"),
            "The graph is kept for the next step": ("The next forward pass records a new one.", "M14"),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "The graph: how many nodes are behind loss, AccumulateGrad included?": lambda count: {
        count - 1: ("w is a leaf: its AccumulateGrad counts.", "M2"),
        count + 1: ("x asks for no gradient, so it has no node.", "M1"),
        1: ("Each op left its own node.", "M6"),
        count + 3: ("Plain numbers have no nodes.", "M23"),
    },
    "The same step from w = 1, gradient -36, learning rate 0.1. Which number is the new weight?": lambda w2: {
        1 + 0.1 * w2.grad.item(): "Against the gradient: minus.",
        1 - w2.grad.item(): "The learning rate is missing.",
        1.0: ("step() moves it.", "M21"),
        1 - 0.2 * w2.grad.item(): ("One pass, not two: nothing else was added.", "M7"),
    },
    "Which of a, b, c, d are leaves?": lambda: {
        "[True, False, False, False]": ("c and d are not tracked, and what is not tracked counts as a leaf.", "M2"),
        "[True, True, True, True]": ("b was made by a recorded op.", "M1"),
        "[True, False, False, True]": ("Nothing was recorded for c: it ran under no_grad.", "M15"),
    },
    "Which of a, b, c, d require grad?": lambda: {
        "[True, True, True, True]": ("no_grad and detach end the tracking.", "M15"),
        "[True, False, False, False]": ("b was computed from a: its flag is inferred.", "M1"),
        "[True, True, True, False]": ("c ran under no_grad.", "M15"),
    },
    "e = exp(x), then e += 1, then e.backward(): what happens?": lambda: {
        "no error": ("exp had saved e, and e was changed.", "M16"),
        "RuntimeError": "Nothing that was saved has changed.",
        "a warning": ("It is an error, so that no wrong gradient is used.", "M16"),
    },
    "All four compute 3 * w * w at w = 2. Which one has the right slope?": lambda: {
        "A": ("item() ends the way back of one factor.", "M5"),
        "B": ("detach cuts one of the two ways.", "M5"),
        "C": "Its slope is not 12 any more.",
        "D": ("One w was rebuilt from a number.", "M5"),
        "none": ("No error was raised, and one is right: look at the numbers below.", "M24"),
    },
    "A fan-out, a cut and a retained gradient": lambda: [
        ((True, False, True), "h keeps nothing: call h.retain_grad()."),
        ((False, True, False), "Use h in another op."),
    ],
}
