"""How the files of `listed/` are read: for each exercise, what learners give, and what they must be told.

    NUMBERS    the numbers of the module, one variant of the exercise
    WRONG      for each question: (code, id of the belief, rule, words of the explanation, marks...)
    NEGATED    for each question: code that gives the negated right answer
    RIGHT      three differently written solutions, each answering every question
    STEPS      code that works out plain numbers which the others use (optional)

Code runs with `n` (the numbers), `program` (its text), `torch` and `draw_graph`. The mark "partly" means that some
points are earned, "module only" that the belief has a number of its own at the module's numbers, but not in every
variant.
"""

import importlib.util
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from warnings import catch_warnings, simplefilter

import autograd_lab as torch
from autograd_lab import draw_graph
from autograd_lab.grading import known, load
from autograd_lab.grading.answers import find

FOLDER = Path(__file__).parent / "listed"
SLUGS = known()


@cache
def listed(slug):
    spec = importlib.util.spec_from_file_location(f"listed_{slug}", FOLDER / f"{slug}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def variants(slug, count):
    """The module's numbers, then those of so many learners."""
    loaded = load(slug)
    drawn = [loaded.judge.case(loaded.numbers(f"seed {i}")) for i in range(count)]
    return [loaded.judge.case(listed(slug).NUMBERS), *drawn]


def run(slug, case, code, torch=torch):
    """The learner's variables after the code."""
    space = {
        "torch": torch,
        "draw_graph": draw_graph,
        "n": SimpleNamespace(**case.numbers),
        "program": case.reference.program,
    }
    with catch_warnings():
        simplefilter("ignore")  # of reading .grad of a computed tensor
        exec(compiled(slug, code), space)
    return space


@cache
def compiled(slug, code):
    return compile(f"{getattr(listed(slug), 'STEPS', '')}\n{code}", f"<answer to {slug}>", "exec")


def asked(slug, question):
    return next(found for found in load(slug).judge.questions if found.id == question)


def verdict(slug, case, question, space):
    """What `ex.check` judges: the answers, and the tensors of the program, among the learner's variables."""
    found = asked(slug, question)
    names = tuple(case.reference.tensors)
    tensors = dict(zip(names, find((space,), names), strict=True))
    return found.judge(case, find((space,), found.entries), tensors)


def answers(slug, case, question, code):
    """The numbers that a code gives; None if it gives something else."""
    given = find((run(slug, case, code),), asked(slug, question).entries)
    return given if all(type(answer) in (int, float) for answer in given) else None
