"""Everything in the two documents has its place: every row, exercise item and footnote is tagged where it is taught.

That a tag stands on a cell that teaches is the business of `test_predictions.py`: an empty tag fails there.
"""

import tomllib
from collections import defaultdict

import pytest
from lesson_files import LESSONS, ROOT, cells, tags

MAP = tomllib.loads((ROOT / "tests/course/seed_map.toml").read_text(encoding="utf-8"))
PLACES = [(f"{kind}:{row}", lesson) for kind in MAP for row, lessons in MAP[kind].items() for lesson in lessons]


def tagged():
    """{tag: lessons that have it}."""
    found = defaultdict(set)
    for path in LESSONS:
        for cell in cells(path):
            for tag in tags(cell):
                found[tag].add(path.stem[:2])
    return found


TAGGED = tagged()


def test_the_map_has_every_row():
    """58 rows (some are split finer here; the exercises have a test of their own) and 13 footnotes."""
    rows = {row.partition(".")[0] if row.startswith(("A10", "A11")) else row for row in MAP["seed"]}
    together = {"A6.2": "A6.1", "B11": "B10", "B12": "B10", "B13": "B10", "B16": "B15"}
    exercises = {"B31"}
    assert len({together.get(row, row) for row in rows} | exercises) == 58
    assert len(MAP["footnote"]) == 13


@pytest.mark.parametrize(("tag", "lesson"), PLACES, ids=lambda value: value)
def test_it_has_its_place(tag, lesson):
    assert lesson in TAGGED[tag], f"no cell of lesson {lesson} is tagged {tag}"


def test_no_lesson_tags_what_is_not_in_the_map():
    known = {tag for tag, _ in PLACES}
    assert [tag for tag in TAGGED if tag.startswith(("seed:", "footnote:")) and tag not in known] == []


BELIEFS = [f"M{number}" for number in range(1, 25)]


@pytest.mark.parametrize("belief", BELIEFS)
def test_each_belief_comes_up_again(belief):
    """A belief is met in one lesson and asked about in two later ones, or in all that are left when fewer are."""
    first, *later = sorted(TAGGED[belief])
    left = int(LESSONS[-1].stem[:2]) - int(first)
    assert len(later) >= min(2, left), (first, later)
