"""Reading a sensor: the newest sample that has arrived, with its errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sensing.encoders import quantised, saturated
from gelenk.sim.noise import gaussian, uniform
from gelenk.sim.sensors.bank import SensorBank
from gelenk.sim.sensors.columns import (
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
)
from gelenk.typing import FloatArray

# Noise of a fault is drawn from the same streams, far from the indices of samples.
_FAULT_INDEX = 1 << 62


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What a sensor says.

    Attributes:
        time: When the sample was taken [s]; NaN if none has arrived yet.
        value: One number per channel [unit of the sensor]; NaN where there is none.
        is_valid: Whether a sample has arrived and was not lost.
    """

    time: float
    value: FloatArray
    is_valid: bool


def read_sensor(bank: SensorBank, index: int, tick: int, *, step: float) -> Reading:
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
        return Reading(math.nan if taken == -1 else (-2 - taken) * step, value, False)
    return Reading(taken * step, value, True)


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
