"""Whole-body control: joint torques for tasks of a robot that stands on contacts.

Each step is one quadratic program over joint accelerations and contact forces: least
squares of what tasks still miss, subject to the equations of motion of the base, to
contacts that do not slip, and to limits of torque. It is solved hundreds of times a
second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.control.differential_ik import (
    EQUAL,
    FREE,
    MotionStatus,
    solve_quadratic,
)
from gelenk.control.motion_tasks import MotionTask, RobotPosture
from gelenk.errors import ConfigError
from gelenk.kinematics.configuration import integrate
from gelenk.kinematics.jacobian import moved_jacobian
from gelenk.models.tree import RobotModel
from gelenk.spatial.vectors import cross
from gelenk.typing import ArrayLike, FloatArray

PROBE = 1e-6  # [s]: step for the change of a Jacobian along the motion
FORCE_WEIGHT = (
    1e-8  # of a newton, against the accelerations of tasks: forces are shared
)
REST_WEIGHT = 1e-6  # of an acceleration that no task asks for


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PointContact:
    """A point of a link that stands on something and must not slip.

    Attributes:
        frame: Name of the link.
        point: Place in the frame of the link [m], shape (3,).
        normal: Direction out of the ground, base axes, shape (3,).
        friction: Coefficient of friction that can be relied on.
        most: Largest normal force [N].

    Example:
        >>> from gelenk.control import PointContact
        >>> PointContact(frame="foot").friction
        0.6
    """

    frame: str
    point: ArrayLike = (0.0, 0.0, 0.0)
    normal: ArrayLike = (0.0, 0.0, 1.0)
    friction: float = 0.6
    most: float = np.inf

    def __post_init__(self) -> None:
        normal = np.array(as_finite("normal", self.normal, (3,)))
        if not np.linalg.norm(normal) > 0.0:
            raise ConfigError(
                f"`normal` of the contact of {self.frame!r} has no direction"
            )
        if not self.friction > 0.0:
            raise ConfigError(f"`friction` must be > 0, got {self.friction}")
        object.__setattr__(self, "normal", normal / np.linalg.norm(normal))
        object.__setattr__(
            self, "point", np.array(as_finite("point", self.point, (3,)))
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WholeBodyStep:
    """Torques of a step, and what they do.

    Attributes:
        status: Outcome.
        tau: Joint torques or forces [N m] or [N], shape (nv,); those of a floating base
            are 0. Zeros if infeasible.
        qdd: Joint accelerations [rad/s^2] or [m/s^2], shape (nv,).
        forces: Forces of the ground on the robot, base axes [N], shape (contacts, 3).
    """

    status: MotionStatus
    tau: FloatArray
    qdd: FloatArray
    forces: FloatArray


def solve_whole_body(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    tasks: Sequence[MotionTask],
    contacts: Sequence[PointContact] = (),
    *,
    stiffness: float = 100.0,
    damping: float | None = None,
    effort: ArrayLike | None = None,
) -> WholeBodyStep:
    """Return the torques that accelerate a robot towards its tasks.

    Each error e of a task shall follow e'' = -stiffness gain e - damping e'.

    Args:
        model: Robot without loops, its base fixed or floating.
        q: Joint values [rad] or [m], shape (nq,).
        qd: Joint velocities [rad/s] or [m/s], shape (nv,).
        tasks: Tasks, weighted against each other.
        contacts: Points that stand.
        stiffness: Acceleration per error [1/s^2].
        damping: Acceleration per speed of the error [1/s]; None: critical.
        effort: Largest torques [N m] or [N], one number or one per joint; None: those
            of the model.

    Raises:
        ConfigError: If there is no task.

    Example:
        A table of one mass on a slide carries its weight.

        >>> import gelenk
        >>> from gelenk.control import PostureTask, solve_whole_body
        >>> arm = gelenk.load("planar2r")
        >>> q = [0.3, 0.4]
        >>> step = solve_whole_body(arm, q, [0.0, 0.0], [PostureTask(target=q)])
        >>> bool(abs(step.tau - arm.inverse_dynamics(q, [0, 0], [0, 0])).max() < 1e-6)
        True
    """
    if not tasks:
        raise ConfigError("`tasks` is empty; give at least one task")
    q, qd = model.check_q("q", q), model.check_v("qd", qd)
    nv, base = model.nv, 6 if model.has_floating_base else 0
    kd = 2.0 * np.sqrt(stiffness) if damping is None else damping
    at = RobotPosture(model, q)
    ahead = RobotPosture(model, integrate(model, q, qd, PROBE))
    H = np.zeros((nv + 3 * len(contacts),) * 2)
    c = np.zeros(len(H))
    for task in tasks:
        error, J = task.evaluate(at)
        bias = (task.evaluate(ahead)[1] - J) @ qd / PROBE
        wanted = -stiffness * task.gain * error - kd * (J @ qd) - bias
        H[:nv, :nv] += J.T @ J
        c[:nv] -= wanted @ J
    H[range(nv), range(nv)] += REST_WEIGHT * max(1.0, float(np.trace(H)) / nv)
    force = range(nv, len(H))
    H[force, force] += FORCE_WEIGHT
    M, bias = model.mass_matrix(q), model.inverse_dynamics(q, qd, np.zeros(nv))
    J_contact, drift = _contact_rows(at, ahead, contacts, qd, kd)
    dynamics = np.concatenate([M, -J_contact.T], axis=1)
    rows = [dynamics[:base], np.pad(J_contact, ((0, 0), (0, 3 * len(contacts))))]
    edge = [-bias[:base], drift]
    cone, most = _cones(contacts, nv)
    most_effort = _efforts(model, effort)
    A = np.concatenate([*rows, dynamics[base:], cone])
    equal = np.concatenate(edge)
    low = np.concatenate([equal, -most_effort - bias[base:], np.zeros(len(cone))])
    high = np.concatenate([equal, most_effort - bias[base:], most])
    sense = np.zeros(len(H) + len(A), dtype=np.int32)
    sense[len(H) : len(H) + len(equal)] = EQUAL
    free = np.full(len(H), FREE)
    lower = np.clip(np.concatenate([-free, low]), -FREE, FREE)
    upper = np.clip(np.concatenate([free, high]), -FREE, FREE)
    found = solve_quadratic(H, c, A, lower, upper, sense)
    if found is None:
        return WholeBodyStep(
            status=MotionStatus.INFEASIBLE,
            tau=np.zeros(nv),
            qdd=np.zeros(nv),
            forces=np.zeros((len(contacts), 3)),
        )
    tau = dynamics @ found + bias
    tau[:base] = 0.0
    return WholeBodyStep(
        status=MotionStatus.SOLVED,
        tau=tau,
        qdd=found[:nv],
        forces=found[nv:].reshape(-1, 3),
    )


def _contact_rows(
    at: RobotPosture,
    ahead: RobotPosture,
    contacts: Sequence[PointContact],
    qd: FloatArray,
    kd: float,
) -> tuple[FloatArray, FloatArray]:
    """Return the Jacobian of all points, and the acceleration that keeps them."""
    rows = [_point_rows(at, contact) for contact in contacts]
    J = np.concatenate(rows) if rows else np.zeros((0, at.model.nv))
    if not rows:
        return J, np.zeros(0)
    next_rows = np.concatenate([_point_rows(ahead, contact) for contact in contacts])
    return J, -(next_rows - J) @ qd / PROBE - kd * (J @ qd)


def _point_rows(at: RobotPosture, contact: PointContact) -> FloatArray:
    T, J = at.frame(contact.frame)
    return moved_jacobian(J, T[:3, :3] @ np.asarray(contact.point))[:3]


def _cones(contacts: Sequence[PointContact], nv: int) -> tuple[FloatArray, FloatArray]:
    """Return rows and upper bounds of the friction pyramids; the lower bounds are 0.

    A pyramid lies inside of the cone.
    """
    rows = np.zeros((5 * len(contacts), nv + 3 * len(contacts)))
    most = np.full(len(rows), np.inf)
    for k, contact in enumerate(contacts):
        n = np.asarray(contact.normal)
        a = cross(n, np.eye(3)[int(np.abs(n).argmin())])
        a /= np.linalg.norm(a)
        b = cross(n, a)
        mu = contact.friction / np.sqrt(2.0)
        block = np.stack([n, mu * n - a, mu * n + a, mu * n - b, mu * n + b])
        rows[5 * k : 5 * k + 5, nv + 3 * k : nv + 3 * k + 3] = block
        most[5 * k] = contact.most
    return rows, most


def _efforts(model: RobotModel, effort: ArrayLike | None) -> FloatArray:
    """Return the largest torque of each velocity of a joint, without the base."""
    own = model.max_effort[model.joint_ids] if effort is None else effort
    base = 6 if model.has_floating_base else 0
    most = np.full(model.nv - base, np.inf)
    starts = model.v_starts - base
    most[starts] = own
    for k in model.ball_joints:
        most[starts[k] : starts[k] + 3] = most[starts[k]]
    return most
