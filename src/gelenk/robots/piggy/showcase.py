"""Scenes of the page: Piggy and balls that visitors throw, and the game."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from gelenk.runtime.scene import LiveScene, SceneSpec, Settings, choices

if TYPE_CHECKING:
    from gelenk.robots.piggy.planner.tables import Tables

EYE, FOCUS = (3.9, -3.4, 3.0), (-0.4, 2.0, 1.2)  # [m]
TEAMS = {"skilled": ("skilled",) * 3, "mixed": ("skilled", "average", "beginner")}


PLACES = ("place", "Place", ("indoor", "outdoor"), "A hall with lamps, or a meadow.")
DRIVES = ("drive", "Drive", ("thesis", "tight"), "With 3 degrees of play, or without.")


def make_play(seed: int, settings: Settings) -> LiveScene:
    """Build a hall in which visitors throw balls at Piggy."""
    from gelenk.robots.piggy.panel.exhibit import PlayExhibit
    from gelenk.robots.piggy.panel.hosts import PlayHost, Wishes
    from gelenk.robots.piggy.session import PlayCfg, scene_of
    from gelenk.robots.piggy.world import make_world

    fields = choices(settings, PLACES, DRIVES)
    chosen: dict[str, Any] = {item.name: item.default for item in fields}
    cfg = PlayCfg(seed=seed, **chosen)
    place = make_world(scene_of(cfg))
    wishes = Wishes(throws=deque(), mode="hit", target=cfg.target)
    host = PlayHost(place, cfg, wishes, _tables)
    exhibit = PlayExhibit(host, wishes, cfg.place)
    return _stand(place, host, exhibit, fields, chosen)


def make_game(seed: int, settings: Settings) -> LiveScene:
    """Build a game of piggy in the middle."""
    from gelenk.robots.piggy.game.game import GameCfg
    from gelenk.robots.piggy.panel.exhibit import GameExhibit
    from gelenk.robots.piggy.panel.hosts import GameHost
    from gelenk.robots.piggy.session import PlayCfg, scene_of
    from gelenk.robots.piggy.world import make_world

    fields = choices(
        settings,
        PLACES,
        DRIVES,
        ("team", "Team-mates", tuple(TEAMS), "What they can do."),
        drive="tight",
    )
    chosen: dict[str, Any] = {item.name: item.default for item in fields}
    cfg = GameCfg(seed=seed, **{**chosen, "team": TEAMS[chosen["team"]]})
    scene = PlayCfg(place=cfg.place, drive=cfg.drive, seed=seed, rig=cfg.rig)
    place = make_world(scene_of(scene))
    host = GameHost(place, cfg, _tables)
    return _stand(place, host, GameExhibit(host), fields, chosen)


def _stand(place: Any, host: Any, exhibit: Any, fields: Any, facts: Any) -> LiveScene:
    from gelenk.robots.piggy.panel.hosts import PERIOD
    from gelenk.runtime.run import Run

    # Frames take tens of milliseconds, planning a stroke as well: no budget.
    run = Run(place, [host], period=PERIOD, step=place.cfg.step, pace=1.0, budget=None)
    return LiveScene(
        run=run,
        world=place.world,
        exhibit=exhibit,
        parameters=tuple(fields),
        eye=EYE,
        focus=FOCUS,
        facts=facts,
    )


def _tables() -> Tables:
    """Return the planner's tables, made once in a process."""
    from gelenk.robots.piggy.planner.tables import shared_tables

    return shared_tables()


SCENES = (
    SceneSpec(
        name="piggy/play",
        title="Piggy bats balls",
        summary=(
            "It sees thrown balls with two cameras, predicts their flight and bats "
            "them back, or to where you click."
        ),
        group="Piggy",
        make=make_play,
    ),
    SceneSpec(
        name="piggy/game",
        title="Piggy in the middle",
        summary="Team-mates throw, Piggy passes on, opponents try to catch the ball.",
        group="Piggy",
        make=make_game,
    ),
)
