"""`Tip`: a part in its place, with a method for each part that can follow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict, Unpack

import numpy as np

from gelenk.errors import ModelError
from gelenk.models.assembler import GRAVITY
from gelenk.models.parts.build import build_model
from gelenk.models.parts.components import (
    FULL_TURN,
    LINE_RADIUS,
    LINEAR_SPEED,
    ORIGIN,
    SERVO_SPEED,
    AxisRot,
    FullRot,
    GripperMount,
    Limits,
    Linear,
    LinearMotor,
    Part,
    Plane,
    Segment,
    Servo,
    Spindle,
    TConnector,
    TerminationPoint,
    TouchPoint,
    TouchSegment,
    Vector3,
)
from gelenk.models.tree import RobotModel
from gelenk.spatial.plane_angles import matrix_from_plane_angles
from gelenk.typing import ArrayLike, FloatArray

if TYPE_CHECKING:
    from gelenk.models.parts.assembly import Assembly


ClosureMode: TypeAlias = Literal["preferred", "required"]

_IDENTITY = np.eye(4)


@dataclass(frozen=True, slots=True, eq=False)
class ConnectionPoint:
    """A place on a part that can carry another part or close a chain.

    Attributes:
        part: Name of the part.
        T_part_point: Pose of the point in the part, shape (4, 4).

    Example:
        >>> from gelenk.models.parts import Assembly
        >>> point = Assembly().point(at=(0.1, 0.2, 0.0))
        >>> point.part, point.T_part_point[:3, 3].tolist()
        ('body', [0.1, 0.2, 0.0])
    """

    part: str
    T_part_point: FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClosedChain:
    """Connection points of different chains that are held together in one position.

    Attributes:
        name: Name of the closure.
        ends: The points; what follows behind them hangs on the first.
        branch: +1 or -1 chooses between the two ways to close a pattern; 0 leaves it
            to the pattern.
        pattern: "preferred" takes any set of passive parts and leaves what is no
            pattern with a closed form to the numerical solver; "required" refuses it.

    Example:
        >>> from gelenk.models.parts import Assembly, ClosedChain
        >>> robot = Assembly()
        >>> rods = [
        ...     robot.axisrot(at=(x, 0.0, 0.0)).linear_motor(f"rod_{x}")
        ...     for x in (0.0, 0.2)
        ... ]
        >>> apex = robot.closed_chain("apex", rods, branch=1)
        >>> chain = robot.closed_chains["apex"]
        >>> isinstance(chain, ClosedChain), [end.part for end in chain.ends]
        (True, ['rod_0.0', 'rod_0.2'])
    """

    name: str
    ends: tuple[ConnectionPoint, ...]
    branch: int = 0
    pattern: ClosureMode = "preferred"


def connection_pose(
    part: Part, at: ArrayLike, turn: ArrayLike, pose: ArrayLike | None
) -> FloatArray:
    """Return the pose of a connection point in the part that owns it, shape (4, 4).

    Args:
        part: The fix-side part.
        at: Position [m], shape (3,). Only a body and a t-connector have a choice.
        turn: Angles (xy, xz, yz) [rad] in ArmBot's forward order, shape (3,).
        pose: Position and orientation at once, shape (4, 4).

    Raises:
        ModelError: If the part has its connection point elsewhere, or a value is not
            finite.
    """
    if pose is not None:
        if at is not ORIGIN or turn is not ORIGIN:
            raise ModelError(f"{part}: give either `pose` or `at` and `turn`")
        T = _as_finite(part, "pose", pose, (4, 4)).copy()
        at = T[:3, 3]
    else:
        T = _IDENTITY.copy()
        if turn is not ORIGIN:
            angles = _as_finite(part, "turn", turn, (3,))
            T[:3, :3] = matrix_from_plane_angles(angles, order="forward")
    if at is not ORIGIN:
        at = _as_finite(part, "at", at, (3,))
        if not part.carries_many and at.any():
            raise ModelError(
                f"{part} has its one connection point at {part.end} m and cannot move "
                f"it by {at.tolist()}; put a segment between the two parts"
            )
        T[:3, 3] = at
    if not part.carries_many:
        T[:3, 3] = part.end
    return T


def as_end(name: str, length: float | Vector3 | ArrayLike) -> Vector3:
    """Return the end of a segment [m] from a length along x or from three numbers.

    Raises:
        ModelError: If it is neither, or the length is not positive.
    """
    values = np.asarray(length, dtype=np.float64)
    if values.shape == (3,):
        return (float(values[0]), float(values[1]), float(values[2]))
    if values.shape != ():
        raise ModelError(
            f"segment {name!r} needs one length [m] or the three coordinates of its "
            f"end, got shape {values.shape}"
        )
    if not 0.0 < values < np.inf:
        raise ModelError(
            f"segment {name!r}: length must be finite and > 0 m, got {length}"
        )
    return (float(values), 0.0, 0.0)


def _as_finite(
    part: Part, key: str, value: ArrayLike, shape: tuple[int, ...]
) -> FloatArray:
    array = np.asarray(value, dtype=np.float64)
    if array.shape != shape or not np.isfinite(array).all():
        raise ModelError(
            f"connection point on {part}: `{key}` must be finite with shape {shape}, "
            f"got {value}"
        )
    return array


class Placement(TypedDict, total=False):
    """Connection point of a part on the one before; `Tip` explains it."""

    at: ArrayLike
    turn: ArrayLike
    pose: ArrayLike | None


class Tip:
    """A part in its place. Its methods attach the next part and return that one.

    All of them take the connection point: `at`, its position [m] (body and t-connector
    only: the other parts have theirs in their end), and either `turn`, three angles
    (xy, xz, yz) [rad] applied in this order, or `pose`, shape (4, 4), for both.

    Example:
        >>> from gelenk.models.parts import Assembly
        >>> Assembly().servo("waist")
        Tip(servo 'waist')
    """

    _assembly: Assembly
    _index: int

    @property
    def part(self) -> Part:
        """The record of the part."""
        return self._assembly.parts[self._index]

    @property
    def name(self) -> str:
        """Name of the part, given or chosen."""
        return self._assembly.names[self._index]

    def __repr__(self) -> str:
        return f"Tip({self.part.kind} {self.name!r})"

    def attach(
        self,
        part: Part,
        *,
        at: ArrayLike = ORIGIN,
        turn: ArrayLike = ORIGIN,
        pose: ArrayLike | None = None,
    ) -> Tip:
        """Attach a part to this one and return it in its place.

        Raises:
            ModelError: If one of the two cannot have this role, if this part carries
                one already, or if `part` is in use.
        """
        return self._assembly.attach_part(self._index, part, at, turn, pose)

    def point(
        self,
        *,
        at: ArrayLike = ORIGIN,
        turn: ArrayLike = ORIGIN,
        pose: ArrayLike | None = None,
    ) -> ConnectionPoint:
        """Return a connection point of this part, for a closed chain."""
        part = self.part
        if not part.is_fix_side:
            raise ModelError(f"{part.kind} {self.name!r} has no connection point")
        return ConnectionPoint(self.name, connection_pose(part, at, turn, pose))

    def build(
        self, name: str, *, tool: str = "", gravity: ArrayLike = GRAVITY
    ) -> RobotModel:
        """Return the robot made of all parts, from the body on.

        Each part becomes a link of its name and each motor a joint of its name;
        `FullRot` has two joints. The assembly may grow on and be built again.

        Args:
            name: Name of the robot.
            tool: Part that is the tool frame; by default the gripper mount, if there is
                exactly one.
            gravity: Gravitational acceleration [m/s^2], world axes, shape (3,).

        Raises:
            ModelError: If a chain has no end, a passive part is in no closed chain, or
                a closed chain is none of the required patterns.
        """
        return build_model(self._assembly, name, tool=tool, gravity=gravity)

    # -- one method per kind of part ----------------------------------------------

    def servo(
        self,
        name: str = "",
        *,
        axis: Plane = "xy",
        limits: Limits = FULL_TURN,
        max_speed: float = SERVO_SPEED,
        max_effort: float = math.inf,
        home: float | None = None,
        mass: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a `Servo`: limits [rad], max_speed [rad/s], max_effort [N m]."""
        return self.attach(
            Servo(
                name,
                axis=axis,
                limits=limits,
                max_speed=max_speed,
                max_effort=max_effort,
                home=home,
                mass=mass,
            ),
            **place,
        )

    def spindle(
        self,
        name: str = "",
        *,
        axis: Plane = "xy",
        max_speed: float = SERVO_SPEED,
        mass: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a `Spindle`: it turns without end, max_speed [rad/s]."""
        return self.attach(
            Spindle(name, axis=axis, max_speed=max_speed, mass=mass), **place
        )

    def linear_motor(
        self,
        name: str = "",
        *,
        limits: Limits = (0.0, math.inf),
        max_speed: float = LINEAR_SPEED,
        max_effort: float = math.inf,
        home: float | None = None,
        mass: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a `LinearMotor`: limits [m], max_speed [m/s], max_effort [N]."""
        return self.attach(
            LinearMotor(
                name,
                limits=limits,
                max_speed=max_speed,
                max_effort=max_effort,
                home=home,
                mass=mass,
            ),
            **place,
        )

    def segment(
        self,
        end: float | Vector3,
        name: str = "",
        *,
        mass: float = 0.0,
        radius: float | None = None,
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a `Segment`; `end` is its length along x or its end point [m]."""
        return self.attach(
            Segment(name, to=as_end(name, end), mass=mass, radius=radius), **place
        )

    def touch_segment(
        self,
        end: float | Vector3,
        name: str = "",
        *,
        mass: float = 0.0,
        radius: float | None = None,
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a `TouchSegment`, given like a segment."""
        return self.attach(
            TouchSegment(name, to=as_end(name, end), mass=mass, radius=radius), **place
        )

    def t_connector(
        self,
        name: str = "",
        *,
        mass: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a `TConnector`, on which several parts find their place."""
        return self.attach(TConnector(name, mass=mass), **place)

    def fullrot(
        self,
        name: str = "",
        *,
        home: tuple[float, float] = (0.0, 0.0),
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a passive `FullRot`, a ball joint; home is (xy, xz) [rad]."""
        return self.attach(FullRot(name, home=home), **place)

    def axisrot(
        self,
        name: str = "",
        *,
        home: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a passive `AxisRot`, a hinge."""
        return self.attach(AxisRot(name, home=home), **place)

    def linear(
        self,
        name: str = "",
        *,
        home: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """Attach a passive `Linear`, a telescope rod."""
        return self.attach(Linear(name, home=home), **place)

    def touch_point(
        self,
        name: str = "",
        *,
        radius: float = LINE_RADIUS,
        mass: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """End the chain with a `TouchPoint`."""
        return self.attach(TouchPoint(name, radius=radius, mass=mass), **place)

    def termination_point(
        self,
        name: str = "",
        *,
        mass: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """End the chain with a `TerminationPoint`."""
        return self.attach(TerminationPoint(name, mass=mass), **place)

    def gripper_mount(
        self,
        name: str = "",
        *,
        mass: float = 0.0,
        **place: Unpack[Placement],
    ) -> Tip:
        """End the arm with a `GripperMount`; a gripper may follow."""
        return self.attach(GripperMount(name, mass=mass), **place)

    def wrist(self, name: str = "wrist", *, limits: Limits = FULL_TURN) -> Tip:
        """Attach three servos in one point, `NAME_xy`, `NAME_xz` and `NAME_yz`.

        Together they give what follows any orientation without moving the point. Roth
        2021, ArmBot §5.3 mounts grippers this way.
        """
        tip = self.servo(f"{name}_xy", limits=limits)
        tip = tip.servo(f"{name}_xz", axis="xz", limits=limits)
        return tip.servo(f"{name}_yz", axis="yz", limits=limits)
