"""Packages announce robots, scenes, scenarios; what is broken takes nothing with it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gelenk.errors import NameNotFoundError
from gelenk.models.catalog import registry as catalog
from gelenk.plugins import PluginError, find_plugins
from gelenk.runtime.registry import (
    file_suffixes,
    find_service,
    list_scenes,
    list_subjects,
    scene_of_file,
)
from gelenk.runtime.scenario import get_scenario, list_scenarios
from gelenk.runtime.scene import SceneService

ROOT = Path(__file__).resolve().parents[2]
EXTERNAL = ROOT / "examples" / "external_robot"

MODULE = """
from gelenk.runtime.scenario import Outcome, scenario
from gelenk.runtime.scene import SceneSpec

def make(seed, settings):
    raise NotImplementedError

SCENES = (
    SceneSpec(name="toybot/dance", title="Dance", summary="It dances.", group="Toybot",
              make=make),
)
SERVICES = {"toybot.greet": lambda value: {"text": "hello " + value["name"]}}

@scenario("toybot/dance")
def dance(config, seed, recorder):
    \"\"\"It dances and counts.\"\"\"
    return Outcome(ok=True, figures={"seed": float(seed)})
"""


def install(folder: Path, name: str, module: str, entries: dict[str, str]) -> None:
    """Put a package where Python finds it, as an installer would."""
    (folder / f"{name}.py").write_text(module)
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n"
    )
    sections = (f"[{group}]\n{entry}\n" for group, entry in entries.items())
    (about / "entry_points.txt").write_text("\n".join(sections))


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("toybot", "toybroken", "toyodd"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_an_installed_package_adds_to_everything(packages: Path) -> None:
    install(
        packages,
        "toybot",
        MODULE,
        {
            "gelenk.scenes": "toybot = toybot:SCENES",
            "gelenk.scenarios": "toybot = toybot",
            "gelenk.services": "toybot = toybot:SERVICES",
        },
    )

    (subject,) = (item for item in list_subjects() if item.name == "toybot/dance")
    assert subject.kinds == ("scene", "scenario")
    assert list_scenes()["toybot/dance"].group == "Toybot"
    found = get_scenario("toybot/dance")
    assert found(None, 3).figures == {"seed": 3.0}
    assert found.address == "toybot/dance"
    assert not found.is_ours
    greet = find_service("toybot.greet")
    assert not isinstance(greet, SceneService)
    assert greet({"name": "you"}) == {"text": "hello you"}


def test_a_broken_package_is_named_and_all_others_are_there(packages: Path) -> None:
    install(
        packages,
        "toybroken",
        "import nothing_of_this_name",
        {
            "gelenk.scenes": "toybroken = toybroken:SCENES",
            "gelenk.scenarios": "toybroken = toybroken",
            "gelenk.robots": "toybroken = toybroken:ROBOT",
        },
    )
    problems: list[PluginError] = []

    subjects = {item.name: item for item in list_subjects(problems)}

    assert subjects["hall"].kinds == ("scene", "scenario")
    assert subjects["panda"].kinds == ("scene", "robot")
    assert len(problems) == 3
    for problem in map(str, problems):
        assert "package toybroken 1.0" in problem
        assert "No module named 'nothing_of_this_name'" in problem
        assert "pip uninstall toybroken" in problem
    with pytest.raises(PluginError, match=r"toybroken 1\.0"):
        catalog.make("toybroken")


@pytest.mark.parametrize("value", ["3", "('a', 'b')"])
def test_scenes_that_are_none_are_reported(packages: Path, value: str) -> None:
    entries = {"gelenk.scenes": "toyodd = toyodd:SCENES"}
    install(packages, "toyodd", f"SCENES = {value}", entries)
    problems: list[PluginError] = []

    assert "hall" in list_scenes(problems)
    assert "package toyodd 1.0" in str(problems[0])


def test_no_package_takes_a_name_of_ours(packages: Path) -> None:
    module = MODULE.replace("toybot/dance", "hall")
    entries = {
        "gelenk.scenes": "toybot = toybot:SCENES",
        "gelenk.scenarios": "hall = toybot",
    }
    install(packages, "toybot", module, entries)

    assert list_scenes()["hall"].group == "World"
    assert get_scenario("hall").is_ours
    assert find_plugins("gelenk.scenarios")["hall"].package.startswith("gelenk ")


def test_one_subject_has_one_name() -> None:
    scenes = list_scenes()
    scenarios = {item.name for item in list_scenarios()}

    both = {name for name in scenes if name in scenarios}
    assert {"hall", "belt", "bounce", "billiards", "piggy/play", "piggy/game"} <= both
    assert {"amee/walk", "nao/calibrate", "armbot/sorting", "course/museum"} <= both
    assert len({spec.title for spec in scenes.values()}) == len(scenes)


def test_files_are_opened_by_their_suffix(tmp_path: Path) -> None:
    cell = tmp_path / "mine.env"
    cell.write_text("// A ball.\nBALL 0 0 35 5 0.3 0.5 FF0000\n")

    spec = scene_of_file(cell)

    assert spec is not None
    assert (spec.title, spec.summary) == ("mine.env", "A ball.")
    assert {".env", ".urdf", ".xml"} <= set(file_suffixes())
    assert scene_of_file(tmp_path / "picture.png") is None


def test_a_service_that_is_not_there_says_which_are() -> None:
    with pytest.raises(NameNotFoundError, match="armbot"):
        find_service("armbott.check")
    with pytest.raises(NameNotFoundError, match=r"armbot\.check"):
        find_service("armbot.chek")


def test_a_scene_without_a_scenario_is_computed_for_some_seconds() -> None:
    outcome = get_scenario("flight")(
        get_scenario("flight").as_config({"seconds": 0.2}), 1
    )

    assert outcome.ok
    assert outcome.figures["control_ticks"] == 20.0


def test_listing_loads_no_engine() -> None:
    code = (
        "import sys\n"
        "from gelenk.runtime.registry import list_scenes\n"
        "list_scenes()\n"
        "print('mujoco' in sys.modules, 'cv2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


@pytest.mark.slow
def test_the_external_package_is_found_described_and_run(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    pip += ["--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", str(tmp_path), str(EXTERNAL)], check=True)

    def gelenk(*words: str) -> dict[str, object]:
        code = (
            "import sys; sys.path.insert(0, sys.argv.pop(1)); "
            "from gelenk.cli.commands import main; sys.exit(main())"
        )
        command = [sys.executable, "-c", code, str(tmp_path), *words, "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    listed = {item["name"]: item for item in gelenk("list")["subjects"]}  # type: ignore[attr-defined, union-attr]
    assert listed["gantry"]["kinds"] == ["robot"]
    assert listed["gantry/sway"]["kinds"] == ["scene"]
    assert gelenk("robot", "gantry")["mass"] == 6.0
    run = gelenk("run", "gantry/sway", "--set", "seconds=0.5")
    assert run["ok"] is True
    assert run["simulated_time"] == pytest.approx(0.5)
