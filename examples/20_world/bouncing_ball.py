"""A ball bounces as its coefficient says: height after height, to the micrometre.

A ball that falls from h rises to e^2 h, then to e^4 h, and so on. The engine's step is
1 ms, but impacts happen when they happen: each is found within the tick and reported
with its time and its impulse.
"""

from __future__ import annotations

from gelenk.sim import Ball, Ground, World

HEIGHT, RESTITUTION, RADIUS, GRAVITY = 1.0, 0.8, 0.05, 9.81


def main(headless: bool = False, steps: int | None = None) -> None:
    """Drop the ball and compare the tops of its rebounds with the law."""
    world = World()
    world.add(Ground())
    world.add(
        Ball(
            name="ball",
            radius=RADIUS,
            mass=0.2,
            position=(0.0, 0.0, HEIGHT + RADIUS),
            restitution=RESTITUTION,
        )
    )
    print("bounce   at [s]   impulse [N s]   rises to [m]   exactly [m]")
    worst = 0.0
    for bounce in range(1, (steps or 8) + 1):
        while not (impacts := world.impacts()):
            world.step()
        # In the air, z + v^2 / 2 g is the height of the coming top.
        z, v = world.pose("ball")[2, 3] - RADIUS, world.twist("ball")[2]
        top, exact = z + v**2 / (2.0 * GRAVITY), HEIGHT * RESTITUTION ** (2 * bounce)
        worst = max(worst, abs(top - exact))
        impulse = impacts[0].impulse[2]
        time = impacts[0].time
        print(f"{bounce:6} {time:8.4f} {impulse:15.4f} {top:14.6f} {exact:13.6f}")
    print(f"largest error: below a micrometre: {worst < 1e-6}")
    assert worst < 1e-6


if __name__ == "__main__":
    main()
