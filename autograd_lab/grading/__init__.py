"""Graded exercises: numbers of your own, an instant check, and the reason when an answer is wrong.

`exercise("e2_multiple_operations")` is what a notebook calls. The names below it are what a `judge.py` is
written with. Reading order: verdict, draw, reference, rules, answers, questions, judge, exercise.
"""

from .after_backward import AfterBackward
from .built import Built
from .direction import Direction
from .drawn import Drawn
from .exercise import Exercise, exercise
from .function import Function
from .is_leaf import IsLeaf
from .judge import Judge, known, load
from .middle_grad import MiddleGrad
from .node_name import NodeName
from .questions import Question
from .retained import Retained
from .slope import Slope
from .slope_pair import SlopePair
from .standing import course_progress, lesson_progress
from .step import Step
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
    "Built",
    "Drawn",
    "SlopePair",
    "Direction",
    "Step",
    "IsLeaf",
    "MiddleGrad",
    "Retained",
    "Verdict",
    "ExerciseError",
    "known",
    "load",
    "course_progress",
    "lesson_progress",
]
