"""Triangle meshes: corners, faces, colours and textures as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.errors import ShapeError
from gelenk.typing import ByteArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mesh:
    """Triangles over shared corners.

    The arrays are read-only. Corners are not merged: where a surface has an edge or a
    seam of its texture, a corner stands twice.

    Attributes:
        vertices: Corners [m], shape (n, 3).
        faces: Corners of each triangle, anticlockwise seen from outside, shape (m, 3).
        normals: Unit normal at each corner, shape (n, 3), or None.
        face_colors: Colour of each triangle, red, green, blue and opacity in [0, 1],
            shape (m, 4), or None.
        uv: Place of each corner in the texture, from its lower left, shape (n, 2), or
            None.
        texture: Image that covers the triangles, shape (height, width, 3 or 4), or
            None.

    Example:
        >>> import numpy as np
        >>> from gelenk.geometry import Mesh
        >>> corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]], dtype=float)
        >>> Mesh(vertices=corners, faces=np.array([[0, 1, 2]])).bounds[1].tolist()
        [1.0, 1.0, 0.0]
    """

    vertices: FloatArray
    faces: IntArray
    normals: FloatArray | None = None
    face_colors: FloatArray | None = None
    uv: FloatArray | None = None
    texture: ByteArray | None = None

    def __post_init__(self) -> None:
        n, m = len(self.vertices), len(self.faces)
        for name, array, shape in (
            ("vertices", self.vertices, (n, 3)),
            ("faces", self.faces, (m, 3)),
            ("normals", self.normals, (n, 3)),
            ("face_colors", self.face_colors, (m, 4)),
            ("uv", self.uv, (n, 2)),
        ):
            if array is not None:
                if array.shape != shape:
                    raise ShapeError(name, expected=str(shape), actual=array.shape)
                array.setflags(write=False)

    @property
    def bounds(self) -> FloatArray:
        """Smallest and largest coordinates of the corners [m], shape (2, 3)."""
        if not len(self.vertices):
            return np.zeros((2, 3))
        return np.stack([self.vertices.min(axis=0), self.vertices.max(axis=0)])
