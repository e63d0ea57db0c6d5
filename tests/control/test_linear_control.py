"""Tests of linear control laws.

Oracles: closed forms, numerical integration by SciPy, roots of polynomials, the printed
values of the foundations.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from gelenk.control.linear_system import (
    LinearSystem,
    LoopCfg,
    Stability,
    is_hurwitz,
    routh_column,
    simulate_loop,
    stability_of_poles,
)
from gelenk.control.pd import (
    Oscillator,
    PdGains,
    Regime,
    closed_loop,
    critical_pd_gains,
    damped_pd_gains,
    free_motion,
    partitioned_force,
    pd_force,
    pd_rest_offset,
    tracking_servo,
)
from gelenk.control.tuning import overshoot_from_damping
from gelenk.errors import ConfigError

LAG = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])
UNIT = Oscillator(mass=1.0, damping=1.0, stiffness=1.0)


def integrate(acceleration, x0, v0, times):
    """Return positions of ẍ = acceleration(t, x, v) by SciPy."""
    found = solve_ivp(
        lambda t, s: [s[1], acceleration(t, s[0], s[1])],
        (0.0, times[-1]),
        [x0, v0],
        t_eval=times,
        rtol=1e-10,
        atol=1e-12,
    )
    return found.y[0]


@pytest.mark.capability("GR-171")
def test_only_feedback_rejects_a_disturbance() -> None:
    """Oracle: final values 1 + d and 1 + d / (1 + K) of the lag 1/(s + 1)."""
    cfg = LoopCfg(plant=LAG, dt=0.01, disturbance=lambda t: 0.5)
    open_loop = simulate_loop(cfg, lambda t, r, y: r, lambda t: 1.0, duration=12.0)
    closed = simulate_loop(
        cfg, lambda t, r, y: r + 20.0 * (r - y), lambda t: 1.0, duration=12.0
    )
    assert open_loop.output[-1] == pytest.approx(1.5, abs=1e-4)
    assert closed.output[-1] == pytest.approx(1.0 + 0.5 / 21.0, abs=1e-9)


@pytest.mark.capability("GR-171")
def test_an_open_loop_is_the_step_response_and_stays_blind_to_its_sensor() -> None:
    cfg = LoopCfg(plant=LAG, dt=0.02, sensor_error=lambda t: 3.0 + t)
    motion = simulate_loop(cfg, lambda t, r, y: r, lambda t: 2.0, duration=3.0)
    assert_allclose(motion.output, 2.0 * (1.0 - np.exp(-motion.t)), atol=1e-12)
    assert_allclose(motion.measured - motion.output, 3.0 + motion.t, atol=1e-12)


@pytest.mark.capability("GR-171")
@pytest.mark.parametrize(("gain", "grows"), [(1.45, False), (1.70, True)])
def test_delay_and_gain_together_make_a_loop_unstable(gain, grows) -> None:
    """Oracle: ẋ = -K x(t - δ) is stable if and only if K δ < π/2."""
    integrator = LinearSystem.from_transfer_function([1.0], [1.0, 0.0])
    cfg = LoopCfg(plant=integrator, dt=0.01, delay=1.0)
    motion = simulate_loop(
        cfg, lambda t, r, y: gain * (r - y), lambda t: 1.0, duration=60.0
    )
    early = np.abs(motion.output[1000:2000] - 1.0).max()
    late = np.abs(motion.output[-1000:] - 1.0).max()
    assert (late > early) == grows


@pytest.mark.capability("GR-171")
def test_an_actuator_gives_no_more_than_its_limit_and_a_delay_is_exact() -> None:
    cfg = LoopCfg(plant=LAG, dt=0.1, max_output=1.5, delay=0.3)
    motion = simulate_loop(
        cfg, lambda t, r, y: 9.0 * (r - y), lambda t: 1.0, duration=3
    )
    assert_allclose(motion.applied[:3], 0.0)
    assert motion.applied[3] == 1.5
    with pytest.raises(ConfigError, match="whole multiple"):
        LoopCfg(plant=LAG, dt=0.1, delay=0.25)


@pytest.mark.capability("GR-172")
@pytest.mark.parametrize(
    ("b", "k", "regime", "value"),
    [
        (5.0, 6.0, Regime.OVER_DAMPED, -0.306432),
        (4.0, 4.0, Regime.CRITICAL, -0.406006),
        (1.0, 1.0, Regime.UNDER_DAMPED, -0.659700),
    ],
)
def test_three_regimes_have_their_printed_values_and_solve_the_equation(
    b, k, regime, value
) -> None:
    oscillator = Oscillator(mass=1.0, damping=b, stiffness=k)
    assert oscillator.regime is regime
    assert free_motion(oscillator, -1.0, 0.0, 1.0)[0] == pytest.approx(value, abs=1e-6)
    t = np.linspace(0.0, 5.0, 40)
    x, v = free_motion(oscillator, 0.7, -1.3, t)
    assert_allclose(
        x, integrate(lambda t, x, v: -b * v - k * x, 0.7, -1.3, t), atol=1e-8
    )
    step = 1e-5
    rate = free_motion(oscillator, 0.7, -1.3, t + step)[0]
    rate = (rate - free_motion(oscillator, 0.7, -1.3, t - step)[0]) / (2.0 * step)
    assert_allclose(v, rate, atol=1e-8)


@pytest.mark.capability("GR-173")
def test_the_sign_of_the_real_part_predicts_growth() -> None:
    rng = np.random.default_rng(3)
    seen = set()
    for m, b, k in rng.uniform([0.5, -2.0, -2.0], [2.0, 2.0, 4.0], (60, 3)):
        oscillator = Oscillator(mass=m, damping=b, stiffness=k)
        if np.abs(oscillator.poles.real).min() < 0.2:
            continue
        A = np.array([[0.0, 1.0], [-k / m, -b / m]])
        x = [(expm(A * t) @ [1.0, 0.0])[0] for t in (30.0, 40.0)]
        stable = stability_of_poles(oscillator.poles) is Stability.STABLE
        assert stable == (abs(x[1]) < abs(x[0]) < 1.0)
        seen.add(stable)
    assert seen == {True, False}
    assert stability_of_poles([1j, -1j]) is Stability.MARGINAL


@pytest.mark.capability("GR-173")
def test_routh_counts_the_roots_on_the_right_without_computing_them() -> None:
    """Oracle: roots by eigenvalues of the companion matrix."""
    rng = np.random.default_rng(4)
    answers = []
    for degree in (2, 3, 4, 5):
        for _ in range(100):
            c = np.concatenate([[1.0], rng.uniform(-0.5, 6.0, degree)])
            roots = np.roots(c)
            column = routh_column(c)
            changes = int(np.sum(np.sign(column[1:]) != np.sign(column[:-1])))
            assert changes == np.sum(roots.real > 0.0)
            assert is_hurwitz(c) == np.all(roots.real < 0.0)
            answers.append(is_hurwitz(c))
    assert 20 < sum(answers) < 380


@pytest.mark.capability("GR-174")
def test_pd_gains_for_a_stiffness_are_critical_as_printed() -> None:
    gains = critical_pd_gains(UNIT, 16.0)
    assert (gains.kp, gains.kv) == (15.0, 7.0)
    assert_allclose(closed_loop(UNIT, gains).poles, [-4.0, -4.0], atol=1e-12)


@pytest.mark.capability("GR-174")
def test_the_printed_critical_damping_of_the_course_overshoots() -> None:
    """b̂² = 2 m k̂ is ζ = 1/√2 and overshoots by 4.32 %; b̂² = 4 m k̂ does not."""
    t = np.linspace(0.0, 5.0, 4001)
    for ratio, overshoot in ((np.sqrt(0.5), 0.0432), (1.0, 0.0)):
        gains = damped_pd_gains(UNIT, 16.0, ratio)

        def law(t, x, v, gains=gains):
            held = UNIT.stiffness * 1.0  # what the set-point itself needs
            return pd_force(gains, x, v, x_d=1.0) + held - v - x

        x = integrate(law, 0.0, 0.0, t)
        assert x.max() - 1.0 == pytest.approx(overshoot, abs=1e-4)
        assert overshoot_from_damping(ratio) == pytest.approx(overshoot, abs=1e-4)


@pytest.mark.capability("GR-174")
def test_a_constant_load_leaves_the_offset_of_the_closed_loop_spring() -> None:
    gains = PdGains(kp=15.0, kv=7.0)
    x = integrate(
        lambda t, x, v: pd_force(gains, x, v) - v - x + 4.0,
        0.0,
        0.0,
        np.array([0.0, 20.0]),
    )
    assert x[-1] == pytest.approx(pd_rest_offset(UNIT, gains, 4.0), abs=1e-9)
    assert pd_rest_offset(UNIT, gains, 4.0) == 0.25


@pytest.mark.capability("GR-175")
def test_partitioned_gains_give_the_loop_of_the_plain_pd_gains() -> None:
    """k_p = 16, k_v = 8 on the cancelled plant is k_p = 15, k_v = 7 on the plain one."""
    rng = np.random.default_rng(0)
    x, v = rng.normal(size=(2, 50))
    servo = tracking_servo(-x, -v, kp=16.0)
    cancelled = partitioned_force(1.0, v + x, servo)
    assert_allclose(cancelled, pd_force(PdGains(kp=15.0, kv=7.0), x, v), atol=1e-12)


@pytest.mark.capability("GR-175")
def test_a_quadratic_spring_vanishes_and_a_wrong_model_leaves_an_error() -> None:
    """m ẍ + k x² = f: with the true k the motion is that of a critical unit mass."""
    m, k, t = 2.0, 3.0, np.linspace(0.0, 3.0, 20)

    def motion(known, x_d=0.0):
        def law(t, x, v):
            servo = tracking_servo(x_d - x, -v, kp=16.0)
            return (partitioned_force(m, known * x * x, servo) - k * x * x) / m

        return integrate(law, 1.0, 0.0, t)

    unit = Oscillator(mass=1.0, damping=8.0, stiffness=16.0)
    assert_allclose(motion(k), free_motion(unit, 1.0, 0.0, t)[0], atol=1e-8)
    # A model of half the spring rests where 16 (1 - x) = 0.75 x².
    rest = (-16.0 + np.sqrt(16.0**2 + 4.0 * 0.75 * 16.0)) / 1.5
    assert motion(0.5 * k, 1.0)[-1] == pytest.approx(rest, abs=1e-4)


@pytest.mark.capability("GR-176")
def test_the_tracking_error_decays_as_printed_whatever_the_reference() -> None:
    def reference(t):
        return (
            np.sin(3.0 * t) + t**2,
            3.0 * np.cos(3.0 * t) + 2.0 * t,
            2.0 - 9.0 * np.sin(3.0 * t),
        )

    def law(t, x, v):
        x_d, v_d, a_d = reference(t)
        return tracking_servo(x_d - x, v_d - v, kp=25.0, kv=10.0, acceleration=a_d)

    x0, v0, _ = reference(0.0)
    x = integrate(law, x0 - 0.1, v0, np.array([0.0, 0.5, 4.0]))
    assert reference(0.5)[0] - x[1] == pytest.approx(0.028730, abs=1e-6)
    assert reference(4.0)[0] - x[2] == pytest.approx(0.0, abs=1e-7)


@pytest.mark.capability("GR-176")
def test_without_feed_forward_an_accelerating_reference_is_followed_late() -> None:
    """Oracle: ë + 10 ė + 25 e = ẍ_d leaves e = ẍ_d / 25."""
    x = integrate(
        lambda t, x, v: tracking_servo(t * t - x, 2.0 * t - v, kp=25.0),
        0.0,
        0.0,
        np.array([0.0, 8.0]),
    )
    assert 64.0 - x[-1] == pytest.approx(2.0 / 25.0, abs=1e-7)
