"""AN-17, AN-18, AN-34: via points in step with other legs, and the way of a swing.

The other legs are a main controller that releases this one after the time that the
thesis measured, give or take 10 %.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from scipy.interpolate import CubicSpline

from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg import Bench, BenchCfg
from gelenk.robots.amee.timing import LOW_CLOCK, McuTiming, sync_time
from gelenk.robots.amee.wire import Command, Report
from gelenk.typing import FloatArray

_HEIGHT = -0.60  # [m]
_HALF = 0.06  # [m], of the line
_SPREAD = 0.10  # of the partners' delays, T
# Percent of the line that feet may go to and fro: gliding, or overshoot to be seen.
_BACK = {1: (8.0, 40.0), 3: (0.0, 10.0), 5: (0.0, 6.0), 6: (0.0, 6.0)}
_SEEN = {
    1: "overshoot to be seen below 3 mm",
    3: "glides at 18.432 MHz",
    5: "glides",
    6: "slight bows, upper bound",
}
_SMOOTH = 0.100  # [s], over which the speed of the torso is looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class Glide:
    """One line, as the true foot went.

    Attributes:
        time: Of each pass [s], (n,).
        along: Way along the line [m], (n,).
        aside: Distance from it [m], (n,).
        back: Way that the foot went back on it [m].
        done: Whether the line was finished.
    """

    time: FloatArray
    along: FloatArray
    aside: FloatArray
    back: float
    done: bool


def glide(spacing: float, *, clock: float = 0.0, seed: int = 0) -> Glide:
    """Let a leg follow a line with via points so far apart [m].

    Args:
        spacing: Of the via points [m].
        clock: Of the leg's chip [Hz]; 0: the prototype's.
        seed: Of noise and delays.
    """
    timing = McuTiming(clock=clock) if clock else McuTiming()
    period = timing.longest_pass
    bench = Bench(LegCfg(min_step=spacing, pass_period=period), BenchCfg(seed=seed))
    rng = np.random.default_rng(seed)
    bench.run(0.1)
    bench.command(Command.MOVE_POINT, _HALF, _HEIGHT, 0.0)
    bench.run_until(Report.READY)
    bench.command(Command.LINE, _HALF, _HEIGHT, 0.0, -_HALF, _HEIGHT, 0.0)
    rows: list[tuple[float, float, float]] = []
    release, done = np.inf, False
    while not done and bench.now < 60.0:
        said = [message.report for message in bench.step()]
        x, y, z = bench.foot()
        rows.append((bench.now, _HALF - x, float(np.hypot(y - _HEIGHT, z))))
        if Report.SYNC in said:
            release = bench.now + sync_time(timing) * rng.uniform(
                1.0 - _SPREAD, 1.0 + _SPREAD
            )
        if bench.now >= release:
            release = np.inf
            bench.command(Command.NEXT)
        done = Report.READY in said
    path = np.array(rows)
    ways = np.diff(path[:, 1])
    return Glide(
        time=path[:, 0],
        along=path[:, 1],
        aside=path[:, 2],
        back=-float(ways[ways < 0.0].sum()),
        done=done,
    )


def spacing(full: bool = False) -> list[ComparedFigure]:
    """AN-17: how close via points may be, and how far apart."""
    seeds = range(5 if full else 1)
    figures: list[ComparedFigure] = []
    for millimetres in (1, 2, 3, 5, 6, 12):
        runs = [glide(millimetres / 1e3, seed=seed) for seed in seeds]
        back = float(np.mean([run.back for run in runs])) / (2.0 * _HALF)
        aside = 1e3 * max(float(run.aside.max()) for run in runs)
        figures.append(
            ComparedFigure(
                experiment="AN-17",
                quantity=f"way to and fro, via points {millimetres} mm apart",
                value=100.0 * back,
                unit="% of the line",
                thesis=_SEEN.get(millimetres, ""),
                accepted=_BACK.get(millimetres),
                note=f"at most {aside:.1f} mm from the line, "
                f"{'finished' if all(run.done for run in runs) else 'not finished'}",
            )
        )
    slow = glide(0.005, clock=LOW_CLOCK)
    figures.append(
        ComparedFigure(
            experiment="AN-17",
            quantity="way finished at 16 MHz, via points 5 mm apart",
            value=float(slow.done),
            thesis="nearly gliding",
            accepted=(1.0, 1.0),
            note=f"at most {1e3 * slow.aside.max():.1f} mm from the line",
        )
    )
    return figures


def ripple(full: bool = False) -> list[ComparedFigure]:
    """AN-18: how evenly a foot goes along its line in step with others."""
    del full
    run = glide(0.003)
    inner = (run.along > 0.02) & (run.along < 0.10)
    time, along = run.time[inner], run.along[inner]
    step = float(np.median(np.diff(time)))
    width = max(round(_SMOOTH / step), 1)
    speed = (along[width:] - along[:-width]) / (time[width:] - time[:-width])
    return [
        ComparedFigure(
            experiment="AN-18",
            quantity="speed along the line, in the mean",
            value=1e3 * float(speed.mean()),
            unit="mm/s",
        ),
        ComparedFigure(
            experiment="AN-18",
            quantity="ripple of that speed over 0.1 s, standard deviation over mean",
            value=float(speed.std() / speed.mean()),
            thesis="short delays, not perfectly fluid",
            accepted=(0.0, 0.5),
        ),
    ]


def swing(full: bool = False) -> list[ComparedFigure]:
    """AN-34: the way of a step over three points, against a spline through them."""
    del full
    bench = Bench(LegCfg(), ground=lambda x, z, t: -0.63)
    bench.run(0.1)
    bench.command(Command.MOVE_POINT, -0.06, -0.625, 0.0)
    bench.run_until(Report.READY)
    begin = bench.foot()
    bench.command(Command.DO_STEP, 0.06, -0.63, 0.0, -0.06, -0.63, 0.0)
    path: list[tuple[float, float]] = []

    def is_over() -> bool:
        path.append(bench.foot()[:2])
        return any(m.report == Report.SYNC for _, m in bench.messages)

    bench.run(20.0, is_over)
    points = np.array(path)
    top = points[-1, 1]
    via = np.array([begin[:2], (begin[0], top), (0.5 * (begin[0] + 0.06), top),
                    (0.06, top)])  # fmt: skip
    knots = np.concatenate(
        [[0.0], np.cumsum(np.linalg.norm(np.diff(via, axis=0), axis=1))]
    )
    spline = CubicSpline(knots, via, bc_type="natural")(np.linspace(0, knots[-1], 500))
    apart = np.linalg.norm(points[:, None, :] - spline[None, :, :], axis=2).min(axis=1)
    lifted = points[:, 1] - begin[1]
    return [
        ComparedFigure(
            experiment="AN-34",
            quantity="way of the swinging foot from a spline through its three points",
            value=1e3 * float(apart.max()),
            unit="mm",
            thesis="almost identical",
            accepted=(0.0, 25.0),
            note=f"{1e3 * apart.mean():.1f} mm in the mean, way of "
            f"{1e3 * float(knots[-1]):.0f} mm, lifted by {1e3 * lifted.max():.0f} mm",
        )
    ]


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType({"AN-17": (spacing,), "AN-18": (ripple,), "AN-34": (swing,)})
)
