"""Worlds for tests of contact, and how deep bodies overlap in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import mujoco as engine
import numpy as np

from gelenk.models.assembler import assemble
from gelenk.models.link import Geometry, JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.sim import Ball, World, WorldConfig
from gelenk.sim.compiled_world import WorldItem
from impact_law import SphereState

mujoco: Any = engine  # its wheel has no types

STEPS = (0.0005, 0.001, 0.002, 0.004)  # [s], between which the promises hold
NO_GRAVITY = (0.0, 0.0, 0.0)


def world_of(things: Iterable[WorldItem], step: float = 0.001, **config: Any) -> World:
    """Return a world with these things."""
    world = World(WorldConfig(step=step, **config))
    for thing in things:
        world.add(thing)
    return world


def ball_of(state: SphereState, name: str, *, e: float, mu: float) -> Ball:
    """Return a ball in a state, with Coulomb friction and nothing else."""
    return Ball(
        name=name,
        radius=state.radius,
        mass=state.mass,
        position=as_triple(state.p),
        velocity=as_triple(state.v),
        angular_velocity=as_triple(state.w),
        restitution=e,
        friction=mu,
        torsion=0.0,
        rolling=0.0,
        condim=3,
    )


def as_triple(vector: np.ndarray) -> tuple[float, float, float]:
    """Return a vector as the three numbers that scene objects want."""
    x, y, z = (float(value) for value in vector)
    return x, y, z


def velocity_error(world: World, name: str, expected: SphereState) -> float:
    """Return by how much velocity or surface speed of a ball are off [m/s]."""
    twist = world.twist(name)
    off = np.linalg.norm(twist[:3] - expected.v)
    spin = expected.radius * np.linalg.norm(twist[3:] - expected.w)
    return float(max(off, spin))


def deepest_overlap(world: World) -> float:
    """Return how deep bodies are in each other now [m]."""
    plant = world._compiled()
    model, data = plant.model, plant.data
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_collision(model, data)
    return max((-data.contact[i].dist for i in range(data.ncon)), default=0.0)


def deepest_during(world: World, ticks: int) -> float:
    """Return the deepest overlap after any of the coming ticks [m]."""
    deepest = 0.0
    for _ in range(ticks):
        world.step()
        deepest = max(deepest, deepest_overlap(world))
    return deepest


def bat(
    length: float = 0.6, radius: float = 0.08, mass: float = 0.5, inertia: float = 0.002
) -> RobotModel:
    """Return an arm that turns about y and carries a sphere on its x axis.

    At q its head stands at length * (cos q, 0, -sin q).
    """
    T = np.eye(4)
    T[0, 3] = length
    head = Geometry(kind="sphere", size=(radius,), T_link_geometry=T, role="collision")
    arm = Link(
        name="arm",
        parent="base",
        joint="swing",
        joint_type=JointType.REVOLUTE,
        axis=(0.0, 1.0, 0.0),
        mass=mass,
        com=(length, 0.0, 0.0),
        inertia=inertia * np.eye(3),
        geometry=(head,),
    )
    return assemble("bat", [Link(name="base"), arm])
