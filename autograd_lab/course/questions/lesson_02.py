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
    Entry(
        "02/best-step",
        "A slope estimated by (f(x + h) - f(x)) / h in float32, with smaller and smaller h: what happens to the error?",
        "It falls, then it grows again: rounding takes over",
        "A large h misses the curve, a tiny h loses all digits in the subtraction. The best h lies between.",
        {
            "It falls towards 0, the smaller h the better": (
                "True on paper. In float32 the two values become equal in all kept digits.",
                "M18",
            ),
            "It stays the same": ("h is the length of the step. A long step misses the curve.", "M18"),
            "It only depends on f, not on h": ("The same f has a good and a bad h.", "M18"),
        },
    ),
    Entry(
        "02/why-automatic",
        "How does PyTorch find the slope of a program with a million parameters?",
        "It records each op and applies each op's own rule, backwards, once",
        "One walk back gives all slopes. No formula of the whole is made, and nothing is nudged.",
        {
            "It writes one big formula and simplifies it": (
                "That is symbolic algebra. The formula would be longer than the program.",
                "M11",
            ),
            "It changes each parameter a little and runs again": (
                "That would be a million runs, with rounding errors.",
                "M11",
            ),
            "The optimizer guesses the slopes from the loss": (
                "The optimizer uses slopes. Backward computes them.",
                "M21",
            ),
        },
    ),
)
