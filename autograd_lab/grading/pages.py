"""Which page each thing becomes: a verdict, a hint, a solution, the task itself, the list of results.

Sentences of the frame stand here; those about a wrong answer come with the verdict. Read next: `exercise.py`.
"""

from .catalogue import rule_of
from .hints import LEVELS
from .judge import Loaded
from .questions import Case, Question
from .record import Record
from .show import LABELS, Code, Page, Paragraph, Table
from .verdict import NOT_ATTEMPTED, PARTLY, RIGHT, Verdict

NOT_KEPT = "Your progress folder cannot be written, so this is remembered only until you stop the kernel."


def task_page(loaded: Loaded, case: Case) -> Page:
    """What a learner sees first: their program and the questions."""
    judge = loaded.judge
    rows = tuple((question.id, question.asks, str(question.points)) for question in judge.questions)
    blocks = (
        Paragraph("These numbers are yours; another learner has others.", lead=judge.task_name),
        Code(judge.shown(case)),
        Table(("question", "what is asked", "points"), rows),
        Paragraph("Stuck? It builds on the lesson", link=lesson_link(loaded)),
    )
    return Page(judge.title, blocks, facts=(("exercise", loaded.slug),))


def verdict_page(loaded: Loaded, question: Question, verdict: Verdict, record: Record, kept: bool) -> Page:
    """One check."""
    blocks: list[Paragraph | Code | Table] = []
    if verdict.given:
        blocks.append(Paragraph(verdict.given, lead="Your answer:"))
    if verdict.outcome == PARTLY:
        rows = tuple((c.text, "yes" if c.passed else "no", str(c.points)) for c in verdict.criteria)
        blocks.append(Table(("what is looked at", "met", "points"), rows))
    if verdict.reason:
        blocks.append(Paragraph(verdict.reason.text))
    if verdict.outcome not in (RIGHT, NOT_ATTEMPTED):
        blocks.append(Paragraph(f'ex.hint("{question.id}") gives a hint. The lesson:', "Go on:", lesson_link(loaded)))
    if not kept:
        blocks.append(Paragraph(NOT_KEPT))
    facts = [("question", question.id), ("outcome", verdict.outcome)]
    if verdict.reason:
        facts += [("reason", verdict.reason.id), ("rule", rule_of(verdict.reason.id))]
    return Page(verdict_heading(verdict), tuple(blocks), verdict.outcome, tuple(facts))


def verdict_heading(verdict: Verdict) -> str:
    """`q4: not right, 0 of 2 points`."""
    label = LABELS[verdict.outcome]
    return f"{verdict.question}: {label[0].lower()}{label[1:]}, {verdict.points} of {verdict.out_of} points"


def factors_page(question: Question, text: str) -> Page:
    """Where a product first goes wrong."""
    return Page(f"{question.id}: your factors", (Paragraph(text),), facts=(("question", question.id),))


def hint_page(question: Question, level: int, text: str) -> Page:
    """One hint, of three."""
    after = (
        f'ex.hint("{question.id}") gives the next one.'
        if level < LEVELS
        else f'That was the last hint. ex.show("{question.id}") shows the solution.'
    )
    facts = (("question", question.id), ("hint", str(level)))
    return Page(f"{question.id}: hint {level} of {LEVELS}", (*_text_blocks(text), Paragraph(after)), facts=facts)


def no_more_hints_page(question: Question) -> Page:
    """After the last hint."""
    text = f'You have seen all {LEVELS} hints. ex.show("{question.id}") shows the solution.'
    return Page(f"{question.id}: no more hints", (Paragraph(text),), facts=(("question", question.id),))


def solution_page(question: Question, case: Case) -> Page:
    """The answer with its way."""
    blocks = (Paragraph(question.asks, "Asked:"), Code(question.solution(case)))
    return Page(f"{question.id}: solution", blocks, facts=(("question", question.id),))


def progress_page(loaded: Loaded, records: dict[str, Record]) -> Page:
    """Every question with what counts so far."""
    policy, judge = loaded.policy, loaded.judge
    rows = []
    for question in judge.questions:
        record = records[question.id]
        points = f"{record.points(policy):g} of {question.points}"
        rows.append((question.id, question.asks, record.outcome, points, str(record.attempts), str(record.hints)))
    total = sum(records[question.id].points(policy) for question in judge.questions)
    heading = f"{judge.title}: {total:g} of {judge.points} points"
    table = Table(("question", "what is asked", "last check", "points", "checks", "hints"), tuple(rows))
    facts = (("exercise", loaded.slug), ("points", f"{total:g}"))
    return Page(heading, (table,), facts=facts)


def lesson_link(loaded: Loaded) -> tuple[str, str]:
    """The lesson that an exercise belongs to, as seen from the exercise's notebook."""
    lesson = loaded.judge.lesson
    return lesson.replace("_", " "), f"../../notebooks/{lesson}.ipynb"


def _text_blocks(text: str) -> list[Paragraph | Code | Table]:
    """Paragraphs and indented lines, in the order of the text."""
    blocks: list[Paragraph | Code | Table] = []
    for part in text.split("\n\n"):
        blocks.append(Code(part) if part.startswith("    ") else Paragraph(part))
    return blocks
