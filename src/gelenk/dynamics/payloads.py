"""Robots made of modules: payloads grasped, tools and arms attached.

Models never change; every function returns a new one (Damken 2023 §5.2.1, §5.4.1).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.checks import as_finite
from gelenk.dynamics.inertia import BodyInertia, explain_implausible, join_bodies
from gelenk.errors import ConfigError
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link, Loop
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike

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
        >>> from gelenk.dynamics import with_payload
        >>> import gelenk
        >>> arm = with_payload(gelenk.load("puma560"), "link_6", mass=2.0)
        >>> round(float(arm.mass[arm.link_id("link_6")]), 2)
        2.09
    """
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
    return replace(model, mass=masses, com=coms, inertia=tensors)


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
        >>> with_attached(arm, "link_2", hand, prefix="hand_").num_joints
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
    return assemble(
        f"{model.name} + {other.name}",
        [*first, *second],
        loops=[*first_loops, *second_loops],
        tool=tool,
        gravity=model.gravity,
    )


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
