from dataclasses import replace

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim.motors import Backlash, DCGearMotor, Heating
from gelenk.sim.motors import bank as c
from one_joint import OneJoint

# Ott 0225 GMPG as in AMEE's legs; resistance, dead point and rotor are assumptions.
OTT = DCGearMotor(
    stall_torque=22.0,
    no_load_speed=2.199,
    nominal_voltage=12.0,
    stall_current=12.0,
    gear_ratio=210.0,
    rotor_inertia=1e-5,
    dead_point=0.2,
    back_drive_torque=11.0,
    hold_torque=11.0,
)


@pytest.mark.capability("QW-08")
def test_the_blocked_motor_gives_its_starting_torque_and_current():
    joint = OneJoint(OTT, inertia=1e12)
    joint.command(255.0)

    log = joint.run(0.1)

    np.testing.assert_allclose(log[:, 2 + c.TORQUE], 22.0, rtol=1e-9)
    np.testing.assert_allclose(log[:, 2 + c.CURRENT], 12.0, rtol=1e-9)


@pytest.mark.capability("QW-08")
@pytest.mark.parametrize("pwm", [255, 128, -255])
def test_the_free_motor_runs_at_its_rated_speed_times_the_pwm(pwm):
    joint = OneJoint(OTT, inertia=0.1)
    joint.command(pwm)

    log = joint.run(2.0)

    np.testing.assert_allclose(log[-1, 1], 2.199 * pwm / 255, rtol=1e-6)


def test_a_weak_battery_slows_it_in_proportion():
    joint = OneJoint(replace(OTT, supply_voltage=10.5), inertia=0.1)
    joint.command(255)

    log = joint.run(2.0)

    np.testing.assert_allclose(log[-1, 1], 2.199 * 10.5 / 12.0, rtol=1e-6)


def test_below_its_dead_point_it_stays_and_above_it_starts_fast():
    speeds = []
    for pwm in (40, 50, 51, 55):
        joint = OneJoint(OTT, inertia=0.1)
        joint.command(pwm)
        speeds.append(joint.run(2.0)[-1, 1])

    assert speeds[:2] == [0.0, 0.0]
    assert min(speeds[2:]) > np.radians(20.0)


def test_it_lifts_what_its_line_allows_without_paying_for_friction_twice():
    joint = OneJoint(OTT, inertia=0.5, load=-10.0)
    joint.command(255)

    log = joint.run(3.0)

    np.testing.assert_allclose(log[-1, 1], 2.199 * (1.0 - 10.0 / 22.0), rtol=1e-6)


@pytest.mark.parametrize(("load", "runs_back"), [(10.0, False), (13.5, True)])
def test_an_unpowered_joint_runs_back_only_under_a_long_lever_arm(load, runs_back):
    joint = OneJoint(OTT, inertia=0.5, load=-load)

    log = joint.run(1.0)

    assert (log[-1, 0] < -0.1) == runs_back
    if not runs_back:
        assert (log[:, 0] == 0.0).all()


@pytest.mark.parametrize(
    ("hold", "is_stopped"), [(0.0, False), (50.0, False), (255.0, True)]
)
def test_hold_stops_the_run_back_as_strongly_as_its_pwm(hold, is_stopped):
    joint = OneJoint(OTT, inertia=0.5, load=-13.5)
    joint.run(0.2)
    joint.command(0.0, hold)

    log = joint.run(3.0)

    assert (log[-1, 1] == 0.0) == is_stopped


def test_a_driven_motor_that_is_overpowered_resists_with_torque_and_gear():
    # 22 N m of motor and 11 N m of gear against the load: 32 holds, 34 does not.
    speeds = []
    for load in (32.0, 34.0):
        joint = OneJoint(OTT, inertia=0.5, load=-load)
        joint.command(255)
        speeds.append(joint.run(1.0)[-1, 1])

    assert speeds[0] == 0.0
    assert speeds[1] < -0.05


def test_the_armature_makes_it_coast_after_the_voltage_is_gone():
    loose = replace(OTT, sliding_share=0.1)
    joint = OneJoint(loose, inertia=0.1, qd=2.0)

    log = joint.run(3.0)

    inertia = 0.1 + 210.0**2 * 1e-5
    stop = np.argmax(log[:, 1] == 0.0) * 1e-3
    assert abs(stop - 2.0 * inertia / 1.1) < 0.1 * stop


def test_commands_and_hold_have_the_steps_of_the_pwm():
    joint = OneJoint(OTT, inertia=1e12)
    joint.command(100.4)

    log = joint.run(1e-3)

    assert log[0, 2 + c.TORQUE] == pytest.approx(22.0 * 100 / 255, rel=1e-12)


def test_a_range_of_one_takes_shares():
    joint = OneJoint(replace(OTT, command_range=1.0, command_steps=0), inertia=1e12)
    joint.command(0.5)

    log = joint.run(1e-3)

    assert log[0, 2 + c.TORQUE] == pytest.approx(11.0, rel=1e-12)


def test_production_spread_is_drawn_once_per_motor_and_seed():
    def speed(name, seed):
        joint = OneJoint(replace(OTT, spread=0.05), inertia=0.1, name=name, seed=seed)
        joint.command(255)
        return joint.run(2.0)[-1, 1]

    speeds = np.array([speed(f"leg_{i}", 3) for i in range(40)])

    assert speed("leg_7", 3) == speeds[7]
    assert speed("leg_7", 4) != speeds[7]
    assert (np.abs(speeds / 2.199 - 1.0) <= 0.05 + 1e-6).all()
    # A uniform law has half width / sqrt(3) as standard deviation.
    assert abs(speeds.std() / 2.199 - 0.05 / np.sqrt(3)) < 0.008


def test_a_tenth_of_the_time_at_stall_is_as_hot_as_the_mean_power_says():
    heating = Heating(winding_resistance=1.0, thermal_resistance=6.0, time_constant=5.0)
    joint = OneJoint(replace(OTT, heating=heating), inertia=1e12)
    logs = []
    for _ in range(100):
        joint.command(255)
        logs.append(joint.run(0.05))
        joint.command(0)
        logs.append(joint.run(0.45))

    # 10 % of 144 W through 6 K/W, averaged over the last ten periods.
    mean = np.concatenate(logs[-20:])[:, 2 + c.TEMPERATURE].mean()
    assert abs(mean - (298.15 + 0.1 * 144.0 * 6.0)) < 0.1


def test_worn_gears_have_play():
    backlash = Backlash(half_gap=np.radians(2.7), stiffness=2000.0, damping=20.0)
    joint = OneJoint(replace(OTT, backlash=backlash), inertia=0.5, load=-3.0)

    log = joint.run(2.0)

    sag = np.degrees(log[-1, 2 + c.ROTOR_ANGLE] - log[-1, 0])
    assert abs(sag - 2.7 - np.degrees(3.0 / 2000.0)) < 1e-4


@pytest.mark.parametrize(
    ("change", "word"),
    [({"dead_point": 1.5}, "dead_point"), ({"sliding_share": -0.1}, "sliding_share"),
     ({"spread": 2.0}, "spread"), ({"command_range": 0.0}, "command_range"),
     ({"back_drive_torque": -1.0}, "back_drive_torque")],
)  # fmt: skip
def test_impossible_gear_motors_are_refused_by_name(change, word):
    with pytest.raises(ConfigError, match=f"`{word}` of DCGearMotor"):
        replace(OTT, **change)
