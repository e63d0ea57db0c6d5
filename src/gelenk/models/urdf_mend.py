"""Repair of the faults that URDF files in use have.

Each repair changes the parsed elements, so that the reader meets a file as it should
be, and is told with line and remedy. What cannot be understood is left for the reader
to refuse.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from pathlib import Path

from gelenk.models.findings import Findings
from gelenk.models.xml import XmlElement

# Elements of which a URDF may hold one, by the element around them.
_SHAPE = ("origin", "geometry", "material")
_SINGLE = {
    "joint": ("origin", "parent", "child", "axis", "limit", "dynamics", "mimic"),
    "link": ("inertial",),
    "inertial": ("origin", "mass", "inertia"),
    "visual": _SHAPE,
    "collision": _SHAPE,
    "material": ("color", "texture"),
}

# How many numbers an attribute holds.
_COUNTS: dict[str, dict[str, int]] = {
    "origin": {"xyz": 3, "rpy": 3},
    "axis": {"xyz": 3},
    "box": {"size": 3},
    "sphere": {"radius": 1},
    "cylinder": {"radius": 1, "length": 1},
    "capsule": {"radius": 1, "length": 1},
    "mesh": {"scale": 3},
    "color": {"rgba": 4},
    "mass": {"value": 1},
    "inertia": dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), 1),
    "limit": dict.fromkeys(("lower", "upper", "velocity", "effort"), 1),
    "dynamics": {"damping": 1, "friction": 1},
    "mimic": {"multiplier": 1, "offset": 1},
}
_SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh")
_TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_BALLS = ("spherical", "ball")
_SCALAR = ("revolute", "continuous", "prismatic")

_PLAIN = re.compile(r"[\s\d.eE+-]*", re.ASCII)
_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
_NONE = re.compile(r"\s*[+-]?0*\.?0*(?:[eE][+-]?\d+)?\s*", re.ASCII)  # zero
_NOT_A_NUMBER = ("nan", "-nan", "+nan")
_INFINITE = ("inf", "-inf", "+inf", "infinity", "-infinity", "+infinity")


def mend_urdf(robot: XmlElement, findings: Findings) -> None:
    """Repair the elements of a <robot> in place.

    Args:
        robot: Root element of the file.
        findings: Collector of what was repaired.
    """
    _Mender(robot, findings).mend()


def strip_before_declaration(text: str | bytes) -> str | bytes:
    """Return a text whose XML declaration comes first; lines keep their numbers."""
    if isinstance(text, bytes):
        start = text.lstrip(b"\xef\xbb\xbf \t\r\n")
        blank = text[: len(text) - len(start)].replace(b"\xef\xbb\xbf", b"")
        if not blank or not start.startswith(b"<?xml"):
            return text
        end = start.find(b"?>") + 2
        return start[:end] + blank + start[end:]
    return text.lstrip() if text.lstrip().startswith("<?xml") else text


class _Mender:
    """One pass over the elements of a file."""

    def __init__(self, robot: XmlElement, findings: Findings) -> None:
        self.robot, self.findings = robot, findings
        self._dropped: dict[int, XmlElement] = {}
        self._in_order: set[int] = set()  # joints that follow nothing in a circle

    def mend(self) -> None:
        self._name_robot()
        self._drop_templates()
        for part in self.robot.all("link", "joint", "material"):
            self._mend_part(part)
        for link in self.robot.all("link"):
            self._mend_shapes(link)
            self._mend_inertial(link)
        self._purge()
        self._name_links()
        self._mend_joints()
        self._purge()
        self._connect_roots()

    def say(self, element: XmlElement, kind: str, problem: str, remedy: str) -> None:
        self.findings.add(element, kind, problem, remedy)

    def drop(self, element: XmlElement) -> None:
        self._dropped[id(element)] = element

    def _purge(self) -> None:
        """Take the dropped elements out of their parents, each of those once."""
        parents = {id(e.parent): e.parent for e in self._dropped.values() if e.parent}
        for parent in parents.values():
            parent.children = [c for c in parent.children if id(c) not in self._dropped]
        self._dropped.clear()

    # -- the robot ------------------------------------------------------------------

    def _name_robot(self) -> None:
        if self.robot.attributes.get("name"):
            return
        stem = Path(self.robot.path).stem if "<" not in self.robot.path else ""
        name = stem or "robot"
        self.say(
            self.robot, "robot name", f"the robot has no name; it is called {name!r}",
            'write <robot name="...">',
        )  # fmt: skip
        self.robot.attributes["name"] = name

    def _drop_templates(self) -> None:
        """Leave out xacro's own elements; a file that is only those stays refused."""
        if not self.robot.all("link"):
            return
        for element in self.robot.walk():
            if element.tag.startswith("xacro:") and element.parent is not None:
                self.say(
                    element, "xacro", "an element of a xacro template is left out",
                    "expand the template, or delete this element",
                )  # fmt: skip
                self.drop(element)
        self._purge()

    # -- single elements and numbers --------------------------------------------------

    def _mend_part(self, part: XmlElement) -> None:
        for element in part.walk():
            single = _SINGLE.get(element.tag)
            if single and len(element.children) > 1:
                self._keep_first(element, single)
            counts = _COUNTS.get(element.tag)
            if counts is None:
                continue
            for key, count in counts.items():
                value = element.attributes.get(key)
                if value is None:
                    continue
                if not _PLAIN.fullmatch(value) or len(value.split()) != count:
                    self._mend_numbers(element, key, value, count)

    def _keep_first(self, element: XmlElement, single: Iterable[str]) -> None:
        for tag in single:
            found = element.all(tag)
            if len(found) < 2:
                continue
            kept = found[0]
            if tag == "material":  # the first one that has a colour of its own
                kept = next((m for m in found if m.all("color", "texture")), kept)
            for extra in found:
                if extra is not kept:
                    self.say(
                        extra, f"two {tag}",
                        f"{element.label} has two <{tag}>; that in line {kept.line} "
                        "counts", "delete this one",
                    )  # fmt: skip
                    self.drop(extra)
        self._purge()

    def _mend_numbers(
        self, element: XmlElement, key: str, value: str, count: int
    ) -> None:
        is_limit = element.tag == "limit"
        words = value.split()
        if "," in value:
            if len(words) == count and all(
                _COMMA.fullmatch(word) or _PLAIN.fullmatch(word) for word in words
            ):
                words = [word.replace(",", ".") for word in words]
            else:
                words = value.replace(",", " ").split()
        if is_limit and len(words) == 1 and words[0].lower() in _INFINITE:
            return
        if is_limit and any(word.lower() in _NOT_A_NUMBER for word in words):
            self._told(element, key, value, "it is left out")
            del element.attributes[key]
            return
        strange = (*_NOT_A_NUMBER, *_INFINITE)
        words = ["0" if word.lower() in strange else word for word in words]
        if len(words) > count:
            words = words[:count]
        elif key == "scale" and len(words) == 1:
            words *= 3
        elif key == "rgba" and len(words) == 3:
            words.append("1")
        mended = " ".join(words)
        if mended.split() != value.split():
            self._told(element, key, value, f"it is read as {mended!r:.60}")
            element.attributes[key] = mended

    def _told(self, element: XmlElement, key: str, value: str, done: str) -> None:
        self.say(
            element, f"numbers {element.tag} {key}",
            f"`{key}` is {value!r:.60}; {done}", "write numbers separated by spaces",
        )  # fmt: skip

    # -- links ------------------------------------------------------------------------

    def _mend_shapes(self, link: XmlElement) -> None:
        extra: list[XmlElement] = []
        for element in link.all("visual", "collision"):
            geometry = element.all("geometry")
            bodies = geometry[0].children if geometry else []
            kept = [body for body in bodies if self._is_shape(element, body)]
            if not bodies:
                self.say(
                    element, "no shape", "the shape is missing; it is left out",
                    "write a box, sphere, cylinder or mesh inside <geometry>",
                )  # fmt: skip
            if not kept:
                self.drop(element)
                continue
            if len(kept) > 1:
                self.say(
                    element, "two shapes", f"it has {len(kept)} shapes; each is read",
                    f"write one <{element.tag}> for each",
                )  # fmt: skip
            geometry[0].children = kept[:1]
            extra += [_with_shape(element, geometry[0], body) for body in kept[1:]]
        link.children += extra

    def _is_shape(self, owner: XmlElement, body: XmlElement) -> bool:
        if body.tag not in _SHAPES:
            self.say(
                body, f"shape {body.tag[:40]}",
                f"<{body.tag:.40}> is no shape of a URDF; it is left out",
                f"use one of: {', '.join(_SHAPES)}",
            )  # fmt: skip
            return False
        if body.tag == "mesh":
            if body.attributes.get("filename"):
                return True
            problem = "the mesh names no file; it is left out"
            self.say(body, "mesh name", problem, 'write <mesh filename="...">')
            return False
        for key in _COUNTS[body.tag]:
            value = body.attributes.get(key, "")
            is_flat = any(_NONE.fullmatch(word) for word in value.split())
            if value and is_flat:
                self.say(
                    body, "size zero", f"`{key}` is {value!r:.60}; a {body.tag} "
                    "without extent is left out",
                    f"give the {owner.tag} a size, or delete it",
                )  # fmt: skip
                return False
        return True

    def _mend_inertial(self, link: XmlElement) -> None:
        for inertial in link.all("inertial"):
            for tag, keys in (("mass", ("value",)), ("inertia", _COUNTS["inertia"])):
                found = inertial.all(tag)
                if not found:
                    problem = f"<{tag}> is missing; it is taken as 0"
                    self.say(inertial, f"no {tag}", problem, f"add <{tag} .../>")
                    found = [
                        XmlElement(tag, {}, inertial.line, inertial.path, inertial)
                    ]
                    inertial.children += found
                for key in keys:
                    if not found[0].attributes.get(key):
                        if found[0].attributes:
                            self.say(
                                found[0], f"no {tag} {key}",
                                f"`{key}` is missing; it is taken as 0", "add it",
                            )  # fmt: skip
                        found[0].attributes[key] = "0"

    def _name_links(self) -> None:
        first: dict[str, XmlElement] = {}
        for link in self.robot.all("link"):
            name = link.attributes.get("name", "")
            if name and name in first:
                self.say(
                    link, "two links", "the name is taken by the link in line "
                    f"{first[name].line}; this one is left out", "rename one of them",
                )  # fmt: skip
                self.drop(link)
            first.setdefault(name, link)
        self._purge()

    # -- joints -----------------------------------------------------------------------

    def _mend_joints(self) -> None:
        links = {link.attributes.get("name") for link in self.robot.all("link")}
        carriers: dict[str, XmlElement] = {}
        joints: dict[str, XmlElement] = {}
        for joint in self.robot.all("joint"):
            if not self._has_ends(joint, links, carriers):
                self.drop(joint)
                continue
            self._name_joint(joint, joints)
            self._mend_type(joint)
            self._mend_limit(joint)
        self._cut_cycles(carriers)
        for joint in joints.values():
            self._mend_mimic(joint, joints)

    def _has_ends(
        self,
        joint: XmlElement,
        links: set[str | None],
        carriers: dict[str, XmlElement],
    ) -> bool:
        """Return whether a joint joins two links, the child as the first one to."""
        for tag in ("parent", "child"):
            found = joint.all(tag)
            name = found[0].attributes.get("link", "") if found else ""
            if not name or name not in links:
                what = f"there is no link {name!r:.80}" if name else f"it has no {tag}"
                self.say(
                    joint, "dangling joint", f"{what}; the joint is left out",
                    f'name the {tag}: <{tag} link="..."/>',
                )  # fmt: skip
                return False
        child = joint.all("child")[0].attributes["link"]
        if child in carriers:
            self.say(
                joint, "two parents", f"link {child!r:.80} is already carried by "
                f"{carriers[child].label} (line {carriers[child].line}); this joint is "
                "left out", "a link has one parent joint; remove one of the two",
            )  # fmt: skip
            return False
        carriers[child] = joint
        return True

    def _name_joint(self, joint: XmlElement, joints: dict[str, XmlElement]) -> None:
        wanted = joint.attributes.get("name", "")
        name = wanted or joint.all("child")[0].attributes["link"] + "_joint"
        base, number = name, 2
        while name in joints:
            name, number = f"{base}_{number}", number + 1
        joints[name] = joint
        if name != wanted:
            problem = f"the name is taken by the joint in line {joints[base].line}"
            if not wanted:
                problem = "the joint has no name"
            problem += f"; it is called {name!r:.80}"
            self.say(joint, "joint name", problem, "give it a name of its own")
            joint.attributes["name"] = name

    def _mend_type(self, joint: XmlElement) -> None:
        word = joint.attributes.get("type", "")
        plain = word.strip().lower()
        if plain in _BALLS:
            plain = _BALLS[0]
            self.say(
                joint, "ball joint", f"{word!r} is no joint type of a URDF; it is read "
                "as a ball joint", "write MJCF, which has ball joints",
            )  # fmt: skip
        elif plain != word and plain in _TYPES:
            problem = f"`type` is {word!r:.40}; it is read as {plain!r}"
            self.say(joint, "joint type", problem, "write it so")
        else:
            return
        joint.attributes["type"] = plain

    def _mend_limit(self, joint: XmlElement) -> None:
        word = joint.attributes.get("type", "")
        found = joint.all("limit")
        if not found:
            if word in ("revolute", "prismatic"):
                self.say(
                    joint, "no limit", f"a {word} joint needs a <limit>; it moves "
                    "without limits",
                    'add <limit lower="..." upper="..." effort="..." velocity="..."/>',
                )  # fmt: skip
                largest = {"lower": "-inf", "upper": "inf"}
                limit = XmlElement("limit", largest, joint.line, joint.path, joint)
                joint.children.append(limit)
            return
        limit = found[0]
        for key in ("velocity", "effort"):
            value = _float(limit.attributes.get(key))
            if value is not None and value < 0.0:
                problem = f"`{key}` is {value:g}; it is read without the sign"
                self.say(limit, f"negative {key}", problem, "correct the sign")
                limit.attributes[key] = limit.attributes[key].replace("-", "", 1)
        lower = _float(limit.attributes.get("lower", "0"))
        upper = _float(limit.attributes.get("upper", "0"))
        if word not in ("revolute", "prismatic") or lower is None or upper is None:
            return
        if lower > upper:
            problem = f"`lower` {lower:g} is above `upper` {upper:g}; they are swapped"
            self.say(limit, "limits", problem, "swap the two")
            words = limit.attributes
            words["lower"], words["upper"] = (
                words.get("upper", "0"),
                words.get("lower", "0"),
            )

    def _mend_mimic(self, joint: XmlElement, joints: dict[str, XmlElement]) -> None:
        mimic = next(iter(joint.all("mimic")), None)
        if mimic is None or id(joint) in self._dropped:
            return
        name = mimic.attributes.get("joint", "")
        followed = joints.get(name)
        problem = ""
        if joint.attributes.get("type") not in _SCALAR:
            problem = "this joint does not move as one that can follow another"
        elif followed is None or id(followed) in self._dropped:
            problem = f"there is no joint {name!r:.80} to follow"
        elif followed.attributes.get("type") not in _SCALAR:
            problem = f"joint {name!r:.80} does not move as one that can be followed"
        elif _follows_itself(joint, joints, self._in_order):
            problem = "the joint follows itself in a circle"
        if problem:
            self.say(
                mimic, "mimic", f"{problem}; <mimic> is left out",
                "name a joint that moves, or delete <mimic>",
            )  # fmt: skip
            joint.children = [child for child in joint.children if child is not mimic]

    # -- the tree ---------------------------------------------------------------------

    def _cut_cycles(self, carriers: dict[str, XmlElement]) -> None:
        """Leave out one joint of each ring, so that each link hangs on a root."""
        done: set[str] = set()
        for start in list(carriers):
            trail: dict[str, None] = {}
            name = start
            while name in carriers and name not in done and name not in trail:
                trail[name] = None
                name = carriers[name].all("parent")[0].attributes["link"]
            if name in trail:
                joint = carriers.pop(name)
                self.say(
                    joint, "cycle", "the joint closes a ring of links; it is left out",
                    "a URDF is a tree; write MJCF, which has closed loops",
                )  # fmt: skip
                self.drop(joint)
            done.update(trail)

    def _connect_roots(self) -> None:
        """Fix each further root to that which carries the most."""
        parent = {
            joint.all("child")[0].attributes["link"]: joint.all("parent")[0].attributes[
                "link"
            ]
            for joint in self.robot.all("joint")
        }
        links = {x.attributes.get("name", ""): x for x in self.robot.all("link")}
        roots = [name for name in links if name not in parent]
        if len(roots) < 2:
            return
        count = _sizes(links, parent)
        main = max(roots, key=lambda name: count[name])
        joints = {joint.attributes.get("name") for joint in self.robot.all("joint")}
        for name in roots:
            if name == main:
                continue
            link = links[name]
            self.say(
                link, "several roots", f"the robot has {len(roots)} roots; this one is "
                f"fixed to {main!r:.80}", "make it the child of a joint, or remove it",
            )  # fmt: skip
            joint = f"{name}_joint"
            while joint in joints:
                joint = f"{joint}_"
            joints.add(joint)
            words = {"name": joint, "type": "fixed"}
            element = XmlElement("joint", words, link.line, link.path, self.robot)
            element.children = [
                XmlElement("parent", {"link": main}, link.line, link.path, element),
                XmlElement("child", {"link": name}, link.line, link.path, element),
            ]
            self.robot.children.append(element)


def _with_shape(
    element: XmlElement, geometry: XmlElement, body: XmlElement
) -> XmlElement:
    """Return a copy of a <visual> or <collision> with another shape."""
    copy = XmlElement(
        element.tag, dict(element.attributes), body.line, body.path, element.parent
    )
    holder = XmlElement("geometry", {}, body.line, body.path, copy, [body])
    copy.children = [
        holder if child is geometry else child for child in element.children
    ]
    return copy


def _float(word: str | None) -> float | None:
    try:
        value = float(word) if word is not None else math.nan
    except ValueError:
        return None
    return None if math.isnan(value) else value


def _follows_itself(
    joint: XmlElement, joints: dict[str, XmlElement], in_order: set[int]
) -> bool:
    """Return whether a mimic law leads back; joints that do not join `in_order`."""
    trail: set[int] = set()
    here: XmlElement | None = joint
    while here is not None and id(here) not in in_order:
        if id(here) in trail:
            return True
        trail.add(id(here))
        mimic = next(iter(here.all("mimic")), None)
        here = joints.get(mimic.attributes.get("joint", "")) if mimic else None
    in_order |= trail
    return False


def _sizes(links: Iterable[str], parent: dict[str, str]) -> dict[str, int]:
    """Return how many links hang on each link, itself included; no cycles."""
    order: list[str] = []
    children: dict[str, list[str]] = {}
    for child, name in parent.items():
        children.setdefault(name, []).append(child)
    stack = [name for name in links if name not in parent]
    while stack:
        name = stack.pop()
        order.append(name)
        stack += children.get(name, [])
    count = dict.fromkeys(links, 1)
    for name in reversed(order):
        if name in parent:
            count[parent[name]] += count[name]
    return count
