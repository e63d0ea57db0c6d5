"""What a soccer robot makes of its images: ball, posts and lines on the ground.

Colours are told apart by hue and saturation, which light hardly changes; connected
pixels are one thing; a circle through the border of an orange thing gives its centre
and size, also of a ball that is hidden in part; centre and size both tell how far it
is. Lines are what is much brighter than the carpet and has no colour.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gelenk.course.scenarios.soccer_field import (
    BALL_RADIUS,
    BLUE,
    CAMERA,
    EYE_HEIGHT,
    POST_RADIUS,
    YELLOW,
    BodyReading,
    Pixels,
    Sight,
    camera_in_robot,
)
from gelenk.estimation.fitting import fit_sphere
from gelenk.typing import BoolArray, FloatArray
from gelenk.vision.camera import unproject
from gelenk.vision.image_types import hsi_from_rgb, hue_distance
from gelenk.vision.segmentation import label_components

BALL_HUE, BALL_HUE_GAP = np.radians(21.0), np.radians(13.0)
POST_HUES = {YELLOW: np.radians(52.0), BLUE: np.radians(227.0)}
POST_HUE_GAP = np.radians(14.0)
CARPET_HUE, CARPET_HUE_GAP = np.radians(129.0), np.radians(30.0)
SWAY = 0.012  # standard deviation of pitch and roll that nobody measures [rad]
MAX_BALL_RANGE, MAX_LINE_RANGE = 6.0, 2.8  # [m]
MAX_LINE_POINTS = 28
_BALL_ROUGHNESS = 0.45  # [px], of a border whose pixels are in or out


def see(pixels: Pixels, body: BodyReading) -> Sight:
    """Return what an image shows.

    Args:
        pixels: Red, green, blue, shape (120, 160, 3).
        body: The head as it was then.
    """
    hue, saturation, intensity = np.moveaxis(hsi_from_rgb(pixels), -1, 0)
    T = camera_in_robot(body.pan, body.tilt)
    is_vivid = (saturation > 0.4) & (intensity > 18.0)
    orange = is_vivid & (hue_distance(hue, BALL_HUE) < BALL_HUE_GAP)
    balls = [ball for mask, at in _things(orange, 4) if (ball := _ball(mask, at, T))]
    posts = []
    for kind, wanted in POST_HUES.items():
        painted = is_vivid & (hue_distance(hue, wanted) < POST_HUE_GAP)
        for mask, at in _things(painted, 10):
            post = _post(mask, at, T)
            posts += [(float(kind), *post)] if post else []
    return Sight(
        number=body.number,
        balls=np.array(balls).reshape(-1, 4),
        posts=np.array(posts).reshape(-1, 4),
        lines=_lines(hue, saturation, intensity, T),
    )


def _things(mask: BoolArray, least: int) -> Iterator[tuple[BoolArray, FloatArray]]:
    """Yield connected pixels: each as its own mask, and (row, column) of its corner."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return
    corner = np.array([rows[0], columns[0]])
    labels, count = label_components(
        mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    )
    sizes = np.bincount(labels.ravel(), minlength=count + 1)
    for k in range(1, count + 1):
        if sizes[k] < least:
            continue
        v, u = np.nonzero(labels == k)
        cut = labels[v.min() : v.max() + 1, u.min() : u.max() + 1] == k
        yield cut, corner + np.array([v.min(), u.min()])


def border_points(mask: BoolArray, corner: FloatArray) -> FloatArray:
    """Return points (u, v) between pixels in and out of a thing, shape (k, 2) [px].

    Where the image ends nobody knows what is out: no points there.
    """
    padded = np.pad(mask, 1)
    v, u = np.nonzero(padded[:, 1:] != padded[:, :-1])
    beside = np.stack([u - 0.5, v - 1.0], axis=1)
    v, u = np.nonzero(padded[1:] != padded[:-1])
    below = np.stack([u - 1.0, v - 0.5], axis=1)
    points = np.concatenate([beside, below]) + corner[::-1]
    last = np.array([CAMERA.width - 1.0, CAMERA.height - 1.0])
    return points[((points > 0.0) & (points < last)).all(axis=1)]


def _ball(
    mask: BoolArray, corner: FloatArray, T: FloatArray
) -> tuple[float, float, float, float] | None:
    """Return where a thing is if it is a ball: x, y, sigmas along and across [m]."""
    points = border_points(mask, corner)
    if len(points) < 6 or (np.ptp(points, axis=0) < 1.0).any():
        return None
    circle = fit_sphere(points)
    r = circle.radius
    rough = float(np.sqrt(2.0 * circle.cost / len(points)))
    if not 0.8 < r < 60.0 or rough > _BALL_ROUGHNESS + 0.06 * r:
        return None
    ray = unproject(CAMERA, circle.center)
    size = float(np.linalg.norm(ray))
    ahead = T[:3, :3] @ ray / size
    # The border of a sphere is seen under asin(R / d).
    by_size = BALL_RADIUS / np.sin(np.arctan(r / (CAMERA.fx * size)))
    flat = max(float(np.hypot(*ahead[:2])), 1e-6)
    along_size = by_size * flat
    sigma_size = along_size * 0.25 / r + 0.01
    if ahead[2] > -0.02:
        along, sigma = along_size, sigma_size
    else:
        drop = EYE_HEIGHT - BALL_RADIUS
        along_ground = drop * flat / -ahead[2]
        sigma_ground = (along_ground**2 + drop**2) / drop * SWAY + 0.01
        if abs(along_ground - along_size) > 3.5 * np.hypot(sigma_ground, sigma_size):
            return None
        weights = 1.0 / np.array([sigma_ground, sigma_size]) ** 2
        along = float(weights @ [along_ground, along_size] / weights.sum())
        sigma = float(weights.sum() ** -0.5)
    if along > MAX_BALL_RANGE:
        return None
    x, y = along * ahead[:2] / flat
    return float(x), float(y), sigma, along * 0.5 * SWAY + 0.008


def _post(
    mask: BoolArray, corner: FloatArray, T: FloatArray
) -> tuple[float, float, float] | None:
    """Return range [m], bearing [rad] and sigma of the range of a post, if it is."""
    height, width = mask.shape
    bottom = corner[0] + height - 0.5
    if height < 2 * width or bottom > CAMERA.height - 2:
        return None
    foot = np.flatnonzero(mask[-3:].any(axis=0))
    u = corner[1] + foot.mean()
    ray = T[:3, :3] @ unproject(CAMERA, np.array([u, bottom]))
    if ray[2] > -0.05:
        return None
    way = EYE_HEIGHT / -ray[2]
    wide = len(foot) * way / CAMERA.fx
    if not 0.4 < wide / (2.0 * POST_RADIUS) < 2.0:
        return None
    reach = float(np.hypot(*(way * ray[:2]))) + POST_RADIUS
    sigma = (reach**2 + EYE_HEIGHT**2) / EYE_HEIGHT * SWAY + 0.02
    return reach, float(np.arctan2(ray[1], ray[0])), sigma


def _lines(
    hue: FloatArray, saturation: FloatArray, intensity: FloatArray, T: FloatArray
) -> FloatArray:
    """Return points of lines on the ground in robot axes [m], shape (k, 2)."""
    carpet = (hue_distance(hue, CARPET_HUE) < CARPET_HUE_GAP) & (saturation > 0.25)
    if carpet.sum() < 200:
        return np.empty((0, 2))
    level = float(np.median(intensity[carpet]))
    v, u = np.nonzero((saturation < 0.2) & (intensity > 1.8 * level))
    if len(v) > 6 * MAX_LINE_POINTS:
        step = len(v) // (6 * MAX_LINE_POINTS) + 1
        v, u = v[::step], u[::step]
    rays = unproject(CAMERA, np.stack([u, v], axis=-1).astype(float)) @ T[:3, :3].T
    rays = rays[rays[:, 2] < -0.1]
    points = rays[:, :2] * (EYE_HEIGHT / -rays[:, 2:])
    points = points[np.hypot(points[:, 0], points[:, 1]) < MAX_LINE_RANGE]
    return points[:: len(points) // MAX_LINE_POINTS + 1]
