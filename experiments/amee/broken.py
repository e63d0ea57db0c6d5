"""AN-26, AN-29: what breaks on a leg is named; worn joints come to rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from experiments.amee.stand import LegStand
from experiments.figures import ComparedFigure
from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.coordinator.diagnosis import CauseKind, cause_of
from gelenk.robots.amee.drives import DriveCfg
from gelenk.robots.amee.faults import BodyFault, BodyFaultKind
from gelenk.robots.amee.wire import Command, Report
from gelenk.typing import FloatArray

_FAULTS: tuple[tuple[BodyFaultKind, CauseKind], ...] = (
    ("sensor_wire", "sensor"),
    ("magnet_lost", "sensor"),
    ("sensor_frozen", "sensor"),
    ("motor_wire", "drive"),
    ("drive_hot", "drive"),
    ("joint_locked", "joint"),
    ("joint_limp", "joint"),
)
_TROUBLES = (Report.ERROR, Report.SENSOR_FAULT, Report.COLLISION)
_POINTS = ((0.10, -0.45, 0.05), (-0.08, -0.58, -0.05))  # [m], to and fro


def is_named(kind: BodyFaultKind, right: CauseKind, part: int, seed: int = 0) -> bool:
    """Break a joint of a leg that moves; return whether it says what and where.

    Args:
        kind: What breaks.
        right: What a right diagnosis says.
        part: Which joint, 0..3.
        seed: Of noise, and of when it breaks.
    """
    with LegStand(LegCfg(), seed=seed) as stand:
        stand.drive(Command.MOVE_POINT, *_POINTS[1])
        wait = float(np.random.default_rng(seed).uniform(0.1, 0.6))
        fault = BodyFault(kind=kind, leg=0, part=part, start=stand.now + wait)
        stand.world.inject(fault)
        for k in range(6):
            for message in stand.drive(Command.MOVE_POINT, *_POINTS[k % 2]):
                if message.report in _TROUBLES:
                    cause = cause_of(0, message)
                    return cause.kind == right and cause.actor == part
    return False


def defects(full: bool = False) -> list[ComparedFigure]:
    """AN-26: each injected fault of the body is handled and named."""
    seeds = range(3 if full else 1)
    parts = range(4) if full else (2,)
    figures: list[ComparedFigure] = []
    for kind, right in _FAULTS:
        named = [is_named(kind, right, p, 4 * s + p) for p in parts for s in seeds]
        figures.append(
            ComparedFigure(
                experiment="AN-26",
                quantity=f"{kind.replace('_', ' ')}: leg stops and names the joint",
                value=float(np.mean(named)),
                thesis="reacted as planned",
                accepted=(0.75 if kind == "joint_limp" else 1.0, 1.0),
                note=f"{len(named)} times"
                + (
                    "; a torn joint that rests looks like a dead drive"
                    if kind == "joint_limp"
                    else ""
                ),
            )
        )
    return figures


def swinging(seconds: float, *, worn: bool, seed: int = 0) -> FloatArray:
    """Move a leg to the thesis's pose; return the foot's way thereafter [m], (n, 3)."""
    with LegStand(LegCfg(), drive=DriveCfg(worn=worn), seed=seed) as stand:
        stand.drive(Command.MOVE_POINT, 0.08, -0.5, 0.0)
        stand.drive(Command.MOVE_POINT, 0.0, -0.4, 0.0)
        path: list[FloatArray] = []
        stand.run(seconds, lambda: path.append(stand.foot()) is not None)
        return np.array(path)


def oscillation(full: bool = False) -> list[ComparedFigure]:
    """AN-29: a worn leg at its end position swings for a while and comes to rest."""
    seconds, seeds = 4.0, range(5 if full else 1)
    late: list[float] = []
    settled: list[float] = []
    for seed in seeds:
        path = 1e3 * swinging(seconds, worn=True, seed=seed)
        time = np.arange(len(path)) * seconds / len(path)
        last = path[time > seconds - 1.0]
        late.append(float(np.ptp(last, axis=0).max()))
        away = np.abs(path - last.mean(axis=0)).max(axis=1) > 1.0 + late[-1]
        settled.append(float(time[away].max(initial=0.0)))
    return [
        ComparedFigure(
            experiment="AN-29",
            quantity="swing of a worn leg at its end position, fourth second",
            value=max(late),
            unit="mm",
            thesis="no build-up with a check once per second",
            accepted=(0.0, 2.0),
        ),
        ComparedFigure(
            experiment="AN-29",
            quantity="time until it rests",
            value=max(settled),
            unit="s",
            thesis="0.3 to 0.5",
            accepted=(0.0, 1.0),
        ),
    ]


EXPERIMENTS: Mapping[str, tuple[Callable[[bool], list[ComparedFigure]], ...]] = (
    MappingProxyType({"AN-26": (defects,), "AN-29": (oscillation,)})
)
