"""Tests of the arm as controllers see it, against the world that it moves in."""

from typing import Any

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.armbot import (
    DEG,
    DirectKinematics,
    InverseKinematics,
    InverseResult,
    RobotController,
)
from gelenk.robots.armbot.interface.moves import MoveResult, UnsupportedOperationError
from gelenk.robots.armbot.manipulators import GantryArm, SimpleArm, SixAxisArm
from gelenk.robots.armbot.skills import Skills
from robots.armbot.cell_probe import cell_of, program, run_to_end, watch

TICK = 0.001  # [s]
START = np.array([0.35, -0.15, 0.15])  # [m], in the body frame
END = np.array([0.30, 0.20, 0.30])
OFF = Skills(direct=False, inverse=False)


def finish(controller: Any, started: MoveResult) -> None:
    assert started.ok, started.message
    ended = controller.manipulator.wait_movement_completed()
    assert ended.ok, ended.message


def mount_of(world: Any) -> np.ndarray:
    return world.pose("robot0/mount")[:3, 3]


def motors_of(world: Any) -> np.ndarray:
    return world.joint_positions("robot0")


# -- paths -------------------------------------------------------------------------


def line_in_world(velocity: float | None, arm: type) -> tuple[np.ndarray, np.ndarray]:
    """Return places of the mount in every tick of a line, and the line's two ends."""
    ends: list[np.ndarray] = []

    def task(controller: Any) -> None:
        arm = controller.manipulator
        finish(controller, arm.move_wrist_to(*START, 0.0, -90.0 * DEG, 0.0))
        seen.clear()
        if velocity is None:
            move = arm.move_wrist_line(*END, 0.5, -60.0 * DEG, 0.0)
        else:
            move = arm.move_wrist_line_constant(
                *END, 0.5, -60.0 * DEG, 0.0, velocity=velocity
            )
        finish(controller, move)
        ends[:] = [arm.to_world(START), arm.to_world(END)]

    with cell_of(program(task), arms=(arm,)) as cell:
        seen = watch(cell, mount_of)
        run_to_end(cell)
    return np.array(seen), np.array(ends)


@pytest.mark.parametrize("arm", [SimpleArm, SixAxisArm])
@pytest.mark.parametrize("velocity", [None, 0.1])
def test_a_line_is_straight_in_the_world(arm: type, velocity: float | None) -> None:
    places, (start, end) = line_in_world(velocity, arm)
    along = (end - start) / np.linalg.norm(end - start)
    offsets = places - start
    shares = offsets @ along
    beside = np.linalg.norm(offsets - shares[:, None] * along, axis=1)
    assert beside.max() < 1e-4
    assert np.linalg.norm(places[-1] - end) < 1e-6
    assert np.diff(shares).min() > -1e-6  # never back
    assert np.linalg.norm(end - start) > 0.3


def test_a_line_at_constant_speed_has_that_speed_everywhere() -> None:
    places, (start, end) = line_in_world(0.1, SimpleArm)
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / TICK
    num_ticks = int(np.linalg.norm(end - start) / 0.1 / TICK)
    # The last control period may be shorter than the others.
    going = speeds[: num_ticks // 10 * 10 - 10]
    assert going == pytest.approx(0.1, rel=0.01)


def test_a_line_without_a_speed_is_as_fast_as_the_motors_allow() -> None:
    def task(controller: Any) -> None:
        arm = controller.manipulator
        finish(controller, arm.move_wrist_to(*START))
        seen.clear()
        finish(controller, arm.move_wrist_line(*END))

    with cell_of(program(task)) as cell:
        seen = watch(cell, motors_of)
        motors = cell.robots[0].manipulator.motors
        run_to_end(cell)
    top = np.array([motor.max_speed for motor in motors])
    shares = np.abs(np.diff(np.array(seen)[:, :3], axis=0)) / TICK / top
    assert shares.max() <= 1.0 + 1e-9
    # On most of the way one motor or another is at its limit, nearly.
    going = shares.max(axis=1) > 0.0
    assert np.median(shares.max(axis=1)[going]) > 0.85


@pytest.mark.capability("AB-08")
def test_joints_of_one_move_start_and_arrive_together() -> None:
    goal = np.array([0.8, 0.4, -1.0])

    def task(controller: Any) -> None:
        finish(controller, controller.manipulator.move_joints(goal, speed=0.5))

    with cell_of(program(task)) as cell:
        seen = watch(cell, motors_of)
        home = cell.world.joint_positions("robot0")[:3]
        top = max(motor.max_speed for motor in cell.robots[0].manipulator.motors)
        run_to_end(cell)
    values = np.array(seen)[:, :3]
    shares = (values - home) / (goal - home)
    assert shares == pytest.approx(np.repeat(shares[:, :1], 3, axis=1), abs=1e-9)
    assert np.array_equal(values[-1], goal)
    fastest = np.abs(np.diff(values, axis=0)).max() / TICK
    assert 0.48 * top < fastest <= 0.5 * top * (1.0 + 1e-9)


def test_the_grip_point_comes_to_the_pose_that_was_wanted() -> None:
    wanted: list[np.ndarray] = []

    def task(controller: Any) -> None:
        arm = controller.manipulator
        T = np.eye(4)
        T[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]  # x down
        T[:3, 3] = 0.3, 0.1, 0.05
        finish(controller, arm.move_tcp_to(T))
        assert arm.tcp_pose() == pytest.approx(T, abs=1e-9)
        wanted.append(arm.to_world(T[:3, 3]))

    with cell_of(program(task)) as cell:
        run_to_end(cell)
        found = cell.world.pose("robot0/tcp")
    assert found[:3, 3] == pytest.approx(wanted[0], abs=1e-6)
    assert found[:3, 0] == pytest.approx([0.0, 0.0, -1.0], abs=1e-6)


# -- what moves answer -------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "code", "words"),
    [
        (lambda arm: arm.move_wrist_to(2.0, 0.0, 0.2), "unreachable", "2.000"),
        (lambda arm: arm.move_wrist_line(2.0, 0.0, 0.2), "unreachable", "m"),
        (lambda arm: arm.move_joints([0.0, 3.0, 0.0]), "limits", "femur"),
        (
            lambda arm: arm.move_wrist_line_constant(0.3, 0.2, 0.3, velocity=50.0),
            "too_fast",
            "top speed",
        ),
    ],
)
def test_an_impossible_move_says_why_and_moves_nothing(
    order: Any, code: str, words: str
) -> None:
    answers: list[MoveResult] = []

    def task(controller: Any) -> None:
        answers.append(order(controller.manipulator))
        controller.sleep(0.1)

    with cell_of(program(task)) as cell:
        before = cell.world.joint_positions("robot0")
        run_to_end(cell)
        assert np.array_equal(cell.world.joint_positions("robot0"), before)
    (answer,) = answers
    assert not answer
    assert answer.code == code
    assert words in answer.message


def test_a_wait_that_is_too_short_says_so_and_the_arm_goes_on() -> None:
    answers: list[MoveResult] = []

    def task(controller: Any) -> None:
        arm = controller.manipulator
        arm.move_joints([1.0, 1.0, -1.0])
        answers.append(arm.wait_movement_completed(0.05))
        answers.append(arm.wait_movement_completed())

    with cell_of(program(task)) as cell:
        run_to_end(cell)
        assert cell.world.joint_positions("robot0")[0] == 1.0
    assert [answer.code for answer in answers] == ["timeout", "ok"]


class Turns(RobotController):
    """Turns its stand; typed lines send it elsewhere."""

    answers: tuple[MoveResult, ...] = ()

    def run(self) -> None:
        self.manipulator.move_joints([1.5, 1.0, -1.0], speed=0.2)
        ended = self.manipulator.wait_movement_completed()
        self.answers = (*self.answers, ended)

    def receive_command(self, line: str) -> None:
        q = self.manipulator.joint_values()
        q[0] = float(line)
        self.manipulator.move_joints(q)


def test_a_newer_command_replaces_a_move() -> None:
    with cell_of(Turns) as cell:
        cell.run.run(0.2)
        cell.commander.send("-0.5")
        run_to_end(cell)
        controller = cell.robots[0].controller
        assert isinstance(controller, Turns)
        assert [answer.code for answer in controller.answers] == ["replaced"]
        assert cell.world.joint_positions("robot0")[0] == -0.5


def test_a_stop_ends_the_wait_and_the_motors_stand() -> None:
    with cell_of(Turns) as cell:
        cell.run.run(0.2)
        cell.execute.stop()
        cell.run.run(0.1)
        controller = cell.robots[0].controller
        assert isinstance(controller, Turns)
        assert [answer.code for answer in controller.answers] == ["stopped"]
        value = cell.world.joint_positions("robot0")[0]
        cell.run.run(0.2)
        assert cell.world.joint_positions("robot0")[0] == value
        assert 0.0 < value < 1.0


# -- hold and proceed --------------------------------------------------------------


class Patient(RobotController):
    """Draws a line; paused on the way, it goes on where it stood."""

    is_on_its_way = False

    def run(self) -> None:
        arm = self.manipulator
        if not self.is_on_its_way:
            self.is_on_its_way = True
            assert arm.move_wrist_line(*END)
        else:
            arm.proceed()
        arm.wait_movement_completed()

    def pause(self) -> None:
        self.manipulator.hold()

    def stop(self) -> None:
        super().stop()
        self.is_on_its_way = False


def path_of(pauses: tuple[float, ...]) -> np.ndarray:
    with cell_of(Patient) as cell:
        seen = watch(cell, motors_of)
        for moment in pauses:
            cell.run.run(moment)
            cell.execute.pause()
            cell.run.run(0.2)
            cell.execute.start()
            cell.run.run(0.02)
        run_to_end(cell)
    return np.array(seen)


@pytest.mark.capability("AB-X20")
def test_a_paused_line_is_the_same_line() -> None:
    whole, halting = path_of(()), path_of((0.13, 0.1))
    moving = np.abs(np.diff(halting, axis=0)).max(axis=1) > 0.0
    without_stops = halting[1:][moving]
    went = whole[1:][np.abs(np.diff(whole, axis=0)).max(axis=1) > 0.0]
    assert len(halting) > len(whole) + 350
    assert without_stops.shape == went.shape
    assert without_stops == pytest.approx(went, abs=1e-12)


# -- motors ------------------------------------------------------------------------


@pytest.mark.capability("AB-02")
def test_a_servo_comes_to_its_angle_exactly_and_is_never_too_fast() -> None:
    def task(controller: Any) -> None:
        motor = controller.manipulator.motors[0]
        motor.set_target(45.0 * DEG)
        assert controller.wait_until(lambda: not motor.is_moving())
        assert motor.value == motor.target

    with cell_of(program(task)) as cell:
        seen = watch(cell, motors_of)
        motor = cell.robots[0].manipulator.motors[0]
        run_to_end(cell)
        assert motor.value == pytest.approx(np.pi / 4.0, abs=1e-9)
        top = motor.max_speed
    speeds = np.abs(np.diff(np.array(seen)[:, 0])) / TICK
    assert speeds.max() == pytest.approx(top, rel=1e-6)
    assert speeds.max() <= top * (1.0 + 1e-9)


@pytest.mark.capability("AB-03")
def test_a_linear_motor_comes_to_its_length_exactly_and_is_never_too_fast() -> None:
    def task(controller: Any) -> None:
        motor = controller.manipulator.motors[0]
        middle = 0.5 * (motor.min_value + motor.max_value)
        motor.set_target(middle + 0.0123, speed_fraction=0.5)
        assert controller.wait_until(lambda: not motor.is_moving())

    with cell_of(program(task), arms=(GantryArm,)) as cell:
        motor = cell.robots[0].manipulator.motors[0]
        assert motor.unit == "m"
        motor_start = motor.value
        seen = watch(cell, motors_of)
        run_to_end(cell)
        goal = 0.5 * (motor.min_value + motor.max_value) + 0.0123
        assert motor.value == pytest.approx(goal, abs=1e-9)
        assert abs(goal - motor_start) > 0.01
        top = motor.max_speed
    speeds = np.abs(np.diff(np.array(seen)[:, 0])) / TICK
    assert speeds.max() == pytest.approx(0.5 * top, rel=1e-6)


def test_a_target_beyond_the_range_is_clipped_to_it() -> None:
    def task(controller: Any) -> None:
        motor = controller.manipulator.motors[1]
        motor.set_target(99.0)
        assert motor.target == motor.max_value
        controller.wait_until(lambda: not motor.is_moving())

    with cell_of(program(task)) as cell:
        run_to_end(cell)
        motor = cell.robots[0].manipulator.motors[1]
        assert motor.value == pytest.approx(motor.max_value, abs=1e-12)


# -- skills ------------------------------------------------------------------------


class TurnsOnly(DirectKinematics):
    """A mount that only turns with the first motor."""

    def pose(self, q: Any) -> np.ndarray:
        T = np.eye(4)
        T[:2, 3] = np.cos(q[0]), np.sin(q[0])
        return T


class Constant(InverseKinematics):
    """Wherever one wants to go, these are the joint values."""

    goal = np.array([0.7, 0.3, -0.9])

    def solve(self, position: Any, q_start: Any) -> InverseResult:
        return InverseResult(q=self.goal, ok=True, error=0.0)


@pytest.mark.capability("AB-30", "AB-31")
@pytest.mark.parametrize(
    ("skills", "has_direct", "has_inverse"),
    [
        (Skills(), True, True),
        (Skills(direct=True, inverse=False), True, False),
        (OFF, False, False),
    ],
)
def test_skills_decide_which_kinematics_an_arm_has(
    skills: Skills, has_direct: bool, has_inverse: bool
) -> None:
    with cell_of(None, skills=skills) as cell:
        arm = cell.robots[0].manipulator
        for name, is_there in (("direct", has_direct), ("inverse", has_inverse)):
            if is_there:
                assert getattr(arm, f"{name}_kinematics") is not None
            else:
                with pytest.raises(UnsupportedOperationError, match="skills"):
                    getattr(arm, f"{name}_kinematics")


@pytest.mark.capability("AB-32")
def test_a_missing_skill_ends_the_run_unless_the_controller_catches_it() -> None:
    def careless(controller: Any) -> None:
        controller.manipulator.move_wrist_to(0.3, 0.0, 0.2)

    def careful(controller: Any) -> None:
        try:
            controller.manipulator.move_wrist_to(0.3, 0.0, 0.2)
        except UnsupportedOperationError:
            controller.debug_out.println("then by joints")
            finish(controller, controller.manipulator.move_joints([0.5, 0.5, -0.5]))

    both = (SimpleArm, SimpleArm)
    with cell_of(program(careless), program(careful), arms=both, skills=OFF) as cell:
        assert cell.run.run_until_idle(5.0)
        cell.run.run(0.02)
        ends = cell.controllers
        lines = [line.text for line in cell.debug_out.lines if line.robot == 1]
        assert cell.world.joint_positions("robot1")[0] == 0.5
    assert ends[0].reason.startswith("failed: UnsupportedOperationError")
    assert "maninvkin" in ends[0].reason
    assert ends[1].reason == "finished"
    assert lines == ["then by joints"]


@pytest.mark.capability("AB-33")
@pytest.mark.parametrize("skills", [OFF, Skills()])
def test_a_move_uses_the_kinematics_that_a_controller_installed(skills: Skills) -> None:
    def task(controller: Any) -> None:
        arm = controller.manipulator
        arm.direct_kinematics = TurnsOnly()
        arm.inverse_kinematics = Constant()
        finish(controller, arm.move_wrist_to(0.3, 0.0, 0.2))
        assert arm.wrist_position() == pytest.approx([np.cos(0.7), np.sin(0.7), 0.0])

    with cell_of(program(task), skills=skills) as cell:
        run_to_end(cell)
        assert np.array_equal(cell.world.joint_positions("robot0")[:3], Constant.goal)


def test_what_is_no_kinematics_is_refused() -> None:
    with cell_of(None) as cell:
        arm = cell.robots[0].manipulator
        with pytest.raises(ConfigError, match="derived from InverseKinematics"):
            arm.inverse_kinematics = object()  # type: ignore[assignment]


# -- several arms ------------------------------------------------------------------


@pytest.mark.capability("AB-07")
def test_different_arms_in_one_cell_move_as_if_they_were_alone() -> None:
    def nod(controller: Any) -> None:
        arm = controller.manipulator
        finish(controller, arm.move_joints(arm.joint_values() * 0.5))

    def draw(controller: Any) -> None:
        finish(controller, controller.manipulator.move_wrist_line(0.32, 0.1, 0.25))

    def path(*tasks: Any, arms: tuple[type, ...], robot: str) -> np.ndarray:
        programs = [program(task) for task in tasks]
        with cell_of(*programs, arms=arms) as cell:
            seen = watch(cell, lambda world: world.joint_positions(robot))
            cell.run.run(1.0)
        return np.array(seen)

    arms = (SixAxisArm, SimpleArm)
    first = path(nod, draw, arms=arms, robot="robot0")
    second = path(nod, draw, arms=arms, robot="robot1")
    assert np.array_equal(first, path(nod, arms=arms[:1], robot="robot0"))
    alone = path(draw, arms=arms[1:], robot="robot0")
    assert second == pytest.approx(alone, abs=1e-9)
    assert np.ptp(first, axis=0).max() > 0.1
    assert np.ptp(second, axis=0).max() > 0.1


@pytest.mark.parametrize("speed", [0.05, 1.0])
def test_a_line_begun_while_motors_run_is_straight_from_there(speed: float) -> None:
    starts: list[np.ndarray] = []

    def task(controller: Any) -> None:
        arm = controller.manipulator
        finish(controller, arm.move_wrist_to(*START))
        arm.set_joint_targets(arm.joint_values() + 0.05, speed)
        controller.sleep(0.03)
        starts.append(arm.to_world(arm.wrist_position()))
        seen.clear()
        finish(controller, arm.move_wrist_line(*END))
        starts.append(arm.to_world(END))

    with cell_of(program(task)) as cell:
        seen = watch(cell, mount_of)
        run_to_end(cell)
    start, end = starts
    along = (end - start) / np.linalg.norm(end - start)
    offsets = np.array(seen) - start
    beside = np.linalg.norm(offsets - (offsets @ along)[:, None] * along, axis=1)
    assert beside.max() < 1e-4
