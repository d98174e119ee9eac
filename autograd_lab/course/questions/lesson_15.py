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
