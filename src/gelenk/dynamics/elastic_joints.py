"""Robots with elastic joints, and the characteristics of their springs.

Coordinates are link angles q and motor angles θ, both behind the gear (rotor inertia
J = N² J_rotor): M q̈ + C + G = E (θ - q) + D (θ̇ - q̇), J θ̈ = τ_m minus the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.checks import as_finite
from gelenk.dynamics.crba import mass_matrix
from gelenk.dynamics.rnea import inverse_dynamics
from gelenk.errors import ConfigError
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

# Weights of the second derivative at nine points, error of order h^8.
_STENCIL = np.array([-9, 128, -1008, 8064, -14350, 8064, -1008, 128, -9]) / 5040.0
_STEP = (
    0.03  # of the time in which the motion changes: truncation 1e-12, rounding 1e-12
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ElasticJoints:
    """Springs and rotors of all joints.

    Attributes:
        stiffness: Stiffness E [N m/rad] or [N/m], shape (n,).
        rotor_inertia: Rotor inertia J, reflected to the link side [kg m^2] or [kg],
            shape (n,).
        damping: D in parallel to the springs [N m s/rad], shape (n,); by default none.
        coupling: Coupling S, inertia shared by links and rotors (rotors carried by
            links), constant, shape (n, n); by default none, as is usual for large
            ratios.
    """

    stiffness: ArrayLike
    rotor_inertia: ArrayLike
    damping: ArrayLike = 0.0
    coupling: ArrayLike | None = None

    def __post_init__(self) -> None:
        for name in ("stiffness", "rotor_inertia"):
            if not np.all(np.asarray(getattr(self, name)) > 0.0):
                raise ConfigError(f"`{name}` of elastic joints must be > 0")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ElasticDrive:
    """Torques and motor angles that a wanted motion of the links needs.

    Attributes:
        spring_torque: Spring torque τ_El [N m] or [N], shape (..., n).
        motor_angle: Motor angle θ [rad] or [m], shape (..., n).
        motor_acceleration: θ̈, shape (..., n).
        motor_torque: Motor torque τ_m, shape (..., n).
    """

    spring_torque: FloatArray
    motor_angle: FloatArray
    motor_acceleration: FloatArray
    motor_torque: FloatArray


def extended_inertia(
    model: RobotModel, joints: ElasticJoints, q: ArrayLike
) -> FloatArray:
    """Return M_R = [[M(q), S], [Sᵀ, J]] of links and rotors, shape (..., 2n, 2n).

    Example:
        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> joints = ElasticJoints(stiffness=100.0, rotor_inertia=0.01)
        >>> print(extended_inertia(arm, joints, [0.0, 0.0])[2:, 2:])
        [[0.01 0.  ]
         [0.   0.01]]
    """
    M = mass_matrix(model, q)
    n = model.nv
    full = np.zeros((*M.shape[:-2], 2 * n, 2 * n))
    full[..., :n, :n] = M
    full[..., n:, n:] = np.diag(np.broadcast_to(joints.rotor_inertia, (n,)))
    if joints.coupling is not None:
        S = as_finite("coupling", joints.coupling, (n, n))
        full[..., :n, n:], full[..., n:, :n] = S, S.T
    return full


def elastic_forward_dynamics(
    model: RobotModel,
    joints: ElasticJoints,
    state: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike],
    motor_torque: ArrayLike,
) -> tuple[FloatArray, FloatArray]:
    """Return the accelerations (q̈, θ̈) of links and motors, each (..., n).

    Args:
        model: Rigid robot behind the springs.
        joints: Springs and rotors.
        state: State (q, θ, q̇, θ̇) [rad], [rad/s], each (..., n).
        motor_torque: Motor torque τ_m [N m], shape (..., n).

    Example:
        >>> import gelenk
        >>> arm, zero = gelenk.load("planar2r"), np.zeros(2)
        >>> joints = ElasticJoints(stiffness=100.0, rotor_inertia=0.5)
        >>> drive = elastic_inverse_dynamics(arm, joints, np.zeros((5, 2)))
        >>> state = (zero, drive.motor_angle, zero, zero)  # springs carry the weight
        >>> tau = drive.motor_torque
        >>> links, motors = elastic_forward_dynamics(arm, joints, state, tau)
        >>> print(links.round(9) + 0.0, motors.round(9) + 0.0)
        [0. 0.] [0. 0.]
    """
    q, theta, qd, theta_d = (np.asarray(part, np.float64) for part in state)
    spring = np.asarray(joints.stiffness) * (theta - q)
    spring = spring + np.asarray(joints.damping) * (theta_d - qd)
    rigid = inverse_dynamics(model, q, qd, np.zeros_like(q))
    load = np.concatenate(
        np.broadcast_arrays(spring - rigid, np.asarray(motor_torque) - spring), axis=-1
    )
    full = extended_inertia(model, joints, q)
    both: FloatArray = np.asarray(np.linalg.solve(full, load[..., None]), np.float64)
    both = both[..., 0]
    return both[..., : model.nv], both[..., model.nv :]


def elastic_inverse_dynamics(
    model: RobotModel, joints: ElasticJoints, motion: ArrayLike
) -> ElasticDrive:
    """Return the motor torques of a wanted motion, through springs without damping.

    τ_El = M q̈ + C + G; θ̈ = E⁻¹ τ̈_El + q̈; τ_m = J θ̈ + τ_El. That takes the motion
    up to its fourth derivative: its trajectory must be four times differentiable. τ̈_El
    is taken along the motion's own Taylor polynomial, from which only rounding remains.

    Args:
        model: Rigid robot behind the springs.
        joints: Springs and rotors without damping and without coupling.
        motion: q and its four derivatives, shape (..., 5, n).

    Example:
        At rest the motor carries the weight, and the spring gives way.

        >>> import gelenk
        >>> arm = gelenk.load("planar2r")
        >>> joints = ElasticJoints(stiffness=100.0, rotor_inertia=0.01)
        >>> drive = elastic_inverse_dynamics(arm, joints, np.zeros((5, 2)))
        >>> print(drive.motor_torque.round(3), drive.motor_angle.round(5))
        [46.107 11.772] [0.46107 0.11772]
    """
    derivatives = as_finite("motion", motion, (5, model.nv))
    if np.any(joints.damping) or joints.coupling is not None:
        raise ConfigError(
            "inverse dynamics is for springs without damping and coupling, which would "
            "make it a differential equation"
        )
    q, qd, qdd = (derivatives[..., k, :] for k in range(3))
    torque = inverse_dynamics(model, q, qd, qdd)
    E = np.asarray(joints.stiffness, np.float64)
    motor_acc = _second_rate(model, derivatives) / E + qdd
    return ElasticDrive(
        spring_torque=torque,
        motor_angle=q + torque / E,
        motor_acceleration=motor_acc,
        motor_torque=np.asarray(joints.rotor_inertia) * motor_acc + torque,
    )


def _second_rate(model: RobotModel, motion: FloatArray) -> FloatArray:
    """Return d²τ/dt² along q(t) = Σ q⁽ᵏ⁾ tᵏ/k!, shape (..., n)."""
    size = np.abs(motion).max(axis=-1)
    speed = np.max(size[..., 1:] ** (1.0 / np.arange(1, 5)), axis=-1)
    h = _STEP / np.maximum(speed, 1e-3)[..., None]
    t = h[..., None] * np.arange(-4.0, 5.0)[:, None]  # (..., 9, 1)
    parts = [motion[..., k, None, :] for k in range(5)]
    ahead: list[FloatArray] = []
    for order in range(3):
        value = parts[4]
        for k in range(3, order - 1, -1):
            value = parts[k] + value * t / (k + 1 - order)
        ahead.append(value + 0.0 * t)
    torque = inverse_dynamics(model, *ahead)
    return np.einsum("k,...kn->...n", _STENCIL, torque) / (h * h)


class SpringType(StrEnum):
    """Shape of a characteristic curve."""

    LINEAR = "linear"
    """Constant stiffness (Hooke)."""
    PROGRESSIVE = "progressive"
    """Stiffness grows with deflection."""
    DEGRESSIVE = "degressive"
    """Stiffness falls with deflection."""
    MIXED = "mixed"
    """It does both."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerSpring:
    """Spring with F = k s₀ sign(s) |s / s₀|ⁿ: linear for n = 1, progressive for more.

    Attributes:
        stiffness: Stiffness k [N/m] or [N m/rad].
        exponent: Exponent n.
        scale: Deflection s₀ at which the spring gives k s₀ [m] or [rad].
    """

    stiffness: float
    exponent: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        if min(self.stiffness, self.exponent, self.scale) <= 0.0:
            raise ConfigError(f"a spring needs positive numbers, got {self}")

    def force(self, deflection: ArrayLike) -> FloatArray:
        """Return the force [N] or torque [N m], shape of `deflection`.

        Example:
            >>> float(PowerSpring(stiffness=200.0).force(0.05))
            10.0
        """
        s = np.asarray(deflection, np.float64)
        share = np.abs(s) / self.scale
        return self.stiffness * self.scale * np.sign(s) * share**self.exponent


def spring_stiffness(
    law: Callable[[FloatArray], FloatArray], deflection: ArrayLike
) -> FloatArray:
    """Return c = dF/ds of any characteristic [N/m] or [N m/rad], by differences.

    Args:
        law: F(s), takes and returns arrays.
        deflection: Deflection s [m] or [rad], any shape.

    Example:
        >>> print(spring_stiffness(lambda s: 3.0 * s**2, [0.5, 1.0]).round(6))
        [3. 6.]
    """
    s = np.asarray(deflection, np.float64)
    h = 1e-6 * np.maximum(np.abs(s), 1e-3)
    return (law(s + h) - law(s - h)) / (2.0 * h)


def spring_type(
    law: Callable[[FloatArray], FloatArray],
    *,
    low: float,
    high: float,
    tolerance: float = 1e-6,
) -> SpringType:
    """Return whether a spring stiffens or softens with deflection.

    Deflection, not time, as is sometimes printed.

    Args:
        law: F(s).
        low: Smallest deflection, > 0.
        high: Largest deflection.
        tolerance: Relative change of stiffness that counts as none.

    Example:
        >>> str(spring_type(lambda s: s**3, low=0.1, high=1.0))
        'progressive'
    """
    if not 0.0 < low < high:
        raise ConfigError(f"deflections must satisfy 0 < low < high, got {low}, {high}")
    c = spring_stiffness(law, np.linspace(low, high, 50))
    change = np.diff(c)
    small = tolerance * float(np.abs(c).max())
    if np.all(np.abs(change) <= small):
        return SpringType.LINEAR
    if np.all(change >= -small):
        return SpringType.PROGRESSIVE
    return SpringType.DEGRESSIVE if np.all(change <= small) else SpringType.MIXED
