"""Lesson 02, what automatic differentiation is: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "02/slope-of-a-square",
        "`y = x ** 2` at `x = 5`. What is the slope dy/dx there?",
        "10",
        "dy/dx = 2 · x = 2 · 5. A small step of 0.001 in x moves y by about 0.010.",
        {
            "25": ("25 is the value of y. The slope says how fast y changes.", "value"),
            "5": ("The exponent comes down in front: 2 · x, not x.", "power"),
            "2": ("2 is the exponent. The slope depends on where you are: 2 · x.", "M11"),
        },
    ),
)
