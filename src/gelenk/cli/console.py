"""Where text goes: results to stdout, everything else to stderr.

Colour and progress bars appear only on a terminal, and never if `NO_COLOR` is set.
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any, TextIO


def write(text: str = "") -> None:
    """Write a line of the result to stdout."""
    sys.stdout.write(text + "\n")


def say(text: str = "") -> None:
    """Write a message for people to stderr."""
    sys.stderr.write(text + "\n")


def write_json(value: Any) -> None:
    """Write the result as one JSON object; numbers that JSON lacks become null."""
    write(json.dumps(as_plain(value), allow_nan=False, ensure_ascii=False))


def as_plain(value: Any) -> Any:
    """Return `value` made of what JSON knows: arrays as lists, inf and nan as None.

    Example:
        >>> as_plain({"upper": (1, float("inf"))})
        {'upper': [1, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): as_plain(item) for key, item in value.items()}
    if isinstance(value, bool | int | str | None):
        return str(value) if isinstance(value, str) else value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if hasattr(value, "tolist"):  # NumPy arrays and scalars, without importing NumPy
        return as_plain(value.tolist())
    if isinstance(value, Sequence | set | frozenset):
        return [as_plain(item) for item in value]
    raise TypeError(f"cannot write a {type(value).__name__} as JSON")


def has_color(stream: TextIO) -> bool:
    """Return whether escape sequences make sense on `stream`."""
    return (
        stream.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )


def styled(text: str, code: str) -> str:
    """Return `text` in an ANSI style such as "1" (bold) if stdout shows styles."""
    return f"\x1b[{code}m{text}\x1b[0m" if has_color(sys.stdout) else text


def bold(text: str) -> str:
    """Return `text` in bold if stdout shows it."""
    return styled(text, "1")


def dim(text: str) -> str:
    """Return `text` in a faint colour if stdout shows it."""
    return styled(text, "2")


def format_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, align: str = ""
) -> str:
    """Return a table of plain text, two blanks between the columns.

    Args:
        header: One title per column.
        rows: Cells, as many per row as there are titles.
        align: One letter per column, "l" or "r"; missing letters mean "l".

    Example:
        >>> print(format_table(("joint", "mass"), [("a", "10.5")], align="lr"))
        joint  mass
        a      10.5
    """
    align = align.ljust(len(header), "l")
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        parts = [
            cell.rjust(width) if side == "r" else cell.ljust(width)
            for cell, width, side in zip(cells, widths, align, strict=False)
        ]
        return "  ".join(parts).rstrip()

    return "\n".join([bold(line(header)), *map(line, rows)])


class Progress:
    """A progress bar on stderr; silent where stderr is no terminal.

    Use as a context manager; the bar disappears at the end.
    """

    WIDTH = 24  # [characters]

    def __init__(self) -> None:
        self._is_shown = has_color(sys.stderr)

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def show(self, done: int, total: int, label: str) -> None:
        """Draw the bar with `done` of `total` steps, `label` beside it."""
        self.show_share(done / max(total, 1), f"{done}/{total} {label}")

    def show_share(self, share: float, label: str) -> None:
        """Draw the bar with a share 0..1 of the whole, `label` beside it."""
        if not self._is_shown:
            return
        filled = round(self.WIDTH * min(max(share, 0.0), 1.0))
        bar = "█" * filled + "░" * (self.WIDTH - filled)
        sys.stderr.write(f"\r\x1b[K{bar} {label}")
        sys.stderr.flush()

    def write_above(self, text: str) -> None:
        """Write a line of the result to stdout; the bar comes back when next shown."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        write(text)
        sys.stdout.flush()
