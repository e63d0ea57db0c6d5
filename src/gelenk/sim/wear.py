"""How much the teeth of a robot's gears have suffered."""

from __future__ import annotations

import numpy as np

from gelenk.sim.motors.columns import WEAR
from gelenk.sim.world import World
from gelenk.typing import FloatArray


def gear_wear(world: World, robot: str) -> FloatArray:
    """Return the energy that the teeth of each joint have turned into heat [J], (n,).

    NaN for joints without a motor; 0 for gears without play.

    Args:
        world: Where it is.
        robot: Its name.

    Raises:
        NameNotFoundError: If there is no such robot.
    """
    plant = world._plant()
    rows = world._of_robot(plant.motor_rows, robot)
    wear = np.full(len(rows), np.nan)
    driven = rows >= 0
    wear[driven] = plant.banks.motors.state[rows[driven], WEAR]
    return wear
