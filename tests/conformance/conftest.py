"""The cases are scripts for the runner, not modules for pytest."""

collect_ignore = ["cases", "run.py"]
