"""Links of a model from the bodies of an MJCF file.

The link of a body carries the body's name, and its frame is the body's frame. Where a
body has several joints, or a hinge whose anchor is not the body's origin, massless
links are put in between: a link on each joint, with its frame at the anchor, and the
body's own link fixed to the last of them if the anchor is elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gelenk.models.link import JointType, Link
from gelenk.models.mjcf_body import WORLD, MjcfBody, MjcfJoint, inertial_of
from gelenk.models.mjcf_settings import Compiler
from gelenk.models.mjcf_shape import Inertial
from gelenk.models.xml import XmlElement
from gelenk.spatial.so3 import rotation_about
from gelenk.typing import FloatArray

_KINDS = {"hinge": JointType.REVOLUTE, "slide": JointType.PRISMATIC}


class Names:
    """Hands out names that are unique."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def claim(self, wanted: str) -> str:
        """Return `wanted`, or with a number appended if it is taken."""
        name, k = wanted, 1
        while name in self._taken:
            k += 1
            name = f"{wanted}_{k}"
        self._taken.add(name)
        return name


@dataclass(slots=True, eq=False, kw_only=True)
class LinkRow:
    """A link under construction, and where the file says so.

    Attributes:
        link: The link.
        element: Element of the link, <body> or <site>.
        joint: <joint> with class attributes filled in; None if the link is fixed.
        reference: Joint value in the pose in which the file draws the robot.
    """

    link: Link
    element: XmlElement
    joint: XmlElement | None = None
    reference: float = 0.0

    @property
    def moves(self) -> bool:
        return self.link.joint_type in (JointType.REVOLUTE, JointType.PRISMATIC)


@dataclass(slots=True, eq=False, kw_only=True)
class LinkBuilder:
    """Turns bodies into rows, parents before children.

    Attributes:
        settings: Settings of the file.
        joint_names: Names that the file remembers for joints that do not move.
        hidden_sites: Sites that only hold a loop closure and become no links.
        rows: The links so far.
        link_of_body: Name of the link of each body, by index of the body.
    """

    settings: Compiler
    joint_names: dict[str, str]
    hidden_sites: set[str]
    rows: list[LinkRow] = field(default_factory=list[LinkRow])
    link_of_body: dict[int, str] = field(default_factory=dict[int, str])
    _links: Names = field(default_factory=Names)
    _joints: Names = field(default_factory=Names)

    def build(
        self, bodies: Sequence[MjcfBody], root: int, chosen: Sequence[int]
    ) -> None:
        """Add the links of the chosen bodies and of their sites.

        Args:
            bodies: All bodies, the world first.
            root: Index of the body that becomes the root link.
            chosen: Indices of all bodies that become links, in order.
        """
        self._links = Names(_check_names(bodies, "body") | {"world"})
        self._joints = Names(_check_names(bodies, "joint"))
        _check_names(bodies, "site")
        inertials = _scaled(bodies, chosen, self.settings)
        for i in chosen:
            name = bodies[i].element.attributes.get("name", "")
            if i == WORLD:
                name = "world"
            self.link_of_body[i] = name or self._links.claim(f"body_{i}")
        for i in chosen:
            self._add_body(bodies[i], i, inertials[i], is_root=i == root)
        for i in chosen:
            self._add_sites(bodies[i], i)

    def _add_body(
        self, body: MjcfBody, index: int, inertial: Inertial, *, is_root: bool
    ) -> None:
        name = self.link_of_body[index]
        parent = None if is_root else self.link_of_body[body.parent]
        own = Link(
            name=name,
            mass=inertial.mass,
            com=inertial.com,
            inertia=inertial.inertia,
            geometry=tuple(g.shape for g in body.geoms if g.shape is not None),
        )
        T = body.T_parent_body
        free = next((joint for joint in body.joints if joint.kind == "free"), None)
        moving = [joint for joint in body.joints if joint.kind != "free"]
        for k, joint in enumerate(moving):
            is_at_origin = joint.kind == "slide" or not joint.anchor.any()
            if k == len(moving) - 1 and is_at_origin:
                self._add_joint(body, joint, replace(own, parent=parent), T)
                return
            title = joint.element.attributes.get("name", "") or f"joint_{k + 1}"
            between = Link(name=self._links.claim(f"{name}_{title}"), parent=parent)
            self._add_joint(body, joint, between, T)
            parent, T = between.name, np.eye(4)
            if not is_at_origin:
                T[:3, 3] = -joint.anchor
        given = free.element.attributes.get("name", "") if free else ""
        wanted = self.joint_names.get(name, f"{name}_joint")
        link = replace(
            own,
            parent=parent,
            joint=given or self._joints.claim(wanted),
            joint_type=JointType.FLOATING if free else JointType.FIXED,
            T_parent_joint=T,
        )
        self.rows.append(
            LinkRow(
                link=link, element=body.element, joint=free.element if free else None
            )
        )

    def _add_joint(
        self, body: MjcfBody, joint: MjcfJoint, link: Link, T: FloatArray
    ) -> None:
        """Add a link on a hinge or slide whose body is at `T` when it is drawn."""
        element = joint.element
        unit = self.settings.angle_unit if joint.kind == "hinge" else 1.0
        reference = element.number("ref", 0.0) * unit
        lower, upper = _range(element, unit, self.settings)
        given = element.attributes.get("name", "")
        link = replace(
            link,
            joint=given or self._joints.claim(f"{link.name}_joint"),
            joint_type=_KINDS[joint.kind],
            T_parent_joint=T @ _at_zero(joint, reference),
            axis=joint.axis,
            lower=lower,
            upper=upper,
            max_effort=_max_effort(element),
            damping=_first(element, "damping"),
            friction=element.number("frictionloss", 0.0),
            armature=element.number("armature", 0.0),
            home=reference,
        )
        self.rows.append(
            LinkRow(link=link, element=body.element, joint=element, reference=reference)
        )

    def _add_sites(self, body: MjcfBody, index: int) -> None:
        """Add a massless fixed link for each named site, unless a closure owns it."""
        for site in body.sites:
            given = site.element.attributes.get("name", "")
            if not given or given in self.hidden_sites:
                continue
            wanted = f"{given}_site" if given in self._links else given
            name = self._links.claim(wanted)
            link = Link(
                name=name,
                parent=self.link_of_body[index],
                joint=self._joints.claim(f"{name}_joint"),
                T_parent_joint=site.T_body_site,
            )
            self.rows.append(LinkRow(link=link, element=site.element))


def _check_names(bodies: Sequence[MjcfBody], kind: str) -> set[str]:
    """Return the names in use; two of one name are an error."""
    found: dict[str, XmlElement] = {}
    for i, body in enumerate(bodies):
        elements = {
            "body": [body.element] if i != WORLD else [],
            "joint": [joint.element for joint in body.joints],
            "site": [site.element for site in body.sites],
        }[kind]
        for element in elements:
            name = element.attributes.get("name", "")
            if not name:
                continue
            if name in found or (kind == "body" and name == "world"):
                where = f"line {found[name].line}" if name in found else "worldbody"
                raise element.error(
                    f"the name is taken by the {kind} in {where}", "rename one of them"
                )
            found[name] = element
    return set(found)


def _scaled(
    bodies: Sequence[MjcfBody], chosen: Sequence[int], settings: Compiler
) -> dict[int, Inertial]:
    """Return the mass properties of the chosen bodies after `settotalmass`."""
    inertials = {i: inertial_of(bodies[i], settings) for i in chosen}
    total = sum(inertial.mass for inertial in inertials.values())
    if settings.total_mass <= 0.0 or total == 0.0:
        return inertials
    scale = settings.total_mass / total
    return {
        i: Inertial(mass=scale * x.mass, com=x.com, inertia=scale * x.inertia)
        for i, x in inertials.items()
    }


def _at_zero(joint: MjcfJoint, reference: float) -> FloatArray:
    """Return the joint frame in the body at joint value 0, anchor included."""
    T = np.eye(4)
    if joint.kind == "slide":
        T[:3, 3] = -reference * joint.axis / np.linalg.norm(joint.axis)
        return T
    T[:3, 3] = joint.anchor
    if reference:
        T[:3, :3] = rotation_about(joint.axis, -reference)
    return T


def _range(joint: XmlElement, unit: float, settings: Compiler) -> tuple[float, float]:
    """Return the limits of a joint [rad] or [m], infinite if it has none."""
    limited = joint.choice("limited", ("true", "false", "auto"), "auto")
    if limited == "false" or "range" not in joint.attributes:
        if limited == "true":
            raise joint.error("a limited joint needs a `range`", "add one")
        return -np.inf, np.inf
    words = joint.text("range").split()
    if len(words) != 2:
        raise joint.error(f"`range` needs 2 numbers, got {len(words)}", "lower upper")
    lower, upper = (joint.as_limit("range", word) for word in words)
    if lower > upper:
        raise joint.error(
            f"the lower end {lower} of `range` is above the upper {upper}", "swap them"
        )
    if limited == "auto" and (lower == upper or not settings.auto_limits):
        return -np.inf, np.inf
    return lower * unit, upper * unit


def _max_effort(joint: XmlElement) -> float:
    limited = joint.choice("actuatorfrclimited", ("true", "false", "auto"), "auto")
    if limited == "false" or "actuatorfrcrange" not in joint.attributes:
        return np.inf
    words = joint.text("actuatorfrcrange").split()
    if len(words) != 2:
        raise joint.error(
            f"`actuatorfrcrange` needs 2 numbers, got {len(words)}", "lower upper"
        )
    return max(abs(joint.as_limit("actuatorfrcrange", word)) for word in words)


def _first(joint: XmlElement, name: str) -> float:
    """Return the linear coefficient of an attribute that may be a polynomial."""
    return joint.numbers(name, (1, 10), (0.0,))[0]
