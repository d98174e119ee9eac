"""How pytest runs the notebooks: each kernel starts in the surroundings in which the outputs were stored."""

import importlib.util
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from stored import exported, stored_environment

if importlib.util.find_spec("torch") is None:  # the file that is for PyTorch's users
    collect_ignore = ["autograd_lab/view/firing_torch.py"]

RUNNING = pytest.StashKey[ExitStack]()
SURROUNDINGS = pytest.StashKey[dict[Path, dict[str, str]]]()


def pytest_configure(config: pytest.Config) -> None:
    """Progress folders live from a notebook's first cell to the end of the run."""
    config.stash[RUNNING] = ExitStack()
    config.stash[SURROUNDINGS] = {}


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the progress folders."""
    config.stash[RUNNING].close()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """A notebook's first cell starts its kernel, which inherits the variables; other tests never see them."""
    if item.path.suffix != ".ipynb":
        return (yield)
    surroundings = item.config.stash[SURROUNDINGS]
    if item.path not in surroundings:
        surroundings[item.path] = item.config.stash[RUNNING].enter_context(stored_environment())
    with exported(surroundings[item.path]):
        return (yield)
