"""The README's first example prints and draws what it shows; commands, lessons and exercises are those there are."""

import re

import make_readme_picture
import pytest

from autograd_lab import cli
from autograd_lab.course.outline import outlines
from autograd_lab.grading import known, load


def test_the_example_prints_and_draws_what_is_shown():
    printed, drawing = make_readme_picture.run_example()
    assert printed == make_readme_picture.stored_output(), "run tools/make_readme_picture.py --write"
    assert drawing == make_readme_picture.PICTURE.read_bytes(), "run tools/make_readme_picture.py --write"


def test_every_command_stands_in_the_readme(capsys):
    with pytest.raises(SystemExit):
        cli.main(["--help"])
    commands = re.findall(r"^    (\w+) ", capsys.readouterr().out, re.MULTILINE)
    assert len(commands) >= 6
    readme = make_readme_picture.README.read_text(encoding="utf-8")
    assert [name for name in commands if f"| `autograd-lab {name}" not in readme] == []


def test_the_readme_says_after_which_lessons_exercises_come():
    after = sorted({load(slug).judge.lesson[:2] for slug in known()})
    readme = make_readme_picture.README.read_text(encoding="utf-8")
    assert f"come after lessons {', '.join(after[:-1])} and {after[-1]}." in readme


def test_a_row_of_the_readme_names_each_lesson():
    rows = re.findall(
        r"^\| (\d\d) (to|and) (\d\d) \|", make_readme_picture.README.read_text(encoding="utf-8"), re.MULTILINE
    )
    named = [number for first, _, last in rows for number in range(int(first), int(last) + 1)]
    assert named == list(range(17))
    assert {int(outline.number) for outline in outlines()} <= set(named)
