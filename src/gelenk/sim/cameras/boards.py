"""Flat boards with a pattern: chessboards with exact corners, and pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.sim.cameras.description import as_pose
from gelenk.sim.surface import Rgba, require
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chessboard:
    """A thin plate with a chessboard printed on its front.

    Frame: origin in the middle of the pattern on the printed face, x right, y up, z out
    of the face toward who looks at it.

    Attributes:
        name: Unique in its world.
        columns, rows: Number of squares.
        square: Edge of a square [m].
        border: Light margin around the pattern [m].
        thickness: Of the plate [m].
        dark, light: Colors (r, g, b, a) of the squares; the one at top left is dark.
        parent: What carries it: None for the world, an object, or "robot/link".
        T_parent_board: Pose of the frame on the parent, shape (4, 4).
        is_movable: Whether it can be put elsewhere while the world runs; only without
            parent.
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
class Picture:
    """A thin plate with an image printed on its front, in the frame of `Chessboard`.

    Attributes:
        name: Unique in its world.
        pixels: Image (rows, columns, 3) or (rows, columns), uint8; first row on top.
        width: Of the plate [m]; its height follows from the shape of the image.
        thickness: Of the plate [m].
        parent: What carries it: None for the world, an object, or "robot/link".
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


Board: TypeAlias = Chessboard | Picture


def _check_board(board: Board) -> None:
    require(board, "thickness", above=0.0, unit="m")
    pose = as_pose("T_parent_board", board.T_parent_board)
    object.__setattr__(board, "T_parent_board", pose)
    if board.is_movable and board.parent is not None:
        raise ConfigError(
            f"{type(board).__name__} {board.name!r} is fixed to {board.parent!r}; only "
            "a board without parent can be movable"
        )
