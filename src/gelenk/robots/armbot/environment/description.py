"""What an environment file says, as data: metres, radians, nothing resolved later.

The file counts in centimetres and degrees; its reader converts, and nobody else does.
Classes stay names here: they are loaded once the command line has had its word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Color: TypeAlias = tuple[int, int, int]  # RGB, 0 to 255
Point2: TypeAlias = tuple[float, float]  # [m]
Point3: TypeAlias = tuple[float, float, float]  # [m]
Axis: TypeAlias = Literal["x", "y"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a file, counted from 1.

    Attributes:
        file: Path as the user gave it, or a name such as "command line".
        line, column: 0 where a file has none.
    """

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A text somebody gave, such as a class name or a configuration, and where."""

    text: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotEntry:
    """What is said about one robot; None where nothing is.

    Attributes:
        number: 0 to 9.
        manipulator, gripper, controller: Class names.
        config: Text for the controller.
        pose: x, y [m] and heading [rad]: counter-clockwise, 0 looks along +y.
        place: Where it is first spoken of.
    """

    number: int
    manipulator: Given | None = None
    gripper: Given | None = None
    controller: Given | None = None
    config: Given | None = None
    pose: tuple[float, float, float] | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessorEntry:
    """The trigger processor: its number, its class, and its configuration if any."""

    number: int
    name: Given
    config: Given | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RectPlan:
    """A rectangle along the axes: centre and full size [m]."""

    center: Point2
    size: Point2


@dataclass(frozen=True, slots=True, kw_only=True)
class CirclePlan:
    """A circle: centre and radius [m]."""

    center: Point2
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PolyPlan:
    """A polygon without crossing edges: corners in either order [m]."""

    points: tuple[Point2, ...]


Plan: TypeAlias = RectPlan | CirclePlan | PolyPlan


@dataclass(frozen=True, slots=True, kw_only=True)
class Border:
    """Limits of the floor [m]."""

    low: Point2
    high: Point2


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """Coloured floor tiles: first and last index along x and along y, both included."""

    columns: tuple[int, int]
    rows: tuple[int, int]
    color: Color


@dataclass(frozen=True, slots=True, kw_only=True)
class Paint:
    """A coloured area on the floor; only to look at. `alpha` in 0..1."""

    plan: Plan
    color: Color
    alpha: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Belt:
    """What makes an obstacle a conveyor.

    Attributes:
        number: Its address for triggers; -1: it hears none.
        is_running: At the start.
        speed: Along its direction [m/s].
        to_middle_speed: Towards its middle line [m/s].
    """

    number: int
    is_running: bool
    speed: float
    to_middle_speed: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Obstacle:
    """A fixed solid over a plan: STEP, SLOPE, SLICE, WEDGE or CONVEYOR.

    Attributes:
        name: Unique; the DEBUGNAME, or made of kind and count.
        kind: The directive in small letters.
        plan: Outline.
        bottom, top: Heights at the smaller and at the larger coordinate [m].
        direction: Axis along which they change.
        color: Of all of it.
        belt: For a conveyor.
        place: Of its keyword.
    """

    name: str
    kind: Literal["step", "slope", "slice", "wedge", "conveyor"]
    plan: Plan
    bottom: tuple[float, float]
    top: tuple[float, float]
    direction: Axis = "x"
    color: Color
    belt: Belt | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedSphere:
    """SPHERE: a fixed ball-shaped obstacle, anywhere [m]."""

    name: str
    center: Point3
    radius: float
    color: Color
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class BallEntry:
    """BALL: falls, rolls, bounces, is gripped.

    Attributes:
        resistance: Share of its speed along a surface that is gone after a second.
        bounce: Share of the speed into a surface that it comes back with.
        mass: [kg]; None: that of all balls.
    """

    name: str
    center: Point3
    radius: float
    resistance: float
    bounce: float
    color: Color
    mass: float | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class CuboidEntry:
    """CUBOID: falls, tips, is gripped and turned.

    Attributes:
        center, size: Middle and full edges [m].
        yaw: Turn about z at the start [rad]; files have none.
        mass: [kg]; None: that of all cuboids.
    """

    name: str
    center: Point3
    size: Point3
    yaw: float = 0.0
    color: Color
    mass: float | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class CylinderEntry:
    """CYLINDER: an upright movable cylinder; [m], `mass` [kg] or None."""

    name: str
    center: Point3
    radius: float
    height: float
    color: Color
    mass: float | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleTrigger:
    """TRIGGER ...ENTERS or ...LEAVES: a circle on the floor that notices centres.

    Attributes:
        watches: What it sees.
        on: Whether arrivals or departures count.
        receiver: Number; -1 for all controllers.
        text: What it sends.
        center, radius: [m].
        height: [m]; to look at only, unless heights are switched on.
        color: Of what it sees; None: any.
    """

    watches: Literal["ball", "cuboid"]
    on: Literal["enter", "leave"]
    receiver: int
    text: str
    center: Point2
    radius: float
    height: float
    color: Color | None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class BarrierTrigger:
    """TRIGGER ...BARRIER: a light barrier, crossed from left to right; see above."""

    watches: Literal["ball", "cuboid"]
    receiver: int
    text: str
    start: Point2
    end: Point2
    height: float
    color: Color | None
    place: Place


Movable: TypeAlias = BallEntry | CuboidEntry | CylinderEntry
Trigger: TypeAlias = CircleTrigger | BarrierTrigger


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A whole file; everything in the order in which it stands there.

    Attributes:
        file: Its path as given, empty for the empty floor.
        num_robots: MULTIROBOT, or None if the file has none.
        robots: Robots that are spoken of, by rising number.
        processor: The trigger processor.
        processor_config: TPCONFIG of a file that names no trigger processor; the
            command line may name one.
        border: Limits of the floor.
        tiles, paints: Floor decoration; later ones lie over earlier ones.
        obstacles: Fixed things.
        movables: Balls, cuboids and cylinders.
        triggers: Circles and barriers.
    """

    file: str = ""
    num_robots: int | None = None
    robots: tuple[RobotEntry, ...] = ()
    processor: ProcessorEntry | None = None
    processor_config: Given | None = None
    border: Border | None = None
    tiles: tuple[Tile, ...] = ()
    paints: tuple[Paint, ...] = ()
    obstacles: tuple[Obstacle | FixedSphere, ...] = ()
    movables: tuple[Movable, ...] = ()
    triggers: tuple[Trigger, ...] = ()
