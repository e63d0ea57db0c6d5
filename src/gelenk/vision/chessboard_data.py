"""Chessboards as data: the pattern, how it is looked for, and what was found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import BoolArray, FloatArray
from gelenk.vision.chess import ChessCfg
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
class Pattern:
    """Inner corners of a chessboard whose field at the top left is dark.

    Attributes:
        rows, cols: Corners one below the other, and side by side.
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
    """How a board is found.

    Attributes:
        method: "robust", or "printed": the ordering of Kastner 2014 (Wang 2005).
        chess: Corner response and its thresholds.
        subpixel: Refinement; the printed ordering takes "printed" as its method.
        weak: Thresholds of a second try with less noise, for boards in deep shade.
        max_candidates: Strongest corners that the second try looks at.
        tolerance: How far a corner may be from its prediction while the lattice grows,
            in sides of a square.
        max_missing: Share of the corners that may be searched anew in the image.
        max_residual: Largest distance of a corner from the homography of all, in
            sides of a square; a lens that bends lines needs some.
        min_contrast: Between fields [gray levels].
        max_turn: Largest angle between the board's axes and the expected ones [rad].
        line_distance: Of the printed method: largest distance of a corner from its
            line [px].
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
class Detection:
    """What was found.

    Attributes:
        status: "found", or why not.
        corners: Row by row from the top left of the board [px], shape (rows cols, 2);
            None without a board.
        responses: Of these corners [gray levels], 0 for those found anew; None without
            a board.
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
