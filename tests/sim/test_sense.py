"""Sensors behind the engine: touches, blows and faults of one tick."""

from typing import Any, NamedTuple

import mujoco as engine
import numpy as np
import pytest

from gelenk.sim.bridge.layout import address_table
from gelenk.sim.bridge.robot_sensors import WiredSensors
from gelenk.sim.contact.bank import (
    IMPACT_COLUMNS,
    IMPACT_GEOM_1,
    IMPACT_GEOM_2,
    IMPACT_IMPULSE,
    IMPACT_POINT,
)
from gelenk.sim.faults import Fault
from gelenk.sim.sensor_tick import build_senses, sense, sense_arrays
from gelenk.sim.sensors import Encoder, ForceTorque, Imu, TouchSwitch
from gelenk.sim.sensors.bank import read_sensor
from gelenk.sim.sensors.channels import Wiring
from struck_chain import struck_chain

mujoco: Any = engine  # its wheel has no types

H = 1e-3


class _Contact(NamedTuple):
    """The part of a contact bank that sensors look at."""

    body_impulse: np.ndarray
    events: np.ndarray
    counters: np.ndarray


def _quiet(model) -> _Contact:
    return _Contact(
        np.zeros(model.nbody),
        np.zeros((4, IMPACT_COLUMNS)),
        np.zeros(3, np.int64),
    )


def _sense(senses, model, data, contact, tick, qvel_before=None):
    table = address_table(model, data)
    before = data.qvel.copy() if qvel_before is None else qvel_before
    sense(table, senses, contact, np.zeros((0, 17)), before, 0, H, tick)


def _boxes():
    """Return a box of 2 kg at rest with one of 1 kg on top of it."""
    model = mujoco.MjModel.from_xml_string(
        """
        <mujoco><option timestep="0.001" cone="elliptic"/><worldbody>
          <geom type="plane" size="1 1 1"/>
          <body name="low" pos="0 0 .1"><freejoint/>
            <geom type="box" size=".1 .1 .1" mass="2"/></body>
          <body name="high" pos="0 0 .25"><freejoint/>
            <geom type="box" size=".05 .05 .05" mass="1"/></body>
        </worldbody></mujoco>"""
    )
    data = mujoco.MjData(model)
    for _ in range(2000):
        mujoco.mj_step(model, data)
    return model, data


@pytest.mark.parametrize(
    ("body", "weight"), [("low", 9.81 * (3 + 1)), ("high", 9.81 * 1)]
)
def test_a_body_feels_the_sum_of_the_forces_of_all_its_contacts(body, weight):
    """The lower box is pressed by 3 kg from below and by 1 kg from above."""
    model, data = _boxes()
    wiring = Wiring(bodies=(model.body(body).id,))
    sensors = [TouchSwitch(links=(body,), threshold=t * weight) for t in (0.999, 1.001)]
    wired = WiredSensors(("below", "above"), tuple(sensors), (wiring, wiring))
    senses = build_senses(model, data, wired, step=H, seed=0)

    _sense(senses, model, data, _quiet(model), 0)

    closed = [read_sensor(senses.sensors, i, 0, step=H).value[0] for i in range(2)]
    assert closed == [1.0, 0.0]


def test_the_impulse_of_an_impact_counts_as_its_mean_force_over_the_tick():
    model, data = _boxes()
    high = model.body("high").id
    switch = TouchSwitch(links=("high",), threshold=9.81 + 299.0)
    wired = WiredSensors(("touch",), (switch,), (Wiring(bodies=(high,)),))
    senses = build_senses(model, data, wired, step=H, seed=0)
    struck, quiet = _quiet(model), _quiet(model)
    struck.body_impulse[high] = 0.3

    values = []
    for tick, contact in enumerate((quiet, struck, quiet)):
        _sense(senses, model, data, contact, tick)
        values.append(read_sensor(senses.sensors, 0, tick, step=H).value[0])

    assert values == [0.0, 1.0, 0.0]


@pytest.mark.parametrize("is_second", [True, False])
def test_a_blow_reported_as_an_event_is_felt_where_it_strikes(is_second):
    """The engine, pushed by the same impulse as a force over one tick, is the judge."""
    impulse = np.array([0.3, -0.2, 0.5])
    model, data, jump, point = struck_chain(impulse, np.array([0.05, 0.01, -0.08]))
    hand, lower = model.body("hand").id, model.body("lower").id
    contact = _quiet(model)
    geoms = [int(model.body("hand").geomadr[0]), int(model.body("upper").geomadr[0])]
    event = contact.events[0]
    event[IMPACT_GEOM_1], event[IMPACT_GEOM_2] = geoms[::-1] if is_second else geoms
    event[IMPACT_IMPULSE : IMPACT_IMPULSE + 3] = impulse if is_second else -impulse
    event[IMPACT_POINT : IMPACT_POINT + 3] = point
    contact.counters[0] = 1
    wiring = Wiring(bodies=(lower,), site=0, sensordata=0, subtree_end=model.nbody)
    wired = WiredSensors(
        ("imu", "wrench"),
        (Imu(link="lower"), ForceTorque(link="lower")),
        (wiring, wiring),
    )
    senses = build_senses(model, data, wired, step=H, seed=0)

    _sense(senses, model, data, contact, 1, data.qvel - jump)
    imu, wrench = (read_sensor(senses.sensors, i, 1, step=H) for i in range(2))

    data.xfrc_applied[hand, :3] = impulse / H
    data.xfrc_applied[hand, 3:] = np.cross(point - data.xipos[hand], impulse / H)
    mujoco.mj_forward(model, data)
    expected = data.sensordata
    scale = np.abs(expected).max()
    np.testing.assert_allclose(imu.value[:3], expected[:3], atol=1e-9 * scale)
    np.testing.assert_allclose(wrench.value, expected[6:], atol=1e-9 * scale)


def test_what_the_engine_does_not_explain_is_felt_as_well():
    """A joint that is stopped by decree shakes the accelerometer on its link."""
    model, data, _, _ = struck_chain(np.zeros(3), np.zeros(3))
    wiring = Wiring(bodies=(model.body("lower").id,), site=0, sensordata=0)
    wired = WiredSensors(("imu",), (Imu(link="lower"),), (wiring,))
    senses = build_senses(model, data, wired, step=H, seed=0)
    stopped = np.array([0.2, 0.0, 0.0, 0.0])

    _sense(senses, model, data, _quiet(model), 1, stopped)

    arm = data.site_xpos[0] - data.xpos[model.body("upper").id]
    jump = np.cross([0.0, -0.2, 0.0], arm)  # the shoulder turns about y
    expected = data.site_xmat[0].reshape(3, 3).T @ jump / H
    value = read_sensor(senses.sensors, 0, 1, step=H).value
    np.testing.assert_allclose(value[:3], expected, atol=1e-9)


def test_faults_of_sensors_follow_their_schedule():
    model, data = _boxes()
    wired = WiredSensors(("robot/q",), (Encoder(),), (Wiring(qpos=(2,)),))
    fault = Fault(
        kind="sensor_biased", target="robot/q", start=0.002, duration=0.003, amount=7.0
    )
    senses = build_senses(model, data, wired, step=H, seed=0, faults=[fault])
    height = data.qpos[2]

    values = []
    for tick in range(8):
        _sense(senses, model, data, _quiet(model), tick)
        values.append(read_sensor(senses.sensors, 0, tick, step=H).value[0])

    expected = [height + 7.0 * fault.is_active(tick * H) for tick in range(8)]
    np.testing.assert_allclose(values, expected, rtol=1e-14)
    assert all(array.size for array in sense_arrays(senses))


def test_a_world_without_sensors_senses_nothing():
    model, data = _boxes()
    senses = build_senses(model, data, WiredSensors((), (), ()), step=H, seed=0)

    _sense(senses, model, data, _quiet(model), 0)

    assert (senses.touch == 0.0).all()
