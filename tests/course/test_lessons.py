"""Every lesson keeps the standard: parts, tags, predictions that follow their inputs, PyTorch's numbers.

Code cells run here one after the other in one namespace, as in a notebook, with changed inputs or under
PyTorch.
"""

import ast
import io
import re
from collections import Counter
from contextlib import redirect_stdout
from pathlib import Path

import nbformat
import pytest

from autograd_lab.course import questions

ROOT = Path(__file__).parent.parent.parent
LESSONS = sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))
OURS = "import autograd_lab as torch"
KINDS = {"view", "respond", "change", "construct"}
PREDICTIONS = {"00": 3, "04": 8}  # at least; 5 elsewhere
TAG = re.compile(r"(seed|footnote):[AB]\d+(\.\d+)?|M\d+|[a-z][a-z-]*")
EMOJI = re.compile("[\U0001f000-\U0001faff\u2600-\u26ff]")

# What each lesson teaches, by tag: rows of the two documents, precise footnotes, beliefs that go wrong
# on screen. For each: words of its cells' texts and outputs, and the answers of its predictions.
TAUGHT = {
    "04_chain_rule": {
        "seed:B8": (
            [
                "6.0 10.0 100.0",
                "PowBackward0  ()     100",
                "dloss/dy · dy/dx = 20 · 3 = 60",
                "tensor(60.)",
            ],
            [100, 3, 20, 60],
        ),
        "seed:A11.2": (
            [
                "multiplies it by its own local derivative",
                "= 20 · 3 = 60",
                "darea/dtwice · dtwice/dx = ? · 2 = ?",
            ],
            [20, 60],
        ),
        "seed:B22": (["area = side ** 2 = 7 ** 2 = 49", "? · 2 = ?", "tensor(28.)"], [28, 52]),
        "change": (["# change"], [52, 294]),
        "footnote:A10.3": (["**leaves**"], []),
        "footnote:A7": (["It is a **node**", "PowBackward0 sends to AddBackward0"], []),
        "M10": (
            ["at x: 12.0   at z: 60.0", "nudging: 60.0", "kept 3.0", "exp node kept 2.7183", "4 factors are"],
            [20, 60, 27, 5.4366],
        ),
    },
}

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


@pytest.fixture(autouse=True)
def stored(tmp_path, monkeypatch):
    """A learner who answered nothing."""
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path))
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")


def cells(path):
    return nbformat.read(path, as_version=4).cells


def code_cells(path):
    return [cell for cell in cells(path) if cell.cell_type == "code"]


def tags(cell):
    return set(cell.metadata.get("tags", ()))


def with_tag(path, tag):
    return [cell for cell in cells(path) if tag in tags(cell)]


def prose(path):
    return "\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")


def calls(source, method):
    """Every call `lesson.method(...)` in a cell."""
    return [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == method
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "lesson"
    ]


def run(path, change=lambda source: source, without=()):
    """Run all code cells: the lesson object, and what each cell printed (None for a cell left out)."""
    names, printed = {}, []
    for cell in code_cells(path):
        if any(word in cell.source for word in without):
            printed.append(None)
            continue
        out = io.StringIO()
        with redirect_stdout(out):
            exec(compile(change(cell.source), path.stem, "exec"), names)
        printed.append(out.getvalue())
    return names["lesson"], printed


def everything(cell):
    """A cell's text with the text of its outputs."""
    outputs = cell.get("outputs", ())
    return "\n".join([cell.source, *(o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs)])


def texts_asked(cell):
    """The words of the predictions in a cell."""
    source = cell.source if cell.cell_type == "code" else ""
    return [call.args[0].value for call in calls(source, "predict")]


def predictions(lesson):
    """{words: Question} of the predictions; recall, exit and make have other labels."""
    return {question.text: question for question in lesson.asked.values() if question.label == "Predict"}


class OtherNumbers(ast.NodeTransformer):
    """Each number of a formula or of a new tensor becomes another one; exponents stay."""

    def visit_Call(self, node):
        if ast.unparse(node.func) == "torch.tensor":
            node.args = [self.changed(arg) for arg in node.args]
            return node
        return node if ast.unparse(node.func).startswith("lesson.") else self.generic_visit(node)

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            node.left, node.right = self.changed(node.left), self.changed(node.right)
        return node

    @staticmethod
    def changed(node):
        number = isinstance(node, ast.Constant) and isinstance(node.value, int | float)
        return ast.Constant(node.value * 1.25 + 0.25) if number else node


def other_numbers(source):
    return ast.unparse(ast.fix_missing_locations(OtherNumbers().visit(ast.parse(source))))


# Parts -----------------------------------------------------------------------------------------------


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
    parts = ["Predict", "Run", "Investigate", "Modify", "Make"]
    places = [headings.index(part) for part in parts]
    assert places == sorted(places)


@each_lesson
def test_it_names_words_source_and_what_comes_next(path):
    last = cells(path)[-1].source
    assert "**Words of this lesson**" in last
    assert "**In the source.**" in last
    assert "**Next.**" in last


@each_lesson
def test_a_section_brings_two_new_words_at_most(path):
    words = re.findall(r"^- \*([^*]+)\*:", cells(path)[-1].source, re.MULTILINE)
    assert words
    text = prose(path)
    for section in text.split("\n## "):
        assert sum(f"**{word}**" in section for word in words) <= 2
    assert [word for word in words if f"**{word}**" not in text] == [], "each is bold where it first appears"


@each_lesson
def test_links_lead_to_files_and_to_functions_that_exist(path):
    for function, target in re.findall(r"`(\w+)` in\s+\[[^\]]+\]\(([^)]+)\)", prose(path)):
        source = (path.parent / target).read_text(encoding="utf-8")
        assert re.search(rf"^(?:def|class) {function}\b", source, re.MULTILINE), f"{function} in {target}"
    for target in re.findall(r"\]\(([^)#]+)\)", prose(path)):
        assert (path.parent / target).exists(), target


@each_lesson
def test_prose_is_plain(path):
    text = prose(path)
    assert not EMOJI.search(text)
    assert "!" not in re.sub(r"`[^`]*`", "", text).replace("![", "")


# Tags ------------------------------------------------------------------------------------------------


@each_lesson
def test_tags_are_well_formed_and_all_kinds_of_work_are_there(path):
    found = Counter(tag for cell in cells(path) for tag in tags(cell))
    assert [tag for tag in found if not TAG.fullmatch(tag)] == []
    assert set(found) >= KINDS


@each_lesson
def test_it_teaches_what_it_is_meant_to(path):
    assert path.stem in TAUGHT, "say above what the new lesson teaches"
    asked = predictions(run(path)[0])
    for tag, (words, answers) in TAUGHT[path.stem].items():
        tagged = with_tag(path, tag)
        text = "\n".join(map(everything, tagged))
        assert [word for word in words if word not in text] == [], tag
        found = [round(asked[text].answer, 4) for cell in tagged for text in texts_asked(cell)]
        assert [answer for answer in answers if answer not in found] == [], tag


@each_lesson
def test_a_belief_that_is_asked_about_has_its_own_reason(path):
    """M10: each prediction with this tag knows the number that the wrong place gives, and names the place."""
    asked = predictions(run(path)[0])
    for cell in with_tag(path, "M10"):
        for text in texts_asked(cell):
            reasons = {wrong.reason for wrong in asked[text].wrong if wrong.rule == "chain.wrong-place"}
            assert any(" at x = " in reason for reason in reasons), text


@each_lesson
def test_the_learner_constructs_draws_and_checks(path):
    text = "\n".join(cell.source for cell in with_tag(path, "construct"))
    assert "def " in text
    assert "draw_graph(" in text
    assert "lesson.check_" in text
    assert "backward()" in text


# Predictions -----------------------------------------------------------------------------------------


@each_lesson
def test_there_are_enough_predictions_and_each_is_the_last_line_of_its_cell(path):
    found = []
    for cell in code_cells(path):
        found += texts_asked(cell)
        for call in calls(cell.source, "predict"):
            last = ast.parse(cell.source).body[-1]
            assert isinstance(last, ast.Expr), cell.source
            assert last.value.lineno == call.lineno, "a prediction that is not shown is skipped silently"
            assert {"predict", "respond"} <= tags(cell)
    assert len(found) >= PREDICTIONS.get(path.stem[:2], 5)
    assert len(set(found)) == len(found), "a question is known by its words"


@each_lesson
def test_each_prediction_has_two_wrong_answers_with_different_reasons(path):
    lesson, _ = run(path)
    for text, question in predictions(lesson).items():
        assert len({wrong.reason for wrong in question.wrong}) >= 2, text
        assert len({wrong.rule for wrong in question.wrong}) >= 2, text


@each_lesson
def test_every_answer_changes_with_the_numbers_of_its_cell(path):
    before, after = predictions(run(path)[0]), predictions(run(path, change=other_numbers)[0])
    assert [text for text in before if before[text].answer == after[text].answer] == []
    for text, question in after.items():
        assert {wrong.value for wrong in question.wrong} != {wrong.value for wrong in before[text].wrong}, text


@each_lesson
def test_run_all_leaves_everything_not_answered(path):
    lesson, _ = run(path)
    stored = "".join(
        "".join(output.get("data", {}).get("text/plain", ""))
        for cell in code_cells(path)
        for output in cell.get("outputs", ())
    )
    count = len(lesson.asked)
    assert repr(lesson.summary()).startswith(f"{count} questions: 0 right, 0 wrong, 0 shown, {count} not answered")
    for question in lesson.asked.values():
        assert f"{question.text} (not answered)" in stored


@each_lesson
def test_it_runs_under_pytorch_with_the_same_numbers(path):
    pytest.importorskip("torch")
    first = [cell for cell in code_cells(path) if OURS in cell.source]
    assert [cell.execution_count for cell in first] == [1], "the switch is one line of the first code cell"

    def switched(source):
        return source.replace(OURS, "import torch")

    ours, printed = run(path)
    theirs, under_pytorch = run(path, change=switched, without=("step_through(",))
    same = [pair for pair in zip(printed, under_pytorch, strict=True) if pair[1] is not None]
    assert same
    assert [a for a, _ in same] == [b for _, b in same]
    for text, question in predictions(ours).items():
        assert predictions(theirs)[text].answer == pytest.approx(question.answer, rel=1e-6), text
        assert predictions(theirs)[text].because == question.because, text
