"""Simple shapes to draw a link with, and the inertia of a body that fills them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from gelenk.models.catalog._pose import shift, with_z
from gelenk.models.link import Geometry
from gelenk.typing import ArrayLike, FloatArray

Rgba: TypeAlias = tuple[float, float, float, float]

WHITE: Rgba = (0.92, 0.92, 0.90, 1.0)
GREY: Rgba = (0.62, 0.64, 0.66, 1.0)
DARK: Rgba = (0.22, 0.23, 0.25, 1.0)
ORANGE: Rgba = (0.95, 0.47, 0.10, 1.0)
BLUE: Rgba = (0.35, 0.60, 0.80, 1.0)
GREEN: Rgba = (0.35, 0.62, 0.42, 1.0)


def capsule(p: ArrayLike, q: ArrayLike, radius: float, rgba: Rgba = GREY) -> Geometry:
    """Return a capsule whose caps are centred in the points `p` and `q` [m]."""
    T, length = _between(p, q)
    return Geometry(kind="capsule", size=(radius, length), T_link_geometry=T, rgba=rgba)


def cylinder(p: ArrayLike, q: ArrayLike, radius: float, rgba: Rgba = DARK) -> Geometry:
    """Return a cylinder from point `p` to point `q` [m]."""
    T, length = _between(p, q)
    return Geometry(
        kind="cylinder", size=(radius, length), T_link_geometry=T, rgba=rgba
    )


def box(
    centre: tuple[float, float, float],
    size: tuple[float, float, float],
    rgba: Rgba = GREY,
) -> Geometry:
    """Return a box with edges along the link axes [m]."""
    return Geometry(kind="box", size=size, T_link_geometry=shift(*centre), rgba=rgba)


def sphere(
    centre: tuple[float, float, float], radius: float, rgba: Rgba = DARK
) -> Geometry:
    """Return a sphere [m]."""
    return Geometry(
        kind="sphere", size=(radius,), T_link_geometry=shift(*centre), rgba=rgba
    )


def moved(geometry: Geometry, T: FloatArray) -> Geometry:
    """Return a shape of frame `b` as a shape of frame `a`, with `T` = `T_a_b`."""
    return Geometry(
        kind=geometry.kind,
        size=geometry.size,
        T_link_geometry=T @ np.asarray(geometry.T_link_geometry),
        rgba=geometry.rgba,
    )


def solid(
    shapes: Sequence[Geometry], density: float
) -> tuple[float, FloatArray, FloatArray]:
    """Return mass [kg], centre [m] and inertia about it [kg m^2] of filled shapes.

    Shapes that overlap count twice. Link axes.

    Args:
        shapes: Boxes, spheres, ellipsoids, cylinders, capsules.
        density: [kg/m^3].
    """
    parts = [_filled(shape) for shape in shapes]
    poses = [np.asarray(shape.T_link_geometry, dtype=np.float64) for shape in shapes]
    mass = density * sum(volume for volume, _ in parts)
    if mass == 0.0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    moments = [part[0] * T[:3, 3] for part, T in zip(parts, poses, strict=True)]
    com = density * np.sum(moments, axis=0) / mass
    inertia = np.zeros((3, 3))
    for (volume, moment), T in zip(parts, poses, strict=True):
        d = T[:3, 3] - com
        R = T[:3, :3]
        inertia += density * (
            R @ np.diag(moment) @ R.T + volume * ((d @ d) * np.eye(3) - np.outer(d, d))
        )
    return float(mass), com, inertia


def _between(p: ArrayLike, q: ArrayLike) -> tuple[FloatArray, float]:
    """Return the pose half way with z from `p` to `q`, and their distance."""
    a, b = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    return with_z((a + b) / 2.0, b - a), float(np.sqrt((b - a) @ (b - a)))


def _filled(shape: Geometry) -> tuple[float, FloatArray]:
    """Return volume and principal moments for density 1, in the shape's own frame."""
    match shape.kind:
        case "box":
            square = np.square(shape.size)
            volume = float(np.prod(shape.size))
            return volume, volume / 12.0 * (square.sum() - square)
        case "sphere":
            (r,) = shape.size
            volume = 4.0 / 3.0 * np.pi * r**3
            return volume, np.full(3, 0.4 * volume * r**2)
        case "ellipsoid":
            square = np.square(shape.size)
            volume = 4.0 / 3.0 * np.pi * float(np.prod(shape.size))
            return volume, volume / 5.0 * (square.sum() - square)
        case "cylinder":
            r, length = shape.size
            volume = np.pi * r**2 * length
            side = volume * (length**2 / 12.0 + r**2 / 4.0)
            return volume, np.array([side, side, 0.5 * volume * r**2])
        case "capsule":
            r, length = shape.size
            tube, caps = np.pi * r**2 * length, 4.0 / 3.0 * np.pi * r**3
            side = tube * (length**2 / 12.0 + r**2 / 4.0) + caps * (
                0.4 * r**2 + length**2 / 4.0 + 0.375 * length * r
            )
            axial = 0.5 * tube * r**2 + 0.4 * caps * r**2
            return tube + caps, np.array([side, side, axial])
        case _:
            raise ValueError(f"no volume known for a {shape.kind}")
