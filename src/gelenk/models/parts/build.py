"""Robot models from assemblies of parts: checks, links, loops."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

import numpy as np

from gelenk.errors import ModelError
from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link, Loop
from gelenk.models.parts.components import (
    LINE_RADIUS,
    NO_INERTIA,
    ORIGIN,
    PLANE_AXES,
    AxisRot,
    BodyPart,
    FullRot,
    GripperMount,
    Linear,
    Lump,
    Motor,
    Part,
    Passive,
    Segment,
    Servo,
    TouchPoint,
    Vector3,
)
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

if TYPE_CHECKING:
    from gelenk.models.parts.assembly import Assembly

logger = logging.getLogger(__name__)

X_AXIS: Vector3 = (1.0, 0.0, 0.0)
_IDENTITY = np.eye(4)
_IDENTITY.setflags(write=False)


def build_model(
    assembly: Assembly, name: str, *, tool: str, gravity: ArrayLike
) -> RobotModel:
    """Return the robot that an assembly describes; see `Assembly.build`."""
    _check_chain_ends(assembly)
    _check_passive_parts(assembly)
    links: list[Link] = []
    for part, part_name, fix, T in zip(
        assembly.parts,
        assembly.names,
        assembly.parents,
        assembly.T_fix_tail,
        strict=True,
    ):
        parent = assembly.names[fix] if fix >= 0 else None
        _add_links(links, part, part_name, parent, _IDENTITY if T is None else T)
    loops = [
        Loop(
            name=chain.name,
            links=tuple(end.part for end in chain.ends),
            T_link_frame=np.stack([end.T_part_point for end in chain.ends]),
            branch=chain.branch,
        )
        for chain in assembly.closed_chains.values()
    ]
    tool = tool or _find_tool(assembly)
    model = assemble(name, links, loops=loops, tool=tool, gravity=gravity)
    if loops:
        _check_patterns(assembly, model)
    return model


def _add_links(
    links: list[Link], part: Part, name: str, parent: str | None, T: FloatArray
) -> None:
    """Append the link of a part, or its two."""
    if isinstance(part, Motor):
        is_servo = isinstance(part, Servo)
        lower, upper = part.limits
        links.append(
            Link(
                name=name,
                parent=parent,
                joint=name,
                joint_type=JointType.REVOLUTE if is_servo else JointType.PRISMATIC,
                T_parent_joint=T,
                axis=PLANE_AXES[part.axis] if is_servo else X_AXIS,
                mass=part.mass,
                com=part.com,
                inertia=part.inertia,
                lower=lower,
                upper=upper,
                max_velocity=part.max_speed,
                max_effort=part.max_effort,
                damping=part.damping,
                friction=part.friction,
                armature=part.armature,
                home=part.start_value,
            )
        )
    elif isinstance(part, Passive):
        _add_passive(links, part, name, parent, T)
    elif isinstance(part, Segment):
        com, inertia = _rod_inertia(part)
        links.append(
            Link(
                name=name,
                parent=parent,
                T_parent_joint=T,
                mass=part.mass,
                com=com,
                inertia=inertia,
                geometry=_segment_geometry(part, name),
            )
        )
    else:
        is_floating = isinstance(part, BodyPart) and part.is_floating
        is_lump = isinstance(part, Lump)
        links.append(
            Link(
                name=name,
                parent=parent,
                joint_type=JointType.FLOATING if is_floating else JointType.FIXED,
                T_parent_joint=T,
                mass=part.mass,
                com=part.com if is_lump else ORIGIN,
                inertia=part.inertia if is_lump else NO_INERTIA,
                geometry=_point_geometry(part, name)
                if isinstance(part, TouchPoint)
                else (),
            )
        )


def _add_passive(
    links: list[Link], part: Passive, name: str, parent: str | None, T: FloatArray
) -> None:
    joint, home = name, 0.0
    if isinstance(part, FullRot):
        # A point is turned in x-y first and in x-z last: x-z stands nearer to the body.
        first = f"{name}_xz"
        home, home_first = part.home
        links.append(
            Link(
                name=first,
                parent=parent,
                joint=first,
                joint_type=JointType.REVOLUTE,
                T_parent_joint=T,
                axis=PLANE_AXES["xz"],
                is_passive=True,
                home=home_first,
            )
        )
        joint, parent, T = f"{name}_xy", first, _IDENTITY
    elif isinstance(part, AxisRot | Linear):
        home = part.home
    is_linear = isinstance(part, Linear)
    links.append(
        Link(
            name=name,
            parent=parent,
            joint=joint,
            joint_type=JointType.PRISMATIC if is_linear else JointType.REVOLUTE,
            T_parent_joint=T,
            axis=X_AXIS if is_linear else PLANE_AXES["xy"],
            mass=part.mass,
            com=part.com,
            inertia=part.inertia,
            is_passive=True,
            home=home,
        )
    )


def _rod_inertia(part: Segment) -> tuple[Vector3, ArrayLike]:
    """Return centre and inertia of a thin rod or, with a radius, a solid cylinder."""
    x, y, z = part.to
    com = (0.5 * x, 0.5 * y, 0.5 * z)
    if part.mass == 0.0:
        return com, NO_INERTIA
    length2 = x * x + y * y + z * z
    radius2 = (part.radius or 0.0) ** 2
    across = part.mass * (length2 / 12.0 + radius2 / 4.0)
    # across (E - u u^T) + along u u^T with u the direction of the rod
    k = (0.5 * part.mass * radius2 - across) / length2
    return com, (
        (across + k * x * x, k * x * y, k * x * z),
        (k * x * y, across + k * y * y, k * y * z),
        (k * x * z, k * y * z, across + k * z * z),
    )


def _segment_geometry(part: Segment, name: str) -> tuple[Geometry, ...]:
    radius = LINE_RADIUS if part.radius is None else part.radius
    size = (radius, part.length)
    T = _pose_along(part.to, part.length)
    visual = Geometry(kind="capsule", size=size, T_link_geometry=T, name=name)
    if not part.is_touchable:
        return (visual,)
    touch = Geometry(
        kind="capsule", size=size, T_link_geometry=T, name=name, role="collision"
    )
    return visual, touch


def _point_geometry(part: TouchPoint, name: str) -> tuple[Geometry, ...]:
    return tuple(
        Geometry(
            kind="sphere",
            size=(part.radius,),
            T_link_geometry=_IDENTITY,
            name=name,
            role=role,
        )
        for role in ("visual", "collision")
    )


def _pose_along(to: Vector3, length: float) -> FloatArray:
    """Return the pose in the middle of the line to a point, z along the line."""
    ux, uy, uz = to[0] / length, to[1] / length, to[2] / length
    # x = e_z x u, or e_x for a line along z; y = u x x
    across = math.hypot(ux, uy)
    xx, xy = (-uy / across, ux / across) if across > 1e-9 else (1.0, 0.0)
    T = np.array(
        [
            [xx, -uz * xy, ux, 0.5 * to[0]],
            [xy, uz * xx, uy, 0.5 * to[1]],
            [0.0, ux * xy - uy * xx, uz, 0.5 * to[2]],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
    T.setflags(write=False)
    return T


def _find_tool(assembly: Assembly) -> str:
    mounts = [
        name
        for part, name in zip(assembly.parts, assembly.names, strict=True)
        if isinstance(part, GripperMount)
    ]
    return mounts[0] if len(mounts) == 1 else ""


def _check_chain_ends(assembly: Assembly) -> None:
    closed = {
        end.part for chain in assembly.closed_chains.values() for end in chain.ends
    }
    for part, name, count in zip(
        assembly.parts, assembly.names, assembly.num_carried, strict=True
    ):
        if count == 0 and not part.may_end_chain and name not in closed:
            raise ModelError(
                f"a chain ends in {part.kind} {name!r}; end it with a touch point, a "
                "termination point, a gripper mount or a closed chain"
            )


def _check_passive_parts(assembly: Assembly) -> None:
    in_loop: set[int] = set()
    for chain in assembly.closed_chains.values():
        for end in chain.ends:
            index = assembly.index_of(end.part)
            while index >= 0:
                in_loop.add(index)
                index = assembly.parents[index]
    for index, part in enumerate(assembly.parts):
        if isinstance(part, Passive) and index not in in_loop:
            raise ModelError(
                f"passive {part.kind} {assembly.names[index]!r} is in no closed chain, "
                "so nothing sets it; close the chain or use a motor"
            )


def _check_patterns(assembly: Assembly, model: RobotModel) -> None:
    """Refuse closed chains that must have a closed form and have none."""
    from gelenk.kinematics.loops.patterns import describe_chains, recognize

    for chain, pattern in zip(
        assembly.closed_chains.values(), recognize(model), strict=True
    ):
        if pattern is None and chain.pattern == "required":
            raise ModelError(
                f"closed chain {chain.name!r} is no pattern with a closed form: "
                f"{describe_chains(model, chain.name)}; supported are TRIPOD "
                "(fullrot in each of three chains), TIGHT_LEN (linear, fullrot), "
                "TIGHT_ROT (axisrot, fullrot) and TIGHT_PSEUDO (none, fullrot and "
                "linear); change its passive parts, or take `pattern='preferred'` "
                "to have it solved numerically"
            )
        if pattern is not None and pattern.caution:
            logger.warning("closed chain %r: %s", chain.name, pattern.caution)
