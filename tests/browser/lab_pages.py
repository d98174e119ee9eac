"""Drive JupyterLab in a browser: serve a work folder as a learner does, open a notebook, run it.

The page's own application object is asked when a kernel is ready and when the last cell has finished: the
text on the page says "idle" before the kernel listens, and a click at that moment is lost.
"""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

TOKEN = "test"
SECONDS = 90
# The texts among these elements whose contrast is below 4.5 : 1, on the colours that really lie behind them.
POOR_CONTRAST = """(selector) => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], under) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a));
  const ground = (element) => {
    const colours = [];
    for (let e = element; e; e = e.parentElement) colours.push(rgb(getComputedStyle(e).backgroundColor));
    return colours.reverse().reduce((under, colour) => over(colour, under), [255, 255, 255]);
  };
  const light = (c) => {
    const linear = (v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = c.map((v) => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const poor = [];
  for (const element of document.querySelectorAll(selector)) {
    if (element.closest('svg') || element.tagName === 'OPTION') continue;
    if (![...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())) continue;
    const under = ground(element);
    const [a, b] = [light(over(rgb(getComputedStyle(element).color), under)), light(under)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push([element.className, element.textContent, ratio]);
  }
  return poor;
}"""

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SETTINGS = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "none"},  # every cell is on the page
}

# The debugger asks every new kernel for its state, and complains when the notebook is closed before the answer.
SWITCHED_OFF = {"disabledExtensions": {"@jupyterlab/debugger-extension": True}}

PANEL = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  for (let i = 0; i < 1200; i++) {
    const panel = app.shell.currentWidget;
    if (panel?.sessionContext && panel.content?.model) { await panel.context.ready; return true; }
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}"""
KERNEL = """async () => {
  const session = window.jupyterapp.shell.currentWidget.sessionContext;
  for (let i = 0; i < 1200; i++) {
    const kernel = session.session?.kernel;
    const listens = kernel?.connectionStatus === 'connected' && kernel.status === 'idle';
    if (listens) { await kernel.info; return true; }
    await new Promise((done) => setTimeout(done, 50));
  }
  return false;
}"""
RUN = """async () => {
  const app = window.jupyterapp;
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error('cells still run')), 120000));
  await Promise.race([late, app.commands.execute('notebook:run-all-cells')]);
  const cells = app.shell.currentWidget.content.widgets.filter((cell) => cell.model.type === 'code');
  const kernel = app.shell.currentWidget.sessionContext.session.kernel;
  const done = () => cells.every((cell) => cell.model.executionCount || !cell.model.sharedModel.source.trim());
  let idle = 0; // the command resolves as soon as one cell raises; cells that were given up never get a number
  for (let i = 0; (kernel.status !== 'idle' || !done()) && idle < 60; i++) {
    if (i === 2400) throw new Error('cells still run');
    await new Promise((next) => setTimeout(next, 50));
    idle = kernel.status === 'idle' ? idle + 1 : 0;
  }
  return cells.map((cell) => ({
    source: cell.model.sharedModel.source,
    count: cell.model.executionCount,
    tags: cell.model.getMetadata('tags') || [],
    outputs: cell.model.outputs.toJSON(),
  }));
}"""

CLOSE_ALL = """async () => {
  for (const panel of [...window.jupyterapp.shell.widgets('main')].filter((widget) => widget.context)) {
    await panel.sessionContext?.ready;
    await panel.sessionContext?.session?.kernel?.info;
    await panel.sessionContext?.shutdown();
    panel.dispose();
  }
}"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def served(folder: Path, home: Path):
    """`autograd-lab lab FOLDER` in a process of its own, with all of Jupyter's folders inside `home`.

    Yields the address to open pages under.
    """
    configuration = home / "config"
    (configuration / "labconfig").mkdir(parents=True)
    (configuration / "labconfig" / "default_setting_overrides.json").write_text(json.dumps(SETTINGS))
    (configuration / "labconfig" / "page_config.json").write_text(json.dumps(SWITCHED_OFF))
    lab_options = {"expose_app_in_browser": True, "extension_manager": "readonly"}
    (configuration / "jupyter_lab_config.json").write_text(json.dumps({"LabApp": lab_options}))
    folders = {"CONFIG": "config", "RUNTIME": "runtime", "DATA": "data"}
    environment = {f"JUPYTER_{name}_DIR": str(home / folder) for name, folder in folders.items()}
    environment |= {f"JUPYTERLAB_{name}_DIR": str(home / name) for name in ("SETTINGS", "WORKSPACES")}
    environment |= {"IPYTHONDIR": str(home / "ipython"), "AUTOGRAD_LAB_HOME": str(home / "progress")}
    environment |= {"JUPYTER_TOKEN": TOKEN, "AUTOGRAD_LAB_LEARNER": "stored"}
    port = free_port()
    command = [sys.executable, "-m", "autograd_lab", "lab", str(folder), "--no-browser", "--port", str(port)]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(
            command,
            env=os.environ | environment,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_until_up(address, process, home / "log")
        yield address
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait_until_up(address: str, process: subprocess.Popen, log: Path) -> None:
    for _ in range(SECONDS * 5):
        if process.poll() is not None:
            break
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/api/status?token={TOKEN}", timeout=2).close()
            return
        time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()}")


def open_lab(page, address: str) -> None:
    """JupyterLab on a fresh workspace, with nothing open."""
    page.set_default_timeout(SECONDS * 1000)
    page.goto(f"{address}/lab?reset&token={TOKEN}")
    page.wait_for_function("window.jupyterapp")
    page.evaluate("async () => { await window.jupyterapp.restored; }")


def show(page, name: str) -> None:
    """Open a notebook in a JupyterLab that is on the page already."""
    page.evaluate("async (path) => { await window.jupyterapp.commands.execute('docmanager:open', { path }); }", name)
    assert page.evaluate(PANEL), f"JupyterLab did not open {name}"


def close_all(page) -> None:
    """Close every file, with its kernel and without saving."""
    page.evaluate(CLOSE_ALL)


def open_notebook(page, address: str, name: str) -> None:
    """Show one notebook of the served folder, on a fresh page and workspace."""
    page.set_default_timeout(SECONDS * 1000)
    page.goto(f"{address}/lab/tree/{name}?reset&token={TOKEN}")
    page.wait_for_function("window.jupyterapp")
    assert page.evaluate(PANEL), f"JupyterLab did not open {name}"


def run_all(page) -> list[dict]:
    """Run every cell; each code cell's source, execution count and outputs."""
    assert page.evaluate(KERNEL), "the kernel never became idle"
    return page.evaluate(RUN)


def save(page) -> None:
    """Save the notebook that is shown."""
    page.evaluate("async () => window.jupyterapp.shell.currentWidget.context.save()")


def errors_of(cells: list[dict]) -> list[str]:
    """What the cells raised, as `name: message`."""
    outputs = [output for cell in cells for output in cell["outputs"]]
    return [f"{o['ename']}: {o['evalue']}" for o in outputs if o["output_type"] == "error"]
