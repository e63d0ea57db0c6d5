"""Hand wheels in clouds: as the robot finds them, and as an operator sees them.

The robot takes the thing nearest to where it expects a wheel and asks how far its
points are from the template. An operator sees more: whether the template is covered,
too. A small thing lies within a wheel, but does not make one.
"""

from __future__ import annotations

import numpy as np

from gelenk.pointcloud.kd_tree import KdTree
from gelenk.pointcloud.planes import cut_clusters, find_plane
from gelenk.pointcloud.registration import IcpCfg, align_clouds
from gelenk.spatial import se3
from gelenk.typing import FloatArray

ANGLES = np.radians([0.0, 30.0, 60.0, 90.0])  # three spokes: 120 degrees are all
_ICP = IcpCfg(max_distance=0.1, max_iterations=30, tolerance=1e-5)


def find_things(cloud: FloatArray) -> tuple[FloatArray, ...]:
    """Return what stands out of the wall in a cloud, shape (k, 3) each [m]."""
    wall = find_plane(cloud, tolerance=0.015, rng=np.random.default_rng(0))
    if wall is None:
        return ()
    points = cloud[np.abs(wall.distances(cloud)) > 0.05]
    groups = cut_clusters(points, gap=0.045, min_points=15)
    return tuple(points[group] for group in groups)


def fit_wheel(
    points: FloatArray, wheel: KdTree, *, T_start: FloatArray | None = None
) -> tuple[float, FloatArray]:
    """Return how far points are from a wheel [m], and its pose T_base_wheel.

    Args:
        points: Of one thing, in base axes [m], shape (k, 3).
        wheel: The template in its frame.
        T_start: Where it should be, shape (4, 4); None: around the middle.
    """
    middle = points.mean(axis=0)
    starts = [facing(middle, a) for a in ANGLES] if T_start is None else [T_start]
    best: tuple[float, FloatArray] = (np.inf, np.eye(4))
    for start in starts:
        T = align_clouds(
            points, wheel, T_start=se3.inverse(start), cfg=_ICP
        ).T_target_source
        off = float(np.mean(wheel.nearest(se3.transform_point(T, points))[0]))
        if off < best[0]:
            best = (off, se3.inverse(T))
    return best


def judge_wheel(points: FloatArray, wheel: KdTree) -> tuple[float, FloatArray]:
    """Return how little a thing looks like a wheel [m], and the wheel's pose in it.

    Args:
        points: Of one thing, in base axes [m], shape (k, 3).
        wheel: The template in its frame.
    """
    fits, T_base_wheel = fit_wheel(points, wheel)
    template = se3.transform_point(T_base_wheel, wheel.points)
    covers = KdTree(points).nearest(template)[0]
    return fits + float(np.mean(np.minimum(covers, 0.05))), T_base_wheel


def facing(place: FloatArray, angle: float) -> FloatArray:
    """Return a wheel before the robot, its z axis towards it, shape (4, 4)."""
    c, s = np.cos(angle), np.sin(angle)
    out = np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return se3.pose_from_rotation_translation(out @ turn, place)
