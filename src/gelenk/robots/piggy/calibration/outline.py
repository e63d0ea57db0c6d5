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

from gelenk.core.typing import FloatArray
from gelenk.core.vision.camera import Intrinsics, project, unproject
from gelenk.core.vision.circles import CircleCfg, Window, find_circles
from gelenk.core.vision.luma import as_gray
from gelenk.core.vision.sphere import camera_row, sphere_circle
from gelenk.robots.piggy.calibration.verdicts import CalibrationError

RAYS = 120  # around the outline
REACHES = (14.0, 7.0, 4.0)  # [px] to either side, round by round
STEP = 0.25  # [px] between samples of a profile
SMOOTHING = 0.6  # [px], before edges are sought; more moves shaded ones inwards
LEAST_SLOPE = 1.5  # [gray levels/px] of an edge
LEAST_COVERAGE = 0.45
INLIER = 1.0  # [px]
SOUGHT = 110.0  # [px] around the guess, in the coarse search


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
    gray = as_gray("image", image)
    words = place or "the image"
    cone = _coarse(gray, intrinsics, p_expected, radius, words)
    calm = gaussian_filter(gray.astype(np.float32), SMOOTHING)
    coverage = rms = 0.0
    for reach in REACHES:
        points, normals = _outline(intrinsics, cone)
        room = np.array([intrinsics.width - 1.0, intrinsics.height - 1.0])
        if np.any((points < 0.0) | (points > room)):
            raise _cut_off(words)
        edges, is_edge = _edges(calm, points, normals, reach)
        if is_edge.sum() < LEAST_COVERAGE * RAYS:
            break
        cone, errors = _fit(intrinsics, edges[is_edge], cone)
        good = np.abs(errors) < INLIER
        coverage = float(good.sum()) / RAYS
        rms = float(np.sqrt(np.mean(errors[good] ** 2))) if good.any() else math.inf
    if coverage < LEAST_COVERAGE and not _is_whole(intrinsics, p_expected, radius):
        raise _cut_off(words)
    if coverage < LEAST_COVERAGE:
        raise CalibrationError(
            "sphere not seen",
            f"{words}: edges on {100.0 * coverage:.0f} % of the outline only",
            advice="clear what is in front of the bat, and light it evenly",
        )
    p = _center(cone, radius)
    row = camera_row(intrinsics, np.eye(4))
    circle = sphere_circle(row[None], p, radius)[0]
    return SphereSight(p_camera=p, circle=circle, coverage=coverage, rms=rms)


def _coarse(
    gray: Any, intrinsics: Intrinsics, p: FloatArray, radius: float, words: str
) -> FloatArray:
    """Return n of the cone of the best circle near the expected one."""
    row = camera_row(intrinsics, np.eye(4))
    u, v, r = sphere_circle(row[None], p, radius)[0]
    if not math.isfinite(u):
        raise CalibrationError(
            "sphere not seen", f"{words}: it should be behind the camera"
        )
    cfg = CircleCfg(
        min_radius=0.6 * r,
        max_radius=1.6 * r,
        focal=intrinsics.fx,
        axis=(intrinsics.cx, intrinsics.cy),
        min_window_score=-8.0,
    )
    window = Window(
        center=(float(u), float(v)),
        half_size=SOUGHT,
        radius=r,
        radius_tolerance=0.3 * r,
    )
    found = find_circles(gray, cfg, windows=[window])
    if not len(found) and not _is_whole(intrinsics, p, radius):
        raise _cut_off(words)
    if not len(found):
        raise CalibrationError(
            "sphere not seen",
            f"{words}: no circle of about {r:.0f} px within {SOUGHT:.0f} px of "
            f"({u:.0f}, {v:.0f})",
            advice="clear the view, and check that the bat is where the servos say",
        )
    ray = unproject(intrinsics, found.center[0])
    axis = ray / np.linalg.norm(ray)
    # The centre of the ellipse lies outwards of the axis; the fit will see to that.
    angle = math.atan(float(found.radius[0]) / intrinsics.fx * axis[2] ** 1.5)
    return axis / math.cos(angle)


def _is_whole(intrinsics: Intrinsics, p: FloatArray, radius: float) -> bool:
    """Return whether all of a sphere should be in the image."""
    row = camera_row(intrinsics, np.eye(4))
    u, v, r = sphere_circle(row[None], p, radius)[0]
    width, height = intrinsics.width - 1.0, intrinsics.height - 1.0
    return bool(r < u < width - r and r < v < height - r)


def _cut_off(words: str) -> CalibrationError:
    return CalibrationError(
        "sphere cut off",
        f"{words}: a part of the sphere lies outside",
        advice="lean the bat to where both cameras see all of it",
    )


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
