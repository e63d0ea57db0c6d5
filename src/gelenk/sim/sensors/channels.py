"""The channels of a sensor: one row of the bank for each number of its reading."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim.motors import columns as motor_columns
from gelenk.sim.noise import gaussian, stream_id
from gelenk.sim.sensors import columns as c
from gelenk.sim.sensors.descriptions import (
    Encoder,
    ForceTorque,
    MotorCurrent,
    MotorTemperature,
    Potentiometer,
    RangeSensor,
    Sensor,
    TouchSwitch,
)
from gelenk.sim.sensors.model import SensorModel
from gelenk.sim.sensors.wiring import Wiring
from gelenk.spatial import so3
from gelenk.typing import FloatArray, IntArray


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
        ints[c.KIND] = c.MOTOR_COLUMN
        ints[c.MOTOR_STATE] = (
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
        ints[c.KIND] = c.RANGE
        return [Channel(sensor.model, wiring.sensordata, limit=sensor.max_range)]
    ints[c.SITE] = wiring.site
    ints[c.BODY] = _needed(wiring.bodies, "bodies", name)[0]
    if isinstance(sensor, ForceTorque):
        ints[c.KIND] = c.FORCE_TORQUE
        ints[c.SUBTREE_END] = wiring.subtree_end
        models = (sensor.model, sensor.torque_model or sensor.model)
        tilt = 0.0
    else:
        ints[c.KIND] = c.INERTIAL
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
        ints[c.KIND] = c.MOTOR_COLUMN
        ints[c.MOTOR_STATE] = (
            motor_columns.ROTOR_ANGLE if is_position else motor_columns.ROTOR_SPEED
        )
        addresses = _needed(wiring.motors, "motors", name)
    elif is_position:
        ints[c.KIND] = c.JOINT_VALUE
        addresses = _needed(wiring.qpos, "qpos", name)
    else:
        ints[c.KIND] = c.JOINT_SPEED
        addresses = _needed(wiring.dof, "dof", name)
    return [Channel(sensor.model, address) for address in addresses]


def _potentiometer(
    sensor: Potentiometer, wiring: Wiring, name: str, ints: IntArray
) -> Channel:
    ints[c.KIND] = c.WIPER
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
    ints[c.KIND] = c.SWITCH
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
    sources[c.SOURCE] = channel.source
    sources[c.SPEED_SOURCE] = channel.speed_source
    sources[c.NOISE_STREAM] = stream_id(name, "noise")
    sources[c.WALK_STREAM] = stream_id(name, "walk")
    error = gaussian(seed, stream_id(name, "scale"), 0)
    bias = gaussian(seed, stream_id(name, "bias"), 0)
    params[c.SCALE] = 1.0 + model.scale_spread * error
    params[c.BIAS] = model.bias + model.bias_spread * bias
    params[c.NOISE] = model.noise
    params[c.WALK_STEP] = model.random_walk * math.sqrt(interval)
    params[[c.MIX_0, c.MIX_1, c.MIX_2]] = channel.mix
    params[c.LOW], params[c.HIGH] = channel.low, channel.high
    params[c.LIMIT] = channel.limit
    params[c.OPEN], params[c.LOAD] = channel.open, channel.load
    low, high = model.saturation
    params[c.STEP] = model.quantisation
    if channel.highest_count > 0.0:
        params[c.SCALE] *= channel.highest_count
        params[c.STEP] = max(model.quantisation, 1.0)
        low, high = max(low, 0.0), min(high, channel.highest_count)
    params[c.SATURATED_LOW], params[c.SATURATED_HIGH] = low, high
