"""Which way round a board is: it looks the same after half a turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_array, as_kernel_array
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray, IntArray
from gelenk.vision.chessboard_data import ChessboardCfg, Pattern, Status
from gelenk.vision.lattice import find_lattice


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A decision about half a turn.

    Attributes:
        status: "found", or why it cannot be taken.
        is_half_turn: Whether the numbering has to be reversed.
        reason: In words.
    """

    status: Status
    is_half_turn: bool = False
    reason: str = ""


def which_way(
    corners: FloatArray,
    pattern: Pattern,
    max_turn: float,
    expected: FloatArray | None,
) -> Way:
    """Return whether corners, in rows that turn clockwise, must be reversed.

    Only directions of `expected` count. Without it columns run to the right.

    Args:
        corners: Row by row [px], shape (n, 2).
        pattern: The board.
        max_turn: Largest angle to the expected axes [rad].
        expected: Where the corners should be [px], shape (n, 2).
    """
    axes = _axes(corners, pattern)
    if expected is None:
        # Exactly upright columns: downward is as good as any.
        is_left = (axes[0, 0], axes[0, 1]) < (0.0, 0.0)
        reason = "columns run to the right"
        return Way(status="found", is_half_turn=is_left, reason=reason)
    wanted = _axes(expected, pattern)
    if wanted[0, 0] * wanted[1, 1] - wanted[0, 1] * wanted[1, 0] <= 0.0:
        reason = "the expected corners show the back of the board"
        return Way(status="ambiguous", reason=reason)
    # One turn for both axes, as perspective bends each of them.
    z, w = axes[:, 0] + 1j * axes[:, 1], wanted[:, 0] + 1j * wanted[:, 1]
    turn = abs(float(np.angle((z * w.conj()).sum())))
    away = min(turn, np.pi - turn)
    reason = f"turned by {np.rad2deg(away):.0f} degrees against what is expected"
    if away > max_turn:
        return Way(status="turned", reason=f"the board is {reason}, either way round")
    return Way(status="found", is_half_turn=turn > np.pi / 2.0, reason=reason)


def order_corners(
    xy: ArrayLike,
    response: ArrayLike,
    pattern: Pattern | None = None,
    *,
    cfg: ChessboardCfg | None = None,
    expected: ArrayLike | None = None,
) -> IntArray | None:
    """Return the numbers of a board's corners, row by row, from positions alone.

    Without an image nothing confirms a board: all its corners must be there.

    Args:
        xy: Corners, false ones among them [px], shape (n, 2).
        response: Their responses, shape (n,).
        pattern: The board; 4 x 6 corners if None.
        cfg: Tolerances.
        expected: Where the corners should be [px]; see `detect_chessboard`.

    Returns:
        Shape (rows cols,); None if there is no complete board, or if nobody can tell
        which way round it is.
    """
    pattern, cfg = pattern or Pattern(), cfg or ChessboardCfg()
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
    way = which_way(places[index], pattern, cfg.max_turn, wanted)
    if way.status != "found":
        return None
    return index[::-1].copy() if way.is_half_turn else index


def as_expected(expected: ArrayLike | None, pattern: Pattern) -> FloatArray | None:
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


def _axes(corners: FloatArray, pattern: Pattern) -> FloatArray:
    """Return unit vectors along columns and rows in the middle of a board, (2, 2)."""
    grid = corners.reshape(pattern.rows, pattern.cols, 2)
    axes = np.stack(
        [(grid[:, -1] - grid[:, 0]).sum(axis=0), (grid[-1] - grid[0]).sum(axis=0)]
    )
    return axes / np.maximum(np.sqrt((axes**2).sum(axis=1, keepdims=True)), 1e-12)
