from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from gelenk.sim.motors import Backlash, PositionServo
from gelenk.sim.motors import bank as c
from gelenk.sim.motors.bank import MOTOR_DEAD
from one_joint import OneJoint

# Of the size of a small humanoid's knee.
KNEE = PositionServo(
    kp=60.0, kd=1.2, torque_limit=4.0, gear_ratio=130.0, rotor_inertia=1.1e-6
)


def test_a_small_step_follows_the_spring_and_damper_that_it_is():
    joint = OneJoint(KNEE, inertia=0.01, h=2e-4)
    joint.command(0.05)

    log = joint.run(0.5)

    inertia = 0.01 + 130.0**2 * 1.1e-6
    exact = solve_ivp(
        lambda _t, x: (x[1], (60.0 * (0.05 - x[0]) - 1.2 * x[1]) / inertia),
        (0.0, 0.5),
        (0.0, 0.0),
        t_eval=2e-4 * np.arange(1, 2500),
        rtol=1e-9,
    )
    assert np.abs(log[:2499, 0] - exact.y[0]).max() < 5e-4


@pytest.mark.parametrize("stiffness", [1.0, 0.5, 0.1])
def test_a_load_bends_it_by_its_stiffness(stiffness):
    joint = OneJoint(KNEE, inertia=0.01, load=-0.3)
    joint.command(0.4, stiffness)

    log = joint.run(20.0)

    assert abs(log[-1, 0] - (0.4 - 0.3 / (60.0 * stiffness))) < 1e-9


def test_stiffness_zero_switches_it_off():
    joint = OneJoint(KNEE, inertia=0.01, load=0.01)
    joint.command(-1.0, 0.0)

    log = joint.run(0.1)

    inertia = 0.01 + 130.0**2 * 1.1e-6
    np.testing.assert_allclose(log[-1, 1], 0.1 * 0.01 / inertia, rtol=1e-9)


def test_torque_never_passes_its_limit():
    joint = OneJoint(replace(KNEE, kd=8.0), inertia=0.5)
    joint.command(2.0)

    log = joint.run(5.0)

    torque = log[:, 2 + c.TORQUE]
    assert torque.max() == 4.0
    assert torque.min() >= -4.0
    assert abs(log[-1, 0] - 2.0) < 0.01


def test_far_from_its_target_it_runs_at_no_load_speed():
    servo = replace(KNEE, no_load_speed=6.0)
    joint = OneJoint(servo, inertia=0.001)
    joint.command(1e3)

    log = joint.run(1.0)

    assert abs(log[-1, 1] - 6.0) < 1e-6


@pytest.mark.parametrize("inertia", [1e-7, 1e-5, 1e-3])
@pytest.mark.parametrize("rotor_inertia", [0.0, 1e-8])
def test_stiff_gains_on_light_links_settle_at_four_milliseconds(inertia, rotor_inertia):
    servo = replace(KNEE, rotor_inertia=rotor_inertia, kd=0.05, torque_limit=1e6)
    joint = OneJoint(servo, inertia=inertia, h=4e-3)
    joint.command(1.0)

    log = joint.run(4.0)

    assert abs(log[-1, 0] - 1.0) < 1e-6
    assert np.abs(log[:, 0]).max() < 2.1


def test_a_spring_that_steps_stably_alone_is_not_damped_by_the_step():
    """kp h^2 stays below the rotor's inertia, so that no look-ahead damps."""
    servo = PositionServo(kp=20.0, kd=0.0, torque_limit=1e6, rotor_inertia=0.1)
    joint = OneJoint(servo, inertia=0.1, h=1e-3, q=0.0)
    joint.command(0.3)

    log = joint.run(10.0)

    swing = log[-2000:, 0]
    assert abs(swing.max() - 0.6) < 2e-3


def test_behind_play_the_motor_side_reaches_the_target_and_the_link_hangs():
    backlash = Backlash(half_gap=np.radians(1.0), stiffness=500.0, damping=1.0)
    joint = OneJoint(replace(KNEE, backlash=backlash), inertia=0.01, load=-0.6)
    joint.command(0.2)

    log = joint.run(4.0)

    rotor, link = log[-1, 2 + c.ROTOR_ANGLE], log[-1, 0]
    assert abs(rotor - (0.2 - 0.6 / 60.0)) < 1e-6
    assert abs(rotor - link - (np.radians(1.0) + 0.6 / 500.0)) < 1e-6


def test_a_dead_servo_lets_go():
    joint = OneJoint(KNEE, inertia=0.01, load=-0.3)
    joint.bank.fault[0] = MOTOR_DEAD

    log = joint.run(1.0)

    assert log[-1, 0] < -2.0
