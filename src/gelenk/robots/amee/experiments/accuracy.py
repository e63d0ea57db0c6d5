"""AN-15, AN-16, AN-27: where the foot ends, drives that run back, the longest move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

import numpy as np

from gelenk.core.typing import FloatArray
from gelenk.robots.amee.config import LegCfg, RotationCfg
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.experiments.stand import LegStand
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.wire import Command, Message, Report
from gelenk.robots.amee.world import WorldCfg, make_world
from gelenk.runtime.figures import Figure

POSE = (0.0, -0.4, 0.0)  # [m], T: where the thesis measured
BOUNDS = (8.0, 4.0, 2.0)  # [mm], T: x, y and z
_WAIT = 1.0  # [s], after `ready`: play swings for 0.3 s to 0.5 s
_AROUND = ((-0.12, -0.58, -0.06), (0.12, -0.42, 0.06))  # [m], where moves begin


def foot_errors(
    count: int,
    *,
    worn: bool,
    smoothing: Literal["average", "median"] = "median",
    seed: int = 0,
    goes_elsewhere: bool = False,
) -> FloatArray:
    """Move a hanging leg from anywhere to a pose; return true errors [m], (n, 3).

    Args:
        count: How often.
        worn: Whether its gears have play.
        smoothing: Filter of the angles.
        seed: Of drives, noise and begins.
        goes_elsewhere: Whether to end at random points instead of the thesis's pose.
    """
    rng = np.random.default_rng(seed)
    # Peaks that an average lets through would keep a leg from ever arriving closer.
    wide = RotationCfg(arrival_tolerance=4, short_tolerance=0)
    is_literal = smoothing == "average"
    cfg = LegCfg(filter=smoothing, rotation=wide if is_literal else RotationCfg())
    errors: list[FloatArray] = []
    with LegStand(cfg, drive=DriveCfg(worn=worn), seed=seed) as stand:
        for _ in range(count):
            begin = rng.uniform(*_AROUND)
            end = rng.uniform(*_AROUND) if goes_elsewhere else np.array(POSE)
            stand.drive(Command.MOVE_POINT, *begin.tolist())
            said = stand.drive(Command.MOVE_POINT, *end.tolist())
            stand.run(_WAIT)
            is_there = said[-1:] == [Message(Report.READY)]
            errors.append(stand.foot() - end if is_there else np.full(3, np.inf))
    return np.array(errors)


def accuracy(full: bool = False) -> list[Figure]:
    """AN-15: the foot's place with worn and with new joints, both filters."""
    count, seeds = (20, 5) if full else (4, 1)
    cases: tuple[tuple[bool, Literal["average", "median"], bool], ...] = (
        (True, "median", False),
        (True, "average", False),
        (False, "median", False),
        (False, "average", False),
        (True, "median", True),
    )
    figures: list[Figure] = []
    for worn, smoothing, elsewhere in cases:
        errors = np.concatenate(
            [
                foot_errors(
                    count,
                    worn=worn,
                    smoothing=smoothing,
                    seed=seed,
                    goes_elsewhere=elsewhere,
                )
                for seed in range(seeds)
            ]
        )
        worst = 1e3 * np.abs(errors).max(axis=0)
        mean = 1e3 * np.abs(errors).mean(axis=0)
        words = f"{'worn' if worn else 'new'} joints, {smoothing} filter"
        if elsewhere:
            words += ", poses where gravity may press either flank of the play"
        for axis, bound in enumerate(BOUNDS):
            # the filter of the thesis passes the peaks of slow drives: only reported
            is_ours = smoothing == "median" and not elsewhere
            figures.append(
                Figure(
                    experiment="AN-15",
                    quantity=f"{'xyz'[axis]} of the foot, largest error, {words}",
                    value=float(worst[axis]),
                    unit="mm",
                    thesis=f"+-{bound:g}, worn" if worn and not elsewhere else "",
                    accepted=(0.0, bound) if is_ours else None,
                    note=f"{mean[axis]:.1f} mm in the mean of {len(errors)}",
                )
            )
    return figures


def run_back(full: bool = False) -> list[Figure]:
    """AN-16: a leg stretched forward without power, and shorted."""
    del full
    return [
        Figure(
            experiment="AN-16",
            quantity=f"hip of a stretched leg after 1 s, bridges on {words}",
            value=float(np.degrees(_sinks(code))),
            unit="deg",
            thesis=thesis,
            accepted=accepted,
        )
        for code, words, thesis, accepted in (
            (Bridge.STOP, "stop", "runs back", (5.0, np.inf)),
            (Bridge.HOLD, "hold", "held", (0.0, 0.5)),
        )
    ]


def _sinks(code: Bridge) -> float:
    """Return how far axis B of a horizontal leg sinks within 1 s [rad]."""
    angles = (0.0, 0.0, 0.0, np.pi) * 4
    world = make_world(WorldCfg(start="hung", angles=angles))
    try:
        before = world.world.joint_positions("amee")[1]
        while world.time < 1.0:
            for leg in world.legs:
                leg.set_motors(np.full(4, code), np.full(4, 255))
                leg.kick_watchdog()
            world.step_to(world.time + world.cfg.step)
        return float(before - world.world.joint_positions("amee")[1])
    finally:
        world.close()


def full_range(full: bool = False) -> list[Figure]:
    """AN-27: axis A through its whole range at full speed."""
    del full
    with LegStand(LegCfg()) as stand:
        stand.drive(Command.SPEED, 255.0, seconds=0.1)
        rest = (-2.4, 1.6, 2.3)
        stand.drive(Command.MOVE_ANGLE, -1.5, *rest)
        begin = stand.now
        said = stand.drive(Command.MOVE_ANGLE, 1.5, *rest)
        took = stand.now - begin
    is_there = said[-1:] == [Message(Report.READY)]
    return [
        Figure(
            experiment="AN-27",
            quantity="move through the range of axis A",
            value=took if is_there else np.nan,
            unit="s",
            thesis="less than 3, any joint",
            accepted=(0.0, 3.0),
        )
    ]


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[Figure]], ...]] = (
    MappingProxyType(
        {"AN-15": (accuracy,), "AN-16": (run_back,), "AN-27": (full_range,)}
    )
)
