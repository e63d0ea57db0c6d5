"""Compiled: particles moved, weighed by a likelihood field, drawn anew."""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, IntArray


@kernel
def move_particles(
    poses: FloatArray, told: FloatArray, sigma: FloatArray, drawn: FloatArray
) -> None:
    """Move poses by turn, way, turn, each with an error of its own.

    Args:
        poses: Shape (n, 3); changed.
        told: δ1 [rad], δt [m], δ2 [rad], shape (3,).
        sigma: Of each, shape (3,).
        drawn: Standard normal numbers, shape (n, 3).
    """
    two_pi = 2.0 * math.pi
    for i in range(poses.shape[0]):
        heading = poses[i, 2] + told[0] - sigma[0] * drawn[i, 0]
        way = told[1] - sigma[1] * drawn[i, 1]
        poses[i, 0] += way * math.cos(heading)
        poses[i, 1] += way * math.sin(heading)
        heading += told[2] - sigma[2] * drawn[i, 2]
        poses[i, 2] = heading - two_pi * math.floor(heading / two_pi + 0.5)


@kernel
def weigh_particles(
    poses: FloatArray,
    points: FloatArray,
    padded: FloatArray,
    origin: FloatArray,
    cell: float,
    share: float,
    log_weights: FloatArray,
) -> None:
    """Add what a scan says of each pose to its log-weight.

    Beams end anywhere: a branch for those beyond the map would be guessed wrong half
    of the time, so indices are clamped into a ring around it instead.

    Args:
        poses: Shape (n, 3).
        points: Ends of beams in robot axes [m], shape (k, 2).
        padded: Log-likelihood of a beam that ends in a cell, with a ring around,
            shape (nx + 2, ny + 2).
        origin: Corner of cell (0, 0) [m], shape (2,).
        cell: [m].
        share: Of one beam; below 1 because neighbouring beams err together.
        log_weights: Shape (n,); changed.
    """
    width = padded.shape[1]
    last_x, last_y = padded.shape[0] - 1.0, width - 1.0
    flat = padded.ravel()
    per_cell = 1.0 / cell
    for i in range(poses.shape[0]):
        c, s = math.cos(poses[i, 2]) * per_cell, math.sin(poses[i, 2]) * per_cell
        x0 = (poses[i, 0] - origin[0]) * per_cell + 1.0
        y0 = (poses[i, 1] - origin[1]) * per_cell + 1.0
        total = 0.0
        for k in range(points.shape[0]):
            x = min(max(x0 + c * points[k, 0] - s * points[k, 1], 0.0), last_x)
            y = min(max(y0 + s * points[k, 0] + c * points[k, 1], 0.0), last_y)
            total += flat[np.uint64(int(x) * width + int(y))]
        log_weights[i] += share * total


@kernel
def draw_systematically(weights: FloatArray, offset: float, out: IntArray) -> None:
    """Write the particles that n equally spaced pointers (offset + k) / n meet.

    Args:
        weights: Summing to 1, shape (n,).
        offset: In [0, 1).
        out: Their numbers, written, shape (k,).
    """
    count = out.shape[0]
    last = weights.shape[0] - 1
    at, reached = 0, weights[0]
    for k in range(count):
        pointer = (offset + k) / count
        while reached < pointer and at < last:
            at += 1
            reached += weights[at]
        out[k] = at
