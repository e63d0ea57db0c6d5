"""Flat boards with a pattern: chessboards, pictures, and the faces of their print."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.sim.cameras.description import as_pose
from gelenk.sim.surface import Rgba, require
from gelenk.typing import ArrayLike, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chessboard:
    """A thin plate with a chessboard printed on its front.

    Frame: origin in the middle of the pattern on the printed face, x right, y up, z out
    of the face toward who looks at it.

    Attributes:
        name: Name, unique in its world.
        columns, rows: Number of squares.
        square: Edge of a square [m].
        border: Light margin around the pattern [m].
        thickness: Thickness of the plate [m].
        dark, light: Colors (r, g, b, a) of the squares; the one at top left is dark.
        parent: Carrier: None for the world, an object, or "robot/link".
        T_parent_board: Pose of the frame on the parent, shape (4, 4).
        is_movable: Whether it can be put elsewhere while the world runs; only without
            parent.

    Example:
        >>> from gelenk.sim import Chessboard
        >>> board = Chessboard(name="board", columns=9, rows=7, square=0.03)
        >>> board.corners().shape  # inner corners
        (48, 3)
    """

    name: str
    columns: int = 9
    rows: int = 7
    square: float = 0.03
    border: float = 0.02
    thickness: float = 0.003
    dark: Rgba = (0.08, 0.08, 0.08, 1.0)
    light: Rgba = (0.9, 0.9, 0.9, 1.0)
    parent: str | None = None
    T_parent_board: ArrayLike = field(default_factory=lambda: np.eye(4))
    is_movable: bool = False

    def __post_init__(self) -> None:
        require(self, "columns", minimum=2)
        require(self, "rows", minimum=2)
        require(self, "square", above=0.0, unit="m")
        require(self, "border", minimum=0.0, unit="m")
        _check_board(self)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the plate [m]."""
        extra = 2.0 * self.border
        return self.columns * self.square + extra, self.rows * self.square + extra

    def corners(self) -> FloatArray:
        """Return the inner corners in the board's frame [m], shape (n, 3).

        Row by row from the top left, as OpenCV orders them.

        Example:
            >>> board = Chessboard(name="b", columns=3, rows=3, square=0.1)
            >>> print(board.corners()[0])
            [-0.05  0.05  0.  ]
        """
        x = self.square * (np.arange(1, self.columns) - self.columns / 2.0)
        y = self.square * (self.rows / 2.0 - np.arange(1, self.rows))
        yy, xx = np.meshgrid(y, x, indexing="ij")
        corners = np.zeros((xx.size, 3))
        corners[:, 0], corners[:, 1] = xx.ravel(), yy.ravel()
        return corners


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PictureBoard:
    """A thin plate with an image printed on its front, in the frame of `Chessboard`.

    Attributes:
        name: Name, unique in its world.
        pixels: Image (rows, columns, 3) or (rows, columns), uint8; first row on top.
        width: Width of the plate [m]; its height follows from the shape of the image.
        thickness: Thickness of the plate [m].
        parent: Carrier: None for the world, an object, or "robot/link".
        T_parent_board: Pose of the frame on the parent, shape (4, 4).
        is_movable: Whether it can be put elsewhere while the world runs; only without
            parent.
    """

    name: str
    pixels: NDArray[np.uint8]
    width: float
    thickness: float = 0.003
    parent: str | None = None
    T_parent_board: ArrayLike = field(default_factory=lambda: np.eye(4))
    is_movable: bool = False

    def __post_init__(self) -> None:
        pixels = np.array(self.pixels)
        if pixels.ndim == 2:
            pixels = np.repeat(pixels[..., None], 3, axis=2)
        if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] != 3:
            raise ConfigError(
                f"Picture {self.name!r}: `pixels` must be uint8 of shape (rows, "
                f"columns) or (rows, columns, 3), got {pixels.dtype} {pixels.shape}"
            )
        pixels.setflags(write=False)
        object.__setattr__(self, "pixels", pixels)
        require(self, "width", above=0.0, unit="m")
        _check_board(self)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the plate [m]."""
        rows, columns = self.pixels.shape[:2]
        return self.width, self.width * rows / columns


Board: TypeAlias = Chessboard | PictureBoard


def _check_board(board: Board) -> None:
    require(board, "thickness", above=0.0, unit="m")
    pose = as_pose("T_parent_board", board.T_parent_board)
    object.__setattr__(board, "T_parent_board", pose)
    if board.is_movable and board.parent is not None:
        raise ConfigError(
            f"{type(board).__name__} {board.name!r} is fixed to {board.parent!r}; only "
            "a board without parent can be movable"
        )


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
