"""Binary images: what a camera sees or a robot shows, with marks as numbers.

    offset  type         what
    0       4 bytes      "GLI1"
    4       uint32       n, length of the head
    8       n bytes      `messages.ImageHead` as JSON
    8 + n   bytes        JPEG or PNG

Little endian.
"""

from __future__ import annotations

import struct
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError
from gelenk.ui.codec import encode_part
from gelenk.ui.messages_scene import ImageHead

Format: TypeAlias = Literal["image/jpeg", "image/png"]

MAGIC = b"GLI1"
HEADER = struct.Struct("<4sI")
QUALITY = 85  # of a JPEG, 0 to 100
SMALL = 128 * 128  # pixels up to which an image stays as it is: a PNG


class Packed(NamedTuple):
    """An image on its way.

    Attributes:
        source: "camera" or "picture".
        name: Name of the camera or picture.
        data: Bytes that are sent, see `images.py`.
    """

    source: str
    name: str
    data: bytes


def pack_image(head: ImageHead, data: bytes) -> Packed:
    """Return an image with its head, as it is sent."""
    text = encode_part(head).encode()
    return Packed(head.source, head.name, HEADER.pack(MAGIC, len(text)) + text + data)


def compress(image: NDArray[np.uint8]) -> tuple[Format, bytes]:
    """Return the MIME type of a compressed image, and its bytes.

    Args:
        image: Shape (rows, columns) or (rows, columns, 3), RGB.

    Raises:
        ConfigError: If it cannot be compressed.
    """
    import cv2  # a tenth of a second, for those who look at images

    pixels = image if image.ndim == 2 else image[..., ::-1]
    is_small = image.shape[0] * image.shape[1] <= SMALL
    ending, options = (
        (".png", []) if is_small else (".jpg", [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    )
    is_done, data = cv2.imencode(ending, np.ascontiguousarray(pixels), options)
    if not is_done:
        raise ConfigError(f"an image of shape {image.shape} cannot be compressed")
    return ("image/png" if is_small else "image/jpeg"), data.tobytes()
