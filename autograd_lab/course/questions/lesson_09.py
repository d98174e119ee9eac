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
