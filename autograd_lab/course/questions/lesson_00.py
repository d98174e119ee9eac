"""Lesson 00, start here: its questions in words."""

from autograd_lab.course.entry import Entry

ENTRIES = (
    Entry(
        "00/what-not-answered-means",
        "You ran all cells at once. A question says `not answered`. What does that mean?",
        "It still waits for you; running the cell counted for nothing",
        "A prediction counts only when you typed or chose something. Running a cell is no answer.",
        {
            "You answered it wrong": ("A wrong answer reads `wrong`. This one was never answered.", "M24"),
            "The cell failed to run": ("A failed cell shows a traceback. The question ran and waits.", "M24"),
            "It was right, so nothing needs to be done": (
                "A right answer reads `right`. Nothing was judged yet.",
                "M24",
            ),
        },
    ),
    Entry(
        "00/solid-and-dashed",
        "In a drawing, what do the solid and the dashed arrows show?",
        "Solid: numbers of the forward pass; dashed: gradients on their way back",
        "Both passes stand in one drawing, on the same boxes: forward solid, backward dashed.",
        {
            "Solid: tensors that exist; dashed: tensors that were deleted": (
                "Arrows are no tensors. They show where numbers go.",
                "M23",
            ),
            "Solid: calls of a function; dashed: what it returns": (
                "Arrows show numbers that travel, not which function calls which.",
                "M23",
            ),
            "Solid: leaf tensors; dashed: all other tensors": (
                "Leaves have their own kind of box. Arrows belong to no tensor alone.",
                "M23",
            ),
        },
    ),
    Entry(
        "00/red-is-information",
        "A cell in this course shows a red traceback, and its text says that this was meant to happen. What do you do?",
        "Read its last line and the note below it: the error is the lesson",
        "Some cells raise on purpose. The last line is PyTorch's own text, and the note explains it.",
        {
            "Start again: the notebook is damaged now": ("An error in one cell changes nothing in the others.", "M24"),
            "Skip it: red means that I did something wrong": (
                "Here the error was asked for. Its text is what you learn to read.",
                "M24",
            ),
            "Change the cell until nothing red is left": (
                "The cell shows what PyTorch refuses. Without the error there is nothing to see.",
                "M24",
            ),
        },
    ),
)

# Wrong answers of the predictions and checks that are computed from the variables of their cells.
WRONG = {
    "How many ops did this code record, not counting x, 2 and 1?": lambda nodes: {
        len(nodes) + 1: ("That counts backward() as an op of the drawing. It has not even run.", "M23"),
        len(nodes) + 3: ("That counts boxes: x, 2 and 1 are inputs, not ops.", "M23"),
        len(nodes) - 1: "There is more than one line of arithmetic.",
    },
    "What is 6 times 7?": lambda: {13: "That is 6 + 7."},
}
