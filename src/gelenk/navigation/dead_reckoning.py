"""Dead reckoning from wheels, gyros and accelerometers, and motion models in steps.

Wheels turn wrongly where they slip, a gyro drifts by its bias β. Both measure the same
turn; a Kalman filter on (θ, β) weighs them:

    θ <- θ + (ω_gyro - β) dt,   ω_wheel - ω_gyro = -β + noise.

Inertial: a constant bias b of an accelerometer becomes b t² / 2 of position, one of a
gyro β turns the axes and becomes β a t³ / 6; white noise grows as t^(3/2). Nothing is
corrected from outside: good for a short time only.

Steps: x_{k+1} = x_k + h_k F(x_k, u_k), forward Euler with an error of order h².
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.spatial.angles import wrap_angle
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadReckoningCfg:
    """Noise of wheels and gyro.

    Attributes:
        gyro_sigma: Noise of one gyro sample [rad/s].
        bias_sigma: Standard deviation of the bias at the start [rad/s].
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
    """Estimated poses, one row per sample.

    Attributes:
        pose: Poses (x [m], y [m], θ [rad]), shape (..., k + 1, 3).
        bias: Bias of the gyro [rad/s], shape (..., k + 1).
        bias_sigma: Standard deviation of the bias [rad/s], shape (..., k + 1).
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
    """Return the poses from wheels and gyro together.

    Args:
        pose: Start, shape (..., 3).
        speed: Speed told by the wheels [m/s], shape (..., k).
        wheel_rate: Turning rate told by the wheels [rad/s], shape (..., k).
        gyro_rate: Turning rate told by the gyro [rad/s], shape (..., k).
        dt: Time between samples [s].
        cfg: Quality of the sensors.

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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlanarMotion:
    """A motion in the plane, one row per sample.

    Attributes:
        pose: Poses (x [m], y [m], θ [rad]), shape (..., k, 3).
        velocity: Velocity in world axes [m/s], shape (..., k, 2).
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
    """Return the motion measured by planar inertial sensors.

    θ <- θ + ω dt; v <- v + R(θ_mid) a dt; p <- p + v dt + R(θ_mid) a dt² / 2.

    Args:
        pose: Start, shape (..., 3).
        velocity: Start, in world axes [m/s], shape (..., 2).
        acceleration: Acceleration in robot axes, without gravity [m/s²], shape (..., k,
            2).
        rate: Turning rate [rad/s], shape (..., k).
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


Flow = Callable[[FloatArray, FloatArray], ArrayLike]


def euler_step(F: Flow, x: ArrayLike, u: ArrayLike, h: float) -> FloatArray:
    """Return x + h F(x, u).

    Args:
        F: Derivative of the state, (..., n), (..., m) -> (..., n).
        x: State, shape (..., n).
        u: Input, held during the step, shape (..., m).
        h: Length of the step [s].

    Example:
        >>> print(euler_step(unicycle_flow, [0.0, 0.0, 0.0], [1.0, 0.5], 0.1))
        [0.1  0.   0.05]
    """
    at, inputs = as_finite("x", x, ()), as_finite("u", u, ())
    return at + h * np.asarray(F(at, inputs), dtype=np.float64)


def unicycle_flow(x: FloatArray, u: FloatArray) -> FloatArray:
    """Return d/dt (x, y, θ) = (v cos θ, v sin θ, ω) for u = (v [m/s], ω [rad/s])."""
    v, heading = u[..., 0], x[..., 2]
    rates = np.broadcast_arrays(v * np.cos(heading), v * np.sin(heading), u[..., 1])
    return np.stack(rates, axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledReading:
    """Reading of a sensor in a schedule.

    Attributes:
        time: Time of the reading [s].
        step: Time h since the entry before [s]; 0: same instant.
        sensor: Name of the sensor.
    """

    time: float
    step: float
    sensor: str


def sensor_schedule(
    periods: Mapping[str, float], duration: float
) -> tuple[ScheduledReading, ...]:
    """Return the order of readings: predict over each step, then correct.

    Args:
        periods: Time between two readings of each sensor [s].
        duration: Length of the schedule [s].

    Returns:
        In the order of time; at one instant, faster sensors first.

    Example:
        >>> plan = sensor_schedule({"wheels": 0.1, "camera": 0.25}, 0.5)
        >>> [(round(r.time, 3), r.sensor, round(r.step, 3)) for r in plan][:4]
        [(0.1, 'wheels', 0.1), (0.2, 'wheels', 0.1), (0.25, 'camera', 0.05),
         (0.3, 'wheels', 0.05)]
    """
    if not periods or not min(periods.values()) > 0.0:
        raise ConfigError("`periods` must name sensors with positive periods [s]")
    calls = sorted(
        (round(k * period, 12), period, name)
        for name, period in periods.items()
        for k in range(1, int(duration / period + 1e-9) + 1)
    )
    plan: list[ScheduledReading] = []
    last = 0.0
    for time, _, name in calls:
        plan.append(ScheduledReading(time=time, step=time - last, sensor=name))
        last = time
    return tuple(plan)
