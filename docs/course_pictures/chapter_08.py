"""Pictures of chapter 8: linear control, control of arms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import gelenk
from course_pictures.drawing import label
from gelenk.control.gain_schedule import design_schedule, linearize
from gelenk.control.linear_system import (
    LinearSystem,
    LoopCfg,
    feedback,
    simulate_loop,
    step_response,
)
from gelenk.control.model_based import (
    computed_torque,
    fit_gaussian_process,
    predict_gaussian_process,
)
from gelenk.control.operational_space import ToolTarget, resolved_acceleration
from gelenk.control.pd import (
    Oscillator,
    closed_loop,
    damped_pd_gains,
    free_motion,
    tracking_servo,
)
from gelenk.control.pid import (
    CascadeCfg,
    PidCfg,
    PidGains,
    PidState,
    apparent_frequency,
    cascade_start,
    cascade_step,
    pid_step,
)
from gelenk.control.tuning import (
    find_stability_limit,
    measure_step,
    p_loop_experiment,
    place_poles,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LAG = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])
THIRD = LinearSystem.from_transfer_function([1.0], [1.0, 3.0, 3.0, 1.0])
UNIT = Oscillator(mass=1.0, damping=1.0, stiffness=1.0)


def draw_loops(axes: Axes) -> None:
    """Draw a disturbance met by open-loop control and by feedback."""
    cfg = LoopCfg(plant=LAG, dt=0.02, disturbance=lambda t: 0.5 * (t > 4.0))
    for name, gain in (("open loop", 0.0), ("feedback", 20.0)):
        motion = simulate_loop(
            cfg, lambda t, r, y, k=gain: r + k * (r - y), lambda t: 1.0, duration=8.0
        )
        axes.plot(motion.t, motion.output, label=name)
    label(axes, "t [s]", "x")


def draw_regimes(axes: Axes) -> None:
    """Draw the three regimes of an oscillator."""
    t = np.linspace(0.0, 6.0, 200)
    for b, k in ((5.0, 6.0), (4.0, 4.0), (1.0, 1.0)):
        body = Oscillator(mass=1.0, damping=b, stiffness=k)
        axes.plot(t, free_motion(body, -1.0, 0.0, t)[0], label=body.regime.value)
    label(axes, "t [s]", "x [m]")


def draw_poles(axes: Axes) -> None:
    """Draw how the poles of a loop move when the gain grows."""
    for gain in np.linspace(0.0, 20.0, 60):
        poles = feedback(THIRD, gain).poles
        color = "tab:red" if poles.real.max() > 0.0 else "tab:blue"
        axes.plot(poles.real, poles.imag, ".", color=color, markersize=4)
    axes.axvline(0.0, color="grey", linewidth=0.8)
    label(axes, "Re λ [1/s]", "Im λ [1/s]")


def draw_pd(axes: Axes) -> None:
    """Draw a PD step with the printed and with the right critical damping."""
    t = np.linspace(0.0, 2.5, 200)
    for ratio, name in ((np.sqrt(0.5), "b² = 2mk (printed)"), (1.0, "b² = 4mk")):
        loop = closed_loop(UNIT, damped_pd_gains(UNIT, 16.0, float(ratio)))
        axes.plot(t, 1.0 + free_motion(loop, -1.0, 0.0, t)[0], label=name)
    label(axes, "t [s]", "x / x_d")


def _mass_path(
    law: Callable[[float, float, float], Any],
) -> tuple[np.ndarray, np.ndarray]:
    """Return times and places of a unit mass under an acceleration law."""
    h, xs, v = 2e-3, [0.0], 0.0
    for k in range(1500):
        v += h * float(law(k * h, xs[-1], v))
        xs.append(xs[-1] + h * v)
    return h * np.arange(len(xs)), np.array(xs)


def draw_partition(axes: Axes) -> None:
    """Draw a quadratic spring, cancelled and half cancelled."""
    for share in (1.0, 0.5, 0.0):

        def law(t, x, v, share=share):
            return tracking_servo(1.0 - x, -v, kp=16.0) + (share - 1.0) * 8.0 * x * x

        axes.plot(*_mass_path(law), label=f"{share:.0%} of k x² cancelled")
    label(axes, "t [s]", "x [m]")


def draw_tracking(axes: Axes) -> None:
    """Draw following a sine with and without the wanted acceleration."""
    for name, known in (("with ẍ_d", 1.0), ("without", 0.0)):

        def law(t, x, v, known=known):
            e, rate = np.sin(4 * t) - x, 4 * np.cos(4 * t) - v
            return tracking_servo(
                e, rate, kp=25.0, acceleration=-16.0 * known * np.sin(4 * t)
            )

        axes.plot(*_mass_path(law), label=name)
    t = np.linspace(0.0, 3.0, 200)
    axes.plot(t, np.sin(4 * t), "k:", label="x_d")
    label(axes, "t [s]", "x [m]")


def _pid_path(
    cfg: PidCfg, *, load: float, goal: float, drag: float, duration: float
) -> tuple[np.ndarray, np.ndarray]:
    state, x, v, xs = PidState(), 0.0, 0.0, []
    for _ in range(round(duration / cfg.dt)):
        u, state = pid_step(cfg, state, goal, x, measured_rate=v)
        v += cfg.dt * (u + load - drag * v)
        x += cfg.dt * v
        xs.append(x)
    return cfg.dt * np.arange(len(xs)), np.array(xs)


def draw_pid(axes: Axes) -> None:
    """Draw a constant load with and without an integral part."""
    for ki in (0.0, 40.0):
        cfg = PidCfg(gains=PidGains(kp=40.0, ki=ki, kv=12.0), dt=0.005)
        t, x = _pid_path(cfg, load=-8.0, goal=1.0, drag=0.0, duration=5.0)
        axes.plot(t, x, label=f"k_i = {ki:g}")
    label(axes, "t [s]", "x [m]")


def draw_windup(axes: Axes) -> None:
    """Draw a limited actuator with and without anti-windup."""
    for k in (0.0, 2.0):
        cfg = PidCfg(
            gains=PidGains(kp=4.0, ki=2.0, kv=3.0),
            dt=0.01,
            max_output=1.0,
            anti_windup=k,
        )
        t, x = _pid_path(cfg, load=0.0, goal=5.0, drag=1.0, duration=30.0)
        axes.plot(t, x, label=f"k_aw = {k:g}")
    label(axes, "t [s]", "x [m]")


def draw_cascade(axes: Axes) -> None:
    """Draw a velocity loop inside a position loop."""
    inner = PidCfg(gains=PidGains(kp=100.0, ki=1000.0), dt=1e-3)
    cfg = CascadeCfg(stages=(PidCfg(gains=PidGains(kp=15.0), dt=4e-3), inner))
    state, x, v, rows = cascade_start(cfg), 0.0, 0.0, []
    for k in range(2000):
        u, state = cascade_step(cfg, state, 1.0, (x, v))
        v += 1e-3 * (u - 50.0 * (k > 1000)) / 2.0
        x += 1e-3 * v
        rows.append((x, v, state.outputs[0]))
    x, v, wanted = np.array(rows).T
    t = 1e-3 * np.arange(len(x))
    axes.plot(t, x, label="position")
    axes.plot(t, wanted / 15.0, label="wanted velocity / 15")
    axes.plot(t, v / 15.0, label="velocity / 15")
    label(axes, "t [s]", "load after 1 s")


def draw_step_classes(axes: Axes) -> None:
    """Draw five step responses and their classes."""
    for zeta in (0.0, 0.1, 0.65, 1.0, 2.0):
        plant = LinearSystem.from_transfer_function([1.0], [1.0, 2.0 * zeta, 1.0])
        t, y = step_response(plant, dt=0.05, duration=60.0)
        kind = measure_step(t, y[:, 0]).kind
        axes.plot(t[:500], y[:500, 0], label=kind.value)
    label(axes, "t [s]", "x / x_d")


def draw_placement(axes: Axes) -> None:
    """Draw a mass with three choices of its two poles."""
    t = np.linspace(0.0, 3.0, 200)
    for pole in (-2.0, -4.0, -8.0):
        kp, kv = place_poles([[0, 1], [0, 0]], [0, 1], [pole, pole])[0]
        body = Oscillator(mass=1.0, damping=float(kv), stiffness=float(kp))
        axes.plot(t, free_motion(body, 1.0, 0.0, t)[0], label=f"poles {pole:g}")
    label(axes, "t [s]", "e [m]")


def draw_ziegler_nichols(axes: Axes) -> None:
    """Draw a loop below, at and above its stability limit."""
    run = p_loop_experiment(THIRD, dt=0.05, duration=80.0)
    limit = find_stability_limit(run, lower=1.0, upper=20.0)
    for share in (0.6, 1.0, 1.15):
        t, y = run(share * limit.gain)
        axes.plot(t[:500], y[:500], label=f"{share:g} K")
    axes.set_title(f"K = {limit.gain:.2f}, P = {limit.period:.2f} s", fontsize="small")
    label(axes, "t [s]", "x")


def draw_sampled_pid(axes: Axes) -> None:
    """Draw the same PID law at three sampling periods."""
    for dt in (0.01, 0.1, 0.25):
        cfg, state, x, ys = (
            PidCfg(gains=PidGains(kp=3.0, ki=3.0), dt=dt),
            PidState(),
            0.0,
            [],
        )
        for _ in range(round(4.0 / dt)):
            u, state = pid_step(cfg, state, 1.0, x)
            ys.append(x)
            x = np.exp(-dt) * x + (1.0 - np.exp(-dt)) * u
        axes.step(dt * np.arange(len(ys)), ys, where="post", label=f"Ts = {dt} s")
    label(axes, "t [s]", "x")


def draw_aliasing(axes: Axes) -> None:
    """Draw 9 Hz sampled at 10 Hz."""
    t, k = np.linspace(0.0, 1.0, 1000), np.arange(11) / 10.0
    seen = float(apparent_frequency(9.0, 10.0))
    axes.plot(t, np.sin(18.0 * np.pi * t), color="lightgrey", label="9 Hz")
    axes.plot(t, -np.sin(2.0 * np.pi * seen * t), label=f"appears as {seen:g} Hz")
    axes.plot(k, np.sin(18.0 * np.pi * k), "ko", markersize=4)
    label(axes, "t [s]", "")


def _pendulum(x, u):
    return [x[1], -9.81 * np.sin(x[0]) + u[0]]


def draw_linearize(axes: Axes) -> None:
    """Draw the weight of a pendulum and its linear model."""
    angle = np.linspace(-1.5, 2.5, 100)
    A, _ = linearize(_pendulum, [0.5, 0.0], [0.0])
    axes.plot(angle, -9.81 * np.sin(angle), label="pendulum")
    axes.plot(
        angle, -9.81 * np.sin(0.5) + A[1, 0] * (angle - 0.5), label="linear model"
    )
    label(axes, "θ [rad]", "θ̈ [rad/s²]")


def draw_computed_torque(axes: Axes) -> None:
    """Draw joint errors of an arm that decay each for itself."""
    arm = gelenk.load("planar2r")
    goal, q, qd, h, errors = (
        np.array([0.6, 0.9]),
        np.array([0.4, 0.6]),
        np.zeros(2),
        5e-3,
        [],
    )
    for _ in range(300):
        errors.append(goal - q)
        still = (goal, np.zeros(2), np.zeros(2))
        tau = computed_torque(arm, (q, qd), still, kp=[25.0, 100.0])
        qd = qd + h * arm.forward_dynamics(q, qd, tau)
        q = q + h * qd
    for k, name in enumerate(("K_p = 25", "K_p = 100")):
        axes.plot(h * np.arange(300), np.array(errors)[:, k], label=name)
    label(axes, "t [s]", "e [rad]")


def draw_schedule(axes: Axes) -> None:
    """Draw the gains that a pendulum needs at each angle."""
    schedule = design_schedule(
        _pendulum,
        np.linspace(0.0, np.pi, 13),
        lambda a: ([a, 0.0], 9.81 * np.sin(a)),
        poles=[-4.0, -5.0],
    )
    axes.plot(schedule.points, schedule.gains[:, 0], "o-", label="k_p")
    axes.plot(schedule.points, schedule.gains[:, 1], "o-", label="k_v")
    label(axes, "θ [rad]", "gain")


def draw_adaptive(axes: Axes) -> None:
    """Draw a Gaussian process that learns a missing torque, and how sure it is."""
    X = np.array([0.0, 0.6, 1.0, 2.0, 2.6])
    gp = fit_gaussian_process(X, 4.0 * np.cos(X), length=1.0, sigma=4.0, noise=0.1)
    x = np.linspace(-1.0, 4.0, 200)
    mean, variance = predict_gaussian_process(gp, x)
    axes.fill_between(x, mean - 2 * variance**0.5, mean + 2 * variance**0.5, alpha=0.3)
    axes.plot(x, mean, label="learned")
    axes.plot(x, 4.0 * np.cos(x), "k:", label="missing torque")
    axes.plot(X, 4.0 * np.cos(X), "k.")
    label(axes, "q [rad]", "[N m]")


def draw_tool_control(axes: Axes) -> None:
    """Draw ways of a tool that is pulled home from three sides, each straight."""
    arm = gelenk.load("planar2r")
    goal = ToolTarget(T=arm.forward([0.3, 1.2]))
    for start in ([0.2, 1.3], [0.45, 1.1], [0.3, 1.4]):
        q, qd, places = np.array(start), np.zeros(2), []
        for _ in range(250):
            places.append(arm.forward(q)[:2, 3])
            tau = resolved_acceleration(arm, (q, qd), goal, kp=25.0, rows=(0, 1))
            qd = qd + 5e-3 * arm.forward_dynamics(q, qd, tau)
            q = q + 5e-3 * qd
        axes.plot(*np.array(places).T)
    axes.plot(*goal.T[:2, 3], "ko")
    label(axes, "x [m]", "y [m]")


PICTURES = {
    "GR-171": draw_loops,
    "GR-172": draw_regimes,
    "GR-173": draw_poles,
    "GR-174": draw_pd,
    "GR-175": draw_partition,
    "GR-176": draw_tracking,
    "GR-177": draw_pid,
    "GR-178": draw_windup,
    "GR-179": draw_cascade,
    "GR-180": draw_step_classes,
    "GR-181": draw_placement,
    "GR-182": draw_ziegler_nichols,
    "GR-183": draw_sampled_pid,
    "GR-184": draw_aliasing,
    "GR-185": draw_linearize,
    "GR-186": draw_computed_torque,
    "GR-187": draw_schedule,
    "GR-188": draw_adaptive,
    "GR-189": draw_tool_control,
}
