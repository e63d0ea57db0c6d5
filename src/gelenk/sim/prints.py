"""What is printed on boards, as flat shapes of one colour each.

The engine's own images show prints as textures; who draws plain solids gets the squares
themselves.
"""

from __future__ import annotations

import numpy as np

from gelenk.sim.cameras.boards import Board, Chessboard
from gelenk.sim.surface import Rgba
from gelenk.typing import FloatArray, IntArray

# So far before the printed face: solids behind it do not shine through.
LIFT = 4e-4  # [m]
_SQUARE = np.array([[0, 1, 2], [0, 2, 3]])


def print_faces(board: Board) -> list[tuple[FloatArray, IntArray, Rgba]]:
    """Return vertices in the board's frame [m], triangles and colour of each part.

    A chessboard has its dark squares, and everything else; a picture is one face of
    its mean colour.

    Args:
        board: Description.
    """
    width, height = board.size
    if not isinstance(board, Chessboard):
        red, green, blue = (
            float(value) / 255.0 for value in board.pixels.mean(axis=(0, 1))
        )
        return [(*_rectangles([_whole(width, height)]), (red, green, blue, 1.0))]
    x = _lines(board.columns, board.square, width)
    y = _lines(board.rows, board.square, height)[::-1]  # from the top down
    dark: list[tuple[float, float, float, float]] = []
    light: list[tuple[float, float, float, float]] = []
    for row in range(len(y) - 1):
        for column in range(len(x) - 1):
            inside = 0 < row < len(y) - 2 and 0 < column < len(x) - 2
            cells = dark if inside and (row + column) % 2 == 0 else light
            cells.append((x[column], y[row + 1], x[column + 1], y[row]))
    return [(*_rectangles(light), board.light), (*_rectangles(dark), board.dark)]


def _whole(width: float, height: float) -> tuple[float, float, float, float]:
    return -width / 2.0, -height / 2.0, width / 2.0, height / 2.0


def _lines(count: int, square: float, width: float) -> FloatArray:
    """Return where squares meet along one edge, ends of the plate included [m]."""
    inner = square * (np.arange(count + 1) - count / 2.0)
    return np.concatenate([[-width / 2.0], inner, [width / 2.0]])


def _rectangles(
    cells: list[tuple[float, float, float, float]],
) -> tuple[FloatArray, IntArray]:
    """Return corners, (4 n, 3), and triangles of left, bottom, right, top [m]."""
    x1, y1, x2, y2 = np.array(cells).T
    z = np.full(len(cells), LIFT)
    corners = np.array([[x1, y1, z], [x2, y1, z], [x2, y2, z], [x1, y2, z]])
    triangles = _SQUARE[None] + 4 * np.arange(len(cells))[:, None, None]
    return corners.transpose(2, 0, 1).reshape(-1, 3), triangles.reshape(-1, 3)
