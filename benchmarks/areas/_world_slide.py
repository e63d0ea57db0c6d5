"""How high does a body rise that only slides?"""

from __future__ import annotations

from typing import Any

import mujoco as engine
import numpy as np

from benchmarks.areas import _world_bullet
from benchmarks.harness import Row, Settings
from benchmarks.peers import find_peer, missing_note
from gelenk.sim import Ball, Cuboid, Ground, World, WorldConfig
from gelenk.typing import FloatArray

mujoco: Any = engine  # its wheel has no types

LIFT = 0.1  # target [mm]
SPEEDS, FRICTIONS = (3.0, 10.0), (0.3, 0.6, 1.0)  # [m/s], [1]
STEPS = (0.001, 0.004)  # [s]
SECONDS = 0.4
BALL = np.array([0.05])  # radius [m]
CUBE = np.array([0.1, 0.1, 0.1])
PLATE = np.array([0.3, 0.3, 0.05])  # where a cube would rightly tip over


def sliding_lift(settings: Settings) -> Row:
    """Measure the highest rise of a ball and of a box that slide along the floor."""
    bullet = find_peer("pybullet")
    ours = plain = theirs = 0.0
    for kind in ("ball", "box"):
        for v in SPEEDS:
            for mu in FRICTIONS if not settings.quick else FRICTIONS[::2]:
                for step in STEPS:
                    size = BALL if kind == "ball" else CUBE if mu < 0.7 else PLATE
                    world = _world(kind, size, v, mu, step)
                    plain = max(plain, _plain_lift(world, size))
                    ours = max(ours, _lift(world, size))
                    if bullet is not None:
                        lift = _world_bullet.sliding_lift(
                            bullet, kind, size, v, mu, step
                        )
                        theirs = max(theirs, lift)
    peers = {"mujoco": 1e3 * plain}
    if bullet is not None:
        peers["pybullet"] = 1e3 * theirs
    note = (
        "highest of ball and box at 3 and 10 m/s, mu 0.3-1, steps 1 and 4 ms; MuJoCo: "
        "the same model, stepped by itself (elliptic cone, solref 0.004 or 2 steps)"
    )
    if bullet is None:
        note += "; " + missing_note("PyBullet")
    return Row(
        name="sliding_lift",
        value=1e3 * ours,
        unit="mm",
        target=LIFT,
        peers=peers,
        note=note,
    )


def _world(kind: str, size: FloatArray, v: float, mu: float, step: float) -> World:
    world = World(WorldConfig(step=step))
    world.add(Ground(friction=mu, rolling=0.0))
    if kind == "ball":
        r = float(size[0])
        body: Ball | Cuboid = Ball(
            name="body",
            radius=r,
            mass=0.2,
            position=(0.0, 0.0, r),
            velocity=(v, 0.0, 0.0),
            friction=mu,
            rolling=0.0,
        )
    else:
        x, y, z = (float(a) for a in size)
        body = Cuboid(
            name="body",
            size=(x, y, z),
            mass=0.5,
            position=(0.0, 0.0, 0.5 * z),
            velocity=(v, 0.0, 0.0),
            friction=mu,
        )
    world.add(body)
    return world


def _lift(world: World, size: FloatArray) -> float:
    start, highest = _rest_height(size), 0.0
    for _ in range(round(SECONDS / world.config.step)):
        world.step()
        highest = max(highest, float(world.pose("body")[2, 3]) - start)
    return highest


def _plain_lift(world: World, size: FloatArray) -> float:
    """Return the rise of the same body if the engine steps alone [m]."""
    plant = world._compiled()
    data = mujoco.MjData(plant.model)
    data.qpos[:], data.qvel[:] = plant.data.qpos, plant.data.qvel
    start, highest = _rest_height(size), 0.0
    for _ in range(round(SECONDS / world.config.step)):
        mujoco.mj_step(plant.model, data)
        highest = max(highest, float(data.qpos[2]) - start)
    return highest


def _rest_height(size: FloatArray) -> float:
    return float(size[0] if len(size) == 1 else 0.5 * size[2])
