"""The bodies of an MJCF file: frames dissolved, poses and masses computed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from gelenk.models.mjcf_settings import (
    ORIENTATIONS,
    Compiler,
    Defaults,
    pose,
    pose_between_ends,
)
from gelenk.models.mjcf_shape import (
    NO_INERTIA,
    Assets,
    Geom,
    Inertial,
    bounded,
    read_geom,
    summed,
)
from gelenk.models.xml import MAX_NUMBER, XmlElement
from gelenk.spatial.se3 import transform_point
from gelenk.typing import FloatArray

WORLD = 0  # index of the world among the bodies

_UNREADABLE = {
    "attach": "attached sub-models",
    "replicate": "replicated elements",
}
_SOFT = ("composite", "flexcomp")


@dataclass(slots=True, eq=False, kw_only=True)
class MjcfJoint:
    """Joint of a body: anchor [m] and axis in the body, and its element."""

    element: XmlElement
    kind: str
    anchor: FloatArray
    axis: FloatArray


@dataclass(slots=True, eq=False, kw_only=True)
class MjcfSite:
    """A named frame fixed to a body."""

    element: XmlElement
    T_body_site: FloatArray


@dataclass(slots=True, eq=False, kw_only=True)
class MjcfBody:
    """Body of an MJCF file.

    Attributes:
        element: Element <body> or <worldbody>.
        parent: Index of the parent body, -1 for the world.
        T_parent_body: Pose in the parent at the reference values of its joints.
        T_world_body: Pose in the world at the reference values of all joints.
        joints, geoms, sites: Elements of the body, in the order of the file.
        given: Mass properties that the file states.
    """

    element: XmlElement
    parent: int
    T_parent_body: FloatArray
    T_world_body: FloatArray
    joints: list[MjcfJoint] = field(default_factory=list[MjcfJoint])
    geoms: list[Geom] = field(default_factory=list[Geom])
    sites: list[MjcfSite] = field(default_factory=list[MjcfSite])
    given: Inertial | None = None

    @property
    def is_free(self) -> bool:
        return any(joint.kind == "free" for joint in self.joints)

    @property
    def is_mocap(self) -> bool:
        return self.element.attributes.get("mocap") == "true"


@dataclass(slots=True, eq=False, kw_only=True)
class BodyReader:
    """Walks through <worldbody> and collects bodies, parents before children."""

    settings: Compiler
    defaults: Defaults
    assets: Assets
    bodies: list[MjcfBody] = field(default_factory=list[MjcfBody])
    skipped: set[str] = field(default_factory=set[str])

    def read(self, sections: Sequence[XmlElement], root: XmlElement) -> list[MjcfBody]:
        """Return all bodies, the world first, in the order of the file."""
        eye = np.eye(4)
        world = sections[0] if sections else root
        self.bodies = [
            MjcfBody(element=world, parent=-1, T_parent_body=eye, T_world_body=eye)
        ]
        stack: list[tuple[XmlElement, int, FloatArray, str | None]] = []
        for section in reversed(sections):
            child_class = self._child_class(section, None)
            stack += self._inside(section, WORLD, eye, child_class)
        while stack:
            element, owner, T_body_frame, child_class = stack.pop()
            if element.tag in ("body", "frame"):
                child_class = self._child_class(element, child_class)
                T_body_frame = T_body_frame @ pose(element, self.settings)
                if element.tag == "body":
                    owner = self._add_body(element, owner, T_body_frame)
                    T_body_frame = eye
                stack += self._inside(element, owner, T_body_frame, child_class)
            else:
                self._add(element, self.bodies[owner], T_body_frame, child_class)
        return self.bodies

    def _inside(
        self, element: XmlElement, owner: int, T: FloatArray, child_class: str | None
    ) -> Iterable[tuple[XmlElement, int, FloatArray, str | None]]:
        return ((child, owner, T, child_class) for child in reversed(element.children))

    def _child_class(self, element: XmlElement, inherited: str | None) -> str | None:
        name = element.attributes.get("childclass")
        if not name:
            return inherited
        self.defaults.check(element, name)
        return name

    def _add_body(
        self, element: XmlElement, owner: int, T_parent_body: FloatArray
    ) -> int:
        T_world_body = self.bodies[owner].T_world_body @ T_parent_body
        self.bodies.append(
            MjcfBody(
                element=element,
                parent=owner,
                T_parent_body=T_parent_body,
                T_world_body=T_world_body,
            )
        )
        return len(self.bodies) - 1

    def _add(
        self,
        element: XmlElement,
        body: MjcfBody,
        T: FloatArray,
        child_class: str | None,
    ) -> None:
        """Add what is not a body to its body; what no robot model holds is noted."""
        tag = element.tag
        if tag in ("joint", "freejoint"):
            body.joints.append(self._joint(element, body, T, child_class))
        elif tag == "geom":
            geom = self.defaults.resolve(element, child_class)
            body.geoms.append(read_geom(geom, T, self.settings, self.assets))
        elif tag == "site":
            site = self.defaults.resolve(element, child_class)
            if "fromto" in site.attributes:
                T_frame_site = pose_between_ends(site)[0]
            else:
                T_frame_site = pose(site, self.settings)
            body.sites.append(MjcfSite(element=element, T_body_site=T @ T_frame_site))
        elif tag == "inertial":
            if body.given is not None:
                raise element.error("the body has two <inertial>", "keep one of them")
            body.given = read_inertial(element, T, self.settings)
        elif tag in _UNREADABLE:
            raise element.error(
                f"{_UNREADABLE[tag]} are not supported",
                "load and save the file once in MuJoCo, which writes them out",
            )
        elif tag in _SOFT:
            self.skipped.add(tag)

    def _joint(
        self,
        element: XmlElement,
        body: MjcfBody,
        T: FloatArray,
        child_class: str | None,
    ) -> MjcfJoint:
        if body.parent < 0:
            raise element.error("the world cannot have joints", "put it into a body")
        if element.tag == "freejoint":
            zero = np.zeros(3)
            return MjcfJoint(element=element, kind="free", anchor=zero, axis=zero)
        joint = self.defaults.resolve(element, child_class)
        kind = joint.choice("type", ("hinge", "slide", "free", "ball"), "hinge")
        if kind == "ball":
            raise joint.error(
                "ball joints are not supported",
                "write three hinges with the axes 1 0 0, 0 1 0 and 0 0 1",
            )
        axis = np.array(joint.numbers("axis", 3, (0.0, 0.0, 1.0)))
        if kind != "free" and np.linalg.norm(axis) < 1e-9:
            raise joint.error(f"`axis` has no direction: {axis}", "such as 0 0 1")
        anchor = joint.numbers("pos", 3, (0.0, 0.0, 0.0))
        return MjcfJoint(
            element=joint,
            kind=kind,
            anchor=transform_point(T, anchor),
            axis=T[:3, :3] @ axis,
        )


def read_inertial(
    element: XmlElement, T_body_frame: FloatArray, settings: Compiler
) -> Inertial:
    """Return the mass properties that an <inertial> states, in body axes."""
    mass = element.number("mass")
    if mass < 0.0:
        raise element.error(f"mass must be >= 0 kg, got {mass}", "correct its sign")
    element.numbers("pos", 3)
    if "fullinertia" in element.attributes:
        rivals = ("diaginertia", *ORIENTATIONS)
        rival = next((key for key in rivals if key in element.attributes), None)
        if rival is not None:
            raise element.error(
                f"`fullinertia` and `{rival}` exclude each other", "keep one of them"
            )
        xx, yy, zz, xy, xz, yz = element.numbers("fullinertia", 6)
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    else:
        tensor = np.diag(element.numbers("diaginertia", 3, (0.0, 0.0, 0.0)))
    T = T_body_frame @ pose(element, settings)
    inertia = T[:3, :3] @ tensor @ T[:3, :3].T
    return Inertial(mass=mass, com=T[:3, 3], inertia=0.5 * (inertia + inertia.T))


def inertial_of(body: MjcfBody, settings: Compiler) -> Inertial:
    """Return the mass properties of a body: stated, or those of its geoms.

    Raises:
        FileFormatError: If they depend on the content of a mesh.
    """
    if body.parent < 0:
        return NO_INERTIA
    use = settings.inertia_from_geoms
    if use == "true" and body.geoms:
        by_geoms = True
    else:
        by_geoms = use != "false" and body.given is None
    if not by_geoms:
        return bounded(body.given or NO_INERTIA, settings)
    parts: list[Inertial] = []
    for geom in body.geoms:
        if geom.inertial is None:
            raise geom.element.error(
                f"mass and inertia of {body.element.label} depend on the mesh or shell "
                "of this geom, which is not read",
                "add an <inertial> to the body, or load and save the file in MuJoCo "
                'with <compiler saveinertial="true"/>',
            )
        parts.append(geom.inertial)
    total = summed(parts)
    if total.mass > MAX_NUMBER:
        raise body.element.error(
            f"the geoms of this body have {total.mass:g} kg", "check `size`, `density`"
        )
    return bounded(total, settings)
