"""Tables of a scene as kernels read them, and their room to work in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gelenk.collision._gjk import SIMPLEX_COLS
from gelenk.collision._penetration import (
    FACE_COLS,
    FACE_INTS,
    LIST_COLS,
    MOST_FACES,
    MOST_VERTICES,
)
from gelenk.typing import FloatArray, IntArray

# Columns of `SceneTables.robots`: bodies, coordinates, velocities, row of the base.
BODY0, BODY1, Q0, Q1, V0, BASE_ROW, FLOATS = 0, 1, 2, 3, 4, 5, 6
ROBOT_INTS = 7

# Columns of `SceneTables.groups`: shapes, row that carries them, field or -1.
SHAPE0, SHAPE1, GROUP_ROW, GROUP_FIELD = 0, 1, 2, 3
GROUP_INTS = 4

# Columns of `SceneTables.fields`: pose, corner [m], size of a cell [m], number of
# cells along x and y.
CORNER_X, CORNER_Y, CELL_X, CELL_Y, CELLS_X, CELLS_Y = 12, 13, 14, 15, 16, 17
FIELD_COLS = 18


class SceneTables(NamedTuple):
    """Arrays of a scene.

    Poses stand in rows: row 0 is the world, then base and bodies of each robot. Shapes
    are sorted by group, those on robots before all others.

    Attributes:
        body, topology: Tables of the bodies of all robots, see `models.compiled`.
        robots: Ranges of each robot, shape (r, ROBOT_INTS).
        bases: Pose of each robot's base in the world, shape (r, 12).
        row_robot: Robot of each row of poses, -1 for the world, shape (rows,).
        data: Shapes, see `_support`.
        ints: Whole numbers of the shapes.
        places: Poses of the shapes that do not move, others empty, shape (s, 12).
        groups: Ranges of shapes: links, attached things, obstacles.
        spheres: Bounding spheres of groups in their row: centre and radius, (g, 4).
        fields: Grids of height fields.
        pairs: Groups that are tested, the one that moves first, shape (p, 2).
        margins: Distance that each pair must keep [m], shape (p,).
        num_carried: Number of shapes on robots, shape (1,).
    """

    body: FloatArray
    topology: IntArray
    robots: IntArray
    bases: FloatArray
    row_robot: IntArray
    data: FloatArray
    ints: IntArray
    places: FloatArray
    groups: IntArray
    spheres: FloatArray
    fields: FloatArray
    pairs: IntArray
    margins: FloatArray
    num_carried: IntArray


class SceneWork(NamedTuple):
    """Room in which one thread works.

    Attributes:
        poses: Poses of all rows, shape (rows, 12).
        places: Poses of all shapes, shape (s, 12).
        centers: Centres of the groups' spheres, shape (g, 3).
        S: Simplex.
        V, F, N, Q: Vertices, faces and lists of a polytope.
    """

    poses: FloatArray
    places: FloatArray
    centers: FloatArray
    S: FloatArray
    V: FloatArray
    F: FloatArray
    N: IntArray
    Q: IntArray


def new_work(tables: SceneTables) -> SceneWork:
    """Return room for one thread; what does not move is filled in."""
    poses = np.zeros((len(tables.row_robot), 12))
    poses[:, [0, 4, 8]] = 1.0
    return SceneWork(
        poses=poses,
        places=tables.places.copy(),
        centers=tables.spheres[:, :3].copy(),
        S=np.zeros((8, SIMPLEX_COLS)),
        V=np.zeros((MOST_VERTICES, SIMPLEX_COLS)),
        F=np.zeros((MOST_FACES, FACE_COLS)),
        N=np.zeros((MOST_FACES, FACE_INTS), dtype=np.int64),
        Q=np.zeros((MOST_FACES, LIST_COLS), dtype=np.int64),
    )
