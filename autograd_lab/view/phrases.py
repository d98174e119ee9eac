"""How a step reads: its op as one would write it, and its formulas with symbols and with numbers.

Formulas are LaTeX in the small dialect of `formula.py`; the local derivative comes from the card's own
template. Nothing here knows the drawing or the browser. Read next:
`frames.py`, which decides what is shown when.
"""

from __future__ import annotations

import math
import re
from string import Template
from typing import Any

from autograd_lab.view.formula import derivative, name, number, plain, value_of
from autograd_lab.view.steps import BackwardStep, ForwardStep, Kept, SentGrad
from autograd_lab.view.symbols import Symbols, Veil, shown, veiled, written

INFIX = {
    "add": "+", "sub": "-", "mul": "*", "true_divide": "/", "matmul": "@", "mm": "@", "mv": "@", "dot": "@",
    "bmm": "@", "div": "/", "pow": "**", "pow_number": "**", "pow_tensors": "**", "pow_base": "**",
}  # fmt: skip
REVERSED = {"rsub": "-"}
SILENT = {"alpha": ("1", "1.0"), "beta": ("1", "1.0")}  # constants that are not worth a word at these values
NUMERIC = 120  # a longer chain of numbers is left out: symbols and the result say enough


# Forward


def operation(step: ForwardStep, words: list[str]) -> str:
    """The op as one would write it in Python, with `words` for its operands."""
    pairs = [
        (operand, word)
        for operand, word in zip(step.operands, words, strict=True)
        if operand.source is not None or operand.text not in ("None", "False", *SILENT.get(operand.name, ()))
    ]
    inner = [f"({word})" if re.match(r"(⟦[^|]*\|)?-[\d.]", word) else word for _, word in pairs]
    inner = [word if word else "(a tensor)" for word in inner]
    if step.op in INFIX and len(inner) == 2:
        return f"{inner[0]} {INFIX[step.op]} {inner[1]}"
    if step.op in REVERSED and len(inner) == 2:
        return f"{inner[1]} {REVERSED[step.op]} {inner[0]}"
    if step.op == "neg" and len(inner) == 1:
        return f"-{inner[0]}"
    parts = [f"{operand.name}={word}" if operand.source is None and operand.text else word for operand, word in pairs]
    return f"{re.sub(r'_(all|dim|card|number|two)$', '', step.op)}({', '.join(parts)})"


def operation_of(step: ForwardStep, symbols: Symbols) -> str:
    """The op as one would write it, with the names of its operands."""
    return operation(step, [symbols.operand(operand) for operand in step.operands])


def forward_parts(step: ForwardStep, symbols: Symbols, veil: Veil) -> tuple[list[str], list[str]]:
    """`y`, `x * 3` and `2 * 3`, `6`: with names, and with numbers."""
    formula = operation_of(step, symbols)
    values = [operand.text or written(operand.value) for operand in step.operands]
    numbers = []
    if all(values):
        words = [veil.value(o.source, value) for o, value in zip(step.operands, values, strict=True)]
        counted = operation(step, words)
        if counted != formula and sum(map(len, values)) <= NUMERIC:
            numbers.append(counted)
    return [symbols.names[step.node], formula], [*numbers, veil.value(step.node, shown(step.result))]


def shapes_line(step: ForwardStep) -> str:
    """`X (2, 3), W (3, 4) → (2, 4)`; empty for numbers."""
    shaped = [operand.value for operand in step.operands if operand.value is not None]
    if step.result is None or not any(value.shape for value in [*shaped, step.result]):
        return ""
    return f"{', '.join(str(tuple(value.shape)) for value in shaped)} → {tuple(step.result.shape)}"


def keeps_line(step: ForwardStep, symbols: Symbols) -> str:
    """`self = y (v0), result = z`: what a node keeps for backward, and which version of it."""
    return ", ".join(kept_text(kept, symbols) for kept in step.keeps)


def kept_text(kept: Kept, symbols: Symbols) -> str:
    """`self = y (v0)`; of one that was changed since, both versions."""
    about = kept.about
    name = symbols.names[kept.of] if kept.of is not None else written(kept.value)
    text = f"{about.name} = {name}" if name and name != about.name else about.name
    if about.state == "freed":
        return f"{text}: freed"
    if about.state == "changed":
        return f"{text}: saved v{about.version}, now v{about.now}"
    return f"{text} (v{about.version})" if about.version else text


# Backward


def sum_of(back: BackwardStep, veil: Veil) -> str:
    """`4 + 3 + 8`, as LaTeX: what a leaf's `.grad` held, and what arrived. Empty for one term."""
    terms = [(a.value, veil.parts.get((a.source, a.through), "")) for a in back.arrived]
    if back.leaf is not None and back.leaf.before is not None:
        terms.insert(0, (back.leaf.before, ""))
    texts = [(written(value), ask) for value, ask in terms]
    if len(terms) < 2 or len({a.output for a in back.arrived}) > 1 or not all(text for text, _ in texts):
        return ""
    return " + ".join(veiled(ask, number(text)) for text, ask in texts)


def local_factor(step: ForwardStep, sent: SentGrad, symbols: Symbols, veil: Veil | None = None) -> str:
    """The card's template filled with symbols; with a `veil`, filled with numbers where they are short."""
    own = symbols.names[step.node]
    fillings = {"grad": symbols.slope(step.node), "result": name(own)}
    if veil is not None and written(step.result):
        fillings["result"] = veiled(veil.values.get(step.node, ""), number(written(step.result)))
    for operand in step.operands:
        value = operand.text or written(operand.value)
        ask = veil.values.get(operand.source, "") if veil is not None and operand.source is not None else ""
        use_number = bool(value) and (veil is not None or (operand.source is None and bool(operand.text)))
        fillings[operand.name] = veiled(ask, number(value)) if use_number else name(symbols.operand(operand))
    template = sent.latex
    if veil is not None and step.operands and step.operands[0].value is not None and step.result is not None:
        each = math.prod(step.operands[0].value.shape) // max(1, math.prod(step.result.shape))
        template = re.sub(r"\bN\b", str(each), template)  # the cards' N: elements that share one result
    return Template(template).safe_substitute(_Named(fillings))


class _Named(dict[str, Any]):
    """A template's names: those not known stand for themselves."""

    def __missing__(self, key: str) -> str:
        return name(key)


def local_parts(step: ForwardStep, sent: SentGrad, symbols: Symbols, veil: Veil) -> tuple[list[str], list[str]]:
    """`dz/dy`, `2 · y` and `2 · 10`, `20`: with names, and with numbers. Empty for ops that work not elementwise."""
    if sent.local is None:
        return [], []
    ask = veil.locals.get((step.node, sent.number), "")
    named, counted = [local_symbol(step, sent, symbols)], [veiled(ask, value_of(shown(sent.local)))]
    if sent.latex.startswith("[") and sent.local.values is not None and (sent.local.values == 0.5).any():
        named.append(rf"{local_factor(step, sent, symbols)}\text{{, 1/2 where equal}}")  # PyTorch's convention
    elif sent.latex and "$grad" not in sent.latex:
        named.append(local_factor(step, sent, symbols))
        counted.insert(0, local_factor(step, sent, symbols, veil))
    return named, counted


def local_symbol(step: ForwardStep, sent: SentGrad, symbols: Symbols) -> str:
    """dz/dy, or dz/dself where y is used twice by the op."""
    twice = sum(operand.source == sent.target for operand in step.operands) > 1
    return derivative(symbols.names[step.node], sent.name if twice else symbols.names[sent.target])


def product_parts(
    back: BackwardStep, step: ForwardStep, sent: SentGrad, symbols: Symbols, veil: Veil, alone: bool, ask: str
) -> tuple[list[str], list[str]]:
    """`dloss/dy`, `dloss/dz · dz/dy` and `1 · 20`, `20`: with names, and with numbers.

    The first is left out if y gets more than this.
    """
    slope = symbols.slope(back.node)
    incoming = written(back.incoming)
    incoming = veiled(veil.grads.get(back.node, ""), number(incoming)) if incoming else ""
    named, numbers = [], ""
    if sent.local is not None:
        sign = r"\odot" if sent.local.shape or (back.incoming is not None and back.incoming.shape) else r"\cdot"
        named.append(f"{slope} {sign} {local_symbol(step, sent, symbols)}")
        own = veiled(veil.locals.get((step.node, sent.number), ""), number(written(sent.local)))
        numbers = f"{incoming} {sign} {own}" if incoming and written(sent.local) else ""
    elif sent.latex and "$grad" not in sent.latex:  # a factor, of an op that does not work element by element
        named.append(rf"{slope} \cdot {local_factor(step, sent, symbols)}")
        numbers = rf"{incoming} \cdot {local_factor(step, sent, symbols, veil)}" if incoming else ""
    elif sent.latex:
        named.append(local_factor(step, sent, symbols))
        numbers = local_factor(step, sent, symbols, veil).replace(slope, incoming) if incoming else ""
    counted = [numbers] if numbers and len(plain(numbers)) <= NUMERIC else []
    if sent.summed is not None:  # broadcasting is undone by summing
        named = [rf"\operatorname{{sum}}({part})" for part in named]
        counted = [rf"\operatorname{{sum}}({part})" for part in counted]
    first = [symbols.slope(sent.target)] if alone else []
    return [*first, *named], [*counted, veiled(ask, value_of(shown(sent.value)))]


def chain(parts: list[str]) -> str:
    """Parts joined by equal signs, none twice in a row."""
    kept: list[str] = []
    for part in parts:
        if part and (not kept or plain(part).strip("()") != plain(kept[-1]).strip("()")):
            kept.append(part)
    return " = ".join(kept)
