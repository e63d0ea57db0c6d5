"""Admittance control: a measured force moves the command of a stiff position loop.

M_d ẍ_c + D_d ẋ_c + K_d x_c = f_ext; the command is x_d + x_c. It works on drives that
cannot be pushed back, as long as the force is measured where the contact is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gelenk.errors import ConfigError
from gelenk.spatial import so3
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AdmittanceCfg:
    """The body that the tool pretends to be, six axes [x, y, z, rotations].

    Attributes:
        mass: M_d [kg], [kg m²], a number or (6,).
        damping: D_d [N s/m], [N m s/rad], a number or (6,).
        stiffness: K_d [N/m], [N m/rad], a number or (6,).
        dt: Period of the update [s].
        dead_band: Loads this small count as 0 [N], [N m], a number or (6,).
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
    """How far the command has given way.

    Attributes:
        offset: x_c [m], rotation vector [rad], shape (6,).
        rate: Its rate, shape (6,).
    """

    offset: FloatArray = field(default_factory=_six)
    rate: FloatArray = field(default_factory=_six)


def admittance_step(
    cfg: AdmittanceCfg, state: AdmittanceState, wrench: ArrayLike
) -> AdmittanceState:
    """Return the state one period later; semi-implicit: the new rate moves the offset.

    Args:
        cfg: Pretended body.
        state: Now.
        wrench: Of the environment on the tool, base axes, without the tool's own weight
            [N], [N m], shape (6,).

    Example:
        A push of 10 N on 200 N/m ends at 5 cm.

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
        wall_stiffness: k_e [N/m].
        axis: Which of the six.
        delay: Of force measurement and position loop, in periods.

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
