"""Model assembly: unchecked links ordered, checked and stacked to a `RobotModel`.

The one border through which every description enters, whatever its source. All checks
name the element that fails.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np

from gelenk.errors import ModelError
from gelenk.models.link import LOOP_EQUATIONS, JointType, Link, Loop
from gelenk.models.tree import LoopClosure, ModelSource, RobotModel
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

GRAVITY = (0.0, 0.0, -9.81)  # [m/s^2], world axes
ROTATION_TOL = 1e-6  # largest entry of R R^T - E; files print 6 to 8 digits
INERTIA_TOL = 1e-9  # [kg m^2] and relative: rounding of printed tensors

_LARGEST = ("max_velocity", "max_acceleration", "max_jerk", "max_effort")
_MAY_BE_INFINITE = ("lower", "upper", *_LARGEST)
_NOT_NEGATIVE = (*_LARGEST, "damping", "friction", "armature")
_FINITE = (
    *("mass", "damping", "friction", "armature", "multiplier", "offset", "home"),
    *("stiffness", "rest", "gravity_compensation"),
)
_IDENTITY, _BOTTOM_ROW = np.eye(3), np.array([0.0, 0.0, 0.0, 1.0])
# Plain integers: comparing an array with an enum member costs ten times as much.
_FIXED, _FLOATING = int(JointType.FIXED), int(JointType.FLOATING)
_REVOLUTE, _PRISMATIC = int(JointType.REVOLUTE), int(JointType.PRISMATIC)
_BALL = int(JointType.BALL)


def assemble(
    name: str,
    links: Sequence[Link],
    *,
    loops: Sequence[Loop] = (),
    tool: str = "",
    gravity: ArrayLike = GRAVITY,
    base_home: ArrayLike | None = None,
    poses: Mapping[str, ArrayLike] | None = None,
    groups: Mapping[str, tuple[str, ...]] | None = None,
    excluded_pairs: Sequence[tuple[str, str]] = (),
    source: ModelSource | None = None,
    notes: Sequence[str] = (),
) -> RobotModel:
    """Return the model made of `links`, in depth-first order from the root.

    Args:
        name: Name of the robot.
        links: One row per link, in any order; exactly one without a parent. A home
            value outside the limits becomes the nearest within.
        loops: Loop closures on top of the tree.
        tool: Name of the tool link; empty leaves the choice to the single leaf.
        gravity: Gravitational acceleration [m/s^2], world axes, shape (3,).
        base_home: Pose of a floating base in the home configuration, position [m] and
            quaternion (x, y, z, qw, qx, qy, qz), shape (7,); None: at the origin.
        poses: Named configurations, each of shape (nq,).
        groups: Names of the joints of each named group.
        excluded_pairs: Pairs of link names that are not tested for collision.
        source: File that the description came from.
        notes: Sentences on parts of the description that the model lacks.

    Raises:
        ModelError: If the links are not a tree or a number is not physical; the message
            names the link or joint.

    Example:
        >>> from gelenk.models import JointType, Link
        >>> links = [Link(name="base"), Link(name="door", parent="base",
        ...                                  joint_type=JointType.REVOLUTE)]
        >>> assemble("hinged_door", links).joint_names
        ('door_joint',)
    """
    order, parent = _depth_first(name, links)
    rows = [links[i] for i in order]
    link_names = tuple(row.name for row in rows)
    joint_names = tuple(row.joint or f"{row.name}_joint" for row in rows)
    _check_unique(name, "joint", joint_names)
    if tool and tool not in link_names:
        raise ModelError(f"robot {name!r}: tool {tool!r} is not a link")

    T = _stack("T_parent_joint", rows, (4, 4))
    axis = _stack("axis", rows, (3,))
    com = _stack("com", rows, (3,))
    inertia = _stack("inertia", rows, (3, 3))
    kinds = np.array([int(row.joint_type) for row in rows], dtype=np.int64)
    scalars = _stack_scalars(_MAY_BE_INFINITE, rows) | _stack_scalars(_FINITE, rows)
    mass = scalars.pop("mass")

    _check_joints(kinds, joint_names, link_names)
    _check_balls(kinds, joint_names, loops)
    _check_poses(T, link_names)
    _check_mount(T[0], kinds[0], link_names[0])
    axis = _normalised_axes(axis, kinds, joint_names)
    _check_masses(mass, inertia, link_names)
    _check_limits(scalars, joint_names)
    mimic, multiplier, offset = _resolve_mimic(rows, joint_names, kinds, scalars)
    scalars["home"] = _home_within(scalars, kinds)
    columns: dict[str, Any] = scalars | {"multiplier": multiplier, "offset": offset}
    if base_home is not None:
        columns["base_home"] = _checked_base(name, base_home)
    model = RobotModel(
        name=name,
        link_names=link_names,
        joint_names_all=joint_names,
        parent=parent,
        joint_type=kinds,
        T_parent_joint=T,
        axis=axis,
        mass=mass,
        com=com,
        inertia=inertia,
        mimic=mimic,
        **columns,
        is_passive=np.array([row.is_passive for row in rows], dtype=np.bool_),
        loops=tuple(_closure(loop, link_names) for loop in loops),
        geometry=tuple(row.geometry for row in rows),
        tool=tool,
        gravity=np.array(gravity, dtype=np.float64),
        groups=MappingProxyType(dict(groups or {})),
        excluded_pairs=tuple(excluded_pairs),
        source=source,
        notes=tuple(notes),
    )
    if not poses:
        return model
    return replace(model, poses=_checked_poses(model, poses))


def _home_within(scalars: dict[str, FloatArray], kinds: IntArray) -> FloatArray:
    """Return the home values, moved to the nearest limit where they lie outside."""
    home = scalars["home"]
    moves = (kinds == _REVOLUTE) | (kinds == _PRISMATIC)
    within = np.clip(home, scalars["lower"], scalars["upper"])
    return np.where(moves, within, home)


def _checked_base(name: str, base_home: ArrayLike) -> FloatArray:
    """Return the pose of a floating base with a quaternion of length 1."""
    base = np.array(base_home, dtype=np.float64)
    if base.shape != (7,) or not np.isfinite(base).all() or not base[3:].any():
        raise ModelError(
            f"robot {name!r}: `base_home` must be a position and a quaternion, 7 "
            f"finite numbers, got {base_home}"
        )
    base[3:] /= np.linalg.norm(base[3:])
    return base


def _checked_poses(
    model: RobotModel, poses: Mapping[str, ArrayLike]
) -> Mapping[str, FloatArray]:
    found: dict[str, FloatArray] = {}
    for name, values in poses.items():
        q = np.array(values, dtype=np.float64)
        if q.shape != (model.nq,) or not np.isfinite(q).all():
            raise ModelError(
                f"robot {model.name!r}: pose {name!r} must be {model.nq} finite "
                f"numbers, got {q.shape}"
            )
        q.setflags(write=False)
        found[name] = q
    return MappingProxyType(found)


def _depth_first(name: str, links: Sequence[Link]) -> tuple[list[int], IntArray]:
    """Return the order of the links and the parent of each in that order."""
    names = [link.name for link in links]
    _check_unique(name, "link", names)
    known = set(names)
    children: dict[str | None, list[int]] = {}
    for i, link in enumerate(links):
        if link.parent is not None and link.parent not in known:
            raise ModelError(
                f"link {link.name!r} hangs on {link.parent!r}, which does not exist; "
                "add that link or correct the parent"
            )
        children.setdefault(link.parent, []).append(i)
    roots = [names[i] for i in children.get(None, [])]
    if len(roots) != 1:
        raise ModelError(
            f"robot {name!r} must have exactly one root link, found {len(roots)}"
            + (f": {', '.join(roots)}; connect all but one" if roots else "")
        )
    order: list[int] = []
    parents: list[int] = []
    stack = [(children[None][0], -1)]
    while stack:
        i, parent = stack.pop()
        parents.append(parent)
        here = len(order)
        order.append(i)
        stack.extend((c, here) for c in reversed(children.get(names[i], [])))
    if len(order) != len(links):
        lost = sorted(set(range(len(links))) - set(order))
        raise ModelError(
            f"robot {name!r}: links not connected to the root (a cycle of parents): "
            + ", ".join(names[i] for i in lost)
        )
    return order, np.array(parents, dtype=np.int64)


def _check_unique(robot: str, kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if not name:
            raise ModelError(f"robot {robot!r} has a {kind} without a name")
        if name in seen:
            raise ModelError(
                f"robot {robot!r} has two {kind}s named {name!r}; rename one"
            )
        seen.add(name)


def _stack(key: str, rows: Sequence[Link], shape: tuple[int, ...]) -> FloatArray:
    """Return one finite attribute of all links as an array."""
    values: list[Any] = [getattr(row, key) for row in rows]
    array = _as_floats(key, values, rows, shape)
    if not np.isfinite(array).all():
        bad = ~np.isfinite(array).reshape(len(rows), -1).all(axis=1)
        i = int(bad.argmax())
        raise ModelError(
            f"link {rows[i].name!r}: `{key}` must be finite, got {values[i]}"
        )
    return array


def _stack_scalars(
    keys: tuple[str, ...], rows: Sequence[Link]
) -> dict[str, FloatArray]:
    """Return numbers of all links as one array each; `_MAY_BE_INFINITE` may be so."""
    values: list[Any] = [[getattr(row, key) for row in rows] for key in keys]
    try:
        array = np.array(values, dtype=np.float64)
        if array.shape != (len(keys), len(rows)):
            raise ValueError
    except (TypeError, ValueError):
        for key, column in zip(keys, values, strict=True):
            _as_floats(key, column, rows, ())
        raise
    bad = np.isnan(array) if keys is _MAY_BE_INFINITE else ~np.isfinite(array)
    if bad.any():
        k, i = (int(index[0]) for index in bad.nonzero())
        raise ModelError(
            f"link {rows[i].name!r}: `{keys[k]}` must be finite, got {values[k][i]}"
        )
    return dict(zip(keys, array, strict=True))


def _as_floats(
    key: str, values: list[Any], rows: Sequence[Link], shape: tuple[int, ...]
) -> FloatArray:
    try:
        array = np.array(values, dtype=np.float64)
        if array.shape == (len(rows), *shape):
            return array
    except (TypeError, ValueError):
        pass
    for row, value in zip(rows, values, strict=True):
        if np.shape(value) != shape:
            raise ModelError(
                f"link {row.name!r}: `{key}` must have shape {shape}, "
                f"got {np.shape(value)}"
            )
    raise ModelError(f"`{key}` of a link is not made of numbers")


def _first(mask: BoolArray) -> int | None:
    return int(mask.argmax()) if mask.any() else None


def _check_joints(kinds: IntArray, joints: Sequence[str], links: Sequence[str]) -> None:
    i = _first(kinds[1:] == _FLOATING)
    if i is not None:
        raise ModelError(
            f"joint {joints[i + 1]!r} floats, but only the root link {links[0]!r} may"
        )
    if int(kinds[0]) not in (_FIXED, _FLOATING):
        raise ModelError(
            f"the root link {links[0]!r} must be fixed or floating; put a base link "
            f"before joint {joints[0]!r}"
        )


def _check_balls(kinds: IntArray, joints: Sequence[str], loops: Sequence[Loop]) -> None:
    i = _first(kinds == _BALL)
    if i is not None and loops:
        raise ModelError(
            f"joint {joints[i]!r} is a ball, which is not possible in a robot with "
            "loops; use three hinges"
        )


def _check_poses(T: FloatArray, names: Sequence[str]) -> None:
    R = T[:, :3, :3]
    error = np.abs(R @ R.swapaxes(1, 2) - _IDENTITY).max(axis=(1, 2))
    is_mirrored = np.linalg.det(R) < 0.0
    has_bad_bottom = (T[:, 3] != _BOTTOM_ROW).any(axis=1)
    i = _first((error > ROTATION_TOL) | is_mirrored | has_bad_bottom)
    if i is not None:
        raise ModelError(
            f"link {names[i]!r}: `T_parent_joint` is not a pose (its rotation part is "
            "not a right-handed orthonormal matrix)"
        )


def _check_mount(T: FloatArray, kind: int, root: str) -> None:
    """Refuse a turned root: all poses and gravity are in its axes."""
    if int(kind) == _FIXED and (T[:3, :3] != _IDENTITY).any():
        raise ModelError(
            f"the root link {root!r} is turned in the world, but poses and gravity are "
            "in its axes; add a root without rotation and fix this link to it"
        )


def _normalised_axes(
    axis: FloatArray, kinds: IntArray, joints: Sequence[str]
) -> FloatArray:
    length = np.sqrt(np.einsum("ni,ni->n", axis, axis))
    moves = (kinds == _REVOLUTE) | (kinds == _PRISMATIC)
    i = _first(moves & (length < 1e-12))
    if i is not None:
        raise ModelError(f"joint {joints[i]!r}: axis has no direction, got {axis[i]}")
    length[length == 0.0] = 1.0
    return axis / length[:, None]


def _check_masses(mass: FloatArray, inertia: FloatArray, names: Sequence[str]) -> None:
    i = _first(mass < 0.0)
    if i is not None:
        raise ModelError(f"link {names[i]!r}: mass must be >= 0 kg, got {mass[i]}")
    scale = INERTIA_TOL + ROTATION_TOL * np.abs(inertia).max(axis=(1, 2))
    i = _first(np.abs(inertia - inertia.swapaxes(1, 2)).max(axis=(1, 2)) > scale)
    if i is not None:
        raise ModelError(f"link {names[i]!r}: inertia is not symmetric")
    # The smallest eigenvalue decides; most links of a parts assembly have none at all.
    some = np.flatnonzero(scale > INERTIA_TOL)
    if some.size:
        lowest = np.linalg.eigvalsh(inertia[some])[:, 0]
        i = _first(lowest < -scale[some])
        if i is not None:
            raise ModelError(
                f"link {names[some[i]]!r}: inertia has the negative principal moment "
                f"{lowest[i]:.3g} kg m^2; check the signs of its products"
            )


def _check_limits(scalars: dict[str, FloatArray], joints: Sequence[str]) -> None:
    lower, upper = scalars["lower"], scalars["upper"]
    i = _first(lower > upper)
    if i is not None:
        raise ModelError(
            f"joint {joints[i]!r}: lower limit {lower[i]} is above upper {upper[i]}"
        )
    for key in _NOT_NEGATIVE:
        i = _first(scalars[key] < 0.0)
        if i is not None:
            raise ModelError(
                f"joint {joints[i]!r}: `{key}` must be >= 0, got {scalars[key][i]}"
            )


def _resolve_mimic(
    rows: Sequence[Link],
    joints: Sequence[str],
    kinds: IntArray,
    scalars: dict[str, FloatArray],
) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return followed joint, multiplier and offset; chains of mimics are flattened."""
    mimic = np.full(len(rows), -1, dtype=np.int64)
    multiplier, offset = np.ones(len(rows)), np.zeros(len(rows))
    if all(row.mimic is None for row in rows):
        return mimic, multiplier, offset
    index = {joint: i for i, joint in enumerate(joints)}
    for i in range(len(rows)):
        k, m, b = i, 1.0, 0.0
        seen = {i}
        while (followed := rows[k].mimic) is not None:
            if followed not in index:
                raise ModelError(
                    f"joint {joints[k]!r} mimics {followed!r}, which does not exist; "
                    f"joints are: {', '.join(sorted(index))}"
                )
            b += m * float(scalars["offset"][k])
            m *= float(scalars["multiplier"][k])
            k = index[followed]
            if k in seen:
                raise ModelError(f"joint {joints[i]!r} mimics itself in a circle")
            seen.add(k)
        if k != i:
            movable = (_REVOLUTE, _PRISMATIC)
            if kinds[k] not in movable or kinds[i] not in movable:
                raise ModelError(
                    f"joint {joints[i]!r} mimics {joints[k]!r}: both must move"
                )
            mimic[i], multiplier[i], offset[i] = k, m, b
    return mimic, multiplier, offset


def _closure(loop: Loop, link_names: Sequence[str]) -> LoopClosure:
    where = f"loop {loop.name!r}"
    if loop.kind not in LOOP_EQUATIONS:
        kinds = ", ".join(LOOP_EQUATIONS)
        raise ModelError(f"{where}: kind must be one of {kinds}, got {loop.kind!r}")
    count = len(loop.links)
    if count < 2 or (loop.kind == "distance" and count != 2):
        wanted = "exactly two" if loop.kind == "distance" else "at least two"
        raise ModelError(f"{where} joins {count} links, {wanted} are needed")
    for link in loop.links:
        if link not in link_names:
            raise ModelError(f"{where} uses the link {link!r}, which does not exist")
    T = np.array(loop.T_link_frame, dtype=np.float64)
    if T.shape != (count, 4, 4) or not np.isfinite(T).all():
        raise ModelError(
            f"{where}: `T_link_frame` must be finite with shape ({count}, 4, 4), "
            f"got {T.shape}"
        )
    if not (np.isfinite(loop.length) and loop.length >= 0.0):
        raise ModelError(f"{where}: `length` must be >= 0 m, got {loop.length}")
    T.setflags(write=False)
    return LoopClosure(
        name=loop.name,
        kind=loop.kind,
        links=tuple(link_names.index(link) for link in loop.links),
        T_link_frame=T,
        length=loop.length,
        branch=loop.branch,
    )
