"""Make a failing program small: leave out statements while it still fails."""

from __future__ import annotations

from collections.abc import Callable


def smallest(lines: list[str], fails: Callable[[list[str]], bool]) -> list[str]:
    """A shorter list of statements that still fails; blocks of statements are left out first, then single ones.

    >>> smallest(["a", "b", "c", "d"], lambda lines: "b" in lines and "d" in lines)
    ['b', 'd']
    """
    size = max(len(lines) // 2, 1)
    while True:
        start, shorter = 0, False
        while start < len(lines):
            candidate = lines[:start] + lines[start + size :]
            if fails(candidate):
                lines, shorter = candidate, True
            else:
                start += size
        if size == 1 and not shorter:
            return lines
        size = max(size // 2, 1)
