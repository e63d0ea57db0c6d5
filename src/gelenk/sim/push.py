"""Forces on bodies that no contact of the engine explains: wind, hands, soft balls."""

from __future__ import annotations

from gelenk.checks import as_finite
from gelenk.errors import ShapeError
from gelenk.sim.world import World
from gelenk.typing import ArrayLike


def push(world: World, name: str, wrench: ArrayLike) -> None:
    """Press on an object or a robot's link in all ticks to come, until told otherwise.

    Args:
        world: Where it is.
        name: Of the object, or "robot/link".
        wrench: Force [N] and torque about the frame's origin as it is now [N m], world
            axes, (6,).

    Raises:
        NameNotFoundError: If there is no such body.
    """
    values = as_finite("wrench", wrench, ())
    if values.shape != (6,):
        raise ShapeError("wrench", expected="(6,)", actual=values.shape)
    fx, fy, fz, tx, ty, tz = values.tolist()
    plant, body = world._looked_at(), world._body(name)
    # The engine wants the torque about the centre of mass.
    x, y, z = (plant.data.xpos[body] - plant.data.xipos[body]).tolist()
    torque = (tx + y * fz - z * fy, ty + z * fx - x * fz, tz + x * fy - y * fx)
    plant.data.xfrc_applied[body] = (fx, fy, fz, *torque)
