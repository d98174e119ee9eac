"""The Python of the guides runs, in the order of the page, and prints what stands there.

A block that begins with `>>>` is compared line by line; any other block is executed. The card that a page makes is
checked as the registry's tests check each card, and taken away again.
"""

import doctest
import importlib.util
import re
import sys

import pages
import pytest

import autograd_lab.ops.every  # noqa: F401  (a chapter that a snippet opens stays registered)
from autograd_lab.op import CARDS

BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = ("adding_an_op.md", "writing_a_lesson.md")


@pytest.fixture(autouse=True)
def _alone(tmp_path, monkeypatch):
    """A learner who answered nothing, and the registry as it was."""
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path))
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")
    before = dict(CARDS)
    yield
    CARDS.clear()
    CARDS.update(before)


def run(page):
    """Run all blocks of a page in one namespace, and give it."""
    names = {"__name__": page}
    for block in BLOCK.findall((pages.ROOT / "docs" / page).read_text(encoding="utf-8")):
        if block.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(block, names, page, page, 0)
            said = []
            doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, said.append, clear_globs=False)
            assert not said, "".join(said)
            names.update(test.globs)
        else:
            exec(compile(block, page, "exec"), names)
    return names


@pytest.mark.parametrize("page", PAGES)
def test_the_page_runs(page):
    run(page)


def test_every_question_of_the_lesson_guide_waits_and_has_two_reasons():
    lesson = run("writing_a_lesson.md")["lesson"]
    asked = [question for question in lesson.asked.values() if question.label == "Predict"]
    assert len(asked) == 6
    for question in asked:
        wrong = question.wrong or [choice for choice in question.choices if not choice.right]
        assert len({answer.reason for answer in wrong}) >= 2, question.text
    assert f"{len(lesson.asked)} not answered" in repr(lesson.summary())


def test_the_registrys_tests_find_the_new_card_without_a_word(monkeypatch):
    monkeypatch.syspath_prepend(str(pages.ROOT / "tests" / "ops"))
    card = run("adding_an_op.md")["bell"].card
    spec = importlib.util.spec_from_file_location("registry", pages.ROOT / "tests" / "ops" / "test_registry.py")
    registry = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(registry)
    assert card in registry.with_samples()
    registry.test_has_samples_and_a_sentence(card)
    registry.test_pointwise_formulas_have_their_latex(card)
    registry.test_gradient_agrees_with_differences(card)
    registry.test_second_derivative_agrees_with_differences(card)
    assert "card_calls" in sys.modules
