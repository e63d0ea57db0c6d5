"""The simulated place in which a NAO stands: free, on its feet, sandals off.

Nothing holds the torso. Weight, servos, elastic gears and their play decide how it
leans, and only the world knows; the robot has encoders, an accelerometer and cameras.
World axes: z up; the ground frame of the nominal robot, halfway between the soles with
x ahead, lies where `T_world_ground` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gelenk.dynamics.momentum import centre_of_mass
from gelenk.kinematics.forward import link_poses
from gelenk.models.link import Geometry
from gelenk.models.tree import RobotModel
from gelenk.robots.nao import config
from gelenk.robots.nao.checks.stance import (
    FOOT_X,
    FOOT_Y,
    Stand,
    mean_ground,
    resting_ground,
)
from gelenk.robots.nao.drives import servo_motors
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.joints import SIDES, Side, body_from_model, model_from_body
from gelenk.robots.nao.robot_with_errors import true_model
from gelenk.robots.nao.world import Level
from gelenk.sim.config import WorldConfig
from gelenk.sim.fixed_objects import Ground
from gelenk.sim.robot import Robot
from gelenk.sim.sensors.descriptions import Encoder, Imu
from gelenk.sim.surface import Surface
from gelenk.sim.world import Addable, World
from gelenk.spatial.se3 import inverse
from gelenk.typing import ArrayLike, FloatArray

STEP = 0.00025  # [s]: stiff loose gears that bear the whole weight chatter at 0.0005
SETTLE = 2.5  # [s] until a robot that was put down is at rest
_DROP = 0.001  # [m] above the ground at the start
_PAD = 0.01  # [m], height of the body that touches the ground
_FRICTION = 1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Standing:
    """A robot that stands, as it is and as it feels.

    Attributes:
        stand: The truth: readings, soles, floor, cameras.
        up: What its accelerometer reads at rest, torso's axes [m/s^2], (3,).
        speed: Of the torso [m/s]; it should be at rest.
    """

    stand: Stand
    up: FloatArray
    speed: float


def make_standing_world(
    errors: NaoErrors,
    command: ArrayLike,
    *,
    level: Level = 3,
    seed: int = 0,
    T_world_ground: FloatArray | None = None,
    extras: Sequence[Addable] = (),
) -> World:
    """Return a world with a NAO, just put down, whose motors hold a command.

    Args:
        errors: What is wrong with it.
        command: Body vector [rad], B-Human's signs, (22,).
        level: Of what is real, see `world.make_world`; encoders are exact.
        seed: Of all noise.
        T_world_ground: Where it is put down; by default at the origin.
        extras: Cameras, lights, paint.
    """
    raw = np.asarray(command, dtype=np.float64)
    held = true_model(errors, sandals=False)
    q = model_from_body(held, raw)
    T_torso_ground = resting_ground(_soles(held, q), centre_of_mass(held, q))
    T_world_base = inverse(T_torso_ground)
    T_world_base[2, 3] += _DROP
    if T_world_ground is not None:
        T_world_base = T_world_ground @ T_world_base
    model = _padded(true_model(errors, sandals=False, floats=True))
    start = np.array(model.home_configuration)
    start[-len(q) :] = q
    world = World(
        WorldConfig(step=STEP, gravity=(0.0, 0.0, -config.GRAVITY)), seed=seed
    )
    carpet = (0.16, 0.42, 0.20, 1.0)
    world.add(Ground(tile_rgba=(carpet, carpet)))
    world.add(
        Robot(
            name="nao",
            model=model,
            T_world_base=T_world_base,
            motors=servo_motors(errors, level=level),
            sensors={"encoders": Encoder(side="motor"), "imu": Imu(link="torso")},
            q=start,
            colliding_links=tuple(f"{side[0]}_sole" for side in SIDES),
            surface=Surface(friction=_FRICTION),
        )
    )
    for item in extras:
        world.add(item)
    world.command("nao", q, np.ones(len(q)))
    return world


def observe(world: World, errors: NaoErrors) -> Standing:
    """Return how the robot of a standing world stands now.

    Args:
        world: Made by `make_standing_world`.
        errors: Of its robot, for the order of its joints.
    """
    held = true_model(errors, sandals=False)
    T_world_torso = world.pose("nao/torso")
    T_torso_world = inverse(T_world_torso)
    soles: dict[Side, FloatArray] = {
        side: T_torso_world @ world.pose(f"nao/{side[0]}_sole") for side in SIDES
    }
    readings = np.asarray(world.read("nao/encoders").value)
    stand = Stand(
        readings=body_from_model(held, readings),
        soles=soles,
        T_torso_ground=mean_ground(soles, T_world_torso[2, :3]),
        T_torso_camera=T_torso_world @ world.pose("nao/camera_bottom"),
        T_torso_upper=T_torso_world @ world.pose("nao/camera_top"),
    )
    return Standing(
        stand=stand,
        up=np.asarray(world.read("nao/imu").value)[:3],
        speed=float(np.linalg.norm(world.twist("nao/torso")[:3])),
    )


def stand_still(
    errors: NaoErrors, command: ArrayLike, *, level: Level = 3, seed: int = 0
) -> Standing:
    """Return how a robot stands a while after it was put down."""
    with make_standing_world(errors, command, level=level, seed=seed) as world:
        world.run(SETTLE)
        return observe(world, errors)


def _soles(model: RobotModel, q: FloatArray) -> dict[Side, FloatArray]:
    T = link_poses(model, q)
    return {side: T[model.link_id(f"{side[0]}_sole")] for side in SIDES}


def _padded(model: RobotModel) -> RobotModel:
    """Return the model with feet that touch the ground where its soles are.

    The documented feet are boxes at a fixed distance from the ankle; here a sole can be
    further away.
    """
    geometry = list(model.geometry)
    for side in SIDES:
        T = np.eye(4)
        T[:3, 3] = np.mean(FOOT_X), np.mean(FOOT_Y[side]), _PAD / 2.0
        size = (float(np.ptp(FOOT_X)), float(np.ptp(FOOT_Y[side])), _PAD)
        geometry[model.link_id(f"{side[0]}_sole")] = (
            Geometry(kind="box", size=size, T_link_geometry=T, role="collision"),
        )
    return replace(model, geometry=tuple(geometry))
