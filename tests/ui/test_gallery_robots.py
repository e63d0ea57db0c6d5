"""Robots offer scenes by a module; nothing else knows them."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import gelenk.robots
from gelenk.errors import ConfigError
from gelenk.runtime.panel import (
    ChoiceField,
    GroundField,
    NumberField,
    SwitchField,
    TextField,
)
from gelenk.runtime.run import Run
from gelenk.runtime.scene import Settings, SceneSpec, LiveScene
from gelenk.sim import Ball, Ground, World
from gelenk.ui import messages as m
from gelenk.ui.gallery_robots import entry_of, robot_entries
from ui.stage_rig import open_stage

SHOWCASE = """
from gelenk.runtime.scene import SceneSpec

def make(seed, settings):
    raise NotImplementedError

SCENES = (
    SceneSpec(name="toybot/dance", title="Dance", summary="It dances.", group="Toybot",
              make=make),
)
"""


@pytest.fixture
def robots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = [*gelenk.robots.__path__, str(tmp_path)]
    monkeypatch.setattr(gelenk.robots, "__path__", path)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("gelenk.robots.toy")]:
        del sys.modules[name]


def add_robot(folder: Path, name: str, showcase: str | None) -> None:
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("")
    if showcase is not None:
        (folder / name / "showcase.py").write_text(showcase)


def test_a_robot_with_a_showcase_is_in_the_gallery(robots: Path) -> None:
    add_robot(robots, "toybot", SHOWCASE)
    add_robot(robots, "toyless", None)

    cards = {entry.card.name: entry.card for entry in robot_entries()}

    assert cards["toybot/dance"].title == "Dance"
    assert cards["toybot/dance"].group == "Toybot"
    assert not any(name.startswith("toyless") for name in cards)


def test_a_broken_showcase_is_reported_and_the_others_are_shown(
    robots: Path, caplog: pytest.LogCaptureFixture
) -> None:
    add_robot(robots, "toybroken", "import nothing_of_this_name")
    add_robot(robots, "toybot", SHOWCASE)

    with caplog.at_level(logging.ERROR):
        names = [entry.card.name for entry in robot_entries()]

    assert "toybot/dance" in names
    assert "toybroken" in caplog.text


def test_listing_the_gallery_loads_no_engine() -> None:
    code = (
        "import sys\n"
        "from gelenk.ui.gallery import list_scenes\n"
        "list_scenes()\n"
        "print('mujoco' in sys.modules, 'cv2' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]


class Fall:
    """A showpiece that remembers how it was made and closed."""

    def __init__(self) -> None:
        self.made: list[dict[str, object]] = []
        self.speed = 0.0
        self.num_closed = 0

    def make(self, seed: int, settings: Settings) -> LiveScene:
        self.made.append(dict(settings))
        height = float(settings.get("height", 2.0))
        world = World(seed=seed)
        world.add(Ground())
        world.add(Ball(name="ball", radius=0.1, mass=0.1, position=(0, 0, height)))

        def close() -> None:
            self.num_closed += 1

        def set_speed(value: float) -> None:
            self.speed = value

        return LiveScene(
            run=Run(world, [], period=0.01, pace=1.0),
            world=world,
            close=close,
            parameters=(
                NumberField(name="height", title="Height", default=height, unit="m"),
                NumberField(name="speed", title="Speed", default=0.0, maximum=2.0),
                ChoiceField(name="mode", title="Mode", choices=("a", "b"), default="a"),
                SwitchField(name="flag", title="Flag", help="On or off."),
                TextField(name="note", title="Note"),
            ),
            setters={"speed": set_speed},
            eye=(3.0, 0.0, 1.0),
            focus=(0.0, 0.0, 1.0),
        )


def test_a_showpiece_runs_on_the_stage_with_its_parameters_and_its_view() -> None:
    fall = Fall()
    piece = SceneSpec(
        name="toy/fall", title="Fall", summary="", group="Toy", make=fall.make
    )
    with open_stage({piece.name: entry_of(piece)}) as listener:
        listener.do(m.OpenScene, name="toy/fall")
        scene = listener.of(m.Scene)[-1]
        assert (scene.eye, scene.is_view_chosen) == ((3.0, 0.0, 1.0), True)
        parameters = {item.name: item for item in scene.panel.parameters}
        assert parameters["height"].value == 2.0
        assert parameters["mode"].choices == ("a", "b")
        assert "after Reset" in parameters["height"].help
        assert "after Reset" not in parameters["speed"].help

        listener.do(m.SetParameter, name="speed", value=1.5)
        assert fall.speed == 1.5
        listener.refused(m.SetParameter, name="speed", value=5.0)
        assert fall.speed == 1.5

        listener.do(m.SetParameter, name="height", value=3.0)
        assert len(fall.made) == 1
        listener.do(m.Execute, action="reset")
        assert fall.made[-1] == {"height": 3.0}
        listener.do(m.CloseScene)
        assert fall.num_closed == 2


def test_a_point_on_the_ground_is_no_parameter() -> None:
    def make(seed: int, settings: Settings) -> LiveScene:
        world = World(seed=seed)
        world.add(Ground())
        return LiveScene(
            run=Run(world, [], period=0.01),
            world=world,
            parameters=(GroundField(name="at", title="At"),),
        )

    piece = SceneSpec(name="toy/x", title="X", summary="", group="Toy", make=make)
    with pytest.raises(ConfigError, match="'at' is a point on the ground"):
        entry_of(piece).make(0, {})
