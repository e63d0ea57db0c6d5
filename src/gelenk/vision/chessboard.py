"""Chessboard detection with numbered corners: any roll, false and missing corners.

Corners come from ChESS. A lattice is grown over them (`lattice`), corners that are
missing are looked for where the lattice says, positions are refined with a window that
fits the squares, and the result is believed only if one homography explains it and
the fields around every corner have the colors they must have.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gelenk.checks import as_array
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.chess import Area, Corners, chess_maxima, keep_strong, smooth
from gelenk.vision.chessboard_pattern import (
    ChessboardCfg,
    ChessboardDetection,
    ChessboardPattern,
    Status,
    as_expected,
    decide_orientation,
)
from gelenk.vision.chessboard_printed import order_printed
from gelenk.vision.chessboard_proof import BoardCheck, verify_board
from gelenk.vision.image_types import GrayImage, as_gray
from gelenk.vision.lattice import find_lattice
from gelenk.vision.subpixel import refine_corners


def detect_chessboard(
    image: Any,
    pattern: ChessboardPattern | None = None,
    *,
    cfg: ChessboardCfg | None = None,
    roi: Area | None = None,
    expected: ArrayLike | None = None,
) -> ChessboardDetection:
    """Find a chessboard in an image and number its corners.

    A board looks the same after half a turn. `expected` decides which way it is; only
    the directions of its axes count, and its place where two boards are seen. Without
    it columns run to the right.

    Args:
        image: Gray levels, uint8, shape (rows, columns).
        pattern: The board's corners; 4 x 6 if None.
        cfg: Method and thresholds.
        roi: Part of the image to look at; everything if None.
        expected: Expected pixels of the corners [px], shape (rows cols, 2).

    Raises:
        ShapeError, ConfigError: If the image is no gray image, or `expected` does not
            fit to the pattern or is not finite.

    Example:
        >>> from gelenk.vision import ChessboardPattern, detect_chessboard
        >>> fields = np.indices((5, 7)).sum(axis=0) % 2
        >>> board = np.kron(fields, np.full((30, 30), 170)) + 40
        >>> image = np.pad(board, 30, constant_values=210).astype(np.uint8)
        >>> found = detect_chessboard(image, ChessboardPattern(rows=4, cols=6))
        >>> found.status, found.corners.shape, found.corners[0].round(1).tolist()
        ('found', (24, 2), [59.5, 59.5])
    """
    pattern, cfg = pattern or ChessboardPattern(), cfg or ChessboardCfg()
    gray = as_gray("image", image)
    wanted = as_expected(expected, pattern)
    seen = chess_maxima(gray, cfg.chess, roi)
    if cfg.method == "printed":
        return _detect_printed(gray, seen, pattern, cfg)
    strong = keep_strong(seen, cfg.chess.relative_threshold)
    best = _attempt(gray, gray, strong, pattern, cfg, wanted)
    if best.status in ("too few corners", "no grid", "partly hidden"):
        calm = smooth(gray)
        seen = chess_maxima(calm, cfg.weak, roi)
        weak = keep_strong(seen, cfg.weak.relative_threshold)
        weak = _strongest(weak, cfg.max_candidates)
        again = _attempt(gray, calm, weak, pattern, cfg, wanted)
        best = max(best, again, key=_rank)
    return best.as_detection(seen.xy)


def region_of_interest(
    expected: ArrayLike,
    shape: tuple[int, int],
    *,
    margin: float = 80.0,
    relative_margin: float = 0.5,
) -> Area | None:
    """Return where to look for a board, or None if that is outside of the image.

    Args:
        expected: Expected pixels of the corners [px], shape (n, 2).
        shape: Rows and columns of the image.
        margin: Added on each side at least [px].
        relative_margin: Added on each side at least, as a share of the box's size.

    Example:
        >>> region_of_interest([[300.0, 200.0], [400.0, 300.0]], (480, 640), margin=10)
        (250, 150, 451, 351)
    """
    xy = as_array("expected", expected, (2,))
    if not np.isfinite(xy).all() or not xy.size:
        return None
    low, high = xy.min(axis=0), xy.max(axis=0)
    extra = np.maximum(margin, relative_margin * (high - low))
    rows, columns = shape
    left, top = np.maximum(np.floor(low - extra), 0).astype(int)
    right, bottom = np.minimum(np.ceil(high + extra) + 1, (columns, rows)).astype(int)
    if left >= right or top >= bottom:
        return None
    return int(left), int(top), int(right), int(bottom)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Attempt:
    """One search: the status with its reason, and the board if there is one."""

    status: Status
    reason: str
    count: int = 0
    proof: BoardCheck | None = None
    responses: FloatArray | None = None

    def as_detection(self, candidates: FloatArray) -> ChessboardDetection:
        if self.proof is None or self.status != "found":
            return ChessboardDetection(
                status=self.status,
                corners=None,
                responses=None,
                candidates=candidates,
                reason=self.reason,
            )
        return ChessboardDetection(
            status="found",
            corners=self.proof.corners,
            responses=self.responses,
            candidates=candidates,
            reason=self.reason,
            is_measured=self.proof.is_measured,
            residual=self.proof.residual,
        )


def _rank(attempt: _Attempt) -> tuple[bool, bool, int]:
    """Return how much an attempt says; the first of equal ones is kept."""
    is_board = attempt.status not in ("too few corners", "no grid")
    return attempt.proof is not None, is_board, attempt.count


def _attempt(
    image: GrayImage,
    calm: GrayImage,
    seen: Corners,
    pattern: ChessboardPattern,
    cfg: ChessboardCfg,
    expected: FloatArray | None,
) -> _Attempt:
    """Look for a board among some corners; for a second one among the rest.

    `calm` is the image in which the corners were seen, with less noise maybe.
    """
    first, rest = _one_board(image, calm, seen, pattern, cfg)
    least = _least(pattern, cfg)
    if first.proof is None:
        return first
    if len(rest) >= least:
        second, _ = _one_board(image, calm, rest, pattern, cfg)
        if second.proof is not None:
            if expected is None:
                return _Attempt(
                    status="ambiguous",
                    reason="two boards are in sight, and none is expected somewhere",
                    count=2 * pattern.size,
                )
            away = [
                np.linalg.norm(board.proof.corners.mean(axis=0) - expected.mean(axis=0))
                for board in (first, second)
                if board.proof is not None
            ]
            first = first if away[0] <= away[1] else second
    return _numbered(first, pattern, cfg, expected)


def _one_board(
    image: GrayImage,
    calm: GrayImage,
    seen: Corners,
    pattern: ChessboardPattern,
    cfg: ChessboardCfg,
) -> tuple[_Attempt, Corners]:
    """Return a proven board, not yet numbered, and the corners that are not in it."""
    least = _least(pattern, cfg)
    if len(seen) < least:
        reason = f"{len(seen)} corners in sight, the board has {pattern.size}"
        return _Attempt(status="too few corners", reason=reason, count=len(seen)), seen
    shape = (pattern.rows, pattern.cols)
    lattice = find_lattice(seen.xy, seen.response, shape, cfg.tolerance, calm)
    if lattice is None or 3 * lattice.count < pattern.size:
        reason = f"{len(seen)} corners in sight, which form no grid"
        return _Attempt(status="no grid", reason=reason), seen
    count = lattice.count
    if lattice.light_count == pattern.size and count < pattern.size:
        reason = "a grid of the right size, but its corner fields are light"
        return _Attempt(status="wrong colors", reason=reason, count=count), seen
    if count < least:
        reason = f"{count} of {pattern.size} corners in sight"
        return _Attempt(status="partly hidden", reason=reason, count=count), seen
    proof = verify_board(
        image, seen.xy, lattice, cfg.subpixel, cfg.max_residual, cfg.min_contrast
    )
    taken = lattice.index[lattice.index >= 0]
    rest = np.delete(np.arange(len(seen)), taken)
    others = Corners(xy=seen.xy[rest], response=seen.response[rest])
    if isinstance(proof, tuple):
        status, reason = proof
        return _Attempt(status=status, reason=reason, count=count), others
    index = lattice.index.ravel()
    responses = np.where(index >= 0, seen.response[index], 0.0)
    attempt = _Attempt(
        status="found", reason="", count=count, proof=proof, responses=responses
    )
    return attempt, others


def _numbered(
    attempt: _Attempt,
    pattern: ChessboardPattern,
    cfg: ChessboardCfg,
    expected: FloatArray | None,
) -> _Attempt:
    """Turn the numbering by half a turn if needed, or say why that is undecided."""
    assert attempt.proof is not None
    assert attempt.responses is not None
    way = decide_orientation(attempt.proof.corners, pattern, cfg.max_turn, expected)
    if way.status != "found":
        return replace(attempt, status=way.status, reason=way.reason)
    missing = pattern.size - attempt.count
    reason = f"{attempt.count} corners at once, {missing} searched anew; {way.reason}"
    if not way.is_half_turn:
        return replace(attempt, reason=reason)
    return replace(
        attempt,
        reason=reason,
        proof=replace(
            attempt.proof,
            corners=attempt.proof.corners[::-1].copy(),
            is_measured=attempt.proof.is_measured[::-1].copy(),
        ),
        responses=attempt.responses[::-1].copy(),
    )


def _least(pattern: ChessboardPattern, cfg: ChessboardCfg) -> int:
    return pattern.size - int(cfg.max_missing * pattern.size)


def _strongest(corners: Corners, count: int) -> Corners:
    if len(corners) <= count:
        return corners
    keep = np.sort(np.argsort(-corners.response, kind="stable")[:count])
    return Corners(xy=corners.xy[keep], response=corners.response[keep])


def _detect_printed(
    image: GrayImage, seen: Corners, pattern: ChessboardPattern, cfg: ChessboardCfg
) -> ChessboardDetection:
    """Refine all corners and order them as Kastner 2014 does."""
    strong = keep_strong(seen, cfg.chess.relative_threshold)
    if len(strong) < pattern.size:
        attempt = _Attempt(
            status="too few corners",
            reason=f"{len(strong)} corners in sight, the board has {pattern.size}",
        )
        return attempt.as_detection(seen.xy)
    xy = refine_corners(image, strong.xy, replace(cfg.subpixel, method="printed"))
    order = order_printed(
        xy, strong.response, rows=pattern.rows, cols=pattern.cols,
        line_distance=cfg.line_distance,
    )  # fmt: skip
    if order is None:
        attempt = _Attempt(
            status="no grid",
            reason=f"{len(strong)} corners in sight, not {pattern.size} in lines",
        )
        return attempt.as_detection(seen.xy)
    return ChessboardDetection(
        status="found",
        corners=xy[order],
        responses=strong.response[order],
        candidates=seen.xy,
        reason="ordered by lines through vanishing points",
    )
