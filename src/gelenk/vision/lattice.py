"""Lattices of corners: grown from one square over everything that fits to it.

A square of four corners makes a homography, the homography says where the next corners
must be, and each that is found makes it better. False corners do not fit, missing ones
leave gaps. Axis i runs along the first side of the square, j along the second, and
the turn from i to j is clockwise in the image.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import BoolArray, FloatArray, IntArray
from gelenk.vision.chessboard_look import bright_phase, joined_by_edges
from gelenk.vision.homography import homography_kernel, map_point
from gelenk.vision.image_types import GrayImage

NEIGHBOURS = 10  # of a seed that may be its next corners
MAX_TRIALS = 400  # squares that are grown before giving up
_MIN_SINE = 0.2  # of the angle between the sides of a square
_FOURTH = 0.45  # how far its last corner may be from the parallelogram's, in sides


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lattice:
    """A window of rows x columns in a lattice of corners.

    Attributes:
        index: Number of the corner at each place, -1 where none was found, shape
            (rows, columns); columns to rows turn clockwise in the image.
        homography: Homography from (column, row) to the image, shape (3, 3).
        light_count: Corners in the fullest window whose corner fields are light.
    """

    index: IntArray
    homography: FloatArray
    light_count: int = 0

    @property
    def count(self) -> int:
        """Corners found."""
        return int((self.index >= 0).sum())


def find_lattice(
    xy: FloatArray,
    weight: FloatArray,
    shape: tuple[int, int],
    tolerance: float,
    image: GrayImage | None = None,
) -> Lattice | None:
    """Return the window of a lattice that holds most corners, or None.

    Args:
        xy: Corners [px], shape (n, 2).
        weight: Responses of the corners, shape (n,); the search begins in their middle.
        shape: Rows and columns of the window.
        tolerance: Largest distance of a corner from its prediction, in sides of a
            square.
        image: Gray levels around the corners: neighbours are joined by an edge and have
            opposite fields in the dark, and the window's first field is dark. Without
            it the places of corners are all that counts.
    """
    rows, columns = shape
    if len(xy) < 4:
        return None
    total = weight.sum()
    middle = (
        (weight[:, None] * xy).sum(axis=0) / total if total > 0.0 else xy.mean(axis=0)
    )
    order = np.argsort(((xy - middle) ** 2).sum(axis=1))
    index = np.full((rows, columns), -1)
    H = np.empty((3, 3))
    near = np.empty((len(xy), NEIGHBOURS), np.int64)
    near_kernel(xy, near)
    if image is None:
        phase, is_joined = np.zeros((len(xy), 2)), near >= 0
    else:
        phase = bright_phase(image, xy)
        is_joined = joined_by_edges(image, xy, near)
    count, light = lattice_kernel(
        xy, phase, near, is_joined, order, tolerance, index, H
    )
    return Lattice(index=index, homography=H, light_count=light) if count else None


@kernel
def _nearest(
    xy: FloatArray, is_used: BoolArray, x: float, y: float, limit: float
) -> int:
    """Return the number of the nearest unused point within `limit`, or -1."""
    best, nearest = limit * limit, -1
    for k in range(xy.shape[0]):
        if not is_used[k]:
            d = (xy[k, 0] - x) ** 2 + (xy[k, 1] - y) ** 2
            if d < best:
                best, nearest = d, k
    return nearest


@kernel
def _collect_points(
    grid: IntArray, xy: FloatArray, places: FloatArray, spots: FloatArray
) -> int:
    """Write lattice places and image positions of all corners; return how many."""
    count = 0
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            if grid[i, j] >= 0:
                places[count, 0], places[count, 1] = i, j
                spots[count, 0] = xy[grid[i, j], 0]
                spots[count, 1] = xy[grid[i, j], 1]
                count += 1
    return count


@kernel
def _side(H: FloatArray, i: int, j: int) -> float:
    """Return the shorter side of the square at (i, j) [px], 0 behind the camera."""
    x, y, w = map_point(H, i, j)
    a, b, wa = map_point(H, i + 0.5, j)
    c, d, wc = map_point(H, i, j + 0.5)
    if not (w > 0.0 and wa > 0.0 and wc > 0.0):
        return 0.0
    return (
        2.0 * min(((a - x) ** 2 + (b - y) ** 2), ((c - x) ** 2 + (d - y) ** 2)) ** 0.5
    )


@kernel
def _grow(
    xy: FloatArray,
    phase: FloatArray,
    tolerance: float,
    grid: IntArray,
    is_used: BoolArray,
    places: FloatArray,
    spots: FloatArray,
    H: FloatArray,
) -> int:
    """Add corners next to those of `grid` until none fits; return their number."""
    size = grid.shape[0]
    count = _collect_points(grid, xy, places, spots)
    while homography_kernel(places, spots, count, H):
        before = count
        for k in range(before):
            i, j = int(places[k, 0]), int(places[k, 1])
            for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                m, n = i + di, j + dj
                if not (0 <= m < size and 0 <= n < size) or grid[m, n] >= 0:
                    continue
                side = _side(H, m, n)
                if side <= 0.0:
                    continue
                x, y, _ = map_point(H, m, n)
                at = _nearest(xy, is_used, x, y, tolerance * side)
                if at < 0:
                    continue
                one = grid[i, j]
                if phase[one, 0] * phase[at, 0] + phase[one, 1] * phase[at, 1] > 0.0:
                    continue
                grid[m, n] = at
                is_used[at] = True
                places[count, 0], places[count, 1] = m, n
                spots[count, 0], spots[count, 1] = xy[at, 0], xy[at, 1]
                count += 1
        if count == before:
            break
    return count


@kernel
def _prune(
    xy: FloatArray, tolerance: float, grid: IntArray, is_used: BoolArray, H: FloatArray
) -> int:
    """Exchange corners for nearer ones, take out far ones; return how many."""
    changed = 0
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            k = grid[i, j]
            if k >= 0:
                x, y, _ = map_point(H, i, j)
                d = ((xy[k, 0] - x) ** 2 + (xy[k, 1] - y) ** 2) ** 0.5
                nearer = _nearest(xy, is_used, x, y, d)
                if nearer >= 0:
                    grid[i, j] = nearer
                    is_used[k], is_used[nearer] = False, True
                    changed += 1
                elif d > max(0.5 * tolerance * _side(H, i, j), 1.5):
                    grid[i, j] = -1
                    is_used[k] = False
                    changed += 1
    return changed


@kernel
def _dark_parity(grid: IntArray, phase: FloatArray, H: FloatArray) -> int:
    """Return the parity of i + j at which the fields toward +i +j and -i -j are dark.

    By majority; -1 if the corners do not say.
    """
    votes = 0.0
    for i in range(grid.shape[0]):
        for j in range(grid.shape[1]):
            k = grid[i, j]
            if k < 0:
                continue
            x, y, _ = map_point(H, i, j)
            x1, y1, _ = map_point(H, i + 0.3, j + 0.3)
            x2, y2, _ = map_point(H, i + 0.3, j - 0.3)
            brightness = _along(phase[k], x1 - x, y1 - y) - _along(
                phase[k], x2 - x, y2 - y
            )
            sign = 1.0 if (i + j) % 2 == 0 else -1.0
            votes += sign if brightness < 0.0 else (-sign if brightness > 0.0 else 0.0)
    return 0 if votes > 0.0 else (1 if votes < 0.0 else -1)


@kernel
def _along(phase: FloatArray, x: float, y: float) -> float:
    """Return how bright it is along (x, y): the cosine of twice the angle."""
    return (phase[0] * (x * x - y * y) + 2.0 * phase[1] * x * y) / (x * x + y * y)


@kernel
def _best_window(
    grid: IntArray, rows: int, columns: int, dark: int
) -> tuple[int, int, int, int]:
    """Return corners, place and turn of the fullest window with dark corner fields.

    Without a turn columns run along i; with it they run along j and rows against i.
    `dark`: see `_dark_parity`; with -1 every window will do.
    """
    size = grid.shape[0]
    best, at_i, at_j, best_turn = 0, 0, 0, 0
    for turn in range(2):
        wide, high = (columns, rows) if turn == 0 else (rows, columns)
        for i in range(size - wide + 1):
            for j in range(size - high + 1):
                # The place of the first corner; a turn exchanges the diagonals.
                parity = (i + j) % 2 if turn == 0 else (i + rows + j) % 2
                if dark >= 0 and parity != dark:
                    continue
                count = 0
                for m in range(i, i + wide):
                    for n in range(j, j + high):
                        count += grid[m, n] >= 0
                if count > best:
                    best, at_i, at_j, best_turn = count, i, j, turn
    return best, at_i, at_j, best_turn


@kernel
def _take_window(
    grid: IntArray, at_i: int, at_j: int, turn: int, index: IntArray
) -> None:
    rows, columns = index.shape
    for r in range(rows):
        for c in range(columns):
            if turn == 0:
                index[r, c] = grid[at_i + c, at_j + r]
            else:
                index[r, c] = grid[at_i + rows - 1 - r, at_j + c]


@kernel
def _fit_window(
    xy: FloatArray,
    index: IntArray,
    places: FloatArray,
    spots: FloatArray,
    H: FloatArray,
) -> bool:
    """Fit the homography of a window alone."""
    count = 0
    for r in range(index.shape[0]):
        for c in range(index.shape[1]):
            if index[r, c] >= 0:
                places[count, 0], places[count, 1] = c, r
                spots[count, 0] = xy[index[r, c], 0]
                spots[count, 1] = xy[index[r, c], 1]
                count += 1
    return count >= 4 and homography_kernel(places, spots, count, H)


@kernel
def near_kernel(xy: FloatArray, near: IntArray) -> None:
    """Write the numbers of the points nearest to each one, in order, -1 for none."""
    n, room = near.shape
    distance = np.empty(room)
    for seed in range(n):
        count = 0
        few = near[seed]
        few[:] = -1
        for k in range(n):
            d = (xy[k, 0] - xy[seed, 0]) ** 2 + (xy[k, 1] - xy[seed, 1]) ** 2
            if k == seed or (count == room and d >= distance[count - 1]):
                continue
            at = min(count, room - 1)
            while at > 0 and distance[at - 1] > d:
                distance[at], few[at] = distance[at - 1], few[at - 1]
                at -= 1
            distance[at], few[at] = d, k
            count = min(count + 1, room)


@kernel
def _complete_square(
    xy: FloatArray, phase: FloatArray, p: int, a: int, b: int, is_used: BoolArray
) -> int:
    """Return the fourth corner d of the square p a d b, or -1; a to b clockwise."""
    ax, ay = xy[a, 0] - xy[p, 0], xy[a, 1] - xy[p, 1]
    bx, by = xy[b, 0] - xy[p, 0], xy[b, 1] - xy[p, 1]
    long_a, long_b = (ax * ax + ay * ay) ** 0.5, (bx * bx + by * by) ** 0.5
    if ax * by - ay * bx < _MIN_SINE * long_a * long_b:
        return -1
    if phase[p, 0] * phase[a, 0] + phase[p, 1] * phase[a, 1] > 0.0:
        return -1
    if phase[p, 0] * phase[b, 0] + phase[p, 1] * phase[b, 1] > 0.0:
        return -1
    is_used[p] = is_used[a] = is_used[b] = True
    d = _nearest(
        xy, is_used, xy[p, 0] + ax + bx, xy[p, 1] + ay + by,
        _FOURTH * min(long_a, long_b),
    )  # fmt: skip
    is_used[p] = is_used[a] = is_used[b] = False
    if d >= 0 and phase[p, 0] * phase[d, 0] + phase[p, 1] * phase[d, 1] < 0.0:
        return -1
    return d


@kernel
def lattice_kernel(
    xy: FloatArray,
    phase: FloatArray,
    near: IntArray,
    is_joined: BoolArray,
    order: IntArray,
    tolerance: float,
    index: IntArray,
    H: FloatArray,
) -> tuple[int, int]:
    """Try squares from `order` on; write the fullest window and its homography.

    Args:
        xy: Corners [px], (n, 2).
        phase: Phase of the bright fields, see `bright_phase`; zeros if it is not known.
        near: Numbers of the nearest corners of each, (n, NEIGHBOURS).
        is_joined: Whether an edge leads to them, (n, NEIGHBOURS).
        order: Numbers of the corners, (n,): the first ones are tried first.
        tolerance: Largest distance of a corner from its prediction, in sides of a
            square.
        index: Numbers of the corners (rows, columns), overwritten.
        H: Homography (3, 3), overwritten.

    Returns:
        How many corners the window holds, 0 if there is no lattice; and how many one
        would hold whose corner fields are light.
    """
    n = xy.shape[0]
    rows, columns = index.shape
    full = rows * columns
    size = 2 * max(rows, columns) + 3
    grid = np.full((size, size), -1)
    is_used, is_spent = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
    places, spots = np.empty((size * size, 2)), np.empty((size * size, 2))
    G = np.empty((3, 3))
    best, best_light, trials = 0, 0, 0
    for seed in order:
        if is_spent[seed]:
            continue
        few, joined = near[seed], is_joined[seed]
        for pair in range(NEIGHBOURS * (NEIGHBOURS - 1)):
            # Nearer pairs first, each both ways round.
            second, first = 1, pair // 2
            while first >= second:
                first -= second
                second += 1
            if not (joined[first] and joined[second]):
                continue
            a, b = few[first], few[second]
            if pair % 2:
                a, b = b, a
            is_used[:] = False
            d = _complete_square(xy, phase, seed, a, b, is_used)
            if d < 0:
                continue
            trials += 1
            _begin(grid, is_used, seed, a, b, d)
            _grow(xy, phase, tolerance, grid, is_used, places, spots, G)
            if _prune(xy, tolerance, grid, is_used, G):
                _grow(xy, phase, tolerance, grid, is_used, places, spots, G)
            dark = _dark_parity(grid, phase, G)
            count, at_i, at_j, turn = _best_window(grid, rows, columns, dark)
            if dark >= 0:
                light, _, _, _ = _best_window(grid, rows, columns, 1 - dark)
                best_light = max(light, best_light)
            if count > best:
                best = count
                _take_window(grid, at_i, at_j, turn, index)
            if best == full or trials >= MAX_TRIALS:
                break
            if dark >= 0 and 3 * count >= full:
                is_spent |= is_used  # they would grow the same lattice again
                break
        if best == full or trials >= MAX_TRIALS:
            break
    if best >= 4 and _fit_window(xy, index, places, spots, H):
        return best, best_light
    return 0, best_light


@kernel
def _begin(grid: IntArray, is_used: BoolArray, p: int, a: int, b: int, d: int) -> None:
    """Put one square into the middle of an empty grid."""
    middle = grid.shape[0] // 2
    grid[:] = -1
    is_used[:] = False
    grid[middle, middle], grid[middle + 1, middle] = p, a
    grid[middle, middle + 1], grid[middle + 1, middle + 1] = b, d
    is_used[p] = is_used[a] = is_used[b] = is_used[d] = True
