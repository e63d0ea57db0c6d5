"""A small ray caster for capsules and cylinders over a floor: enough to draw an arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BACKGROUND = np.array([13.0, 18.0, 26.0]) / 255.0
FLOOR = np.array([27.0, 36.0, 48.0]) / 255.0
KEY = np.array([0.45, -0.35, 0.85])  # direction towards the main light
FILL = np.array([0.6, 0.8, 0.15])
SHADOW_EDGE = 0.03  # [m], softness


def unit(v) -> np.ndarray:
    """Return `v` with length one along its last axis."""
    v = np.asarray(v, dtype=float)
    return v / np.linalg.norm(v, axis=-1, keepdims=True)


@dataclass(frozen=True, eq=False)
class Tube:
    """A capsule or a cylinder from `a` to `b` in world coordinates [m]."""

    a: np.ndarray
    b: np.ndarray
    radius: float
    is_round: bool  # with caps of a sphere
    color: np.ndarray


class Camera:
    """A pinhole camera that looks from `eye` at `target`, z up.

    Args:
        eye: Position [m].
        target: Point in the middle of the picture [m].
        width: Of the picture [pixels].
        height: [pixels].
        view: Vertical angle of view [rad].
    """

    def __init__(self, eye, target, *, width: int, height: int, view: float) -> None:
        self.eye = np.asarray(eye, dtype=float)
        self.width, self.height = width, height
        forward = unit(np.asarray(target, dtype=float) - self.eye)
        right = unit(np.cross(forward, [0.0, 0.0, 1.0]))
        self._axes = np.stack([right, np.cross(forward, right), forward])  # y down
        self._focal = 0.5 * height / np.tan(0.5 * view)
        u = np.arange(width) + 0.5 - 0.5 * width
        v = np.arange(height) + 0.5 - 0.5 * height
        rays = np.stack(
            [*np.broadcast_arrays(u[None, :], v[:, None]),
             np.full((height, width), self._focal)], axis=-1,
        )  # fmt: skip
        self.rays = unit(rays @ self._axes)

    def project(self, points) -> np.ndarray:
        """Return pixel coordinates of points in space, shape (..., 2)."""
        x, y, z = np.moveaxis((np.asarray(points) - self.eye) @ self._axes.T, -1, 0)
        half = [0.5 * self.width, 0.5 * self.height]
        return np.stack([x, y], axis=-1) * (self._focal / z)[..., None] + half

    def window(self, tube: Tube) -> tuple[slice, slice]:
        """Return rows and columns that a tube may cover."""
        ends = self.project(np.stack([tube.a, tube.b]))
        depth = ((np.stack([tube.a, tube.b]) - self.eye) @ self._axes[2]).min()
        reach = 1.5 * tube.radius * self._focal / max(depth - tube.radius, 0.1) + 2.0
        (left, top), (right, bottom) = (
            ends.min(axis=0) - reach,
            ends.max(axis=0) + reach,
        )
        columns = slice(max(int(left), 0), max(min(int(right) + 1, self.width), 0))
        rows = slice(max(int(top), 0), max(min(int(bottom) + 1, self.height), 0))
        return rows, columns


def render(camera: Camera, tubes: list[Tube]) -> np.ndarray:
    """Return the picture of tubes on a floor, shape (height, width, 3) in [0, 1]."""
    shape = (camera.height, camera.width)
    depth = np.full(shape, np.inf)
    normal = np.zeros((*shape, 3))
    color = np.zeros((*shape, 3))
    for tube in tubes:
        area = camera.window(tube)
        t, n = _meet(camera.eye, camera.rays[area], tube)
        nearer = t < depth[area]
        depth[area][nearer] = t[nearer]
        normal[area][nearer] = n[nearer]
        color[area][nearer] = tube.color
    picture = _floor(camera, tubes)
    hit = np.isfinite(depth)
    picture[hit] = _shade(color[hit], normal[hit], camera.rays[hit])
    return picture


def _meet(eye: np.ndarray, rays: np.ndarray, tube: Tube):
    """Return distance and normal where rays meet a tube first; infinity if never."""
    axis = tube.b - tube.a
    length2 = axis @ axis
    from_a = eye - tube.a
    along, start = rays @ axis, from_a @ axis
    # Quadratic for the infinite tube: |(o + t d) x axis|^2 = r^2 |axis|^2.
    A = length2 - along**2
    B = length2 * (rays @ from_a) - start * along
    C = length2 * (from_a @ from_a) - start**2 - tube.radius**2 * length2
    root = B * B - A * C
    with np.errstate(all="ignore"):
        t = np.where(root >= 0.0, (-B - np.sqrt(np.abs(root))) / A, np.inf)
        y = start + t * along
        is_side = (y > 0.0) & (y < length2) & np.isfinite(t)
        foot = np.clip(y / length2, 0.0, 1.0)
        side_normal = eye + t[..., None] * rays - tube.a - foot[..., None] * axis
        caps = _round_cap if tube.is_round else _flat_cap
        t_cap, n_cap = caps(eye, rays, tube, y, along, start)
    t = np.where(is_side, t, t_cap)
    normal = np.where(is_side[..., None], side_normal / tube.radius, n_cap)
    return np.where(t > 0.0, t, np.inf), np.nan_to_num(normal)


def _round_cap(eye, rays, tube: Tube, y, along, start):
    """Meet the sphere at the end that the ray passes."""
    end = np.where((y <= 0.0)[..., None], tube.a, tube.b)
    offset = eye - end
    b = np.einsum("...i,...i", rays, offset)
    root = b * b - np.einsum("...i,...i", offset, offset) + tube.radius**2
    t = np.where(root >= 0.0, -b - np.sqrt(np.abs(root)), np.inf)
    point = eye + np.where(np.isfinite(t), t, 0.0)[..., None] * rays
    return t, (point - end) / tube.radius


def _flat_cap(eye, rays, tube: Tube, y, along, start):
    """Meet the disc at the end that faces the eye."""
    axis = tube.b - tube.a
    length2 = axis @ axis
    facing_b = along < 0.0
    t = (np.where(facing_b, length2, 0.0) - start) / along
    point = eye + np.where(np.isfinite(t), t, 0.0)[..., None] * rays
    center = np.where(facing_b[..., None], tube.b, tube.a)
    inside = np.linalg.norm(point - center, axis=-1) <= tube.radius
    sign = np.where(facing_b, 1.0, -1.0)
    return np.where(inside, t, np.inf), sign[..., None] * unit(axis)


def _shade(color: np.ndarray, normal: np.ndarray, rays: np.ndarray) -> np.ndarray:
    """Return lit colours: main light, cool fill, highlight and a rim."""
    key = np.clip(normal @ unit(KEY), 0.0, None)
    fill = np.clip(normal @ unit(FILL), 0.0, None)
    half = unit(unit(KEY) - rays)
    shine = np.clip(np.einsum("...i,...i", normal, half), 0.0, None) ** 40
    rim = (1.0 - np.clip(-np.einsum("...i,...i", normal, rays), 0.0, 1.0)) ** 3
    light = 0.20 + 0.75 * key + 0.16 * fill
    cool = np.array([0.55, 0.75, 1.0])
    shaded = color * light[:, None] + 0.22 * shine[:, None] + 0.16 * rim[:, None] * cool
    return np.clip(shaded, 0.0, 1.0)


def _floor(camera: Camera, tubes: list[Tube]) -> np.ndarray:
    """Return background and floor, with the shadows of the tubes."""
    shape = camera.rays.shape
    picture = np.tile(BACKGROUND, (*shape[:2], 1))
    down = camera.rays[..., 2] < -1e-3
    t = -camera.eye[2] / camera.rays[down][:, 2]
    p = camera.eye + t[:, None] * camera.rays[down]
    distance = np.hypot(p[:, 0] - 0.2, p[:, 1])
    glow = np.clip(1.0 - distance / 1.9, 0.0, 1.0) ** 1.5
    near = glow > 0.0
    light = np.ones(len(p))
    light[near] = _light_at(p[near], tubes)
    share = (glow * light)[:, None]
    picture[down] = BACKGROUND + share * (FLOOR - BACKGROUND)
    return picture


def _light_at(p: np.ndarray, tubes: list[Tube]) -> np.ndarray:
    """Return how much of the main light reaches points of the floor, in [0, 1]."""
    light = np.ones(len(p))
    towards = unit(KEY)
    flat = np.eye(3) - np.outer(towards, towards)  # along the light, all is a plane
    q = p @ flat
    for tube in tubes:
        a, b = flat @ tube.a, flat @ tube.b
        axis = b - a
        s = np.clip((q - a) @ axis / max(axis @ axis, 1e-12), 0.0, 1.0)
        gap = np.linalg.norm(q - a - s[:, None] * axis, axis=-1) - tube.radius
        light = np.minimum(light, np.clip(0.5 + gap / SHADOW_EDGE, 0.15, 1.0))
    return light
