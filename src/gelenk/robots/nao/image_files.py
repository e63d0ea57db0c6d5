"""Chessboards in image files: read, search, compare, draw."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from gelenk.errors import FileFormatError
from gelenk.typing import FloatArray
from gelenk.vision.chessboard import detect_chessboard
from gelenk.vision.chessboard_pattern import ChessboardDetection, ChessboardPattern
from gelenk.vision.image_types import luma_from_rgb

GrayPixels = NDArray[np.uint8]
MAX_BYTES = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Found:
    """What was found in one file.

    Attributes:
        path: The file.
        image: Its gray levels.
        detection: What the detector says.
        seconds: How long it took [s].
        peer: Corners that OpenCV's detector finds, (n, 2), None if it finds none or was
            not asked.
        peer_seconds: How long that took [s]; None: not asked.
    """

    path: Path
    image: GrayPixels
    detection: ChessboardDetection
    seconds: float
    peer: FloatArray | None = None
    peer_seconds: float | None = None

    @property
    def distance(self) -> float | None:
        """Root mean square distance of both detectors' corners [px]."""
        ours = self.detection.corners
        if ours is None or self.peer is None or len(ours) != len(self.peer):
            return None
        ways = (self.peer, self.peer[::-1])  # a board looks the same after half a turn
        squares = [float(np.mean(np.sum((ours - way) ** 2, axis=1))) for way in ways]
        return float(np.sqrt(min(squares)))


def read_gray(path: Path) -> GrayPixels:
    """Return the brightness of an image file.

    Raises:
        FileFormatError: If there is none, or it is not an image of 8 bits.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FileFormatError(path, f"is larger than {MAX_BYTES} bytes")
        data = np.fromfile(path, dtype=np.uint8)
    except OSError as error:
        raise FileFormatError(path, f"cannot be read: {error.strerror}") from error
    pixels = cv2.imdecode(data, cv2.IMREAD_UNCHANGED) if data.size else None
    remedy = "PNG, JPEG, BMP, TIFF, WebP and PGM are understood"
    if pixels is None:
        raise FileFormatError(path, "is not an image", remedy=remedy)
    if pixels.dtype != np.uint8:
        depth = 8 * pixels.dtype.itemsize
        raise FileFormatError(path, f"has {depth} bits per pixel and color, expected 8")
    if pixels.ndim == 2:
        return np.asarray(pixels, dtype=np.uint8)
    if pixels.shape[2] not in (3, 4):
        raise FileFormatError(path, f"has {pixels.shape[2]} colors, expected 1, 3 or 4")
    return luma_from_rgb(np.ascontiguousarray(pixels[:, :, 2::-1]))


def find_in_file(
    path: Path, pattern: ChessboardPattern | None = None, *, compare: bool = False
) -> Found:
    """Search an image file for a chessboard.

    Args:
        path: The file.
        pattern: Inner corners; 4 x 6 if None.
        compare: Whether OpenCV's `findChessboardCornersSB` searches, too.
    """
    pattern = pattern or ChessboardPattern()
    image = read_gray(path)
    detect_chessboard(image, pattern)  # kernels are loaded before the clock runs
    start = time.perf_counter()
    detection = detect_chessboard(image, pattern)
    seconds = time.perf_counter() - start
    if not compare:
        return Found(path=path, image=image, detection=detection, seconds=seconds)
    start = time.perf_counter()
    is_found, corners = cv2.findChessboardCornersSB(
        image, (pattern.cols, pattern.rows), flags=cv2.CALIB_CB_NORMALIZE_IMAGE
    )
    peer_seconds = time.perf_counter() - start
    peer = np.asarray(corners, dtype=float).reshape(-1, 2) if is_found else None
    return Found(
        path=path,
        image=image,
        detection=detection,
        seconds=seconds,
        peer=peer,
        peer_seconds=peer_seconds,
    )


def mark_corners(found: Found) -> NDArray[np.uint8]:
    """Return the image with numbered corners, twice as large, as OpenCV stores it."""
    large = cv2.resize(found.image, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    out = np.ascontiguousarray(np.repeat(large[:, :, None], 3, axis=2))
    corners = found.detection.corners
    if corners is None:
        for x, y in found.detection.candidates:
            cv2.circle(out, _place(x, y), 5, (80, 160, 255), 1, cv2.LINE_AA)
        return np.asarray(out, dtype=np.uint8)
    cv2.polylines(
        out,
        [np.rint(2.0 * corners + 0.5).astype(np.int32)],
        False,
        (0, 190, 255),
        1,
        cv2.LINE_AA,
    )
    for number, (x, y) in enumerate(corners):
        at = _place(x, y)
        cv2.circle(out, at, 5, (255, 220, 40), 2, cv2.LINE_AA)
        place = (at[0] + 7, at[1] - 5)
        cv2.putText(
            out, str(number), place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (60, 60, 255), 1,
            cv2.LINE_AA,
        )  # fmt: skip
    return np.asarray(out, dtype=np.uint8)


def _place(x: float, y: float) -> tuple[int, int]:
    return round(2.0 * x + 0.5), round(2.0 * y + 0.5)


def save_image(path: Path, pixels: NDArray[np.uint8]) -> None:
    """Write an image; the ending of the name says how.

    Raises:
        FileFormatError: If it cannot be written, or the ending says nothing.
    """
    try:
        is_done, data = cv2.imencode(path.suffix or ".png", pixels)
    except cv2.error:
        is_done, data = False, None
    if not is_done or data is None:
        raise FileFormatError(path, "has no ending that OpenCV can write, such as .png")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise FileFormatError(path, f"cannot be written: {error.strerror}") from error


def found_document(items: Sequence[Found]) -> dict[str, Any]:
    """Return what was found as JSON holds it."""
    return {
        "schema": 1,
        "kind": "nao detection",
        "ok": all(item.detection.is_found for item in items),
        "images": [_as_dict(item) for item in items],
    }


def _as_dict(item: Found) -> dict[str, Any]:
    detection = item.detection
    corners = detection.corners
    document: dict[str, Any] = {
        "file": str(item.path),
        "width": item.image.shape[1],
        "height": item.image.shape[0],
        "status": detection.status,
        "reason": detection.reason,
        "corners": None if corners is None else corners.tolist(),
        "candidates": len(detection.candidates),
        "compute_seconds": item.seconds,
    }
    if item.peer_seconds is not None:
        document["opencv"] = {
            "found": item.peer is not None,
            "corners": None if item.peer is None else item.peer.tolist(),
            "distance": item.distance,
            "compute_seconds": item.peer_seconds,
        }
    return document
