"""Dynamics of mechanisms with loops, in the coordinates of their motors.

The cut tree moves with qd = Gamma qd_a, where Gamma spans the motions that keep the
loops closed. Projecting its equations of motion onto Gamma removes the closure forces:
Gamma^T M Gamma qdd_a + Gamma^T (M dGamma/dt qd_a + C + G) = tau_a. The loops are closed
exactly at every call, so nothing can drift (Damken 2023 §5.6, headline; Featherstone
2008, ch. 8).
"""

from __future__ import annotations

import numpy as np

from gelenk.dynamics.crba import tree_mass_matrix
from gelenk.dynamics.rnea import external_wrenches, tree_inverse_dynamics
from gelenk.kinematics.configuration import as_states, tree_coordinates
from gelenk.kinematics.loops.acceleration import (
    closure_bias,
    passive_accelerations,
)
from gelenk.kinematics.loops.close import velocity_map
from gelenk.kinematics.loops.constraint import evaluate, loop_system
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray


def closed_inverse_dynamics(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    *,
    wrenches: dict[str, ArrayLike] | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return the motor loads of a motion; arguments as in `rnea.inverse_dynamics`.

    Example:
        >>> import gelenk
        >>> linkage = gelenk.load("fourbar")
        >>> closed_inverse_dynamics(linkage, [1.0], [0.0], [0.0]).round(3)  # [N m]
        array([293.461])
    """
    batch, (q_rows, qd_rows, qdd_rows) = as_states(model, q=q, qd=qd, qdd=qdd)
    q_tree, gamma, qd_tree, drift = _tree_state(model, q_rows, qd_rows)
    qdd_tree = np.einsum("bij,bj->bi", gamma, qdd_rows) + drift
    tau = _tree_tau(model, batch, q_tree, qd_tree, qdd_tree, wrenches, gravity)
    return np.einsum("bij,bi->bj", gamma, tau).reshape(*batch, model.nv)


def closed_forward_dynamics(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    *,
    wrenches: dict[str, ArrayLike] | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return the motor accelerations; arguments as in `aba.forward_dynamics`."""
    batch, (q_rows, qd_rows, tau_rows) = as_states(model, q=q, qd=qd, tau=tau)
    q_tree, gamma, qd_tree, drift = _tree_state(model, q_rows, qd_rows)
    bias = _tree_tau(model, batch, q_tree, qd_tree, drift, wrenches, gravity)
    load = tau_rows - np.einsum("bij,bi->bj", gamma, bias)
    M = gamma.swapaxes(1, 2) @ tree_mass_matrix(model, q_tree) @ gamma
    return np.linalg.solve(M, load[..., None])[..., 0].reshape(*batch, model.nv)


def closed_mass_matrix(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return Gamma^T M Gamma, the inertia that the motors feel, (..., nv, nv).

    Example:
        >>> import gelenk
        >>> linkage = gelenk.load("fourbar")
        >>> M = closed_mass_matrix(linkage, [1.0])
        >>> rest = closed_inverse_dynamics(linkage, [1.0], [0.0], [0.0])
        >>> push = closed_inverse_dynamics(linkage, [1.0], [0.0], [2.0])
        >>> bool(np.allclose(push - rest, 2.0 * M[0]))
        True
    """
    batch, (q_rows,) = as_states(model, q=q)
    q_tree = tree_coordinates(model, q_rows)
    gamma = velocity_map(model, q_tree)
    M = gamma.swapaxes(1, 2) @ tree_mass_matrix(model, q_tree) @ gamma
    return M.reshape(*batch, model.nv, model.nv)


def closure_forces(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    *,
    wrenches: dict[str, ArrayLike] | None = None,
    gravity: ArrayLike | None = None,
) -> FloatArray:
    """Return the multipliers of the closure equations, in their order.

    A positive entry of a "distance" closure is a push along the rod. Where equations
    are redundant the forces are not unique; the smallest are returned.

    Returns:
        Closure forces, [N] for lengths and positions, [N m] for rotations, shape (...,
        m).
    """
    batch, (q_rows, qd_rows, qdd_rows) = as_states(model, q=q, qd=qd, qdd=qdd)
    q_tree, gamma, qd_tree, drift = _tree_state(model, q_rows, qd_rows)
    qdd_tree = np.einsum("bij,bj->bi", gamma, qdd_rows) + drift
    tau = _tree_tau(model, batch, q_tree, qd_tree, qdd_tree, wrenches, gravity)
    system = loop_system(model)
    base = 6 if model.has_floating_base else 0
    _, A = evaluate(system, q_tree[:, 7:] if base else q_tree)
    # Passive joints carry no motor: what the motion needs there, the closures supply.
    A_passive = A[:, :, system.passive].swapaxes(1, 2)
    inverse = np.linalg.pinv(A_passive, rcond=1e-8)
    forces = np.einsum("bij,bj->bi", inverse, tau[:, base + system.passive])
    return forces.reshape(*batch, system.num_equations)


def acceleration_gap(
    model: RobotModel, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike
) -> FloatArray:
    """Return the second derivative of the closures along a motion: 0 if they hold."""
    batch, (q_rows, qd_rows, qdd_rows) = as_states(model, q=q, qd=qd, qdd=qdd)
    q_tree, gamma, qd_tree, drift = _tree_state(model, q_rows, qd_rows)
    qdd_tree = np.einsum("bij,bj->bi", gamma, qdd_rows) + drift
    base = 6 if model.has_floating_base else 0
    _, A = evaluate(loop_system(model), q_tree[:, 7:] if base else q_tree)
    gap = np.einsum("bij,bj->bi", A, qdd_tree[:, base:])
    gap += closure_bias(model, q_tree, qd_tree)
    return gap.reshape(*batch, -1)


def _tree_state(
    model: RobotModel, q: FloatArray, qd: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return tree coordinates, Gamma, tree velocities and dGamma/dt qd."""
    q_tree = tree_coordinates(model, q)
    gamma = velocity_map(model, q_tree)
    qd_tree = np.einsum("bij,bj->bi", gamma, qd)
    return q_tree, gamma, qd_tree, passive_accelerations(model, q_tree, qd_tree)


def _tree_tau(
    model: RobotModel,
    batch: tuple[int, ...],
    q_tree: FloatArray,
    qd_tree: FloatArray,
    qdd_tree: FloatArray,
    wrenches: dict[str, ArrayLike] | None,
    gravity: ArrayLike | None,
) -> FloatArray:
    loads = external_wrenches(model, batch, q_tree, wrenches) if wrenches else None
    field = None if gravity is None else np.asarray(gravity, dtype=np.float64)
    return tree_inverse_dynamics(model, q_tree, qd_tree, qdd_tree, loads, field)
