"""A box slides to a stop where Coulomb says; another one rides on a conveyor.

Sliding bodies stay on the ground, so the stopping distance is v^2 / (2 mu g). The belt
pulls by friction only: the box needs v / (mu g) to reach its speed, and drifts to the
middle line meanwhile.
"""

from __future__ import annotations

from gelenk.sim import Conveyor, Cuboid, Ground, World
from gelenk.sim.objects import RectOutline

GRAVITY = 9.81
SPEED, FRICTION = 4.0, 0.4  # of the sliding box [m/s]
BELT_SPEED = 0.6  # [m/s]


def make_world() -> World:
    """Return a floor with a sliding box, and a belt with a standing one."""
    world = World()
    world.add(Ground(friction=FRICTION))
    sliding = {"size": (0.2, 0.2, 0.1), "mass": 1.0, "friction": FRICTION}
    world.add(
        Cuboid(name="sled", position=(0, 2, 0.05), velocity=(SPEED, 0, 0), **sliding)
    )
    plan = RectOutline(center=(0.0, 0.0), size=(4.0, 0.6))
    world.add(
        Conveyor(
            name="belt",
            plan=plan,
            h1=0.4,
            h2=0.4,
            speed=BELT_SPEED,
            to_middle_speed=0.1,
            friction=FRICTION,
        )
    )
    world.add(Cuboid(name="parcel", position=(-1.5, 0.15, 0.45), **sliding))
    return world


def main(headless: bool = False, steps: int | None = None) -> None:
    """Watch both for two seconds, then stop the belt."""
    world = make_world()
    ticks = steps or 2000
    highest = 0.0
    for _ in range(ticks // 10):
        world.step(10)
        highest = max(highest, world.pose("sled")[2, 3] - 0.05)
    way, exact = world.pose("sled")[0, 3], SPEED**2 / (2.0 * FRICTION * GRAVITY)
    print(f"sled: {way:.3f} m, by Coulomb {exact:.3f} m; lifted {highest * 1e3:.2f} mm")
    v, y = world.twist("parcel")[0], world.pose("parcel")[1, 3]
    print(f"parcel: {v:.3f} m/s on a belt of {BELT_SPEED} m/s, {y * 1e3:.1f} mm off")
    world.command_conveyor("belt", running=False)
    world.run(0.5)
    print(f"belt stopped: parcel at {abs(world.twist('parcel')[0]):.3f} m/s")


if __name__ == "__main__":
    main()
