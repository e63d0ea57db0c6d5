"""Tests of friction in motion, elastic joints and links.

Oracles: energy, SciPy's integrators, sympy's derivatives, finite elements, the printed
values (TV-5.13, 5.23, D19).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

import gelenk
from gelenk.dynamics.elastic_joints import (
    ElasticJoints,
    PowerSpring,
    SpringType,
    elastic_forward_dynamics,
    elastic_inverse_dynamics,
    extended_inertia,
    spring_stiffness,
    spring_type,
)
from gelenk.dynamics.elastic_links import (
    Beam,
    modal_response,
    mode_constants,
    mode_shape,
    natural_frequencies,
    round_rod,
    segment_deflection,
    thermal_growth,
    tip_deflection,
    virtual_spring,
)
from gelenk.dynamics.equation_terms import total_energy
from gelenk.dynamics.friction import (
    JointFriction,
    forward_dynamics_with_friction,
    inverse_dynamics_with_friction,
    sliding_friction,
    sticking_friction,
)
from gelenk.dynamics.muscle import (
    Muscle,
)
from gelenk.errors import ConfigError
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link

ARM = gelenk.load("planar2r")
STATE = np.radians([30.0, 45.0])
ROD = round_rod(length=0.5, radius=0.01, youngs_modulus=70e9, density=2700.0)
BICEPS = Muscle(max_force=1000.0, fibre_length=0.1, slack_length=0.2)


def one_link() -> Any:
    """Return one link with I = 0.5 about its axis and m g l = 4.905."""
    links = [
        Link(name="base"),
        Link(
            name="link",
            parent="base",
            joint_type=JointType.REVOLUTE,
            mass=1.0,
            com=(0.5, 0.0, 0.0),
            inertia=np.diag([0.25, 0.25, 0.25]),
        ),
    ]
    return assemble("one", links, gravity=(0.0, -9.81, 0.0))


@pytest.mark.capability("GR-75")
def test_friction_adds_to_the_torques_of_a_motion():
    friction = JointFriction(coulomb=[1.0, 0.5], viscous=[0.2, 0.1])
    qd, qdd = [[0.4, -0.7], [0.0, 2.0]], [[1.0, 2.0], [0.3, 0.1]]
    q = [STATE, STATE + 1.0]

    rough = inverse_dynamics_with_friction(ARM, q, qd, qdd, friction=friction)

    expected = [[1.08, -0.57], [0.0, 0.7]]
    assert_allclose(rough - ARM.inverse_dynamics(q, qd, qdd), expected, atol=1e-10)
    motion = forward_dynamics_with_friction(
        ARM, q[0], qd[0], rough[0], friction=friction
    )
    assert_allclose(motion.qdd, qdd[0], atol=1e-9)


@pytest.mark.capability("GR-75")
def test_friction_only_takes_energy_until_the_arm_hangs_still():
    friction = JointFriction(
        coulomb=[4.0, 1.5], viscous=[6.0, 3.0], static=[6.0, 2.0], rest_speed=2e-3
    )
    q, qd, h, energies = np.array([0.5, 0.2]), np.zeros(2), 3e-3, []
    is_stuck = np.zeros(2, dtype=bool)
    for _ in range(1800):
        motion = forward_dynamics_with_friction(
            ARM, q, qd, np.zeros(2), friction=friction
        )
        after = qd + h * motion.qdd
        # A joint that would change its direction within a step rests first (Karnopp).
        qd = np.where((qd * after < 0.0) | motion.is_stuck, 0.0, after)
        q, is_stuck = q + h * qd, motion.is_stuck
        energies.append(float(total_energy(ARM, q, qd)))

    assert max(np.diff(energies)) < 0.01  # of 60 J, by the steps
    assert energies[-1] < energies[0] - 40.0
    assert is_stuck.all()
    assert (np.abs(ARM.inverse_dynamics(q, [0, 0], [0, 0])) < [6.0, 2.0]).all()


@pytest.mark.capability("GR-287")
def test_stuck_joints_are_found_together_as_in_the_published_example():
    friction = JointFriction(coulomb=[5.0, 1.0], static=[5.0, 1.0])
    weight = ARM.inverse_dynamics(STATE, [0, 0], [0, 0])

    one = forward_dynamics_with_friction(
        ARM, STATE, [0, 0], weight + np.array([6.0, 0.0]), friction=friction
    )
    none = forward_dynamics_with_friction(
        ARM, STATE, [0, 0], weight + np.array([3.0, 0.5]), friction=friction
    )

    assert_allclose(one.friction, [5.0, -0.293733], atol=5e-7)
    assert_allclose(one.qdd, [0.162415, 0.0], atol=5e-7)
    assert_allclose(none.friction, [3.0, 0.5], atol=1e-9)
    assert none.is_stuck.all()


@pytest.mark.capability("GR-73")
def test_a_mass_on_a_slow_belt_sticks_and_slips_only_with_static_friction():
    belt, k, h = 0.1, 10.0, 4e-3

    def span(static):
        x, v, places = 0.0, belt, []
        for _ in range(4000):
            pull = -k * x - 0.5 * (v - belt)
            slip = 0.0 if abs(v - belt) < 1e-9 else v - belt
            friction = sticking_friction(slip, pull, static=static, coulomb=1.0)
            after = v + h * float(pull - friction)
            v = belt if slip * (after - belt) < 0.0 else after
            x += h * v
            places.append(x)
        return np.ptp(places[2000:])

    assert span(1.5) > 0.05
    assert span(1.0) < 0.01


@pytest.mark.capability("GR-77")
@pytest.mark.parametrize(
    ("exponent", "expected"),
    [
        (1.0, SpringType.LINEAR),
        (2.0, SpringType.PROGRESSIVE),
        (0.5, SpringType.DEGRESSIVE),
    ],
)
def test_stiffness_stays_rises_or_falls_with_deflection(exponent, expected):
    spring = PowerSpring(stiffness=100.0, exponent=exponent, scale=0.1)

    c = spring_stiffness(spring.force, [0.02, 0.05, 0.2])

    exact = 100.0 * exponent * (np.array([0.02, 0.05, 0.2]) / 0.1) ** (exponent - 1.0)
    assert_allclose(c, exact, rtol=1e-6)
    assert spring_type(spring.force, low=0.01, high=0.3) is expected
    assert spring_type(np.sin, low=0.1, high=6.0) is SpringType.MIXED


@pytest.mark.capability("GR-78")
def test_an_elastic_joint_swings_at_the_published_frequency():
    joints = ElasticJoints(stiffness=100.0, rotor_inertia=0.01)
    links = [
        Link(name="base"),
        Link(
            name="link",
            parent="base",
            joint_type=JointType.REVOLUTE,
            mass=1.0,
            inertia=0.5 * np.eye(3),
        ),
    ]
    model = assemble("free", links, gravity=(0.0, 0.0, 0.0))

    def rate(_t, x):
        q, theta, qd, thetad = x
        acc = elastic_forward_dynamics(
            model, joints, ([q], [theta], [qd], [thetad]), [0.0]
        )
        return [qd, thetad, acc[0][0], acc[1][0]]

    columns = [rate(0.0, unit) for unit in np.eye(4)]
    frequency = np.abs(np.linalg.eigvals(np.array(columns).T).imag).max()

    assert_allclose(frequency, 100.995049, atol=1e-6)


@pytest.mark.capability("GR-78")
def test_very_stiff_joints_move_like_a_rigid_arm_with_heavier_rotors():
    joints = ElasticJoints(stiffness=[3e6, 3e6], rotor_inertia=[0.3, 0.2], damping=2e3)
    tau, qd = np.array([40.0, 5.0]), np.array([0.3, -0.2])
    M = ARM.mass_matrix(STATE) + np.diag([0.3, 0.2])
    bias = ARM.inverse_dynamics(STATE, qd, [0, 0])
    rigid = np.linalg.solve(M, tau - bias)
    # The springs settle within milliseconds; start them where they will be.
    squeeze = (ARM.mass_matrix(STATE) @ rigid + bias) / 3e6

    link, motor = elastic_forward_dynamics(
        ARM, joints, (STATE, STATE + squeeze, qd, qd), tau
    )

    assert_allclose(link, rigid, atol=1e-6)
    assert_allclose(motor, rigid, atol=1e-6)


@pytest.mark.capability("GR-79")
def test_the_published_elastic_torque_is_found():
    t = 0.4
    motion = [
        [0.3 * 2.0**k * np.sin(2 * t + k * np.pi / 2)] for k in range(5)
    ]  # derivatives of 0.3 sin 2t
    joints = ElasticJoints(stiffness=100.0, rotor_inertia=0.01)

    drive = elastic_inverse_dynamics(one_link(), joints, motion)

    assert_allclose(drive.spring_torque, [4.361439], atol=5e-7)
    assert_allclose(drive.motor_acceleration, [-0.842967], atol=5e-7)
    assert_allclose(drive.motor_torque, [4.353009], atol=5e-7)
    assert_allclose(drive.motor_angle, [0.258821], atol=5e-7)
    s = sympy.Symbol("t")
    q = 0.3 * sympy.sin(2 * s)
    tau = 0.5 * sympy.diff(q, s, 2) + 4.905 * sympy.cos(q)
    exact = float(sympy.diff(tau, s, 2).subs(s, t))
    found = 100.0 * (drive.motor_acceleration - motion[2][0])
    assert_allclose(found, [exact], rtol=1e-9)
    assert_allclose(exact, 1.785989, atol=5e-7)


@pytest.mark.capability("GR-79")
def test_motor_torques_of_a_smooth_motion_reproduce_it_through_the_springs():
    joints = ElasticJoints(stiffness=[400.0, 200.0], rotor_inertia=[0.2, 0.1])
    amplitude, rates = np.array([0.4, -0.5]), np.array([3.0, 4.0])

    def motion(t):
        rows = [
            amplitude * rates**k * np.sin(rates * t + k * np.pi / 2) for k in range(5)
        ]
        return np.array(rows)

    def rate(t, x):
        tau = elastic_inverse_dynamics(ARM, joints, motion(t)).motor_torque
        parts = tuple(x.reshape(4, 2))
        acc = elastic_forward_dynamics(ARM, joints, parts, tau)
        return np.concatenate([x[4:], *acc])

    start = elastic_inverse_dynamics(ARM, joints, motion(0.0))
    ahead = elastic_inverse_dynamics(ARM, joints, motion(1e-5))
    back = elastic_inverse_dynamics(ARM, joints, motion(-1e-5))
    speed = (ahead.motor_angle - back.motor_angle) / 2e-5
    x0 = np.concatenate([motion(0.0)[0], start.motor_angle, motion(0.0)[1], speed])
    run = solve_ivp(rate, (0.0, 0.5), x0, rtol=1e-7, atol=1e-9)

    assert_allclose(run.y[:2, -1], motion(0.5)[0], atol=1e-5)
    damped = ElasticJoints(stiffness=1.0, rotor_inertia=1.0, damping=1.0)
    with pytest.raises(ConfigError, match="damping"):
        elastic_inverse_dynamics(ARM, damped, motion(0.0))


@pytest.mark.capability("GR-81")
def test_the_extended_inertia_is_that_of_the_energy_of_links_and_rotors():
    S = np.array([[0.0, 0.04], [0.0, 0.0]])  # rotor 2 rides on link 1
    coupled = ElasticJoints(stiffness=1e3, rotor_inertia=[0.2, 0.1], coupling=S)
    free = ElasticJoints(stiffness=1e3, rotor_inertia=[0.2, 0.1])

    M = extended_inertia(ARM, coupled, STATE)
    block = extended_inertia(ARM, free, STATE)

    assert_allclose(M, M.T, atol=1e-14)
    assert np.linalg.eigvalsh(M).min() > 0.0
    assert_allclose(block[:2, 2:], 0.0)
    assert_allclose(block[:2, :2], ARM.mass_matrix(STATE), atol=1e-12)
    # Work of the torques equals the change of kinetic plus spring energy.
    state = (STATE, STATE + 0.02, np.array([0.3, 0.1]), np.array([-0.2, 0.4]))
    tau = np.array([3.0, -2.0])
    acc = np.concatenate(elastic_forward_dynamics(ARM, coupled, state, tau))
    rate = np.concatenate(state[2:])
    h = 1e-6

    def energy(s):
        v = np.concatenate(s[2:])
        kinetic = 0.5 * v @ extended_inertia(ARM, coupled, s[0]) @ v
        still = float(total_energy(ARM, s[0], [0.0, 0.0]))
        return kinetic + still + 0.5 * 1e3 * np.sum((s[1] - s[0]) ** 2)

    def moved(sign):
        v = rate + sign * h * acc
        return (
            state[0] + sign * h * rate[:2],
            state[1] + sign * h * rate[2:],
            v[:2],
            v[2:],
        )

    power = (energy(moved(1)) - energy(moved(-1))) / (2 * h)
    assert_allclose(power, tau @ state[3], rtol=1e-6)


@pytest.mark.capability("GR-80")
def test_a_rod_bends_and_swings_as_published():
    assert_allclose(ROD.bending_stiffness, 549.778714, atol=5e-7)
    assert_allclose(1e3 * tip_deflection(ROD, force=10.0), 0.757881, atol=5e-7)
    assert_allclose(virtual_spring(ROD), 3298.672286, atol=5e-7)
    hertz = natural_frequencies(ROD, 2) / (2 * np.pi)
    assert_allclose(hertz, [56.985980, 357.125038], atol=5e-6)
    assert_allclose(mode_constants(3), [1.875104, 4.694091, 7.854757], atol=5e-7)


@pytest.mark.capability("GR-80")
def test_the_deflection_solves_the_equation_of_the_beam():
    EI, L = ROD.bending_stiffness, ROD.length
    weight = ROD.density * ROD.area * 9.81 * np.cos(0.4)

    def rate(_x, y):  # deflection, slope, moment / EI, shear / EI
        return [y[1], y[2], y[3], weight / EI]

    # At the tip the moment is 2 N m and the shear carries 10 N.
    run = solve_ivp(
        rate,
        (0.0, L),
        [0, 0, (10 * L + 2 + weight * L**2 / 2) / EI, -(10 + weight * L) / EI],
        rtol=1e-10,
        atol=1e-14,
    )

    found = tip_deflection(ROD, force=10.0, moment=2.0, elevation=0.4)
    assert_allclose(found, run.y[0, -1], rtol=1e-7)
    warm = Beam(
        length=2.0,
        youngs_modulus=1.0,
        area_moment=1.0,
        area=1.0,
        density=1.0,
        expansion=23e-6,
    )
    assert_allclose(thermal_growth(warm, 10.0), 4.6e-4)


@pytest.mark.capability("GR-80")
def test_springs_and_modes_approach_the_beam():
    exact = tip_deflection(ROD, force=10.0)
    errors = [
        abs(segment_deflection(ROD, n, force=10.0)[-1] - exact) for n in (5, 10, 20)
    ]
    assert errors[2] < 0.07 * errors[0]
    assert_allclose(errors[0] / errors[1], 4.0, rtol=0.05)
    # Finite elements of another kind: cubic beams, consistent masses.
    n = 12
    h = ROD.length / n
    stiff = np.array(
        [
            [12, 6 * h, -12, 6 * h],
            [6 * h, 4 * h * h, -6 * h, 2 * h * h],
            [-12, -6 * h, 12, -6 * h],
            [6 * h, 2 * h * h, -6 * h, 4 * h * h],
        ]
    )
    mass = np.array(
        [
            [156, 22 * h, 54, -13 * h],
            [22 * h, 4 * h * h, 13 * h, -3 * h * h],
            [54, 13 * h, 156, -22 * h],
            [-13 * h, -3 * h * h, -22 * h, 4 * h * h],
        ]
    )
    K, M = np.zeros((2, 2 * n + 2, 2 * n + 2))
    for e in range(n):
        place = slice(2 * e, 2 * e + 4)
        K[place, place] += ROD.bending_stiffness / h**3 * stiff
        M[place, place] += ROD.density * ROD.area * h / 420 * mass
    values = eigh(K[2:, 2:], M[2:, 2:], eigvals_only=True)[:3]
    assert_allclose(natural_frequencies(ROD, 3), np.sqrt(values), rtol=3e-4)
    x = np.linspace(0, ROD.length, 4001)
    one, two = mode_shape(ROD, 0, x), mode_shape(ROD, 1, x)
    assert abs(np.trapezoid(one * two, x)) < 1e-6 * ROD.length
    assert_allclose(np.trapezoid(one * one, x), ROD.length / 4, rtol=1e-5)
    late = modal_response(ROD, 100.0, force=10.0, count=8, damping=0.05)
    assert_allclose(late, exact, rtol=1e-3)


@pytest.mark.capability("GR-72")
def test_friction_at_rest_is_nothing_without_an_applied_torque():
    assert sliding_friction(0.0, coulomb=3.0, viscous=1.0) == 0.0
