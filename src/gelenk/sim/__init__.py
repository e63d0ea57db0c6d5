"""Simulated world: bodies, contacts, motors, sensors, cameras, zones and faults.

Describe things as plain data, add them to a `World`, step it and read it. Same seed,
same bits. MuJoCo computes smooth motion; bounces, gears, belts, grasps and closed
chains are computed here. `objects`, `motors`, `sensors` hold further descriptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.sim import motors as motors
    from gelenk.sim import objects as objects
    from gelenk.sim import sensors as sensors
    from gelenk.sim.cameras.boards import Chessboard as Chessboard
    from gelenk.sim.cameras.description import Camera as Camera
    from gelenk.sim.cameras.description import Light as Light
    from gelenk.sim.cameras.description import looking_at as looking_at
    from gelenk.sim.config import WorldConfig as WorldConfig
    from gelenk.sim.faults import Fault as Fault
    from gelenk.sim.faults import random_faults as random_faults
    from gelenk.sim.fixed_objects import Box as Box
    from gelenk.sim.fixed_objects import Conveyor as Conveyor
    from gelenk.sim.fixed_objects import Cylinder as Cylinder
    from gelenk.sim.fixed_objects import Ground as Ground
    from gelenk.sim.fixed_objects import HeightField as HeightField
    from gelenk.sim.fixed_objects import Sphere as Sphere
    from gelenk.sim.motors.descriptions import DCGearMotor as DCGearMotor
    from gelenk.sim.motors.descriptions import PositionServo as PositionServo
    from gelenk.sim.motors.descriptions import TorqueServo as TorqueServo
    from gelenk.sim.motors.direct import IdealMotor as IdealMotor
    from gelenk.sim.motors.direct import TorqueMotor as TorqueMotor
    from gelenk.sim.motors.direct import VelocityServo as VelocityServo
    from gelenk.sim.robot import Gripper as Gripper
    from gelenk.sim.robot import Robot as Robot
    from gelenk.sim.scene_object import Ball as Ball
    from gelenk.sim.scene_object import Cuboid as Cuboid
    from gelenk.sim.sensors.descriptions import Encoder as Encoder
    from gelenk.sim.sensors.descriptions import Imu as Imu
    from gelenk.sim.sensors.descriptions import RangeSensor as RangeSensor
    from gelenk.sim.world import World as World
    from gelenk.sim.zones import CircleZone as CircleZone
    from gelenk.sim.zones import LightBarrier as LightBarrier

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
