"""What real PyTorch computes for a program: every value forward, every gradient backward, in its own order.

These are the right answers for what the stepper shows. Nothing of the package is used: a torch function mode
sees the values, hooks on PyTorch's own nodes see the gradients. `run_cells` does this at each `step_through`
of a notebook.
"""

import sys
import types
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

import numpy as np
import torch
from torch.overrides import TorchFunctionMode


@dataclass(frozen=True)
class Fired:
    """One node of backward: what arrived, what it sent through each input, its factor where it has one."""

    node: str
    incoming: np.ndarray
    sent: dict[int, np.ndarray]
    local: dict[int, np.ndarray]
    leaf_grad: np.ndarray | None = None


@dataclass(frozen=True)
class Run:
    """A program's forward values (node name, value) and backward steps, as PyTorch made them."""

    forward: list[tuple[str, np.ndarray | None]]
    backward: list[Fired]


class Watch(TorchFunctionMode):
    """Keeps the value of each tensor that an op made or changed, by its node."""

    def __init__(self):
        super().__init__()
        self.values = {}

    def __torch_function__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        for thing in (result, *args):
            if isinstance(thing, torch.Tensor) and thing.grad_fn is not None:
                self.values.setdefault(thing.grad_fn, numbers(thing))
        return result


def run(code: str) -> Run:
    """Run a program that makes `loss`; the program says `import autograd_lab as torch` or nothing."""
    (only,) = run_cells([f"{code}\nimport autograd_lab\nautograd_lab.step_through(loss)"])
    return only


def run_cells(sources: list[str]) -> list[Run]:
    """Run a notebook's cells with PyTorch in the package's place; one Run for each call of step_through."""
    runs, watch = [], Watch()
    namespace = {"torch": torch, "__name__": "__main__"}
    with _in_place_of_the_package(lambda loss: runs.append(_backward(loss, watch.values))), watch:
        for source in sources:
            exec(compile(source, "<cell>", "exec"), namespace)
    return runs


def _backward(loss: torch.Tensor, values: dict) -> Run:
    """Walk backward with hooks on every node, then put every `.grad` back as it was."""
    nodes = _nodes(loss.grad_fn)
    local = {node: _local(node, values.get(node)) for node in nodes}
    before = {leaf: None if leaf.grad is None else leaf.grad.clone() for leaf in map(_leaf, nodes) if leaf is not None}
    fired = []

    def note(node):
        def hook(sent, incoming):
            made = {i: numbers(grad) for i, grad in enumerate(sent) if grad is not None}
            leaf = _leaf(node)
            grad = None if leaf is None else numbers(leaf.grad)
            fired.append(Fired(_name(node), numbers(incoming[0]), made, local[node], grad))

        return node.register_hook(hook)

    handles = [note(node) for node in nodes]
    loss.backward(retain_graph=True)
    for handle in handles:
        handle.remove()
    for leaf, grad in before.items():
        leaf.grad = grad
    order = {node: i for i, node in enumerate(values)}
    forward = sorted((node for node in nodes if _leaf(node) is None), key=lambda node: order.get(node, -1))
    return Run([(_name(node), values.get(node)) for node in forward], fired)


def _nodes(root) -> list:
    found, waiting = [], [root]
    while waiting:
        node = waiting.pop()
        if node is not None and node not in found:
            found.append(node)
            waiting += [source for source, _ in node.next_functions]
    return found


def _name(node) -> str:
    return node.name().rpartition("::")[2]


def _leaf(node):
    return getattr(node, "variable", None)


def _local(node, value: np.ndarray | None) -> dict[int, np.ndarray]:
    """A node's answer to a gradient of ones: its local derivatives, if it works element by element."""
    if _leaf(node) is not None or value is None:
        return {}
    with torch.enable_grad():
        answer = node(torch.ones(value.shape, dtype=torch.from_numpy(np.asarray(value)).dtype))
    answers = answer if isinstance(answer, tuple) else (answer,)
    return {i: numbers(a) for i, a in enumerate(answers) if a is not None and tuple(a.shape) == value.shape}


def numbers(tensor: torch.Tensor) -> np.ndarray:
    return tensor.detach().clone().numpy()


@contextmanager
def _in_place_of_the_package(note):
    """`import autograd_lab as torch` gives PyTorch; the package's own names do nothing."""
    shim = Silent("autograd_lab")
    shim.step_through = lambda loss, **options: note(loss)
    shim.record = nullcontext
    kept = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "autograd_lab"}
    for name in kept:
        del sys.modules[name]
    sys.modules["autograd_lab"] = shim
    sys.meta_path.insert(0, Finder())
    try:
        yield
    finally:
        del sys.meta_path[0]
        for name in [name for name in sys.modules if name.split(".")[0] == "autograd_lab"]:
            del sys.modules[name]
        sys.modules.update(kept)


class Silent(types.ModuleType):
    """A module of the package: PyTorch's names where PyTorch has them, else something that takes anything."""

    __path__ = ()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(torch, name) if hasattr(torch, name) else Anything()


class Anything:
    """Takes any call, attribute or item, and gives itself."""

    def __call__(self, *args, **kwargs):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self


class Finder:
    """Finds every submodule of the package: a silent one."""

    def find_spec(self, name, path=None, target=None):
        if not name.startswith("autograd_lab."):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Silent(spec.name)

    def exec_module(self, module):
        """Nothing to run."""
