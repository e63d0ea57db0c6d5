"""What files that are right are read as."""

import math

import pytest

from gelenk.robots.armbot.environment.description import (
    BallEntry,
    BarrierTrigger,
    CirclePlan,
    CircleTrigger,
    CuboidEntry,
    CylinderEntry,
    FixedSphere,
    Obstacle,
    PolyPlan,
    RectPlan,
)
from gelenk.robots.armbot.environment.read import parse_environment
from robots.armbot.environment.sample_files import ALL_SHAPES, TWO_ARMS, problems_of

BALL = "BALL 1 2 3 4 0.5 0.5 FF0000\n"


@pytest.mark.capability("AB-11")
def test_a_whole_file_becomes_all_its_things() -> None:
    environment = parse_environment(TWO_ARMS, "cell.env")

    assert environment.file == "cell.env"
    assert environment.num_robots == 2
    assert [robot.number for robot in environment.robots] == [0, 1]
    assert [thing.name for thing in environment.obstacles] == ["table", "conveyor_1"]
    assert [thing.name for thing in environment.movables] == ["ball_1", "cuboid_1"]
    assert (len(environment.tiles), len(environment.paints)) == (1, 1)
    assert len(environment.triggers) == 2
    assert environment.processor is not None
    assert environment.processor.number == 50
    assert environment.processor.name.text == "robotcontroller.BeltLogic"
    assert environment.processor.config is not None
    assert environment.processor.config.text == "belt=20"


def test_every_directive_becomes_what_it_says() -> None:
    environment = parse_environment(ALL_SHAPES)

    kinds = [o.kind for o in environment.obstacles if isinstance(o, Obstacle)]
    assert kinds == ["step", "slope", "slope", "wedge", "conveyor"]
    assert isinstance(environment.obstacles[-1], FixedSphere)
    cylinder, ball = environment.movables
    assert isinstance(cylinder, CylinderEntry)
    assert isinstance(ball, BallEntry)
    assert (cylinder.mass, ball.mass) == (0.25, 2.0)
    watched = [(t.watches, getattr(t, "on", "cross")) for t in environment.triggers]
    assert watched == [
        ("cuboid", "enter"), ("ball", "leave"), ("cuboid", "leave"), ("ball", "cross"),
    ]  # fmt: skip
    assert environment.paints[0].alpha == 128 / 255


@pytest.mark.capability("AB-40")
def test_centimetres_and_degrees_become_metres_and_radians() -> None:
    environment = parse_environment(
        "ROBOT 35 -20 45 BORDER -300 -200 400 500 CUBOID 10 20 30 1 2 3 FF0000 "
        "CONVEYOR 1 RUN 5 15 y -20 5 404040 RECT 10 20 30 40 ENDCONVEYOR "
        "TRIGGER BALLENTERS 1 A 10 20 30 40 * TRIGGER BALLBARRIER 1 A 1 2 3 4 5 * "
        "CYLINDER 1 2 3 4 5 FF0000 SPHERE 1 2 3 4 FF0000 MASS 3 " + BALL
    )

    assert environment.robots[0].pose == (0.35, -0.2, math.pi / 4.0)
    assert environment.border is not None
    assert environment.border.low == (-3.0, -2.0)
    assert environment.border.high == (4.0, 5.0)
    cuboid, cylinder, ball = environment.movables
    assert isinstance(cuboid, CuboidEntry)
    assert (cuboid.center, cuboid.size) == ((0.1, 0.2, 0.3), (0.01, 0.02, 0.03))
    belt, sphere = environment.obstacles
    assert isinstance(belt, Obstacle)
    assert belt.belt is not None
    assert (belt.top, belt.bottom) == ((0.05, 0.15), (0.0, 0.0))
    assert (belt.belt.speed, belt.belt.to_middle_speed) == (-0.2, 0.05)
    assert belt.plan == RectPlan(center=(0.1, 0.2), size=(0.3, 0.4))
    circle, barrier = environment.triggers
    assert isinstance(circle, CircleTrigger)
    assert (circle.center, circle.radius, circle.height) == ((0.1, 0.2), 0.3, 0.4)
    assert isinstance(barrier, BarrierTrigger)
    assert (barrier.start, barrier.end) == ((0.01, 0.02), (0.03, 0.04))
    assert isinstance(cylinder, CylinderEntry)
    assert (cylinder.radius, cylinder.height) == (0.04, 0.05)
    assert isinstance(sphere, FixedSphere)
    assert (sphere.center, sphere.radius) == ((0.01, 0.02, 0.03), 0.04)
    assert (ball.center, ball.mass) == ((0.01, 0.02, 0.03), 3.0)


@pytest.mark.capability("AB-42")
def test_a_debugname_names_the_next_thing_only() -> None:
    environment = parse_environment("DEBUGNAME red " + BALL + BALL)

    assert [ball.name for ball in environment.movables] == ["red", "ball_2"]


def test_names_are_unique_and_avoid_those_of_the_world() -> None:
    names = ["ground", "robot0", "robot9", "ball_6", "twin", "twin", "ball_2"]
    text = "".join(f"DEBUGNAME {name}\n{BALL}" for name in names[:5])
    text += BALL + "".join(f"DEBUGNAME {name}\n{BALL}" for name in names[5:])

    got = [ball.name for ball in parse_environment(text).movables]

    assert len(set(got)) == len(got) == 8
    assert not {"ground", "robot0", "robot9"} & set(got)
    assert (got[3], got[4], got[7]) == ("ball_6", "twin", "ball_2")  # as given


@pytest.mark.capability("AB-43")
def test_named_numbers_and_arithmetic_stand_wherever_numbers_do() -> None:
    environment = parse_environment(
        "NUMBER TARGET_X 100\nNUMBER TARGET_Y 200\n"
        "ROBOT0 TARGET_X*2+1 TARGET_Y-100 45\n"
        "NUMBER TWO TARGET_Y/TARGET_X\n"
        "TILE TWO~TWO*2 TWO-1 000000\n"
        "TRIGGERPROCESSOR TARGET_X/TWO a.B\n"
        "STEP TWO FF0000 POLY TWO+1 0 0 TWO 0 0 TWO ENDSTEP\n"
    )

    x, y, heading = environment.robots[0].pose or (0.0, 0.0, 0.0)
    assert (100 * x, 100 * y, math.degrees(heading)) == pytest.approx((201, 100, 45))
    assert (environment.tiles[0].columns, environment.tiles[0].rows) == ((2, 4), (1, 1))
    assert environment.processor is not None
    assert environment.processor.number == 50
    (step,) = environment.obstacles
    assert isinstance(step, Obstacle)
    assert step.plan == PolyPlan(points=((0.0, 0.0), (0.02, 0.0), (0.0, 0.02)))


@pytest.mark.capability("AB-44")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("HALLO_I{1+1}_", "HALLO2"),
        ("HALLO_I{1+1}", "HALLO2"),
        ("_I{5/2}_", "3"),
        ("_I{-5/2}_", "-3"),
        ("_I{2.4}_x", "2x"),
        ("_I{0.49999999999999994}_", "0"),
        ("_D{120/2}_", "60.0"),
        ("_D{1/3}_", "0.3333333333333333"),
        ("_D{1e22}_", "1.0e+22"),
        ("a_I{1}__D{2}_b", "a12.0b"),
        ("_I{1e20}_", "100000000000000000000"),
        ("plain_text{1}", "plain_text{1}"),
    ],
)
def test_computed_values_are_put_into_texts(written: str, read: str) -> None:
    config = parse_environment(f"CONFIG {written}").robots[0].config

    assert config is not None
    assert config.text == read


@pytest.mark.capability("AB-45")
@pytest.mark.parametrize("end", ["", "_"])
def test_a_named_string_is_put_into_a_trigger(end: str) -> None:
    environment = parse_environment(
        "STRING TRIG AN_OWN_TRIGGER\n"
        f"TRIGGER BALLENTERS 99 _S{{TRIG}}{end} 10 20 30 40 *\n"
    )

    (trigger,) = environment.triggers
    assert (trigger.text, trigger.receiver) == ("AN_OWN_TRIGGER", 99)


@pytest.mark.capability("AB-45")
def test_the_string_example_as_printed_is_refused_at_its_trigger() -> None:
    (problem,) = problems_of(
        "STRING TRIG AN_OWN_TRIGGER\nTRIGGER BALLENTERS 99 _S{TRIG}\n"
    )

    assert problem.startswith("2:1: TRIGGER BALLENTERS is incomplete: expected 7 ")
    assert "<x> is missing" in problem


def test_a_string_is_resolved_when_it_is_defined_and_may_hold_blanks() -> None:
    environment = parse_environment(
        "NUMBER N 2\nSTRING A go  to _I{N}_\nSTRING B _S{A}__S{A}_\n"
        "TRIGGER BALLENTERS 0 <_S{B}_> 0 0 1 0 *\n"
    )

    assert environment.triggers[0].text == "<go  to 2go  to 2>"


@pytest.mark.capability("AB-46")
def test_multirobot_counts_robots_and_is_one_without_it() -> None:
    environment = parse_environment("MULTIROBOT 10\nROBOT9 1 2 3\n")

    assert environment.num_robots == 10
    assert environment.robots[0].number == 9
    assert parse_environment("ROBOT 1 2 3").num_robots is None
    assert len(problems_of("MULTIROBOT 0")) == 1
    assert len(problems_of("MULTIROBOT 11")) == 1
    (late,) = problems_of("ROBOT 0 0 0\nMULTIROBOT 2\nROBOT1 0 0 0\n")
    assert late.startswith("2:1: expected MULTIROBOT before")
    (missing,) = problems_of("ROBOT1 0 0 0\nCONFIG1 a\n")
    assert missing.startswith("1:1: expected a robot number below 1 with no MULTIROBOT")


@pytest.mark.capability("AB-47")
def test_a_pose_belongs_to_its_robot_and_to_robot_0_without_number() -> None:
    text = "MULTIROBOT 3\nROBOT 10 0 0\nROBOT2 20 0 0\n"

    poses = {robot.number: robot.pose for robot in parse_environment(text).robots}

    assert poses == {0: (0.1, 0.0, 0.0), 2: (0.2, 0.0, 0.0)}


def test_what_is_said_about_a_robot_is_kept_with_its_place() -> None:
    text = "MULTIROBOT 2\nGRIPPER1 a.B\n  CONTROLLER1   dir/file.py:C\n"

    (robot,) = parse_environment(text, "f").robots

    assert robot.number == 1
    assert str(robot.place) == "f:2:1"
    assert robot.controller is not None
    assert robot.controller.text == "dir/file.py:C"
    assert str(robot.controller.place) == "f:3:17"
    assert (robot.manipulator, robot.pose, robot.config) == (None, None, None)


@pytest.mark.capability("AB-49")
def test_a_border_limits_the_floor() -> None:
    border = parse_environment("BORDER -300 -100 200 50").border

    assert border is not None
    assert (border.low, border.high) == ((-3.0, -1.0), (2.0, 0.5))


def test_a_config_without_a_value_is_an_empty_text() -> None:
    environment = parse_environment("CONFIG\nTPCONFIG // nothing\n" + BALL)

    assert environment.robots[0].config is not None
    assert environment.robots[0].config.text == ""
    assert environment.processor_config is not None
    assert environment.processor_config.text == ""
    assert len(environment.movables) == 1


@pytest.mark.capability("AB-60")
@pytest.mark.parametrize("end", ["ENDSLICK", "ENDBOTTOMPAINT"])
@pytest.mark.parametrize(("written", "alpha"), [("0.5", 0.5), ("1", 1.0), ("51", 0.2)])
def test_paint_lies_on_the_floor_and_is_no_obstacle(
    end: str, written: str, alpha: float
) -> None:
    text = f"BOTTOMPAINT 80FF80 {written} CIRCLE 10 0 30 {end}"

    environment = parse_environment(text)

    (paint,) = environment.paints
    assert paint.plan == CirclePlan(center=(0.1, 0.0), radius=0.3)
    assert (paint.color, paint.alpha) == ((128, 255, 128), alpha)
    assert environment.obstacles == ()


@pytest.mark.capability("AB-81")
def test_a_trigger_text_is_computed() -> None:
    text = "NUMBER N 4\nTRIGGER CUBOIDENTERS 1 AT_I{N*N}_ 0 0 1 0 *"

    assert parse_environment(text).triggers[0].text == "AT16"


@pytest.mark.parametrize("word", ["RUN", "STOP", "BALL", "ROBOT1", "ENDSTEP", "END"])
def test_a_trigger_may_send_what_is_a_keyword_elsewhere(word: str) -> None:
    text = f"TRIGGER BALLENTERS 20 {word} 0 0 1 0 *"

    assert parse_environment(text).triggers[0].text == word


def test_the_color_of_a_trigger_may_be_any() -> None:
    text = "TRIGGER BALLENTERS 1 A 0 0 1 0 * TRIGGER BALLENTERS 1 A 0 0 1 0 0a0B0c"

    colors = [trigger.color for trigger in parse_environment(text).triggers]

    assert colors == [None, (10, 11, 12)]


def test_an_empty_file_is_an_empty_floor() -> None:
    assert parse_environment("", "f") == parse_environment(" \n// nothing\n", "f")
