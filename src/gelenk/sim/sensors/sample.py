"""One tick of all sensors: take the samples that are due, without noise.

Sample k of a sensor is taken in the first tick at or after k periods, a fraction of
whole numbers, so that no rate drifts. Noise, range and steps come when somebody reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.kernels.compile import kernel
from gelenk.sensing.encoders import wiper_share
from gelenk.sim.noise import gaussian, uniform
from gelenk.sim.sensors.blow import collect_jump, collect_wrench
from gelenk.sim.sensors.columns import (
    CHANGED_AT,
    COUNT,
    FAULT_BIAS,
    FAULT_NOISE,
    FIRST,
    FORCE_TORQUE,
    HIGH,
    INERTIAL,
    INTEGRAL,
    IS_CLOSED,
    JOINT_SPEED,
    JOINT_VALUE,
    KIND,
    LIMIT,
    LOAD,
    LOW,
    MIX_0,
    MIX_1,
    MIX_2,
    MOTOR_COLUMN,
    MOTOR_STATE,
    NOISE_STREAM,
    OPEN,
    PERIOD_SAMPLES,
    PERIOD_TICKS,
    RANGE,
    SCALE,
    SENSOR_FROZEN,
    SOURCE,
    SPEED_SOURCE,
    SWITCH,
    WALK,
    WALK_STEP,
    WALK_STREAM,
    WAS_CLOSED,
    WIPER,
)
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.sim.sensors.bank import SensorBank
    from gelenk.sim.sensors.blow import Blows


@kernel
def sample_sensors(
    bank: SensorBank,
    qpos: FloatArray,
    qvel: FloatArray,
    sensordata: FloatArray,
    motor_state: FloatArray,
    body_touch: FloatArray,
    blows: Blows,
    h: float,
    tick: int,
) -> None:
    """Take the samples that are due after tick `tick`; tick 0 is the start.

    Args:
        bank: The sensors; their samples and state advance.
        qpos: Positions after the tick.
        qvel: Speeds after the tick.
        sensordata: What the engine's sensors saw.
        motor_state: `MotorBank.state`.
        body_touch: Normal contact force on each body, impacts included [N], (nbody,).
        blows: Impacts of the tick (`Blows`).
        h: Length of a tick [s].
        tick: Number of ticks done.
    """
    for i in range(bank.ints.shape[0]):
        kind = bank.ints[i, KIND]
        if kind == SWITCH:
            _watch_switches(bank, i, body_touch, tick)
        elif kind in (INERTIAL, FORCE_TORQUE):
            _integrate(bank, i, sensordata, blows, h)
        num, den = bank.ints[i, PERIOD_TICKS], bank.ints[i, PERIOD_SAMPLES]
        k = tick * den // num
        if k * num <= (tick - 1) * den:
            continue
        elapsed = h * (tick - _tick_of(k - 1, num, den) if k > 0 else 1)
        slot = k % bank.ring.shape[1]
        if kind == JOINT_VALUE:
            _copy(bank, i, slot, qpos)
        elif kind == JOINT_SPEED:
            _copy(bank, i, slot, qvel)
        elif kind == MOTOR_COLUMN:
            _copy_motors(bank, i, slot, motor_state)
        elif kind == WIPER:
            _read_wiper(bank, i, slot, qpos, qvel)
        elif kind == SWITCH:
            _read_switches(bank, i, slot, tick)
        elif kind == RANGE:
            _read_range(bank, i, slot, sensordata)
        else:
            _read_triads(bank, i, slot, sensordata, elapsed)
        _finish_sample(bank, i, k, slot)


@kernel
def _tick_of(k: int, num: int, den: int) -> int:
    """Return the tick in which sample k is taken: k periods, rounded up."""
    return -(-k * num // den)


@kernel
def _finish_sample(bank: SensorBank, i: int, k: int, slot: int) -> None:
    """Add scale, wandering bias and faults to what the channels of sensor i saw."""
    last = (k - 1) % bank.ring.shape[1]
    is_frozen = bank.fault[i] & SENSOR_FROZEN != 0 and k > 0
    bank.ring_index[i, slot] = bank.ring_index[i, last] if is_frozen else k
    extra = bank.fault_amounts[i, FAULT_NOISE]
    bank.ring_noise[i, slot] = bank.ring_noise[i, last] if is_frozen else extra
    first = bank.ints[i, FIRST]
    for row in range(first, first + bank.ints[i, COUNT]):
        value = bank.params[row, SCALE] * bank.ring[row, slot]
        if bank.params[row, WALK_STEP] > 0.0:
            stream = bank.sources[row, WALK_STREAM]
            step = bank.params[row, WALK_STEP] * gaussian(bank.seed[0], stream, k)
            bank.state[row, WALK] += step
            value += bank.state[row, WALK]
        value += bank.fault_amounts[i, FAULT_BIAS]
        bank.ring[row, slot] = bank.ring[row, last] if is_frozen else value


@kernel
def _copy(bank: SensorBank, i: int, slot: int, values: FloatArray) -> None:
    """Read joint values or speeds."""
    first = bank.ints[i, FIRST]
    for row in range(first, first + bank.ints[i, COUNT]):
        bank.ring[row, slot] = values[bank.sources[row, SOURCE]]


@kernel
def _copy_motors(bank: SensorBank, i: int, slot: int, motor_state: FloatArray) -> None:
    """Read a column of the motors' state, or its amount."""
    first, column = bank.ints[i, FIRST], bank.ints[i, MOTOR_STATE]
    for row in range(first, first + bank.ints[i, COUNT]):
        value = motor_state[bank.sources[row, SOURCE], column]
        bank.ring[row, slot] = abs(value) if bank.params[row, LOAD] != 0.0 else value


@kernel
def _read_wiper(
    bank: SensorBank, i: int, slot: int, qpos: FloatArray, qvel: FloatArray
) -> None:
    """Read a potentiometer; a foil that turns too fast has no wiper."""
    row = bank.ints[i, FIRST]
    if abs(qvel[bank.sources[row, SPEED_SOURCE]]) > bank.params[row, LIMIT]:
        bank.ring[row, slot] = bank.params[row, OPEN]
        return
    bank.ring[row, slot] = wiper_share(
        qpos[bank.sources[row, SOURCE]],
        bank.params[row, LOW],
        bank.params[row, HIGH],
        bank.params[row, LOAD],
    )


@kernel
def _read_range(bank: SensorBank, i: int, slot: int, sensordata: FloatArray) -> None:
    """Read a distance; the engine says -1 where its ray meets nothing."""
    row = bank.ints[i, FIRST]
    distance = sensordata[bank.sources[row, SOURCE]]
    is_seen = 0.0 <= distance <= bank.params[row, LIMIT]
    bank.ring[row, slot] = distance if is_seen else np.inf


@kernel
def _integrate(
    bank: SensorBank, i: int, sensordata: FloatArray, blows: Blows, h: float
) -> None:
    """Sum up what the engine's sensors saw in this tick, and blows.

    Forces and accelerations are means over the time since the last sample: so a slow
    sensor neither misses a blow nor counts it twice. Angular rates are not.
    """
    first = bank.ints[i, FIRST]
    integrated = 3 if bank.ints[i, KIND] == INERTIAL else 6
    start = bank.sources[first, SOURCE]
    for j in range(integrated):
        bank.state[first + j, INTEGRAL] += h * sensordata[start + j]
    if blows.is_struck[0] == 0:
        return
    if integrated == 3:
        collect_jump(bank.ints[i], bank.state, blows)
    else:
        collect_wrench(bank.ints[i], bank.state, blows)


@kernel
def _read_triads(
    bank: SensorBank, i: int, slot: int, sensordata: FloatArray, elapsed: float
) -> None:
    """Read the two triads of an inertial or a force sensor along their own axes."""
    first = bank.ints[i, FIRST]
    start = bank.sources[first, SOURCE]
    is_inertial = bank.ints[i, KIND] == INERTIAL
    for triad in range(first, first + 6, 3):
        if is_inertial and triad > first:
            x, y, z = (
                sensordata[start + 3],
                sensordata[start + 4],
                sensordata[start + 5],
            )
        else:
            x = bank.state[triad, INTEGRAL] / elapsed
            y = bank.state[triad + 1, INTEGRAL] / elapsed
            z = bank.state[triad + 2, INTEGRAL] / elapsed
        for row in range(triad, triad + 3):
            bank.ring[row, slot] = (
                bank.params[row, MIX_0] * x
                + bank.params[row, MIX_1] * y
                + bank.params[row, MIX_2] * z
            )
            bank.state[row, INTEGRAL] = 0.0


@kernel
def _watch_switches(
    bank: SensorBank, i: int, body_touch: FloatArray, tick: int
) -> None:
    """Close and open the contacts of a switch by the force of this tick."""
    state, params = bank.state, bank.params
    first = bank.ints[i, FIRST]
    for row in range(first, first + bank.ints[i, COUNT]):
        force = body_touch[bank.sources[row, SOURCE]]
        was_closed = state[row, IS_CLOSED]
        bound = params[row, HIGH] if was_closed == 0.0 else params[row, LOW]
        is_closed = 1.0 if force >= bound else 0.0
        if is_closed != was_closed:
            state[row, IS_CLOSED], state[row, CHANGED_AT] = is_closed, tick
        state[row, WAS_CLOSED] = max(state[row, WAS_CLOSED], is_closed)


@kernel
def _read_switches(bank: SensorBank, i: int, slot: int, tick: int) -> None:
    """Read 1 or 0: the latch, the bouncing contact, or the contact at rest."""
    state, params = bank.state, bank.params
    first = bank.ints[i, FIRST]
    for row in range(first, first + bank.ints[i, COUNT]):
        value = state[row, IS_CLOSED]
        if params[row, OPEN] != 0.0:
            value = state[row, WAS_CLOSED]
        elif tick - state[row, CHANGED_AT] < params[row, LIMIT]:
            stream = bank.sources[row, NOISE_STREAM]
            value = 1.0 if uniform(bank.seed[0], stream, tick) < 0.5 else 0.0
        state[row, WAS_CLOSED] = 0.0
        bank.ring[row, slot] = value
