from typing import Any

import mujoco as engine
import numpy as np
import pytest

import gelenk
from gelenk.errors import NameNotFoundError
from gelenk.sim.bridge.engine import new_spec
from gelenk.sim.bridge.robot_sensors import add_sensors, wire_sensors
from gelenk.sim.bridge.robots import add_robot
from gelenk.sim.robot import Robot
from gelenk.sim.sensors import Encoder, ForceTorque, Imu, RangeSensor, TouchSwitch
from gelenk.spatial import so3
from gelenk.spatial.se3 import pose_from_rotation_translation

mujoco: Any = engine  # its wheel has no types

T_LINK_IMU = pose_from_rotation_translation(so3.rot_z(0.4), (0.02, 0.03, 0.05))


def _compile(sensors):
    spec = new_spec()
    robot = Robot(name="arm", model=gelenk.load("panda"), sensors=sensors)
    placed = add_robot(spec, robot)
    add_sensors(spec, placed)
    model = spec.compile()
    rows = np.arange(len(robot.model.joint_names))
    return model, wire_sensors(model, [placed], {"arm": rows})


def test_a_mounted_sensor_sits_where_its_description_says():
    model, wired = _compile({"imu": Imu(link="link_7", T_link_sensor=T_LINK_IMU)})
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)

    site = wired.wirings[0].site
    link = data.body("arm/link_7")
    R_world_link = link.xmat.reshape(3, 3)

    expected = link.xpos + R_world_link @ T_LINK_IMU[:3, 3]
    np.testing.assert_allclose(data.site_xpos[site], expected, atol=1e-12)
    np.testing.assert_allclose(
        data.site_xmat[site].reshape(3, 3),
        R_world_link @ T_LINK_IMU[:3, :3],
        atol=1e-12,
    )
    assert wired.names == ("arm/imu",)


def test_addresses_point_at_what_the_engine_measures():
    sensors = {
        "nose": RangeSensor(link="link_7"),
        "wrench": ForceTorque(link="link_5"),
        "imu": Imu(link="link_3"),
        "encoders": Encoder(joints=("joint_3", "joint_1")),
        "skin": TouchSwitch(links=("link_4",)),
    }
    model, wired = _compile(sensors)
    data = mujoco.MjData(model)
    data.qpos[:7] = np.linspace(0.1, 0.7, 7)
    mujoco.mj_forward(model, data)

    nose, wrench, imu, encoders, skin = wired.wirings

    assert (
        data.sensordata[nose.sensordata] == data.sensor("arm/nose/rangefinder").data[0]
    )
    at = wrench.sensordata
    np.testing.assert_array_equal(
        data.sensordata[at : at + 6],
        [*data.sensor("arm/wrench/force").data, *data.sensor("arm/wrench/torque").data],
    )
    at = imu.sensordata
    np.testing.assert_array_equal(
        data.sensordata[at : at + 6],
        [*data.sensor("arm/imu/accelerometer").data, *data.sensor("arm/imu/gyro").data],
    )
    np.testing.assert_allclose(data.qpos[list(encoders.qpos)], [0.3, 0.1])
    assert encoders.motors == (2, 0)
    assert model.body(skin.bodies[0]).name == "arm/link_4"


@pytest.mark.parametrize(("distance", "expected"), [(0.7, 0.7), (-0.7, -1.0)])
def test_a_range_sensor_looks_along_its_z_axis(distance, expected):
    spec = new_spec()
    robot = Robot(
        name="arm",
        model=gelenk.load("panda"),
        sensors={"eye": RangeSensor(link="hand")},
    )
    placed = add_robot(spec, robot)
    add_sensors(spec, placed)
    for geom in spec.geoms:
        geom.rgba[3] = 0.0  # rays pass through what cannot be seen
    wall = spec.worldbody.add_body(name="wall", mocap=True)
    wall.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.05, 0.05, 0.05])
    model = spec.compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    eye = wire_sensors(model, [placed], {"arm": np.arange(7)}).wirings[0]

    towards = data.site_xmat[eye.site].reshape(3, 3)[:, 2]
    data.mocap_pos[0] = data.site_xpos[eye.site] + (distance + 0.05) * towards
    data.mocap_quat[0] = data.body("arm/hand").xquat
    mujoco.mj_forward(model, data)

    assert abs(data.sensordata[eye.sensordata] - expected) < 1e-9


def test_a_force_sensor_knows_the_bodies_that_hang_on_its_link():
    model, wired = _compile({"wrench": ForceTorque(link="link_5")})
    wiring = wired.wirings[0]

    hanging = set()
    for body in range(model.nbody):
        ancestor = body
        while ancestor not in (0, wiring.bodies[0]):
            ancestor = model.body_parentid[ancestor]
        if ancestor == wiring.bodies[0]:
            hanging.add(body)

    assert hanging == set(range(wiring.bodies[0], wiring.subtree_end))


def test_a_sensor_on_no_link_is_refused_with_the_closest_name():
    with pytest.raises(NameNotFoundError, match="Did you mean 'link_7'"):
        _compile({"imu": Imu(link="lnk_7")})
