"""Serve a work folder with JupyterLab: notebooks trusted, widget state dropped on save, this machine only.

JupyterLab runs in this process, so that one Ctrl-C ends both. `save_hook.py` is what it calls on save.
"""

import importlib
import importlib.util
import os
import socket
from collections.abc import Iterable
from pathlib import Path

from . import Trouble

SETTINGS = Path(__file__).with_name("jupyter")
NEEDED = ("jupyterlab", "ipykernel", "ipywidgets", "anywidget", "matplotlib")


def require_lab() -> None:
    """Raises Trouble naming the `pip install` line when a part of the extra [lab] is missing."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise Trouble(
            f"JupyterLab cannot be opened: {', '.join(missing)} not installed. "
            'Type: pip install "autograd-lab[lab]"  (in a clone: pip install -e ".[lab]")'
        )


def require_port(port: int) -> None:
    """Raises Trouble when another program listens on this port, or no program may."""
    with socket.socket() as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise Trouble(
                f"Port {port} cannot be used: {error.strerror}. Stop the program that uses it, choose "
                "another number with --port, or leave --port out: a free one is then taken."
            ) from error
        except OverflowError as error:
            raise Trouble(f"Port {port} is no port number. Choose one from 1024 to 65535.") from error


def trust(paths: Iterable[Path]) -> int:
    """Sign notebooks so that JupyterLab shows their drawings at once; returns how many could be signed."""
    nbformat, sign = importlib.import_module("nbformat"), importlib.import_module("nbformat.sign")
    signed = 0
    try:
        notary = sign.NotebookNotary()
        for path in paths:
            notary.sign(nbformat.read(path, as_version=4))
            signed += 1
    except OSError:
        pass  # no place for the signatures: JupyterLab then asks the learner to trust each notebook
    return signed


def arguments(folder: Path, first: str | None, port: int | None, browser: bool) -> list[str]:
    """The command line that JupyterLab gets.

    >>> arguments(Path("work"), None, None, browser=False)[-1]
    '--no-browser'
    """
    args = [
        f"--ServerApp.root_dir={folder.resolve()}",
        "--FileContentsManager.pre_save_hook=autograd_lab.lab.save_hook.drop_widget_state",
        "--LabApp.news_url=None",
    ]
    if first:
        args.append(f"--LabApp.default_url=/lab/tree/{first}")
    if port is not None:
        args += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        args.append("--allow-root")  # the usual user of a container; only this machine is listened to
    if not browser:
        args.append("--no-browser")
    return args


def serve(folder: Path, first: str | None, port: int | None, browser: bool) -> None:
    """Run JupyterLab on the folder until it is stopped."""
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(
        [str(SETTINGS), *filter(None, [os.environ.get("JUPYTER_CONFIG_PATH")])]
    )
    labapp = importlib.import_module("jupyterlab.labapp")
    labapp.LabApp.launch_instance(argv=arguments(folder, first, port, browser))
