"""Balls that fall, bounce off obstacles and strike each other, by the paper's rules.

Each row of the paper's rules is measured in a cell made of environment text, in cm.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose

from armbot_probe import cell, center, deepest, follow, throw, velocity

G = 981.0  # [cm/s^2]
BALL = "BALL 0 0 {z} 5 0 {bounce} FF0000"


@pytest.mark.capability("AB-69", "AB-145")
def test_a_ball_falls_freely():
    world = cell("BALL 0 0 200 5 0 0.5 FF0000")

    world.run(0.5)

    assert velocity(world, "ball_1")[2] == pytest.approx(-G * 0.5, rel=1e-3)
    path = 200.0 - center(world, "ball_1")[2]
    assert path == pytest.approx(0.5 * G * 0.25, rel=5e-3)


def test_gravity_is_taken_share_by_share():
    """Each step adds g h, no more and no less."""
    world = cell("BALL 0 0 200 5 0 0.5 FF0000")

    speeds = follow(world, 0.02, lambda: velocity(world, "ball_1")[2])

    assert_allclose(np.diff(speeds), -G * 1e-3, rtol=1e-9)


@pytest.mark.capability("AB-71", "AB-135", "AB-146")
def test_the_speed_into_the_floor_is_damped_and_that_along_it_kept():
    world = cell("BALL 0 0 8 5 0 0.5 FF0000", gravity=0.0)
    throw(world, "ball_1", (30.0, 0.0, -40.0))

    world.run(0.2)

    v = velocity(world, "ball_1")
    assert v[0] == pytest.approx(30.0, rel=1e-2)
    assert v[2] == pytest.approx(20.0, rel=2e-2)


@pytest.mark.capability("AB-71")
@pytest.mark.parametrize("bounce", [0.3, 0.5, 0.8, 0.95])
def test_rebounds_have_the_height_of_the_bounce_squared(bounce: float):
    world = cell(BALL.format(z=105, bounce=bounce))
    up = float(np.sqrt(2.0 * 100.0 / G))

    heights = np.array(
        follow(world, up * (1.0 + 2.0 * bounce + 2.0 * bounce**2), lambda: center(world, "ball_1")[2])
    )  # fmt: skip
    heights -= 5.0
    inner = heights[1:-1]
    peaks = inner[(inner > heights[:-2]) & (inner >= heights[2:])]

    assert peaks[0] == pytest.approx(100.0 * bounce**2, rel=3e-2)
    if bounce >= 0.5:
        assert peaks[1] == pytest.approx(100.0 * bounce**4, rel=6e-2)


@pytest.mark.capability("AB-142", "AB-147")
def test_in_a_corner_both_parts_are_turned_and_both_contacts_met():
    world = cell(
        "BALL 14 0 9.5 5 0 0.5 FF0000\nSTEP 40 808080\nRECT 25 0 10 100\nENDSTEP",
        gravity=0.0,
    )
    throw(world, "ball_1", (40.0, 10.0, -45.0))

    world.run(0.15)  # 1 cm to the wall and 4.5 cm to the floor

    blows = [set(blow.bodies) for blow in world.impacts()]
    assert blows == [{"ball_1", "step_1"}, {"ball_1", "ground"}]
    assert_allclose(velocity(world, "ball_1"), [-20.0, 10.0, 22.5], rtol=2e-2)


@pytest.mark.capability("AB-142", "AB-147")
def test_two_contacts_of_the_same_moment_are_both_answered():
    world = cell(
        "BALL 14 0 6.125 5 0 0.5 FF0000\nSTEP 40 808080\nRECT 25 0 10 100\nENDSTEP",
        gravity=0.0,
    )
    throw(world, "ball_1", (40.0, 10.0, -45.0))

    world.run(0.1)

    blows = world.impacts()
    assert len(blows) == 2
    assert abs(blows[0].time - blows[1].time) < 1e-6
    assert_allclose(velocity(world, "ball_1"), [-20.0, 10.0, 22.5], rtol=2e-2)


@pytest.mark.slow
@pytest.mark.capability("AB-187", "AB-X02")
def test_bounces_get_lower_and_end_without_hopping():
    world = cell(BALL.format(z=55, bounce=0.8))

    world.run(7.0)
    speeds = [blow.speed for blow in world.impacts()]
    assert len(speeds) > 10
    assert all(later < earlier for earlier, later in pairwise(speeds))

    heights = follow(world, 10.0, lambda: world.positions(("ball_1",))[0, 2] * 100.0)
    assert np.ptp(heights) < 1e-4
    assert abs(heights[-1] - 5.0) < 0.05


@pytest.mark.slow
@pytest.mark.capability("AB-X01")
@pytest.mark.parametrize("bounce", [0.5, 0.8, 1.0])
def test_a_ball_on_two_edges_stays_and_gains_no_energy(bounce: float):
    """Two parallel edges 6 cm apart, r = 5: at rest 4 cm over the edges."""
    trough = "STEP 20 808080\nRECT {x} 0 10 60\nENDSTEP\n"
    world = cell(
        trough.format(x=-8) + trough.format(x=8) + BALL.format(z=24, bounce=bounce)
    )

    start = world.energy()
    seen = follow(world, 5.0, lambda: (*world.positions(("ball_1",))[0], world.energy()))  # fmt: skip

    places, energies = 100.0 * np.array(seen)[2000:, :3], np.array(seen)[:, 3]
    assert np.ptp(places, axis=0).max() < 1e-4
    assert abs(places[-1, 2] - 24.0) < 0.05
    assert energies.max() <= start
    assert np.diff(energies).max() <= 1e-9 * start


@pytest.mark.capability("AB-X16")
def test_a_ball_in_a_groove_rests_on_both_faces_at_once():
    """Two faces at 45 degrees: the centre is r / sin 45 over the bottom line."""
    world = cell(
        "SLOPE 30 0 x 808080\nRECT -15 0 30 60\nENDSLOPE\n"
        "SLOPE 0 30 x 808080\nRECT 15 0 30 60\nENDSLOPE\n"
        "BALL 1 0 10 5 0 0 FF0000"
    )

    world.run(3.0)

    x, _, z = center(world, "ball_1")
    assert x == pytest.approx(0.0, abs=0.01)
    assert z == pytest.approx(5.0 * np.sqrt(2.0), abs=0.01)
    touched = {body for one in world.contacts() for body in one.bodies}
    assert {"slope_1", "slope_2"} <= touched
    assert np.abs(velocity(world, "ball_1")).max() < 1e-3


@pytest.mark.capability("AB-136", "AB-149")
@pytest.mark.parametrize("bounce", [0.0, 0.5])
def test_two_balls_swap_their_speeds_along_the_line_of_centres(bounce: float):
    """The paper's formula with the normal at the time of impact; bounce is not asked."""
    world = cell(
        f"BALL 0 0 50 5 0 {bounce} FF0000\nBALL 10 5 50 5 0 {bounce} 00FF00",
        gravity=0.0,
    )
    v1, v2 = np.array([30.0, 10.0, 0.0]), np.array([-10.0, 5.0, 20.0])
    throw(world, "ball_1", v1)
    throw(world, "ball_2", v2)

    world.run(0.3)

    d, u = np.array([10.0, 5.0, 0.0]), v2 - v1
    b, c = d @ u, d @ d - 100.0
    time = (-b - np.sqrt(b * b - (u @ u) * c)) / (u @ u)
    n = (d + time * u) / 10.0
    swap = ((v1 - v2) @ n) * n
    found = velocity(world, "ball_1"), velocity(world, "ball_2")
    fastest = float(max(np.linalg.norm(v1), np.linalg.norm(v2)))
    assert_allclose(found, [v1 - swap, v2 + swap], atol=0.02 * fastest)
    assert_allclose(found[0] + found[1], v1 + v2, atol=0.005 * fastest)
    squares = found[0] @ found[0] + found[1] @ found[1]
    assert squares == pytest.approx(v1 @ v1 + v2 @ v2, rel=5e-3)


@pytest.mark.capability("AB-X18")
def test_balls_of_unequal_mass_keep_energy_and_momentum():
    world = cell(
        "MASS 0.03\nBALL 0 0 50 5 0 0.5 FF0000\nMASS 0.01\nBALL 20 0 50 5 0 0.5 00FF00",
        gravity=0.0,
    )
    throw(world, "ball_1", (40.0, 0.0, 0.0))

    world.run(0.5)

    # textbook: (m1 - m2) / (m1 + m2) v and 2 m1 / (m1 + m2) v
    assert velocity(world, "ball_1")[0] == pytest.approx(20.0, rel=5e-3)
    assert velocity(world, "ball_2")[0] == pytest.approx(60.0, rel=5e-3)


def test_many_balls_of_many_bounces_share_one_rule():
    """The table of pairs grows with the number of bounces, not of balls."""
    text = "\n".join(
        f"BALL {12 * (i % 8)} {12 * (i // 8)} 5 5 0 {0.1 * (i % 10)} FF0000"
        for i in range(64)
    )
    world = cell(text)
    world.step()

    table = world._compiled().banks.contact.restitution
    assert table.shape[0] <= 12


@pytest.mark.capability("AB-68", "AB-135")
def test_a_ball_bounces_off_a_floating_sphere_along_the_line_of_centres():
    world = cell("SPHERE 0 0 50 10 808080\nBALL 3 0 90 5 0 1 FF0000", gravity=0.0)
    throw(world, "ball_1", (0.0, 0.0, -50.0))

    world.run(1.0)

    n = np.array([3.0, 0.0, np.sqrt(15.0**2 - 3.0**2)]) / 15.0
    v = np.array([0.0, 0.0, -50.0])
    assert_allclose(velocity(world, "ball_1"), v - 2.0 * (v @ n) * n, atol=1.0)


@pytest.mark.capability("AB-69", "AB-132", "AB-141")
@pytest.mark.parametrize("bounce", [0.0, 0.5, 0.95])
def test_a_ball_never_goes_deeper_than_a_step_takes_it(bounce: float):
    world = cell(BALL.format(z=105, bounce=bounce) + "\nBALL 30 0 205 5 0 0.9 00FF00")

    depths = follow(world, 1.5, lambda: deepest(world))

    assert max(depths) <= 600.0 * 1e-3 + 0.1
    lowest = min(center(world, "ball_1")[2], center(world, "ball_2")[2])
    assert lowest > 5.0 - 0.1
