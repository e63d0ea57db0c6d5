"""Textbook impacts of solid spheres, and ballistic flight up to them.

Nothing of the package is used: flight is a parabola, the instant of touching a root of
the distance, the blow Newton's restitution with Coulomb friction. For solid spheres the
blow has no coupling between normal and tangent: a tangential impulse acts on the
inverse inertia 1/m + r^2/(2/5 m r^2) = 7/2 1/m.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import brentq

G = np.array([0.0, 0.0, -9.81])


@dataclass(frozen=True)
class SphereState:
    """Position, velocity and spin of a solid sphere, world axes, (3,) each."""

    p: np.ndarray
    v: np.ndarray
    w: np.ndarray
    radius: float
    mass: float

    def fly(self, t: float, gravity: np.ndarray = G) -> SphereState:
        """Return the state after a free flight of t seconds."""
        p = self.p + self.v * t + 0.5 * gravity * t * t
        return replace(self, p=p, v=self.v + gravity * t)


def strike(
    one: SphereState, other: SphereState, n: np.ndarray, e: float, mu: float
) -> tuple[SphereState, SphereState, np.ndarray]:
    """Return both spheres after the blow, and the impulse on `other`.

    Args:
        one: First sphere; an infinite mass makes it a wall or a bat.
        other: Second sphere.
        n: Unit normal from the first to the second.
        e: Restitution.
        mu: Friction.
    """
    arm_1, arm_2 = one.radius * n, -other.radius * n
    u = other.v + np.cross(other.w, arm_2) - one.v - np.cross(one.w, arm_1)
    inverse = 1.0 / one.mass + 1.0 / other.mass
    normal = float(u @ n)
    if normal >= 0.0:
        return one, other, np.zeros(3)
    slip = u - normal * n
    push = -(1.0 + e) * normal / inverse
    rub = -slip / (3.5 * inverse)
    if np.linalg.norm(rub) > mu * push:
        rub *= mu * push / np.linalg.norm(rub)
    impulse = push * n + rub
    return (
        _pushed(one, -impulse, arm_1),
        _pushed(other, impulse, arm_2),
        impulse,
    )


def _pushed(ball: SphereState, impulse: np.ndarray, arm: np.ndarray) -> SphereState:
    if np.isinf(ball.mass):
        return ball
    inertia = 0.4 * ball.mass * ball.radius**2
    return replace(
        ball,
        v=ball.v + impulse / ball.mass,
        w=ball.w + np.cross(arm, impulse) / inertia,
    )


def first_touch(
    distance: Callable[[float], float], until: float, looks: int = 400
) -> float | None:
    """Return the first root of a distance that starts positive, or None."""
    times = np.linspace(0.0, until, looks)
    before = times[0]
    for t in times[1:]:
        if distance(t) < 0.0:
            root: Any = brentq(distance, before, t, xtol=1e-14)
            return float(root)
        before = t
    return None


def nearest_on_box(
    point: np.ndarray, centre: np.ndarray, size: np.ndarray
) -> np.ndarray:
    """Return the point of a solid box, parallel to the axes, that is nearest."""
    half = 0.5 * np.asarray(size)
    return centre + np.clip(point - centre, -half, half)
