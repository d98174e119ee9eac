"""From tape and picture to frames: what each step shows, as plain data that JSON can carry.

A frame says which boxes and edges are active, which texts of the drawing change, what is said, and what is
asked; besides, as data: `tensors` (places in the `store` of the first frame), `flow` (what is sent where, and how a
cell of it is made), `ledger` and `awaits` (fan-outs), `saved` and `freed`, `hooks`, `pruned`, `error`, `order`. The
state on screen at frame i is the sum of frames 0 to i, so the browser can walk both ways without asking anyone. Read
next: `backward_frames.py`, then `stepper.js`.
"""

from __future__ import annotations

from autograd_lab.view import beliefs, phrases
from autograd_lab.view.backward_frames import accumulated, failed, fires, returned
from autograd_lab.view.film import AHEAD, SKIPPED, UNKNOWN, Film, Frame, halves, is_start, listed, math_line, text_line
from autograd_lab.view.formula import value_of
from autograd_lab.view.parts import Picture
from autograd_lab.view.steps import ForwardStep, Tape
from autograd_lab.view.symbols import boxed, shown

PREDICT = ("none", "gradients", "all")
OP = f"{UNKNOWN} Do the op with the numbers that go into it."


def frames_of(tape: Tape, picture: Picture, predict: str = "none") -> list[Frame]:
    """One frame for the start, one per op, one for the turn, one per step of backward.

    `predict` says which numbers are asked for before they are shown: "none", "gradients" (what each
    step of backward sends on, and sums in a leaf's `.grad`) or "all" (values of the forward pass and local
    derivatives too).

    >>> import autograd_lab as torch
    >>> from autograd_lab.view.picture import read_graph
    >>> from autograd_lab.view.tape import tape_of
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> y = x * 3
    >>> [frame["kind"] for frame in frames_of(tape_of(y), read_graph(y))]
    ['start', 'forward', 'turn', 'backward', 'accumulate']
    """
    film = Film(tape, picture, predict)
    begin(film)
    recorded = False
    for step in tape.forward:
        if step.order > 1 and not recorded and tape.first is not None:
            turn_and_record(film, tape.first)
            recorded = True
        forward(film, step)
    turn(film)
    for back in tape.backward:
        if back.error is not None:
            failed(film, back)
        elif back.leaf is not None:
            accumulated(film, back)
        elif back.wanted and not back.sent:
            returned(film, back)
        else:
            fires(film, back)
    film.frames[0]["store"] = film.store.entries
    return film.frames


def begin(film: Film) -> None:
    """Leaves are known; nothing is computed yet."""
    frame = film.new("start", "forward", "Before the forward pass")
    known = [(film.symbols.names[i], value) for i, value in enumerate(film.tape.leaves) if value is not None]
    verb = "is" if len(known) == 1 else "are"
    frame["say"] = f"{listed([title for title, _ in known])} {verb} known. Nothing else is computed yet."
    frame["lines"] += [text_line("leaf", f"{title} = {shown(value)}") for title, value in known]
    for title, value in known:
        film.keep(frame, "leaf", title, value)
    for node in film.picture.nodes:
        if node.kind in ("op", "result", "fold", "accumulate"):
            frame["mark"][node.key] = AHEAD
        if node.value is not None and node.kind in ("op", "result"):
            frame["set"][f"{node.key}.value"] = "—"
    for edge in film.picture.edges:
        frame["mark"][edge.forward_id] = frame["mark"][edge.backward_id] = AHEAD
        frame["set"][f"{edge.forward_id}.local"] = frame["set"][f"{edge.backward_id}.grad"] = ""
    given = [(film.symbols.boxes[i], value) for i, value in enumerate(film.tape.leaves)]
    constants = (o for step in film.tape.forward for o in step.operands if o.source is None and o.tensor_id)
    given += [(film.picture.places.keys.get(o.tensor_id), o.value) for o in constants]
    for box, value in given:
        if box is not None and value is not None and film.picture.by_key[box].value is not None:
            frame["set"][f"{box}.value"] = boxed(value)
            film.cells(frame, box, "value", value)


def forward(film: Film, step: ForwardStep) -> None:
    """An op computes its value, and a node of the graph remembers it."""
    made, title = film.symbols.names[step.node], film.tape.names[step.node]
    if step.order > 1:
        frame = film.new("recorded", "backward", f"Backward, recorded: {made}, remembered as {title}", title, 2)
    else:
        frame = film.new("forward", "forward", f"Forward: {made}, remembered as {title}", title)
    if film.predict == "all":
        prompt = f"{made} = {phrases.operation_of(step, film.symbols)} ="
        film.veil.values[step.node] = film.ask(frame, prompt, step.result, beliefs.wrong_values(film.known, step), OP)
    named, counted = phrases.forward_parts(step, film.symbols, film.veil)
    formula = " = ".join([*named, *counted])
    change = f"{made} is changed in place: it becomes" if step.in_place else f"{made} becomes"
    value = film.veil.value(step.node, shown(step.result))
    frame["say"] = f"{change} {value}, and {title} joins the graph."
    if step.made_by is not None:
        frame["say"] = f"The formula of {film.tape.names[step.made_by]} computes an op: {frame['say']}"
    elif step.order > 1:
        frame["say"] = f"Contributions are summed, as an op: {frame['say']}"
    if step.gives is not None and film.tape.first is not None:
        first, of = film.symbols.names[film.tape.first], film.symbols.names[step.gives]
        frame["say"] += f" {made} is d{first}/d{of}."
        frame["lines"].append(text_line("this is", f"d{first}/d{of}"))
    frame["told"].append(formula)
    frame["lines"].append(
        {**text_line("value", formula), **halves(named, counted, film.veil.values.get(step.node, ""))}
    )
    if sizes := phrases.shapes_line(step):
        frame["lines"].append(text_line("shapes", sizes))
    if step.keeps:
        frame["lines"].append(text_line("saved for backward", phrases.keeps_line(step, film.symbols)))
    for kept in step.keeps:
        name = film.symbols.names[kept.of] if kept.of is not None else ""
        about = {"name": kept.about.name, "of": name, "version": kept.about.version, "now": kept.about.now}
        frame["saved"].append({**about, "state": kept.about.state, "text": phrases.kept_text(kept, film.symbols)})
    if step.line:
        frame["lines"].append(text_line("your line", step.line))
    for operand in step.operands:
        film.keep(frame, "operand", film.symbols.operand(operand), operand.value)
    film.keep(frame, "value", made, step.result, film.veil.values.get(step.node, ""))
    op, box = film.op_keys[step.node], film.symbols.boxes[step.node]
    film.activate(frame, op, box)
    for edge in film.picture.edges if film.is_op(op) else ():
        if op in (edge.source, edge.target):
            film.activate_edge(frame, edge.forward_id)
    if box is not None:
        frame["set"][f"{box}.value"] = film.veil.value(step.node, boxed(step.result))
    film.cells(frame, box, "value", step.result, film.veil.values.get(step.node, ""))


def turn(film: Film) -> None:
    """Backward begins at the result, with the number 1; what `inputs=` leaves out is said."""
    root, node, order = film.symbols.root, film.tape.root, film.tape.order
    again = " again" if order > 1 else ""
    frame = film.new("turn", "backward", f"Backward begins{again} at {root}", order=order)
    first = next((back for back in film.tape.backward if back.node == node and is_start(back)), None)
    start = first.arrived[0].value if first else None
    frame["say"] = f"Now backward{again}. It starts at the result: d{root}/d{root} = {shown(start)}."
    frame["told"].append(f"d{root}/d{root} = {shown(start)}")
    frame["lines"].append(math_line("start", [film.symbols.slope(node)], [value_of(shown(start))]))
    film.keep(frame, "incoming", f"d{root}/d{root}", start)
    film.activate(frame, film.symbols.boxes[node])
    if film.tape.inputs is not None:
        prune(film, frame)


def prune(film: Film, frame: Frame) -> None:
    """Say and mark what a walk towards `inputs=` does not visit."""
    wanted = listed([film.symbols.names[i] for i in film.tape.inputs or ()])
    frame["say"] += f" Only the ways to {wanted} are walked, and nothing is added to a .grad."
    for i in film.tape.pruned:
        name = film.symbols.names[i]
        keys = dict.fromkeys(key for key in (film.op_keys[i], film.symbols.boxes[i]) if key is not None)
        frame["pruned"].append({"name": name, "node": film.tape.names[i], "keys": list(keys)})
        frame["mark"].update(dict.fromkeys(keys, SKIPPED))
    if frame["pruned"]:
        frame["lines"].append(text_line("left out", listed([entry["name"] for entry in frame["pruned"]])))


def turn_and_record(film: Film, first: int) -> None:
    """The first backward begins, and its formulas run as ops, with nodes of their own."""
    name = film.symbols.names[first]
    frame = film.new("turn", "backward", f"Backward begins at {name}, and is recorded", order=1)
    frame["say"] = (
        f"Now backward from {name}, with create_graph=True: each formula runs as ops, "
        "so the gradients have a graph of their own."
    )
    frame["told"].append(f"d{name}/d{name} = 1, recorded (create_graph=True)")
    film.activate(frame, film.symbols.boxes[first])
