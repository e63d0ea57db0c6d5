"""Depth by which two convex cores overlap, by a polytope that grows (van den Bergen).

The polytope lies inside the difference A - B and contains the origin. Its face nearest
to the origin is pushed out to the surface until it lies on it. The smallest reach of
the difference over all normals that were tried is an upper bound of the depth at any
time, so that running out of room costs accuracy, not truth.
"""

from __future__ import annotations

import math

from gelenk.collision._gjk import (
    ON_A,
    ON_B,
    ROUNDING,
    SIMPLEX_COLS,
    W,
    put_support,
    simplex_points,
)
from gelenk.collision._support import REACH, SHAPE_COLS
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, dot, scaled, sub, vec
from gelenk.typing import FloatArray, IntArray, Mat3, Vec3

MOST_VERTICES = 160
MOST_FACES = 4 * MOST_VERTICES
DEPTH_TOL = 1e-11  # of the extent of A - B
FLAT = 1e-12  # of the extent: thinner is flat

# Columns of the faces: corners, faces across the edges that begin at them, whether it
# is still there; and in the other table outward normal and distance.
CORNER, ACROSS, ALIVE = 0, 3, 6
FACE_INTS = 7
FACE_COLS = 4
# Columns of the lists: faces that are seen; edges of their border and the face behind;
# by vertex, the new face that begins there.
SEEN, BEGIN, END, OUTER, FAN = 0, 1, 2, 3, 4
LIST_COLS = 5


@kernel
def _axis_across(d: Vec3) -> Vec3:
    """Return a unit vector perpendicular to d."""
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    if x <= y and x <= z:
        n = cross(d, (1.0, 0.0, 0.0))
    elif y <= z:
        n = cross(d, (0.0, 1.0, 0.0))
    else:
        n = cross(d, (0.0, 0.0, 1.0))
    length = math.sqrt(dot(n, n))
    if not length > 0.0:
        return (1.0, 0.0, 0.0)
    return scaled(1.0 / length, n)


@kernel
def _complete(
    data: FloatArray,
    index: IntArray,
    i: int,
    j: int,
    R: Mat3,
    p: Vec3,
    n: int,
    scale: float,
    V: FloatArray,
) -> int:
    """Grow a simplex to a tetrahedron; fewer than 4 vertices: A - B is flat."""
    tiny = FLAT * scale
    if n == 1:
        a = vec(V, 0, W)
        for k in range(6):
            s = 1.0 if k < 3 else -1.0
            d = (s * (k % 3 == 0), s * (k % 3 == 1), s * (k % 3 == 2))
            w = put_support(data, index, i, j, R, p, d, V, n)
            e = sub(w, a)
            if dot(e, e) > tiny * tiny:
                n = 2
                break
    if n == 2:
        a = vec(V, 0, W)
        axis = sub(vec(V, 1, W), a)
        axis = scaled(1.0 / math.sqrt(dot(axis, axis)), axis)
        u = _axis_across(axis)
        v = cross(axis, u)
        for k in range(6):
            angle = k * math.pi / 3.0
            d = add(scaled(math.cos(angle), u), scaled(math.sin(angle), v))
            w = put_support(data, index, i, j, R, p, d, V, n)
            e = cross(sub(w, a), axis)
            if dot(e, e) > tiny * tiny:
                n = 3
                break
    if n == 3:
        a = vec(V, 0, W)
        d = cross(sub(vec(V, 1, W), a), sub(vec(V, 2, W), a))
        length = math.sqrt(dot(d, d))
        if length > 0.0:
            d = scaled(1.0 / length, d)
            for _ in range(2):
                w = put_support(data, index, i, j, R, p, d, V, n)
                if abs(dot(sub(w, a), d)) > tiny:
                    n = 4
                    break
                d = (-d[0], -d[1], -d[2])
    return n


@kernel
def _flat_normal(V: FloatArray, n: int) -> Vec3:
    """Return a direction in which a flat difference has no extent."""
    if n == 1:
        return (0.0, 0.0, 1.0)
    a = vec(V, 0, W)
    ab = sub(vec(V, 1, W), a)
    if n == 2:
        return _axis_across(ab)
    d = cross(ab, sub(vec(V, 2, W), a))
    length = math.sqrt(dot(d, d))
    if not length > 0.0:
        return _axis_across(ab)
    return scaled(1.0 / length, d)


@kernel
def _set_face(
    V: FloatArray, F: FloatArray, N: IntArray, f: int, a: int, b: int, c: int
) -> None:
    """Write corners, outward normal and distance of a face."""
    N[f, CORNER], N[f, CORNER + 1], N[f, CORNER + 2] = a, b, c
    N[f, ALIVE] = 1
    pa, pb, pc = vec(V, a, W), vec(V, b, W), vec(V, c, W)
    n = cross(sub(pb, pa), sub(pc, pa))
    length = math.sqrt(dot(n, n))
    if not length > 0.0:
        F[f, 0], F[f, 1], F[f, 2], F[f, 3] = 0.0, 0.0, 0.0, math.inf
        return
    n = scaled(1.0 / length, n)
    F[f, 0], F[f, 1], F[f, 2] = n
    # The mean of three heights is more precise than one.
    F[f, 3] = (dot(n, pa) + dot(n, pb) + dot(n, pc)) / 3.0


@kernel
def _first_faces(V: FloatArray, F: FloatArray, N: IntArray) -> None:
    """Write the four faces of a tetrahedron, anticlockwise seen from outside."""
    a = vec(V, 0, W)
    n = cross(sub(vec(V, 1, W), a), sub(vec(V, 2, W), a))
    one, two = (1, 2) if dot(n, sub(vec(V, 3, W), a)) < 0.0 else (2, 1)
    _set_face(V, F, N, 0, 0, one, two)
    _set_face(V, F, N, 1, 0, 3, one)
    _set_face(V, F, N, 2, one, 3, two)
    _set_face(V, F, N, 3, two, 3, 0)
    N[0, ACROSS], N[0, ACROSS + 1], N[0, ACROSS + 2] = 1, 2, 3
    N[1, ACROSS], N[1, ACROSS + 1], N[1, ACROSS + 2] = 3, 2, 0
    N[2, ACROSS], N[2, ACROSS + 1], N[2, ACROSS + 2] = 1, 3, 0
    N[3, ACROSS], N[3, ACROSS + 1], N[3, ACROSS + 2] = 2, 1, 0


@kernel
def _push_out(
    V: FloatArray, F: FloatArray, N: IntArray, Q: IntArray, count: int, f: int, k: int
) -> int:
    """Replace all faces that vertex k sees, f among them, by a fan around it.

    Returns:
        The new number of faces; -1 if there is no room, or rounding leaves the faces
        that are seen without a simple border.
    """
    w = vec(V, k, W)
    tiny = ROUNDING * math.sqrt(dot(w, w))
    N[f, ALIVE] = 0
    Q[0, SEEN] = f
    head, tail, border = 0, 1, 0
    while head < tail:
        g = Q[head, SEEN]
        head += 1
        for e in range(3):
            h = N[g, ACROSS + e]
            if N[h, ALIVE] == 0:
                continue
            if F[h, 0] * w[0] + F[h, 1] * w[1] + F[h, 2] * w[2] - F[h, 3] > tiny:
                N[h, ALIVE] = 0
                Q[tail, SEEN] = h
                tail += 1
            else:
                Q[border, BEGIN] = N[g, CORNER + e]
                Q[border, END] = N[g, CORNER + (e + 1) % 3]
                Q[border, OUTER] = h
                border += 1
    if count + border > N.shape[0]:
        return -1
    for b in range(border):
        Q[Q[b, BEGIN], FAN] = -1
        Q[Q[b, END], FAN] = -1
    for b in range(border):
        u, v, h, new = Q[b, BEGIN], Q[b, END], Q[b, OUTER], count + b
        if Q[u, FAN] >= 0:
            return -1
        Q[u, FAN] = new
        _set_face(V, F, N, new, u, v, k)
        N[new, ACROSS] = h
        for e in range(3):
            if N[h, CORNER + e] == v:
                N[h, ACROSS + e] = new
    for b in range(border):
        new = count + b
        follower = Q[Q[b, END], FAN]
        if follower < 0:
            return -1
        N[new, ACROSS + 1] = follower
        N[follower, ACROSS + 2] = new
    return count + border


@kernel
def _face_points(
    V: FloatArray, F: FloatArray, N: IntArray, f: int
) -> tuple[Vec3, Vec3]:
    """Return the points of A and of B below the foot of the origin on a face."""
    a, b, c = N[f, CORNER], N[f, CORNER + 1], N[f, CORNER + 2]
    n = (F[f, 0], F[f, 1], F[f, 2])
    foot = scaled(F[f, 3], n)
    pa, pb, pc = (
        sub(vec(V, a, W), foot),
        sub(vec(V, b, W), foot),
        sub(vec(V, c, W), foot),
    )
    u = max(dot(n, cross(pb, pc)), 0.0)
    v = max(dot(n, cross(pc, pa)), 0.0)
    w = max(dot(n, cross(pa, pb)), 0.0)
    total = u + v + w
    if not total > 0.0:
        u, v, w, total = 1.0, 1.0, 1.0, 3.0
    u, v, w = u / total, v / total, w / total
    on_a = add(
        add(scaled(u, vec(V, a, ON_A)), scaled(v, vec(V, b, ON_A))),
        scaled(w, vec(V, c, ON_A)),
    )
    on_b = add(
        add(scaled(u, vec(V, a, ON_B)), scaled(v, vec(V, b, ON_B))),
        scaled(w, vec(V, c, ON_B)),
    )
    return on_a, on_b


@kernel
def core_penetration(
    data: FloatArray,
    index: IntArray,
    i: int,
    j: int,
    R: Mat3,
    p: Vec3,
    n: int,
    S: FloatArray,
    V: FloatArray,
    F: FloatArray,
    N: IntArray,
    Q: IntArray,
) -> tuple[float, Vec3, Vec3, Vec3]:
    """Return how deep two overlapping cores reach into each other.

    Args:
        data, index: Tables of shapes.
        i, j: Rows of A and B.
        R, p: Pose of B in the frame of A.
        n: Number of vertices of the last simplex of `core_distance`.
        S: That simplex.
        V, F, N, Q: Work space, see `new_work`.

    Returns:
        Depth [m]; unit normal from A to B; points of A and of B [m].
    """
    on_a, on_b = simplex_points(S, n)
    extent = 0.0
    for k in range(n):
        for c in range(SIMPLEX_COLS):
            V[k, c] = S[k, c]
        extent = max(extent, math.sqrt(dot(vec(S, k, W), vec(S, k, W))))
    extent = max(extent, data[i * SHAPE_COLS + REACH] + data[j * SHAPE_COLS + REACH])
    n = _complete(data, index, i, j, R, p, n, extent, V)
    if n < 4:
        return 0.0, _flat_normal(V, n), on_a, on_b
    _first_faces(V, F, N)
    count, best = 4, math.inf
    normal = (0.0, 0.0, 1.0)
    while n < V.shape[0]:
        f, near = -1, math.inf
        for g in range(count):
            if N[g, ALIVE] == 1 and F[g, 3] < near:
                f, near = g, F[g, 3]
        if f < 0:
            break
        d = (F[f, 0], F[f, 1], F[f, 2])
        w = put_support(data, index, i, j, R, p, d, V, n)
        reach = dot(d, w)
        if reach < best:
            best, normal = reach, d
            on_a, on_b = _face_points(V, F, N, f)
        # No normal reaches less far than the nearest face.
        if best - near <= DEPTH_TOL * extent:
            break
        count = _push_out(V, F, N, Q, count, f, n)
        if count < 0:
            break
        n += 1
    return max(best, 0.0), normal, on_a, on_b
