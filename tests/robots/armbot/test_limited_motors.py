from __future__ import annotations

import numpy as np
import pytest

from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.config import ArmBotCfg
from gelenk.robots.armbot.controllers import Handling
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.grippers import TwoFingerGripper
from gelenk.robots.armbot.manipulators import SimpleArm
from gelenk.robots.armbot.setup import RobotSetup, Setup

CUBE = "DEBUGNAME cube MASS 0.2 CUBOID 35 0 3 6 6 6 FF0000"


class Carries(Handling):
    """Carries a cube to another place, slowly."""

    speed = 0.4

    def run(self) -> None:
        if self.pick((0.35, 0.0, 0.03), width=0.055):
            self.place((0.20, 0.25, 0.035))


class Presses(Handling):
    """Turns the stand against a wall of the world that does not give way."""

    def run(self) -> None:
        self.manipulator.set_joint_targets([1.0, 0.5, -0.8], speed=0.5)
        self.manipulator.wait_movement_completed(timeout=4.0)
        values = self.manipulator.joint_values()
        self.debug_out.println(" ".join(f"{value:.6f}" for value in values))


def run_cell(controller: type[Handling], text: str, cfg: ArmBotCfg) -> Cell:
    robot = RobotSetup(
        number=0,
        manipulator=SimpleArm,
        gripper=TwoFingerGripper,
        controller=controller,
        heading=-np.pi / 2,
    )
    setup = Setup(environment=parse_environment(text), robots=(robot,), cfg=cfg)
    cell = Cell(setup)
    cell.run.run_until_idle(30.0)
    cell.run.run(0.3)
    return cell


@pytest.mark.slow
@pytest.mark.capability("AB-X17")
def test_motors_of_limited_strength_still_carry_a_cube():
    with run_cell(Carries, CUBE, ArmBotCfg(motors="limited")) as cell:
        assert cell.controllers[0].reason == "finished"
        place = cell.world.pose("cube")[:3, 3]
    assert place == pytest.approx([0.20, 0.25, 0.03], abs=0.02)


@pytest.mark.capability("AB-X17")
def test_weak_motors_sag_and_strong_ones_do_not():
    ends = {}
    for torque in (3.0, 200.0):
        cfg = ArmBotCfg(motors="limited", max_torque=torque)
        with run_cell(Presses, "", cfg) as cell:
            text = cell.debug_out.lines[-1].text
            ends[torque] = np.array([float(part) for part in text.split()])
    goal = np.array([1.0, 0.5, -0.8])
    assert np.abs(ends[200.0] - goal).max() < 0.02
    assert ends[3.0][1] < goal[1] - 0.1  # the femur hangs
