"""The stand on which faults are tried: an arm with its computer, a boom, a heartbeat.

The arm has two torque servos, noisy encoders and a computer of its own, a process that
makes it sway and says in every control tick that it is alive. A watcher feeds a
watchdog with that. The boom has an ideal motor and is driven from here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gelenk.runtime.controller import PureController, View
from gelenk.runtime.process import ProcessController
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel
    from gelenk.sim.faults import Fault
    from gelenk.sim.world import World

PERIOD = 0.01  # [s] between control ticks
LATENCY = 0.01  # [s] of the encoders
NOISE = 1e-3  # [rad], standard deviation of the encoders
DEADLINE = 0.05  # [s] without a heartbeat
ROTOR_INERTIA = 0.01  # [kg m^2] of the arm's motors
BOOM_MASS, BOOM_LENGTH = 1.0, 0.5  # [kg], [m], a rod that turns about its end
_GAIN = 1.5  # share of the voltage per error [1/rad]
_TOP_SPEED = 7.6  # [rad/s] of the servos at full voltage
_ARM_SWAY, _ARM_RATE = 0.4, 1.0  # [rad], [1/s]
_BOOM_MIDDLE, _BOOM_SWAY, _BOOM_RATE = 1.0, 0.2, 0.5  # [rad], [rad], [1/s]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """The arm's computer is alive; `count` steps since it booted."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StandState:
    """Truth and readings at a control tick.

    Attributes:
        q, qd: Joint values [rad] and speeds [rad/s] of the arm, (2,).
        reading: Readings of its encoders [rad], (2,).
        reading_time: Time of their sample [s].
        current: Currents of its motors [A], (2,).
        boom: Angle from upright [rad] and speed [rad/s] of the boom, (2,).
    """

    q: FloatArray = field(metadata={"unit": "rad"})
    qd: FloatArray = field(metadata={"unit": "rad/s"})
    reading: FloatArray = field(metadata={"unit": "rad"})
    reading_time: float = field(metadata={"unit": "s"})
    current: FloatArray = field(metadata={"unit": "A"})
    boom: FloatArray


def arm_target(time: float | FloatArray) -> FloatArray:
    """Return where the arm shall be at a time [s], (..., 2)."""
    phase = 2.0 * math.pi * _ARM_RATE * np.asarray(time)[..., None]
    return _ARM_SWAY * np.sin(phase + np.array([0.0, 1.0]))


def _arm_speed(time: float) -> FloatArray:
    """Return how fast the arm's target moves at a time [s], (2,) [rad/s]."""
    omega = 2.0 * math.pi * _ARM_RATE
    return _ARM_SWAY * omega * np.cos(omega * time + np.array([0.0, 1.0]))


def boom_target(time: float | FloatArray) -> FloatArray:
    """Return where the boom shall be at a time [s]."""
    phase = 2.0 * math.pi * _BOOM_RATE * np.asarray(time)
    return _BOOM_MIDDLE + _BOOM_SWAY * np.sin(phase)


def think(
    cfg: float, count: int, observation: tuple[float, FloatArray]
) -> tuple[int, tuple[int, FloatArray]]:
    """Return heartbeat and commands of the arm's computer; runs in its process."""
    time, reading = observation
    error = np.nan_to_num(arm_target(time) - reading)
    share = cfg * error + _arm_speed(time) / _TOP_SPEED
    return count + 1, (count, np.clip(share, -1.0, 1.0))


def arm_model() -> RobotModel:
    """Return the arm."""
    return _chain("arm", ("shoulder", "elbow"), mass=0.2, length=0.2)


def make_world(faults: Sequence[Fault], seed: int, step: float) -> World:
    """Return the stand with faults that will strike it."""
    # Inside: the arm's computer needs no engine.
    from gelenk.sim.config import WorldConfig
    from gelenk.sim.motors.descriptions import IdealMotor, TorqueServo
    from gelenk.sim.robot import Robot
    from gelenk.sim.sensors.descriptions import Encoder, MotorCurrent, SensorModel
    from gelenk.sim.world import World

    servo = TorqueServo(
        stall_torque=8.0,
        no_load_speed=_TOP_SPEED,
        nominal_voltage=14.8,
        stall_current=4.0,
        rotor_inertia=ROTOR_INERTIA,
    )
    encoders = Encoder(model=SensorModel(latency=LATENCY, noise=NOISE))
    world = World(WorldConfig(step=step), seed=seed)
    world.add(
        Robot(
            name="arm",
            model=arm_model(),
            motors=servo,
            sensors={"encoders": encoders, "currents": MotorCurrent()},
            q=arm_target(0.0),
        )
    )
    aside = np.eye(4)
    aside[1, 3] = 2.0
    world.add(
        Robot(
            name="boom",
            model=_chain("boom", ("hinge",), mass=BOOM_MASS, length=BOOM_LENGTH),
            motors=IdealMotor(max_speed=20.0, interpolate=True),
            T_world_base=aside,
            q=np.array([boom_target(0.0)]),
        )
    )
    for fault in faults:
        world.add(fault)
    return world


def make_controllers() -> list[PureController | ProcessController]:
    """Return the arm's computer, the drive of the boom, and the watcher."""
    brain = PureController(
        name="brain",
        step=think,
        cfg=_GAIN,
        initial=0,
        observe=lambda view: (view.time, view.world.read("arm/encoders").value),
        apply=_act,
        robot="arm",
        provides={"heartbeat": Heartbeat},
    )
    drive = PureController(
        name="boom_drive",
        step=lambda cfg, state, time: (state, [float(boom_target(time))]),
        cfg=None,
        initial=None,
        observe=lambda view: view.time,
        apply=lambda view, command: view.world.command("boom", command),
        robot="boom",
    )
    watcher = PureController(
        name="watcher",
        step=lambda cfg, last, beat: (beat, beat is not last),
        cfg=None,
        initial=None,
        observe=lambda view: view.bus.latest("heartbeat"),
        apply=_feed,
        requires={"heartbeat": Heartbeat},
    )
    return [ProcessController(controller=brain), drive, watcher]


def publish_state(view: View) -> None:
    """Publish what is true and what is read now."""
    world = view.world
    reading = world.read("arm/encoders")
    state = StandState(
        q=world.joint_positions("arm"),
        qd=world.joint_velocities("arm"),
        reading=reading.value,
        reading_time=reading.time,
        current=world.read("arm/currents").value,
        boom=np.append(world.joint_positions("boom"), world.joint_velocities("boom")),
    )
    view.bus.publish("stand", state, sender="stand")


def _act(view: View, answer: tuple[int, Any]) -> None:
    count, command = answer
    view.world.command("arm", command)
    view.bus.publish("heartbeat", Heartbeat(count=count), sender="brain")


def _feed(view: View, is_new: bool) -> None:
    if is_new:
        view.watchdogs.feed("heartbeat")


def _chain(
    name: str, joints: tuple[str, ...], *, mass: float, length: float
) -> RobotModel:
    """Return rods on top of each other, upright at zero, that turn about y."""
    from gelenk.models.assembler import assemble
    from gelenk.models.link import JointType, Link

    across = mass * length**2 / 12.0
    links = [Link(name="base")]
    for number, joint in enumerate(joints):
        T_parent_joint = np.eye(4)
        T_parent_joint[2, 3] = length if number else 0.0
        links.append(
            Link(
                name=f"{joint}_rod",
                parent=links[-1].name,
                joint=joint,
                joint_type=JointType.REVOLUTE,
                T_parent_joint=T_parent_joint,
                axis=(0.0, 1.0, 0.0),
                mass=mass,
                com=(0.0, 0.0, 0.5 * length),
                inertia=np.diag([across, across, 0.01 * across]),
            )
        )
    return assemble(name, links)
