import pytest

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim.sensors import (
    Encoder,
    ForceTorque,
    Imu,
    MotorCurrent,
    Potentiometer,
    TouchSwitch,
)
from gelenk.sim.sensors.channels import JointPlace, wire_sensor

JOINTS = {
    "hip": JointPlace(qpos=7, dof=6, motor=2),
    "slide": JointPlace(qpos=8, dof=7),
    "knee": JointPlace(qpos=9, dof=8, motor=0),
}
LINKS = {"thigh": 3, "shank": 4, "foot": 5}


def _wire(sensor, **more):
    return wire_sensor(sensor, joints=JOINTS, links=LINKS, **more)


def test_an_encoder_of_no_joint_in_particular_reads_them_all():
    assert _wire(Encoder()).qpos == (7, 8, 9)
    assert _wire(Encoder(quantity="velocity")).dof == (6, 7, 8)


def test_named_joints_are_read_in_the_order_of_their_names():
    wiring = _wire(Encoder(joints=("knee", "hip"), side="motor"))

    assert wiring.motors == (0, 2)
    assert wiring.qpos == (9, 7)


def test_currents_are_read_where_motors_are():
    assert _wire(MotorCurrent()).motors == (2, 0)


def test_a_motor_that_is_not_there_cannot_be_read():
    with pytest.raises(ConfigError, match="reads motors, but slide has none"):
        _wire(MotorCurrent(joints=("hip", "slide")))


def test_bodies_and_sites_of_mounted_and_touched_links_are_found():
    touch = _wire(TouchSwitch(links=("foot", "thigh")))
    imu = _wire(Imu(link="shank"), site=2, sensordata=11)
    wrench = _wire(ForceTorque(link="shank"), site=3, subtree_ends={"shank": 6})

    assert touch.bodies == (5, 3)
    assert (imu.bodies, imu.site, imu.sensordata) == ((4,), 2, 11)
    assert wrench.subtree_end == 6


@pytest.mark.parametrize(
    ("sensor", "hint"),
    [
        (Potentiometer(joint="kne", low=0.0, high=1.0), "Did you mean 'knee'"),
        (TouchSwitch(links=("feet",)), "no link named 'feet'"),
        (Imu(link="shink"), "Did you mean 'shank'"),
    ],
)
def test_unknown_names_are_refused_with_the_closest(sensor, hint):
    with pytest.raises(NameNotFoundError, match=hint):
        _wire(sensor)
