"""The stand of one leg: torso held, other legs folded, something under the foot."""

from __future__ import annotations

import math

from gelenk.robots.amee.config import HIPS, PARK_ANGLES
from gelenk.robots.amee.robot import standing_angles
from gelenk.robots.amee.terrain.course import SLAB, STONE, tilted_box
from gelenk.robots.amee.world import HUNG_HEIGHT, WorldCfg
from gelenk.sim.fixed_objects import Box
from gelenk.sim.world import Addable

TOP = -0.600  # [m] below the hip: where the ground under the foot is
GREASED = 0.1  # friction: the torso is held, so the foot slides in a stroke
SIZE = (0.60, 0.36, 0.04)  # [m], of the plate
GROUNDS = {
    "level": (0.0, 0.0, 0.0),
    "leans ahead by 8°": (0.0, math.radians(8.0), 0.0),
    "leans aside by 8°": (math.radians(8.0), 0.0, 0.0),
    "leans back by 12°": (0.0, math.radians(-12.0), 0.0),
    "an edge under the toes": (0.0, 0.0, 0.0),
    "nothing": None,
}


def stand_cfg(ground: str, drive: str, seed: int) -> WorldCfg:
    """Return the world of a stand.

    Args:
        ground: One of `GROUNDS`.
        drive: Profile of the drives.
        seed: Of spread and noise.
    """
    folded = tuple(float(angle) for angle in PARK_ANGLES)
    own = tuple(float(angle) for angle in standing_angles(0.5))
    return WorldCfg(
        start="hung",
        drive=drive,
        angles=(*own, *folded, *folded, *folded),
        friction=GREASED,
        extras=tuple(_things(ground)),
        seed=seed,
    )


def _things(ground: str) -> list[Addable]:
    x, y, z = HIPS[0][0], HIPS[0][1], HUNG_HEIGHT + TOP
    turn = GROUNDS[ground]
    if turn is None:
        return []
    things: list[Addable] = [
        tilted_box("plate", size=SIZE, top=(x, y, z), turn=turn, rgba=SLAB),
        Box(
            name="pillar",
            size=(0.14, 0.14, z - 0.09),
            position=(x, y, 0.5 * (z - 0.09)),
            rgba=STONE,
        ),
    ]
    if ground == "an edge under the toes":
        things.append(
            Box(
                name="edge",
                size=(0.20, 0.36, 0.03),
                position=(x + 0.17, y, z + 0.015),
                rgba=STONE,
            )
        )
    return things
