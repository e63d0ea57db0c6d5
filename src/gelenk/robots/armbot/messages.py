"""What a cell says on the bus, for recordings: Debug-Out, motors, objects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.robots.armbot.debug_out import DebugLine
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell
    from gelenk.runtime.bus import Bus

DEBUG_TOPIC = "armbot/debug_out"
OBJECTS_TOPIC = "armbot/objects"


@dataclass(frozen=True, slots=True, kw_only=True)
class DebugText:
    """A line that a controller printed; `robot` is its number."""

    robot: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MotorStates:
    """The motors of a robot, in the order of its model.

    Attributes:
        values: Where they are [rad] or [m], shape (n,).
        targets: Where they go, shape (n,).
    """

    values: FloatArray = field(metadata={"shape": (None,)})
    targets: FloatArray = field(metadata={"shape": (None,)})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ObjectPositions:
    """Where the movable objects are.

    Attributes:
        names: Of the objects.
        positions: Of their middles in the world [m], shape (n, 3).
    """

    names: tuple[str, ...]
    positions: FloatArray = field(metadata={"unit": "m", "shape": (None, 3)})


def declare_topics(bus: Bus, robots: Iterable[str]) -> None:
    """Declare what is published here, for robots of these names."""
    bus.declare(DEBUG_TOPIC, DebugText)
    bus.declare(OBJECTS_TOPIC, ObjectPositions)
    for name in robots:
        bus.declare(f"armbot/{name}", MotorStates)


def publish_line(bus: Bus, line: DebugLine) -> None:
    """Publish a line of Debug-Out."""
    bus.publish(DEBUG_TOPIC, DebugText(robot=line.robot, text=line.text), sender="cell")


def publish_state(cell: Cell, view: Any) -> None:
    """Publish motors and objects; called once per control tick."""
    bus = view.bus
    for robot in cell.robots:
        state = MotorStates(values=robot.drive.values(), targets=robot.drive.targets())
        bus.publish(f"armbot/{robot.name}", state, sender="cell")
    names = tuple(item.name for item in cell.setup.environment.movables)
    if names:
        places = np.array(cell.world.positions(names))
        message = ObjectPositions(names=names, positions=places)
        bus.publish(OBJECTS_TOPIC, message, sender="cell")
