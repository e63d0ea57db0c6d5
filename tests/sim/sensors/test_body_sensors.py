"""IMU, range and force sensors, fed by the engine and by blows."""

import itertools
import math
from typing import Any

import mujoco as engine
import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.sim.sensors import ForceTorque, Imu, RangeSensor, SensorModel
from gelenk.sim.sensors.channels import Wiring
from gelenk.sim.sensors.descriptions import mount, mujoco_sensors
from gelenk.sim.sensors.sample import Blows, body_jumps
from gelenk.spatial import so3
from gelenk.spatial.se3 import pose_from_rotation_translation
from sensor_rig import SensorRig
from struck_chain import CHAIN, struck_chain

mujoco: Any = engine  # its wheel has no types

WIRE = Wiring(bodies=(1,), site=0, sensordata=0, subtree_end=2)


def _sensordata(*values):
    data = np.zeros(12)
    data[: len(values)] = values
    return lambda _tick: {"sensordata": data}


def test_each_sensor_names_its_site_and_the_engines_sensors_on_it():
    T = pose_from_rotation_translation(so3.rot_x(0.3), (0.1, 0.0, 0.2))
    imu = Imu(link="torso", T_link_sensor=T)

    place = mount(imu)

    assert place is not None
    assert place.link == "torso"
    np.testing.assert_array_equal(place.T_link_sensor, T)
    assert mujoco_sensors(imu) == ("accelerometer", "gyro")
    assert mujoco_sensors(RangeSensor(link="nose")) == ("rangefinder",)
    assert mujoco_sensors(ForceTorque(link="hand")) == ("force", "torque")


def test_an_imu_reads_both_triads_with_errors_of_their_own():
    imu = Imu(
        link="torso",
        accelerometer=SensorModel(bias=0.1, saturation=(-20.0, 20.0)),
        gyroscope=SensorModel(bias=-0.2),
    )

    value = SensorRig(imu, WIRE, _sensordata(1, 2, 99, 4, 5, 6)).read().value

    np.testing.assert_allclose(value, [1.1, 2.1, 20.0, 3.8, 4.8, 5.8], rtol=1e-14)


@pytest.mark.parametrize("rate", [1000.0, 300.0, 70.0])
def test_specific_force_is_a_mean_since_the_last_sample_and_rates_are_not(rate):
    timing = SensorModel(rate=rate)
    imu = Imu(link="torso", accelerometer=timing, gyroscope=timing)

    def ramp(tick):
        return {"sensordata": np.full(12, float(tick * tick))}

    readings = SensorRig(imu, WIRE, ramp).readings(100)

    ticks = sorted({round(r.time * 1000) for r in readings})
    for before, now in itertools.pairwise(ticks):
        mean = np.mean([t * t for t in range(before + 1, now + 1)])
        value = readings[now].value
        np.testing.assert_allclose(value[:3], mean, rtol=1e-12)
        np.testing.assert_array_equal(value[3:], now * now)
    assert len(ticks) == math.floor(rate * 0.1) + 1


def test_the_first_sample_is_that_of_the_start():
    timing = SensorModel(rate=70.0)
    rig = SensorRig(
        ForceTorque(link="hand", model=timing), WIRE, _sensordata(1, 2, 3, 4, 5, 6)
    )

    np.testing.assert_allclose(rig.read().value, [1, 2, 3, 4, 5, 6], rtol=1e-14)


def test_misaligned_axes_turn_what_they_measure_and_keep_its_length():
    tilt, angles = 0.02, []
    for seed in range(300):
        imu = Imu(link="torso", misalignment=tilt)
        rig = SensorRig(imu, WIRE, _sensordata(3, 0, 4, 0, 2, 0), seed=seed)
        value = rig.read().value
        np.testing.assert_allclose(
            [np.linalg.norm(value[:3]), np.linalg.norm(value[3:])], [5, 2], rtol=1e-12
        )
        angles.append(math.acos(value[4] / 2.0))

    # Two of the three tilts turn an axis: the angle follows a Rayleigh law.
    assert abs(np.mean(angles) / (tilt * math.sqrt(math.pi / 2)) - 1.0) < 0.12


@pytest.mark.parametrize(
    ("raw", "expected"), [(2.5, 2.5), (-1.0, np.inf), (8.1, np.inf), (8.0, 8.0)]
)
def test_a_range_sensor_says_infinity_where_nothing_is_in_reach(raw, expected):
    sensor = RangeSensor(link="nose", max_range=8.0)

    assert SensorRig(sensor, WIRE, _sensordata(raw)).read().value[0] == expected


def test_halves_of_an_imu_with_different_rates_are_refused():
    with pytest.raises(ConfigError, match="`rate` of both halves"):
        Imu(link="torso", accelerometer=SensorModel(rate=100.0))
    with pytest.raises(ConfigError, match="`latency` of both halves"):
        ForceTorque(link="hand", torque_model=SensorModel(latency=0.1))


# -- blows -------------------------------------------------------------------------


def _blows_of(model, data, jump, impulse, point):
    body_jump = np.zeros((model.nbody, 6))
    for body in range(1, model.nbody):
        J, W = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jacBodyCom(model, data, J, W, body)
        body_jump[body] = [*(J @ jump), *(W @ jump)]
    body_impulse = np.zeros((model.nbody, 6))
    hand = model.body("hand").id
    body_impulse[hand] = [*impulse, *np.cross(point, impulse)]
    return Blows(
        is_struck=np.ones(1, np.int64),
        body_jump=body_jump,
        body_impulse=body_impulse,
        xipos=data.xipos.copy(),
        ximat=data.ximat.copy(),
        body_mass=model.body_mass.copy(),
        body_inertia=model.body_inertia.copy(),
        site_xpos=data.site_xpos.copy(),
        site_xmat=data.site_xmat.copy(),
    )


@pytest.mark.parametrize("rate", [1000.0, 200.0])
def test_a_blow_reads_like_the_force_that_does_the_same_in_one_sample(rate):
    """The engine itself, pushed by impulse / time, is the judge."""
    impulse, time = np.array([0.3, -0.2, 0.5]), 1.0 / rate
    model, data, jump, point = struck_chain(impulse, np.array([0.05, 0.01, -0.08]))
    blows = _blows_of(model, data, jump, impulse, point)
    quiet = blows._replace(is_struck=np.zeros(1, np.int64))
    hand = model.body("hand").id
    wiring = Wiring(
        bodies=(model.body("lower").id,),
        site=0,
        sensordata=0,
        subtree_end=model.nbody,
    )
    timing = SensorModel(rate=rate)
    rig = SensorRig(
        [
            Imu(link="lower", accelerometer=timing, gyroscope=timing),
            ForceTorque(link="lower", model=timing),
        ],
        [wiring, wiring],
        _sensordata(),
        blows=lambda tick: blows if tick == 1 else quiet,
    )
    rig.step(round(1000 / rate))
    imu, wrench = rig.read(0), rig.read(1)
    rig.step(round(1000 / rate))

    data.xfrc_applied[hand, :3] = impulse / time
    data.xfrc_applied[hand, 3:] = np.cross(point - data.xipos[hand], impulse / time)
    mujoco.mj_forward(model, data)
    expected = data.sensordata
    scale = np.abs(expected).max()
    np.testing.assert_allclose(imu.value[:3], expected[:3], atol=1e-9 * scale)
    np.testing.assert_allclose(wrench.value, expected[6:], atol=1e-9 * scale)
    assert (rig.read(0).value == 0.0).all()
    assert (rig.read(1).value == 0.0).all()


def test_a_hanging_load_reads_its_weight_upwards():
    model = mujoco.MjModel.from_xml_string(
        """
        <mujoco><worldbody><body name="load">
          <geom type="sphere" size=".05" pos="0 0 -.3" mass="2"/>
          <site name="cell"/>
        </body></worldbody>
        <sensor><force site="cell"/><torque site="cell"/></sensor></mujoco>"""
    )
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    rig = SensorRig(
        ForceTorque(link="load"), WIRE, lambda _tick: {"sensordata": data.sensordata}
    )

    np.testing.assert_allclose(rig.read().value, [0, 0, 2 * 9.81, 0, 0, 0], atol=1e-12)


def test_jumps_of_bodies_are_their_jacobians_times_the_jump_of_all_joints():
    model = mujoco.MjModel.from_xml_string(
        CHAIN.replace(
            "</worldbody>",
            """<body name="free" pos="1 2 3"><freejoint/>
              <geom type="box" size=".1 .2 .3" pos=".1 0 0" mass="1"/>
              <body name="ball" pos="0 0 .4"><joint type="ball"/>
                <geom type="box" size=".1 .2 .3" pos="0 .1 0" mass="2"/></body>
            </body></worldbody>""",
        )
    )
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 0.5)
    mujoco.mj_forward(model, data)
    jump, found = rng.normal(size=model.nv), np.full((model.nbody, 6), np.nan)

    body_jumps(
        jump, data.cdof, data.subtree_com, data.xipos, model.body_parentid,
        model.body_rootid, model.body_dofadr, model.body_dofnum, found,
    )  # fmt: skip

    assert (found[0] == 0.0).all()
    for body in range(1, model.nbody):
        J, W = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jacBodyCom(model, data, J, W, body)
        np.testing.assert_allclose(found[body], [*(J @ jump), *(W @ jump)], atol=1e-12)
