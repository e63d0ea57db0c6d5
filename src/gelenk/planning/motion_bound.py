"""Bounds of how far any point of a robot moves per unit of its coordinates."""

from __future__ import annotations

import numpy as np

from gelenk.collision._support import HALF_SPACE, INT_COLS, KIND
from gelenk.collision._tables import (
    BASE_ROW,
    BODY0,
    BODY1,
    FLOATS,
    GROUP_ROW,
    Q0,
    SHAPE0,
    SceneTables,
)
from gelenk.models.compiled import (
    COL_P,
    COL_SCALE,
    TOP_INDEX,
    TOP_KIND,
    TOP_PARENT,
)
from gelenk.models.link import JointType
from gelenk.typing import FloatArray

LEAST = 1e-3  # [m]: a joint that moves nothing still has a length, for metrics


def coordinate_reach(tables: SceneTables, ranges: FloatArray) -> FloatArray:
    """Return a bound of the motion of any point per unit of each coordinate.

    Args:
        tables: Tables of a scene.
        ranges: Range of each coordinate [rad] or [m], shape (n,), for what slides.

    Returns:
        Bounds [m/rad] or [m/m], shape (n,); infinite for bases that float.
    """
    reach = np.zeros(len(ranges))
    own_spheres = _spheres_of_rows(tables)
    for robot in tables.robots.tolist():
        body = tables.body[robot[BODY0] : robot[BODY1]]
        top = tables.topology[robot[BODY0] : robot[BODY1]]
        first = robot[Q0] + (7 if robot[FLOATS] else 0)
        reach[robot[Q0] : first] = np.inf
        extent = np.zeros(len(body))  # from the origin of a body to any point beyond
        across = np.zeros(len(body))  # from its axis
        for i in range(len(body) - 1, -1, -1):
            for center, radius in own_spheres.get(robot[BASE_ROW] + 1 + i, ()):
                extent[i] = max(extent[i], np.linalg.norm(center) + radius)
                across[i] = max(across[i], np.hypot(*center[:2]) + radius)
            index = first + int(top[i, TOP_INDEX])
            kind, scale = int(top[i, TOP_KIND]), abs(float(body[i, COL_SCALE]))
            slides = kind == JointType.PRISMATIC
            reach[index] += scale * (1.0 if slides else max(across[i], LEAST))
            above = int(top[i, TOP_PARENT])
            if above >= 0:
                place = body[i, COL_P : COL_P + 3]
                more = extent[i] + (scale * ranges[index] if slides else 0.0)
                extent[above] = max(extent[above], np.linalg.norm(place) + more)
                across[above] = max(across[above], np.hypot(*place[:2]) + more)
    return reach


def _spheres_of_rows(tables: SceneTables) -> dict[int, list[tuple[FloatArray, float]]]:
    """Return centre and radius of every group by the row that carries it."""
    found: dict[int, list[tuple[FloatArray, float]]] = {}
    for group, sphere in zip(tables.groups.tolist(), tables.spheres, strict=True):
        is_ground = tables.ints[group[SHAPE0] * INT_COLS + KIND] == HALF_SPACE
        if not is_ground:
            found.setdefault(group[GROUP_ROW], []).append((sphere[:3], sphere[3]))
    return found
