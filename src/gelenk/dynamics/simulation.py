"""Simulation of robots: the motion that forces cause, by several integrators.

The rate of the state (q, qd) is (dq/dt, M^-1 (tau - c - G - losses)) (Damken 2023
§5.4.2). "euler" is semi-implicit, first order, and keeps energies bounded; "rk4" has
fixed steps and fourth order; "rk45" chooses its steps to meet tolerances; "implicit"
does so for stiff springs and friction. The quaternion of a floating base is integrated
as four numbers and brought back to unit length, which keeps the order of each method.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gelenk.dynamics.aba import forward_dynamics
from gelenk.errors import ConfigError
from gelenk.kinematics.configuration import configuration_rate, integrate, normalized
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray

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
        method: Integration step to use.
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
        start: State at a time before the first of `times`.
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
    if result.status == 1 and result.t_events and result.y_events:
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


Integrator: TypeAlias = Literal["euler", "rk4", "rk45", "implicit"]
Torque: TypeAlias = Callable[[float, FloatArray, FloatArray], ArrayLike]
Losses: TypeAlias = Callable[[FloatArray, FloatArray], ArrayLike]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulationCfg:
    """Settings of a simulation.

    Attributes:
        duration: Simulated time [s].
        dt: Time between stored states, and step of "euler" and "rk4" [s].
        integrator: Name of the method of integration; see the module.
        control_dt: Time for which a torque is held [s], a whole multiple of `dt`; None
            asks for the torque whenever the integrator needs it.
        rtol, atol: Tolerances of "rk45" and "implicit".

    Example:
        >>> from gelenk.dynamics import SimulationCfg
        >>> cfg = SimulationCfg(duration=1.0, integrator="rk45", rtol=1e-6)
        >>> cfg.duration, cfg.dt
        (1.0, 0.001)
    """

    duration: float
    dt: float = 1e-3
    integrator: Integrator = "rk4"
    control_dt: float | None = None
    rtol: float = 1e-9
    atol: float = 1e-11

    def __post_init__(self) -> None:
        for name in ("duration", "dt", "rtol", "atol"):
            if not getattr(self, name) > 0.0:
                raise ConfigError(f"`{name}` must be > 0, got {getattr(self, name)}")
        if self.integrator not in ("euler", "rk4", "rk45", "implicit"):
            raise ConfigError(
                "`integrator` must be 'euler', 'rk4', 'rk45' or 'implicit', "
                f"got {self.integrator!r}"
            )
        if self.control_dt is not None:
            ratio = self.control_dt / self.dt
            if ratio < 0.5 or abs(ratio - round(ratio)) > 1e-9 * ratio:
                raise ConfigError(
                    f"`control_dt` {self.control_dt} s is not a whole multiple of the "
                    f"step {self.dt} s"
                )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SimulatedMotion:
    """A simulated motion.

    Attributes:
        t: Times [s], shape (k,).
        q: Configurations, shape (k, ..., nq).
        qd: Velocities, shape (k, ..., nv).
        status: "finished"; "event": it ended there, the last state lies on the event;
            "failed": the integrator could not go on, the states so far are right.
        message: Reason of the end, if not the time.

    Example:
        >>> import gelenk
        >>> from gelenk.dynamics import SimulationCfg, simulate
        >>> arm = gelenk.load("planar2r")
        >>> cfg = SimulationCfg(duration=0.01)
        >>> motion = simulate(arm, [0.1, 0.0], [0.0, 0.0], cfg=cfg)
        >>> motion.status, motion.q.shape
        ('finished', (11, 2))
    """

    t: FloatArray
    q: FloatArray
    qd: FloatArray
    status: Outcome
    message: str


def simulate(
    model: RobotModel,
    q: ArrayLike,
    qd: ArrayLike,
    *,
    cfg: SimulationCfg,
    torque: Torque | None = None,
    losses: Losses | None = None,
    event: Event | None = None,
) -> SimulatedMotion:
    """Return the motion of a robot from a state.

    Args:
        model: Robot; loops stay closed.
        q: Configuration at the start, shape (..., nq).
        qd: Velocity at the start, shape (..., nv).
        cfg: Duration, step, integrator.
        torque: Generalised forces as a function of (t, q, qd); by default none.
        losses: Friction forces as a function of (q, qd), subtracted; by default the
            model's viscous damping.
        event: Function of (t, q, qd) of one state; the motion ends where its sign
            changes.

    Raises:
        ConfigError: If a batch meets an adaptive integrator or an event.

    Example:
        >>> import numpy as np
        >>> from gelenk.dynamics import SimulationCfg, simulate
        >>> import gelenk
        >>> from gelenk.dynamics import total_energy
        >>> pendulum = gelenk.load("double_pendulum")
        >>> cfg = SimulationCfg(duration=1.0, dt=2e-3)
        >>> motion = simulate(pendulum, [1.0, 0.5], [0.0, 0.0], cfg=cfg)
        >>> energy = total_energy(pendulum, motion.q, motion.qd)
        >>> bool(np.ptp(energy) < 1e-6)  # nothing is lost [J]
        True
    """
    start = _start(model, q, qd)
    if start[1].ndim > 1 and (event or cfg.integrator in ("rk45", "implicit")):
        raise ConfigError("adaptive integrators and events take one state, not a batch")
    count = math.ceil(cfg.duration / cfg.dt - 1e-9)
    times = np.minimum(cfg.dt * np.arange(1, count + 1), cfg.duration)
    held = torque is not None and cfg.control_dt is not None
    per_hold = round((cfg.control_dt or 0.0) / cfg.dt) if held else count
    states, status, message = [start], "finished", ""
    for first in range(0, count, per_hold):
        now = states[-1]
        law = _hold(torque(*now)) if torque and held else torque
        found, status, message = _run(
            model,
            cfg,
            _acceleration(model, law, losses),
            now,
            times[first : first + per_hold],
            event,
        )
        states += found
        if status != "finished":
            break
    return SimulatedMotion(
        t=np.array([state[0] for state in states]),
        q=np.array([state[1] for state in states]),
        qd=np.array([state[2] for state in states]),
        status=status,
        message=message,
    )


def _start(model: RobotModel, q: ArrayLike, qd: ArrayLike) -> State:
    q, qd = normalized(model, q), model.check_v("qd", qd)
    batch = np.broadcast_shapes(q.shape[:-1], qd.shape[:-1])
    q = np.broadcast_to(q, (*batch, model.nq)).copy()
    return 0.0, q, np.broadcast_to(qd, (*batch, model.nv)).copy()


def _hold(value: ArrayLike) -> Torque:
    tau = np.array(value, dtype=np.float64)
    return lambda t, q, qd: tau


def _acceleration(
    model: RobotModel, torque: Torque | None, losses: Losses | None
) -> Acceleration:
    damping = np.zeros(model.nv)
    damping[model.nv - model.num_joints :] = model.damping[model.joint_ids]

    def acceleration(t: float, q: FloatArray, qd: FloatArray) -> FloatArray:
        lost = damping * qd if losses is None else np.asarray(losses(q, qd))
        tau = -lost
        if torque is not None:
            tau = tau + np.asarray(torque(t, q, qd), dtype=np.float64)
        return forward_dynamics(model, q, qd, tau)

    return acceleration


def _run(
    model: RobotModel,
    cfg: SimulationCfg,
    acceleration: Acceleration,
    start: State,
    times: FloatArray,
    event: Event | None,
) -> tuple[list[State], Outcome, str]:
    match cfg.integrator:
        case "euler" | "rk4":
            return run_fixed(
                model, acceleration, start, times, method=cfg.integrator, event=event
            )
        case "rk45" | "implicit":
            return run_adaptive(
                model,
                acceleration,
                start,
                times,
                method=cfg.integrator,
                tolerances=(cfg.rtol, cfg.atol),
                event=event,
            )
