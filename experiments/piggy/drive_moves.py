"""EX-21, EX-25 to EX-28: how fast and how exactly the bat gets somewhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from experiments.figures import ComparedFigure
from experiments.piggy.drive_bench import DriveBench, settling
from experiments.piggy.drive_gear import ball_momentum
from experiments.piggy.drive_speed import as_in_thesis
from gelenk.typing import FloatArray

GRID = (-45.0, -30.0, -15.0, 0.0, 15.0, 30.0, 45.0)  # [deg], of both angles


def patterns_and_direct() -> list[ComparedFigure]:
    """EX-21: 46 degrees of tilt by a pattern and by the PD controllers alone."""
    times: dict[str, float] = {}
    over: dict[str, float] = {}
    for name in ("pattern", "direct"):
        bench = DriveBench(q=np.deg2rad([0.0, -16.0]), change=as_in_thesis)
        bench.start(0.6)
        begin = bench.motor[1]
        target = np.rad2deg(begin) + 46.0
        goal = np.deg2rad([0.0, target])
        if name == "pattern":
            bench.control.reach(goal, smooth=True)
        else:
            bench.control.reach(goal)
        run = bench.run(2.0)
        times[name] = settling(run.encoder[:, 1], 2.0)
        over[name] = float(run.encoder[:, 1].max() - run.encoder[-50:, 1].mean())
    return [
        ComparedFigure(
            experiment="EX-21",
            quantity="46 deg of tilt by a pattern: within 2 deg after",
            value=times["pattern"],
            unit="s",
            thesis="about 1",
            accepted=(0.0, 1.0),
        ),
        ComparedFigure(
            experiment="EX-21",
            quantity="46 deg directly: within 2 deg after",
            value=times["direct"],
            unit="s",
            thesis="< 0.4",
            accepted=(0.0, 0.4),
        ),
        ComparedFigure(
            experiment="EX-21",
            quantity="overshoot of the pattern, of that of the direct move",
            value=over["pattern"] / max(over["direct"], 1e-6),
            thesis="hardly any ringing",
            accepted=(-math.inf, 1.0),
            note=f"{over['pattern']:.2f} and {over['direct']:.2f} deg",
        ),
    ]


def settling_map(
    targets: Sequence[float] = GRID, *, profile: str = "thesis"
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return times and errors of moves from upright to a grid of poses.

    Args:
        targets: Of both angles [deg], n of them.
        profile: Of the drive.

    Returns:
        Time to within 2 degrees and to within 0.5 degrees of the rest [s], residual
        error of the motor and of the bat [deg], each (n, n); NaN at the start pose.
    """
    n = len(targets)
    fast, fine, motor, bat = (np.full((n, n), np.nan) for _ in range(4))
    bench = DriveBench(profile)
    bench.start()
    for i, j in product(range(n), range(n)):
        pose = np.array([targets[i], targets[j]])
        if not pose.any():
            continue
        bench.control.reach((0.0, 0.0))
        bench.run(1.0)
        bench.control.reach(np.deg2rad(pose))
        run = bench.run(1.4)
        fast[i, j] = settling(run.encoder, 2.0)
        fine[i, j] = settling(run.encoder, 0.5)
        motor[i, j] = np.abs(run.encoder[-50:].mean(axis=0) - pose).max()
        bat[i, j] = np.abs(run.bat[-50:].mean(axis=0) - pose).max()
    return fast, fine, motor, bat


def settling_times(
    targets: Sequence[float] = GRID, *, profile: str = "thesis"
) -> list[ComparedFigure]:
    """EX-25 to EX-27: from upright to a grid of poses, by the PD controllers.

    Args:
        targets: Of both angles [deg].
        profile: Of the drive.
    """
    fast, fine, motor, bat = settling_map(targets, profile=profile)
    return [
        ComparedFigure(
            experiment="EX-25",
            quantity=f"slowest move to within 2 deg, grid to {max(targets):g} deg",
            value=float(np.nanmax(fast)),
            unit="s",
            thesis="0.34",
            accepted=(0.0, 0.34),
            note=f"mean {np.nanmean(fast):.3f} s",
        ),
        ComparedFigure(
            experiment="EX-26",
            quantity="mean time to within 0.5 deg",
            value=float(np.nanmean(fine)),
            unit="s",
            thesis="about 0.7",
            accepted=(0.0, 0.7),
        ),
        ComparedFigure(
            experiment="EX-27",
            quantity="largest residual error of the motors",
            value=float(np.nanmax(motor)),
            unit="deg",
            thesis="0.4",
            accepted=(0.0, 0.4),
        ),
        ComparedFigure(
            experiment="EX-27",
            quantity="largest residual error of the bat, behind the play",
            value=float(np.nanmax(bat)),
            unit="deg",
        ),
    ]


def ball_impact(speeds: Sequence[float] = (3.0, 5.0, 6.5)) -> list[ComparedFigure]:
    """EX-28: a central ball meets the bat during a move of 13 degrees of tilt.

    Args:
        speeds: Of the balls [m/s].
    """
    figures: list[ComparedFigure] = []
    for speed in speeds:
        ways: list[FloatArray] = []
        for is_hit in (False, True):
            bench = DriveBench(q=np.deg2rad([0.0, -10.0]))
            bench.start(0.6)
            bench.control.reach(np.deg2rad([0.0, -23.0]))
            bench.run(0.3)
            if is_hit:
                bench.hit((0.0, -ball_momentum(speed), 0.0))
            else:
                bench.run(0.02)
            ways.append(bench.run(1.0).encoder[:, 1])
        deflection = np.abs(ways[1] - ways[0])
        back = np.flatnonzero(deflection > 2.0)
        figures.append(
            ComparedFigure(
                experiment="EX-28",
                quantity=f"deflection by a central ball of {speed:g} m/s",
                value=float(deflection.max()),
                unit="deg",
                thesis="1.87, speed and place unknown",
                accepted=(1.0, 8.0),
            )
        )
        figures.append(
            ComparedFigure(
                experiment="EX-28",
                quantity=f"back within 2 deg after a ball of {speed:g} m/s",
                value=0.0 if len(back) == 0 else 0.01 * float(back[-1] + 3),
                unit="s",
                accepted=(0.0, 0.5),
            )
        )
    return figures
