"""ChESS: corners where four fields of a chessboard meet.

A ring of 16 samples around a pixel tells such a corner from an edge, a line and a
plain face: at 90 degrees samples differ, at 180 degrees they agree, and their mean is
that of the middle. Steps, in this order: response, threshold, removal of lonely
candidates, suppression of all but the maxima, threshold relative to the strongest, and
position below one pixel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray
from gelenk.vision.chess_kernels import (
    NINTHS,
    RING,
    collect_kernel,
    drop_lonely_kernel,
    response_kernel,
    smooth_kernel,
    suppress_kernel,
)
from gelenk.vision.image_types import GrayImage, as_gray
from gelenk.vision.subpixel import SubpixelCfg, refine_corners

Area = tuple[int, int, int, int]
"""Part of an image: left, top, right, bottom [px]; the last two are not in it."""

LocalMean = Literal["3x3", "3x1"]
_ROOM = 4096  # candidates in the first try


@dataclass(frozen=True, slots=True, kw_only=True)
class ChessCfg:
    """Settings of the ChESS corner detector.

    Attributes:
        threshold: Least response of a candidate [gray levels].
        min_neighbours: Candidates among the 8 neighbours that a candidate needs.
        nms_radius: Radius of the window in which one maximum survives [px].
        relative_threshold: Least response, as a share of the largest in the image.
        local_mean: Pixels that stand for the middle of the ring.
    """

    threshold: float = 60.0
    min_neighbours: int = 3
    nms_radius: int = 5
    relative_threshold: float = 0.3
    local_mean: LocalMean = "3x3"

    def __post_init__(self) -> None:
        if not 0.0 <= self.threshold <= 2040.0:
            raise ConfigError(
                "`threshold` must be 0 to 2040 gray levels (no response is larger), "
                f"got {self.threshold}"
            )
        if not 0 <= self.min_neighbours <= 8:
            raise ConfigError(
                f"`min_neighbours` must be 0 to 8, got {self.min_neighbours}"
            )
        if self.nms_radius < 1:
            raise ConfigError(f"`nms_radius` must be 1 at least, got {self.nms_radius}")
        if not 0.0 <= self.relative_threshold <= 1.0:
            raise ConfigError(
                f"`relative_threshold` must be 0 to 1, got {self.relative_threshold}"
            )
        if self.local_mean not in ("3x3", "3x1"):
            raise ConfigError(
                f"`local_mean` must be '3x3' or '3x1', got {self.local_mean!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Corners:
    """Corners in no order.

    Attributes:
        xy: Positions [px], shape (n, 2).
        response: Response of each corner [gray levels], shape (n,).
    """

    xy: FloatArray
    response: FloatArray

    def __len__(self) -> int:
        return len(self.xy)


@dataclass(frozen=True, slots=True, kw_only=True)
class CornerCfg:
    """Detection of single corners: response, then position below one pixel."""

    chess: ChessCfg = field(default_factory=ChessCfg)
    subpixel: SubpixelCfg | None = field(default_factory=SubpixelCfg)


def find_corners(
    image: Any, cfg: CornerCfg | None = None, roi: Area | None = None
) -> Corners:
    """Return all corners of an image, in no order.

    Args:
        image: Gray levels, uint8, shape (rows, columns).
        cfg: Thresholds; without `subpixel` positions are those of whole pixels.
        roi: Part of the image to look at; everything if None.
    """
    cfg = cfg or CornerCfg()
    gray = as_gray("image", image)
    found = keep_strong(
        chess_maxima(gray, cfg.chess, roi), cfg.chess.relative_threshold
    )
    if cfg.subpixel is None or not len(found):
        return found
    return Corners(
        xy=refine_corners(gray, found.xy, cfg.subpixel), response=found.response
    )


def chess_response(
    image: Any, *, local_mean: LocalMean = "3x3", roi: Area | None = None
) -> FloatArray:
    """Return the response of every pixel [gray levels], shape (rows, columns).

    It is 0 where it would be negative, within 5 px of the border and outside of `roi`.

    Args:
        image: Gray levels, uint8, shape (rows, columns).
        local_mean: Pixels that stand for the middle of the ring.
        roi: Part of the image to look at; everything if None.
    """
    gray = as_gray("image", image)
    left, top, right, bottom = clip_area(roi, gray)
    out = np.zeros(gray.shape)
    response_kernel(gray, left, top, right, bottom, local_mean == "3x3", out)
    return out


def chess_maxima(
    image: GrayImage, cfg: ChessCfg | None = None, roi: Area | None = None
) -> Corners:
    """Return local maxima of the response, before the relative threshold.

    The same as `keep_above`, `drop_lonely` and `suppress` one after the other, without
    an image of responses in between.
    """
    cfg = cfg or ChessCfg()
    area = clip_area(roi, image)
    ninths = np.empty(image.shape, np.int16)
    spots = np.empty((_ROOM, 2), np.int32)
    is_square = cfg.local_mean == "3x3"
    while True:
        count = collect_kernel(image, *area, cfg.threshold, is_square, ninths, spots)
        if count <= len(spots):
            break
        spots = np.empty((count, 2), np.int32)
    limit = NINTHS * cfg.threshold
    count = drop_lonely_kernel(ninths, area, spots, count, limit, cfg.min_neighbours)
    return _maxima(ninths, area, spots, count, cfg.nms_radius, float(NINTHS))


def smooth(image: GrayImage) -> GrayImage:
    """Return an image with less noise, after a binomial filter of 3 x 3 pixels."""
    out = np.empty_like(image)
    smooth_kernel(image, out)
    return out


def keep_above(response: FloatArray, threshold: float) -> NDArray[np.int32]:
    """Return x and y of the pixels with a response above `threshold`, shape (n, 2)."""
    y, x = np.nonzero(response > threshold)
    return np.stack([x, y], axis=1).astype(np.int32)


def drop_lonely(
    response: FloatArray, spots: NDArray[np.int32], threshold: float, least: int
) -> NDArray[np.int32]:
    """Return the candidates that have `least` others among their 8 neighbours, (m, 2).

    Args:
        response: Response of every pixel, shape (rows, columns).
        spots: Candidates, shape (n, 2).
        threshold: Threshold of candidates [gray levels].
        least: Neighbours needed.
    """
    rows, columns = response.shape
    kept = np.array(spots, dtype=np.int32)
    area = (0, 0, columns, rows)
    count = drop_lonely_kernel(response.copy(), area, kept, len(kept), threshold, least)
    return kept[:count]


def suppress(response: FloatArray, spots: NDArray[np.int32], radius: int) -> Corners:
    """Return the candidates that are largest in their window; equal ones averaged.

    Args:
        response: Response of every pixel, shape (rows, columns).
        spots: Candidates in the order of rows, shape (n, 2).
        radius: Radius of the window [px].
    """
    rows, columns = response.shape
    only = np.zeros(response.shape)
    only[spots[:, 1], spots[:, 0]] = response[spots[:, 1], spots[:, 0]]
    return _maxima(only, (0, 0, columns, rows), spots, len(spots), radius, 1.0)


def keep_strong(corners: Corners, share: float) -> Corners:
    """Return the corners with at least `share` of the largest response."""
    if not len(corners):
        return corners
    strong = corners.response >= share * corners.response.max()
    return Corners(xy=corners.xy[strong], response=corners.response[strong])


def clip_area(roi: Area | None, image: GrayImage) -> Area:
    """Return the part of `roi` where a ring of samples fits into the image.

    Raises:
        ConfigError: If `roi` is not four whole numbers.
    """
    rows, columns = image.shape
    left, top, right, bottom = 0, 0, columns, rows
    if roi is not None:
        try:
            left, top, right, bottom = (int(v) for v in roi)
        except (TypeError, ValueError) as error:
            raise ConfigError(
                f"`roi` must be (left, top, right, bottom) [px], got {roi!r}"
            ) from error
    left, top = max(left, RING), max(top, RING)
    right, bottom = min(right, columns - RING), min(bottom, rows - RING)
    return left, top, max(right, left), max(bottom, top)


def _maxima(
    responses: NDArray[Any],
    area: Area,
    spots: NDArray[np.int32],
    count: int,
    radius: int,
    scale: float,
) -> Corners:
    xy, values = np.empty((count, 2)), np.empty(count)
    found = suppress_kernel(responses, area, spots, count, radius, xy, values)
    return Corners(xy=xy[:found].copy(), response=values[:found] / scale)
