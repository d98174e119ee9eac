"""Walk a stepper on a page with the keyboard, read every number it shows, compare it with PyTorch.

`read` gives plain data for each step; `differences` is one sentence for each number that is wrong.
"""

import math
import re
from dataclasses import dataclass, field

import numpy as np
from pytorch_run import Fired, Run

READ = """(root) => {
  const key = (group) => /-((?:n|e)\\d[\\d-]*)$/.exec(group.id)?.[1];
  const groups = [...root.querySelectorAll('g[id]')].filter(key);
  const isNow = (group) => group.matches('.is-active, .is-accumulating');
  return {
    phase: root.dataset.phase,
    title: root.querySelector('.al-title').textContent,
    say: root.querySelector('.al-say').textContent,
    lines: [...root.querySelectorAll('.al-line')].map((line) =>
      [line.querySelector('.al-label').textContent, line.querySelector('.al-math').textContent]),
    active: groups.filter(isNow).map(key),
    fields: groups.flatMap((group) => [...group.querySelectorAll('[data-field]')].map((text) =>
      [`${key(group)}.${text.dataset.field}`, text.textContent])),
  };
}"""
NUMBER = r"[-+]?(?:inf|nan|\d+(?:\.\d+)?(?:e[-+]?\d+)?)"
RANGE = re.compile(rf"({NUMBER}) to ({NUMBER})")


@dataclass(frozen=True)
class Step:
    """What the page shows at one step."""

    phase: str
    title: str
    say: str
    lines: list[tuple[str, str]]
    active: list[str]
    fields: dict[str, str] = field(repr=False)


def read(page, stepper) -> list[Step]:
    """Walk to the end with the keyboard, back to the start, and once more to the end, reading each step.

    The first walk passes every question, so that in the second nothing is hidden.
    """
    count = int(stepper.get_attribute("data-steps"))
    stepper.focus()
    page.keyboard.press("Home")
    for _ in range(count):
        page.keyboard.press("ArrowRight")
    assert stepper.get_attribute("data-step") == str(count), "the keyboard did not walk to the end"
    page.keyboard.press("Home")
    steps = []
    for number in range(count + 1):
        assert stepper.get_attribute("data-step") == str(number)
        shown = stepper.evaluate(READ)
        steps.append(Step(**{**shown, "fields": dict(shown["fields"])}))
        page.keyboard.press("ArrowRight")
    return steps


def differences(steps: list[Step], run: Run) -> list[str]:
    """One sentence for each number on the page that is not PyTorch's, and for each step out of its order."""
    middle = 1 + len(run.forward)
    ahead, turn, back = steps[1:middle], steps[middle], steps[middle + 1 :]
    wrong = []
    if len(back) != len(run.backward):
        wrong.append(f"{len(back)} steps backward, PyTorch has {len(run.backward)}")
    for step, (node, value) in zip(ahead, run.forward, strict=True):
        wrong += [f"{step.title}: {fault}" for fault in _forward_faults(step, node, value)]
    wrong += [f"{turn.title}: {fault}" for fault in _compare("start", _last(_line(turn, "start")), np.float32(1))]
    for step, fired in zip(back, run.backward, strict=False):
        faults = _backward_faults(step, fired) if fired.leaf_grad is None else _leaf_faults(step, fired)
        wrong += [f"{step.title}: {fault}" for fault in faults]
    return wrong


def _forward_faults(step: Step, node: str, value: np.ndarray | None) -> list[str]:
    faults = [] if step.title.endswith(node) else [f"PyTorch has {node}"]
    if value is None:
        return faults
    faults += _compare("value", _last(_line(step, "value")), value)
    faults += _compare("sentence", re.search(r"becomes (.*), and", step.say)[1], value)
    boxes = [key for key in step.active if f"{key}.value" in step.fields and key.startswith("n")]
    return faults + [fault for key in boxes for fault in _compare(f"box {key}", step.fields[f"{key}.value"], value)]


def _backward_faults(step: Step, fired: Fired) -> list[str]:
    faults = [] if f": {fired.node} fires" in step.title else [f"PyTorch fires {fired.node}"]
    faults += _compare("incoming", _last(_line(step, "incoming")), fired.incoming)
    faults += _compare("sentence", re.search(r" = (.*?)\.(?= |$)", step.say)[1], fired.incoming)
    sent = [text for label, text in step.lines if label.startswith("to ")]
    if len(sent) != len(fired.sent):
        return [*faults, f"sends {len(sent)} gradients, PyTorch {len(fired.sent)}"]
    for text, (number, gradient) in zip(sent, sorted(fired.sent.items()), strict=True):
        faults += _compare(f"product {number}", _last(text), gradient)
    said = re.findall(r"sends (.*?) to ", step.say)
    for text, (number, gradient) in zip(said, sorted(fired.sent.items()), strict=True):
        faults += _compare(f"sentence {number}", text, gradient)
    locals_ = [_last(text) for label, text in step.lines if label == "local derivative"]
    if len(locals_) == len(fired.local) == len(fired.sent):
        for text, (number, slope) in zip(locals_, sorted(fired.local.items()), strict=True):
            faults += _compare(f"local {number}", text, slope)
    return faults + _edge_faults(step, fired)


def _edge_faults(step: Step, fired: Fired) -> list[str]:
    """The drawing: on each edge that is active, the gradient that flowed and the local derivative."""
    faults = []
    for key in step.active:
        parts = re.fullmatch(r"e(\d+)-(\d+)-(\d+)", key)
        if parts is None or f"n{parts[1]}" not in step.active or int(parts[3]) not in fired.sent:
            continue
        number = int(parts[3])
        if f"{key}.grad" in step.fields:  # a crowded drawing keeps no room for it
            faults += _compare(f"edge {key}", step.fields[f"{key}.grad"], fired.sent[number])
        local = step.fields.get(f"e{parts[2]}-{parts[1]}-{number}.local", "").removeprefix("local ")
        if local and number in fired.local:
            faults += _compare(f"slope on {key}", local, fired.local[number])
    return faults


def _leaf_faults(step: Step, fired: Fired) -> list[str]:
    faults = [] if ".grad is filled" in step.title else ["PyTorch fills a leaf here"]
    faults += _compare("incoming", _last(_line(step, "incoming")), fired.incoming)
    faults += _compare(".grad now", _last(_line(step, ".grad now")), fired.leaf_grad)
    faults += _compare("sentence", re.search(r"\.grad is now (.*)\.$", step.say)[1], fired.leaf_grad)
    for key in step.active:
        if f"{key}.grad" in step.fields:
            faults += _compare(f"box {key}", step.fields[f"{key}.grad"], fired.leaf_grad)
        elif step.fields.get(f"{key}.value", "").startswith("+= "):
            terms = step.fields[f"{key}.value"].removeprefix("+= ").split(" + ")
            faults += _sum_faults(f"sum {key}", terms, fired.incoming)
    return faults


def _sum_faults(what: str, terms: list[str], value: np.ndarray) -> list[str]:
    if len(terms) == 1:
        return _compare(what, terms[0], value)
    return _compare(what, str(np.sum([_array(term) for term in terms], axis=0).tolist()), value, len(terms))


def _line(step: Step, label: str) -> str:
    """The first line whose label begins so; empty where there is none."""
    return next((text for name, text in step.lines if name.startswith(label)), "")


def _last(text: str) -> str:
    """What stands after the last equal sign."""
    return text.rpartition("=")[2].strip()


def _array(text: str) -> np.ndarray:
    return np.array(eval(re.sub(r"\b(nan|inf)\b", r"math.\1", text.replace("−", "-")), {"math": math}), dtype=float)


def _compare(what: str, text: str, value: np.ndarray, uncertainty: int = 1) -> list[str]:
    """No fault when the text reads as the value, to the digits shown: four decimals, three in a range."""
    value = np.asarray(value, dtype=float)
    try:
        if span := RANGE.match(text):
            good = np.allclose([float(span[1]), float(span[2])], [value.min(), value.max()], rtol=6e-3)
        elif text.startswith("all "):
            good = np.allclose(float(text.removeprefix("all ")), value, rtol=6e-3)
        else:
            shown = _array(text.partition(", shape")[0])
            good = np.allclose(shown, value, rtol=1e-4, atol=6e-5 * uncertainty, equal_nan=True)
    except (SyntaxError, NameError, ValueError, TypeError):
        good = False
    return [] if good else [f"{what} shows {text!r}, PyTorch has {value.tolist()}"]
