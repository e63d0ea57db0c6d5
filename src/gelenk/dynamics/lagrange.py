"""Equations of motion from energies, numerically and as formulas.

K = 1/2 qd^T M qd with M = sum of m J_v^T J_v + J_w^T (R I R^T) J_w over the links, P
the height energy, and d/dt dL/dqd - dL/dq = tau (Damken 2023 §5.3; the inertia must be
turned into the axes of the Jacobian, which the printed formula leaves out).

Nothing here is shared with the compiled algorithms: the numerical method has its own
forward kinematics, written for complex joint values. A derivative is then the imaginary
part of a function at q + i h e_k, divided by h, exact to the last digit (Squire and
Trapp 1998). It costs n^4; use it to check, not to control. `symbolic_dynamics` derives
formulas of small arms; SymPy is imported on use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gelenk.errors import ConfigError, ModelError
from gelenk.kinematics.configuration import require_open_tree, require_scalar_joints
from gelenk.kinematics.symbolic import (
    SymbolicChain,
    import_sympy,
    merge_angles,
    symbolic_frames,
)
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

STEP = 1e-30  # of complex-step derivatives; its square vanishes beside 1


def lagrange_mass_matrix(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return M(q) from the Jacobians of the centres of mass.

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        Array of shape (..., nv, nv).

    Example:
        >>> import gelenk
        >>> arm, q = gelenk.load("puma560"), [0.1] * 6
        >>> bool(np.allclose(lagrange_mass_matrix(arm, q), arm.mass_matrix(q)))
        True
    """
    return _mass_matrix(model, _checked(model, q))


def lagrange_energies(
    model: RobotModel, q: ArrayLike, qd: ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return kinetic and potential energy [J], shape (...) each.

    The potential energy is zero for a centre of mass in the base origin.

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).
    """
    q, qd = _checked(model, q), model.check_v("qd", qd)
    M = _mass_matrix(model, q)
    return 0.5 * np.vecdot(qd, np.matvec(M, qd)), _potential(model, q)


def lagrange_gravity(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return G(q) = dP/dq, shape (..., nv).

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values [rad] or [m], shape (..., nq).
    """
    q = _checked(model, q)
    steps = [_potential(model, moved).imag / STEP for moved in _stepped(q)]
    return np.stack(steps, axis=-1)


def christoffel_symbols(model: RobotModel, q: ArrayLike) -> FloatArray:
    """Return c[..., k, i, j] = 1/2 (dM_kj/dq_i + dM_ki/dq_j - dM_ij/dq_k).

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values [rad] or [m], shape (..., nq).

    Returns:
        Array of shape (..., nv, nv, nv), symmetric in i and j.
    """
    q = _checked(model, q)
    # The last axis of dM is that of the coordinate by which is differentiated.
    steps = [_mass_matrix(model, moved).imag / STEP for moved in _stepped(q)]
    dM = np.stack(steps, axis=-1)
    by_i = np.moveaxis(dM, -1, -2)  # dM_kj / dq_i at [k, i, j]
    by_k = np.moveaxis(dM, -1, -3)  # dM_ij / dq_k at [k, i, j]
    return 0.5 * (by_i + dM - by_k)


def lagrange_coriolis_matrix(
    model: RobotModel, q: ArrayLike, qd: ArrayLike
) -> FloatArray:
    """Return C(q, qd) in Christoffel form, with which dM/dt - 2 C is skew.

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).

    Returns:
        Array of shape (..., nv, nv).
    """
    symbols = christoffel_symbols(model, q)
    return np.einsum("...kij,...i->...kj", symbols, model.check_v("qd", qd))


def lagrange_inverse_dynamics(
    model: RobotModel, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike
) -> FloatArray:
    """Return tau = M qdd + C qd + G, all from energies.

    Args:
        model: Robot with a fixed base and no loops.
        q: Joint values [rad] or [m], shape (..., nq).
        qd: Joint velocities, shape (..., nv).
        qdd: Joint accelerations, shape (..., nv).

    Returns:
        Generalised forces [N m] or [N], shape (..., nv).
    """
    qd, qdd = model.check_v("qd", qd), model.check_v("qdd", qdd)
    inertial = np.matvec(lagrange_mass_matrix(model, q), qdd)
    coupling = np.matvec(lagrange_coriolis_matrix(model, q, qd), qd)
    return inertial + coupling + lagrange_gravity(model, q)


def _checked(model: RobotModel, q: ArrayLike) -> FloatArray:
    require_open_tree(model)
    require_scalar_joints(model)
    if model.has_floating_base:
        raise ConfigError(
            f"robot {model.name!r} floats; its velocity is no derivative of "
            "coordinates, use `inverse_dynamics`"
        )
    return model.check_q("q", q)


def _stepped(q: FloatArray) -> list[NDArray[np.complex128]]:
    """Return q moved by i STEP along each coordinate."""
    return [q + 1j * STEP * unit for unit in np.eye(q.shape[-1])]


def _link_frames(model: RobotModel, q: NDArray[Any]) -> list[tuple[Any, Any]]:
    """Return rotation and position of each link, real or complex."""
    column = {int(k): c for c, k in enumerate(model.joint_ids)}
    batch = q.shape[:-1]
    frames: list[tuple[Any, Any]] = [
        (np.broadcast_to(np.eye(3), (*batch, 3, 3)), np.zeros((*batch, 3)))
    ]
    for k in range(1, len(model.link_names)):
        R, p = frames[int(model.parent[k])]
        p = p + R @ model.T_parent_joint[k, :3, 3]
        R = R @ model.T_parent_joint[k, :3, :3]
        kind = model.joint_type[k]
        if kind != JointType.FIXED:
            source = k if model.mimic[k] < 0 else int(model.mimic[k])
            value = model.multiplier[k] * q[..., column[source]] + model.offset[k]
            if kind == JointType.REVOLUTE:
                R = R @ _turned(model.axis[k], value)
            else:
                p = p + value[..., None] * (R @ model.axis[k])
        frames.append((R, p))
    return frames


def _turned(axis: FloatArray, angle: NDArray[Any]) -> NDArray[Any]:
    """Return Rodrigues' formula, for a real axis and a real or complex angle."""
    x, y, z = axis
    K = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    angle = np.asarray(angle)[..., None, None]
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * (K @ K)


def _mass_matrix(model: RobotModel, q: NDArray[Any]) -> Any:
    """Return M for real or complex joint values (products without conjugation)."""
    frames = _link_frames(model, q)
    column = {int(k): c for c, k in enumerate(model.joint_ids)}
    n = model.nv
    M = np.zeros((*q.shape[:-1], n, n), dtype=q.dtype)
    for k, (R, p) in enumerate(frames):
        J_v = np.zeros((*q.shape[:-1], 3, n), dtype=q.dtype)
        J_w = np.zeros_like(J_v)
        centre = p + R @ model.com[k]
        j = k
        while j > 0:
            kind = model.joint_type[j]
            if kind != JointType.FIXED:
                source = j if model.mimic[j] < 0 else int(model.mimic[j])
                c, scale = column[source], model.multiplier[j]
                axis = scale * (frames[j][0] @ model.axis[j])
                if kind == JointType.REVOLUTE:
                    J_v[..., :, c] += np.cross(axis, centre - frames[j][1])
                    J_w[..., :, c] += axis
                else:
                    J_v[..., :, c] += axis
            j = int(model.parent[j])
        turned = R @ model.inertia[k] @ R.swapaxes(-1, -2)
        M += model.mass[k] * J_v.swapaxes(-1, -2) @ J_v
        M += J_w.swapaxes(-1, -2) @ turned @ J_w
        if model.joint_type[k] in (JointType.REVOLUTE, JointType.PRISMATIC):
            source = k if model.mimic[k] < 0 else int(model.mimic[k])
            c = column[source]
            M[..., c, c] += model.armature[k] * model.multiplier[k] ** 2
    return M


def _potential(model: RobotModel, q: NDArray[Any]) -> Any:
    """Return -sum m g . r_c for real or complex joint values."""
    return np.asarray(
        sum(
            -model.mass[k] * ((p + R @ model.com[k]) @ model.gravity)
            for k, (R, p) in enumerate(_link_frames(model, q))
        )
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolicBody:
    """Mass of the body behind one joint, in the frame behind that joint.

    Attributes:
        mass: Number or symbol [kg].
        com: Three numbers or symbols [m].
        inertia: 3 x 3 tensor about the centre of mass, nested sequences [kg m^2].
    """

    mass: Any
    com: Sequence[Any] = (0, 0, 0)
    inertia: Sequence[Sequence[Any]] = ((0, 0, 0), (0, 0, 0), (0, 0, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolicDynamics:
    """Equations of motion tau = M qdd + c + G of a chain.

    Attributes:
        q, qd, qdd: Symbols of joint values, velocities, accelerations.
        kinetic, potential: Energies K(q, qd) and P(q).
        M: Mass matrix.
        c: Vector of centrifugal and Coriolis terms.
        G: Vector of gravity terms.
        tau: M qdd + c + G, straight from Lagrange's equation.
    """

    q: tuple[Any, ...]
    qd: tuple[Any, ...]
    qdd: tuple[Any, ...]
    kinetic: Any
    potential: Any
    M: Any
    c: Any
    G: Any
    tau: Any

    def coriolis_matrix(self) -> Any:
        """Return C(q, qd) in Christoffel form: C qd = c, and dM/dt - 2 C is skew."""
        sp = import_sympy()
        n = len(self.q)
        C = sp.zeros(n, n)
        for k in range(n):
            for j in range(n):
                C[k, j] = sum(
                    self.qd[i]
                    * (
                        sp.diff(self.M[k, j], self.q[i])
                        + sp.diff(self.M[k, i], self.q[j])
                        - sp.diff(self.M[i, j], self.q[k])
                    )
                    / 2
                    for i in range(n)
                )
        return C.applyfunc(merge_angles)


def symbolic_dynamics(
    chain: SymbolicChain, bodies: Sequence[SymbolicBody], *, gravity: Sequence[Any]
) -> SymbolicDynamics:
    """Return the equations of motion of an open chain.

    Args:
        chain: Chain whose joints each have a coordinate of their own.
        bodies: Bodies, one for each joint.
        gravity: Gravitational acceleration in the base, three numbers or symbols
            [m/s^2].

    Raises:
        ConfigError: If the number of bodies differs from that of joints.

    Example:
        >>> import sympy as sp
        >>> from gelenk.kinematics.symbolic import symbolic_chain_from_dh
        >>> q, r, m, g = sp.symbols("q r m g", positive=True)
        >>> hinge = symbolic_chain_from_dh([(0, 0, r, 0)], "R", [q])
        >>> ball = SymbolicBody(mass=m, com=(r, 0, 0))  # on a rod
        >>> motion = symbolic_dynamics(hinge, [ball], gravity=(0, -g, 0))
        >>> print(sp.simplify(motion.M[0]), "and", sp.simplify(motion.G[0]))
        m*r**2 and g*m*r*cos(q)
    """
    if len(bodies) != chain.num_joints:
        raise ConfigError(
            f"`bodies` must hold one body for each of {chain.num_joints} joints, "
            f"got {len(bodies)}"
        )
    if len(chain.q) != chain.num_joints:
        raise ModelError("formulas need a coordinate of its own for every joint")
    sp = import_sympy()
    qd = tuple(sp.Symbol(f"{q}_d", real=True) for q in chain.q)
    qdd = tuple(sp.Symbol(f"{q}_dd", real=True) for q in chain.q)
    kinetic, potential = sp.Integer(0), sp.Integer(0)
    for T, body in zip(symbolic_frames(chain)[1:-1], bodies, strict=True):
        R, inertia = T[:3, :3], sp.Matrix(body.inertia)
        centre = T[:3, 3] + R * sp.Matrix(body.com)
        v = _rate(centre, chain.q, qd)
        spin = R.T * _rate(R, chain.q, qd)  # skew matrix of omega in body axes
        omega = sp.Matrix([spin[2, 1], spin[0, 2], spin[1, 0]]).applyfunc(merge_angles)
        kinetic += body.mass * v.dot(v) / 2 + omega.dot(inertia * omega) / 2
        potential -= body.mass * centre.dot(sp.Matrix(gravity))
    kinetic, potential = merge_angles(kinetic), merge_angles(potential)
    momentum = sp.Matrix([sp.diff(kinetic, speed) for speed in qd])
    M = momentum.jacobian(sp.Matrix(qd)).applyfunc(merge_angles)
    G = sp.Matrix([sp.diff(potential, q) for q in chain.q])
    tau = (
        _rate(momentum, chain.q, qd)
        + momentum.jacobian(sp.Matrix(qd)) * sp.Matrix(qdd)
        - sp.Matrix([sp.diff(kinetic, q) for q in chain.q])
        + G
    ).applyfunc(merge_angles)
    still = dict.fromkeys(qdd, 0)
    return SymbolicDynamics(
        q=chain.q,
        qd=qd,
        qdd=qdd,
        kinetic=kinetic,
        potential=potential,
        M=M,
        c=(tau.subs(still) - G).applyfunc(merge_angles),
        G=G,
        tau=tau,
    )


def _rate(matrix: Any, q: Sequence[Any], qd: Sequence[Any]) -> Any:
    """Return the time derivative of a matrix of functions of q."""
    sp = import_sympy()
    return matrix.applyfunc(
        lambda e: sum(  # pyright: ignore[reportUnknownLambdaType]
            sp.diff(e, value) * speed for value, speed in zip(q, qd, strict=True)
        )
    )
