"""Write the tables of docs/instructors.md: lessons, exercises, time plan, beliefs, a hand-in and its reasons.

python tools/make_course_tables.py           say whether they are current
python tools/make_course_tables.py --write   write them

Minutes, points and places are read from notebooks and judges. By hand stand here: what a lesson or an exercise is for,
which lessons share a session, and what a belief says. What does not exist yet has no row.
"""

import importlib.util
import json
import os
import re
import sys
import tempfile
from functools import cache
from pathlib import Path
from unittest.mock import patch

import nbformat
from pages import ROOT, table, with_block, write_or_say

from autograd_lab.grading import exercise, known, load
from autograd_lab.grading.catalogue import BELIEFS as REASONS
from autograd_lab.grading.catalogue import rule_of

TARGET = ROOT / "docs" / "instructors.md"

LESSONS = {
    "00": "Learn the tools without any autograd: run, predict, read a drawing. Everybody starts here, also experts.",
    "01": "Six attributes of a tensor, before and after `backward()`. Gives the words that all later lessons use.",
    "02": "One slope found in three ways, and why training needs the third. The only lesson about mathematics alone.",
    "03": "What is written down while code runs: nodes and edges. Learners draw before PyTorch does.",
    "04": "The heart of the course: local derivatives, multiplied from the loss back to the input.",
    "05": "A tensor that is used twice: add across ways, and the order in which nodes fire.",
    "06": "Who is recorded at all: the flag, how results get it, and where it is lost without a word.",
    "07": "Who keeps a gradient: leaves, results, `retain_grad`. Settles five names that sound alike.",
    "08": "A new graph in each run: branches, loops, what is saved, and why a second `backward()` may raise.",
    "09": "`.grad` adds up: when this is a mistake, and when it is what you want.",
    "10": "From numbers to vectors: why backward wants a scalar, one row of the Jacobian, broadcasting.",
    "11": "The cuts side by side, and in-place changes with their versions. The longest list of look-alikes.",
    "12": "Four lines of a training step, each with what it changes, and three loops that fail silently.",
    "13": "The article's network on real digits: the same loop with layers, and a gradient that nobody uses.",
    "14": "Find the cause of a wrong or missing gradient in an order that works. Repairs are proved by numbers.",
    "15": "The engine from inside: an op of one's own, second derivatives, forward and reverse mode.",
    "16": "Everything once more from memory. Use it as the last session, or before an examination.",
}

EXERCISES = {
    "e1": "One power: say its slope, let `backward()` find it, prove it by a formula.",
    "e2": "Three ops: name their nodes, work out the slope, confirm it.",
    "e3": "From a diagram to a program, a drawing, a slope and a gradient.",
    "e4": "Two gradients of a loss, what their signs mean, and one step.",
    "e5": "Leaf or not, which node, what `.grad` holds, how to keep it.",
}

# Lessons of one session of 90 minutes, in class or at home, and the exercises after it.
SESSIONS = (
    ("00 01 02", "e1"), ("03 04", "e2 e3"), ("05 06", ""), ("07 08", "e5"),
    ("09 10", ""), ("11 12", "e4"), ("13 14", ""), ("15 16", ""),
)  # fmt: skip

BELIEFS = {
    "M1": "The name tracks, not the tensor: after a cast, a move or some arithmetic it is still the same leaf.",
    "M2": "A leaf is the end of the net; every tracked tensor gets a `.grad`.",
    "M3": "`requires_grad`, `retain_grad` and `retain_graph` mean about the same.",
    "M4": "Every number can have a gradient; dtype is only about digits; a cast keeps the history.",
    "M5": "When the error is gone, the gradient is right.",
    "M6": "The loss must be told about the model; the graph belongs to the model.",
    "M7": "`backward()` overwrites `.grad`; or adding up is always a mistake; or it takes the mean.",
    "M8": "Graphs are trees; the order of firing does not matter.",
    "M9": "Where ways meet, one gradient is chosen, or they are multiplied.",
    "M10": "A local derivative is taken at x, not at the number that went into the node.",
    "M11": "Autograd does algebra on formulas, or takes small steps.",
    "M12": "Every tensor has one gradient; the whole Jacobian is formed; the v in `backward(v)` has no meaning.",
    "M13": "Broadcasting has no backward; shapes that run are shapes that fit.",
    "M14": "The graph stays; clearing `.grad` or `step()` resets it.",
    "M15": "`eval()`, `no_grad`, `detach`, `item()` do the same; `detach` changes the tensor.",
    "M16": "`x += 1` is `x = x + 1`; the version in the message is one of the library.",
    "M17": "What a mask hides cannot harm the gradient; a slope at a kink is unique.",
    "M18": "Only equal bits are right; a check that fails in float32 means a wrong formula.",
    "M19": "An op is right when its first derivative passes; anything may be saved.",
    "M20": "`create_graph` and `retain_graph` are the same.",
    "M21": "The optimizer follows the name; all that is put on `self` is registered; frozen means still.",
    "M22": "A running total of losses is only a number.",
    "M23": "Arrows are calls; the drawing is the model; what has no label is a fault.",
    "M24": "A green check means right; a red traceback means that I did wrong.",
}


def lessons() -> dict[str, Path]:
    """The notebooks that exist, by their two digits."""
    return {path.stem[:2]: path for path in sorted((ROOT / "notebooks").glob("[0-9][0-9]_*.ipynb"))}


@cache
def cells(path: Path):
    return nbformat.read(path, as_version=4).cells


def link(number: str) -> str:
    return f"[{number}](../notebooks/{lessons()[number].name})"


def minutes(path: Path) -> int:
    """What the first cell says: "About 25 minutes", "about 15 minutes"."""
    return int(re.search(r"[Aa]bout\s+(\d+)\s+minutes", cells(path)[0].source)[1])


def exercises() -> dict[str, str]:
    """The names of the exercises that exist, by their first part; those after an early lesson first."""
    by_lesson = sorted(known(), key=lambda slug: (load(slug).judge.lesson, slug))
    return {slug.partition("_")[0]: slug for slug in by_lesson}


def exercise_minutes(slug: str) -> int:
    return minutes(ROOT / "exercises" / slug / "exercise.ipynb")


def lesson_table() -> str:
    rows = []
    for number, path in lessons().items():
        title = cells(path)[0].source.splitlines()[0].removeprefix("# ")
        rows.append((f"{link(number)} {title}", str(minutes(path)), LESSONS[number]))
    return table(("lesson", "minutes", "what it is for"), rows)


def exercise_table() -> str:
    rows = []
    for short, slug in exercises().items():
        judge = load(slug).judge
        head = f"[{judge.title}](../exercises/{slug}/exercise.ipynb)"
        asked = str(len(judge.questions))
        points, time = str(judge.points), str(exercise_minutes(slug))
        rows.append((head, link(judge.lesson[:2]), asked, points, time, EXERCISES[short]))
    return table(("exercise", "after lesson", "questions", "points", "minutes", "what it is for"), rows)


def session_table() -> str:
    rows, there = [], lessons()
    for place, (numbers, shorts) in enumerate(SESSIONS, 1):
        found = [number for number in numbers.split() if number in there]
        after = [exercises()[short] for short in shorts.split() if short in exercises()]
        if found:
            time, home = sum(minutes(there[number]) for number in found), sum(map(exercise_minutes, after))
            titles = ", ".join(load(slug).judge.title for slug in after)
            later = f"{titles}: {home} minutes" if after else "none"
            rows.append((str(place), ", ".join(map(link, found)), str(time), later))
    return table(("session", "lessons", "minutes", "exercises after it"), rows)


def belief_places(belief: str) -> tuple[list[str], list[str]]:
    """The lessons in which a belief is met, and those that ask about it at their beginning or end."""
    met, asked = [], []
    for number, path in lessons().items():
        tagged = [set(cell.metadata.get("tags", ())) for cell in cells(path)]
        tagged = [tags for tags in tagged if belief in tags]
        if any(not tags & {"recall", "exit"} for tags in tagged):
            met.append(number)
        if any(tags & {"recall", "exit"} for tags in tagged):
            asked.append(number)
    return met, asked


def belief_table() -> str:
    rows = []
    for belief, says in BELIEFS.items():
        met, asked = (", ".join(map(link, numbers)) or "none" for numbers in belief_places(belief))
        rows.append((belief, says, met, asked))
    return table(("belief", "what somebody who holds it would say", "goes wrong on screen in", "asked in"), rows)


def reason_table() -> str:
    """Every id that a hand-in can hold, and the exercises whose listed wrong answers show it."""
    shown: dict[str, list[str]] = {}
    for short, slug in sorted(exercises().items()):
        spec = importlib.util.spec_from_file_location(slug, ROOT / "tests" / "grading" / "listed" / f"{slug}.py")
        listed = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(listed)
        for reason in {answer[1] for answers in listed.WRONG.values() for answer in answers}:
            shown.setdefault(reason, []).append(short.upper())
    rows = [(f"`{name}`", REASONS[name], rule_of(name), ", ".join(where)) for name, where in sorted(shown.items())]
    return table(("reason", "what it means", "rule", "exercises"), rows)


def hand_in() -> str:
    """The file that `ada` hands in after two checks and a hint, with one of its five questions."""
    with tempfile.TemporaryDirectory() as home:
        variables = {"AUTOGRAD_LAB_HOME": home, "AUTOGRAD_LAB_LEARNER": "ada"}
        with patch.dict(os.environ, variables):
            ex = exercise("e2_multiple_operations")
            numbers = ex.numbers
            z = numbers["x"] * numbers["factor"] + numbers["shift"]
            ex.answer("q1", "MulBackward0")
            ex.answer("q4", float(z ** numbers["power"]))
            ex.hint("q4")
            ex.hand_in(home)
        sheet = json.loads((Path(home) / "hand_in_e2_multiple_operations.json").read_text(encoding="utf-8"))
    sheet["questions"] = {"q4": sheet["questions"]["q4"]}
    return f"```json\n{json.dumps(sheet, indent=1)}\n```"


def total_time() -> str:
    lesson_time = sum(map(minutes, lessons().values()))
    exercise_time = sum(map(exercise_minutes, exercises().values()))
    points = sum(load(slug).judge.points for slug in exercises().values())
    return (
        f"Together: {len(lessons())} lessons of {lesson_time} minutes, and {len(exercises())} exercises of "
        f"{exercise_time} minutes and {points} points."
    )


BLOCKS = {
    "lessons": lesson_table,
    "exercises": exercise_table,
    "sessions": session_table,
    "time": total_time,
    "beliefs": belief_table,
    "hand-in": hand_in,
    "reasons": reason_table,
}


def text() -> str:
    """The whole page with its tables as they are now."""
    page = TARGET.read_text(encoding="utf-8")
    for name, make in BLOCKS.items():
        page = with_block(page, name, make())
    return page


if __name__ == "__main__":
    sys.exit(write_or_say("Write the tables of the instructor guide.", TARGET, text()))
