"""The command `autograd-lab`: open the course, list its lessons, say what is installed.

Each command is one function that returns the exit code; a Trouble anywhere below becomes one sentence
and exit code 1. The work is done in the folder `lab/`.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from . import stand_in
from .grading import standing
from .lab import Trouble, course_files, doctor, serve, work_folder

WORK_FOLDER = "autograd_lab_work"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0, 1 for trouble, 2 for a wrong command line."""
    args = _parser().parse_args(argv)
    try:
        return args.command(args)
    except Trouble as trouble:
        print(f"autograd-lab: {trouble}", file=sys.stderr)
        return 1
    except BrokenPipeError:  # who reads our output has seen enough, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _lab(args: argparse.Namespace) -> int:
    """Copy what is new into the work folder, trust it, serve it."""
    if not args.no_serve:
        serve.require_lab()
        if args.port is not None:
            serve.require_port(args.port)
    folder = Path(args.folder).expanduser()
    files = course_files.course_files()
    copied = work_folder.fill(folder, (*files, *course_files.source_files(files)))
    print(_account(folder, copied))
    if args.no_serve:
        return 0
    fresh = [folder / (entry.beside or entry.path) for entry in copied if entry.state != "yours"]
    fresh = [path for path in fresh if path.suffix == ".ipynb"]
    if serve.trust(fresh) < len(fresh):
        print("The notebooks could not be marked as trusted; JupyterLab will ask for each.")
    serve.serve(folder, files[0].path if files else None, args.port, browser=not args.no_browser)
    return 0


def _run(args: argparse.Namespace) -> int:
    """Run a PyTorch script with this package in the place of torch."""
    if not Path(args.script).is_file():
        raise Trouble(f"There is no script {args.script}. Give the path of a Python file.")
    stand_in.run_script(args.script, args.arguments)
    return 0


def _lessons(args: argparse.Namespace) -> int:
    """List the course in reading order."""
    files = course_files.course_files()
    width = max((len(file.path) for file in files), default=0)
    for file in files:
        print(f"{file.path:{width}}  {file.title}")
    return 0


def _progress(args: argparse.Namespace) -> int:
    """Print every lesson and exercise with what is done."""
    print(repr(standing.course_progress()))
    return 0


def _check(args: argparse.Namespace) -> int:
    """Print every question of one lesson or exercise with what was answered."""
    try:
        print(repr(standing.one_progress(args.name)))
    except KeyError as error:
        raise Trouble(error.args[0]) from error
    return 0


def _doctor(args: argparse.Namespace) -> int:
    """Print the findings as a table, then what to type for what is missing."""
    findings = doctor.examine()
    _print_findings(findings)
    missing = [finding for finding in findings if finding.state is None]
    if missing:
        print("What to type for what is missing:")
    for remedy in dict.fromkeys(finding.remedy for finding in missing):
        names = [finding.what for finding in missing if finding.remedy == remedy]
        print(f"  {remedy:44} brings {', '.join(names)}")
    if doctor.healthy(findings):
        print("Nothing essential is missing.")
        return 0
    print("Something essential is missing.")
    return 1


def _account(folder: Path, copied: Sequence[work_folder.Copied]) -> str:
    """What was copied where, in a few lines."""
    states = [entry.state for entry in copied]
    lines = [f"Your copy of the course is in {folder.resolve()}"]
    lines += [f"  {states.count(state)} {text}" for state, text in _ACCOUNT if state in states]
    lines += [
        f"  {entry.path} is kept as you changed it; the course's newer version is {entry.beside}"
        for entry in copied
        if entry.beside
    ]
    return "\n".join(lines)


_ACCOUNT = (
    ("new", "new"),
    ("updated", "updated (you had not changed them)"),
    ("as it was", "as they were"),
    ("yours", "kept as you changed them"),
)


def _print_findings(findings: Sequence[doctor.Finding]) -> None:
    rows = [(finding.what, finding.state or _missing(finding), finding.purpose) for finding in findings]
    try:
        from rich import box, console, table
    except ImportError:  # the doctor must be able to say that rich is missing
        for what, found, purpose in rows:
            print(f"{what:14} {found:24} {purpose}")
        return
    sheet = table.Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("what", "found", "what for"):
        sheet.add_column(heading, overflow="fold")
    for row in rows:
        sheet.add_row(*row)
    console.Console().print(sheet)


def _missing(finding: doctor.Finding) -> str:
    return "MISSING, essential" if finding.essential else "not installed"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="autograd-lab", description="See PyTorch's autograd at work.")
    commands = parser.add_subparsers(required=True, metavar="command")
    lab = commands.add_parser("lab", help="copy the course into a work folder and open it in JupyterLab")
    lab.add_argument(
        "folder", nargs="?", default=WORK_FOLDER, metavar="DIR", help=f"work folder (default: {WORK_FOLDER})"
    )
    lab.add_argument("--no-browser", action="store_true", help="serve, but open no browser window")
    lab.add_argument("--port", type=int, help="the port to serve on (default: a free one)")
    lab.add_argument("--no-serve", action="store_true", help="copy only")
    lab.set_defaults(command=_lab)
    run = commands.add_parser("run", help="run a PyTorch script with autograd_lab in the place of torch")
    run.add_argument("script", help="a Python file that says import torch")
    run.add_argument("arguments", nargs=argparse.REMAINDER, help="what the script gets as sys.argv[1:]")
    run.set_defaults(command=_run)
    lessons = commands.add_parser("lessons", help="list lessons and exercises")
    lessons.set_defaults(command=_lessons)
    done = commands.add_parser("progress", help="say how far you are, lesson by lesson and exercise by exercise")
    done.set_defaults(command=_progress)
    check = commands.add_parser("check", help="list the questions of a lesson or exercise with what you answered")
    check.add_argument("name", metavar="NN", help="a lesson's two digits or an exercise, for example 04 or E2")
    check.set_defaults(command=_check)
    installed = commands.add_parser("doctor", help="say what is installed and what to type for what is missing")
    installed.set_defaults(command=_doctor)
    return parser


if __name__ == "__main__":
    sys.exit(main())
