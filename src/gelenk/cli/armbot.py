"""`gelenk armbot`: cells with arms, from their environment files.

The words behind it are the paper's command line; `gelenk.robots.armbot.options` reads
them, not the parser of the other commands.
"""

from __future__ import annotations

import contextlib
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand

from gelenk.cli import exit_codes
from gelenk.cli.console import bold, dim, format_table, say, write
from gelenk.errors import ConfigError, GelenkError

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.options import Options
    from gelenk.robots.armbot.report import Report


class RawCommand(TyperCommand):
    """A command that gets its words as they were typed, also `-?` and `--`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Leave all words in `ctx.args`."""
        ctx.args = list(args)
        return ctx.args


def armbot(context: typer.Context) -> int:
    """Arms in cells of obstacles, belts, balls and boxes; `gelenk armbot -?` says more.

    Exit code 1 if a controller fails.
    """
    words = list(context.args)
    actions: dict[str, Callable[[list[str]], int]] = {
        "cells": _list_cells,
        "check": _check,
        "command": _command,
        "exercise": _exercise,
    }
    if words[:1] in (["cells"], ["check"]) and {"-?", "-h", "--help"} & set(words):
        return _print_help()
    if words and words[0] in actions:
        return actions[words[0]](words[1:])
    if words and not words[0].startswith("-"):
        _refuse_word(words[0], list(actions))
    return _run(words)


def _refuse_word(word: str, known: Sequence[str]) -> None:
    from gelenk.robots.armbot.problems import close_match

    if word.endswith(".env"):
        hint = f"; say gelenk armbot -e {word}"
    else:
        hint = close_match(word, known, or_list=f"; there are {', '.join(known)}")
    raise ConfigError(f"expected an option or a word such as cells, got {word!r}{hint}")


def _print_help() -> int:
    from gelenk.robots.armbot.option_table import HELP

    write(HELP)
    return exit_codes.OK


# -- running -----------------------------------------------------------------------


def _run(words: list[str]) -> int:
    from gelenk.robots.armbot.options import parse_options

    options = parse_options(words)
    if options.help or not words:
        return _print_help()
    with _said_once():
        if options.headless:
            return _run_headless(options)
        return (_run_page if _is_for_page(options) else _run_console)(options)


def _is_for_page(options: Options) -> bool:
    """Return whether somebody sits here, and the page can do all that is wanted."""
    if options.console or options.json or not sys.stdin.isatty():
        return False
    has_files = options.record or options.picture or options.log_folder
    logs = (options.log_threads, options.log_state, options.log_debug)
    if has_files or options.seconds is not None or options.log_system or any(logs):
        return False
    from gelenk.cli.open_page import page_problem

    if problem := page_problem():
        say(f"gelenk: {problem}")
    return not problem


def _run_page(options: Options) -> int:
    """Show the cell in the browser until Ctrl-C."""
    from gelenk.cli.open_page import PageOptions, open_page
    from gelenk.robots.armbot.showcase import scene_of_options

    page = PageOptions(
        port=options.port, open_browser=not options.no_browser, seed=options.seed
    )
    return open_page(lambda: scene_of_options(options), page)


@contextlib.contextmanager
def _said_once() -> Iterator[None]:
    """Keep the runtime's log off the terminal: the windows show it already."""
    logger = logging.getLogger("gelenk.runtime")
    handler, propagate = logging.NullHandler(), logger.propagate
    logger.addHandler(handler)
    logger.propagate = False
    try:
        yield
    finally:
        logger.propagate = propagate
        logger.removeHandler(handler)


def _run_headless(options: Options) -> int:
    from gelenk.cli.run import LiveLine
    from gelenk.robots.armbot.session import run_headless

    tell = say if options.json else write
    name = options.environment or "armbot"
    with LiveLine(name, is_shown=not options.json) as line:
        report = run_headless(
            options,
            on_start=lambda cell: _introduce(cell, options, tell),
            on_time=line.show,
        )
    if options.json:
        write(report.to_json())
    else:
        _print_report(report, options)
    _name_unfinished(report)
    return _judge(report)


def _run_console(options: Options) -> int:
    """Show the windows in this terminal until the user leaves."""
    if options.json:
        raise ConfigError("--json needs a run that ends by itself; add --headless")
    from gelenk.robots.armbot.console import run_console
    from gelenk.robots.armbot.report import make_report
    from gelenk.robots.armbot.session import draw_picture, open_cell

    with open_cell(options, pace=options.pace, autostart=False) as cell:
        _introduce(cell, options, write)
        code = run_console(cell, options)
        cell.finish()
        report = make_report(cell)
        if options.picture is not None:
            draw_picture(cell, options)
            write(f"drawn: {options.picture}")
    return code or _judge(report)


def _introduce(cell: Cell, options: Options, tell: Callable[[str], None]) -> None:
    """Say what the controllers do, and how long all this will last."""
    from gelenk.robots.armbot.report import describe_controller
    from gelenk.robots.armbot.session import MAX_SECONDS

    for robot in cell.robots:
        if robot.controller is not None:
            tell(f"robot {robot.number}: {describe_controller(robot)}")
    if options.headless and options.seconds is None:
        say(
            f"until all controllers have ended, at most {MAX_SECONDS:g} s of simulated "
            "time; --seconds sets another end"
        )


def _print_report(report: Report, options: Options) -> None:
    for line in report.debug_out:
        write(f"{line.time:.3f} s  robot{line.robot}: {line.text}")
    head = report.file or "empty floor"
    write(f"{bold(head)}, seed {report.seed}: {report.seconds:.2f} s simulated")
    rows = [
        (str(robot.number), item.name, item.state, item.reason)
        for robot in report.robots
        if (item := robot.controller) is not None
    ]
    if rows:
        write(format_table(("robot", "controller", "state", "because"), rows))
    objects = {**report.balls, **report.cuboids, **report.cylinders}
    if objects:
        rows = [
            (name, *(f"{value * 100.0:.2f}" for value in item.position))
            for name, item in objects.items()
        ]
        write(
            format_table(("object", "x [cm]", "y [cm]", "z [cm]"), rows, align="lrrr")
        )
    if report.triggers:
        dropped = int(report.figures["triggers_dropped"].value)
        lost = f", {dropped} of them to numbers that nobody has" if dropped else ""
        write(dim(f"{len(report.triggers)} triggers{lost}"))
    for what, path in (("recorded", options.record), ("drawn", options.picture)):
        if path is not None:
            write(f"{what}: {path}")


def _name_unfinished(report: Report) -> None:
    """Say which controllers the end of the run has cut off."""
    for robot in report.robots:
        controller = robot.controller
        if controller is not None and controller.state not in ("idle", "paused"):
            say(
                f"robot {robot.number}: {controller.name} was still {controller.state} "
                f"after {report.seconds:g} s"
            )


def _judge(report: Report) -> int:
    """Return the exit code, and say which controllers failed."""
    for number, controller in report.failed:
        say(f"gelenk: robot {number}: {controller.name} {controller.reason}")
    return exit_codes.OK if report.ok else exit_codes.MISSED


# -- the Command program -----------------------------------------------------------


def _command(words: list[str]) -> int:
    """Run controllers without windows; typed lines go to them, what they print here."""
    from gelenk.robots.armbot.command import run_command
    from gelenk.robots.armbot.options import parse_options

    if words and not words[0].startswith("-"):
        words = ["-e", *words]
    options = parse_options(words)
    if options.help:
        return _print_help()
    tell = say if options.json else write

    def show(line: str) -> None:
        tell(line)
        sys.stdout.flush()

    report = run_command(
        options,
        sys.stdin,
        show=show,
        warn=say,
        on_start=lambda cell: _introduce(cell, options, show),
    )
    if options.json:
        write(report.to_json())
    _name_unfinished(report)
    return _judge(report)


# -- cells and files ---------------------------------------------------------------


def _list_cells(words: list[str]) -> int:
    from gelenk.robots.armbot.assets import shipped_cells, summary

    if words and words != ["--json"]:
        raise ConfigError(f"`gelenk armbot cells` takes only --json, got {words[0]!r}")
    cells = {name: summary(path) for name, path in shipped_cells().items()}
    if words:
        from gelenk.cli.console import write_json

        write_json({"cells": cells})
    elif cells:
        write(format_table(("cell", "what happens"), list(cells.items())))
        say(f"\nrun one with: gelenk armbot -e {next(iter(cells))} --headless")
    else:
        say("no cells ship with this installation")
    return exit_codes.OK


def _check(words: list[str]) -> int:
    """Read environment files and load their classes; say what is wrong."""
    from gelenk.robots.armbot.options import parse_options
    from gelenk.robots.armbot.session import load_setup

    if not words:
        raise ConfigError("expected environment files: gelenk armbot check FILE...")
    is_fine = True
    for word in words:
        if word.startswith("-"):
            raise ConfigError(
                f"`gelenk armbot check` takes only files, got {word!r}; options go to "
                "`gelenk armbot`"
            )
        try:
            setup = load_setup(parse_options(["-e", word]))
        except GelenkError as error:
            is_fine = False
            say(str(error))
        else:
            write(f"{word}: ok, {_count(setup)}")
    return exit_codes.OK if is_fine else exit_codes.IMPOSSIBLE


def _count(setup: Any) -> str:
    environment = setup.environment
    return (
        f"{len(setup.robots)} robots, {len(environment.obstacles)} obstacles, "
        f"{len(environment.movables)} movable objects, "
        f"{len(environment.triggers)} triggers"
    )


def _exercise(words: list[str]) -> int:
    from gelenk.robots.armbot.exercise import cli_main

    return cli_main(words)
