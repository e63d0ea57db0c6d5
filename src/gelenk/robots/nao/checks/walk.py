"""A walk as a test of a calibration: where the feet go, not whether the robot falls.

The walk is quasi-static and made here: steps ahead of equal length, the torso upright,
over the standing foot while the other one is in the air. Its feet move on sines; joint
angles follow from the documented legs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.kinematics.forward import link_poses
from gelenk.robots.nao.checks.footing import stepped
from gelenk.robots.nao.checks.stance import stand_body, standing_load, true_stand
from gelenk.robots.nao.compensation import Compensation
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import LEG, SIDES, Side, model_from_body
from gelenk.robots.nao.kinematics import LegLengths, move, sole_pose
from gelenk.robots.nao.robot_with_errors import nominal_model, true_model
from gelenk.spatial.se3 import inverse
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkCfg:
    """The walk.

    Attributes:
        step: How far a foot gets ahead of the other one [m].
        lift: Height of a foot in the air [m].
        sway: How far the torso moves to the side over the standing foot [m].
        frames: Postures of a whole cycle of two steps.
    """

    step: float = 0.05
    lift: float = 0.02
    sway: float = 0.035
    frames: int = 24


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Walk:
    """Postures of a cycle.

    Attributes:
        bodies: Body vectors [rad], (n, 22).
        lifted: The foot that is in the air in each, as a side.
    """

    bodies: FloatArray
    lifted: tuple[Side, ...]


def walk_cycle(cfg: WalkCfg | None = None) -> Walk:
    """Return a cycle: the left foot's step, then the right foot's."""
    cfg = cfg or WalkCfg()
    start = stand_body()
    rest = {side: sole_pose(start[LEG[side]], side) for side in SIDES}
    half = cfg.frames // 2
    bodies = np.repeat(start[None], 2 * half, axis=0)
    lifted: list[Side] = []
    for i in range(2 * half):
        swing: Side = SIDES[i // half]
        t = (i % half + 0.5) / half
        over = -1.0 if swing == "left" else 1.0  # the torso is over the other foot
        for side in SIDES:
            is_up = side == swing
            ahead = (t - 0.5 if is_up else 0.5 - t) * cfg.step
            place = move(
                ahead,
                -over * cfg.sway * np.sin(np.pi * t),
                cfg.lift * np.sin(np.pi * t) if is_up else 0.0,
            )
            q = start[LEG[side]]
            bodies[i, LEG[side]] = stepped(q, place @ rest[side], side, LegLengths())
        lifted.append(swing)
    return Walk(bodies=bodies, lifted=tuple(lifted))


def placement_errors(
    errors: NaoErrors, walk: Walk, compensation: Compensation | None = None
) -> FloatArray:
    """Return how far the foot in the air is from where it should be [m], (n, 3).

    Relative to the standing foot and in its axes; offsets, lengths, sag and play count,
    while the servos follow exactly.

    Args:
        errors: Of the robot.
        walk: What it is to do.
        compensation: What it knows about itself; None: nothing.
    """
    nominal, true = nominal_model(sandals=False), true_model(errors, sandals=False)
    commands = walk.bodies.copy()
    if compensation is not None:
        for side in SIDES:
            rows = [i for i, lifted in enumerate(walk.lifted) if lifted == side]
            commands[rows] = compensation.command(
                walk.bodies[rows], standing_load(side), keeps_soles=True
            )
    wanted = link_poses(nominal, model_from_body(nominal, walk.bodies))
    out = np.empty((len(commands), 3))
    for i, lifted in enumerate(walk.lifted):
        soles = true_stand(errors, commands[i], lifted, model=true).soles
        below: Side = "right" if lifted == "left" else "left"
        up, down = (nominal.link_id(f"{side[0]}_sole") for side in (lifted, below))
        got = (inverse(soles[below]) @ soles[lifted])[:3, 3]
        out[i] = got - (inverse(wanted[i, down]) @ wanted[i, up])[:3, 3]
    return out


def placement_rms(
    errors: NaoErrors, walk: Walk, compensation: Compensation | None = None
) -> float:
    """Return the root mean square of `placement_errors` over a walk [m]."""
    off = placement_errors(errors, walk, compensation)
    return float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
