"""Channels of sensors: wiring to the world, and one row of the bank for each number."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim.motors import bank as motor_columns
from gelenk.sim.noise import gaussian, stream_id
from gelenk.sim.sensors.descriptions import (
    Encoder,
    ForceTorque,
    MotorCurrent,
    MotorTemperature,
    Potentiometer,
    RangeSensor,
    Sensor,
    SensorModel,
    TouchSwitch,
    mount,
)
from gelenk.spatial import so3
from gelenk.typing import FloatArray, IntArray

# What a sensor does with its sources, column KIND.
(
    JOINT_VALUE,
    JOINT_SPEED,
    MOTOR_COLUMN,
    WIPER,
    SWITCH,
    RANGE,
    INERTIAL,
    FORCE_TORQUE,
) = range(8)

# Columns of `ints`, one row per sensor.
(
    KIND,
    FIRST,  # first channel
    COUNT,  # number of channels
    PERIOD_TICKS,  # sample k is taken in tick ceil(k * PERIOD_TICKS / PERIOD_SAMPLES)
    PERIOD_SAMPLES,
    DELAY,  # ticks until a sample can be read
    DROP_STREAM,
    MOTOR_STATE,  # column of the motors' state
    SITE,
    BODY,
    SUBTREE_END,  # first body behind the subtree of BODY
    NUM_INTS,
) = range(12)

# Columns of `sources`, one row per channel: addresses.
SOURCE, SPEED_SOURCE, NOISE_STREAM, WALK_STREAM, NUM_SOURCES = range(5)

# Columns of `params`, one row per channel.
(
    SCALE,
    BIAS,
    NOISE,
    STEP,
    SATURATED_LOW,
    SATURATED_HIGH,
    WALK_STEP,  # standard deviation per sample
    MIX_0,  # row of the matrix that mixes the three axes of a triad
    MIX_1,
    MIX_2,
    LOW,  # wiper: angle at 0; switch: force that opens
    HIGH,  # wiper: angle at full scale; switch: force that closes
    LIMIT,  # wiper: lift-off speed; switch: ticks of chatter; range: farthest
    OPEN,  # wiper: share that an open wiper reads; switch: 1 if latched
    LOAD,  # wiper: load ratio; motor: 1 if only the amount is seen
    NUM_PARAMS,
) = range(16)

# Columns of `state`, one row per channel. Forces and accelerations are summed up over
# the ticks between two samples.
WALK, IS_CLOSED, CHANGED_AT, WAS_CLOSED, INTEGRAL, NUM_STATES = range(6)

# Columns of `fault_amounts`, one row per sensor.
FAULT_BIAS, FAULT_NOISE = range(2)

# Bits of `fault`.
SENSOR_FROZEN = 1


_Place = TypeVar("_Place")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Places in the world where a sensor finds its quantity.

    Attributes:
        qpos: Addresses of joint values: Encoder (joint side), Potentiometer.
        dof: Addresses of joint speeds: Encoder (joint side), Potentiometer.
        motors: Rows of the motor bank: Encoder (motor side), MotorCurrent,
            MotorTemperature.
        bodies: Bodies of the pressed links (TouchSwitch); the one body that carries the
            sensor (Imu, ForceTorque).
        subtree_end: First body that no longer hangs on that one (ForceTorque).
        site: Site of the sensor (Imu, ForceTorque).
        sensordata: Address of its first number among the engine's sensors (Imu,
            RangeSensor, ForceTorque).
    """

    qpos: tuple[int, ...] = ()
    dof: tuple[int, ...] = ()
    motors: tuple[int, ...] = ()
    bodies: tuple[int, ...] = ()
    subtree_end: int = 0
    site: int = -1
    sensordata: int = -1


class JointPlace(NamedTuple):
    """Addresses of a joint of one degree of freedom.

    Attributes:
        qpos: Address of the joint's value.
        dof: Address of the joint's speed.
        motor: Row of its motor, -1: none.
    """

    qpos: int
    dof: int
    motor: int = -1


def wire_sensor(
    sensor: Sensor,
    *,
    joints: Mapping[str, JointPlace],
    links: Mapping[str, int],
    subtree_ends: Mapping[str, int] | None = None,
    site: int = -1,
    sensordata: int = -1,
) -> Wiring:
    """Return the wiring of a robot's sensor.

    Args:
        sensor: Description.
        joints: Joints of the robot by name, in the order of its model.
        links: Body of each link.
        subtree_ends: First body behind the subtree of each link.
        site: Site of a mounted sensor.
        sensordata: Address of its first number among the engine's sensors.

    Raises:
        NameNotFoundError: If a joint or link does not exist.
        ConfigError: If a motor is to be read where there is none.
    """
    place = mount(sensor)
    if place is not None:
        body = _get("link", place.link, links)
        end = (subtree_ends or {}).get(place.link, body + 1)
        return Wiring(bodies=(body,), subtree_end=end, site=site, sensordata=sensordata)
    if isinstance(sensor, TouchSwitch):
        return Wiring(bodies=tuple(_get("link", name, links) for name in sensor.links))
    if isinstance(sensor, Potentiometer):
        places = [_get("joint", sensor.joint, joints)]
    else:
        assert isinstance(sensor, Encoder | MotorCurrent | MotorTemperature)
        places = _joints_of(sensor, joints)
    return Wiring(
        qpos=tuple(place.qpos for place in places),
        dof=tuple(place.dof for place in places),
        motors=tuple(place.motor for place in places if place.motor >= 0),
    )


def _joints_of(
    sensor: Encoder | MotorCurrent | MotorTemperature,
    joints: Mapping[str, JointPlace],
) -> Sequence[JointPlace]:
    """Return the joints that are read: those named, or all that can be."""
    reads_motors = not isinstance(sensor, Encoder) or sensor.side == "motor"
    named = [_get("joint", name, joints) for name in sensor.joints]
    without = [name for name in sensor.joints if joints[name].motor < 0]
    if reads_motors and without:
        raise ConfigError(
            f"{type(sensor).__name__} reads motors, but {', '.join(without)} has none"
        )
    if named:
        return named
    return [p for p in joints.values() if p.motor >= 0 or not reads_motors]


def _get(kind: str, name: str, places: Mapping[str, _Place]) -> _Place:
    if name not in places:
        raise NameNotFoundError(kind, name, places)
    return places[name]


@dataclass(slots=True)
class Channel:
    """One number of a reading: its source, its errors, and what its kind needs."""

    model: SensorModel
    source: int
    speed_source: int = 0
    mix: tuple[float, float, float] = (1.0, 0.0, 0.0)
    low: float = 0.0
    high: float = 0.0
    limit: float = 0.0
    open: float = 0.0
    load: float = 0.0
    highest_count: float = 0.0  # of a converter; 0: none


def connect(
    sensor: Sensor,
    wiring: Wiring,
    name: str,
    seed: int,
    ints: IntArray,
    step: float,
) -> list[Channel]:
    """Return the channels of a sensor; write its kind and its places."""
    if isinstance(sensor, Encoder):
        return _encoder(sensor, wiring, name, ints)
    if isinstance(sensor, MotorCurrent | MotorTemperature):
        is_current = isinstance(sensor, MotorCurrent)
        ints[KIND] = MOTOR_COLUMN
        ints[MOTOR_STATE] = (
            motor_columns.CURRENT if is_current else motor_columns.TEMPERATURE
        )
        amount_only = 1.0 if is_current and not sensor.is_signed else 0.0
        rows = _needed(wiring.motors, "motors", name)
        return [Channel(sensor.model, row, load=amount_only) for row in rows]
    if isinstance(sensor, Potentiometer):
        return [_potentiometer(sensor, wiring, name, ints)]
    if isinstance(sensor, TouchSwitch):
        return _switches(sensor, wiring, name, ints, step)
    if wiring.sensordata < 0:
        raise ConfigError(f"the wiring of sensor {name!r} lacks `sensordata`")
    if isinstance(sensor, RangeSensor):
        ints[KIND] = RANGE
        return [Channel(sensor.model, wiring.sensordata, limit=sensor.max_range)]
    ints[SITE] = wiring.site
    ints[BODY] = _needed(wiring.bodies, "bodies", name)[0]
    if isinstance(sensor, ForceTorque):
        ints[KIND] = FORCE_TORQUE
        ints[SUBTREE_END] = wiring.subtree_end
        models = (sensor.model, sensor.torque_model or sensor.model)
        tilt = 0.0
    else:
        ints[KIND] = INERTIAL
        models = (sensor.accelerometer, sensor.gyroscope)
        tilt = sensor.misalignment
    triads: list[Channel] = []
    for half, model in enumerate(models):
        mix = _tilted(f"{name}:{half}", seed, tilt)
        first = wiring.sensordata + 3 * half
        triads += [Channel(model, first, mix=tuple(row)) for row in mix.tolist()]
    return triads


def _encoder(
    sensor: Encoder, wiring: Wiring, name: str, ints: IntArray
) -> list[Channel]:
    is_position = sensor.quantity == "position"
    if sensor.side == "motor":
        ints[KIND] = MOTOR_COLUMN
        ints[MOTOR_STATE] = (
            motor_columns.ROTOR_ANGLE if is_position else motor_columns.ROTOR_SPEED
        )
        addresses = _needed(wiring.motors, "motors", name)
    elif is_position:
        ints[KIND] = JOINT_VALUE
        addresses = _needed(wiring.qpos, "qpos", name)
    else:
        ints[KIND] = JOINT_SPEED
        addresses = _needed(wiring.dof, "dof", name)
    return [Channel(sensor.model, address) for address in addresses]


def _potentiometer(
    sensor: Potentiometer, wiring: Wiring, name: str, ints: IntArray
) -> Channel:
    ints[KIND] = WIPER
    return Channel(
        sensor.model,
        _needed(wiring.qpos, "qpos", name)[0],
        speed_source=_needed(wiring.dof, "dof", name)[0],
        low=sensor.low,
        high=sensor.high,
        limit=sensor.lift_off_speed,
        open=sensor.open_share,
        load=sensor.load_ratio,
        highest_count=float(sensor.highest_count),
    )


def _switches(
    sensor: TouchSwitch, wiring: Wiring, name: str, ints: IntArray, step: float
) -> list[Channel]:
    ints[KIND] = SWITCH
    return [
        Channel(
            sensor.model,
            body,
            low=sensor.threshold if sensor.release is None else sensor.release,
            high=sensor.threshold,
            limit=float(math.ceil(sensor.chatter / step - 1e-9)),
            open=float(sensor.is_latched),
        )
        for body in _needed(wiring.bodies, "bodies", name)
    ]


def _needed(addresses: tuple[int, ...], field: str, name: str) -> tuple[int, ...]:
    if not addresses:
        raise ConfigError(f"the wiring of sensor {name!r} lacks `{field}`")
    return addresses


def _tilted(name: str, seed: int, tilt: float) -> FloatArray:
    """Return the axes of a triad that was not mounted quite straight, (3, 3)."""
    stream = stream_id(name, "misalignment")
    return so3.exp(np.array([tilt * gaussian(seed, stream, i) for i in range(3)]))


def write_channel(
    channel: Channel,
    sources: IntArray,
    params: FloatArray,
    name: str,
    seed: int,
    interval: float,
) -> None:
    """Write one channel into its rows."""
    model = channel.model
    sources[SOURCE] = channel.source
    sources[SPEED_SOURCE] = channel.speed_source
    sources[NOISE_STREAM] = stream_id(name, "noise")
    sources[WALK_STREAM] = stream_id(name, "walk")
    error = gaussian(seed, stream_id(name, "scale"), 0)
    bias = gaussian(seed, stream_id(name, "bias"), 0)
    params[SCALE] = 1.0 + model.scale_spread * error
    params[BIAS] = model.bias + model.bias_spread * bias
    params[NOISE] = model.noise
    params[WALK_STEP] = model.random_walk * math.sqrt(interval)
    params[[MIX_0, MIX_1, MIX_2]] = channel.mix
    params[LOW], params[HIGH] = channel.low, channel.high
    params[LIMIT] = channel.limit
    params[OPEN], params[LOAD] = channel.open, channel.load
    low, high = model.saturation
    params[STEP] = model.quantisation
    if channel.highest_count > 0.0:
        params[SCALE] *= channel.highest_count
        params[STEP] = max(model.quantisation, 1.0)
        low, high = max(low, 0.0), min(high, channel.highest_count)
    params[SATURATED_LOW], params[SATURATED_HIGH] = low, high
