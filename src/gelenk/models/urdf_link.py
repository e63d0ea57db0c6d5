"""Links of a URDF file: inertia, shapes, colours and textures."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import numpy as np

from gelenk.models.link import Geometry, GeometryKind, GeometryRole, Link
from gelenk.models.packages import FileFinder
from gelenk.models.xml import XmlElement, closest
from gelenk.spatial.euler import matrix_from_rpy
from gelenk.spatial.se3 import pose_from_rotation_translation
from gelenk.typing import FloatArray

Rgba = tuple[float, float, float, float]

SHAPE_ROLES = ("visual", "collision")

# Attributes that make up `Geometry.size`, and how many numbers each holds.
_SIZES: dict[str, tuple[tuple[str, int], ...]] = {
    "box": (("size", 3),),
    "sphere": (("radius", 1),),
    "cylinder": (("radius", 1), ("length", 1)),
    "capsule": (("radius", 1), ("length", 1)),
}


def origin(owner: XmlElement) -> FloatArray:
    """Return the pose that the <origin> of an element gives, shape (4, 4)."""
    element = owner.only("origin")
    if element is None:
        return np.eye(4)
    rpy = element.numbers("rpy", 3, (0.0, 0.0, 0.0))
    xyz = element.numbers("xyz", 3, (0.0, 0.0, 0.0))
    return pose_from_rotation_translation(matrix_from_rpy(*rpy), xyz)


@dataclass(frozen=True, slots=True)
class Looks:
    """Named materials of a file.

    Attributes:
        colours: Colour of each material that has one.
        textures: Image file of each material that has one, as the file states it.
        finder: Search for mesh and image files; None leaves them as they are.
    """

    colours: dict[str, Rgba] = field(default_factory=dict[str, Rgba])
    textures: dict[str, str] = field(default_factory=dict[str, str])
    finder: FileFinder | None = None


def material_looks(robot: XmlElement, finder: FileFinder | None = None) -> Looks:
    """Return colours and textures of named materials, wherever the file defines them.

    Definitions directly under <robot> win over those inside a visual, the first over
    later ones.
    """
    inside = (
        material
        for link in robot.all("link")
        for visual in link.all("visual")
        for material in visual.all("material")
    )
    looks = Looks(finder=finder)
    for material in (*robot.all("material"), *inside):
        name = material.attributes.get("name")
        colour, texture = _own_look(material)
        if name and colour is not None:
            looks.colours.setdefault(name, colour)
        if name and texture:
            looks.textures.setdefault(name, texture)
    return looks


def shape(element: XmlElement, looks: Looks) -> Geometry:
    """Return the shape that a <visual> or <collision> element describes."""
    geometry = element.need("geometry", "add <geometry> with a box, sphere, ... inside")
    if len(geometry.children) != 1:
        raise geometry.error(
            f"one shape is needed, found {len(geometry.children)}",
            f"write one of: {', '.join((*_SIZES, 'mesh'))}",
        )
    body = geometry.children[0]
    if body.tag == "mesh":
        size, mesh = body.numbers("scale", 3, (1.0, 1.0, 1.0)), body.text("filename")
    elif body.tag in _SIZES:
        size = tuple(x for key, n in _SIZES[body.tag] for x in body.numbers(key, n))
        mesh = ""
        if min(size) < 0.0:
            raise body.error(f"sizes must be >= 0 m, got {size}", "correct the sign")
    else:
        raise body.error(f"unknown shape <{body.tag:.40}>", closest(body.tag, _SIZES))
    rgba, texture = _look(element, looks)
    return Geometry(
        kind=cast("GeometryKind", body.tag),
        size=size,
        T_link_geometry=origin(element),
        role=cast("GeometryRole", element.tag),
        name=element.attributes.get("name", ""),
        mesh=mesh,
        path=looks.finder.resolve(mesh) if mesh and looks.finder else None,
        rgba=rgba,
        texture=texture,
    )


def _look(element: XmlElement, looks: Looks) -> tuple[Rgba | None, Path | None]:
    """Return colour and image file of a shape."""
    material = element.only("material")
    if material is None:
        return None, None
    rgba, image = _own_look(material)
    name = material.attributes.get("name", "")
    if rgba is None:
        rgba = looks.colours.get(name)
    image = image or looks.textures.get(name, "")
    finder = looks.finder
    return rgba, finder.resolve(image) if image and finder else None


def _own_look(material: XmlElement) -> tuple[Rgba | None, str]:
    """Return the colour stated inside a material, clipped to [0, 1], and the image."""
    colour, texture = material.only("color"), material.only("texture")
    image = texture.attributes.get("filename", "") if texture else ""
    if colour is None:
        return None, image
    r, g, b, a = (min(max(x, 0.0), 1.0) for x in colour.numbers("rgba", 4))
    return (r, g, b, a), image


def bare_link(element: XmlElement, looks: Looks) -> Link:
    """Return a link without its joint."""
    shapes = tuple(shape(child, looks) for child in element.all(*SHAPE_ROLES))
    name = element.text("name")
    inertial = element.only("inertial")
    if inertial is None:
        return Link(name=name, geometry=shapes)
    mass = inertial.need("mass", 'add <mass value="..."/>').number("value")
    if mass < 0.0:
        raise inertial.error(f"mass must be >= 0 kg, got {mass}", "correct its sign")
    tensor = inertial.need("inertia", "add <inertia ixx= ixy= ixz= iyy= iyz= izz=/>")
    xx, xy, xz, yy, yz, zz = (
        tensor.number(key) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    T_link_inertia = origin(inertial)
    R = T_link_inertia[:3, :3]
    inertia = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
    return Link(
        name=name,
        mass=mass,
        com=T_link_inertia[:3, 3],
        inertia=0.5 * (inertia + inertia.T),
        geometry=shapes,
    )
