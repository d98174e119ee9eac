"""The frames of backward: a node fires, a leaf's `.grad` is filled, a gradient is returned, a step raises.

Read next: `phrases.py` for the words and formulas.
"""

from __future__ import annotations

from dataclasses import replace

from autograd_lab.view import beliefs, phrases
from autograd_lab.view.cells import cell_rule
from autograd_lab.view.film import ERROR, FREED, SKIPPED, UNKNOWN, Film, Frame, listed, math_line, text_line
from autograd_lab.view.formula import mathml, plain
from autograd_lab.view.phrases import chain, sum_of
from autograd_lab.view.steps import BackwardStep, SentGrad
from autograd_lab.view.symbols import boxed, shown, token, written

LOCAL = f"{UNKNOWN} How fast does this op's result change when this input changes a little?"
SUM = f"{UNKNOWN} Add what arrives along each way, and what .grad held before."
CHANGING = ("tensor hook", "node prehook", "node hook")  # hooks that may replace a gradient


def fires(film: Film, back: BackwardStep) -> None:
    """A node fires: incoming gradient times local derivative, for each of its inputs."""
    frame = arrival(film, back, "fires")
    op, box = film.op_keys[back.node], film.symbols.boxes[back.node]
    if box is not None and "retain_grad" in film.picture.by_key[box].tags:
        frame["set"][f"{box}.grad"] = token(film.veil.grads.get(back.node, ""), boxed(back.incoming))
    film.cells(frame, box, "arrived", back.incoming, film.veil.grads.get(back.node, ""))
    if back.wanted:
        is_wanted(film, frame, back)
    for sent in back.sent:
        send(film, frame, back, sent)
    for number in back.unsent:
        edge = film.picture.edge_into(op, number) if op is not None and film.is_op(op) else None
        if edge is not None:
            frame["mark"][edge.backward_id] = SKIPPED
    untracked(film, frame, back)
    if back.frees:
        step = film.forward_of[back.node]
        frame["freed"] = [phrases.kept_text(kept, film.symbols) for kept in step.keeps]
        frame["lines"].append(text_line("used, then freed", ", ".join(frame["freed"])))
        saved_box = next((n.key for n in film.picture.nodes if n.kind == "saved" and n.of == op), None)
        if saved_box is not None:
            frame["mark"][saved_box] = FREED
    film.note_awaits(frame)


def arrival(film: Film, back: BackwardStep, verb: str) -> Frame:
    """The frame of a node whose gradient is complete."""
    title, made = film.tape.names[back.node], film.symbols.names[back.node]
    frame = film.new("backward", "backward", f"Backward: {title} {verb}", title, film.tape.order)
    op = film.op_keys[back.node]
    incoming = film.incoming(frame, back)
    frame["say"] = f"{title} gets d{film.symbols.root}/d{made} = {incoming}."
    film.activate(frame, op)
    out = film.picture.edge_out(op) if op is not None else None
    if out is not None:
        film.activate_edge(frame, out.backward_id)
    hooks(film, frame, back)
    return frame


def send(film: Film, frame: Frame, back: BackwardStep, sent: SentGrad) -> None:
    """What a firing node sends to one of its inputs: lines, question, texts on the drawing."""
    step, target = film.forward_of[back.node], film.symbols.names[sent.target]
    if sent.value is None:
        frame["lines"].append(text_line(f"to {target}", "no gradient"))
        frame["told"].append(f"no gradient to {target}")
        frame["say"] += f" {target} gets no gradient from it."
        return
    alone = film.uses[sent.target] == 1
    so_far = len(film.came.get(sent.target, ())) + 1
    count = "" if alone else f", {so_far} of {film.uses[sent.target]}"
    ask = slope = ""
    if film.predict == "all" and sent.local is not None:
        prompt = f"local derivative d{film.symbols.names[back.node]}/d{target} ="
        slope = film.ask(frame, prompt, sent.local, beliefs.wrong_locals(film.known, step, sent), LOCAL)
        film.veil.locals[back.node, sent.number] = slope
    if film.predict != "none":
        wanted = f"d{film.symbols.root}/d{target}"
        prompt = f"{wanted} =" if alone else f"part{count[1:]} of {wanted} ="
        wrong = beliefs.wrong_sent(film.known, back, sent, film.uses[sent.target])
        ask = film.ask(frame, prompt, sent.value, wrong)
        film.veil.parts[back.node, sent.number] = ask
        film.veil.grads[sent.target] = ask or film.veil.grads.get(sent.target, "")
    local = phrases.local_parts(step, sent, film.symbols, film.veil)
    if local[0]:
        line = math_line("local derivative", *local, slope)
        if slope:  # the factor with names may be the answer itself: x * 3
            line["brief"] = mathml(chain([local[0][0], local[1][-1]]))
        frame["lines"].append(line)
    named, counted = phrases.product_parts(back, step, sent, film.symbols, film.veil, alone, ask)
    product = chain([*named, *counted])
    frame["lines"].append(math_line(f"to {target}{count}", named, counted, ask))
    frame["told"].append(plain(product) if alone else f"to {target}{count}: {plain(product)}")
    if back.incoming is not None and (sent.value.shape or back.incoming.shape):
        frame["lines"].append(text_line("shapes", f"{tuple(back.incoming.shape)} → {tuple(sent.value.shape)}"))
    if sent.summed is not None:
        shapes = f"{target} {sent.value.shape} was broadcast to {sent.summed}: the product is summed back"
        frame["lines"].append(text_line("broadcast", shapes))
    op = film.op_keys[back.node]
    edge = film.picture.edge_into(op, sent.number) if op is not None and film.is_op(op) else None
    if edge is not None:
        film.activate_edge(frame, edge.backward_id)
        frame["set"][f"{edge.backward_id}.grad"] = token(ask, boxed(sent.value))
        if edge.local is not None:
            frame["set"][f"{edge.forward_id}.local"] = f"local {token(slope, edge.local)}"
    times = f" Times the local derivative {token(slope, written(sent.local))} it" if written(sent.local) else " It"
    frame["say"] += f"{times} sends {token(ask, shown(sent.value))} to {target}."
    film.arrives(frame, back, sent, ask)
    if not alone and so_far < film.uses[sent.target]:
        rest = film.uses[sent.target] - so_far
        frame["say"] += f" {target} still waits for {rest} more."
    flow(film, frame, back, sent, ask, plain(chain(named)), edge.backward_id if edge is not None else None)


def flow(film: Film, frame: Frame, back: BackwardStep, sent: SentGrad, ask: str, rule: str, edge: str | None) -> None:
    """The same as data: from where, to where, by which rule, and how one cell of it is made."""
    step, target = film.forward_of[back.node], film.symbols.names[sent.target]
    below = f"d{film.symbols.names[back.node]}/d{target}"
    local = film.keep(frame, "local", below, sent.local, film.veil.locals.get((back.node, sent.number), ""))
    value = film.keep(frame, "sent", f"d{film.symbols.root}/d{target}", sent.value, ask)
    places = {"grad": film.store.put(back.incoming)}
    for operand in step.operands:
        if operand.value is not None and operand.value.values is not None:
            places[operand.name] = film.store.put(operand.value)
    assert sent.value is not None
    frame["flow"].append(
        {
            "to": target,
            "key": film.key_of(sent.target),
            "from": film.op_keys[back.node],
            "edge": edge,
            "input": sent.number,
            "argument": sent.name,
            "rule": rule,
            "incoming": places["grad"],
            "local": local,
            "value": value,
            "ask": ask,
            "shape": list(sent.value.shape),
            "summed": None if sent.summed is None else list(sent.summed),
            "cell": cell_rule(film.tape.names[back.node], sent.name, places, local),
        }
    )


def untracked(film: Film, frame: Frame, back: BackwardStep) -> None:
    """Inputs that get nothing: because nobody asked for their gradient, or because this walk does not go there."""
    step = film.forward_of[back.node]
    names = [
        film.symbols.operand(operand)
        for operand in step.operands
        if operand.source is None and operand.value is not None and not operand.text
    ]
    if names:
        frame["lines"].append(text_line("no gradient", f"{listed(names)}: not tracked"))
    if back.unsent:
        frame["lines"].append(text_line("left out", f"{len(back.unsent)} input(s) that lead to none of inputs="))


def hooks(film: Film, frame: Frame, back: BackwardStep) -> None:
    """Say which hooks wait here. A walk that only looks calls none."""
    for hook in back.hooks:
        frame["hooks"].append({"kind": hook.kind, "name": hook.name})
        if hook.kind == "retain_grad":
            text = f"{film.symbols.names[back.node]}.grad is kept too (retain_grad)"
        else:
            change = ", and could change this gradient" if hook.kind in CHANGING else ""
            text = (
                f"{hook.name or 'a function'} would be called here{change}; this walk only looks and does not call it"
            )
        frame["lines"].append(text_line(hook.kind, text))


def is_wanted(film: Film, frame: Frame, back: BackwardStep) -> None:
    """This gradient is one that `inputs=` asked for."""
    name = film.symbols.names[back.node]
    value = token(film.veil.grads.get(back.node, ""), shown(back.incoming))
    frame["lines"].append(text_line("returned", f"autograd.grad returns {value} for {name}"))
    frame["told"].append(f"returned for {name}: {value}")
    frame["say"] += f" It is asked for: autograd.grad returns {value} for {name}."
    box = film.symbols.boxes[back.node]
    if box is not None and film.picture.by_key[box].kind == "result":
        ask = film.veil.grads.get(back.node, "")
        frame["set"][f"{box}.grad"] = f"→ {token(ask, boxed(back.incoming))}"


def returned(film: Film, back: BackwardStep) -> None:
    """The walk ends here: the gradient is returned, and no `.grad` is written."""
    title, name = film.tape.names[back.node], film.symbols.names[back.node]
    frame = film.new("returned", "backward", f"Backward: the gradient of {name} is returned", title, film.tape.order)
    incoming = film.incoming(frame, back)
    frame["say"] = f"d{film.symbols.root}/d{name} = {incoming} is complete."
    is_wanted(film, frame, back)
    end, box = film.op_keys[back.node], film.symbols.boxes[back.node]
    film.activate(frame, box, end)
    if end is not None and end != box and film.picture.by_key[end].kind == "accumulate":
        ask = film.veil.grads.get(back.node, "")
        frame["set"][f"{end}.value"] = f"→ {token(ask, boxed(back.incoming))}"
    hooks(film, frame, back)
    film.note_awaits(frame)


def accumulated(film: Film, back: BackwardStep) -> None:
    """A leaf's gradients are summed and added to its `.grad`."""
    leaf, title, several = back.leaf, film.symbols.names[back.node], len(back.arrived)
    assert leaf is not None
    frame = film.new("accumulate", "backward", f"Backward: {title}.grad is filled", "AccumulateGrad", film.tape.order)
    ask = film.veil.grads.get(back.node, "")
    if film.predict != "none" and (several > 1 or leaf.before is not None):
        ask = film.ask(frame, f"{title}.grad =", leaf.after, beliefs.wrong_grads(film.known, back), SUM) or ask
    incoming = film.incoming(frame, back, ask if several > 1 else film.veil.grads.get(back.node, ""))
    added = plain(sum_of(back, film.veil))
    after = token(ask, shown(leaf.after))
    now = " = ".join(part for part in (f"{title}.grad", added, after) if part)
    frame["told"].append(now)
    frame["lines"].append(text_line(".grad before", "None" if leaf.before is None else shown(leaf.before)))
    line = text_line(".grad now", now)
    if ask and added:
        line |= {"ask": ask, "brief": text_line("", f"{title}.grad = {after}")["math"]}
    frame["lines"].append(line)
    uses = f", used {several} times" if several > 1 else ""
    kept = "" if leaf.before is None else f" to the {shown(leaf.before)} already there"
    frame["say"] = f"{title} is a leaf{uses}: {incoming} is added{kept}. {title}.grad is now {after}."
    end, box = film.op_keys[back.node], film.symbols.boxes[back.node]
    film.activate(frame, box, end)
    if box is not None:
        frame["set"][f"{box}.grad"] = token(ask, boxed(leaf.after))
    film.cells(frame, box, "grad", leaf.after, ask)
    if end is not None and end != box:
        sum_ = plain(sum_of(replace(back, leaf=None), film.veil))
        parts = sum_ or token(film.veil.grads.get(back.node, ""), boxed(back.incoming))
        frame["set"][f"{end}.value"] = f"+= {parts}"
    film.keep(frame, "before", f"{title}.grad before", leaf.before)
    film.keep(frame, "after", f"{title}.grad", leaf.after, ask)
    hooks(film, frame, back)
    film.note_awaits(frame)


def failed(film: Film, back: BackwardStep) -> None:
    """A step raises: the walk ends here, with PyTorch's text."""
    error = back.error
    assert error is not None
    frame = arrival(film, back, f"raises {error.kind}")
    frame["kind"] = "error"
    frame["error"] = {"type": error.kind, "text": error.text, "notes": list(error.notes)}
    frame["say"] += f" Its formula raises {error.kind}: {error.text}"
    frame["told"].append(f"{error.kind}: {error.text}")
    frame["lines"].append(text_line(error.kind, error.text))
    frame["lines"] += [text_line("what to do", note) for note in error.notes]
    for kept in film.forward_of[back.node].keeps if back.node in film.forward_of else ():
        if kept.about.state:
            frame["lines"].append(text_line("saved for backward", phrases.kept_text(kept, film.symbols)))
    key = film.op_keys[back.node]
    if key is not None:
        frame["mark"][key] = ERROR
    film.note_awaits(frame)
