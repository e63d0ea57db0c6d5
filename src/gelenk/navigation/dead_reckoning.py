"""Dead reckoning: wheels tell the way, gyro and wheels together the heading.

Wheels turn wrongly where they slip, a gyro drifts by its bias β. Both measure the same
turn; a Kalman filter on (θ, β) weighs them:

    θ <- θ + (ω_gyro - β) dt,   ω_wheel - ω_gyro = -β + noise.

Errors are still neither seen nor corrected from outside: good for a short time only.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadReckoningCfg:
    """How good the sensors are.

    Attributes:
        gyro_sigma: Noise of one gyro sample [rad/s].
        bias_sigma: What the bias may be at the start [rad/s].
        bias_walk: Growth of its uncertainty [rad/s/√s].
        wheel_sigma: Noise of the rate from wheels [rad/s].
        slip_gate: Differences beyond this many sigmas are slip and do not count.
    """

    gyro_sigma: float = 0.01
    bias_sigma: float = 0.1
    bias_walk: float = 1e-4
    wheel_sigma: float = 0.1
    slip_gate: float = 3.0

    def __post_init__(self) -> None:
        if not min(self.gyro_sigma, self.wheel_sigma, self.bias_sigma) > 0.0:
            raise ConfigError("sigmas must be positive [rad/s]")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeadReckoning:
    """Where a robot believes to be, one row per sample.

    Attributes:
        pose: (x [m], y [m], θ [rad]), shape (..., k + 1, 3).
        bias: Of the gyro [rad/s], shape (..., k + 1).
        bias_sigma: How surely [rad/s], shape (..., k + 1).
    """

    pose: FloatArray
    bias: FloatArray
    bias_sigma: FloatArray


def dead_reckon(
    pose: ArrayLike,
    speed: ArrayLike,
    wheel_rate: ArrayLike,
    gyro_rate: ArrayLike,
    dt: float,
    cfg: DeadReckoningCfg | None = None,
) -> DeadReckoning:
    """Return the way from wheels and gyro together.

    Args:
        pose: Start, shape (..., 3).
        speed: From wheels [m/s], shape (..., k).
        wheel_rate: From wheels [rad/s], shape (..., k).
        gyro_rate: From the gyro [rad/s], shape (..., k).
        dt: Time between samples [s].
        cfg: How good the sensors are.

    Example:
        A gyro that is off by 0.05 rad/s, on a robot that does not turn.

        >>> speed, none = np.ones(2000), np.zeros(2000)
        >>> told = dead_reckon([0, 0, 0], speed, none, none + 0.05, 0.01)
        >>> print(told.bias[-1].round(3), abs(told.pose[-1, 1]) < 0.1)
        0.05 True
    """
    cfg = cfg or DeadReckoningCfg()
    v, wheels = as_finite("speed", speed, ()), as_finite("wheel_rate", wheel_rate, ())
    gyro = as_finite("gyro_rate", gyro_rate, ())
    x = np.broadcast_to(as_finite("pose", pose, (3,)), (*v.shape[:-1], 3))
    bias, variance = np.zeros(v.shape[:-1]), np.full(v.shape[:-1], cfg.bias_sigma**2)
    poses, biases, variances = [x], [bias], [variance]
    noise = cfg.gyro_sigma**2 + cfg.wheel_sigma**2
    for k in range(v.shape[-1]):
        variance = variance + cfg.bias_walk**2 * dt
        S = variance + noise
        residual = gyro[..., k] - wheels[..., k] - bias
        gain = np.where(residual**2 <= cfg.slip_gate**2 * S, variance / S, 0.0)
        bias, variance = bias + gain * residual, (1.0 - gain) * variance
        turn = (gyro[..., k] - bias) * dt
        middle = x[..., 2] + 0.5 * turn
        x = np.stack(
            [
                x[..., 0] + v[..., k] * dt * np.cos(middle),
                x[..., 1] + v[..., k] * dt * np.sin(middle),
                wrap_angle(x[..., 2] + turn),
            ],
            axis=-1,
        )
        poses.append(x)
        biases.append(bias)
        variances.append(variance)
    return DeadReckoning(
        pose=np.stack(poses, axis=-2),
        bias=np.stack(biases, axis=-1),
        bias_sigma=np.sqrt(np.stack(variances, axis=-1)),
    )
