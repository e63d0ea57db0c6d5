"""The `Command` program: controllers without windows, driven by lines of text.

Each line goes to the controller of robot 0, and one such as `@2 grip` to that of
robot 2. From a terminal lines are handed over as they are typed, and the end of the
input (Ctrl-D) stops the controllers. From a file or a pipe all lines are read first and
handed over before the first tick, so that the same input gives the same run.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TextIO

from gelenk.errors import ConfigError, GelenkError
from gelenk.robots.armbot.options import Options
from gelenk.robots.armbot.session import check_end, draw_picture, go, open_cell

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.report import Report

_ADDRESSED = re.compile(r"@(\d+)(?:\s+(.*))?", re.ASCII | re.DOTALL)


class Line(NamedTuple):
    """A line for a robot; None: the one that is selected, at first the lowest."""

    robot: int | None
    text: str


def parse_line(text: str) -> Line | None:
    """Return whom a typed line is for and what it says, None if it is blank.

    Raises:
        ConfigError: If it begins with @ and no robot number follows.

    Example:
        >>> parse_line("@2 grip 3")
        Line(robot=2, text='grip 3')
    """
    text = text.strip()
    if not text:
        return None
    if not text.startswith("@"):
        return Line(None, text)
    match = _ADDRESSED.fullmatch(text)
    if match is None or len(match[1]) > 1:
        raise ConfigError(f"expected a robot number 0 to 9 behind the @, got {text!r}")
    return Line(int(match[1]), match[2] or "")


def run_command(
    options: Options,
    lines: TextIO,
    *,
    show: Callable[[str], object],
    warn: Callable[[str], object],
    on_start: Callable[[Cell], None] | None = None,
) -> Report:
    """Run the controllers of a cell and hand them lines.

    Args:
        options: The command line; ends like a headless run.
        lines: Where typed lines come from.
        show: Gets what controllers print and answer.
        warn: Gets what is wrong with a line that was typed on a terminal.
        on_start: Called with the cell before its first tick.

    Raises:
        ConfigError: If anything that was asked for is not possible.
    """
    from gelenk.robots.armbot.report import make_report

    is_typed = lines.isatty()
    is_paced = is_typed or options.simtime is not None
    pace = options.pace if is_paced else None
    given = [] if is_typed else _read_all(lines)
    with open_cell(options, pace=pace) as cell:
        check_end(cell, options)
        if on_start is not None:
            on_start(cell)
        cell.debug_out.listen(show_as(show))
        cell.commander.scroll.listen(
            lambda line: show(str(line)) if line.is_answer else None
        )
        for line in given:
            cell.commander.send(line.text, line.robot)
        if is_typed:
            _follow(lines, cell, warn)
        go(cell, options.seconds)
        cell.finish()
        report = make_report(cell)
        if options.picture is not None:
            draw_picture(cell, options)
    return report


def show_as(show: Callable[[str], object]) -> Callable[[object], object]:
    """Return the listener that shows a line as text."""
    return lambda line: show(str(line))


def _read_all(lines: TextIO) -> list[Line]:
    found: list[Line] = []
    for number, text in enumerate(lines, 1):
        try:
            line = parse_line(text)
        except ConfigError as error:
            raise ConfigError(f"standard input, line {number}: {error}") from error
        if line is not None:
            found.append(line)
    return found


def _follow(lines: TextIO, cell: Cell, warn: Callable[[str], object]) -> None:
    """Hand over lines as they are typed, on a thread that ends with the program."""

    def follow() -> None:
        for text in lines:
            try:
                line = parse_line(text)
                if line is not None:
                    cell.commander.send(line.text, line.robot)
            except GelenkError as error:
                warn(str(error))
        cell.execute.stop()

    threading.Thread(target=follow, name="typed lines", daemon=True).start()
