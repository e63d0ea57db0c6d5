"""The bat's weight from the torques that hold it."""

from __future__ import annotations

import numpy as np

from gelenk.core.checks import as_finite
from gelenk.core.errors import ConfigError
from gelenk.core.typing import ArrayLike, FloatArray
from gelenk.robots.piggy.control.flank import BatModel

LEVER = 0.2  # [m], poses with less say more about friction than about weight


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
