"""Browser tests: one Chromium and one JupyterLab for all of them, and a page that fails on any console error.

Without Chromium or playwright the tests say so and skip; AUTOGRAD_LAB_REQUIRE_BROWSER=1 makes that a failure.
"""

import importlib.util
import os
import shutil
from pathlib import Path
from typing import NamedTuple

import lab_pages
import pytest

from autograd_lab.lab import course_files, work_folder
from autograd_lab.lab.doctor import CHROMIUM_NAMES
from autograd_lab.lab.serve import NEEDED

collect_ignore = [
    "lab_pages.py",
    "pytorch_run.py",
    "stepper_page.py",
    "walk.py",
]  # tools of the tests, without doctests


class Lab(NamedTuple):
    """A running JupyterLab: its address, and the work folder that it serves."""

    address: str
    folder: Path


def absent(what):
    """Skip, or fail where the browser is required."""
    if os.environ.get("AUTOGRAD_LAB_REQUIRE_BROWSER") == "1":
        pytest.fail(f"{what}, and AUTOGRAD_LAB_REQUIRE_BROWSER=1 lets no browser test skip", pytrace=False)
    pytest.skip(f"{what}: the lessons are not tested in a browser")


@pytest.fixture(scope="session")
def chromium():
    """Playwright's browser, on the Chromium of this machine."""
    names = [os.environ["CHROMIUM"]] if "CHROMIUM" in os.environ else CHROMIUM_NAMES
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        absent("no Chromium is installed")
    if importlib.util.find_spec("playwright") is None:
        absent("playwright is not installed")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=lab_pages.ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lab(chromium, tmp_path_factory):
    """JupyterLab on a copy of the course, made and served by the command that learners type."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        absent(f"{', '.join(missing)} not installed")
    folder = tmp_path_factory.mktemp("work")
    files = course_files.course_files()
    work_folder.fill(folder, (*files, *course_files.source_files(files)))
    with lab_pages.served(folder, tmp_path_factory.mktemp("jupyter")) as address:
        yield Lab(address, folder)


@pytest.fixture
def console():
    """Every error that a page reports during one test; the test fails at its end if there is one."""
    errors = []
    yield errors
    assert errors == [], "the page reported errors"


@pytest.fixture
def page(chromium, console):
    """A new page that watches its console."""
    page = chromium.new_page(viewport={"width": 1400, "height": 1000})
    page.on("console", lambda message: console.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: console.append(str(error)))
    yield page
    page.close()
