"""What a world adds to the engine, and what it does not: plain steps and bad states."""

from __future__ import annotations

from typing import Any

import mujoco as engine
import numpy as np
import pytest
from numpy.testing import assert_array_equal

import gelenk
from gelenk.sim import Ball, Box, Cuboid, Ground, Robot, World, WorldConfig
from gelenk.sim.world import WorldError

mujoco: Any = engine  # its wheel has no types


def _still_life() -> World:
    """Return bodies that stand on each other and an arm that falls; nothing bounces."""
    world = World(WorldConfig(step=0.002))
    world.add(Ground())
    world.add(Box(name="table", size=(1, 1, 0.4), position=(0, 0, 0.2)))
    for i in range(4):
        world.add(Cuboid(name=f"box_{i}", size=(0.1, 0.1, 0.1), mass=0.3, position=(0, 0, 0.44999 + 0.09999 * i)))  # fmt: skip
    world.add(Robot(name="arm", model=gelenk.load("ur5e"), T_world_base=_at(2.0, 3.0)))
    return world


def _at(x: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[0, 3], T[2, 3] = x, z
    return T


def test_where_nothing_bounces_slides_or_flies_a_world_is_the_engine_bit_by_bit():
    world = _still_life()
    plant = world._compiled()
    data = mujoco.MjData(plant.model)
    data.qpos[:], data.qvel[:] = plant.data.qpos, plant.data.qvel
    mujoco.mj_forward(plant.model, data)
    data.qacc_warmstart[:] = 0.0

    for _ in range(10):
        world.step(50)
        mujoco.mj_step(plant.model, data, 50)
        assert_array_equal(plant.data.qpos, data.qpos)
        assert_array_equal(plant.data.qvel, data.qvel)
        assert_array_equal(plant.data.qacc_warmstart, data.qacc_warmstart)


def test_energy_is_that_of_what_moves():
    """m g z + m v^2 / 2 + 2/5 m r^2 w^2 / 2 of the ball; the block weighs nothing."""
    world = World(WorldConfig(step=0.001))
    world.add(Box(name="block", size=(1, 1, 1), position=(0, 0, 2)))
    world.add(Ball(name="ball", radius=0.1, mass=0.5, position=(3, 0, 4), velocity=(0, 2, 0), angular_velocity=(0, 0, 10)))  # fmt: skip

    expected = 0.5 * 9.81 * 4.0 + 0.5 * 0.5 * 4.0 + 0.5 * 0.4 * 0.5 * 0.01 * 100.0
    assert world.energy() == pytest.approx(expected, rel=1e-12)


def test_a_state_that_is_not_finite_stops_the_run_and_names_the_body():
    world = World(WorldConfig(step=0.001, black_box=20))
    world.add(Ground())
    world.add(Ball(name="good", radius=0.05, mass=0.2, position=(0, 0, 1)))
    world.add(Ball(name="bad", radius=0.05, mass=0.2, position=(1, 0, 1)))
    world.step(50)
    plant = world._compiled()
    body = plant.model.body("bad")
    plant.data.qvel[plant.model.jnt_dofadr[body.jntadr[0]]] = np.nan

    with pytest.raises(
        WorldError, match="'bad' stopped being finite in tick 51"
    ) as info:
        world.step(10)

    with np.load(info.value.report) as report:
        assert report["qpos"].shape == (20, plant.model.nq)
        assert_array_equal(report["tick"], np.arange(31, 51))
        assert np.isfinite(report["qpos"]).all()
        assert list(report["bodies"]) == ["world", "ground", "good", "bad"]
    info.value.report.unlink()
    info.value.report.parent.rmdir()
