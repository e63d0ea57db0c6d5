"""What became of a cell, as one document: the same run gives the same bytes.

SI and radians; positions in the world; quaternions (w, x, y, z) with w >= 0. There is
no wall-clock time in it.
"""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from gelenk.robots.armbot.debug_out import DebugLine
from gelenk.robots.armbot.environment.description import (
    BallEntry,
    CuboidEntry,
    CylinderEntry,
)
from gelenk.runtime.files import as_plain
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell, CellRobot

SCHEMA = 1  # raised whenever a key changes its meaning or goes
FAILED = "failed"  # how the reason of a controller that raised begins


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectReport:
    """Where a movable object is.

    Attributes:
        position: Of its middle in the world [m].
        quaternion: Its orientation in the world, (w, x, y, z).
    """

    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class MotorReport:
    """Where a motor is and where it goes, in `unit`: "rad" or "m"."""

    value: float
    target: float
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerReport:
    """How a controller stands.

    Attributes:
        name: Its class.
        description: What it says about itself.
        state: "idle", "running", "paused", "stopping" or "pausing".
        reason: Why it came into this state: "finished", "failed: ...", "stop"; empty
            while it still runs.
    """

    name: str
    description: str
    state: str
    reason: str

    @property
    def has_failed(self) -> bool:
        """Whether an exception ended it."""
        return self.reason.startswith(FAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotReport:
    """A robot at the end; motors by name, from the body outwards."""

    number: int
    manipulator: str
    gripper: str | None
    controller: ControllerReport | None
    motors: dict[str, MotorReport]


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerReport:
    """A trigger: physics tick, time [s], who sent it to which number, and its text."""

    tick: int
    time: float
    sender: str
    receiver: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureReport:
    """A number and its unit, empty for counts."""

    value: float
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A finished cell.

    Attributes:
        schema: Version of this layout.
        file: The environment file as it was given, empty for an empty floor.
        seed: Of everything random.
        seconds: Simulated time [s].
        tick: Physics ticks done.
        ok: Whether no controller has failed.
        balls, cuboids, cylinders: Movable objects by name, in the order of the file.
        robots: By rising number.
        triggers: In the order in which they were sent.
        debug_out: In the order in which they were printed.
        figures: Counts and measures of the whole run.
    """

    schema: int = SCHEMA
    file: str
    seed: int
    seconds: float
    tick: int
    ok: bool
    balls: dict[str, ObjectReport] = field(default_factory=dict)
    cuboids: dict[str, ObjectReport] = field(default_factory=dict)
    cylinders: dict[str, ObjectReport] = field(default_factory=dict)
    robots: tuple[RobotReport, ...] = ()
    triggers: tuple[TriggerReport, ...] = ()
    debug_out: tuple[DebugLine, ...] = ()
    figures: dict[str, FigureReport] = field(default_factory=dict)

    @property
    def failed(self) -> tuple[tuple[int, ControllerReport], ...]:
        """Numbers and controllers of the robots whose controllers have failed."""
        return tuple(
            (robot.number, robot.controller)
            for robot in self.robots
            if robot.controller is not None and robot.controller.has_failed
        )

    def to_json(self) -> str:
        """Return the document as one line of JSON; numbers that it lacks are null."""
        return json.dumps(as_plain(asdict(self)), allow_nan=False, ensure_ascii=False)


def make_report(cell: Cell) -> Report:
    """Return what became of a cell after its `finish`, before its `close`."""
    world = cell.world
    robots = tuple(_robot_report(cell, robot) for robot in cell.robots)
    has_failed = [
        robot.controller is not None and robot.controller.has_failed for robot in robots
    ]
    return Report(
        file=cell.setup.options.environment or cell.setup.environment.file,
        seed=cell.seed,
        seconds=float(world.time),
        tick=int(world.tick),
        ok=not any(has_failed),
        balls=_objects(cell, BallEntry),
        cuboids=_objects(cell, CuboidEntry),
        cylinders=_objects(cell, CylinderEntry),
        robots=robots,
        triggers=tuple(
            TriggerReport(
                tick=item.tick,
                time=item.time,
                sender=item.sender,
                receiver=item.receiver,
                text=item.text,
            )
            for item in cell.triggers.history
        ),
        debug_out=cell.debug_out.lines,
        figures=_figures(cell, sum(has_failed)),
    )


def describe_controller(robot: CellRobot) -> str:
    """Return what a robot's controller says about itself, empty if it has none."""
    if robot.controller is None:
        return ""
    try:
        return str(robot.controller.get_description())
    except Exception as error:  # a program of the user; the run can do without
        return f"get_description() failed: {type(error).__name__}: {error}"


def _robot_report(cell: Cell, robot: CellRobot) -> RobotReport:
    controller = None
    if robot.controller is not None:
        end = cell.controllers[robot.number]
        controller = ControllerReport(
            name=type(robot.controller).__name__,
            description=describe_controller(robot),
            state=end.state,
            reason=end.reason,
        )
    gripper = robot.design.gripper
    return RobotReport(
        number=robot.number,
        manipulator=type(robot.design.manipulator).__name__,
        gripper=None if gripper is None else type(gripper).__name__,
        controller=controller,
        motors={
            motor.name: MotorReport(
                value=float(motor.value), target=float(motor.target), unit=motor.unit
            )
            for motor in cell.motor_values()[robot.number]
        },
    )


def _objects(cell: Cell, kind: type) -> dict[str, ObjectReport]:
    """Return where the movable objects of a kind are, by name."""
    return {
        item.name: _object_report(cell.world.pose(item.name))
        for item in cell.setup.environment.movables
        if isinstance(item, kind)
    }


def _object_report(T_world_object: FloatArray) -> ObjectReport:
    x, y, z = (float(value) for value in T_world_object[:3, 3])
    quat = quaternion_from_matrix(T_world_object[:3, :3])
    qw, qx, qy, qz = (float(value) for value in quat)
    return ObjectReport(position=(x, y, z), quaternion=(qw, qx, qy, qz))


def _figures(cell: Cell, num_failed: int) -> dict[str, FigureReport]:
    triggers = cell.triggers.history
    figures = {
        "simulated_time": FigureReport(value=float(cell.world.time), unit="s"),
        "triggers": FigureReport(value=len(triggers)),
        "triggers_dropped": FigureReport(
            value=sum(item.num_receivers == 0 for item in triggers)
        ),
        "debug_lines": FigureReport(value=len(cell.debug_out.lines)),
        "controllers_failed": FigureReport(value=num_failed),
    }
    movables = cell.setup.environment.movables
    if movables:
        way = max(
            math.dist(cell.world.pose(item.name)[:3, 3], item.center)
            for item in movables
        )
        figures["largest_displacement"] = FigureReport(value=float(way), unit="m")
    return figures
