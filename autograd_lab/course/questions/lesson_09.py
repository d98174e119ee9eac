"""Lesson 09, accumulation: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "09/plus-equals",
        "`x.grad` holds 4. Another forward and backward pass gives 4 again. What does `x.grad` hold now?",
        "8",
        "Backward adds to `.grad`. It never replaces.",
        {
            "4: it is overwritten": ("Backward adds: 4 + 4.", "M7"),
            "4: it is averaged": ("Nothing is averaged. The new part is added.", "M7"),
            "An error": ("Adding up is the normal case. The error comes when the same graph is walked twice.", "M14"),
        },
    ),
    Entry(
        "09/none-or-zeros",
        "What does `optimizer.zero_grad()` leave in the parameters' `.grad`?",
        "None",
        "By default the tensor is dropped: set_to_none=True. The next backward makes a new one.",
        {
            "Zeros": ("That is set_to_none=False. The default drops the tensor.", "M7"),
            "The old numbers, marked as old": ("Nothing is marked. They are gone.", "M7"),
            "The mean of all steps so far": ("`.grad` knows no steps. It is a sum until somebody clears it.", "M7"),
        },
    ),
    Entry(
        "09/half-batches",
        "Two equal half batches, two backward calls, no clearing. How do you get the full mean's gradient?",
        "Divide each half's mean loss by 2",
        "Parts are added in `.grad`. Each half mean counts for one half.",
        {
            "Nothing to do: they are averaged": (
                "They are added, so without a factor you get twice the gradient.",
                "M7",
            ),
            "Clear between the two calls": ("Then the first half is lost.", "M7"),
            "Multiply each half's mean loss by 2": ("The sum is too large already: it must be halved.", "M7"),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "Forward and backward ran a second time. What is x.grad now?": lambda x: {
        2 * x.item(): ("That is the new gradient alone. It was added to what was there.", "M7"),
        x.grad.item() * 2: ("Two passes, not four.", "M7"),
        0.0: ("Nothing was cleared.", "M7"),
    },
    "zero_grad() has run. What is w.grad?": lambda: {
        0.0: ("That is zero_grad(set_to_none=False). The default drops the tensor.", "M7"),
        4.0: "That is what was there before it was cleared.",
        None: "Nothing was cleared, so the number is still there.",
        8.0: ("Clearing adds nothing.", "M7"),
    },
    "The optimizer holds w only. What is other.grad after optimizer.zero_grad()?": lambda: {
        None: ("Only the optimizer's own parameters are cleared. other is none of them.", "M7"),
        0.0: ("Nothing was done to it at all.", "M7"),
        2.0: "That would be dloss/dother if w were 1.",
    },
    "Two half means, two backward calls, nothing cleared. What is w.grad?": lambda full_grad, w: {
        full_grad.item(): ("Each half mean divides by 2, the full mean by 4. The sum is twice as large.", "M7"),
        full_grad.item() / 2: "Too small: two means were added, not halved.",
        ((w.item() * 3 - 1) * 3 + (w.item() * 4 - 1) * 4): (
            "That is the second half alone. Nothing was replaced.",
            "M7",
        ),
    },
    "Now each half's mean is multiplied by its share of the batch. What is w.grad?": lambda full_grad: {
        2 * full_grad.item(): ("That was without the share.", "M7"),
        full_grad.item() / 2: "Each half has its share once, not twice.",
    },
    "With your cut and the shares: what is w.grad?": lambda cut, full_grad: {
        2 * full_grad.item(): ("The shares add up to 1, so nothing is doubled.", "M7"),
        full_grad.item() * cut / 4: "That is one part's share only.",
    },
    "Three passes that leave 30 in w.grad": lambda: {
        10.0: ("10 is one third: did the passes replace each other, or is it one pass?", "M7"),
        15.0: "Three times 5. You need 30.",
    },
}
