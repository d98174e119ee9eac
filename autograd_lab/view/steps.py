"""The words of a tape: one walk forward and backward as plain, frozen data that can be compared with `==`.

Nodes are numbered in forward order, and steps speak of these numbers. Nothing here knows the engine or the
screen: `tape.py` fills these from a graph, `frames.py` shows them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autograd_lab.view.saved import Saved
from autograd_lab.view.snapshots import Snapshot

ROOT = -1  # where the first gradient comes from: not from a node


@dataclass(frozen=True)
class Operand:
    """What went into an op. `source` is the number of the node it came from; None if it is not tracked."""

    name: str
    source: int | None
    value: Snapshot | None  # None: not recorded
    text: str  # how a constant reads; empty for tensors
    tensor_id: int = field(default=0, compare=False)  # id() of the tensor if it still lives


@dataclass(frozen=True)
class Kept:
    """A tensor that a node keeps for backward. `of` is the node that made it; None if it is not tracked."""

    about: Saved  # its name in the formula, and its version then and now
    of: int | None
    value: Snapshot | None


@dataclass(frozen=True)
class Hook:
    """Something of the user's that waits for a gradient. A walk that only looks does not call it.

    `kind` is "tensor hook", "node prehook", "node hook", "post-accumulate hook" or "retain_grad".
    """

    kind: str
    name: str = ""


@dataclass(frozen=True)
class ForwardStep:
    """One op of the forward pass; or of a backward pass that was recorded (`order` 2), run by the node `made_by`."""

    node: int
    op: str
    operands: tuple[Operand, ...]
    result: Snapshot | None
    line: str
    in_place: bool
    keeps: tuple[Kept, ...] = ()
    order: int = 1
    made_by: int | None = None
    gives: int | None = None  # the node whose incoming gradient this result is


@dataclass(frozen=True)
class ArrivedGrad:
    """One contribution that arrived at a node: from which node (ROOT: the start), through which input.

    `output` says which result of the receiving node it belongs to.
    """

    source: int
    through: int
    value: Snapshot
    output: int = 0


@dataclass(frozen=True)
class SentGrad:
    """What a node sends to one of its inputs: incoming gradient times local derivative."""

    name: str
    number: int  # of the input, in the node's next_functions
    target: int
    local: Snapshot | None  # for ops that work element by element
    latex: str  # the card's template of the local derivative, or of the product if it names $grad
    value: Snapshot | None
    summed: tuple[int, ...] | None  # the shape before broadcasting was undone, if it was


@dataclass(frozen=True)
class LeafGrad:
    """A leaf's `.grad` before and after its AccumulateGrad step."""

    before: Snapshot | None
    after: Snapshot


@dataclass(frozen=True)
class Failure:
    """The error that a node raised: its type, PyTorch's text, and what we add to it."""

    kind: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class BackwardStep:
    """One node fired: what had arrived, its sum, what it sends on, or what it adds to a leaf.

    `wanted` says that the gradient arriving here is one of those that `inputs=` asked for. `frees` are the saved
    tensors that a backward lets go of here; `unsent` the numbers of the inputs that this walk does not go to.
    """

    node: int
    arrived: tuple[ArrivedGrad, ...]
    incoming: Snapshot | None
    sent: tuple[SentGrad, ...]
    leaf: LeafGrad | None
    wanted: bool = False
    frees: tuple[str, ...] = ()
    unsent: tuple[int, ...] = ()
    hooks: tuple[Hook, ...] = ()
    incomings: tuple[Snapshot | None, ...] = ()  # one for each output of the node
    error: Failure | None = None


@dataclass(frozen=True)
class Tape:
    """All steps of a run. `nodes[i]` is the graph node that the number i stands for.

    `pruned` are the nodes that do not fire. With `order` 2 the walk goes back from a gradient: `first` is then the
    node of the result that was differentiated first.
    """

    forward: tuple[ForwardStep, ...]
    backward: tuple[BackwardStep, ...]
    names: tuple[str, ...]
    leaves: tuple[Snapshot | None, ...]  # the value of node i if it stands for a leaf
    root: int
    nodes: tuple[Any, ...] = field(compare=False, repr=False)
    pruned: tuple[int, ...] = ()
    order: int = 1
    first: int | None = None
    inputs: tuple[int, ...] | None = None  # the nodes that `inputs=` asks for
    outputs: tuple[Any, ...] = field(default=(), compare=False, repr=False)  # what a picture of this walk shows
