"""Settings of AMEE with unit and source; the numbers of its body stand in `robot`.

Letters after a number: T stated by Ruhnke 2011, D derived from stated values, A
assumed here because no source prints it (the thesis calls such values "found by
experiment" and keeps them in its firmware). SI and radians; converter counts where a
leg's own registers hold them.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from typing import Literal, Self

from gelenk.errors import ConfigError
from gelenk.robots.amee.leg_settings import RotationCfg as RotationCfg
from gelenk.robots.amee.leg_settings import TorqueCfg as TorqueCfg
from gelenk.robots.amee.leg_settings import TouchCfg as TouchCfg
from gelenk.robots.amee.leg_settings import WatchdogCfg as WatchdogCfg
from gelenk.robots.amee.leg_settings import WireCfg as WireCfg
from gelenk.robots.amee.robot import (
    ANKLE_HEIGHT,
    ANKLE_OFFSET,
    LEG_MASSES,
    LEGS,
    MAX_SPEED,
    MAX_TORQUE,
    PAD,
    SHANK,
    STANCE,
    THIGH,
    TOTAL_MASS,
    hip_position,
)
from gelenk.robots.amee.robot import HIP_SPACING as HIP_SPACING

NUM_LEGS = 4
NUM_ACTORS = 4
ACTOR_NAMES = ("A", "B", "C", "D")  # yaw of the hip, pitch of hip, knee and ankle
# Index 0..3 is the thesis's leg 1..4 (T: 1 is front right; R: the others).
LEG_NAMES = ("front_right", "front_left", "rear_left", "rear_right")

# Hips in the torso's frame (x forward, y left, z up) [m], same order as LEG_NAMES.
HIPS = tuple((float(x), float(y), float(z)) for x, y, z in map(hip_position, LEGS))
ROBOT_MASS = TOTAL_MASS  # [kg]
# Shoulder, thigh, shank, foot [kg].
LINK_MASSES = tuple(LEG_MASSES.values())
COM_OFFSET = -0.020  # [m] forward of the hips' centre, A within -40..0 mm

STANCE_HEIGHT = STANCE  # [m]
FOOT_HALF_SIZE = PAD  # [m]
TOE_TRIGGER_FORCE = 12.0  # [N], A
# Bits of the toe register: front left, front right, rear left, rear right; the centre
# is an option that the thesis only proposes.
TOE_BITS = (0x01, 0x02, 0x04, 0x08)
TOES_FRONT, TOES_REAR, TOES_ALL, TOE_CENTRE = 0x03, 0x0C, 0x0F, 0x10
WORN_PLAY = math.radians(2.7)  # [rad], half width in B, C and D, D: +-55 mm at the foot

ADC_MAX = 1023  # T: 10 bit
ADC_REFERENCE = 5.0  # [V], T
ADC_SAMPLE_PERIOD = 55.2e-6  # [s], refresh of one channel, T
CURRENT_PER_VOLT = 6.0  # [A/V] of the driver's sense output, T
CURRENT_SENSE_MAX = 2.5  # [V], T

BUS_PORT = 3550  # T; the leg with index i listens on BUS_PORT + i when all are local


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveData:
    """What the data sheet of a drive says.

    Attributes:
        name: Profile.
        ratio: Gear.
        stall_torque: At the output, at the nominal voltage [N m].
        no_load_speed: At the output [rad/s].
        stall_current: [A].
        nominal_voltage: [V].
        back_drive_torque: Passive resistance against being turned from outside [N m].
        start_duty: Share of the nominal voltage below which nothing moves.
    """

    name: Literal["thesis", "geared"]
    ratio: float
    stall_torque: float
    no_load_speed: float
    stall_current: float = 12.0
    nominal_voltage: float = 12.0
    back_drive_torque: float = 11.0
    start_duty: float = 0.2

    @property
    def torque_per_count(self) -> float:
        """Output torque that one count of the current channel means [N m]."""
        volt = ADC_REFERENCE / ADC_MAX
        return volt * CURRENT_PER_VOLT * self.stall_torque / self.stall_current


THESIS_DRIVE = DriveData(  # T Tab. 3-1; back-drive and start voltage A
    name="thesis", ratio=210.0, stall_torque=MAX_TORQUE, no_load_speed=MAX_SPEED
)
GEARED_DRIVE = DriveData(  # D by ratio: the author asks for at least 400:1
    name="geared",
    ratio=400.0,
    stall_torque=MAX_TORQUE * 400 / 210,
    no_load_speed=MAX_SPEED * 210 / 400,
    back_drive_torque=11.0 * 400 / 210,
)
DRIVES = {drive.name: drive for drive in (THESIS_DRIVE, GEARED_DRIVE)}


@dataclass(frozen=True, slots=True, kw_only=True)
class LegGeometry:
    """Lengths of a leg [m] in its frame: x forward, y up, z left, origin at the hip.

    Attributes:
        thigh: d1, axis B to C.
        shank: d2, axis C to D.
        hip_drop: epsilon_y1, fix point down to axis B.
        sole_drop: epsilon_y2, ankle axis down to the sole (foot level).
        toe_ahead: epsilon_x1, ankle axis forward to the foot's centre.
        thigh_thickness: epsilon_ActorY, what stays between thigh axis and torso.
        offset_mode: `rigid` adds the hip's drop always; `thesis` changes its sign
            above the hip, as printed.
    """

    thigh: float = THIGH
    shank: float = SHANK
    hip_drop: float = 0.0
    sole_drop: float = ANKLE_HEIGHT
    toe_ahead: float = ANKLE_OFFSET
    thigh_thickness: float = 0.025  # A
    offset_mode: Literal["rigid", "thesis"] = "rigid"

    def __post_init__(self) -> None:
        if min(self.thigh, self.shank) <= 0:
            raise ConfigError(
                f"thigh and shank must be longer than 0 m, got {self.thigh} and "
                f"{self.shank}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SensorLine:
    """Straight line from joint angle to counts: `counts = slope * angle + offset`.

    Attributes:
        slope: [counts/rad].
        offset: [counts] at 0 rad.
    """

    slope: float = 195.4  # D: 300 degrees over 1024 counts
    offset: float

    def counts_from_angle(self, angle: float) -> int:
        """Return the nearest count of an angle [rad]."""
        return round(self.slope * angle + self.offset)

    def angle_from_counts(self, counts: float) -> float:
        """Return the angle [rad] of a reading."""
        return (counts - self.offset) / self.slope


# Of A by its cables: T; the others A.
_LIMITS_DEG = ((-90.0, 90.0), (-180.0, 90.0), (0.0, 172.0), (20.0, 275.0))
_OFFSETS = (512.0, 665.5, 218.7, 9.0)  # A: range centred in the converter's


@dataclass(frozen=True, slots=True, kw_only=True)
class LegCfg:
    """Settings of one leg computer; legs differ in nothing else.

    Attributes:
        number: 1..4 as the thesis counts.
        geometry: Lengths.
        sensors: Line of each angle sensor, A..D.
        limits: Joint range [rad] of each actor, A..D.
        drive: Data sheet of all four drives.
        pass_period: Time of one pass of the super-loop [s]. The thesis's worst pass
            takes 0.634 ms; 2 ms is chosen for campaigns: a joint at full speed moves
            0.9 counts in it, less than the arrival tolerance. What the thesis counts
            in passes is scaled to keep its duration.
        average: Converter readings in the moving average, A.
        filter: `median` rejects the peaks of slow drives; `average` is as built.
        min_step: Spacing of via points [m], T at 18.432 MHz.
        lift: Height of a step without safe walk [m], T.
        ground_clearance: Least height a step must be able to gain [m], A.
        ready_after_error: Whether `ready` follows an error, A; the text says both.
    """

    number: int = 1
    geometry: LegGeometry = field(default_factory=LegGeometry)
    sensors: tuple[SensorLine, ...] = tuple(SensorLine(offset=b) for b in _OFFSETS)
    limits: tuple[tuple[float, float], ...] = tuple(
        (math.radians(low), math.radians(high)) for low, high in _LIMITS_DEG
    )
    drive: DriveData = THESIS_DRIVE
    pass_period: float = 0.002
    average: int = 10
    filter: Literal["average", "median"] = "median"
    min_step: float = 0.003
    lift: float = 0.100
    ground_clearance: float = 0.020
    ready_after_error: bool = False
    rotation: RotationCfg = field(default_factory=RotationCfg)
    torque: TorqueCfg = field(default_factory=TorqueCfg)
    touch: TouchCfg = field(default_factory=TouchCfg)
    watchdog: WatchdogCfg = field(default_factory=WatchdogCfg)
    wire: WireCfg = field(default_factory=WireCfg)

    def __post_init__(self) -> None:
        if not 1 <= self.number <= NUM_LEGS:
            raise ConfigError(f"leg number must be 1 to {NUM_LEGS}, got {self.number}")
        if len(self.sensors) != NUM_ACTORS or len(self.limits) != NUM_ACTORS:
            raise ConfigError(
                f"a leg has {NUM_ACTORS} actors, got {len(self.sensors)} sensor lines "
                f"and {len(self.limits)} limits"
            )
        if not 0 < self.pass_period <= self.touch.period:
            raise ConfigError(
                "a pass must be shorter than the polling of the toes "
                f"({self.touch.period} s), got {self.pass_period} s"
            )
        if self.average < 1:
            raise ConfigError(f"average needs one reading or more, got {self.average}")

    @property
    def limit_counts(self) -> tuple[tuple[int, int], ...]:
        """The table LIMITS: lowest and highest count of each actor."""
        return tuple(
            (line.counts_from_angle(low), line.counts_from_angle(high))
            for line, (low, high) in zip(self.sensors, self.limits, strict=True)
        )

    def torque_counts(self, torque_22: float) -> float:
        """Return the counts of a torque given for the 22 N m drive [N m]."""
        return torque_22 / THESIS_DRIVE.torque_per_count

    def replace(self, **changes: object) -> Self:
        """Return a copy with some settings changed."""
        return dataclasses.replace(self, **changes)


PARK_ANGLES = (0.0, -math.pi, math.radians(172.0), math.radians(20.0))  # [rad], A


def make_leg_cfgs(base: LegCfg | None = None) -> tuple[LegCfg, ...]:
    """Return the settings of four legs that differ in their number only."""
    base = base or LegCfg()
    return tuple(base.replace(number=i + 1) for i in range(NUM_LEGS))
