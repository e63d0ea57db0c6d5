"""Tests of the whole place: two clocks, what a ball does to the bat, what is seen.

Oracles: the impact of a ball on a body that turns about an axis, geometry of the
images, equal seeds.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.ball_contact import BallCfg
from gelenk.robots.piggy.cameras import EXACT
from gelenk.robots.piggy.config import BALL_MASS, BALL_RADIUS
from gelenk.robots.piggy.drives import PROFILES
from gelenk.robots.piggy.judge import judge, passing_distance
from gelenk.robots.piggy.kinematics import forward, jacobian
from gelenk.robots.piggy.people import Person
from gelenk.robots.piggy.throwers import Throw, aimed_velocity, draw_throw
from gelenk.robots.piggy.world import PiggyWorld, SceneCfg, make_world
from gelenk.spatial import se3
from gelenk.vision.camera import unproject
from gelenk.vision.sphere import camera_row, sphere_circle

pytestmark = pytest.mark.slow

# A drive that neither helps nor brakes: the bat swings freely, its rotors with it.
LIMP = replace(PROFILES["tight"], stall_torque=1e-6, friction=0.0)
STILL_BALL = BallCfg(friction=0.3, restitution=1.0, overpressure=0.0)


def scene(**changes: object) -> SceneCfg:
    return replace(SceneCfg(drive="tight", rig=EXACT, samples=1), **changes)


def throw_at_bat(world: PiggyWorld, q: tuple[float, float], *, time: float) -> int:
    """Let a ball come along the path of the bat, so that it meets it centrally."""
    centre = forward(np.array(q))
    e_tilt = jacobian(np.array(q))[:, 1]
    ahead = -e_tilt / np.linalg.norm(e_tilt)  # where a forward tilt moves the sphere
    reach = unit.SPHERE_RADIUS + BALL_RADIUS + 0.01
    speed = 6.0
    throw = Throw(
        position=tuple(centre + reach * ahead),
        velocity=tuple(-speed * ahead),
        drag=0.0,
        windup=0.0,
    )
    return world.throw(throw, at=time)


@pytest.mark.capability("BB-62")
def test_both_cameras_deliver_fifty_pairs_a_second_of_one_moment() -> None:
    world = make_world(scene())
    assert world.images() is None
    stamps = []
    for k in range(1, 31):
        world.step_to(0.01 * k)
        seen = world.images()
        if seen is not None and seen[2] not in stamps:
            stamps.append(seen[2])
            assert seen[0].shape == seen[1].shape == (580, 780)
            assert seen[0].dtype == np.uint8
            assert not np.array_equal(seen[0], seen[1])
    assert len(stamps) == 15
    assert_allclose(np.diff(stamps), 0.02, atol=1e-12)
    assert stamps[0] == pytest.approx(EXACT.exposure / 2.0)
    assert world.next_image == pytest.approx(0.3 + EXACT.exposure + EXACT.latency)
    world.close()


def test_an_image_shows_the_ball_where_it_was_at_the_stamp() -> None:
    world = make_world(scene())
    rng = np.random.default_rng(3)
    number = world.throw(replace(draw_throw(rng), albedo=0.0))
    world.step_to(0.5)
    before = world.images()
    ball = world.truth.balls[number]
    assert before is not None
    left, _, stamp = before
    p = ball.path[round(stamp / world.cfg.step) - ball.release, :3]
    camera = world.truth.rig[0]
    row = camera_row(camera.intrinsics, se3.inverse(camera.T_world_camera))
    u, v, r = sphere_circle(row[None], p, BALL_RADIUS)[0]
    rows, columns = np.mgrid[0:580, 0:780]
    inside = np.hypot(columns - u, rows - v)
    assert left[inside < 0.7 * r].mean() < 30.0  # a black ball
    ring = left[(inside > 1.5 * r) & (inside < 2.0 * r)].mean()
    assert ring > 60.0
    world.close()


def test_a_ball_bounces_off_the_bat_as_off_a_body_on_an_axis() -> None:
    q = (0.0, math.radians(10.0))
    world = make_world(scene(drive=LIMP, q=q, ball=STILL_BALL))
    number = throw_at_bat(world, q, time=0.0)
    world.step_to(0.1)
    touch = judge(world, number).touch
    assert touch is not None
    assert touch.body == "sphere"
    mass, com, inertia = unit.bat_inertia(cover=True)
    turning = inertia[0, 0] + mass * com**2 + LIMP.rotor_inertia
    heavy = turning / unit.BAT_LENGTH**2
    speed = float(np.linalg.norm(touch.v_before))
    expected = speed * (heavy - BALL_MASS) / (heavy + BALL_MASS)
    assert np.linalg.norm(touch.v_after) == pytest.approx(expected, rel=0.015)
    assert 0.008 < touch.end - touch.start < 0.025
    assert_allclose(
        touch.impulse, BALL_MASS * (touch.v_after - touch.v_before), atol=0.012
    )
    world.close()


@pytest.mark.capability("BB-44")
@pytest.mark.parametrize(("restitution", "lost"), [(1.0, 0.0), (0.8, 0.3)])
def test_ball_and_bat_together_gain_no_energy(restitution: float, lost: float) -> None:
    q = (0.1, math.radians(10.0))
    ball = replace(STILL_BALL, restitution=restitution)
    world = make_world(scene(drive=LIMP, q=q, ball=ball))
    flight = world.truth.balls[throw_at_bat(world, q, time=0.0)]
    energies = []
    for k in range(60):
        world.step_to(0.0005 * k)
        v, w = flight.state[3:6], flight.state[6:9]
        moving = 0.5 * BALL_MASS * float(v @ v)
        turning = BALL_MASS * BALL_RADIUS**2 / 3.0 * float(w @ w)
        height = 9.81 * BALL_MASS * flight.state[2]
        energies.append(moving + turning + height + world.world.energy())
    start = 0.5 * BALL_MASS * 36.0
    assert judge(world, 0).hit
    # Of the energy in the ball's approach to the bat 1 - e^2 is lost.
    share = (energies[0] - energies[-1]) / start
    assert share == pytest.approx(lost, abs=0.015 if lost == 0.0 else 0.05)
    world.close()


def test_the_bat_is_pushed_and_left_alone_again() -> None:
    q = (0.0, math.radians(10.0))
    world = make_world(scene(drive=LIMP, q=q))
    throw_at_bat(world, q, time=0.05)
    world.step_to(0.05)
    before = world.world.joint_velocities("piggy").copy()
    world.step_to(0.08)
    after = world.world.joint_velocities("piggy").copy()
    assert after[1] - before[1] > 1.0  # to the back
    assert not world.world._compiled().data.xfrc_applied.any()
    world.close()


def test_a_ball_that_meets_the_rod_is_told_from_one_that_meets_the_sphere() -> None:
    q = (0.0, 0.0)
    world = make_world(scene(q=q))
    low = forward(np.array(q)) - [0.0, 0.0, 0.45]
    number = world.throw(
        Throw(position=(low[0], low[1] + 0.4, low[2]), velocity=(0, -6, 0), windup=0.0)
    )
    world.step_to(0.2)
    verdict = judge(world, number)
    assert verdict.touch is not None
    assert verdict.touch.body == "rod"
    assert verdict.v_out is not None
    assert verdict.v_out[1] > 2.0
    world.close()


def test_equal_seeds_give_equal_images_and_flights() -> None:
    runs = []
    for _ in range(2):
        world = make_world(scene(place="outdoor", seed=5))
        number = world.throw(draw_throw(np.random.default_rng(1), "outdoor"))
        world.step_to(0.4)
        seen = world.images()
        assert seen is not None
        runs.append((seen[0], world.truth.balls[number].path.copy()))
        world.close()
    assert np.array_equal(runs[0][0], runs[1][0])
    assert np.array_equal(runs[0][1], runs[1][1], equal_nan=True)


def test_portrait_cameras_see_from_the_horizon_upwards() -> None:
    rig = replace(EXACT, mounting="portrait")
    world = make_world(scene(rig=rig))
    world.step_to(0.05)
    seen = world.images()
    assert seen is not None
    assert seen[0].shape == (780, 580)
    camera = world.truth.rig[0]
    down = unproject(camera.intrinsics, np.array([camera.intrinsics.cx, 779.5]))
    lowest = camera.T_world_camera[:3, :3] @ down
    assert abs(math.degrees(math.asin(lowest[2] / np.linalg.norm(lowest)))) < 2.0
    world.close()


def test_outdoors_clouds_pass_and_indoors_the_light_stays() -> None:
    spread = {}
    for place in ("indoor", "outdoor"):
        world = make_world(scene(place=place))
        means = []
        for k in range(1, 5):
            world.step_to(2.0 * k)
            seen = world.images()
            assert seen is not None
            means.append(seen[0].mean())
        spread[place] = np.ptp(means) / np.mean(means)
        world.close()
    assert spread["indoor"] < 0.002
    assert 0.02 < spread["outdoor"] < 0.3


def test_a_hand_speeds_the_ball_up_and_may_keep_it() -> None:
    world = make_world(scene())
    v = aimed_velocity(np.array([0.0, 5.0, 1.6]), np.array([-0.3, -0.2, 1.7]), 0.9)
    kept = Throw(position=(0.0, 5.0, 1.6), velocity=tuple(v), windup=0.2, is_held=True)
    number = world.throw(kept)
    ball = world.truth.balls[number]
    speeds = []
    for k in range(1, 41):
        world.step_to(0.01 * k)
        speeds.append(float(np.linalg.norm(ball.look(world.world.tick)[1])))
    top = int(np.argmax(speeds))
    assert speeds[top] == pytest.approx(float(np.linalg.norm(v)), rel=0.01)
    assert 0.01 * (top + 1) == pytest.approx(0.2, abs=0.011)
    assert speeds[-1] < 0.01
    assert judge(world, number).touch is None
    world.close()


def test_people_are_seen_where_they_stand() -> None:
    world = make_world(scene())
    world.step_to(0.03)
    empty = world.images()
    world.set_people((Person(position=(-0.305, 2.5), height=1.9),))
    world.step_to(0.06)
    seen = world.images()
    assert empty is not None
    assert seen is not None
    camera = world.truth.rig[0]
    changed = np.abs(seen[0].astype(float) - empty[0]) > 25.0
    rows, columns = np.nonzero(changed)
    row = camera_row(camera.intrinsics, se3.inverse(camera.T_world_camera))
    head = np.array([-0.305, 2.5, 0.93 * 1.9])
    u, v, r = sphere_circle(row[None], head, 0.065 * 1.9)[0]
    near = np.hypot(columns - u, rows - v) < 0.9 * r
    assert near.sum() > 0.8 * math.pi * (0.9 * r) ** 2
    world.close()


def test_passing_distance_is_measured_after_the_bat_and_before_the_floor() -> None:
    q = (0.0, math.radians(10.0))
    world = make_world(scene(q=q))
    number = throw_at_bat(world, q, time=0.0)
    assert passing_distance(world, number, (0.0, 3.0, 1.5)) == math.inf
    world.step_to(1.5)
    ball = world.truth.balls[number]
    first = round(judge(world, number).touch.end / world.cfg.step)  # type: ignore[union-attr]
    target = ball.path[first + 400, :3]
    assert passing_distance(world, number, target) < 0.005
    aside = target + np.array([1.0, 0.0, 0.0])
    assert passing_distance(world, number, aside) == pytest.approx(1.0, abs=0.02)
    world.close()


def test_mistakes_are_named() -> None:
    world = make_world(scene())
    world.step_to(0.1)
    throw = draw_throw(np.random.default_rng(0))
    with pytest.raises(ConfigError, match="past"):
        world.throw(throw, at=0.05)
    with pytest.raises(ConfigError, match="never thrown"):
        judge(world, 3)
    with pytest.raises(ConfigError, match="step"):
        SceneCfg(step=0.0007)
    world.close()
