"""Lesson 11, cutting the graph, and in-place changes: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "11/detach-or-no-grad",
        "After `d = y.detach()`, what is true?",
        "y is as before; d has the same numbers and no way back",
        "detach makes a new tensor without grad_fn. It shares its numbers with y.",
        {
            "y has lost its graph": ("detach leaves y alone. Only the new tensor d has no history.", "M15"),
            "d is a copy with numbers of its own": ("d shares its numbers with y. A copy is d.clone().", "M15"),
            "All later ops on y are untracked": (
                "y stays tracked. no_grad is what stops the recording for a while.",
                "M15",
            ),
        },
    ),
    Entry(
        "11/eval-is-something-else",
        "`model.eval()` was called. Are ops of the forward pass recorded?",
        "Yes: eval changes dropout and batch norm, not the recording",
        "Recording is switched off by torch.no_grad().",
        {
            "No: eval is for inference": ("eval says how some layers behave. It does not touch autograd.", "M15"),
            "Only those of the last layer": ("All tracked ops are recorded, as before.", "M15"),
            "No, until model.train() is called": ("train() undoes eval(). Neither switches the recording.", "M15"),
        },
    ),
    Entry(
        "11/in-place-and-saved",
        "`e = torch.exp(x)`, then `e += 1`, then backward. What happens?",
        "It raises: exp had saved e, and e was changed since",
        "The node noted version 0 of e. Backward finds version 1 and refuses.",
        {
            "It works: in-place and out-of-place are the same": (
                "They differ where a node had saved the tensor.",
                "M16",
            ),
            "It works, with a slightly wrong gradient": ("The version check exists so that this cannot happen.", "M16"),
            "It raises because in-place is never allowed": (
                "Many in-place changes are fine: those that touch nothing saved.",
                "M16",
            ),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "quiet was computed under no_grad. What is quiet.grad_fn?": lambda: {
        "AddmmBackward0": ("That is loud's. Nothing is recorded inside the block.", "M15"),
        None: "The op was recorded: it ran outside the block.",
        "NoGradBackward0": "There is no such node. Nothing is recorded at all.",
    },
    "model.eval() was called. Does answer require grad?": lambda: {
        False: ("eval changes dropout and batch norm. The recording goes on.", "M15"),
        True: "A block of no_grad is around it now.",
        "only the last layer's part": ("There is one flag, and it is inferred from the inputs.", "M15"),
    },
    "loss = y * d with d = y.detach(). What is dloss/dx?": lambda d, y: {
        2 * y.item() * 2: ("That is y * y. One of the two ways is cut.", "M15"),
        0.0: ("y is as before: only d has no way back.", "M15"),
        d.item(): "That is dloss/dy. Go on to x.",
    },
    "d.zero_() sets d to 0. Which number does y hold now?": lambda before: {
        before: ("Only clone() makes numbers of its own. d looks at the memory of y.", "M15"),
        before - 1: "Nothing was subtracted.",
        2 * before: "Nothing was doubled.",
    },
    "w ** 2 was computed by NumPy. What is dloss/dw for loss = 3 * squared + w?": lambda w: {
        3 * 2 * w.item() + 1: ("With w ** 2 in PyTorch, yes. The detour over NumPy left no way back.", "M5"),
        3 * 2 * w.item(): ("That is the part that was lost, and the other way is missing.", "M5"),
        0.0: "One way is left: the + w.",
    },
    "a = x * 3 was saved by a ** 2, then a += 1. What is a's version now?": lambda a: {
        a._version - 1: ("Each in-place change counts one.", "M16"),
        a._version + 1: "Only one line changed it.",
        2.13: ("That would be a release of PyTorch. A version is a count, kept by each tensor.", "M16"),
    },
    "Now square.backward(): what happens?": lambda: {
        "no error": ("The power needs the old a for its slope, and it is overwritten.", "M16"),
        "RuntimeError": "Nothing that was saved has changed.",
        "a wrong gradient": ("The count exists so that this cannot happen.", "M16"),
    },
    "w is a leaf that requires grad. w.sub_(0.1): what happens?": lambda: {
        "no error": ("Then w would be a result of a recorded op, and no leaf any more. PyTorch refuses.", "M16"),
        "RuntimeError": "Nothing is tracked here, so nothing stands in the way.",
        "w becomes a non-leaf": ("That is what would have to happen, and why it is refused.", "M2"),
    },
    "Five goals, five tools": lambda: {
        "eval detach no_grad item clone": "eval switches dropout off; no_grad switches the recording off.",
        "no_grad clone eval item detach": "clone keeps the way back, detach ends it.",
    },
}
