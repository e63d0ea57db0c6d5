"""Gains found on the simulated two-axis drive, by profile.

Roll and tilt were searched together for: within 2 degrees in 0.34 s from upright to
any target up to 45 degrees, a residual below 0.4 degrees, and no lasting oscillation
inside the play, at home least of all.
"""

from __future__ import annotations

from typing import Literal, Protocol

from gelenk.errors import NameNotFoundError
from gelenk.robots.piggy.control.flank import BatModel
from gelenk.robots.piggy.control.pd import PdGains
from gelenk.robots.piggy.control.state import MotionCfg
from gelenk.robots.piggy.hardware.roll_tilt import ServoScale

GAINS = {
    "thesis": PdGains(kp=(39.0, 41.5), kd=(3.62, 3.34), soft_error=0.80),
    "tight": PdGains(kp=(40.0, 40.0), kd=(3.0, 3.0)),
}

# Of direct moves until they rest: damped by the bat as it is believed behind the play.
# Long moves ask for a speed that grows as the root of the way left, and brake with what
# the drive can, roll a little earlier, its inertia being larger. So whatever was before
# and wherever the bat hung, it is within 2 degrees in 0.34 s.
DIRECT = {
    "thesis": PdGains(kp=(80.0, 80.0), kd=(4.8, 4.4), soft_error=0.30, derivative="bat")
}

# [N m s/rad], stall torque over no-load speed, data sheets
BACK_EMF = {"thesis": 1.10, "tight": 1.68}


class GearScale(ServoScale, Protocol):
    """A servo's scale with its play; `setup.ServoSetup` is one."""

    @property
    def half_gap(self) -> float:
        """[rad]."""
        ...


class Calibrated(Protocol):
    """What motion control takes from a calibration; `setup.Setup` is one."""

    @property
    def servos(self) -> tuple[GearScale, GearScale]:
        """Roll and tilt."""
        ...

    @property
    def weight(self) -> float:
        """F of the gravity compensation [N]."""
        ...


def motion_cfg(
    profile: str,
    setup: Calibrated,
    *,
    play: Literal["ignore", "estimate"] = "ignore",
) -> MotionCfg:
    """Return the settings of motion control for a drive.

    Args:
        profile: "thesis" or "tight".
        setup: Calibration.
        play: See `MotionCfg`.
    """
    if profile not in GAINS:
        raise NameNotFoundError("drive profile", profile, GAINS)
    roll, tilt = setup.servos
    model = BatModel(half_gap=(roll.half_gap, tilt.half_gap), weight=setup.weight)
    return MotionCfg(
        gains=GAINS[profile],
        direct=DIRECT.get(profile),
        model=model,
        play=play,
        feed_forward=True,
        back_emf=BACK_EMF[profile],
    )
