"""Piggy's two drives as plant: motors, gears with play, encoders; by profile.

"thesis" is the drive of Hammer's robot: two servos Dynamixel EX-106+ with three degrees
of play to either side behind their encoders. Its gear figures come from a search for
one drive that shows all printed observations together; that agreement is by
construction. "tight" is a drive as Hammer's chapter 6 wishes for: stronger, without
play.

Nothing here is known to the controller but what `DriveProfile.sheet` says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.piggy.config import ENCODER_STEP, HOME
from gelenk.robots.piggy.robot import make_piggy
from gelenk.sim.motors.descriptions import Backlash, Friction, Heating, TorqueServo
from gelenk.sim.robot import Robot
from gelenk.sim.sensors.descriptions import (
    Encoder,
    MotorCurrent,
    MotorTemperature,
    Sensor,
    SensorModel,
)
from gelenk.typing import ArrayLike

JOINTS = ("roll", "tilt")
GEAR_RATIO = 184.0  # Hammer table 3.1
STATUS_RATE = 10.0  # [1/s], refresh of all values but the position, Hammer §3.3.2
COMMAND_STEPS = 1023  # per direction, 10 bit
# [s] from a read to the torque that answers it, and between the reads of both servos
LOOP_LATENCY, READ_SKEW = 0.004, 0.002
# Of the servo's own position loop; chosen: gravity bends it by half a degree.
POSITION_GAIN, SPEED_GAIN = 20.0, 10.0  # [1/s], [1]
HEATING = Heating(
    winding_resistance=18.5 / 7.0,  # [Ohm], data sheet's stall
    thermal_resistance=6.0,  # [K/W]; chosen
    time_constant=300.0,  # [s]; chosen
    shut_off=353.15,  # [K], the servo's own limit
    restart=343.15,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServoSheet:
    """What a data sheet says about a servo; the controller may know it.

    Attributes:
        stall_torque: At the voltage in use [N m].
        no_load_speed: At the voltage in use [rad/s].
        stall_current: At the voltage in use [A].
        voltage: In use [V].
    """

    stall_torque: float
    no_load_speed: float
    stall_current: float
    voltage: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveProfile:
    """One kind of drive; both axes have it. All at the joint, behind the gear.

    Attributes:
        stall_torque: At nominal voltage [N m].
        no_load_speed: At nominal voltage [rad/s].
        nominal_voltage: Of the data sheet [V].
        supply_voltage: In use [V].
        stall_current: At nominal voltage [A].
        rotor_inertia: Of motor and gear, felt at the joint [kg m^2].
        friction: Dry [N m].
        half_gap: Play to either side [rad]; 0: none.
        tooth_stiffness: Of teeth in contact [N m/rad].
        tooth_damping: Of teeth in contact [N m s/rad].
        encoder_noise: Standard deviation before rounding [rad].
        encoder_step: [rad].
    """

    stall_torque: float
    no_load_speed: float
    nominal_voltage: float
    supply_voltage: float
    stall_current: float
    rotor_inertia: float
    friction: float
    half_gap: float
    tooth_stiffness: float
    tooth_damping: float
    encoder_noise: float
    encoder_step: float = ENCODER_STEP

    @property
    def sheet(self) -> ServoSheet:
        """What the data sheet says, scaled to the voltage in use."""
        share = self.supply_voltage / self.nominal_voltage
        return ServoSheet(
            stall_torque=share * self.stall_torque,
            no_load_speed=share * self.no_load_speed,
            stall_current=share * self.stall_current,
            voltage=self.supply_voltage,
        )


PROFILES: Mapping[str, DriveProfile] = MappingProxyType(
    {
        "thesis": DriveProfile(
            stall_torque=10.49,  # Hammer table 3.1, as the next four
            no_load_speed=math.radians(546.0),
            nominal_voltage=18.5,
            supply_voltage=14.8,
            stall_current=7.0,
            rotor_inertia=0.0071,  # fitted, as the next four
            friction=0.02,
            half_gap=math.radians(3.0),  # Hammer §5.3
            tooth_stiffness=220.0,
            tooth_damping=4.7,
            encoder_noise=math.radians(0.01),  # chosen: a resting motor flickers
        ),
        # Chosen: gear and chain, half as strong again, an encoder on the joint.
        "tight": DriveProfile(
            stall_torque=16.0,
            no_load_speed=math.radians(546.0),
            nominal_voltage=18.5,
            supply_voltage=18.5,
            stall_current=10.7,
            rotor_inertia=0.0071,
            friction=0.02,
            half_gap=0.0,
            tooth_stiffness=220.0,
            tooth_damping=4.7,
            encoder_noise=math.radians(0.01),
        ),
    }
)


def get_profile(profile: str | DriveProfile) -> DriveProfile:
    """Return a profile by its name, or as it is.

    Raises:
        NameNotFoundError: If there is none of that name.
    """
    if isinstance(profile, DriveProfile):
        return profile
    if profile not in PROFILES:
        raise NameNotFoundError("drive profile", profile, PROFILES)
    return PROFILES[profile]


def servo_motors(profile: str | DriveProfile) -> dict[str, TorqueServo]:
    """Return the motor of each joint.

    Args:
        profile: "thesis", "tight" or one of your own.
    """
    drive = get_profile(profile)
    backlash = None
    if drive.half_gap > 0.0:
        backlash = Backlash(
            half_gap=drive.half_gap,
            stiffness=drive.tooth_stiffness,
            damping=drive.tooth_damping,
        )
    return {
        joint: TorqueServo(
            stall_torque=drive.stall_torque,
            no_load_speed=drive.no_load_speed,
            nominal_voltage=drive.nominal_voltage,
            supply_voltage=drive.supply_voltage,
            stall_current=drive.stall_current,
            gear_ratio=GEAR_RATIO,
            rotor_inertia=drive.rotor_inertia / GEAR_RATIO**2,
            friction=Friction(coulomb=drive.friction),
            backlash=backlash,
            latency=LOOP_LATENCY - age,
            command_steps=COMMAND_STEPS,
            heating=HEATING,
            position_gain=POSITION_GAIN,
            speed_gain=SPEED_GAIN,
        )
        for joint, age in zip(JOINTS, (READ_SKEW, 0.0), strict=True)
    }


def servo_sensors(profile: str | DriveProfile) -> dict[str, Sensor]:
    """Return what the servos measure, by the sensors' names.

    `roll_encoder`, `tilt_encoder`: the motor's side, as old as a read takes; the roll
    servo is asked first, so its angle is older. The servo rounds them to counts.
    `speeds`, `currents`, `temperatures`: of both, refreshed ten times a second.
    """
    drive = get_profile(profile)
    slow = SensorModel(rate=STATUS_RATE)
    sensors: dict[str, Sensor] = {
        "speeds": Encoder(joints=JOINTS, quantity="velocity", side="motor", model=slow),
        "currents": MotorCurrent(joints=JOINTS, model=slow),
        "temperatures": MotorTemperature(joints=JOINTS, model=slow),
    }
    for joint, age in zip(JOINTS, (READ_SKEW, 0.0), strict=True):
        sensors[f"{joint}_encoder"] = Encoder(
            joints=(joint,),
            side="motor",
            model=SensorModel(latency=age, noise=drive.encoder_noise),
        )
    return sensors


def piggy_robot(
    profile: str | DriveProfile = "thesis",
    *,
    q: ArrayLike = HOME,
    sensors: Mapping[str, Sensor] | None = None,
) -> Robot:
    """Return the batting unit for a world: model, motors, sensors; its name is "piggy".

    Args:
        profile: Of both drives.
        q: Roll and tilt at the start [rad], (2,).
        sensors: Further ones.
    """
    start = np.asarray(q, dtype=np.float64)
    if start.shape != (2,):
        raise ConfigError(f"`q` must be roll and tilt, shape (2,), got {start.shape}")
    return Robot(
        name="piggy",
        model=make_piggy(),
        motors=servo_motors(profile),
        sensors={**servo_sensors(profile), **(sensors or {})},
        q=start,
    )
