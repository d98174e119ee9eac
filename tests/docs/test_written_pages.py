"""Pages that a tool writes are current, and what the hand-written ones list is all there is."""

import doctest
import re

import make_course_tables
import make_glossary
import make_ops_table
import pages
import pytest
from lesson_files import CHANGES, LESSONS, cells, tags, words_of_terms

from autograd_lab import widgets
from autograd_lab.course.lesson import Lesson

WRITTEN = (make_glossary, make_ops_table, make_course_tables)
LESSON_GUIDE = (pages.ROOT / "docs" / "writing_a_lesson.md").read_text(encoding="utf-8")
INSTRUCTOR_GUIDE = make_course_tables.TARGET.read_text(encoding="utf-8")
POLICY = re.compile(r"```toml\n(.*?)```", re.DOTALL)


@pytest.mark.parametrize("tool", WRITTEN, ids=lambda tool: tool.__name__)
def test_a_written_page_is_current(tool):
    assert pages.current(tool.TARGET, tool.text()), f"run python tools/{tool.__name__}.py --write"


def test_the_glossary_has_every_word_of_every_lesson():
    page = make_glossary.TARGET.read_text(encoding="utf-8")
    for path in LESSONS:
        words = words_of_terms(path)
        assert [word.word for word in make_glossary.words_of(path)] == words
        assert [word for word in words if not re.search(rf"\*\*{re.escape(word)}\*\*.*{path.name}", page)] == []


@pytest.mark.parametrize("last", ["no list", "**Words of this lesson**\n\n- word: not in italics\n"])
def test_a_list_of_words_in_another_form_is_refused(last, tmp_path):
    path = tmp_path / "99_new.ipynb"
    make_glossary.nbformat.write(
        make_glossary.nbformat.v4.new_notebook(cells=[make_glossary.nbformat.v4.new_markdown_cell(last)]), path
    )
    with pytest.raises(ValueError, match="99_new"):
        list(make_glossary.words_of(path))


def test_every_lesson_and_exercise_has_its_line_and_its_session():
    numbers, shorts = set(make_course_tables.lessons()), set(make_course_tables.exercises())
    assert numbers <= set(make_course_tables.LESSONS)
    assert shorts <= set(make_course_tables.EXERCISES)
    planned = [number for found, _ in make_course_tables.SESSIONS for number in found.split()]
    assert planned == sorted(make_course_tables.LESSONS), "each lesson has one session, in order"
    assert sorted(short for _, found in make_course_tables.SESSIONS for short in found.split()) == sorted(shorts)


def test_the_lessons_of_a_session_fit_into_90_minutes():
    there = make_course_tables.lessons()
    for found, _ in make_course_tables.SESSIONS:
        assert sum(make_course_tables.minutes(there[n]) for n in found.split() if n in there) <= 90, found


def test_the_guide_has_every_belief():
    found = {tag for path in LESSONS for cell in cells(path) for tag in tags(cell) if re.fullmatch(r"M\d+", tag)}
    assert found <= set(make_course_tables.BELIEFS)
    assert list(make_course_tables.BELIEFS) == [f"M{number}" for number in range(1, 25)]


def test_the_guide_shows_the_policy_as_it_is():
    (shown,) = POLICY.findall(INSTRUCTOR_GUIDE)
    for path in (pages.ROOT / "exercises").glob("*/policy.toml"):
        assert path.read_text(encoding="utf-8").endswith(shown), path


def test_the_lesson_guide_has_every_tag():
    rows = re.findall(r"^\| (`.*?) \|", LESSON_GUIDE, re.MULTILINE)
    shown = {tag for row in rows for tag in re.findall(r"`([^`]+)`", row)}
    found = {tag for path in LESSONS for cell in cells(path) for tag in tags(cell)}
    assert [tag for tag in sorted(found) if not re.match(r"seed:|footnote:|M\d", tag) and tag not in shown] == []


NAMES = {
    "changes": [f"`{change.__name__}`" for change in CHANGES],
    "widgets": [f"`{name}(" for name in widgets.HOMES],
    "methods": [f"{name}(" for name, method in vars(Lesson).items() if name[0] != "_" and callable(method)],
}


@pytest.mark.parametrize("kind", NAMES)
def test_the_lesson_guide_has_every_name(kind):
    assert [name for name in NAMES[kind] if name not in LESSON_GUIDE] == []


@pytest.mark.parametrize("tool", [pages, make_ops_table], ids=lambda tool: tool.__name__)
def test_the_examples_of_the_tools_are_true(tool):
    found = doctest.testmod(tool)
    assert found.attempted
    assert not found.failed


def test_a_page_without_its_block_is_refused():
    with pytest.raises(ValueError, match="begin lessons"):
        pages.with_block("no block", "lessons", "a table")
