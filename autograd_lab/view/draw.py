"""`draw_graph(loss)`: the drawing of a result's graph, in a cell, in a terminal, or in a file.

Says what is wrong with what it was given, reads the graph into a picture (`read_graph`), and marks what comparison,
heat and questions ask for. Read next: `drawing.py`, which draws the picture.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from autograd_lab.view.drawing import GraphDrawing
from autograd_lab.view.modules import is_module, tensors_in
from autograd_lab.view.names import Names, caller_names, given_names, is_tensor
from autograd_lab.view.palette import THEMES
from autograd_lab.view.parts import LEAF_KINDS, SHOWN, Picture
from autograd_lab.view.picture import read_graph
from autograd_lab.view.reading import LABELLED
from autograd_lab.view.recording import record
from autograd_lab.view.render import check_engine
from autograd_lab.view.wanted import Wanted, wanted

EXPLAINED = 300  # boxes: in larger drawings no sentence waits for a click


def draw_graph(
    outputs_or_module: Any,
    *inputs: Any,
    params: Mapping[str, Any] | None = None,
    view: str = "both",
    rankdir: str = "LR",
    show: Iterable[str] = SHOWN,
    show_saved: bool = False,
    show_local_grads: bool = True,
    modules: bool = True,
    max_depth: int | None = None,
    collapse: Iterable[str] = (),
    roll: str | bool = "auto",
    max_nodes: int = 300,
    heat: Any = None,
    diff: Any = None,
    theme: str = "auto",
    engine: str = "auto",
) -> GraphDrawing:
    """Draw how a result was computed, and the way its gradients will take.

    The first argument is a tensor or several, of ours or of PyTorch; or a module, which is called with `inputs` and
    drawn with a frame around each of its parts. Names are those of your variables; `params` may give others, as
    {"name": tensor}. `view` is "both", "forward" or "backward", `rankdir` "LR" or "TB"; `show` says what stands in
    the boxes. `show_saved` adds what each operation keeps for backward, `show_local_grads=False` leaves the
    derivatives out. `modules=False` draws no frames, `max_depth` and `collapse` (attribute paths or types) draw
    modules as one box. `roll` folds repeated steps: always, never, or "auto", when there are more than `max_nodes`
    operations. `heat="grad"` shows the sizes of gradients, `diff=old` marks what is new, gone or changed.
    `theme` is "auto" (as the page), "light" or "dark". `engine` is how boxes are placed: "auto" tries graphviz-pure,
    dot, pygraphviz and our own "layered", and never fails.

    Raises TypeError for what is no tensor, ValueError for a tensor without a graph and for unknown options.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(2.0, requires_grad=True)
    >>> loss = x * x
    >>> drawing = draw_graph(loss)
    >>> print(drawing.text())
    graph of loss: 1 operation, 1 leaf
    node  name  op            shape  value  grad      inputs
    n0    x     leaf          ()     2      None
    n2    loss  MulBackward0  ()     4      not kept  x, x
    """
    if theme not in THEMES:
        raise ValueError(f"There is no theme {theme!r}. Use one of {', '.join(map(repr, THEMES))}.")
    check_engine(engine)
    options = wanted(
        view=view,
        rankdir=rankdir,
        show=show,
        show_saved=show_saved,
        show_local_grads=show_local_grads,
        modules=modules,
        max_depth=max_depth,
        collapse=collapse,
        roll=roll,
        max_nodes=max_nodes,
    )
    names = names_for(params, sys._getframe(1))
    outputs = outputs_or_module
    if is_module(outputs):
        outputs = call_of(outputs, inputs, names)
    elif inputs:
        raise TypeError(
            "draw_graph takes inputs only after a module: draw_graph(model, x). "
            "To draw several results, pass them as a list."
        )
    check_outputs(outputs, names)
    picture = read_graph(outputs, names, options=options)
    if small_and_walked(picture, outputs):
        from autograd_lab.view.sums import with_sums

        picture = with_sums(picture, outputs, names)
    if diff is not None:
        from autograd_lab.view.diff import compared

        picture = compared(old_picture(diff, names, options), picture)
    if heat is not None and heat is not False:
        from autograd_lab.view.heat import heated

        picture = heated(picture, outputs, heat)
    if len(picture.nodes) <= EXPLAINED:
        from autograd_lab.view.reason import explained

        picture = explained(picture, outputs, names)
    return GraphDrawing(with_advice(picture.without_places()), theme=theme, engine=engine)


def call_of(model: Any, inputs: tuple[Any, ...], names: Names) -> list[Any]:
    """What the model returns for these inputs, and what each part made. Parameters get their attribute paths."""
    for name, parameter in model.named_parameters():
        names.by_id[id(parameter)] = name
        names.add(name, parameter)
    for i, tensor in enumerate(inputs):
        if is_tensor(tensor):
            names.add("input" if len(inputs) == 1 else f"inputs[{i}]", tensor)
    with record():
        result = model(*inputs)
    outputs = [tensor for tensor in tensors_in(result) if tensor.requires_grad]
    if not outputs:
        raise ValueError(
            f"What {type(model).__name__} returned has no graph: none of its parameters and inputs has "
            "requires_grad=True, or its forward cuts the graph (detach(), no_grad(), item())."
        )
    for i, tensor in enumerate(outputs):
        names.add("output" if len(outputs) == 1 else f"outputs[{i}]", tensor)
    return outputs


def small_and_walked(picture: Picture, outputs: Any) -> bool:
    """Whether the edges carry texts and a leaf has its `.grad`, so that the drawing can say how it was added up."""
    walked = any(node.kind in LEAF_KINDS and node.grad not in (None, "None") for node in picture.nodes)
    operations = sum(node.kind == "op" for node in picture.nodes)
    return is_tensor(outputs) and walked and operations <= LABELLED and not any(n.kind == "fold" for n in picture.nodes)


def old_picture(old: Any, names: Names, options: Wanted) -> Picture:
    """The picture of what one compares with: a drawing, a picture, or results."""
    if isinstance(old, GraphDrawing):
        return old.picture
    if isinstance(old, Picture):
        return old
    check_outputs(old, names, "draw_graph(diff=...)")
    return read_graph(old, names, options=options)


def with_advice(picture: Picture) -> Picture:
    """The picture, saying how to see what was not recorded."""
    if any(note.endswith("not recorded.") for note in picture.notes):
        return replace(picture, notes=(*picture.notes, "Compute inside `with record():` to see them."))
    return picture


def names_for(names: Mapping[str, Any] | None, frame: Any) -> Names:
    """Given names first, then those of the variables in `frame`."""
    found = Names(given_names(names))
    for name, tensor in caller_names(frame):
        found.add(name, tensor)
    return found


def check_outputs(outputs: Any, names: Names | None = None, function: str = "draw_graph") -> None:
    """Say what is wrong with something that has no graph to draw."""
    several = outputs if isinstance(outputs, tuple | list) else (outputs,)
    if not several:
        raise ValueError(f"{function} got an empty {type(outputs).__name__}: pass at least one tensor.")
    for output in several:
        if not is_tensor(output):
            number = isinstance(output, int | float)
            what = f"the number {output!r}" if number else f"a {type(output).__name__}"
            raise TypeError(
                f"{function} needs a tensor that was computed from others, but got {what}, "
                "which has no graph. Make the input a leaf, x = torch.tensor(3.0, requires_grad=True), "
                "compute with it, and pass the result."
            )
        if not output.requires_grad:
            name = names.of(output) if names else ""
            which = f"The tensor {name!r}" if name else "This tensor"
            raise ValueError(
                f"{which} has no graph: nothing it was computed from "
                "has requires_grad=True, or the graph was cut (detach(), no_grad(), item()). "
                "Create a leaf with requires_grad=True, compute from it, and draw the result."
            )
