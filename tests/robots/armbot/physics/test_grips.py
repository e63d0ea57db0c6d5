"""Balls on three points, cuboids between fingers, suction cups, two robots; in cm."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import fsolve

from armbot_probe import (
    CM,
    TIPS,
    Cup,
    Jaws,
    Tripod,
    cell,
    center,
    deepest,
    drive,
    follow,
    lift,
    tilt,
    velocity,
)
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.kinematics.loops.closed_form import CLOSED, DEGENERATE, three_spheres
from gelenk.sim import World
from gelenk.typing import FloatArray

BALL = "BALL 0.1 0 13.8 5 0 0.5 FF0000\n"
NAMES = tuple(f"robot0/tip_{k}" for k in range(3))


def common_point(world: World, near: FloatArray, reach: float = 5.2) -> FloatArray:
    """Return the point at one distance from all three tips, found by a root finder."""
    tips = np.array([center(world, name) for name in NAMES])

    def misses(p: FloatArray) -> FloatArray:
        return np.linalg.norm(tips - p, axis=1) - reach

    return np.asarray(fsolve(misses, near, xtol=1e-13))


@pytest.fixture
def held() -> World:
    """A ball that was set down on the three tips."""
    world = cell(BALL, [(lift(Tripod()), 0, 0)])
    world.run(0.5)
    assert world.holder("ball_1") == "robot0/gripper"
    return world


@pytest.mark.capability("AB-143")
def test_the_papers_three_points_have_the_papers_centre():
    a, b, c = [(x, y, 10.0) for x, y in TIPS]

    above, status = three_spheres(a, b, c, 5.0, 5.0, 5.0, 1.0)
    below, _ = three_spheres(a, b, c, 5.0, 5.0, 5.0, -1.0)

    assert status == CLOSED
    assert_allclose(above, (0.036667, 0.0, 13.048276), atol=1e-6)
    assert_allclose(below, (0.036667, 0.0, 6.951724), atol=1e-6)
    a, b, c = [(x, 0.0, 0.0) for x in (0.0, 1.0, 3.0)]
    assert three_spheres(a, b, c, 5.0, 5.0, 5.0, 1.0)[1] == DEGENERATE


@pytest.mark.capability("AB-133", "AB-143", "AB-144", "AB-X03")
def test_a_ball_on_three_tips_is_lifted_and_held(held: World):
    """20 cm at 10 cm/s, then 2 s: the centre is where the three spheres meet."""
    world = held
    assert world.motion("ball_1") == "gripped"
    drive(world, lift=0.2)

    seen = []
    for _ in range(400):
        world.run(0.01)
        off = center(world, "ball_1") - common_point(world, center(world, "ball_1"))
        slip = velocity(world, "ball_1") - velocity(world, "robot0/gripper")
        seen.append((np.abs(off).max(), np.abs(slip).max()))

    off, slip = np.max(seen, axis=0)
    assert off < 0.1
    assert slip < 0.5
    assert off < 1e-9  # and better than asked
    assert center(world, "ball_1")[2] == pytest.approx(33.366, abs=0.01)
    assert world.motion("ball_1") == "gripped"


@pytest.mark.capability("AB-143")
def test_while_the_fingers_move_the_centre_moves_with_the_three_points(held: World):
    world = held
    target = {name: value + 0.005 for name, value in Tripod.closed_values.items()}
    drive(world, **target)

    def miss() -> float:
        found = center(world, "ball_1")
        return float(np.abs(found - common_point(world, found)).max())

    assert max(follow(world, 0.1, miss)) < 1e-9
    assert center(world, "ball_1")[2] < 13.3  # wider points: it sinks between them
    assert_allclose(velocity(world, "ball_1"), np.zeros(3), atol=1e-12)


@pytest.mark.capability("AB-144", "AB-187")
def test_opened_at_rest_the_fingers_let_the_ball_fall_straight(held: World):
    world = held
    drive(world, lift=0.6)
    world.run(6.5)
    drive(world, **Tripod.open_values)
    while world.holder("ball_1") is not None:
        assert world.time < 9.0
        world.step()
    place = center(world, "ball_1")

    path = np.array(follow(world, 1.5, lambda: center(world, "ball_1")))

    assert np.abs(path[:, :2] - place[:2]).max() < 0.1
    speeds = [blow.speed for blow in world.impacts() if "ground" in blow.bodies]
    assert len(speeds) > 2
    assert speeds[1] == pytest.approx(0.5 * speeds[0], rel=1e-3)


@pytest.mark.capability("AB-143")
def test_three_tips_in_a_line_do_not_hold_a_ball():
    class Row(Tripod):
        def build(self, base) -> None:
            for k in range(3):
                base.linear_motor(
                    f"finger_{k}", turn=(np.pi / 2, 0, 0), limits=(-0.1, 0.1)
                ).t_connector(f"foot_{k}").touch_point(
                    f"tip_{k}", at=(0.0, 0.01 * (k - 1), 0.0)
                )

        closed_values = open_values = dict.fromkeys(Tripod.closed_values, 0.0)

    world = cell("BALL 0 0 15.3 5 0 0 FF0000\n", [(lift(Row()), 0, 0)])

    world.run(0.3)
    drive(world, lift=0.1)
    world.run(0.5)

    assert world.holder("ball_1") is None


@pytest.mark.capability("AB-133")
def test_closing_tips_at_the_equator_hold_a_ball_where_it_is():
    """In a plane with the centre three spheres say little; the fingers enclose it."""

    class Open(Tripod):
        start_values = Tripod.open_values

    world = cell("BALL 0.2 0.1 5 5 0 0.3 FF0000\n", [(lift(Open(), height=5.0), 0, 0)])
    drive(world, **dict.fromkeys(Tripod.closed_values, 0.051))
    world.run(0.8)
    assert world.holder("ball_1") == "robot0/gripper"
    before = center(world, "ball_1") - center(world, "robot0/gripper")

    drive(world, lift=0.2)
    world.run(2.5)

    after = center(world, "ball_1") - center(world, "robot0/gripper")
    assert center(world, "ball_1")[2] == pytest.approx(25.0, abs=0.3)
    assert_allclose(after, before, atol=1e-9)


@pytest.mark.capability("AB-144")
def test_what_a_ball_hits_in_a_grip_does_not_move_it(held: World):
    world = cell(BALL + "BALL 0.1 0 40 4 0 0.5 00FF00\n", [(lift(Tripod()), 0, 0)])

    world.run(1.0)

    assert world.holder("ball_1") == "robot0/gripper"
    assert any({"ball_1", "ball_2"} == set(blow.bodies) for blow in world.impacts())
    place = center(world, "ball_1")
    assert_allclose(place, common_point(world, place), atol=1e-9)


def test_a_held_ball_that_is_put_elsewhere_stays_there(held: World):
    world = held
    pose = world.pose("ball_1")
    pose[:3, 3] = 1.0, 1.0, 0.05
    world.place("ball_1", pose)

    world.run(0.1)

    assert world.holder("ball_1") is None
    assert_allclose(center(world, "ball_1"), [100.0, 100.0, 5.0], atol=0.05)


def test_a_restored_grip_goes_on_to_the_same_bits(held: World):
    world = held
    drive(world, lift=0.2, **Tripod.open_values)
    world.run(0.05)
    state, hashed = world.snapshot(), world.state_hash()

    def go_on() -> str:
        world.run(0.6)
        return world.state_hash()

    first = go_on()
    assert world.holder("ball_1") is None
    world.restore(state)
    assert world.state_hash() == hashed
    assert world.holder("ball_1") == "robot0/gripper"
    assert go_on() == first


# -- cuboids -----------------------------------------------------------------------

CUBOID = "CUBOID 0 0 4 8 8 8 00FF00\n"


def relative(world: World, name: str = "cuboid_1", robot: str = "robot0") -> FloatArray:
    return np.linalg.inv(world.pose(f"{robot}/gripper")) @ world.pose(name)


@pytest.mark.slow
@pytest.mark.capability("AB-140", "AB-188")
def test_a_cuboid_is_carried_turned_and_put_down_as_a_part_of_the_arm():
    world = cell(CUBOID, [(lift(Jaws(), height=8.0), 0, 0)])
    drive(world, **Jaws.closed_values)
    world.run(0.5)
    assert world.holder("cuboid_1") == "robot0/gripper"
    before = relative(world)

    def stray() -> float:
        return float(np.abs(relative(world) - before).max())

    drive(world, lift=0.2)
    off = follow(world, 2.2, stray)
    drive(world, wrist_xy=np.pi / 2.0, wrist_xz=0.3)
    off += follow(world, 1.2, stray)
    assert tilt(world, "cuboid_1") == pytest.approx(np.degrees(0.3), abs=0.01)
    drive(world, wrist_xz=0.0)
    off += follow(world, 0.4, stray)
    drive(world, lift=0.0)
    off += follow(world, 2.2, stray)
    assert max(off) < 1e-9
    place = world.pose("cuboid_1")

    drive(world, **Jaws.open_values)
    world.run(1.0)

    assert world.holder("cuboid_1") is None
    after = world.pose("cuboid_1")
    assert_allclose(after[:3, 3] / CM, place[:3, 3] / CM, atol=0.1)
    turned = np.degrees(np.arctan2(after[1, 0], after[0, 0]))
    assert turned == pytest.approx(90.0, abs=1.0)
    assert tilt(world, "cuboid_1") < 1.0


@pytest.mark.slow
@pytest.mark.capability("AB-139")
def test_a_cuboid_in_the_fingers_of_two_robots_belongs_to_neither():
    class Crossed(Jaws):
        angle = np.pi / 2.0

    robots = [
        (lift(Jaws(), height=8.0), 0, 0),
        (lift(Crossed(), height=6.5), 0, 0),
    ]
    world = cell(CUBOID, robots)
    drive(world, "robot0", **Jaws.closed_values)
    world.run(0.4)
    assert world.holder("cuboid_1") == "robot0/gripper"

    drive(world, "robot1", **Jaws.closed_values)
    world.run(0.4)
    assert world.holder("cuboid_1") is None
    depths = follow(world, 0.5, lambda: deepest(world))
    assert max(depths) <= 0.3
    assert np.abs(velocity(world, "cuboid_1")).max() < 0.5  # both rest, so does it

    drive(world, "robot0", **Jaws.open_values)
    world.run(0.5)
    assert world.holder("cuboid_1") == "robot1/gripper"
    before = relative(world, robot="robot1")
    drive(world, "robot1", lift=0.1)
    world.run(1.2)
    assert_allclose(relative(world, robot="robot1"), before, atol=1e-9)
    assert center(world, "cuboid_1")[2] == pytest.approx(14.0, abs=0.3)


# -- suction -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thing", "name", "top"),
    [
        ("CUBOID 0 0 4 8 8 8 00FF00", "cuboid_1", 8.0),
        ("BALL 0 0 4 4 0 0 FF0000", "ball_1", 8.0),
        ("CYLINDER 0 0 4 3 8 00FFFF", "cylinder_1", 8.0),
    ],
)
def test_a_suction_cup_holds_what_it_touches_while_it_is_active(
    thing: str, name: str, top: float
):
    world = cell(thing, [(lift(Cup(), height=top + 5.0 + 0.2 + 2.0), 0, 0)])
    drive(world, lift=-0.0201)
    world.run(0.5)
    assert world.holder(name) is None  # it touches, but nobody has switched it on
    start = center(world, name)[2]

    world.command_gripper("robot0", 0, active=True)
    world.run(0.01)
    assert world.holder(name) == "robot0/gripper"
    before = relative(world, name)
    drive(world, lift=0.1)
    world.run(1.5)
    assert_allclose(relative(world, name), before, atol=1e-9)
    assert center(world, name)[2] == pytest.approx(start + 12.0, abs=0.1)
    state = world.snapshot()

    world.command_gripper("robot0", 0, active=False)
    world.run(0.05)
    assert world.holder(name) is None
    world.restore(state)
    world.run(0.05)
    assert world.holder(name) == "robot0/gripper"  # the pump is part of the state
    world.command_gripper("robot0", 0, active=False)
    world.run(1.0)
    assert center(world, name)[2] == pytest.approx(4.0, abs=0.05)


def test_an_active_cup_in_the_air_holds_nothing():
    world = cell(CUBOID, [(lift(Cup(), height=20.0), 0, 0)])
    world.command_gripper("robot0", active=True)

    world.run(0.2)

    assert world.holder("cuboid_1") is None


def test_only_suction_grippers_are_switched():
    world = cell(CUBOID, [(lift(Jaws()), 0, 0)])

    with pytest.raises(ConfigError, match="holds by its fingers"):
        world.command_gripper("robot0", 0, active=True)
    with pytest.raises(ConfigError, match="has 1 grippers, counted from 0; got 1"):
        world.command_gripper("robot0", 1, active=True)
    with pytest.raises(NameNotFoundError, match="no robot named 'robot7'"):
        world.command_gripper("robot7", 0, active=True)


@pytest.mark.capability("AB-X04")
def test_a_cylinder_is_gripped_and_placed():
    world = cell("CYLINDER 0 0 5 4 10 00FFFF", [(lift(Jaws(), height=9.0), 0, 0)])
    drive(world, **Jaws.closed_values)
    world.run(0.5)
    assert world.holder("cylinder_1") == "robot0/gripper"

    drive(world, lift=0.1)
    world.run(1.1)
    assert center(world, "cylinder_1")[2] == pytest.approx(15.0, abs=0.2)
    drive(world, lift=0.0)
    world.run(1.1)
    drive(world, **Jaws.open_values)
    world.run(1.0)

    assert world.holder("cylinder_1") is None
    assert_allclose(center(world, "cylinder_1"), [0.0, 0.0, 5.0], atol=0.1)
    assert tilt(world, "cylinder_1") < 1.0


def test_two_runs_with_grips_agree_in_every_bit():
    def path() -> FloatArray:
        world = cell(BALL, [(lift(Tripod()), 0, 0)])
        drive(world, lift=0.1)
        return np.array(follow(world, 0.4, lambda: world.positions(("ball_1",))[0]))

    assert_array_equal(path(), path())
