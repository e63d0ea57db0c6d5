"""Where the bat is behind the play: believed, corrected, and blind."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from experiments.figures import ComparedFigure
from experiments.piggy.drive_bench import DriveBench
from gelenk.robots.piggy.control.state import MotionCfg
from gelenk.robots.piggy.kinematics import bat_velocity, forward
from gelenk.typing import FloatArray

STROKE_TIME = 0.6  # [s], from home to the hit


def _believing(cfg: MotionCfg) -> MotionCfg:
    return replace(cfg, play="estimate")


def believed_bat(*, moves: int = 12, seed: int = 0) -> list[ComparedFigure]:
    """How well the estimate knows the bat, over whole moves from pose to pose.

    Args:
        moves: Number of random moves.
        seed: Of the moves.
    """
    rng = np.random.default_rng(seed)
    bench = DriveBench(change=_believing, seed=seed)
    bench.start()
    errors: list[float] = []
    blind: list[float] = []

    truths: list[FloatArray] = []

    def compare(t: float) -> None:
        if t > 0.0:  # the newest state is that of the cycle before
            state = bench.control.state
            errors.append(float(np.linalg.norm(state.bat - truths[-1])))
            blind.append(float(np.linalg.norm(forward(state.q) - truths[-1])))
        truths.append(forward(bench.bat))

    for _ in range(moves):
        bench.control.reach(np.deg2rad(rng.uniform([-30.0, -40.0], [30.0, 30.0])))
        bench.run(0.8, compare)
    return [
        ComparedFigure(
            experiment="BX-09",
            quantity="believed place of the bat, median error over whole moves",
            value=1e3 * float(np.median(errors)),
            unit="mm",
            accepted=(0.0, 20.0),
            note=f"90 %: {1e3 * np.percentile(errors, 90):.0f} mm",
        ),
        ComparedFigure(
            experiment="BX-09",
            quantity="the same from the motors alone",
            value=1e3 * float(np.median(blind)),
            unit="mm",
            note=f"90 %: {1e3 * np.percentile(blind, 90):.0f} mm",
        ),
    ]


def strokes(
    profile: str,
    *,
    play: Literal["ignore", "estimate"] = "ignore",
    count: int = 16,
    seed: int = 0,
) -> tuple[FloatArray, FloatArray]:
    """Strike from home; return how far the true bat misses place and velocity.

    Targets are renewed every 20 ms as a tracker would.

    Args:
        profile: Of the drive.
        play: How control treats it.
        count: Number of strokes.
        seed: Of their targets.

    Returns:
        Distances [m] and differences of velocity [m/s], each (n,), of strokes that
        the limits allow.
    """
    rng = np.random.default_rng(seed)
    bench = DriveBench(profile, change=lambda cfg: replace(cfg, play=play), seed=seed)
    bench.start()
    places: list[float] = []
    speeds: list[float] = []
    for _ in range(count):
        bench.control.home(smooth=False)
        bench.run(1.0)
        q = np.deg2rad(rng.uniform([-25.0, -30.0], [25.0, 15.0]))
        qd = np.deg2rad(rng.uniform([-60.0, -100.0], [60.0, 30.0]))
        hit = bench.world.time + STROKE_TIME
        if bench.control.strike(q, qd, hit) > hit + 1e-6:
            continue

        def renew(
            t: float, q: FloatArray = q, qd: FloatArray = qd, at: float = hit
        ) -> None:
            if round(100.0 * t) % 2 == 0:
                bench.control.strike(q, qd, at)

        bench.run(STROKE_TIME, renew)
        places.append(float(np.linalg.norm(forward(bench.bat) - forward(q))))
        moved = bat_velocity(bench.bat, bench.world.joint_velocities("piggy"))
        speeds.append(float(np.linalg.norm(moved - bat_velocity(q, qd))))
    return np.array(places), np.array(speeds)


def stroke_errors() -> list[ComparedFigure]:
    """How well strokes meet place and velocity, with both drives."""
    figures: list[ComparedFigure] = []
    cases: tuple[tuple[str, Literal["ignore", "estimate"], str, float], ...] = (
        ("thesis", "ignore", "the thesis's drive, blind to its play", np.inf),
        ("thesis", "estimate", "the thesis's drive, flank estimated", 45.0),
        ("tight", "ignore", "the drive without play", 9.0),
    )
    for profile, play, words, limit in cases:
        places, speeds = strokes(profile, play=play)
        figures.append(
            ComparedFigure(
                experiment="BX-09",
                quantity=f"{words}: median distance of bat and target at the hit",
                value=1e3 * float(np.median(places)),
                unit="mm",
                accepted=None if np.isinf(limit) else (0.0, limit),
                note=f"90 %: {1e3 * np.percentile(places, 90):.0f} mm; velocity "
                f"{np.median(speeds):.2f} m/s off",
            )
        )
    return figures
