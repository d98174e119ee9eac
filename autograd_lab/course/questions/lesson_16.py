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
