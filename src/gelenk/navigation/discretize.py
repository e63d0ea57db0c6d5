"""Motion models in steps of time, and the order in which sensors of many rates speak.

x_{k+1} = x_k + h_k F(x_k, u_k): the derivative is taken at the beginning of the step
(forward Euler). The error of a step is of order h², that of a second of order h.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.typing import ArrayLike, FloatArray

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
class Reading:
    """One entry of a schedule.

    Attributes:
        time: [s].
        step: h, time since the entry before [s]; 0: same instant.
        sensor: Who speaks.
    """

    time: float
    step: float
    sensor: str


def sensor_schedule(
    periods: Mapping[str, float], duration: float
) -> tuple[Reading, ...]:
    """Return who speaks when: predict over each step, then correct.

    Args:
        periods: Time between two readings of each sensor [s].
        duration: [s].

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
    plan, last = [], 0.0
    for time, _, name in calls:
        plan.append(Reading(time=time, step=time - last, sensor=name))
        last = time
    return tuple(plan)
