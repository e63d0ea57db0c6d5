from __future__ import annotations

import numpy as np
import pytest

from gelenk.robots.armbot import RobotController
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.environment.description import Environment
from gelenk.robots.armbot.manipulators import TripodArm
from gelenk.robots.armbot.setup import RobotSetup, Setup


class Tears(RobotController):
    """Sends the legs where they cannot meet, and back."""

    def run(self) -> None:
        home = self.manipulator.joint_values()
        low = np.array([motor.min_value for motor in self.manipulator.motors])
        high = np.array([motor.max_value for motor in self.manipulator.motors])
        self.manipulator.set_joint_targets([high[0], low[1], low[2]])
        self.manipulator.wait_movement_completed()
        self.manipulator.set_joint_targets(home)
        self.manipulator.wait_movement_completed()


@pytest.mark.capability("AB-191")
def test_a_chain_that_cannot_close_is_logged_once_and_closes_again():
    setup = Setup(
        environment=Environment(),
        robots=(RobotSetup(number=0, manipulator=TripodArm, controller=Tears),),
    )
    with Cell(setup) as cell:
        start = cell.world.pose("robot0/mount")
        assert cell.run.run_until_idle(20.0)
        cell.run.run(0.1)
        said = [
            line.text for line in cell.system_log.lines if "cannot close" in line.text
        ]
        assert all(cell.world.loops_closed("robot0").values())
        assert cell.world.pose("robot0/mount") == pytest.approx(start, abs=1e-9)
    assert len(said) == 1
