"""Parts of an arm as frozen records: what each is, not where it stands.

Parts are joined as a tree that starts at the body. The part nearer to the body is the
fix-side part; its connection point carries the tail-side part. The record of a part
says which of the two it may be and how many parts it carries; `assembly` joins them.
Roth 2021, ArmBot §4.1 and §4.3. Lengths in metres and angles in radians.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from gelenk.errors import ModelError
from gelenk.typing import ArrayLike

Plane: TypeAlias = Literal["xy", "xz", "yz"]
Limits: TypeAlias = tuple[float, float]
Vector3: TypeAlias = tuple[float, float, float]

# Right-handed axis of a turn in each plane; +x towards +z is a turn about minus y.
PLANE_AXES: dict[str, Vector3] = {
    "xy": (0.0, 0.0, 1.0),
    "xz": (0.0, -1.0, 0.0),
    "yz": (1.0, 0.0, 0.0),
}
SERVO_SPEED = math.pi / 2.0  # [rad/s], a quarter turn per second
LINEAR_SPEED = 0.2  # [m/s]
FULL_TURN: Limits = (-math.pi, math.pi)  # [rad]
UNLIMITED: Limits = (-math.inf, math.inf)
LINE_RADIUS = 0.002  # [m]; parts are lines and points, this is how thick they are
NO_INERTIA = np.zeros((3, 3))
NO_INERTIA.setflags(write=False)
ORIGIN: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Base of all parts.

    Attributes:
        name: Name of the part, of its link and of its joint; empty lets the assembly
            choose one.
        mass: Mass [kg].

    Example:
        >>> from gelenk.models.parts import Part, Servo
        >>> issubclass(Servo, Part), str(Servo("waist"))
        (True, "servo 'waist'")
    """

    kind: ClassVar[str] = "part"
    is_fix_side: ClassVar[bool] = True  # may carry other parts
    is_tail_side: ClassVar[bool] = True  # may be carried
    carries_many: ClassVar[bool] = False
    may_end_chain: ClassVar[bool] = False

    name: str = ""
    mass: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.mass) and self.mass >= 0.0):
            raise ModelError(f"{self}: mass must be >= 0 kg, got {self.mass}")

    def __str__(self) -> str:
        return f"{self.kind} {self.name!r}" if self.name else f"unnamed {self.kind}"

    @property
    def end(self) -> Vector3:
        """Where the connection point stands in the part at motor value 0 [m]."""
        return ORIGIN


@dataclass(frozen=True, slots=True, eq=False)
class Lump(Part):
    """A part with a mass that need not sit in its origin.

    Attributes:
        com: Centre of mass in the part [m].
        inertia: Inertia about the centre of mass, part axes [kg m^2], shape (3, 3).
    """

    com: Vector3 = field(default=ORIGIN, kw_only=True)
    inertia: ArrayLike = field(default_factory=lambda: NO_INERTIA, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class BodyPart(Lump):
    """The root of a robot: x forward, z up. Any number of chains start here.

    Attributes:
        is_floating: Whether the body moves freely instead of standing.

    Example:
        >>> from gelenk.models.parts import Assembly, BodyPart
        >>> robot = Assembly(BodyPart("trunk", mass=5.0, is_floating=True))
        >>> robot.name
        'trunk'
    """

    kind: ClassVar[str] = "body"
    is_tail_side: ClassVar[bool] = False
    carries_many: ClassVar[bool] = True

    is_floating: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class Segment(Part):
    """A straight rigid line from its origin to its connection point, drawn only.

    Attributes:
        to: The connection point in the segment [m].
        radius: Thickness [m]. None: drawn as a line; its mass is a thin rod instead of
            a solid cylinder.

    Example:
        >>> from gelenk.models.parts import Segment
        >>> Segment("forearm", to=(0.3, 0.0, 0.4)).length
        0.5
    """

    kind: ClassVar[str] = "segment"
    is_touchable: ClassVar[bool] = False

    to: Vector3 = field(kw_only=True)
    radius: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        Part.__post_init__(self)
        if not (math.isfinite(self.length) and self.length > 0.0):
            raise ModelError(
                f"{self}: length must be finite and > 0 m, got the end {self.to}"
            )
        _check_radius(self, self.radius)

    @property
    def end(self) -> Vector3:
        return self.to

    @property
    def length(self) -> float:
        """Length of the line [m]."""
        return math.hypot(*self.to)


@dataclass(frozen=True, slots=True, eq=False)
class TouchSegment(Segment):
    """A segment that pushes objects and that objects bounce off.

    Example:
        >>> from gelenk.models.parts import Assembly, TouchSegment
        >>> Assembly().servo().attach(TouchSegment("paddle", to=(0.3, 0.0, 0.0)))
        Tip(touch segment 'paddle')
    """

    kind: ClassVar[str] = "touch segment"
    is_touchable: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class TConnector(Lump):
    """A branching: any number of parts, each with its own place and turn.

    Example:
        >>> from gelenk.models.parts import Assembly, TConnector
        >>> fork = Assembly().servo("waist").attach(TConnector("fork"))
        >>> fork.servo("left", at=(0.0, 0.1, 0.0))
        Tip(servo 'left')
        >>> fork.servo("right", at=(0.0, -0.1, 0.0))
        Tip(servo 'right')
    """

    kind: ClassVar[str] = "t-connector"
    carries_many: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class Motor(Lump):
    """Base of servo and linear motor.

    Attributes:
        limits: Smallest and largest value [rad] or [m].
        max_speed: Largest speed [rad/s] or [m/s].
        max_effort: Largest torque or force [N m] or [N].
        home: Value at the start; None takes the one nearest to 0 within the limits.
        damping: Viscous friction [N m s/rad] or [N s/m].
        friction: Coulomb friction [N m] or [N].
        armature: Rotor inertia seen at the joint [kg m^2] or [kg].
    """

    limits: Limits = field(default=UNLIMITED, kw_only=True)
    max_speed: float = field(default=math.inf, kw_only=True)
    max_effort: float = field(default=math.inf, kw_only=True)
    home: float | None = field(default=None, kw_only=True)
    damping: float = field(default=0.0, kw_only=True)
    friction: float = field(default=0.0, kw_only=True)
    armature: float = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        Part.__post_init__(self)
        lower, upper = self.limits
        if not lower <= upper:
            raise ModelError(
                f"{self}: limits must be (lower, upper), got {self.limits}"
            )
        if self.home is not None and not lower <= self.home <= upper:
            raise ModelError(
                f"{self}: home value {self.home} is outside the limits {self.limits}"
            )
        for key in ("max_speed", "max_effort", "damping", "friction", "armature"):
            if not getattr(self, key) >= 0.0:
                raise ModelError(
                    f"{self}: `{key}` must be >= 0, got {getattr(self, key)}"
                )

    @property
    def start_value(self) -> float:
        """Value at the start [rad] or [m]."""
        lower, upper = self.limits
        return min(max(0.0, lower), upper) if self.home is None else self.home


@dataclass(frozen=True, slots=True, eq=False)
class Servo(Motor):
    """A motor that turns what it carries about its own origin.

    Attributes:
        axis: Plane it turns in: "xy" about z; "xz" about minus y, so that positive is
            up; "yz" about x.

    Example:
        >>> from gelenk.models.parts import Servo
        >>> Servo("elbow", axis="xz", limits=(0.2, 2.0)).start_value
        0.2
    """

    kind: ClassVar[str] = "servo"

    axis: Plane = field(default="xy", kw_only=True)
    limits: Limits = field(default=FULL_TURN, kw_only=True)
    max_speed: float = field(default=SERVO_SPEED, kw_only=True)

    def __post_init__(self) -> None:
        Motor.__post_init__(self)
        if self.axis not in PLANE_AXES:
            raise ModelError(
                f"{self}: axis must be 'xy', 'xz' or 'yz', got {self.axis!r}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Spindle(Servo):
    """A servo without end stops: it can also run on and on at a speed.

    Example:
        >>> from gelenk.models.parts import Spindle
        >>> Spindle("drill", max_speed=30.0).limits
        (-inf, inf)
    """

    kind: ClassVar[str] = "spindle"

    limits: Limits = field(default=UNLIMITED, kw_only=True)

    def __post_init__(self) -> None:
        Servo.__post_init__(self)
        if self.limits != UNLIMITED:
            raise ModelError(f"{self} has no limits, got {self.limits}; use a servo")


@dataclass(frozen=True, slots=True, eq=False)
class LinearMotor(Motor):
    """A motor that shifts what it carries along its x axis; its value is its length.

    Example:
        >>> from gelenk.models.parts import LinearMotor
        >>> LinearMotor("lift", limits=(0.1, 0.4), home=0.25).start_value
        0.25
    """

    kind: ClassVar[str] = "linear motor"

    limits: Limits = field(default=(0.0, math.inf), kw_only=True)
    max_speed: float = field(default=LINEAR_SPEED, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class Passive(Lump):
    """A joint without a motor; a closed chain sets it.

    The `home` values of passive parts tell a numerical closure where to start; closed
    forms do not need them.
    """


@dataclass(frozen=True, slots=True, eq=False)
class FullRot(Passive):
    """FULLROT, the ball joint: turns a point in x-y first, then in x-z, without roll.

    Seen from the body the order is the other way round: its joints are `NAME_xz` and
    then `NAME_xy`.

    Attributes:
        home: Angles (xy, xz) where a numerical closure starts [rad].

    Example:
        >>> from gelenk.models.parts import Assembly, FullRot
        >>> Assembly().attach(FullRot("ball", home=(0.0, 0.5)), at=(0.15, 0.0, 0.0))
        Tip(fullrot 'ball')
    """

    kind: ClassVar[str] = "fullrot"

    home: tuple[float, float] = field(default=(0.0, 0.0), kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class AxisRot(Passive):
    """AXISROT, the door hinge: turns in x-y.

    Attributes:
        home: Angle where a numerical closure starts [rad].

    Example:
        >>> from gelenk.models.parts import Assembly, AxisRot
        >>> Assembly().attach(AxisRot("hinge", home=0.5), at=(0.15, 0.0, 0.0))
        Tip(axisrot 'hinge')
    """

    kind: ClassVar[str] = "axisrot"

    home: float = field(default=0.0, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class Linear(Passive):
    """LINEAR, the telescope rod: shifts along x.

    Attributes:
        home: Length where a numerical closure starts [m].

    Example:
        >>> from gelenk.models.parts import Assembly, Linear
        >>> Assembly().axisrot("hinge").attach(Linear("rod", home=0.3))
        Tip(linear 'rod')
    """

    kind: ClassVar[str] = "linear"

    home: float = field(default=0.0, kw_only=True)


@dataclass(frozen=True, slots=True, eq=False)
class TouchPoint(Part):
    """The end of a chain that pushes objects.

    Attributes:
        radius: Radius of the sphere that stands for the point [m].

    Example:
        >>> from gelenk.models.parts import Assembly, TouchPoint
        >>> pusher = Assembly().servo("waist").segment(0.3, "arm")
        >>> pusher.attach(TouchPoint("finger", radius=0.01))
        Tip(touch point 'finger')
    """

    kind: ClassVar[str] = "touch point"
    is_fix_side: ClassVar[bool] = False
    may_end_chain: ClassVar[bool] = True

    radius: float = field(default=LINE_RADIUS, kw_only=True)

    def __post_init__(self) -> None:
        Part.__post_init__(self)
        _check_radius(self, self.radius)


@dataclass(frozen=True, slots=True, eq=False)
class TerminationPoint(Part):
    """The end of a chain without effect on objects.

    Example:
        >>> from gelenk.models.parts import Assembly, TerminationPoint
        >>> mast = Assembly().servo("waist").segment(0.3, "mast")
        >>> mast.attach(TerminationPoint("top"))
        Tip(termination point 'top')
    """

    kind: ClassVar[str] = "termination point"
    is_fix_side: ClassVar[bool] = False
    may_end_chain: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, eq=False)
class GripperMount(Lump):
    """End of the arm, where a gripper may follow; the tool frame of the robot.

    Example:
        >>> from gelenk.models.parts import Assembly, GripperMount
        >>> arm = Assembly().servo("waist").segment(0.3, "arm")
        >>> arm.attach(GripperMount("hand")).build("simple").tool
        'hand'
    """

    kind: ClassVar[str] = "gripper mount"
    may_end_chain: ClassVar[bool] = True


def _check_radius(part: Part, radius: float | None) -> None:
    if radius is not None and not (math.isfinite(radius) and radius > 0.0):
        raise ModelError(f"{part}: radius must be finite and > 0 m, got {radius}")
