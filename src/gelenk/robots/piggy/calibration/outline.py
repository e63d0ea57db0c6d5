"""The bat's sphere in an image: its cone of rays, from edges below one pixel.

Rays that touch a sphere form a circular cone about the direction of its centre; with
d unit rays and n = axis / cos(half angle) that is d . n = 1, linear in n, and exact for
any lens: edges are turned into rays one by one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.ndimage import gaussian_filter, map_coordinates

from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics, project, unproject
from gelenk.vision.image_types import as_gray
from gelenk.vision.sphere import camera_row, sphere_circle

RAYS = 120  # around the outline
REACHES = (14.0, 7.0, 4.0)  # [px] to either side, round by round
STEP = 0.25  # [px] between samples of a profile
SMOOTHING = 0.6  # [px], before edges are sought; more moves shaded ones inwards
LEAST_SLOPE = 1.5  # [gray levels/px] of an edge
LEAST_COVERAGE = 0.45
INLIER = 1.0  # [px]
SOUGHT = 110.0  # [px] around the guess, in the coarse search
SCALES = (0.94, 1.0, 1.06)  # of the expected outline
VOTES = 60  # points of an outline that is moved about
BLUNT = 2.0  # [px], smoothing of its edges
FAINT = 0.5  # [gray levels/px], an edge that half counts
TRIES = 4  # places that are looked at closely


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SphereSight:
    """A sphere as one camera saw it.

    Attributes:
        p_camera: Centre [m], camera axes, (3,).
        circle: (u, v, r) that stands for it, see `sphere_circle`, (3,) [px].
        coverage: Share of the outline with an edge where it should be.
        rms: Of these edges [px].
    """

    p_camera: FloatArray
    circle: FloatArray
    coverage: float
    rms: float


def see_sphere(
    image: Any,
    intrinsics: Intrinsics,
    p_expected: FloatArray,
    radius: float,
    *,
    place: str = "",
) -> SphereSight:
    """Return a sphere that is about where it is expected.

    Args:
        image: Gray levels, uint8.
        intrinsics: The camera.
        p_expected: Centre in camera axes [m], wrong by 0.15 m at most, (3,).
        radius: Of the sphere [m].
        place: Which image it is, for messages.

    Raises:
        CalibrationError: If there is none, or a part of it is outside of the image.
    """
    gray = as_gray("image", image).astype(np.float64)
    words = place or "the image"
    if not p_expected[2] > radius:
        raise CalibrationError(
            "sphere not seen", f"{words}: it should be behind the camera"
        )
    calm = gaussian_filter(gray, SMOOTHING)
    found = [
        _refine(calm, intrinsics, cone)
        for cone in _coarse(gray, intrinsics, p_expected, radius)
    ]
    coverage, rms, cone = max(found, key=lambda item: item[0])
    if coverage < LEAST_COVERAGE:
        if any(math.isnan(item[1]) for item in found) or not _is_whole(
            intrinsics, p_expected, radius
        ):
            raise CalibrationError(
                "sphere cut off",
                f"{words}: a part of the sphere lies outside",
                advice="lean the bat to where both cameras see all of it",
            )
        raise CalibrationError(
            "sphere not seen",
            f"{words}: edges on {100.0 * coverage:.0f} % of the outline only",
            advice="clear what is in front of the bat, and light it evenly",
        )
    p = _center(cone, radius)
    row = camera_row(intrinsics, np.eye(4))
    circle = sphere_circle(row[None], p, radius)[0]
    return SphereSight(p_camera=p, circle=circle, coverage=coverage, rms=rms)


def _refine(
    calm: FloatArray, intrinsics: Intrinsics, cone: FloatArray
) -> tuple[float, float, FloatArray]:
    """Return coverage, rms of the edges [px] and the cone; rms NaN if it is cut off."""
    coverage, rms = 0.0, math.inf
    room = np.array([intrinsics.width - 1.0, intrinsics.height - 1.0])
    for reach in REACHES:
        points, normals = _outline(intrinsics, cone)
        if np.any((points < 0.0) | (points > room)):
            return 0.0, math.nan, cone
        edges, is_edge = _edges(calm, points, normals, reach)
        if is_edge.sum() < LEAST_COVERAGE * RAYS:
            return 0.0, rms, cone
        cone, errors = _fit(intrinsics, edges[is_edge], cone)
        good = np.abs(errors) < INLIER
        coverage = float(good.sum()) / RAYS
        rms = float(np.sqrt(np.mean(errors[good] ** 2))) if good.any() else math.inf
    return coverage, rms, cone


def _coarse(
    gray: FloatArray, intrinsics: Intrinsics, p: FloatArray, radius: float
) -> list[FloatArray]:
    """Return n of the best cones near the expected one, best first.

    The expected outline is moved about and scaled; where most of it runs along edges,
    whatever their sign and contrast, the sphere may be.
    """
    size = float(np.linalg.norm(p))
    n = p / size / math.sqrt(1.0 - (radius / size) ** 2)
    points, normals = _outline(intrinsics, n)
    points, normals = points[:: RAYS // VOTES], normals[:: RAYS // VOTES]
    middle = points.mean(axis=0)
    gy, gx = np.gradient(gaussian_filter(gray, BLUNT))
    # Edges count by direction; weak ones less than those of one level per pixel.
    length = np.sqrt(gx * gx + gy * gy + FAINT**2)
    gx, gy = gx / length, gy / length
    shift = np.arange(-SOUGHT, SOUGHT + 1.0, 3.0)
    dx, dy = np.meshgrid(shift, shift)
    best: list[tuple[float, FloatArray]] = []
    rows, columns = gray.shape
    for scale in SCALES:
        votes = np.zeros(dx.shape)
        for point, (nx, ny) in zip(points, normals, strict=True):
            x, y = middle + scale * (point - middle)
            i = np.rint(y + dy).astype(np.intp)
            j = np.rint(x + dx).astype(np.intp)
            inside = (i >= 0) & (i < rows) & (j >= 0) & (j < columns)
            i, j = np.clip(i, 0, rows - 1), np.clip(j, 0, columns - 1)
            votes += inside * (gx[i, j] * nx + gy[i, j] * ny) ** 2
        for _ in range(TRIES):
            k = np.unravel_index(int(np.argmax(votes)), votes.shape)
            move = np.array([dx[k], dy[k]])
            best.append((float(votes[k]), _moved(intrinsics, n, move, scale)))
            votes[np.hypot(dx - dx[k], dy - dy[k]) < 10.0] = 0.0
    best.sort(key=lambda item: -item[0])
    return [cone for _, cone in best[:TRIES]]


def _moved(
    intrinsics: Intrinsics, n: FloatArray, move: FloatArray, scale: float
) -> FloatArray:
    """Return a cone with its axis moved in the image [px], and its angle scaled."""
    size = float(np.linalg.norm(n))
    angle = scale * math.acos(1.0 / size)
    ray = unproject(intrinsics, project(intrinsics, n / size) + move)
    return ray / np.linalg.norm(ray) / math.cos(angle)


def _is_whole(intrinsics: Intrinsics, p: FloatArray, radius: float) -> bool:
    """Return whether all of a sphere should be in the image."""
    row = camera_row(intrinsics, np.eye(4))
    u, v, r = sphere_circle(row[None], p, radius)[0]
    width, height = intrinsics.width - 1.0, intrinsics.height - 1.0
    return bool(r < u < width - r and r < v < height - r)


def _center(n: FloatArray, radius: float) -> FloatArray:
    """Return the centre of a sphere [m] from its cone."""
    size = float(np.linalg.norm(n))
    return n / size * radius / math.sqrt(1.0 - 1.0 / size**2)


def _outline(intrinsics: Intrinsics, n: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return points of the outline [px] and unit normals outwards, (RAYS, 2) each."""
    size = float(np.linalg.norm(n))
    axis, angle = n / size, math.acos(1.0 / size)
    first = np.cross(axis, [0.0, 1.0, 0.0])
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    phi = 2.0 * math.pi * np.arange(RAYS)[:, None] / RAYS
    around = np.cos(phi) * first + np.sin(phi) * second
    points = [
        project(intrinsics, math.cos(a) * axis + math.sin(a) * around)
        for a in (angle, angle + 1e-3)
    ]
    out = points[1] - points[0]
    return points[0], out / np.linalg.norm(out, axis=1, keepdims=True)


def _edges(
    image: FloatArray, points: FloatArray, normals: FloatArray, reach: float
) -> tuple[FloatArray, np.ndarray]:
    """Return the edges nearest to an outline [px], (RAYS, 2), and where there are any.

    The strongest slope of either sign counts, less so far from the outline.
    """
    shift = np.arange(-reach - 1.0, reach + 1.0 + STEP / 2.0, STEP)
    where = points[:, None] + shift[:, None] * normals[:, None]
    level = map_coordinates(
        image, [where[..., 1], where[..., 0]], order=1, mode="nearest"
    )
    half = round(0.5 / STEP)
    slope = np.abs(level[:, 2 * half :] - level[:, : -2 * half])
    s = shift[half:-half]
    weight = slope * (1.0 - 0.5 * np.abs(s) / (reach + 1.0))
    best = np.clip(np.argmax(weight, axis=1), 1, len(s) - 2)
    k = np.arange(len(points))
    a, b, c = slope[k, best - 1], slope[k, best], slope[k, best + 1]
    bend = a - 2.0 * b + c
    flat = bend > -1e-9
    part = np.where(flat, 0.0, 0.5 * (a - c) / np.where(flat, -1.0, bend))
    found = s[best] + STEP * np.clip(part, -1.0, 1.0)
    is_edge = (b >= LEAST_SLOPE) & (best > 1) & (best < len(s) - 2)
    return points + found[:, None] * normals, is_edge


def _fit(
    intrinsics: Intrinsics, edges: FloatArray, n: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return n of the cone through edges, a few of them wrong, and errors [px]."""
    rays = unproject(intrinsics, edges)
    rays = rays / np.linalg.norm(rays, axis=1, keepdims=True)
    scale = intrinsics.fx / rays[:, 2]  # [px/rad], about
    weight = np.ones(len(rays))
    errors = np.zeros(len(rays))
    for _ in range(12):
        w = weight[:, None]
        n = np.linalg.solve(rays.T @ (w * rays), (w * rays).sum(axis=0))
        size = float(np.linalg.norm(n))
        sine = math.sqrt(max(size**2 - 1.0, 1e-12))
        errors = scale * (1.0 - rays @ n) / sine
        spread = max(1.4826 * float(np.median(np.abs(errors))), 0.05)
        weight = np.clip(1.0 - (errors / (4.7 * spread)) ** 2, 0.0, None) ** 2
    return n, errors
