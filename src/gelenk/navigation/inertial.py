"""Position from inertial sensors alone: rates integrated once, accelerations twice.

A constant bias b of an accelerometer becomes b t² / 2 of position, one of a gyro β
tilts or turns the axes and becomes β a t³ / 6; white noise grows as t^(3/2). After
a minute the position is worth nothing without another sensor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlanarMotion:
    """A motion in the plane, one row per sample.

    Attributes:
        pose: (x [m], y [m], θ [rad]), shape (..., k, 3).
        velocity: In world axes [m/s], shape (..., k, 2).
    """

    pose: FloatArray
    velocity: FloatArray


def integrate_inertial(
    pose: ArrayLike,
    velocity: ArrayLike,
    acceleration: ArrayLike,
    rate: ArrayLike,
    dt: float,
) -> PlanarMotion:
    """Return the motion that planar inertial sensors tell.

    θ <- θ + ω dt; v <- v + R(θ_mid) a dt; p <- p + v dt + R(θ_mid) a dt² / 2.

    Args:
        pose: Start, shape (..., 3).
        velocity: Start, in world axes [m/s], shape (..., 2).
        acceleration: In robot axes, without gravity [m/s²], shape (..., k, 2).
        rate: Of turning [rad/s], shape (..., k).
        dt: Time between samples [s].

    Returns:
        k + 1 samples.

    Example:
        A bias of 0.01 m/s² for 100 s.

        >>> a, w = np.tile([0.01, 0.0], (1000, 1)), np.zeros(1000)
        >>> told = integrate_inertial([0, 0, 0], [0, 0], a, w, 0.1)
        >>> print(told.pose[-1].round(6))  # b t^2 / 2
        [50.  0.  0.]
    """
    if not dt > 0.0:
        raise ConfigError(f"`dt` must be positive [s], got {dt}")
    a = as_finite("acceleration", acceleration, (2,))
    w = np.asarray(rate, dtype=np.float64)
    x, v0 = as_finite("pose", pose, (3,)), as_finite("velocity", velocity, (2,))
    turned = np.cumsum(w * dt, axis=-1)
    heading = x[..., 2:3] + np.concatenate([0.0 * turned[..., :1], turned], axis=-1)
    middle = 0.5 * (heading[..., 1:] + heading[..., :-1])
    c, s = np.cos(middle), np.sin(middle)
    a_world = np.stack(
        [c * a[..., 0] - s * a[..., 1], s * a[..., 0] + c * a[..., 1]], axis=-1
    )
    v = np.cumsum(a_world * dt, axis=-2) + v0[..., None, :]
    before = np.concatenate(
        [np.broadcast_to(v0[..., None, :], v[..., :1, :].shape), v[..., :-1, :]], -2
    )
    p = np.cumsum((before + 0.5 * dt * a_world) * dt, axis=-2) + x[..., None, :2]
    first = np.broadcast_to(x[..., None, :2], p[..., :1, :].shape)
    position = np.concatenate([first, p], axis=-2)
    return PlanarMotion(
        pose=np.concatenate([position, wrap_angle(heading)[..., None]], axis=-1),
        velocity=np.concatenate([before[..., :1, :], v], axis=-2),
    )


def inertial_drift(
    t: ArrayLike, *, bias: float = 0.0, noise: float = 0.0
) -> FloatArray:
    """Return how far a resting accelerometer's position wanders on average [m].

    sqrt((b t² / 2)² + S² t³ / 3).

    Args:
        t: Time since the last fix [s].
        bias: Constant error of the acceleration [m/s²].
        noise: Density of its white noise [m/s²/√Hz].

    Example:
        >>> print(inertial_drift([1.0, 10.0, 100.0], bias=0.01))
        [5.e-03 5.e-01 5.e+01]
    """
    time = as_finite("t", t, ())
    return np.sqrt((0.5 * bias * time**2) ** 2 + noise**2 * time**3 / 3.0)
