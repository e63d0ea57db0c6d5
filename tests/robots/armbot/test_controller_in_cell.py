"""Tests of controllers in a cell: failures, typed lines, and the way back."""

from typing import Any

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.armbot import RobotController, TriggerProcessor
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.config import CONTROL_PERIOD
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.grippers import TwoFingerGripper
from gelenk.robots.armbot.manipulators import SimpleArm
from gelenk.robots.armbot.setup import ProcessorSetup, RobotSetup, Setup
from robots.armbot.cell_probe import cell_of, program, run_to_end

# -- constructors ------------------------------------------------------------------


class MovesTooEarly(RobotController):
    """Commands a motor before it has one."""

    def __init__(self) -> None:
        self.manipulator.motors[0].set_target(1.0)


class GripsTooEarly(RobotController):
    """Closes a gripper before it has one."""

    def __init__(self) -> None:
        self.gripper.close()


@pytest.mark.capability("AB-15")
@pytest.mark.parametrize("controller", [MovesTooEarly, GripsTooEarly])
def test_a_motor_command_in_the_constructor_is_refused(
    controller: type[RobotController],
) -> None:
    with (
        pytest.raises(ConfigError, match=r"constructor.*only prepares.*configure"),
        cell_of(controller),
    ):
        pass


def test_a_robot_without_gripper_says_how_to_get_one() -> None:
    def task(controller: Any) -> None:
        assert not controller.has_gripper
        controller.gripper.open()

    with cell_of(program(task), gripper=None) as cell:
        cell.run.run(0.1)
        reason = cell.controllers[0].reason
    assert reason.startswith("failed: RuntimeError")
    assert "GRIPPER" in reason


# -- failures ----------------------------------------------------------------------


def test_an_exception_ends_one_controller_and_nothing_else() -> None:
    def clumsy(controller: Any) -> None:
        controller.sleep(0.05)
        raise KeyError("screwdriver")

    def steady(controller: Any) -> None:
        controller.manipulator.move_joints([1.0, 0.5, -0.5])
        controller.manipulator.wait_movement_completed()

    ball = "BALL 0 0 50 3 0.3 0.5 FF0000"
    arms = (SimpleArm, SimpleArm)
    with cell_of(program(clumsy), program(steady), arms=arms, scene=ball) as cell:
        cell.run.run(2.0)
        ends = cell.controllers
        texts = [line.text for line in cell.debug_out.lines if line.robot == 0]
        assert cell.world.joint_positions("robot1")[0] == 1.0
        assert cell.world.pose("ball_1")[2, 3] < 0.1
        assert cell.world.time == pytest.approx(2.0)
    assert ends[0].reason == "failed: KeyError: 'screwdriver'"
    assert ends[1].reason == "finished"
    shown = "\n".join(texts)
    assert "Traceback" in shown
    assert 'raise KeyError("screwdriver")' in shown
    assert "screwdriver" in texts[-1]


def test_a_controller_shows_an_exception_that_it_caught() -> None:
    def task(controller: Any) -> None:
        try:
            controller.manipulator.move_joints([1.0])
        except ValueError as error:
            controller.debug_out.print_stack_trace(error)

    with cell_of(program(task)) as cell:
        run_to_end(cell)
        texts = [line.text for line in cell.debug_out.lines]
    assert texts[0].startswith("Traceback")
    assert any("`q`" in text for text in texts)


# -- typed lines -------------------------------------------------------------------


class Obedient(RobotController):
    """Turns its stand to the angle that is typed."""

    def run(self) -> None:
        while self.sleep(0.1):
            pass

    def receive_command(self, line: str) -> None:
        try:
            value = float(line)
        except ValueError:
            self.commander.failure(f"{line!r} is no angle")
            return
        self.manipulator.motors[0].set_target(value)
        self.commander.success(f"to {value}")


@pytest.mark.capability("AB-36")
def test_a_typed_line_reaches_its_controller_and_is_answered() -> None:
    arms = (SimpleArm, SimpleArm)
    with cell_of(Obedient, Obedient, arms=arms) as cell:
        cell.run.run(0.05)
        cell.commander.send("0.5", robot=1)
        cell.commander.send("left", robot=0)
        cell.run.run(0.5)
        assert cell.world.joint_positions("robot1")[0] == 0.5
        assert cell.world.joint_positions("robot0")[0] == 0.0
        answers = {line.robot: line.text for line in cell.commander.answers}
    assert answers == {1: "success: to 0.5", 0: "failure: 'left' is no angle"}


# -- reset -------------------------------------------------------------------------

SCENE = """
CUBOID 30 0 3 6 6 6 D04030
BALL 100 100 40 3 0.3 0.5 4060D0
BALL 200 0 13 3 0 0 4060D0
CONVEYOR 50 RUN 10 10 x 10 0 808080 RECT 200 0 100 20 ENDCONVEYOR
TRIGGER BALLBARRIER 60 PASSED 204 -10 204 10 20 *
"""


class Fetcher(RobotController):
    """Grips the cuboid, lifts it, and stays so."""

    made = configured = 0

    def __init__(self) -> None:
        type(self).made += 1

    def configure(self, params: str) -> None:
        type(self).configured += 1

    def run(self) -> None:
        arm = self.manipulator
        down = np.eye(4)
        down[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
        for z in (0.15, 0.03):
            down[:3, 3] = *arm.to_local((0.3, 0.0, 0.0))[:2], z
            assert arm.move_tcp_to(down).ok
            arm.wait_movement_completed()
        self.gripper.close(width=0.056)
        self.gripper.wait()
        down[2, 3] = 0.2
        assert arm.move_tcp_to(down).ok
        arm.wait_movement_completed()
        self.send_trigger(50, "STOP")
        arm.motors[0].set_target(1.5, speed_fraction=0.01)
        while self.sleep(0.1):
            pass


class Counter(TriggerProcessor):
    """Counts what passes."""

    def __init__(self) -> None:
        self.count = 0
        Counter.newest = self

    def receive_trigger(self, trigger: str) -> None:
        self.count += 1

    def reset(self) -> None:
        self.count = 0

    newest: "Counter"


def fetching_cell() -> Setup:
    robot = RobotSetup(
        number=0,
        manipulator=SimpleArm,
        gripper=TwoFingerGripper,
        controller=Fetcher,
        config="once",
        heading=-np.pi / 2.0,
    )
    return Setup(
        environment=parse_environment(SCENE),
        robots=(robot,),
        processor=ProcessorSetup(number=60, processor=Counter),
    )


def state_of(cell: Cell) -> list[np.ndarray]:
    names = ("cuboid_1", "ball_1", "ball_2")
    world, drive = cell.world, cell.robots[0].drive
    return [
        *(world.pose(name) for name in names),
        *(world.twist(name) for name in names),
        world.joint_positions("robot0"),
        world.joint_velocities("robot0"),
        drive.targets(),
    ]


def reset_and_tick(cell: Cell) -> None:
    """Reset, and go on until the world has just begun again."""
    done = cell.execute.reset()
    for _ in range(20):
        cell.run.tick()
        if done.done():
            break
    assert done.done()
    assert cell.world.time == pytest.approx(CONTROL_PERIOD)


@pytest.mark.slow
@pytest.mark.capability("AB-88", "AB-194")
def test_reset_brings_back_the_whole_scene_and_it_runs_again_the_same() -> None:
    Fetcher.made = Fetcher.configured = 0
    with Cell(fetching_cell(), autostart=False) as cell:
        world = cell.world
        cell.run.tick()
        fresh = state_of(cell)
        rounds: list[tuple[list[np.ndarray], list[tuple[float, str]]]] = []
        for _ in range(2):
            seen = len(cell.triggers.history)
            cell.execute.start()
            cell.run.run(3.0)
            assert world.holder("cuboid_1") is not None
            assert world.pose("cuboid_1")[2, 3] > 0.15
            assert Counter.newest.count == 1
            records = cell.triggers.history[seen:]
            texts = [(record.time, record.text) for record in records]
            rounds.append((state_of(cell), texts))
            reset_and_tick(cell)
            assert world.holder("cuboid_1") is None
            assert not cell.robots[0].manipulator.is_moving()
            assert Counter.newest.count == 0
            for now, then in zip(state_of(cell), fresh, strict=True):
                assert np.array_equal(now, then)
    (first, told), (second, told_again) = rounds
    assert [text for _, text in told] == ["PASSED", "STOP"]
    assert told_again == told
    for one, other in zip(first, second, strict=True):
        assert np.array_equal(one, other)
    assert Fetcher.made == 1
    assert Fetcher.configured == 1
