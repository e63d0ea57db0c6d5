"""Kernels for votes of edges for centres of circles.

Every edge pixel votes for the centres that lie in the direction of its gradient, or
against it, at one of four distances. A vote is one bit: which of 16 directions, seen
from the centre, the edge lies in. So a cell counts directions, not pixels: a strong or
long edge counts no more than a weak or short one, and dense texture, which piles up
votes from few directions, is told from an outline, which has them all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.typing import ByteArray

PAD = 8  # cells around the image, for centres that no edge can overshoot
LANES = 4  # distances per level
FIRST = 3.0  # [px of the level], shortest distance
_BLOCK = 16
_int16, _uint64 = np.int16, np.uint64


@kernel
def halve(image: ByteArray, out: ByteArray) -> None:
    """Write the means of 2 x 2 pixels, rounded; odd last rows and columns are lost."""
    rows, columns = out.shape
    for y in range(rows):
        a, b, row = image[2 * y], image[2 * y + 1], out[y]
        for x in range(columns):
            total = np.uint16(a[2 * x]) + np.uint16(a[2 * x + 1])
            total += np.uint16(b[2 * x]) + np.uint16(b[2 * x + 1])
            row[x] = np.uint8((total + 2) >> 2)


@kernel
def sobel(
    image: ByteArray,
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    strength: NDArray[np.int16],
) -> None:
    """Write derivatives of 3 x 3 pixels and |gx| + |gy|; the border is 0."""
    rows, columns = image.shape
    for y in (0, rows - 1):
        gx[y], gy[y], strength[y] = 0, 0, 0
    for y in range(1, rows - 1):
        a, b, c = image[y - 1], image[y], image[y + 1]
        row_x, row_y, row = gx[y], gy[y], strength[y]
        for k in (0, columns - 1):
            row_x[k], row_y[k], row[k] = 0, 0, 0
        inner_x, inner_y, inner = row_x[1:], row_y[1:], row[1:]
        a1, c1, a2, b2, c2 = a[1:], c[1:], a[2:], b[2:], c[2:]
        for k in range(columns - 2):
            p, q, r = _int16(a[k]), _int16(a1[k]), _int16(a2[k])
            s, t = _int16(b[k]), _int16(b2[k])
            u, v, w = _int16(c[k]), _int16(c1[k]), _int16(c2[k])
            right = _int16(_int16(r - p) + _int16(_int16(t - s) << 1) + _int16(w - u))
            down = _int16(_int16(u - p) + _int16(_int16(v - q) << 1) + _int16(w - r))
            inner_x[k], inner_y[k] = right, down
            inner[k] = _int16(max(right, _int16(-right)) + max(down, _int16(-down)))


@kernel
def _is_crest(strength: NDArray[np.int16], y: int, x: int, gx: int, gy: int) -> bool:
    """Return whether no neighbour along the gradient is stronger."""
    ax, ay = abs(gx), abs(gy)
    here = strength[y, x]
    if 2 * ay < ax:
        return here >= strength[y, x - 1] and here > strength[y, x + 1]
    if 2 * ax < ay:
        return here >= strength[y - 1, x] and here > strength[y + 1, x]
    if (gx > 0) == (gy > 0):
        return here >= strength[y - 1, x - 1] and here > strength[y + 1, x + 1]
    return here >= strength[y - 1, x + 1] and here > strength[y + 1, x - 1]


@kernel
def vote_centers(
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    strength: NDArray[np.int16],
    threshold: float,
    bits: NDArray[np.uint64],
    edges: ByteArray,
) -> None:
    """Let the edge pixels of a level vote.

    Args:
        gx: Derivative to the right, int16, (rows, columns).
        gy: Derivative downwards.
        strength: |gx| + |gy|.
        threshold: Least length of the gradient of an edge.
        bits: Votes (rows + 2 PAD, columns + 2 PAD) uint64, 16 bits per distance; votes
            are added.
        edges: uint8 of the same shape; becomes 1 where a pixel voted.
    """
    rows, columns = gx.shape
    flat = bits.reshape(bits.size)
    stride = np.int64(bits.shape[1])
    low = _int16(threshold)
    square = threshold * threshold
    for y in range(1, rows - 1):
        row = strength[y]
        for start in range(0, columns, _BLOCK):
            end = min(start + _BLOCK, columns)
            if end - start == _BLOCK:
                block = row[start:end]
                above = 0
                for k in range(_BLOCK):
                    above += block[k] > low
                if above == 0:
                    continue
            for x in range(max(start, 1), min(end, columns - 1)):
                if row[x] <= low:
                    continue
                dx, dy = np.float32(gx[y, x]), np.float32(gy[y, x])
                length = dx * dx + dy * dy
                if length < square or not _is_crest(strength, y, x, gx[y, x], gy[y, x]):
                    continue
                edges[y + PAD, x + PAD] = 1
                scale = np.float32(1.0) / np.sqrt(length)
                ux, uy = dx * scale, dy * scale
                sector = _sector(ux, uy)
                for lane in range(LANES):
                    r = np.float32(FIRST + lane)
                    ox = np.int64(np.floor(r * ux + np.float32(0.5)))
                    oy = np.int64(np.floor(r * uy + np.float32(0.5)))
                    base = (y + PAD) * stride + x + PAD
                    shift = 16 * lane
                    # Seen from the centre, the edge lies the other way.
                    flat[np.uint64(base + oy * stride + ox)] |= _uint64(1) << _uint64(
                        shift + ((sector + 8) & 15)
                    )
                    flat[np.uint64(base - oy * stride - ox)] |= _uint64(1) << _uint64(
                        shift + sector
                    )


@kernel
def _sector(ux: float, uy: float) -> int:
    """Return which of 16 equal sectors a unit vector points into."""
    ax, ay = abs(ux), abs(uy)
    # Borders at 22.5, 45 and 67.5 degrees, from the signs of sums of both.
    k = 0
    if ay * np.float32(2.414214) > ax:
        k = 1
    if ay > ax:
        k = 2
    if ay > ax * np.float32(2.414214):
        k = 3
    if ux < 0:
        k = 7 - k
    if uy < 0:
        k = 15 - k
    return k


@kernel
def _count16(v: np.uint64) -> np.uint64:
    """Return the number of bits in each 16 bits of v, in place."""
    v = v - ((v >> _uint64(1)) & _uint64(0x5555555555555555))
    v = (v & _uint64(0x3333333333333333)) + (
        (v >> _uint64(2)) & _uint64(0x3333333333333333)
    )
    v = (v + (v >> _uint64(4))) & _uint64(0x0F0F0F0F0F0F0F0F)
    return (v + (v >> _uint64(8))) & _uint64(0x001F001F001F001F)


@kernel
def _lanes(v: np.uint64) -> tuple[np.int16, np.int16, np.int16, np.int16]:
    """Return the four numbers of 16 bits in v."""
    low = _uint64(0xFFFF)
    return (
        _int16(v & low),
        _int16((v >> _uint64(16)) & low),
        _int16((v >> _uint64(32)) & low),
        _int16(v >> _uint64(48)),
    )


@kernel
def count_votes(
    bits: NDArray[np.uint64], edges: ByteArray, out: NDArray[np.int16]
) -> None:
    """Write how much each cell looks like the centre of a plain disc.

    That is the number of directions with votes in its 3 x 3 neighbourhood, plus those
    of its own, less the edges inside: in 3 x 3 cells for the shortest distance, 5 x 5
    for others.

    Args:
        bits: Votes, (rows, columns) uint64.
        edges: Pixels that voted, (rows, columns) uint8.
        out: Most directions of any distance (rows, columns) int16, overwritten; 0
            within 2 of the border.
    """
    rows, columns = bits.shape
    n = columns - 4
    near, own = np.empty(columns, np.uint64), np.empty(n, np.uint64)
    narrow, wide = np.empty(columns, np.int16), np.empty(columns, np.int16)
    for y in (0, 1, rows - 2, rows - 1):
        out[y] = 0
    for y in range(2, rows - 2):
        a, b, c = bits[y - 1], bits[y], bits[y + 1]
        e0, e1, e2, e3, e4 = (
            edges[y - 2],
            edges[y - 1],
            edges[y],
            edges[y + 1],
            edges[y + 2],
        )
        for x in range(columns):
            near[x] = a[x] | b[x] | c[x]
            thin = _int16(e1[x]) + _int16(e2[x]) + _int16(e3[x])
            narrow[x] = _int16(thin)
            wide[x] = _int16(thin + _int16(e0[x]) + _int16(e4[x]))
        near1, near2, near3, b2 = near[1:], near[2:], near[3:], b[2:]
        for x in range(n):
            own[x] = _count16(near1[x] | near2[x] | near3[x]) + _count16(b2[x])
        n1, n2, n3 = narrow[1:], narrow[2:], narrow[3:]
        w1, w2, w3, w4 = wide[1:], wide[2:], wide[3:], wide[4:]
        out[y, :2] = 0
        out[y, columns - 2 :] = 0
        inner = out[y, 2:]
        for x in range(n):
            p, q, r, s = _lanes(own[x])
            few = _int16(n1[x] + n2[x] + n3[x])
            many = _int16(wide[x] + w1[x] + w2[x] + w3[x] + w4[x])
            inner[x] = max(_int16(p - few), _int16(max(q, max(r, s)) - many))


@kernel
def best_lane(bits: NDArray[np.uint64], edges: ByteArray, y: int, x: int) -> int:
    """Return the distance, as a lane, for which a cell has most directions."""
    near = _uint64(0)
    few, many = 0, 0
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            many += edges[y + dy, x + dx]
            if abs(dy) < 2 and abs(dx) < 2:
                near |= bits[y + dy, x + dx]
                few += edges[y + dy, x + dx]
    p, q, r, s = _lanes(_count16(near) + _count16(bits[y, x]))
    best, lane = np.int64(p) - few, 0
    for k, v in ((1, q), (2, r), (3, s)):
        if np.int64(v) - many > best:
            best, lane = np.int64(v) - many, k
    return lane


@kernel
def _is_top(counts: NDArray[np.int16], y: int, x: int) -> bool:
    """Return whether no neighbour has more; of equal ones the first is meant."""
    here = counts[y, x]
    above, row, below = counts[y - 1], counts[y], counts[y + 1]
    return (
        here > above[x - 1]
        and here > above[x]
        and here > above[x + 1]
        and here > row[x - 1]
        and here >= row[x + 1]
        and here >= below[x - 1]
        and here >= below[x]
        and here >= below[x + 1]
    )


@kernel
def best_peaks(
    counts: NDArray[np.int16], least: int, peaks: NDArray[np.int32], room: int
) -> int:
    """Find the local maxima with the most directions, in no order.

    Args:
        counts: Number of directions of each cell, int16, (rows, columns).
        least: Fewest directions of a peak.
        peaks: Peaks (n, 3) int32, overwritten with column, row and count.
        room: Number of peaks wanted, n at most.

    Returns:
        How many there are.
    """
    rows, columns = counts.shape
    number = np.zeros(64, np.int64)
    found = 0
    low = _int16(least - 1)
    for y in range(1, rows - 1):
        row = counts[y]
        for start in range(0, columns, _BLOCK):
            end = min(start + _BLOCK, columns)
            if end - start == _BLOCK:
                block = row[start:end]
                above = 0
                for k in range(_BLOCK):
                    above += block[k] > low
                if above == 0:
                    continue
            for x in range(max(start, 1), min(end, columns - 1)):
                if row[x] <= low or not _is_top(counts, y, x):
                    continue
                if found < len(peaks):
                    peaks[found, 0], peaks[found, 1], peaks[found, 2] = x, y, row[x]
                    number[row[x]] += 1
                    found += 1
    cut, total = 63, 0
    while cut >= least and total + number[cut] <= room:
        total += number[cut]
        cut -= 1
    spare = room - total  # some of those at the cut fit as well
    kept = 0
    for k in range(found):
        if peaks[k, 2] < cut or (peaks[k, 2] == cut and spare == 0):
            continue
        if peaks[k, 2] == cut:
            spare -= 1
        peaks[kept] = peaks[k]
        kept += 1
    return kept


@kernel
def _radial_share(
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    x: np.float32,
    y: np.float32,
    r: np.float32,
    square: np.float32,
    circle: NDArray[np.float32],
) -> np.float32:
    """Return how radial gradients are at the points of a circle, 0 to 1."""
    rows, columns = gx.shape
    total = np.float32(0.0)
    for k in range(len(circle)):
        nx, ny = circle[k, 0], circle[k, 1]
        px = np.int64(x + r * nx + np.float32(64.5)) - 64
        py = np.int64(y + r * ny + np.float32(64.5)) - 64
        if 0 <= px < columns and 0 <= py < rows:
            u, v = np.float32(gx[py, px]), np.float32(gy[py, px])
            d = u * nx + v * ny
            total += d * d / (u * u + v * v + square)
    return total / np.float32(len(circle))


@kernel
def quick_response(
    gx: NDArray[np.int16],
    gy: NDArray[np.int16],
    x: int | np.float32,
    y: int | np.float32,
    r: float,
    floor: float,
    circle: NDArray[np.float32],
) -> np.float32:
    """Return how radial the gradients of a voting level are around a cell, 0 to 1.

    The best of three radii, then of nine centres.

    Args:
        gx: Derivative to the right, int16, (rows, columns).
        gy: Derivative downwards.
        x: Column.
        y: Row.
        r: Radius [px of the level].
        floor: Slope of an edge that half counts.
        circle: Points of a circle of radius 1, (n, 2) float32.
    """
    square, x, y = np.float32(floor * floor), np.float32(x), np.float32(y)
    best, radius = np.float32(-1.0), np.float32(r)
    for m in range(-1, 2):
        trial = np.float32(r + 0.6 * m)
        share = _radial_share(gx, gy, x, y, trial, square, circle)
        if share > best:
            best, radius = share, trial
    if best < np.float32(0.3):
        return best
    for j in range(-1, 2):
        for i in range(-1, 2):
            if i != 0 or j != 0:
                share = _radial_share(
                    gx, gy, x + np.float32(i), y + np.float32(j), radius, square, circle
                )
                best = max(best, share)
    return best


@kernel
def roughness(image: ByteArray, x: int, y: int, r: float) -> float:
    """Return the rms gray levels by which a disc differs from an even slope.

    Leaves and books are rough, balls are not, however they are lit.

    Args:
        image: The voting level, uint8.
        x: Column of the centre.
        y: Row of the centre.
        r: Radius [px of the level]; the inner 70 % are looked at.
    """
    rows, columns = image.shape
    m = max(int(0.7 * r), 2)
    reach = (m + 0.3) * (m + 0.3)
    if x - m < 0 or y - m < 0 or x + m >= columns or y + m >= rows:
        return 0.0
    n, z, zz, xz, yz, xx = 0, 0, 0, 0, 0, 0
    for j in range(-m, m + 1):
        row = image[y + j]
        for i in range(-m, m + 1):
            if i * i + j * j > reach:
                continue
            v = np.int64(row[x + i])
            n += 1
            z += v
            zz += v * v
            xz += i * v
            yz += j * v
            xx += i * i
    rest = zz - z * z / n - (xz * xz + yz * yz) / xx
    return np.sqrt(max(rest, 0.0) / (n - 3))
