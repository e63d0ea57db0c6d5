"""File and command line together: who wins, which robots there are, what is missing."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.grippers import TwoFingerGripper
from gelenk.robots.armbot.manipulators import SimpleArm
from gelenk.robots.armbot.options import parse_options
from gelenk.robots.armbot.problems import ProblemsError
from gelenk.robots.armbot.setup import RobotSetup, Setup, make_setup
from gelenk.robots.armbot.skills import Skills

CLASSES = """\
from gelenk.robots.armbot import RobotController, TriggerProcessor
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel

made = []

class ArmA(ManipulatorModel):
    def build(self, body):
        return body.servo("stand").segment((0, 0, 0.4)).gripper_mount("mount")

class ArmB(ArmA): ...

class HandA(GripperModel):
    def build(self, base):
        base.segment((0.02, 0, 0)).touch_point("tip")

class HandB(HandA): ...

class WorkA(RobotController):
    def __init__(self):
        made.append(self)
    def run(self): ...

class WorkB(WorkA): ...

class WorkC(WorkA): ...

class Picky(WorkA):
    def requires_configuration(self):
        return True

class Moody(WorkA):
    def __init__(self):
        super().__init__()
        self.is_picky = True
    def requires_configuration(self):
        return self.is_picky

class LogicA(TriggerProcessor):
    def receive_trigger(self, trigger): ...

class LogicB(LogicA): ...

class PickyLogic(LogicA):
    def requires_configuration(self):
        return True
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with classes of every kind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.py").write_text(CLASSES)
    return tmp_path


def make(folder: Path, text: str, *argv: str) -> Setup:
    """Return the setup of an environment's text and a command line."""
    file = str(folder / "cell.env")
    return make_setup(parse_environment(text, file=file), parse_options(argv))


def problems_of(folder: Path, text: str, *argv: str) -> tuple[str, ...]:
    with pytest.raises(ProblemsError) as caught:
        make(folder, text, *argv)
    return caught.value.problems


def names(setup: Setup, part: str) -> dict[int, str]:
    """Return class names by robot."""
    return {
        robot.number: getattr(getattr(robot, part), "__name__", "")
        for robot in setup.robots
    }


def arms(count: int, *more: str) -> str:
    """Return the text of a file with so many arms."""
    lines = [f"MANIPULATOR{number} my.ArmA" for number in range(count)]
    return "\n".join([f"MULTIROBOT {count}", *lines, *more])


# -- the file ----------------------------------------------------------------------


def test_an_empty_floor_has_no_robots(folder: Path) -> None:
    setup = make(folder, "")

    assert setup.robots == ()
    assert setup.processor is None


@pytest.mark.capability("AB-51", "AB-53", "AB-54")
def test_the_file_names_classes_robot_by_robot(folder: Path) -> None:
    setup = make(
        folder,
        """
        MULTIROBOT 3
        MANIPULATOR0 my.ArmA
        MANIPULATOR2 my.ArmB
        GRIPPER0 my.HandA
        GRIPPER2 my.HandB
        CONTROLLER0 my.WorkA
        CONTROLLER2 my.WorkB
        """,
    )

    assert names(setup, "manipulator") == {0: "ArmA", 2: "ArmB"}
    assert names(setup, "gripper") == {0: "HandA", 2: "HandB"}
    assert names(setup, "controller") == {0: "WorkA", 2: "WorkB"}


@pytest.mark.capability("AB-51", "AB-53", "AB-54")
@pytest.mark.parametrize(
    ("line", "base"),
    [
        ("MANIPULATOR my.HandA", "ManipulatorModel"),
        ("GRIPPER my.ArmA", "GripperModel"),
        ("CONTROLLER my.LogicA", "RobotController"),
    ],
)
def test_a_class_of_a_wrong_kind_is_refused(folder: Path, line: str, base: str) -> None:
    text = line if line.startswith("MAN") else f"MANIPULATOR my.ArmA\n{line}"

    (problem,) = problems_of(folder, text)

    row = len(text.splitlines())
    assert problem.startswith(f"{folder}/cell.env:{row}:")
    assert f"expected a class derived from {base}" in problem


def test_what_is_not_said_has_defaults(folder: Path) -> None:
    (robot,) = make(folder, "MANIPULATOR manipulators.SimpleArm").robots

    assert robot == RobotSetup(number=0, manipulator=SimpleArm)
    assert robot.gripper is robot.controller is robot.config is None
    assert (robot.x, robot.y, robot.heading) == (0.0, 0.0, 0.0)


def test_a_robot_without_an_arm_is_refused(folder: Path) -> None:
    (problem,) = problems_of(folder, "MULTIROBOT 2\nCONTROLLER1 my.WorkA")

    assert problem.startswith(f"{folder}/cell.env:2:")
    assert "robot 1 has no arm" in problem
    assert "-man1 manipulators.SimpleArm" in problem


def test_a_text_in_the_file_without_a_controller_is_kept_for_later(
    folder: Path,
) -> None:
    text = "MANIPULATOR my.ArmA\nCONFIG a;b"

    assert make(folder, text).robots[0].config is None
    assert make(folder, text, "-c", "my.WorkA").robots[0].config == "a;b"


# -- the command line wins ---------------------------------------------------------

FILE = """
MANIPULATOR my.ArmA
GRIPPER my.HandA
CONTROLLER my.WorkA
CONFIG file
ROBOT 10 20 30
TRIGGERPROCESSOR 50 my.LogicA
TPCONFIG file
"""


@pytest.mark.capability("AB-82")
def test_without_options_the_file_counts(folder: Path) -> None:
    setup = make(folder, FILE)

    (robot,) = setup.robots
    assert robot.manipulator.__name__ == "ArmA"
    assert robot.gripper is not None
    assert robot.gripper.__name__ == "HandA"
    assert robot.controller is not None
    assert robot.controller.__name__ == "WorkA"
    assert robot.config == "file"
    pose = (robot.x, robot.y, robot.heading)
    assert pose == pytest.approx((0.1, 0.2, math.radians(30)), rel=1e-15)
    assert setup.processor is not None
    assert setup.processor.number == 50
    assert setup.processor.processor.__name__ == "LogicA"
    assert setup.processor.config == "file"


@pytest.mark.parametrize(
    ("argv", "part", "expected"),
    [
        pytest.param(
            ("-man", "my.ArmB"),
            "manipulator",
            "ArmB",
            marks=pytest.mark.capability("AB-82", "AB-95"),
        ),
        pytest.param(
            ("-gri", "my.HandB"),
            "gripper",
            "HandB",
            marks=pytest.mark.capability("AB-82", "AB-96"),
        ),
        pytest.param(
            ("-c", "my.WorkB"),
            "controller",
            "WorkB",
            marks=pytest.mark.capability("AB-82", "AB-98", "AB-13"),
        ),
        pytest.param(
            ("-cfg", "option"),
            "config",
            "option",
            marks=pytest.mark.capability("AB-82"),
        ),
        pytest.param(
            ("-robot", "-40 50 -90"),
            "pose",
            (-0.4, 0.5, -math.pi / 2),
            marks=pytest.mark.capability("AB-82", "AB-109"),
        ),
        pytest.param(
            ("-tp", "60:my.LogicB"),
            "processor",
            (60, "LogicB", "file"),
            marks=pytest.mark.capability("AB-82", "AB-99"),
        ),
        pytest.param(
            ("-tpcfg", "option"),
            "processor",
            (50, "LogicA", "option"),
            marks=pytest.mark.capability("AB-82"),
        ),
    ],
)
def test_the_command_line_wins_and_changes_nothing_else(
    folder: Path, argv: tuple[str, str], part: str, expected: object
) -> None:
    before, after = facts(make(folder, FILE)), facts(make(folder, FILE, *argv))

    assert after.pop(part) == (
        pytest.approx(expected, rel=1e-15) if part == "pose" else expected
    )
    before.pop(part)
    assert after == before


def facts(setup: Setup) -> dict[str, object]:
    """Return what the seven pairs of file and command line decide."""
    (robot,) = setup.robots
    assert robot.gripper is not None
    assert robot.controller is not None
    assert setup.processor is not None
    return {
        "manipulator": robot.manipulator.__name__,
        "gripper": robot.gripper.__name__,
        "controller": robot.controller.__name__,
        "config": robot.config,
        "pose": (robot.x, robot.y, robot.heading),
        "processor": (
            setup.processor.number,
            setup.processor.processor.__name__,
            setup.processor.config,
        ),
    }


def test_the_command_line_alone_makes_a_robot(folder: Path) -> None:
    setup = make(
        folder,
        "",
        *("-man", "manipulators.SimpleArm", "-gri", "grippers.TwoFingerGripper"),
        *("-c", "my.WorkA", "-cfg", "a;b", "-robot", "0,100,0", "-tp", "7:my.LogicA"),
    )

    (robot,) = setup.robots
    assert (robot.manipulator, robot.gripper) == (SimpleArm, TwoFingerGripper)
    assert (robot.config, robot.y) == ("a;b", 1.0)
    assert setup.processor is not None
    assert setup.processor.number == 7


# -- robot numbers -----------------------------------------------------------------


@pytest.mark.capability("AB-115")
@pytest.mark.parametrize(
    ("count", "argv", "expected"),
    [
        (1, "-c my.WorkB", "B"),
        (3, "-c my.WorkB", "BBB"),
        (1, "-c0 my.WorkB", "B"),
        (3, "-c0 my.WorkB", "B--"),
        (5, "-c1-3 my.WorkB", "-BBB-"),
        (3, "-c1-3 my.WorkB", "-BB"),
        (3, "-c0-9 my.WorkB", "BBB"),
        (8, "-c2357 my.WorkB", "--BB-B-B"),
        (3, "-c my.WorkB -c2 my.WorkC", "BBC"),
        (3, "-c2 my.WorkC -c my.WorkB", "BBC"),
        (3, "-c1 my.WorkC -c1-2 my.WorkB", "-BB"),
        (3, "-c1-2 my.WorkB -c1 my.WorkC", "-CB"),
        (3, "-c my.WorkB -c my.WorkC", "CCC"),
    ],
)
def test_options_reach_the_robots_they_name(
    folder: Path, count: int, argv: str, expected: str
) -> None:
    setup = make(folder, arms(count), *argv.split())

    found = names(setup, "controller")
    assert "".join(found[number][-1:] or "-" for number in range(count)) == expected


@pytest.mark.capability("AB-115")
@pytest.mark.parametrize("option", ["-c", "-man", "-gri", "-cfg", "-robot"])
def test_numbers_above_0_need_multirobot(folder: Path, option: str) -> None:
    value = "1 2 3" if option == "-robot" else "my.WorkA"

    (problem,) = problems_of(folder, "MANIPULATOR my.ArmA", f"{option}3", value)

    assert problem.startswith(f"command line, option 1 ({option}3): ")
    assert "add MULTIROBOT 4 to" in problem


@pytest.mark.capability("AB-115")
@pytest.mark.parametrize(
    ("argv", "part"),
    [
        ("-c3 my.WorkA", "expected robots 0 to 2, got 3"),
        ("-c25 my.WorkA", "expected robots 0 to 2, got 5"),
        ("-c4-6 my.WorkA", "expected robots 0 to 2, got 4"),
        ("-cfg3 text", "expected robots 0 to 2, got 3"),
        ("-robot3 1,2,3", "expected robots 0 to 2, got 3"),
    ],
)
def test_robots_that_do_not_exist_are_refused(
    folder: Path, argv: str, part: str
) -> None:
    (problem,) = problems_of(folder, arms(3), *argv.split())

    assert part in problem
    assert "says MULTIROBOT 3" in problem


@pytest.mark.capability("AB-108")
def test_a_configuration_without_a_number_is_for_robot_0(folder: Path) -> None:
    argv = ("-c", "my.WorkA", "-cfg1", "one", "-cfg", "zero")

    setup = make(folder, arms(3), *argv)

    assert [robot.config for robot in setup.robots] == ["zero", "one", None]
    numbered = make(folder, arms(1), "-c", "my.WorkA", "-cfg0", "a", "-cfg", "b")
    assert numbered.robots[0].config == "a"


@pytest.mark.capability("AB-109")
def test_a_pose_without_a_number_is_for_robot_0(folder: Path) -> None:
    setup = make(folder, arms(2), "-robot", "100 0 90", "-robot1", "-100 -50 0")

    first, second = setup.robots
    assert (first.x, first.y, first.heading) == pytest.approx((1.0, 0.0, math.pi / 2))
    assert (second.x, second.y, second.heading) == pytest.approx((-1.0, -0.5, 0.0))


def test_an_option_without_a_number_makes_no_new_robots(folder: Path) -> None:
    text = "MULTIROBOT 3\nMANIPULATOR1 my.ArmA"

    assert names(make(folder, text, "-man", "my.ArmB"), "manipulator") == {1: "ArmB"}
    assert names(
        make(folder, text, "-man2", "my.ArmB", "-c", "my.WorkA"), "controller"
    ) == {1: "WorkA", 2: "WorkA"}
    empty = make(folder, "MULTIROBOT 3", "-man", "my.ArmB")
    assert names(empty, "manipulator") == dict.fromkeys(range(3), "ArmB")


# -- checks ------------------------------------------------------------------------


@pytest.mark.capability("AB-24")
def test_a_required_configuration_is_missed_before_anything_is_made(
    folder: Path,
) -> None:
    text = "MANIPULATOR my.ArmA\nCONTROLLER my.Picky\nTRIGGERPROCESSOR 9 my.PickyLogic"

    robot, processor = problems_of(folder, text)

    assert robot.startswith(f"{folder}/cell.env:2:")
    assert "requires a configuration and has none; add CONFIG0" in robot
    assert '-cfg0 "..."' in robot
    assert '-tpcfg "..."' in processor
    setup = make(folder, text, "-cfg", "", "-tpcfg", "")
    assert setup.robots[0].config == ""
    controller = setup.robots[0].controller
    assert controller is not None
    assert not vars(__import__("sys").modules[controller.__module__])["made"]


def test_a_controller_that_cannot_answer_yet_is_left_to_the_runtime(
    folder: Path,
) -> None:
    assert make(folder, "MANIPULATOR my.ArmA\nCONTROLLER my.Moody").robots


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (("-cfg", "text"), "for robot 0, which has no controller; say -c0 <class>"),
        (("-tpcfg", "text"), "there is no trigger processor; say -tp"),
        (("--set", "gravty=3"), "no such key; did you mean 'gravity'?"),
        (("--set", "gravity=-3"), "must be at least 0 [m/s^2]"),
        (("--set", "step=0.003"), "`step` must divide the control period"),
    ],
)
def test_what_makes_no_sense_is_refused(
    folder: Path, argv: tuple[str, str], part: str
) -> None:
    (problem,) = problems_of(folder, "MANIPULATOR my.ArmA", *argv)

    assert part in problem


def test_settings_skills_and_method_are_handed_on(folder: Path) -> None:
    setup = make(
        folder,
        "MANIPULATOR manipulators.SimpleArm",
        *("--set", "gravity=1.62", "--set", "border=wall"),
        *("-skills", "-maninvkin", "-ik", "closed"),
    )

    assert (setup.cfg.gravity, setup.cfg.border) == (1.62, "wall")
    assert setup.skills == Skills(direct=True, inverse=False)
    assert setup.ik == "closed"


@pytest.mark.capability("AB-97")
def test_a_formula_that_an_arm_does_not_have_is_refused(folder: Path) -> None:
    text = arms(2).replace(
        "MANIPULATOR1 my.ArmA", "MANIPULATOR1 manipulators.SimpleArm"
    )

    (problem,) = problems_of(folder, text, "-ik", "closed")

    assert "robot 0 has the arm ArmA, which has no formula" in problem
    assert "it can do down and jac" in problem
    for method in ("pref", "down", "jac"):
        assert make(folder, text, "-ik", method).ik == method


def test_all_mistakes_are_told_in_one_go(folder: Path) -> None:
    text = "MULTIROBOT 2\nMANIPULATOR0 my.Arm\nGRIPPER1 my.HandC\nCONTROLLER1 no.Such"

    found = problems_of(
        folder, text, "-c5", "my.WorkA", "-tp", "3:my.Logic", "--set", "x=1"
    )

    parts = [
        "got 5",
        "no class 'Arm'",
        "robot 1 has no arm",
        "no class 'HandC'",
        "no module 'no'",
        "no class 'Logic'",
        "no such key",
    ]
    assert len(found) == len(parts)
    for problem, part in zip(found, parts, strict=True):
        assert part in problem
