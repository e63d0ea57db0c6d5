"""`gelenk armbot`: from the paper's command line to results, messages and exit codes."""

from __future__ import annotations

import io
import json
import math
import os
import pty
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from gelenk.cli import exit_codes
from gelenk.robots.armbot import session
from gelenk.robots.armbot.assets import shipped_cells
from gelenk.robots.armbot.option_table import OPTIONS
from gelenk.runtime.recording import open_recording

CELL = """\
// A ball falls beside an arm. There is more to say.
MANIPULATOR manipulators.SimpleArm
GRIPPER grippers.TwoFingerGripper
CONTROLLER work.Nod
BALL 100 0 35 5 0.3 0.5 FF0000
CUBOID 100 50 4 8 8 8 00FF00
"""
WORK = '''\
from gelenk.robots.armbot import RobotController, TriggerProcessor


class Nod(RobotController):
    """Nods twice."""

    text = "no text"

    def configure(self, params):
        self.text = params

    def run(self):
        for turn in range(2):
            self.debug_out.println(f"{type(self).__name__} {turn}: {self.text}")
            self.manipulator.motors[0].set_target(0.1 * turn)
            self.sleep(0.05)
            self.send_trigger(50, f"turn {turn}")

    def receive_trigger(self, trigger):
        self.debug_out.println(f"heard {trigger}")

    def receive_command(self, line):
        self.debug_out.println(f"told {line}")
        self.commander.success(line)


class Picky(Nod):
    def requires_configuration(self):
        return True

    def configure(self, params):
        self.text = int(params)


class Fails(Nod):
    def run(self):
        self.sleep(0.05)
        raise ValueError("the cup is empty")


class Endless(Nod):
    def run(self):
        while self.is_running():
            self.sleep(0.01)


class Where(Nod):
    def run(self):
        x, y, _ = self.manipulator.to_world((0.1, 0.0, 0.0))
        self.debug_out.println(f"{x:.6f} {y:.6f}")


class Solve(Nod):
    def run(self):
        arm = self.manipulator
        place = arm.direct_kinematics.position([0.1, 0.5, -1.2])
        result = arm.inverse_kinematics.solve(place, arm.joint_values())
        self.debug_out.println(f"{result.ok} {result.method}")


class Logic(TriggerProcessor):
    text = "no text"

    def configure(self, params):
        self.text = params

    def receive_trigger(self, trigger):
        self.send_trigger(0, f"{self.text}, {trigger}")
'''
ARMS = """\
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel


class Pole(ManipulatorModel):
    def build(self, body):
        stand = body.servo("turn", limits=(-1.0, 1.0), max_speed=2.0)
        return stand.segment((0, 0, 0.4)).gripper_mount("mount")


class Stump(GripperModel):
    open_values = {"poke": 0.0}
    closed_values = {"poke": 0.1}

    def build(self, base):
        base.linear_motor("poke", limits=(0.0, 0.1)).touch_point("tip")
"""


@pytest.fixture
def cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The environment file of a small cell, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path("cell.env").write_text(CELL)
    Path("work.py").write_text(WORK)
    return "cell.env"


def lines_of(outcome) -> list[str]:
    """Return what the controllers of a run with --json printed."""
    return [line["text"] for line in outcome.json()["debug_out"]]


HEADLESS = ("armbot", "-e", "cell.env", "--headless")
JSON = (*HEADLESS, "--json")

# -- help and words ----------------------------------------------------------------


@pytest.mark.capability("AB-93")
@pytest.mark.parametrize(
    "words", ["-?", "--help", "-h", "check -h", "cells --help", "command -?", ""]
)
def test_help_lists_every_option(gelenk, words: str) -> None:
    outcome = gelenk("armbot", *words.split())

    assert outcome.code == exit_codes.OK
    assert outcome.err == ""
    for spec in OPTIONS:
        assert f"\n  {spec.usage}" in outcome.out


def test_the_overview_and_the_list_of_commands_name_it(gelenk) -> None:
    assert "gelenk armbot" in gelenk().out
    assert "\n  armbot " in gelenk("--help").out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["-hedless"], "option 1 (-hedless): no option '-hedless'; did you mean"),
        (["-e"], "option 1 (-e): expected <file> after it"),
        (["--seconds", "soon"], "option 1 (--seconds): expected a number, got 'soon'"),
        (["-e", "cell.env", "--", "-h"], None),
        (["-c1-3", "work.Nod", "--headless"], "add MULTIROBOT 4 to"),
        (["cell.env"], "say gelenk armbot -e cell.env"),
        (["cels"], "did you mean 'cells'?"),
        (["cells", "all"], "takes only --json, got 'all'"),
        (["check"], "expected environment files"),
        (["check", "-c"], "takes only files, got '-c'"),
        (["-e", "cell.env", "--json"], "--json needs a run that ends by itself"),
    ],
)
def test_wrong_words_end_with_2_and_one_message(
    gelenk, cell: str, arguments: list[str], part: str | None
) -> None:
    outcome = gelenk("armbot", *arguments)

    if part is None:  # help is wanted, although the word before it makes no sense
        assert outcome.code == exit_codes.OK
        return
    assert outcome.code == exit_codes.IMPOSSIBLE
    assert outcome.out == ""
    assert outcome.err.startswith("gelenk: error: ")
    assert part in outcome.err
    assert "Traceback" not in outcome.err


# -- the environment file ----------------------------------------------------------


@pytest.mark.capability("AB-94")
def test_the_environment_file_is_loaded(gelenk, cell: str) -> None:
    result = gelenk(*JSON, "--seconds", "0.02").json()

    assert result["file"] == "cell.env"
    assert list(result["balls"]) == ["ball_1"]
    assert list(result["cuboids"]) == ["cuboid_1"]
    assert result["balls"]["ball_1"]["position"][:2] == [1.0, 0.0]


@pytest.mark.capability("AB-94")
@pytest.mark.parametrize(
    ("name", "part"),
    [
        (
            "cel.env",
            "option 1 (-e): there is no file cel.env; did you mean 'cell.env'?",
        ),
        ("no/where.env", "there is no folder no"),
        (".", "expected an environment file, got the folder .; it has cell.env"),
        ("--headless", "there is no file --headless"),
    ],
)
def test_a_missing_file_is_named(gelenk, cell: str, name: str, part: str) -> None:
    outcome = gelenk("armbot", "-e", name, "--headless")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert part in outcome.err


def test_mistakes_in_the_file_are_told_with_their_places(gelenk, cell: str) -> None:
    Path("cell.env").write_text("BALL 1 2\nSTEP 3 FFFFFF\nRECT 1 1 1 0\nENDSTEP\n")

    outcome = gelenk(*HEADLESS)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "cell.env:1:1: " in outcome.err
    assert "cell.env:3:" in outcome.err


def test_without_a_file_there_is_an_empty_floor(gelenk, cell: str) -> None:
    outcome = gelenk(
        "armbot", "-man", "manipulators.SimpleArm", "-c", "work.Nod", *JSON[3:]
    )

    assert outcome.code == exit_codes.OK
    assert outcome.json()["file"] == ""
    assert lines_of(outcome)[0] == "Nod 0: no text"


def test_a_run_that_nothing_would_end_is_refused(gelenk, cell: str) -> None:
    outcome = gelenk("armbot", "--headless")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "nothing says when to end; say how long, for example --seconds 10" in (
        outcome.err
    )


# -- controllers -------------------------------------------------------------------


@pytest.mark.capability("AB-23")
def test_controllers_introduce_themselves_at_the_start(gelenk, cell: str) -> None:
    assert gelenk(*HEADLESS).out.startswith("robot 0: Nods twice.\n")
    as_json = gelenk(*JSON)
    assert as_json.err.startswith("robot 0: Nods twice.\n")
    assert as_json.json()["robots"][0]["controller"]["description"] == "Nods twice."


@pytest.mark.capability("AB-13", "AB-98")
def test_the_controller_is_chosen_by_its_class_name(gelenk, cell: str) -> None:
    assert lines_of(gelenk(*JSON))[0] == "Nod 0: no text"
    outcome = gelenk(*JSON, "-c", "work.Picky", "-cfg", "7")
    assert lines_of(outcome)[0] == "Picky 0: 7"
    by_file = gelenk(*JSON, "-c", f"{Path.cwd()}/work.py:Picky", "-cfg", "7")
    assert lines_of(by_file)[0] == "Picky 0: 7"


@pytest.mark.capability("AB-108")
def test_the_configuration_reaches_the_controller(gelenk, cell: str) -> None:
    assert lines_of(gelenk(*JSON, "-cfg", "a b;c"))[0] == "Nod 0: a b;c"
    assert lines_of(gelenk(*JSON, "-cfg0", ""))[0] == "Nod 0:"


@pytest.mark.capability("AB-24")
def test_a_missing_configuration_ends_with_2(gelenk, cell: str) -> None:
    outcome = gelenk(*HEADLESS, "-c", "work.Picky")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert outcome.out == ""
    assert "Picky of robot 0 requires a configuration and has none" in outcome.err
    assert '-cfg0 "..."' in outcome.err


@pytest.mark.capability("AB-25")
def test_a_refused_configuration_ends_with_2_and_runs_nothing(
    gelenk, cell: str
) -> None:
    outcome = gelenk(*HEADLESS, "-c", "work.Picky", "-cfg", "x", "--record", "r.mcap")

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "refuses its configuration 'x': invalid literal for int()" in outcome.err
    assert "Picky 0" not in outcome.out
    assert not Path("r.mcap").exists()


def test_an_exception_of_a_controller_ends_with_1(gelenk, cell: str) -> None:
    outcome = gelenk(*HEADLESS, "-c", "work.Fails")

    assert outcome.code == exit_codes.MISSED
    assert "robot 0: Fails failed: ValueError: the cup is empty" in outcome.err
    assert 'robot0:     raise ValueError("the cup is empty")' in outcome.out
    result = gelenk(*JSON, "-c", "work.Fails").json()
    assert result["ok"] is False
    assert result["robots"][0]["controller"]["state"] == "idle"
    reason = result["robots"][0]["controller"]["reason"]
    assert reason == "failed: ValueError: the cup is empty"


@pytest.mark.capability("AB-99", "AB-100")
def test_the_trigger_processor_and_its_text_come_from_the_command_line(
    gelenk, cell: str
) -> None:
    without = gelenk(*JSON)
    outcome = gelenk(*JSON, "-tp", "50:", "work.Logic", "-tpcfg", "seen")

    assert lines_of(without) == ["Nod 0: no text", "Nod 1: no text"]
    assert "heard seen, turn 0" in lines_of(outcome)
    triggers = [
        (item["sender"], item["receiver"], item["text"])
        for item in outcome.json()["triggers"]
    ]
    assert triggers[0] == ("Nod_0", 50, "turn 0")
    assert triggers[1] == ("Logic_50", 0, "seen, turn 0")
    dropped = without.json()["figures"]["triggers_dropped"]
    assert dropped == {"value": 2, "unit": ""}


@pytest.mark.capability("AB-109")
def test_the_robot_stands_where_the_command_line_says(gelenk, cell: str) -> None:
    outcome = gelenk(*JSON, "-c", "work.Where", "-robot", "-40 50 -90")

    # Heading -90 degrees looks along +x: 0.1 m ahead of x = -0.4 m is x = -0.3 m.
    assert lines_of(outcome) == ["-0.300000 0.500000"]


@pytest.mark.capability("AB-97")
@pytest.mark.parametrize("method", ["closed", "down", "jac"])
def test_the_chosen_inverse_kinematics_is_used(gelenk, cell: str, method: str) -> None:
    outcome = gelenk(*JSON, "-c", "work.Solve", "-ik", method)

    assert lines_of(outcome) == [f"True {method}"]


@pytest.mark.capability("AB-114")
def test_a_skill_that_is_switched_off_is_missed(gelenk, cell: str) -> None:
    outcome = gelenk(*HEADLESS, "-c", "work.Solve", "-skills", "-maninvkin")

    assert outcome.code == exit_codes.MISSED
    assert "Solve failed: UnsupportedOperationError" in outcome.err
    assert gelenk(*HEADLESS, "-skills", "-mandirkin").code == exit_codes.IMPOSSIBLE


@pytest.mark.capability("AB-12", "AB-95", "AB-96")
@pytest.mark.parametrize("prefix", ["arms.", "arms.py:", "my_parts.arms."])
def test_arms_and_grippers_of_ones_own_are_built(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch, prefix: str
) -> None:
    Path("arms.py").write_text(ARMS)
    package = Path("site/my_parts")
    package.mkdir(parents=True)
    (package / "arms.py").write_text(ARMS)
    monkeypatch.syspath_prepend(Path("site").absolute())

    outcome = gelenk(*JSON, "-man", f"{prefix}Pole", "-gri", f"{prefix}Stump")

    for name in [name for name in sys.modules if name.startswith("my_parts")]:
        del sys.modules[name]
    assert outcome.code == exit_codes.OK
    (robot,) = outcome.json()["robots"]
    assert (robot["manipulator"], robot["gripper"]) == ("Pole", "Stump")
    assert {"turn", "wrist_xy", "poke"} <= set(robot["motors"])
    # In the second turn it was sent to 0.1 rad, and 2 rad/s are enough for that.
    assert robot["motors"]["turn"]["value"] == pytest.approx(0.1, abs=1e-9)
    assert robot["motors"]["poke"]["unit"] == "m"


@pytest.mark.parametrize(
    "argv",
    ["-man broken.Arm", "-gri broken.Hand", "-c broken.Work", "-tp 5:broken.Logic"],
)
def test_a_constructor_that_fails_is_the_users_mistake(
    gelenk, cell: str, argv: str
) -> None:
    names = {
        "Arm": ("ManipulatorModel", "build"),
        "Hand": ("GripperModel", "build"),
        "Work": ("RobotController", "run"),
        "Logic": ("TriggerProcessor", "receive_trigger"),
    }
    source = (
        "from gelenk.robots.armbot import RobotController, TriggerProcessor\n"
        "from gelenk.robots.armbot.model import GripperModel, ManipulatorModel\n"
    )
    for name, (base, duty) in names.items():
        source += (
            f"class {name}({base}):\n    def __init__(self): 1 / 0\n"
            f"    def {duty}(self, *args): ...\n"
        )
    Path("broken.py").write_text(source)

    outcome = gelenk(*HEADLESS, *argv.split())

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert "broken.py:" in outcome.err
    assert "ZeroDivisionError" in outcome.err


@pytest.mark.parametrize(
    ("argv", "part"),
    [
        (("-c", "work.Nodd"), "controller 'work.Nodd': there is no class 'Nodd' in"),
        (("-man", "work.Nod"), "expected a class derived from ManipulatorModel"),
        (("-gri", "nothing.Here"), "there is no module 'nothing'"),
        (("-tp", "5:work.Nod"), "expected a class derived from TriggerProcessor"),
        (("--set", "gravty=1"), "no such key; did you mean 'gravity'?"),
        (("--record", "cell.env"), "`--record cell.env` exists already"),
        (("--record", "no/r.mcap"), "there is no folder"),
        (("--picture", "p.gif"), "expected a file name ending in .png; say p.png"),
        (("-logall", "-logdir", "cell.env/logs"), "cannot write the log file"),
    ],
)
def test_an_impossible_wish_ends_with_2_before_anything_runs(
    gelenk, cell: str, argv: tuple[str, ...], part: str
) -> None:
    outcome = gelenk(*HEADLESS, *argv)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert outcome.out == ""
    assert part in outcome.err
    assert Path("cell.env").read_text() == CELL


# -- time --------------------------------------------------------------------------


def test_without_a_time_it_ends_with_its_controllers(gelenk, cell: str) -> None:
    outcome = gelenk(*JSON)

    assert 0.1 <= outcome.json()["seconds"] < 0.15
    assert "until all controllers have ended, at most 600 s" in outcome.err
    assert outcome.json()["robots"][0]["controller"]["reason"] == "finished"


def test_with_a_time_it_ends_then(gelenk, cell: str) -> None:
    outcome = gelenk(*JSON, "--seconds", "0.3", "-c", "work.Endless")

    result = outcome.json()
    assert outcome.code == exit_codes.OK
    assert (result["seconds"], result["tick"]) == (0.3, 300)
    assert result["robots"][0]["controller"]["state"] == "running"
    assert "robot 0: Endless was still running after 0.3 s" in outcome.err


def test_what_never_ends_is_ended(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "MAX_SECONDS", 0.2)

    outcome = gelenk(*HEADLESS, "-c", "work.Endless")

    assert "at most 0.2 s of simulated time" in outcome.err
    assert "Endless was still running after 0.2 s" in outcome.err


def test_physics_goes_its_way_and_can_be_set(gelenk, cell: str) -> None:
    def height(*argv: str) -> float:
        result = gelenk(*JSON, "--seconds", "0.2", *argv).json()
        return result["balls"]["ball_1"]["position"][2]

    assert height() == pytest.approx(0.35 - 0.5 * 9.81 * 0.2**2, abs=2e-3)
    moon = height("--set", "gravity=1.62")
    assert moon == pytest.approx(0.35 - 0.5 * 1.62 * 0.2**2, abs=1e-3)


# -- what is left behind -----------------------------------------------------------


def test_the_same_run_gives_the_same_bytes(gelenk, cell: str) -> None:
    first, second = (gelenk(*JSON, "--seed", "3").out for _ in range(2))

    assert first == second
    assert json.loads(first)["seed"] == 3


def test_a_recording_holds_what_happened(gelenk, cell: str) -> None:
    outcome = gelenk(*HEADLESS, "--record", "run.mcap", "--seed", "4")

    assert outcome.code == exit_codes.OK
    assert "recorded: run.mcap" in outcome.out
    with open_recording(Path("run.mcap")) as recording:
        assert recording.metadata["seed"] == 4
        assert recording.metadata["armbot"] == "cell.env"
        assert recording.count("runtime/triggers") == 2
    assert gelenk("replay", "run.mcap").code == exit_codes.OK


@pytest.mark.slow
def test_a_picture_of_the_end_is_drawn(gelenk, cell: str) -> None:
    outcome = gelenk(*HEADLESS, "--seconds", "0.02", "--picture", "end.png")

    assert outcome.code == exit_codes.OK
    assert "drawn: end.png" in outcome.out
    image = cv2.imread("end.png")
    assert image is not None
    assert image.std() > 5.0  # there is something to see


@pytest.mark.capability("AB-106", "AB-107")
def test_log_files_lie_where_they_are_wanted(gelenk, cell: str) -> None:
    outcome = gelenk(*HEADLESS, "-logall", "-logdir", "logs", "-lognames", "abc")

    assert outcome.code == exit_codes.OK
    names = {path.name for path in Path("logs").iterdir()}
    assert names == {
        "debug_abc.out",
        "state_abc.out",
        "syslog_abc.out",
        "simthreads_abc.out",
    }
    assert "Nod 1: no text" in Path("logs/debug_abc.out").read_text()
    assert "(finished)" in Path("logs/syslog_abc.out").read_text()


def test_the_text_says_what_the_document_says(gelenk, cell: str) -> None:
    text = gelenk(*HEADLESS).out
    result = gelenk(*JSON).json()

    assert "0.000 s  robot0: Nod 0: no text\n" in text
    x, y, z = (100.0 * value for value in result["balls"]["ball_1"]["position"])
    row = next(line for line in text.splitlines() if line.startswith("ball_1"))
    assert [float(word) for word in row.split()[1:]] == pytest.approx(
        (x, y, z), abs=0.006
    )
    assert "2 triggers, 2 of them to numbers that nobody has" in text


# -- checking and listing ----------------------------------------------------------


def test_files_are_checked_without_running_them(gelenk, cell: str) -> None:
    Path("bad.env").write_text("MANIPULATOR work.Nod\nCONTROLLER work.Non\n")

    fine, mixed = (
        gelenk("armbot", "check", cell),
        gelenk("armbot", "check", "bad.env", cell),
    )

    counts = "1 robots, 0 obstacles, 2 movable objects, 0 triggers"
    assert (fine.code, fine.out) == (exit_codes.OK, f"cell.env: ok, {counts}\n")
    assert mixed.code == exit_codes.IMPOSSIBLE
    assert mixed.out == fine.out
    assert "bad.env:1:" in mixed.err
    assert "bad.env:2:" in mixed.err


def test_the_cells_that_ship_are_listed_and_checked(gelenk) -> None:
    outcome = gelenk("armbot", "cells")

    assert outcome.code == exit_codes.OK
    cells = gelenk("armbot", "cells", "--json").json()["cells"]
    assert list(cells) == sorted(shipped_cells())
    for name, sentence in cells.items():
        assert name in outcome.out
        assert sentence.endswith(".")


def test_a_shipped_cell_is_named_without_its_folder(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path("ship") / "armbot"
    folder.mkdir(parents=True)
    (folder / "small.env").write_text("BALL 0 0 35 5 0.3 0.5 FF0000\n")
    monkeypatch.setattr("gelenk.runtime.files._ROOTS", (folder.parent,))

    outcome = gelenk("armbot", "-e", "small", "--headless", "--seconds", "0.01")

    assert outcome.code == exit_codes.OK
    assert "small, seed 0" in outcome.out
    assert "ball_1" in outcome.out
    assert "small" in gelenk("armbot", "-e", "smal", "--headless").err


# -- the console -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("controller", "code"), [("Nod", exit_codes.OK), ("Fails", exit_codes.MISSED)]
)
def test_without_headless_the_console_takes_over(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch, controller: str, code: int
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("start\nwait\nquit\n"))

    outcome = gelenk("armbot", "-e", cell, "-c", f"work.{controller}", "-simtime", "0")

    assert outcome.code == code
    assert outcome.out.startswith("robot 0: ")
    text = "Nod 1: no text" if code == exit_codes.OK else "the cup is empty"
    assert text in outcome.out


def test_the_console_starts_nothing_by_itself(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("wait 0.1\nquit\n"))

    outcome = gelenk("armbot", "-e", cell, "-simtime", "0")

    assert outcome.code == exit_codes.OK
    assert "Nod 0" not in outcome.out


# -- the Command program -----------------------------------------------------------


@pytest.mark.capability("AB-X21")
def test_the_command_program_runs_a_controller_on_lines_of_text(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("hello there\n\n@0 you\n"))

    outcome = gelenk("armbot", "command", cell, "-cfg", "x")

    assert outcome.code == exit_codes.OK
    assert outcome.out.splitlines() == [
        "robot 0: Nods twice.",
        "0.000 s  robot0: told hello there",
        "0.000 s  robot0 < success: hello there",
        "0.000 s  robot0: told you",
        "0.000 s  robot0 < success: you",
        "0.000 s  robot0: Nod 0: x",
        "0.050 s  robot0: Nod 1: x",
    ]


@pytest.mark.capability("AB-X21")
def test_the_command_program_honours_skills(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("armbot", "command", "-e", cell, "-c", "work.Solve")
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    with_skills = gelenk(*arguments)
    without = gelenk(*arguments, "-skills", "-mandirkin,-maninvkin")

    assert with_skills.code == exit_codes.OK
    assert "True" in with_skills.out
    assert without.code == exit_codes.MISSED
    assert "UnsupportedOperationError" in without.err


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("@7 grip", "no controller that takes lines named '7'"),
        ("@x grip", "standard input, line 2: expected a robot number 0 to 9"),
        ("@12 grip", "standard input, line 2: expected a robot number 0 to 9"),
    ],
)
def test_lines_for_nobody_are_refused(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch, line: str, part: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"first\n{line}\n"))

    outcome = gelenk("armbot", "command", cell)

    assert outcome.code == exit_codes.IMPOSSIBLE
    assert part in outcome.err
    assert "Nod 0" not in outcome.out


def test_lines_reach_the_robot_they_name(
    gelenk, cell: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    arms = "".join(f"MANIPULATOR{i} manipulators.SimpleArm\n" for i in range(3))
    places = "".join(f"ROBOT{i} {200 * i} 0 0\n" for i in range(3))
    Path("three.env").write_text(f"MULTIROBOT 3\n{arms}{places}")
    monkeypatch.setattr(sys, "stdin", io.StringIO("@2 two\nnone\n@1 one\n"))

    outcome = gelenk("armbot", "command", "three.env", "-c", "work.Nod", "--json")

    told = [
        (line["robot"], line["text"])
        for line in outcome.json()["debug_out"]
        if line["text"].startswith("told")
    ]
    assert sorted(told) == [(0, "told none"), (1, "told one"), (2, "told two")]


@pytest.mark.slow
def test_lines_typed_on_a_terminal_are_handed_over_and_its_end_stops_all(
    cell: str,
) -> None:
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "gelenk.cli.commands", "armbot", "command", cell]
    process = subprocess.Popen(
        [*command, "-c", "work.Endless"],
        stdin=follower,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(follower)
    assert process.stdout is not None
    try:
        introduction = process.stdout.readline()
        os.write(leader, b"hello\n@7 nobody\n")
        answer = process.stdout.readline()
        os.write(leader, b"\x04")  # Ctrl-D
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
        os.close(leader)

    assert introduction == "robot 0: Endless\n"
    assert "told hello" in answer
    assert "named '7'" in errors
    assert process.returncode == exit_codes.OK
    assert math.isfinite(float(answer.split()[0]))
