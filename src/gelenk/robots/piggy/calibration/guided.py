"""`run_calibration`: a person, boards, balls and a robot that measures itself."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from gelenk.robots.piggy.calibration.boards import Board
from gelenk.robots.piggy.calibration.collect import Helper, WorldSource
from gelenk.robots.piggy.calibration.run import (
    CalibrationCfg,
    CalibrationRun,
    Progress,
    calibrate_from,
)
from gelenk.robots.piggy.config import CONTROL_RATE
from gelenk.robots.piggy.control import MotionControl, motion_cfg
from gelenk.robots.piggy.control.weigh import weigh
from gelenk.robots.piggy.drives import get_profile
from gelenk.robots.piggy.hardware import RollTilt
from gelenk.robots.piggy.setup import Setup, nominal_setup
from gelenk.robots.piggy.throwers import PlaceName, ThrowerCfg, draw_throw
from gelenk.robots.piggy.world import PiggyWorld
from gelenk.spatial import so3
from gelenk.typing import FloatArray


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


HAND = 0.01  # [m], how far from where it is told a person holds a board
HAND_TURN = math.radians(3.0)  # [rad]


class SimulatedHelper:
    """Somebody in the world who does what the calibration asks for, as people do.

    Args:
        world: In which they stand.
        rng: Of their hands.
        thrower: How they throw.
        place: Whose weather the throws have.
    """

    def __init__(
        self,
        world: PiggyWorld,
        rng: np.random.Generator,
        *,
        thrower: ThrowerCfg | None = None,
        place: PlaceName | None = None,
    ) -> None:
        self.world, self.rng = world, rng
        self.thrower = thrower or ThrowerCfg()
        self.place: PlaceName = place or world.cfg.place

    def show_board(self, T_world_board: FloatArray | None, board: Board) -> None:
        """Hold a board about there; None: put it away."""
        if T_world_board is None:
            self.world.show_board(None)
            return
        T = T_world_board.copy()
        T[:3, 3] += HAND * self.rng.normal(size=3)
        T[:3, :3] = T[:3, :3] @ so3.exp(HAND_TURN * self.rng.normal(size=3))
        self.world.show_board(T, board)

    def throw(self) -> None:
        """Throw a ball towards the robot."""
        self.world.throw(draw_throw(self.rng, self.place, skill=self.thrower))


def run_calibration(
    world: PiggyWorld,
    setup: Setup | None = None,
    cfg: CalibrationCfg | None = None,
    *,
    helper: Helper | None = None,
    seed: int = 0,
    progress: Progress = lambda words, share: None,
) -> CalibrationRun:
    """Return a new setup, measured in a world from images and servo readings.

    At last the bat is weighed by the torques that hold it. The servos are left without
    torque.

    Args:
        world: With images and servos; its truth is not looked at.
        setup: What is known; drawings if None.
        cfg: What to do.
        helper: Holds boards and throws balls; somebody simulated if None.
        seed: Of the simulated helper.
        progress: Told what happens now and which share of all is done.
    """
    somebody = helper or SimulatedHelper(world, np.random.default_rng([seed, 0xCA1]))
    source = WorldSource(world, somebody)
    run = calibrate_from(source, setup or nominal_setup(), cfg, progress=progress)
    if not run.is_calibrated or "servos" not in (cfg or CalibrationCfg()).steps:
        return run
    progress("weighing the bat", 1.0)
    after = replace(run.after, weight=weigh_bat(world, run.after))
    return replace(run, after=after)
