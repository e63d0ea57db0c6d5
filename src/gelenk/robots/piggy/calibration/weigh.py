"""Weighs the bat: the robot holds poses and reads its own torques."""

from __future__ import annotations

from itertools import product

import numpy as np

from gelenk.robots.piggy.config import CONTROL_RATE
from gelenk.robots.piggy.control import MotionControl, motion_cfg
from gelenk.robots.piggy.control.weigh import weight_from_torques
from gelenk.robots.piggy.drives import get_profile
from gelenk.robots.piggy.hardware import RollTilt
from gelenk.robots.piggy.setup import Setup
from gelenk.robots.piggy.world import PiggyWorld

LEANS = (30.0, -30.0, 45.0, -45.0)  # [deg], of either axis, from both sides
SETTLE, READ = 1.5, 0.3  # [s] in each pose


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
    poses, torques = [], []
    for lean, axis in product(LEANS, (1, 0)):
        pose = np.zeros(2)
        pose[axis] = np.deg2rad(lean)
        control.reach(pose)
        _hold(world, control, SETTLE)
        _hold(world, control, READ)
        states = control.log.latest(round(READ * CONTROL_RATE))
        poses.append(np.mean([state.q for state in states], axis=0))
        torques.append(np.mean([state.tau for state in states], axis=0))
    control.stop("weighed")
    return weight_from_torques(control.cfg.model, np.array(poses), np.array(torques))


def _hold(world: PiggyWorld, control: MotionControl, seconds: float) -> None:
    for _ in range(round(seconds * CONTROL_RATE)):
        control.keep_alive()
        control.step(world.time)
        world.step_to(world.time + 1.0 / CONTROL_RATE)
