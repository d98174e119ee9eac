"""The graph behind an error: which op failed, drawn with what it got.

An error of the engine names its nodes (`error.nodes`); for an op that failed before it left a node, the tensors are
found among the arguments in the traceback's frames. Knows our tensors and PyTorch's. Installed by `hook.py`; read
next: `nearby.py`, which marks the box.
"""

from __future__ import annotations

import ast
import linecache
import os
import sys
import textwrap
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

from autograd_lab.op import CARDS
from autograd_lab.view.drawing import GraphDrawing, drawing_of
from autograd_lab.view.facts import tensor_facts
from autograd_lab.view.names import Names, caller_names, is_tensor
from autograd_lab.view.nearby import around, marked_failed, with_failure
from autograd_lab.view.parts import Picture, PictureNode
from autograd_lab.view.picture import read_graph
from autograd_lab.view.reach import saved_by
from autograd_lab.view.texts import clean
from autograd_lab.view.walk import is_leaf_end, visit

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
SILENT = tuple(PACKAGE + room + os.sep for room in ("view", "grading", "course", "lab"))  # they explain themselves
OUR_CODE = ("<card ",)  # code written for a card
PYTORCH_BACKWARD = os.path.join("torch", "autograd", "__init__.py")
STARTS = {"backward": "tensors", "grad": "outputs"}  # its functions, and what they start from
LARGEST_MESSAGE = 300
GUARDS, IN_PLACE = ("check_writable",), "write"  # of `inplace.py`: what asks before a write, and the write
NOT_OURS = (AttributeError, NameError, ImportError, SyntaxError, KeyError, OSError)


def drawing_of_error(error: BaseException) -> GraphDrawing | None:
    """The drawing for an error that was raised in a forward or backward pass; None for any other error.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> try:
    ...     x + torch.tensor([1.0, 2.0])
    ... except RuntimeError as error:
    ...     drawing = drawing_of_error(error)
    >>> [(node.name, node.tags) for node in drawing.picture.nodes if node.failed]
    [('add', ('failed here',))]
    """
    picture = picture_of_error(error)
    return None if picture is None else drawing_of(picture)


def picture_of_error(error: BaseException) -> Picture | None:
    """The same as a picture."""
    frames = list(frames_of(error.__traceback__))
    if not frames or any(f.f_code.co_filename.startswith(SILENT) for f, _ in frames):
        return None
    names = Names(pair for frame, _ in reversed(frames) if not library(frame) for pair in caller_names(frame))
    says = f"{type(error).__name__}: {clean(error, LARGEST_MESSAGE)}"
    roots = backward_roots(frames)
    if roots:
        return failed_backward(roots, getattr(error, "nodes", ()), names, says)
    if isinstance(error, NOT_OURS):
        return None
    found = failing_call(frames)
    return failed_forward(*found, names, says) if found else None


def frames_of(traceback: TracebackType | None) -> Iterator[tuple[FrameType, TracebackType]]:
    """Frame and traceback entry of each call, the outermost first."""
    while traceback is not None:
        yield traceback.tb_frame, traceback
        traceback = traceback.tb_next


def library(frame: FrameType) -> bool:
    """Whether a frame is inside our package or PyTorch, not in the learner's code."""
    name = frame.f_code.co_filename
    return name.startswith((PACKAGE, *OUR_CODE)) or f"{os.sep}torch{os.sep}" in name


# Backward


def backward_roots(frames: list[tuple[FrameType, Any]]) -> list[Any]:
    """The tensors that backward() started from, if the error was raised inside it."""
    for frame, _ in frames:
        code, variables = frame.f_code, frame.f_locals
        if not library(frame):
            continue
        if code.co_name == "run_backward":
            return [t for t in variables["roots"] if is_tensor(t)]
        if code.co_name in STARTS and code.co_filename.endswith(PYTORCH_BACKWARD):
            given = variables.get(STARTS[code.co_name])
            return [t for t in (given if isinstance(given, list | tuple) else (given,)) if is_tensor(t)]
    return []


def failed_backward(roots: list[Any], nodes: Any, names: Names, says: str) -> Picture:
    """The graph of the roots, with the node that failed marked; a root itself if backward could not start."""
    tracked = [root for root in roots if root.requires_grad]
    if len(tracked) < len(roots):
        return with_untracked(tracked, [root for root in roots if not root.requires_grad], names, says)
    picture = read_graph(tuple(roots), names)
    node = next(iter(nodes), None) or first_spoiled(roots, "overwritten" if "inplace operation" in says else "freed")
    key = (picture.places.keys.get(id(node)) if node is not None else None) or picture.roots[0]
    return around(marked_failed(picture, key, says), key)


def first_spoiled(roots: list[Any], spoiled: str) -> Any:
    """The first node on the way back whose saved values are freed, or overwritten: PyTorch's errors name none."""
    for node in reversed(visit(roots)):
        if not is_leaf_end(node) and saved_by(node)[1] == spoiled:
            return node
    return None


def with_untracked(tracked: list[Any], untracked: list[Any], names: Names, says: str) -> Picture:
    """backward() on a tensor without a graph: the tensor alone says it."""
    picture = read_graph(tuple(tracked), names) if tracked else Picture((), (), ())
    for tensor in untracked:
        picture, key = with_tensor(picture, tensor, names)
        picture = marked_failed(picture, key, says)
    return Picture(picture.nodes, picture.edges, picture.roots or (picture.nodes[-1].key,), picture.notes)


def with_tensor(picture: Picture, tensor: Any, names: Names) -> tuple[Picture, str]:
    """The picture with a box for a tensor that no graph holds, and the key of that box."""
    key = f"n{1 + max((int(node.key[1:]) for node in picture.nodes), default=-1)}"
    facts = tensor_facts(tensor).as_fields()
    box = PictureNode(key, "frozen", name=clean(names.of(tensor)), tags=("no grad",), **facts)
    return Picture((*picture.nodes, box), picture.edges, picture.roots, picture.notes, places=picture.places), key


# Forward


def failing_call(frames: list[tuple[FrameType, TracebackType]]) -> tuple[str, list[tuple[str, Any]]] | None:
    """Name and tensor arguments of the op that raised: a card of ours, a function of ours, or a call of PyTorch."""
    cards = [frame for frame, _ in frames if frame.f_code.co_filename.startswith(OUR_CODE)]
    if cards:
        name = cards[-1].f_code.co_name
        return CARDS[name].name if name in CARDS else name, arguments_of(cards[-1])
    for frame, entry in reversed(frames):
        if frame.f_code.co_filename.startswith(PACKAGE):
            found = arguments_of(frame)
            if found and frame.f_code.co_name not in GUARDS:
                return called_as(frame), found
        elif "torch" in sys.modules and (found := arguments_of_expression(frame, entry)):
            return found
        elif not library(frame):
            break
    return None


def called_as(frame: FrameType) -> str:
    """The name under which the learner called it: all in-place methods share the code of `inplace.in_place`."""
    name = frame.f_code.co_name
    return str(frame.f_locals.get("name", name)) if name == IN_PLACE else name


def arguments_of(frame: FrameType) -> list[tuple[str, Any]]:
    """The tensors among a frame's arguments, by parameter name; those in a list are counted."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4)
    found: list[tuple[str, Any]] = []
    for name in code.co_varnames[:count]:
        value = frame.f_locals.get(name)
        if is_tensor(value):
            found.append((name, value))
        elif isinstance(value, list | tuple):
            found += [(f"{name}[{i}]", member) for i, member in enumerate(value[:20]) if is_tensor(member)]
    return found


def arguments_of_expression(frame: FrameType, entry: TracebackType) -> tuple[str, list[tuple[str, Any]]] | None:
    """The tensors that the failing expression names, for a function written in C, which has no frame."""
    positions = list(frame.f_code.co_positions())[entry.tb_lasti // 2]
    first, last, start, end = positions
    if None in positions:
        return None
    lines = [linecache.getline(frame.f_code.co_filename, n) for n in range(first, last + 1)]
    text = cut_out(lines, start, end)
    try:
        tree = ast.parse(f"({textwrap.dedent(text)}\n)", mode="eval").body
    except (SyntaxError, ValueError):
        return None
    found: dict[int, tuple[str, Any]] = {}
    for part in ast.walk(tree):
        value = looked_up(part, frame)
        if is_tensor(value):
            found.setdefault(id(value), (ast.unparse(part), value))
    return (title_of(tree), list(found.values())) if found else None


def cut_out(lines: list[str], start: int, end: int) -> str:
    """The text between two columns, which Python counts in bytes."""
    coded = [line.encode() for line in lines]
    coded[-1] = coded[-1][:end]
    coded[0] = coded[0][start:]
    return b"".join(coded).decode(errors="replace")


def looked_up(part: ast.AST, frame: FrameType) -> Any:
    """What a name or a chain of attributes stands for; runs no property of the learner's objects."""
    if isinstance(part, ast.Name):
        return frame.f_locals.get(part.id, frame.f_globals.get(part.id))
    if isinstance(part, ast.Attribute):
        owner = vars_of(looked_up(part.value, frame))
        return owner.get(part.attr)
    return None


def vars_of(thing: Any) -> dict[str, Any]:
    """An object's own attributes; of a module its parameters, buffers and inner modules too."""
    own = getattr(thing, "__dict__", None)
    if not isinstance(own, dict):
        return {}
    inner = [own.get(name) for name in ("_parameters", "_buffers", "_modules")]
    return {k: v for part in (own, *inner) if isinstance(part, dict) for k, v in part.items()}


def title_of(tree: ast.expr) -> str:
    """What to call a failing expression: its operator or the function it calls."""
    if isinstance(tree, ast.BinOp):
        return OPERATORS.get(type(tree.op), "expression")
    if isinstance(tree, ast.Call):
        return ast.unparse(tree.func).rpartition(".")[2]
    return "getitem" if isinstance(tree, ast.Subscript) else "expression"


OPERATORS = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.MatMult: "matmul", ast.Pow: "pow"}


def failed_forward(title: str, given: list[tuple[str, Any]], names: Names, says: str) -> Picture:
    """The graph of the arguments, and the op that could not take them."""
    tracked = tuple({id(t): t for _, t in given if t.requires_grad}.values())
    picture = read_graph(tracked, names) if tracked else Picture((), (), ())
    keys: dict[int, str] = {}
    inputs = []
    for name, tensor in given:
        if id(tensor) not in keys:
            key = picture.key_of(tensor) if tensor.requires_grad else None
            if key is None:
                picture, key = with_tensor(picture, tensor, names)
            keys[id(tensor)] = key
        inputs.append((keys[id(tensor)], name))
    failed = with_failure(picture, clean(title, 40), inputs, says)
    return around(failed, failed.roots[0])
