"""The text of the code that runs an op, written from its card.

From three templates come the function that learners call and the `run` methods of its Node class:
straight lines without loops or tests of what kind of op this is. The formulas and the forward are
called, not pasted, so breakpoints and tracebacks land in the card. `op.source(mul)` prints the text.
Read next: `op.py`, which compiles it.
"""

from __future__ import annotations

import textwrap
from typing import Any

FUNCTION = """
def {name}({signature}):
    try: {first}
    except AttributeError: return general(CARD, {arguments})
    {load}
    try: result_data{keeps} = FORWARD({values})
    except (ValueError, TypeError) as error: raise explained(CARD, error, ({values},)) from None
    {check}
    {make}
    if ({any_edge}) and (mode := grad_mode()):
        node = NODE()
        node.number = {number}
        {record}
        {attach}
        if mode is not True: mode.noticed(node, result)
    if watchers: tell(CARD, ({arguments},), {returned})
    return {returned}
"""

ONE_RESULT = """
result = new(Tensor)
result._data = result_data
result._counter = {counter}
result._edge_now = None
"""

TWO_OPERANDS = """
if isinstance({b}, Tensor):
    try: {b}_data, {b}_edge = {b}._data, {b}._edge_now
    except AttributeError: return general(CARD, {arguments})
    if type({a}_data) is type({b}_data) is not ndarray: fit = None
    elif {a}_data.dtype is {b}_data.dtype:
        fit = None if {a}_data.shape == {b}_data.shape else ({a}_data.shape, {b}_data.shape)
    else: return general(CARD, {arguments})
else:
    try: {b} = CONSTANTS[{a}_data.dtype if type({a}_data) is ndarray else type({a}_data)][{b}]
    except (LookupError, TypeError): return general(CARD, {arguments})
    {b}_data, {b}_edge, fit = {b}._data, None, None
"""

RUN = """
def {name}(node, grad):
    {body}
    return {returned}
"""


class Lines(list[str]):
    """Collects lines of code; `take` hands them over as text."""

    def __call__(self, *lines: str) -> None:
        self.extend(lines)

    def take(self) -> str:
        text = "\n".join(self)
        self.clear()
        return text


def fill(template: str, **parts: str) -> str:
    """Like str.format, but a part of several lines keeps the indentation of its place; empty ones vanish."""
    lines = []
    for line in template.strip().split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines.append(textwrap.indent(line.strip().format(**parts), indent))
    return "\n".join(line for line in lines if line.strip()) + "\n"


def write_function(card: Any) -> str:
    """The function that is called: raw values, forward, result, and the record of it."""
    tensors, lines = card.tensors, Lines()
    arguments = ", ".join(card.names)
    first = tensors[0]
    if card.listed:
        opening = f"{first}_data = [t._data for t in {first}]; {first}_edges = [t._edge_now for t in {first}]"
        lines(f"{first}_edge = next((e for e in {first}_edges if e is not None), None)")
        lines(f"if not plain_list({first}_data): return general(CARD, {arguments})")
    else:
        opening = f"{first}_data, {first}_edge = {first}._data, {first}._edge_now"
    if card.floats:
        untracked = " and ".join(f"{t}_edge is None" for t in (tensors[:1] if card.broadcasts else tensors))
        lines(f"if {untracked} and {first}_data.dtype.kind not in 'fc': return general(CARD, {arguments})")
    if card.view:
        lines(f"if type({first}_data) is not ndarray: {first}_data = {first}.array()")
    load_others(card, lines, arguments)
    load = lines.take()

    store_edges(card, lines)
    store_saved(card, lines)
    record = lines.take()
    several = card.several
    return fill(
        FUNCTION,
        name=card.forward.__name__,
        signature=card.signature,
        first=opening,
        arguments=arguments,
        load=load,
        keeps="".join(f", {k}" for k in card.keeps),
        values=", ".join(n + "_data" * (n in tensors) for n in card.names),
        check=f"if result_data is {first}_data: return {first}" if card.same_object else "",
        make="result = several_results(result_data, CARD, " + first + ")"
        if several
        else ONE_RESULT.strip().format(counter=f"share({first})" if card.view else "0")
        + (f"\nresult._view = view_of({first})\nknow(result)" if card.view is True else "")
        + "".join(f"\n{k}_result = bare({k})" for k in card.also),
        number="AT_ONCE" if card.node_name == "NotImplemented" else "next_number()",
        any_edge=" or ".join(f"{t}_edge is not None" for t in card.targets),
        record=record,
        attach="attach(node, result)" if several else "result._edge_now = node",
        returned="result" if not card.also else "(result, " + ", ".join(f"{k}_result" for k in card.also) + ")",
    )


def load_others(card: Any, lines: Lines, arguments: str) -> None:
    """Lines that take data and edge of every tensor input after the first."""
    tensors = card.tensors
    if card.broadcasts and len(tensors) == 2 and not card.free_dtype:
        lines(*TWO_OPERANDS.format(a=tensors[0], b=tensors[1], arguments=arguments).strip().split("\n"))
        return
    for t in tensors[1:]:
        if card.broadcasts and t not in card.optional:
            lines(f"if not isinstance({t}, Tensor): return general(CARD, {arguments})")
        pad = ""
        if t in card.optional:
            pad = "    "
            lines(f"if {t} is None: {t}_data = {t}_edge = None", "else:")
        lines(f"{pad}try: {t}_data, {t}_edge = {t}._data, {t}._edge_now")
        lines(f"{pad}except AttributeError: return general(CARD, {arguments})")
    if card.broadcasts:
        some = [t for t in tensors if t not in card.free_dtype]
        same = " and ".join(f"{some[0]}_data.dtype is {t}_data.dtype" for t in some[1:])
        if same:
            lines(f"if not ({same}): return general(CARD, {arguments})")
        shapes = ", ".join(f"{t}_data.shape" for t in tensors)
        equal = " == ".join(f"{t}_data.shape" for t in tensors)
        lines(f"fit = None if {equal} else ({shapes})")


def store_edges(card: Any, lines: Lines) -> None:
    """Lines that note where each gradient goes; a leaf itself stands for its AccumulateGrad."""
    if card.listed:
        first = card.tensors[0]
        lines(f"node.edges = tuple([t if e is LEAF else e for t, e in zip({first}, {first}_edges)])")
        return
    ends = [f"{t} if {t}_edge is LEAF else {t}_edge" for t in card.targets]
    if len(ends) <= 2:
        lines(*(f"node.next{i} = {end}" for i, end in enumerate(ends)))
    else:
        lines("node.edges = (" + ", ".join(ends) + ")")
    if card.broadcasts:
        lines("node.fit = fit")


def store_saved(card: Any, lines: Lines) -> None:
    """Lines that keep what the formulas name, each only if an input whose formula names it wants a gradient."""
    tensors = card.tensors
    for name in card.kept_names:
        users = card.saves.get(name, card.targets)
        # PyTorch saves what two formulas name in any case, and what one names only if that one will run
        guard = "" if len(users) != 1 or len(card.targets) == 1 else " or ".join(f"{t}_edge is not None" for t in users)
        if name == "result":
            lines("node.saved_result, node.counter_result, node.version_result = result_data, None, 0")
        elif name in tensors:
            tests = [f"{name} is not None"] * (name in card.optional) + [f"({guard})"] * bool(guard)
            test = f"if {' and '.join(tests)}: " if tests else ""
            lines(
                f"{test}node.saved_{name} = {name}; v = {name}._counter; "
                f"node.version_{name} = v if type(v) is int else v[0]"
            )
        else:
            lines(f"node.saved_{name} = {plain_value(card, name)}")


def plain_value(card: Any, name: str) -> str:
    """The expression for something saved that is no tensor: a fact of an input, an output, or an argument."""
    first, _, fact = name.rpartition("_")
    if first in card.tensors and fact in ("shape", "dtype", "strides"):
        if card.listed:
            return f"[d.{fact} for d in {first}_data]"
        return f"{first}_data.{fact}"
    if name in card.results:
        return f"result_data[{card.results.index(name)}]"
    return name


def write_run(card: Any, name: str, tensors: bool = False, free: bool = False) -> str:
    """A method of the Node: unpack what each formula names, check that it is what was saved, apply.

    `run` works on arrays and frees on the way, `run_keep` on arrays and keeps, `run_tensors` on
    Tensors and keeps: that is `create_graph=True`.
    """
    targets, lines = card.targets, Lines()
    freeable = [n for n in card.saves if n in (*card.tensors, "result")] if free else []
    wide = len(targets) > 2
    if wide:
        lines("edges = node.edges")
    if card.broadcasts:
        lines("fit = node.fit")
    edges = {t: f"edges[{i}]" if wide else f"node.next{i}" for i, t in enumerate(targets)}
    shared = [n for n, users in card.saves.items() if len(users) > 1]
    # what is unpacked before a shared result, which PyTorch unpacks last
    early = sorted(n for n in card.saves if n in card.tensors and n not in shared) if "result" in shared else []
    for n in early:
        lines(f"if {edges[card.saves[n][0]]} is not None:")
        unpack(card, n, tensors, lines, "    ")
    for n in sorted(shared, key=lambda n: (n == "result", n)):
        unpack(card, n, tensors, lines, "")
    for target in targets:
        pad = "" if len(targets) == 1 else "    "
        if pad:
            lines(f"grad_{target} = None", f"if {edges[target]} is not None:")
        values = ["grad"]
        # in PyTorch's order, since the first stale value is the one that an error names
        for n in sorted(card.needs[target], key=lambda n: (n == "result", n)):
            if len(card.saves[n]) == 1 and n not in early:
                unpack(card, n, tensors, lines, pad)
        # only now, for a value that turns out to be overwritten must leave the others as they were
        lines(*(pad + free_line(n) for n in card.needs[target] if n in freeable and len(card.saves[n]) == 1))
        for n in card.needs[target]:
            raw = n in card.tensors and not tensors
            if raw and n in card.optional:
                values.append(f"None if {n} is None else {n}._data")
            else:
                values.append(n + "._data" * raw)
        lines(f"{pad}grad_{target} = {'FORMULA' if tensors else 'ARRAYS'}_{target}({', '.join(values)})")
        if card.broadcasts:
            place, fit = card.tensors.index(target), "fitted" if tensors else "fitted_array"
            lines(f"{pad}if fit is not None: grad_{target} = {fit}(grad_{target}, fit[{place}])")
    lines(*(free_line(n) for n in freeable if len(card.saves[n]) > 1))
    grads = ", ".join(f"grad_{t}" for t in targets)
    returned = f"tuple(grad_{targets[0]})" if card.listed else f"({grads})" if wide else grads
    return fill(RUN, name=name, body=lines.take(), returned=returned)


def unpack(card: Any, n: str, tensors: bool, lines: Lines, pad: str) -> None:
    """Lines that bring a saved value back, with its check."""
    if n == "result":
        if tensors:
            lines(f"{pad}result = node.saved_output()")
        else:
            lines(f"{pad}result = node.saved_result")
            lines(f"{pad}if node.counter_result is not None: result = node.saved_output()._data")
    elif n in card.tensors:
        default = ", None" if n in card.optional else ""
        lines(f"{pad}{n} = getattr(node, 'saved_{n}'{default})" if default else f"{pad}{n} = node.saved_{n}")
        guard = f"{n} is not None and " if default else ""
        changed = f"(v := {n}._counter) is not node.version_{n} and (type(v) is int or v[0] != node.version_{n})"
        lines(f"{pad}if {guard}{changed}: {n} = stale(node, {n!r}, node.version_{n}, {n})")
    else:
        lines(f"{pad}{n} = node.saved_{n}")
        if tensors and n in card.results:
            lines(f"{pad}{n} = node.output({card.results.index(n)}, {n})")
        elif tensors and n in card.keeps:
            lines(f"{pad}{n} = as_tensor({n})")


def free_line(n: str) -> str:
    if n == "result":
        return "node.saved_result, node.counter_result = None, FREED"
    return f"node.saved_{n} = FREED"
