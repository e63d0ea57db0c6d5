"""Only touching parts act on objects, with motors that never yield; in cm."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from armbot_probe import CM, cell, center, deepest, drive, follow, ram, velocity

BALL = "BALL 0 0 5 5 0 {bounce} FF0000\n"


@pytest.mark.capability("AB-121", "AB-125", "AB-134")
@pytest.mark.parametrize("part", ["touch_point", "touch_segment"])
@pytest.mark.parametrize("bounce", [0.0, 0.5])
def test_a_ball_is_pushed_with_its_bounce_added(part: str, bounce: float):
    """Hit by u = 30 cm/s a resting ball leaves with (1 + bounce) u."""
    world = cell(BALL.format(bounce=bounce), [(ram(part, 5.0), -10, 0)])
    drive(world, push=0.06)  # it stops after the blow

    world.run(0.5)

    v = velocity(world, "ball_1")
    assert v[0] == pytest.approx(30.0 * (1.0 + bounce), rel=3e-2)
    assert np.degrees(np.arctan2(np.hypot(v[1], v[2]), v[0])) < 2.0


@pytest.mark.capability("AB-134")
def test_a_ball_without_bounce_is_pushed_along_until_the_push_ends():
    world = cell(BALL.format(bounce=0), [(ram("touch_segment", 5.0), -10, 0)])
    drive(world, push=0.3)

    world.run(0.9)
    assert center(world, "ball_1")[0] == pytest.approx(-10 + 27 + 5.2, abs=0.1)
    world.run(1.1)

    assert velocity(world, "ball_1")[0] == pytest.approx(30.0, rel=3e-2)


@pytest.mark.capability("AB-126", "AB-127")
@pytest.mark.parametrize("part", ["segment", "termination_point"])
def test_other_parts_sweep_through_objects_without_effect(part: str):
    text = BALL.format(bounce=0.5) + "CUBOID 15 0 4 8 8 8 00FF00"
    swept = cell(text, [(ram(part, 4.0), -20, 0)])
    alone = cell(text, [(ram(part, 4.0), -20, 500)])
    for world in (swept, alone):
        drive(world, push=0.5)
        world.run(2.0)

    assert center(swept, "robot0/tip")[0] > 25.0
    for name in ("ball_1", "cuboid_1"):
        assert_array_equal(swept.pose(name), alone.pose(name))
        assert_array_equal(swept.twist(name), alone.twist(name))


@pytest.mark.capability("AB-39")
def test_a_motor_takes_the_same_path_whatever_is_in_its_way():
    text = "CUBOID 15 0 4 8 8 8 00FF00\nCUBOID 30 0 4 8 8 8 00FF00\n"
    blocked = cell(BALL.format(bounce=0.5) + text, [(ram("touch_point", 5.0), -20, 0)])
    free = cell(BALL.format(bounce=0.5) + text, [(ram("touch_point", 5.0), -20, 500)])
    paths = []
    for world in (blocked, free):
        drive(world, push=0.6)
        paths.append(follow(world, 2.2, lambda w=world: w.joint_positions("robot0")[0]))

    assert center(blocked, "cuboid_2")[0] > 35.0  # it did push
    assert_array_equal(paths[0], paths[1])


@pytest.mark.capability("AB-192")
@pytest.mark.parametrize("part", ["touch_point", "touch_segment"])
@pytest.mark.parametrize("bounce", [0.5, 0.9])
def test_a_ball_dropped_on_a_resting_part_rebounds(part: str, bounce: float):
    world = cell(f"BALL 0 0 45.2 5 0 {bounce} FF0000", [(ram(part, 20.0), 0, 0)])

    speeds = follow(world, 0.35, lambda: velocity(world, "ball_1"))

    arrival = np.sqrt(2.0 * 981.0 * 20.0)
    up = max(speeds, key=lambda v: v[2])
    assert up[2] == pytest.approx(bounce * arrival, rel=3e-2)
    assert np.degrees(np.arctan2(np.hypot(up[0], up[1]), up[2])) < 2.0


@pytest.mark.capability("AB-121", "AB-125")
def test_a_touching_ball_stands_off_by_the_thickness_of_the_part():
    world = cell(BALL.format(bounce=0), [(ram("touch_point", 5.0), -10, 0)])
    drive(world, push=0.2)

    world.run(0.6)

    gap = center(world, "ball_1")[0] - center(world, "robot0/tip")[0]
    assert gap == pytest.approx(5.0 + 0.2, abs=0.05)


def test_touching_parts_pass_through_fixed_obstacles():
    text = "STEP 30 808080\nRECT 0 0 10 10\nENDSTEP"
    world = cell(text, [(ram("touch_segment", 5.0), -20, 0)])
    drive(world, push=0.5)

    world.run(2.0)

    assert world.joint_positions("robot0")[0] == pytest.approx(0.5, abs=1e-12)


@pytest.mark.capability("AB-132")
def test_in_one_tick_motors_move_then_contacts_act_then_triggers_fire():
    """One tick: the motor closes a gap, the ball is hit and crosses a barrier.

    In any other order one of the effects would come a tick later.
    """
    world = cell(
        "BALL 0 0 5 5 0 1 FF0000\nTRIGGER BALLBARRIER 0 GO 0.01 -10 0.01 10 10 *\n",
        [(ram("touch_point", 5.0, speed=100.0), -5.25, 0)],
    )
    world.run(0.05)  # the ball lies still
    assert world.zone_events() == ()
    world.impacts()
    tip, tick = center(world, "robot0/tip")[0], world.tick
    drive(world, push=0.05)

    world.step()

    # motors: 100 cm/s for 1 ms; poses: the tip is where its motor is
    assert world.joint_positions("robot0")[0] == pytest.approx(CM * 0.1, abs=1e-12)
    assert center(world, "robot0/tip")[0] == pytest.approx(tip + 0.1, abs=1e-9)
    # contacts: the gap of 0.05 cm was used up after half of the tick
    (blow,) = world.impacts()
    assert set(blow.bodies) == {"ball_1", "robot0/tip"}
    assert blow.time == pytest.approx((tick + 0.5) * 1e-3, abs=2e-5)
    assert center(world, "ball_1")[0] == pytest.approx(200.0 * 0.5e-3, rel=0.05)
    # triggers: on what came of it
    (event,) = world.zone_events()
    assert (event.tick, event.zone, event.item) == (tick + 1, "trigger_1", "ball_1")


@pytest.mark.slow
@pytest.mark.capability("AB-132")
def test_after_no_tick_more_overlap_is_left_than_the_rules_allow():
    """A push, a drop and a rebound; balls: v h + 0.1 cm, cuboids 0.5 cm."""
    world = cell(
        "BALL 0 0 5 5 0 0.8 FF0000\nBALL 0 3 60 5 0 0.8 FF0000\n"
        "CUBOID 40 0 40 8 8 8 00FF00\nSTEP 30 808080\nRECT 60 0 10 60\nENDSTEP",
        [(ram("touch_segment", 5.0, speed=60.0), -30, 0)],
    )
    drive(world, push=0.6)

    def overlaps() -> tuple[float, float]:
        depth = {True: 0.0, False: 0.0}
        for one in world.contacts():
            is_ball = any(name.startswith("ball") for name in one.bodies)
            depth[is_ball] = max(depth[is_ball], -one.distance / CM)
        return depth[True], depth[False]

    depths = np.array(follow(world, 1.5, overlaps))

    assert depths[:, 0].max() <= 350.0 * 1e-3 + 0.1
    assert depths[:, 1].max() <= 0.5
    world.run(1.0)
    assert deepest(world) <= 0.05


@pytest.mark.capability("AB-X17")
def test_a_motor_of_limited_force_stalls_at_what_it_cannot_move():
    """A cuboid of 5 kg against a wall: the motor presses with its largest force."""
    text = "CUBOID 10 0 4 8 8 8 00FF00\nSTEP 30 808080\nRECT 24 0 20 60\nENDSTEP"
    robots = [(ram("touch_segment", 4.0), -20, 0)]
    world = cell(text, robots, motors="limited", max_force=30.0)
    drive(world, push=0.6)

    world.run(3.0)

    stalled = world.joint_positions("robot0")[0]
    assert stalled == pytest.approx(CM * (6.0 - 0.2 + 20.0), abs=2e-3)
    assert abs(world.joint_velocities("robot0")[0]) < 1e-3
    pressed = [
        float(np.linalg.norm(one.force))
        for one in world.contacts()
        if "robot0/tip" in one.bodies
    ]
    assert sum(pressed) == pytest.approx(30.0, rel=0.05)
    drive(world, push=0.0)
    world.run(2.5)
    assert world.joint_positions("robot0")[0] == pytest.approx(0.0, abs=2e-3)


@pytest.mark.capability("AB-X17")
def test_motors_of_limited_force_give_way_like_springs():
    """Two of them press a cuboid, each 0.3 cm short of its target of 1 cm per 30 N."""
    robots = [(ram("touch_segment", 4.0), x, 0) for x in (-20, 20)]
    world = cell("CUBOID 0 0 4 8 8 8 00FF00", robots, motors="limited", max_force=30.0)
    drive(world, "robot0", push=CM * (20.0 - 4.2 + 0.3))
    drive(world, "robot1", push=-CM * (20.0 - 4.2 + 0.3))

    world.run(3.0)

    assert center(world, "cuboid_1")[0] == pytest.approx(0.0, abs=0.05)
    for robot in ("robot0", "robot1"):
        force = sum(
            abs(float(one.force[0]))
            for one in world.contacts()
            if f"{robot}/tip" in one.bodies
        )
        assert force == pytest.approx(9.0, rel=0.1)
