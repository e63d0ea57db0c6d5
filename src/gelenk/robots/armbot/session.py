"""A cell from its command line to its report, for the program, tests and campaigns."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gelenk.errors import ConfigError
from gelenk.robots.armbot.assets import SUFFIX, shipped_cells
from gelenk.robots.armbot.environment.description import Environment
from gelenk.robots.armbot.options import Options
from gelenk.robots.armbot.problems import close_match

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.report import Report
    from gelenk.robots.armbot.setup import Setup
    from gelenk.runtime.recorder import Recorder

MAX_SECONDS = 600.0  # [s], simulated: as long as controllers get without --seconds


def find_environment(options: Options) -> Path | None:
    """Return the file that `-e` names, None for the empty floor.

    Raises:
        ConfigError: If there is no such file and no shipped cell of this name.
    """
    name = options.environment
    if name is None:
        return None
    path = Path(name).expanduser()
    if path.exists() and not path.is_dir():  # also what a shell pipes in
        return path
    cells = shipped_cells()
    if name.removesuffix(SUFFIX) in cells:
        return cells[name.removesuffix(SUFFIX)]
    if path.is_dir():
        problem = f"expected an environment file, got the folder {name}"
        return _refuse(options, problem, [item.name for item in path.glob("*.env")])
    if not path.parent.is_dir():
        return _refuse(options, f"there is no folder {path.parent}", [])
    neighbours = [item.name for item in path.parent.iterdir() if item.is_file()]
    listing = f"; {', '.join(cells)} ship with gelenk" if cells else ""
    hint = close_match(path.name, [*neighbours, *cells], or_list=listing)
    return _refuse(options, f"there is no file {name}{hint}", [])


def _refuse(options: Options, problem: str, candidates: list[str]) -> None:
    listing = f"; it has {', '.join(sorted(candidates))}" if candidates else ""
    raise ConfigError(f"{options.environment_place}: {problem}{listing}")


def load_setup(options: Options) -> Setup:
    """Return the checked cell of a command line; nothing is built yet.

    Raises:
        ConfigError: If file or command line have mistakes.
        EnvironmentFileError: If the file cannot be read.
    """
    from gelenk.robots.armbot.environment.read import read_environment
    from gelenk.robots.armbot.setup import make_setup

    path = find_environment(options)
    environment = Environment() if path is None else read_environment(path)
    return make_setup(environment, options)


@contextmanager
def open_cell(
    options: Options, *, pace: float | None = None, autostart: bool = True
) -> Iterator[Cell]:
    """Build the cell of a command line, with its recording and its log files.

    Args:
        options: The command line.
        pace: Simulated seconds per second of wall time; None: as fast as possible.
        autostart: Whether the controllers start in the first tick.

    Raises:
        ConfigError: If anything that was asked for is not possible.
    """
    check_targets(options)
    setup = load_setup(options)
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.logs import LogFiles

    with ExitStack() as stack:
        recorder = None
        if options.record is not None:
            recorder = stack.enter_context(_recorder(options.record, setup))
        with _removed_on_failure(options.record):
            cell = Cell(
                setup,
                seed=options.seed,
                recorder=recorder,
                pace=pace,
                autostart=autostart,
            )
        stack.enter_context(cell)
        stack.enter_context(
            LogFiles(options, cell.run, cell.debug_out, cell.system_log)
        )
        yield cell
        cell.finish()  # while recording and logs are open: the last messages come now


def run_headless(
    options: Options,
    *,
    on_start: Callable[[Cell], None] | None = None,
    on_time: Callable[[float], None] | None = None,
) -> Report:
    """Simulate a cell without showing it.

    Args:
        options: The command line; with `seconds` it runs so long, without until all
            controllers have ended, but not longer than `MAX_SECONDS`.
        on_start: Called with the cell before its first tick.
        on_time: Called with the simulated time [s] after every control tick.

    Raises:
        ConfigError: If anything that was asked for is not possible.

    Example:
        >>> from gelenk.robots.armbot import parse_options, run_headless
        >>> report = run_headless(parse_options(["-e", "tower", "--seconds", "0.1"]))
        >>> report.ok, sorted(report.cuboids)[0]
        (True, 'cuboid_1')
    """
    from gelenk.robots.armbot.report import make_report
    from gelenk.runtime.controls import Spectator, watched_by

    pace = options.pace if options.simtime is not None else None
    with watched_by(Spectator(on_time=on_time)), open_cell(options, pace=pace) as cell:
        check_end(cell, options)
        if on_start is not None:
            on_start(cell)
        go(cell, options.seconds)
        cell.finish()
        report = make_report(cell)
        if options.picture is not None:
            draw_picture(cell, options)
    return report


def go(cell: Cell, seconds: float | None) -> None:
    """Go on for a simulated time [s], or until all controllers have ended."""
    if seconds is not None:
        cell.run.run(seconds)
    else:
        cell.run.run_until_idle(MAX_SECONDS)


def check_end(cell: Cell, options: Options) -> None:
    """Refuse a run that nothing would end.

    Raises:
        ConfigError: If there is neither a time nor a controller.
    """
    if options.seconds is None and not cell.run.executors:
        raise ConfigError(
            "no robot has a controller, so nothing says when to end; say how long, "
            "for example --seconds 10, or name a controller with -c"
        )


def draw_picture(cell: Cell, options: Options) -> None:
    """Draw the cell as it is now into the file of `--picture`."""
    from gelenk.robots.armbot.view.picture import save_picture

    assert options.picture is not None
    save_picture(
        cell, options.picture, flags=options.render_flags, renderer=options.render
    )


def check_targets(options: Options) -> None:
    """Refuse files that cannot be written, before anything is built.

    Raises:
        ConfigError: If one exists that must not, or has no folder.
    """
    record, picture = options.record, options.picture
    if record is not None and record.exists():
        raise ConfigError(f"`--record {record}` exists already; choose another name")
    for option, path in (("--record", record), ("--picture", picture)):
        if path is None:
            continue
        folder = path.absolute().parent
        if not folder.is_dir():
            raise ConfigError(f"`{option} {path}`: there is no folder {folder}")
        if not os.access(folder, os.W_OK):
            raise ConfigError(f"`{option} {path}`: {folder} cannot be written to")
    if picture is not None and (picture.suffix.lower() != ".png" or picture.is_dir()):
        raise ConfigError(
            f"`--picture {picture}`: expected a file name ending in .png; say "
            f"{picture.with_suffix('.png')}"
        )


@contextmanager
def _removed_on_failure(path: Path | None) -> Iterator[None]:
    """Leave no empty recording behind that would be in the way next time."""
    try:
        yield
    except BaseException:
        if path is not None:
            path.unlink(missing_ok=True)
        raise


def _recorder(path: Path, setup: Setup) -> Recorder:
    from gelenk.runtime.recorder import Recorder

    return Recorder(path, _facts(setup))


def _facts(setup: Setup) -> dict[str, Any]:
    """Return what a recording says about its origin."""
    from gelenk.runtime.config import to_plain

    return {
        "armbot": setup.environment.file,
        "config": to_plain(setup.cfg),
        "seed": setup.options.seed,
        "robots": {
            f"robot{robot.number}": {
                "manipulator": robot.manipulator.__qualname__,
                "gripper": robot.gripper.__qualname__ if robot.gripper else None,
                "controller": (
                    robot.controller.__qualname__ if robot.controller else None
                ),
                "config": robot.config,
            }
            for robot in setup.robots
        },
    }
