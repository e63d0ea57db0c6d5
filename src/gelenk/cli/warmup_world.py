"""Small world with one of each: `gelenk warmup` compiles it, tests go through it.

A hand on a mast, each of its joints with another kind of motor and all kinds of
sensors on it, a ball that bounces, a box on a belt that the hand may hold, zones, a
camera, and a fault.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel
    from gelenk.sim.world import World

FAULT_START = 0.05  # [s]
FINGERS = ("left", "right")


def make_world(seed: int = 0, step: float = 0.001) -> World:
    """Return the world, ready to be stepped."""
    from gelenk.sim.cameras.description import Camera, SensorNoise, looking_at
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.faults import Fault
    from gelenk.sim.fixed_objects import Conveyor, Ground
    from gelenk.sim.objects import RectOutline
    from gelenk.sim.scene_object import Ball, Cuboid
    from gelenk.sim.world import World
    from gelenk.sim.zones import CircleZone, LightBarrier
    from gelenk.vision.camera import Intrinsics

    world = World(WorldConfig(step=step), seed=seed)
    world.add(Ground())
    world.add(make_hand())
    belt = RectOutline(center=(0.0, 0.5), size=(1.0, 0.3))
    world.add(Conveyor(name="belt", plan=belt, h1=0.1, h2=0.1, speed=0.2))
    size = (0.05, 0.06, 0.07)
    world.add(Cuboid(name="held", size=size, mass=0.1, position=(0.0, 0.0, 0.8)))
    world.add(Cuboid(name="box", size=size, mass=0.1, position=(0.0, 0.5, 0.14)))
    for number in range(2):
        world.add(
            Ball(
                name=f"ball_{number}",
                radius=0.05,
                mass=0.2,
                restitution=0.8,
                position=(0.5, 0.02 * number, 0.1 + 0.12 * number),
                angular_velocity=(0.0, 10.0, 0.0),
            )
        )
    world.add(CircleZone(name="round", on="enter", center=(0.5, 0.0), radius=0.1))
    world.add(LightBarrier(name="gate", start=(0.05, 0.8), end=(0.05, 0.2)))
    world.add(
        Camera(
            name="eye",
            intrinsics=Intrinsics(
                width=64,
                height=48,
                fx=60.0,
                fy=60.0,
                cx=31.5,
                cy=23.5,
                distortion=(0.01, 0.0, 0.0, 0.0, 0.0),
            ),
            T_parent_camera=looking_at((2.0, 0.0, 1.0), (0.0, 0.0, 0.5)),
            blur=0.5,
            noise=SensorNoise(),
        )
    )
    for kind, target in (
        ("motor_dead", "hand/turn"),
        ("sensor_noisy", "hand/encoders"),
    ):
        world.add(
            Fault(kind=kind, target=target, start=FAULT_START, amount=0.01)  # type: ignore[arg-type]
        )
    return world


def make_hand() -> Any:
    """Return the robot of the world: lift, turn, tilt, and two fingers."""
    from gelenk.sim.motors.descriptions import (
        Backlash,
        DCGearMotor,
        Friction,
        IdealMotor,
        PositionServo,
        TorqueServo,
    )
    from gelenk.sim.robot import Gripper, Robot

    drive: dict[str, float] = {
        "stall_torque": 8.0,
        "no_load_speed": 7.0,
        "nominal_voltage": 12.0,
        "stall_current": 4.0,
        "rotor_inertia": 0.01,
    }
    strong = IdealMotor(max_speed=0.5)
    return Robot(
        name="hand",
        model=hand_model(),
        motors={
            "lift": strong,
            "turn": TorqueServo(
                **drive,  # type: ignore[arg-type]
                friction=Friction(coulomb=0.1, static=0.2),
                backlash=Backlash(half_gap=0.01, stiffness=200.0, damping=4.0),
                latency=0.004,
            ),
            "tilt": PositionServo(kp=300.0, kd=20.0, torque_limit=50.0),
            "roll": DCGearMotor(**drive, back_drive_torque=5.0),  # type: ignore[arg-type]
            "left_slide": strong,
            "right_slide": strong,
        },
        sensors=_sensors(),
        grippers=(Gripper(base="palm", fingers=FINGERS),),
        q=np.array([0.8, 0.0, 0.0, 0.0, 0.0, 0.0]),
    )


def _sensors() -> dict[str, Any]:
    from gelenk.sim.sensors.descriptions import (
        Encoder,
        ForceTorque,
        Imu,
        MotorCurrent,
        MotorTemperature,
        Potentiometer,
        RangeSensor,
        SensorModel,
        TouchSwitch,
    )

    return {
        "encoders": Encoder(model=SensorModel(latency=0.003, noise=1e-3)),
        "angle": Potentiometer(joint="tilt", low=-1.0, high=1.0),
        "currents": MotorCurrent(joints=("turn", "roll")),
        "warmth": MotorTemperature(joints=("turn", "roll")),
        "skin": TouchSwitch(links=FINGERS, threshold=0.5),
        "imu": Imu(link="palm"),
        "distance": RangeSensor(link="palm"),
        "wrist": ForceTorque(link="palm"),
    }


def hand_model() -> RobotModel:
    """Return a mast with a lift, a wrist of three axes, a palm and two fingers."""
    from gelenk.models.assembler import assemble
    from gelenk.models.link import Geometry, JointType, Link

    def link(
        name: str, parent: str, joint: str, axis: tuple[int, int, int], **more: Any
    ) -> Link:
        kind = JointType.REVOLUTE if joint in wrist else JointType.PRISMATIC
        return Link(
            name=name,
            parent=parent,
            joint=joint,
            joint_type=kind,
            axis=axis,
            mass=0.3,
            inertia=np.eye(3) * 1e-3,
            **more,
        )

    def finger(name: str, side: int) -> Link:
        T = np.eye(4)
        T[0, 3] = 0.08 * side
        pad = Geometry(
            kind="box", size=(0.02, 0.06, 0.06), T_link_geometry=T, role="collision"
        )
        return link(name, "palm", f"{name}_slide", (-side, 0, 0), geometry=(pad,))

    wrist = ("turn", "tilt", "roll")
    return assemble(
        "hand",
        [
            Link(name="mast"),
            link("carriage", "mast", "lift", (0, 0, 1)),
            link("fork", "carriage", "turn", (0, 0, 1)),
            link("yoke", "fork", "tilt", (0, 1, 0)),
            link("palm", "yoke", "roll", (1, 0, 0)),
            finger("left", -1),
            finger("right", 1),
        ],
    )


def step_world(ticks: int = 100) -> None:
    """Step the world and look at everything in it, images included if possible."""
    from gelenk.sim.cameras.gl import RenderError

    with make_world() as world:
        closed = [np.nan, np.nan, 0.1, 50.0, 0.05, 0.05]
        world.command("hand", closed)
        world.step(ticks)
        for sensor in _sensors():
            world.read(f"hand/{sensor}")
        for look in (world.contacts, world.impacts, world.zone_events, world.energy):
            look()
        world.twist("held")
        world.place("box", world.pose("box"))
        world.restore(world.snapshot())
        world.state_hash()
        try:
            world.image("eye")
        except RenderError:  # `gelenk doctor` says what is missing
            return
