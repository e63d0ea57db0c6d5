"""From environment to world: places, names, order of triggers, walls, switches."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from armbot_probe import CM, cell, center, ram, throw
from gelenk.errors import ConfigError
from gelenk.robots.armbot.config import BALL_MASS, CUBOID_MASS, ArmBotCfg
from gelenk.robots.armbot.environment.read import parse_environment
from gelenk.robots.armbot.scene import (
    Scene,
    add_scene,
    base_pose,
    make_robot,
    world_config,
)
from gelenk.sim import World


def scene_of(text: str, **settings: object) -> tuple[World, Scene]:
    cfg = ArmBotCfg(**settings)  # type: ignore[arg-type]
    environment = parse_environment(text)
    world = World(world_config(cfg, environment))
    return world, add_scene(world, environment, cfg)


@pytest.mark.capability("AB-48")
@pytest.mark.parametrize(
    ("heading", "ahead"), [(0.0, (0, 1)), (-90.0, (1, 0)), (90.0, (-1, 0))]
)
def test_headings_count_from_the_y_axis(heading: float, ahead: tuple[int, int]):
    T = base_pose(1.0, 2.0, np.radians(heading))

    assert_allclose(T[:3, 0], [*ahead, 0], atol=1e-15)  # the body's x axis looks ahead
    assert_allclose(T[:3, 2], [0, 0, 1], atol=0)
    assert_allclose(T[:3, 3], [1.0, 2.0, 0.0], atol=0)
    assert np.linalg.det(T[:3, :3]) == pytest.approx(1.0)


@pytest.mark.capability("AB-119")
def test_the_body_of_a_robot_stands_where_its_entry_says():
    environment = parse_environment("ROBOT 40 -30 45")
    (robot,) = environment.robots
    assert robot.pose is not None
    world = World(world_config(ArmBotCfg(), environment))
    add_scene(world, environment)
    world.add(make_robot("robot0", ram("touch_point", 5.0), base_pose(*robot.pose)))

    T = world.pose("robot0/body")

    assert_allclose(T[:3, 3] / CM, [40.0, -30.0, 0.0], atol=1e-12)
    ahead = [-np.sin(np.radians(45.0)), np.cos(np.radians(45.0)), 0.0]
    assert_allclose(T[:3, 0], ahead, atol=1e-12)


@pytest.mark.capability("AB-67")
def test_everything_of_a_file_stands_in_the_world_under_its_name():
    world, scene = scene_of(
        "DEBUGNAME table\nSLICE 28 30 A08060\nRECT 0 0 40 40\nENDSLICE\n"
        "WEDGE 20 30 10 15 x 808080\nRECT 100 0 40 40\nENDWEDGE\n"
        "SPHERE 0 100 50 10 808080\nBALL 0 0 36 5 0.3 0.5 FF0000\n"
        "CUBOID 10 0 36 8 8 8 00FF00\nCYLINDER 0 12 36 3 8 00FFFF\n"
        "CONVEYOR 7 RUN 5 5 x 20 5 404040\nRECT 0 200 100 30\nENDCONVEYOR\n"
        "CONVEYOR 7 STOP 5 5 x 20 5 404040\nRECT 0 300 100 30\nENDCONVEYOR\n"
        "CONVEYOR -1 RUN 5 5 x 20 5 404040\nRECT 0 400 100 30\nENDCONVEYOR\n"
    )

    names = set(world.names())
    assert {"ground", "table", "wedge_1", "sphere_1"} <= names
    assert {"ball_1", "cuboid_1", "cylinder_1"} <= names
    assert (scene.balls, scene.cuboids) == (("ball_1",), ("cuboid_1",))
    assert dict(scene.belts) == {7: ("conveyor_1", "conveyor_2")}
    assert_allclose(center(world, "ball_1"), [0.0, 0.0, 36.0], atol=1e-12)


def test_triggers_fire_in_the_order_of_their_lines_then_of_the_objects():
    """Two balls enter all three zones in the same tick."""
    circle = "TRIGGER BALLENTERS {to} {text} 0 0 50 10 *\n"
    world, scene = scene_of(
        "BALL 60 0 5 5 0 0.5 FF0000\nBALL -60 0 5 5 0 0.5 00FF00\n"
        + circle.format(to=3, text="C")
        + circle.format(to=1, text="A")
        + "TRIGGER CUBOIDENTERS 0 NEVER 0 0 50 10 *\n"
        + circle.format(to=2, text="B")
    )
    throw(world, "ball_1", (-100.0, 0.0, 0.0))
    throw(world, "ball_2", (100.0, 0.0, 0.0))

    world.run(0.2)

    events = world.zone_events()
    assert len({event.tick for event in events}) == 1
    assert [(event.zone, event.item) for event in events] == [
        (zone, ball)
        for zone in ("trigger_1", "trigger_2", "trigger_4")
        for ball in ("ball_1", "ball_2")
    ]
    sent = {item.zone: (item.receiver, item.text) for item in scene.zone_triggers}
    assert sent["trigger_1"] == (3, "C")
    assert sent["trigger_4"] == (2, "B")


@pytest.mark.capability("AB-X19")
@pytest.mark.parametrize(("has_heights", "count"), [(False, 2), (True, 1)])
def test_with_heights_a_zone_does_not_see_what_is_above_it(
    has_heights: bool, count: int
):
    world, _ = scene_of(
        "BALL -60 0 5 5 0 0.5 FF0000\nBALL -60 30 100 5 0 0.5 00FF00\n"
        "TRIGGER BALLENTERS 0 IN 0 0 50 20 *\n",
        trigger_heights=has_heights,
        gravity=0.0,
    )
    throw(world, "ball_1", (100.0, 0.0, 0.0))
    throw(world, "ball_2", (100.0, 0.0, 0.0))

    world.run(0.5)

    assert len(world.zone_events()) == count


def test_the_border_is_open_or_a_wall():
    text = "BORDER -100 -100 100 100\nBALL 0 0 5 5 0 0.5 FF0000"
    ends = []
    for border in ("open", "wall"):
        world, _ = scene_of(text, border=border)
        throw(world, "ball_1", (100.0, 60.0, 0.0))
        world.run(2.5)
        ends.append(center(world, "ball_1"))

    assert ends[0][0] > 200.0
    # 95 cm out, then back with half of the speed
    assert ends[1][0] == pytest.approx(95.0 - 0.5 * (250.0 - 95.0), abs=2.0)
    with pytest.raises(ConfigError, match="has no BORDER; add one, or set `border`"):
        scene_of("BALL 0 0 5 5 0 0.5 FF0000", border="wall")


@pytest.mark.parametrize("name", ["trigger_1", "border_low_x"])
def test_objects_may_have_the_names_of_zones_and_walls(name: str):
    world, scene = scene_of(
        "BORDER -100 -100 100 100\nTRIGGER BALLENTERS 0 IN 0 0 50 20 *\n"
        f"DEBUGNAME {name}\nBALL -60 0 5 5 0 0.5 FF0000",
        border="wall",
    )
    throw(world, name, (100.0, 0.0, 0.0))

    world.run(0.5)

    (event,) = world.zone_events()
    assert event.item == name
    assert event.zone == scene.zone_triggers[0].zone != name


def test_masses_are_those_of_the_rules_of_the_file_or_of_densities():
    text = "BALL 0 0 5 5 0 0.5 FF0000\nMASS 0.3\nBALL 20 0 5 5 0 0.5 FF0000\nCUBOID 40 0 5 10 10 10 00FF00"

    def masses(**settings: object) -> list[float]:
        world, _ = scene_of(text, **settings)
        model = world._compiled().model
        return [
            float(model.body(name).mass[0]) for name in ("ball_1", "ball_2", "cuboid_1")
        ]

    assert masses() == [BALL_MASS, 0.3, CUBOID_MASS]
    light = masses(light_cuboids=True, cuboid_density=200.0, ball_density=100.0)
    sphere = 100.0 * 4.0 / 3.0 * np.pi * 0.05**3
    assert_allclose(light, [sphere, 0.3, 0.2], rtol=1e-9)


def test_coloured_tiles_are_those_that_lie_on_the_floor():
    from gelenk.robots.armbot.scene import _ground

    environment = parse_environment(
        "BORDER 0 0 200 100\nTILE 1~9 0 F0E0A0\nTILE 0 0~1 102030"
    )
    ground = _ground(environment)

    places = [(tile.column, tile.row) for tile in ground.tiles]
    assert places == [(1, 0), (2, 0), (3, 0), (0, 0), (0, 1)]


def test_robots_collide_by_their_touching_parts_only():
    world = cell("BALL 0 0 5 5 0 0.5 FF0000", [(ram("segment", 5.0), -50, 0)])
    model = world._compiled().model
    own = [
        model.geom(i)
        for i in range(model.ngeom)
        if model.geom(i).name.startswith("robot0/")
    ]

    assert own
    assert not any(geom.contype[0] or geom.conaffinity[0] for geom in own)
