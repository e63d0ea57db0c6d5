"""Cuboids fall, lie, stack, tip over edges, and are walls for balls; in cm."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from armbot_probe import CM, cell, center, deepest, follow, throw, tilt, velocity

STEP = "STEP 20 808080\nRECT 20 0 40 60\nENDSTEP\n"  # its edge is at x = 0
# a belt that stands, and ends at x = 0
BELT = "CONVEYOR 20 STOP 20 20 x 20 0 404040\nRECT 20 0 40 60\nENDCONVEYOR\n"


@pytest.mark.capability("AB-72", "AB-138", "AB-X05")
def test_a_cuboid_dropped_flat_neither_bounces_nor_turns():
    world = cell("CUBOID 0 0 34 8 8 8 00FF00")

    seen = np.array(
        follow(world, 1.5, lambda: (center(world, "cuboid_1")[2] - 4.0, tilt(world, "cuboid_1"), deepest(world)))
    )  # fmt: skip

    landed = int(np.argmax(seen[:, 0] < 0.1))
    assert 200 < landed < 300  # 30 cm take 247 ms
    assert seen[landed:, 0].max() < 0.2
    assert seen[:, 1].max() < 0.5
    assert seen[:, 2].max() < 0.5
    assert abs(seen[-1, 0]) < 0.05


@pytest.mark.capability("AB-138", "AB-X05", "AB-X06")
@pytest.mark.parametrize("support", [STEP, BELT])
@pytest.mark.parametrize("inside", [0.2, -0.2])
def test_a_cuboid_falls_exactly_if_its_centre_is_past_the_edge(
    support: str, inside: float
):
    world = cell(support + f"CUBOID {inside} 0 24 8 8 8 00FF00")

    world.run(2.0)

    if inside > 0.0:
        assert tilt(world, "cuboid_1") < 0.5
        assert center(world, "cuboid_1")[2] == pytest.approx(24.0, abs=0.05)
    else:
        assert center(world, "cuboid_1")[2] < 10.0


@pytest.mark.slow
@pytest.mark.capability("AB-X06")
def test_a_belt_carries_a_cuboid_until_its_centre_passes_the_end():
    """It starts to tip where its centre is over the end, not beyond."""
    world = cell(
        "CONVEYOR 20 RUN 20 20 x -10 0 404040\nRECT 20 0 40 60\nENDCONVEYOR\n"
        "CUBOID 10 0 24 8 8 8 00FF00"
    )

    seen = np.array(
        follow(world, 2.0, lambda: (center(world, "cuboid_1")[0], tilt(world, "cuboid_1")))
    )  # fmt: skip

    tipping = int(np.argmax(seen[:, 1] > 0.5))
    assert tipping > 0
    # at 10 cm/s it goes on for a moment while it begins to turn
    assert -1.5 < seen[tipping, 0] < 0.05
    before = seen[seen[:, 0] > 0.2, 1]
    assert before.max() < 0.5


@pytest.mark.capability("AB-X06")
def test_two_crossed_edges_touch_where_no_corner_does():
    """A cuboid with an edge down falls across a ridge: no corner is in the other."""
    world = cell(
        "SLOPE 0 20 x 808080\nRECT -20 0 40 60\nENDSLOPE\n"
        "SLOPE 20 0 x 808080\nRECT 20 0 40 60\nENDSLOPE\n"
        "CUBOID 0 0 60 40 4 4 00FF00"
    )
    half = 2.0 * np.sqrt(2.0)  # from its axis to an edge
    pose = world.pose("cuboid_1")
    c = np.cos(np.radians(45.0))
    pose[:3, :3] = [[1, 0, 0], [0, c, -c], [0, c, c]]
    pose[:3, 3] = CM * np.array([0.0, 3.0, 20.0 + half + 1.0])
    world.place("cuboid_1", pose)

    seen = follow(
        world,
        0.08,
        lambda: (
            center(world, "cuboid_1")[2] - half - 20.0,
            [one.position / CM for one in world.contacts()],
        ),
    )

    first = next(k for k, (_, points) in enumerate(seen) if points)
    # neither too early nor after a tick of falling more than there is contact
    assert abs(seen[first][0]) < 0.1
    for point in seen[first][1]:
        assert_allclose(point, [0.0, 3.0, 20.0], atol=0.1)
    lowest = min(gap for gap, _ in seen)
    assert lowest > -0.3


@pytest.mark.slow
@pytest.mark.capability("AB-X05")
def test_three_cuboids_stand_on_each_other():
    world = cell(
        "CUBOID 0 0 4.05 8 8 8 00FF00\nCUBOID 0.5 0 12.1 8 8 8 00FF00\n"
        "CUBOID 0 0.5 20.15 8 8 8 00FF00"
    )

    world.run(5.0)
    before = [center(world, f"cuboid_{k}") for k in (1, 2, 3)]
    world.run(5.0)

    for k, place in enumerate(before):
        assert place[2] == pytest.approx(4.0 + 8.0 * k, abs=0.05)
        assert tilt(world, f"cuboid_{k + 1}") < 0.5
        assert_allclose(center(world, f"cuboid_{k + 1}"), place, atol=0.01)


@pytest.mark.capability("AB-137")
@pytest.mark.parametrize("bounce", [0.5, 1.0])
def test_a_cuboid_is_a_wall_for_balls(bounce: float):
    world = cell(f"CUBOID 0 0 4 8 8 8 00FF00\nBALL -40 0 5 5 0 {bounce} FF0000")
    world.run(0.2)
    before = center(world, "cuboid_1")
    throw(world, "ball_1", (100.0, 0.0, 0.0))

    world.run(0.5)

    assert velocity(world, "ball_1")[0] == pytest.approx(-100.0 * bounce, rel=2e-2)
    world.run(1.0)
    assert_allclose(center(world, "cuboid_1"), before, atol=0.01)


@pytest.mark.capability("AB-X15")
def test_light_cuboids_are_set_in_motion_by_balls():
    """Central blow in free space: momentum and, with bounce 1, energy are kept."""
    world = cell(
        "MASS 0.4\nCUBOID 0 0 50 8 8 8 00FF00\nMASS 0.1\nBALL -40 0 50 5 0 1 FF0000",
        gravity=0.0,
        light_cuboids=True,
    )
    throw(world, "ball_1", (100.0, 0.0, 0.0))

    world.run(0.6)

    ball, cuboid = velocity(world, "ball_1"), velocity(world, "cuboid_1")
    assert_allclose(0.1 * ball + 0.4 * cuboid, [10.0, 0.0, 0.0], atol=1e-6)
    assert_allclose([ball[0], cuboid[0]], [-60.0, 40.0], rtol=1e-3)


@pytest.mark.capability("AB-X15")
def test_an_eccentric_blow_turns_a_light_cuboid_and_keeps_all_sums():
    world = cell(
        "MASS 0.4\nCUBOID 0 0 50 8 8 8 00FF00\nMASS 0.1\nBALL -40 3 50 5 0 1 FF0000",
        gravity=0.0,
        light_cuboids=True,
    )
    throw(world, "ball_1", (100.0, 0.0, 0.0))
    spin_before = -0.1 * 3.0 * 100.0  # about the cuboid's first place [kg cm^2/s]
    energy = world.energy()

    world.run(0.6)

    ball, cuboid = velocity(world, "ball_1"), velocity(world, "cuboid_1")
    assert_allclose(0.1 * ball + 0.4 * cuboid, [10.0, 0.0, 0.0], atol=1e-6)
    p = center(world, "ball_1") - [0, 0, 50], center(world, "cuboid_1") - [0, 0, 50]
    inertia = 0.4 * 8.0**2 / 6.0
    spin = (
        0.1 * np.cross(p[0], ball)[2]
        + 0.4 * np.cross(p[1], cuboid)[2]
        + inertia * world.twist("cuboid_1")[5]
    )
    assert spin == pytest.approx(spin_before, rel=1e-3)
    assert world.twist("cuboid_1")[5] < -1.0
    assert world.energy() == pytest.approx(energy, rel=1e-3)


@pytest.mark.capability("AB-X04")
def test_a_cylinder_stands_where_it_was_put():
    world = cell("CYLINDER 0 0 6 3 10 00FFFF")

    world.run(1.0)

    assert center(world, "cylinder_1")[2] == pytest.approx(5.0, abs=0.05)
