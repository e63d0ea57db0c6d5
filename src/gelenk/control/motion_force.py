"""Motion and force together: hybrid control splits the axes, parallel control does not.

f is the force on the environment; everything is in axes of the contact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.control.cartesian import ToolDynamics
from gelenk.errors import ConfigError, ShapeError
from gelenk.typing import ArrayLike, FloatArray


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
        is_force_axis: Which axes are controlled by force, shape (r,).
        motion: a = ẍ_d + K_v ė + K_p e of every axis [m/s²], shape (r,).
        force: f_d + feedback of every axis [N], shape (r,), see `force_pi_step`.

    Returns:
        Joint torques, shape (n,).

    Example:
        Wiping a window whose normal is y: forces along y only.

        >>> import gelenk
        >>> from gelenk.control.cartesian import tool_dynamics
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
        wanted: f_d [N], shape (r,).
        force: Measured, on the environment [N], shape (r,).

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
