"""One moment, several futures: what if the ball had been hit a little harder?

A snapshot holds the whole state of a world. Restored, the world goes on bit by bit as
if it had never stopped; pushed in between, it takes another way.
"""

from __future__ import annotations

import numpy as np

from gelenk.sim import Ball, Ground, World

RADIUS = 0.0286  # [m], of a pool ball


def make_table(seed: int) -> World:
    """Return a triangle of ten balls and the white one."""
    world = World(seed=seed)
    world.add(Ground(friction=0.2))
    balls = [("white", -0.5, 0.0)]
    for row in range(4):
        for i in range(row + 1):
            x, y = row * np.sqrt(3.0) * RADIUS * 1.02, (2 * i - row) * RADIUS * 1.02
            balls.append((f"ball_{len(balls)}", x, y))
    for name, x, y in balls:
        world.add(
            Ball(
                name=name,
                radius=RADIUS,
                mass=0.17,
                position=(x, y, RADIUS),
                friction=0.1,
                restitution=0.95,
            )
        )
    return world


def main(headless: bool = False, steps: int | None = None) -> None:
    """Break three times from the same moment, and once more as the first time."""
    world = make_table(seed=3)
    world.run(0.1)
    before = world.snapshot()
    print(f"snapshot of tick {before.tick}: {before.nbytes / 1024:.0f} KiB")
    hashes: list[str] = []
    for speed in (3.0, 3.01, 5.0, 3.0):
        world.restore(before)
        T_world_white = world.pose("white")
        world.place("white", T_world_white, twist=[speed, 0.0, 0.0, 0.0, 0.0, 0.0])
        world.step(steps or 1000)
        hashes.append(world.state_hash())
        count, p = len(world.impacts()), world.pose("ball_10")[:2, 3]
        print(f"{speed:.2f} m/s: {count} impacts, the last ball is at {p.round(3)}")
    print("the same push gives the same bits:", hashes[0] == hashes[3])
    print("another push gives another state:", hashes[0] != hashes[1])
    assert hashes[0] == hashes[3]
    assert hashes[0] != hashes[1]


if __name__ == "__main__":
    main()
