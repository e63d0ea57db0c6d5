"""Tests of PID control, nested loops, tuning, sampling.

Oracles: scipy.signal, roots and eigenvalues, final values, the printed numbers of the
foundations.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import signal

from gelenk.control.linear_system import LinearSystem, hold_input
from gelenk.control.pid import (
    CascadeCfg,
    PidCfg,
    PidGains,
    PidState,
    apparent_frequency,
    bumpless_state,
    cascade_gains,
    cascade_start,
    cascade_step,
    check_sampling,
    is_alias_free,
    is_pid_stable,
    pid_increment,
    pid_step,
    recommended_period,
    reset_integral,
)
from gelenk.control.tuning import (
    StabilityLimit,
    StepClass,
    damping_from_overshoot,
    find_stability_limit,
    measure_step,
    overshoot_from_damping,
    p_loop_experiment,
    pid_gains_from_poles,
    place_poles,
    ziegler_nichols_gains,
)
from gelenk.errors import ConfigError

THIRD = LinearSystem.from_transfer_function([1.0], [1.0, 3.0, 3.0, 1.0])  # 1/(s+1)³


def run_mass(cfg: PidCfg, *, duration, load=0.0, reference=1.0):
    """Return the positions of a unit mass under PID control, in exact held steps."""
    state, x, v, h, xs = PidState(), 0.0, 0.0, cfg.dt, []
    for _ in range(round(duration / h)):
        u, state = pid_step(cfg, state, reference, x, measured_rate=v)
        a = u + load
        x, v = x + h * v + 0.5 * h * h * a, v + h * a
        xs.append(x)
    return np.array(xs)


@pytest.mark.capability("GR-177")
@pytest.mark.parametrize("load", [3.0, -7.0])
def test_the_integral_removes_what_a_constant_load_leaves(load) -> None:
    """Oracle: final value d / k_p without, 0 with the integral part."""
    without = PidCfg(gains=PidGains(kp=40.0, kv=12.0), dt=0.002)
    withal = PidCfg(gains=PidGains(kp=40.0, ki=40.0, kv=12.0), dt=0.002)
    assert run_mass(without, duration=6, load=load)[-1] - 1.0 == pytest.approx(
        load / 40.0, abs=1e-6
    )
    assert run_mass(withal, duration=15, load=load)[-1] - 1.0 == pytest.approx(
        0.0, abs=1e-6
    )


@pytest.mark.capability("GR-177")
def test_pid_stability_is_that_of_the_roots_and_of_the_simulated_mass() -> None:
    rng = np.random.default_rng(1)
    for kp, ki, kv, m in rng.uniform(-1.0, 10.0, (200, 4)):
        m = abs(m) + 0.1
        roots = np.roots([m, kv, kp, ki])
        assert is_pid_stable(PidGains(kp=kp, ki=ki, kv=kv), mass=m) == np.all(
            roots.real < 0
        )
    for ki, grows in ((9.0, False), (16.0, True)):  # the limit is k_p k_v = 12
        cfg = PidCfg(gains=PidGains(kp=4.0, ki=ki, kv=3.0), dt=0.002)
        x = np.abs(run_mass(cfg, duration=30) - 1.0)
        assert (x[-2000:].max() > x[2000:4000].max()) == grows


def windup(anti_windup: float) -> float:
    """Return the overshoot of the foundations' example: ẍ = -ẋ + f̃, step to 5."""
    cfg = PidCfg(
        gains=PidGains(kp=4.0, ki=2.0, kv=3.0),
        dt=1e-3,
        max_output=1.0,
        anti_windup=anti_windup,
    )
    state, x, v, top = PidState(), 0.0, 0.0, 0.0
    for _ in range(30_000):
        u, state = pid_step(cfg, state, 5.0, x, measured_rate=v)
        x, v = x + 1e-3 * v, v + 1e-3 * (u - v)
        top = max(top, x)
    return top - 5.0


@pytest.mark.capability("GR-178")
@pytest.mark.parametrize(
    ("anti_windup", "overshoot"), [(0.0, 4.240), (2.0, 0.135), (5.0, 0.121)]
)
def test_anti_windup_removes_the_printed_overshoot(anti_windup, overshoot) -> None:
    assert windup(anti_windup) == pytest.approx(overshoot, rel=0.01)


@pytest.mark.capability("GR-178")
def test_anti_windup_changes_nothing_while_the_output_is_within_its_limits() -> None:
    gains = PidGains(kp=4.0, ki=3.0, kv=3.0)
    plain = run_mass(PidCfg(gains=gains, dt=0.01), duration=5)
    guarded = run_mass(
        PidCfg(gains=gains, dt=0.01, max_output=50.0, anti_windup=9.0), duration=5
    )
    np.testing.assert_array_equal(plain, guarded)


def run_motor(use_cascade: bool) -> np.ndarray:
    """Return positions of a mass with a step of load after 1 s; tick 1 ms, outer 4 ms."""
    outer_gains, inner_gains = cascade_gains(2.0, 15.0, ratio=5.0)
    inner_gains = PidGains(kp=inner_gains.kp, ki=inner_gains.kp * 20.0)
    h, x, v, xs = 1e-3, 0.0, 0.0, []
    if use_cascade:
        cfg = CascadeCfg(
            stages=(
                PidCfg(gains=outer_gains, dt=4 * h),
                PidCfg(gains=inner_gains, dt=h),
            )
        )
        state = cascade_start(cfg)
    single = PidCfg(gains=PidGains(kp=2.0 * 15.0**2, kv=2.0 * 30.0), dt=4 * h)
    pid, u = PidState(), 0.0
    for k in range(3000):
        if use_cascade:
            u, state = cascade_step(cfg, state, 1.0, (x, v))
        elif k % 4 == 0:
            u, pid = pid_step(single, pid, 1.0, x, measured_rate=v)
        a = (u - (50.0 if k > 1500 else 0.0)) / 2.0
        x, v = x + h * v + 0.5 * h * h * a, v + h * a
        xs.append(x)
    return np.array(xs)


@pytest.mark.capability("GR-179")
def test_nested_loops_reject_a_load_better_than_one_loop_of_the_same_bandwidth() -> (
    None
):
    nested, single = run_motor(True), run_motor(False)
    assert abs(nested[1500] - 1.0) < 1e-3
    assert abs(single[1500] - 1.0) < 1e-3
    dip = np.abs(nested[1500:] - 1.0).max()
    assert dip < 0.5 * np.abs(single[1500:] - 1.0).max()
    # The single loop keeps load / k_p; the inner integral removes it.
    assert single[-1] - 1.0 == pytest.approx(-50.0 / 450.0, abs=1e-4)
    assert nested[-1] == pytest.approx(1.0, abs=1e-4)


@pytest.mark.capability("GR-179")
def test_an_outer_loop_decides_at_its_own_rate_and_holds_between() -> None:
    outer = PidCfg(gains=PidGains(kp=2.0), dt=0.004)
    inner = PidCfg(gains=PidGains(kp=1.0), dt=0.001)
    cfg = CascadeCfg(stages=(outer, inner))
    state, held = cascade_start(cfg), []
    for k in range(8):
        _, state = cascade_step(cfg, state, float(k), (0.0, 0.0))
        held.append(state.outputs[0])
    assert held == [0.0, 0.0, 0.0, 0.0, 8.0, 8.0, 8.0, 8.0]
    with pytest.raises(ConfigError, match="whole multiple"):
        CascadeCfg(stages=(inner, outer))
    with pytest.raises(ConfigError, match="ratio"):
        cascade_gains(1.0, 1.0, ratio=2.0)


def second_order(zeta: float, t: np.ndarray) -> np.ndarray:
    return signal.step(([1.0], [1.0, 2.0 * zeta, 1.0]), T=t)[1]


@pytest.mark.capability("GR-180")
@pytest.mark.parametrize(
    ("zeta", "kind"),
    [
        (0.0, StepClass.HUNTING),
        (0.1, StepClass.RINGING),
        (0.65, StepClass.OVERSHOOT),
        (1.0, StepClass.CRITICAL),
        (2.0, StepClass.OVER_DAMPED),
    ],
)
@pytest.mark.parametrize("final", [1.0, -3.0])
def test_five_responses_get_their_five_classes(zeta, kind, final) -> None:
    t = np.linspace(0.0, 80.0, 8001)
    assert measure_step(t, final * second_order(zeta, t), final=final).kind is kind


@pytest.mark.capability("GR-180")
def test_rise_settling_and_overshoot_are_those_of_the_closed_form() -> None:
    """Oracle: overshoot e^{-πζ/√(1-ζ²)}; last crossing of the band by root finding."""
    t = np.linspace(0.0, 40.0, 8001)
    for zeta in (0.2, 0.5, 0.707):
        metrics = measure_step(t, second_order(zeta, t))
        assert metrics.overshoot == pytest.approx(
            overshoot_from_damping(zeta), abs=1e-5
        )
        assert damping_from_overshoot(metrics.overshoot) == pytest.approx(
            zeta, abs=1e-4
        )
        wd = np.sqrt(1.0 - zeta**2)
        fine = np.linspace(0.0, 40.0, 400_001)
        y = 1.0 - np.exp(-zeta * fine) * (
            np.cos(wd * fine) + zeta / wd * np.sin(wd * fine)
        )
        wrong = np.abs(y - 1.0) > 0.02
        assert metrics.settling_time == pytest.approx(fine[wrong][-1], abs=6e-3)
        assert metrics.rise_time == pytest.approx(fine[~wrong][0], abs=6e-3)


@pytest.mark.capability("GR-181")
def test_wanted_poles_are_attained_and_the_gains_are_those_of_scipy() -> None:
    rng = np.random.default_rng(2)
    for n in (2, 3, 4):
        A, B = rng.normal(size=(n, n)), rng.normal(size=(n, 1))
        poles = -rng.uniform(1.0, 5.0, n).astype(complex)
        poles[:2] = [-2.0 + 3.0j, -2.0 - 3.0j]
        K = place_poles(A, B, poles)
        assert_allclose(
            np.sort_complex(np.linalg.eigvals(A - B @ K)),
            np.sort_complex(poles),
            atol=1e-6,
        )
        expected = signal.place_poles(A, B, poles).gain_matrix
        assert_allclose(K, expected, rtol=1e-6)
    with pytest.raises(ConfigError, match="reach"):
        place_poles(np.eye(2), [1.0, 1.0], [-1.0, -2.0])


@pytest.mark.capability("GR-181")
@pytest.mark.parametrize("poles", [[-3.0, -4.0 + 2.0j, -4.0 - 2.0j], [-5.0, -6.0]])
def test_pid_gains_from_poles_are_read_back_as_eigenvalues(poles) -> None:
    m, b, k = 2.0, 0.7, 3.0
    g = pid_gains_from_poles(poles, mass=m, damping=b, stiffness=k)
    A = np.array([[0, 1, 0], [0, 0, 1], [-g.ki / m, -(k + g.kp) / m, -(b + g.kv) / m]])
    A = A if len(poles) == 3 else A[1:, 1:]
    assert_allclose(
        np.sort_complex(np.linalg.eigvals(A)), np.sort_complex(poles), atol=1e-8
    )


@pytest.mark.capability("GR-182")
def test_the_experiment_finds_the_printed_limit_and_gains() -> None:
    """Oracle: 1/(s+1)³ has phase -180° at ω = √3, where its gain is 1/8."""
    run = p_loop_experiment(THIRD, dt=0.01, duration=100.0)
    limit = find_stability_limit(run, lower=0.5, upper=50.0)
    assert limit.gain == pytest.approx(8.0, rel=2e-3)
    assert limit.period == pytest.approx(2.0 * np.pi / np.sqrt(3.0), rel=1e-3)
    exact = StabilityLimit(gain=8.0, period=3.627599)
    pi, pid = ziegler_nichols_gains(exact, "PI"), ziegler_nichols_gains(exact)
    assert_allclose([pi.kp, pi.ki], [3.6, 1.190870], atol=1e-6)
    assert_allclose([pid.kp, pid.ki, pid.kv], [4.8, 2.646379, 2.176559], atol=1e-6)
    assert ziegler_nichols_gains(exact, "P").kp == 4.0
    with pytest.raises(ConfigError, match="swing up"):
        find_stability_limit(run, lower=0.5, upper=4.0)


def step_of_third(gains: PidGains, duration: float) -> tuple[np.ndarray, np.ndarray]:
    cfg = PidCfg(gains=gains, dt=1e-3, derivative="measurement")
    Ad, Bd = hold_input(THIRD, 1e-3)
    x, state, ys = np.zeros(3), PidState(), []
    B, C = Bd[:, 0], THIRD.C[0]
    for _ in range(round(duration / 1e-3)):
        y = float(C @ x)
        u, state = pid_step(cfg, state, 1.0, y)
        ys.append(y)
        x = Ad @ x + B * u
    return 1e-3 * np.arange(len(ys)), np.array(ys)


@pytest.mark.capability("GR-182")
@pytest.mark.parametrize(
    ("gains", "overshoot", "settling"),
    [
        (PidGains(kp=4.8, ki=2.646379, kv=2.176559), 0.526, 9.91),
        (PidGains(kp=4.8, ki=2 / 3.627599, kv=3.627599 / 8), None, 22.5),
    ],
)
def test_the_tuned_loop_behaves_as_printed_and_the_literal_table_does_not(
    gains, overshoot, settling
) -> None:
    metrics = measure_step(*step_of_third(gains, 26.0))
    if overshoot:
        assert metrics.overshoot == pytest.approx(overshoot, abs=2e-3)
    assert metrics.settling_time == pytest.approx(settling, rel=0.005)


@pytest.mark.capability("GR-183")
def test_a_sampled_pid_gives_the_printed_outputs() -> None:
    cfg = PidCfg(gains=PidGains(kp=2.0, ki=0.5, kv=1.0), dt=1.0)
    state, out = PidState(), []
    for error in (1.0, 0.5, 0.2):
        u, state = pid_step(cfg, state, error, 0.0)
        out.append(u)
    assert_allclose(out, [2.5, 1.25, 0.95], atol=1e-12)
    assert reset_integral(state).integral == 0.0


@pytest.mark.capability("GR-183")
@pytest.mark.parametrize("integral", ["rectangle", "trapezoid"])
@pytest.mark.parametrize("filter_time", [0.0, 0.03])
@pytest.mark.parametrize("dt", [0.1, 0.02])
def test_a_sampled_pid_is_the_sum_of_three_digital_filters(
    integral, filter_time, dt
) -> None:
    """Oracle: scipy.signal.lfilter of k_p, k_i Ts z/(z-1), k_v (1 - z⁻¹)/Ts with a lag."""
    e = np.concatenate([[0.0], np.random.default_rng(5).normal(size=60)])
    cfg = PidCfg(
        gains=PidGains(kp=2.0, ki=0.7, kv=0.3),
        dt=dt,
        integral=integral,
        filter_time=filter_time,
    )
    state, out = PidState(), []
    for error in e:
        u, state = pid_step(cfg, state, error, 0.0)
        out.append(u)
    share = dt / (filter_time + dt)
    sums = [1.0] if integral == "rectangle" else [0.5, 0.5]
    expected = 2.0 * e + 0.7 * dt * signal.lfilter(sums, [1.0, -1.0], e)
    expected += 0.3 / dt * share * signal.lfilter([1.0, -1.0], [1.0, share - 1.0], e)
    assert_allclose(out, expected, atol=1e-11)


@pytest.mark.capability("GR-183")
def test_the_velocity_form_sums_up_to_the_position_form() -> None:
    gains, dt = PidGains(kp=2.0, ki=0.7, kv=0.3), 0.05
    e = np.concatenate([[0.0, 0.0], np.random.default_rng(6).normal(size=30)])
    cfg, state, out = PidCfg(gains=gains, dt=dt), PidState(), []
    for error in e:
        u, state = pid_step(cfg, state, error, 0.0)
        out.append(u)
    steps = [
        pid_increment(gains, dt, (e[k], e[k - 1], e[k - 2])) for k in range(2, len(e))
    ]
    assert_allclose(np.cumsum(steps), out[2:], atol=1e-11)


@pytest.mark.capability("GR-183")
def test_derivatives_of_the_measurement_give_no_kick_and_a_hand_over_no_bump() -> None:
    gains = PidGains(kp=2.0, ki=0.7, kv=0.3)
    for derivative, jump in (
        ("error", 2.0 + 0.7 * 0.01 + 30.0),
        ("measurement", 2.007),
    ):
        cfg = PidCfg(gains=gains, dt=0.01, derivative=derivative)
        _, state = pid_step(cfg, PidState(), 0.0, 0.0)
        assert pid_step(cfg, state, 1.0, 0.0)[0] == pytest.approx(jump)
        state = bumpless_state(cfg, -5.0, 1.0, 0.3)
        assert pid_step(cfg, state, 1.0, 0.3)[0] == pytest.approx(-5.0, abs=1e-12)


@pytest.mark.capability("GR-184")
def test_a_sampled_sine_appears_where_its_spectrum_says() -> None:
    """Oracle: the peak of the FFT of 10 s of samples at 10 Hz."""
    k = np.arange(100)
    for f in (1.0, 2.3, 4.9, 5.6, 9.0, 11.7, 23.0):
        spectrum = np.abs(np.fft.rfft(np.sin(2.0 * np.pi * f * k / 10.0 + 0.4)))
        assert apparent_frequency(f, 10.0) == pytest.approx(np.argmax(spectrum) / 10.0)
        assert is_alias_free(f, 10.0) == (f < 5.0)
    assert apparent_frequency(9.0, 10.0) == 1.0


@pytest.mark.capability("GR-184")
def test_the_guard_names_the_rate_that_is_needed() -> None:
    assert recommended_period(0.5) == (0.05, 0.1)
    check_sampling(100.0, highest=20.0, rise_time=0.1)
    with pytest.raises(
        ConfigError, match=r"9 Hz would appear at 1 Hz.*more than 50 Hz"
    ):
        check_sampling(10.0, highest=9, rise_time=0.1)
    with pytest.raises(ConfigError, match="too slow"):
        check_sampling(20.0, highest=1.0, rise_time=0.1)


@pytest.mark.capability("GR-184")
def test_a_fifth_of_the_rise_time_is_enough_and_the_whole_of_it_is_not() -> None:
    """A lag under PI control, sampled: overshoot against that of fast sampling."""
    lag = LinearSystem.from_transfer_function([1.0], [1.0, 1.0])

    def overshoot(dt: float) -> float:
        Ad, Bd = hold_input(lag, dt)
        cfg, state, x, ys = (
            PidCfg(gains=PidGains(kp=8.0, ki=16.0), dt=dt),
            PidState(),
            0.0,
            [],
        )
        for _ in range(round(4.0 / dt)):
            u, state = pid_step(cfg, state, 1.0, x)
            x = float(Ad[0, 0] * x + Bd[0, 0] * u)
            ys.append(x)
        return max(ys) - 1.0

    rise = 0.3  # [s], at 0.5 ms sampling
    assert abs(overshoot(rise / 5.0) - overshoot(5e-4)) < 0.01
    assert overshoot(rise) > 1.0
