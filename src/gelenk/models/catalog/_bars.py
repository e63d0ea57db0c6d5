"""Planar linkages: bars with hinges in the x-z plane, and how to close them.

Points are pairs (x, z) in metres. Joints turn about -y, so that angles count from x
towards z, as in a drawing with z upwards. A bar's frame lies in its first hinge with x
along the bar; bars are drawn side by side along y, while their kinematics stays flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from gelenk.models.catalog._pose import shift
from gelenk.models.catalog._shapes import (
    DARK,
    GREY,
    Rgba,
    capsule,
    cylinder,
    solid,
)
from gelenk.models.link import Geometry, JointType, Link, Loop

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
        at: Its hinge in the parent's frame [m].
        corners: Its other hinges in its own frame [m]; two of them make a triangle.
        home: Joint value when assembled [rad].
        joint: Name of the motor's joint; empty for a passive joint.
        layer: Place in the stack of bars along y.
        radius: Of the drawn bars [m].
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
