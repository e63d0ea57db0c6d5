"""The chessboard that a person holds up: its corners, where to hold it, its images."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.calibration.verdicts import CalibrationError
from gelenk.spatial import so3
from gelenk.typing import FloatArray
from gelenk.vision.chessboard import detect_chessboard
from gelenk.vision.chessboard_pattern import ChessboardDetection, ChessboardPattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A printed chessboard.

    Attributes:
        rows, cols: Inner corners, one below the other and side by side.
        square: Side of a field [m].
    """

    rows: int = 7
    cols: int = 11
    square: float = 0.06

    def __post_init__(self) -> None:
        if not 0.0 < self.square < math.inf:
            raise ConfigError(f"`square` must be positive [m], got {self.square}")

    @property
    def pattern(self) -> ChessboardPattern:
        return ChessboardPattern(rows=self.rows, cols=self.cols)

    @property
    def corners(self) -> FloatArray:
        """In the board's frame, its middle the origin, z away from the viewer, (n, 3).

        Row by row, as `detect_chessboard` returns them.
        """
        y, x = np.mgrid[0 : self.rows, 0 : self.cols].astype(np.float64)
        x -= (self.cols - 1) / 2.0
        y -= (self.rows - 1) / 2.0
        flat = np.stack([x.ravel(), y.ravel(), np.zeros(x.size)], axis=-1)
        return self.square * flat


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoardSight:
    """A board as both cameras saw it at the same time.

    Attributes:
        left, right: Corners [px], shape (n, 2).
        is_measured: Corners that both images show well, shape (n,).
    """

    left: FloatArray
    right: FloatArray
    is_measured: np.ndarray


def board_poses(T_world_left: FloatArray, T_world_right: FloatArray) -> FloatArray:
    """Return where a person should hold the board, T_world_board, shape (9, 4, 4).

    Near enough to fill a third of the images, in their middle and towards all borders,
    tilted each time about another axis.

    Args:
        T_world_left: Pose of the left camera as far as it is known, shape (4, 4).
        T_world_right: The right one.
    """
    middle = 0.5 * (T_world_left[:3, 3] + T_world_right[:3, 3])
    forward = T_world_left[:3, 2] + T_world_right[:3, 2]
    right = T_world_right[:3, 3] - T_world_left[:3, 3]
    forward /= np.linalg.norm(forward)
    right -= (right @ forward) * forward
    right /= np.linalg.norm(right)
    R = np.column_stack([right, np.cross(forward, right), forward])
    poses = np.tile(np.eye(4), (len(_HOLDS), 1, 1))
    for T, (x, y, distance, nod, turn, roll) in zip(poses, _HOLDS, strict=True):
        T[:3, :3] = R @ so3.rot_x(nod) @ so3.rot_y(turn) @ so3.rot_z(roll)
        T[:3, 3] = middle + R @ (distance * np.array([x, y, 1.0]))
    return poses


# Slope across and down, distance [m]; nod, turn and roll [rad].
_HOLDS = (
    (0.00, 0.00, 1.15, 0.0, 0.0, 0.0),
    (-0.11, -0.14, 1.20, 0.5, 0.0, 0.1),
    (0.11, -0.14, 1.20, 0.5, -0.3, -0.1),
    (0.11, 0.14, 1.20, -0.5, 0.0, 0.2),
    (-0.11, 0.14, 1.20, -0.5, 0.3, -0.2),
    (-0.13, 0.00, 1.35, 0.0, 0.55, 0.3),
    (0.13, 0.00, 1.35, 0.0, -0.55, -0.3),
    (0.00, -0.16, 1.70, -0.4, 0.4, 1.5),
    (0.00, 0.16, 1.70, 0.4, -0.4, -1.4),
)


def see_board(left: Any, right: Any, board: Board, *, place: str = "") -> BoardSight:
    """Return a board's corners in both images.

    Args:
        left: Gray image of the left camera, uint8.
        right: Of the right camera, taken at the same time.
        board: What to look for.
        place: Which board it is, for the message.

    Raises:
        CalibrationError: If an image does not show all of it.
    """
    found: list[ChessboardDetection] = []
    for side, image in (("left", left), ("right", right)):
        detection = detect_chessboard(image, board.pattern)
        if not detection.is_found:
            raise CalibrationError(
                "board not seen",
                f"{place or 'the board'}: {detection.status} in the {side} image "
                f"({detection.reason})",
                advice="hold all of the board still into both images, without glare",
            )
        found.append(detection)
    corners = [np.asarray(d.corners, dtype=np.float64) for d in found]
    measured = [
        np.ones(board.pattern.size, bool) if d.is_measured is None else d.is_measured
        for d in found
    ]
    # Both cameras stand side by side: the board is turned alike in both images. One
    # that is numbered from the other end differs by half a turn.
    axes = [c[board.cols - 1] - c[0] for c in corners]
    if axes[0] @ axes[1] < 0.0:
        corners[1], measured[1] = corners[1][::-1].copy(), measured[1][::-1].copy()
    return BoardSight(
        left=corners[0], right=corners[1], is_measured=measured[0] & measured[1]
    )
