"""Search for one circle where it is expected, on the level that suits its radius."""

from __future__ import annotations

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import ByteArray, FloatArray, Vec3
from gelenk.vision.circle_search import examine, level_lens, to_full


@kernel
def shrink(image: ByteArray, left: int, top: int, factor: int, out: ByteArray) -> None:
    """Write means of factor x factor pixels, from (left, top) on."""
    rows, columns = out.shape
    area = factor * factor
    for j in range(rows):
        for i in range(columns):
            total = 0
            for y in range(top + j * factor, top + (j + 1) * factor):
                for x in range(left + i * factor, left + (i + 1) * factor):
                    total += np.int64(image[y, x])
            out[j, i] = np.uint8((total + area // 2) // area)


@kernel
def search_window(
    image: ByteArray,
    x: float,
    y: float,
    half_size: float,
    r_low: float,
    r_high: float,
    gate: float,
    lens: Vec3,
    floor: float,
    out: FloatArray,
) -> bool:
    """Look for the best circle of a window.

    Args:
        image: uint8, (rows, columns).
        x: Middle of the window [px].
        y: Likewise.
        half_size: How far from it the centre may be [px].
        r_low: Smallest radius [px].
        r_high: Largest radius [px].
        gate: Least radial response, 0 to 1.
        lens: Focal length, column and row of the optical axis [px]; 0: no stretch.
        floor: Slope of an edge that half counts.
        out: (FIELDS,), overwritten with the circle, not polished.

    Returns:
        Whether there is one.
    """
    factor = 1
    while 0.5 * (r_low + r_high) > 13.0 * factor:
        factor *= 2
    rows, columns = image.shape
    margin = half_size + 1.5 * r_high + 6.0 * factor
    left, top = max(int(x - margin), 0), max(int(y - margin), 0)
    right, bottom = min(int(x + margin) + 1, columns), min(int(y + margin) + 1, rows)
    shape = ((bottom - top) // factor, (right - left) // factor)
    if shape[0] < 12 or shape[1] < 12:
        return False
    part = np.empty(shape, np.uint8)
    shrink(image, left, top, factor, part)
    own_lens = level_lens((lens[0], lens[1] - left, lens[2] - top), factor)
    shift = 0.5 * (factor - 1)
    reach = half_size / factor
    step = 1.0 if reach <= 4.0 else 1.5
    if not examine(
        part,
        (x - left - shift) / factor,
        (y - top - shift) / factor,
        reach,
        step,
        r_low / factor,
        r_high / factor,
        gate,
        own_lens,
        floor,
        out,
    ):
        return False
    to_full(out, float(factor))
    out[0] += left
    out[1] += top
    return True
