"""Weighs the bat: the robot holds poses and reads its own torques."""

from __future__ import annotations

from gelenk.robots.piggy.config import CONTROL_RATE
from gelenk.robots.piggy.control import MotionControl, motion_cfg
from gelenk.robots.piggy.control.weigh import weigh
from gelenk.robots.piggy.drives import get_profile
from gelenk.robots.piggy.hardware import RollTilt
from gelenk.robots.piggy.setup import Setup
from gelenk.robots.piggy.world import PiggyWorld


def weigh_bat(world: PiggyWorld, setup: Setup) -> float:
    """Return the weight F of the gravity compensation [N].

    Args:
        world: With servos; its truth is not looked at.
        setup: What is known of the servos.
    """
    drive = get_profile(world.cfg.drive)
    gains = "thesis" if setup.roll.half_gap > 0.0 else "tight"
    unit = RollTilt(world.servos, setup.servos, stall_torque=drive.sheet.stall_torque)
    control = MotionControl(unit, motion_cfg(gains, setup))
    control.start(world.time)
    found = weigh(control, lambda seconds: _hold(world, control, seconds))
    control.stop("weighed")
    return found


def _hold(world: PiggyWorld, control: MotionControl, seconds: float) -> None:
    for _ in range(round(seconds * CONTROL_RATE)):
        control.keep_alive()
        control.step(world.time)
        world.step_to(world.time + 1.0 / CONTROL_RATE)
