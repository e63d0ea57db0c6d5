"""`RobotModel`: a robot as immutable flat arrays, and shortcuts to its functions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.models.link import Geometry, JointType, LoopKind
from gelenk.typing import ArrayLike, BoolArray, ByteArray, FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.kinematics.inverse.result import IkOptions, IkResult
    from gelenk.models.compiled import CompiledTree
    from gelenk.models.picture import ImageOptions

_T = TypeVar("_T")
IkMethod = Literal["lm", "closed", "simplex", "jacobian"]


class _Functions:
    """Functions behind the methods of `RobotModel`, imported on first use.

    Their modules load the compiler. Each is imported once only: an import statement in
    the method would cost a tenth of an inverse-kinematics solve on every call.
    """

    @cached_property
    def frame_pose(self) -> Callable[..., FloatArray]:
        from gelenk.kinematics.forward import frame_pose

        return frame_pose

    @cached_property
    def frame_jacobian(self) -> Callable[..., FloatArray]:
        from gelenk.kinematics.jacobian import frame_jacobian

        return frame_jacobian

    @cached_property
    def solve(self) -> Callable[..., IkResult]:
        from gelenk.kinematics.inverse import solve_inverse

        return solve_inverse

    @cached_property
    def solve_default(self) -> Callable[..., IkResult]:
        from gelenk.kinematics.inverse.lm import solve_default

        return solve_default

    @cached_property
    def solve_closed(self) -> Callable[..., IkResult]:
        from gelenk.kinematics.inverse.closed.solve import solve_closed

        return solve_closed

    @cached_property
    def inverse_dynamics(self) -> Callable[..., FloatArray]:
        from gelenk.dynamics.rnea import inverse_dynamics

        return inverse_dynamics

    @cached_property
    def forward_dynamics(self) -> Callable[..., FloatArray]:
        from gelenk.dynamics.aba import forward_dynamics

        return forward_dynamics

    @cached_property
    def mass_matrix(self) -> Callable[..., FloatArray]:
        from gelenk.dynamics.crba import mass_matrix

        return mass_matrix

    @cached_property
    def edit(self) -> Any:
        from gelenk.models import edit

        return edit


_functions = _Functions()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopClosure:
    """Frames that the mechanism holds together; `link.Loop` says what each kind means.

    Attributes:
        links: Indices of the links.
        T_link_frame: Pose of each closing frame in its link, shape (k, 4, 4).
    """

    name: str
    kind: LoopKind
    links: tuple[int, ...]
    T_link_frame: FloatArray
    length: float
    branch: int


def _no_entries() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ModelSource:
    """File or text from which a robot was read.

    Attributes:
        kind: Format of the description.
        path: File, or None if the description came as a text.
        text: The description with everything expanded (templates, includes) where that
            differs from the file, else empty.
        parts: Texts of models that an MJCF file attaches, by the name in `text`.
        files: Files of meshes and textures, by the name in `text`.
        bodies: Names of the bodies of the file that are links of the model; what else
            is in the file is no part of the robot.
    """

    kind: Literal["urdf", "mjcf"]
    path: Path | None = None
    text: str = ""
    parts: Mapping[str, str] = field(default_factory=_no_entries)
    files: Mapping[str, Path] = field(default_factory=_no_entries)
    bodies: tuple[str, ...] = ()


def _at_origin() -> FloatArray:
    return np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class RobotModel:
    """A tree of links, link i hanging on link `parent[i] < i` by joint i.

    Link 0 is the root; its joint fixes it to the world or lets it float. Loops are
    closures on top of the tree. All arrays are read-only and have one row per link.
    Build one with `gelenk.load`, `gelenk.models.assembler.assemble`, from parts, or
    from a file.

    **Joint coordinates.** `q` holds one value per name in `joint_names` [rad] or [m]:
    the joints that move on their own, in link order. Joints that mimic another or that
    a loop closure determines are not part of it. With a floating base, `q` starts with
    the base pose (x, y, z, qw, qx, qy, qz) and `qd` with the base twist [v; omega] in
    world axes. A ball joint has four values in `q`, a unit quaternion (qw, qx, qy, qz),
    and three in `qd`, its angular velocity in axes of its link. So `nq` exceeds `nv` by
    the number of quaternions.

    Attributes:
        name: Name of the robot.
        link_names, joint_names_all: One name per link and per link's joint.
        parent: Index of the parent link, -1 for the root, shape (n,).
        joint_type: `JointType` of each joint, shape (n,).
        T_parent_joint: Link pose in the parent at joint value 0, shape (n, 4, 4).
        axis: Unit joint axis in the link frame, shape (n, 3).
        mass: Mass of each link [kg], shape (n,).
        com: Centre of mass in the link frame [m], shape (n, 3).
        inertia: Inertia about the centre of mass, link axes [kg m^2], shape (n, 3, 3).
        lower, upper, max_velocity, max_acceleration, max_jerk, max_effort: Limits of
            each joint, see `link.Link`, shape (n,).
        damping, friction, armature: Losses and rotor inertia of each joint, shape (n,).
        stiffness, rest: Spring of each joint, see `link.Link`, shape (n,).
        gravity_compensation: Share of each link's weight that is carried, shape (n,).
        mimic: Index of the followed joint or -1, shape (n,).
        multiplier, offset: Numbers of the mimic law, shape (n,).
        is_passive: Whether the joint has no motor, shape (n,).
        home: Home value of each joint, shape (n,).
        base_home: Pose of a floating base in the home configuration, position [m] and
            unit quaternion (x, y, z, qw, qx, qy, qz), shape (7,).
        loops: Loop closures.
        geometry: Shapes of each link.
        tool: Name of the tool link, empty if none is marked.
        gravity: Gravitational acceleration in the axes of the root link, or of the
            world if that floats [m/s^2], shape (3,).
        poses: Named configurations of the description (keyframes, states of a group),
            each of shape (nq,).
        groups: Names of the joints of each named group.
        excluded_pairs: Pairs of link names that are not tested for collision.
        source: File that the robot came from, None for other sources.
        notes: Sentences on parts of the file that the model lacks.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> arm.joint_names, arm.forward([0.0, 0.0])[:3, 3].tolist()
        (('joint_1', 'joint_2'), [1.8, 0.0, 0.0])
    """

    name: str
    link_names: tuple[str, ...]
    joint_names_all: tuple[str, ...]
    parent: IntArray
    joint_type: IntArray
    T_parent_joint: FloatArray
    axis: FloatArray
    mass: FloatArray
    com: FloatArray
    inertia: FloatArray
    lower: FloatArray
    upper: FloatArray
    max_velocity: FloatArray
    max_acceleration: FloatArray
    max_jerk: FloatArray
    max_effort: FloatArray
    damping: FloatArray
    friction: FloatArray
    armature: FloatArray
    stiffness: FloatArray
    rest: FloatArray
    gravity_compensation: FloatArray
    mimic: IntArray
    multiplier: FloatArray
    offset: FloatArray
    is_passive: BoolArray
    home: FloatArray
    loops: tuple[LoopClosure, ...] = ()
    geometry: tuple[tuple[Geometry, ...], ...] = ()
    tool: str = ""
    gravity: FloatArray
    base_home: FloatArray = field(default_factory=_at_origin)
    poses: Mapping[str, FloatArray] = field(default_factory=_no_entries)
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=_no_entries)
    excluded_pairs: tuple[tuple[str, str], ...] = ()
    source: ModelSource | None = None
    notes: tuple[str, ...] = ()
    _cache: dict[Any, Any] = field(default_factory=dict[Any, Any], init=False)

    def __post_init__(self) -> None:
        for name in self.__slots__:
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __repr__(self) -> str:
        kinds = "".join("FRPFB"[k] for k in self.joint_type[self.joint_ids])
        base = "floating base, " if self.has_floating_base else ""
        loops = f", {len(self.loops)} loops" if self.loops else ""
        return (
            f"RobotModel({self.name!r}: {base}{self.num_joints} joints {kinds}, "
            f"{len(self.link_names)} links{loops}, tool {self.tool or 'none'})"
        )

    # -- what the robot is ---------------------------------------------------------

    @property
    def has_floating_base(self) -> bool:
        return int(self.joint_type[0]) == 3  # JointType.FLOATING, compared as int: hot

    @property
    def tree_joint_ids(self) -> IntArray:
        """Link indices of all joints with a coordinate of their own, loops cut."""
        return self._cached("tree_joint_ids", self._find_tree_joints)

    @property
    def joint_ids(self) -> IntArray:
        """Link indices of the joints in `q`: `tree_joint_ids` not set by a loop."""
        return self._cached("joint_ids", self._find_joints)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints in the order of `q`."""
        return self._cached("joint_names", self._find_joint_names)

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Names that `frame=` accepts: all links."""
        return self.link_names

    @property
    def num_joints(self) -> int:
        return len(self.joint_ids)

    @property
    def nq(self) -> int:
        """Length of `q`."""
        try:  # every call of every function asks for this
            return self._cache["nq"]
        except KeyError:
            count = self.num_joints + (7 if self.has_floating_base else 0)
            count += 3 * len(self.ball_joints)
            return self._cached("nq", lambda: count)

    @property
    def nv(self) -> int:
        """Length of `qd`."""
        try:
            return self._cache["nv"]
        except KeyError:
            count = self.num_joints + (6 if self.has_floating_base else 0)
            count += 2 * len(self.ball_joints)
            return self._cached("nv", lambda: count)

    @property
    def ball_joints(self) -> tuple[int, ...]:
        """Positions in `joint_names` of the ball joints."""
        return self._cached("ball_joints", self._find_balls)

    @property
    def q_starts(self) -> IntArray:
        """Index in `q` of the first value of each joint, shape (num_joints,)."""
        return self._cached("q_starts", lambda: self._starts(7, 4))

    @property
    def v_starts(self) -> IntArray:
        """Index in `qd` of the first value of each joint, shape (num_joints,)."""
        return self._cached("v_starts", lambda: self._starts(6, 3))

    @property
    def limits(self) -> FloatArray:
        """Lower and upper limits of `q` without the base [rad] or [m], shape (2, n)."""
        ids = self.joint_ids
        limits = np.stack([self.lower[ids], self.upper[ids]])
        for i in reversed(self.ball_joints):
            limits = np.insert(limits, [i + 1] * 3, 0.0, axis=1)
            limits[:, i : i + 4] = [[-1.0], [1.0]]
        return limits

    @property
    def home_configuration(self) -> FloatArray:
        """`q` of the home configuration, shape (nq,)."""
        base = self.base_home if self.has_floating_base else self.base_home[:0]
        values = self.home[self.joint_ids]
        for i in reversed(self.ball_joints):
            values = np.insert(values, [i + 1] * 3, 0.0)
            values[i] = 1.0
        return np.concatenate([base, values])

    @property
    def compiled(self) -> CompiledTree:
        """Arrays in the form the compiled kernels read."""
        try:
            return self._cache["compiled"]
        except KeyError:
            from gelenk.models.compiled import compile_tree

            return self._cached("compiled", lambda: compile_tree(self))

    def link_id(self, frame: str | None = None) -> int:
        """Return the index of a link by name; None means the tool.

        Raises:
            NameNotFoundError: If no link has this name.
            ConfigError: If no frame is given, and there are several ends and no tool.
        """
        ids: dict[str, int] = self._cached(
            "link_ids", lambda: {name: i for i, name in enumerate(self.link_names)}
        )
        if frame is None:
            return self._cached("tool_id", self._find_tool)
        if frame not in ids:
            raise NameNotFoundError("frame", frame, ids)
        return ids[frame]

    def joint_id(self, joint: str) -> int:
        """Return the index in `joint_names` of a joint by name.

        Raises:
            NameNotFoundError: If no independent joint has this name.
        """
        if joint not in self.joint_names:
            raise NameNotFoundError("joint", joint, self.joint_names)
        return self.joint_names.index(joint)

    # -- shortcuts to the functions of `kinematics` and `dynamics` -------------------

    def forward(self, q: ArrayLike, frame: str | None = None) -> FloatArray:
        """Return the pose of a frame in the base, `T_base_frame`, shape (..., 4, 4).

        Args:
            q: Joint values [rad] or [m], shape (..., nq).
            frame: Name of a link; by default the tool.
        """
        return _functions.frame_pose(self, q, frame=frame)

    def jacobian(self, q: ArrayLike, frame: str | None = None) -> FloatArray:
        """Return `J_base_frame`, shape (..., 6, nv), rows [v; omega] in base axes.

        Args:
            q: Joint values [rad] or [m], shape (..., nq).
            frame: Name of a link; by default the tool.
        """
        return _functions.frame_jacobian(self, q, frame=frame)

    def inverse(
        self, T: ArrayLike, method: IkMethod = "lm", **options: Unpack[IkOptions]
    ) -> IkResult:
        """Return joint values that bring the tool to the pose `T`, with a status.

        Args:
            T: Wanted pose of the frame in the base, shape (4, 4).
            method: "lm", "closed", "simplex" or "jacobian".
            options: Options of the method; see `IkOptions`.
        """
        if method == "lm" and not options and not self.loops:
            return _functions.solve_default(self, T)
        if method == "closed" and not self.ball_joints:
            return _functions.solve_closed(self, T, **options)
        return _functions.solve(self, T, method=method, **options)

    def inverse_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        *,
        wrenches: dict[str, ArrayLike] | None = None,
        gravity: ArrayLike | None = None,
    ) -> FloatArray:
        """Return the generalised forces for a motion, shape (..., nv).

        Args:
            q: Joint values [rad] or [m], shape (..., nq).
            qd: Joint velocities [rad/s] or [m/s], shape (..., nv).
            qdd: Joint accelerations [rad/s^2] or [m/s^2], shape (..., nv).
            wrenches: Wrenches on links by name, [f; tau] [N, N m], shape (..., 6).
            gravity: Gravitational acceleration [m/s^2], shape (3,); by default the
                model's.
        """
        return _functions.inverse_dynamics(
            self, q, qd, qdd, wrenches=wrenches, gravity=gravity
        )

    def forward_dynamics(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        *,
        wrenches: dict[str, ArrayLike] | None = None,
        gravity: ArrayLike | None = None,
    ) -> FloatArray:
        """Return the accelerations that the forces `tau` cause, shape (..., nv).

        Args:
            q: Joint values [rad] or [m], shape (..., nq).
            qd: Joint velocities [rad/s] or [m/s], shape (..., nv).
            tau: Generalised forces of the joints [N m] or [N], shape (..., nv).
            wrenches: Wrenches on links by name, [f; tau] [N, N m], shape (..., 6).
            gravity: Gravitational acceleration [m/s^2], shape (3,); by default the
                model's.
        """
        return _functions.forward_dynamics(
            self, q, qd, tau, wrenches=wrenches, gravity=gravity
        )

    def mass_matrix(self, q: ArrayLike) -> FloatArray:
        """Return the joint-space inertia, shape (..., nv, nv).

        Args:
            q: Joint values [rad] or [m], shape (..., nq).
        """
        return _functions.mass_matrix(self, q)

    # -- changed robots, see `models.edit` ------------------------------------------

    def with_tool(
        self, frame: str, T_frame_tool: ArrayLike | None = None, *, name: str = ""
    ) -> RobotModel:
        """Return the robot with a marked tool, which `forward` and `inverse` take.

        Args:
            frame: Link that is the tool, or that carries it.
            T_frame_tool: Pose of the tool in that link, shape (4, 4); None marks the
                link itself.
            name: Name of the new link where a pose is given; by default "tool".
        """
        return _functions.edit.with_tool(self, frame, T_frame_tool, name=name)

    def with_frame(
        self, name: str, parent: str, T_parent_frame: ArrayLike | None = None
    ) -> RobotModel:
        """Return the robot with one more frame, fixed to a link.

        Args:
            name: Name of the frame.
            parent: Link that carries it.
            T_parent_frame: Pose of the frame in that link, shape (4, 4).
        """
        return _functions.edit.with_frame(self, name, parent, T_parent_frame)

    def with_attached(
        self,
        link: str,
        other: RobotModel,
        *,
        T_link_root: ArrayLike | None = None,
        prefix: str = "",
        tool: str = "",
    ) -> RobotModel:
        """Return one robot made of two: the root of `other` fixed to a link.

        Args:
            link: Name of the link that carries.
            other: Robot that is attached, such as a hand.
            T_link_root: Pose of the other's root in that link, shape (4, 4).
            prefix: Put before all names of `other`, so that they stay unique.
            tool: Name of the tool of the whole; by default the other's, if it has one.
        """
        return _functions.edit.with_attached(
            self, link, other, T_link_root=T_link_root, prefix=prefix, tool=tool
        )

    def with_payload(
        self,
        link: str,
        *,
        mass: float,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
    ) -> RobotModel:
        """Return the robot with a body grasped by one of its links.

        Args:
            link: Name of the link that carries it.
            mass: Mass of the payload [kg].
            com: Centre of mass of the payload in the link frame [m], shape (3,).
            inertia: Inertia tensor of the payload about that centre, link axes
                [kg m^2], shape (3, 3); by default a point mass.
        """
        return _functions.edit.with_payload(
            self, link, mass=mass, com=com, inertia=inertia
        )

    def with_armature(self, armature: float | Mapping[str, float]) -> RobotModel:
        """Return the robot with other rotor inertias.

        Args:
            armature: Rotor inertia seen at the joint [kg m^2] or [kg], for all joints
                that move, or by joint name.
        """
        return _functions.edit.with_armature(self, armature)

    def without(self, links: str | Iterable[str]) -> RobotModel:
        """Return the robot without some links and all that they carry.

        Args:
            links: Name of a link, or several; not the root.
        """
        return _functions.edit.without(self, links)

    def image(
        self, q: ArrayLike | None = None, **options: Unpack[ImageOptions]
    ) -> ByteArray:
        """Return a picture of the robot, red, green, blue, shape (height, width, 3).

        Args:
            q: Joint values [rad] or [m], shape (nq,); by default those of home.
            options: Size, view and shapes; see `ImageOptions`.
        """
        from gelenk.models.picture import robot_image

        return robot_image(self, q, **options)

    def _repr_png_(self) -> bytes:
        """Return the picture that a notebook shows."""
        from gelenk.geometry.png import encode_png

        return encode_png(self.image())

    # -- helpers --------------------------------------------------------------------

    def check_q(self, name: str, q: ArrayLike) -> FloatArray:
        """Return `q` as float64 of shape (..., nq); raise ShapeError otherwise."""
        return _check_last_axis(name, q, self.nq)

    def check_v(self, name: str, v: ArrayLike) -> FloatArray:
        """Return `v` as float64 of shape (..., nv); raise ShapeError otherwise."""
        return _check_last_axis(name, v, self.nv)

    def _cached(self, key: Hashable, make: Callable[[], _T]) -> _T:
        try:
            return self._cache[key]
        except KeyError:
            value = self._cache[key] = make()
            return value

    def _find_tree_joints(self) -> IntArray:
        kind = self.joint_type
        moves = (kind == int(JointType.REVOLUTE)) | (kind == int(JointType.PRISMATIC))
        moves |= kind == int(JointType.BALL)
        return np.flatnonzero(moves & (self.mimic < 0))

    def _find_balls(self) -> tuple[int, ...]:
        is_ball = self.joint_type[self.joint_ids] == int(JointType.BALL)
        return tuple(np.flatnonzero(is_ball).tolist())

    def _starts(self, base: int, width: int) -> IntArray:
        widths = np.ones(self.num_joints, dtype=np.int64)
        widths[list(self.ball_joints)] = width
        first = base if self.has_floating_base else 0
        return first + np.cumsum(widths) - widths

    def _find_joints(self) -> IntArray:
        ids = self.tree_joint_ids
        return ids[~self.is_passive[ids]] if self.loops else ids

    def _find_joint_names(self) -> tuple[str, ...]:
        return tuple(self.joint_names_all[int(i)] for i in self.joint_ids)

    def _find_tool(self) -> int:
        from gelenk.models.ends import evident_tool

        if self.tool:
            return self.link_names.index(self.tool)
        tool = evident_tool(self)
        if tool is not None:
            return tool
        leaves = sorted(set(range(len(self.link_names))) - set(self.parent.tolist()))
        names = ", ".join(self.link_names[i] for i in leaves[:40])
        names += ", ..." if len(leaves) > 40 else ""
        raise ConfigError(
            f"robot {self.name!r} has {len(leaves)} ends and no tool; "
            f"pass `frame=`, one of: {names}; or mark one: model.with_tool(...)"
        )


def _check_last_axis(name: str, value: ArrayLike, size: int) -> FloatArray:
    array = np.asarray(value, dtype=np.float64)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ShapeError(name, expected=f"(..., {size})", actual=array.shape)
    return array


def link_chain(model: RobotModel, link: int) -> Sequence[int]:
    """Return the indices of the links from the root to `link`, both included."""
    chain: list[int] = []
    while link >= 0:
        chain.append(link)
        link = int(model.parent[link])
    return chain[::-1]
