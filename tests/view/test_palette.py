"""The palette in use: contrasts by WCAG 2.2, and distances as people with three kinds of colour blindness see them.

Colour blindness is simulated after Machado, Oliveira and Fernandes 2009 (severity 1), on linear light; distances are
CIE76, in CIELAB with the white of D65.
"""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from autograd_lab.view import palette
from autograd_lab.view.palette import HEAT, HEAT_LIMITS, PLAIN, ROLES, colours, heat_level

SEES = {
    "everyone": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
WHITE = np.array([0.95047, 1.0, 1.08883])
APART, FAILED_APART = 15, 9  # "failed" is told by a thick double line and the words "failed here" too
THEMES = ("light", "dark")


def light_of(colour):
    """Linear red, green and blue, 0 to 1."""
    parts = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    bright, dim = sorted((float(np.dot([0.2126, 0.7152, 0.0722], light_of(c))) for c in (one, other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def lab(colour, sees):
    xyz = np.array(TO_XYZ) @ np.clip(np.array(SEES[sees]) @ light_of(colour), 0, 1) / WHITE
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(one, other, sees):
    return float(np.linalg.norm(lab(one, sees) - lab(other, sees)))


def strokes(theme):
    return {role: colours(theme)[f"--ag-{role}"] for role in ROLES}


def fills(theme):
    table = colours(theme)
    heats = [table[f"--ag-heat-{level}"] for level in range(len(HEAT))]
    return [*(table[f"--ag-{role}-fill"] for role in ROLES), table["--ag-box"], *heats]


def test_the_measures_give_known_values():
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)
    assert lab("#FFFFFF", "everyone") == pytest.approx([100, 0, 0], abs=0.02)
    assert lab("#FF0000", "everyone") == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    for sees in SEES:
        assert distance("#808080", "#808080", sees) == 0
        assert lab("#808080", sees)[1:] == pytest.approx([0, 0], abs=0.1)  # grey stays grey for everyone
    assert distance("#FF0000", "#00B400", "deutan") < distance("#FF0000", "#00B400", "everyone") / 2


@pytest.mark.parametrize("theme", THEMES)
def test_strokes_can_be_seen_on_the_page(theme):
    paper = colours(theme)["--ag-paper"]
    for role, stroke in strokes(theme).items():
        assert contrast(stroke, paper) >= 4.5, role


@pytest.mark.parametrize("theme", THEMES)
def test_texts_can_be_read_on_every_fill(theme):
    text = colours(theme)["--ag-text"]
    for fill in fills(theme)[: len(ROLES) + 1]:
        assert contrast(text, fill) >= 10, fill


@pytest.mark.parametrize("theme", THEMES)
def test_texts_can_be_read_on_every_heat(theme):
    text = colours(theme)["--ag-text"]
    for level in range(len(HEAT)):
        assert contrast(text, colours(theme)[f"--ag-heat-{level}"]) >= 4.5, level


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["quiet", "line"])
def test_quiet_texts_and_lines(theme, name):
    assert contrast(colours(theme)[f"--ag-{name}"], colours(theme)["--ag-paper"]) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sees", SEES)
def test_strokes_stay_apart_for_everyone(theme, sees):
    for (a, one), (b, other) in combinations(strokes(theme).items(), 2):
        assert distance(one, other, sees) >= (FAILED_APART if "failed" in (a, b) else APART), (a, b)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sees", SEES)
def test_heat_is_a_scale_for_everyone(theme, sees):
    """Each step is darker than the one before (lighter on a dark page), and seen to be another."""
    scale = [lab(colours(theme)[f"--ag-heat-{level}"], sees) for level in range(len(HEAT))]
    lightness = [step[0] for step in scale]
    assert lightness == sorted(lightness, reverse=theme == "light")
    assert all(np.linalg.norm(a - b) >= 5 for a, b in pairwise(scale))


def test_heat_has_seven_steps_and_its_ends_are_those_of_the_words():
    assert len(HEAT) == 7 == len(HEAT_LIMITS) + 1
    assert (HEAT_LIMITS[0], HEAT_LIMITS[-1]) == (1e-7, 1e3)
    assert [heat_level(n) for n in (0, 9.9e-8, 1e-7, 999, 1000)] == ["0", "0", "1", "5", "6"]


def test_every_colour_of_the_style_sheet_is_a_variable_of_the_palette():
    css = (Path(palette.__file__).with_name("drawing.css")).read_text("utf-8")
    assert not re.findall(r"#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(", css)
    used = set(re.findall(r"var\((--ag-[\w-]+)", css))
    assert used and used <= colours("light").keys() == colours("dark").keys()


def test_the_tables_hold_colours_of_six_digits():
    pairs = [*PLAIN.values(), *ROLES.values(), *HEAT]
    assert all(re.fullmatch(r"#[0-9A-F]{6}", colour) for pair in pairs for colour in pair)


def page_table():
    """The rows of the palette's table in the documentation: role, contrasts."""
    page = (Path(__file__).parent.parent.parent / "docs" / "drawing.md").read_text("utf-8")
    return re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \|$", page, re.MULTILINE)


def test_the_contrasts_in_the_documentation_are_these():
    expected = [
        (role, *(f"{contrast(strokes(theme)[role], colours(theme)['--ag-paper']):.1f}" for theme in THEMES))
        for role in ROLES
    ]
    assert page_table() == expected
