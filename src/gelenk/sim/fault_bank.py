"""Faults inside the compiled tick: bits that switch on and off at exact ticks.

Message and process faults are not the world's; they act in the runtime.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gelenk.errors import NameNotFoundError
from gelenk.kernels.compile import kernel
from gelenk.sim.faults import Fault, FaultKind
from gelenk.sim.motors.bank import JOINT_LIMP, JOINT_LOCKED, MOTOR_DEAD
from gelenk.sim.sensors.channels import FAULT_BIAS, FAULT_NOISE, SENSOR_FROZEN
from gelenk.typing import FloatArray, IntArray

TARGET, BIT, START, END = range(4)  # columns of `motors` and `sensors`

_MOTOR_BITS: dict[FaultKind, int] = {
    "motor_dead": MOTOR_DEAD,
    "power_gone": MOTOR_DEAD,
    "joint_locked": JOINT_LOCKED,
    "joint_limp": JOINT_LIMP,
}
_SENSOR_BITS: dict[FaultKind, int] = {
    "sensor_frozen": SENSOR_FROZEN,
    "sensor_biased": 0,
    "sensor_noisy": 0,
}
_NEVER = 2**62  # [ticks]


class FaultBank(NamedTuple):
    """Schedule of the faults of motors and sensors.

    Attributes:
        motors: Row, bit, first tick, first tick after, shape (n, 4).
        sensors: Sensor's row, bit, first tick, first tick after, shape (m, 4).
        amounts: Bias and noise that each of the sensors' faults adds, shape (m, 2).
        motor_changes: Ticks in which a motor's fault begins or ends, sorted.
        sensor_changes: Ticks in which a sensor's fault begins or ends, sorted.
    """

    motors: IntArray
    sensors: IntArray
    amounts: FloatArray
    motor_changes: IntArray
    sensor_changes: IntArray


def pack_faults(
    faults: Iterable[Fault],
    *,
    motors: Mapping[str, int],
    robots: Mapping[str, Sequence[int]],
    sensors: Mapping[str, int],
    step: float,
) -> FaultBank:
    """Return the schedule of those faults that act inside the world.

    Args:
        faults: All faults of the run; message and process faults are passed over.
        motors: Row of each motor by the name of its joint, "arm/joint_1".
        robots: Rows of all motors of each robot.
        sensors: Row of each sensor by its name, "arm/encoders".
        step: Length of a tick [s].

    Raises:
        NameNotFoundError: If a fault's target does not exist.
    """
    motor_rows: list[list[int]] = []
    sensor_rows: list[list[int]] = []
    amounts: list[list[float]] = []
    for fault in faults:
        start = math.ceil(fault.start / step - 1e-9)
        # Strikes at least one tick, however short it is.
        end = max(_end_tick(fault, step), start + 1)
        if fault.kind in _MOTOR_BITS:
            bit = _MOTOR_BITS[fault.kind]
            targets = _motor_targets(fault, motors, robots)
            motor_rows += [[row, bit, start, end] for row in targets]
        elif fault.kind in _SENSOR_BITS:
            if fault.target not in sensors:
                raise NameNotFoundError("sensor", fault.target, sensors)
            bit = _SENSOR_BITS[fault.kind]
            sensor_rows.append([sensors[fault.target], bit, start, end])
            is_bias, is_noise = (
                fault.kind == kind for kind in ("sensor_biased", "sensor_noisy")
            )
            amounts.append([fault.amount * is_bias, fault.amount * is_noise])
    motor_table = np.array(motor_rows, np.int64).reshape(-1, 4)
    sensor_table = np.array(sensor_rows, np.int64).reshape(-1, 4)
    return FaultBank(
        motors=motor_table,
        sensors=sensor_table,
        amounts=np.array(amounts, np.float64).reshape(-1, 2),
        motor_changes=np.unique(motor_table[:, [START, END]]),
        sensor_changes=np.unique(sensor_table[:, [START, END]]),
    )


@kernel
def switch_motor_faults(bank: FaultBank, fault: IntArray, tick: int) -> None:
    """Set the bits of the motors for the coming tick.

    Args:
        bank: The schedule.
        fault: `MotorBank.fault`, written in ticks in which something changes.
        tick: Number of the coming tick; it begins at tick * h.
    """
    if not _is_due(bank.motor_changes, tick):
        return
    fault[:] = 0
    for i in range(bank.motors.shape[0]):
        row = bank.motors[i]
        if row[START] <= tick < row[END]:
            fault[row[TARGET]] |= row[BIT]


@kernel
def switch_sensor_faults(
    bank: FaultBank, fault: IntArray, amounts: FloatArray, tick: int
) -> None:
    """Set the faults of the sensors for samples taken at tick * h.

    Biases of several faults add up, noises add up as independent ones do.

    Args:
        bank: The schedule.
        fault: `SensorBank.fault`, written in ticks in which something changes.
        amounts: `SensorBank.fault_amounts`, written likewise.
        tick: Number of ticks done.
    """
    if not _is_due(bank.sensor_changes, tick):
        return
    fault[:] = 0
    amounts[:] = 0.0
    for i in range(bank.sensors.shape[0]):
        row = bank.sensors[i]
        if row[START] <= tick < row[END]:
            target = row[TARGET]
            fault[target] |= row[BIT]
            amounts[target, FAULT_BIAS] += bank.amounts[i, FAULT_BIAS]
            amounts[target, FAULT_NOISE] = np.hypot(
                amounts[target, FAULT_NOISE], bank.amounts[i, FAULT_NOISE]
            )


@kernel
def _is_due(changes: IntArray, tick: int) -> bool:
    """Return whether a sorted list of ticks has this one."""
    low, high = 0, changes.shape[0]
    while low < high:
        middle = (low + high) // 2
        if changes[middle] < tick:
            low = middle + 1
        else:
            high = middle
    return low < changes.shape[0] and changes[low] == tick


def _end_tick(fault: Fault, step: float) -> int:
    if math.isinf(fault.end):
        return _NEVER
    return math.ceil(fault.end / step - 1e-9)


def _motor_targets(
    fault: Fault, motors: Mapping[str, int], robots: Mapping[str, Sequence[int]]
) -> Sequence[int]:
    """Return the motors that a fault strikes: one, or all of a robot."""
    if fault.target in robots:
        return robots[fault.target]
    if fault.kind == "power_gone":
        raise NameNotFoundError("robot", fault.target, robots)
    if fault.target not in motors:
        raise NameNotFoundError("motor", fault.target, (*motors, *robots))
    return (motors[fault.target],)
