"""Depth by which two convex cores overlap, by a polytope that grows (van den Bergen).

The polytope lies inside the difference A - B and contains the origin. Its face nearest
to the origin is pushed out to the surface until it lies on it. The reach of the
difference along any normal is an upper bound of the depth, so that running out of room
costs accuracy, not truth.
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
DEPTH_TOL = 1e-10  # of the extent of A - B
DESCENT_STEPS = 120
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
def _foot_weights(V: FloatArray, F: FloatArray, N: IntArray, f: int) -> Vec3:
    """Return the weights of a face's corners at the foot of the origin, sum 1."""
    n = (F[f, 0], F[f, 1], F[f, 2])
    foot = scaled(F[f, 3], n)
    a = sub(vec(V, N[f, CORNER], W), foot)
    b = sub(vec(V, N[f, CORNER + 1], W), foot)
    c = sub(vec(V, N[f, CORNER + 2], W), foot)
    u, v, w = dot(n, cross(b, c)), dot(n, cross(c, a)), dot(n, cross(a, b))
    total = u + v + w
    if not total > 0.0:
        return (-math.inf, 0.0, 0.0)
    return (u / total, v / total, w / total)


@kernel
def _foot_points(
    V: FloatArray, F: FloatArray, N: IntArray, count: int, f: int, tiny: float
) -> tuple[Vec3, Vec3]:
    """Return the points of A and of B below the foot of the origin on a face.

    A flat side of A - B has many faces; of the first `count`, the one that holds the
    foot is taken.
    """
    weights = _foot_weights(V, F, N, f)
    best, held = min(weights[0], weights[1], weights[2]), f
    for g in range(count):
        if N[g, ALIVE] == 0 or not F[g, 3] <= F[f, 3] + tiny:
            continue
        if F[g, 0] * F[f, 0] + F[g, 1] * F[f, 1] + F[g, 2] * F[f, 2] < 1.0 - 1e-12:
            continue
        found = _foot_weights(V, F, N, g)
        inside = min(found[0], found[1], found[2])
        if inside > best:
            best, held, weights = inside, g, found
    u, v, w = max(weights[0], 0.0), max(weights[1], 0.0), max(weights[2], 0.0)
    total = u + v + w
    if not total > 0.0:
        u, total = 1.0, 1.0
    on_a = on_b = (0.0, 0.0, 0.0)
    for k in range(3):
        share = (u if k == 0 else v if k == 1 else w) / total
        corner = N[held, CORNER + k]
        on_a = add(on_a, scaled(share, vec(V, corner, ON_A)))
        on_b = add(on_b, scaled(share, vec(V, corner, ON_B)))
    return on_a, on_b


@kernel
def _descend(
    data: FloatArray,
    index: IntArray,
    i: int,
    j: int,
    R: Mat3,
    p: Vec3,
    normal: Vec3,
    reach: float,
    V: FloatArray,
    row: int,
) -> tuple[float, Vec3]:
    """Return the smallest reach of A - B near a normal, and where; V[row] its support.

    The support point is the gradient of the reach: a descent with steps that shrink.
    """
    w = put_support(data, index, i, j, R, p, normal, V, row)
    step = 0.1
    for _ in range(DESCENT_STEPS):
        across = sub(w, scaled(dot(w, normal), normal))
        length = math.sqrt(dot(across, across))
        if not length > 0.0:
            break
        d = sub(normal, scaled(step / length, across))
        d = scaled(1.0 / math.sqrt(dot(d, d)), d)
        trial = put_support(data, index, i, j, R, p, d, V, row)
        if dot(trial, d) < reach:
            normal, reach, w = d, dot(trial, d), trial
            step *= 1.5
        else:
            step *= 0.5
            if step < 1e-9:
                break
    put_support(data, index, i, j, R, p, normal, V, row)
    return reach, normal


@kernel
def _onto_planes(
    on_a: Vec3, on_b: Vec3, normal: Vec3, V: FloatArray, row: int
) -> tuple[Vec3, Vec3]:
    """Return points moved along the normal to where the shapes of V[row] end."""
    short = dot(normal, sub(vec(V, row, ON_A), on_a))
    on_a = add(on_a, scaled(short, normal))
    short = dot(normal, sub(vec(V, row, ON_B), on_b))
    return on_a, add(on_b, scaled(short, normal))


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
        data: Shapes, see `_support`.
        index: Whole numbers of the shapes.
        i: Number of shape A.
        j: Number of shape B.
        R: Rotation of B in the frame of A.
        p: Position of B in the frame of A [m].
        n: Number of its vertices.
        S: Simplex, the last of `core_distance`.
        V: Room for vertices, see `new_work`.
        F: Room for planes of faces.
        N: Room for faces.
        Q: Room for lists.

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
    count = 4
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
        # No normal reaches less far than the nearest face.
        if reach - near <= DEPTH_TOL * extent:
            on_a, on_b = _foot_points(V, F, N, count, f, DEPTH_TOL * extent)
            return max(reach, 0.0), d, on_a, on_b
        is_full = n + 1 == V.shape[0]
        if not is_full:
            count = _push_out(V, F, N, Q, count, f, n)
        if is_full or count < 0:
            # About an axis of symmetry no polytope is fine enough.
            on_a, on_b = _foot_points(V, F, N, 0, f, 0.0)
            depth, normal = _descend(data, index, i, j, R, p, d, reach, V, n)
            on_a, on_b = _onto_planes(on_a, on_b, normal, V, n)
            return max(depth, 0.0), normal, on_a, on_b
        n += 1
    return 0.0, (0.0, 0.0, 1.0), on_a, on_b  # never: the last vertex returns
