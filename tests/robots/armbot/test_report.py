"""The document of a finished cell: what stands in it, in which units, and its bytes."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from gelenk.robots.armbot import RobotController
from gelenk.robots.armbot.cell import Cell
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.manipulators import SimpleArm
from gelenk.robots.armbot.report import (
    ControllerReport,
    ObjectReport,
    Report,
    RobotReport,
    make_report,
)
from gelenk.robots.armbot.setup import RobotSetup, Setup

TEXT = """
DEBUGNAME red
BALL 100 20 35 5 0.3 0.5 FF0000
CUBOID 100 50 4 8 8 8 00FF00
BALL -100 20 5 5 0.3 0.5 0000FF
CYLINDER 200 0 5 3 10 00FFFF
TRIGGER BALLENTERS 7 FELL 100 20 1 5 *
"""


class Reach(RobotController):
    """Reaches out."""

    def run(self) -> None:
        self.manipulator.motors[0].set_target(0.1)
        self.debug_out.println("ümlaut")
        self.sleep(0.2)
        self.send_trigger(3, "lost")

    def get_description(self) -> str:
        raise RuntimeError("I will not say")


def report_of(seconds: float = 0.3, seed: int = 0) -> Report:
    environment = parse_environment(TEXT, file="a/cell.env")
    robot = RobotSetup(number=2, manipulator=SimpleArm, controller=Reach, x=-1.0)
    with Cell(Setup(environment=environment, robots=(robot,)), seed=seed) as cell:
        cell.run.run(seconds)
        cell.finish()
        return make_report(cell)


def test_everything_that_moves_is_where_physics_puts_it() -> None:
    report = report_of(0.2)

    assert list(report.balls) == ["red", "ball_2"]
    assert list(report.cuboids) == ["cuboid_1"]
    assert len(report.cylinders) == 1
    x, y, z = report.balls["red"].position
    assert (x, y) == pytest.approx((1.0, 0.2), abs=1e-6)
    assert z == pytest.approx(0.35 - 0.5 * 9.81 * 0.2**2, abs=2e-3)
    assert report.cuboids["cuboid_1"].position[2] == pytest.approx(0.04, abs=1e-4)
    fallen = report.figures["largest_displacement"]
    assert (fallen.value, fallen.unit) == (pytest.approx(0.35 - z, abs=1e-6), "m")


def test_a_turned_cuboid_has_its_quaternion() -> None:
    environment = parse_environment("CUBOID 0 0 4 8 8 8 00FF00")
    with Cell(Setup(environment=environment)) as cell:
        T = cell.world.pose("cuboid_1").copy()
        angle = math.radians(-30.0)
        T[:2, :2] = [
            [math.cos(angle), -math.sin(angle)],
            [math.sin(angle), math.cos(angle)],
        ]
        cell.world.place("cuboid_1", T)
        cell.finish()
        quaternion = make_report(cell).cuboids["cuboid_1"].quaternion

    expected = (math.cos(angle / 2), 0.0, 0.0, math.sin(angle / 2))
    np.testing.assert_allclose(quaternion, expected, rtol=0, atol=1e-12)


def test_motors_controllers_triggers_and_lines_are_there() -> None:
    report = report_of(0.3)

    (robot,) = report.robots
    assert (robot.number, robot.manipulator, robot.gripper) == (2, "SimpleArm", None)
    stand = robot.motors["stand"]
    assert (stand.value, stand.unit) == (pytest.approx(0.1, abs=1e-9), "rad")
    assert stand.target == pytest.approx(0.1, abs=1e-9)
    assert robot.controller == ControllerReport(
        name="Reach",
        description="get_description() failed: RuntimeError: I will not say",
        state="idle",
        reason="finished",
    )
    (line,) = report.debug_out
    assert (line.tick, line.time, line.robot, line.text) == (0, 0.0, 2, "ümlaut")
    (lost,) = report.triggers
    assert (lost.tick, lost.receiver, lost.text) == (200, 3, "lost")
    assert lost.time == pytest.approx(0.2)
    assert report.figures["triggers_dropped"].value == 1
    assert (report.seconds, report.tick, report.seed) == (0.3, 300, 0)
    assert report.file == "a/cell.env"
    assert report.ok


def test_a_trigger_of_the_last_tick_is_not_lost() -> None:
    assert [item.text for item in report_of(0.21).triggers] == ["lost"]


def test_the_same_run_gives_the_same_bytes() -> None:
    first, second = report_of(seed=5).to_json(), report_of(seed=5).to_json()

    assert first == second
    assert json.loads(first)["seed"] == 5
    assert "ümlaut" in first


def test_the_document_has_the_keys_of_its_schema_in_their_order() -> None:
    document = json.loads(report_of(0.01).to_json())

    assert list(document) == [
        "schema",
        "file",
        "seed",
        "seconds",
        "tick",
        "ok",
        "balls",
        "cuboids",
        "cylinders",
        "robots",
        "triggers",
        "debug_out",
        "figures",
    ]
    assert document["schema"] == 1
    assert list(document["robots"][0]) == [
        "number",
        "manipulator",
        "gripper",
        "controller",
        "motors",
    ]
    assert list(document["balls"]["red"]) == ["position", "quaternion"]


def test_floats_survive_the_way_to_json_and_back() -> None:
    value = 0.1 + 0.2
    item = ObjectReport(position=(value, math.nan, 1e-17), quaternion=(1, 0, 0, 0))
    report = Report(file="", seed=0, seconds=1 / 3, tick=0, ok=True, balls={"b": item})

    document = json.loads(report.to_json(), parse_constant=pytest.fail)

    assert document["seconds"] == 1 / 3
    assert document["balls"]["b"]["position"] == [value, None, 1e-17]


def test_failed_controllers_are_named() -> None:
    fine = ControllerReport(name="A", description="", state="idle", reason="finished")
    bad = replace(fine, reason="failed: ValueError: x")
    robots = tuple(
        RobotReport(
            number=number, manipulator="", gripper=None, controller=item, motors={}
        )
        for number, item in enumerate((fine, bad, None))
    )
    report = Report(file="", seed=0, seconds=0.0, tick=0, ok=False, robots=robots)

    assert report.failed == ((1, bad),)
