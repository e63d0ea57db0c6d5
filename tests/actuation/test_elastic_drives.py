"""Tests of drives with springs.

Oracles: SciPy's integrator and root finder, derivatives of energies, momentum, closed
forms of harmonic motion, the printed values of the foundations (D.20).
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.optimize import root_scalar
from scipy.signal import argrelmax

from gelenk.actuation.elastic_drives import (
    SeriesDrive,
    antagonist_command,
    antagonist_torque,
    biarticular_torques,
    cyclic_demand,
    lever_torque,
    series_torque,
    stiffening_work,
    torque_loop,
    variable_impedance,
)
from gelenk.control.interaction import ImpactCfg, simulate_impact
from gelenk.errors import ConfigError

SERIES = SeriesDrive(inertia=0.01, stiffness=200.0, damping=0.1)


@pytest.mark.capability("GR-110")
def test_a_soft_joint_hits_with_its_link_only():
    hit = {"motor_mass": 2.0, "link_mass": 0.5, "wall": 1e5, "speed": 0.5}

    stiff = simulate_impact(ImpactCfg(spring=None, **hit), duration=0.02)
    soft = simulate_impact(ImpactCfg(spring=500.0, **hit), duration=0.02)

    # Energy: ½ m v² = F² / 2k of the wall.
    assert stiff.peak == pytest.approx(0.5 * np.sqrt(1e5 * 2.5), rel=0.01)
    assert soft.peak == pytest.approx(0.5 * np.sqrt(1e5 * 0.5), rel=0.02)


@pytest.mark.capability("GR-111")
def test_the_torque_loop_of_a_series_spring_follows_as_designed():
    assert series_torque(5.0, 0.0, stiffness=200.0, ratio=100.0) == pytest.approx(10.0)
    omega, k_d = torque_loop(SERIES, proportional=4.0, damping_ratio=0.7)
    assert_allclose([omega, k_d], [316.227766, 0.021636], atol=5e-7)

    def rate(_t, s):  # motor angle and speed, output locked
        tau = float(series_torque(s[0], 0.0, stiffness=200.0))
        motor = 5.0 + 4.0 * (5.0 - tau) - k_d * 200.0 * s[1]
        return [s[1], (motor - 0.1 * s[1] - tau) / 0.01]

    t = np.linspace(0.0, 0.06, 601)
    run = solve_ivp(rate, (0, 0.06), [0.0, 0.0], t_eval=t, rtol=1e-8, atol=1e-10)
    tau = 200.0 * run.y[0]
    assert tau[-1] == pytest.approx(5.0, rel=1e-3)
    overshoot = tau.max() / 5.0 - 1.0
    assert overshoot == pytest.approx(
        np.exp(-np.pi * 0.7 / np.sqrt(1 - 0.49)), rel=0.02
    )


@pytest.mark.capability("GR-111", "GR-112")
def test_springs_lower_what_a_motor_must_do():
    inertia, omega, swing = 0.5, 6.0, 0.4
    t = np.arange(256) / 256 * 2 * np.pi / omega
    q = swing * np.cos(omega * t)
    tau, period = -inertia * omega**2 * q, 2 * np.pi / omega
    best = inertia * omega**2

    rigid = cyclic_demand(q, tau, period=period)
    series = cyclic_demand(q, tau, period=period, series=2.0 * best)
    parallel = cyclic_demand(q, tau, period=period, parallel=best)

    peak = 0.5 * inertia * omega**3 * swing**2
    assert rigid.peak_power == pytest.approx(peak, rel=1e-3)
    assert series.peak_power == pytest.approx(0.5 * peak, rel=1e-3)  # θ = q / 2
    assert series.peak_torque == pytest.approx(rigid.peak_torque)
    assert parallel.peak_torque < 1e-9 * rigid.peak_torque
    # Energy put in and taken out: four times ½ I ω² A² per cycle.
    assert rigid.energy == pytest.approx(2 * inertia * omega**2 * swing**2, rel=1e-3)
    others = [
        cyclic_demand(q, tau, period=period, parallel=share * best).peak_torque
        for share in (0.8, 1.2)
    ]
    assert min(others) > 0.1 * rigid.peak_torque


@pytest.mark.capability("GR-113")
def test_position_and_stiffness_are_commanded_apart():
    for q, K in ((0.2, 100.0), (0.2, 160.0), (-0.3, 100.0)):
        motors = antagonist_command(q, 0.0, K, constant=50.0)
        rest = root_scalar(
            lambda x, m=motors: float(antagonist_torque(m, x, constant=50.0)[0]),
            bracket=(-0.45, 0.45),
        ).root
        h = 1e-6
        ahead, back = (
            antagonist_torque(motors, q + s, constant=50.0)[0] for s in (h, -h)
        )
        assert rest == pytest.approx(q, abs=1e-9)
        assert (motors[0] - motors[1]) / 2 == pytest.approx(q)
        assert -(ahead - back) / (2 * h) == pytest.approx(K, rel=1e-6)
        assert antagonist_torque(motors, q, constant=50.0)[1] == pytest.approx(K)


@pytest.mark.capability("GR-113")
def test_commands_and_levers_are_the_published_ones():
    assert_allclose(antagonist_command(0.2, 5.0, 100.0, constant=50.0), [0.75, 0.25])
    tau, K = antagonist_torque([0.75, 0.25], 0.2, constant=50.0)
    assert_allclose([tau, K], [5.0, 100.0], atol=1e-9)
    with pytest.raises(ConfigError, match="at least"):
        antagonist_command(0.0, 60.0, 100.0, constant=50.0)
    size = {"spring": 1000.0, "lever": 0.03, "arm": 0.12, "tension": 0.02}
    assert lever_torque(np.radians(20), **size) == pytest.approx(0.298296, abs=5e-7)
    h = 1e-6
    slope = (lever_torque(h, **size) - lever_torque(-h, **size)) / (2 * h)
    assert slope == pytest.approx(0.8, rel=1e-6)

    def energy(alpha):  # of the spring between the ends of lever and arm
        length = np.sqrt(0.03**2 + 0.12**2 - 2 * 0.03 * 0.12 * np.cos(alpha))
        return 0.5 * 1000.0 * (length - 0.09 + 0.02) ** 2

    exact = (energy(0.5 + h) - energy(0.5 - h)) / (2 * h)
    assert lever_torque(0.5, **size) == pytest.approx(exact, rel=1e-6)


@pytest.mark.capability("GR-114")
@pytest.mark.parametrize("zeta", [0.1, 0.3])
def test_a_joint_swings_with_the_damping_ratio_that_was_commanded(zeta):
    def rate(_t, s):
        tau, _ = variable_impedance(
            -s[0], -s[1], stiffness=80.0, inertia=0.2, damping_ratio=zeta
        )
        return [s[1], float(tau) / 0.2]

    t = np.linspace(0, 2.5, 5001)
    run = solve_ivp(rate, (0, 2.5), [1.0, 0.0], t_eval=t, rtol=1e-9, atol=1e-12)
    peaks = argrelmax(run.y[0])[0]
    decrement = np.log(run.y[0, peaks[0]] / run.y[0, peaks[1]])
    found = decrement / np.sqrt(4 * np.pi**2 + decrement**2)

    assert found == pytest.approx(zeta, rel=0.01)
    _, D = variable_impedance(
        0.0, 0.0, stiffness=80.0, inertia=0.2, damping_ratio=9.0, max_damping=3.0
    )
    assert D == 3.0
    assert stiffening_work(40.0, 0.1) == pytest.approx(
        0.5 * 120 * 0.01 - 0.5 * 80 * 0.01
    )


@pytest.mark.capability("GR-115")
def test_a_spring_over_two_joints_couples_them_as_its_energy_says():
    arms, k, slack = np.array([0.05, 0.03]), 1e4, 0.01
    q, h = np.array([-0.2, 0.1]), 1e-6

    def energy(joints):
        return 0.5 * k * max(slack - arms @ joints, 0.0) ** 2

    tau, K = biarticular_torques(q, arms=arms, stiffness=k, slack=slack)

    gradient = [(energy(q + h * e) - energy(q - h * e)) / (2 * h) for e in np.eye(2)]
    assert_allclose(tau, -np.array(gradient), rtol=1e-6)
    assert_allclose(K, k * np.array([[25e-4, 15e-4], [15e-4, 9e-4]]), rtol=1e-12)
    # Bending the knee alone moves the ankle's torque: that is the coupling.
    bent, _ = biarticular_torques(q - [0.1, 0.0], arms=arms, stiffness=k, slack=slack)
    assert bent[1] - tau[1] == pytest.approx(15.0 * 0.1)
    loose, _ = biarticular_torques([1.0, 0.0], arms=arms, stiffness=k, slack=slack)
    assert_allclose(loose, 0.0)
