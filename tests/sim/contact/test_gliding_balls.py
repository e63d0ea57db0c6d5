"""Balls that are only a position (`spins=False`), frictionless on what stands still.

The rules of ArmBot: the tangential part of the velocity is kept, the normal part
reflected, two balls exchange their normal parts. Speeds in m/s.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from contact_probe import NO_GRAVITY, as_triple, deepest_overlap, world_of
from gelenk.sim import Ball, Box, Cuboid, Ground, Sphere
from gelenk.sim.compiled_world import WorldItem
from gelenk.sim.objects import RectOutline, Slice, Slope, Step


def _ball(
    position: tuple[float, float, float],
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0),
    *,
    bounce: float = 0.5,
    name: str = "ball",
    radius: float = 0.05,
) -> Ball:
    return Ball(
        name=name,
        radius=radius,
        mass=0.01,
        position=position,
        velocity=velocity,
        restitution=bounce,
        spins=False,
        condim=1,
        priority=1,
    )


@pytest.mark.capability("AB-145")
def test_gravity_adds_its_share_in_each_step():
    """After 0.5 s of free fall: 4.905 m/s and 1.22625 m, exactly the parabola."""
    world = world_of([_ball((0, 0, 5))])

    world.run(0.5)

    assert_allclose(world.twist("ball")[2], -4.905, rtol=1e-9)
    assert_allclose(5.0 - world.pose("ball")[2, 3], 1.22625, rtol=1e-9)


@pytest.mark.capability("AB-135", "AB-146")
def test_the_normal_part_is_reflected_and_the_tangent_left_alone():
    world = world_of([Ground(), _ball((0, 0, 0.1), (0.3, 0, -0.4))], gravity=NO_GRAVITY)

    world.run(0.3)

    assert_allclose(world.twist("ball")[:3], [0.3, 0.0, 0.2], atol=1e-9)


@pytest.mark.capability("AB-71")
@pytest.mark.parametrize("bounce", [0.3, 0.5, 0.8, 0.95])
def test_a_ball_rebounds_to_bounce_squared_of_its_height(bounce: float):
    world = world_of([Ground(), _ball((0, 0, 1.05), bounce=bounce)])
    fall = np.sqrt(2.0 / 9.81)

    for n in range(1, 3):  # the first two peaks
        up = bounce**n * fall
        peak = fall + sum(2.0 * bounce**k * fall for k in range(1, n)) + up
        world.run(peak - world.time)
        late = world.time - peak
        height = bounce ** (2 * n) - 0.5 * 9.81 * late**2
        assert_allclose(world.pose("ball")[2, 3] - 0.05, height, rtol=1e-4)


@pytest.mark.capability("AB-147")
def test_several_contacts_are_reflected_in_turn():
    """(40, 10, -45) cm/s into floor and wall at once, bounce 0.5: (-20, 10, 22.5)."""
    wall = Box(name="wall", size=(0.1, 2.0, 1.0), position=(0.55, 0.0, 0.5))
    v, t = np.array([0.4, 0.1, -0.45]), 0.1
    start = np.array([0.45, 0.0, 0.05]) - v * t
    world = world_of(
        [Ground(), wall, _ball(as_triple(start), as_triple(v))], gravity=NO_GRAVITY
    )

    world.run(0.2)

    assert_allclose(world.twist("ball")[:3], [-0.2, 0.1, 0.225], atol=1e-6)


@pytest.mark.capability("AB-62", "AB-148")
def test_a_ball_gathers_speed_down_a_ramp_with_g_times_the_sine():
    """20 degrees, 1 s from rest: 335.5 cm/s along the slope, not 5/7 of it."""
    angle = np.radians(20.0)
    rise = 4.0 * np.tan(angle)
    ramp = Slope(name="ramp", plan=RectOutline(size=(4, 1)), h1=0.0, h2=rise)
    x = 1.8
    z = rise * (x + 2.0) / 4.0 + 0.05 / np.cos(angle)
    world = world_of([ramp, _ball((x, 0, z))])

    world.run(1.0)

    along = world.twist("ball")[:3] @ [-np.cos(angle), 0.0, -np.sin(angle)]
    assert_allclose(along, 9.81 * np.sin(angle), rtol=1e-3)
    assert_allclose(along, 3.3552, rtol=1e-3)


@pytest.mark.capability("AB-136", "AB-149")
def test_two_balls_exchange_the_parts_along_the_line_of_centres():
    """c2 - c1 along (2, 1, 0), v (3, 1, 0) and (-1, 0.5, 2), elastic, equal masses."""
    v1, v2 = 0.1 * np.array([3.0, 1.0, 0.0]), 0.1 * np.array([-1.0, 0.5, 2.0])
    n = np.array([2.0, 1.0, 0.0]) / np.sqrt(5.0)
    t = 0.05
    one = _ball(as_triple(-v1 * t), as_triple(v1), bounce=1.0, name="one")
    other = _ball(as_triple(0.1 * n - v2 * t), as_triple(v2), bounce=1.0, name="other")
    world = world_of([one, other], gravity=NO_GRAVITY)

    world.run(0.1)

    found = [world.twist(name)[:3] for name in ("one", "other")]
    assert_allclose(found[0], [-0.04, -0.07, 0.0], atol=1e-5)
    assert_allclose(found[1], [0.24, 0.22, 0.2], atol=1e-5)
    assert_allclose(found[0] + found[1], v1 + v2, atol=1e-12)
    assert_allclose(np.sum(np.square(found)), 0.1525, rtol=1e-9)


@pytest.mark.capability("AB-137")
def test_a_ball_rebounds_from_a_cuboid_that_stays_put():
    """1 m/s against 500 times its mass: bounce times 1 m/s, the cuboid within 0.1 mm."""
    cuboid = Cuboid(
        name="cuboid", size=(0.2, 0.2, 0.2), mass=5.0, position=(0.5, 0, 0.1)
    )
    ball = _ball((0.2, 0, 0.05), (1.0, 0, 0))
    world = world_of([Ground(), cuboid, ball])

    world.run(0.4)

    assert_allclose(world.twist("ball")[0], -0.5, rtol=0.02)
    assert abs(world.pose("cuboid")[0, 3] - 0.5) <= 1e-4


SUPPORTS: dict[str, tuple[WorldItem, float]] = {
    "floor": (Ground(), 0.0),
    "step": (Step(name="step", plan=RectOutline(size=(1, 1)), height=0.3), 0.3),
    "slice": (
        Slice(name="slice", plan=RectOutline(size=(1, 1)), bottom=0.2, top=0.25),
        0.25,
    ),
}


@pytest.mark.capability("AB-69", "AB-141")
@pytest.mark.parametrize("support", SUPPORTS)
def test_a_dropped_ball_rests_on_its_support(support: str):
    thing, height = SUPPORTS[support]
    world = world_of([thing, _ball((0.1, 0.2, height + 0.35))])
    deepest = 0.0

    for _ in range(300):
        world.step(10)
        deepest = max(deepest, deepest_overlap(world))

    assert_allclose(world.pose("ball")[:3, 3], [0.1, 0.2, height + 0.05], atol=1e-4)
    assert deepest <= 1e-4


@pytest.mark.capability("AB-68")
def test_a_ball_bounces_off_a_sphere_that_hangs_in_space():
    """Straight from above: bounce times the speed; from the side: off along the normal."""
    hanging = Sphere(name="hanging", radius=0.2, position=(0, 0, 1))
    world = world_of([hanging, _ball((0, 0, 1.35), (0, 0, -1))], gravity=NO_GRAVITY)
    aside = world_of([hanging, _ball((0.15, 0, 1.4), (0, 0, -1))], gravity=NO_GRAVITY)

    world.run(0.2)
    aside.run(0.4)

    assert_allclose(world.twist("ball")[:3], [0, 0, 0.5], atol=1e-9)
    n = np.array([0.15, 0.0, np.sqrt(0.25**2 - 0.15**2)]) / 0.25
    v = np.array([0.0, 0.0, -1.0])
    assert_allclose(aside.twist("ball")[:3], v - 1.5 * (v @ n) * n, atol=1e-4)
