"""One tick of all sensors: take the samples that are due, without noise.

Sample k of a sensor is taken in the first tick at or after k periods, a fraction of
whole numbers, so that no rate drifts. Noise, range and steps come when somebody reads.
"""

from __future__ import annotations

import numpy as np

from gelenk.core.kernels.compile import kernel
from gelenk.core.sensing.conversion import wiper_share
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


@kernel
def sample_sensors(
    bank, qpos, qvel, sensordata, motor_state, body_touch, blows, h, tick
):
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
        ints = bank.ints[i]
        kind = ints[KIND]
        if kind == SWITCH:
            _watch_switches(bank, ints, body_touch, tick)
        elif kind in (INERTIAL, FORCE_TORQUE):
            _integrate(bank, ints, sensordata, blows, h)
        num, den = ints[PERIOD_TICKS], ints[PERIOD_SAMPLES]
        k = tick * den // num
        if k * num <= (tick - 1) * den:
            continue
        depth = bank.ring.shape[1]
        slot, last = k % depth, (k - 1) % depth
        is_frozen = bank.fault[i] & SENSOR_FROZEN != 0 and k > 0
        if is_frozen:
            bank.ring_index[i, slot] = bank.ring_index[i, last]
            bank.ring_noise[i, slot] = bank.ring_noise[i, last]
        else:
            bank.ring_index[i, slot] = k
            bank.ring_noise[i, slot] = bank.fault_amounts[i, FAULT_NOISE]
        elapsed = h * (tick - _tick_of(k - 1, num, den) if k > 0 else 1)
        for row in range(ints[FIRST], ints[FIRST] + ints[COUNT]):
            value = _measured(
                bank, ints, row, qpos, qvel, sensordata, motor_state, elapsed, tick
            )
            if bank.params[row, WALK_STEP] > 0.0:
                value += _wandered(bank, row, k)
            value += bank.fault_amounts[i, FAULT_BIAS]
            bank.ring[row, slot] = bank.ring[row, last] if is_frozen else value


@kernel
def _measured(bank, ints, row, qpos, qvel, sensordata, motor_state, elapsed, tick):
    """Return what one channel senses, with its error of scale."""
    params, source = bank.params[row], bank.sources[row, SOURCE]
    kind = ints[KIND]
    if kind == JOINT_VALUE:
        return params[SCALE] * qpos[source]
    if kind == JOINT_SPEED:
        return params[SCALE] * qvel[source]
    if kind == MOTOR_COLUMN:
        value = motor_state[source, ints[MOTOR_STATE]]
        return params[SCALE] * (abs(value) if params[LOAD] != 0.0 else value)
    if kind == WIPER:
        if abs(qvel[bank.sources[row, SPEED_SOURCE]]) > params[LIMIT]:
            return params[SCALE] * params[OPEN]
        share = wiper_share(qpos[source], params[LOW], params[HIGH], params[LOAD])
        return params[SCALE] * share
    if kind == SWITCH:
        return _switch_reading(bank, row, tick)
    if kind == RANGE:
        # The engine says -1 where its ray meets nothing.
        distance = sensordata[source]
        is_seen = 0.0 <= distance <= params[LIMIT]
        return params[SCALE] * distance if is_seen else np.inf
    total = 0.0
    first = row - (row - ints[FIRST]) % 3
    for axis, mix in enumerate((params[MIX_0], params[MIX_1], params[MIX_2])):
        if _is_integrated(ints, row):
            total += mix * bank.state[first + axis, INTEGRAL] / elapsed
        else:
            total += mix * sensordata[source + axis]
    if row == first + 2:
        bank.state[first : first + 3, INTEGRAL] = 0.0
    return params[SCALE] * total


@kernel
def _tick_of(k, num, den):
    """Return the tick in which sample k is taken: k periods, rounded up."""
    return -(-k * num // den)


@kernel
def _is_integrated(ints, row):
    """Return whether a channel is a mean over the time since its last sample.

    Forces and accelerations are: so a slow sensor neither misses a blow nor counts it
    twice. Angular rates are not.
    """
    return ints[KIND] == FORCE_TORQUE or row < ints[FIRST] + 3


@kernel
def _integrate(bank, ints, sensordata, blows, h):
    """Sum up what the engine's sensors saw in this tick, and blows."""
    for row in range(ints[FIRST], ints[FIRST] + ints[COUNT]):
        axis = (row - ints[FIRST]) % 3
        bank.state[row, INTEGRAL] += h * sensordata[bank.sources[row, SOURCE] + axis]
    if blows.is_struck[0] == 0:
        return
    if ints[KIND] == INERTIAL:
        collect_jump(ints, bank.state, blows)
    else:
        collect_wrench(ints, bank.state, blows)


@kernel
def _wandered(bank, row, k):
    """Move the wandering bias of a channel by one sample; return it."""
    stream = bank.sources[row, WALK_STREAM]
    step = bank.params[row, WALK_STEP]
    bank.state[row, WALK] += step * gaussian(bank.seed[0], stream, k)
    return bank.state[row, WALK]


@kernel
def _watch_switches(bank, ints, body_touch, tick):
    """Close and open the contacts of a switch by the force of this tick."""
    for row in range(ints[FIRST], ints[FIRST] + ints[COUNT]):
        params, state = bank.params[row], bank.state[row]
        force = body_touch[bank.sources[row, SOURCE]]
        bound = params[HIGH] if state[IS_CLOSED] == 0.0 else params[LOW]
        is_closed = 1.0 if force >= bound else 0.0
        if is_closed != state[IS_CLOSED]:
            state[IS_CLOSED], state[CHANGED_AT] = is_closed, tick
        state[WAS_CLOSED] = max(state[WAS_CLOSED], is_closed)


@kernel
def _switch_reading(bank, row, tick):
    """Return 1 or 0: the latch, the bouncing contact, or the contact at rest."""
    state, params = bank.state[row], bank.params[row]
    was_closed = state[WAS_CLOSED]
    state[WAS_CLOSED] = 0.0
    if params[OPEN] != 0.0:
        return was_closed
    if tick - state[CHANGED_AT] < params[LIMIT]:
        stream = bank.sources[row, NOISE_STREAM]
        return 1.0 if uniform(bank.seed[0], stream, tick) < 0.5 else 0.0
    return state[IS_CLOSED]
