"""The colours of every drawing, by role, for light and dark pages.

A role is never told by colour alone: shape, border and words say it too. Strokes have a contrast of at
least 4.5 to 1 against the page, texts of at least 10 to 1 against the fills, and any two strokes stay apart
for the three common kinds of colour blindness. The SVG names colours only through CSS variables
(`--ag-op`, `--ag-op-fill`, ...), so a page can change them without drawing again.
"""

from __future__ import annotations

# role: light stroke, light fill, dark stroke, dark fill
ROLES = {
    "op": ("#1E76A8", "#E3F1FB", "#39A2F4", "#0F2F47"),
    "leaf": ("#856131", "#FCE8C3", "#F6A838", "#4A3300"),
    "acc": ("#004D3C", "#D9F2E6", "#4BF6B9", "#0B3B2C"),
    "saved": ("#A9258D", "#F6E3EF", "#E228AF", "#44203A"),
    "back": ("#6E2C07", "#FBE0D2", "#B46A46", "#4D2200"),
    "frozen": ("#6B6B6B", "#EEEEEE", "#9A9A9A", "#2B2B2B"),
    "failed": ("#B00020", "#FFF0F1", "#FF4026", "#3A0A12"),
}
# name: light, dark
PLAIN = {
    "paper": ("#FFFFFF", "#111111"),
    "text": ("#1A1A1A", "#F2F2F2"),
    "quiet": ("#595959", "#B5B5B5"),
    "box": ("#FFFFFF", "#1B1B1B"),
    "line": ("#4A4A4A", "#B9B9B9"),
}
# heat, from small gradients to large: light fill, dark fill; a text beside says the norm, and lines grow wider
HEAT = (
    ("#FFFFFF", "#1B1B1B"),
    ("#FDF0E4", "#2C201A"),
    ("#FAD9BC", "#40291A"),
    ("#F3BC8E", "#57321A"),
    ("#E89A61", "#6E3D1A"),
    ("#DD8146", "#88491A"),
    ("#D0702F", "#A35617"),
)
HEAT_LIMITS = (1e-7, 1e-5, 1e-3, 1e-1, 1e1, 1e3)  # below the first: vanishing; from the last on: exploding
THEMES = ("auto", "light", "dark")


def colours(theme: str) -> dict[str, str]:
    """Every CSS variable and its colour, for `theme` "light" or "dark".

    >>> colours("dark")["--ag-op"]
    '#39A2F4'
    """
    dark = theme == "dark"
    table = {f"--ag-{name}": pair[dark] for name, pair in PLAIN.items()}
    for role, (light, light_fill, night, night_fill) in ROLES.items():
        table[f"--ag-{role}"] = night if dark else light
        table[f"--ag-{role}-fill"] = night_fill if dark else light_fill
    for level, pair in enumerate(HEAT):
        table[f"--ag-heat-{level}"] = pair[dark]
    return table


def heat_level(norm: float) -> str:
    """Which of the seven steps of heat shows a gradient norm; "nan" if it is no number.

    >>> [heat_level(norm) for norm in (0.0, 1e-6, 1e-4, 0.01, 1.0, 50.0, 1e4, float("nan"))]
    ['0', '1', '2', '3', '4', '5', '6', 'nan']
    """
    if norm != norm:
        return "nan"
    return str(sum(norm >= limit for limit in HEAT_LIMITS))


def variables(theme: str = "auto") -> str:
    """The CSS that sets the variables: "auto" follows the page (JupyterLab's theme, then the system's)."""
    light, dark = ("{" + ";".join(f"{k}:{v}" for k, v in colours(t).items()) + "}" for t in ("light", "dark"))
    if theme != "auto":
        return f".ag-{theme}{dark if theme == 'dark' else light}\n"
    return (
        f".ag-auto{light}\n"
        f"@media (prefers-color-scheme:dark){{.ag-auto{dark}}}\n"
        f'[data-jp-theme-light="true"] .ag-auto{light}\n'
        f'[data-jp-theme-light="false"] .ag-auto{dark}\n'
    )
