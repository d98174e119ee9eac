r"""Formulas without the network: a small part of LaTeX, turned into MathML and into plain text.

The cards write each local derivative in LaTeX (`\frac{1}{$other}`). A browser shows MathML by itself, a
terminal shows text, so no typesetting library is needed. Only what the cards use is understood; an
unknown command is shown by its name. `frames.py` writes the formulas, `stepper.js` shows them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape

SYMBOLS = {
    "cdot": "·", "odot": "⊙", "times": "×", "partial": "∂", "sigma": "σ", "top": "ᵀ", "sum": "∑", "mu": "μ",
    "epsilon": "ε", "pi": "π", "le": "≤", "ge": "≥", "ne": "≠", "to": "→", "infty": "∞", "mid": "|",
}  # fmt: skip
RAW = {"mathit": "name", "operatorname": "name", "mathrm": "name", "mathtt": "value", "text": "words"}
LETTERS = ("name", "number", "value", "words", "power", "index", "derivative", "ask")
SKIPPED = ("left", "right", ",", ";", ":", "!", " ")
TOKEN = re.compile(r"\\[A-Za-z]+\*?|\\.|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\s+|.", re.DOTALL)
SUPERSCRIPTS = str.maketrans("0123456789+-ᵀ", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ")
HIDDEN = "⟦{ask}|{text}⟧"  # how plain text marks a number that a question hides


@dataclass(frozen=True)
class Piece:
    """One part of a formula: `kind` says what it is, `parts` are the parts inside, `text` what is written."""

    kind: str
    text: str = ""
    parts: tuple[Piece, ...] = ()


def mathml(latex: str) -> str:
    r"""The formula as one MathML element.

    >>> mathml(r"\frac{1}{x}")
    '<math displaystyle="true"><mfrac><mn>1</mn><mi>x</mi></mfrac></math>'
    """
    return f'<math displaystyle="true">{_markup(parse(latex))}</math>'


@lru_cache(maxsize=4096)  # a walk says the same few formulas again and again, and each in several places
def plain(latex: str) -> str:
    r"""The formula as one line of text.

    >>> plain(r"2 \cdot \mathit{x}^{2} - \frac{1}{x + 1}")
    '2 · x² - 1 / (x + 1)'
    """
    return re.sub(r" {2,}", " ", _line(parse(latex))).strip()


def name(text: str) -> str:
    """LaTeX for a name as it stands in the program, whatever characters it holds."""
    return rf"\mathit{{{text}}}"


def value_of(text: str) -> str:
    """LaTeX for a number or a short array as it stands."""
    return rf"\mathtt{{{text}}}"


def number(text: str) -> str:
    """The same inside a product: a negative number gets its parentheses."""
    return f"({value_of(text)})" if text.startswith("-") else value_of(text)


def derivative(above: str, below: str) -> str:
    r"""LaTeX for the derivative of one name by another.

    >>> plain(derivative("loss", "x") + r" \cdot 2")
    'dloss/dx · 2'
    """
    return rf"\derivative{{{above}}}{{{below}}}"


def hidden(ask: str, latex: str) -> str:
    """LaTeX for a part that stays hidden until the question `ask` is answered."""
    return rf"\ask{{{ask}}}{{{latex}}}"


@lru_cache(maxsize=4096)
def parse(latex: str) -> Piece:
    """Read the formula into pieces."""
    tokens = TOKEN.findall(latex)
    row, position = _row(tokens, 0, stop=None)
    while position < len(tokens):  # a closing brace too many is shown, not lost
        rest, position = _row(tokens, position + 1, stop=None)
        row += [Piece("operator", "}"), *rest]
    return Piece("row", parts=tuple(row))


def _row(tokens: list[str], position: int, stop: str | None) -> tuple[list[Piece], int]:
    """Pieces up to the closing brace, and the position of what comes after it."""
    pieces: list[Piece] = []
    while position < len(tokens):
        token = tokens[position]
        if token == "}":
            return pieces, position + (stop == "}")
        if token in ("^", "_"):
            script, position = _one(tokens, position + 1)
            base = _take_base(pieces)
            pieces.append(Piece("power" if token == "^" else "index", parts=(base, script)))
            continue
        piece, position = _one(tokens, position)
        if piece.kind != "nothing":
            pieces.append(piece)
    return pieces, position


def _take_base(pieces: list[Piece]) -> Piece:
    """What a superscript belongs to: the piece before it, or the whole parenthesis that ends there."""
    if not pieces:
        return Piece("row")
    if pieces[-1].text != ")":
        return pieces.pop()
    depth = 0
    for start in range(len(pieces) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(pieces[start].text, 0)
        if depth == 0:
            inside = tuple(pieces[start:])
            del pieces[start:]
            return Piece("row", parts=inside)
    return pieces.pop()


def _one(tokens: list[str], position: int) -> tuple[Piece, int]:
    """The piece that starts here, and the position after it."""
    while position < len(tokens) and tokens[position].isspace():
        position += 1
    if position >= len(tokens):
        return Piece("nothing"), position
    token, position = tokens[position], position + 1
    if token == "{":
        parts, position = _row(tokens, position, stop="}")
        return Piece("row", parts=tuple(parts)), position
    if token == "}":
        return Piece("nothing"), position - 1
    if token[0] != "\\":
        if token[0].isdigit():
            return Piece("number", token), position
        return Piece("name" if token.isalpha() else "operator", token), position
    command = token[1:].rstrip("*")
    if command in ("frac", "dfrac", "tfrac"):
        above, position = _one(tokens, position)
        below, position = _one(tokens, position)
        return Piece("fraction", parts=(above, below)), position
    if command == "derivative":
        above, position = _text(tokens, position)
        below, position = _text(tokens, position)
        return Piece("derivative", parts=(Piece("name", above), Piece("name", below))), position
    if command == "ask":
        ask, position = _text(tokens, position)
        inside, position = _one(tokens, position)
        return Piece("ask", ask, (inside,)), position
    if command == "sqrt":
        inside, position = _one(tokens, position)
        return Piece("root", parts=(inside,)), position
    if command in RAW:
        text, position = _text(tokens, position)
        return Piece(RAW[command], text), position
    if command in SYMBOLS:
        return Piece("name" if SYMBOLS[command] in "σμεπ" else "operator", SYMBOLS[command]), position
    if command in SKIPPED:
        return Piece("nothing"), position
    if not command.isalpha():
        return Piece("operator", command), position
    return Piece("name", command), position  # \exp, \log, \tanh, ... and whatever we do not know


def _text(tokens: list[str], position: int) -> tuple[str, int]:
    """The text between braces, as it stands."""
    depth, words = 0, []
    while position < len(tokens):
        depth += {"{": 1, "}": -1}.get(tokens[position], 0)
        words.append(tokens[position])
        position += 1
        if depth == 0:
            break
    text = "".join(words)
    return text[1:-1] if text.startswith("{") else text, position


def _markup(piece: Piece) -> str:
    inside = [_markup(part) for part in piece.parts]
    text = escape(piece.text)
    match piece.kind:
        case "row":
            return inside[0] if len(inside) == 1 else f"<mrow>{''.join(inside)}</mrow>"
        case "number" | "value":
            return f"<mn>{text}</mn>"
        case "name":
            return f"<mi>{text}</mi>"
        case "words":
            return f"<mtext>{text}</mtext>"
        case "fraction":
            return f"<mfrac>{''.join(inside)}</mfrac>"
        case "derivative":
            above, below = (f"<mrow><mo>∂</mo>{part}</mrow>" for part in inside)
            return f"<mfrac>{above}{below}</mfrac>"
        case "power":
            return f"<msup>{''.join(inside)}</msup>"
        case "index":
            return f"<msub>{''.join(inside)}</msub>"
        case "root":
            return f"<msqrt>{''.join(inside)}</msqrt>"
        case "ask":
            return f'<mrow data-ask="{text}">{inside[0]}</mrow>'
    return f"<mo>{text}</mo>"


def _line(piece: Piece) -> str:
    match piece.kind:
        case "row":
            return _joined(piece.parts)
        case "derivative":
            above, below = (_line(part) for part in piece.parts)
            return f"d{above}/d{_bracket(below)}"
        case "fraction":
            above, below = (_atom(part) for part in piece.parts)
            return f"{above} / {below}" if len(above) > 2 or len(below) > 2 else f"{above}/{below}"
        case "power":
            base, script = _atom(piece.parts[0]), _line(piece.parts[1]).strip()
            raised = "ᵀ" if script == "T" else script.translate(SUPERSCRIPTS)
            return base + (raised if all(c in "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀ" for c in raised) else f"^{_bracket(script)}")
        case "index":
            return f"{_line(piece.parts[0])}_{_bracket(_line(piece.parts[1]).strip())}"
        case "root":
            return f"√{_bracket(_line(piece.parts[0]).strip())}"
        case "ask":
            return HIDDEN.format(ask=piece.text, text=_line(piece.parts[0]).strip())
    return piece.text


def _joined(pieces: tuple[Piece, ...]) -> str:
    """One after another, with the spaces that make a line readable."""
    line = ""
    for place, piece in enumerate(pieces):
        text = _line(piece)
        before = pieces[place - 1] if place else None
        spaced = piece.kind == "operator" and text in "·⊙×=≤≥≠→<>≈+-∈" and (text not in "+-" or _is_binary(before))
        if spaced:
            line = line.rstrip() + f" {text} "
        elif before is not None and _letters(before) and _letters(piece):
            line += " " + text  # names that would grow together: "cos x"
        else:
            line += text
    return line


def _is_binary(before: Piece | None) -> bool:
    """Whether a sign after `before` joins two terms, rather than being the sign of one."""
    return before is not None and not (before.kind == "operator" and before.text not in ")]}|ᵀ")


def _letters(piece: Piece) -> bool:
    return piece.kind in LETTERS and piece.text != "∂"


def _atom(piece: Piece) -> str:
    """The line of a piece, in parentheses if an operator next to it would tear it apart."""
    text = _line(piece).strip()
    return _bracket(text) if piece.kind == "row" and len(piece.parts) > 1 else text


def _bracket(text: str) -> str:
    return text if re.fullmatch(r"[\w.∂]*|\(.*\)|\[.*\]", text) else f"({text})"
