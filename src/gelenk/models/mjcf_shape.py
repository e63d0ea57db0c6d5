"""Geoms of MJCF bodies: shapes, colours, and the mass and inertia they imply."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from gelenk.models.link import Geometry, GeometryKind
from gelenk.models.mjcf_settings import (
    NEGLIGIBLE_BOUND,
    Compiler,
    Defaults,
    pose,
    pose_between_ends,
)
from gelenk.models.xml import XmlElement, closest
from gelenk.typing import FloatArray

DENSITY = 1000.0  # [kg/m^3], MuJoCo's default

# Numbers that `size` must hold, by type; those of `fromto` need the radius only.
_SIZE_COUNT = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
_WITHOUT_MASS = ("plane", "hfield")
_FROM_TO = ("capsule", "cylinder", "box", "ellipsoid")
_TYPES = (*_SIZE_COUNT, *_WITHOUT_MASS, "mesh", "sdf")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Assets:
    """Meshes and materials by name: (file, scale) and rgba."""

    meshes: dict[str, tuple[str, tuple[float, ...]]]
    colours: dict[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Inertial:
    """Mass [kg], centre [m] in a link, inertia about it in link axes [kg m^2]."""

    mass: float = 0.0
    com: FloatArray
    inertia: FloatArray


NO_INERTIA = Inertial(com=np.zeros(3), inertia=np.zeros((3, 3)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Geom:
    """Geom of an MJCF body.

    Attributes:
        shape: Shape that is drawn or touched, None if a model cannot hold it.
        inertial: Mass of the shape in the body; None if it depends on an unread mesh.
        element: The <geom>, class attributes filled in.
    """

    shape: Geometry | None
    inertial: Inertial | None
    element: XmlElement


def assets_from(
    sections: Sequence[XmlElement], settings: Compiler, defaults: Defaults
) -> Assets:
    """Return the meshes and materials of all <asset> sections."""
    meshes: dict[str, tuple[str, tuple[float, ...]]] = {}
    colours: dict[str, tuple[float, ...]] = {}
    for section in sections:
        for mesh in (defaults.resolve(m, None) for m in section.all("mesh")):
            file = mesh.attributes.get("file", "")
            name = mesh.attributes.get("name", "")
            name = name or posixpath.splitext(posixpath.basename(file))[0]
            if file and settings.mesh_folder and not posixpath.isabs(file):
                file = posixpath.join(settings.mesh_folder, file)
            meshes[name] = (file or name, mesh.numbers("scale", 3, (1.0, 1.0, 1.0)))
        for material in (defaults.resolve(m, None) for m in section.all("material")):
            if "rgba" in material.attributes:
                colours[material.text("name")] = material.numbers("rgba", 4)
    return Assets(meshes=meshes, colours=colours)


def read_geom(
    geom: XmlElement, T_body_frame: FloatArray, settings: Compiler, assets: Assets
) -> Geom:
    """Return one geom.

    Args:
        geom: Element with the attributes of its default class filled in.
        T_body_frame: Pose of the enclosing <frame> in the body, shape (4, 4).
        settings: Settings of the file.
        assets: Meshes and materials of the file.
    """
    kind = geom.choice("type", _TYPES, "sphere")
    if kind in _WITHOUT_MASS:
        return Geom(shape=None, inertial=NO_INERTIA, element=geom)
    if kind in ("mesh", "sdf") or "mesh" in geom.attributes:
        T, size = pose(geom, settings), ()
    else:
        T, size = _placed(geom, kind, settings)
    T = T_body_frame @ T
    return Geom(
        shape=_shape(geom, kind, T, size, assets),
        inertial=_inertial(geom, kind, T, size, settings),
        element=geom,
    )


def _placed(
    geom: XmlElement, kind: str, settings: Compiler
) -> tuple[FloatArray, tuple[float, ...]]:
    """Return the pose in the frame and the half sizes of a primitive geom."""
    if "fromto" in geom.attributes:
        if kind not in _FROM_TO:
            raise geom.error(f"a {kind} has no `fromto`", "give `pos` instead")
        T, length = pose_between_ends(geom)
        radius = geom.numbers("size", (1, 3))[0]
        is_round = kind in ("capsule", "cylinder")
        size = (radius, 0.5 * length) if is_round else (radius, radius, 0.5 * length)
    else:
        count = _SIZE_COUNT[kind]
        size = geom.numbers("size", (count, 3))[:count]
        T = pose(geom, settings)
    if min(size) < 0.0:
        raise geom.error(f"`size` must be >= 0 m, got {size}", "correct the sign")
    return T, size


def _shape(
    geom: XmlElement, kind: str, T: FloatArray, size: tuple[float, ...], assets: Assets
) -> Geometry | None:
    mesh = ""
    if kind == "mesh":
        name = geom.text("mesh")
        if name not in assets.meshes:
            raise geom.error(
                f"there is no mesh {name!r:.80}", closest(name, assets.meshes)
            )
        mesh, size = assets.meshes[name]
    elif not size:  # a primitive fitted to a mesh, or a distance field
        return None
    elif kind == "box":
        size = tuple(2.0 * x for x in size)
    elif kind in ("cylinder", "capsule"):
        size = (size[0], 2.0 * size[1])
    touches = geom.number("contype", 1.0) or geom.number("conaffinity", 1.0)
    rgba = assets.colours.get(geom.attributes.get("material", ""))
    if "rgba" in geom.attributes:
        rgba = geom.numbers("rgba", 4)
    if rgba is not None:
        r, g, b, a = (min(max(x, 0.0), 1.0) for x in rgba)
        rgba = (r, g, b, a)
    return Geometry(
        kind=cast("GeometryKind", kind),
        size=size,
        T_link_geometry=T,
        role="collision" if touches else "visual",
        name=geom.attributes.get("name", ""),
        mesh=mesh,
        rgba=rgba,
    )


def _inertial(
    geom: XmlElement,
    kind: str,
    T: FloatArray,
    size: tuple[float, ...],
    settings: Compiler,
) -> Inertial | None:
    """Return mass and inertia of a geom in the body; None if a mesh hides them."""
    first, last = settings.inertia_groups
    if not first <= geom.number("group", 0.0) <= last:
        return NO_INERTIA
    has_mass = "mass" in geom.attributes
    given = geom.number("mass") if has_mass else geom.number("density", DENSITY)
    if given < 0.0:
        word = "mass" if has_mass else "density"
        raise geom.error(f"`{word}` must be >= 0, got {given}", "correct its sign")
    if given == 0.0:
        return NO_INERTIA
    is_shell = geom.choice("shellinertia", ("true", "false"), "false") == "true"
    if not size or is_shell:
        return None
    volume, moments = unit_mass_inertia(kind, size)
    mass = given if has_mass else given * volume
    R = T[:3, :3]
    return Inertial(mass=mass, com=T[:3, 3], inertia=(R * (mass * moments)) @ R.T)


def unit_mass_inertia(kind: str, size: Sequence[float]) -> tuple[float, FloatArray]:
    """Return the volume [m^3] and the principal moments per mass of a solid [m^2].

    Args:
        kind: sphere, box, ellipsoid, cylinder or capsule.
        size: Sizes as in MJCF [m]: radius; half edges; radii; radius and half length.
    """
    a = float(size[0])
    if kind in ("sphere", "ellipsoid", "box"):
        radii = np.full(3, a) if kind == "sphere" else np.array(size)
        solid = 8.0 if kind == "box" else 4.0 / 3.0 * np.pi
        share = 3.0 if kind == "box" else 5.0
        square = radii**2
        return solid * float(np.prod(radii)), (square.sum() - square) / share
    h = float(size[1])
    barrel = 2.0 * np.pi * a**2 * h
    ball = 4.0 / 3.0 * np.pi * a**3 if kind == "capsule" else 0.0
    volume = barrel + ball
    if volume == 0.0:
        return 0.0, np.zeros(3)
    # The caps are half balls, each with its centre 3/8 a beyond the end of the barrel.
    share = ball / volume
    along = (1.0 - share) * a**2 / 2.0 + share * 0.4 * a**2
    across = (1.0 - share) * (a**2 / 4.0 + h**2 / 3.0)
    across += share * (0.4 * a**2 + h**2 + 0.75 * h * a)
    return volume, np.array([across, across, along])


def summed(parts: Sequence[Inertial]) -> Inertial:
    """Return the mass properties of several parts that move as one body."""
    mass = sum(part.mass for part in parts)
    if mass == 0.0:
        return NO_INERTIA
    com = sum((part.mass * part.com for part in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part in parts:
        d = part.com - com
        shift = part.mass * ((d @ d) * np.eye(3) - np.outer(d, d))
        inertia += part.inertia + shift
    return Inertial(mass=mass, com=com, inertia=0.5 * (inertia + inertia.T))


def bounded(inertial: Inertial, settings: Compiler) -> Inertial:
    """Return mass properties after `boundmass`, `boundinertia`, `balanceinertia`."""
    least_mass, least = settings.least_mass, settings.least_inertia
    mass, inertia = inertial.mass, inertial.inertia
    if least_mass > NEGLIGIBLE_BOUND:
        mass = max(mass, least_mass)
    if least > NEGLIGIBLE_BOUND or settings.balance_inertia:
        moments, axes = np.linalg.eigh(inertia)
        if least > NEGLIGIBLE_BOUND:
            moments = np.maximum(moments, least)
        if settings.balance_inertia and moments[0] + moments[1] < moments[2]:
            moments = np.full(3, moments.mean())
        inertia = (axes * moments) @ axes.T
        inertia = 0.5 * (inertia + inertia.T)
    return Inertial(mass=mass, com=inertial.com, inertia=inertia)
