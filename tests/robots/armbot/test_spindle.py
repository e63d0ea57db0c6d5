from __future__ import annotations

import math

import numpy as np
import pytest

from gelenk.errors import ConfigError, ModelError
from gelenk.models.parts import Spindle
from gelenk.robots.armbot import RobotController
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Tip
from gelenk.robots.armbot.setup import RobotSetup, Setup

SPEED = 2.0  # [rad/s]


class Sweeper(ManipulatorModel):
    """A bar that sweeps over the floor, on a lift."""

    def build(self, body: Assembly) -> Tip:
        hub = (
            body.spindle("broom", max_speed=4.0)
            .segment((0.0, 0.0, 0.02), mass=1.0)
            .t_connector("hub", mass=1.0)
        )
        hub.touch_segment(0.3, "bar", mass=0.2).termination_point()
        return hub.servo("flap", axis="xz").gripper_mount("mount")


class Sweeps(RobotController):
    """Sweeps for ten seconds while its flap moves, then stops."""

    def run(self) -> None:
        broom, flap = self.manipulator.motors
        with pytest.raises(ConfigError, match="cannot run on"):
            flap.run_at(1.0)
        with pytest.raises(ConfigError, match="up to 4"):
            broom.run_at(-5.0)
        broom.run_at(SPEED)
        flap.set_target(0.5)
        assert self.manipulator.wait_movement_completed()  # of the flap alone
        self.sleep(10.0 - self.time)
        self.debug_out.println(f"{broom.speed:.9f} {broom.is_moving()}")
        broom.run_at(0.0)
        self.sleep(0.1)


def make_cell(text: str = "") -> Cell:
    robot = RobotSetup(number=0, manipulator=Sweeper, controller=Sweeps)
    return Cell(Setup(environment=parse_environment(text), robots=(robot,)))


@pytest.mark.capability("AB-X10")
def test_a_spindle_runs_on_at_its_speed_until_it_is_stopped():
    with make_cell() as cell:
        assert cell.run.run_until_idle(20.0)
        cell.finish()
        broom, flap = cell.robots[0].manipulator.motors
        assert cell.controllers[0].reason == "finished"
        assert cell.debug_out.lines[0].text == f"{SPEED:.9f} True"
        assert broom.value == pytest.approx(10.0 * SPEED, abs=1e-6)
        assert broom.value > 3.0 * math.tau
        assert flap.value == pytest.approx(0.5, abs=1e-9)
        assert not broom.is_moving()


@pytest.mark.capability("AB-X10")
def test_a_spindle_hits_a_ball_with_the_speed_of_its_bar():
    with make_cell("BALL 0 20 5 2 0 0.5 FF0000") as cell:
        # Heading 0: the bar starts along +y, so it must come round once.
        cell.world.place("ball_1", _at(-0.2, 0.0), np.zeros(6))
        cell.run.run(0.9)
        speed = cell.world.twist("ball_1")[:3]
    # It is struck at 0.2 m from the axis: (1 + bounce) * 2 rad/s * 0.2 m.
    assert np.linalg.norm(speed[:2]) == pytest.approx(1.5 * SPEED * 0.2, rel=0.03)
    assert speed[1] < 0.0


def test_a_spindle_has_no_limits():
    with pytest.raises(ModelError, match="use a servo"):
        Spindle("broom", limits=(-1.0, 1.0))


def _at(x: float, y: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, 0.02
    return T
