"""Every prediction follows its inputs, has reasons for wrong answers, waits for an answer, and is PyTorch's too.

Code cells run here one after the other in one namespace, as in a notebook, with changed inputs or under PyTorch.
"""

import ast

import pytest
from lesson_files import (
    CHANGES,
    LESSONS,
    OURS,
    calls,
    changed_by,
    code_cells,
    everything,
    plain_run,
    predictions,
    run,
    tags,
    taught,
    texts_asked,
    with_tag,
)

from autograd_lab.course import questions

# At least so many, by the curriculum.
PREDICTIONS = {
    "00": 3, "01": 8, "02": 6, "03": 6, "04": 8, "05": 8, "06": 6, "07": 8, "08": 7, "09": 7, "10": 7, "11": 9,
    "12": 8, "13": 6, "14": 9, "15": 8, "16": 10,
}  # fmt: skip

each_lesson = pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)


@pytest.fixture(autouse=True)
def stored(tmp_path, monkeypatch):
    """A learner who answered nothing."""
    monkeypatch.setenv("AUTOGRAD_LAB_HOME", str(tmp_path))
    monkeypatch.setenv("AUTOGRAD_LAB_OUTPUT", "stored")


@each_lesson
def test_it_teaches_what_it_is_meant_to(path):
    asked = predictions(plain_run(path)[0])
    for tag, shown in taught(path).items():
        assert missing(with_tag(path, tag), shown, asked) == [], tag


def missing(tagged, shown, asked):
    """The words and answers that these cells should show and do not."""
    text = "\n".join(map(everything, tagged))
    found = [asked[text] for cell in tagged for text in texts_asked(cell) if text in asked]
    answers = [q.shown if q.choices else round(q.answer, 4) for q in found]
    return [w for w in shown["words"] if w not in text] + [a for a in shown["answers"] if a not in answers]


@each_lesson
def test_every_tag_of_the_documents_counts(path):
    """A tag counts only if taking its cell away makes the test above fail; each has such a cell."""
    asked = predictions(plain_run(path)[0])
    found = {tag for cell in code_cells(path) + with_tag(path, "opening") for tag in tags(cell)}
    shown = taught(path)
    for tag in found | set(shown):
        if not tag.startswith(("seed:", "footnote:")):
            continue
        assert tag in shown, f"{tag} is not in tests/course/taught/{path.stem}.toml"
        tagged = with_tag(path, tag)
        needed = [i for i in range(len(tagged)) if missing(tagged[:i] + tagged[i + 1 :], shown[tag], asked)]
        assert needed, f"no cell of {tag} would be missed"


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
    assert len(found) >= PREDICTIONS[path.stem[:2]]
    assert len(set(found)) == len(found), "a question is known by its words"


@each_lesson
def test_each_prediction_has_two_wrong_answers_with_different_reasons(path):
    for text, question in predictions(plain_run(path)[0]).items():
        wrong = question.wrong or [choice for choice in question.choices if not choice.right]
        assert len({answer.reason for answer in wrong}) >= 2, text


@each_lesson
def test_no_wrong_answer_stands_in_the_notebook(path):
    """The answers of a question would be read off its cell; they are kept in the lesson's file, by its words."""
    asked = set()
    for cell in code_cells(path):
        for call in [*calls(cell.source, "predict"), *calls(cell.source, "check_answer")]:
            assert "wrong" not in {word.arg for word in call.keywords}, cell.source
            asked.add(call.args[0].value)
    assert sorted(set(questions.wrong_of_lesson(path.stem[:2])) - asked) == []


@each_lesson
def test_every_answer_changes_with_the_inputs_of_its_cell(path):
    """Other numbers, other flags, another op, a call left out, a comparison turned: one of them must tell.

    Where a change leaves no graph to ask about, the question is not asked: that counts as a change too.
    """
    before = predictions(plain_run(path)[0])
    same = set(before)
    for change in CHANGES:
        if same:
            after = predictions(run(path, change=changed_by(change), without=("training",), forgiving=True)[0])
            same = {t for t in same if t in after and before[t].shown == after[t].shown}
    assert sorted(same) == []


@each_lesson
def test_run_all_leaves_everything_not_answered(path):
    lesson, _ = plain_run(path)
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
    """The switch is one line of the first code cell; cells tagged `ours` show what only this package has."""
    pytest.importorskip("torch")
    first = [cell for cell in code_cells(path) if OURS in cell.source]
    assert [cell.execution_count for cell in first] == [1]

    def switched(source):
        return source.replace(OURS, "import torch")

    ours, printed = plain_run(path)
    theirs, under_pytorch = run(path, change=switched, without=("ours",))
    assert [(a, b) for a, b in zip(printed, under_pytorch, strict=True) if b is not None and a != b] == []
    answers = predictions(theirs)
    for text, question in predictions(ours).items():
        if text in answers:
            assert answers[text].shown == question.shown, text
            assert answers[text].because == question.because, text


def test_a_power_taken_at_the_wrong_place_is_told_in_lesson_04():
    """Each prediction about the belief M10 knows the number that the wrong place gives, and names the place."""
    (path,) = [path for path in LESSONS if path.stem.startswith("04")]
    asked = predictions(plain_run(path)[0])
    for cell in with_tag(path, "M10"):
        for text in texts_asked(cell):
            reasons = {wrong.reason for wrong in asked[text].wrong if wrong.rule == "chain.wrong-place"}
            assert any(" at x = " in reason for reason in reasons), text
