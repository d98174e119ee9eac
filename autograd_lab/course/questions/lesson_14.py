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
