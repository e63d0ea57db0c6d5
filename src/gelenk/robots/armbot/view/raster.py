"""Kernels of the native renderer: triangles to pixels, light, shadows, transparency.

Positions on the screen are in samples, u right and v down, the middle of the first
sample at (0, 0). A depth buffer keeps 1 / z, which is linear on the screen: larger is
nearer, 0 is nothing. Colours are linear light, 1 is white.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, IntArray, Vec2, Vec3

AMBIENT, KEY = 0.42, 0.78  # share of light from everywhere and from the main light
SHINE = 0.10  # strength of the highlight
DARKEST = 0.12  # of the main light that reaches into a shadow


@kernel
def fill(
    screen: FloatArray,
    inverse: FloatArray,
    triangles: IntArray,
    number: IntArray,
    depth: FloatArray,
    owner: IntArray,
) -> None:
    """Draw triangles into a depth buffer and note which one each sample shows.

    Args:
        screen: Corners (n, 2).
        inverse: Nearness of the corners, larger is nearer, above 0, (n,).
        triangles: Corner indices, clockwise on the screen if seen from outside, (m, 3).
        number: What to note for each triangle, (m,).
        depth: Buffer (rows, columns), changed.
        owner: Notes (rows, columns), changed.
    """
    rows, columns = depth.shape
    for t in range(triangles.shape[0]):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        ax, ay = screen[a, 0], screen[a, 1]
        bx, by = screen[b, 0], screen[b, 1]
        cx, cy = screen[c, 0], screen[c, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if not area < 0.0:
            continue  # seen from inside, or no area
        scale = 1.0 / area
        left = max(int(np.ceil(min(ax, bx, cx))), 0)
        right = min(int(np.floor(max(ax, bx, cx))), columns - 1)
        top = max(int(np.ceil(min(ay, by, cy))), 0)
        bottom = min(int(np.floor(max(ay, by, cy))), rows - 1)
        for v in range(top, bottom + 1):
            for u in range(left, right + 1):
                wa = ((cx - bx) * (v - by) - (cy - by) * (u - bx)) * scale
                wb = ((ax - cx) * (v - cy) - (ay - cy) * (u - cx)) * scale
                wc = 1.0 - wa - wb
                if wa >= 0.0 and wb >= 0.0 and wc >= 0.0:
                    near = wa * inverse[a] + wb * inverse[b] + wc * inverse[c]
                    if near > depth[v, u]:
                        depth[v, u] = near
                        owner[v, u] = number[t]


@kernel
def lit(
    px: float,
    py: float,
    pz: float,
    nx: float,
    ny: float,
    nz: float,
    eye: FloatArray,
    sun: FloatArray,
    shadow: tuple[FloatArray, FloatArray, FloatArray],
) -> Vec2:
    """Return how bright a surface is at a point, and its highlight.

    Args:
        px: World position.
        py: World position.
        pz: World position.
        nx: Unit normal.
        ny: Unit normal.
        nz: Unit normal.
        eye: World position (3,).
        sun: Unit direction towards the main light (3,).
        shadow: Map (k, k) of nearness to the light, 0 where nothing is; its axes
            (3, 3) as rows, texels per metre along two of them and the light; its
            origin (3,): column, row, nearness.
    """
    facing = nx * sun[0] + ny * sun[1] + nz * sun[2]
    share = 1.0
    if facing > 0.0:
        share = _unshaded(px, py, pz, nx, ny, nz, shadow)
    key = max(facing, 0.0) * (DARKEST + (1.0 - DARKEST) * share)
    hx, hy, hz = eye[0] - px, eye[1] - py, eye[2] - pz
    scale = 1.0 / (np.sqrt(hx * hx + hy * hy + hz * hz) + 1e-12)
    hx, hy, hz = hx * scale + sun[0], hy * scale + sun[1], hz * scale + sun[2]
    scale = 1.0 / (np.sqrt(hx * hx + hy * hy + hz * hz) + 1e-12)
    along = max((hx * nx + hy * ny + hz * nz) * scale, 0.0)
    along = along * along * along * along * along
    along = along * along  # to the power of 10, 20, 40
    along = along * along
    along = along * along
    return AMBIENT * (0.55 + 0.45 * nz) + KEY * key, SHINE * share * along


@kernel
def _unshaded(
    px: float,
    py: float,
    pz: float,
    nx: float,
    ny: float,
    nz: float,
    shadow: tuple[FloatArray, FloatArray, FloatArray],
) -> float:
    """Return the share of the main light that reaches a point, soft at the edges."""
    nearness, axes, origin = shadow
    size = nearness.shape[0]
    texel = 1.0 / np.sqrt(axes[0, 0] ** 2 + axes[0, 1] ** 2 + axes[0, 2] ** 2)
    px += 1.5 * texel * nx  # lifted, or it would shade itself
    py += 1.5 * texel * ny
    pz += 1.5 * texel * nz
    u = axes[0, 0] * px + axes[0, 1] * py + axes[0, 2] * pz - origin[0]
    v = axes[1, 0] * px + axes[1, 1] * py + axes[1, 2] * pz - origin[1]
    near = axes[2, 0] * px + axes[2, 1] * py + axes[2, 2] * pz - origin[2]
    near += 0.5 * texel
    i, j = int(np.floor(u)), int(np.floor(v))
    if i < 2 or j < 2 or i > size - 4 or j > size - 4:
        return 1.0
    fu, fv = u - i, v - j
    total = 0.0
    for row in range(-1, 3):  # a tent of 3 x 3 texels around the point
        weight_v = 1.0 - fv if row == -1 else (fv if row == 2 else 1.0)
        for column in range(-1, 3):
            weight_u = 1.0 - fu if column == -1 else (fu if column == 2 else 1.0)
            if nearness[j + row, i + column] <= near:
                total += weight_u * weight_v
    return total / 9.0


@kernel
def normal_in(
    px: float, py: float, pz: float, corners: FloatArray, normals: FloatArray
) -> Vec3:
    """Return the unit normal at a point of a triangle, from those at its corners.

    Args:
        px: In the plane of the triangle.
        py: In the plane of the triangle.
        pz: In the plane of the triangle.
        corners: (3, 3).
        normals: At the corners (3, 3).
    """
    ax, ay, az = corners[0, 0], corners[0, 1], corners[0, 2]
    bx, by, bz = corners[1, 0] - ax, corners[1, 1] - ay, corners[1, 2] - az
    cx, cy, cz = corners[2, 0] - ax, corners[2, 1] - ay, corners[2, 2] - az
    dx, dy, dz = px - ax, py - ay, pz - az
    bb = bx * bx + by * by + bz * bz
    bc = bx * cx + by * cy + bz * cz
    cc = cx * cx + cy * cy + cz * cz
    db = dx * bx + dy * by + dz * bz
    dc = dx * cx + dy * cy + dz * cz
    scale = bb * cc - bc * bc
    s, t = 0.0, 0.0
    if scale > 0.0:
        s, t = (cc * db - bc * dc) / scale, (bb * dc - bc * db) / scale
    r = 1.0 - s - t
    x = r * normals[0, 0] + s * normals[1, 0] + t * normals[2, 0]
    y = r * normals[0, 1] + s * normals[1, 1] + t * normals[2, 1]
    z = r * normals[0, 2] + s * normals[1, 2] + t * normals[2, 2]
    scale = 1.0 / (np.sqrt(x * x + y * y + z * z) + 1e-12)
    return x * scale, y * scale, z * scale


@kernel
def colored(
    u: float,
    v: float,
    near: float,
    view: tuple[float, float, float, FloatArray, FloatArray],
    corners: FloatArray,
    normals: FloatArray,
    color: FloatArray,
    sun: FloatArray,
    shadow: tuple[FloatArray, FloatArray, FloatArray],
) -> Vec3:
    """Return the lit colour of a triangle at a sample.

    Args:
        u: Sample.
        v: Sample.
        near: 1 / z of the sample.
        view: Focal length, optical axis in samples (f, cu, cv); eye (3,); camera axes
            as columns (3, 3).
        corners: World (3, 3).
        normals: At the corners (3, 3).
        color: (3,).
        sun: Direction towards the main light (3,).
        shadow: See `lit`.
    """
    f, cu, cv, eye, axes = view
    z = 1.0 / near
    x, y = z * (u - cu) / f, z * (v - cv) / f
    px = eye[0] + axes[0, 0] * x + axes[0, 1] * y + axes[0, 2] * z
    py = eye[1] + axes[1, 0] * x + axes[1, 1] * y + axes[1, 2] * z
    pz = eye[2] + axes[2, 0] * x + axes[2, 1] * y + axes[2, 2] * z
    nx, ny, nz = normal_in(px, py, pz, corners, normals)
    bright, shine = lit(px, py, pz, nx, ny, nz, eye, sun, shadow)
    return (
        min(color[0] * bright + shine, 1.0),
        min(color[1] * bright + shine, 1.0),
        min(color[2] * bright + shine, 1.0),
    )


@kernel
def paint(
    view: tuple[float, float, float, FloatArray, FloatArray],
    corners: FloatArray,
    normals: FloatArray,
    colors: FloatArray,
    sun: FloatArray,
    shadow: tuple[FloatArray, FloatArray, FloatArray],
    depth: FloatArray,
    owner: IntArray,
    out: NDArray[np.float32],
) -> None:
    """Give every pixel the mean of the lit colours of its samples.

    A pixel whose samples all show one triangle is lit once, in its middle.

    Args:
        view: See `colored`.
        corners: World triangles (m, 3, 3).
        normals: At their corners (m, 3, 3).
        colors: Of triangles (m, 3).
        sun: Direction towards the main light (3,).
        shadow: See `lit`.
        depth: Depth buffer of samples.
        owner: Triangle of each sample, -1 for none.
        out: Image (rows, columns, 3) float32 with the background, changed.
    """
    side = depth.shape[0] // out.shape[0]
    count = side * side
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            top, left = row * side, column * side
            first, is_one, near = owner[top, left], True, 0.0
            for v in range(top, top + side):
                for u in range(left, left + side):
                    is_one = is_one and owner[v, u] == first
                    near += depth[v, u]
            if is_one:
                if first >= 0:
                    middle = 0.5 * (side - 1)
                    red, green, blue = colored(
                        left + middle, top + middle, near / count, view,
                        corners[first], normals[first], colors[first], sun, shadow,
                    )  # fmt: skip
                    out[row, column, 0] = red
                    out[row, column, 1] = green
                    out[row, column, 2] = blue
                continue
            r, g, b = 0.0, 0.0, 0.0
            for v in range(top, top + side):
                for u in range(left, left + side):
                    t = owner[v, u]
                    if t >= 0:
                        red, green, blue = colored(
                            float(u), float(v), depth[v, u], view, corners[t],
                            normals[t], colors[t], sun, shadow,
                        )  # fmt: skip
                        r, g, b = r + red, g + green, b + blue
                    else:
                        r += out[row, column, 0]
                        g += out[row, column, 1]
                        b += out[row, column, 2]
            out[row, column, 0] = r / count
            out[row, column, 1] = g / count
            out[row, column, 2] = b / count


@kernel
def glaze(
    screen: FloatArray,
    inverse: FloatArray,
    view: tuple[float, float, float, FloatArray, FloatArray],
    soup: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
    groups: IntArray,
    sun: FloatArray,
    shadow: tuple[FloatArray, FloatArray, FloatArray],
    depth: FloatArray,
    count: IntArray,
    near: FloatArray,
    out: NDArray[np.float32],
) -> None:
    """Lay transparent sheets over an image, in their order.

    The triangles of a sheet are laid at once, or the edges between them would show.

    Args:
        screen: Corners on the screen (3 m, 2).
        inverse: Nearness of the corners (3 m,).
        view: See `colored`.
        soup: World triangles (m, 3, 3), normals at their corners (m, 3, 3), colours
            (m, 3), alphas (m,).
        groups: First triangle of each sheet, and the end (k + 1,).
        sun: Direction towards the main light (3,).
        shadow: See `lit`.
        depth: Depth buffer of samples of what is solid; not changed.
        count: Zeros (rows, columns), used and left as zeros.
        near: Zeros (rows, columns), used and left as zeros.
        out: Image (rows, columns, 3), changed.
    """
    side = depth.shape[0] // out.shape[0]
    for g in range(groups.shape[0] - 1):
        top, left, bottom, right = out.shape[0], out.shape[1], -1, -1
        for t in range(groups[g], groups[g + 1]):
            box = _cover(screen, inverse, t, side, depth, count, near)
            top, left = min(top, box[0]), min(left, box[1])
            bottom, right = max(bottom, box[2]), max(right, box[3])
        first = groups[g]
        _lay(
            view, soup, first, (top, left, bottom, right), side, sun, shadow, count,
            near, out,
        )  # fmt: skip


@kernel
def _cover(
    screen: FloatArray,
    inverse: FloatArray,
    t: int,
    side: int,
    depth: FloatArray,
    count: IntArray,
    near: FloatArray,
) -> tuple[int, int, int, int]:
    """Count the samples of each pixel that show a triangle; return rows and columns."""
    a, b, c = 3 * t, 3 * t + 1, 3 * t + 2
    ax, ay = screen[a, 0], screen[a, 1]
    bx, by = screen[b, 0], screen[b, 1]
    cx, cy = screen[c, 0], screen[c, 1]
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    left = max(int(np.ceil(min(ax, bx, cx))), 0)
    right = min(int(np.floor(max(ax, bx, cx))), depth.shape[1] - 1)
    top = max(int(np.ceil(min(ay, by, cy))), 0)
    bottom = min(int(np.floor(max(ay, by, cy))), depth.shape[0] - 1)
    if area == 0.0 or right < left or bottom < top:
        return count.shape[0], count.shape[1], -1, -1
    scale = 1.0 / area
    for v in range(top, bottom + 1):
        for u in range(left, right + 1):
            wa = ((cx - bx) * (v - by) - (cy - by) * (u - bx)) * scale
            wb = ((ax - cx) * (v - cy) - (ay - cy) * (u - cx)) * scale
            wc = 1.0 - wa - wb
            if wa >= 0.0 and wb >= 0.0 and wc >= 0.0:
                here = wa * inverse[a] + wb * inverse[b] + wc * inverse[c]
                if here > depth[v, u]:
                    count[v // side, u // side] += 1
                    near[v // side, u // side] += here
    return top // side, left // side, bottom // side, right // side


@kernel
def _lay(
    view: tuple[float, float, float, FloatArray, FloatArray],
    soup: tuple[FloatArray, FloatArray, FloatArray, FloatArray],
    t: int,
    box: tuple[int, int, int, int],
    side: int,
    sun: FloatArray,
    shadow: tuple[FloatArray, FloatArray, FloatArray],
    count: IntArray,
    near: FloatArray,
    out: NDArray[np.float32],
) -> None:
    """Blend a sheet into the pixels that show it, lit as its first triangle is."""
    corners, normals, colors, alphas = soup
    top, left, bottom, right = box
    middle = 0.5 * (side - 1)
    for row in range(top, bottom + 1):
        for column in range(left, right + 1):
            if count[row, column] > 0:
                red, green, blue = colored(
                    column * side + middle, row * side + middle,
                    near[row, column] / count[row, column], view, corners[t],
                    normals[t], colors[t], sun, shadow,
                )  # fmt: skip
                share = alphas[t] * min(count[row, column] / (side * side), 1.0)
                out[row, column, 0] += share * (red - out[row, column, 0])
                out[row, column, 1] += share * (green - out[row, column, 1])
                out[row, column, 2] += share * (blue - out[row, column, 2])
                count[row, column] = 0
                near[row, column] = 0.0
