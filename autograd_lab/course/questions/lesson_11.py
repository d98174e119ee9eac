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
