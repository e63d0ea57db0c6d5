"""Kernels of the ChESS corner detector: response, candidates, suppression.

Responses are kept in ninths of a gray level, where they are whole numbers: so equal
maxima are equal, and a positive response fits into 16 bits.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.typing import ByteArray, FloatArray

NINTHS = 9
RING = 5  # [px], radius of the ring of 16 samples
_BLOCK = 32  # pixels that are looked at together when candidates are collected
_int16 = np.int16


@kernel
def _abs16(v: np.int16) -> np.int16:
    return _int16(max(v, _int16(-v)))


@kernel
def _sum_less_difference(
    image: ByteArray, y: int, left: int, right: int, out: NDArray[np.int16]
) -> None:
    """Write SR - DR of the pixels left <= x < right of row y into out.

    Arithmetic in 16 bits and indices that cannot be negative: so the compiler does 32
    pixels at a time.
    """
    first, last = left - RING, right + RING
    a, b, c = (
        image[y - 5, first:last],
        image[y - 4, first:last],
        image[y - 2, first:last],
    )
    d = image[y, first:last]
    e, f, g = (
        image[y + 2, first:last],
        image[y + 4, first:last],
        image[y + 5, first:last],
    )
    for k in range(right - left):
        x = k + RING
        i0, i1, i2 = _int16(a[x + 2]), _int16(a[x]), _int16(a[x - 2])
        i3, i15 = _int16(b[x - 4]), _int16(b[x + 4])
        i4, i14 = _int16(c[x - 5]), _int16(c[x + 5])
        i5, i13 = _int16(d[x - 5]), _int16(d[x + 5])
        i6, i12 = _int16(e[x - 5]), _int16(e[x + 5])
        i7, i11 = _int16(f[x - 4]), _int16(f[x + 4])
        i8, i9, i10 = _int16(g[x - 2]), _int16(g[x]), _int16(g[x + 2])
        total = (
            _abs16(_int16(i0 - i4 + i8 - i12))
            + _abs16(_int16(i1 - i5 + i9 - i13))
            + _abs16(_int16(i2 - i6 + i10 - i14))
            + _abs16(_int16(i3 - i7 + i11 - i15))
        )
        difference = (
            _abs16(_int16(i0 - i8))
            + _abs16(_int16(i1 - i9))
            + _abs16(_int16(i2 - i10))
            + _abs16(_int16(i3 - i11))
            + _abs16(_int16(i4 - i12))
            + _abs16(_int16(i5 - i13))
            + _abs16(_int16(i6 - i14))
            + _abs16(_int16(i7 - i15))
        )
        out[k] = _int16(total - difference)


@kernel
def smooth_kernel(image: ByteArray, out: ByteArray) -> None:
    """Write the image after a binomial filter of 3 x 3 pixels; the border is copied."""
    rows, columns = image.shape
    out[0], out[rows - 1] = image[0], image[rows - 1]
    for y in range(1, rows - 1):
        a, b, c, row = image[y - 1], image[y], image[y + 1], out[y]
        row[0], row[columns - 1] = b[0], b[columns - 1]
        for k in range(columns - 2):
            above = np.uint16(a[k]) + np.uint16(2 * a[k + 1]) + np.uint16(a[k + 2])
            here = np.uint16(b[k]) + np.uint16(2 * b[k + 1]) + np.uint16(b[k + 2])
            below = np.uint16(c[k]) + np.uint16(2 * c[k + 1]) + np.uint16(c[k + 2])
            row[k + 1] = np.uint8((above + 2 * here + below + 8) >> 4)


@kernel
def _mean_ninths(image: ByteArray, y: int, x: int, is_square: bool) -> int | np.int64:
    """Return 9 MR: nine times the difference of the ring's sum and the local one."""
    ring = 0
    for dx in (-2, 0, 2):
        ring += np.int64(image[y - 5, x + dx]) + np.int64(image[y + 5, x + dx])
        ring += np.int64(image[y + dx, x - 5]) + np.int64(image[y + dx, x + 5])
    for dy in (-4, 4):
        ring += np.int64(image[y + dy, x - 4]) + np.int64(image[y + dy, x + 4])
    local = 0
    if is_square:
        for dy in range(-1, 2):
            for dx in range(-1, 2):
                local += np.int64(image[y + dy, x + dx])
        return abs(NINTHS * ring - 16 * local)
    for dx in range(-1, 2):
        local += np.int64(image[y, x + dx])
    return abs(NINTHS * ring - 48 * local)


@kernel
def response_kernel(
    image: ByteArray,
    left: int,
    top: int,
    right: int,
    bottom: int,
    is_square: bool,
    out: FloatArray,
) -> None:
    """Write the response of pixels left <= x < right, top <= y < bottom, 0 at least."""
    row = np.empty(right - left, np.int16)
    for y in range(top, bottom):
        _sum_less_difference(image, y, left, right, row)
        for x in range(left, right):
            ninths = NINTHS * np.int64(row[x - left])
            ninths -= _mean_ninths(image, y, x, is_square)
            out[y, x] = max(ninths, 0) / NINTHS


@kernel
def collect_kernel(
    image: ByteArray,
    left: int,
    top: int,
    right: int,
    bottom: int,
    threshold: float,
    is_square: bool,
    ninths: NDArray[np.int16],
    spots: NDArray[np.int32],
) -> int:
    """Find the pixels whose response is above a threshold.

    Args:
        image: Gray levels.
        left: First column of the searched area, at least 5 px inside of the image.
        top: First row of the searched area, at least 5 px inside of the image.
        right: Column behind the searched area.
        bottom: Row below the searched area.
        threshold: Threshold of the response [gray levels].
        is_square: Local mean of 3 x 3 pixels; of 3 x 1 otherwise.
        ninths: Responses (rows, columns) int16, overwritten in the searched area: nine
            times the response of candidates, something at or below the threshold
            elsewhere.
        spots: Candidates (n, 2) int32, overwritten with x and y, row by row.

    Returns:
        How many there are; more than n if there was no room.
    """
    count = 0
    limit = NINTHS * threshold
    low = _int16(threshold)
    for y in range(top, bottom):
        row = ninths[y, left:right]
        _sum_less_difference(image, y, left, right, row)
        for start in range(0, right - left, _BLOCK):
            end = min(start + _BLOCK, right - left)
            if end - start == _BLOCK:
                block = row[start:end]
                above = 0
                for k in range(_BLOCK):
                    above += block[k] > low
                if above == 0:
                    continue
            for k in range(start, end):
                if row[k] <= low:
                    continue
                x = left + k
                value = NINTHS * np.int64(row[k])
                value -= _mean_ninths(image, y, x, is_square)
                if value <= limit:
                    row[k] = _int16(0)
                    continue
                row[k] = _int16(value)
                if count < spots.shape[0]:
                    spots[count, 0], spots[count, 1] = x, y
                count += 1
    return count


@kernel
def drop_lonely_kernel(
    responses: NDArray[np.int16] | FloatArray,
    area: tuple[int, int, int, int],
    spots: NDArray[np.int32],
    count: int,
    limit: float,
    least: int,
) -> int:
    """Keep the candidates with at least so many candidates among their 8 neighbours.

    Args:
        responses: Responses of every pixel, as `collect_kernel` leaves them; becomes 0
            for those that go.
        area: Valid area (left, top, right, bottom).
        spots: Candidates; those that stay are moved to the front.
        count: Number of candidates.
        limit: Response above which a pixel is a candidate.
        least: Neighbours that are needed.

    Returns:
        How many stay.
    """
    left, top, right, bottom = area
    has_company = np.empty(count, np.bool_)
    for k in range(count):
        x, y = spots[k, 0], spots[k, 1]
        company = -1
        for yy in range(max(y - 1, top), min(y + 2, bottom)):
            for xx in range(max(x - 1, left), min(x + 2, right)):
                company += responses[yy, xx] > limit
        has_company[k] = company >= least
    kept = 0
    for k in range(count):
        x, y = spots[k, 0], spots[k, 1]
        if has_company[k]:
            spots[kept, 0], spots[kept, 1] = x, y
            kept += 1
        else:
            responses[y, x] = 0
    return kept


@kernel
def suppress_kernel(
    responses: NDArray[np.int16],
    area: tuple[int, int, int, int],
    spots: NDArray[np.int32],
    count: int,
    radius: int,
    xy: FloatArray,
    values: FloatArray,
) -> int:
    """Keep candidates that no other one in their window exceeds; average equal ones.

    Args:
        responses: Response of candidates, 0 of all other pixels where it is valid.
        area: Valid area (left, top, right, bottom).
        spots: Candidates, (n, 2).
        count: Number of candidates.
        radius: Radius of the window [px].
        xy: Overwritten with positions, (n, 2).
        values: Overwritten with responses, (n,).

    Returns:
        How many maxima there are.
    """
    left, top, right, bottom = area
    is_done = np.zeros(count, np.bool_)
    found = 0
    for k in range(count):
        if is_done[k]:
            continue
        x, y = spots[k, 0], spots[k, 1]
        value = responses[y, x]
        is_top = True
        for yy in range(max(y - radius, top), min(y + radius + 1, bottom)):
            for xx in range(max(x - radius, left), min(x + radius + 1, right)):
                if responses[yy, xx] > value:
                    is_top = False
                    break
            if not is_top:
                break
        if not is_top:
            continue
        sum_x, sum_y, equal = 0.0, 0.0, 0
        for m in range(k, count):  # row by row: equal ones come later
            if spots[m, 1] > y + radius:
                break
            xx, yy = spots[m, 0], spots[m, 1]
            if abs(xx - x) <= radius and responses[yy, xx] == value:
                is_done[m] = True
                sum_x += xx
                sum_y += yy
                equal += 1
        xy[found, 0], xy[found, 1] = sum_x / equal, sum_y / equal
        values[found] = value
        found += 1
    return found
