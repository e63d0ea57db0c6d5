"""Shapes, poses, bars, hinges and tubes that the catalogue builds its links from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from gelenk.models.dh import DhRow, dh_matrix, links_from_dh
from gelenk.models.link import Geometry, JointType, Link, Loop
from gelenk.spatial.se3 import inverse
from gelenk.typing import ArrayLike, FloatArray


def shift(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> FloatArray:
    """Return the pose at (x, y, z) [m] with unturned axes."""
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def with_z(origin: ArrayLike, direction: ArrayLike) -> FloatArray:
    """Return a pose at `origin` [m] whose z axis points along `direction`."""
    z = np.asarray(direction, dtype=np.float64)
    z = z / np.sqrt(z @ z)
    x = np.zeros(3)
    x[np.abs(z).argmin()] = 1.0
    x -= (x @ z) * z
    x /= np.sqrt(x @ x)
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, origin
    return T


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
        density: Density of the filled shapes [kg/m^3].
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


Point: TypeAlias = tuple[float, float]

DENSITY = 2700.0  # [kg/m^3], aluminium, chosen


def meet(p: Point, r: float, q: Point, s: float, *, left: bool) -> Point:
    """Return the point at distance `r` from `p` and `s` from `q` [m].

    Of the two, the one to the left or to the right of the way from `p` to `q`, seen
    with x to the right and z upwards. The circles must meet.
    """
    dx, dz = q[0] - p[0], q[1] - p[1]
    d = np.hypot(dx, dz)
    along = (r**2 - s**2 + d**2) / (2.0 * d)
    across = np.sqrt(r**2 - along**2) * (1.0 if left else -1.0)
    return (
        float(p[0] + (along * dx - across * dz) / d),
        float(p[1] + (along * dz + across * dx) / d),
    )


def heading(p: Point, q: Point) -> float:
    """Return the angle of the way from `p` to `q` [rad]."""
    return float(np.arctan2(q[1] - p[1], q[0] - p[0]))


def bar(
    name: str,
    parent: str,
    at: Point,
    corners: Sequence[Point],
    *,
    home: float,
    joint: str = "",
    layer: int = 0,
    radius: float = 0.01,
    rgba: Rgba = GREY,
) -> Link:
    """Return a rigid bar, or a plate with several corners, on a hinge.

    Args:
        name: Name of the link.
        parent: Name of the link that carries it.
        at: Hinge of the bar in the parent's frame [m].
        corners: Other hinges of the bar in its own frame [m]; two make a triangle.
        home: Joint value when assembled [rad].
        joint: Name of the motor's joint; empty for a passive joint.
        layer: Place in the stack of bars along y.
        radius: Radius of the drawn bars [m].
        rgba: Colour.
    """
    y = -2.2 * radius * layer
    ring = [(0.0, 0.0), *corners]
    edges = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    if len(ring) == 2:
        edges = edges[:1]
    shapes: list[Geometry] = [
        capsule((p[0], y, p[1]), (q[0], y, q[1]), radius, rgba) for p, q in edges
    ]
    mass, com, inertia = solid(shapes, DENSITY)
    pin = cylinder(
        (0, y - 1.3 * radius, 0), (0, y + 1.3 * radius, 0), 1.2 * radius, DARK
    )
    return Link(
        name=name,
        parent=parent,
        joint=joint or f"{name}_hinge",
        joint_type=JointType.REVOLUTE,
        T_parent_joint=shift(at[0], 0.0, at[1]),
        axis=(0.0, -1.0, 0.0),
        mass=mass,
        com=(com[0], 0.0, com[2]),
        inertia=inertia,
        is_passive=not joint,
        home=home,
        geometry=(*shapes, pin),
    )


def point(name: str, parent: str, at: Point) -> Link:
    """Return a marked point of a link, as a fixed frame."""
    return Link(name=name, parent=parent, T_parent_joint=shift(at[0], 0.0, at[1]))


def ground(*pivots: Point, radius: float = 0.01) -> Link:
    """Return the base with its pivots drawn."""
    shapes = [
        cylinder((x, -3.0 * radius, z), (x, 3.0 * radius, z), 1.5 * radius, DARK)
        for x, z in pivots
    ]
    return Link(name="base", geometry=tuple(shapes))


def pin(name: str, first: tuple[str, Point], second: tuple[str, Point]) -> Loop:
    """Return the closure that holds a point of one bar on a point of another.

    "point" asks for three equations; the one across the plane always holds.
    """
    frames = [shift(at[0], 0.0, at[1]) for _, at in (first, second)]
    return Loop(name=name, links=(first[0], second[0]), T_link_frame=np.stack(frames))


def hinge_arm(
    bodies: Sequence[Link],
    T_parent_joint: Sequence[ArrayLike],
    *,
    axis: ArrayLike = (0.0, 0.0, 1.0),
    lower: ArrayLike,
    upper: ArrayLike,
    max_velocity: ArrayLike,
    max_effort: ArrayLike,
    home: ArrayLike,
) -> list[Link]:
    """Return the bodies, each but the first on `joint_i` of the one before.

    Args:
        bodies: Links by name, mass and shapes; the base, then one per hinge.
        T_parent_joint: Pose of each body in the one before at joint value 0.
        axis: Axis in the frame of the body, one for all hinges or one per hinge.
        lower: Joint limits [rad], one per hinge.
        upper: Joint limits [rad], one per hinge.
        max_velocity: Largest speed [rad/s], one per hinge.
        max_effort: Largest torque [N m], one per hinge.
        home: Joint values of the home configuration [rad].
    """
    count = len(bodies) - 1
    figures = np.array([lower, upper, max_velocity, max_effort, home], dtype=np.float64)
    links = [bodies[0]]
    for i, (body, T, direction, (low, high, speed, effort, start)) in enumerate(
        zip(
            bodies[1:],
            T_parent_joint,
            np.broadcast_to(axis, (count, 3)),
            figures.T.tolist(),
            strict=True,
        ),
        start=1,
    ):
        links.append(
            replace(
                body,
                parent=links[-1].name,
                joint=f"joint_{i}",
                joint_type=JointType.REVOLUTE,
                T_parent_joint=T,
                axis=direction,
                lower=low,
                upper=high,
                max_velocity=speed,
                max_effort=effort,
                home=start,
            )
        )
    return links


def tube_arm(
    rows: Sequence[DhRow],
    *,
    base: tuple[Geometry, ...],
    radius: float | Sequence[float] = 0.04,
    rod: float = 0.0,
    density: float | None = None,
    rgba: Rgba = GREY,
) -> list[Link]:
    """Return the links `base`, `axis_1`, `link_1`, ... of an arm; `base` is S_0.

    Args:
        rows: Standard DH rows, base to tool; one with shapes of its own keeps them.
        base: Shapes of the base in S_0.
        radius: Radius of the tubes [m], one for all rows or one per row.
        rod: Length of the rod that a slider pushes out, backwards along z [m].
        density: Density of the filled shapes [kg/m^3]; None keeps the rows' masses.
        rgba: Colour of the tubes.
    """
    drawn: list[DhRow] = []
    radii: list[float] = np.broadcast_to(radius, len(rows)).tolist()
    for row, r in zip(rows, radii, strict=True):
        shapes = row.geometry or _tubes(row, r, rod, rgba)
        row = replace(row, geometry=shapes)
        if density is not None:
            mass, com, inertia = solid(shapes, density)
            row = replace(row, mass=mass, com=com, inertia=inertia)
        drawn.append(row)
    return [Link(name="base", geometry=base), *links_from_dh(drawn, parent="base")]


def _tubes(row: DhRow, r: float, rod: float, rgba: Rgba) -> tuple[Geometry, ...]:
    """Return housing, tube along d and tube along a in S_i."""
    if row.kind == "P":
        shapes = [cylinder((0, 0, -rod), (0, 0, 0), r)] if rod else []
        top = 0.0
    else:
        top = row.d
        middle = 1.4 * r * np.sign(top)  # beside the previous link if the tube rises
        shapes = [cylinder((0, 0, middle - 1.4 * r), (0, 0, middle + 1.4 * r), 1.2 * r)]
        if top:
            shapes.append(capsule((0, 0, 0), (0, 0, top), r, rgba))
    if row.a:
        shapes.append(capsule((0, 0, top), (row.a, 0, top), r, rgba))
    T_link_axis = inverse(dh_matrix(0.0, top, row.a, row.alpha))
    return tuple(moved(shape, T_link_axis) for shape in shapes)
