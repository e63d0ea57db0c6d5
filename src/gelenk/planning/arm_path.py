"""Smooth arm paths by optimisation: short, bent little, and clear of obstacles.

Minimise sum |q_k+1 - 2 q_k + q_k-1|^2 + w sum max(0, margin - d(q))^2 over all
configurations between the ends (kinematic trajectory optimisation in the manner of
CHOMP). A local method: it needs a first path that passes obstacles on the right side,
such as one from a random tree.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from gelenk.errors import ConfigError
from gelenk.planning.scene import Scene
from gelenk.planning.scene_kernels import clearance_at
from gelenk.planning.terms import Path
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmoothPath:
    """The path of an arm after smoothing.

    Attributes:
        path: Configurations, the ends unchanged.
        bend: Sum of squared second differences [rad^2].
        clearance: Least distance to obstacles at the configurations [m].
        is_free: Whether all motions between them are free.
        iterations: Of the solver.
    """

    path: Path
    bend: float
    clearance: float
    is_free: bool
    iterations: int


def smooth_arm_path(
    scene: Scene,
    path: Path,
    *,
    count: int = 30,
    margin: float = 0.05,
    weight: float = 100.0,
    max_iterations: int = 100,
) -> SmoothPath:
    """Return a smoother path between the same ends.

    Args:
        scene: Obstacles and arm.
        path: First path, free.
        count: Configurations of the result.
        margin: Distance to obstacles below which they push [m].
        weight: Of that push against smoothness [rad^2/m^2].
        max_iterations: Of the solver (L-BFGS-B, within the joint limits).

    Example:
        >>> import gelenk
        >>> from gelenk.planning.scene import arm_scene
        >>> arm = gelenk.load("planar2r")
        >>> box = [5, 5, 5, 6, 6, 6]  # far away
        >>> scene = arm_scene(arm, lower=[-3, -3], upper=[3, 3], boxes=[box])
        >>> bend = Path(points=np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
        >>> found = smooth_arm_path(scene, bend, count=12)
        >>> bool(found.path.length < bend.length)
        True
    """
    if count < 4:
        raise ConfigError(f"`count` must be at least 4, got {count}")
    first = path.at(np.linspace(0.0, path.length, count))
    n = first.shape[1]
    ends = (first[:1], first[-1:])

    def cost(z: FloatArray) -> tuple[float, FloatArray]:
        q = np.concatenate([ends[0], z.reshape(-1, n), ends[1]])
        second = q[2:] - 2.0 * q[1:-1] + q[:-2]
        slope = np.zeros_like(q)
        slope[2:] += 2.0 * second
        slope[1:-1] -= 4.0 * second
        slope[:-2] += 2.0 * second
        value = float((second**2).sum())
        for k in range(1, count - 1):
            push, push_slope = _push(scene, q[k], margin)
            value += weight * push
            slope[k] += weight * push_slope
        return value, slope[1:-1].ravel()

    limits = list(zip(scene.lower, scene.upper, strict=True)) * (count - 2)
    found = minimize(
        cost,
        first[1:-1].ravel(),
        jac=True,
        bounds=limits,
        method="L-BFGS-B",
        options={"maxiter": max_iterations},
    )
    q = np.concatenate([ends[0], found.x.reshape(-1, n), ends[1]])
    return SmoothPath(
        path=Path(points=q),
        bend=path_bend(q),
        clearance=min(float(ball_gaps(scene, row).min()) for row in q),
        is_free=bool(scene.are_free_between(q[:-1], q[1:]).all()),
        iterations=int(found.nit),
    )


def path_bend(points: FloatArray) -> float:
    """Return the sum of squared second differences of configurations, shape (k, n)."""
    second = points[2:] - 2.0 * points[1:-1] + points[:-2]
    return float((second**2).sum())


def ball_gaps(scene: Scene, q: FloatArray) -> FloatArray:
    """Return the distance of each ball on the arm to the nearest obstacle [m]."""
    centers = scene.cladding_centers(q)
    gaps = [clearance_at(center, *scene.obstacles) for center in centers]
    return np.array(gaps) - scene.cladding[:, 4]


def _push(scene: Scene, q: FloatArray, margin: float) -> tuple[float, FloatArray]:
    """Return sum max(0, margin - d)^2 over the balls, and its slope over q."""
    gaps = ball_gaps(scene, q)
    lack = np.maximum(margin - gaps, 0.0)
    slope = np.zeros(len(q))
    if lack.any():
        step = 1e-6
        for j in range(len(q)):
            e = np.zeros(len(q))
            e[j] = step
            rate = (ball_gaps(scene, q + e) - ball_gaps(scene, q - e)) / (2.0 * step)
            slope[j] = float(-2.0 * (lack * rate).sum())
    return float((lack**2).sum()), slope
