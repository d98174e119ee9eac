"""Graded exercises: numbers of your own, an instant check, and the reason when an answer is wrong.

`exercise("e2_multiple_operations")` is what a notebook calls. The names below it are what a `judge.py` is
written with. Reading order: verdict, draw, reference, rules, answers, questions, judge, exercise.
"""

from .after_backward import AfterBackward
from .exercise import Exercise, exercise
from .function import Function
from .judge import Judge, known, load
from .node_name import NodeName
from .questions import Question
from .slope import Slope
from .standing import course_progress, lesson_progress
from .verdict import ExerciseError, Verdict

__all__ = [
    "exercise",
    "Exercise",
    "Judge",
    "Question",
    "NodeName",
    "Slope",
    "AfterBackward",
    "Function",
    "Verdict",
    "ExerciseError",
    "known",
    "load",
    "course_progress",
    "lesson_progress",
]
