"""Loop closures as equations phi(q) = 0 on the coordinates of the cut tree.

Each further frame of a closure gives the equations of its kind: difference of origins
("point"), that and the tilt of the z axes ("hinge"), that and the whole rotation
("pose"), or the length of a rod ("distance"). The rows of A = d phi / dq are
differences of frame Jacobians.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.kernels.chain import chain_pose_jacobian
from gelenk.kernels.compile import kernel
from gelenk.kernels.ik_task import rotation_error
from gelenk.kernels.tuples import cross, dot, norm, sub, vec
from gelenk.kinematics.chain import CHAIN_COLS, CHAIN_KIND, chain_to_link
from gelenk.models.link import LOOP_EQUATIONS
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray, IntArray

KINDS = {"point": 0, "hinge": 1, "pose": 2, "distance": 3}
POINT, HINGE, POSE, DISTANCE = 0, 1, 2, 3


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopSystem:
    """The closure equations of a robot in the form the kernels read.

    Coordinates are the joints of the cut tree, without a floating base: moving the
    whole robot opens no loop.

    Attributes:
        pairs: Kind, first row and length of both chains, and first equation of each
            pair of frames, shape (p, 6).
        rows: The chains to the frames one after the other, shape (k, CHAIN_COLS).
        lengths: Rod length of each pair [m], shape (p,).
        num_equations: Number of scalar equations.
        active: Indices of the motors among the tree joints.
        passive: Indices of the passive joints among the tree joints.
        home: Home values of the tree joints.
        loop_of_pair: Index of the closure each pair belongs to.
    """

    pairs: IntArray
    rows: FloatArray
    lengths: FloatArray
    num_equations: int
    active: IntArray
    passive: IntArray
    home: FloatArray
    loop_of_pair: tuple[int, ...]


def loop_system(model: RobotModel) -> LoopSystem:
    """Return the closure equations of a robot with loops, prepared once."""
    return model._cached("loop_system", lambda: _prepare(model))


def _prepare(model: RobotModel) -> LoopSystem:
    pairs: list[tuple[int, ...]] = []
    chains: list[FloatArray] = []
    lengths: list[float] = []
    owners: list[int] = []
    at = equation = 0
    for number, loop in enumerate(model.loops):
        ends: list[tuple[int, int]] = []
        for link, T_link_frame in zip(loop.links, loop.T_link_frame, strict=True):
            chain = _chain_to_frame(model, link, T_link_frame)
            chains.append(chain)
            ends.append((at, len(chain)))
            at += len(chain)
        for end in ends[1:]:
            pairs.append((KINDS[loop.kind], *ends[0], *end, equation))
            lengths.append(loop.length)
            owners.append(number)
            equation += LOOP_EQUATIONS[loop.kind]
    ids = model.tree_joint_ids
    is_active = np.isin(ids, model.joint_ids)
    return LoopSystem(
        pairs=np.array(pairs, dtype=np.int64),
        rows=np.concatenate(chains),
        lengths=np.array(lengths),
        num_equations=equation,
        active=np.flatnonzero(is_active),
        passive=np.flatnonzero(~is_active),
        home=model.home[ids].copy(),
        loop_of_pair=tuple(owners),
    )


def _chain_to_frame(
    model: RobotModel, link: int, T_link_frame: FloatArray
) -> FloatArray:
    chain = chain_to_link(model, link).copy()
    R, p = chain[-1, :9].reshape(3, 3).copy(), chain[-1, 9:12].copy()
    chain[-1, :9] = (R @ T_link_frame[:3, :3]).ravel()
    chain[-1, 9:12] = R @ T_link_frame[:3, 3] + p
    chain[-1, CHAIN_KIND] = 0.0
    assert chain.shape[1] == CHAIN_COLS
    return chain


@kernel
def closure_equations(
    pairs: IntArray,
    rows: FloatArray,
    lengths: FloatArray,
    q: FloatArray,
    Sa: FloatArray,
    Sb: FloatArray,
    phi: FloatArray,
    A: FloatArray,
) -> None:
    """Write phi and A = d phi / dq; Sa and Sb are work space of shape (n, 6)."""
    for k in range(pairs.shape[0]):
        kind, row = pairs[k, 0], pairs[k, 5]
        Ra, pa = chain_pose_jacobian(
            rows[pairs[k, 1] : pairs[k, 1] + pairs[k, 2]], q, Sa
        )
        Rb, pb = chain_pose_jacobian(
            rows[pairs[k, 3] : pairs[k, 3] + pairs[k, 4]], q, Sb
        )
        d = sub(pb, pa)
        for i in range(q.shape[0]):
            for c in range(6):
                Sb[i, c] -= Sa[i, c]
        if kind == DISTANCE:
            length = max(norm(d), 1e-300)
            phi[row] = length - lengths[k]
            for i in range(q.shape[0]):
                A[row, i] = dot(d, vec(Sb, i, 0)) / length
            continue
        for c in range(3):
            phi[row + c] = d[c]
            for i in range(q.shape[0]):
                A[row + c, i] = Sb[i, c]
        if kind == HINGE:
            x, y = (Ra[0], Ra[3], Ra[6]), (Ra[1], Ra[4], Ra[7])
            tilt = cross((Ra[2], Ra[5], Ra[8]), (Rb[2], Rb[5], Rb[8]))
            phi[row + 3], phi[row + 4] = dot(x, tilt), dot(y, tilt)
            for i in range(q.shape[0]):
                omega = vec(Sb, i, 3)
                A[row + 3, i], A[row + 4, i] = dot(x, omega), dot(y, omega)
        elif kind == POSE:
            target = np.empty(9)
            for c in range(9):
                target[c] = Rb[c]
            turn = rotation_error(Ra, target)
            for c in range(3):
                phi[row + 3 + c] = turn[c]
                for i in range(q.shape[0]):
                    A[row + 3 + c, i] = Sb[i, 3 + c]


@kernel
def closure_equations_many(
    pairs: IntArray,
    rows: FloatArray,
    lengths: FloatArray,
    q: FloatArray,
    phi: FloatArray,
    A: FloatArray,
) -> None:
    """Write phi and A for each row of q."""
    n = q.shape[1]
    Sa, Sb = np.empty((n, 6)), np.empty((n, 6))
    for b in range(q.shape[0]):
        closure_equations(pairs, rows, lengths, q[b], Sa, Sb, phi[b], A[b])


def evaluate(system: LoopSystem, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return phi, (count, m), and A, (count, m, n), for rows of tree joints."""
    q = np.ascontiguousarray(q)
    phi = np.empty((len(q), system.num_equations))
    A = np.empty((len(q), system.num_equations, q.shape[1]))
    closure_equations_many(system.pairs, system.rows, system.lengths, q, phi, A)
    return phi, A
