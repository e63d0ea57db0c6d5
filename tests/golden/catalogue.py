"""Every robot of the catalogue: poses, Jacobians, dynamics, inverse kinematics."""

from __future__ import annotations

from functools import partial

import numpy as np

from gelenk.kinematics.forward import link_poses
from gelenk.models.catalog.registry import make, names
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray
from golden.records import Found, Record, digest, figure

NUM_STATES = 8
SPREAD, LOOP_SPREAD = 0.6, 0.1  # around home [rad] or, for slides, a fifth of it [m]


def draw_states(model: RobotModel) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return positions within the limits, velocities, and a third of their kind."""
    rng = np.random.default_rng(26)
    spread = LOOP_SPREAD if model.loops else SPREAD
    off = spread * rng.uniform(-1.0, 1.0, (NUM_STATES, model.nq))
    low, high = model.limits
    is_slide = high - low < 1.0
    q = np.clip(
        model.home_configuration + np.where(is_slide, 0.2, 1.0) * off, low, high
    )
    qd, qdd = rng.uniform(-1.0, 1.0, (2, NUM_STATES, model.nv))
    return q, qd, qdd


def look_at(name: str) -> Found:
    """Return digests of all that a robot of the catalogue can be asked for."""
    model = make(name)
    q, qd, qdd = draw_states(model)
    T, J, M = model.forward(q), model.jacobian(q), model.mass_matrix(q)
    tau = model.inverse_dynamics(q, qd, qdd)
    acceleration = model.forward_dynamics(q, qd, tau)
    results = [model.inverse(pose) for pose in T]
    bits = {
        "poses": digest(T, link_poses(model, q)),
        "jacobians": digest(J),
        "mass_matrices": digest(M),
        "forces": digest(tau),
        "accelerations": digest(acceleration),
        "inverse": digest(np.array([item.q for item in results])),
    }
    errors = np.array([item.residual for item in results])
    figures = {
        "poses": figure(np.abs(T).mean(), absolute=1e-9),
        "jacobians": figure(np.abs(J).mean(), absolute=1e-9, relative=1e-9),
        "mass_matrices": figure(np.abs(M).mean(), relative=1e-9),
        "forces": figure(np.abs(tau).mean(), absolute=1e-9, relative=1e-9),
        "accelerations": figure(np.abs(acceleration).mean(), relative=1e-6),
        "solved": figure(sum(item.converged for item in results)),
        "solved_within": figure(errors.max(), absolute=1e-5),
    }
    if not model.loops:
        closed = [model.inverse(pose, method="closed") for pose in T]
        found = [item.branches for item in closed if item.branches is not None]
        bits["branches"] = digest(*found)
        figures["branches"] = figure(sum(len(branches) for branches in found))
    return Found(bits, figures)


# Added to the catalogue since, with tests of their own.
GRIPPERS = {"franka_hand", "robotiq_2f85", "suction_cup"}

RECORDS: dict[str, Record] = {
    name: partial(look_at, name) for name in names() if name not in GRIPPERS
}
