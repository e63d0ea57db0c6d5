"""Tests of running, hopping and passive walking.

Oracles: Newton's law, energy, SciPy's splines, statistics, momentum and moments of legs,
the printed values (TV-5.17, 5.18, 5.20, 5.21, D29).
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.interpolate import CubicHermiteSpline

from gelenk.dynamics.hopping import (
    HopperCfg,
    HopState,
    LegSenses,
    attitude_torque,
    biped,
    foot_placement,
    monopod,
    next_hop_state,
    run_hopper,
    share_virtual_leg,
    thrust_length,
    trotter,
)
from gelenk.dynamics.periodic_gaits import (
    SpringMass,
    apex_map,
    find_basin,
    find_cycle,
    map_jacobian,
    run_stance,
    sensitivity_norm,
    spring_mass_energy,
    stance_rate,
    vertical_bounce,
    walker_energy,
    walker_rate,
    walker_step,
)
from gelenk.dynamics.walking import (
    capturability,
)


@pytest.mark.capability("GR-90")
def test_the_spring_mass_runner_bounces_and_runs_as_published():
    runner = SpringMass()
    assert_allclose(vertical_bounce(runner, 1.0), [0.268934, 0.113670], atol=5e-7)

    stance = run_stance(runner, [5.0, -0.5])

    assert_allclose(stance.t[-1], 0.151801, atol=5e-7)
    assert_allclose(np.degrees(stance.polar[-1, 1]), 68.332368, atol=5e-6)
    assert_allclose(stance.velocity[-1], [4.992799, 0.528798], atol=5e-6)
    length = CubicHermiteSpline(stance.t, stance.polar[:, 0], stance.polar[:, 2])
    deepest = length.derivative().roots(extrapolate=False)
    assert_allclose(length(deepest), [0.895681], atol=5e-6)
    energy = spring_mass_energy(runner, stance)
    assert_allclose(energy, 1737.653889, rtol=1e-8)
    up = run_stance(SpringMass(attack=np.pi / 2), [0.0, -1.0])
    assert_allclose(up.t[-1], 0.268934, atol=5e-6)


@pytest.mark.capability("GR-90")
def test_the_rates_of_the_runner_are_newton_s_in_the_plane():
    runner = SpringMass()
    start = np.array([0.93, 1.7, -0.7, -4.0])

    def place(polar):
        return polar[0] * np.array([np.cos(polar[1]), np.sin(polar[1])])

    rate, h = stance_rate(runner, start), 1e-4
    # Second difference of the place along the polar motion.
    ahead, back = (
        place(start[:2] + s * start[2:] + 0.5 * s * s * rate[2:]) for s in (h, -h)
    )
    acceleration = (ahead - 2 * place(start) + back) / h**2

    leg = place(start) / 0.93
    force = 20_000 * (1 - 0.93) * leg - [0, 80 * 9.81]
    assert_allclose(80 * acceleration, force, atol=0.05)
    assert_allclose(rate[:2], start[2:])


@pytest.mark.capability("GR-91")
def test_multipliers_of_the_passive_gait_are_the_published_ones():
    def step(x):
        return walker_step(x, 0.009).after

    cycle = find_cycle(step, [0.2, -0.2])

    assert cycle is not None
    expected = np.array([-0.190100 + 0.557599j, -0.190100 - 0.557599j])
    assert_allclose(
        np.sort_complex(cycle.multipliers), np.sort_complex(expected), atol=2e-6
    )
    assert cycle.is_stable
    # A disturbed walk decays as its multipliers say.
    x = cycle.state + np.array([1e-4, 0.0])
    for _ in range(8):
        x = step(x)
        assert x is not None
    assert np.linalg.norm(x - cycle.state) < 40e-4 * 0.589113**8
    near = cycle.state + np.array([[0.0, 0.0], [0.002, -0.002], [0.1, 0.1]])
    found = find_basin(step, near, cycle.state, num_steps=6, radius=0.02)
    assert found.tolist() == [True, True, False]


@pytest.mark.capability("GR-91")
def test_capture_radii_are_the_published_ones_and_the_norm_is_a_variance():
    walker = {"height": 0.8, "step_time": 0.3, "reach": 0.7}
    d = [capturability(n, **walker) for n in (0, 1, 2, None)]
    assert_allclose(d, [0.0, 0.244825, 0.330453, 0.376510], atol=5e-7)
    wide = [capturability(n, **walker, foot_radius=0.1) for n in (1, 200, None)]
    assert_allclose(wide, [0.344825, 0.476510, 0.476510], atol=5e-7)
    # Statistics: disturbed steps shake the indicator with the H2 norm.
    rng = np.random.default_rng(6)
    A, B, C = (
        np.array([[0.5, 0.3], [-0.2, 0.6]]),
        np.array([[1.0], [0.4]]),
        [[1.0, 2.0]],
    )
    x, seen = np.zeros(2), []
    for w in rng.normal(size=20_000):
        x = A @ x + B[:, 0] * w
        seen.append(x[0] + 2.0 * x[1])
    assert sensitivity_norm(A, B, C) == pytest.approx(np.std(seen), rel=0.03)
    J = map_jacobian(lambda s: np.array([s[0] * s[1], s[1] ** 2]), [0.4, 0.7])
    assert_allclose(J, [[0.7, 0.4], [0.0, 1.4]], atol=1e-9)


@pytest.mark.capability("GR-95")
def test_the_three_controllers_of_a_hopper_are_the_published_ones():
    assert foot_placement(1.2, 1.0, stance_time=0.2, gain=0.05) == pytest.approx(0.13)
    assert thrust_length(0.08, 8.0, 5000.0) == pytest.approx(0.017980, abs=5e-7)
    longer = 0.08 + thrust_length(0.08, 8.0, 5000.0)
    assert 0.5 * 5000.0 * (longer**2 - 0.08**2) == pytest.approx(8.0)
    assert attitude_torque(0.1, -0.2, stiffness=30.0, damping=5.0) == pytest.approx(
        -2.0
    )


@pytest.mark.capability("GR-95")
def test_a_hopper_keeps_height_speed_and_attitude_in_five_states():
    run = run_hopper(
        monopod(),
        speed=1.0,
        height=0.75,
        duration=5.0,
        start_height=0.68,
        start_pitch=0.15,
    )

    assert not run.fell
    assert_allclose(run.apex_heights[3:], 0.75, rtol=0.05)
    assert_allclose(run.apex_speeds[-4:], 1.0, rtol=0.05)
    assert np.abs(run.pitch[-1000:]).max() < 0.01
    trace = [s for s, _ in itertools.groupby(run.states)][1:]
    order = list(HopState)
    assert trace[: 5 * (len(trace) // 5)] == order * (len(trace) // 5)


@pytest.mark.capability("GR-95")
def test_hopping_is_ballistic_in_flight_and_falls_without_foot_placement():
    run = run_hopper(monopod(), speed=1.0, height=0.75, duration=2.0)
    t, vx = np.array(run.t), np.array(run.speed)
    flight = [k for k in range(1, len(t)) if run.stance[k - 1] == run.stance[k] == ()]
    assert np.abs(np.diff(vx))[np.array(flight) - 1].max() < 1e-12
    blind = run_hopper(HopperCfg(speed_gain=-0.1), speed=1.0, height=0.75, duration=5.0)
    assert blind.fell or abs(blind.apex_speeds[-1] - 1.0) > 0.5
    stuck = LegSenses(is_down=True, squeeze=0.1, rate=-0.5)
    assert next_hop_state(HopState.COMPRESSION, stuck) is HopState.COMPRESSION


@pytest.mark.capability("GR-96")
@pytest.mark.parametrize("robot", [biped(), trotter()], ids=["biped", "trotter"])
def test_runners_with_more_legs_run_by_virtual_legs(robot):
    run = run_hopper(robot, speed=1.5, height=0.74, duration=5.0, start_pitch=0.1)

    assert not run.fell
    assert_allclose(run.apex_heights[2:], 0.74, rtol=0.05)
    assert_allclose(run.apex_speeds[-3:], 1.5, rtol=0.06)
    groups = [s for s, _ in itertools.groupby(run.stance) if s]
    assert groups[:4] == [robot.gait[0], robot.gait[1]] * 2


@pytest.mark.capability("GR-96")
def test_legs_together_do_what_their_virtual_leg_does():
    rng = np.random.default_rng(9)
    hips, force = rng.normal(size=(4, 2)) * 0.2 + [0, 0.5], np.array([15.0, 300.0])
    feet = np.column_stack([hips[:, 0] + rng.normal(scale=0.1, size=4), np.zeros(4)])
    centre = np.array([0.03, 0.55])

    push, torque = share_virtual_leg(hips, feet, force)

    along = (hips - feet) / np.linalg.norm(hips - feet, axis=1)[:, None]
    across = np.column_stack([-along[:, 1], along[:, 0]])
    length = np.linalg.norm(hips - feet, axis=1)
    at_hip = push[:, None] * along - (torque / length)[:, None] * across
    assert_allclose(at_hip, np.tile(force / 4, (4, 1)), atol=1e-9)
    arm = hips - centre
    moment = torque.sum() + np.sum(arm[:, 0] * at_hip[:, 1] - arm[:, 1] * at_hip[:, 0])
    mean = feet.mean(axis=0) - centre
    assert moment == pytest.approx(mean[0] * force[1] - mean[1] * force[0])


@pytest.mark.capability("GR-97")
def test_the_passive_walker_walks_as_published_and_never_uphill():
    cycle = find_cycle(lambda x: walker_step(x, 0.009).after, [0.2, -0.2])
    assert cycle is not None
    assert_allclose(cycle.state, [0.2003109, -0.1998325], atol=2e-7)
    step = walker_step(cycle.state, 0.009)
    assert_allclose(step.t[-1], 3.882464, atol=2e-6)
    assert walker_step(cycle.state, -0.009).after is None
    # Energy is kept during a step; what a strike takes, the slope gives.
    energies = [walker_energy(s, 0.009) for s in step.state]
    assert_allclose(energies, energies[0], atol=1e-9)
    theta, rate = step.state[-1, :2]
    lost = 0.5 * rate**2 * (1 - np.cos(2 * theta) ** 2)
    descent = 2 * np.sin(cycle.state[0]) * np.sin(0.009)  # of the foot, along the slope
    assert_allclose(lost, descent, rtol=1e-6)


@pytest.mark.capability("GR-97")
def test_a_light_foot_swings_like_a_pendulum_on_the_moving_hip():
    theta, omega, phi, spin, slope = 0.1, -0.15, 0.25, 0.3, 0.02

    _, alpha, _, beta = walker_rate([theta, omega, phi, spin], slope)

    gravity = -np.array([-np.sin(slope), np.cos(slope)])

    def turned(angle):  # from foot to hip, and across
        return np.array([-np.sin(angle), np.cos(angle)]), np.array(
            [-np.cos(angle), -np.sin(angle)]
        )

    up, across = turned(theta)
    hip = alpha * across - omega**2 * up
    assert_allclose(across @ (hip - gravity), 0.0, atol=1e-12)  # the stance leg
    along, beside = turned(theta - phi)  # from the swinging foot to the hip
    foot = hip - ((alpha - beta) * beside - (omega - spin) ** 2 * along)
    assert_allclose(beside @ (foot - gravity), 0.0, atol=1e-12)


@pytest.mark.capability("GR-90")
def test_a_runner_returns_to_the_height_of_its_gait():
    runner = SpringMass()
    energy = 80.0 * (9.81 * 1.0 + 0.5 * 5.0**2)
    heights = [0.98]
    for _ in range(4):
        nxt = apex_map(runner, heights[-1], energy)
        if nxt is None:
            break
        heights.append(nxt)

    assert len(heights) == 5
    assert apex_map(runner, 0.5, energy) is None
