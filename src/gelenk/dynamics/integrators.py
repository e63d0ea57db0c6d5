"""Integrators of (q, qd) for accelerations given as a function of time and state.

Fixed steps: semi-implicit Euler and classical Runge-Kutta. Adaptive steps:
Dormand-Prince and Radau, by SciPy. The quaternion of a floating base is integrated as
four numbers and brought back to unit length, which keeps the order of each method.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from gelenk.kinematics.configuration import (
    configuration_rate,
    integrate,
    normalized,
)
from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

State: TypeAlias = tuple[float, FloatArray, FloatArray]  # t, q, qd
Acceleration: TypeAlias = Callable[[float, FloatArray, FloatArray], FloatArray]
Event: TypeAlias = Callable[[float, FloatArray, FloatArray], float]
Outcome: TypeAlias = Literal["finished", "event", "failed"]

LARGEST = 1e100  # [m], [rad], [m/s], [rad/s]; no robot, and squares still fit a float
EVENT_TOL = 1e-12  # [s]; an event is located this well within its step


def step_euler(
    model: RobotModel, acceleration: Acceleration, state: State, h: float
) -> State:
    """Return the state one semi-implicit Euler step of `h` [s] later.

    The new velocity moves the configuration: first order, but energies stay bounded.
    """
    t, q, qd = state
    qd = qd + h * acceleration(t, q, qd)
    return t + h, integrate(model, q, qd, h), qd


def step_rk4(
    model: RobotModel, acceleration: Acceleration, state: State, h: float
) -> State:
    """Return the state one classical Runge-Kutta step of `h` [s] later."""
    t, q, qd = state
    dq, dv = [configuration_rate(model, q, qd)], [acceleration(t, q, qd)]
    for share in (0.5, 0.5, 1.0):
        q_k, qd_k = q + share * h * dq[-1], qd + share * h * dv[-1]
        dq.append(configuration_rate(model, q_k, qd_k))
        dv.append(acceleration(t + share * h, q_k, qd_k))
    q = q + h / 6.0 * (dq[0] + 2.0 * dq[1] + 2.0 * dq[2] + dq[3])
    qd = qd + h / 6.0 * (dv[0] + 2.0 * dv[1] + 2.0 * dv[2] + dv[3])
    return t + h, normalized(model, q), qd


def run_fixed(
    model: RobotModel,
    acceleration: Acceleration,
    start: State,
    times: FloatArray,
    *,
    method: Literal["euler", "rk4"],
    event: Event | None = None,
) -> tuple[list[State], Outcome, str]:
    """Return the states at `times`, one step between each two, up to an event.

    Args:
        model: Robot.
        acceleration: qdd as a function of (t, q, qd).
        start: State before the first of `times`.
        times: Rising times [s], shape (k,).
        method: Which step.
        event: Ends the run where its sign changes; the last state lies there.
    """
    step = step_euler if method == "euler" else step_rk4
    states: list[State] = []
    state = start
    for t in times:
        before = state
        state = step(model, acceleration, before, float(t) - before[0])
        if not all((np.abs(part) < LARGEST).all() for part in state[1:]):
            return states, "failed", f"the state grew beyond bounds at t = {t:.6g} s"
        if event is not None and event(*before) * event(*state) < 0.0:

            def part(h: float, before: State = before) -> State:
                return step(model, acceleration, before, h)

            states.append(_locate(event, part, before, state[0] - before[0]))
            return states, "event", f"the event occurred at t = {states[-1][0]:.6g} s"
        states.append((float(t), state[1], state[2]))
        state = states[-1]
    return states, "finished", ""


def run_adaptive(
    model: RobotModel,
    acceleration: Acceleration,
    start: State,
    times: FloatArray,
    *,
    method: Literal["rk45", "implicit"],
    tolerances: tuple[float, float],
    event: Event | None = None,
) -> tuple[list[State], Outcome, str]:
    """Return the states at `times` as `run_fixed` does, in steps that meet tolerances.

    Args:
        model: Robot.
        acceleration: qdd as a function of (t, q, qd).
        start: One state before the first of `times`.
        times: Rising times [s], shape (k,).
        method: "rk45" (Dormand-Prince) or "implicit" (Radau, for stiff problems).
        tolerances: Relative and absolute tolerance per step.
        event: Ends the run where its sign changes.
    """
    from scipy.integrate import solve_ivp

    nq = model.nq

    def rate(t: float, y: FloatArray) -> FloatArray:
        q, qd = y[:nq].copy(), y[nq:].copy()
        return np.concatenate(
            [configuration_rate(model, q, qd), acceleration(t, q, qd)]
        )

    def crossing(t: float, y: FloatArray) -> float:
        return event(t, normalized(model, y[:nq]), y[nq:]) if event else 1.0

    crossing.terminal = True  # type: ignore[attr-defined]
    result = solve_ivp(
        rate,
        (start[0], float(times[-1])),
        np.concatenate([start[1], start[2]]),
        method="RK45" if method == "rk45" else "Radau",
        t_eval=times,
        events=crossing if event else None,
        rtol=tolerances[0],
        atol=tolerances[1],
    )
    states: list[State] = [
        (float(t), normalized(model, y[:nq]), y[nq:])
        for t, y in zip(result.t, result.y.T, strict=True)
    ]
    if result.status == 1:
        t, y = float(result.t_events[0][0]), result.y_events[0][0]
        states.append((t, normalized(model, y[:nq]), y[nq:]))
        return states, "event", f"the event occurred at t = {t:.6g} s"
    if not result.success:
        return states, "failed", str(result.message)
    return states, "finished", ""


def _locate(
    event: Event, part: Callable[[float], State], before: State, h: float
) -> State:
    """Return the state of a sign change within a step of length h, by bisection."""
    sign = event(*before)
    low, high, state = 0.0, h, part(h)
    while high - low > EVENT_TOL:
        middle = 0.5 * (low + high)
        tried = part(middle)
        if sign * event(*tried) > 0.0:
            low = middle
        else:
            high, state = middle, tried
    return state
