"""Six revolute joints without any structure: up to sixteen branches by elimination.

After Raghavan and Roth, Inverse kinematics of the general 6R manipulator and related
linkages (J. Mech. Design 1993), and Manocha and Canny, Efficient inverse kinematics for
general 6R manipulators (IEEE T-RA 1994). Joint 6 keeps its own axis, so E3 E4 E5 and
E2^-1 E1^-1 D carry that axis to the same place. Fourteen numbers describe a point p and
a unit direction l,

    l,  p,  p x l,  (p . p) l - 2 (p . l) p,  p . p,  p . l

and, with a 1 added, a displacement acts on them as a matrix: so both sides are linear
in products of cosines and sines. Joints 1 and 2 are eliminated by linear algebra, 4 and
5 by their half-angle tangents; joint 3 remains as an eigenvalue problem.

Matrices of size 24 take milliseconds where a formula takes microseconds. The candidates
are polished like all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig

from gelenk.kernels.chain import IDENTITY
from gelenk.kernels.compile import kernel
from gelenk.kinematics.inverse.closed.branches import (
    NUM_TALLY,
    ORIGIN,
    ZERO,
    begin,
    offer,
    restart,
    verdict,
)
from gelenk.kinematics.inverse.closed.joint_terms import (
    CHAIN,
    HEADER,
    INDEX,
    LEAD,
    NOT_A_POSE,
    core_displacement,
    target_pose,
)
from gelenk.kinematics.inverse.closed.solver_plan import Screws, perpendicular
from gelenk.typing import FloatArray

ComplexArray: TypeAlias = NDArray[np.complex128]

SIZE = 15  # the fourteen numbers and a 1
SHIFT = 0.7  # [rad] added to joints 3, 4, 5: half-angle tangents avoid special angles
REAL = (
    1e-4  # imaginary part of a tangent, relative, that rounding of a double root makes
)

# (cos, sin, 1) = HALF @ (x^2, x, 1) / (1 + x^2) for x = tan(angle / 2)
HALF = np.array([[-1.0, 0.0, 1.0], [0.0, 2.0, 0.0], [1.0, 0.0, 1.0]])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Elimination:
    """Part of an elimination that does not depend on the target.

    Attributes:
        screws: The six joints in the order of the kernel.
        origin: Point that positions are measured from [m], shape (3,).
        left: Left side over (cos, sin, 1) of joint 3 and the nine products of joints 4
            and 5, shape (3, 14, 9).
        actions: Matrices of joints 1 and 2 backwards, over (cos, sin, 1), shape
            (2, 3, 15, 15).
    """

    screws: Screws
    origin: FloatArray
    left: FloatArray
    actions: FloatArray


def skew(v: FloatArray) -> FloatArray:
    """Return the matrix of the cross product v x."""
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def line_numbers(p: FloatArray, direction: FloatArray) -> FloatArray:
    """Return the fourteen numbers of a point and a direction, and a 1, shape (15,)."""
    pp, pl = p @ p, p @ direction
    fourth = pp * direction - 2.0 * pl * p
    moment: FloatArray = np.cross(p, direction)
    return np.concatenate([direction, p, moment, fourth, np.array([pp, pl, 1.0])])


def rotation_action(R: FloatArray) -> FloatArray:
    """Return how a rotation about the origin acts on line numbers, shape (15, 15)."""
    A = np.eye(SIZE)
    for k in range(0, 12, 3):
        A[k : k + 3, k : k + 3] = R
    return A


def shift_action(a: FloatArray) -> FloatArray:
    """Return how the translation p -> p + a acts on line numbers, shape (15, 15)."""
    A = np.eye(SIZE)
    A[3:6, 14] = a
    A[6:9, 0:3] = skew(a)
    A[9:12, 0:3] = (a @ a) * np.eye(3) - 2.0 * np.outer(a, a)
    A[9:12, 6:9] = -2.0 * skew(a)
    A[9:12, 13] = -2.0 * a
    A[12, 3:6], A[12, 14] = 2.0 * a, a @ a
    A[13, 0:3] = a
    return A


def joint_action(z: FloatArray, p: FloatArray, sign: float) -> FloatArray:
    """Return the matrices of a revolute joint over (cos, sin, 1), shape (3, 15, 15).

    `sign` -1.0 turns backwards.
    """
    along = np.outer(z, z)
    there, back = shift_action(p), shift_action(-p)
    cos = rotation_action(np.eye(3) - along)
    sin = rotation_action(sign * skew(z))
    one = rotation_action(along)
    for A in (cos, sin):
        A[12:, 12:] = 0.0
    return np.stack([there @ A @ back for A in (cos, sin, one)])


def elimination(screws: Screws) -> Elimination:
    """Return the constants of a chain of six revolute joints."""
    origin = screws.point[1]
    z, p = screws.axis, screws.point - origin
    forward: list[FloatArray] = []
    for k in (2, 3, 4):
        C, S, one = joint_action(z[k], p[k], 1.0)
        c, s = np.cos(SHIFT), np.sin(SHIFT)
        forward.append(np.stack([c * C + s * S, c * S - s * C, one]))
    start = line_numbers(p[5], z[5])
    # Left[i, :, 3 j + k] = action 3 (i) action 4 (j) action 5 (k) of the line
    left = np.einsum("ipq,jqr,krs,s->ipjk", *forward, start)
    return Elimination(
        screws=screws,
        origin=origin,
        left=left.reshape(3, SIZE, 9)[:, :14],
        actions=np.stack([joint_action(z[k], p[k], -1.0) for k in (0, 1)]),
    )


@kernel
def write_displacement(
    K: FloatArray, T: FloatArray, q0: FloatArray, out: FloatArray
) -> bool:
    """Write the displacement of the core, (3, 4), and return whether T is a pose."""
    is_pose, R, p = target_pose(T)
    D, d = core_displacement(K, R, p, q0)
    for i in range(3):
        out[i, 3] = d[i]
        for j in range(3):
            out[i, j] = D[3 * i + j]
    return is_pose


@kernel
def offer_all(
    K: FloatArray,
    T: FloatArray,
    q0: FloatArray,
    mode: int,
    candidates: FloatArray,
    out: FloatArray,
    report: FloatArray,
) -> tuple[int, int, int]:
    """Offer candidates for the core joints, shape (k, 6); see `solve_partition`."""
    _, R, p = target_pose(T)
    header = K.shape[0] - HEADER
    row = int(K[header, CHAIN]) + 1 + int(K[header, LEAD])
    q, tally = np.empty(q0.shape[0]), np.empty(NUM_TALLY)
    begin(tally, report)
    for i in range(candidates.shape[0]):
        restart(q, q0)
        for k in range(candidates.shape[1]):
            q[int(K[row + k, INDEX])] = candidates[i, k]
        offer(
            K, R, p, q, q0, mode, int(ZERO), int(ZERO), IDENTITY, ORIGIN, out, report,
            tally,
        )  # fmt: skip
    return verdict(tally)


def solve_general(
    constants: Elimination,
    K: FloatArray,
    T: FloatArray,
    q0: FloatArray,
    mode: int,
    out: FloatArray,
    report: FloatArray,
) -> tuple[int, int, int]:
    """Write all branches of a general arm into `out`; see `solve_partition`."""
    D = np.empty((3, 4))
    if not write_displacement(K, T, q0, D):
        return NOT_A_POSE, -2, 0
    candidates = eliminate(constants, D)
    return offer_all(K, T, q0, mode, candidates, out, report)


def eliminate(constants: Elimination, D: FloatArray) -> FloatArray:
    """Return candidates for six joint angles with E1 ... E6 = D, shape (k, 6)."""
    z, p = constants.screws.axis[5], constants.screws.point[5]
    R, d = D[:, :3], D[:, 3]
    start = line_numbers(R @ p + d - constants.origin, R @ z)
    first, second = constants.actions
    right = np.einsum("jpq,iqr,r->pij", second, first, start).reshape(SIZE, 9)[:14]
    unknown, constant = right[:, :8], right[:, 8]
    # Rows that joints 1 and 2 do not appear in
    free = np.linalg.qr(unknown, mode="complete")[0][:, 8:].T
    S = free @ constants.left
    S[2, :, 8] -= free @ constant
    S = S @ np.kron(HALF, HALF)
    x, u = _eigenpairs(S[2] - S[0], 2.0 * S[1], S[2] + S[0])
    # Ratios of the monomials x4^i x5^j, by least squares over all of them
    u = u.reshape(4, 3, -1)
    x4 = _ratio(u[:3].reshape(9, -1), u[1:].reshape(9, -1))
    x5 = _ratio(u[:, :2].reshape(8, -1), u[:, 1:].reshape(8, -1))
    angles = 2.0 * np.arctan(np.stack([x, x4, x5], axis=1))
    c, s, one = np.cos(angles), np.sin(angles), np.ones_like(angles)
    states = np.stack([c, s, one], axis=2)
    value = np.einsum(
        "ka,kb,kc,apbc->pk",
        states[:, 0], states[:, 1], states[:, 2],
        constants.left.reshape(3, 14, 3, 3),
    )  # fmt: skip
    y = cast(
        "FloatArray",
        np.linalg.lstsq(unknown, value - constant[:, None], rcond=None)[0],
    )
    q = np.empty((len(x), 6))
    q[:, 0], q[:, 1] = np.arctan2(y[5], y[2]), np.arctan2(y[7], y[6])
    q[:, 2:5] = angles + SHIFT
    q[:, 5] = _last_angles(constants.screws, R, q)
    return q


def _eigenpairs(
    A2: FloatArray, A1: FloatArray, A0: FloatArray
) -> tuple[FloatArray, ComplexArray]:
    """Return real x and vectors u with (A2 x^2 + A1 x + A0) times x4^i x5^j u = 0.

    The 6 x 9 equations are doubled by a factor x4, which makes them square, 12 x 12.
    """
    K2, K1, K0 = (np.zeros((12, 12)) for _ in range(3))
    for K, A in ((K2, A2), (K1, A1), (K0, A0)):
        K[:6, 3:], K[6:, :9] = A, A
    zero, one = np.zeros((12, 12)), np.eye(12)
    left = np.block([[zero, one], [-K0, -K1]])
    right = np.block([[one, zero], [zero, K2]])
    values, vectors = cast(
        "tuple[ComplexArray, ComplexArray]", eig(left, right, check_finite=False)
    )
    with np.errstate(invalid="ignore"):
        is_real = np.abs(values.imag) <= REAL * (1.0 + np.abs(values.real))
    is_real &= np.isfinite(values)
    x, u = values[is_real].real, vectors[:12, is_real]
    return x, u


def _ratio(a: ComplexArray, b: ComplexArray) -> FloatArray:
    """Return the real x that makes a = x b best, column by column."""
    return np.real((b.conj() * a).sum(axis=0) / (b.conj() * b).sum(axis=0))


def _last_angles(screws: Screws, R: FloatArray, q: FloatArray) -> FloatArray:
    """Return the angle of joint 6 that completes the rotation R, for each row of q."""
    e = perpendicular(screws.axis[5])
    f = np.cross(screws.axis[5], e)
    v = np.tile(R @ e, (len(q), 1))
    for k in range(5):
        z = screws.axis[k]
        c, s = np.cos(q[:, k, None]), -np.sin(q[:, k, None])
        v = c * v + s * np.cross(z, v) + (1.0 - c) * (v @ z)[:, None] * z
    return np.arctan2(v @ f, v @ e)
