"""Lesson 13, digits and a convolutional network: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "13/train-and-eval",
        "When do you call model.eval(), and when torch.no_grad(), while you measure accuracy?",
        "Both: eval() for dropout, no_grad() so that nothing is recorded",
        "They switch different things, and a measurement wants both.",
        {
            "eval() alone: it switches off recording too": (
                "eval() leaves recording on. Memory is used for nothing.",
                "M15",
            ),
            "no_grad() alone: it switches off dropout too": (
                "no_grad() leaves dropout on. The accuracy is too low.",
                "M15",
            ),
            "Neither is needed if backward() is not called": (
                "Dropout would still throw values away, and graphs would still be recorded.",
                "M15",
            ),
        },
    ),
    Entry(
        "13/input-gradient",
        "A loop says data.clone().requires_grad_(True). What does this cost?",
        "A gradient for every image is computed and kept, and nobody uses it",
        "The weights require grad by themselves. The images do not need to.",
        {
            "Nothing: without it the network could not learn": (
                "The parameters require grad already. That is enough for learning.",
                "M21",
            ),
            "The images are changed by the optimizer": ("The optimizer holds the parameters, not the images.", "M21"),
            "The labels get a gradient too": ("Labels are whole numbers. They cannot.", "M4"),
        },
    ),
    Entry(
        "13/which-line-learns",
        "Which line of the loop changes the weights?",
        "optimizer.step()",
        "backward fills .grad; step uses it.",
        {
            "loss.backward()": ("backward only computes and adds to .grad.", "M21"),
            "output = model(data)": ("The forward pass reads the weights.", "M21"),
            "model.train()": ("train() sets a mode for dropout. No weight moves.", "M15"),
        },
    ),
)
