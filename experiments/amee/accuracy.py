"""AN-15, AN-16, AN-27: where the foot ends, drives that run back, the longest move."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np

from experiments.amee.stand import LegStand
from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import LINK_MASSES, LegCfg, LegGeometry, RotationCfg
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.kinematics import inverse
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.wire import Command, Message, Report
from gelenk.robots.amee.world import WorldCfg, make_world
from gelenk.typing import ArrayLike, FloatArray

POSE = (0.0, -0.4, 0.0)  # [m], T: where the thesis measured
BOUNDS = (8.0, 4.0, 2.0)  # [mm], T: x, y and z
_WAIT = 1.0  # [s], after `ready`: play swings for 0.3 s to 0.5 s
_REST = 1.2  # [s], longer than the period of the check of end positions
Where: TypeAlias = Literal["pose", "pressed", "balanced"]
_WORDS = {
    "pressed": "gravity presses axis B to one flank",
    "balanced": "gravity balances about axis B, play swings freely",
}
_PRESSED = 2.0  # [N m] of gravity about axis B; the pose of the thesis has 3.5
_AROUND = ((-0.12, -0.58, -0.06), (0.12, -0.42, 0.06))  # [m], where moves begin


def hip_torque(point: ArrayLike) -> float:
    """Return what gravity does to axis B of a hanging leg [N m].

    Args:
        point: Sole centre in the leg's frame [m], (3,).
    """
    geometry = LegGeometry()
    _, hip, knee, _ = inverse(np.reshape(point, (1, 3)), geometry).angles[0]
    _, thigh, shank, foot = LINK_MASSES
    at_knee = geometry.thigh * np.cos(hip)
    at_ankle = at_knee + geometry.shank * np.cos(hip + knee)
    moment = thigh * at_knee / 2.0 + shank * (at_knee + at_ankle) / 2.0
    return float(9.81 * (moment + foot * (at_ankle + geometry.toe_ahead)))


def foot_errors(
    count: int,
    *,
    worn: bool,
    smoothing: Literal["average", "median"] = "median",
    seed: int = 0,
    where: Where = "pose",
    rests: bool = False,
) -> FloatArray:
    """Move a hanging leg from anywhere to a pose; return true errors [m], (n, 3).

    Along the leg's plane, in which its play lies; up; and across that plane. Where the
    thesis measured these are x, y and z.

    Args:
        count: How often.
        worn: Whether its gears have play.
        smoothing: Filter of the angles.
        seed: Of drives, noise and begins.
        where: Ends: the thesis's pose, random points where gravity presses the play of
            axis B to one side, or such where it hardly does.
        rests: Whether the leg says `ready` only when its joints have come to rest.
    """
    rng = np.random.default_rng(seed)
    rotation = RotationCfg(rest_time=_REST if rests else 0.0)
    if smoothing == "average":
        # Peaks that it lets through would keep a leg from ever arriving closer.
        rotation = replace(rotation, arrival_tolerance=4, short_tolerance=0)
    cfg = LegCfg(filter=smoothing, rotation=rotation)
    errors: list[FloatArray] = []
    with LegStand(cfg, drive=DriveCfg(worn=worn), seed=seed) as stand:
        for _ in range(count):
            begin = rng.uniform(*_AROUND)
            end = np.array(POSE)
            while where != "pose":
                end = rng.uniform(*_AROUND)
                if (abs(hip_torque(end)) > _PRESSED) == (where == "pressed"):
                    break
            stand.drive(Command.MOVE_POINT, *begin.tolist())
            said = stand.drive(Command.MOVE_POINT, *end.tolist())
            stand.run(_WAIT)
            is_there = said[-1:] == [Message(Report.READY)]
            errors.append(
                _in_plane(stand.foot() - end, end) if is_there else np.full(3, np.inf)
            )
    return np.array(errors)


def _in_plane(error: FloatArray, point: FloatArray) -> FloatArray:
    """Return an error along the plane of a leg whose foot is at a point, up, across."""
    yaw = inverse(np.reshape(point, (1, 3)), LegGeometry()).angles[0, 0]
    x, up, z = error
    along = x * np.cos(yaw) + z * np.sin(yaw)
    return np.array([along, up, z * np.cos(yaw) - x * np.sin(yaw)])


def accuracy(full: bool = False) -> list[ComparedFigure]:
    """AN-15: the foot's place with worn and with new joints, both filters."""
    count, seeds = (20, 5) if full else (4, 1)
    cases: tuple[tuple[bool, Literal["average", "median"], Where, bool], ...] = (
        (True, "median", "pose", False),
        (True, "average", "pose", False),
        (False, "median", "pose", False),
        (False, "average", "pose", False),
        (True, "median", "pressed", True),
        (True, "median", "balanced", True),
        (True, "median", "balanced", False),
    )
    figures: list[ComparedFigure] = []
    for worn, smoothing, where, rests in cases:
        errors = np.concatenate(
            [
                foot_errors(
                    count,
                    worn=worn,
                    smoothing=smoothing,
                    seed=seed,
                    where=where,
                    rests=rests,
                )
                for seed in range(seeds)
            ]
        )
        worst = 1e3 * np.abs(errors).max(axis=0)
        mean = 1e3 * np.abs(errors).mean(axis=0)
        words = f"{'worn' if worn else 'new'} joints, {smoothing} filter"
        if where != "pose":
            words += f", elsewhere, {_WORDS[where]}"
        if rests:
            words += ", leg waits until its joints rest"
        for axis, bound in enumerate(BOUNDS):
            # the filter of the thesis passes the peaks of slow drives: only reported
            is_ours = smoothing == "median" and (rests or where == "pose")
            figures.append(
                ComparedFigure(
                    experiment="AN-15",
                    quantity=f"{'xyz'[axis]} of the foot, largest error, {words}",
                    value=float(worst[axis]),
                    unit="mm",
                    thesis=f"+-{bound:g}, worn" if worn and where == "pose" else "",
                    accepted=(0.0, bound) if is_ours else None,
                    note=f"{mean[axis]:.1f} mm in the mean of {len(errors)}",
                )
            )
    return figures


def run_back(full: bool = False) -> list[ComparedFigure]:
    """AN-16: a leg stretched forward without power, and shorted."""
    del full
    return [
        ComparedFigure(
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


def full_range(full: bool = False) -> list[ComparedFigure]:
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
        ComparedFigure(
            experiment="AN-27",
            quantity="move through the range of axis A",
            value=took if is_there else np.nan,
            unit="s",
            thesis="less than 3, any joint",
            accepted=(0.0, 3.0),
        )
    ]


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType(
        {"AN-15": (accuracy,), "AN-16": (run_back,), "AN-27": (full_range,)}
    )
)
