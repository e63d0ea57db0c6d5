"""Balance on uneven ground: can friction forces at the contacts carry the motion?

A linear programme looks for λ ≥ 0 with Σ λ_ik [v_ik; (p_i - c) × v_ik] =
[m (c̈ - g); L̇], where v_ik are the edges of the friction cone of contact i.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

GRAVITY = np.array([0.0, 0.0, -9.81])  # [m/s^2]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContactBalance:
    """Whether contacts can carry a motion.

    Attributes:
        is_balanced: Forces exist.
        forces: One choice of them, of the ground on the robot [N], shape (k, 3).
    """

    is_balanced: bool
    forces: FloatArray


def cone_edges(normal: ArrayLike, friction: float, *, count: int = 8) -> FloatArray:
    """Return edges of a friction cone, unit normal part, shape (count, 3).

    The pyramid lies inside the cone: what it allows, friction allows.

    Example:
        >>> print(cone_edges([0, 0, 1], 0.5, count=4).round(9)[0])
        [0.5 0.  1. ]
    """
    n = as_finite("normal", normal, (3,))
    n = n / np.linalg.norm(n)
    side = np.eye(3)[int(np.argmin(np.abs(n)))]
    u = side - (side @ n) * n
    u /= np.linalg.norm(u)
    w = np.cross(n, u)
    angle = 2.0 * np.pi * np.arange(count) / count
    return n + friction * (np.cos(angle)[:, None] * u + np.sin(angle)[:, None] * w)


def contact_wrenches(
    points: ArrayLike,
    normals: ArrayLike,
    centre: ArrayLike,
    *,
    friction: float,
    count: int = 8,
) -> FloatArray:
    """Return the wrenches about `centre` of all cone edges, shape (6, k * count)."""
    p, n = as_finite("points", points, (3,)), as_finite("normals", normals, (3,))
    if p.shape != n.shape:
        raise ConfigError("every contact needs one point and one normal")
    columns: list[FloatArray] = []
    for point, normal in zip(p, n, strict=True):
        edges = cone_edges(normal, friction, count=count)
        arm = np.cross(point - np.asarray(centre, np.float64), edges)
        columns.append(np.concatenate([edges, arm], axis=1))
    return np.concatenate(columns).T


def contact_balance(
    points: ArrayLike,
    normals: ArrayLike,
    centre: ArrayLike,
    *,
    mass: float,
    friction: float,
    acceleration: ArrayLike = (0.0, 0.0, 0.0),
    spin_rate: ArrayLike = (0.0, 0.0, 0.0),
    count: int = 8,
) -> ContactBalance:
    """Return whether contacts carry a motion of the centre of mass.

    Args:
        points: Contacts [m], shape (k, 3).
        normals: Of the ground, away from it, shape (k, 3).
        centre: c, the centre of mass [m], shape (3,).
        mass: m [kg].
        friction: Coefficient.
        acceleration: c̈ [m/s^2], shape (3,).
        spin_rate: L̇, rate of the angular momentum about c [N m], shape (3,).
        count: Edges per friction cone.

    Example:
        >>> feet = [[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0]]
        >>> up = [[0, 0, 1]] * 3
        >>> load = dict(mass=10.0, friction=0.5)
        >>> contact_balance(feet, up, [0.05, 0.05, 0.5], **load).is_balanced
        True
        >>> contact_balance(feet, up, [0.15, 0.15, 0.5], **load).is_balanced
        False
    """
    W = contact_wrenches(points, normals, centre, friction=friction, count=count)
    need = _wanted(mass, acceleration, spin_rate)
    found = linprog(np.ones(W.shape[1]), A_eq=W, b_eq=need, method="highs")
    k = W.shape[1] // count
    forces = np.zeros((k, 3))
    if found.status == 0:
        forces = (W[:3] * found.x).T.reshape(k, count, 3).sum(axis=1)
    return ContactBalance(is_balanced=found.status == 0, forces=forces)


def balance_margin(
    points: ArrayLike,
    normals: ArrayLike,
    centre: ArrayLike,
    *,
    mass: float,
    friction: float,
    pushes: ArrayLike,
    count: int = 8,
) -> float:
    """Return the largest s for which every push s w can be resisted at rest.

    0 if the robot cannot even stand.

    Args:
        points: Shape (k, 3) [m].
        normals: Shape (k, 3).
        centre: Shape (3,) [m].
        mass: [kg].
        friction: Coefficient.
        pushes: Wrenches [f; n] about the centre in all directions of interest, shape
            (j, 6).
        count: Edges per friction cone.
    """
    W = contact_wrenches(points, normals, centre, friction=friction, count=count)
    need = _wanted(mass, np.zeros(3), np.zeros(3))
    worst = np.inf
    for push in as_finite("pushes", pushes, (6,)):
        A = np.column_stack([W, push])  # W λ + s w = weight
        cost = np.append(np.zeros(W.shape[1]), -1.0)
        found = linprog(cost, A_eq=A, b_eq=need, method="highs")
        if found.status == 2:
            return 0.0
        if found.status == 0:
            worst = min(worst, float(found.x[-1]))
    return worst


def _wanted(mass: float, acceleration: ArrayLike, spin_rate: ArrayLike) -> FloatArray:
    force = mass * (np.asarray(acceleration, np.float64) - GRAVITY)
    return np.concatenate([force, np.asarray(spin_rate, np.float64)])
