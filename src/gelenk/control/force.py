"""Force control: by a contact model, by PI, hybrid and parallel with motion.

Here f is the force on the environment. Hybrid control splits the axes into those of
motion and those of force, parallel control has both on every axis.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.control.operational_space import ToolDynamics
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


def contact_force(
    place: ArrayLike, *, wall: ArrayLike = 0.0, stiffness: ArrayLike
) -> FloatArray:
    """Return k_e max(x - x_wall, 0) [N]: an elastic wall pushes, it never pulls.

    Args:
        place: Position x [m], shape (...).
        wall: Position where the wall begins [m].
        stiffness: Stiffness k_e [N/m].

    Example:
        >>> print(contact_force([-0.01, 0.002], stiffness=1e4))
        [ 0. 20.]
    """
    depth = np.asarray(place, np.float64) - np.asarray(wall, np.float64)
    return np.asarray(stiffness) * np.maximum(depth, 0.0)


def model_force_law(
    force: ArrayLike,
    force_rate: ArrayLike,
    *,
    wanted: tuple[float, float, float],
    gains: tuple[float, float],
    mass: float,
    stiffness: float,
) -> FloatArray:
    """Return f = m k_e⁻¹ (f̈_d + k_vf ė_f + k_pf e_f) + f_d: a mass on an elastic wall.

    The error obeys ë_f + k_vf ė_f + (k_pf + k_e/m) e_f = 0: f_d is fed forward, not the
    noisy measurement, so the wall's own spring stays. A constant disturbance f_dist
    leaves f_dist / (1 + m k_pf / k_e), much on a stiff wall.

    Args:
        force: Measured force [N], shape (...).
        force_rate: Rate of the measured force [N/s].
        wanted: Wanted force and its rates (f_d, ḟ_d, f̈_d) [N], [N/s], [N/s²].
        gains: Gains (k_pf [1/s²], k_vf [1/s]) on force error and its rate.
        mass: Mass m [kg].
        stiffness: Stiffness k_e [N/m], > 0.

    Example:
        >>> print(
        ...     model_force_law(
        ...         8.0, 0.0, wanted=(10.0, 0.0, 0.0), gains=(400.0, 40.0),
        ...         mass=1.0, stiffness=1e4,
        ...     )
        ... )
        10.08
    """
    if not (stiffness > 0.0 and mass > 0.0):
        raise ConfigError(
            f"`mass` and `stiffness` must be > 0, got {mass} kg and {stiffness} N/m"
        )
    (f_d, fd_d, fdd_d), (kp, kv) = wanted, gains
    error = f_d - np.asarray(force, np.float64)
    rate = fd_d - np.asarray(force_rate, np.float64)
    return mass / stiffness * (fdd_d + kv * rate + kp * error) + f_d


def force_rest_error(load: float, *, kp: float, mass: float, stiffness: float) -> float:
    """Return f_dist / (1 + m k_pf / k_e) [N]: what `model_force_law` leaves.

    Example:
        >>> force_rest_error(3.0, kp=20_000.0, mass=1.0, stiffness=1e4)
        1.0
    """
    return load / (1.0 + mass * kp / stiffness)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcePiCfg:
    """A practical force controller: feed-forward, PI on the force, damped motion.

    Attributes:
        kp: Gain on the force error [1].
        ki: Gain on the integral of the force error [1/s].
        damping: Damping of the velocity [N s/m]; a stiff wall has none of its own.
        dt: Sampling period [s].
    """

    kp: float
    ki: float
    damping: float
    dt: float

    def __post_init__(self) -> None:
        if not self.dt > 0.0 or min(self.kp, self.ki, self.damping) < 0.0:
            raise ConfigError(f"`dt` must be > 0 and gains not negative, got {self}")


def force_pi_step(
    cfg: ForcePiCfg,
    integral: ArrayLike,
    *,
    wanted: ArrayLike,
    force: ArrayLike,
    velocity: ArrayLike,
) -> tuple[FloatArray, FloatArray]:
    """Return the drive f_d + k_p e + k_i ∫e - d ẋ [N] and the new integral [N s].

    Args:
        cfg: Gains.
        integral: ∫e so far, shape (...); 0 at the start.
        wanted: Wanted force f_d [N].
        force: Measured force [N].
        velocity: Velocity ẋ into the environment [m/s].

    Example:
        >>> cfg = ForcePiCfg(kp=0.5, ki=10.0, damping=100.0, dt=0.01)
        >>> drive, integral = force_pi_step(
        ...     cfg, 0.0, wanted=10.0, force=8.0, velocity=0.01
        ... )
        >>> print(drive.round(6), integral)
        10.2 0.02
    """
    error = np.asarray(wanted, np.float64) - np.asarray(force, np.float64)
    total = np.asarray(integral, np.float64) + cfg.dt * error
    drive = np.asarray(wanted) + cfg.kp * error + cfg.ki * total
    return drive - cfg.damping * np.asarray(velocity, np.float64), total


def hybrid_torque(
    felt: ToolDynamics,
    is_force_axis: ArrayLike,
    *,
    motion: ArrayLike,
    force: ArrayLike,
) -> FloatArray:
    """Return τ = Jᵀ (Λ S a + S' f + μ) + G.

    The axes are selected before Λ multiplies and μ is not masked: with S Λ a the
    inertial coupling of the arm would disturb the force.

    Args:
        felt: The arm at the tool, in axes of the contact (`tool_dynamics`).
        is_force_axis: Axes that are controlled by force, shape (r,).
        motion: Wanted acceleration a = ẍ_d + K_v ė + K_p e of every axis [m/s²], shape
            (r,).
        force: f_d + feedback of every axis [N], shape (r,), see `force_pi_step`.

    Returns:
        Joint torques, shape (n,).

    Example:
        Wiping a window whose normal is y: forces along y only.

        >>> import numpy as np
        >>> from gelenk.control import hybrid_torque
        >>> import gelenk
        >>> from gelenk.control import tool_dynamics
        >>> arm = gelenk.load("planar2r")
        >>> felt = tool_dynamics(arm, [0.0, np.pi / 2], [0.0, 0.0], rows=(0, 1))
        >>> tau = hybrid_torque(felt, [False, True], motion=[0, 9], force=[9, 5.0])
        >>> print((tau - felt.gravity).round(6) + 0.0)
        [5. 0.]
    """
    selected = np.asarray(is_force_axis, dtype=bool)
    if selected.shape != felt.twist.shape:
        raise ShapeError(
            "is_force_axis", expected=str(felt.twist.shape), actual=selected.shape
        )
    a = np.where(selected, 0.0, np.asarray(motion, np.float64))
    f = np.where(selected, np.asarray(force, np.float64), 0.0)
    return felt.J.T @ (felt.inertia @ a + f + felt.coriolis) + felt.gravity


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ParallelCfg:
    """Gains of parallel control: position and force on every axis, force dominates.

    Attributes:
        kp: Position [N/m], a number or (r,).
        kv: Velocity [N s/m].
        kf: Force [1].
        ki: Integral of the force error [1/s]; it wins over the position in the end.
        dt: Sampling period [s].
    """

    kp: ArrayLike
    kv: ArrayLike
    kf: ArrayLike
    ki: ArrayLike
    dt: float

    def __post_init__(self) -> None:
        if not self.dt > 0.0:
            raise ConfigError(f"`dt` must be > 0 s, got {self.dt}")


def parallel_step(
    cfg: ParallelCfg,
    integral: ArrayLike,
    *,
    motion: tuple[ArrayLike, ArrayLike],
    wanted: ArrayLike,
    force: ArrayLike,
) -> tuple[FloatArray, FloatArray]:
    """Return K_P e - K_D ẋ + f_d + K_F e_f + K_I ∫e_f [N] and the new integral [N s].

    Where nothing is touched the wanted force should be 0 and the position rules; at a
    wall the integral moves the position error aside until the force is right.

    Args:
        cfg: Gains.
        integral: ∫e_f so far, shape (r,).
        motion: Position error x_d - x [m] and velocity ẋ [m/s], each (r,).
        wanted: Wanted force f_d [N], shape (r,).
        force: Measured force on the environment [N], shape (r,).

    Example:
        >>> cfg = ParallelCfg(kp=100.0, kv=20.0, kf=0.5, ki=5.0, dt=0.1)
        >>> u, integral = parallel_step(
        ...     cfg, [0.0], motion=([0.01], [0.0]), wanted=[10.0], force=[8.0]
        ... )
        >>> print(u, integral)
        [13.] [0.2]
    """
    error, velocity = (np.asarray(value, np.float64) for value in motion)
    wanted = np.asarray(wanted, np.float64)
    miss = wanted - np.asarray(force, np.float64)
    total = np.asarray(integral, np.float64) + cfg.dt * miss
    u = np.asarray(cfg.kp) * error - np.asarray(cfg.kv) * velocity + wanted
    return u + np.asarray(cfg.kf) * miss + np.asarray(cfg.ki) * total, total
