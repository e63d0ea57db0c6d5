"""EX-18 to EX-20, EX-32, EX-36: the play of the gears, and what it does to them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from experiments.figures import ComparedFigure
from experiments.piggy.drive_bench import (
    DriveBench,
    frequency,
    swing,
)
from gelenk.robots.piggy.config import BALL_MASS
from gelenk.robots.piggy.control.pd import PdGains
from gelenk.robots.piggy.control.state import MotionCfg
from gelenk.robots.piggy.kinematics import jacobian
from gelenk.robots.piggy.robot import BAT_LENGTH
from gelenk.typing import FloatArray

QUIET = 0.1  # [deg], half of peak to peak: less is rest
# Gains as the search of the specification's drive had them, for the observations that
# a controller without any remedy shows.
PLAIN = PdGains(kp=(19.5, 23.0), kd=(2.3, 2.3))
SETTLED = 2.5  # [s], also for a bat that falls slowly through the gap
EFFECTIVE_MASS = 0.27  # [kg], of the bat at its sphere


def plain(cfg: MotionCfg) -> MotionCfg:
    """Return the settings of the thesis's controller, without later remedies."""
    return replace(cfg, gains=PLAIN, direct=None, rest=None, hanging=False)


def unfiltered(cfg: MotionCfg) -> MotionCfg:
    """Return them without the filter on the derivative."""
    gains = replace(PLAIN, filter_frequency=math.inf)
    return replace(plain(cfg), gains=gains)


def overdone(cfg: MotionCfg) -> MotionCfg:
    """Return them with three times the k_p."""
    kp = (3.0 * PLAIN.kp[0], 3.0 * PLAIN.kp[1])
    return replace(plain(cfg), gains=replace(PLAIN, kp=kp))


def ball_momentum(speed: float) -> float:
    """Return what a central ball of a speed [m/s] gives the bat [N s]."""
    return 2.0 * BALL_MASS * EFFECTIVE_MASS / (BALL_MASS + EFFECTIVE_MASS) * speed


def play_oscillation() -> list[ComparedFigure]:
    """EX-18: the motor oscillates in the play without the filter."""
    figures: list[ComparedFigure] = []
    for degrees in (0.5, 2.0, 5.0):
        bench = DriveBench(change=unfiltered, q=np.deg2rad([10.0, 15.0]))
        bench.start()
        bench.control.reach(np.deg2rad([10.0, degrees]))
        run = bench.run(2.0)
        figures += [
            ComparedFigure(
                experiment="EX-18",
                quantity=f"without filter at tilt {degrees:g} deg: amplitude",
                value=swing(run.motor[:, 1:]),
                unit="deg",
                thesis="about 3",
                accepted=(2.0, 4.0),
            ),
            ComparedFigure(
                experiment="EX-18",
                quantity=f"without filter at tilt {degrees:g} deg: frequency",
                value=frequency(run.motor[:, 1]),
                unit="Hz",
                thesis="about 24",
                accepted=(20.0, 28.0),
            ),
        ]
    return figures


def quiet_share(
    *, moves: int = 30, hits: int = 10, seed: int = 1
) -> list[ComparedFigure]:
    """EX-18: with the filter random moves and hits end in rest.

    Args:
        moves: Number of random moves; every second ends at roll 0.
        hits: Number of balls against the bat at home.
        seed: Of both.
    """
    rng = np.random.default_rng(seed)
    ends: list[float] = []
    bench = DriveBench(seed=seed)
    bench.start()
    for k in range(moves):
        pose = rng.uniform([-45.0, -45.0], [45.0, 45.0])
        if k % 2:
            pose = np.array([rng.choice([0.0, rng.uniform(-3.0, 3.0)]), pose[1]])
        bench.control.reach(np.deg2rad(pose))
        ends.append(swing(bench.run(SETTLED).motor))
    bench.control.home(smooth=False)
    bench.run(1.0)
    for _ in range(hits):
        bench.hit(_from_the_front(bench, rng.uniform(4.0, 8.0), rng))
        ends.append(swing(bench.run(SETTLED).motor))
    share = np.mean(np.array(ends) <= QUIET)
    return [
        ComparedFigure(
            experiment="EX-18",
            quantity=f"with filter: quiet after {moves} random moves and {hits} hits, "
            "half of them around roll 0",
            value=100.0 * float(share),
            unit="%",
            thesis="partly suppressed",
            accepted=(95.0, 100.0),
            note=f"worst {max(ends):.2f} deg",
        )
    ]


def _from_the_front(
    bench: DriveBench, speed: float, rng: np.random.Generator
) -> FloatArray:
    """Return the momentum of a ball that comes from the thrower [N s], (3,)."""
    aside = rng.uniform(-0.4, 0.4)
    way = np.array([aside, -1.0, -0.3])
    return ball_momentum(speed) * way / np.linalg.norm(way)


def high_gain() -> list[ComparedFigure]:
    """EX-19: k_p raised too far, with the filter."""
    bench = DriveBench(change=overdone, q=np.deg2rad([10.0, 15.0]))
    bench.start()
    bench.control.reach(np.deg2rad([10.0, 5.0]))
    run = bench.run(2.0)
    torque = run.torque[-100:, 1]
    return [
        ComparedFigure(
            experiment="EX-19",
            quantity="three times the k_p, with filter: the motor circles by",
            value=swing(run.motor[:, 1:]),
            unit="deg",
            thesis="about 1",
            accepted=(0.5, 4.0),
        ),
        ComparedFigure(
            experiment="EX-19",
            quantity="meanwhile the bat moves by",
            value=swing(run.bat[:, 1:]),
            unit="deg",
            thesis="hardly",
            accepted=(0.0, 0.5),
        ),
        ComparedFigure(
            experiment="EX-19",
            quantity="and the torque swings from one limit to the other, by",
            value=float(np.ptp(torque)),
            unit="N m",
            thesis="bang-bang",
            accepted=(4.0, math.inf),
        ),
    ]


def free_play() -> list[ComparedFigure]:
    """EX-20: how far the bat moves without the encoder seeing it."""
    bench = DriveBench()
    bench.start()
    rests: list[FloatArray] = []
    for side in (1.0, -1.0):
        bench.control.reach(np.deg2rad([side * 12.0, side * 12.0]))
        bench.run(1.5)
        bench.control.reach(np.deg2rad([side * 4.0, side * 4.0]), smooth=True)
        bench.run(1.5)
        rests.append(np.rad2deg(bench.bat - bench.motor))
    gap = np.abs(rests[0] - rests[1]) / 2.0
    J = jacobian((0.0, 0.0))
    across = float(np.linalg.norm(J @ np.deg2rad(2.0 * gap)))
    figures = [
        ComparedFigure(
            experiment="EX-20",
            quantity=f"play of {joint} to either side",
            value=float(gap[i]),
            unit="deg",
            thesis="about 3",
            accepted=(2.5, 3.5),
        )
        for i, joint in enumerate(("roll", "tilt"))
    ]
    figures.append(
        ComparedFigure(
            experiment="EX-20",
            quantity="of both axes at the bat's centre",
            value=across,
            unit="m",
            thesis="about 0.12",
            accepted=(0.10, 0.15),
            note=f"one axis: {BAT_LENGTH * math.radians(2.0 * float(gap[1])):.3f} m",
        )
    )
    return figures + _oscillation_by_load()


def _oscillation_by_load() -> list[ComparedFigure]:
    """Where the oscillation is strong: upright, not under load, not in motion."""
    figures: list[ComparedFigure] = []
    for degrees, accepted in ((0.0, (2.0, 4.0)), (30.0, (0.0, 0.5))):
        bench = DriveBench(change=unfiltered, q=np.deg2rad([0.0, degrees + 15.0]))
        bench.start()
        bench.control.reach(np.deg2rad([0.0, degrees]))
        figures.append(
            ComparedFigure(
                experiment="EX-20",
                quantity=f"oscillation without filter at tilt {degrees:g} deg",
                value=swing(bench.run(2.0).motor[:, 1:]),
                unit="deg",
                thesis="strongest around 0" if degrees == 0.0 else "",
                accepted=accepted,
            )
        )
    bench = DriveBench(change=plain, q=np.deg2rad([0.0, -40.0]))
    bench.start()
    bench.control.strike(np.deg2rad([0.0, 40.0]), (0.0, 0.0), bench.world.time + 1.2)
    run = bench.run(0.9)
    error = (run.motor - run.setpoint)[15:40, 1]
    line = np.polyval(np.polyfit(np.arange(25), error, 2), np.arange(25))
    figures.append(
        ComparedFigure(
            experiment="EX-20",
            quantity="oscillation during uniform motion",
            value=float(np.ptp(error - line) / 2.0),
            unit="deg",
            thesis="none",
            accepted=(0.0, 0.5),
        )
    )
    return figures


def abrupt_reversal() -> list[ComparedFigure]:
    """EX-32: from 30 degrees to 42.8, and 0.03 s later to 6.2; a kinder way beside."""
    energies: dict[str, float] = {}
    speeds: dict[str, float] = {}
    times: dict[str, float] = {}
    for name in ("direct", "smooth"):
        bench = DriveBench(q=np.deg2rad([0.0, 30.0]))
        bench.start(0.6)
        before = bench.wear
        is_smooth = name == "smooth"

        def command(t: float, bench: DriveBench = bench, s: bool = is_smooth) -> None:
            if t < 0.005:
                bench.control.reach(np.deg2rad([0.0, 42.8]), smooth=s)
            elif 0.025 < t < 0.035:
                bench.control.reach(np.deg2rad([0.0, 6.2]), smooth=s)

        run = bench.run(1.5, command)
        energies[name] = bench.wear - before
        speeds[name] = float(np.abs(np.diff(run.motor[:, 1])).max() * 100.0)
        times[name] = float(np.flatnonzero(np.abs(run.encoder[:, 1] - 6.2) > 2.0)[-1])
    return [
        ComparedFigure(
            experiment="EX-32",
            quantity="energy that the teeth take in an abrupt reversal",
            value=1e3 * energies["direct"],
            unit="mJ",
            thesis="main cause of damage",
            accepted=(1.0, math.inf),
            note=f"the motor turns at up to {speeds['direct']:.0f} deg/s",
        ),
        ComparedFigure(
            experiment="EX-32",
            quantity="the same by patterns",
            value=1e3 * energies["smooth"],
            unit="mJ",
            note=f"within 2 deg after {10 * times['smooth']:.0f} ms instead of "
            f"{10 * times['direct']:.0f} ms",
        ),
    ]


def gear_wear_sources(*, count: int = 8) -> list[ComparedFigure]:
    """EX-36: what wears the gears: reversals or balls.

    Args:
        count: Of each.
    """
    rng = np.random.default_rng(0)
    bench = DriveBench(q=np.deg2rad([0.0, 30.0]))
    bench.start(0.6)
    bench.control.home(smooth=False)
    bench.run(1.0)
    before = bench.wear
    for _ in range(count):
        bench.hit(_from_the_front(bench, 6.5, rng))
        bench.run(0.8)
    balls = (bench.wear - before) / count
    before = bench.wear
    for _ in range(count):
        bench.control.reach(np.deg2rad([0.0, 42.8]))
        bench.run(0.03)
        bench.control.reach(np.deg2rad([0.0, 6.2]))
        bench.run(0.8)
        bench.control.home(smooth=False)
        bench.run(0.8)
    reversals = (bench.wear - before) / count
    return [
        ComparedFigure(
            experiment="EX-36",
            quantity="wear by one ball of 6.5 m/s, of that by one reversal and return",
            value=balls / reversals,
            thesis="balls are not the main cause",
            accepted=(0.0, 1.0),
            note=f"{1e3 * balls:.0f} and {1e3 * reversals:.0f} mJ",
        )
    ]
