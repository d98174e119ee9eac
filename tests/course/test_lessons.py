"""Every lesson keeps the standard: its parts in order, tags, terms, links, plain prose."""

import ast
import re
from collections import Counter

import pytest
from lesson_files import LESSONS, calls, cells, code_cells, prose, tags, taught, with_tag, words_of_terms

from autograd_lab.course import questions

KINDS = {"view", "respond", "change", "construct"}
TAG = re.compile(r"(seed|footnote):[AB]\d+(\.\d+)?|M\d+|[a-z][a-z-]*")
EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u26ff]")

# The widgets that the curriculum names for each lesson.
WIDGETS = {
    "00": ["step_through"],
    "01": ["inspector"],
    "02": ["nudge_lens"],
    "03": ["step_through", "draw_graph"],
    "04": ["step_through"],
    "05": ["ledger", "firing_order"],
    "06": ["inspector", "scissors"],
    "07": ["leaf_sorter"],
    "08": ["step_through", "timeline"],
    "09": ["ledger", "timeline"],
    "10": ["vjp_bench"],
    "11": ["scissors", "version_tags"],
    "12": ["loop_lab", "timeline"],
    "13": ["digit_monitor", "path_check"],
    "14": ["flow_bars", "path_check", "nudge_lens"],
    "15": ["mode_meter", "second_graph"],
    "16": ["draw_graph"],
}

# The beliefs that go wrong on screen in each lesson.
BELIEFS = {
    "00": "M23 M24", "01": "M4", "02": "M11 M18", "03": "M6 M23", "04": "M10", "05": "M8 M9", "06": "M1 M4",
    "07": "M1 M2 M3", "08": "M14", "09": "M7", "10": "M12 M13", "11": "M5 M15 M16", "12": "M7 M21 M22",
    "13": "M15 M21", "14": "M5 M17 M18", "15": "M19 M20", "16": "",
}  # fmt: skip

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


def test_there_is_a_lesson():
    assert LESSONS


@each_lesson
def test_it_opens_with_aim_time_and_needs(path):
    first = cells(path)[0].source
    assert first.startswith("# ")
    assert "After this lesson you can" in first
    assert re.search(r"About \d+ minutes", first)
    assert re.search(r"You need ", first)


@each_lesson
def test_it_recalls_three_questions_of_earlier_lessons(path):
    asked = [arg.value for cell in code_cells(path) for call in calls(cell.source, "recall") for arg in call.args]
    number = path.stem[:2]
    assert len(asked) >= (0 if number == "00" else 3)
    assert all(questions.find(key).lesson < number for key in asked)


@each_lesson
def test_it_ends_with_three_questions_of_its_own_and_the_summary(path):
    last = [(cell, call) for cell in code_cells(path) for call in calls(cell.source, "leave")]
    keys = [arg.value for _, call in last for arg in call.args]
    assert len(keys) == 3
    assert {questions.find(key).lesson for key in keys} == {path.stem[:2]}
    assert calls(code_cells(path)[-1].source, "summary"), "the last code cell lists every question"


@each_lesson
def test_it_has_the_five_parts_in_order(path):
    headings = re.findall(r"^## (?:\d+\. )?(\w+)", prose(path), re.MULTILINE)
    places = [headings.index(part) for part in ["Predict", "Run", "Investigate", "Modify", "Make"]]
    assert places == sorted(places)


@each_lesson
def test_it_names_words_source_and_what_comes_next(path):
    last = cells(path)[-1].source
    assert "**Words of this lesson**" in last
    assert "**In the source.**" in last
    assert "**Next.**" in last


@each_lesson
def test_a_section_brings_two_new_words_at_most(path):
    words = words_of_terms(path)
    assert words
    text = prose(path)
    for section in text.split("\n## "):
        assert sum(f"**{word}**" in section for word in words) <= 2, section[:60]
    assert [word for word in words if f"**{word}**" not in text] == [], "each is bold where it first appears"


@each_lesson
def test_links_lead_to_files_and_to_functions_that_exist(path):
    for function, target in re.findall(r"`(\w+)` in\s+\[[^\]]+\]\(([^)]+)\)", prose(path)):
        source = (path.parent / target).read_text(encoding="utf-8")
        assert re.search(rf"^\s*(?:def|class) {function}\b", source, re.MULTILINE), f"{function} in {target}"
    for target in re.findall(r"\]\(([^)#]+)\)", prose(path)):
        assert (path.parent / target).exists(), target


@each_lesson
def test_prose_is_plain(path):
    text = prose(path)
    assert not EMOJI.search(text)
    assert "!" not in re.sub(r"`[^`]*`", "", text).replace("![", "")


@each_lesson
def test_tags_are_well_formed_and_all_kinds_of_work_are_there(path):
    found = Counter(tag for cell in cells(path) for tag in tags(cell))
    assert [tag for tag in found if not TAG.fullmatch(tag)] == []
    assert set(found) >= KINDS


@each_lesson
def test_it_uses_the_widgets_of_the_curriculum(path):
    called = {
        ast.unparse(node.func).rpartition(".")[2]
        for cell in code_cells(path)
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Call)
    }
    assert [name for name in WIDGETS[path.stem[:2]] if name not in called] == []


@each_lesson
def test_its_beliefs_go_wrong_on_screen(path):
    """Each belief of the curriculum's row has cells, and `taught` says which words or numbers they show."""
    shown = taught(path)
    for belief in BELIEFS[path.stem[:2]].split():
        assert with_tag(path, belief), belief
        assert shown[belief]["words"] or shown[belief]["answers"], belief


@each_lesson
def test_the_learner_constructs_draws_and_checks(path):
    """The learner's own code is drawn and checked at once."""
    text = "\n".join(cell.source for cell in with_tag(path, "construct"))
    assert "draw_graph(" in text or "step_through(" in text
    assert "lesson.check_" in text
