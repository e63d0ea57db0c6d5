"""Sensor bank: many sensors as a few arrays, and their readings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.sensing.encoders import quantised, saturated
from gelenk.sim.noise import gaussian, stream_id, uniform
from gelenk.sim.sensors import channels as c
from gelenk.sim.sensors.channels import (
    BIAS,
    COUNT,
    DELAY,
    DROP_STREAM,
    FIRST,
    NOISE,
    NOISE_STREAM,
    PERIOD_SAMPLES,
    PERIOD_TICKS,
    SATURATED_HIGH,
    SATURATED_LOW,
    STEP,
    Channel,
    Wiring,
    connect,
    write_channel,
)
from gelenk.sim.sensors.descriptions import Sensor, SensorModel
from gelenk.typing import FloatArray, IntArray


class SensorBank(NamedTuple):
    """All sensors of a world; columns are named in `columns`.

    Attributes:
        ints: Kind, channels and timing, shape (n, NUM_INTS).
        drop_out: Probability that a sample is lost, shape (n,).
        sources: Addresses and noise streams of the m channels, (m, NUM_SOURCES).
        params: Constants of the channels, shape (m, NUM_PARAMS).
        state: Numbers that change from tick to tick, shape (m, NUM_STATES).
        ring: Last samples before noise, shape (m, depth).
        ring_index: Noise index of each sample, shape (n, depth).
        ring_noise: Noise that a fault adds to each sample, shape (n, depth).
        fault: Bits of what is broken, shape (n,).
        fault_amounts: Bias and noise that faults add, shape (n, 2).
        seed: Seed of the world, shape (1,).
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
        wirings: Connection of each sensor.
        names: Unique names, which select the noise of each sensor.
        step: Length of a tick [s].
        seed: Seed of the world.

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
    channels: list[list[Channel]] = []
    depth = 2
    for i, (sensor, wiring, name) in enumerate(
        zip(sensors, wirings, names, strict=True)
    ):
        period = _period(sensor.model, step, name)
        delay = math.ceil(sensor.model.latency / step - 1e-9)
        found = connect(sensor, wiring, name, seed, ints[i], step)
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
            write_channel(
                channel, sources[row], params[row], f"{name}:{j}", seed, interval
            )
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


# Noise of a fault is drawn from the same streams, far from the indices of samples.
_FAULT_INDEX = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class SensorReading:
    """Reading of a sensor.

    Attributes:
        time: Time of the sample [s]; NaN if none has arrived yet.
        value: One number per channel [unit of the sensor]; NaN where there is none.
        is_valid: Whether a sample has arrived and was not lost.

    Example:
        >>> from gelenk.models import load
        >>> from gelenk.sim import Encoder, Robot, World
        >>> world = World()
        >>> arm = Robot(name="arm", model=load("planar2r"), sensors={"q": Encoder()})
        >>> _ = world.add(arm)
        >>> world.step()
        >>> reading = world.read("arm/q")
        >>> reading.time, reading.value.shape, reading.is_valid
        (0.001, (2,), True)
    """

    time: float
    value: FloatArray
    is_valid: bool


def read_sensor(
    bank: SensorBank, index: int, tick: int, *, step: float
) -> SensorReading:
    """Return the newest sample of sensor `index` that can be read after tick `tick`.

    Reading has no effect: it may be repeated, and gives the same bits each time.

    Args:
        bank: The sensors.
        index: Row of the sensor.
        tick: Number of ticks done.
        step: Length of a tick [s].
    """
    value = np.empty(bank.ints[index, COUNT])
    taken = read_channels(bank, index, tick, value)
    if taken < 0:
        value[:] = np.nan
        return SensorReading(
            math.nan if taken == -1 else (-2 - taken) * step, value, False
        )
    return SensorReading(taken * step, value, True)


@kernel
def read_channels(bank: SensorBank, i: int, tick: int, out: FloatArray) -> int:
    """Write the reading of sensor i; return the tick of its sample.

    Returns:
        The tick; -1 if no sample has arrived yet; -2 - tick if it was lost.
    """
    ints = bank.ints[i]
    arrived = tick - ints[DELAY]
    if arrived < 0:
        return -1
    num, den = ints[PERIOD_TICKS], ints[PERIOD_SAMPLES]
    k = arrived * den // num
    taken = -(-k * num // den)
    lost = bank.drop_out[i]
    if lost > 0.0 and uniform(bank.seed[0], ints[DROP_STREAM], k) < lost:
        return -2 - taken
    slot = k % bank.ring.shape[1]
    index, extra = bank.ring_index[i, slot], bank.ring_noise[i, slot]
    for j in range(ints[COUNT]):
        row = ints[FIRST] + j
        params, stream = bank.params[row], bank.sources[row, NOISE_STREAM]
        value = bank.ring[row, slot] + params[BIAS]
        if params[NOISE] > 0.0:
            value += params[NOISE] * gaussian(bank.seed[0], stream, index)
        if extra > 0.0:
            value += extra * gaussian(bank.seed[0], stream, _FAULT_INDEX + index)
        value = saturated(value, params[SATURATED_LOW], params[SATURATED_HIGH])
        out[j] = quantised(value, params[STEP]) if params[STEP] > 0.0 else value
    return taken
