"""Pictures of notebooks in JupyterLab after Run All, light and dark, cut into slices that can be looked at.

python tools/make_lesson_screenshots.py FOLDER                      every lesson and exercise
python tools/make_lesson_screenshots.py FOLDER 04_ e2_ --theme dark those whose path holds one of these words
python tools/make_lesson_screenshots.py FOLDER 04_ --width 390      a telephone

Each slice is one screen of the notebook, from top to bottom; `--columns 2` puts two of them side by side in one file.
The notebooks are served from a work folder as `autograd-lab lab` fills it. Needs Chromium and playwright.
"""

import argparse
import os
import shutil
import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "browser")]

import lab_pages  # noqa: E402

from autograd_lab.lab import course_files, work_folder  # noqa: E402
from autograd_lab.lab.doctor import CHROMIUM_NAMES  # noqa: E402

THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}
OVERLAP = 40  # a line that one slice cuts is whole in the next
THEME = """async (theme) => {
  await window.jupyterapp.commands.execute('apputils:change-theme', { theme });
  const light = String(theme.includes('Light'));
  while (document.body.dataset.jpThemeLight !== light) await new Promise((done) => setTimeout(done, 50));
}"""
ROOM = """async () => {
  const app = window.jupyterapp;
  for (const side of ['left', 'right']) {
    if (!app.shell[`${side}Collapsed`]) await app.commands.execute(`application:toggle-${side}-area`);
  }
}"""
SCROLL = """(top) => {
  const pane = window.jupyterapp.shell.currentWidget.content.node.querySelector('.jp-WindowedPanel-outer')
    || window.jupyterapp.shell.currentWidget.content.node;
  pane.scrollTop = top;
  return [pane.scrollTop, pane.clientHeight, pane.scrollHeight];
}"""


def slices(page):
    """The notebook that is shown, as pictures from top to bottom."""
    panel = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook").first
    made, top = [], 0
    while True:
        at, height, whole = page.evaluate(SCROLL, top)
        page.wait_for_timeout(120)
        picture = Image.open(BytesIO(panel.screenshot()))
        fresh = picture.crop((0, top - at, picture.width, picture.height)) if top > at else picture
        if len(fresh.getcolors() or [0, 0, 0]) > 2:  # below its last cell a notebook has an empty screen
            made.append(fresh)
        if at + height >= whole - 1:
            return made
        top = at + height - OVERLAP


def beside(pictures):
    """Pictures side by side in one."""
    sheet = Image.new("RGB", (sum(p.width for p in pictures), max(p.height for p in pictures)), "grey")
    left = 0
    for picture in pictures:
        sheet.paste(picture, (left, 0))
        left += picture.width
    return sheet


def name_of(path):
    """`04_chain_rule` of a lesson, `e2_multiple_operations` of an exercise."""
    return Path(path).stem if path.startswith("notebooks/") else Path(path).parent.name


def main() -> None:
    """Take the pictures that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the pictures are put")
    parser.add_argument("words", nargs="*", help="only notebooks whose path holds one of these")
    parser.add_argument("--theme", choices=THEMES, action="append", help="default: both")
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--height", type=int, default=1500)
    parser.add_argument("--columns", type=int, default=1, help="slices in one file")
    options = parser.parse_args()
    chromium = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, CHROMIUM_NAMES)))
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        work, home = Path(scratch, "work"), Path(scratch, "home")
        home.mkdir()
        files = course_files.course_files()
        work_folder.fill(work, files)
        paths = [file.path for file in files if file.path.endswith(".ipynb")]
        wanted = [path for path in paths if not options.words or any(word in path for word in options.words)]
        with lab_pages.served(work, home) as address, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=lab_pages.ARGUMENTS)
            page = browser.new_page(viewport={"width": options.width, "height": options.height})
            lab_pages.open_lab(page, address)
            page.evaluate(ROOM)
            for path in wanted:
                lab_pages.show(page, path)
                page.evaluate(ROOM)
                cells = lab_pages.run_all(page)
                page.wait_for_timeout(500)
                raised = [
                    cell for cell in cells if "raises-exception" not in cell["tags"] and lab_pages.errors_of([cell])
                ]
                for theme in options.theme or THEMES:
                    page.evaluate(THEME, THEMES[theme])
                    page.wait_for_timeout(300)
                    taken = slices(page)
                    for i in range(0, len(taken), options.columns):
                        file = options.folder / f"{name_of(path)}-{theme}-{i // options.columns + 1:02d}.png"
                        beside(taken[i : i + options.columns]).save(file)
                print(f"{path}: {len(taken)} slices" + (f", {len(raised)} cells raised" if raised else ""), flush=True)
                lab_pages.close_all(page)
            browser.close()


if __name__ == "__main__":
    main()
