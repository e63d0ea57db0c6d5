from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gelenk.errors import ConfigError
from gelenk.sim.motors import Backlash, Friction, PositionServo, TorqueServo
from gelenk.sim.motors import bank as c
from gelenk.sim.motors.bank import JOINT_LIMP, MOTOR_DEAD
from gelenk.sim.motors.joint import joint_settings
from one_joint import OneJoint

ROTOR = 0.0071  # [kg m^2], felt at the joint
GAP = np.radians(3.0)
# The servo that was identified for Piggy.
WORN = TorqueServo(
    stall_torque=8.392,
    no_load_speed=np.radians(437.0),
    nominal_voltage=14.8,
    rotor_inertia=ROTOR,
    friction=Friction(coulomb=0.02),
    backlash=Backlash(half_gap=GAP, stiffness=220.0, damping=4.7),
)


def _energy_and_momentum(log, inertia):
    """Return both after each tick; the rotor's share shows one row later."""
    rotor = log[1:, 2 + c.ROTOR_SPEED]
    link = log[:-1, 1]
    kinetic = 0.5 * ROTOR * rotor**2 + 0.5 * inertia * link**2
    return kinetic + log[1:, 2 + c.TOOTH_ENERGY], ROTOR * rotor + inertia * link


@given(
    h=st.sampled_from([5e-4, 1e-3, 2e-3, 4e-3]),
    log_inertia=st.floats(-5.0, 0.5),
    stiffness=st.floats(10.0, 1e5),
    damping=st.sampled_from([0.0, 0.1, 4.7, 100.0]),
    half_gap=st.sampled_from([0.0, 1e-4, 0.05, 0.3]),
    speed=st.floats(-30.0, 30.0),
    weight=st.floats(-1.0, 1.0),
)
def test_play_never_creates_energy_and_keeps_momentum(
    h, log_inertia, stiffness, damping, half_gap, speed, weight
):
    inertia = 10.0**log_inertia
    backlash = Backlash(half_gap=half_gap, stiffness=stiffness, damping=damping)
    servo = replace(WORN, backlash=backlash, friction=Friction(), stall_torque=1e-300)
    joint = OneJoint(servo, inertia=inertia, h=h, qd=speed)

    energy, momentum = _energy_and_momentum(joint.run(200 * h), inertia)

    assert np.diff(energy).max() <= 1e-13 * energy[0]
    scale = inertia * abs(speed) + 1e-300
    assert np.abs(momentum - inertia * speed).max() <= 1e-11 * scale


def test_a_push_on_springy_teeth_ends_in_the_motion_of_a_fine_simulation():
    """Both masses are caught by the flank; the textbook explicit law is the judge."""
    inertia, h = 0.05, 1e-4
    joint = OneJoint(replace(WORN, friction=Friction()), inertia=inertia, h=h, qd=4.0)
    joint.bank.fault[0] = MOTOR_DEAD

    log = joint.run(0.2)

    q, v, theta, w, dt = 0.0, 4.0, 0.0, 0.0, 1e-6
    fine = []
    for k in range(200_000):
        if k % 100 == 0:
            fine.append((q, theta))
        depth = abs(theta - q) - GAP
        side = np.sign(theta - q)
        push = max(220.0 * depth + 4.7 * side * (w - v), 0.0) if depth > 0 else 0.0
        v, w = v + dt * side * push / inertia, w - dt * side * push / ROTOR
        q, theta = q + dt * v, theta + dt * w
    fine = np.array(fine)
    np.testing.assert_allclose(log[:-1, 0], fine[1:, 0], atol=2e-3)
    np.testing.assert_allclose(log[1:, 2 + c.ROTOR_ANGLE], fine[1:, 1], atol=4e-3)


@pytest.mark.capability("BB-18")
def test_the_link_moves_through_the_gap_without_the_rotor_noticing():
    joint = OneJoint(WORN, inertia=0.2, qd=0.5)

    log = joint.run(0.1)

    link, rotor = log[:, 0], log[:, 2 + c.ROTOR_ANGLE]
    assert link[-1] > 0.9 * GAP
    assert (rotor == 0.0).all()


@pytest.mark.capability("BB-18")
@pytest.mark.parametrize("h", [1e-3, 4e-3])
def test_a_heavy_link_rests_on_one_flank_of_a_held_rotor(h):
    # Dry friction of the rotor is more than the weight: it does not turn.
    servo = replace(WORN, friction=Friction(coulomb=3.0))
    joint = OneJoint(servo, inertia=0.191, load=-2.33, h=h)

    log = joint.run(3.0)

    sag = log[-1, 2 + c.ROTOR_ANGLE] - log[-1, 0]
    assert abs(sag - (GAP + 2.33 / 220.0)) < 1e-6
    assert abs(log[-1, 1]) < 1e-9


@pytest.mark.parametrize("load", [0.455, -0.455])
@pytest.mark.parametrize("inertia", [3e-4, 1e-3, 1e-2])
def test_a_link_rests_on_its_flank_after_a_fast_move_in_steps(inertia, load):
    """Steps of the command part the teeth for a moment; the link must not sink in."""
    stiffness, gap = 200.0, np.radians(0.07)
    servo = PositionServo(
        kp=250.0, kd=9.0, torque_limit=1.6, no_load_speed=np.radians(367.0),
        gear_ratio=130.85, rotor_inertia=4.3e-7,
        backlash=Backlash(half_gap=gap, stiffness=stiffness, damping=4.0),
    )  # fmt: skip
    joint = OneJoint(servo, inertia=inertia, load=load)
    joint.command(0.0, 0.75)
    joint.run(0.5)
    for k in range(50):
        joint.command(0.9 * (k + 1) / 50, 0.75)
        joint.run(0.01)

    log = joint.run(1.0)

    twist = log[-1, 0] - log[-1, 2 + c.ROTOR_ANGLE]
    assert abs(twist - np.sign(load) * (gap + abs(load) / stiffness)) < 1e-6


@pytest.mark.parametrize("h", [5e-4, 1e-3, 4e-3])
@pytest.mark.parametrize("inertia", [0.2, 1e-3, 1e-5])
def test_a_driven_light_link_runs_at_no_load_speed_at_any_step(h, inertia):
    joint = OneJoint(replace(WORN, friction=Friction()), inertia=inertia, h=h)
    joint.command(0.5)

    log = joint.run(4.0)

    # Inside the frictionless gap a link may run ahead by a hair.
    np.testing.assert_allclose(log[-1, 1], 0.5 * np.radians(437.0), rtol=1e-3)
    assert log[:, 1].max() < 1.05 * 0.5 * np.radians(437.0)


def test_reversing_the_motor_costs_the_time_to_cross_the_gap():
    joint = OneJoint(WORN, inertia=0.2)
    joint.command(1.0)
    joint.run(0.3)
    joint.command(-1.0)

    log = joint.run(0.2)

    accelerations = np.diff(log[:, 1]) / 1e-3
    coasting = np.abs(accelerations) < 1e-9
    assert 5 < coasting.sum() < 60
    assert log[-1, 1] < log[0, 1] - 1.0


def test_wear_counts_what_the_teeth_turned_into_heat():
    joint = OneJoint(replace(WORN, friction=Friction()), inertia=0.02, qd=5.0)
    joint.bank.fault[0] = MOTOR_DEAD

    log = joint.run(1.0)

    energy, _ = _energy_and_momentum(log, 0.02)
    lost = 0.5 * 0.02 * 25.0 - energy[-1]
    wear = log[-1, 2 + c.WEAR]
    # The implicit step itself takes a little, so the teeth count for most of the loss.
    assert 0.7 * lost < wear <= lost


def test_a_torn_joint_swings_through_the_gap_and_on():
    joint = OneJoint(WORN, inertia=0.2, qd=1.0)
    joint.bank.fault[0] = JOINT_LIMP

    log = joint.run(1.0)

    assert (log[:, 1] == 1.0).all()


def test_a_servo_with_play_adds_nothing_to_the_joint_itself():
    settings = joint_settings(WORN)

    assert (settings.armature, settings.damping, settings.frictionloss) == (0, 0, 0)


def test_play_without_a_rotor_is_refused():
    with pytest.raises(ConfigError, match="needs a `rotor_inertia`"):
        replace(WORN, rotor_inertia=0.0)
