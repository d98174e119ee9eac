"""`ledger(loss, wrt=x)`: what arrives at a tensor during backward, entry by entry, and its running sum.

The learner says how many contributions arrive, then each of them, then the sum, then what `.grad` holds. With a
function in place of the loss, the inputs can be edited and everything is computed again. Read `sheet.py` first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from math import prod
from typing import Any

from autograd_lab.view.names import Names, is_tensor
from autograd_lab.widgets import looking
from autograd_lab.widgets.answers import numbers
from autograd_lab.widgets.by_hand import ByHand, Way
from autograd_lab.widgets.graph_game import Board
from autograd_lab.widgets.inputs import called, edited
from autograd_lab.widgets.sheet import Cell, Edit, Row, Sheet, Wrong, cell


def ledger(loss: Any, wrt: Any = None, **inputs: float) -> Sheet:
    """Ask for the contributions that arrive at `wrt` in a backward pass from `loss`, and for their sum.

    `loss` is a tracked result with one element, `wrt` a tensor of at most six elements that it was computed from. With
    a function as `loss`, `wrt` is the name of one of its `inputs`, and the learner may change them. Backward is not
    run: the graph and every `.grad` stay as they were.

    Raises ValueError if no gradient arrives at `wrt`, RuntimeError with PyTorch's text for a freed graph.

    >>> import autograd_lab as torch
    >>> x = torch.tensor(4.0, requires_grad=True)
    >>> loss = x * x + 3 * x
    >>> [cell.right for cell in ledger(loss, wrt=x).cells]
    ['3', '3', '4', '7', '4', '11', '11']
    >>> [cell.right for cell in ledger(lambda x: x * x, wrt="x", x=5.0).cells]
    ['2', '5', '5', '10', '10']
    """
    frame = sys._getframe(1)
    if callable(loss) and not is_tensor(loss):
        return of_function(loss, wrt, frame, inputs)
    names = looking.named_tensors([loss, wrt], {}, frame, "ledger")[1]
    return of_tensors(loss, wrt, names)


def of_function(function: Callable[..., Any], wrt: Any, frame: Any, inputs: dict[str, Any]) -> Sheet:
    if wrt is None and len(inputs) == 1:
        (wrt,) = inputs
    if wrt not in inputs:
        raise TypeError(f"wrt must be the name of one of the inputs, {', '.join(inputs)}, got {wrt!r}.")
    loss, tensors = called(function, inputs, looking.library_in(frame))
    names = Names()
    for name, tensor in tensors.items():
        names.add(name, tensor)
    names.add("loss", loss)
    sheet = of_tensors(loss, tensors[wrt], names)
    again = partial(edited, inputs, lambda values: of_function(function, wrt, frame, values))
    sheet.edit = Edit("Change the inputs:", tuple((n, looking.short(t)) for n, t in tensors.items()), again)
    return sheet


def of_tensors(loss: Any, wrt: Any, names: Names) -> Sheet:
    board = Board(loss, names, "ledger", slopes=False)
    name = names.of(wrt) or "the tensor"
    account = Account(board, node_of(board.hand, wrt), name)
    if not account.entries:
        raise ValueError(f"No contribution arrives at {name}: it is where backward begins, or every way is cut.")
    key = board.picture.key_of(wrt) or ""
    return Sheet(
        heading=f"Ledger of {name}",
        intro=f"`{board.root}.backward()` runs, and contributions arrive at `{name}`. How many, how large, and what is "
        "their sum?",
        columns=("answer", "sum so far"),
        rows=[*account.rows(key), *grad_rows(account, wrt, key)],
        drawing=board.drawing,
        closing="Each use of a tensor sends one contribution. They are added.",
    )


def node_of(hand: ByHand, tensor: Any) -> int:
    """The number of the node that stands for this tensor; ValueError if it is not in the graph."""
    for i, node in enumerate(hand.nodes):
        if node is tensor.grad_fn or (tensor.grad_fn is None and getattr(node, "variable", None) is tensor):
            return i
    raise ValueError("wrt is not in the graph of this loss: it was not computed from it, or the way is cut.")


class Account:
    """The entries of one tensor's ledger, and the cells that ask for them."""

    def __init__(self, board: Board, target: int, name: str) -> None:
        self.board, self.hand, self.name = board, board.hand, name
        self.incoming = board.full.incoming
        self.entries = [way for way in board.hand.into[target] if way in board.full.arrived]
        self.values = [board.full.arrived[way] for way in self.entries]
        self.texts = [looking.typed(value) for value in self.values]

    @property
    def sums(self) -> Iterator[str]:
        total = None
        for value in self.values:
            total = value if total is None else total + value
            yield looking.typed(total)

    def rows(self, key: str) -> Iterator[Row]:
        yield Row("number of entries", (self.count(key), ""))
        for i, way in enumerate(self.entries):
            yield Row(
                f"entry {i + 1}: from {self.through(way)}", (self.entry(i, way), self.running(i, key)), after="count"
            )

    def through(self, way: Way) -> str:
        """Which use of the tensor it is: `MulBackward0 (x × x), second input`."""
        return f"{self.board.name(way.source)}, {looking.ordinal(way.number)} input"

    def running(self, i: int, key: str) -> Cell | str:
        """The cell that asks for the sum so far: none beside the first entry."""
        sums = list(self.sums)
        if i == 0:
            return ""
        if i == len(self.entries) - 1:
            return self.sum(sums, key)
        because = f"{sums[i - 1]} was there, {self.texts[i]} arrives."
        ask = f"The sum after entry {i + 1} is"
        return cell(f"sum.{i + 1}", ask, sums[i], because, list(self.wrong_running(i)), node=key)

    def count(self, key: str) -> Cell:
        n = len(self.entries)
        nodes = len({way.source for way in self.entries})
        wrong = [Wrong("1", "One entry would mean one use. Look how often it is used in the forward pass.", "M8")]
        reason = "You counted the nodes that use it. One of them uses it twice, and each use sends one contribution."
        wrong.append(Wrong(str(nodes), reason, "M9"))
        wrong.append(Wrong("0", "A contribution arrives for each use.", "M2"))
        ops = sum(not self.hand.is_leaf(i) for i in range(len(self.hand.nodes)))
        wrong.append(
            Wrong(str(ops), "That is the number of nodes in the whole graph. Count the uses of this tensor.", "M23")
        )
        because = f"`{self.name}` is used {n} time{'s' * (n != 1)} in the forward pass: one entry for each use."
        ask = f"How many contributions arrive at `{self.name}`?"
        return cell("count", ask, str(n), because, wrong, node=key, otherwise="Count the uses of it in the formula.")

    def entry(self, i: int, way: Way) -> Cell:
        arrived = looking.typed(self.incoming[way.source])
        node = looking.short_name(self.hand.nodes[way.source])
        wrong = []
        for j, other in enumerate(self.texts):
            if j != i:
                wrong.append(
                    Wrong(
                        other,
                        f"That is entry {j + 1}. Take the way through {self.through(way)}.",
                        "R8",
                    )
                )
        total = list(self.sums)[-1]
        if len(self.entries) > 1:
            wrong.append(Wrong(total, "That is the sum of all entries. One entry comes along one way only.", "M9"))
        wrong.append(Wrong(arrived, f"That is what arrives at {node}. Multiply it by the local derivative.", "R15"))
        if (local := ratio(self.texts[i], arrived)) is not None:
            wrong.append(
                Wrong(local, f"That is the local derivative of {node} alone. {arrived} arrives there: multiply.", "R15")
            )
        wrong.append(Wrong(looking.typed(self.target_value(way)), f"That is the value of `{self.name}`.", "R1"))
        wrong.append(
            Wrong("0", "A contribution of 0 would mean: a small change of it changes nothing on this way.", "R3")
        )
        shown = "" if local is None else f": {arrived} arrives at {node}, its local derivative is {local}"
        because = f"The incoming gradient times the local derivative{shown}."
        number = looking.ordinal(way.number)
        other = f"{arrived} arrives at {node}. Multiply it by its local derivative for the {number} input."
        ask = f"Entry {i + 1}, from {self.through(way)}, is"
        told = {"node": self.board.key(way.source), "otherwise": other}
        return cell(f"entry.{i + 1}", ask, self.texts[i], because, wrong, **told)

    def target_value(self, way: Way) -> Any:
        node = self.hand.nodes[way.target]
        return getattr(node, "variable", self.incoming[way.target])

    def sum(self, sums: list[str], key: str) -> Cell:
        because = " + ".join(self.texts) + f" = {sums[-1]}"
        return cell("sum", "The sum of all entries is", sums[-1], because, list(self.wrong_sums()), node=key,
                    otherwise="Add all entries above.")  # fmt: skip

    def wrong_running(self, i: int) -> Iterator[Wrong]:
        yield Wrong(self.texts[i], "That is the new entry alone. What was there before stays: entries are added.", "M9")
        yield Wrong(list(self.sums)[i - 1], "That is the sum before this entry arrived.", "M8")

    def wrong_sums(self) -> Iterator[Wrong]:
        last, first = self.texts[-1], self.texts[0]
        yield Wrong(last, "That is the last entry alone, as if it replaced the others. Entries are added.", "M9")
        yield Wrong(first, "That is the first entry alone. The others count too.", "M8")
        for text in self.texts[1:-1]:
            yield Wrong(text, "That is one entry alone. Add all of them.", "M8")
        lists = [found for text in self.texts if (found := numbers(text)) is not None]
        if len(lists) == len(self.texts):  # none of them is nan or inf
            columns = list(zip(*lists, strict=True))
            product = looking.list_text([prod(column) for column in columns])
            told = "You multiplied the entries. Along a way one multiplies; where ways meet one adds."
            yield Wrong(product, told, "M9")
            mean = looking.list_text([sum(column) / len(column) for column in columns])
            yield Wrong(mean, "That is the mean of the entries. Nothing is averaged.", "M7")
        before = list(self.sums)[-2]
        yield Wrong(before, "The last entry is missing.", "M8")


def grad_rows(account: Account, wrt: Any, key: str) -> Iterator[Row]:
    """What `.grad` holds after this backward: the sum, the sum and what was there, or nothing."""
    total, name = list(account.sums)[-1], account.name
    ask = f"After backward `{name}.grad` is"
    after = "count"
    if not (wrt.is_leaf or getattr(wrt, "retains_grad", False)):
        wrong = [Wrong(total, f"{total} arrives here and is passed on. A non-leaf does not keep it.", "M2")]
        because = "It is not a leaf: its gradient is passed on and not kept."
        yield Row(f"`{name}.grad` afterwards", (cell("grad", ask, "None", because, wrong, node=key), ""), after=after)
        return
    held = looking.grad_of(wrt)
    last = account.values[0]
    for value in account.values[1:]:
        last = last + value
    if held is None:
        wrong = [Wrong("None", "It is a leaf that requires grad: it keeps what arrives.", "M2")]
        wrong.append(Wrong("0", "What arrives is added to `.grad`, which was None.", "M7"))
        because = "`.grad` was None. The sum of this backward pass is put there."
        right = total
    else:
        yield Row(f"`{name}.grad` before", (looking.short(held), ""), after=after)
        right = looking.typed(held + last)
        wrong = [Wrong(total, "That is this backward pass alone. `.grad` is not overwritten: it is added to.", "M7")]
        wrong.append(Wrong(looking.typed(held), "That is what was there before. This backward pass adds to it.", "M7"))
        because = f"{looking.typed(held)} was there from an earlier backward, {total} is added."
    otherwise = "Add the sum of this backward pass to what `.grad` held before; None counts as nothing."
    answer = cell("grad", ask, right, because, wrong, node=key, otherwise=otherwise)
    yield Row(f"`{name}.grad` afterwards", (answer, ""), after=after)


def ratio(product: str, factor: str) -> str | None:
    """The other factor of a product of single numbers; None if nobody can say."""
    a, b = numbers(product), numbers(factor)
    if a is None or b is None or len(a) != 1 or len(b) != 1 or b[0] == 0:
        return None
    return looking.list_text([a[0] / b[0]])
