"""Many sensors as a few arrays that the compiled tick fills."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from gelenk.core.errors import ConfigError
from gelenk.core.spatial import so3
from gelenk.core.typing import FloatArray, IntArray
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
    SensorModel,
    TouchSwitch,
)


class SensorBank(NamedTuple):
    """All sensors of a world; columns are named in `columns`.

    Attributes:
        ints: Kind, channels and timing, shape (n, NUM_INTS).
        drop_out: Probability that a sample is lost, shape (n,).
        sources: Addresses and noise streams of the m channels, (m, NUM_SOURCES).
        params: Constants of the channels, shape (m, NUM_PARAMS).
        state: What changes from tick to tick, shape (m, NUM_STATES).
        ring: Last samples before noise, shape (m, depth).
        ring_index: Noise index of each sample, shape (n, depth).
        ring_noise: Noise that a fault adds to each sample, shape (n, depth).
        fault: Bits of what is broken, shape (n,).
        fault_amounts: Bias and noise that faults add, shape (n, 2).
        seed: Of the world, shape (1,).
    """

    ints: IntArray
    drop_out: FloatArray
    sources: IntArray
    params: FloatArray
    state: FloatArray
    ring: FloatArray
    ring_index: IntArray
    ring_noise: FloatArray
    fault: IntArray
    fault_amounts: FloatArray
    seed: IntArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """Where in the world a sensor finds what it measures.

    Attributes:
        qpos: Addresses of joint values: Encoder (joint side), Potentiometer.
        dof: Addresses of joint speeds: Encoder (joint side), Potentiometer.
        motors: Rows of the motor bank: Encoder (motor side), MotorCurrent,
            MotorTemperature.
        bodies: Of the pressed links (TouchSwitch); the one body that carries the
            sensor (Imu, ForceTorque).
        subtree_end: First body that no longer hangs on that one (ForceTorque).
        site: Of the sensor (Imu, ForceTorque).
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


@dataclass(slots=True)
class _Channel:
    """One row of `sources` and `params` in the making."""

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


def pack_sensors(
    sensors: Sequence[Sensor],
    wirings: Sequence[Wiring],
    names: Sequence[str],
    *,
    step: float,
    seed: int = 0,
) -> SensorBank:
    """Return the bank of `sensors`; take the first sample of each with tick 0.

    Args:
        sensors: Descriptions.
        wirings: Where each of them is connected.
        names: Unique names: who each sensor is in the draw of its noise.
        step: Length of a tick [s].
        seed: Of the world.

    Raises:
        ConfigError: If the lengths differ, a rate is faster than the ticks, or a
            wiring lacks what the sensor needs.
    """
    if not len(sensors) == len(wirings) == len(names):
        raise ConfigError(
            "`sensors`, `wirings` and `names` must have one length, got "
            f"{len(sensors)}, {len(wirings)}, {len(names)}"
        )
    n = len(sensors)
    ints = np.zeros((n, c.NUM_INTS), np.int64)
    channels: list[list[_Channel]] = []
    depth = 2
    for i, (sensor, wiring, name) in enumerate(
        zip(sensors, wirings, names, strict=True)
    ):
        period = _period(sensor.model, step, name)
        delay = math.ceil(sensor.model.latency / step - 1e-9)
        found = _channels(sensor, wiring, name, seed, ints[i], step)
        ints[i, c.FIRST] = sum(map(len, channels))
        ints[i, c.COUNT] = len(found)
        ints[i, c.PERIOD_TICKS] = period.numerator
        ints[i, c.PERIOD_SAMPLES] = period.denominator
        ints[i, c.DELAY] = delay
        ints[i, c.DROP_STREAM] = stream_id(name, "drop-out")
        channels.append(found)
        depth = max(depth, math.ceil(delay / period) + 2)
    m = sum(map(len, channels))
    sources = np.zeros((m, c.NUM_SOURCES), np.int64)
    params = np.zeros((m, c.NUM_PARAMS))
    for i, (found, name) in enumerate(zip(channels, names, strict=True)):
        interval = step * ints[i, c.PERIOD_TICKS] / ints[i, c.PERIOD_SAMPLES]
        for j, channel in enumerate(found):
            row = ints[i, c.FIRST] + j
            _write(channel, sources[row], params[row], f"{name}:{j}", seed, interval)
    state = np.zeros((m, c.NUM_STATES))
    state[:, c.CHANGED_AT] = -np.inf
    return SensorBank(
        ints=ints,
        drop_out=np.array([s.model.drop_out for s in sensors], dtype=np.float64),
        sources=sources,
        params=params,
        state=state,
        ring=np.full((m, depth), np.nan),
        ring_index=np.zeros((n, depth), np.int64),
        ring_noise=np.zeros((n, depth)),
        fault=np.zeros(n, np.int64),
        fault_amounts=np.zeros((n, 2)),
        seed=np.array([seed], np.int64),
    )


def state_arrays(bank: SensorBank) -> tuple[np.ndarray, ...]:
    """Return the arrays that change while stepping: copied, they are a snapshot."""
    return (
        bank.state,
        bank.ring,
        bank.ring_index,
        bank.ring_noise,
        bank.fault,
        bank.fault_amounts,
    )


def _period(model: SensorModel, step: float, name: str) -> Fraction:
    """Return the time between samples in ticks, exactly."""
    if model.rate is None:
        return Fraction(1)
    ticks_per_second = 1 / Fraction(step).limit_denominator(10**9)
    period = ticks_per_second / Fraction(model.rate).limit_denominator(10**6)
    if period < 1:
        raise ConfigError(
            f"`rate` of sensor {name!r} is {model.rate} Hz, but there are only "
            f"{float(ticks_per_second):g} ticks per second; lower the rate or the step"
        )
    return period


def _channels(
    sensor: Sensor,
    wiring: Wiring,
    name: str,
    seed: int,
    ints: IntArray,
    step: float,
) -> list[_Channel]:
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
        return [_Channel(sensor.model, row, load=amount_only) for row in rows]
    if isinstance(sensor, Potentiometer):
        return [_potentiometer(sensor, wiring, name, ints)]
    if isinstance(sensor, TouchSwitch):
        return _switches(sensor, wiring, name, ints, step)
    if wiring.sensordata < 0:
        raise ConfigError(f"the wiring of sensor {name!r} lacks `sensordata`")
    if isinstance(sensor, RangeSensor):
        ints[c.KIND] = c.RANGE
        return [_Channel(sensor.model, wiring.sensordata, limit=sensor.max_range)]
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
    triads: list[_Channel] = []
    for half, model in enumerate(models):
        mix = _tilted(f"{name}:{half}", seed, tilt)
        first = wiring.sensordata + 3 * half
        triads += [_Channel(model, first, mix=tuple(row)) for row in mix.tolist()]
    return triads


def _encoder(
    sensor: Encoder, wiring: Wiring, name: str, ints: IntArray
) -> list[_Channel]:
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
    return [_Channel(sensor.model, address) for address in addresses]


def _potentiometer(
    sensor: Potentiometer, wiring: Wiring, name: str, ints: IntArray
) -> _Channel:
    ints[c.KIND] = c.WIPER
    return _Channel(
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
) -> list[_Channel]:
    ints[c.KIND] = c.SWITCH
    return [
        _Channel(
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


def _write(
    channel: _Channel,
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
