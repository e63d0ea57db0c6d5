"""Kernels for the search of circles: over whole images by levels, and in windows.

A level is the image shrunk by 1, 2, 4 ...; on each, only radii of 6 to 13 of its pixels
are looked at, and votes are cast on the next one. Found circles are measured once more
in the full image.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import ByteArray, FloatArray, IntArray, Vec3
from gelenk.vision.circle_fit import (
    COARSE,
    NUM_FEATURES,
    RAYS,
    VARIANCE,
    best_guess,
    fit_edges,
    gradient_patch,
    nearest_edges,
    radial_response,
    unit_outline,
    unit_patch,
)
from gelenk.vision.circle_score import outline_features, score_features, unevenness
from gelenk.vision.circle_votes import (
    FIRST,
    PAD,
    best_lane,
    best_peaks,
    count_votes,
    quick_response,
    roughness,
    sobel,
    vote_centers,
)

FIELDS = 5 + NUM_FEATURES  # x, y, r, score, coarse response, features
_PEAKS = 4096  # of a level that are compared
_SMOOTH = 1.5  # [gray levels], noise alone; below it no disc is smoother than another
_TOO_ROUGH = 16.0  # [gray levels], no ball
_ROUGH = 0.15  # what each e-fold of roughness takes off the response
_LEAST_SHARE = 0.4  # radial part of the gradients around a candidate
_MARGIN = 2  # [px] that derivatives need around a pixel


@kernel
def stretch_of(dx: float, dy: float, r: float, focal: float) -> float:
    """Return the ratio of the axes of a sphere's image; 1 without a focal length."""
    if focal <= 0.0:
        return 1.0
    return math.sqrt(1.0 + (dx * dx + dy * dy) / (focal * focal + r * r))


@kernel
def clip_patch(
    shape: tuple[int, int], x: float, y: float, half: float
) -> tuple[int, int, int, int]:
    """Return left, top, right, bottom of a patch that derivatives can be taken of."""
    left = max(int(x - half), _MARGIN)
    top = max(int(y - half), _MARGIN)
    right = min(int(x + half) + 2, shape[1] - _MARGIN)
    bottom = min(int(y + half) + 2, shape[0] - _MARGIN)
    return left, top, right, bottom


@kernel
def examine_candidate(
    image: ByteArray,
    x: float,
    y: float,
    reach: float,
    step: float,
    r_low: float,
    r_high: float,
    gate: float,
    lens: Vec3,
    floor: float,
    out: FloatArray,
) -> bool:
    """Look for the best circle around a place of a level.

    Args:
        image: The level, uint8.
        x: Middle of the places to try [px].
        y: Middle of the places to try, downwards [px].
        reach: Half the size of the searched grid [px].
        step: Distance between points of the grid [px].
        r_low: Smallest radius [px].
        r_high: Largest radius [px].
        gate: Least radial response, 0 to 1, of the best try.
        lens: Focal length, column and row of the optical axis [px]; 0: no stretch.
        floor: Slope of an edge that half counts.
        out: Circle in pixels of the level (FIELDS,), overwritten.

    Returns:
        Whether there is one.
    """
    left, top, right, bottom = clip_patch(
        image.shape, x, y, reach + 1.45 * r_high + 3.0
    )
    if right - left < 8 or bottom - top < 8:
        return False
    shape = (bottom - top, right - left)
    gx, gy = np.empty(shape, np.int16), np.empty(shape, np.int16)
    ux, uy = np.empty(shape, np.float32), np.empty(shape, np.float32)
    gradient_patch(image, left, top, gx, gy)
    unit_patch(gx, gy, floor, ux, uy)
    points, normals = np.empty((RAYS, 2)), np.empty((RAYS, 2))
    dx, dy = x - lens[1], y - lens[2]
    stretch = stretch_of(dx, dy, r_low, lens[0])
    unit_outline(COARSE, dx, dy, stretch, points[:COARSE], normals[:COARSE])
    response, cx, cy, r = best_guess(
        ux, uy, x - left, y - top, reach, step, r_low, r_high,
        points[:COARSE], normals[:COARSE],
    )  # fmt: skip
    if response < gate:
        return False
    circle = np.array([cx, cy, r])
    edges = np.empty((RAYS, 2))
    unit_outline(RAYS, dx, dy, stretch, points, normals)
    for turn in range(3):
        search = max((0.22, 0.14, 0.1)[turn] * r, 1.6)
        prefer = 0.4 if turn == 0 else 0.85
        nearest_edges(gx, gy, circle, search, floor, prefer, points, normals, edges)
        if turn < 2:
            fit_edges(edges, points, normals, circle, search)
        if abs(circle[2] - r) > 0.35 * r or not 0.7 * r_low < circle[2] < 1.3 * r_high:
            return False
        if (circle[0] - cx) ** 2 + (circle[1] - cy) ** 2 > (0.4 * r + 1.0) ** 2:
            return False
        if turn == 0 and (
            radial_response(ux, uy, circle[0], circle[1], circle[2], points, normals)
            < gate
        ):
            return False
    features = out[5:]
    outline_features(gx, gy, ux, uy, circle, points, normals, edges, floor, features)
    out[0], out[1], out[2] = circle[0] + left, circle[1] + top, circle[2]
    features[NUM_FEATURES - 2] = math.log(0.7 + unevenness(image, out[0], out[1], r))
    features[NUM_FEATURES - 1] = response
    out[3], out[4] = score_features(features), response
    return True


@kernel
def refine_circle(
    image: ByteArray, lens: Vec3, blur: float, floor: float, out: FloatArray
) -> None:
    """Measure a circle again in the full image, and undo what blur does to its radius.

    The steepest place of a blurred disc lies variance / (2 r) inside of its outline.

    Args:
        image: uint8, (rows, columns).
        lens: Focal length, column and row of the optical axis [px]; 0: no stretch.
        blur: Standard deviation of the lens's blur [px].
        floor: Slope of an edge that half counts.
        out: Circle (FIELDS,); its first three fields are improved.
    """
    x, y, r = out[0], out[1], out[2]
    search = max(0.08 * r, 1.6)
    left, top, right, bottom = clip_patch(image.shape, x, y, 1.15 * r + search + 5.0)
    shape = (bottom - top, right - left)
    if shape[0] < 8 or shape[1] < 8:
        return
    gx, gy = np.empty(shape, np.int16), np.empty(shape, np.int16)
    gradient_patch(image, left, top, gx, gy)
    points, normals = np.empty((RAYS, 2)), np.empty((RAYS, 2))
    dx, dy = x - lens[1], y - lens[2]
    unit_outline(RAYS, dx, dy, stretch_of(dx, dy, r, lens[0]), points, normals)
    circle = np.array([x - left, y - top, r])
    edges = np.empty((RAYS, 2))
    for turn in range(3):
        reach = search if turn == 0 else max(0.05 * r, 1.3)
        nearest_edges(gx, gy, circle, reach, floor, 0.7, points, normals, edges)
        fit_edges(edges, points, normals, circle, max(reach, 1.2))
    moved = (circle[0] + left - x) ** 2 + (circle[1] + top - y) ** 2
    if moved < search * search and abs(circle[2] - r) < search:
        out[0], out[1], out[2] = circle[0] + left, circle[1] + top, circle[2]
    out[2] += (VARIANCE + blur * blur) / (2.0 * out[2])


@kernel
def to_full_resolution(out: FloatArray, factor: float) -> None:
    """Turn pixels of a level into pixels of the image."""
    out[0] = out[0] * factor + 0.5 * (factor - 1)
    out[1] = out[1] * factor + 0.5 * (factor - 1)
    out[2] *= factor


@kernel
def level_lens(lens: Vec3, factor: float) -> Vec3:
    """Return (focal length, column, row) of the optical axis in pixels of a level."""
    shift = 0.5 * (factor - 1)
    return lens[0] / factor, (lens[1] - shift) / factor, (lens[2] - shift) / factor


@kernel
def search_level(
    image: ByteArray,
    half: ByteArray,
    factor: float,
    options: tuple[float, int, float, float],
    lens: Vec3,
    room: int,
    out: FloatArray,
) -> int:
    """Find the circles of one level, most promising first.

    Args:
        image: The level, uint8.
        half: The next level, on which votes are cast.
        factor: Pixels of the image per pixel of the level.
        options: Options (least slope of a voting edge, least votes, gate, floor).
        lens: Focal length, column and row of the optical axis in the image [px].
        room: Candidates that are examined.
        out: Circles in pixels of the image (n, FIELDS), overwritten, not refined.

    Returns:
        How many there are.
    """
    threshold, least, gate, floor = options
    gx = np.empty(half.shape, np.int16)
    gy, strength = np.empty_like(gx), np.empty_like(gx)
    sobel(half, gx, gy, strength)
    padded = (half.shape[0] + 2 * PAD, half.shape[1] + 2 * PAD)
    bits, edges = np.zeros(padded, np.uint64), np.zeros(padded, np.uint8)
    vote_centers(gx, gy, strength, threshold, bits, edges)
    counts = np.empty(padded, np.int16)
    count_votes(bits, edges, counts)
    peaks = np.empty((_PEAKS, 3), np.int32)
    num_peaks = best_peaks(counts, least, peaks, _PEAKS)
    lanes, order = np.empty(num_peaks), np.empty(num_peaks)
    quick = np.empty(num_peaks)
    circle = np.empty((COARSE, 2), np.float32)
    k: int
    for k in range(COARSE):
        angle = 2.0 * math.pi * k / COARSE
        circle[k, 0], circle[k, 1] = math.cos(angle), math.sin(angle)
    for k in range(num_peaks):
        x, y = peaks[k, 0], peaks[k, 1]
        lanes[k] = FIRST + best_lane(bits, edges, y, x)
        x, y = x - PAD, y - PAD
        rough = max(roughness(half, x, y, lanes[k]), _SMOOTH)
        quick[k], order[k] = 0.0, 1.0
        if rough < _TOO_ROUGH:
            quick[k] = quick_response(gx, gy, x, y, lanes[k], threshold, circle)
            order[k] = _ROUGH * math.log(rough) - quick[k]
    own_lens = level_lens(lens, factor)
    found = 0
    for k in np.argsort(order)[:room]:
        if found == len(out):
            break
        if quick[k] < _LEAST_SHARE:
            continue
        r = 2.0 * lanes[k] + 0.5
        x, y = 2.0 * (peaks[k, 0] - PAD) + 0.5, 2.0 * (peaks[k, 1] - PAD) + 0.5
        if examine_candidate(
            image, x, y, 2.0, 1.0, r - 2.5, r + 2.5, gate, own_lens, floor, out[found]
        ):
            to_full_resolution(out[found], factor)
            found += 1
    return found


@kernel
def keep_best(circles: FloatArray, count: int, overlap: float, order: IntArray) -> int:
    """Drop circles whose centre lies within a better one.

    Args:
        circles: Circles found, shape (n, FIELDS).
        count: Number of circles.
        overlap: Share of the larger radius within which two are one.
        order: Rows that stay, best first, (n,) int64, overwritten.

    Returns:
        How many stay.
    """
    ranks = np.argsort(-circles[:count, 3])
    kept = 0
    for k in ranks:
        is_new = True
        for m in range(kept):
            other = order[m]
            near = overlap * max(circles[k, 2], circles[other, 2])
            dx, dy = (
                circles[k, 0] - circles[other, 0],
                circles[k, 1] - circles[other, 1],
            )
            if dx * dx + dy * dy < near * near:
                is_new = False
                break
        if is_new:
            order[kept] = k
            kept += 1
    return kept


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
        y: Row of the expected centre [px].
        half_size: Largest distance of the centre from there [px].
        r_low: Smallest radius [px].
        r_high: Largest radius [px].
        gate: Least radial response, 0 to 1.
        lens: Focal length, column and row of the optical axis [px]; 0: no stretch.
        floor: Slope of an edge that half counts.
        out: Circle (FIELDS,), overwritten, not refined.

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
    if not examine_candidate(
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
    to_full_resolution(out, float(factor))
    out[0] += left
    out[1] += top
    return True
