"""Changes of a robot: tools, frames, payloads, attached robots, links left out.

Models never change; every function returns a new, checked one. `RobotModel` has the
same functions as methods. Named poses, groups and excluded pairs are carried over. A
changed model is not what its file says any more: its `source` is None, and a note
names the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

_SCALARS = (
    "mass", "lower", "upper", "max_velocity", "max_effort", "damping", "friction",
    "armature", "stiffness", "rest", "gravity_compensation", "multiplier", "offset",
    "home",
)  # fmt: skip


def with_payload(
    model: RobotModel,
    link: str,
    *,
    mass: float,
    com: ArrayLike = (0.0, 0.0, 0.0),
    inertia: ArrayLike | None = None,
) -> RobotModel:
    """Return the robot with a body grasped by one of its links.

    A payload makes the link heavier; it is no force on the tool.

    Args:
        model: Robot.
        link: Name of the link that carries it.
        mass: Mass of the payload [kg].
        com: Centre of mass of the payload in the link frame [m], shape (3,).
        inertia: Inertia tensor of the payload about that centre, link axes [kg m^2],
            shape (3, 3); by default a point mass.

    Raises:
        NameNotFoundError: If there is no such link.
        ConfigError: If no body can have this mass and inertia.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("puma560").with_payload("link_6", mass=2.0)
        >>> round(float(arm.mass[arm.link_id("link_6")]), 2)
        2.09
    """
    from gelenk.dynamics.inertia import BodyInertia, explain_implausible, join_bodies

    k = model.link_id(link)
    tensor = np.zeros((3, 3)) if inertia is None else inertia
    tensor = as_finite("inertia", tensor, (3, 3))
    reason = explain_implausible(tensor, mass)
    if reason:
        raise ConfigError(f"payload on {link!r}: {reason}")
    if mass == 0.0:
        return model
    payload = BodyInertia(
        mass=np.array(mass), com=as_finite("com", com, (3,)), inertia=tensor
    )
    own = BodyInertia(mass=model.mass[k], com=model.com[k], inertia=model.inertia[k])
    both = join_bodies([own, payload])
    masses, coms = model.mass.copy(), model.com.copy()
    tensors = model.inertia.copy()
    masses[k], coms[k], tensors[k] = both.mass, both.com, both.inertia
    changed = replace(model, mass=masses, com=coms, inertia=tensors)
    return _edited(changed, model, f"a payload of {mass:g} kg on link {link!r}")


def with_tool(
    model: RobotModel,
    frame: str,
    T_frame_tool: ArrayLike | None = None,
    *,
    name: str = "",
) -> RobotModel:
    """Return the robot with a marked tool, which `forward` and `inverse` take.

    Args:
        model: Robot.
        frame: Link that is the tool, or that carries it.
        T_frame_tool: Pose of the tool in that link, shape (4, 4); None marks the link
            itself.
        name: Name of the new link where a pose is given; by default "tool".

    Raises:
        NameNotFoundError: If there is no such link.
        ModelError: If the pose is none, or the name is taken.

    Example:
        >>> import numpy as np
        >>> import gelenk
        >>> T = np.eye(4)
        >>> T[0, 3] = 0.2
        >>> arm = gelenk.load("planar2r").with_tool("link_2", T, name="pen")
        >>> arm.tool
        'pen'
    """
    model.link_id(frame)
    if T_frame_tool is None:
        return replace(model, tool=frame)
    name = name or "tool"
    return replace(with_frame(model, name, frame, T_frame_tool), tool=name)


def with_frame(
    model: RobotModel, name: str, parent: str, T_parent_frame: ArrayLike | None = None
) -> RobotModel:
    """Return the robot with one more frame: a link without mass, fixed to another.

    Args:
        model: Robot.
        name: Name of the frame.
        parent: Link that carries it.
        T_parent_frame: Pose of the frame in that link, shape (4, 4); by default the
            link's own.

    Raises:
        NameNotFoundError: If there is no such link.
        ModelError: If the pose is none, or the name is taken.

    Example:
        >>> import gelenk
        >>> gelenk.load("planar2r").with_frame("elbow", "link_1").frame_names[-1]
        'elbow'
    """
    model.link_id(parent)
    T = np.eye(4) if T_parent_frame is None else T_parent_frame
    T = as_finite("T_parent_frame", T, (4, 4))
    links, loops = disassemble(model)
    links.append(Link(name=name, parent=parent, T_parent_joint=T))
    return _reassembled(model, links, loops, f"the frame {name!r}")


def with_attached(
    model: RobotModel,
    link: str,
    other: RobotModel,
    *,
    T_link_root: ArrayLike | None = None,
    prefix: str = "",
    tool: str = "",
) -> RobotModel:
    """Return one robot made of two: the root of `other` fixed to a link of `model`.

    A model without collision shapes collides with what is drawn. If only one of the two
    has some, what is drawn of the other becomes its collision shapes.

    Args:
        model: Robot that carries; its gravity counts.
        link: Name of its link that carries.
        other: Robot that is attached, such as a hand.
        T_link_root: Pose of the other's root in that link, shape (4, 4).
        prefix: Put before all names of `other`, so that they stay unique.
        tool: Name of the tool of the whole; by default the other's, if it has one, else
            the first one's.

    Raises:
        NameNotFoundError: If there is no such link.
        ModelError: If two links or joints have the same name.

    Example:
        >>> import gelenk
        >>> arm, hand = gelenk.load("planar2r"), gelenk.load("planar3r")
        >>> arm.with_attached("link_2", hand, prefix="hand_").num_joints
        5
    """
    model.link_id(link)
    T = (
        np.eye(4)
        if T_link_root is None
        else as_finite("T_link_root", T_link_root, (4, 4))
    )
    first, first_loops = disassemble(model)
    second, second_loops = disassemble(other, prefix=prefix)
    has_touched = [_has_collision_shapes(links) for links in (first, second)]
    if has_touched[0] and not has_touched[1]:
        second = _touched_as_drawn(second)
    if has_touched[1] and not has_touched[0]:
        first = _touched_as_drawn(first)
    second[0] = replace(
        second[0], parent=link, joint_type=JointType.FIXED, T_parent_joint=T
    )
    if not tool:
        tool = prefix + other.tool if other.tool else model.tool
    groups = {
        prefix + name: _prefixed(prefix, row) for name, row in other.groups.items()
    }
    pairs = [(prefix + a, prefix + b) for a, b in other.excluded_pairs]
    poses = {
        prefix + name: {prefix + joint: value for joint, value in row.items()}
        for name, row in _pose_values(other).items()
        if prefix + name not in model.poses
    }
    whole = _reassembled(
        model,
        [*first, *second],
        [*first_loops, *second_loops],
        f"{other.name!r} on link {link!r}",
        name=f"{model.name} + {other.name}",
        tool=tool,
        poses=poses,
    )
    return replace(
        whole,
        groups=MappingProxyType({**groups, **whole.groups}),
        excluded_pairs=(*whole.excluded_pairs, *pairs),
    )


def with_armature(
    model: RobotModel, armature: float | Mapping[str, float]
) -> RobotModel:
    """Return the robot with other rotor inertias.

    Args:
        model: Robot.
        armature: Rotor inertia seen at the joint [kg m^2] or [kg], for all joints that
            move, or by joint name.

    Raises:
        NameNotFoundError: If there is no such joint.
        ConfigError: If a value is negative or not finite.

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r").with_armature({"joint_1": 0.02})
        >>> arm.armature[arm.joint_ids].tolist()
        [0.02, 0.0]
    """
    values = model.armature.copy()
    if isinstance(armature, Mapping):
        for joint, value in armature.items():
            if joint not in model.joint_names_all:
                raise NameNotFoundError("joint", joint, model.joint_names_all)
            values[model.joint_names_all.index(joint)] = value
    else:
        values[model.tree_joint_ids] = armature
    if not np.isfinite(values).all() or (values < 0.0).any():
        raise ConfigError(f"`armature` must be finite and >= 0, got {armature}")
    return _edited(replace(model, armature=values), model, "other rotor inertias")


def without(model: RobotModel, links: str | Iterable[str]) -> RobotModel:
    """Return the robot without some links and all that they carry.

    Args:
        model: Robot.
        links: Name of a link, or several; not the root.

    Raises:
        NameNotFoundError: If there is no such link.
        ConfigError: If nothing would be left, or a joint that stays follows one that
            goes.

    Example:
        >>> import gelenk
        >>> gelenk.load("planar3r").without("link_2").joint_names
        ('joint_1', 'joint_2')
    """
    names = (links,) if isinstance(links, str) else tuple(links)
    gone = {model.link_id(name) for name in names}
    for i, parent in enumerate(model.parent.tolist()):
        if parent in gone:
            gone.add(i)
    if 0 in gone:
        raise ConfigError(
            f"the root link {model.link_names[0]!r} carries all others and cannot be "
            "left out; attach the rest to another robot instead"
        )
    for i, followed in enumerate(model.mimic.tolist()):
        if followed in gone and i not in gone:
            raise ConfigError(
                f"joint {model.joint_names_all[i]!r} follows "
                f"{model.joint_names_all[followed]!r}, which would be left out; leave "
                f"out {model.link_names[i]!r} as well"
            )
    rows, loops = disassemble(model)
    kept = [row for i, row in enumerate(rows) if i not in gone]
    known = {row.name for row in kept}
    loops = [loop for loop in loops if known.issuperset(loop.links)]
    tool = model.tool if model.tool in known else ""
    words = ", ".join(names)
    return _reassembled(model, kept, loops, f"without {words}", tool=tool)


def _prefixed(prefix: str, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(prefix + name for name in names)


def _edited(changed: RobotModel, model: RobotModel, what: str) -> RobotModel:
    """Return a changed model that does not claim to be what its file says."""
    if model.source is None:
        return changed
    where = model.source.path or "the text it came from"
    note = f"changed since it was read from {where}: {what}"
    return replace(changed, source=None, notes=(*model.notes, note))


def _reassembled(
    model: RobotModel,
    links: list[Link],
    loops: list[Loop],
    what: str,
    *,
    name: str = "",
    tool: str | None = None,
    poses: Mapping[str, Mapping[str, FloatArray]] | None = None,
) -> RobotModel:
    """Return a model of changed rows with what the old one says of names that stay."""
    new = assemble(
        name or model.name,
        links,
        loops=loops,
        tool=model.tool if tool is None else tool,
        gravity=model.gravity,
        base_home=model.base_home,
        notes=model.notes,
    )
    joints, bodies = set(new.joint_names_all), set(new.link_names)
    groups = {
        key: tuple(joint for joint in row if joint in joints)
        for key, row in model.groups.items()
    }
    values = {**(poses or {}), **_pose_values(model)}
    new = replace(
        new,
        groups=MappingProxyType(groups),
        excluded_pairs=tuple(p for p in model.excluded_pairs if bodies.issuperset(p)),
        poses=MappingProxyType({key: _pose(new, row) for key, row in values.items()}),
    )
    return _edited(new, replace(model, notes=new.notes), what)


def _pose_values(model: RobotModel) -> dict[str, dict[str, FloatArray]]:
    """Return the named poses by joint; that of a floating base under an empty name."""
    names = ["", *model.joint_names] if model.has_floating_base else model.joint_names
    starts = model.q_starts.tolist()
    cuts = starts if model.has_floating_base else starts[1:]
    return {
        key: dict(zip(names, np.split(q, cuts), strict=True)) if names else {}
        for key, q in model.poses.items()
    }


def _pose(model: RobotModel, values: Mapping[str, FloatArray]) -> FloatArray:
    """Return `q` with the given values, others as in the home configuration."""
    q = model.home_configuration.copy()
    starts = dict(zip(model.joint_names, model.q_starts.tolist(), strict=True))
    for joint, row in values.items():
        start = starts.get(joint) if joint else (0 if model.has_floating_base else None)
        if start is not None:
            q[start : start + len(row)] = row
    q.setflags(write=False)
    return q


def _has_collision_shapes(links: list[Link]) -> bool:
    return any(shape.role == "collision" for link in links for shape in link.geometry)


def _touched_as_drawn(links: list[Link]) -> list[Link]:
    """Return links whose drawn shapes are also collision shapes."""
    return [
        replace(
            link,
            geometry=(
                *link.geometry,
                *(replace(shape, role="collision") for shape in link.geometry),
            ),
        )
        for link in links
    ]


def disassemble(
    model: RobotModel, *, prefix: str = ""
) -> tuple[list[Link], list[Loop]]:
    """Return the links and loops from which `assemble` would build the model again.

    Args:
        model: Robot.
        prefix: Put before all names.
    """
    names = [prefix + name for name in model.link_names]
    joints = [prefix + name for name in model.joint_names_all]
    links: list[Link] = []
    for k, name in enumerate(names):
        parent, followed = int(model.parent[k]), int(model.mimic[k])
        links.append(
            Link(
                name=name,
                parent=names[parent] if parent >= 0 else None,
                joint=joints[k],
                joint_type=JointType(int(model.joint_type[k])),
                T_parent_joint=model.T_parent_joint[k],
                axis=model.axis[k],
                com=model.com[k],
                inertia=model.inertia[k],
                mimic=joints[followed] if followed >= 0 else None,
                is_passive=bool(model.is_passive[k]),
                geometry=model.geometry[k] if model.geometry else (),
                **{key: float(getattr(model, key)[k]) for key in _SCALARS},
            )
        )
    loops = [
        Loop(
            name=prefix + loop.name,
            kind=loop.kind,
            links=tuple(names[i] for i in loop.links),
            T_link_frame=loop.T_link_frame,
            length=loop.length,
            branch=loop.branch,
        )
        for loop in model.loops
    ]
    return links, loops
