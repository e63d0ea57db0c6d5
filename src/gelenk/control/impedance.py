"""Impedance and admittance control: the tool behaves like a spring and a damper.

Impedance control takes motion and gives force; it needs no force sensor, but drives
that can be pushed back. Admittance control takes a measured force and moves the command
of a stiff position loop: M_d ẍ_c + D_d ẋ_c + K_d x_c = f_ext, with the command
x_d + x_c. It works on drives that cannot be pushed back, as long as the force is
measured where the contact is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.control.operational_space import ToolDynamics
from gelenk.errors import ConfigError
from gelenk.spatial import so3
from gelenk.typing import ArrayLike, FloatArray


def impedance_force(
    error: ArrayLike, error_rate: ArrayLike, *, stiffness: ArrayLike, damping: ArrayLike
) -> FloatArray:
    """Return f = K (x_d - x) + D (ẋ_d - ẋ) [N], shape (r,).

    Args:
        error: x_d - x [m], rotations as log(R_d Rᵀ) [rad], shape (r,).
        error_rate: ẋ_d - ẋ, shape (r,).
        stiffness: Stiffness K [N/m], a number, (r,) or (r, r).
        damping: Damping D [N s/m], a number, (r,) or (r, r).

    Example:
        >>> print(impedance_force([0.02], [-0.1], stiffness=500.0, damping=40.0))
        [6.]
    """
    return _times(stiffness, error) + _times(damping, error_rate)


def impedance_torque(
    felt: ToolDynamics,
    error: ArrayLike,
    error_rate: ArrayLike,
    *,
    stiffness: ArrayLike,
    damping: ArrayLike,
    acceleration: ArrayLike = 0.0,
) -> FloatArray:
    """Return τ = Jᵀ (Λ ẍ_d + f + μ) + G: the arm's own inertia Λ stays.

    Args:
        felt: The arm at the tool (`tool_dynamics`).
        error: x_d - x, shape (r,).
        error_rate: ẋ_d - ẋ, shape (r,).
        stiffness: Stiffness K, a number, (r,) or (r, r).
        damping: Damping D, a number, (r,) or (r, r).
        acceleration: ẍ_d, shape (r,).

    Example:
        >>> import numpy as np
        >>> from gelenk.control import impedance_torque
        >>> import gelenk
        >>> from gelenk.control import tool_dynamics
        >>> arm = gelenk.load("planar2r")
        >>> felt = tool_dynamics(arm, [0.0, np.pi / 2], [0.0, 0.0], rows=(0, 1))
        >>> tau = impedance_torque(
        ...     felt, [0, 0.01], [0, 0], stiffness=500.0, damping=40.0
        ... )
        >>> print((tau - felt.gravity).round(6) + 0.0)
        [5. 0.]
    """
    f = impedance_force(error, error_rate, stiffness=stiffness, damping=damping)
    a = np.broadcast_to(np.asarray(acceleration, np.float64), f.shape)
    return felt.J.T @ (felt.inertia @ a + f + felt.coriolis) + felt.gravity


def shaped_impedance_torque(
    felt: ToolDynamics,
    error: ArrayLike,
    error_rate: ArrayLike,
    *,
    inertia: ArrayLike,
    stiffness: ArrayLike,
    damping: ArrayLike,
    external: ArrayLike,
    acceleration: ArrayLike = 0.0,
) -> FloatArray:
    """Return torques for Λ_d ë + D ė + K e = -f_ext: the inertia is chosen as well.

    F = Λ ẍ_d + Λ Λ_d⁻¹ (D ė + K e) + (Λ Λ_d⁻¹ - E) f_ext + μ. It takes a force sensor;
    with Λ_d = Λ the sensor's part vanishes.

    Args:
        felt: The arm at the tool (`tool_dynamics`).
        error: Error e = x_d - x, shape (r,).
        error_rate: ė, shape (r,).
        inertia: Wanted inertia Λ_d [kg], shape (r, r).
        stiffness: Stiffness K, a number, (r,) or (r, r).
        damping: Damping D, a number, (r,) or (r, r).
        external: f_ext, of the environment on the robot [N], shape (r,).
        acceleration: ẍ_d, shape (r,).

    Example:
        >>> import gelenk
        >>> from gelenk.control.operational_space import tool_dynamics
        >>> arm = gelenk.load("planar2r")
        >>> felt = tool_dynamics(arm, [0.0, np.pi / 2], [0.0, 0.0], rows=(0, 1))
        >>> gains = dict(stiffness=500.0, damping=40.0)
        >>> plain = impedance_torque(felt, [0, 0.01], [0, 0.1], **gains)
        >>> same = shaped_impedance_torque(
        ...     felt, [0, 0.01], [0, 0.1], inertia=felt.inertia, external=[3, 4],
        ...     **gains,
        ... )
        >>> bool(np.allclose(plain, same))
        True
    """
    f = impedance_force(error, error_rate, stiffness=stiffness, damping=damping)
    a = np.broadcast_to(np.asarray(acceleration, np.float64), f.shape)
    push = np.asarray(external, np.float64)
    scale = felt.inertia @ np.linalg.inv(np.asarray(inertia, np.float64))
    F = felt.inertia @ a + scale @ (f + push) - push + felt.coriolis
    return felt.J.T @ F + felt.gravity


def critical_damping(stiffness: ArrayLike, inertia: ArrayLike) -> FloatArray:
    """Return D = 2 √(K Λ), for matrices such that every mode is critically damped.

    Both are made diagonal together: Λ = Q Qᵀ, K = Q diag(k) Qᵀ, D = 2 Q diag(√k) Qᵀ.

    Args:
        stiffness: Stiffness K, a number or symmetric (r, r), positive definite.
        inertia: Inertia Λ, a number or symmetric (r, r), positive definite.

    Example:
        >>> print(critical_damping(500.0, 2.0).round(6))
        63.245553
    """
    K, L = np.asarray(stiffness, np.float64), np.asarray(inertia, np.float64)
    if K.ndim == 0 and L.ndim == 0:
        return 2.0 * np.sqrt(K * L)
    size = max(len(np.atleast_1d(K)), len(np.atleast_1d(L)))
    K = K if K.ndim == 2 else K * np.eye(size)
    L = L if L.ndim == 2 else L * np.eye(size)
    root = np.linalg.cholesky(L)
    inside = np.linalg.solve(root, np.linalg.solve(root, K).T)
    k, V = np.linalg.eigh(0.5 * (inside + inside.T))
    Q = root @ V
    return 2.0 * (Q * np.sqrt(k)) @ Q.T


def wall_force(depth: float, *, stiffness: float, wall_stiffness: float) -> float:
    """Return the force [N] of a spring commanded `depth` [m] into an elastic wall.

    Two springs in series: d K k_e / (K + k_e); the wall hardly matters if it is stiff.

    Example:
        >>> round(wall_force(0.02, stiffness=500.0, wall_stiffness=1e4), 6)
        9.52381
    """
    return depth * stiffness * wall_stiffness / (stiffness + wall_stiffness)


def _times(gain: ArrayLike, vector: ArrayLike) -> FloatArray:
    gain, vector = np.asarray(gain, np.float64), np.asarray(vector, np.float64)
    return gain @ vector if gain.ndim == 2 else gain * vector


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AdmittanceCfg:
    """The body that the tool pretends to be, six axes [x, y, z, rotations].

    Attributes:
        mass: Mass M_d [kg], [kg m²], a number or (6,).
        damping: Damping D_d [N s/m], [N m s/rad], a number or (6,).
        stiffness: Stiffness K_d [N/m], [N m/rad], a number or (6,).
        dt: Period of the update [s].
        dead_band: Loads this small count as 0 [N], [N m], a number or (6,).

    Example:
        >>> from gelenk.control import AdmittanceCfg
        >>> cfg = AdmittanceCfg(mass=2.0, damping=40.0, stiffness=200.0, dt=0.002)
        >>> print(cfg.mass)
        [2. 2. 2. 2. 2. 2.]
    """

    mass: FloatArray | float
    damping: FloatArray | float
    stiffness: FloatArray | float
    dt: float
    dead_band: FloatArray | float = 0.0

    def __post_init__(self) -> None:
        for name in ("mass", "damping", "stiffness", "dead_band"):
            array = np.broadcast_to(np.asarray(getattr(self, name), np.float64), (6,))
            if np.any(array < 0.0) or (name == "mass" and not np.all(array > 0.0)):
                raise ConfigError(
                    f"`{name}` must not be negative and a mass must be > 0, got "
                    f"{array.tolist()}"
                )
            object.__setattr__(self, name, array)
        if not self.dt > 0.0:
            raise ConfigError(f"`dt` must be > 0 s, got {self.dt}")


def _six() -> FloatArray:
    return np.zeros(6)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AdmittanceState:
    """Deviation of the command from the wanted pose, and its rate.

    Attributes:
        offset: Offset x_c of the command [m], rotation vector [rad], shape (6,).
        rate: Rate of the offset [m/s], [rad/s], shape (6,).

    Example:
        >>> from gelenk.control import AdmittanceState
        >>> print(AdmittanceState().offset)
        [0. 0. 0. 0. 0. 0.]
    """

    offset: FloatArray = field(default_factory=_six)
    rate: FloatArray = field(default_factory=_six)


def admittance_step(
    cfg: AdmittanceCfg, state: AdmittanceState, wrench: ArrayLike
) -> AdmittanceState:
    """Return the state one period later; semi-implicit: the new rate moves the offset.

    Args:
        cfg: Pretended body.
        state: Present state.
        wrench: Wrench of the environment on the tool, base axes, without the tool's own
            weight [N], [N m], shape (6,).

    Example:
        A push of 10 N on 200 N/m ends at 5 cm.

        >>> from gelenk.control import AdmittanceCfg, AdmittanceState, admittance_step
        >>> cfg = AdmittanceCfg(mass=2.0, damping=40.0, stiffness=200.0, dt=0.002)
        >>> state = AdmittanceState()
        >>> for _ in range(3000):
        ...     state = admittance_step(cfg, state, [10, 0, 0, 0, 0, 0])
        >>> print(state.offset.round(6)[0])
        0.05
    """
    f = soft_threshold(wrench, cfg.dead_band)
    D, K = np.asarray(cfg.damping), np.asarray(cfg.stiffness)
    push = f - D * state.rate - K * state.offset
    rate = state.rate + cfg.dt * push / np.asarray(cfg.mass)
    return AdmittanceState(offset=state.offset + cfg.dt * rate, rate=rate)


def soft_threshold(value: ArrayLike, width: ArrayLike) -> FloatArray:
    """Return sign(f) max(|f| - width, 0): a dead band without a jump at its border.

    Example:
        >>> print(soft_threshold([0.5, -3.0], 1.0))
        [ 0. -2.]
    """
    f = np.asarray(value, np.float64)
    return np.sign(f) * np.maximum(np.abs(f) - np.asarray(width), 0.0)


def commanded_pose(T_wanted: ArrayLike, state: AdmittanceState) -> FloatArray:
    """Return the pose for the position loop: p_d + x_c, exp(x_c,o) R_d, shape (4, 4).

    Example:
        >>> moved = AdmittanceState(offset=np.array([0, 0, 0.1, 0, 0, 0]))
        >>> print(commanded_pose(np.eye(4), moved)[:3, 3])
        [0.  0.  0.1]
    """
    T = np.array(T_wanted, dtype=np.float64)
    T[:3, 3] += state.offset[:3]
    T[:3, :3] = so3.exp(state.offset[3:]) @ T[:3, :3]
    return T


def contact_growth(
    cfg: AdmittanceCfg, wall_stiffness: float, *, axis: int = 0, delay: int = 0
) -> float:
    """Return the factor per period by which a contact swings; below 1 it is stable.

    A perfect position loop against an elastic wall: the force is -k_e x_c, measured
    `delay` periods late. The largest eigenvalue of the update.

    Args:
        cfg: Pretended body.
        wall_stiffness: Stiffness k_e of the wall [N/m].
        axis: Index of the axis, 0 to 5.
        delay: Delay of force measurement and position loop, in periods.

    Example:
        >>> cfg = AdmittanceCfg(mass=2.0, damping=40.0, stiffness=0.0, dt=0.002)
        >>> contact_growth(cfg, 1e4) < 1.0, contact_growth(cfg, 1e4, delay=20) < 1.0
        (True, False)
    """
    m = float(np.asarray(cfg.mass)[axis])
    d, k = float(np.asarray(cfg.damping)[axis]), float(np.asarray(cfg.stiffness)[axis])
    h, n = cfg.dt, delay + 2  # state: rate, offset, older offsets
    A = np.zeros((n, n))
    A[0, 0], A[0, 1] = 1.0 - h * d / m, -h * k / m
    A[0, 1 + delay] -= h * wall_stiffness / m
    A[1] = h * A[0]
    A[1, 1] += 1.0
    for i in range(2, n):
        A[i, i - 1] = 1.0
    return float(np.abs(np.linalg.eigvals(A)).max())


def stiffest_wall(cfg: AdmittanceCfg, *, axis: int = 0) -> float:
    """Return the wall stiffness [N/m] above which a contact without delay is unstable.

    k_e < (4 m - 2 h d) / h² - k, from Jury's conditions of the update.

    Example:
        >>> cfg = AdmittanceCfg(mass=2.0, damping=40.0, stiffness=200.0, dt=0.01)
        >>> round(stiffest_wall(cfg))
        71800
    """
    m = float(np.asarray(cfg.mass)[axis])
    d, k = float(np.asarray(cfg.damping)[axis]), float(np.asarray(cfg.stiffness)[axis])
    return (4.0 * m - 2.0 * cfg.dt * d) / cfg.dt**2 - k
