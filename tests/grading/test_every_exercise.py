"""Every exercise: wrong answers fail and are named after the belief behind them, right ones pass in any spelling,
in the module's numbers and in those of 200 learners. `listing.py` says how the answers are written down.
"""

import re
from itertools import combinations

import pytest
from listing import SLUGS, answers, asked, listed, run, variants, verdict

from autograd_lab.grading import NodeName, SlopePair, exercise, load
from autograd_lab.grading.catalogue import BELIEFS, RULES, rule_of
from autograd_lab.view.texts import number_text

QUESTIONS = [(slug, question.id) for slug in SLUGS for question in load(slug).judge.questions]
WRONG = [(slug, q, i) for slug, q in QUESTIONS for i in range(len(listed(slug).WRONG.get(q, ())))]
RIGHT = [(slug, name) for slug in SLUGS for name in listed(slug).RIGHT]
ALL, SOME = 200, 15  # variants: for plain numbers, and for programs


def right_numbers(slug, question):
    """The right answer to a question for numbers, at the module's numbers; nothing for another question."""
    found, case = asked(slug, question), variants(slug, 0)[0]
    if hasattr(found, "rights"):
        return found.rights(case)
    return (case.reference.slope(found.of, found.wrt),) if hasattr(found, "wrt") else ()


each_question = pytest.mark.parametrize(("slug", "question"), QUESTIONS)


def code_of(slug, question, i):
    return listed(slug).WRONG[question][i]


def names_the_belief(slug, case, question, entry):
    code, belief, rule, _, *marks = entry
    found = verdict(slug, case, question, run(slug, case, code))
    assert found.outcome in (("partly",) if "partly" in marks else ("wrong", "partly", "raised")), case.numbers
    assert found.points < found.out_of
    assert found.reason.id == belief, (case.numbers, found.reason)
    assert rule_of(found.reason.id) == rule
    return found


@pytest.mark.parametrize(("slug", "question", "i"), WRONG)
def test_a_listed_wrong_answer_fails_with_its_reason(slug, question, i):
    case, entry = variants(slug, 0)[0], code_of(slug, question, i)
    found = names_the_belief(slug, case, question, entry)
    assert entry[3] in found.reason.text
    assert found.reason.text.endswith((".", "?", '"')) or " = " in found.reason.text


@pytest.mark.parametrize(("slug", "question", "i"), [w for w in WRONG if "module only" not in code_of(*w)])
def test_the_reason_follows_the_learners_numbers(slug, question, i):
    entry = code_of(slug, question, i)
    plain = "exec(" not in entry[0] and "torch" not in entry[0]
    for case in variants(slug, ALL)[1 : (ALL if plain else SOME) + 1]:
        names_the_belief(slug, case, question, entry)


@pytest.mark.parametrize(("slug", "question"), [q for q in QUESTIONS if right_numbers(*q)])
def test_what_is_told_does_not_hold_the_answer(slug, question):
    case = variants(slug, 0)[0]
    rights = {number_text(value) for value in right_numbers(slug, question)}
    for code, belief, *_ in listed(slug).WRONG[question]:
        if belief in ("none.wrong-type", "constant.answer"):  # these repeat what the learner gave
            continue
        text = verdict(slug, case, question, run(slug, case, code)).reason.text
        said = set(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?", text))
        given = set(map(number_text, map(float, answers(slug, case, question, code) or ())))
        assert not (said - given) & rights, text


@each_question
def test_no_two_listed_answers_collide_with_any_learners_numbers(slug, question):
    codes = [entry[0] for entry in listed(slug).WRONG[question] if "module only" not in entry and entry[2] != "R13"]
    codes.append(next(iter(listed(slug).RIGHT.values())))
    module = variants(slug, 0)[0]
    codes = [code for code in codes if answers(slug, module, question, code)]  # those that give numbers
    for case in variants(slug, ALL)[1:] if len(codes) > 1 else ():
        given = [answers(slug, case, question, code) for code in codes]
        for a, b in combinations(given, 2):
            assert any(abs(i - j) > 1e-3 * max(abs(i), abs(j)) for i, j in zip(a, b, strict=True)), (case.numbers, a)


@pytest.mark.parametrize("slug", SLUGS)
def test_drawn_numbers_are_accepted_and_differ_between_learners(slug):
    loaded = load(slug)
    cases = variants(slug, ALL)
    assert all(loaded.judge.accepted(case.numbers) for case in cases)
    assert len({repr(case.numbers) for case in cases}) >= 30
    assert [loaded.numbers(f"seed {i}") for i in range(20)] == [case.numbers for case in cases[1:21]]


@each_question
@pytest.mark.parametrize("kind", ["nothing", "dots"])
def test_no_answer_is_not_attempted(slug, question, kind):
    entries = asked(slug, question).entries
    code = "" if kind == "nothing" else "\n".join(f"{name} = ..." for name in entries)
    case = variants(slug, 0)[0]
    found = verdict(slug, case, question, run(slug, case, code))
    assert (found.outcome, found.points, found.reason.id) == ("not attempted", 0, "none.not-attempted")


@each_question
def test_the_negated_answer_fails(slug, question):
    for case in variants(slug, SOME):
        found = verdict(slug, case, question, run(slug, case, listed(slug).NEGATED[question]))
        assert found.outcome != "right", case.numbers
        assert found.reason is not None
        if hasattr(asked(slug, question), "wrt") or isinstance(asked(slug, question), SlopePair):
            assert rule_of(found.reason.id) == "R7", (case.numbers, found.reason)


@pytest.mark.parametrize(("slug", "name"), RIGHT)
def test_a_right_solution_passes_however_it_is_written(slug, name):
    for case in variants(slug, SOME):
        space = run(slug, case, listed(slug).RIGHT[name])
        for question in load(slug).judge.questions:
            found = verdict(slug, case, question.id, space)
            assert (found.outcome, found.points) == ("right", question.points), (case.numbers, found)


@pytest.mark.parametrize(("slug", "name"), RIGHT)
def test_a_right_solution_in_real_pytorch_passes_too(slug, name):
    real = pytest.importorskip("torch", reason="PyTorch is not installed: parity is not tested")
    for case in variants(slug, 3):
        space = run(slug, case, listed(slug).RIGHT[name], real)
        for question in load(slug).judge.questions:
            assert verdict(slug, case, question.id, space).outcome == "right", (question.id, case.numbers)


@pytest.mark.parametrize(("slug", "question", "i"), [w for w in WRONG if "exec(program" in code_of(*w)[0]])
def test_a_wrong_program_in_real_pytorch_gets_the_same_reason(slug, question, i):
    real = pytest.importorskip("torch", reason="PyTorch is not installed: parity is not tested")
    code, belief, *_ = code_of(slug, question, i)
    case = variants(slug, 0)[0]
    found = verdict(slug, case, question, run(slug, case, code, real))
    assert (found.outcome != "right", found.reason.id) == (True, belief)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_question_has_its_listed_answers(slug):
    module, questions = listed(slug), {question.id for question in load(slug).judge.questions}
    assert set(module.WRONG) == set(module.NEGATED) == questions
    assert len(module.RIGHT) >= 3
    for question in questions:
        numeric = hasattr(asked(slug, question), "wrt") or hasattr(asked(slug, question), "rights")
        beliefs = {entry[1] for entry in module.WRONG[question]}
        assert beliefs <= set(BELIEFS)
        assert len(beliefs) >= (5 if numeric else 1)


def test_the_rules_are_all_met_by_some_exercise_or_by_a_test_of_their_own():
    met = {entry[2] for slug in SLUGS for entries in listed(slug).WRONG.values() for entry in entries} | {"R7"}
    assert set(RULES) - met <= {"R8", "R14"}  # several ways and means: no exercise from E1 to E5 has them


@pytest.mark.parametrize("slug", SLUGS)
def test_hints_come_in_three_levels_and_the_first_two_hold_no_answer(slug, monkeypatch):
    for learner in ("ada", "grace", "emmy"):
        monkeypatch.setenv("AUTOGRAD_LAB_LEARNER", learner)
        ex = exercise(slug)
        case = load(slug).judge.case(dict(ex.numbers))
        for question in load(slug).judge.questions:
            hints = [ex.hint(question.id).of for _ in range(3)]
            assert len(set(hints)) == 3
            assert all(hints)
            assert "retain_grad" not in hints[0] + hints[1]
            if isinstance(question, NodeName):
                assert case.reference.node(question.of) not in "".join(hints)
            if hasattr(question, "wrt"):
                right = re.escape(number_text(case.reference.slope(question.of, question.wrt)))
                assert not [hint for hint in hints[:2] if re.search(rf"(?<![\w.]){right}(?![\w.])", hint)], hints


@pytest.mark.parametrize("slug", SLUGS)
def test_the_shown_solution_is_no_traceback_and_names_each_number(slug):
    case = variants(slug, 0)[0]
    for question in load(slug).judge.questions:
        text = question.solution(case)
        assert text
        if hasattr(question, "rights"):
            assert all(number_text(value) in text for value in question.rights(case))
