"""One tick of all sensors: take the samples that are due, without noise.

Sample k of a sensor is taken in the first tick at or after k periods, a fraction of
whole numbers, so that no rate drifts. Noise, range and steps come when somebody reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import add, cross, scaled, sub, vec
from gelenk.sensing.encoders import wiper_share
from gelenk.sim.noise import gaussian, uniform
from gelenk.sim.sensors.channels import (
    BODY,
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
    SITE,
    SOURCE,
    SPEED_SOURCE,
    SUBTREE_END,
    SWITCH,
    WALK,
    WALK_STEP,
    WALK_STREAM,
    WAS_CLOSED,
    WIPER,
)
from gelenk.typing import FloatArray, IntArray, Vec3

if TYPE_CHECKING:
    from gelenk.sim.sensors.bank import SensorBank


class Blows(NamedTuple):
    """Impacts of one tick, and where everything is.

    Attributes:
        is_struck: 0: no impact in this tick, and the next two are not looked at, (1,).
        body_jump: Change of velocity of each body's centre of mass and of its angular
            velocity, world axes, (nbody, 6).
        body_impulse: Impulse on each body and its moment about the world's origin,
            world axes, (nbody, 6).
        xipos: Centres of mass, world, (nbody, 3).
        ximat: Orientation of the axes of inertia, rows first, (nbody, 9).
        body_mass: (nbody,).
        body_inertia: Moments of inertia about those axes, (nbody, 3).
        site_xpos: Places of the sites, world, (nsite, 3).
        site_xmat: Orientations of the sites, rows first, (nsite, 9).
    """

    is_struck: IntArray
    body_jump: FloatArray
    body_impulse: FloatArray
    xipos: FloatArray
    ximat: FloatArray
    body_mass: FloatArray
    body_inertia: FloatArray
    site_xpos: FloatArray
    site_xmat: FloatArray


def no_blows() -> Blows:
    """Return the blows of a world in which nothing bounces."""
    return Blows(
        is_struck=np.zeros(1, np.int64),
        body_jump=np.zeros((0, 6)),
        body_impulse=np.zeros((0, 6)),
        xipos=np.zeros((0, 3)),
        ximat=np.zeros((0, 9)),
        body_mass=np.zeros(0),
        body_inertia=np.zeros((0, 3)),
        site_xpos=np.zeros((0, 3)),
        site_xmat=np.zeros((0, 9)),
    )


@kernel
def collect_jump(ints: IntArray, state: FloatArray, blows: Blows) -> None:
    """Add the jump of a sensor's velocity [m/s] to its first three channels."""
    body, site = ints[BODY], ints[SITE]
    arm = sub(vec(blows.site_xpos, site, 0), vec(blows.xipos, body, 0))
    jump = add(vec(blows.body_jump, body, 0), cross(vec(blows.body_jump, body, 3), arm))
    _collect(state, ints[FIRST], blows.site_xmat[site], jump)


@kernel
def collect_wrench(ints: IntArray, state: FloatArray, blows: Blows) -> None:
    """Add the impulse that the parent gave, and its moment at the sensor [N m s]."""
    site = ints[SITE]
    place = vec(blows.site_xpos, site, 0)
    push, moment = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for body in range(ints[BODY], ints[SUBTREE_END]):
        gained = scaled(blows.body_mass[body], vec(blows.body_jump, body, 0))
        struck = vec(blows.body_impulse, body, 0)
        push = add(push, sub(gained, struck))
        arm = sub(vec(blows.xipos, body, 0), place)
        spin = _spin(blows, body, vec(blows.body_jump, body, 3))
        # The moment of a blow about the sensor is that about the origin, moved.
        struck_moment = sub(vec(blows.body_impulse, body, 3), cross(place, struck))
        moment = add(moment, sub(add(cross(arm, gained), spin), struck_moment))
    _collect(state, ints[FIRST], blows.site_xmat[site], push)
    _collect(state, ints[FIRST] + 3, blows.site_xmat[site], moment)


@kernel
def _collect(state: FloatArray, first: int, xmat: FloatArray, vector: Vec3) -> None:
    """Add a vector in world axes to three channels in the axes of a site."""
    for i in range(3):
        state[first + i, INTEGRAL] += (
            xmat[i] * vector[0] + xmat[3 + i] * vector[1] + xmat[6 + i] * vector[2]
        )


@kernel
def _spin(blows: Blows, body: int, omega: Vec3) -> Vec3:
    """Return the angular momentum about the centre of mass, world axes."""
    R, inertia = blows.ximat[body], blows.body_inertia[body]
    out = (0.0, 0.0, 0.0)
    for i in range(3):
        axis = (R[i], R[3 + i], R[6 + i])
        along = axis[0] * omega[0] + axis[1] * omega[1] + axis[2] * omega[2]
        out = add(out, scaled(inertia[i] * along, axis))
    return out


@kernel
def body_jumps(
    velocity_jump: FloatArray,
    cdof: FloatArray,
    subtree_com: FloatArray,
    xipos: FloatArray,
    body_parentid: NDArray[np.int32],
    body_rootid: NDArray[np.int32],
    body_dofadr: NDArray[np.int32],
    body_dofnum: NDArray[np.int32],
    out: FloatArray,
) -> None:
    """Write the jump of each body's velocity that a jump of qvel means.

    Args:
        velocity_jump: Change of qvel, (nv,).
        cdof: The engine's motion axes, [ω; v] about the centre of mass of the tree,
            world axes, (nv, 6).
        subtree_com: Centres of mass of subtrees, world, (nbody, 3).
        xipos: Centres of mass of bodies, world, (nbody, 3).
        body_parentid: (nbody,).
        body_rootid: Root of each body's tree, (nbody,).
        body_dofadr: First dof of each body, (nbody,).
        body_dofnum: Number of dofs of each body, (nbody,).
        out: Written: [v of the centre of mass; ω], world axes, (nbody, 6).
    """
    out[0] = 0.0
    for body in range(1, out.shape[0]):
        # First as the engine counts, about the centre of mass of the tree.
        for i in range(6):
            out[body, i] = out[body_parentid[body], i]
        for dof in range(body_dofadr[body], body_dofadr[body] + body_dofnum[body]):
            for i in range(3):
                out[body, i] += cdof[dof, 3 + i] * velocity_jump[dof]
                out[body, 3 + i] += cdof[dof, i] * velocity_jump[dof]
    for body in range(1, out.shape[0]):
        centre = vec(subtree_com, body_rootid[body], 0)
        arm = sub(vec(xipos, body, 0), centre)
        moved = add(vec(out, body, 0), cross(vec(out, body, 3), arm))
        out[body, 0], out[body, 1], out[body, 2] = moved


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
        sensordata: Values of the engine's sensors.
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
        qpos[bank.sources[row, SOURCE]],  # pyright: ignore[reportArgumentType]
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
