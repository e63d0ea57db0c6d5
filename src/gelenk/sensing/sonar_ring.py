"""Rings of sonars, evaluated for all sensors at once.

Each reading equals that of `gelenk.sensing.sonar.sonar_reading`. Echoes of walls and
discs are found for all sensors together; those reflected in a corner only for walls
that reach into a cone, and only what would be heard is tested for obstacles in its
path.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gelenk.checks import as_finite
from gelenk.sensing.sonar import Sonar, SonarScene
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

_EDGE = 1e-12  # [rad], on the rim of a cone


def ring_readings(sonar: Sonar, poses: ArrayLike, scene: SonarScene) -> FloatArray:
    """Return the first echo of each of many sensors [m], inf: none, shape (n,).

    Args:
        sonar: Sensor, alike at all poses.
        poses: Poses (x, y, θ) of the sensors, θ their axes [m], [rad], shape (n, 3).
        scene: Walls and discs.

    Example:
        >>> scene = SonarScene(walls=[[[2, -1], [2, 1]]])
        >>> print(ring_readings(Sonar(), [[0, 0, 0.1], [1, 0, 2.0]], scene))
        [ 2. inf]
    """
    x = as_finite("poses", poses, (3,))
    place = x[:, :2]
    nearest = np.full(len(x), sonar.max_range + _EDGE)
    _hear(sonar, x, scene, _wall_paths(place, scene), nearest)
    _hear(sonar, x, scene, _disc_paths(place, scene), nearest)
    _hear(sonar, x, scene, _corner_paths(sonar, x, scene, nearest), nearest)
    return np.where(nearest > sonar.max_range, np.inf, nearest)


def are_clear(
    a: FloatArray, b: FloatArray, walls: FloatArray, *, skip: IntArray | None = None
) -> BoolArray:
    """Return whether no wall is between points, shape (n,).

    Args:
        a: Points [m], shape (n, 2).
        b: The others [m], shape (n, 2).
        walls: Ends of the walls [m], shape (k, 2, 2).
        skip: Indices of two walls that do not count, shape (n, 2).
    """
    _, is_hit = _crossings(a[:, None], b[:, None], walls)
    if skip is not None:
        other = np.arange(len(walls))
        is_hit &= (skip[:, :1] != other) & (skip[:, 1:] != other)
    return np.asarray(~is_hit.any(axis=1))


_Paths = tuple[
    IntArray, FloatArray, FloatArray, list[FloatArray], IntArray
]  # sensor, where it aims, distance, corners of the path, walls that it meets


def _hear(
    sonar: Sonar,
    poses: FloatArray,
    scene: SonarScene,
    paths: _Paths,
    nearest: FloatArray,
) -> None:
    """Shorten `nearest` [m], shape (n,), by echoes that are heard and come first."""
    who, aim, distance, ends, skip = paths
    path = aim - poses[who, :2]
    bearing = wrap_angle(np.arctan2(path[:, 1], path[:, 0]) - poses[who, 2])
    is_heard = np.abs(bearing) <= sonar.half_angle + _EDGE
    is_heard &= (distance >= sonar.blind_range) & (distance < nearest[who])
    who, distance, skip = who[is_heard], distance[is_heard], skip[is_heard]
    clear = np.ones(len(who), dtype=bool)
    for a, b in pairwise([leg[is_heard] for leg in ends]):
        clear &= are_clear(a, b, scene.walls, skip=skip)
    np.minimum.at(nearest, who[clear], distance[clear])


def _wall_paths(place: FloatArray, scene: SonarScene) -> _Paths:
    foot, is_on = _feet(place[:, None], scene.walls)
    who, wall = np.nonzero(is_on)
    meet = foot[who, wall]
    distance = np.linalg.norm(meet - place[who], axis=1)
    skip = np.stack([wall, wall], axis=1)
    return who, meet, distance, [place[who], meet], skip


def _disc_paths(place: FloatArray, scene: SonarScene) -> _Paths:
    path = scene.discs[:, :2] - place[:, None]
    reach = np.linalg.norm(path, axis=-1)
    who, disc = np.nonzero(reach > scene.discs[:, 2])
    far, radius = reach[who, disc], scene.discs[disc, 2]
    meet = place[who] + path[who, disc] * (1.0 - radius / far)[:, None]
    nobody = np.full((len(who), 2), -1)
    return who, meet, far - radius, [place[who], meet], nobody


def _corner_paths(
    sonar: Sonar, poses: FloatArray, scene: SonarScene, nearest: FloatArray
) -> _Paths:
    """Return sound that goes by wall i to wall j, meets it squarely, and returns.

    Ways longer than `nearest` [m], shape (n,), are of no use.
    """
    place, walls = poses[:, :2], scene.walls
    side = walls[:, 1] - walls[:, 0]
    normal = np.stack([-side[:, 1], side[:, 0]], axis=1)
    normal = normal / np.linalg.norm(normal, axis=1, keepdims=True)
    height = np.abs(place @ normal.T - np.sum(walls[:, 0] * normal, axis=1))
    is_useful = height < nearest[:, None]
    who, i = np.nonzero(is_useful & _reach_into(sonar, poses, walls))
    first = walls[i]
    along = first[:, 1] - first[:, 0]
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    off = place[who] - first[:, 0]
    image = first[:, 0] + 2.0 * np.sum(off * along, axis=1)[:, None] * along - off
    foot, is_on = _feet(image[:, None], walls)
    near = np.linalg.norm(foot - image[:, None], axis=-1) < nearest[who, None]
    pair, j = np.nonzero(is_on & near & (i[:, None] != np.arange(len(walls))))
    who, i, first, image = who[pair], i[pair], first[pair], image[pair]
    foot = foot[pair, j]
    share, is_hit = _crossings(image, foot, first)
    same = _side(place[who], first) * _side(foot, first) > 0.0
    keep = is_hit & same
    who, i, j, image, foot = who[keep], i[keep], j[keep], image[keep], foot[keep]
    bend = image + share[keep, None] * (foot - image)
    distance = np.linalg.norm(foot - image, axis=1)
    skip = np.stack([i, j], axis=1)
    return who, bend, distance, [place[who], bend, foot], skip


def _reach_into(sonar: Sonar, poses: FloatArray, walls: FloatArray) -> BoolArray:
    """Return which walls have a part in the cone of a sensor, shape (n, k)."""
    ends = walls - poses[:, None, None, :2]
    angle = np.arctan2(ends[..., 1], ends[..., 0]) - poses[:, None, None, 2]
    angle = wrap_angle(angle)
    a, b = angle[..., 0], angle[..., 1]
    touches = np.abs(angle).min(axis=-1) <= sonar.half_angle + 1e-9
    across = (a * b <= 0.0) & (np.abs(a - b) < np.pi)
    return touches | across


def _feet(points: FloatArray, walls: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Return where perpendiculars meet walls, and whether within their ends."""
    along = walls[:, 1] - walls[:, 0]
    share = np.sum((points - walls[:, 0]) * along, axis=-1) / np.sum(
        along * along, axis=-1
    )
    foot = walls[:, 0] + share[..., None] * along
    return foot, (share >= 0.0) & (share <= 1.0)


def _crossings(
    a: FloatArray, b: FloatArray, walls: FloatArray
) -> tuple[FloatArray, BoolArray]:
    """Return shares of the paths a-b at which they cross walls, and whether they do."""
    path, side, off = b - a, walls[..., 1, :] - walls[..., 0, :], walls[..., 0, :] - a
    cross = path[..., 0] * side[..., 1] - path[..., 1] * side[..., 0]
    is_parallel = np.abs(cross) < 1e-12
    cross = np.where(is_parallel, 1.0, cross)
    t = (off[..., 0] * side[..., 1] - off[..., 1] * side[..., 0]) / cross
    u = (off[..., 0] * path[..., 1] - off[..., 1] * path[..., 0]) / cross
    inside = (t > 1e-9) & (t < 1.0 - 1e-9) & (u >= 0.0) & (u <= 1.0)
    return t, inside & ~is_parallel


def _side(point: FloatArray, walls: FloatArray) -> FloatArray:
    along, off = walls[:, 1] - walls[:, 0], point - walls[:, 0]
    return along[:, 0] * off[:, 1] - along[:, 1] * off[:, 0]
