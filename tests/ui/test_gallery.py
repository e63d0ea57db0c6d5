"""Scenes of packages on the page: parameters, views, buttons."""

from __future__ import annotations

import pytest

from gelenk.errors import ConfigError
from gelenk.runtime.panel import (
    ChoiceField,
    GroundField,
    NumberField,
    SwitchField,
    TextField,
)
from gelenk.runtime.run import Run
from gelenk.runtime.scene import LiveScene, SceneSpec, Settings
from gelenk.sim import Ball, Ground, World
from gelenk.ui import messages as m
from gelenk.ui.gallery import panel_of
from ui.stage_rig import open_stage


class Fall:
    """A scene that remembers how it was made and closed."""

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


def test_a_scene_runs_with_its_parameters_and_its_view() -> None:
    fall = Fall()
    piece = SceneSpec(
        name="toy/fall", title="Fall", summary="", group="Toy", make=fall.make
    )
    with open_stage({piece.name: piece}) as listener:
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
    live = piece.make(0, {})
    with pytest.raises(ConfigError, match="'at' is a point on the ground"):
        panel_of(live, piece.group)
    live.free()
