"""Images of the true cameras: a painted place, and balls, bat and people before it.

Everything that moves is made of capsules (a ball is a short one). For each pixel the
distance of its ray from a capsule tells how much of it is covered; the outline is where
that distance is 0, exactly. Near outlines several moments of the exposure are averaged,
so motion blurs. Then the lens blurs and the sensor adds noise.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.robots.piggy.cameras import RigCfg, TrueCamera
from gelenk.robots.piggy.people import Person
from gelenk.robots.piggy.places.place import Light, pixel_nodes
from gelenk.sim.cameras.develop import (
    Area,
    blur_area,
    expose,
    gaussian_weights,
    grown,
    normal_table,
)
from gelenk.typing import FloatArray, IntArray, Vec2
from gelenk.vision.camera import distort, pixel_from_plane

MOMENTS = 12  # of an exposure, at most
TILE = 8  # [px], a part of the image that is passed over at once
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

    def set_picture(self, picture: FloatArray, people: Sequence[Person]) -> None:
        """Look at another picture of the place, (rows, columns), with these people."""
        self._place = picture.astype(np.float32).reshape(self._place.shape)
        self.set_people(people)

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
        middle = 0.5 * (low + high)
        border = np.array(
            [
                [x, y]
                for x in (low[0], middle[0], high[0])
                for y in (low[1], middle[1], high[1])
            ]
        )
        uv = pixel_from_plane(lens, distort(lens, np.clip(border, -1.5, 1.5)))
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
def cast(
    nodes: NDArray[np.float32],
    area: Area,
    rows: FloatArray,
    light: FloatArray,
    exposure: float,
    back: NDArray[np.float32],
    depth: NDArray[np.float32],
    out: NDArray[np.float32],
    is_fixed: bool,
) -> None:
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
        out: Picture with them; where none is, it stays as it is.
        is_fixed: Whether they become a part of the picture.
    """
    top, left, bottom, right = area
    n = rows.shape[0]
    blur = np.zeros(n)  # [m], how far outlines move to either side
    if not is_fixed:
        for k in range(n):
            blur[k] = (
                0.55 * exposure * max(_sideways(rows, k, 0), _sideways(rows, k, 3))
            )
    pixel = abs(nodes[0, 1, 0] - nodes[0, 0, 0])
    tile = np.empty(n, dtype=np.int64)  # capsules that may be in a tile
    result = np.empty(3)
    for first in range(top, bottom, TILE):
        last = min(first + TILE, bottom)
        for start in range(left, right, TILE):
            end = min(start + TILE, right)
            x = 0.5 * (nodes[first, start, 0] + nodes[last, end, 0])
            y = 0.5 * (nodes[first, start, 1] + nodes[last, end, 1])
            count, is_inside = 0, False
            for k in range(n):
                gap, z = _gap(rows, k, x, y, 0.0)
                # A tile's corner is 5.7 pixels from its middle; rays lean.
                reach = 8.0 * pixel * z + blur[k]
                if gap < reach:
                    tile[count] = k
                    count += 1
                    is_inside = gap < -2.0 * reach
            if count == 0:
                continue
            if count == 1 and is_inside and not is_fixed:
                _fill_tile(nodes, (first, start, last, end), rows, tile, pixel, light,
                           depth, out, result)  # fmt: skip
                continue
            for row in range(first, last):
                for column in range(start, end):
                    _draw_pixel(
                        nodes, row, column, rows, tile, count, blur, pixel, light,
                        exposure, back, depth, out, is_fixed, result,
                    )  # fmt: skip


@kernel
def _fill_tile(
    nodes: NDArray[np.float32],
    area: tuple[int, int, int, int],
    rows: FloatArray,
    some: IntArray,
    pixel: float,
    light: FloatArray,
    depth: NDArray[np.float32],
    out: NDArray[np.float32],
    result: FloatArray,
) -> None:
    """Draw a tile deep inside of a capsule: its light varies slowly."""
    first, start, last, end = area
    corners = np.empty((2, 2))
    z = 0.0
    for j in range(2):
        for i in range(2):
            node = nodes[last if j else first, end if i else start]
            _look(rows, some, 1, node[0], node[1], 0.0, pixel, light, np.inf, result)
            corners[j, i] = result[0]
            z += 0.25 * result[2]
    for row in range(first, last):
        b = (row - first + 0.5) / (last - first)
        left = corners[0, 0] + b * (corners[1, 0] - corners[0, 0])
        right = corners[0, 1] + b * (corners[1, 1] - corners[0, 1])
        for column in range(start, end):
            if z < depth[row, column]:
                a = (column - start + 0.5) / (end - start)
                out[row, column, 0] = left + a * (right - left)


@kernel
def _draw_pixel(
    nodes: NDArray[np.float32],
    row: int,
    column: int,
    rows: FloatArray,
    some: IntArray,
    count: int,
    blur: FloatArray,
    pixel: float,
    light: FloatArray,
    exposure: float,
    back: NDArray[np.float32],
    depth: NDArray[np.float32],
    out: NDArray[np.float32],
    is_fixed: bool,
    result: FloatArray,
) -> None:
    x = 0.5 * (nodes[row, column, 0] + nodes[row + 1, column + 1, 0])
    y = 0.5 * (nodes[row, column, 1] + nodes[row + 1, column + 1, 1])
    is_hit, moments = False, 1
    for n in range(count):
        k = some[n]
        gap, z = _gap(rows, k, x, y, 0.0)
        width = pixel * z
        is_hit = is_hit or gap < width + blur[k]
        if abs(gap) < width + blur[k]:
            moments = max(moments, min(math.ceil(4.0 * blur[k] / width), MOMENTS))
    if not is_hit:
        return
    behind, far = back[row, column, 0], depth[row, column]
    light_sum, seen = 0.0, 0.0
    for m in range(moments):
        t = ((m + 0.5) / moments - 0.5) * exposure
        _look(rows, some, count, x, y, t, pixel, light, far, result)
        light_sum += result[0]
        seen += result[1]
    out[row, column, 0] = (light_sum + seen * behind) / moments
    if is_fixed:
        depth[row, column] = result[2]


@kernel
def _sideways(rows: FloatArray, k: int, at: int) -> float:
    """Return how fast the outline of a capsule's end moves across the ray to it."""
    square, along = 0.0, 0.0
    for i in range(at, at + 3):
        square += rows[k, i] ** 2
        along += rows[k, i] * rows[k, i + 6]
    along /= square
    across = 0.0
    for i in range(at, at + 3):
        across += (rows[k, i + 6] - along * rows[k, i]) ** 2
    return math.sqrt(across) + abs(along) * rows[k, RADIUS]


@kernel
def _nearest(
    rows: FloatArray, k: int, x: float, y: float, t: float
) -> tuple[float, float, float, float, float]:
    """Return the point of a capsule's axis nearest to a ray (x, y, 1), and where."""
    ax = rows[k, 0] + t * rows[k, 6]
    ay = rows[k, 1] + t * rows[k, 7]
    az = rows[k, 2] + t * rows[k, 8]
    ux = rows[k, 3] + t * rows[k, 9] - ax
    uy = rows[k, 4] + t * rows[k, 10] - ay
    uz = rows[k, 5] + t * rows[k, 11] - az
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
def _gap(rows: FloatArray, k: int, x: float, y: float, t: float) -> Vec2:
    """Return the distance of a ray from a capsule [m], and the depth there [m]."""
    cx, cy, cz, along, _ = _nearest(rows, k, x, y, t)
    dx, dy, dz = cx - along * x, cy - along * y, cz - along
    return math.sqrt(dx * dx + dy * dy + dz * dz) - rows[k, RADIUS], cz


@kernel
def _look(
    rows: FloatArray,
    some: IntArray,
    count: int,
    x: float,
    y: float,
    t: float,
    pixel: float,
    light: FloatArray,
    far: float,
    result: FloatArray,
) -> None:
    """Write the light of capsules, how much is seen behind, and the depth.

    A capsule covers a pixel as far as its outline, taken as straight, cuts it. Capsules
    are met one after the other, the nearest first.
    """
    glow, through, passed, depth = 0.0, 1.0, 0.0, far
    for _ in range(count):
        best, cover, shade = far, 0.0, 0.0
        for n in range(count):
            k = some[n]
            cx, cy, cz, along, A = _nearest(rows, k, x, y, t)
            dx, dy, dz = along * x - cx, along * y - cy, along - cz
            r = rows[k, RADIUS]
            square = dx * dx + dy * dy + dz * dz
            gap = math.sqrt(square) - r
            share = min(max(0.5 - gap / (pixel * cz), 0.0), 1.0)
            if share == 0.0 or along <= 0.0:
                continue
            back = math.sqrt(max(r * r - square, 0.0) / A)
            s = along - back
            if not passed < s < best:
                continue
            best, cover = s, share
            size = max(r, r + gap)
            nx, ny, nz = dx - back * x, dy - back * y, dz - back
            facing = (nx * light[0] + ny * light[1] + nz * light[2]) / size
            # Light from all around, less of it from below.
            around = (nx * light[3] + ny * light[4] + nz * light[5]) / size
            shade = light[6] * (0.8 + 0.2 * around) + light[7] * max(facing, 0.0)
            shade *= rows[k, ALBEDO]
        if cover == 0.0:
            break
        glow += through * cover * shade
        through *= 1.0 - cover
        passed = best
        if cover > 0.5 and depth == far:
            depth = best
        if through == 0.0:
            break
    result[0], result[1], result[2] = glow, through, depth
