"""Tests of muscles, soft tissue and reafference.

Oracles: virtual work, Lagrange multipliers, momentum, SciPy's integrators, the printed
values (D18).
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import gelenk
from gelenk.dynamics.muscle import (
    Muscle,
    activation_rate,
    fibre_angle,
    fibre_speed,
    force_length,
    force_velocity,
    hinge_path,
    isometric_equilibrium,
    passive_force,
    share_load,
    tendon_force,
    velocity_of_force,
)
from gelenk.dynamics.musculoskeletal import (
    Elbow,
    WobblingBody,
    bend_elbow,
    landing_force,
    split_sense,
)
from gelenk.errors import ConfigError

ARM = gelenk.load("planar2r")
BICEPS = Muscle(max_force=1000.0, fibre_length=0.1, slack_length=0.2)


@pytest.mark.capability("GR-82")
def test_muscle_curves_pass_through_the_published_points():
    assert_allclose(force_length(0.8), 0.820755, atol=5e-7)
    assert_allclose(force_velocity([-0.5, 0.1]), [0.166667, 1.25], atol=5e-7)
    assert_allclose(passive_force([0.9, 1.3]), [0.0, 0.075858], atol=5e-7)
    run = solve_ivp(
        lambda _t, a: activation_rate(a, 1.0), (0.0, 0.02), [0.0], rtol=1e-9
    )
    assert_allclose(run.y[0, -1], 0.864665, atol=5e-7)
    for activation, fibre, force in (
        (1.0, 0.092122, 969.814),
        (0.5, 0.094387, 492.281),
    ):
        found = isometric_equilibrium(BICEPS, total=0.3, activation=activation)
        assert_allclose(found, [fibre, force], rtol=6e-6)
    assert_allclose(
        hinge_path(np.pi / 2, origin=0.3, insertion=0.05),
        [0.304138, 0.049320],
        atol=5e-7,
    )


@pytest.mark.capability("GR-82")
def test_the_speed_of_a_fibre_balances_muscle_and_tendon():
    v = np.linspace(-0.95, 3.0, 40)
    assert_allclose(velocity_of_force(force_velocity(v)), v, atol=1e-9)
    h = 1e-7  # the hyperbolas meet with one slope
    left, right = force_velocity([-h, h]) - 1.0
    assert_allclose(-left, right, rtol=1e-5)
    penned = Muscle(
        max_force=800.0, fibre_length=0.08, slack_length=0.2, pennation=0.35
    )
    fibre, total, a = 0.075, 0.276, 0.6
    speed = fibre_speed(penned, fibre, total=total, activation=a)
    alpha = fibre_angle(penned, fibre)
    length = fibre / 0.08
    push = a * force_length(length) * force_velocity(speed / 0.8)
    along = 800.0 * (push + passive_force(length)) * np.cos(alpha)
    tendon = tendon_force(penned, total - fibre * np.cos(alpha))
    assert_allclose(along, tendon, rtol=1e-9)
    assert_allclose(fibre * np.sin(alpha), 0.08 * np.sin(0.35), rtol=1e-12)


@pytest.mark.capability("GR-82")
def test_lever_arms_obey_virtual_work_and_loads_are_shared_evenly():
    q, h = np.linspace(0.1, 3.0, 9), 1e-6
    ahead, back = (hinge_path(q + s, origin=0.3, insertion=0.05)[0] for s in (h, -h))

    arm = hinge_path(q, origin=0.3, insertion=0.05)[1]

    assert_allclose(arm, -(ahead - back) / (2 * h), atol=1e-8)
    # Lagrange: Σa² under one equation is least for a_i proportional to r_i F_i.
    weight = np.array([0.04 * 500, 0.02 * 800])
    a, force = share_load(10.0, [[0.04, 0.02]], strength=[500.0, 800.0])
    assert_allclose(a, 10.0 * weight / (weight @ weight), rtol=1e-6)
    assert_allclose([0.04, 0.02] @ force, 10.0, rtol=1e-6)
    with pytest.raises(ConfigError, match="cannot give"):
        share_load(1000.0, [[0.04]], strength=[500.0])


@pytest.mark.capability("GR-83")
def test_soft_tissue_takes_the_top_off_a_landing():
    body = WobblingBody()

    t, soft = landing_force(body, speed=1.0)
    _, stiff = landing_force(body, speed=1.0, rigid=True)

    assert soft.max() < 0.75 * stiff.max()
    # Momentum: what the ground gave is what the two masses got, less their weight.
    given = np.trapezoid(stiff, t)
    assert given > 70.0 * 1.0


@pytest.mark.capability("GR-83")
def test_an_excited_elbow_bends_to_where_muscle_and_weight_balance():
    elbow = Elbow()

    motion = bend_elbow(elbow, excitation=0.12, duration=9.0)

    assert motion.angle[0] == pytest.approx(0.3)
    assert motion.angle[-1] > 0.8
    assert_allclose(motion.activation[-1], 0.12, atol=1e-3)
    q = motion.angle[-1]
    total, arm = hinge_path(q, origin=elbow.origin, insertion=elbow.insertion)
    _, force = isometric_equilibrium(elbow.muscle, total=float(total), activation=0.12)
    weight = elbow.mass * 9.81 * elbow.centre * np.sin(q)
    assert_allclose(arm * force, weight, rtol=0.02)
    with pytest.raises(ConfigError, match="excitation"):
        bend_elbow(elbow, excitation=1.2, duration=1.0)


@pytest.mark.capability("GR-84")
def test_own_motion_cancels_and_a_push_is_felt():
    rng = np.random.default_rng(5)

    def predict(state, command):
        return ARM.forward_dynamics(state[:2], state[2:], command)

    for k in range(12):
        state = np.concatenate([rng.uniform(-1, 1, 2), rng.normal(size=2)])
        command = rng.normal(scale=10.0, size=2)
        push = np.array([0.0, 6.0]) if k % 3 == 0 else np.zeros(2)
        M = ARM.mass_matrix(state[:2])
        bias = ARM.inverse_dynamics(state[:2], state[2:], [0, 0])
        felt = np.linalg.solve(M, command + push - bias) + rng.normal(
            scale=0.01, size=2
        )

        split = split_sense(felt, state, command, model=predict, threshold=0.1)

        assert split.is_external == (k % 3 == 0)
        assert_allclose(M @ split.external, push, atol=0.3)
