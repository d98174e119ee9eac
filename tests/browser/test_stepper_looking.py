"""A chosen box: its attributes, its numbers at each step, every cell of a matrix; by mouse and by keyboard."""

import pytest
from stepper_page import chain, keys_of, matmul, mount, walk_to

pytestmark = pytest.mark.browser


def facts(root):
    """The lines about the chosen box; a value that can be edited is read from its box."""
    read = "parts => parts.map((part) => part.querySelector('input')?.value ?? part.textContent)"
    return dict(zip(*(root.locator(f".al-facts {tag}").evaluate_all(read) for tag in ("dt", "dd")), strict=True))


def cells(root, caption):
    """The rows of the table with this caption, as they read."""
    return (
        root.locator(".al-matrix")
        .filter(has=root.page.get_by_text(caption, exact=True))
        .evaluate(
            """table => [...table.rows].slice(1).map((row) =>
          [...row.cells].slice(1).map((cell) => cell.querySelector('input')?.value ?? cell.textContent))"""
        )
    )


def test_a_click_on_a_box_shows_what_it_is(page):
    walk = chain()
    keys = keys_of(walk)
    root = mount(page, walk)
    root.locator(f'g[data-key="{keys["x"]}"]').click()
    assert facts(root) == {
        "shape": "()",
        "dtype": "float32",
        "requires_grad": "True",
        "is_leaf": "True",
        "grad_fn": "None",
        "value": "2",
        ".grad": "None",
    }
    assert "is-chosen" in root.locator(f'g[data-key="{keys["x"]}"]').get_attribute("class")
    root.locator(f'g[data-key="{keys["y"]}"]').click()
    shown = facts(root)
    assert (shown["is_leaf"], shown["grad_fn"], shown["value"]) == ("False", "MulBackward0", "—")
    walk_to(page, root, 1)
    assert facts(root)["value"] == "6", "the numbers are those of the step"


def test_the_keyboard_chooses_a_box(page):
    root = mount(page, chain())
    choice = root.get_by_role("combobox", name="Look at")
    choice.focus()
    choice.select_option(label="×: MulBackward0")
    assert facts(root)["inputs"] == "self = x, other = 3"
    choice.select_option(label="AccumulateGrad of x")
    assert facts(root)["does"] == "adds what arrives to x.grad"
    choice.select_option(index=0)
    assert root.locator(".al-details").inner_text() == ""
    assert root.locator(".is-chosen").count() == 0


def test_every_cell_of_a_matrix_is_there_on_demand(page):
    walk = matmul()
    keys = keys_of(walk)
    root = mount(page, walk)
    root.locator(f'g[data-key="{keys["W"]}"]').click()
    assert cells(root, "value") == [["1", "2"], ["0", "1"], ["-1", "4"]]
    assert facts(root)[".grad"] == "None"
    root.focus()
    page.keyboard.press("End")
    assert cells(root, ".grad") == [["0.25", "0.25"], ["0.25", "0.25"], ["0.375", "0.375"]]
    root.locator(f'g[data-key="{keys["X"]}"]').click()
    assert cells(root, "value") == [["1", "-2", "0.5"], ["0", "3", "1"]]
    root.locator(f'g[data-key="{keys["h"]}"]').click()
    assert cells(root, "gradient that arrived") == [["0.25", "0.25"], ["0.25", "0.25"]]
    assert root.locator(".al-matrix th[scope=col]").count() == 4


def test_a_question_hides_the_cells_too(page):
    walk = matmul("all")
    root = mount(page, walk)
    root.locator(f'g[data-key="{keys_of(walk)["h"]}"]').click()
    walk_to(page, root, 2)
    assert facts(root)["value"] == "hidden until you answer the question"
    root.locator(".al-ask input").fill("1")
    page.keyboard.press("Enter")
    assert cells(root, "value") == [["1", "1.5"], ["-0.5", "6.5"]]
