"""The bat's weight from the torques that hold it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.robots.piggy.config import CONTROL_RATE
from gelenk.robots.piggy.control.flank import BatModel
from gelenk.robots.piggy.control.motion import MotionControl
from gelenk.typing import ArrayLike, FloatArray

LEVER = 0.2  # [m], poses with less say more about friction than about weight
LEANS = (30.0, -30.0, 45.0, -45.0)  # [deg], of either axis, from both sides
SETTLE, READ = 1.5, 0.3  # [s] in each pose


def weigh(control: MotionControl, wait: Callable[[float], object]) -> float:
    """Return the weight F that the servos' holding torques say [N].

    The robot holds eight poses; torques and angles are its own.

    Args:
        control: Started.
        wait: Lets motion control run for a time [s].
    """
    poses, torques = [], []
    for lean, axis in product(LEANS, (1, 0)):
        pose = np.zeros(2)
        pose[axis] = np.deg2rad(lean)
        control.reach(pose)
        wait(SETTLE + READ)
        states = control.log.latest(round(READ * CONTROL_RATE))
        poses.append(np.mean([state.q for state in states], axis=0))
        torques.append(np.mean([state.tau for state in states], axis=0))
    return weight_from_torques(control.cfg.model, np.array(poses), np.array(torques))


def weight_from_torques(
    model: BatModel, q_motor: ArrayLike, torques: ArrayLike
) -> float:
    """Return F of the gravity compensation [N] from poses that were held.

    Least squares over all joints and poses with a lever. The bat hangs on the lower
    flank of the play, as the model says; dry friction averages out over poses that
    were reached from both sides.

    Args:
        model: Of bat and play; its weight is only a start.
        q_motor: Measured angles at rest [rad], (n, 2).
        torques: Commanded meanwhile [N m], (n, 2).

    Raises:
        ConfigError: If no pose has a lever.
    """
    poses = as_finite("q_motor", q_motor, (2,)).reshape(-1, 2)
    held = as_finite("torques", torques, (2,)).reshape(-1, 2)
    levers = np.array([_levers(model, q) for q in poses])
    tells = np.abs(levers) > LEVER
    if len(poses) != len(held) or not tells.any():
        raise ConfigError(
            "expected as many torques as poses and at least one pose that leans, got "
            f"{len(held)} and {len(poses)}"
        )
    arm, force = levers[tells], -held[tells]
    return float(arm @ force / (arm @ arm))


def _levers(model: BatModel, q_motor: FloatArray) -> FloatArray:
    """Return the torque per weight on both joints [m], (2,)."""
    bat = q_motor + model.resting_offset(q_motor)
    return np.array(model.gravity(float(bat[0]), float(bat[1]))) / model.weight
