"""Boards as MuJoCo meshes.

A chessboard is one mesh whose squares are quads with corners in common, coloured by a
texture of two texels: edges are exact, seams closed, and no texture filter blurs them.
"""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from gelenk.core.spatial.quaternion import quaternion_from_matrix
from gelenk.core.typing import FloatArray
from gelenk.sim.bridge.cameras import find_parent
from gelenk.sim.cameras.boards import Board, Chessboard, Picture

LIGHT_U, DARK_U = 0.25, 0.75  # middles of the two texels
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
        quads, uv = _chessboard_quads(board)
        texels = np.array([[board.light[:3], board.dark[:3]]])
        image = np.rint(255.0 * texels).astype(np.uint8)
    else:
        quads, uv, image = _picture_quad(board)
    _add_printed_face(spec, body, board.name, quads, uv, image)
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


def _chessboard_quads(board: Chessboard) -> tuple[FloatArray, FloatArray]:
    """Return quads (n, 4, 3), counter-clockwise, and their texture places (n, 4, 2)."""
    x = board.square * (np.arange(board.columns + 1) - board.columns / 2.0)
    y = board.square * (board.rows / 2.0 - np.arange(board.rows + 1))
    if board.border > 0.0:
        x = np.concatenate([[x[0] - board.border], x, [x[-1] + board.border]])
        y = np.concatenate([[y[0] + board.border], y, [y[-1] - board.border]])
    margin = 1 if board.border > 0.0 else 0
    quads, texture_u = [], []
    for j in range(len(y) - 1):
        for i in range(len(x) - 1):
            quads.append(_rectangle(x[i], x[i + 1], y[j + 1], y[j]))
            column, row = i - margin, j - margin
            inside = 0 <= column < board.columns and 0 <= row < board.rows
            is_dark = inside and (column + row) % 2 == 0
            texture_u.append(DARK_U if is_dark else LIGHT_U)
    uv = np.full((len(quads), 4, 2), 0.5)
    uv[..., 0] = np.array(texture_u)[:, None]
    return np.array(quads), uv


def _picture_quad(
    board: Picture,
) -> tuple[FloatArray, FloatArray, NDArray[np.uint8]]:
    """Return one quad, its texture places, and the image with a margin of one texel.

    Textures repeat: without a margin the filter mixes opposite borders.
    """
    width, height = board.size
    image = np.pad(board.pixels, ((1, 1), (1, 1), (0, 0)), mode="edge")
    rows, columns = image.shape[:2]
    u0, u1 = 1.0 / columns, 1.0 - 1.0 / columns
    v0, v1 = 1.0 / rows, 1.0 - 1.0 / rows
    quad = _rectangle(-width / 2.0, width / 2.0, -height / 2.0, height / 2.0)
    uv = np.array([[u0, v1], [u1, v1], [u1, v0], [u0, v0]])  # first row on top
    return quad[None], uv[None], image


def _rectangle(x0: float, x1: float, y0: float, y1: float) -> FloatArray:
    return np.array([[x0, y0, 0.0], [x1, y0, 0.0], [x1, y1, 0.0], [x0, y1, 0.0]])


def _add_printed_face(
    spec: Any,
    body: Any,
    name: str,
    quads: FloatArray,
    uv: FloatArray,
    image: NDArray[np.uint8],
) -> None:
    """Add quads in the body's x-y plane that show parts of an image."""
    halves = np.array([[0, 1, 2], [0, 2, 3]])
    faces = 4 * np.arange(len(quads))[:, None, None] + halves
    spec.add_mesh(
        name=name,
        uservert=quads.ravel(),
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
