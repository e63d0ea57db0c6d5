"""Equations of motion of small arms as formulas, derived from the Lagrangian.

Energies first, then d/dt dL/dqd - dL/dq = tau, all by differentiation (Damken 2023
§5.3). SymPy is imported on use.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gelenk.errors import ConfigError, ModelError
from gelenk.kinematics.symbolic import (
    SymbolicChain,
    import_sympy,
    merge_angles,
    symbolic_frames,
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
        bodies: One for each joint.
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
        lambda e: sum(
            sp.diff(e, value) * speed for value, speed in zip(q, qd, strict=True)
        )
    )
