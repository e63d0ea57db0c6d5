"""Classes by name: files, neighbours, what ships, dotted names; and what goes wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gelenk.errors import ConfigError
from gelenk.robots.armbot import RobotController, TriggerProcessor
from gelenk.robots.armbot.classes import load_class, make_instance
from gelenk.robots.armbot.environment.description import Given, Place
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel

ARM = """\
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel

class Pole(ManipulatorModel):
    '''A turning pole.'''
    def build(self, body):
        return body.servo("stand").segment((0, 0, 0.4)).gripper_mount("mount")

class Stump(GripperModel):
    def build(self, base):
        base.segment((0.02, 0, 0)).touch_point("tip")
"""
CONTROLLER = """\
from gelenk.robots.armbot import RobotController, TriggerProcessor

class Idler(RobotController):
    def run(self):
        pass

class Logic(TriggerProcessor):
    def receive_trigger(self, trigger):
        pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an environment file and classes; the current folder is another."""
    cell, current = tmp_path / "cell", tmp_path / "current"
    cell.mkdir()
    current.mkdir()
    monkeypatch.chdir(current)
    (cell / "my_arms.py").write_text(ARM)
    (cell / "my_work.py").write_text(CONTROLLER)
    return cell


def from_file(folder: Path, text: str) -> Given:
    return Given(text=text, place=Place(str(folder / "cell.env"), 3, 14))


def from_options(text: str) -> Given:
    return Given(text=text, place=Place("command line, option 2 (-man)"))


def problem_with(given: Given, base: type, kind: str = "manipulator", **more) -> str:
    with pytest.raises(ConfigError) as caught:
        load_class(given, base, kind=kind, **more)
    return str(caught.value)


@pytest.mark.capability("AB-12")
@pytest.mark.parametrize(
    "text", ["my_arms.Pole", "my_arms.py:Pole", "./my_arms.py:Pole"]
)
def test_a_class_beside_the_environment_file_is_found(folder: Path, text: str) -> None:
    found = load_class(from_file(folder, text), ManipulatorModel, kind="manipulator")

    assert found.__name__ == "Pole"
    assert issubclass(found, ManipulatorModel)
    option = load_class(
        from_options(text), ManipulatorModel, kind="manipulator", folder=folder
    )
    assert option is found


def test_every_kind_of_class_can_be_the_users_own(folder: Path) -> None:
    for text, base in (
        ("my_arms.Stump", GripperModel),
        ("my_work.Idler", RobotController),
        ("my_work.Logic", TriggerProcessor),
    ):
        assert load_class(from_file(folder, text), base, kind="class").__base__ is base


def test_a_file_in_the_current_folder_is_found_after_those_beside_the_cell(
    folder: Path,
) -> None:
    Path("other.py").write_text(ARM.replace("turning", "other"))
    Path("my_arms.py").write_text(ARM.replace("turning", "shadowed"))

    other = load_class(from_options("other.Pole"), ManipulatorModel, kind="arm")
    beside = load_class(
        from_options("my_arms.Pole"), ManipulatorModel, kind="arm", folder=folder
    )

    assert other.__doc__ == "A other pole."
    assert beside.__doc__ == "A turning pole."


def test_an_absolute_path_and_folders_below_work(folder: Path) -> None:
    (folder / "parts").mkdir()
    (folder / "parts" / "deep.py").write_text(ARM)

    for text in (f"{folder}/my_arms.py:Pole", "parts/deep.py:Pole", "parts.deep.Pole"):
        given = from_file(folder, text)
        assert load_class(given, ManipulatorModel, kind="arm").__name__ == "Pole"


@pytest.mark.capability("AB-12", "AB-13")
def test_a_module_path_is_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "my_robotics" / "cells"
    package.mkdir(parents=True)
    (package / "work.py").write_text(CONTROLLER)
    (package / "arms.py").write_text(ARM)
    monkeypatch.syspath_prepend(tmp_path)

    name = "my_robotics.cells.work.Idler"
    found = load_class(from_options(name), RobotController, kind="controller")
    arm_name = "my_robotics.cells.arms.Pole"
    arm = load_class(from_options(arm_name), ManipulatorModel, kind="manipulator")

    assert found.__module__ == "my_robotics.cells.work"
    assert arm.__module__ == "my_robotics.cells.arms"
    for module in [key for key in sys.modules if key.startswith("my_robotics")]:
        del sys.modules[module]


def test_a_file_may_import_its_neighbours(folder: Path) -> None:
    (folder / "lengths_of_mine.py").write_text("HEIGHT = 0.4\n")
    (folder / "tall.py").write_text(
        "from lengths_of_mine import HEIGHT\n" + ARM.replace("0.4", "HEIGHT")
    )

    found = load_class(from_file(folder, "tall.Pole"), ManipulatorModel, kind="arm")

    assert found.__name__ == "Pole"
    assert str(folder.resolve()) not in sys.path


def test_a_file_that_was_changed_is_loaded_anew(folder: Path) -> None:
    given = from_file(folder, "my_arms.Pole")
    before = load_class(given, ManipulatorModel, kind="arm")
    (folder / "my_arms.py").write_text(ARM.replace("turning", "rotated"))

    after = load_class(given, ManipulatorModel, kind="arm")

    assert before.__doc__ == "A turning pole."
    assert after.__doc__ == "A rotated pole."


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("manipulators.SimpleArm", ManipulatorModel),
        ("grippers.TwoFingerGripper", GripperModel),
        ("manipulators.TwoFingerGripper", GripperModel),
    ],
)
def test_what_ships_has_a_short_name(text: str, base: type) -> None:
    found = load_class(from_options(text), base, kind="class")

    assert found.__module__.startswith("gelenk.robots.armbot.")
    assert found.__name__ == text.partition(".")[2]


# -- what goes wrong ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("my_arms.Pol", "there is no class 'Pol' in my_arms.py; did you mean 'Pole'?"),
        ("my_arms.Crane", "there is no class 'Crane' in my_arms.py; there are Pole"),
        ("my_arms.py:Pol", "did you mean 'Pole'?"),
        ("my_amrs.py:Pole", "there is no file my_amrs.py in "),
        ("my_amrs.py:Pole", "did you mean 'my_arms.py'?"),
        ("my_amrs.Pole", "there is no module 'my_amrs', neither installed nor as"),
        ("my_amrs.Pole", "did you mean 'my_arms'?"),
        ("gelenk.robots.nothing.Pole", "there is no module 'gelenk.robots.nothing'"),
        ("manipulators.SimpelArm", "did you mean 'SimpleArm'?"),
        ("Pole", "expected a name such as package.module.Class"),
        ("my arms.Pole", "expected a name such as package.module.Class"),
        ("..Pole", "expected a name such as package.module.Class"),
        ("my_arms.__name__", "expected a class, got a str"),
        ("my_arms.Stump", "expected a class derived from ManipulatorModel, got one "),
        ("my_arms.Stump", "derived from GripperModel"),
        ("my_arms.ManipulatorModel", "write its build()"),
    ],
)
def test_a_name_that_leads_nowhere_says_place_and_remedy(
    folder: Path, text: str, part: str
) -> None:
    problem = problem_with(from_file(folder, text), ManipulatorModel)

    assert problem.startswith(f"{folder}/cell.env:3:14: manipulator {text!r}: ")
    assert part in problem


@pytest.mark.parametrize(
    ("source", "part"),
    [
        ("import nothing_like_this\n", "bad.py:1: ModuleNotFoundError: No module"),
        ("x = 1\ny = 1 / 0\n", "bad.py:2: ZeroDivisionError: division by zero"),
        ("def f():\n    raise OSError\nf()\n", "bad.py:2: OSError"),
        ("class Pole(:\n", "line 1: SyntaxError"),
        ("import sys\nsys.exit(3)\n", "bad.py:2: SystemExit: 3"),
        ("x = '\x00'\n", "cannot be loaded"),
    ],
)
def test_an_error_while_loading_names_its_line(
    folder: Path, source: str, part: str
) -> None:
    (folder / "bad.py").write_text(source)
    modules = set(sys.modules)

    for text in ("bad.Pole", "bad.py:Pole"):
        problem = problem_with(from_file(folder, text), ManipulatorModel)
        assert f"{folder.resolve()}/bad.py cannot be loaded: " in problem
        assert part in problem
    assert not {name for name in set(sys.modules) - modules if "armbot_" in name}


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("def __init__(self, height): ...", "missing a required argument: 'height'"),
        ("pass", "write its build()"),
        (
            "@abc.abstractmethod\n    def reach(self): ...\n    build = reach",
            "write its build() and reach()",
        ),
    ],
)
def test_a_class_that_cannot_be_used_is_refused(
    folder: Path, body: str, part: str
) -> None:
    build = "" if "build" in body or body == "pass" else "    def build(self, b): ...\n"
    source = f"import abc\n{ARM}\nclass Half(ManipulatorModel, abc.ABC):\n    {body}\n"
    (folder / "half.py").write_text(source + build)

    assert part in problem_with(from_file(folder, "half.Half"), ManipulatorModel)


def test_a_controller_without_run_is_refused(folder: Path) -> None:
    (folder / "lazy.py").write_text(CONTROLLER.replace("def run", "def runn"))

    problem = problem_with(
        from_file(folder, "lazy.Idler"), RobotController, "controller"
    )

    assert "controller 'lazy.Idler': it does not say how it works; write its run()" in (
        problem
    )


@pytest.mark.parametrize(
    "statement", ["raise KeyError('boom')", "import sys; sys.exit(4)"]
)
def test_a_constructor_that_fails_is_named_with_its_line(
    folder: Path, statement: str
) -> None:
    source = f"{ARM}\nclass Bad(Pole):\n    def __init__(self):\n        {statement}\n"
    (folder / "broken.py").write_text(source)
    found = load_class(from_file(folder, "broken.Bad"), ManipulatorModel, kind="arm")

    with pytest.raises(ConfigError) as caught:
        make_instance(found, owner="robot 2")

    assert "the constructor of Bad (robot 2) failed: " in str(caught.value)
    assert f"broken.py:{len(source.splitlines())}: " in str(caught.value)


def test_a_mistake_inside_a_call_of_ours_is_named_where_the_user_made_it(
    folder: Path,
) -> None:
    (folder / "early.py").write_text(
        f"{CONTROLLER}\nclass Early(Idler):\n    def __init__(self):\n"
        "        self.manipulator.stop()\n"
    )
    found = load_class(from_file(folder, "early.Early"), RobotController, kind="c")

    with pytest.raises(ConfigError, match=r"early\.py:13: RuntimeError: Early: a con"):
        make_instance(found, owner="robot 0")
