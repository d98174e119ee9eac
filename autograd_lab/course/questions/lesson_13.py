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

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "output = net(data) for 32 images. How many scores come out?": lambda data, images: {
        len(data): "That is one for each image. There are ten digits to choose from.",
        10: "That is for one image.",
        images.numel() // len(images) * len(data): "That is the number of pixels that went in.",
    },
    "Which shape has the loss?": lambda: {
        "(32,)": "CrossEntropyLoss takes the mean over the batch.",
        "(32, 10)": "Those are the scores. The loss is what they cost, as one number.",
        "(1, 10)": "One number is wanted, so that backward can begin with 1.",
    },
    "After clearing, before backward: what is the first weight's .grad?": lambda: {
        0.0: ("The default drops the tensor.", "M7"),
        None: "It was not cleared.",
        "the gradient of the last batch": ("It was just cleared.", "M7"),
    },
    "backward has run. Has any weight changed?": lambda: {
        True: ("backward fills .grad. Weights are moved by step().", "M21"),
        False: "Some line here changes a weight.",
        "only the last layer's": ("No weight is changed by backward.", "M21"),
    },
    "step has run. Has the first weight changed?": lambda: {
        False: "step moves every parameter that has a gradient.",
        True: ("Nothing stepped.", "M21"),
        "its .grad has": ("step reads .grad. It does not change it.", "M21"),
    },
    "data.clone().requires_grad_(True), then backward. Is data.grad filled?": lambda: {
        False: ("It was asked for, so it was computed: one number for each pixel.", "M21"),
        True: "The images do not ask any more.",
        "only in training mode": ("train() and eval() do not touch gradients.", "M15"),
    },
    "A network of your own with at least 92 %": lambda: {
        False: "Below 92 %. More epochs, a larger learning rate, or a convolution in front."
    },
}
