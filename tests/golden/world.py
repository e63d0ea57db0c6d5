"""Twenty scenes of the world, each after 100 ticks and after 1000.

Bodies that collide lose the bits that two machines have in common, some of them a digit
with each impact; figures are therefore those of the first 100 ticks.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from gelenk.sim import World
from golden.records import Figure, Found, Record, digest, figure
from testkit.scenes import SCENES, Scene

EARLY, LATE = 100, 1000  # ticks


def run_scene(scene: Scene) -> Found:
    """Run a scene; return hashes of its states, and figures of the first one."""
    world = scene.build(seed=1)
    scene.advance(world, EARLY)
    early = world.state_hash()
    figures = look(world, scene.robots)
    scene.advance(world, LATE - EARLY)
    bits = {"early": early, "late": world.state_hash(), "seen": _events(world)}
    world.close()
    return Found(bits, figures)


def look(world: World, robots: tuple[str, ...]) -> dict[str, Figure]:
    """Return energy, mean place of all bodies and mean joint value of all robots."""
    places = world.positions(world.names())
    figures = {"energy": figure(world.energy(), absolute=1e-6, relative=1e-6)}
    for axis, value in zip("xyz", places.mean(axis=0), strict=True):
        figures[axis] = figure(value, absolute=1e-6)
    if robots:
        joints = np.concatenate([world.joint_positions(name) for name in robots])
        figures["joints"] = figure(joints.mean(), absolute=1e-6)
    return figures


def _events(world: World) -> str:
    impacts = [(item.time, *item.impulse) for item in world.impacts()]
    zones = [item.time for item in world.zone_events()]
    return digest(np.array(impacts, dtype=float), np.array(zones, dtype=float))


RECORDS: dict[str, Record] = {
    name: partial(run_scene, scene) for name, scene in SCENES.items()
}
