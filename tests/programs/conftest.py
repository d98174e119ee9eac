"""Helpers of the random-program tests, not modules for doctest."""

collect_ignore = ["drawing_programs.py", "running.py", "shrinking.py"]
