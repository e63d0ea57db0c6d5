"""Placements, shapes and colours of URDF elements."""

from __future__ import annotations

from typing import cast

import numpy as np

from gelenk.models.link import Geometry, GeometryKind, GeometryRole
from gelenk.models.xml import Element, closest
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


def origin(owner: Element) -> FloatArray:
    """Return the pose that the <origin> of an element gives, shape (4, 4)."""
    element = owner.only("origin")
    if element is None:
        return np.eye(4)
    rpy = element.numbers("rpy", 3, (0.0, 0.0, 0.0))
    xyz = element.numbers("xyz", 3, (0.0, 0.0, 0.0))
    return pose_from_rotation_translation(matrix_from_rpy(*rpy), xyz)


def material_colours(robot: Element) -> dict[str, Rgba]:
    """Return the colour of each named material, wherever the file defines it.

    Definitions directly under <robot> win over those inside a visual, the first over
    later ones.
    """
    inside = (
        material
        for link in robot.all("link")
        for visual in link.all("visual")
        for material in visual.all("material")
    )
    colours: dict[str, Rgba] = {}
    for material in (*robot.all("material"), *inside):
        colour = _own_colour(material)
        if colour is not None and material.attributes.get("name"):
            colours.setdefault(material.attributes["name"], colour)
    return colours


def shape(element: Element, colours: dict[str, Rgba]) -> Geometry:
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
    return Geometry(
        kind=cast("GeometryKind", body.tag),
        size=size,
        T_link_geometry=origin(element),
        role=cast("GeometryRole", element.tag),
        name=element.attributes.get("name", ""),
        mesh=mesh,
        rgba=_colour(element, colours),
    )


def _colour(element: Element, colours: dict[str, Rgba]) -> Rgba | None:
    material = element.only("material")
    if material is None:
        return None
    own = _own_colour(material)
    return own if own else colours.get(material.attributes.get("name", ""))


def _own_colour(material: Element) -> Rgba | None:
    """Return the colour stated inside a material, clipped to [0, 1]."""
    colour = material.only("color")
    if colour is None:
        return None
    r, g, b, a = (min(max(x, 0.0), 1.0) for x in colour.numbers("rgba", 4))
    return (r, g, b, a)
