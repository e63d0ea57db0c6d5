"""Images of boards with what was seen, what was expected, and the difference."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gelenk.robots.nao import sandal
from gelenk.runtime.panel import AnnotatedImage, Color, Mark, PixelArrows, PixelPath
from gelenk.runtime.panel import PixelPoints as Points
from gelenk.typing import FloatArray

ENLARGEMENTS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
LONGEST = 45.0  # [px], of an enlarged arrow at most
# Row by row, back and forth: one line through all corners of a board.
_WAY = np.arange(sandal.NUM_CORNERS).reshape(sandal.ROWS, sandal.COLUMNS)
_WAY[1::2] = _WAY[1::2, ::-1]
WAY = _WAY.ravel()


def rms(residuals: FloatArray) -> float:
    """Return the root mean square distance of points [px]; NaN without any."""
    if not len(residuals):
        return float("nan")
    return float(np.sqrt(np.mean(np.sum(np.square(residuals), axis=1))))


def enlargement(residuals: FloatArray) -> int:
    """Return how many times arrows can be enlarged so that they fit.

    Example:
        >>> enlargement(np.array([[0.1, 0.0]]))
        200
    """
    longest = float(np.linalg.norm(residuals, axis=1).max(initial=1e-9))
    return max((k for k in ENLARGEMENTS if k * longest <= LONGEST), default=1)


def board_picture(
    name: str,
    pixels: NDArray[np.uint8],
    *,
    corners: FloatArray,
    expected: FloatArray,
    words: str,
    color: Color = "model",
) -> AnnotatedImage:
    """Return an image with corners, the expected board and residual arrows.

    Args:
        name: Of the picture.
        pixels: Gray image.
        corners: Seen [px], shape (24, 2), or (0, 2).
        expected: By the model [px], shape (24, 2); not finite: behind the camera.
        words: First part of the caption.
        color: Of the expected board.
    """
    marks: list[Mark] = []
    is_expected = bool(np.isfinite(expected).all())
    if is_expected:
        marks.append(PixelPath(at=expected[WAY], color=color, layer="expected board"))
        marks.append(Points(at=expected[:1], color=color, layer="expected board"))
    text = words
    if len(corners):
        marks.append(Points(at=corners, color="measured", layer="corners"))
        if is_expected:
            residuals = corners - expected
            times = enlargement(residuals)
            marks.append(
                PixelArrows(
                    starts=expected, ends=expected + times * residuals, color="bad"
                )
            )
            scale = "to scale" if times == 1 else f"enlarged {times} times"
            text += f"; off by {rms(residuals):.2f} px rms, arrows {scale}"
    return AnnotatedImage(name=name, image=pixels, marks=tuple(marks), caption=text)
