"""Pictures of the field as a small colour camera takes them.

Ground, lines, posts, people, robots and balls are cut by the ray of every pixel; light
changes in strength, colour and along the field, the exposure follows late, pixels are
noisy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.course.scenarios.soccer_field import (
    BALL_RADIUS,
    BOX_DEPTH,
    BOX_HALF,
    CAMERA,
    CIRCLE,
    HALF_LENGTH,
    HALF_WIDTH,
    POST_HEIGHT,
    POST_RADIUS,
    POSTS,
    YELLOW,
    Pixels,
)
from gelenk.spatial import se3
from gelenk.typing import FloatArray
from gelenk.vision.camera import unproject
from gelenk.vision.sphere import sphere_image

LINE_HALF = 0.025  # half of a line's width [m]
CARPET_MARGIN = 0.5  # of carpet beside the outer lines [m]
PIXEL_NOISE = 4.0  # [gray levels]
ORANGE = (0.95, 0.36, 0.06)
PAINT = {0: (0.85, 0.74, 0.10), 1: (0.10, 0.25, 0.80)}  # of posts
CARPET, CHALK, FLOOR = (0.10, 0.42, 0.15), (0.85, 0.85, 0.82), (0.36, 0.33, 0.31)
WALL, METAL = (0.52, 0.50, 0.47), (0.30, 0.30, 0.32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pillar:
    """An upright cylinder: post, person or robot."""

    x: float
    y: float
    radius: float
    height: float
    color: tuple[float, float, float]


GOAL_POSTS = tuple(
    Pillar(
        x=float(p[0]),
        y=float(p[1]),
        radius=POST_RADIUS,
        height=POST_HEIGHT,
        color=PAINT[0 if kind == YELLOW else 1],
    )
    for kind, places in POSTS.items()
    for p in places
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FieldLight:
    """How the field is lit at one moment.

    Attributes:
        gain: Of each colour, shape (3,).
        slope: Change of the brightness along x and y [1/m], shape (2,).
    """

    gain: FloatArray
    slope: FloatArray


def _rays() -> FloatArray:
    v, u = np.indices((CAMERA.height, CAMERA.width)).astype(float)
    return unproject(CAMERA, np.stack([u, v], axis=-1))


_RAYS = _rays()


def take_picture(
    T_world_camera: FloatArray,
    balls: FloatArray,
    pillars: tuple[Pillar, ...],
    light: FieldLight,
    *,
    exposure: float,
    rng: np.random.Generator,
) -> tuple[Pixels, int, float]:
    """Return an image (rows, columns, 3) of uint8, and two facts about it.

    Args:
        T_world_camera: Shape (4, 4).
        balls: Places of spheres on the ground [m], the first is the ball, (k, 2).
        pillars: What stands about.
        light: How all is lit.
        exposure: Gray levels per brightness.
        rng: Noise of the pixels.

    Returns:
        The image, how many pixels show the first ball, and the mean brightness.
    """
    R, eye = T_world_camera[:3, :3], T_world_camera[:3, 3]
    way = _RAYS @ R.T
    is_ground = way[..., 2] < -0.02
    depth = np.where(is_ground, -eye[2] / np.where(is_ground, way[..., 2], -1.0), 50.0)
    x, y = eye[0] + depth * way[..., 0], eye[1] + depth * way[..., 1]
    color = _ground(x, y, depth, float(eye[2]))
    color[~is_ground] = WALL
    reach = np.clip(1.0 + light.slope[0] * x + light.slope[1] * y, 0.55, 1.45)
    for pillar in pillars:
        _paint_pillar(color, depth, way, eye, pillar, T_world_camera)
    shown = 0
    for k, place in enumerate(balls):
        count = _paint_ball(color, depth, way, eye, place, T_world_camera)
        shown = count if k == 0 else shown
    color *= (reach * exposure)[..., None] * light.gain.astype(np.float32)
    color += PIXEL_NOISE * rng.standard_normal(color.shape, dtype=np.float32)
    bright = float(color.mean()) / exposure
    return np.clip(color + 0.5, 0.0, 255.0).astype(np.uint8), shown, bright


def _ground(
    x: NDArray[Any], y: NDArray[Any], depth: NDArray[Any], height: float
) -> NDArray[np.float32]:
    """Return the colours of carpet, lines and floor, float32."""
    x, y, depth = (part.astype(np.float32) for part in (x, y, depth))
    a, b = np.abs(x), np.abs(y)
    frame = np.abs(np.maximum(a - HALF_LENGTH, b - HALF_WIDTH))
    middle = a + np.maximum(b - HALF_WIDTH, 0.0)
    ring = np.abs(np.hypot(x, y) - CIRCLE)
    box = np.abs(np.maximum(HALF_LENGTH - BOX_DEPTH - a, b - BOX_HALF))
    box = box + np.maximum(a - HALF_LENGTH, 0.0)
    off = np.minimum(np.minimum(frame, middle), np.minimum(ring, box))
    # A pixel covers more ground the farther it looks, most of it along the ray.
    half = np.maximum(0.5 * depth / CAMERA.fx * np.sqrt(depth / height), 1e-3)
    share = np.clip((LINE_HALF + half - off) / (2.0 * half), 0.0, 1.0)
    share = (share * np.minimum(1.0, LINE_HALF / half))[..., None].astype(np.float32)
    color = np.empty((*x.shape, 3), np.float32)
    color[:] = CARPET
    color += share * (np.array(CHALK, np.float32) - color)
    is_floor = (a > HALF_LENGTH + CARPET_MARGIN) | (b > HALF_WIDTH + CARPET_MARGIN)
    color[is_floor] = FLOOR
    return color


def _window(u: FloatArray, v: FloatArray) -> tuple[slice, slice] | None:
    """Return rows and columns that hold all of some points; None: none does."""
    left, right = int(np.floor(u.min())) - 1, int(np.ceil(u.max())) + 2
    top, bottom = int(np.floor(v.min())) - 1, int(np.ceil(v.max())) + 2
    left, top = max(left, 0), max(top, 0)
    right, bottom = min(right, CAMERA.width), min(bottom, CAMERA.height)
    if left >= right or top >= bottom:
        return None
    return slice(top, bottom), slice(left, right)


def _paint_pillar(
    color: NDArray[np.float32],
    depth: FloatArray,
    way: FloatArray,
    eye: FloatArray,
    pillar: Pillar,
    T_world_camera: FloatArray,
) -> None:
    ends = np.array([[pillar.x, pillar.y, 0.0], [pillar.x, pillar.y, pillar.height]])
    at = se3.transform_point(se3.inverse(T_world_camera), ends)
    if at[:, 2].max() < 0.05:
        return
    z = np.maximum(at[:, 2], 0.15)
    wide = 1.3 * CAMERA.fx * pillar.radius / z
    u, v = CAMERA.cx + CAMERA.fx * at[:, 0] / z, CAMERA.cy + CAMERA.fy * at[:, 1] / z
    window = _window(
        np.concatenate([u - wide, u + wide]), np.concatenate([v - wide, v + wide])
    )
    if window is None:
        return
    d = way[window]
    ox, oy = eye[0] - pillar.x, eye[1] - pillar.y
    a = d[..., 0] ** 2 + d[..., 1] ** 2
    b = ox * d[..., 0] + oy * d[..., 1]
    root = b * b - a * (ox * ox + oy * oy - pillar.radius**2)
    t = (-b - np.sqrt(np.maximum(root, 0.0))) / a
    z = eye[2] + t * d[..., 2]
    hit = (root > 0.0) & (t > 0.0) & (z > 0.0) & (z < pillar.height)
    hit &= t < depth[window]
    if not hit.any():
        return
    lit = 0.75 + 0.25 * (ox + t[hit] * d[..., 0][hit]) / pillar.radius
    color[window][hit] = lit[:, None] * np.array(pillar.color)
    depth[window][hit] = t[hit]


def _paint_ball(
    color: NDArray[np.float32],
    depth: FloatArray,
    way: FloatArray,
    eye: FloatArray,
    place: FloatArray,
    T_world_camera: FloatArray,
) -> int:
    """Paint a ball with soft borders and a shadow; return its visible pixels."""
    center = np.array([place[0], place[1], BALL_RADIUS])
    at = se3.transform_point(se3.inverse(T_world_camera), center)
    if at[2] < 2.0 * BALL_RADIUS:
        return 0
    look = sphere_image(CAMERA, at, BALL_RADIUS)
    size = 1.6 * look.axes[0] + 1.0
    corners = look.center + np.array([[-size, -size], [size, size]])
    window = _window(corners[:, 0], corners[:, 1])
    if window is None:
        return 0
    d, far = way[window], depth[window]
    ground = eye[:2] + far[..., None] * d[..., :2]
    under = np.hypot(ground[..., 0] - place[0], ground[..., 1] - place[1])
    flat = np.abs(eye[2] + far * d[..., 2]) < 1e-3
    color[window][flat & (under < 1.1 * BALL_RADIUS)] *= np.float32(0.6)
    unit = d / np.linalg.norm(d, axis=-1, keepdims=True)
    gap = center - eye
    distance = np.linalg.norm(gap)
    angle = np.arccos(np.clip(unit @ gap / distance, -1.0, 1.0))
    edge = np.arcsin(BALL_RADIUS / distance)
    # Angle of a pixel where the ball is seen: borders are one pixel wide.
    pixel = at[2] / distance / CAMERA.fx
    share = np.clip(0.5 + (edge - angle) / pixel, 0.0, 1.0)
    share = share * (far > at[2] - BALL_RADIUS)
    lit = 0.72 + 0.28 * np.clip(
        (angle / edge) * np.sign(unit[..., 2] - gap[2] / distance), -1.0, 1.0
    )
    paint = lit[..., None] * np.array(ORANGE)
    color[window] += share[..., None] * (paint - color[window])
    depth[window][share > 0.5] = at[2]
    return int((share > 0.5).sum())
