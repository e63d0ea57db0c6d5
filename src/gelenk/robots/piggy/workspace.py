"""Where the bat can be: a torus sheet, its border, its singularities, and the guard."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gelenk.checks import as_array
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.config import GUARD_THRESHOLD, UNIT, UnitCfg
from gelenk.robots.piggy.kinematics import forward, inverse, jacobian
from gelenk.typing import ArrayLike, BoolArray, FloatArray

Validity = Callable[[FloatArray], bool]


def height(p_world: ArrayLike, *, cfg: UnitCfg = UNIT) -> FloatArray:
    """Return the signed distance of points from the workspace [m], shape (...).

    Positive outside. The surface is (sqrt(x^2 + z^2) - o)^2 + y^2 = l^2 about the roll
    axis, not an ellipsoid.

    Args:
        p_world: Points [m], shape (..., 3).
        cfg: Geometry.
    """
    x, y, z = np.moveaxis(
        as_array("p_world", p_world, (3,)) - np.array(cfg.origin), -1, 0
    )
    radial = np.hypot(x, z) - cfg.axis_offset
    return np.hypot(radial, y) - cfg.bat_length


def is_valid(q: ArrayLike, *, cfg: UnitCfg = UNIT) -> BoolArray:
    """Return whether poses may be used: within the angles, sphere clear of the housing.

    Args:
        q: Roll and tilt [rad], shape (..., 2).
        cfg: Geometry.
    """
    q = as_array("q", q, (2,))
    inside = (np.abs(q) <= cfg.valid_angle).all(axis=-1)
    width, depth, top = unit.HOUSING
    low, high = np.array([-width, -depth, 0.0]), np.array([0.0, 0.0, top])
    centre = forward(q, cfg=cfg)
    gap = np.linalg.norm(centre - np.clip(centre, low, high), axis=-1)
    return inside & (gap >= unit.SPHERE_RADIUS)


def is_reachable(
    p_world: ArrayLike, *, tolerance: float = 1e-9, cfg: UnitCfg = UNIT
) -> BoolArray:
    """Return whether the sphere's centre can be put on points, shape (...).

    Args:
        p_world: Points [m], shape (..., 3).
        tolerance: Distance from the surface [m].
        cfg: Geometry.
    """
    q = inverse(p_world, cfg=cfg)
    known = np.isfinite(q).all(axis=-1)
    valid = is_valid(np.nan_to_num(q), cfg=cfg)
    return known & valid & (np.abs(height(p_world, cfg=cfg)) <= tolerance)


def condition(q: ArrayLike, *, cfg: UnitCfg = UNIT) -> FloatArray:
    """Return the condition of the Jacobian, infinite where it is singular, (...)."""
    sizes = np.linalg.norm(jacobian(q, cfg=cfg), axis=-2)  # its columns are orthogonal
    with np.errstate(divide="ignore"):
        return sizes.max(axis=-1) / sizes.min(axis=-1)


def singular_tilt(*, cfg: UnitCfg = UNIT) -> float:
    """Return the tilt at which roll no longer moves the sphere [rad], both signs.

    Just beyond the front and back edges: l cos t + o = 0.
    """
    return float(np.arccos(-cfg.axis_offset / cfg.bat_length))


def guard(
    q_now: ArrayLike,
    q_target: ArrayLike,
    *,
    threshold: float = GUARD_THRESHOLD,
    valid: Validity | None = None,
    cfg: UnitCfg = UNIT,
) -> FloatArray:
    """Return the target, or the last valid pose on the way to it (§4.3.4).

    The way between both places of the sphere is halved, the middle put on the
    workspace, and the half that leaves the valid region halved again.

    Args:
        q_now: Roll and tilt now, a valid pose [rad], shape (2,).
        q_target: Wanted roll and tilt [rad], shape (2,).
        threshold: Length of the way at which halving ends [m].
        valid: Tells whether a pose may be used; None: `is_valid`.
        cfg: Geometry.

    Returns:
        Roll and tilt [rad], shape (2,); `q_now` if it is itself not valid.
    """
    check = valid or (lambda q: bool(is_valid(q, cfg=cfg)))
    now, target = as_array("q_now", q_now, (2,)), as_array("q_target", q_target, (2,))
    if check(target):
        return np.array(target)
    best = np.array(now)
    a, b = forward(now, cfg=cfg), forward(target, cfg=cfg)
    while np.linalg.norm(b - a) > threshold:
        q = inverse((a + b) / 2.0, cfg=cfg)
        if not np.isfinite(q).all() or not check(q):
            # Beyond the singularities: the chord's own middle stands for the pose.
            b = forward(q, cfg=cfg) if np.isfinite(q).all() else (a + b) / 2.0
        else:
            a, best = forward(q, cfg=cfg), q
    return best
