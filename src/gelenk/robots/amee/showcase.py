"""Scenes of the page: AMEE walks, and one of its legs on a stand."""

from __future__ import annotations

from typing import Any

from gelenk.runtime.scene import LiveScene, SceneSpec, Settings, choices

COURSE = 6.0  # [m]
GOAL = 5.0, 1.15  # [m], of the posts: ahead, and aside
EYE, FOCUS = (1.9, -2.1, 1.3), (0.25, 0.0, 0.35)  # [m]
TERRAINS = {
    "flat": "flat",
    "rubble, 5 cm": "rubble:5cm",
    "rubble, 8 cm": "rubble:8cm",
    "plates that lean by 6°": "plates:6deg",
    "steps of 5 cm": "steps:5cm",
    "ramp of 10° up": "slope:10deg",
    "ramp of 10° down": "slope:-10deg",
    "gaps of 8 cm": "gaps:8cm",
    "tiles that sink": "soft:25%",
    "sharp objects": "sharp:8/m2",
}


def make_walk(seed: int, settings: Settings) -> LiveScene:
    """Build a course over which visitors steer AMEE."""
    from dataclasses import replace

    from gelenk.robots.amee.panel.exhibit import (
        BRICK,
        BRICK_AWAY,
        BRICK_SIZE,
        WalkExhibit,
    )
    from gelenk.robots.amee.panel.host import WalkHost
    from gelenk.robots.amee.panel.steering import Wishes
    from gelenk.robots.amee.session import WalkCfg, world_of
    from gelenk.robots.amee.terrain import terrain_from_text
    from gelenk.robots.amee.terrain.course import Course
    from gelenk.robots.amee.world import make_world
    from gelenk.runtime.run import Run
    from gelenk.sim.fixed_objects import Box
    from gelenk.sim.scene_object import Cuboid

    fields = choices(
        settings,
        ("terrain", "Terrain", tuple(TERRAINS), "What it walks on, by touch alone."),
        ("drive", "Drives", ("geared", "thesis"), "42 N m and slow, or 22 N m."),
    )
    chosen: dict[str, Any] = {item.name: item.default for item in fields}
    terrain = terrain_from_text(TERRAINS[chosen["terrain"]], Course(length=COURSE))
    cfg = WalkCfg(gait="save", terrain=terrain, drive=chosen["drive"], seed=seed)
    brick = Cuboid(
        name=BRICK,
        size=BRICK_SIZE,
        mass=6.0,
        position=(*BRICK_AWAY, 0.5 * BRICK_SIZE[2]),
        rgba=(0.72, 0.32, 0.22, 1.0),
    )
    posts = [
        Box(
            name=f"{name} post",
            size=(0.05, 0.05, 1.2),
            position=(GOAL[0], side * GOAL[1], 0.6),
            rgba=(0.90, 0.42, 0.12, 1.0),
        )
        for name, side in (("left", 1.0), ("right", -1.0))
    ]
    place = make_world(replace(world_of(cfg), extras=(brick, *posts)))
    host = WalkHost(place, cfg, Wishes())
    step = place.cfg.step
    # Four legs think in every tick, more than a controller usually does: no budget.
    run = Run(place, [host], period=step, step=step, pace=1.0, budget=None)
    return LiveScene(
        run=run,
        world=place.world,
        exhibit=WalkExhibit(host),
        parameters=fields,
        eye=EYE,
        focus=FOCUS,
        facts=chosen,
    )


def make_leg(seed: int, settings: Settings) -> LiveScene:
    """Build a stand with one leg that visitors talk to."""
    from gelenk.robots.amee.config import DRIVES, LegCfg
    from gelenk.robots.amee.panel.leg_exhibit import LegExhibit
    from gelenk.robots.amee.panel.leg_host import GROUNDS, LegHost, stand_cfg
    from gelenk.robots.amee.world import make_world
    from gelenk.runtime.run import Run

    fields = choices(
        settings,
        ("ground", "Ground", tuple(GROUNDS), "What lies under the foot."),
        ("drive", "Drives", ("thesis", "geared"), "22 N m, or 42 N m and slower."),
    )
    chosen: dict[str, Any] = {item.name: item.default for item in fields}
    place = make_world(stand_cfg(chosen["ground"], chosen["drive"], seed))
    host = LegHost(place, LegCfg(drive=DRIVES[chosen["drive"]]))
    step = place.cfg.step
    run = Run(place, [host], period=step, step=step, pace=1.0, budget=None)
    return LiveScene(
        run=run,
        world=place.world,
        exhibit=LegExhibit(host),
        parameters=fields,
        eye=(1.25, -1.75, 1.05),
        focus=(0.33, -0.2, 0.68),
        facts=chosen,
    )


SCENES = (
    SceneSpec(
        name="amee/walk",
        title="AMEE walks",
        summary=(
            "Four legs, each a computer of its own, find their way by touch. Steer it, "
            "put a brick in its way, break a joint."
        ),
        group="AMEE",
        make=make_walk,
    ),
    SceneSpec(
        name="amee/leg",
        title="One leg of AMEE",
        summary=(
            "A leg on its stand with its two computers. Send messages, look into its "
            "automata and registers, flood its bus, break its sensors."
        ),
        group="AMEE",
        make=make_leg,
    ),
)
