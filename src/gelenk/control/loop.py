"""A control loop with its elements: controller, limits, delay, disturbance, sensor.

The reference x_d meets the measurement x̃ in the controller; its output u is limited,
arrives late, and meets a disturbance at the input of the plant. A controller that does
not look at x̃ is open-loop control.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from gelenk.control.linear_system import LinearSystem, hold_input
from gelenk.errors import ConfigError
from gelenk.typing import FloatArray

Signal: TypeAlias = Callable[[float], float]
Controller: TypeAlias = Callable[[float, float, float], float]


def _nothing(time: float) -> float:
    """Return 0 at any time."""
    return 0.0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopCfg:
    """Everything of a loop but its controller; one input, one output.

    Attributes:
        plant: What is controlled.
        dt: Time between two decisions [s]; the output is held meanwhile.
        max_output: The actuator gives no more, on either side.
        delay: From decision to actuator [s], a whole multiple of `dt`.
        disturbance: Added to the input of the plant, of time [s].
        sensor_error: Added to the measured output, of time [s].
    """

    plant: LinearSystem
    dt: float
    max_output: float = float("inf")
    delay: float = 0.0
    disturbance: Signal = field(default=_nothing)
    sensor_error: Signal = field(default=_nothing)

    def __post_init__(self) -> None:
        if self.plant.B.shape[1] != 1 or self.plant.C.shape[0] != 1:
            raise ConfigError("a loop needs a plant with one input and one output")
        if not (self.dt > 0.0 and self.delay >= 0.0 and self.max_output > 0.0):
            raise ConfigError(
                "`dt` and `max_output` must be > 0, `delay` >= 0, got "
                f"{self.dt} s, {self.max_output}, {self.delay} s"
            )
        if abs(self.delay / self.dt - self.delay_steps) > 1e-6:
            raise ConfigError(
                f"delay {self.delay} s is not a whole multiple of the step {self.dt} s"
            )

    @property
    def delay_steps(self) -> int:
        """Of the delay."""
        return round(self.delay / self.dt)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopMotion:
    """What happened in a loop, one row per decision.

    Attributes:
        t: Times [s], shape (k,).
        output: x, true output of the plant, shape (k,).
        measured: x̃, shape (k,).
        command: u as decided, shape (k,).
        applied: As it reached the plant: late, limited, disturbed, shape (k,).
    """

    t: FloatArray
    output: FloatArray
    measured: FloatArray
    command: FloatArray
    applied: FloatArray


def simulate_loop(
    cfg: LoopCfg, controller: Controller, reference: Signal, *, duration: float
) -> LoopMotion:
    """Return the motion of a loop from rest.

    Args:
        cfg: Plant and elements.
        controller: u as a function of (time, reference, measured).
        reference: x_d as a function of time.
        duration: [s].

    Example:
        A constant disturbance: feedback fights it, open-loop control cannot.

        >>> lag = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])
        >>> cfg = LoopCfg(plant=lag, dt=0.01, disturbance=lambda t: 0.5)
        >>> open_loop = simulate_loop(
        ...     cfg, lambda t, x_d, x: x_d, lambda t: 1.0, duration=9.0
        ... )
        >>> closed = simulate_loop(
        ...     cfg, lambda t, x_d, x: 20 * (x_d - x) + x_d, lambda t: 1.0, duration=9.0
        ... )
        >>> print(open_loop.output[-1].round(3), closed.output[-1].round(3))
        1.5 1.024
    """
    Ad, Bd = hold_input(cfg.plant, cfg.dt)
    B, C, D = Bd[:, 0], cfg.plant.C[0], float(cfg.plant.D[0, 0])
    count = round(duration / cfg.dt) + 1
    rows = np.zeros((count, 5))
    x, applied = np.zeros(len(Ad)), 0.0
    late = deque([0.0] * cfg.delay_steps)
    for k in range(count):
        t = k * cfg.dt
        y = float(C @ x) + D * applied
        measured = y + cfg.sensor_error(t)
        u = controller(t, reference(t), measured)
        late.append(u)
        applied = min(max(late.popleft(), -cfg.max_output), cfg.max_output)
        applied += cfg.disturbance(t)
        rows[k] = t, y, measured, u, applied
        x = Ad @ x + B * applied
    t, output, measured, command, applied = rows.T
    return LoopMotion(
        t=t, output=output, measured=measured, command=command, applied=applied
    )
