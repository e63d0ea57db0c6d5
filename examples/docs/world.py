"""The world: objects, robots with motors and sensors, zones, snapshots."""

# --8<-- [start:imports]
import numpy as np

import gelenk
from gelenk.errors import GelenkError
from gelenk.sim import (
    Ball,
    Conveyor,
    Cuboid,
    Ground,
    IdealMotor,
    PositionServo,
    Rect,
    Robot,
    World,
)
from gelenk.sim.sensors import Encoder, ForceTorque, SensorModel
from gelenk.sim.zones import Barrier, Circle

# --8<-- [end:imports]

# --8<-- [start:bounce]
world = World(seed=7)
world.add(Ground())
world.add(
    Ball(name="ball", radius=0.05, mass=0.2, position=(0, 0, 1.05), restitution=0.8)
)

heights = []  # of the underside, at the top of each rebound [m]
for _ in range(5):
    while not (impacts := world.impacts()):
        world.step()
    z, v = world.pose("ball")[2, 3] - 0.05, world.twist("ball")[2]
    heights.append(z + v**2 / (2 * 9.81))
    print(f"impact at {impacts[0].time:.6f} s with {impacts[0].speed:.4f} m/s")

print("rebounds to", np.round(heights, 6), "m")
print("exactly    ", np.round(0.8 ** (2.0 * np.arange(1, 6)), 6), "m")
# --8<-- [end:bounce]

# --8<-- [start:belt]
hall = World()
hall.add(Ground(friction=0.5))
hall.add(
    Cuboid(
        name="sliding",
        size=(0.2, 0.2, 0.1),
        mass=1.0,
        friction=0.5,
        position=(0, 2, 0.05),
        velocity=(3, 0, 0),
    )
)
hall.add(
    Conveyor(
        name="belt",
        plan=Rect(center=(0, 0), size=(4.0, 0.5)),
        h1=0.3,
        h2=0.3,
        speed=0.5,
        to_middle_speed=0.1,
    )
)
hall.add(
    Cuboid(name="parcel", size=(0.1, 0.1, 0.1), mass=0.5, position=(-1.8, 0.12, 0.35))
)
hall.run(2.0)

way, height = hall.pose("sliding")[0, 3], hall.pose("sliding")[2, 3]
print(f"slid {way:.2f} m; Coulomb says {3**2 / (2 * 0.5 * 9.81):.2f} m")
print(f"parcel: {hall.twist('parcel')[0]:.3f} m/s along the belt,", end=" ")
print(f"{abs(hall.pose('parcel')[1, 3]) * 1e3:.0f} mm off its middle")

hall.command_conveyor("belt", running=False)
hall.run(0.5)
print(f"belt stopped: {abs(hall.twist('parcel')[0]):.3f} m/s")
# --8<-- [end:belt]

# --8<-- [start:robot]
strong = Robot(
    name="strong", model=gelenk.load("panda"), motors=IdealMotor(max_speed=1.0)
)
servo = PositionServo(kp=600.0, kd=60.0, torque_limit=90.0)  # [N m/rad], [N m s/rad]
T_world_servant = np.eye(4)
T_world_servant[1, 3] = 2.0
servant = Robot(
    name="servant",
    model=gelenk.load("panda"),
    T_world_base=T_world_servant,
    motors=servo,
    colliding_links=("link_5", "link_6", "link_7", "hand"),
    sensors={
        "angles": Encoder(
            model=SensorModel(rate=100.0, latency=0.005, quantisation=1e-3)
        ),
        "wrist": ForceTorque(link="link_7", model=SensorModel(noise=0.2)),
    },
)
cell = World(seed=7)
for item in (Ground(), strong, servant):
    cell.add(item)

q = gelenk.load("panda").home_configuration + 0.3  # [rad]
for robot in ("strong", "servant"):
    cell.command(robot, q)
cell.run(3.0)
for robot in ("strong", "servant"):
    sag = np.abs(cell.joint_positions(robot) - q).max()
    print(f"{robot}: {sag:.4f} rad from its target")
# --8<-- [end:robot]

# --8<-- [start:sensors]
angles = cell.read("servant/angles")
print(f"now {cell.time:.3f} s, sample of {angles.time:.3f} s, valid: {angles.is_valid}")
print("angles [rad]:", angles.value.round(6))
print("force at the wrist [N]:", cell.read("servant/wrist").value[:3].round(1))
# --8<-- [end:sensors]

# --8<-- [start:zones]
lane = World()
lane.add(Ground())
lane.add(
    Ball(name="red", radius=0.05, mass=0.2, position=(0, 0, 0.05), velocity=(1, 0, 0))
)
lane.add(Barrier(name="gate", start=(0.3, -1), end=(0.3, 1)))  # seen going along x
lane.add(Circle(name="target", on="enter", center=(0.8, 0), radius=0.1, watches="ball"))
lane.run(2.0)
for event in lane.zone_events():
    print(f"{event.time:.3f} s: {event.item} in {event.zone}")
# --8<-- [end:zones]

# --8<-- [start:snapshot]
before = cell.snapshot()
cell.run(0.5)
once = cell.state_hash()

cell.restore(before)
cell.run(0.5)
print("the same bits again:", cell.state_hash() == once)
# --8<-- [end:snapshot]

# --8<-- [start:names]
try:
    cell.pose("servant/link_77")
except GelenkError as error:
    print(str(error)[:70], "...")
# --8<-- [end:names]
