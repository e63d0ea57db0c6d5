"""One run of a shipped cell with start poses a little off, and its verdict."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from gelenk.errors import NameNotFoundError
from gelenk.robots.armbot.environment.description import CuboidEntry, Environment
from gelenk.runtime.config import setting
from gelenk.runtime.scenario import Outcome

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class CellCfg:
    """How a shipped cell is tried.

    Attributes:
        seconds: Longest simulated time; the run ends when all controllers are done.
        settling: Time that objects get to come to rest afterwards.
        position_jitter: Largest deviation of a start position along x and y.
        angle_jitter: ... and of a heading.
        step: Physics step.
    """

    seconds: float = setting(120.0, unit="s", minimum=0.1)
    settling: float = setting(0.5, unit="s", minimum=0.0)
    position_jitter: float = setting(0.01, unit="m", minimum=0.0, maximum=0.05)
    angle_jitter: float = setting(math.radians(5.0), unit="rad", minimum=0.0)
    step: float = setting(0.001, unit="s", minimum=1e-5, maximum=0.01)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a cell came to.

    Attributes:
        figures: Measured on the finished cell, by name.
        problems: Why the task is not done, in words; empty if it is.
    """

    figures: dict[str, float] = field(default_factory=dict[str, float])
    problems: tuple[str, ...] = ()


Judge: TypeAlias = "Callable[[Cell], Verdict]"


def run_trial(
    name: str,
    config: CellCfg,
    seed: int,
    recorder: Any,
    judge: Judge,
    *,
    arguments: Sequence[str] = (),
) -> Outcome:
    """Run a shipped cell once.

    Args:
        name: Of its environment file, without suffix.
        config: How it is tried.
        seed: Of the deviations at the start.
        recorder: Where its messages go, or None.
        judge: Looks at the finished cell.
        arguments: Of a command line, as `gelenk armbot` takes them.
    """
    from gelenk.robots.armbot.assets import shipped_cells
    from gelenk.robots.armbot.cell import Cell
    from gelenk.robots.armbot.environment.read import read_environment
    from gelenk.robots.armbot.options import parse_options
    from gelenk.robots.armbot.setup import make_setup

    files = shipped_cells()
    if name not in files:
        raise NameNotFoundError("shipped cell", name, files)
    environment = jitter(
        read_environment(files[name]),
        np.random.default_rng(seed),
        position=config.position_jitter,
        angle=config.angle_jitter,
    )
    options = parse_options(["--set", f"step={config.step!r}", *arguments])
    with Cell(make_setup(environment, options), seed=seed, recorder=recorder) as cell:
        is_done = cell.run.run_until_idle(config.seconds)
        time = cell.world.time
        cell.run.run(config.settling)
        cell.finish()
        verdict = judge(cell)
        problems = [*_failures(cell), *verdict.problems]
        if not is_done:
            problems.insert(0, f"not done after {config.seconds:g} s")
    figures = {"time": time, **verdict.figures}
    return Outcome(ok=not problems, figures=figures, reason="; ".join(problems))


def warm_up(
    name: str, config: type[CellCfg], judge: Judge, *, arguments: Sequence[str] = ()
) -> None:
    """Compile and load what a trial of a shipped cell needs."""
    short = config(seconds=0.1, settling=0.0)
    run_trial(name, short, 0, None, judge, arguments=arguments)


def _failures(cell: Cell) -> list[str]:
    return [
        f"controller {number} {end.reason}"
        for number, end in cell.controllers.items()
        if end.reason.startswith("failed")
    ]


def jitter(
    environment: Environment,
    rng: np.random.Generator,
    *,
    position: float,
    angle: float,
) -> Environment:
    """Return the environment with movable objects and robots put a little beside.

    A robot knows where it stands; nobody knows where the objects are.

    Args:
        environment: As it is meant.
        rng: Draws the deviations.
        position: Largest deviation along x and along y [m].
        angle: Largest deviation of a heading [rad].
    """
    movables = []
    for entry in environment.movables:
        x, y, z = entry.center
        dx, dy = rng.uniform(-position, position, 2)
        turn = rng.uniform(-angle, angle)
        entry = replace(entry, center=(x + dx, y + dy, z))
        if isinstance(entry, CuboidEntry):
            entry = replace(entry, yaw=entry.yaw + turn)
        movables.append(entry)
    robots = []
    for robot in environment.robots:
        x, y, heading = robot.pose or (0.0, 0.0, 0.0)
        dx, dy = rng.uniform(-position, position, 2)
        turn = rng.uniform(-angle, angle)
        robots.append(replace(robot, pose=(x + dx, y + dy, heading + turn)))
    return replace(environment, movables=tuple(movables), robots=tuple(robots))
