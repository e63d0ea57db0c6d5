"""Data layout and elementary equations of the closed solutions.

The kernels read one array per robot, frame and task, each row as long as one of a
chain. First the chain that `kernels.chain` reads (one row per moving body and one for
the frame), then one row per joint in the order in which it is solved (held joints
before the core, core, held joints behind it), then three rows of constants: place,
reference, header. All axes and points are those of the robot at q = 0, in the base.

Joints travel as pairs, (cos, sin) if revolute and (x, x^2) if prismatic: no inverse
function is needed before the end, and none of its branches can be missed.
"""

from __future__ import annotations

import math

from gelenk.kernels.chain import COLS as CHAIN_COLS
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    dot,
    rot,
    scaled,
    sin_cos,
    sub,
    turn,
    turn_back,
    vec,
)
from gelenk.typing import FloatArray, Mat3, Vec2, Vec3

COLS = CHAIN_COLS

# A joint row. The axes of a reversed core are turned round: values keep their sign.
Z = 0  # 3: axis, unit
P = 3  # 3: a point on it, chosen to make terms vanish [m]
KIND = 6  # 1.0 revolute, 0.0 prismatic
INDEX = 7  # index in q; -1: not a joint of the robot, stays 0
LOWER = 8
UPPER = 9
E = 10  # 3: unit vector perpendicular to the axis
F = 13  # 3: Z x E
TURNS_BEFORE = E  # of a prismatic joint in `turn_then_slide`: turns that come before it

# Rows counted from the end.
PLACE = 3  # inverse pose of the frame at q = 0: 9 rotation by rows, 3 translation
REFERENCE = 2
HEADER = 1

# Reference entries
REF_W = 0  # 3: wrist point [m]
REF_H = 3  # 3: direction of the parallel axes
REF_KAPPA = 6  # 2: see `joint_terms.solve_cone`, for the wrist
REF_SHOULDER_KAPPA = 8  # 2: the same for the shoulder
REF_ELBOW = 10  # 3: elbow point [m]

# Header entries
CHAIN = 0  # moving bodies on the chain
LEAD = 1  # joints held at q0 before the core
CORE = 2  # joints solved for
TRAIL = 3  # joints held at q0 behind it
REVERSED = 4  # 1.0: the core is solved from its far end, for the inverse target
TASK = 5  # POSE, POSITION or ROTATION
REGIONAL = 6  # joints that place the wrist point
WRIST = 7  # joints that meet in it
FIRST = 8  # which end is solved first: END_NEAR, END_FAR, or COUPLED
ROW = 9  # which of the two equations does it: 0 or 1
CYCLIC = 10  # 1.0: a core joint is taken to the other side of the target
FLIPPED = 11  # 1.0: the parallel joints are solved from their far end
TRIPLE_ROW = 12  # which equation solves the first two of them: 0 height, 1 distance
SLIDES = 13  # prismatic joints that follow the turns
START = 14  # joints of the chain that are the same for all solutions of the wrist

POSE, POSITION, ROTATION = 0, 1, 2
END_NEAR, END_FAR, COUPLED = 0, 1, 2

# Bits of `mode`
WITH_Q0 = 1  # angles near q0, else near 0
RESPECT_LIMITS = 2

NOT_A_POSE = -1  # returned instead of a number of branches
MAX_BRANCHES = 16  # the most that six joints can have


FREE = 1e-11  # coefficients below leave the unknown free [m], [m^2] or without unit
FREE_GAP = 1e-8  # the rest that such an equation may leave before it is a contradiction
NOISE = 1e-12  # overshoot that rounding alone may cause [m], [m^2] or without unit
CLIP = 1e-7  # relative overshoot of a cosine that counts as 1; the pose check decides


@kernel
def rotated(z: Vec3, c: float, s: float, v: Vec3) -> Vec3:
    """Return v turned about the unit axis z by the angle with cosine c and sine s."""
    d = (1.0 - c) * (z[0] * v[0] + z[1] * v[1] + z[2] * v[2])
    return (
        c * v[0] + s * (z[1] * v[2] - z[2] * v[1]) + d * z[0],
        c * v[1] + s * (z[2] * v[0] - z[0] * v[2]) + d * z[1],
        c * v[2] + s * (z[0] * v[1] - z[1] * v[0]) + d * z[2],
    )


@kernel
def across(z: Vec3, v: Vec3) -> Vec3:
    """Return the part of v perpendicular to the unit axis z."""
    return sub(v, scaled(dot(z, v), z))


@kernel
def turn_from_to(z: Vec3, v: Vec3, w: Vec3) -> tuple[bool, float, float]:
    """Return whether the angle is determined and (cos, sin) of the turn from v to w.

    Only the parts perpendicular to z count; they are formed first because the products
    of the whole vectors would cancel where v is almost parallel to z.
    """
    a, b = across(z, v), across(z, w)
    if dot(a, a) <= FREE * FREE or dot(b, b) <= FREE * FREE:
        return False, 1.0, 0.0
    c, s = dot(a, b), dot(z, cross(a, b))
    i = 1.0 / math.sqrt(c * c + s * s)
    return True, c * i, s * i


@kernel
def solve_cosine(
    a: float, b: float, k: float
) -> tuple[int, float, float, float, float]:
    """Solve a cos x + b sin x = k.

    Returns:
        Number of solutions (2, 0, or -1 if every angle is one), then (cos, sin) twice.
    """
    r2 = a * a + b * b
    if r2 <= FREE * FREE:
        return (-1 if abs(k) <= FREE_GAP else 0), 1.0, 0.0, 1.0, 0.0
    r = math.sqrt(r2)
    gap = (r - k) * (r + k)
    if gap < 0.0:
        if abs(k) > r + CLIP * r + NOISE:
            return 0, 1.0, 0.0, 1.0, 0.0
        k, gap = math.copysign(r, k), 0.0
    i, root = 1.0 / r2, math.sqrt(gap)
    ak, bk, ar, br = a * k * i, b * k * i, a * root * i, b * root * i
    return 2, ak - br, bk + ar, ak + br, bk - ar


@kernel
def solve_quadratic(
    a: float, b: float, k: float
) -> tuple[int, float, float, float, float]:
    """Solve a x + b x^2 = k.

    Returns:
        Number of solutions (2, 1, 0, or -1 if every x is one), then (x, x^2) twice.
    """
    if abs(b) <= FREE:
        if abs(a) <= FREE:
            return (-1 if abs(k) <= FREE_GAP else 0), 0.0, 0.0, 0.0, 0.0
        x = k / a
        return 1, x, x * x, x, x * x
    gap = a * a + 4.0 * b * k
    if gap < 0.0:
        if gap < -CLIP * a * a - NOISE:
            return 0, 0.0, 0.0, 0.0, 0.0
        gap = 0.0
    h = -0.5 * (a + math.copysign(math.sqrt(gap), a))
    x = h / b
    y = -k / h if h != 0.0 else x
    return 2, x, x * x, y, y * y


@kernel
def solve_end(
    kind: float, a: float, b: float, k: float
) -> tuple[int, float, float, float, float]:
    """Solve for a joint: by its (cos, sin) if revolute, by (x, x^2) if prismatic."""
    if kind != 0.0:
        return solve_cosine(a, b, k)
    return solve_quadratic(a, b, k)


@kernel
def solve_cone(
    h: Vec3, z: Vec3, y: Vec3, n: Vec3, kappa_minus: float, kappa_plus: float
) -> tuple[int, float, float, float, float]:
    """Find the turns about z that give y the angle to h that n has to h; all unit.

    With alpha = angle(h, z), beta = angle(z, y), gamma = angle(h, n), solutions exist
    while |alpha - beta| <= gamma <= alpha + beta. The discriminant is a product of
    two half-angle factors; written with |n - h| and |n + h| they keep full precision
    where gamma tends to 0 or pi, which is where wrists become singular. `kappa_minus`
    is cos(alpha - beta) - 1, `kappa_plus` is -cos(alpha + beta) - 1.

    Returns:
        Number of solutions (2, 0, or -1 if every angle is one), then (cos, sin) twice.
    """
    hz, zy = dot(h, z), dot(z, y)
    a = dot(h, y) - hz * zy
    b = dot(h, cross(z, y))
    r2 = a * a + b * b
    k = dot(h, n) - hz * zy
    if r2 <= FREE * FREE:
        return (-1 if abs(k) <= FREE_GAP else 0), 1.0, 0.0, 1.0, 0.0
    d = sub(n, h)
    e = (n[0] + h[0], n[1] + h[1], n[2] + h[2])
    gap = (kappa_minus + 0.5 * dot(d, d)) * (kappa_plus + 0.5 * dot(e, e))
    if gap < 0.0:
        if gap < -CLIP * r2:
            return 0, 1.0, 0.0, 1.0, 0.0
        gap = 0.0
    root = math.sqrt(gap)
    # k and root are r cos and r sin of one angle up to rounding: make them so.
    i = 1.0 / math.sqrt(r2 * (k * k + gap))
    ak, bk, ar, br = a * k * i, b * k * i, a * root * i, b * root * i
    return 2, ak - br, bk + ar, ak + br, bk - ar


@kernel
def moved(kind: float, z: Vec3, p: Vec3, state: Vec2, v: Vec3) -> Vec3:
    """Return the point v after the joint with the given state has moved it."""
    if kind != 0.0:
        return add(p, rotated(z, state[0], state[1], sub(v, p)))
    return add(v, scaled(state[0], z))


@kernel
def inverse_state(kind: float, state: Vec2) -> Vec2:
    """Return the state of the joint moved the other way."""
    if kind != 0.0:
        return (state[0], -state[1])
    return (-state[0], state[1])


@kernel
def joint_value(kind: float, state: Vec2) -> float:
    """Return the joint value [rad] or [m] of a state."""
    return math.atan2(state[1], state[0]) if kind != 0.0 else state[0]


@kernel
def wished_state(K: FloatArray, row: int, q0: FloatArray) -> Vec2:
    """Return the state of the joint at q0; at 0 if it is no joint of the robot."""
    index = int(K[row, INDEX])
    x = q0[index] if index >= 0 else 0.0
    if K[row, KIND] != 0.0:
        s, c = sin_cos(x)
        return (c, s)
    return (x, x * x)


SKEWED = 1e-5  # how far a target's rotation may be from orthonormal, rounded print


@kernel
def target_pose(T: FloatArray) -> tuple[bool, Mat3, Vec3]:
    """Return whether T is a pose, its rotation made orthonormal, and its position.

    One step R (3 E - R^T R) / 2 squares the distance from orthonormality.
    """
    R = (
        T[0, 0], T[0, 1], T[0, 2], T[1, 0], T[1, 1], T[1, 2], T[2, 0], T[2, 1], T[2, 2]
    )  # fmt: skip
    p = (T[0, 3], T[1, 3], T[2, 3])
    x, y, z = (R[0], R[3], R[6]), (R[1], R[4], R[7]), (R[2], R[5], R[8])
    xx, yy, zz = 0.5 * dot(x, x) - 0.5, 0.5 * dot(y, y) - 0.5, 0.5 * dot(z, z) - 0.5
    xy, xz, yz = 0.5 * dot(x, y), 0.5 * dot(x, z), 0.5 * dot(y, z)
    skew = abs(xx) + abs(yy) + abs(zz) + abs(xy) + abs(xz) + abs(yz)
    is_pose = (
        skew < SKEWED
        and dot(cross(x, y), z) > 0.0
        and math.isfinite(p[0] + p[1] + p[2])
    )
    step = (1.0 - xx, -xy, -xz, -xy, 1.0 - yy, -yz, -xz, -yz, 1.0 - zz)
    return is_pose, chained(R, step), p


@kernel
def pose_moved(
    kind: float, z: Vec3, o: Vec3, state: Vec2, R: Mat3, p: Vec3
) -> tuple[Mat3, Vec3]:
    """Return a pose after a joint with axis z through o has moved it."""
    if kind == 0.0:
        return R, add(p, scaled(state[0], z))
    c, s = state
    x = rotated(z, c, s, (R[0], R[3], R[6]))
    y = rotated(z, c, s, (R[1], R[4], R[7]))
    w = rotated(z, c, s, (R[2], R[5], R[8]))
    p = add(o, rotated(z, c, s, sub(p, o)))
    return (x[0], y[0], w[0], x[1], y[1], w[1], x[2], y[2], w[2]), p


@kernel
def inverted(R: Mat3, p: Vec3) -> tuple[Mat3, Vec3]:
    """Return the inverse pose."""
    q = turn_back(R, p)
    return (
        (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]),
        (-q[0], -q[1], -q[2]),
    )


@kernel
def before_core(K: FloatArray, q0: FloatArray, R: Mat3, p: Vec3) -> tuple[Mat3, Vec3]:
    """Return a pose seen from behind the leading joints, which are held at q0."""
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1
    for i in range(row, row + int(K[header, LEAD])):
        state = inverse_state(K[i, KIND], wished_state(K, i, q0))
        R, p = pose_moved(K[i, KIND], vec(K, i, Z), vec(K, i, P), state, R, p)
    return R, p


@kernel
def core_displacement(
    K: FloatArray, R: Mat3, p: Vec3, q0: FloatArray
) -> tuple[Mat3, Vec3]:
    """Return the displacement that the core has to make for the frame to meet (R, p).

    The tool at q = 0 and the joints held before and behind the core are taken off; for
    a reversed core it is the inverse displacement.
    """
    header = K.shape[0] - HEADER
    place = K.shape[0] - PLACE
    p = add(p, turn(R, vec(K, place, 9)))
    R = chained(R, rot(K, place, 0))
    is_reversed = K[header, REVERSED] != 0.0
    trail = int(K[header, TRAIL])
    lead = int(K[header, LEAD])
    if lead > 0:
        R, p = before_core(K, q0, R, p)
    if trail > 0:
        # From the right: T E^-1 = (E T^-1)^-1
        R, p = inverted(R, p)
        row = int(K[header, CHAIN]) + 1 + lead + int(K[header, CORE])
        for i in range(row + trail - 1, row - 1, -1):
            state = wished_state(K, i, q0)
            R, p = pose_moved(K[i, KIND], vec(K, i, Z), vec(K, i, P), state, R, p)
        is_reversed = not is_reversed
    if is_reversed:
        R, p = inverted(R, p)
    return R, p


@kernel
def carried_point(K: FloatArray, q0: FloatArray) -> Vec3:
    """Return the wrist point at q = 0, moved by the joints held behind the core."""
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD]) + int(K[header, CORE])
    W = vec(K, K.shape[0] - REFERENCE, REF_W)
    for i in range(row + int(K[header, TRAIL]) - 1, row - 1, -1):
        W = moved(K[i, KIND], vec(K, i, Z), vec(K, i, P), wished_state(K, i, q0), W)
    return W
