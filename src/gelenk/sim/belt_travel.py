"""How far belts have run, and where their moving surfaces are: what stripes follow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gelenk.sim.appearance import plant_of
from gelenk.sim.conveyor import ALONG, RUNNING, SPEED
from gelenk.sim.objects import Conveyor
from gelenk.sim.world import World
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.typing import ArrayLike, FloatArray


class LookBelt(NamedTuple):
    """The moving surface of a conveyor.

    Attributes:
        name: Of the conveyor.
        corners: Outline of its top, world [m], shape (n, 3).
        along: Unit vector of positive speed, world, shape (3,).
    """

    name: str
    corners: FloatArray
    along: FloatArray


def describe_belts(world: World) -> tuple[LookBelt, ...]:
    """Return the surfaces of a world's conveyors, in the order of its bank."""
    plant = plant_of(world)
    things = world._contents.things  # pyright: ignore[reportPrivateUsage]
    belts = {item.name: item for item in things if isinstance(item, Conveyor)}
    rows = plant.banks.belts.params
    return tuple(
        LookBelt(name, _top(belts[name]), np.array(rows[row, ALONG : ALONG + 3]))
        for name, row in plant.belts.items()
    )


def _top(belt: Conveyor) -> FloatArray:
    """Return the corners of the upper side, world [m], shape (n, 3)."""
    plan = np.asarray(belt.plan.corners, dtype=np.float64)
    place = plan[:, "xy".index(belt.direction)]
    low, high = place.min(), place.max()
    height = belt.h1 + (belt.h2 - belt.h1) * (place - low) / (high - low)
    local = np.column_stack([plan, height])
    return local @ matrix_from_quaternion(belt.quat).T + np.asarray(belt.position)


class BeltTravel:
    """Adds up how far the belts of a world have run; in the thread that steps.

    Speeds change between two looks only, as commands do between control ticks: then
    what is added up is exact.

    Attributes:
        travel: Of each belt along itself, backwards negative [m], shape (n,).

    Args:
        world: The world.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._command = plant_of(world).banks.belts.command
        self._then = world.time
        self.travel: FloatArray = np.zeros(len(self._command))

    def look(self) -> FloatArray:
        """Add what was run since the last look at the speed of now; return `travel`."""
        now = self._world.time
        if now != self._then:
            running = self._command[:, RUNNING] != 0.0
            self.travel += self._command[:, SPEED] * running * (now - self._then)
            self._then = now
        return self.travel

    def put_back(self, travel: ArrayLike | None = None) -> None:
        """Take the present for the beginning, after a jump in time."""
        self._then = self._world.time
        self.travel[:] = 0.0 if travel is None else travel
