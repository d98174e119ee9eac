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

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "How far does y = x * x move, when x goes from 5 to 5.1?": lambda f, step, x: {
        step: "x moves by 0.1. y moves faster here.",
        step * step: "That is 0.1 squared. You need 5.1 squared minus 5 squared.",
        2 * x * step: "That is the slope at 5, times the step. The curve gets steeper on the way.",
        2 * x: "That is about how far y moves for a whole unit of x. This step is 0.1.",
        f(x + step): "That is y itself at 5.1. How far is it from 25?",
    },
    "And with h = 0.0000001 in float32: which number comes out?": lambda h: {
        10.0: ("That is the true slope. float32 keeps about seven digits, and 5.0000001 needs eight.", "M18"),
        10 + h: ("On paper, yes. In float32 the step is lost before f is called.", "M18"),
        1 / h: "That would need f to move by 1.",
        20.0: "f does not move at all here. What is 0 divided by h?",
    },
    "Which of the steps 0.1, 0.01, 0.001, 0.00001, 0.000001 is best in float32?": lambda: {
        1e-6: ("The smallest step is lost in rounding.", "M18"),
        1e-5: ("Too short already: most digits are lost in the subtraction.", "M18"),
        1e-1: "Too long: the curve bends away. It misses by 0.1.",
        1e-2: "Good, but a shorter one is better.",
    },
    "How many runs does nudging need for all slopes of a program with these weights?": lambda weights: {
        len(weights): "One for each weight, and one more without a nudge, to compare with.",
        2: "That is for one weight. The others have slopes of their own.",
        1: ("One run and one walk back is what automatic differentiation needs.", "M11"),
    },
    "The slope of g at 3, by your own nudge": lambda g: {
        g(3.0): "That is g(3) itself.",
        0.0: "Your step was lost in rounding. Take a longer one.",
    },
}
