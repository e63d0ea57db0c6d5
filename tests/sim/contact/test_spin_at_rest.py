"""Rolling and spinning balls stay on the ground: their friction does not lift them."""

from __future__ import annotations

import pytest

from gelenk.sim import Ball, Ground, World, WorldConfig

STEPS = (0.0005, 0.001, 0.002, 0.004)


@pytest.mark.parametrize("step", STEPS)
def test_a_rolling_ball_that_can_bounce_does_not(step: float) -> None:
    with World(WorldConfig(step=step)) as world:
        world.add(Ground())
        world.add(
            Ball(
                name="ball",
                radius=0.05,
                mass=0.2,
                position=(0.0, 0.0, 0.05),
                velocity=(0.7, 0.0, 0.0),
                angular_velocity=(0.0, 14.0, 0.0),
                restitution=0.8,
            )
        )
        world.run(0.1)
        world.impacts()
        heights = []
        for _ in range(100):
            world.run(0.02)
            heights.append(world.pose("ball")[2, 3] - 0.05)

        assert world.impacts() == ()
        assert max(heights) < 1e-6


@pytest.mark.parametrize("spin", [(0.0, 0.0, 20.0), (-8.0, -49.0, 36.0)])
def test_spin_adds_no_bounce(spin: tuple[float, float, float]) -> None:
    """Each bounce has half the speed of the one before, down to the last."""
    with World() as world:
        world.add(Ground())
        world.add(
            Ball(
                name="ball",
                radius=0.05,
                mass=0.2,
                position=(0.0, 0.0, 0.55),
                angular_velocity=spin,
                restitution=0.5,
            )
        )
        world.run(4.0)
        speeds = [impact.speed for impact in world.impacts()]

    first = (2.0 * 9.81 * 0.5) ** 0.5
    # slower than 0.02 m/s nothing bounces; what follows is the landing
    expected = [first * 0.5**k for k in range(8)]
    assert speeds[:8] == pytest.approx(expected, rel=1e-3)
    assert len(speeds) <= 9
