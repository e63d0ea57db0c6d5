"""Links, joints, geometry and loop closures of a robot description.

A `Link` is one row of a description before it is checked; readers and parts produce
links, `assemble` checks them and turns them into the flat arrays of a `RobotModel`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Literal

import numpy as np

from gelenk.geometry.mesh import Mesh
from gelenk.typing import ArrayLike


class JointType(IntEnum):
    """Kind of motion of a link relative to its parent.

    A continuous joint is REVOLUTE with infinite limits. FLOATING is allowed for the
    root link only. The value of a BALL joint is a unit quaternion, the rotation of the
    link in its parent, its velocity the angular velocity in axes of the link.

    Example:
        >>> from gelenk.models import JointType
        >>> JointType(2).name
        'PRISMATIC'
    """

    FIXED = 0
    REVOLUTE = 1
    PRISMATIC = 2
    FLOATING = 3
    BALL = 4


GeometryKind = Literal["box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"]
GeometryRole = Literal["visual", "collision"]
LoopKind = Literal["point", "hinge", "pose", "distance"]

# Number of scalar equations that one pair of frames contributes, by kind.
LOOP_EQUATIONS: dict[str, int] = {"point": 3, "hinge": 5, "pose": 6, "distance": 1}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Geometry:
    """A shape fixed to a link, for drawing or for contact.

    Attributes:
        kind: Shape family.
        size: box: full edge lengths; sphere: (radius,); cylinder and capsule: (radius,
            length) along z, without the caps; ellipsoid: three radii; mesh: scale
            per axis. All [m], the scale without unit.
        T_link_geometry: Pose in the link, shape (4, 4).
        role: Drawn ("visual") or touched ("collision").
        name: Name in the file, may be empty.
        mesh: File name of a mesh as the description states it.
        path: File of the mesh where one was found, else None.
        data: The mesh itself where the description brings it, else None; its
            vertices are multiplied by `size`.
        rgba: Colour, four numbers in [0, 1], or None.
        texture: File of an image that covers the shape, or None.

    Example:
        >>> from gelenk.models import Geometry
        >>> Geometry(kind="sphere", size=(0.05,)).role
        'visual'
    """

    kind: GeometryKind
    size: tuple[float, ...]
    T_link_geometry: ArrayLike = field(default_factory=lambda: np.eye(4))
    role: GeometryRole = "visual"
    name: str = ""
    mesh: str = ""
    path: Path | None = None
    data: Mesh | None = None
    rgba: tuple[float, float, float, float] | None = None
    texture: Path | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Link:
    """One link and the joint that carries it, unchecked.

    Attributes:
        name: Unique name of the link.
        parent: Name of the parent link; None for the root.
        joint: Name of the joint; empty takes the link's name plus "_joint".
        joint_type: Kind of motion relative to the parent.
        T_parent_joint: Pose of the link in its parent at joint value 0, shape (4, 4).
        axis: Axis of a hinge or slide in the link frame, any length but 0, shape (3,).
        mass: Mass [kg].
        com: Centre of mass in the link frame [m], shape (3,).
        inertia: Rotational inertia about the centre of mass, link axes [kg m^2],
            tensor elements (off-diagonals are minus the products), shape (3, 3).
        lower, upper: Joint limits [rad] or [m].
        max_velocity: Largest joint speed [rad/s] or [m/s].
        max_acceleration: Largest joint acceleration [rad/s^2] or [m/s^2].
        max_jerk: Largest change of it [rad/s^3] or [m/s^3].
        max_effort: Largest joint torque or force [N m] or [N].
        damping: Viscous friction [N m s/rad] or [N s/m].
        friction: Coulomb friction [N m] or [N].
        armature: Rotor inertia seen at the joint [kg m^2] or [kg].
        stiffness: Spring of the joint [N m/rad] or [N/m].
        rest: Joint value at which the spring is free of force [rad] or [m].
        gravity_compensation: Share of the link's weight that the mechanism itself
            carries, 0 to 1.
        mimic: Name of the joint that this one follows: its value is `multiplier`
            times that of the other plus `offset`. None: the joint moves by itself.
        multiplier: Factor of the value of the joint that is followed.
        offset: Value where the joint that is followed is at 0 [rad] or [m].
        is_passive: True if no motor drives the joint; a loop closure sets it.
        home: Joint value of the home configuration, also the start of loop assembly.
        geometry: Shapes fixed to the link.

    Example:
        >>> from gelenk.models import Link
        >>> Link(name="forearm", parent="upper_arm", mass=1.0).joint_type
        <JointType.FIXED: 0>
    """

    name: str
    parent: str | None = None
    joint: str = ""
    joint_type: JointType = JointType.FIXED
    T_parent_joint: ArrayLike = field(default_factory=lambda: np.eye(4))
    axis: ArrayLike = (0.0, 0.0, 1.0)
    mass: float = 0.0
    com: ArrayLike = (0.0, 0.0, 0.0)
    inertia: ArrayLike = field(default_factory=lambda: np.zeros((3, 3)))
    lower: float = -np.inf
    upper: float = np.inf
    max_velocity: float = np.inf
    max_acceleration: float = np.inf
    max_jerk: float = np.inf
    max_effort: float = np.inf
    damping: float = 0.0
    friction: float = 0.0
    armature: float = 0.0
    stiffness: float = 0.0
    rest: float = 0.0
    gravity_compensation: float = 0.0
    mimic: str | None = None
    multiplier: float = 1.0
    offset: float = 0.0
    is_passive: bool = False
    home: float = 0.0
    geometry: tuple[Geometry, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Loop:
    """Frames on different links that the mechanism holds together, unchecked.

    Attributes:
        name: Unique name of the closure.
        kind: "point": the origins coincide (ball joint, 3 equations for each further
            frame); "hinge": origins and z axes coincide (5); "pose": the frames
            coincide (6); "distance": the origins keep `length` (a rod with two ball
            joints, 1).
        links: Names of the links, two or more ("distance": exactly two).
        T_link_frame: Pose of each closing frame in its link, shape (k, 4, 4).
        length: Rod length of a "distance" closure [m].
        branch: Assembly branch of a closed-form pattern: the sign of its root, 0 for
            the pattern's own choice.

    Example:
        >>> import numpy as np
        >>> from gelenk.models import Loop
        >>> frames = np.stack([np.eye(4), np.eye(4)])
        >>> Loop(name="pin", links=("rod", "slider"), T_link_frame=frames).kind
        'point'
    """

    name: str
    links: tuple[str, ...]
    T_link_frame: ArrayLike
    kind: LoopKind = "point"
    length: float = 0.0
    branch: int = 0
