"""Equality constraints, actuators and keyframes of an MJCF file.

<connect> becomes a "point" closure, <weld> a "pose" closure, a linear <joint> equality
a mimic law (of one joint alone: equal limits), and a <tendon> equality whose spatial
tendon joins two sites a "distance" closure. Three conventions of `mjcf_write` bring
back what MJCF has no element for: a constraint `x:axis` makes the closure `x` a hinge,
a constraint `x:2` adds a third frame to `x`, and sites named `x:0`, `x:1` only hold
closing frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gelenk.models.link import JointType, Loop, LoopKind
from gelenk.models.mjcf_body import WORLD, MjcfBody
from gelenk.models.mjcf_link import LinkRow, Names
from gelenk.models.xml import XmlElement, closest
from gelenk.spatial.se3 import inverse, pose_from_vector
from gelenk.typing import FloatArray


@dataclass(slots=True, eq=False, kw_only=True)
class Anchor:
    """A frame on a link, and where it is when the robot is as drawn in the file."""

    link: str
    T_link_frame: FloatArray
    T_world_frame: FloatArray


@dataclass(slots=True, eq=False, kw_only=True)
class Mimic:
    """Coupling value(joint) = multiplier * value(followed) + offset."""

    joint: str
    followed: str
    multiplier: float
    offset: float
    element: XmlElement


@dataclass(slots=True, eq=False, kw_only=True)
class Equalities:
    """Reads equality constraints.

    Attributes:
        bodies: All bodies, the world first.
        link_of_body: Name of the link of each body that became one.
        root: Index of the body that became the root link.
        references: Joint values as drawn in the file, by joint name.
        tendons: Spatial tendons by name.
        loops, mimics, places: Loops, coupled joints, and elements of the loops by name.
        locks: Joints held at a value.
        skipped: Elements that no model can hold.
    """

    bodies: Sequence[MjcfBody]
    link_of_body: dict[int, str]
    root: int
    references: dict[str, float]
    tendons: dict[str, XmlElement]
    loops: dict[str, Loop] = field(default_factory=dict[str, Loop])
    mimics: list[Mimic] = field(default_factory=list[Mimic])
    locks: dict[str, float] = field(default_factory=dict[str, float])
    places: dict[str, XmlElement] = field(default_factory=dict[str, XmlElement])
    skipped: set[str] = field(default_factory=set[str])
    _bodies: dict[str, int] = field(init=False)
    _sites: dict[str, tuple[int, FloatArray]] = field(init=False)

    def __post_init__(self) -> None:
        self._bodies, self._sites = {}, {}
        for i, body in enumerate(self.bodies):
            self._bodies[body.element.attributes.get("name", "")] = i
            for site in body.sites:
                name = site.element.attributes.get("name", "")
                self._sites[name] = (i, site.T_body_site)
        self._bodies["world"] = WORLD

    def read(self, sections: Sequence[XmlElement]) -> None:
        """Read all constraints that are active."""
        elements = [child for section in sections for child in section.children]
        names = Names(element.attributes.get("name", "") for element in elements)
        for element in elements:
            if element.choice("active", ("true", "false"), "true") == "false":
                continue
            if element.tag == "joint":
                self._read_joint(element)
            elif element.tag in ("connect", "weld"):
                self._read_pair(element, names)
            elif element.tag == "tendon":
                self._read_tendon(element, names)
            else:
                self.skipped.add(f"{element.tag} equality")

    def _read_pair(self, element: XmlElement, names: Names) -> None:
        kind: LoopKind = "point" if element.tag == "connect" else "pose"
        if "site1" in element.attributes:
            pair = self._site(element, "site1"), self._site(element, "site2")
        elif kind == "point":
            pair = self._connected(element)
        else:
            pair = self._welded(element)
        if not self._extends(element, pair):
            self._add(element, kind, pair, names)

    def _add(
        self,
        element: XmlElement,
        kind: LoopKind,
        pair: tuple[Anchor | None, Anchor | None],
        names: Names,
        length: float = 0.0,
    ) -> None:
        a, b = pair
        if a is None or b is None:
            self.skipped.add("equality with a body that is no part of the robot")
            return
        given = element.attributes.get("name", "")
        name = given or names.claim(f"loop_{len(self.loops) + 1}")
        if name in self.loops:
            raise element.error(
                f"the name is taken by the equality in line {self.places[name].line}",
                "rename one of them",
            )
        self.places[name] = element
        self.loops[name] = Loop(
            name=name,
            kind=kind,
            links=(a.link, b.link),
            T_link_frame=np.stack([a.T_link_frame, b.T_link_frame]),
            length=length,
        )

    def _extends(
        self, element: XmlElement, pair: tuple[Anchor | None, Anchor | None]
    ) -> bool:
        """Add a frame or a hinge axis to an earlier closure, if the name says so."""
        name = element.attributes.get("name", "")
        stem = name.removesuffix(":axis")
        base, _, number = stem.rpartition(":")
        target = base if number.isdigit() and base in self.loops else stem
        if target not in self.loops or target == name:
            return False
        loop, second = self.loops[target], pair[1]
        if stem != name:
            self.loops[target] = replace(loop, kind="hinge")
            return True
        same = element.attributes.get("site1") == self.places[target].attributes.get(
            "site1"
        )
        if not same or second is None or loop.kind not in ("point", "hinge", "pose"):
            return False
        frames = np.concatenate(
            [np.asarray(loop.T_link_frame), second.T_link_frame[None]]
        )
        links = (*loop.links, second.link)
        self.loops[target] = replace(loop, links=links, T_link_frame=frames)
        return True

    def _connected(self, element: XmlElement) -> tuple[Anchor | None, Anchor | None]:
        first, second = self._body(element, "body1"), self._body(element, "body2")
        anchor = np.eye(4)
        anchor[:3, 3] = element.numbers("anchor", 3)
        if first is None or second is None:
            return None, None
        return _moved(first, anchor), _coinciding(second, first.T_world_frame @ anchor)

    def _welded(self, element: XmlElement) -> tuple[Anchor | None, Anchor | None]:
        first, second = self._body(element, "body1"), self._body(element, "body2")
        relative = element.numbers("relpose", 7, (0.0,) * 7)
        if first is None or second is None:
            return None, None
        if np.linalg.norm(relative[3:]) < 1e-9:  # as the file draws it
            return _coinciding(first, second.T_world_frame), second
        return _moved(first, pose_from_vector((*relative[3:], *relative[:3]))), second

    def _body(self, element: XmlElement, key: str) -> Anchor | None:
        """Return the frame of a body; a missing second one is the world."""
        is_second = key == "body2"
        name = (element.text(key, "") or "world") if is_second else element.text(key)
        if name not in self._bodies:
            raise element.error(
                f"there is no body {name!r:.80}", closest(name, self._bodies)
            )
        return self._anchor(self._bodies[name], np.eye(4))

    def _site(self, element: XmlElement, key: str) -> Anchor | None:
        name = element.text(key)
        if name not in self._sites:
            raise element.error(
                f"there is no site {name!r:.80}", closest(name, self._sites)
            )
        return self._anchor(*self._sites[name])

    def _anchor(self, index: int, T_body_frame: FloatArray) -> Anchor | None:
        """Return a frame of a body as one of a link; None if the body became none.

        A world that is no link is the root link, unless that floats.
        """
        body = self.bodies[index]
        T_world_frame = body.T_world_body @ T_body_frame
        if index in self.link_of_body:
            return Anchor(
                link=self.link_of_body[index],
                T_link_frame=T_body_frame,
                T_world_frame=T_world_frame,
            )
        root = self.bodies[self.root]
        if index != WORLD or root.is_free:
            return None
        return Anchor(
            link=self.link_of_body[self.root],
            T_link_frame=inverse(root.T_world_body) @ T_world_frame,
            T_world_frame=T_world_frame,
        )

    def _read_joint(self, element: XmlElement) -> None:
        joint, followed = (element.attributes.get(f"joint{k}", "") for k in (1, 2))
        for name in (element.text("joint1"), followed):
            if name and name not in self.references:
                raise element.error(
                    f"there is no joint {name!r:.80}", closest(name, self.references)
                )
        coefficients = element.numbers("polycoef", (1, 5), (0.0, 1.0))
        constant, slope = (*coefficients, 1.0)[:2]  # MuJoCo's default is y = x
        if not followed:
            self.locks[joint] = constant + self.references[joint]
            return
        if any(coefficients[2:]):
            self.skipped.add("joint equality that is not linear")
            return
        offset = constant + self.references[joint] - slope * self.references[followed]
        self.mimics.append(
            Mimic(
                joint=joint,
                followed=followed,
                multiplier=slope,
                offset=offset,
                element=element,
            )
        )

    def _read_tendon(self, element: XmlElement, names: Names) -> None:
        name = element.text("tendon1")
        tendon = self.tendons.get(name)
        is_rod = tendon is not None and [c.tag for c in tendon.children] == ["site"] * 2
        if tendon is None or not is_rod or element.attributes.get("tendon2"):
            self.skipped.add("tendon equality other than a rod between two sites")
            return
        a, b = (self._site(site, "site") for site in tendon.children)
        extra = element.numbers("polycoef", (1, 5), (0.0,))[0]
        length = 0.0
        if a is not None and b is not None:
            gap = a.T_world_frame[:3, 3] - b.T_world_frame[:3, 3]
            length = float(np.linalg.norm(gap)) + extra
        self._add(element, "distance", (a, b), names, length)


def _moved(anchor: Anchor, T: FloatArray) -> Anchor:
    return Anchor(
        link=anchor.link,
        T_link_frame=anchor.T_link_frame @ T,
        T_world_frame=anchor.T_world_frame @ T,
    )


def _coinciding(anchor: Anchor, T_world_frame: FloatArray) -> Anchor:
    """Return the frame on the anchor's link that is at `T_world_frame` as drawn."""
    return _moved(anchor, inverse(anchor.T_world_frame) @ T_world_frame)


CUSTOM_PREFIX = "gelenk:"  # of the <custom> texts that `mjcf_write` leaves


def custom_texts(root: XmlElement) -> dict[str, XmlElement]:
    """Return the notes that `mjcf_write` left in <custom>, by key."""
    texts = (text for section in root.all("custom") for text in section.all("text"))
    return {
        name.removeprefix(CUSTOM_PREFIX): text
        for text in texts
        if (name := text.attributes.get("name", "")).startswith(CUSTOM_PREFIX)
    }


def with_mimics(rows: Sequence[LinkRow], mimics: Sequence[Mimic]) -> list[LinkRow]:
    """Return the rows with the joints that follow others."""
    followers: dict[str, Mimic] = {}
    for mimic in mimics:
        if mimic.joint in followers:
            raise mimic.element.error(
                f"joint {mimic.joint!r:.80} already follows another joint",
                "keep one of the two equalities",
            )
        followers[mimic.joint] = mimic
    return [
        _changed(row, mimic=m.followed, multiplier=m.multiplier, offset=m.offset)
        if (m := followers.get(row.link.joint)) is not None
        else row
        for row in rows
    ]


def with_passive_flags(
    rows: Sequence[LinkRow], root: XmlElement, custom: dict[str, XmlElement]
) -> list[LinkRow]:
    """Return the rows with joints marked that no actuator drives.

    Nothing is marked if the file has no <actuator> section, or an actuator that pulls
    at something else than joints, so that the driven joints are not known. Joints that
    follow another are passive only if <custom> says so.
    """
    sections = root.all("actuator")
    fixed_tendons = {
        tendon.attributes.get("name", ""): tendon
        for section in root.all("tendon")
        for tendon in section.all("fixed")
    }
    driven: set[str] = set()
    for actuator in (child for section in sections for child in section.children):
        attributes = actuator.attributes
        joint = attributes.get("joint", "") or attributes.get("jointinparent", "")
        tendon = fixed_tendons.get(attributes.get("tendon", ""))
        if joint:
            driven.add(joint)
        elif tendon is not None:
            driven |= {part.attributes.get("joint", "") for part in tendon.children}
        else:
            return list(rows)
    if not sections:
        return list(rows)
    return [
        _changed(row, is_passive=f"passive:{row.link.joint}" in custom)
        if row.link.mimic is not None
        else _changed(row, is_passive=row.moves and row.link.joint not in driven)
        for row in rows
    ]


def with_home(rows: Sequence[LinkRow], root: XmlElement) -> list[LinkRow]:
    """Return the rows with the home values of the keyframe "home", if there is one."""
    keys = [key for section in root.all("keyframe") for key in section.all("key")]
    key = next((k for k in keys if k.attributes.get("name") == "home"), None)
    if key is None or "qpos" not in key.attributes:
        return list(rows)
    widths = [
        7 if row.link.joint_type == JointType.FLOATING else int(row.moves)
        for row in rows
    ]
    values = key.numbers("qpos", sum(widths))
    starts = np.cumsum([0, *widths])
    return [
        _changed(row, home=values[starts[i]]) if row.moves else row
        for i, row in enumerate(rows)
    ]


def with_locks(rows: Sequence[LinkRow], locks: dict[str, float]) -> list[LinkRow]:
    """Return the rows with equal limits for the joints that are held at a value."""
    return [
        _changed(row, lower=locks[row.link.joint], upper=locks[row.link.joint])
        if row.link.joint in locks
        else row
        for row in rows
    ]


def with_noted_limits(
    rows: Sequence[LinkRow], custom: dict[str, XmlElement]
) -> list[LinkRow]:
    """Return the rows with the largest speeds and efforts noted in <custom>."""
    result = list(rows)
    for name in ("max_velocity", "max_effort"):
        for i, row in enumerate(result):
            note = custom.get(f"{name}:{row.link.joint}")
            if note is not None:
                result[i] = _changed(row, **{name: note.number("data")})
    return result


def with_branch(loop: Loop, custom: dict[str, XmlElement]) -> Loop:
    """Return a loop with the assembly branch noted in <custom>."""
    note = custom.get(f"branch:{loop.name}")
    if note is None:
        return loop
    return replace(loop, branch=int(note.choice("data", ("-1", "0", "1"), "0")))


def _changed(row: LinkRow, **changes: Any) -> LinkRow:
    return replace(row, link=replace(row.link, **changes))
