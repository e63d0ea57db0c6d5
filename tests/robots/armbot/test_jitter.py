"""Tests of start poses that are a little off."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from gelenk.robots.armbot.config import ArmBotCfg
from gelenk.robots.armbot.environment.description import (
    BallEntry,
    CuboidEntry,
    Environment,
    Place,
    RobotEntry,
)
from gelenk.robots.armbot.scene import add_scene, world_config
from gelenk.robots.armbot.trial import jitter
from gelenk.sim.world import World

HERE = Place("here")
ANGLE = math.radians(5.0)  # [rad]
SHIFT = 0.01  # [m]
SCENE = Environment(
    robots=(RobotEntry(number=0, pose=(0.1, 0.2, 0.3), place=HERE),),
    movables=(
        CuboidEntry(
            name="box",
            center=(0.4, 0.0, 0.03),
            size=(0.04, 0.05, 0.06),
            color=(255, 0, 0),
            place=HERE,
        ),
        BallEntry(
            name="ball",
            center=(0.0, 0.4, 0.03),
            radius=0.03,
            resistance=0.3,
            bounce=0.5,
            color=(0, 0, 255),
            place=HERE,
        ),
    ),
)


def drawn(count: int) -> Iterator[Environment]:
    for seed in range(count):
        rng = np.random.default_rng(seed)
        yield jitter(SCENE, rng, position=SHIFT, angle=ANGLE)


def test_deviations_fill_their_range_and_never_leave_it() -> None:
    boxes, bases = [], []
    for scene in drawn(300):
        box, robot = scene.movables[0], scene.robots[0]
        assert isinstance(box, CuboidEntry)
        assert robot.pose is not None
        boxes.append([box.center[0] - 0.4, box.center[1], box.yaw])
        bases.append(np.subtract(robot.pose, (0.1, 0.2, 0.3)))
    limits = np.array([SHIFT, SHIFT, ANGLE])
    for found in (np.array(boxes), np.array(bases)):
        assert (np.abs(found) <= limits).all()
        assert (np.abs(found).max(axis=0) > 0.95 * limits).all()
        assert (np.abs(found.mean(axis=0)) < 0.15 * limits).all()


def test_heights_stay_and_no_deviation_changes_nothing() -> None:
    assert all(scene.movables[1].center[2] == 0.03 for scene in drawn(5))
    rng = np.random.default_rng(0)
    same = jitter(SCENE, rng, position=0.0, angle=0.0)
    assert same == SCENE


def test_a_turned_cuboid_stands_turned_in_the_world() -> None:
    (scene,) = drawn(1)
    entry = scene.movables[0]
    assert isinstance(entry, CuboidEntry)
    assert entry.yaw != 0.0
    cfg = ArmBotCfg()
    with World(world_config(cfg, scene)) as world:
        add_scene(world, scene, cfg)
        T = world.pose("box")
    assert math.atan2(T[1, 0], T[0, 0]) == pytest.approx(entry.yaw, abs=1e-12)
