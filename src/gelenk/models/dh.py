"""Robots from Denavit-Hartenberg rows.

Standard convention: joint i moves about or along z of frame S_{i-1}, and
S_{i-1} -> S_i is Rz(theta) Tz(d) Tx(a) Rx(alpha); S_i is fixed to link i at its far end
(Damken 2023 §3.1.3). Modified convention: joint i moves about or along z of its own
frame S_i, and S_{i-1} -> S_i is Rx(alpha) Tx(a) Rz(theta) Tz(d) (Craig, Introduction to
Robotics). Rows from joint axes: `dh_axes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError, ModelError
from gelenk.models.assembler import GRAVITY, assemble
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

DhConvention: TypeAlias = Literal["standard", "modified"]
DhKind: TypeAlias = Literal["R", "P"]


@dataclass(frozen=True, slots=True, eq=False)
class DhRow:
    """One row of a Denavit-Hartenberg table and the link that belongs to it.

    Attributes:
        theta: Angle about z [rad]; for kind "R" the value at joint value 0.
        d: Shift along z [m]; for kind "P" the value at joint value 0.
        a: Shift along x [m].
        alpha: Angle about x [rad].
        kind: "R" if the joint value is added to theta, "P" if it is added to d.
        name: Name of the joint; empty takes "joint_i".
        mass: Mass of link i [kg].
        com: Centre of mass of link i in S_i [m], shape (3,).
        inertia: Inertia about the centre of mass, axes of S_i [kg m^2], shape (3, 3).
        lower, upper: Joint limits [rad] or [m].
        max_velocity: Largest joint speed [rad/s] or [m/s].
        max_effort: Largest joint torque or force [N m] or [N].
        armature: Rotor inertia seen at the joint [kg m^2] or [kg].
        home: Joint value of the home configuration [rad] or [m]; None takes the one
            within the limits that is nearest to 0.
        geometry: Shapes of link i in S_i.

    Example:
        >>> import numpy as np
        >>> from gelenk.models import DhRow
        >>> DhRow(d=0.4, a=0.3, alpha=np.pi).kind
        'R'
    """

    theta: float = 0.0
    d: float = 0.0
    a: float = 0.0
    alpha: float = 0.0
    kind: DhKind = "R"
    name: str = field(default="", kw_only=True)
    mass: float = field(default=0.0, kw_only=True)
    com: ArrayLike = field(default=(0.0, 0.0, 0.0), kw_only=True)
    inertia: ArrayLike = field(default_factory=lambda: np.zeros((3, 3)), kw_only=True)
    lower: float = field(default=-np.inf, kw_only=True)
    upper: float = field(default=np.inf, kw_only=True)
    max_velocity: float = field(default=np.inf, kw_only=True)
    max_effort: float = field(default=np.inf, kw_only=True)
    armature: float = field(default=0.0, kw_only=True)
    home: float | None = field(default=None, kw_only=True)
    geometry: tuple[Geometry, ...] = field(default=(), kw_only=True)


def dh_matrix(
    theta: ArrayLike,
    d: ArrayLike,
    a: ArrayLike,
    alpha: ArrayLike,
    *,
    convention: DhConvention = "standard",
) -> FloatArray:
    """Return the pose of S_i in S_{i-1} for one Denavit-Hartenberg row.

    Args:
        theta: Angle about z [rad], shape (...); all four broadcast.
        d: Shift along z [m].
        a: Shift along x [m].
        alpha: Angle about x [rad].
        convention: "standard" Rz Tz Tx Rx or "modified" Rx Tx Rz Tz.

    Returns:
        Shape (..., 4, 4).

    Example:
        >>> import numpy as np
        >>> from gelenk.models import dh_matrix
        >>> print(dh_matrix(np.pi / 2.0, 0.5, 0.2, 0.0).round(12)[:3, 3])
        [0.  0.2 0.5]
    """
    _check_convention(convention)
    theta, d, a, alpha = np.broadcast_arrays(
        *(np.asarray(value, dtype=np.float64) for value in (theta, d, a, alpha))
    )
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    T = np.zeros((*theta.shape, 4, 4))
    if convention == "standard":
        rows = (
            (ct, -st * ca, st * sa, a * ct),
            (st, ct * ca, -ct * sa, a * st),
            (0.0, sa, ca, d),
        )
    else:
        rows = (
            (ct, -st, 0.0, a),
            (st * ca, ct * ca, -sa, -d * sa),
            (st * sa, ct * sa, ca, d * ca),
        )
    for i, row in enumerate(rows):
        for j, entry in enumerate(row):
            T[..., i, j] = entry
    T[..., 3, 3] = 1.0
    return T + 0.0  # makes 0.0 of -0.0


def links_from_dh(
    rows: Sequence[DhRow | Sequence[float]],
    *,
    parent: str,
    kinds: str | None = None,
    convention: DhConvention = "standard",
) -> list[Link]:
    """Return the links that Denavit-Hartenberg rows hang on a parent, first row first.

    `link_i` is the frame S_i and carries the mass of row i. A standard row moves before
    its S_i is reached, so there each joint has a massless link `axis_i`, S_{i-1} turned
    by theta (on a slider also shifted by d), on which link i is fixed.

    Args:
        rows: `DhRow`s, or sequences (theta, d, a, alpha).
        parent: Name of the link whose frame is S_0.
        kinds: One letter "R" or "P" per row; by default each row's own.
        convention: "standard" or "modified".

    Raises:
        ModelError: If a row is not one.

    Example:
        >>> from gelenk.models import DhRow, links_from_dh
        >>> [link.name for link in links_from_dh([DhRow(a=0.5)], parent="base")]
        ['axis_1', 'link_1']
    """
    _check_convention(convention)
    links: list[Link] = []
    for i, row in enumerate(_as_rows(rows, kinds), start=1):
        body = Link(
            name=f"link_{i}",
            parent=parent,
            mass=row.mass,
            com=row.com,
            inertia=row.inertia,
            geometry=row.geometry,
        )
        if convention == "modified":
            T = dh_matrix(row.theta, row.d, row.a, row.alpha, convention=convention)
            links.append(_on_joint(body, i, row, T))
        else:
            T_before_axis, T_axis_link = _split(row)
            axis = Link(name=f"axis_{i}", parent=parent)
            links.append(_on_joint(axis, i, row, T_before_axis))
            links.append(
                replace(
                    body,
                    parent=axis.name,
                    joint=f"{body.name}_fixed",
                    T_parent_joint=T_axis_link,
                )
            )
        parent = body.name
    return links


def model_from_dh(
    rows: Sequence[DhRow | Sequence[float]],
    *,
    name: str = "dh_chain",
    kinds: str | None = None,
    convention: DhConvention = "standard",
    T_base: ArrayLike | None = None,
    T_tool: ArrayLike | None = None,
    gravity: ArrayLike = GRAVITY,
) -> RobotModel:
    """Return the robot that Denavit-Hartenberg rows describe.

    Its links `link_0` ... `link_n` are the frames S_0 ... S_n; `base` carries S_0 and
    `tool` hangs on S_n. For the links `axis_i` in between see `links_from_dh`.

    Args:
        rows: `DhRow`s, or sequences (theta, d, a, alpha).
        name: Name of the robot.
        kinds: One letter "R" or "P" per row; by default each row's own.
        convention: "standard" or "modified".
        T_base: Pose of S_0 in the base, shape (4, 4).
        T_tool: Pose of the tool in S_n, shape (4, 4).
        gravity: Gravitational acceleration [m/s^2], base axes, shape (3,).

    Raises:
        ModelError: If a row is not one.

    Example:
        >>> from gelenk.models import model_from_dh
        >>> model_from_dh([(0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.8, 0.0)], name="2R")
        RobotModel('2R': 2 joints RR, 7 links, tool tool)
    """
    links = [
        Link(name="base"),
        Link(name="link_0", parent="base", T_parent_joint=_as_pose("T_base", T_base)),
        *links_from_dh(rows, parent="link_0", kinds=kinds, convention=convention),
    ]
    T_last_tool = _as_pose("T_tool", T_tool)
    links.append(Link(name="tool", parent=links[-1].name, T_parent_joint=T_last_tool))
    return assemble(name, links, tool="tool", gravity=gravity)


def as_kinds(kinds: str, count: int) -> list[DhKind]:
    """Return one kind per joint.

    Raises:
        ModelError: If there are too few or too many, or others than "R" and "P".
    """
    unknown = set(kinds) - set(get_args(DhKind))
    if len(kinds) != count or unknown:
        raise ModelError(
            f"`kinds` must be {count} letters 'R' or 'P', one per joint, got {kinds!r}"
        )
    letters: dict[str, DhKind] = {"R": "R", "P": "P"}
    return [letters[kind] for kind in kinds]


def _split(row: DhRow) -> tuple[FloatArray, FloatArray]:
    """Return the constant poses before and behind the motion of a standard row.

    In Rz(theta) Tz(d) Tx(a) Rx(alpha) a hinge turns behind the first factor, a slider
    slides behind the second.
    """
    theta, d, a, alpha = row.theta, row.d, row.a, row.alpha
    if row.kind == "R":
        return dh_matrix(theta, 0.0, 0.0, 0.0), dh_matrix(0.0, d, a, alpha)
    return dh_matrix(theta, d, 0.0, 0.0), dh_matrix(0.0, 0.0, a, alpha)


def _on_joint(link: Link, i: int, row: DhRow, T_parent_joint: FloatArray) -> Link:
    """Return a link with the joint of row i, which moves about or along its z."""
    home = min(max(0.0, row.lower), row.upper) if row.home is None else row.home
    return replace(
        link,
        joint=row.name or f"joint_{i}",
        joint_type=JointType.REVOLUTE if row.kind == "R" else JointType.PRISMATIC,
        T_parent_joint=T_parent_joint,
        lower=row.lower,
        upper=row.upper,
        max_velocity=row.max_velocity,
        max_effort=row.max_effort,
        armature=row.armature,
        home=home,
    )


def _as_rows(rows: Sequence[DhRow | Sequence[float]], kinds: str | None) -> list[DhRow]:
    table: list[DhRow] = []
    for i, row in enumerate(rows, start=1):
        if isinstance(row, DhRow):
            table.append(row)
            continue
        values = np.asarray(row, dtype=np.float64)
        if values.shape != (4,):
            raise ModelError(
                f"row {i} must be (theta, d, a, alpha) or a `DhRow`, got {row!r}"
            )
        table.append(DhRow(*values.tolist()))
    if not table:
        raise ModelError("a chain needs at least one Denavit-Hartenberg row")
    if kinds is not None:
        letters = as_kinds(kinds, len(table))
        table = [replace(r, kind=k) for r, k in zip(table, letters, strict=True)]
    for i, row in enumerate(table, start=1):
        as_kinds(row.kind, 1)
        if not np.isfinite([row.theta, row.d, row.a, row.alpha]).all():
            raise ModelError(f"row {i}: parameters must be finite, got {row}")
    return table


def _as_pose(name: str, T: ArrayLike | None) -> FloatArray:
    return np.eye(4) if T is None else as_array(name, T, (4, 4))


def _check_convention(convention: str) -> None:
    if convention not in get_args(DhConvention):
        raise ConfigError(
            f"`convention` must be 'standard' or 'modified', got {convention!r}"
        )
