import math

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim.motors import Backlash, Friction, TorqueServo
from gelenk.sim.motors import bank as motor
from gelenk.sim.sensors import (
    Encoder,
    MotorCurrent,
    MotorTemperature,
    Potentiometer,
    SensorModel,
)
from gelenk.sim.sensors.channels import Wiring
from one_joint import OneJoint
from sensor_rig import SensorRig

JOINT = Wiring(qpos=(0,), dof=(0,), motors=(0,))
FULL_TURN = math.radians(300.0)


def _at(q, qd=0.0):
    return lambda _tick: {"qpos": np.full(8, q), "qvel": np.full(8, qd)}


def _pot(**other):
    return Potentiometer(joint="b", low=-FULL_TURN / 2, high=FULL_TURN / 2, **other)


@pytest.mark.parametrize("degrees", [-150.0, -37.3, 0.0, 12.34, 150.0])
def test_a_potentiometer_gives_counts_in_proportion_to_the_angle(degrees):
    count = SensorRig(_pot(), JOINT, _at(math.radians(degrees))).read().value[0]

    assert count == math.floor((degrees + 150.0) / 300.0 * 1023 + 0.5)


def test_beyond_its_range_a_potentiometer_stays_at_its_ends():
    counts = [
        SensorRig(_pot(), JOINT, _at(math.radians(d))).read().value[0]
        for d in (-170.0, 170.0)
    ]

    assert counts == [0.0, 1023.0]


def test_a_potentiometer_may_be_mounted_the_other_way_round():
    turned = Potentiometer(joint="b", low=FULL_TURN / 2, high=-FULL_TURN / 2)
    straight, reverse = (
        SensorRig(s, JOINT, _at(0.4)).read().value[0] for s in (_pot(), turned)
    )

    assert straight + reverse == 1023.0


@pytest.mark.parametrize(("rpm", "is_open"), [(79.0, False), (-81.0, True)])
def test_the_foil_loses_its_wiper_above_eighty_turns_a_minute(rpm, is_open):
    signal = _at(0.4, rpm / 60.0 * 2.0 * math.pi)

    count = SensorRig(_pot(), JOINT, signal).read().value[0]

    assert (count == 0.0) == is_open


def test_the_foil_recovers_as_soon_as_it_is_slow_again():
    def signal(tick):
        return {"qpos": np.full(8, 0.4), "qvel": np.full(8, 9.0 if tick == 3 else 1.0)}

    readings = SensorRig(_pot(open_share=1.0), JOINT, signal).readings(6)

    counts = [r.value[0] for r in readings]
    assert counts[3] == 1023.0
    assert len({*counts[:3], *counts[4:]}) == 1


def test_noise_of_a_potentiometer_is_in_counts_and_stays_in_the_range():
    pot = _pot(model=SensorModel(noise=1.0))
    readings = SensorRig(pot, JOINT, _at(-FULL_TURN / 2)).readings(2000)

    counts = np.array([r.value[0] for r in readings])

    assert counts.min() == 0.0
    assert 1.0 <= counts.max() <= 6.0
    np.testing.assert_array_equal(counts, np.round(counts))


def test_velocities_and_motor_sides_are_read_from_their_own_places():
    state = np.zeros((2, motor.NUM_STATES))
    state[1, motor.ROTOR_ANGLE], state[1, motor.ROTOR_SPEED] = 0.7, 0.8
    sensors = [
        Encoder(quantity=quantity, side=side)
        for quantity in ("position", "velocity")
        for side in ("joint", "motor")
    ]
    wiring = Wiring(qpos=(3,), dof=(2,), motors=(1,))
    rig = SensorRig(
        sensors,
        [wiring] * 4,
        lambda _tick: {
            "qpos": np.arange(8.0),
            "qvel": -np.arange(8.0),
            "motor_state": state,
        },
    )

    assert [rig.read(i).value[0] for i in range(4)] == [3.0, 0.7, -2.0, 0.8]


@pytest.mark.capability("QW-15")
def test_current_and_temperature_of_motors_are_read_with_and_without_sign():
    state = np.zeros((2, motor.NUM_STATES))
    state[:, motor.CURRENT] = -3.0, 2.0
    state[:, motor.TEMPERATURE] = 300.0, 310.0
    wiring = Wiring(motors=(0, 1))
    rig = SensorRig(
        [MotorCurrent(), MotorCurrent(is_signed=True), MotorTemperature()],
        [wiring] * 3,
        lambda _tick: {"motor_state": state},
    )

    assert rig.read(0).value.tolist() == [3.0, 2.0]
    assert rig.read(1).value.tolist() == [-3.0, 2.0]
    assert rig.read(2).value.tolist() == [300.0, 310.0]


@pytest.mark.capability("BB-18", "BB-12")
def test_a_motor_side_encoder_does_not_see_the_link_move_in_the_play():
    servo = TorqueServo(
        stall_torque=8.392,
        no_load_speed=7.627,
        nominal_voltage=14.8,
        rotor_inertia=0.0071,
        friction=Friction(coulomb=0.02),
        backlash=Backlash(half_gap=math.radians(3.0), stiffness=220.0, damping=4.7),
    )
    joint = OneJoint(servo, inertia=0.2, qd=1.0)
    model = SensorModel(quantisation=math.radians(0.06))
    rig = SensorRig(
        [Encoder(side="motor", model=model), Encoder(model=model)],
        [JOINT, JOINT],
        lambda _tick: {"qpos": joint.x[0], "motor_state": joint.bank.state},
    )
    seen = []
    for _ in range(50):
        joint.run(1e-3)
        rig.step()
        seen.append((rig.read(0).value[0], rig.read(1).value[0]))

    by_motor, by_link = np.array(seen).T
    assert (by_motor == 0.0).all()
    assert by_link[-1] > math.radians(2.8)


def test_impossible_descriptions_are_refused():
    for make in (
        lambda: Encoder(side="left"),  # type: ignore[arg-type]
        lambda: Potentiometer(joint="a", low=1.0, high=1.0),
        lambda: _pot(bits=0),
        lambda: _pot(lift_off_speed=0.0),
        lambda: _pot(open_share=2.0),
        lambda: _pot(load_ratio=-1.0),
    ):
        with pytest.raises(ConfigError, match="must"):
            make()
