import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim.motors import IdealMotor
from gelenk.sim.motors.bank import (
    JOINT_LIMP,
    JOINT_LOCKED,
    MOTOR_DEAD,
    pack_motors,
)
from gelenk.sim.motors.joint import joint_settings
from one_joint import OneJoint


@pytest.mark.capability("AB-39")
@pytest.mark.parametrize("h", [5e-4, 1e-3, 4e-3])
def test_it_runs_at_its_top_speed_and_stops_exactly_at_its_target(h):
    joint = OneJoint(IdealMotor(max_speed=2.0), inertia=1.0, h=h, load=1e6)
    joint.command(1.0)

    log = joint.run(0.6)

    ticks = round(0.5 / h)
    np.testing.assert_allclose(log[: ticks - 1, 1], 2.0, rtol=1e-9)
    np.testing.assert_allclose(
        log[: ticks - 1, 0], 2.0 * h * np.arange(1, ticks), rtol=1e-12
    )
    assert (log[ticks + 1 :, 0] == 1.0).all()
    assert (log[ticks + 1 :, 1] == 0.0).all()


def test_the_second_channel_is_the_share_of_the_top_speed():
    joint = OneJoint(IdealMotor(max_speed=2.0), inertia=1.0)
    joint.command(-1.0, 0.25)

    log = joint.run(0.1)

    np.testing.assert_allclose(log[:, 1], -0.5, rtol=1e-9)


def test_without_a_top_speed_it_is_there_after_one_tick_and_share_0_holds_it():
    joint = OneJoint(IdealMotor(max_speed=np.inf), inertia=1.0)
    joint.command(0.7)
    there = joint.run(0.001)[0, 0]
    joint.command(-0.7, 0.0)

    held = joint.run(0.001)[0, 0]

    assert there == held == 0.7


def test_targets_beyond_the_limits_are_clipped_to_them():
    bank = pack_motors(
        [IdealMotor(max_speed=np.inf)],
        [0],
        [0],
        step=1e-3,
        q=[0.0],
        limits=[[-0.3], [0.4]],
    )
    joint = OneJoint(IdealMotor(max_speed=np.inf), inertia=1.0)
    joint.bank = bank

    joint.command(2.0)
    high = joint.run(0.002)[-1, 0]
    joint.command(-2.0)
    low = joint.run(0.002)[-1, 0]

    assert (high, low) == (0.4, -0.3)


def test_a_command_takes_effect_after_exactly_its_latency():
    joint = OneJoint(IdealMotor(max_speed=1.0, latency=0.007), inertia=1.0)
    joint.run(0.013)
    joint.command(1.0)

    log = joint.run(0.02)

    assert (log[:7, 1] == 0.0).all()
    np.testing.assert_allclose(log[7:, 1], 1.0, rtol=1e-9)


@pytest.mark.parametrize("fault", [MOTOR_DEAD, JOINT_LOCKED])
def test_dead_or_locked_it_stays_where_it_is_and_then_goes_on(fault):
    joint = OneJoint(IdealMotor(max_speed=1.0), inertia=1.0)
    joint.command(1.0)
    before = joint.run(0.1)[-1, 0]

    joint.bank.fault[0] = fault
    broken = joint.run(0.1)
    joint.bank.fault[0] = 0
    after = joint.run(0.1)[-1, 0]

    assert (broken[:, 0] == before).all()
    assert (broken[:, 1] == 0.0).all()
    assert abs(after - before - 0.1) < 1e-12


def test_a_limp_joint_falls_freely_and_is_caught_where_it_is():
    joint = OneJoint(IdealMotor(max_speed=1.0), inertia=2.0, load=3.0)
    joint.bank.fault[0] = JOINT_LIMP
    fallen = joint.run(0.1)
    joint.bank.fault[0] = 0
    joint.command(float(fallen[-1, 0]))

    caught = joint.run(0.05)

    # Semi-implicit Euler: q = a h^2 k (k + 1) / 2.
    assert abs(fallen[-1, 0] - 1.5 * 1e-6 * 100 * 101 / 2) < 1e-15
    assert np.abs(caught[:, 0] - fallen[-1, 0]).max() <= 1.5e-4


def test_its_joint_is_too_heavy_for_any_contact_to_move():
    assert joint_settings(IdealMotor(max_speed=1.0)).armature == 1e4


@pytest.mark.parametrize("speed", [0.0, -1.0, np.nan])
def test_a_motor_that_cannot_move_is_refused(speed):
    with pytest.raises(ConfigError, match="`max_speed` of IdealMotor"):
        IdealMotor(max_speed=speed)
