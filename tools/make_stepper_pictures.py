"""Photograph the stepper's main states, for whoever wants to look at them: light, dark, and on a phone.

python tools/make_stepper_pictures.py FOLDER   write FOLDER/*.png

Needs Chromium and playwright. Each state is reached by the controls that a learner uses.
"""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

from stepper_page import chain, dead_relu, fan_out, matmul, mount, walk_to  # noqa: E402

from autograd_lab import step_through, tensor  # noqa: E402
from autograd_lab.lab.doctor import CHROMIUM_NAMES  # noqa: E402
from autograd_lab.view.tape import record  # noqa: E402

SIZES = {"light": (1000, 900, False), "dark": (1000, 900, True), "phone": (390, 800, False)}


def long_walk() -> Any:
    x = tensor(1.01, requires_grad=True)
    with record():
        y = x
        for _ in range(60):
            y = y * x
    return step_through(y)


def not_recorded() -> Any:
    x = tensor(2.0, requires_grad=True)
    return step_through(x * 3 + 1)


def states() -> Iterator[tuple[str, Any, Callable[[Any, Any], None]]]:
    """The name of each state, its walk, and how to reach it."""
    yield "start", chain(), lambda page, root: None
    yield "forward", chain(), lambda page, root: walk_to(page, root, 2)
    yield "backward", chain(), lambda page, root: walk_to(page, root, 6)
    yield "fan-out", fan_out(), lambda page, root: walk_to(page, root, 7)
    yield "ask", chain("all"), lambda page, root: walk_to(page, root, 7)
    yield "first-miss", chain("all"), lambda page, root: answered(page, root, 6, "20")
    yield "second-miss", chain("gradients"), lambda page, root: answered(page, root, 6, "21", "0")
    yield "third-miss", chain("gradients"), lambda page, root: answered(page, root, 6, "21", "0", "7")
    yield "right", chain("gradients"), lambda page, root: answered(page, root, 6, "20")
    yield "edited", dead_relu(), edited
    yield "slider", chain(), slid
    yield "matrix", matmul(), looked_at
    yield "cells", matmul(), cell_edited
    yield "long", long_walk(), lambda page, root: walk_to(page, root, 63)
    yield "not-recorded", not_recorded(), lambda page, root: root.get_by_text("Change the inputs").click()


def answered(page: Any, root: Any, step: int, *texts: str) -> None:
    walk_to(page, root, step)
    for text in texts:
        root.locator(".al-ask input").first.fill(text)
        page.keyboard.press("Enter")


def edited(page: Any, root: Any) -> None:
    walk_to(page, root, 6)
    root.get_by_text("Change the inputs").click()
    root.get_by_label("x, value", exact=True).fill("1.5")
    page.keyboard.press("Enter")
    page.wait_for_timeout(400)


def slid(page: Any, root: Any) -> None:
    walk_to(page, root, 8)
    root.get_by_text("Change the inputs").click()
    root.get_by_role("button", name="Plot").click()
    root.get_by_role("slider", name="x, slider").focus()
    for _ in range(20):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(600)


def looked_at(page: Any, root: Any) -> None:
    root.focus()
    page.keyboard.press("End")
    root.get_by_role("combobox", name="Look at").select_option(label="h: result of an op")


def cell_edited(page: Any, root: Any) -> None:
    root.focus()
    page.keyboard.press("End")
    root.get_by_text("Change the inputs").click()
    root.get_by_role("button", name="Edit its cells").first.click()
    root.get_by_label("W[2, 1]").fill("-2")
    page.keyboard.press("Enter")
    page.wait_for_timeout(400)


def main() -> None:
    """Write every state in every size."""
    parser = argparse.ArgumentParser(description="Photograph the stepper's main states.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="states whose name holds this")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    from playwright.sync_api import sync_playwright

    path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        for look, (width, height, dark) in SIZES.items():
            for name, walk, reach in states():
                if options.only not in f"{name}-{look}":
                    continue
                page = browser.new_page(viewport={"width": width, "height": height})
                reach(page, mount(page, walk, dark=dark))
                page.wait_for_timeout(200)
                page.screenshot(path=options.folder / f"{name}-{look}.png", full_page=True)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()
