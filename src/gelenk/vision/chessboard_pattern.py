"""Chessboard patterns, detections, and the numbering of their corners.

A board looks the same after half a turn: the numbering needs an expected orientation,
or takes the one whose columns run to the right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.checks import as_array, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray
from gelenk.vision.chess import ChessCfg
from gelenk.vision.lattice import find_lattice
from gelenk.vision.subpixel import SubpixelCfg

Status = Literal[
    "found",
    "too few corners",
    "no grid",
    "partly hidden",
    "wrong colors",
    "too large",
    "turned",
    "ambiguous",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChessboardPattern:
    """Inner corners of a chessboard whose field at the top left is dark.

    Attributes:
        rows, cols: Corners one below the other, and side by side.

    Example:
        >>> from gelenk.vision import ChessboardPattern
        >>> ChessboardPattern(rows=4, cols=6).size
        24
    """

    rows: int = 4
    cols: int = 6

    def __post_init__(self) -> None:
        if self.rows < 2 or self.cols < 2:
            raise ConfigError(
                "a pattern needs 2 x 2 inner corners at least, got "
                f"{self.rows} x {self.cols}"
            )
        if (self.rows + self.cols) % 2:
            raise ConfigError(
                "rows and columns must both be even or both odd, so that opposite "
                f"corner fields have one color, got {self.rows} x {self.cols}"
            )
        if self.rows == self.cols:
            raise ConfigError(
                f"a square pattern ({self.rows} x {self.cols}) looks the same after a "
                "quarter turn; take one with unequal sides"
            )

    @property
    def size(self) -> int:
        """Number of corners."""
        return self.rows * self.cols


@dataclass(frozen=True, slots=True, kw_only=True)
class ChessboardCfg:
    """Settings of the search for a chessboard.

    Attributes:
        method: "robust", or "printed": the ordering of Kastner 2014 (Wang 2005).
        chess: Corner response and its thresholds.
        subpixel: Refinement; the printed ordering takes "printed" as its method.
        weak: Thresholds of a second try with less noise, for boards in deep shade.
        max_candidates: Strongest corners that the second try looks at.
        tolerance: Largest distance of a corner from its prediction while the lattice
            grows, in sides of a square.
        max_missing: Share of the corners that may be searched anew in the image.
        max_residual: Largest distance of a corner from the homography of all, in
            sides of a square; a lens that bends lines needs some.
        min_contrast: Smallest contrast between fields [gray levels].
        max_turn: Largest angle between the board's axes and the expected ones [rad].
        line_distance: Largest distance of a corner from its line in the printed method
            [px].
    """

    method: Literal["robust", "printed"] = "robust"
    chess: ChessCfg = field(default_factory=ChessCfg)
    subpixel: SubpixelCfg = field(default_factory=SubpixelCfg)
    weak: ChessCfg = field(
        default_factory=lambda: ChessCfg(threshold=12.0, relative_threshold=0.02)
    )
    max_candidates: int = 200
    tolerance: float = 0.3
    max_missing: float = 0.5
    max_residual: float = 0.1
    min_contrast: float = 3.0
    max_turn: float = np.pi / 3.0
    line_distance: float = 2.0

    def __post_init__(self) -> None:
        if self.method not in ("robust", "printed"):
            raise ConfigError(
                f"`method` must be 'robust' or 'printed', got {self.method!r}"
            )
        for name in ("tolerance", "max_missing", "max_residual"):
            if not 0.0 <= getattr(self, name) < 1.0:
                raise ConfigError(f"`{name}` must be 0 to 1, got {getattr(self, name)}")
        if not 0.0 < self.max_turn < np.pi / 2.0:
            raise ConfigError(
                f"`max_turn` must be between 0 and pi/2 [rad], got {self.max_turn}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChessboardDetection:
    """Result of the search for a chessboard.

    Attributes:
        status: "found", or why not.
        corners: Row by row from the top left of the board [px], shape (rows cols, 2);
            None without a board.
        responses: Responses of these corners [gray levels], 0 for those found anew;
            None without a board.
        candidates: All corners that were seen, whole pixels, shape (n, 2).
        reason: The status in words.
        is_measured: False for corners that the edge of a shadow spoilt and only the
            others place, shape (rows cols,); None without a board.
        residual: Root mean square distance from one homography [px]; NaN without a
            board.
    """

    status: Status
    corners: FloatArray | None
    responses: FloatArray | None
    candidates: FloatArray
    reason: str
    is_measured: BoolArray | None = None
    residual: float = np.nan

    @property
    def is_found(self) -> bool:
        """Whether there is a board."""
        return self.status == "found"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOrientation:
    """A decision about half a turn.

    Attributes:
        status: "found", or why it cannot be taken.
        is_half_turn: Whether the numbering has to be reversed.
        reason: Reason in words.
    """

    status: Status
    is_half_turn: bool = False
    reason: str = ""


def decide_orientation(
    corners: FloatArray,
    pattern: ChessboardPattern,
    max_turn: float,
    expected: FloatArray | None,
) -> BoardOrientation:
    """Return whether corners, in rows that turn clockwise, must be reversed.

    Only directions of `expected` count. Without it columns run to the right.

    Args:
        corners: Row by row [px], shape (n, 2).
        pattern: The board.
        max_turn: Largest angle to the expected axes [rad].
        expected: Expected pixels of the corners [px], shape (n, 2).
    """
    axes = _axes(corners, pattern)
    if expected is None:
        # Exactly upright columns: downward is as good as any.
        is_left = (axes[0, 0], axes[0, 1]) < (0.0, 0.0)
        reason = "columns run to the right"
        return BoardOrientation(status="found", is_half_turn=is_left, reason=reason)
    wanted = _axes(expected, pattern)
    if wanted[0, 0] * wanted[1, 1] - wanted[0, 1] * wanted[1, 0] <= 0.0:
        reason = "the expected corners show the back of the board"
        return BoardOrientation(status="ambiguous", reason=reason)
    # One turn for both axes, as perspective bends each of them.
    z, w = axes[:, 0] + 1j * axes[:, 1], wanted[:, 0] + 1j * wanted[:, 1]
    turn = abs(float(np.angle((z * w.conj()).sum())))
    away = min(turn, np.pi - turn)
    reason = f"turned by {np.rad2deg(away):.0f} degrees against what is expected"
    if away > max_turn:
        return BoardOrientation(
            status="turned", reason=f"the board is {reason}, either way round"
        )
    return BoardOrientation(
        status="found", is_half_turn=turn > np.pi / 2.0, reason=reason
    )


def order_corners(
    xy: ArrayLike,
    response: ArrayLike,
    pattern: ChessboardPattern | None = None,
    *,
    cfg: ChessboardCfg | None = None,
    expected: ArrayLike | None = None,
) -> IntArray | None:
    """Return the numbers of a board's corners, row by row, from positions alone.

    Without an image nothing confirms a board: all its corners must be there.

    Args:
        xy: Corners, false ones among them [px], shape (n, 2).
        response: Responses of the corners, shape (n,).
        pattern: The board; 4 x 6 corners if None.
        cfg: Tolerances.
        expected: Expected pixels of the corners [px]; see `detect_chessboard`.

    Returns:
        Shape (rows cols,); None if there is no complete board, or if nobody can tell
        which way round it is.
    """
    pattern, cfg = pattern or ChessboardPattern(), cfg or ChessboardCfg()
    places = as_kernel_array(as_array("xy", xy, (2,)))
    weights = as_kernel_array(response)
    if places.ndim != 2 or weights.shape != places.shape[:1]:
        raise ShapeError(
            "response", expected=f"{places.shape[:1]}", actual=weights.shape
        )
    wanted = as_expected(expected, pattern)
    shape = (pattern.rows, pattern.cols)
    lattice = find_lattice(places, weights, shape, cfg.tolerance)
    if lattice is None or lattice.count < pattern.size:
        return None
    index = lattice.index.ravel()
    way = decide_orientation(places[index], pattern, cfg.max_turn, wanted)
    if way.status != "found":
        return None
    return index[::-1].copy() if way.is_half_turn else index


def as_expected(
    expected: ArrayLike | None, pattern: ChessboardPattern
) -> FloatArray | None:
    """Return expected corners, shape (n, 2), after checking them.

    Raises:
        ShapeError, ConfigError: If they do not fit to the pattern or are not finite.
    """
    if expected is None:
        return None
    wanted = as_array("expected", expected, (2,))
    if wanted.shape != (pattern.size, 2):
        raise ShapeError(
            "expected", expected=f"({pattern.size}, 2)", actual=wanted.shape
        )
    if not np.isfinite(wanted).all():
        raise ConfigError("`expected` must be finite: is the board behind the camera?")
    return wanted


def _axes(corners: FloatArray, pattern: ChessboardPattern) -> FloatArray:
    """Return unit vectors along columns and rows in the middle of a board, (2, 2)."""
    grid = corners.reshape(pattern.rows, pattern.cols, 2)
    axes = np.stack(
        [(grid[:, -1] - grid[:, 0]).sum(axis=0), (grid[-1] - grid[0]).sum(axis=0)]
    )
    return axes / np.maximum(np.sqrt((axes**2).sum(axis=1, keepdims=True)), 1e-12)
