"""Images of the true cameras: a painted place, and balls, bat and people before it.

Everything that moves is made of capsules (a ball is a short one). They are cast ray by
ray: within two pixels of an outline sixteen rays per pixel at five moments of the
exposure, elsewhere one. So outlines are exact and motion blurs. Then the lens blurs and
the sensor adds noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gelenk.core.kernels.compile import kernel
from gelenk.core.typing import FloatArray
from gelenk.core.vision.camera import distort, pixel_from_plane
from gelenk.robots.piggy.cameras import RigCfg, TrueCamera
from gelenk.robots.piggy.people import Person
from gelenk.robots.piggy.places.place import Light
from gelenk.robots.piggy.places.strokes import pixel_nodes
from gelenk.sim.cameras.develop import (
    Area,
    blur_area,
    expose,
    gaussian_weights,
    grown,
    normal_table,
)

RAYS = 4  # per side of a pixel
MOMENTS = 5  # of an exposure
NEAR = 0.08  # [m], nothing nearer is seen
# Columns of a capsule: ends, their velocities, radius, albedo.
START, END, START_SPEED, END_SPEED = slice(0, 3), slice(3, 6), slice(6, 9), slice(9, 12)
RADIUS, ALBEDO, CAPSULE = 12, 13, 14


def capsules(rows: Sequence[Sequence[float]]) -> FloatArray:
    """Return capsules as an array, (n, 14): ends, velocities, radius, albedo."""
    return np.array(rows, dtype=np.float64).reshape(-1, CAPSULE)


def person_capsules(people: Sequence[Person]) -> FloatArray:
    """Return the capsules of people who stand still, (n, 14)."""
    return capsules(
        [
            (*limb.start, *limb.end, *(0.0,) * 6, limb.radius, limb.albedo)
            for person in people
            for limb in person.limbs()
        ]
    )


class Eye:
    """One camera with what it sees of a place.

    Args:
        camera: Where it is and what its lens does.
        picture: Of the place without people [gray levels], (rows, columns).
        light: On everything that is drawn before it.
        cfg: Exposure, blur, noise.
        selector: Seed and stream of the noise.
    """

    def __init__(
        self,
        camera: TrueCamera,
        picture: FloatArray,
        light: Light,
        cfg: RigCfg,
        selector: tuple[int, int],
    ) -> None:
        self._camera, self._cfg, self._selector = camera, cfg, selector
        self._R = camera.T_world_camera[:3, :3].T
        self._eye = camera.T_world_camera[:3, 3]
        lens = camera.intrinsics
        self._nodes = pixel_nodes(lens).astype(np.float32)
        self._light = np.array(
            [*(self._R @ light.direction), *self._R[:, 2], light.ambient, light.direct]
        )
        self._whole = Area(0, 0, lens.height, lens.width)
        shape = (lens.height, lens.width, 1)
        self._place = picture.astype(np.float32).reshape(shape)
        self._weights = gaussian_weights(cfg.blur)
        self._brightness = np.ones(shape, dtype=np.float32)
        self._scratch = np.empty(shape, dtype=np.float32)
        self.set_people(())

    def set_people(self, people: Sequence[Person]) -> None:
        """Let these people stand before the place, and nobody else."""
        self._sharp = self._place.copy()
        self._depth = np.full(self._place.shape[:2], np.inf, dtype=np.float32)
        limbs = self._in_camera(person_capsules(people))
        for area in self._areas(limbs):
            cast(self._nodes, area, limbs, self._light, self._cfg.exposure,
                 self._place, self._depth, self._sharp, True)  # fmt: skip
        self._clean = np.empty_like(self._sharp)
        blur_area(self._sharp, self._weights, self._whole, self._scratch, self._clean)
        self._drawn, self._blurred = self._sharp.copy(), self._clean.copy()

    def shoot(
        self, things: Sequence[FloatArray], number: int, gain: float = 1.0
    ) -> NDArray[np.uint8]:
        """Return an image, uint8, (rows, columns).

        Args:
            things: What moves: capsules at the middle of the exposure, world axes, each
                (n, 14).
            number: Of the image: selects its noise.
            gain: Brightness of this image.
        """
        rows = [self._in_camera(np.asarray(thing)) for thing in things if len(thing)]
        areas = [area for group in rows for area in self._areas(group)]
        if areas:
            everything = np.concatenate(rows)
            for area in areas:
                cast(self._nodes, area, everything, self._light, self._cfg.exposure,
                     self._sharp, self._depth, self._drawn, False)  # fmt: skip
            for area in areas:
                blur_area(
                    self._drawn, self._weights, area, self._scratch, self._blurred
                )
        image = np.empty(self._place.shape, dtype=np.uint8)
        if self._brightness[0, 0, 0] != np.float32(gain):
            self._brightness[:] = gain
        noise = self._cfg.read_noise, self._cfg.shot_noise
        selector = (*self._selector, number)
        expose(self._blurred, self._brightness, noise, selector, normal_table(), image)
        for area in areas:
            part = np.s_[area.top : area.bottom, area.left : area.right]
            self._drawn[part] = self._sharp[part]
            self._blurred[part] = self._clean[part]
        image.setflags(write=False)
        return image[..., 0]

    def _in_camera(self, rows: FloatArray) -> FloatArray:
        """Return capsules in camera axes, without what is behind the camera."""
        out = rows.copy()
        for part in (START, END):
            out[:, part] = (rows[:, part] - self._eye) @ self._R.T
        for part in (START_SPEED, END_SPEED):
            out[:, part] = rows[:, part] @ self._R.T
        for a, b in ((START, END), (END, START)):
            z, other = out[:, a.start + 2], out[:, b.start + 2]
            near = (z < NEAR) & (other > NEAR)
            share = ((NEAR - z[near]) / (other[near] - z[near]))[:, None]
            out[near, a] += share * (out[near, b] - out[near, a])
        return out[(out[:, 2] >= NEAR) & (out[:, 5] >= NEAR)]

    def _areas(self, rows: FloatArray) -> list[Area]:
        """Return the part of the image that capsules of one thing can touch."""
        if not len(rows):
            return []
        lens, radius = self._camera.intrinsics, rows[:, RADIUS]
        corners = []
        for place, speed in ((START, START_SPEED), (END, END_SPEED)):
            for sign in (-0.5, 0.5):
                p = rows[:, place] + sign * self._cfg.exposure * rows[:, speed]
                corners.append(_extent(p, radius))
        boxes = np.concatenate(corners)  # left, top, right, bottom at unit depth
        low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        x, y = np.linspace(low[0], high[0], 5), np.linspace(low[1], high[1], 5)
        border = np.clip(np.stack(np.meshgrid(x, y), axis=-1), -1.5, 1.5)
        uv = pixel_from_plane(lens, distort(lens, border)).reshape(-1, 2)
        first, last = np.floor(uv.min(axis=0)), np.ceil(uv.max(axis=0))
        area = Area(int(first[1]), int(first[0]), int(last[1]) + 1, int(last[0]) + 1)
        area = grown(area, len(self._weights) + 2, lens.height, lens.width)
        is_seen = area.top < area.bottom and area.left < area.right
        return [area] if is_seen else []


def _extent(p: FloatArray, radius: FloatArray) -> FloatArray:
    """Return left, top, right, bottom of spheres at unit depth, (n, 4)."""
    ends = []
    for sign in (-1.0, 1.0):
        for axis in (0, 1):
            distance = np.hypot(p[:, axis], p[:, 2])
            alpha = np.arcsin(np.clip(radius / distance, 0.0, 0.999))
            angle = np.arctan2(p[:, axis], p[:, 2]) + sign * alpha
            ends.append(np.tan(np.clip(angle, -1.2, 1.2)))
    return np.stack(ends, axis=1)


@kernel
def cast(nodes, area, rows, light, exposure, back, depth, out, is_fixed):
    """Draw capsules before a picture.

    Args:
        nodes: Rays through the corners of the pixels, float32, (rows + 1, ., 2).
        area: Part of the image, see `Area`.
        rows: Capsules in camera axes, (n, 14).
        light: Direction of the light, up, ambient, direct, (8,).
        exposure: [s].
        back: Picture behind them, float32, (rows, columns, 1).
        depth: Of that picture along z [m], float32, (rows, columns); written if they
            become a part of it.
        out: Picture with them.
        is_fixed: Whether they become a part of the picture.
    """
    top, left, bottom, right = area
    n = rows.shape[0]
    blur = np.empty(n)  # [rays at unit depth], how far an outline moves
    for k in range(n):
        speed = 0.0
        for i in range(6, 12):
            speed = max(speed, abs(rows[k, i]))
        blur[k] = 1.8 * exposure * speed / 2.0
    pixel = abs(nodes[0, 1, 0] - nodes[0, 0, 0])
    result = np.empty(4)
    for row in range(top, bottom):
        for column in range(left, right):
            x0, y0 = nodes[row, column, 0], nodes[row, column, 1]
            x1, y1 = nodes[row + 1, column + 1, 0], nodes[row + 1, column + 1, 1]
            x, y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
            is_edge, is_hit = False, False
            for k in range(n):
                gap, z = _gap(rows[k], x, y, 0.0)
                margin = (1.1 * pixel) * z + blur[k]
                is_edge = is_edge or abs(gap) < margin
                is_hit = is_hit or gap < 0.0
            behind, far = back[row, column, 0], depth[row, column]
            if not is_edge and not is_hit:
                out[row, column, 0] = behind
                continue
            if not is_edge:
                _look(rows, x, y, 0.0, light, far, result)
                out[row, column, 0] = result[1] if result[0] > 0.0 else behind
            else:
                cover, glow = 0.0, 0.0
                for j in range(RAYS):
                    v = y0 + (y1 - y0) * (j + 0.5) / RAYS
                    for i in range(RAYS):
                        u = x0 + (x1 - x0) * (i + 0.5) / RAYS
                        for m in range(1 if is_fixed else MOMENTS):
                            moment = ((m + 0.5) / MOMENTS - 0.5) * exposure
                            t = 0.0 if is_fixed else moment
                            _look(rows, u, v, t, light, far, result)
                            cover += result[0]
                            glow += result[1]
                count = RAYS * RAYS * (1 if is_fixed else MOMENTS)
                out[row, column, 0] = behind * (1.0 - cover / count) + glow / count
            if is_fixed:
                _look(rows, x, y, 0.0, light, far, result)
                if result[0] > 0.0:
                    depth[row, column] = result[2]


@kernel
def _nearest(capsule, x, y, t):
    """Return the point of a capsule's axis nearest to a ray (x, y, 1), and where."""
    ax = capsule[0] + t * capsule[6]
    ay = capsule[1] + t * capsule[7]
    az = capsule[2] + t * capsule[8]
    ux = capsule[3] + t * capsule[9] - ax
    uy = capsule[4] + t * capsule[10] - ay
    uz = capsule[5] + t * capsule[11] - az
    A, C = x * x + y * y + 1.0, ux * ux + uy * uy + uz * uz
    share = 0.0
    if C > 1e-12:
        B = x * ux + y * uy + uz
        D, E = x * ax + y * ay + az, ux * ax + uy * ay + uz * az
        slope = A * C - B * B
        if slope > 1e-12:
            share = min(max((B * D - A * E) / slope, 0.0), 1.0)
    cx, cy, cz = ax + share * ux, ay + share * uy, az + share * uz
    along = (x * cx + y * cy + cz) / A
    return cx, cy, cz, along, A


@kernel
def _gap(capsule, x, y, t):
    """Return the distance of a ray from a capsule [m], and the depth there [m]."""
    cx, cy, cz, along, _ = _nearest(capsule, x, y, t)
    dx, dy, dz = cx - along * x, cy - along * y, cz - along
    return math.sqrt(dx * dx + dy * dy + dz * dz) - capsule[RADIUS], cz


@kernel
def _look(rows, x, y, t, light, far, result):
    """Write whether a ray meets a capsule, its light and its depth."""
    best = far
    result[0], result[1] = 0.0, 0.0
    for k in range(rows.shape[0]):
        capsule = rows[k]
        cx, cy, cz, along, A = _nearest(capsule, x, y, t)
        dx, dy, dz = cx - along * x, cy - along * y, cz - along
        r = capsule[RADIUS]
        inside = r * r - dx * dx - dy * dy - dz * dz
        if inside <= 0.0 or along <= 0.0:
            continue
        s = along - math.sqrt(inside / A)
        if s >= best:
            continue
        best = s
        nx, ny, nz = (s * x - cx) / r, (s * y - cy) / r, (s - cz) / r
        facing = max(nx * light[0] + ny * light[1] + nz * light[2], 0.0)
        # Light from all around, less of it from below.
        around = 0.8 + 0.2 * (nx * light[3] + ny * light[4] + nz * light[5])
        result[0] = 1.0
        result[1] = capsule[ALBEDO] * (light[6] * around + light[7] * facing)
        result[2] = s
