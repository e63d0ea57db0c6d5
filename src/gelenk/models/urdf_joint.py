"""Joints of a URDF file: motion, limits, losses and mimic laws.

A planar joint becomes two slides and a hinge. A floating joint between the root and its
only child makes that child a floating base; any other becomes three slides and a ball.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

import numpy as np

from gelenk.models.findings import Findings
from gelenk.models.link import JointType, Link
from gelenk.models.urdf_link import origin
from gelenk.models.xml import XmlElement, closest
from gelenk.typing import FloatArray

Base = Literal["fixed", "floating"]

_JOINT_TYPES = {
    "revolute": JointType.REVOLUTE,
    "continuous": JointType.REVOLUTE,
    "prismatic": JointType.PRISMATIC,
    "fixed": JointType.FIXED,
    "floating": JointType.FLOATING,
    "planar": JointType.REVOLUTE,
}
_SPHERICAL = "spherical"  # no URDF type: only where files are mended


def root_row(link: Link, base: Base, joints: dict[str, XmlElement]) -> Link:
    """Return the root link with the joint that fixes it or lets it float."""
    joint = f"{link.name}_joint"
    while joint in joints:
        joint = f"root_{joint}"
    kind = JointType.FLOATING if base == "floating" else JointType.FIXED
    return replace(link, joint=joint, joint_type=kind)


def joint_rows(
    joints: dict[str, XmlElement], bodies: dict[str, Link], *, mended: bool
) -> list[Link]:
    """Return the child link of each joint with all that the joint says.

    Args:
        joints: Element of each joint.
        bodies: Links without their joints.
        mended: Whether types beyond the format are read.
    """
    names = _Names({*joints}, {*bodies})
    rows: list[Link] = []
    for joint in joints.values():
        row = _row(joint, bodies, joints, mended)
        if joint.attributes.get("type") == "planar":
            rows += _planar(row, names)
        else:
            rows.append(row)
    return rows


def without_world(
    rows: list[Link], joints: dict[str, XmlElement], findings: Findings
) -> list[Link]:
    """Return rows in which only the root floats.

    A root that only carries a floating joint stands for the world and is left out.
    """
    root = rows[0]
    floating = [row for row in rows[1:] if row.joint_type == JointType.FLOATING]
    if not floating:
        return rows
    first = floating[0]
    others = [row for row in rows[1:] if row.parent == root.name and row is not first]
    if first.parent == root.name and not others:
        if root.mass > 0.0 or root.geometry:
            findings.note(
                f"link {root.name!r} stands for the world; its mass and shapes are "
                "left out"
            )
        rows = [replace(first, parent=None), *(x for x in rows[1:] if x is not first)]
        floating = floating[1:]
    if floating:
        names = _Names(joints, (row.name for row in rows))
        inside = {id(row) for row in floating}
        rows = [
            part
            for row in rows
            for part in (_floating(row, names) if id(row) in inside else (row,))
        ]
        for row in floating:
            findings.note(
                f"joint {row.joint!r} floats inside the tree: it is three slides and "
                "a ball joint"
            )
    return rows


class _Names:
    """Names for the joints and links that stand for one joint of the file."""

    def __init__(self, joints: Iterable[str], links: Iterable[str]) -> None:
        self._joints, self._links = set(joints), set(links)

    def joint(self, name: str) -> str:
        return _new(name, self._joints)

    def link(self, name: str) -> str:
        return _new(name, self._links)


def _new(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


def _planar(row: Link, names: _Names) -> list[Link]:
    """Return two slides and a hinge; the axis is the normal of the plane."""
    normal = np.asarray(row.axis, dtype=np.float64)
    normal = normal / np.linalg.norm(normal)
    x = np.zeros(3)
    x[int(np.abs(normal).argmin())] = 1.0
    x -= (x @ normal) * normal
    x /= np.linalg.norm(x)
    axes = (x, np.cross(normal, x))
    return _carried(row, axes, "xy", names)


def _floating(row: Link, names: _Names) -> list[Link]:
    """Return three slides and a ball joint."""
    rows = _carried(row, np.eye(3), "xyz", names)
    return [*rows[:-1], replace(rows[-1], joint_type=JointType.BALL)]


def _carried(
    row: Link, axes: Iterable[FloatArray], words: str, names: _Names
) -> list[Link]:
    """Return massless links that slide along `axes`, and the row on top of them."""
    rows: list[Link] = []
    parent, T = row.parent, row.T_parent_joint
    for axis, word in zip(axes, words, strict=True):
        name = names.link(f"{row.name}_{word}")
        rows.append(
            Link(
                name=name,
                parent=parent,
                joint=names.joint(f"{row.joint}_{word}"),
                joint_type=JointType.PRISMATIC,
                T_parent_joint=T,
                axis=axis,
                damping=row.damping,
                friction=row.friction,
            )
        )
        parent, T = name, np.eye(4)
    return [*rows, replace(row, parent=parent, T_parent_joint=T)]


def _row(
    joint: XmlElement,
    bodies: dict[str, Link],
    joints: dict[str, XmlElement],
    mended: bool,
) -> Link:
    name = joint.text("name")
    word = joint.text("type")
    kind = JointType.BALL
    if not (mended and word == _SPHERICAL):
        kind = _JOINT_TYPES[joint.choice("type", _JOINT_TYPES, word)]
    lower, upper, max_velocity, max_effort = _limits(joint, word)
    dynamics = joint.only("dynamics")
    mimic, multiplier, offset = _mimic(joint, joints)
    return replace(
        bodies[joint.need("child").text("link")],
        parent=joint.need("parent").text("link"),
        joint=name,
        joint_type=kind,
        T_parent_joint=origin(joint),
        axis=_axis(joint, kind),
        lower=lower,
        upper=upper,
        max_velocity=max_velocity,
        max_effort=max_effort,
        damping=dynamics.number("damping", 0.0) if dynamics else 0.0,
        friction=dynamics.number("friction", 0.0) if dynamics else 0.0,
        mimic=mimic,
        multiplier=multiplier,
        offset=offset,
    )


def _limits(joint: XmlElement, word: str) -> tuple[float, float, float, float]:
    """Return lower, upper, largest speed and largest effort of a joint."""
    limit = joint.only("limit")
    if limit is None:
        if word in ("revolute", "prismatic"):
            remedy = 'add <limit lower="..." upper="..." effort="..." velocity="..."/>'
            if word == "revolute":
                remedy += ', or make the type "continuous"'
            raise joint.error(f"a {word} joint needs a <limit>", remedy)
        return -np.inf, np.inf, np.inf, np.inf
    # Zero is what exporters write when they do not know; a joint that can neither push
    # nor move would not be one.
    max_velocity = limit.limit("velocity", np.inf) or np.inf
    max_effort = limit.limit("effort", np.inf) or np.inf
    if word not in ("revolute", "prismatic"):
        return -np.inf, np.inf, max_velocity, max_effort
    lower, upper = limit.limit("lower", 0.0), limit.limit("upper", 0.0)
    if lower > upper:
        raise limit.error(f"`lower` {lower} is above `upper` {upper}", "swap the two")
    return lower, upper, max_velocity, max_effort


def _axis(joint: XmlElement, kind: JointType) -> tuple[float, ...]:
    if kind not in (JointType.REVOLUTE, JointType.PRISMATIC):
        return (0.0, 0.0, 1.0)  # without meaning, as for any link that does not move
    element = joint.only("axis")
    if element is None:
        return (1.0, 0.0, 0.0)
    axis = element.numbers("xyz", 3, (1.0, 0.0, 0.0))
    if np.linalg.norm(axis) < 1e-9:
        raise element.error(
            f"`xyz` has no direction: {axis}", "give a unit vector such as 0 0 1"
        )
    return axis


def _mimic(
    joint: XmlElement, joints: dict[str, XmlElement]
) -> tuple[str | None, float, float]:
    element = joint.only("mimic")
    if element is None:
        return None, 1.0, 0.0
    followed = element.text("joint")
    if followed not in joints:
        raise element.error(
            f"there is no joint {followed!r:.80} to mimic", closest(followed, joints)
        )
    return followed, element.number("multiplier", 1.0), element.number("offset", 0.0)
