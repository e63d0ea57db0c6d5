"""Compiled: whether a point, or an arm clad in balls, is clear of convex bodies.

Obstacles: `planes`, rows (n, b) with n p <= b inside, body k owns rows first[k] to
first[k + 1] - 1; `balls`, rows (center, radius). Robot: `chain` as in
`kinematics.chain`, `cladding`, rows (moving bodies before it, center in the last of
them, radius); without rows the configuration is itself the point.
"""

from __future__ import annotations

import math

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    rot,
    scaled,
    turn,
    turned_about_z,
    vec,
    z_axis,
)


@kernel
def clearance_at(p, planes, first, balls):
    """Return the distance of a point, shape (d,), to the nearest obstacle.

    Exact for balls; for bodies the largest distance to one of its planes, which is
    exact inside and beside faces and too small off edges and corners: the safe side.
    """
    d = p.shape[0]
    least = np.inf
    for k in range(first.shape[0] - 1):
        gap = -np.inf
        for i in range(first[k], first[k + 1]):
            height = -planes[i, d]
            for j in range(d):
                height += planes[i, j] * p[j]
            gap = max(gap, height)
        least = min(least, gap)
    for k in range(balls.shape[0]):
        square = 0.0
        for j in range(d):
            square += (p[j] - balls[k, j]) ** 2
        least = min(least, math.sqrt(square) - balls[k, d])
    return least


@kernel
def place_cladding(q, chain, cladding, out):
    """Write the centers of the balls of an arm at q into out, shape (b, 3)."""
    R = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
    p = (0.0, 0.0, 0.0)
    for i in range(chain.shape[0]):
        for k in range(cladding.shape[0]):
            if int(cladding[k, 0]) == i:
                center = add(p, turn(R, vec(cladding, k, 1)))
                out[k, 0], out[k, 1], out[k, 2] = center
        if i == chain.shape[0] - 1:
            break
        value = chain[i, 14] * q[int(chain[i, 13])] + chain[i, 15]
        p = add(p, turn(R, vec(chain, i, 9)))
        if chain[i, 12] != 0.0:
            R = chained(R, turned_about_z(rot(chain, i, 0), value))
        else:
            R = chained(R, rot(chain, i, 0))
            p = add(p, scaled(value, z_axis(R)))


@kernel
def configuration_clearance(q, planes, first, balls, chain, cladding, centers):
    """Return the clearance of a configuration; `centers` is room to work in."""
    if cladding.shape[0] == 0:
        return clearance_at(q, planes, first, balls)
    place_cladding(q, chain, cladding, centers)
    least = np.inf
    for k in range(cladding.shape[0]):
        gap = clearance_at(centers[k], planes, first, balls) - cladding[k, 4]
        least = min(least, gap)
    return least


@kernel
def _point_line_is_free(a, b, planes, first, balls):
    """Return whether the segment a-b stays out of all obstacles, exactly."""
    d = a.shape[0]
    for k in range(first.shape[0] - 1):
        low, high = 0.0, 1.0
        for i in range(first[k], first[k + 1]):
            at, rate = -planes[i, d], 0.0
            for j in range(d):
                at += planes[i, j] * a[j]
                rate += planes[i, j] * (b[j] - a[j])
            if rate > 0.0:
                high = min(high, -at / rate)
            elif rate < 0.0:
                low = max(low, -at / rate)
            elif at >= 0.0:
                high = -1.0
        if low < high:
            return False
    for k in range(balls.shape[0]):
        square, along = 0.0, 0.0
        for j in range(d):
            square += (b[j] - a[j]) ** 2
            along += (b[j] - a[j]) * (balls[k, j] - a[j])
        share = 0.0 if square == 0.0 else min(max(along / square, 0.0), 1.0)
        gap = 0.0
        for j in range(d):
            gap += (a[j] + share * (b[j] - a[j]) - balls[k, j]) ** 2
        if gap < balls[k, d] ** 2:
            return False
    return True


@kernel
def line_is_free(a, b, planes, first, balls, chain, cladding, resolution, centers, q):
    """Return whether a straight motion is free; for arms at steps of `resolution`.

    `centers` and `q` are room to work in.
    """
    if cladding.shape[0] == 0:
        return _point_line_is_free(a, b, planes, first, balls)
    square = 0.0
    for j in range(a.shape[0]):
        square += (b[j] - a[j]) ** 2
    count = max(math.ceil(math.sqrt(square) / resolution), 1)
    for i in range(count + 1):
        for j in range(a.shape[0]):
            q[j] = a[j] + i / count * (b[j] - a[j])
        gap = configuration_clearance(q, planes, first, balls, chain, cladding, centers)
        if gap < 0.0:
            return False
    return True


@kernel
def lines_are_free(
    starts, ends, planes, first, balls, chain, cladding, resolution, out
):
    """Write whether the motions from rows of starts to rows of ends are free."""
    centers, q = np.empty((cladding.shape[0], 3)), np.empty(starts.shape[1])
    for k in range(starts.shape[0]):
        out[k] = line_is_free(
            starts[k],
            ends[k],
            planes,
            first,
            balls,
            chain,
            cladding,
            resolution,
            centers,
            q,
        )
