"""Random programs: short PyTorch scripts drawn from a seed, as text.

A program is a list of statements on variables v0, v1, …. Ops come from the registry of cards, with the arguments
of their samples; between them stand views, in-place writes, hooks, retain_grad, detach, no_grad blocks, branches and
plain mistakes. The same text runs under both libraries (`running.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from running import Session

import autograd_lab.ops.every  # noqa: F401
from autograd_lab.op import CARDS

Rng = np.random.Generator


@dataclass
class Program:
    """Statements, what they touched (for the count of what was met), and the shapes known so far."""

    lines: list[str] = field(default_factory=list)
    met: list[str] = field(default_factory=list)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    written: int = 0
    session: Any = None

    def new(self, text: str, shape: tuple[int, ...] | None, met: str) -> str:
        name = f"v{self.written}"
        self.written += 1
        self.lines.append(f"{name} = {text}")
        self.met.append(met)
        if shape is not None:
            self.shapes[name] = shape
        return name

    def do(self, text: str, met: str) -> None:
        self.lines.append(text)
        self.met.append(met)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def literal(value: Any) -> str:
    """A plain argument as source text."""
    return repr(value.item() if isinstance(value, np.generic) else value)


def leaf(p: Program, rng: Rng, values: Any) -> str:
    """A new leaf with these values, tracked most of the time."""
    values = np.round(np.asarray(values, np.float64), 3)
    tracked = rng.random() < 0.8
    return p.new(
        f"torch.tensor({values.tolist()!r}, dtype=torch.float64, requires_grad={tracked})", values.shape, "leaf"
    )


def variable(p: Program, rng: Rng, shape: tuple[int, ...] | None = None) -> str | None:
    """A variable met before, of this shape if one is asked for; recent ones are likelier."""
    names = [n for n, s in p.shapes.items() if shape is None or s == shape]
    if not names:
        return None
    weights = np.arange(1, len(names) + 1, dtype=float)
    return str(rng.choice(names, p=weights / weights.sum()))


RAW = {"embedding"}  # torch.embedding is the bare kernel with other arguments; people call nn.functional's
RANDOM = {"bernoulli", "dropout", "normal", "poisson", "rand", "randn", "rrelu", "rrelu_with_noise", "multinomial"}


def call(name: str, arguments: list[tuple[str, str, bool]], keywords: bool) -> str:
    """`torch.name(…)` with tensors by position and plain arguments by position or by name."""
    parts = [f"{n}={text}" if keywords and not tensor else text for n, text, tensor in arguments]
    return f"torch.{name}({', '.join(parts)})"


def registered(torch: Any) -> dict[str, tuple[Any, bool]]:
    """The cards a program may call, and whether their plain arguments go by name.

    PyTorch itself is asked which form it takes; cards it has under no public name, and random ones, stay out.
    """
    if not FORMS:
        rng = np.random.Generator(np.random.PCG64(0))
        for key, card in sorted(CARDS.items()):  # so that a seed draws one program, whatever was imported first
            if (
                card.samples is None
                or card.listed
                or card.name in RANDOM | RAW
                or not callable(getattr(torch, card.name, None))
            ):
                continue
            for keywords in (False, True):
                try:
                    for sample in card.samples(rng):
                        given = [argument(card, n, v) for n, v in zip(card.names, sample, strict=False)]
                        eval(call(card.name, given, keywords), {"torch": torch})
                except Exception:
                    continue
                FORMS[key] = (card, keywords)
                break
    return FORMS


FORMS: dict[str, tuple[Any, bool]] = {}


def argument(card: Any, name: str, value: Any) -> tuple[str, str, bool]:
    """One argument of a sample as source text, with whether it is a tensor."""
    if is_tensor(card, name, value):
        return name, f"torch.tensor({np.asarray(value).tolist()!r})", True
    return name, literal(value), False


def is_tensor(card: Any, name: str, value: Any) -> bool:
    return isinstance(value, np.ndarray) or (name in card.tensors and isinstance(value, np.floating))


def op_statement(p: Program, rng: Rng, card: Any, keywords: bool) -> None:
    """A call of a card with arguments shaped like one of its samples."""
    samples = card.samples(rng)
    sample = samples[int(rng.integers(len(samples)))]
    arguments = []
    for name, value in zip(card.names, sample, strict=False):
        if not is_tensor(card, name, value):
            arguments.append((name, literal(value), False))
            continue
        value = np.asarray(value)
        if value.dtype.kind == "f":
            found = variable(p, rng, value.shape) if rng.random() < 0.75 else None
            if found is not None and card.also and nearly_equal(p, found):
                found = None  # which of two elements is larger would hang on the last digit of an exp or a sum
            if found is not None and "median" in card.name:
                found = f"{found}.contiguous()"  # PyTorch's median of an expanded tensor reads wrong memory
            if found is not None and (card.name, name) == ("copysign", "other"):
                found = f"{found}.nan_to_num()"  # the sign of a nan is nobody's promise, not even IEEE 754's
            arguments.append((name, found or leaf(p, rng, value), True))
        else:
            arguments.append((name, p.new(f"torch.tensor({value.tolist()!r})", None, "leaf"), True))
    p.new(call(card.name, arguments, keywords), None, f"card {card.forward.__name__}")
    p.lines.append(f"note(v{p.written - 1})")
    p.met.append("note")


def nearly_equal(p: Program, name: str) -> bool:
    """Whether two elements of a variable differ in their last digits only."""
    if p.session is None or name not in p.session.names:
        return False  # written by this very statement
    with np.errstate(invalid="ignore"):  # between two infinities
        gaps = np.diff(np.sort(np.asarray(p.session.names[name]._data).reshape(-1)))
    return bool(np.any((gaps > 0) & (gaps < 1e-9)))


VIEWS: dict[str, Callable[[str, tuple[int, ...]], str | None]] = {
    "select": lambda n, s: f"{n}[0]" if s and s[0] else None,
    "slice": lambda n, s: f"{n}[1:]" if s and s[0] > 1 else None,
    "step": lambda n, s: f"{n}[::2]" if s and s[0] > 1 else None,
    "column": lambda n, s: f"{n}[:, 0]" if len(s) == 2 and s[1] else None,
    "transpose": lambda n, s: f"{n}.transpose(0, 1)" if len(s) >= 2 else None,
    "t": lambda n, s: f"{n}.t()" if len(s) == 2 else None,
    "unsqueeze": lambda n, s: f"{n}.unsqueeze(0)",
    "squeeze": lambda n, s: f"{n}.squeeze()",
    "flatten": lambda n, s: f"{n}.reshape(-1)",
    "view": lambda n, s: f"{n}.view(-1)",
    "expand": lambda n, s: f"{n}.expand(2, {', '.join(map(str, s))})" if len(s) == 1 else None,
    "permute": lambda n, s: f"{n}.permute(1, 0)" if len(s) == 2 else None,
    "detach": lambda n, s: f"{n}.detach()",
    "unbind": lambda n, s: f"{n}.unbind(0)[0]" if s and s[0] else None,
}
WRITES: dict[str, Callable[[str, tuple[int, ...]], str | None]] = {
    "add_": lambda n, s: f"{n}.add_(1.5)",
    "mul_": lambda n, s: f"{n}.mul_(2.0)",
    "iadd": lambda n, s: f"{n} += 0.5",
    "neg_": lambda n, s: f"{n}.neg_()",
    "sin_": lambda n, s: f"{n}.sin_()",
    "sigmoid_": lambda n, s: f"{n}.sigmoid_()",
    "relu_": lambda n, s: f"{n}.relu_()",
    "zero_": lambda n, s: f"{n}.zero_()",
    "fill_": lambda n, s: f"{n}.fill_(0.3)",
    "setitem": lambda n, s: f"{n}[0] = 0.7" if s and s[0] else None,
    "setslice": lambda n, s: f"{n}[1:] = {n}[:-1].detach() * 1.5" if s and s[0] > 1 else None,
    "pow_": lambda n, s: f"{n}.pow_(2)",
    "tracked": lambda n, s: f"{n}.mul_(v0)",
}
MISTAKES: dict[str, Callable[[str, tuple[int, ...]], str | None]] = {
    "bad index": lambda n, s: f"{n}[9]" if s else None,
    "bad dim": lambda n, s: f"{n}.sum(7)",
    "broadcast": lambda n, s: f"{n} + torch.ones(5, 7)" if s and s[-1] not in (1, 7) else None,
    "bad view": lambda n, s: f"{n}.view(4, 11)",
    "numpy of tracked": lambda n, s: f"({n} * 1).requires_grad and ({n} * 1).numpy()",
    "vector backward": lambda n, s: f"({n} * 1).requires_grad and {n}.numel() > 1 and ({n} * 1).backward()",
    "untracked backward": lambda n, s: f"{n}.detach().sum().backward()",
    "int grad": lambda n, s: "torch.tensor([1, 2]).requires_grad_()",
    "second backward": lambda n, s: f"twice({n})",
}


def choose(p: Program, rng: Rng, table: dict[str, Any], kind: str) -> None:
    """One entry of a table, on some variable it applies to."""
    name = variable(p, rng)
    if name is None:
        return
    for key in rng.permutation(list(table)):
        text = table[key](name, p.shapes[name])
        if text is None:
            continue
        if kind == "view":
            p.new(text, None, f"view {key}")
            p.lines.append(f"note(v{p.written - 1})")
            p.met.append("note")
        else:
            p.do(text, f"{kind} {key}")
        return


def draw(seed: int, torch: Any, statements: int = 40) -> Program:
    """The program of a seed, of up to `statements` statements."""
    return drawn(np.random.Generator(np.random.PCG64(seed)), torch, statements)


def drawn(rng: Any, torch: Any, statements: int) -> Program:
    """A program drawn with a random source."""
    p, cards = Program(), registered(torch)
    for shape in ((), (3,), (2, 3)):
        leaf(p, rng, rng.uniform(-2, 2, shape))
    count = int(rng.integers(4, statements))
    names = list(cards)
    while len(p.lines) < count:
        dice = rng.random()
        if dice < 0.5:
            op_statement(p, rng, *cards[names[int(rng.integers(len(names)))]])
        elif dice < 0.68:
            choose(p, rng, VIEWS, "view")
        elif dice < 0.8:
            choose(p, rng, WRITES, "write")
        elif dice < 0.85:
            choose(p, rng, MISTAKES, "mistake")
        else:
            extra(p, rng)
        learn_shapes(p)
    return p


def extra(p: Program, rng: Rng) -> None:
    """Hooks, retain_grad, no_grad, branches."""
    name = variable(p, rng)
    if name is None:
        return
    kind = int(rng.integers(6))
    if kind == 0:
        p.do(f"({name} * 1).requires_grad and {name}.retain_grad()", "retain_grad")
    elif kind == 1:
        p.do(f"({name} * 1).requires_grad and {name}.register_hook(lambda g: seen({p.written}, g))", "hook look")
    elif kind == 2:
        p.do(f"({name} * 1).requires_grad and {name}.register_hook(lambda g: g * 2)", "hook change")
    elif kind == 3:
        p.new(f"untracked(lambda: {name} * 3)", None, "no_grad")
    elif kind == 4:
        p.new(f"{name} * 2 if {name}.sum() > 0 else {name} - 1", None, "branch")
    else:
        p.do(f"note({name}.grad_fn is None or hooked({name}.grad_fn, {p.written}))", "hook node")


def learn_shapes(p: Program) -> None:
    """Run the new statements under our library only to learn shapes for later choices."""
    if p.session is None:
        p.session = Session("autograd_lab")
    session = p.session
    session.run(p.lines[session.done :])
    for name, value in session.names.items():
        ours = name.startswith("v") and name[1:].isdigit() and isinstance(value, session.lib.Tensor)
        if ours and value.dtype is session.lib.float64:
            p.shapes[name] = tuple(value.shape)
