"""AMEE's gear motors as motors of the simulated world.

One motor, two gears (`config.DRIVES`): 210:1 as built, about 400:1 as its builder asks
for. Both profiles are the same motor, so ratios follow from the gear: torque and
resistance grow with it, speed shrinks, current and heat stay.

What no source prints is assumed here and named so: inertia of the rotor, strength of
the hold, warmth, teeth of the worn gear.

The thesis's drives run back: a stretched leg overcomes their 11 N m, a standing one
does not. Shorted (`Bridge.HOLD`) they hold up to their stall torque.
"""

from __future__ import annotations

from dataclasses import dataclass

from gelenk.errors import NameNotFoundError
from gelenk.robots.amee.config import (
    ACTOR_NAMES,
    DRIVES,
    NUM_LEGS,
    WORN_PLAY,
    DriveData,
)
from gelenk.sim.motors.descriptions import Backlash, DCGearMotor, Heating

ROTOR_INERTIA = 2e-5  # [kg m^2], A: coasts with a time constant of 0.09 s
SPREAD = 0.05  # of speed and torque between drives of one kind, A

# One node of warmth stands for winding and bridge. 1 Ohm is 12 V / 12 A. What flows
# for a tenth of the time (T: duty cycle 10 %) may last for ever at the module's 80 degC
# (T); the bridge cuts out silently at 175 degC (T).
WINDING = 1.0  # [Ohm], D
AMBIENT = 298.15  # [K], A
WARM_LIMIT = 273.15 + 80.0  # [K], T
CUT_OUT = 273.15 + 175.0  # [K], T
COOLED = 273.15 + 150.0  # [K], A: where the bridge comes back
DUTY = 0.10  # T
TIME_CONSTANT = 300.0  # [s], A

TOOTH_STIFFNESS = 2000.0  # [N m/rad], A: 22 N m bend the teeth by 0.6 deg
TOOTH_DAMPING = 5.0  # [N m s/rad], A


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveCfg:
    """What the drives of one robot are like.

    Attributes:
        profile: `thesis` or `geared`, see `config.DRIVES`.
        worn: Whether the gears of B, C and D have play.
        spread: Half width of the spread between drives [1].
        is_heated: Whether they become warm.
    """

    profile: str = "thesis"
    worn: bool = False
    spread: float = SPREAD
    is_heated: bool = True

    def __post_init__(self) -> None:
        if self.profile not in DRIVES:
            raise NameNotFoundError("drive profile", self.profile, DRIVES)

    @property
    def data(self) -> DriveData:
        """The data sheet."""
        return DRIVES[self.profile]


def joint_name(leg: int, actor: int) -> str:
    """Return the joint of an actor 0..3 of a leg 0..3, such as "C1"."""
    return f"{ACTOR_NAMES[actor]}{leg + 1}"


def drive_motors(cfg: DriveCfg) -> dict[str, DCGearMotor]:
    """Return the motor of each joint by its name."""
    motors: dict[str, DCGearMotor] = {}
    for leg in range(NUM_LEGS):
        for actor, letter in enumerate(ACTOR_NAMES):
            has_play = cfg.worn and letter != "A"
            motors[joint_name(leg, actor)] = make_drive(cfg, has_play=has_play)
    return motors


def make_drive(cfg: DriveCfg, *, has_play: bool = False) -> DCGearMotor:
    """Return one drive.

    Args:
        cfg: Of all of them.
        has_play: Whether the teeth of this one are worn.
    """
    data = cfg.data
    backlash = Backlash(
        half_gap=WORN_PLAY, stiffness=TOOTH_STIFFNESS, damping=TOOTH_DAMPING
    )
    return DCGearMotor(
        stall_torque=data.stall_torque,
        no_load_speed=data.no_load_speed,
        nominal_voltage=data.nominal_voltage,
        stall_current=data.stall_current,
        gear_ratio=data.ratio,
        rotor_inertia=ROTOR_INERTIA,
        dead_point=data.start_duty,
        back_drive_torque=data.back_drive_torque,
        # a shorted motor gives back at most what it can give
        hold_torque=data.stall_torque - data.back_drive_torque,
        backlash=backlash if has_play else None,
        heating=drive_heating(data) if cfg.is_heated else None,
        spread=cfg.spread,
    )


def drive_heating(data: DriveData) -> Heating:
    """Return how a drive becomes warm: what its duty cycle says."""
    lasting = DUTY * WINDING * data.stall_current**2  # [W]
    return Heating(
        winding_resistance=WINDING,
        thermal_resistance=(WARM_LIMIT - AMBIENT) / lasting,
        time_constant=TIME_CONSTANT,
        ambient=AMBIENT,
        shut_off=CUT_OUT,
        restart=COOLED,
    )
