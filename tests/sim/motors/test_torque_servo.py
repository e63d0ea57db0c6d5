from dataclasses import replace

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim.motors import Friction, Heating, TorqueServo
from gelenk.sim.motors import bank as c
from gelenk.sim.motors.bank import JOINT_LIMP, JOINT_LOCKED, MOTOR_DEAD
from gelenk.sim.motors.joint import joint_settings
from one_joint import OneJoint

# Dynamixel EX-106+ at 14.8 V with the inertia and friction identified for Piggy.
EX_106 = TorqueServo(
    stall_torque=10.49,
    no_load_speed=np.radians(546.0),
    nominal_voltage=18.5,
    supply_voltage=14.8,
    stall_current=7.0,
    gear_ratio=184.0,
    rotor_inertia=0.0071 / 184.0**2,
    friction=Friction(coulomb=0.02),
)
SMOOTH = replace(EX_106, friction=Friction())


@pytest.mark.capability("BB-17")
@pytest.mark.parametrize(("share", "expected"), [(0.7, 1365.0), (1.0, 1950.0)])
def test_the_bat_starts_with_the_acceleration_of_the_specification(share, expected):
    joint = OneJoint(EX_106, inertia=0.2385, h=1e-5)
    joint.command(share)

    log = joint.run(1e-5)

    assert abs(np.degrees(log[0, 1] / 1e-5) - expected) < 0.002 * expected


@pytest.mark.capability("BB-17")
@pytest.mark.parametrize(
    ("share", "mean", "peak"), [(0.7, 178.0, 330.0), (1.0, 241.0, None)]
)
def test_the_bat_swings_at_the_speed_of_the_specification(share, mean, peak):
    # Distributed bat; 4 ms of latency after at most 10 ms of waiting for the sample.
    servo = replace(EX_106, latency=0.014)
    start, end = np.radians(-60.0), np.radians(58.0)
    joint = OneJoint(servo, inertia=0.191, weight=2.33, q=start)
    joint.command(share)

    log = joint.run(1.0)

    arrival = np.argmax(log[:, 0] > end)
    assert abs(118.0 / ((arrival + 1) * 1e-3) - mean) < 0.015 * mean
    if peak is not None:
        assert abs(np.degrees(log[:arrival, 1].max()) - peak) < 0.02 * peak


@pytest.mark.parametrize("h", [5e-4, 1e-3, 2e-3])
def test_the_step_response_is_the_exponential_of_the_line(h):
    joint = OneJoint(SMOOTH, inertia=0.2, h=h)
    joint.command(0.6)

    log = joint.run(1.0)

    stall, final = 0.8 * 10.49, 0.6 * 0.8 * np.radians(546.0)
    time_constant = (0.2 + 0.0071) * (stall / (0.8 * np.radians(546.0))) ** -1
    t = h * np.arange(1, len(log) + 1)
    exact = final * (1.0 - np.exp(-t / time_constant))
    assert np.abs(log[:, 1] - exact).max() < 1.1 * final * h / (2 * time_constant)


def test_current_is_that_of_the_line_and_falls_with_speed():
    joint = OneJoint(SMOOTH, inertia=0.2)
    joint.command(0.5)

    log = joint.run(2.0)

    assert abs(log[0, 2 + c.CURRENT] - 7.0 * 0.5 * 0.8) < 1e-12
    assert abs(log[-1, 2 + c.CURRENT]) < 1e-3


def test_a_command_acts_after_exactly_its_latency():
    joint = OneJoint(replace(EX_106, latency=0.004), inertia=0.2)
    joint.run(0.05)
    joint.command(1.0)

    log = joint.run(0.01)

    assert (log[:4, 1] == 0.0).all()
    assert log[4, 1] > 0.0


@pytest.mark.parametrize("latency", [0.0041, 0.0049, 0.005])
def test_a_latency_between_ticks_is_never_shortened(latency):
    joint = OneJoint(replace(EX_106, latency=latency), inertia=0.2)
    joint.command(1.0)

    log = joint.run(0.01)

    assert np.argmax(log[:, 1] > 0.0) == 5


def test_commands_beyond_full_voltage_are_full_voltage():
    runs = []
    for command in (1.0, 7.0):
        joint = OneJoint(EX_106, inertia=0.2)
        joint.command(command)
        runs.append(joint.run(0.2))

    np.testing.assert_array_equal(runs[0], runs[1])


def test_the_command_has_its_steps():
    joint = OneJoint(replace(SMOOTH, command_steps=1023), inertia=0.2)
    joint.command(0.70004)

    log = joint.run(1e-3)

    assert log[0, 2 + c.TORQUE] == pytest.approx(716 / 1023 * 0.8 * 10.49, rel=1e-12)


def test_dry_friction_holds_until_static_level_then_slides_at_the_lower_one():
    servo = replace(EX_106, friction=Friction(coulomb=0.5, static=0.9))
    resting, moving = (OneJoint(servo, inertia=0.2, load=load) for load in (0.89, 0.91))

    resting_log, moving_log = resting.run(0.5), moving.run(3.0)

    slope = 10.49 / np.radians(546.0)
    assert (resting_log[:, 1] == 0.0).all()
    # Balance of load, sliding friction and back-EMF, Stribeck's rest included.
    speed = moving_log[-1, 1]
    level = 0.5 + 0.4 * np.exp(-speed / 0.05)
    assert abs(0.91 - level - slope * speed) < 1e-6


@pytest.mark.parametrize("inertia", [1e-6, 1e-4, 1e-2])
def test_a_light_link_at_four_milliseconds_stays_below_the_no_load_speed(inertia):
    servo = replace(SMOOTH, rotor_inertia=0.0)
    joint = OneJoint(servo, inertia=inertia, h=4e-3)
    joint.command(1.0)

    log = joint.run(1.0)

    final = 0.8 * np.radians(546.0)
    assert log[:, 1].max() <= final * (1 + 1e-12)
    assert abs(log[-1, 1] - final) < 1e-6


def test_a_dead_motor_coasts_without_back_emf_but_with_friction():
    joint = OneJoint(EX_106, inertia=0.2, qd=2.0)
    joint.bank.fault[0] = MOTOR_DEAD
    joint.command(-1.0)

    log = joint.run(0.5)

    t = 1e-3 * np.arange(1, 501)
    np.testing.assert_allclose(log[:, 1], 2.0 - 0.02 / 0.2071 * t, atol=1e-12)
    assert (log[:, 2 + c.CURRENT] == 0.0).all()


def test_a_limp_joint_feels_nothing_of_its_motor():
    joint = OneJoint(EX_106, inertia=0.2, load=0.1)
    joint.bank.fault[0] = JOINT_LIMP
    joint.command(1.0)

    log = joint.run(0.1)

    np.testing.assert_allclose(log[:, 1], 0.5 * 1e-3 * np.arange(1, 101), rtol=1e-9)


def test_a_locked_joint_stays_where_it_was_when_the_lock_fell():
    joint = OneJoint(EX_106, inertia=0.2)
    joint.command(0.5)
    where = joint.run(0.2)[-1, 0]
    joint.bank.fault[0] = JOINT_LOCKED

    locked = joint.run(0.2)
    joint.bank.fault[0] = 0
    free = joint.run(0.2)

    assert (locked[:, 0] == where).all()
    assert free[-1, 0] > where + 0.1


def test_a_hot_servo_switches_off_and_returns_when_it_is_cool():
    heating = Heating(
        winding_resistance=2.0,
        thermal_resistance=3.0,
        time_constant=0.5,
        shut_off=400.0,
        restart=350.0,
    )
    joint = OneJoint(replace(EX_106, heating=heating), inertia=1e12)
    joint.command(1.0)

    log = joint.run(4.0)
    temperature, current = log[:, 2 + c.TEMPERATURE], log[:, 2 + c.CURRENT]

    # Blocked: power 2 * 5.6^2 W, final 298.15 + 188.16 K, limit at 0.5 ln(188/86) s.
    power_rise = 3.0 * 2.0 * 5.6**2
    first_off = np.argmax(current == 0.0)
    expected = -0.5 * np.log(1.0 - (400.0 - 298.15) / power_rise)
    assert abs(first_off * 1e-3 - expected) < 2e-3
    t = 1e-3 * np.arange(1, first_off + 1)
    warm_up = 298.15 + power_rise * (1.0 - np.exp(-t / 0.5))
    np.testing.assert_allclose(temperature[:first_off], warm_up, rtol=1e-9)
    again = first_off + np.argmax(current[first_off:] > 0.0)
    assert abs(temperature[again - 1] - 350.0) < 0.5
    assert temperature.max() < 401.0


def test_what_it_adds_to_the_joint_is_rotor_back_emf_and_friction():
    settings = joint_settings(EX_106)

    assert settings.armature == pytest.approx(0.0071, rel=1e-12)
    assert settings.damping == pytest.approx(10.49 / np.radians(546.0), rel=1e-12)
    assert settings.frictionloss == 0.02


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"stall_torque": 0.0}, "stall_torque"),
        ({"no_load_speed": np.inf}, "no_load_speed"),
        ({"latency": -1e-3}, "latency"),
        ({"supply_voltage": np.nan}, "supply_voltage"),
        ({"command_steps": -1}, "command_steps"),
    ],
)
def test_impossible_servos_are_refused_by_name(change, word):
    with pytest.raises(ConfigError, match=f"`{word}` of TorqueServo"):
        replace(EX_106, **change)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Friction(coulomb=0.5, static=0.4),
        lambda: Friction(coulomb=-0.1),
        lambda: Heating(
            winding_resistance=1.0,
            thermal_resistance=1.0,
            time_constant=1.0,
            shut_off=200.0,
        ),
    ],
)
def test_impossible_parts_are_refused(make):
    with pytest.raises(ConfigError, match="must"):
        make()
