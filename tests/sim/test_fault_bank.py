from collections.abc import Sequence

import numpy as np
import pytest

from gelenk.errors import NameNotFoundError
from gelenk.sim.fault_bank import (
    pack_faults,
    switch_motor_faults,
    switch_sensor_faults,
)
from gelenk.sim.faults import FAULT_KINDS, Fault, FaultKind, random_faults
from gelenk.sim.motors import IdealMotor
from gelenk.sim.motors.bank import JOINT_LIMP, JOINT_LOCKED, MOTOR_DEAD
from one_joint import OneJoint

MOTORS = {"arm/a": 0, "arm/b": 1, "leg/a": 2}
ROBOTS = {"arm": (0, 1), "leg": (2,)}
SENSORS = {"arm/encoders": 0, "leg/touch": 1}
STEP = 1e-3


def _pack(*faults):
    return pack_faults(faults, motors=MOTORS, robots=ROBOTS, sensors=SENSORS, step=STEP)


def _motor_bits(bank, ticks):
    fault, rows = np.zeros(3, np.int64), []
    for tick in range(ticks):
        switch_motor_faults(bank, fault, tick)
        rows.append(fault.copy())
    return np.array(rows)


def test_a_fault_acts_in_exactly_the_ticks_of_its_time():
    fault = Fault(kind="motor_dead", target="arm/b", start=0.010, duration=0.005)

    bits = _motor_bits(_pack(fault), 30)

    expected = [fault.is_active(tick * STEP + 1e-9) * MOTOR_DEAD for tick in range(30)]
    assert bits[:, 1].tolist() == expected
    assert expected.count(MOTOR_DEAD) == 5
    assert (bits[:, [0, 2]] == 0).all()


def test_overlapping_faults_of_one_motor_end_one_by_one():
    faults = (
        Fault(kind="motor_dead", target="arm/a", start=0.002, duration=0.006),
        Fault(kind="joint_locked", target="arm/a", start=0.004, duration=0.002),
        Fault(kind="motor_dead", target="arm/a", start=0.005, duration=0.005),
        Fault(kind="joint_limp", target="arm/a", start=0.012),
    )

    bits = _motor_bits(_pack(*faults), 15)[:, 0]

    D, L, S = MOTOR_DEAD, JOINT_LOCKED, JOINT_LIMP
    both = D | L
    assert bits.tolist() == [0, 0, D, D, both, both, D, D, D, D, 0, 0, S, S, S]


def test_power_gone_kills_every_motor_of_its_robot_and_no_other():
    bits = _motor_bits(_pack(Fault(kind="power_gone", target="arm", start=0.001)), 3)

    assert bits.tolist() == [[0, 0, 0], [1, 1, 0], [1, 1, 0]]


def test_a_fault_shorter_than_a_tick_strikes_for_one():
    fault = Fault(kind="motor_dead", target="leg/a", start=0.0031, duration=1e-6)

    bits = _motor_bits(_pack(fault), 10)[:, 2]

    assert bits.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_biases_add_and_noises_add_as_independent_ones():
    bank = _pack(
        Fault(kind="sensor_biased", target="leg/touch", start=0.0, amount=-1.5),
        Fault(kind="sensor_biased", target="leg/touch", start=0.0, amount=1.0),
        Fault(kind="sensor_noisy", target="leg/touch", start=0.0, amount=3.0),
        Fault(kind="sensor_noisy", target="leg/touch", start=0.0, amount=4.0),
        Fault(kind="sensor_frozen", target="arm/encoders", start=0.002, duration=0.001),
    )
    fault, amounts, frozen = np.zeros(2, np.int64), np.zeros((2, 2)), []

    for tick in range(5):
        switch_sensor_faults(bank, fault, amounts, tick)
        frozen.append(int(fault[0]))
        assert amounts.tolist() == [[0.0, 0.0], [-0.5, 5.0]]

    assert frozen == [0, 0, 1, 0, 0]


def test_restored_bits_go_on_as_scheduled():
    """Bits are state of the motors; the schedule itself has none."""
    rng = np.random.default_rng(3)
    kinds: dict[FaultKind, Sequence[str]] = {
        "motor_dead": tuple(MOTORS),
        "joint_limp": ("leg",),
        "power_gone": ("arm",),
    }
    bank = _pack(*random_faults(rng, kinds, 200.0, 0.2, mean_duration=0.02))
    straight = _motor_bits(bank, 250)

    fault = straight[99].copy()
    for tick in range(100, 250):
        switch_motor_faults(bank, fault, tick)
        np.testing.assert_array_equal(fault, straight[tick])

    assert len(np.unique(straight)) > 3


def test_faults_of_messages_and_processes_are_passed_over():
    faults = [
        Fault(kind=kind, target="somewhere", start=0.0, amount=0.5)
        for kind in FAULT_KINDS
        if kind.startswith(("message", "process"))
    ]

    bank = _pack(*faults)

    assert len(faults) == 4
    assert len(bank.motors) == len(bank.sensors) == 0


@pytest.mark.parametrize(
    ("kind", "target", "hint"),
    [
        ("motor_dead", "arm/c", "no motor named 'arm/c'"),
        ("sensor_frozen", "arm/encoder", "Did you mean 'arm/encoders'"),
        ("power_gone", "arn", "Did you mean 'arm'"),
    ],
)
def test_a_fault_of_nothing_is_refused_with_the_closest_name(kind, target, hint):
    with pytest.raises(NameNotFoundError, match=hint):
        _pack(Fault(kind=kind, target=target, start=0.0))


def test_a_locked_joint_stands_still_for_exactly_its_time():
    joint = OneJoint(IdealMotor(max_speed=1.0), inertia=1.0)
    joint.command(10.0)
    bank = pack_faults(
        [Fault(kind="joint_locked", target="j", start=0.05, duration=0.03)],
        motors={"j": 0},
        robots={},
        sensors={},
        step=STEP,
    )
    values = []
    for tick in range(120):
        switch_motor_faults(bank, joint.bank.fault, tick)
        values.append(joint.run(STEP)[0, 0])

    moves = np.diff(values, prepend=0.0) > 0.0
    assert np.flatnonzero(~moves).tolist() == list(range(50, 80))
