"""Solver plan of a chain: the lie of its joint axes and how they are solved."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, cast

import numpy as np

from gelenk.kinematics.chain import CHAIN_INDEX, CHAIN_KIND, CHAIN_P, CHAIN_R
from gelenk.kinematics.inverse.closed.joint_terms import (
    CHAIN,
    COLS,
    CORE,
    CYCLIC,
    HEADER,
    INDEX,
    KIND,
    LEAD,
    LOWER,
    PLACE,
    REF_H,
    REF_KAPPA,
    REF_W,
    REFERENCE,
    REGIONAL,
    REVERSED,
    START,
    TASK,
    TRAIL,
    UPPER,
    E,
    F,
    P,
    Z,
)
from gelenk.typing import BoolArray, FloatArray, IntArray

# Files print angles with 5 or 6 digits (1.5708), so axes that mean to be parallel or to
# meet miss by some 1e-6. The formulas then hold almost, and polishing repairs the rest.
ANGLE_TOL = 2e-5  # [rad]
LENGTH_TOL = 2e-5  # relative to the size of the arm
RANK_TOL = (
    1e-4  # ratio of singular values below which joints do not move a point freely
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Screws:
    """Joint axes of a chain at q = 0, in the base.

    Attributes:
        axis: Unit directions, shape (n, 3).
        point: A point on each axis [m], shape (n, 3).
        is_revolute: Whether each joint turns rather than slides, shape (n,).
        index: Index of each joint in q, -1 for an added axis, shape (n,).
        size: Length that the geometry is measured with [m].
    """

    axis: FloatArray
    point: FloatArray
    is_revolute: BoolArray
    index: IntArray
    size: float

    def __len__(self) -> int:
        return len(self.axis)

    def part(self, ids: list[int]) -> Screws:
        """Return the screws `ids`, in that order."""
        return Screws(
            axis=self.axis[ids],
            point=self.point[ids],
            is_revolute=self.is_revolute[ids],
            index=self.index[ids],
            size=self.size,
        )

    def reversed(self) -> Screws:
        """Return the chain from its far end: inverse displacements, same values."""
        back = self.part(list(range(len(self)))[::-1])
        return Screws(
            axis=-back.axis,
            point=back.point,
            is_revolute=back.is_revolute,
            index=back.index,
            size=self.size,
        )

    def extended(self, axis: FloatArray, point: FloatArray) -> Screws:
        """Return the screws and one more revolute axis, no joint of the robot."""
        return Screws(
            axis=np.vstack([self.axis, axis]),
            point=np.vstack([self.point, point]),
            is_revolute=np.append(self.is_revolute, True),
            index=np.append(self.index, -1),
            size=self.size,
        )

    def are_parallel(self, i: int, j: int) -> bool:
        """Return whether two axes have the same or opposite directions."""
        return bool(np.linalg.norm(np.cross(self.axis[i], self.axis[j])) < ANGLE_TOL)

    def are_perpendicular(self, i: int, j: int) -> bool:
        return bool(abs(self.axis[i] @ self.axis[j]) < ANGLE_TOL)

    def has_parallel_neighbours(self) -> bool:
        return any(self.are_parallel(i, i + 1) for i in range(len(self) - 1))

    def meeting_point(self, *ids: int) -> FloatArray | None:
        """Return the point where axes meet, no two neighbours parallel; else None."""
        if any(self.are_parallel(i, j) for i, j in pairwise(ids)):
            return None
        z, p = self.axis[list(ids)], self.point[list(ids)]
        across = np.eye(3) - z[:, :, None] * z[:, None, :]
        right = np.einsum("kij,kj->i", across, p)
        meeting = cast("FloatArray", np.linalg.solve(across.sum(axis=0), right))
        miss = np.linalg.norm(np.einsum("kij,kj->ki", across, meeting - p), axis=1)
        return meeting if miss.max() < LENGTH_TOL * self.size else None

    def plane_normal(self, *ids: int) -> FloatArray | None:
        """Return the normal of the plane in which all these joints move, or None."""
        turning = [i for i in ids if self.is_revolute[i]]
        if not turning:
            return None
        for i in ids:
            if self.is_revolute[i] and not self.are_parallel(i, turning[0]):
                return None
            if not self.is_revolute[i] and not self.are_perpendicular(i, turning[0]):
                return None
        return self.axis[turning[0]]

    def moved_point(self, q: FloatArray, point: FloatArray) -> FloatArray:
        """Return a point after all joints have moved it, shape (3,)."""
        for i in range(len(self) - 1, -1, -1):
            z, p = self.axis[i], self.point[i]
            if self.is_revolute[i]:
                v = point - p
                c, s = np.cos(q[i]), np.sin(q[i])
                point = p + c * v + s * np.cross(z, v) + (1.0 - c) * (z @ v) * z
            else:
                point = point + q[i] * z
        return point

    def are_independent(self) -> bool:
        """Return whether no joint only repeats what the others do, in general."""
        if len(self) > 6:
            return False
        best = 0.0
        for q in self._configurations():
            columns = np.empty((6, len(self)))
            for i in range(len(self)):
                before = self.part(list(range(i)))
                p = before.moved_point(q, self.point[i])
                z = before.moved_point(q, self.point[i] + self.axis[i]) - p
                turns = self.is_revolute[i]
                columns[:3, i] = np.cross(p / self.size, z) if turns else z
                columns[3:, i] = z if turns else 0.0
            values = np.linalg.svd(columns, compute_uv=False)
            best = max(best, float(values[-1] / values[0]))
        return best > RANK_TOL

    def point_motion(self, point: FloatArray) -> FloatArray:
        """Return how freely the joints move a point: descending, without unit, (3,).

        The singular values of its Jacobian over the size of the arm, each the best of a
        few configurations.
        """
        best, step = np.zeros(3), 1e-6
        scale = np.where(self.is_revolute, 1.0, self.size)
        for q in self._configurations():
            columns = [
                self.moved_point(q + dq, point) - self.moved_point(q - dq, point)
                for dq in step * np.diag(scale)
            ]
            values = np.linalg.svd(np.stack(columns, axis=1), compute_uv=False)
            k = len(values)
            best[:k] = np.maximum(best[:k], values / (2.0 * step * self.size))
        return best

    def freedom(self, point: FloatArray) -> float:
        """Return how freely the least useful of up to three joints moves a point."""
        return float(self.point_motion(point)[len(self) - 1])

    def _configurations(self) -> FloatArray:
        """Return a few configurations without special places, shape (4, n)."""
        q = np.random.default_rng(2).uniform(-2.0, 2.0, size=(4, len(self)))
        return np.where(self.is_revolute, q, q * self.size)


def screws_of_chain(chain: FloatArray) -> tuple[Screws, FloatArray]:
    """Return the joint axes of a chain and the pose of its frame, all at q = 0."""
    n = len(chain) - 1
    axis, point = np.empty((n, 3)), np.empty((n, 3))
    T = np.eye(4)
    for i in range(n + 1):
        step = np.eye(4)
        step[:3, :3] = chain[i, CHAIN_R : CHAIN_R + 9].reshape(3, 3)
        step[:3, 3] = chain[i, CHAIN_P : CHAIN_P + 3]
        T = T @ step
        if i < n:
            axis[i], point[i] = T[:3, 2], T[:3, 3]
    spread = np.vstack([point, T[:3, 3]])
    size = float(np.linalg.norm(np.diff(spread, axis=0), axis=1).sum())
    screws = Screws(
        axis=axis,
        point=point,
        is_revolute=chain[:-1, CHAIN_KIND] != 0.0,
        index=chain[:-1, CHAIN_INDEX].astype(np.int64),
        size=max(size, 1e-3),
    )
    return screws, T


def perpendicular(z: FloatArray) -> FloatArray:
    """Return a unit vector perpendicular to z."""
    e = np.zeros(3)
    e[np.abs(z).argmin()] = 1.0
    e -= (e @ z) * z
    return e / np.linalg.norm(e)


def cone_constants(h: FloatArray, z: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return the two constants of `joint_terms.solve_cone`, free of cancellation."""

    def angle(a: FloatArray, b: FloatArray) -> float:
        return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))

    alpha, beta = angle(h, z), angle(z, y)
    minus, plus = np.sin(0.5 * (alpha - beta)), np.cos(0.5 * (alpha + beta))
    return -2.0 * float(minus**2), -2.0 * float(plus**2)


Solver = Literal["partition", "parallel", "swivel", "turn_then_slide", "general"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SolverPlan:
    """A structure with a closed solution, found in a chain.

    Attributes:
        solver: Name of the kernel that solves it.
        cost: Cost of solving; the cheapest plan is the fastest and best conditioned.
        core: Joints that are solved for, in the order of the kernel, reversed already,
            with the points that make terms vanish.
        e: Vector perpendicular to each core axis, shape (len(core), 3).
        header: Entries of the header row that the kernel reads.
        W: Wrist point [m], shape (3,).
        h: Direction of parallel axes, shape (3,).
        kappa: Constants of the wrist, see `joint_terms.solve_cone`.
        extra: Further entries of the reference row by column.
        is_reversed: Whether the core was turned round.
        lead, trail: Joints before and behind the core, held at their values.
    """

    solver: Solver
    cost: float
    core: Screws
    e: FloatArray
    header: dict[int, float]
    W: FloatArray = field(default_factory=lambda: np.zeros(3))
    h: FloatArray = field(default_factory=lambda: np.zeros(3))
    kappa: tuple[float, float] = (0.0, 0.0)
    extra: dict[int, float] = field(default_factory=dict[int, float])
    is_reversed: bool = False
    lead: int = 0
    trail: int = 0


def kernel_constants(
    plan: SolverPlan,
    screws: Screws,
    chain: FloatArray,
    T_base_frame: FloatArray,
    limits: FloatArray,
    task: int,
) -> FloatArray:
    """Return the array that the kernels read; `joint_terms` says what is where.

    Args:
        plan: Recognised structure.
        screws: All joints of the chain in order.
        chain: Chain to the frame, as `frame_chain` returns it.
        T_base_frame: Pose of the frame at q = 0, shape (4, 4).
        limits: Limits of all joints of the robot [rad] or [m], shape (2, nq).
        task: POSE, POSITION or ROTATION.
    """
    n, core = len(screws), plan.core
    held = screws.part([*range(plan.lead), *range(n - plan.trail, n)])
    rows = np.zeros((len(held) + len(core), COLS))
    before = plan.lead
    _fill(rows[:before], held.part(list(range(before))), limits)
    _fill(rows[before : before + len(core)], core, limits, plan.e)
    _fill(
        rows[before + len(core) :],
        held.part(list(range(before, len(held)))),
        limits,
    )
    tail = np.zeros((3, COLS))
    R, p = T_base_frame[:3, :3], T_base_frame[:3, 3]
    tail[-PLACE, :9], tail[-PLACE, 9:12] = R.T.ravel(), -R.T @ p
    tail[-REFERENCE, REF_W : REF_W + 3] = plan.W
    tail[-REFERENCE, REF_H : REF_H + 3] = plan.h
    tail[-REFERENCE, REF_KAPPA : REF_KAPPA + 2] = plan.kappa
    for column, value in plan.extra.items():
        tail[-REFERENCE, column] = value
    header = {
        CHAIN: n,
        LEAD: plan.lead,
        CORE: len(core),
        TRAIL: plan.trail,
        REVERSED: plan.is_reversed,
        TASK: task,
        START: _shared_joints(plan),
        **plan.header,
    }
    for column, value in header.items():
        tail[-HEADER, column] = value
    return np.ascontiguousarray(np.vstack([chain, rows, tail]))


def _shared_joints(plan: SolverPlan) -> float:
    """Return how many joints of the chain all solutions of the wrist have in common."""
    if plan.solver != "partition" or plan.is_reversed or CYCLIC in plan.header:
        return 0.0
    return plan.lead + plan.header[REGIONAL]


def _fill(
    rows: FloatArray, screws: Screws, limits: FloatArray, e: FloatArray | None = None
) -> None:
    for i in range(len(screws)):
        z, index = screws.axis[i], int(screws.index[i])
        across = perpendicular(z) if e is None else e[i]
        rows[i, Z : Z + 3], rows[i, P : P + 3] = z, screws.point[i]
        rows[i, KIND], rows[i, INDEX] = screws.is_revolute[i], index
        rows[i, E : E + 3], rows[i, F : F + 3] = across, np.cross(z, across)
        rows[i, LOWER], rows[i, UPPER] = -np.inf, np.inf
        if index >= 0:
            rows[i, LOWER], rows[i, UPPER] = limits[:, index]
