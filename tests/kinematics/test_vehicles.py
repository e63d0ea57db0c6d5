"""Tests of wheeled vehicles.

Oracles: velocities of points of a rigid body, SciPy's integrator, the geometry of
circles, sympy's brackets, the printed values of the foundations (TV-4.9 to 4.14, D15).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from gelenk.errors import ConfigError
from gelenk.kinematics.vehicles import (
    Wheel,
    holonomy,
    lie_bracket,
    mobility,
    motion_fields,
    no_slip_rows,
    rolling_rows,
    turning_centre,
    twist_from_wheels,
    wheels_from_twist,
)
from gelenk.kinematics.vehicles_drives import (
    ackermann_angles,
    bicycle_twist,
    car_wheels,
    front_driven_twist,
    mecanum_wheels,
    omni_wheels,
    skid_twist,
    swerve_modules,
    synchro_rate,
    trailer_rate,
)
from gelenk.kinematics.vehicles_motion import (
    PolarGains,
    arc_step,
    differential_twist,
    differential_wheels,
    drive_to_pose,
    flat_inputs,
    polar_control,
    polar_coordinates,
    turn_drive_turn,
)
from gelenk.navigation.odometry import WheelPair, integrate_wheels

PAIR = tuple(Wheel(x=0.0, y=y, radius=0.05) for y in (0.15, -0.15))
THREE = omni_wheels(np.radians([90, 210, 330]), distance=0.2, radius=0.05)
FOUR = mecanum_wheels(half_length=0.2, half_width=0.15, radius=0.05)
CAR: dict[str, Any] = {"wheelbase": 2.5, "track": 1.5, "radius": 0.3}


def drive(pose, twist, duration):
    """Integrate a constant body twist with SciPy."""

    def rate(_t, p):
        c, s = np.cos(p[2]), np.sin(p[2])
        return [c * twist[0] - s * twist[1], s * twist[0] + c * twist[1], twist[2]]

    run = solve_ivp(rate, (0.0, duration), pose, rtol=1e-11, atol=1e-12)
    return run.y[:, -1]


def contact_velocity(wheel, twist):
    """Velocity of the body at a wheel, in the wheel's axes: along and across."""
    u = np.array([twist[0] - twist[2] * wheel.y, twist[1] + twist[2] * wheel.x])
    c, s = np.cos(wheel.heading), np.sin(wheel.heading)
    return c * u[0] + s * u[1], c * u[1] - s * u[0]


@pytest.mark.capability("GR-44")
def test_a_differential_drive_runs_as_published_and_as_an_integrator_says():
    v, omega = differential_twist([6.0, 8.0], radius=0.05, track=0.3)
    assert_allclose([v, omega], [0.35, 1 / 3], atol=1e-12)
    assert_allclose(turning_centre(np.array([v, 0.0, omega])), [0.0, 1.05], atol=1e-12)

    end = arc_step([1.0, 2.0, np.pi / 6], np.array([v, 0.0, omega]), 0.5)

    assert_allclose(end, [1.143579, 2.099696, 0.690265], atol=5e-7)
    assert_allclose(end, drive([1.0, 2.0, np.pi / 6], [v, 0, omega], 0.5), atol=1e-9)


@pytest.mark.capability("GR-44")
@pytest.mark.parametrize("omega", [0.0, 1e-12, -1e-5, 2.0, 9.0])
def test_an_arc_step_is_exact_at_any_turn_rate_and_in_batches(omega):
    rng = np.random.default_rng(1)
    poses = rng.normal(size=(4, 3))
    twist = np.array([0.7, -0.3, omega])

    ends = arc_step(poses, twist, 0.8)

    for pose, end in zip(poses, ends, strict=True):
        assert_allclose(end, drive(pose, twist, 0.8), atol=1e-8)


@pytest.mark.capability("GR-44")
def test_odometry_closes_a_circle_and_drifts_with_a_wrong_radius():
    turns = np.full((90, 2), [4.0, 6.0])
    turns *= 2 * np.pi * 0.3 / (0.05 * 2.0) / 90  # one full turn of the body
    worn = WheelPair(left_radius=0.0505, right_radius=0.0505)

    exact = integrate_wheels(WheelPair(), [0.2, 0.1, 0.5], turns)
    wrong = integrate_wheels(worn, [0.2, 0.1, 0.5], turns)

    assert_allclose(exact[-1], [0.2, 0.1, 0.5], atol=1e-9)
    assert np.linalg.norm(wrong[-1, :2] - exact[-1, :2]) > 0.02
    v, omega = differential_twist(turns[0], radius=0.05, track=0.3)
    step = arc_step(exact[0], np.array([v, 0.0, omega]), 1.0)
    assert_allclose(exact[1], step, atol=1e-12)


@pytest.mark.capability("GR-45")
@pytest.mark.parametrize("wheels", [PAIR, THREE, FOUR, car_wheels(0.3, **CAR)])
def test_one_routine_finds_the_motion_of_any_set_of_wheels(wheels):
    rng = np.random.default_rng(2)
    free = np.linalg.svd(np.vstack([no_slip_rows(wheels), np.zeros((3, 3))]))[2][
        3 - mobility(wheels)[0] :
    ]
    twist = rng.normal(size=len(free)) @ free

    fit = twist_from_wheels(wheels, wheels_from_twist(wheels, twist))

    assert_allclose(fit.twist, twist, atol=1e-10)
    assert fit.is_consistent
    for wheel, rate in zip(wheels, wheels_from_twist(wheels, twist), strict=True):
        along, across = contact_velocity(wheel, twist)
        if wheel.roller is None:
            assert_allclose([along, across], [wheel.radius * rate, 0.0], atol=1e-10)
        else:  # what remains after the wheel's own rolling lies along a free roller
            roll = np.array([along - wheel.radius * rate, across])
            drive_axis = [np.cos(wheel.roller), np.sin(wheel.roller)]
            assert abs(roll @ drive_axis) < 1e-10


@pytest.mark.capability("GR-45")
def test_the_published_car_turns_about_one_centre():
    rates = [14.846815, 18.486518, 16.038278, 19.456355]
    wheels = car_wheels(np.radians(20.0), **CAR)

    fit = twist_from_wheels(wheels, rates)

    assert_allclose(fit.twist, [5.0, 0.0, 0.727940], atol=1e-6)
    assert fit.slip < 1e-6
    assert_allclose(turning_centre(fit.twist), [0.0, 6.868694], atol=1e-5)
    assert mobility(wheels) == (1, 1)
    assert mobility(car_wheels(np.radians(20.0), **CAR, parallel=True))[0] == 0


@pytest.mark.capability("GR-45")
def test_wheels_that_contradict_each_other_are_flagged():
    agree = twist_from_wheels(FOUR, wheels_from_twist(FOUR, [0.5, 0.2, 0.3]))
    fight = twist_from_wheels(FOUR, [10.0, -10.0, -10.0, 20.0])

    assert agree.is_consistent
    assert not fight.is_consistent
    assert fight.slip > 0.1
    with pytest.raises(ConfigError, match="slip sideways"):
        wheels_from_twist(PAIR, [0.0, 0.1, 0.0])


@pytest.mark.capability("GR-46")
def test_wheel_commands_and_the_way_to_a_pose_are_the_published_ones():
    assert_allclose(differential_wheels(0.4, 1.0, radius=0.05, track=0.3), [5.0, 11.0])
    assert_allclose(
        turn_drive_turn([0, 0, 0], [2, 1, np.pi / 2]),
        [0.463648, 2.236068, 1.107149],
        atol=5e-7,
    )
    assert_allclose(
        polar_coordinates([-1, -0.5, 0.3], [0, 0, 0]),
        [1.118034, 0.163648, -0.463648],
        atol=5e-7,
    )
    assert_allclose(
        polar_control([-1, -0.5, 0.3], [0, 0, 0]), [3.354102, 2.004652], atol=5e-7
    )


@pytest.mark.capability("GR-46")
def test_turning_driving_and_turning_ends_at_the_goal():
    rng = np.random.default_rng(3)
    start, goal = rng.normal(size=(2, 3))
    first, way, last = turn_drive_turn(start, goal)

    pose = arc_step(start, [0, 0, first], 1.0)
    pose = arc_step(arc_step(pose, [way, 0, 0], 1.0), [0, 0, last], 1.0)

    assert_allclose(pose[:2], goal[:2], atol=1e-12)
    assert_allclose(np.cos(pose[2] - goal[2]), 1.0, atol=1e-12)


@pytest.mark.capability("GR-46")
def test_inputs_from_a_flat_output_reproduce_the_path():
    def path(t):  # a figure of eight
        return np.array([2 * np.sin(t), np.sin(2 * t)])

    def inputs(t):
        d = [2 * np.cos(t), 2 * np.cos(2 * t)]
        return flat_inputs(d, [-2 * np.sin(t), -4 * np.sin(2 * t)])

    def rate(t, p):
        _, v, omega = inputs(t)
        return [v * np.cos(p[2]), v * np.sin(p[2]), omega]

    start = [0.0, 0.0, float(inputs(0.0)[0])]
    run = solve_ivp(rate, (0.0, 5.0), start, rtol=1e-10, atol=1e-12)

    assert_allclose(run.y[:2, -1], path(5.0), atol=1e-7)
    with pytest.raises(ConfigError, match="stands still"):
        flat_inputs([0.0, 0.0], [1.0, 0.0])


@pytest.mark.capability("GR-46")
def test_polar_control_reaches_its_goal_from_anywhere():
    rng = np.random.default_rng(4)
    goal = np.array([0.5, -0.3, 1.0])
    for _ in range(6):
        start = goal + rng.uniform([-2, -2, -np.pi], [2, 2, np.pi])

        end = drive_to_pose(start, goal, duration=6.0, dt=0.03)[-1]

        assert np.linalg.norm(end[:2] - goal[:2]) < 1e-3
        assert abs(np.sin(end[2] - goal[2])) < 1e-2
        assert np.cos(end[2] - goal[2]) > 0.0
    with pytest.raises(ConfigError, match="alpha > rho"):
        PolarGains(rho=3.0, alpha=2.0)


@pytest.mark.capability("GR-47")
def test_three_omni_wheels_move_as_published_both_ways():
    A = rolling_rows(THREE)
    expected = [[-20, 0, 4], [10, -17.320508, 4], [10, 17.320508, 4]]
    assert_allclose(A, expected, atol=5e-7)
    assert_allclose(
        wheels_from_twist(THREE, [0.2, -0.1, 0.5]),
        [-2.0, 5.732051, 2.267949],
        atol=5e-7,
    )
    twist = twist_from_wheels(THREE, [1.0, 2.0, 3.0]).twist
    assert_allclose(twist, [0.05, 0.028868, 0.5], atol=5e-7)
    assert mobility(THREE) == (3, 0)


@pytest.mark.capability("GR-48")
def test_cars_and_mecanum_wheels_move_as_published():
    twist = bicycle_twist(5.0, np.radians(20.0), wheelbase=2.5)
    assert_allclose(twist, [5.0, 0.0, 0.727940], atol=5e-7)
    angles = ackermann_angles(np.radians(20.0), wheelbase=2.5, track=1.5)
    assert_allclose(np.degrees(angles), [22.224137, 18.166745], atol=5e-7)
    mirrored = ackermann_angles(np.radians(-20.0), wheelbase=2.5, track=1.5)
    assert_allclose(mirrored, [-angles[1], -angles[0]], atol=1e-12)
    assert_allclose(
        wheels_from_twist(FOUR, [0.5, 0.2, 0.3]), [3.9, 16.1, 11.9, 8.1], atol=1e-9
    )
    assert_allclose(
        front_driven_twist(1.0, np.radians(30.0), wheelbase=0.8),
        [0.866025, 0.0, 0.625],
        atol=5e-7,
    )


@pytest.mark.capability("GR-48")
def test_the_front_wheel_of_a_tricycle_rolls_along_its_heading():
    v, _, omega = front_driven_twist(1.3, 0.5, wheelbase=0.8)
    wheel = Wheel(x=0.8, y=0.0, heading=0.5, radius=1.0)

    assert_allclose(contact_velocity(wheel, [v, 0.0, omega]), [1.3, 0.0], atol=1e-12)
    assert_allclose(bicycle_twist(v, 0.5, wheelbase=0.8), [v, 0.0, omega], atol=1e-12)


@pytest.mark.capability("GR-48")
def test_tracks_turn_about_the_centres_they_name():
    twist = skid_twist([0.4, 0.6], left=0.25, right=-0.25, ahead=0.02)

    assert_allclose(twist, [0.5, -0.008, 0.4], atol=1e-12)
    for y, speed in ((0.25, 0.4), (-0.25, 0.6)):
        assert_allclose(twist[0] - twist[2] * y, speed, atol=1e-12)
    assert_allclose(twist[1] + twist[2] * 0.02, 0.0, atol=1e-12)


@pytest.mark.capability("GR-48")
def test_steered_wheels_and_synchro_drives_follow_the_rigid_body():
    places = np.array([[0.3, 0.2], [0.3, -0.2], [-0.3, 0.0]])
    twist, now = np.array([-0.4, 0.3, 1.1]), np.array([0.2, -1.0, 2.0])

    heading, rate = swerve_modules(places, twist, now, radius=0.1)

    for p, h, w in zip(places, heading, rate, strict=True):
        wheel = Wheel(x=p[0], y=p[1], heading=h, radius=0.1)
        assert_allclose(contact_velocity(wheel, twist), [0.1 * w, 0.0], atol=1e-12)
    assert np.abs(heading - now).max() <= np.pi / 2 + 1e-12
    still = swerve_modules(places, [0, 0, 0], now, radius=0.1)
    assert_allclose(still[0], now)
    assert_allclose(synchro_rate(2.0, np.pi / 6, 0.3), [3**0.5, 1.0, 0.0, 0.3])


@pytest.mark.capability("GR-48")
def test_the_axle_of_a_trailer_does_not_slip_sideways():
    v, omega, d, L, h = 0.8, 0.5, 0.3, 1.4, 1e-6

    def axle(theta, fold, place):
        hitch = place - d * np.array([np.cos(theta), np.sin(theta)])
        phi = theta - fold
        return hitch - L * np.array([np.cos(phi), np.sin(phi)])

    theta, fold = 0.3, 0.7
    rate = trailer_rate(v, fold, length=L, turn=omega, hitch=d)
    ahead = np.array([np.cos(theta), np.sin(theta)]) * v * h
    moved = axle(theta + omega * h, fold + (omega - rate) * h, ahead)
    velocity = (moved - axle(theta, fold, np.zeros(2))) / h

    phi = theta - fold
    assert abs(velocity @ [-np.sin(phi), np.cos(phi)]) < 1e-5
    assert_allclose(trailer_rate(v, fold, length=L), v * np.sin(fold) / L)


@pytest.mark.capability("GR-49")
def test_brackets_tell_manoeuvres_from_rails():
    pose = [0.4, -0.2, 0.7]

    assert holonomy(motion_fields(PAIR), pose) == (2, 3)
    assert holonomy(motion_fields(THREE), pose) == (3, 3)
    assert holonomy(motion_fields(car_wheels(0.0, **CAR)), pose) == (1, 1)


@pytest.mark.capability("GR-49")
def test_the_bracket_of_driving_and_turning_agrees_with_symbols():
    x, y, th = sympy.symbols("x y theta")
    f = sympy.Matrix([sympy.cos(th), sympy.sin(th), x * y])
    g = sympy.Matrix([y**2, 0, 1 + x])
    exact = g.jacobian([x, y, th]) * f - f.jacobian([x, y, th]) * g
    at = {x: 0.3, y: -0.8, th: 0.6}

    found = lie_bracket(
        lambda p: np.array([np.cos(p[2]), np.sin(p[2]), p[0] * p[1]]),
        lambda p: np.array([p[1] ** 2, 0.0, 1 + p[0]]),
        list(at.values()),
    )

    assert_allclose(found, np.array(exact.subs(at), dtype=float)[:, 0], atol=1e-12)
    unicycle = lie_bracket(
        lambda p: np.array([np.cos(p[2]), np.sin(p[2]), 0.0]),
        lambda p: np.array([0.0, 0.0, 1.0]),
        [0, 0, 0.6],
    )
    assert_allclose(unicycle, [np.sin(0.6), -np.cos(0.6), 0.0], atol=1e-12)
