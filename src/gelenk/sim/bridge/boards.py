"""Boards as textured MuJoCo meshes.

Squares are printed, not built: an edge of a body is either before or behind a sample,
and an edge that runs along the samples jumps by a whole one. A texture is filtered, so
that its edges move as smoothly as the camera does, and stay in place, since a square is
a power of two of texels and halves exactly from each level of filtering to the next.
"""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gelenk.sim.bridge.cameras import find_parent
from gelenk.sim.cameras.boards import Board, Chessboard, Picture
from gelenk.spatial.quaternion import quaternion_from_matrix
from gelenk.typing import FloatArray

SQUARE_TEXELS = 128  # a power of two
# The plate ends this far behind the printed face, which must win the depth test.
FACE_GAP = 1e-4  # [m]


def add_board(spec: Any, board: Board) -> None:
    """Add a board to a specification: a body of its name that nothing collides with.

    Args:
        spec: `mujoco.MjSpec`.
        board: Description.

    Raises:
        NameNotFoundError: If its parent does not exist.
    """
    T = np.asarray(board.T_parent_board)
    body = find_parent(spec, board.parent).add_body(
        name=board.name,
        pos=T[:3, 3],
        quat=quaternion_from_matrix(T[:3, :3]),
        mocap=board.is_movable,
    )
    if isinstance(board, Chessboard):
        corners, uv, image = _chessboard_print(board)
    else:
        corners, uv, image = _picture_print(board)
    _add_printed_face(spec, body, board.name, corners, uv, image)
    width, height = board.size
    body.add_geom(
        name=f"{board.name}/plate",
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=(width / 2.0, height / 2.0, board.thickness / 2.0),
        pos=(0.0, 0.0, -board.thickness / 2.0 - FACE_GAP),
        rgba=(0.75, 0.75, 0.75, 1.0),
        contype=0,
        conaffinity=0,
        mass=0.0,
    )


def _chessboard_print(
    board: Chessboard,
) -> tuple[FloatArray, FloatArray, NDArray[np.uint8]]:
    """Return one quad, its texture places, and the image of the pattern."""
    margin = max(1, int(np.ceil(board.border / board.square)))
    columns, rows = board.columns + 2 * margin, board.rows + 2 * margin
    row, column = np.mgrid[
        -margin : board.rows + margin, -margin : board.columns + margin
    ]
    inside = (row >= 0) & (row < board.rows) & (column >= 0) & (column < board.columns)
    is_dark = inside & ((row + column) % 2 == 0)
    colors = np.where(is_dark[..., None], board.dark[:3], board.light[:3])
    squares = np.rint(255.0 * colors).astype(np.uint8)
    image = squares.repeat(SQUARE_TEXELS, axis=0).repeat(SQUARE_TEXELS, axis=1)
    width, height = board.size
    u = 0.5 + width / board.square / columns * np.array([-0.5, 0.5])
    v = 0.5 + height / board.square / rows * np.array([-0.5, 0.5])
    return *_rectangle(width, height, u, v), image


def _picture_print(
    board: Picture,
) -> tuple[FloatArray, FloatArray, NDArray[np.uint8]]:
    """Return one quad, its texture places, and the image with a margin of one texel.

    Textures repeat: without a margin the filter mixes opposite borders.
    """
    image = np.pad(board.pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows, columns = image.shape[:2]
    u = np.array([1.0, columns - 1.0]) / columns
    v = np.array([1.0, rows - 1.0]) / rows
    return *_rectangle(*board.size, u, v), image


def _rectangle(
    width: float, height: float, u: FloatArray, v: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return corners [m], (4, 3), counter-clockwise, and their places in a texture.

    Args:
        width: Along x [m].
        height: Along y [m].
        u: Texture columns of the left and right side, 0..1.
        v: Texture rows of the upper and lower side, 0..1.
    """
    x, y = width / 2.0, height / 2.0
    corners = np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]])
    uv = np.array([[u[0], v[1]], [u[1], v[1]], [u[1], v[0]], [u[0], v[0]]])
    return corners, uv


def _add_printed_face(
    spec: Any,
    body: Any,
    name: str,
    corners: FloatArray,
    uv: FloatArray,
    image: NDArray[np.uint8],
) -> None:
    """Add a quad in the body's x-y plane that shows a part of an image."""
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    spec.add_mesh(
        name=name,
        uservert=corners.ravel(),
        userface=faces.ravel(),
        usertexcoord=uv.ravel(),
        userfacetexcoord=faces.ravel(),
        inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
    )
    texture = spec.add_texture(
        name=name,
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        width=image.shape[1],
        height=image.shape[0],
        nchannel=3,
    )
    texture.data = image.tobytes()
    material = spec.add_material(name=name, specular=0.0, shininess=0.0)
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = name
    body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_MESH,
        meshname=name,
        material=name,
        contype=0,
        conaffinity=0,
        mass=0.0,
    )
