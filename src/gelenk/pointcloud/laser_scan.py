"""Laser scanning in space: nodding planar scanners and multi-beam scanners.

A beam leaves the scanner at the bearing beta in its plane; the mount tilts the plane by
alpha. In the base

    p = R_y(alpha) (r cos beta, r sin beta, 0) + t

and a scan per tilt sweeps a volume. Several beams at fixed tilts that turn together
give the same directions, all within one turn.
"""

from __future__ import annotations

import numpy as np

from gelenk.checks import as_array, as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.pointcloud.cloud import PointCloud
from gelenk.spatial import so3
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics, project


def nodding_directions(bearings: ArrayLike, tilts: ArrayLike) -> FloatArray:
    """Return unit vectors of a planar scanner that nods, shape (tilts, bearings, 3).

    Base axes: x forward, y left, z up; a positive tilt looks down.

    Args:
        bearings: Bearings in the plane of the scanner, from x towards y [rad], shape
            (b,).
        tilts: Tilts about y, one per scan [rad], shape (t,).
    """
    beta = as_finite("bearings", bearings, ()).reshape(-1)
    flat = np.stack([np.cos(beta), np.sin(beta), np.zeros_like(beta)], axis=-1)
    R = so3.rot_y(as_finite("tilts", tilts, ()).reshape(-1))
    return np.einsum("tij,bj->tbi", R, flat)


def multi_beam_directions(headings: ArrayLike, elevations: ArrayLike) -> FloatArray:
    """Return unit vectors of beams that turn together, shape (headings, beams, 3).

    Args:
        headings: Headings about z [rad], shape (h,).
        elevations: Elevations of the beams above the xy plane [rad], shape (b,).
    """
    psi = as_finite("headings", headings, ()).reshape(-1)[:, None]
    eps = as_finite("elevations", elevations, ()).reshape(-1)
    parts = (
        np.cos(eps) * np.cos(psi),
        np.cos(eps) * np.sin(psi),
        np.sin(eps) + 0.0 * psi,
    )
    return np.stack(parts, axis=-1)


def cloud_from_ranges(
    ranges: ArrayLike,
    directions: ArrayLike,
    *,
    T_world_scanner: ArrayLike | None = None,
    max_range: float = np.inf,
) -> PointCloud:
    """Return the points where beams ended.

    Args:
        ranges: Ranges [m], shape (...); from `max_range` on, or not finite: nothing was
            met.
        directions: Unit vectors in the scanner's base, shape (..., 3).
        T_world_scanner: Pose of the base, shape (4, 4), or one per beam, (..., 4, 4),
            if it moves during the scan; by default the cloud stays in the base.
        max_range: Largest range of the scanner [m].

    Example:
        >>> ahead = nodding_directions([0.0], [0.0, np.pi / 6])
        >>> print(cloud_from_ranges([[2.0], [2.0]], ahead).points.round(3))
        [[ 2.     0.     0.   ]
         [ 1.732  0.    -1.   ]]
    """
    d = as_finite("directions", directions, (3,))
    r = np.asarray(ranges, dtype=float)
    if r.shape != d.shape[:-1]:
        raise ShapeError("ranges", expected=f"{d.shape[:-1]}", actual=r.shape)
    is_hit = np.isfinite(r) & (r < max_range)
    points = d * np.where(is_hit, r, 0.0)[..., None]
    if T_world_scanner is not None:
        T = as_finite("T_world_scanner", T_world_scanner, (4, 4))
        points = np.einsum("...ij,...j->...i", T[..., :3, :3], points) + T[..., :3, 3]
    return PointCloud(points=points[is_hit])


def cast_boxes(
    origin: ArrayLike, directions: ArrayLike, boxes: ArrayLike
) -> FloatArray:
    """Return how far beams go until they enter a box [m]; infinity: they miss all.

    Args:
        origin: Position where the beams begin [m], shape (3,).
        directions: Unit vectors, shape (..., 3).
        boxes: Lower and upper corners [m], shape (k, 2, 3). From within, a beam ends
            where it leaves: a room is a box, too.
    """
    d = as_finite("directions", directions, (3,))[..., None, :]
    box = as_finite("boxes", boxes, (2, 3)).reshape(-1, 2, 3)
    start = as_finite("origin", origin, (3,))
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (box[:, 0] - start) / d, (box[:, 1] - start) / d
    # a beam along a face's plane divides 0 by 0: it does not limit
    near = np.nan_to_num(np.minimum(a, b), nan=-np.inf, neginf=-np.inf, posinf=np.inf)
    far = np.nan_to_num(np.maximum(a, b), nan=np.inf, neginf=-np.inf, posinf=np.inf)
    enter, leave = near.max(axis=-1), far.min(axis=-1)
    is_hit = (enter <= leave) & (leave > 0.0)
    reach = np.where(enter > 0.0, enter, leave)
    return np.where(is_hit, reach, np.inf).min(axis=-1, initial=np.inf)


def colored_by_camera(
    cloud: PointCloud, image: ArrayLike, camera: Intrinsics, T_camera_cloud: ArrayLike
) -> PointCloud:
    """Return the points that a colour camera sees, in the colours it sees.

    Points are projected; where several fall into one pixel only the nearest is seen.

    Args:
        cloud: Points in their own frame.
        image: Colours 0 to 1, shape (rows, columns, 3).
        camera: The camera.
        T_camera_cloud: Pose of the cloud's frame in the camera, shape (4, 4).
    """
    colors = as_array("image", image, (3,))
    if colors.shape != (camera.height, camera.width, 3):
        expected = f"({camera.height}, {camera.width}, 3)"
        raise ShapeError("image", expected=expected, actual=colors.shape)
    if colors.size and not (colors.min() >= 0.0 and colors.max() <= 1.0):
        raise ConfigError("`image` must hold colours from 0 to 1")
    p_camera = cloud.transformed(T_camera_cloud).points
    pixels = project(camera, p_camera)
    with np.errstate(invalid="ignore"):
        is_seen = np.isfinite(pixels).all(axis=-1) & camera.contains(pixels)
    index = np.flatnonzero(is_seen)
    u, v = np.round(pixels[index]).astype(np.int64).T
    order = np.argsort(p_camera[index, 2], kind="stable")
    _, first = np.unique((v * camera.width + u)[order], return_index=True)
    chosen = np.sort(order[first])
    return PointCloud(
        points=cloud.points[index[chosen]], colors=colors[v[chosen], u[chosen]]
    )
