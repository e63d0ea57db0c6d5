"""Kernels that draw triangles: depth buffer, light, textures, shadows, transparency.

Places on the screen are in samples, u right and v down, the middle of the first sample
at (0, 0). A depth buffer keeps 1 / z, which is linear on the screen: larger is nearer,
0 is nothing. Colours are linear light, 1 is white. Triangles are seen from both sides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.typing import ByteArray, FloatArray, IntArray, Vec3

AMBIENT = 0.36  # share of light from everywhere, more of it from above
KEY, FILL = 0.60, 0.16  # shares of the main light and of the one from the other side
SHINE = 0.10  # strength of the highlight
DARKEST = 0.10  # of the main light that reaches into a shadow


class RasterView(NamedTuple):
    """Camera over a grid of samples.

    Attributes:
        fx, fy, cu, cv: Focal lengths and optical axis in samples.
        eye: Position of the camera in the world [m], shape (3,).
        axes: Axes right, down, forward of the camera as columns, shape (3, 3).
    """

    fx: float
    fy: float
    cu: float
    cv: float
    eye: FloatArray
    axes: FloatArray


class Soup(NamedTuple):
    """Triangles in the world.

    Attributes:
        vertices: Corners [m], shape (n, 3).
        faces: Corners of each triangle, shape (m, 3).
        normals: Unit normals at the corners of each triangle, shape (m, 3, 3).
        colors: Linear red, green, blue, and opacity, shape (m, 4).
        uv: Places in the texture of the corners of each triangle, shape (m, 3, 2).
        texture: Number of the texture of each triangle, -1 for none, shape (m,).
    """

    vertices: FloatArray
    faces: IntArray
    normals: FloatArray
    colors: FloatArray
    uv: FloatArray
    texture: IntArray


class Textures(NamedTuple):
    """Images one after the other.

    Attributes:
        texels: Pixels, red, green, blue, shape (n, 3).
        table: First pixel, width and height of each image, shape (k, 3).
        light: Linear light of each of the 256 values, shape (256,).
    """

    texels: ByteArray
    table: IntArray
    light: FloatArray


class Lights(NamedTuple):
    """Light and shadow.

    Attributes:
        key: Unit direction towards the main light, shape (3,).
        fill: Unit direction towards the light without shadow, shape (3,).
        nearness: Map of what the main light sees, 0 where nothing is, shape (k, k).
        axes: Axes of the map as rows, texels per metre along two, shape (3, 3).
        origin: Column, row and nearness of the world's origin, negative, shape (3,).
    """

    key: FloatArray
    fill: FloatArray
    nearness: FloatArray
    axes: FloatArray
    origin: FloatArray


class GroundPlane(NamedTuple):
    """Level ground that fades into the background.

    Attributes:
        height: Height [m].
        x, y: Middle of what is seen [m].
        radius: Distance from there at which nothing is left [m]; 0 for no ground.
        shade: Linear light it returns, grey.
    """

    height: float
    x: float
    y: float
    radius: float
    shade: float


@kernel
def fill(
    screen: FloatArray,
    inverse: FloatArray,
    faces: IntArray,
    number: IntArray,
    depth: FloatArray,
    owner: IntArray,
) -> None:
    """Draw triangles into a depth buffer and note which one each sample shows.

    Args:
        screen: Corners on the screen (n, 2).
        inverse: Nearness of the corners; a triangle with one at 0 is left out (n,).
        faces: Corners of each triangle (m, 3).
        number: Number that is noted for each triangle (m,).
        depth: Buffer (rows, columns), changed.
        owner: Notes (rows, columns), changed.
    """
    rows, columns = depth.shape
    for t in range(faces.shape[0]):
        a, b, c = faces[t, 0], faces[t, 1], faces[t, 2]
        na, nb, nc = inverse[a], inverse[b], inverse[c]
        if not (na > 0.0 and nb > 0.0 and nc > 0.0):
            continue
        ax, ay = screen[a, 0], screen[a, 1]
        bx, by = screen[b, 0], screen[b, 1]
        cx, cy = screen[c, 0], screen[c, 1]
        low_u, high_u = min(ax, bx, cx), max(ax, bx, cx)
        low_v, high_v = min(ay, by, cy), max(ay, by, cy)
        if not (high_u >= 0.0 and low_u <= columns and high_v >= 0.0 and low_v <= rows):
            continue
        left, right = int(np.ceil(max(low_u, 0.0))), int(min(high_u, columns - 1.0))
        top, bottom = int(np.ceil(max(low_v, 0.0))), int(min(high_v, rows - 1.0))
        if right < left or bottom < top:
            continue
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if area == 0.0:
            continue
        scale = 1.0 / area
        step_a, step_b = -(cy - by) * scale, -(ay - cy) * scale
        for v in range(top, bottom + 1):
            wa = ((cx - bx) * (v - by) - (cy - by) * (left - bx)) * scale
            wb = ((ax - cx) * (v - cy) - (ay - cy) * (left - cx)) * scale
            for u in range(left, right + 1):
                wc = 1.0 - wa - wb
                if wa >= 0.0 and wb >= 0.0 and wc >= 0.0:
                    near = wa * na + wb * nb + wc * nc
                    if near > depth[v, u]:
                        depth[v, u] = near
                        owner[v, u] = number[t]
                wa += step_a
                wb += step_b


@kernel
def _unshaded(p: Vec3, n: Vec3, lights: Lights) -> float:
    """Return the share of the main light that reaches a point, soft at the edges."""
    size = lights.nearness.shape[0]
    axes, origin = lights.axes, lights.origin
    texel = 1.0 / np.sqrt(axes[0, 0] ** 2 + axes[0, 1] ** 2 + axes[0, 2] ** 2)
    lift = 2.0 * texel  # or it would shade itself
    x, y, z = p[0] + lift * n[0], p[1] + lift * n[1], p[2] + lift * n[2]
    u = axes[0, 0] * x + axes[0, 1] * y + axes[0, 2] * z - origin[0]
    v = axes[1, 0] * x + axes[1, 1] * y + axes[1, 2] * z - origin[1]
    near = axes[2, 0] * x + axes[2, 1] * y + axes[2, 2] * z - origin[2] + 0.5 * texel
    if not (2.0 <= u <= size - 4.0 and 2.0 <= v <= size - 4.0):
        return 1.0
    i, j = int(u), int(v)
    right, below = u - i, v - j
    total = 0.0
    for row in range(-1, 3):  # a tent of 3 x 3 texels around the point
        weight_v = 1.0 - below if row == -1 else (below if row == 2 else 1.0)
        for column in range(-1, 3):
            weight_u = 1.0 - right if column == -1 else (right if column == 2 else 1.0)
            found = lights.nearness[j + row, i + column]
            if found <= near or found == 0.0:
                total += weight_u * weight_v
    return total / 9.0


@kernel
def _texel(place_u: float, place_v: float, image: int, textures: Textures) -> Vec3:
    """Return the linear colour at a place of a texture, between its pixels."""
    first = textures.table[image, 0]
    width, height = textures.table[image, 1], textures.table[image, 2]
    x = (place_u - np.floor(place_u)) * width - 0.5
    y = (1.0 - (place_v - np.floor(place_v))) * height - 0.5
    i, j = int(np.floor(x)), int(np.floor(y))
    right, below = x - i, y - j
    red, green, blue = 0.0, 0.0, 0.0
    for row in range(2):
        for column in range(2):
            weight = (right if column else 1.0 - right) * (
                below if row else 1.0 - below
            )
            r, c = min(max(j + row, 0), height - 1), min(max(i + column, 0), width - 1)
            at = first + r * width + c
            red += weight * textures.light[textures.texels[at, 0]]
            green += weight * textures.light[textures.texels[at, 1]]
            blue += weight * textures.light[textures.texels[at, 2]]
    return red, green, blue


@kernel
def _weights(p: Vec3, a: FloatArray, b: FloatArray, c: FloatArray) -> Vec3:
    """Return how much each corner of a triangle counts at a point of its plane."""
    ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
    px, py, pz = p[0] - a[0], p[1] - a[1], p[2] - a[2]
    uu, vv = ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz
    uv = ux * vx + uy * vy + uz * vz
    pu, pv = px * ux + py * uy + pz * uz, px * vx + py * vy + pz * vz
    scale = uu * vv - uv * uv
    if not scale > 0.0:
        return 1.0, 0.0, 0.0
    s = min(max((vv * pu - uv * pv) / scale, 0.0), 1.0)
    t = min(max((uu * pv - uv * pu) / scale, 0.0), 1.0)
    return 1.0 - s - t, s, t


@kernel
def _point(u: float, v: float, near: float, view: RasterView) -> Vec3:
    """Return the place in the world of a sample at a nearness."""
    z = 1.0 / near
    x, y = z * (u - view.cu) / view.fx, z * (v - view.cv) / view.fy
    axes, eye = view.axes, view.eye
    return (
        eye[0] + axes[0, 0] * x + axes[0, 1] * y + axes[0, 2] * z,
        eye[1] + axes[1, 0] * x + axes[1, 1] * y + axes[1, 2] * z,
        eye[2] + axes[2, 0] * x + axes[2, 1] * y + axes[2, 2] * z,
    )


@kernel
def _color(
    u: float,
    v: float,
    near: float,
    t: int,
    view: RasterView,
    soup: Soup,
    textures: Textures,
    lights: Lights,
) -> Vec3:
    """Return the lit colour of a triangle at a sample."""
    p = _point(u, v, near, view)
    face = soup.faces[t]
    corners = soup.vertices
    wa, wb, wc = _weights(p, corners[face[0]], corners[face[1]], corners[face[2]])
    normals = soup.normals[t]
    nx = wa * normals[0, 0] + wb * normals[1, 0] + wc * normals[2, 0]
    ny = wa * normals[0, 1] + wb * normals[1, 1] + wc * normals[2, 1]
    nz = wa * normals[0, 2] + wb * normals[1, 2] + wc * normals[2, 2]
    scale = 1.0 / (np.sqrt(nx * nx + ny * ny + nz * nz) + 1e-12)
    hx, hy, hz = view.eye[0] - p[0], view.eye[1] - p[1], view.eye[2] - p[2]
    if nx * hx + ny * hy + nz * hz < 0.0:
        scale = -scale  # seen from behind
    nx, ny, nz = nx * scale, ny * scale, nz * scale
    key = lights.key
    facing = nx * key[0] + ny * key[1] + nz * key[2]
    share = _unshaded(p, (nx, ny, nz), lights) if facing > 0.0 else 0.0
    bright = KEY * max(facing, 0.0) * (DARKEST + (1.0 - DARKEST) * share)
    side = lights.fill
    bright += FILL * max(nx * side[0] + ny * side[1] + nz * side[2], 0.0)
    bright += AMBIENT * (0.6 + 0.4 * nz)
    scale = 1.0 / (np.sqrt(hx * hx + hy * hy + hz * hz) + 1e-12)
    hx, hy, hz = hx * scale + key[0], hy * scale + key[1], hz * scale + key[2]
    scale = 1.0 / (np.sqrt(hx * hx + hy * hy + hz * hz) + 1e-12)
    along = max((hx * nx + hy * ny + hz * nz) * scale, 0.0)
    along *= along
    along *= along
    along *= along
    along *= along
    along *= along  # to the power of 32
    shine = SHINE * share * along
    red, green, blue = soup.colors[t, 0], soup.colors[t, 1], soup.colors[t, 2]
    if soup.texture[t] >= 0:
        uv = soup.uv[t]
        place_u = wa * uv[0, 0] + wb * uv[1, 0] + wc * uv[2, 0]
        place_v = wa * uv[0, 1] + wb * uv[1, 1] + wc * uv[2, 1]
        r, g, b = _texel(place_u, place_v, soup.texture[t], textures)
        red, green, blue = red * r, green * g, blue * b
    return (
        min(red * bright + shine, 1.0),
        min(green * bright + shine, 1.0),
        min(blue * bright + shine, 1.0),
    )


@kernel
def _ground(
    u: float, v: float, view: RasterView, lights: Lights, floor: GroundPlane, sky: Vec3
) -> Vec3:
    """Return the colour of a sample that shows no triangle."""
    p = _point(u, v, 1.0, view)
    down = view.eye[2] - p[2]
    above = view.eye[2] - floor.height
    if floor.radius <= 0.0 or down <= 1e-6 or above <= 0.0:
        return sky
    s = above / down
    x = view.eye[0] + s * (p[0] - view.eye[0])
    y = view.eye[1] + s * (p[1] - view.eye[1])
    far = np.sqrt((x - floor.x) ** 2 + (y - floor.y) ** 2) / floor.radius
    if far >= 1.0:
        return sky
    fade = (1.0 - far) * (1.0 - far) * (1.0 + 2.0 * far)
    share = _unshaded((x, y, floor.height), (0.0, 0.0, 1.0), lights)
    bright = AMBIENT + KEY * lights.key[2] * (DARKEST + (1.0 - DARKEST) * share)
    level = floor.shade * bright
    return (
        sky[0] + fade * (level - sky[0]),
        sky[1] + fade * (level - sky[1]),
        sky[2] + fade * (level - sky[2]),
    )


@kernel
def paint(
    view: RasterView,
    soup: Soup,
    textures: Textures,
    lights: Lights,
    floor: GroundPlane,
    depth: FloatArray,
    owner: IntArray,
    out: NDArray[np.float32],
) -> None:
    """Give every pixel the mean of the lit colours of its samples.

    A pixel whose samples all show one triangle, or none, is lit once, in its middle.

    Args:
        view: Camera.
        soup: Triangles.
        textures: Their textures.
        lights: Light and shadow.
        floor: Ground.
        depth: Depth buffer of samples.
        owner: Triangle of each sample, -1 for none.
        out: Image (rows, columns, 3) with the background, changed.
    """
    side = depth.shape[0] // out.shape[0]
    count, middle = side * side, 0.5 * (side - 1)
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            top, left = row * side, column * side
            first, is_one, near = int(owner[top, left]), True, 0.0
            for v in range(top, top + side):
                for u in range(left, left + side):
                    is_one = is_one and owner[v, u] == first
                    near += depth[v, u]
            sky = (
                float(out[row, column, 0]),
                float(out[row, column, 1]),
                float(out[row, column, 2]),
            )
            red, green, blue = 0.0, 0.0, 0.0
            if is_one:
                u, v = left + middle, top + middle
                if first >= 0:
                    red, green, blue = _color(
                        u, v, near / count, first, view, soup, textures, lights
                    )
                else:
                    red, green, blue = _ground(u, v, view, lights, floor, sky)
            else:
                for j in range(top, top + side):
                    for i in range(left, left + side):
                        t = int(owner[j, i])
                        if t >= 0:
                            r, g, b = _color(
                                float(i), float(j), depth[j, i], t, view, soup,
                                textures, lights,
                            )  # fmt: skip
                        else:
                            r, g, b = _ground(
                                float(i), float(j), view, lights, floor, sky
                            )
                        red, green, blue = red + r, green + g, blue + b
                red, green, blue = red / count, green / count, blue / count
            out[row, column, 0] = red
            out[row, column, 1] = green
            out[row, column, 2] = blue


@kernel
def lay_over(
    screen: FloatArray,
    inverse: FloatArray,
    faces: IntArray,
    number: IntArray,
    view: RasterView,
    soup: Soup,
    textures: Textures,
    lights: Lights,
    depth: FloatArray,
    out: NDArray[np.float32],
) -> None:
    """Lay transparent triangles over an image, in their order.

    Args:
        screen: Corners on the screen (n, 2).
        inverse: Nearness of the corners (n,).
        faces: Corners of each triangle, the farthest first (m, 3).
        number: Number of each triangle in `soup` (m,).
        view: Camera.
        soup: Triangles.
        textures: Their textures.
        lights: Light and shadow.
        depth: Depth buffer of samples of what is solid; not changed.
        out: Image (rows, columns, 3), changed.
    """
    side = depth.shape[0] // out.shape[0]
    middle = 0.5 * (side - 1)
    for k in range(faces.shape[0]):
        a, b, c = faces[k, 0], faces[k, 1], faces[k, 2]
        if not (inverse[a] > 0.0 and inverse[b] > 0.0 and inverse[c] > 0.0):
            continue
        ax, ay = screen[a, 0], screen[a, 1]
        bx, by = screen[b, 0], screen[b, 1]
        cx, cy = screen[c, 0], screen[c, 1]
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        left = max(min(ax, bx, cx), 0.0) / side
        right = min(max(ax, bx, cx), depth.shape[1] - 1.0) / side
        top = max(min(ay, by, cy), 0.0) / side
        bottom = min(max(ay, by, cy), depth.shape[0] - 1.0) / side
        if area == 0.0 or not (right >= left and bottom >= top):
            continue
        scale = 1.0 / area
        for row in range(int(top), int(bottom) + 1):
            for column in range(int(left), int(right) + 1):
                covered, near = 0, 0.0
                for v in range(row * side, row * side + side):
                    for u in range(column * side, column * side + side):
                        wa = ((cx - bx) * (v - by) - (cy - by) * (u - bx)) * scale
                        wb = ((ax - cx) * (v - cy) - (ay - cy) * (u - cx)) * scale
                        wc = 1.0 - wa - wb
                        if wa >= 0.0 and wb >= 0.0 and wc >= 0.0:
                            here = wa * inverse[a] + wb * inverse[b] + wc * inverse[c]
                            if here > depth[v, u]:
                                covered += 1
                                near += here
                if covered:
                    t = number[k]
                    red, green, blue = _color(
                        column * side + middle, row * side + middle, near / covered, t,
                        view, soup, textures, lights,
                    )  # fmt: skip
                    share = soup.colors[t, 3] * covered / (side * side)
                    out[row, column, 0] += share * (red - out[row, column, 0])
                    out[row, column, 1] += share * (green - out[row, column, 1])
                    out[row, column, 2] += share * (blue - out[row, column, 2])
