"""The stepper among other things on a page: several of them, a model that lives on, keys that belong to others."""

import pytest
from stepper_page import at, chain, mount, walk_to

pytestmark = pytest.mark.browser


def test_two_walks_on_one_page_do_not_meet(page):
    walk = chain()
    mount(page, walk, walk)
    first, second = (page.get_by_role("group", name="Step through loss").nth(i) for i in (0, 1))
    first.focus()
    page.keyboard.press("End")
    assert (at(first), at(second)) == (len(walk.frames) - 1, 0)
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map((part) => part.id)")
    assert len(ids) == len(set(ids))
    for svg in page.locator(".al-drawing svg").all():
        for name in svg.get_attribute("aria-labelledby").split():
            assert svg.locator(f"[id='{name}']").count() == 1


def test_a_walk_continues_where_the_model_is(page):
    right = {"state": "right", "tries": 1, "typed": ["6"], "rule": "", "answer": 6}
    root = mount(page, chain("all"), step=2, answers={"q1-0": right})
    assert at(root) == 2
    assert "1 right" in root.locator(".al-score").inner_text()
    page.evaluate("window.models[0].told('step', 4)")
    assert at(root) == 4
    page.evaluate("window.models[0].cleanup()")
    assert page.evaluate("window.models[0].listeners.length") == 0, "nothing listens when the cell was run again"


def test_steps_reach_the_model(page):
    root = mount(page, chain("all"))
    walk_to(page, root, 1)
    assert page.evaluate("window.models[0].values.step") == 1
    assert page.evaluate("window.models[0].saved") > 0


def test_every_focusable_part_keeps_its_keys_from_jupyterlab(page):
    root = mount(page, chain("all"))
    walk_to(page, root, 1)
    root.get_by_text("Change the inputs").click()
    root.focus()
    reached = []
    for _ in range(30):
        reached.append(
            page.evaluate("""() => [document.activeElement.tagName,
              document.activeElement.getAttribute('data-lm-suppress-shortcuts')]""")
        )
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement === document.body"):
            break
    names = [name for name, _ in reached]
    assert names == [
        "DIV",  # the stepper itself
        *["BUTTON"] * 4,  # start, back, next, end
        *["INPUT", "BUTTON", "BUTTON"],  # the question
        *["BUTTON"] * 3,  # ask again, the answers as files
        *["SELECT", "SUMMARY"],
        *["INPUT", "INPUT", "BUTTON", "BUTTON"],  # x, its slider and its plot; the recorded numbers
    ]
    assert all(kept == "true" for _, kept in reached)


def test_other_keys_are_left_alone(page):
    root = mount(page, chain())
    page.evaluate("""window.heard = []; document.addEventListener('keydown',
      (event) => window.heard.push([event.key, event.defaultPrevented]))""")
    root.focus()
    for key in ("b", "Escape", "Control+ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    assert at(root) == 1
    heard = [key for key, prevented in page.evaluate("window.heard") if not prevented]
    assert heard == ["b", "Escape", "Control", "ArrowRight"]


def test_the_keys_of_the_tools_do_not_walk(page):
    root = mount(page, chain())
    walk_to(page, root, 2)
    root.get_by_role("combobox", name="Look at").focus()
    for key in ("n", "p", "Home"):
        page.keyboard.press(key)
    root.get_by_text("Change the inputs").focus()
    page.keyboard.press(" ")
    assert root.locator(".al-change").get_attribute("open") == ""
    assert at(root) == 2
