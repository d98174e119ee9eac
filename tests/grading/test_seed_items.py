"""All sixteen items of the module's five practice exercises are asked, each in the cell that carries its tag."""

import json
import re

import pytest

from autograd_lab.grading import known, load
from autograd_lab.grading.notebook import KEY, NAME

# tag of the item: (exercise, question, what the item asks, words of the cell or of the text before it)
ITEMS = {
    "seed:B31.1.1": ("e1_basic_gradient", "q2", "call backward()", "call `backward()` on `y`"),
    "seed:B31.1.2": ("e1_basic_gradient", "q1", "print x.grad", "which number will `print(x.grad)` show"),
    "seed:B31.1.3": ("e1_basic_gradient", "q3", "verify the result mathematically", "Write the slope as a formula"),
    "seed:B31.2.1": ("e2_multiple_operations", "q1", "print y.grad_fn", "`print(y.grad_fn.name())`"),
    "seed:B31.2.2": ("e2_multiple_operations", "q2", "print z.grad_fn", "name_of_z"),
    "seed:B31.2.3": ("e2_multiple_operations", "q3", "print loss.grad_fn", "name_of_loss"),
    "seed:B31.2.4": ("e2_multiple_operations", "q5", "call loss.backward()", "call `backward()` on `loss`"),
    "seed:B31.2.5": ("e2_multiple_operations", "q4", "print x.grad", "`print(x.grad)` will show"),
    "seed:B31.3.1": (
        "e3_computational_graph",
        "q4",
        "calculate the gradient by Autograd",
        "Call `backward()` on `loss`",
    ),
    "seed:B31.4.1": ("e4_trainable_parameters", "q1", "dLoss/dw", "dloss_dw"),
    "seed:B31.4.2": ("e4_trainable_parameters", "q1", "dLoss/db", "dloss_db"),
    "seed:B31.5.1": ("e5_gradient_debugging", "q1", "is x a leaf?", "x_is_leaf"),
    "seed:B31.5.2": ("e5_gradient_debugging", "q2", "is y a leaf?", "y_is_leaf"),
    "seed:B31.5.3": ("e5_gradient_debugging", "q3", "what is y.grad_fn?", "What is `y.grad_fn`?"),
    "seed:B31.5.4": ("e5_gradient_debugging", "q4", "what happens to y.grad?", "What does `y.grad` hold afterwards?"),
    "seed:B31.5.5": (
        "e5_gradient_debugging",
        "q5",
        "how can y's gradient be retained?",
        "How can `y` keep its gradient?",
    ),
}
# the cell in which the learner writes the exercise's program
PROGRAMS = {
    "seed:B31.1": ("e1_basic_gradient", ("x = ", "y = ")),
    "seed:B31.2": ("e2_multiple_operations", ("x = ", "y = ", "z = ", "loss = ")),
    "seed:B31.3": ("e3_computational_graph", ("x = ", "a = ", "b = ", "loss = ")),
    "seed:B31.4": ("e4_trainable_parameters", ("x = ", "w = ", "b = ", "prediction = ", "loss = ")),
    "seed:B31.5": ("e5_gradient_debugging", ("x = ", "y = ", "loss = ")),
}
POINTS = {"e1": (2, 2, 2), "e2": (2, 2, 2, 2, 2), "e3": (4, 2, 2, 2), "e4": (8, 2, 2), "e5": (2, 2, 2, 2, 2)}
LESSONS = {
    "e1": "02_what_is_autodiff",
    "e2": "04_chain_rule",
    "e3": "04_chain_rule",
    "e4": "12_training_loop",
    "e5": "07_leaf_nonleaf_grad_fn",
}


def cells(slug):
    notebook = json.loads((load(slug).folder / NAME).read_text(encoding="utf-8"))
    return notebook["cells"]


def tagged(slug, tag):
    """The cells with a tag, each with the text of the cell before it."""
    found = cells(slug)
    return [
        (cell, "".join([*found[i - 1]["source"], "\n", *cell["source"]]))
        for i, cell in enumerate(found)
        if tag in cell["metadata"].get("tags", ())
    ]


def test_the_module_has_sixteen_items():
    assert len(ITEMS) == 16


@pytest.mark.parametrize("tag", ITEMS)
def test_an_item_is_asked_in_its_cell_and_nowhere_else(tag):
    slug, question, _, words = ITEMS[tag]
    ((cell, text),) = tagged(slug, tag)
    assert cell["metadata"][KEY] == {
        "exercise": slug,
        "question": question,
        "points": cell["metadata"][KEY]["points"],
    }
    assert f'ex.check("{question}")' in text
    assert words in " ".join(text.split())
    assert not any(tagged(other, tag) for other in known() if other != slug)


@pytest.mark.parametrize("tag", PROGRAMS)
def test_the_program_of_an_exercise_is_written_in_its_cell(tag):
    slug, lines = PROGRAMS[tag]
    ((cell, _),) = tagged(slug, tag)
    assert all(line in "".join(cell["source"]) for line in lines)


def test_no_cell_has_a_tag_that_is_not_listed():
    found = {tag for slug in known() for cell in cells(slug) for tag in cell["metadata"].get("tags", ())}
    assert found == set(ITEMS) | set(PROGRAMS)


@pytest.mark.parametrize("slug", [slug for slug in known() if slug[:2] in POINTS])
def test_an_exercise_tells_its_points_its_time_and_its_lesson(slug):
    judge, first = load(slug).judge, " ".join("".join(cells(slug)[0]["source"]).split())
    assert tuple(question.points for question in judge.questions) == POINTS[slug[:2]]
    assert f"{judge.points} points, about" in first
    assert first.startswith(f"# {judge.title} ")
    assert judge.lesson == LESSONS[slug[:2]]
    assert re.search(rf"It follows the lesson \[[^\]]+\]\(\.\./\.\./notebooks/{judge.lesson}\.ipynb\)", first)
