"""From faults on a plan to broken motors and sensors of a running world."""

from __future__ import annotations

from collections.abc import Iterable

from gelenk.robots.amee.config import ADC_MAX
from gelenk.robots.amee.drives import AMBIENT, CUT_OUT, joint_name
from gelenk.robots.amee.faults import TOE_FAULTS, BodyFault
from gelenk.robots.amee.sensors import angle_sensor, current_sensor, toe_sensor
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.motors.bank import (
    IS_HOT,
    JOINT_LIMP,
    JOINT_LOCKED,
    MOTOR_DEAD,
    TEMPERATURE,
)
from gelenk.sim.sensors.channels import FAULT_BIAS, SENSOR_FROZEN

_MOTOR_BITS = {
    "joint_locked": JOINT_LOCKED,
    "joint_limp": JOINT_LIMP,
    "motor_wire": MOTOR_DEAD,
}
# What a fault adds to a reading; readings are bounded, so that it reads an end.
_BIASES = {
    "sensor_wire": -2.0 * ADC_MAX,
    "magnet_lost": 2.0 * ADC_MAX,
    "current_wire": -1e3,
    "toe_dead": -1e3,
    "toe_stuck": 1e3,
}
_NO_SUPPLY = 1e3  # [V], more than any battery has


class Damage:
    """Breaks what the plan says, when it says so.

    Args:
        plant: The compiled world.
        robot: Name of the robot in it.
        faults: The plan.
    """

    def __init__(
        self, plant: CompiledWorld, robot: str, faults: Iterable[BodyFault]
    ) -> None:
        self._motors = plant.banks.motors
        self._sensors = plant.banks.senses.sensors
        self._rows, self._robot = plant.sensors, robot
        self._motor_rows = {
            name: int(row)
            for name, row in zip(
                plant.placed[robot].joints, plant.motor_rows[robot], strict=True
            )
        }
        self._faults = list(faults)
        self._active: tuple[BodyFault, ...] = ()
        self.sag = 0.0

    @property
    def active(self) -> tuple[BodyFault, ...]:
        """What is broken now."""
        return self._active

    def add(self, fault: BodyFault) -> None:
        """Put a fault on the plan."""
        self._faults.append(fault)

    def strike(self, time: float) -> None:
        """Break and mend what is due at a time [s]."""
        if not self._faults:
            return
        active = tuple(fault for fault in self._faults if fault.is_active(time))
        if active == self._active:
            return
        before, self._active = self._active, active
        self._motors.fault[:] = 0
        self._sensors.fault[:] = 0
        self._sensors.fault_amounts[:] = 0.0
        self.sag = sum(fault.amount for fault in active)
        for fault in active:
            self._break(fault)
        for fault in before:
            if fault not in active:
                self._heat(fault, AMBIENT, 0.0)
        for fault in active:
            if fault not in before:
                self._heat(fault, CUT_OUT, 1.0)

    def _heat(self, fault: BodyFault, temperature: float, is_hot: float) -> None:
        """Make a drive hot or cold at once; it cools by itself while it is hot."""
        if fault.kind == "drive_hot":
            row = self._motor(fault)
            self._motors.state[row, TEMPERATURE] = temperature
            self._motors.state[row, IS_HOT] = is_hot

    def _break(self, fault: BodyFault) -> None:
        kind, leg, part = fault.kind, fault.leg, fault.part
        bias = self._sensors.fault_amounts[:, FAULT_BIAS]
        if kind in _MOTOR_BITS:
            self._motors.fault[self._motor(fault)] |= _MOTOR_BITS[kind]
        elif kind == "power_gone":
            self._motors.fault[:] |= MOTOR_DEAD
            self.sag += _NO_SUPPLY
        elif kind == "sensor_frozen":
            self._sensors.fault[self._sensor(angle_sensor(leg, part))] |= SENSOR_FROZEN
        elif kind in ("sensor_wire", "magnet_lost"):
            bias[self._sensor(angle_sensor(leg, part))] += _BIASES[kind]
        elif kind == "current_wire":
            bias[self._sensor(current_sensor(leg, part))] += _BIASES[kind]
        elif kind in TOE_FAULTS:
            bias[self._sensor(toe_sensor(leg, part))] += _BIASES[kind]

    def _motor(self, fault: BodyFault) -> int:
        return self._motor_rows[f"{self._robot}/{joint_name(fault.leg, fault.part)}"]

    def _sensor(self, name: str) -> int:
        return self._rows[f"{self._robot}/{name}"]
