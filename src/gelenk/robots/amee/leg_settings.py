"""Settings of a leg computer's controllers, as groups of the parameter register.

Letters after a number as in `config`: T stated by Ruhnke 2011, D derived, A assumed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class RotationCfg:
    """RotationCtrl and BruteForceRotationCtrl; distances in counts, speeds 0..255."""

    default_speed: int = 200  # A
    arrival_tolerance: int = 1  # A; the peaks that an average lets through need 4
    short_tolerance: int = 1  # A, not worth a short move
    strained_tolerance: int = 4  # A, what a standing leg at its limit may leave undone
    range_tolerance: int = 10  # A, beyond a limit that is corrected silently
    fault_tolerance: int = 10  # A, from 0 and 1023
    jump: int = 40  # A, from one pass to the next: no joint turns so fast
    jump_period: float = 0.020  # [s], A: how long such a reading is not believed
    acceleration_distance: int = 40  # A
    break_distance: int = 60  # A
    approach_time: float = 0.20  # [s], A: way that remains over speed, near the end
    least_approach: float = 1.2  # [counts], A: least way in half a boost period
    # stop: T; hold: brakes; servo: brakes, and drives a joint back that its load turns
    idle_mode: Literal["stop", "hold", "servo"] = "stop"
    servo_tolerance: int = 8  # A, that a joint may turn before it is driven back
    servo_gain: int = 40  # A, pulse width for each count beyond
    rest_time: float = 0.0  # [s], A: that joints keep their targets before `ready`
    rest_limit: float = 12.0  # [s], A: from the start of a move; then `ready` anyway
    moving_tolerance: int = 1  # A, change that is noise
    moving_period: float = 0.100  # [s], T CalcRealSpeed
    boost_period: float = 0.040  # [s], A: standstill after which a push begins
    frozen_period: float = 0.5  # [s], A: no noise at all on a driven joint's sensor
    learn_up: int = 1  # T dynaSpeed
    learn_down: int = 5  # T
    learn_tolerance: float = math.radians(1.0)  # [rad], T
    axis_zero_snap: int = 2  # A, counts of axis A that read as straight ahead


@dataclass(frozen=True, slots=True, kw_only=True)
class TorqueCfg:
    """TorqueCtrl, SpeedCtrl and overload; torques for the 22 N m drive [N m], A.

    A drive with another stall torque scales them in proportion: what is compared is
    the current.
    """

    threshold: float = 5.0
    max_rise: float = 3.0
    window: float = 0.020  # [s], in which the rise counts
    absolute_max: float = 20.0
    normal_max: float = 12.0
    speed_boost: int = 20  # of 255, what SpeedCtrl adds above normal torque
    retreat: float = 0.10  # T
    retreat_mode: Literal["range", "travelled"] = "range"
    retry_after: float = 1.0  # [s], T
    max_retries: int = 3  # T
    ground_mutes_rise: bool = True  # A: ground explains a rise of torque
    ground_overload_time: float = 0.3  # [s], A: overload of a standing leg before hold


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchCfg:
    """TouchCtrl and SearchSafe [m, rad, s], T unless said."""

    period: float = 0.010
    lower: float = 0.100
    one_sided_lower: float = 0.025
    one_sided_tilt: float = math.radians(30.0)
    two_sided_lower: float = 0.010
    search_up: float = 0.050
    search_back: float = 0.010
    tries: int = 3
    speed: int = 90  # of 255, A: how fast a foot feels for the ground
    # [s], A: how long a foot with one or two contacts goes on before it reacts; 0: T
    patience: float = 0.040
    feel_time: float = 3.0  # [s], A: a tilt or press that takes longer has failed
    # A: a tilt that has found one toe in front and one behind presses; off: fails, T
    press_after_tilt: bool = True
    keeps_tilt: bool = False  # A: lines after a foothold keep the foot's tilt
    tilt_about: Literal["sole", "ankle"] = "sole"  # A; ankle is what the text implies
    # A: what tells that the foot stands on something without its toes.
    centre_sensing: Literal["off", "contact", "torque"] = "off"
    centre_torque: float = 4.0  # [N m], rise at B or C over the swing that means ground
    centre_back: float = 0.060  # [m], A: how far a foot leaves a sharp object
    follow_found_height: bool = True  # A; off is literal
    least_toes: int = 3  # T; on rubble two that bear may have to do
    accept_toes: int = 3  # A: that do if neither tilt nor press has closed more
    last_toes: int = 3  # A: that do where the last search has ended
    press: float = 0.0  # [m], A: how far a foot with three toes down presses on
    settle: float = 0.050  # [s], A: how long three toes must bear before Found
    reopen_time: float = 0.150  # [s], A: contacts open for less have only bounced
    max_reopened: int = 2  # A: ground that yields more often is left


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchdogCfg:
    """Security layer [s], T."""

    hardware: float = 1.0
    software: float = 1.0
    total: float = 15.0
    start_up: float = 0.050
    early_diagnosis: bool = True  # A: a dead drive is named after 1 s, not after 15
    dead_drive: float = 0.8  # [N m], A: a driven joint at rest that draws less is dead
    give_way: int = 30  # [counts], A: a held joint that turns farther is torn; 0: never
    least_retreat: int = 6  # [counts], A: a joint that cannot even retreat is locked


@dataclass(frozen=True, slots=True, kw_only=True)
class WireCfg:
    """Link between the two computers of a leg."""

    scale: Literal["corrected", "thesis"] = "corrected"
    timeout: float = 0.010  # [s], T
    ring: int = 4  # T
