"""Writer of PNG images."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError


def encode_png(image: NDArray[Any]) -> bytes:
    """Return a picture as the bytes of a PNG file.

    Args:
        image: Red, green, blue as uint8, shape (height, width, 3).

    Raises:
        ConfigError: If it is no such picture.
    """
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ConfigError(
            "a picture must be uint8 of shape (rows, columns, 3), got "
            f"{image.dtype} of shape {image.shape}"
        )
    rows, columns, _ = image.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    lines = np.zeros((rows, 1 + 3 * columns), dtype=np.uint8)  # 0: line is not filtered
    lines[:, 1:] = image.reshape(rows, -1)
    # Each line as its difference to the one above: skies and floors become zeros.
    lines[1:, 1:] -= image.reshape(rows, -1)[:-1]
    lines[1:, 0] = 2
    data = zlib.compress(lines.tobytes(), 6)
    chunks = ((b"IHDR", header), (b"IDAT", data), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _chunk(kind: bytes, body: bytes) -> bytes:
    check = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)
