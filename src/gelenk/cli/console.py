"""Output of commands: results to stdout, everything else to stderr.

Colour and progress bars appear only on a terminal, and never if `NO_COLOR` is set.
"""

from __future__ import annotations

import io
import json
import math
import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, TextIO

import typer

from gelenk.runtime.files import as_plain

if TYPE_CHECKING:  # rich takes a while to load: only who draws pays for it
    from rich.console import RenderableType
    from rich.live import Live

BAR_WIDTH = 24  # [characters]
MAX_WIDTH = 10_000  # [characters], of tables: terminals wrap, pipes take all
REDRAW_PERIOD = 0.05  # [s]


def write(text: str = "") -> None:
    """Write a line of the result to stdout."""
    sys.stdout.write(text + "\n")


def say(text: str = "") -> None:
    """Write a message for people to stderr."""
    sys.stderr.write(text + "\n")


def write_json(value: Any) -> None:
    """Write the result as one JSON object; numbers that JSON lacks become null."""
    write(json.dumps(as_plain(value), allow_nan=False, ensure_ascii=False))


def command_group(name: str, help: str) -> typer.Typer:
    """Return a group of commands that shows its help where none is named.

    Args:
        name: Name of the group.
        help: Text that its help begins with.
    """
    group = typer.Typer(
        name=name,
        help=help,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @group.callback(invoke_without_command=True)
    def show_help(context: typer.Context) -> None:
        if context.invoked_subcommand is None:
            write(context.get_help())

    return group


def examples(*lines: str) -> str:
    """Return examples as lines that the help of a command leaves as they are."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


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


def render(renderable: RenderableType) -> str:
    """Return what rich makes of a table or a tree, as wide as it needs.

    Args:
        renderable: Table, tree or text of rich.

    Returns:
        Lines without blanks at their ends; styles only where stdout shows them.
    """
    from rich.console import Console

    is_styled = has_color(sys.stdout)
    console = Console(
        file=io.StringIO(),
        width=MAX_WIDTH,
        force_terminal=is_styled,
        color_system="standard" if is_styled else None,
        highlight=False,
    )
    with console.capture() as captured:
        console.print(renderable, soft_wrap=False, crop=False)
    return "\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n"))


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
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for title, side in zip(header, align.ljust(len(header), "l"), strict=False):
        justify = "right" if side == "r" else "left"
        table.add_column(Text(title), justify=justify, no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    return render(table)


class LiveArea:
    """Lines on stderr that are drawn again and again, and vanish at the end.

    Silent where stderr is no terminal. Use as a context manager.

    Args:
        is_shown: Whether anything is drawn, on a terminal.
    """

    def __init__(self, *, is_shown: bool = True) -> None:
        self.is_shown = is_shown and has_color(sys.stderr)
        self._live: Live | None = None
        self._drawn = -math.inf

    def __enter__(self) -> Self:
        if self.is_shown:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(file=sys.stderr, highlight=False),
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    @property
    def is_due(self) -> bool:
        """Whether the last drawing is so old that eyes can follow another one."""
        return self.is_shown and time.monotonic() - self._drawn >= REDRAW_PERIOD

    def draw(self, renderable: RenderableType) -> None:
        """Draw something in place of what stands there."""
        if self._live is not None:
            self._drawn = time.monotonic()
            self._live.update(renderable, refresh=True)

    def write_above(self, text: str) -> None:
        """Write a line of the result to stdout, above what is drawn."""
        if self._live is not None:
            self._live.stop()
        write(text)
        sys.stdout.flush()
        if self._live is not None:
            self._live.start()


class Progress(LiveArea):
    """A progress bar on stderr; silent where stderr is no terminal."""

    def show(self, done: int, total: int, label: str) -> None:
        """Draw the bar with `done` of `total` steps, `label` beside it."""
        self.show_share(done / max(total, 1), f"{done}/{total} {label}")

    def show_share(self, share: float, label: str) -> None:
        """Draw the bar with a share 0..1 of the whole, `label` beside it."""
        if self.is_due or share >= 1.0:
            self.draw(progress_bar(share, label))


def progress_bar(share: float, label: str) -> RenderableType:
    """Return a bar with a text beside it.

    Args:
        share: Share of the whole that is done, 0 to 1.
        label: Text beside the bar.
    """
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    row = Table.grid(padding=(0, 1))
    bar = ProgressBar(total=1.0, completed=min(max(share, 0.0), 1.0), width=BAR_WIDTH)
    row.add_row(bar, Text(label, no_wrap=True, overflow="ellipsis"))
    return row
