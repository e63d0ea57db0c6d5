"""Honest contact: impacts at their instant, impulses by the law, no hops."""

# --8<-- [start:imports]
import mujoco
import numpy as np

from gelenk.sim import Ball, Cuboid, Ground, World, WorldConfig

# --8<-- [end:imports]

# --8<-- [start:steps]
e, height, g = 0.8, 1.0, 9.81


def rebound(step: float) -> float:
    """Return the height to which a ball dropped from 1 m rises again [m]."""
    with World(WorldConfig(step=step)) as world:
        world.add(Ground())
        world.add(
            Ball(
                name="ball",
                radius=0.05,
                mass=0.2,
                position=(0, 0, 0.05 + height),
                restitution=e,
            )
        )
        world.run(0.6)  # it is in the air again
        z, v = world.pose("ball")[2, 3] - 0.05, world.twist("ball")[2]
        return float(z + v**2 / (2 * g))


for step in (0.0005, 0.001, 0.002, 0.004):
    print(f"step {step * 1e3:.1f} ms: {rebound(step):.6f} m, exactly {e**2:.6f} m")
# --8<-- [end:steps]

# --8<-- [start:event]
world = World()
world.add(Ground(friction=0.3))
world.add(
    Ball(
        name="ball",
        radius=0.05,
        mass=0.2,
        position=(0, 0, 0.5),
        velocity=(8, 0, 0),
        friction=0.3,
        restitution=e,
    )
)
world.run(0.4)
(impact,) = world.impacts()
v_n = np.sqrt(2 * g * 0.45)
print(f"{impact.bodies} at {impact.time:.6f} s; the parabola says {v_n / g:.6f} s")
print("impulse [N s]:", impact.impulse.round(6))
# It slips to the end: friction gives mu times the normal impulse, no more.
p_n = 0.2 * (1 + e) * v_n
print("by the law:   ", np.array([-0.3 * p_n, 0.0, p_n]).round(6))
# The friction turns the ball: I omega = r p_t, with I = 2/5 m r^2.
omega = 0.05 * 0.3 * p_n / (0.4 * 0.2 * 0.05**2)
print(f"spin {world.twist('ball')[4]:.4f} rad/s, by the law {omega:.4f} rad/s")
# --8<-- [end:event]

# --8<-- [start:cradle]
cradle = World(WorldConfig(gravity=(0, 0, 0)))
for i in range(5):
    cradle.add(
        Ball(
            name=f"ball_{i}",
            radius=0.05,
            mass=0.2,
            position=(0.1 * i - (0.2 if i == 0 else 0.0), 0, 0),
            velocity=(2.0 if i == 0 else 0.0, 0, 0),
            friction=0.0,
            restitution=1.0,
        )
    )
cradle.run(0.3)
speeds = np.array([cradle.twist(f"ball_{i}")[0] for i in range(5)])
print("speeds after the blow [m/s]:", speeds.round(3) + 0.0)
# --8<-- [end:cradle]

# --8<-- [start:slide]
SLED = """
<mujoco>
  <option timestep="0.001" integrator="implicitfast" cone="elliptic" impratio="100"/>
  <default>
    <geom friction="0.5 0.005 0.0005" solref="0.004 1" solimp="0.95 0.99 0.001"/>
  </default>
  <worldbody>
    <geom type="plane" size="9 9 1"/>
    <body pos="0 0 0.05"><freejoint/>
      <geom type="box" size="0.1 0.1 0.05" mass="1"/></body>
  </worldbody>
</mujoco>"""


def lift_of_plain_mujoco(speed: float) -> float:
    """Return how far a sliding box leaves the floor in the engine as it is [m]."""
    model = mujoco.MjModel.from_xml_string(SLED)
    data = mujoco.MjData(model)
    data.qvel[0] = speed
    highest = 0.0
    for _ in range(500):
        mujoco.mj_step(model, data)
        highest = max(highest, data.qpos[2] - 0.05)
    return highest


def lift_of_gelenk(speed: float) -> float:
    """Return the same for a box in our world [m]."""
    with World() as world:
        world.add(Ground(friction=0.5))
        world.add(
            Cuboid(
                name="box",
                size=(0.2, 0.2, 0.1),
                mass=1.0,
                friction=0.5,
                position=(0, 0, 0.05),
                velocity=(speed, 0, 0),
            )
        )
        highest = 0.0
        for _ in range(500):
            world.step()
            highest = max(highest, world.pose("box")[2, 3] - 0.05)
        return highest


for speed in (3.0, 10.0):
    plain, ours = lift_of_plain_mujoco(speed), lift_of_gelenk(speed)
    print(f"{speed:4.0f} m/s: plain MuJoCo lifts {plain * 1e3:.0f} mm,", end=" ")
    print(f"ours {ours * 1e3:.1f} mm")
# --8<-- [end:slide]

# --8<-- [start:rest]
world = World()
world.add(Ground(friction=0.5))
world.add(
    Ball(
        name="ball",
        radius=0.05,
        mass=0.2,
        position=(0, 0, 0.3),
        restitution=0.9,
    )
)
world.run(10.0)
impacts = world.impacts()
last = impacts[-1].time
world.run(50.0)
still = np.abs(world.twist("ball")[:3]).max()
print(f"{len(impacts)} bounces, the last at {last:.2f} s; after 60 s", end=" ")
print(f"slower than 1e-9 m/s: {still < 1e-9}; bounces since: {len(world.impacts())}")
# --8<-- [end:rest]
