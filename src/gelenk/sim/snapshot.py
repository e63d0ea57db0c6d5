"""A world's state as one value: restored, it goes on bit by bit as if never stopped."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import mujoco
import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim import conveyor, grasp_bank, loop_bank, motors, zone_bank
from gelenk.sim.cameras import schedule
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.sensor_tick import sense_arrays

# The engine's own state with its warm start; without that contacts would diverge.
_SIGNATURE = mujoco.mjtState.mjSTATE_INTEGRATION


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Snapshot:
    """State of a world at one tick.

    Attributes:
        tick: Number of the coming tick.
        engine: State of the engine.
        arrays: States of everything beside it, in the order of `state_arrays`.
    """

    tick: int
    engine: np.ndarray
    arrays: tuple[np.ndarray, ...]

    @property
    def nbytes(self) -> int:
        """Memory it takes [bytes]."""
        return self.engine.nbytes + sum(array.nbytes for array in self.arrays)


def take_snapshot(plant: CompiledWorld) -> Snapshot:
    """Return a copy of the state of a plant whose buffers are empty."""
    engine = np.empty(mujoco.mj_stateSize(plant.model, _SIGNATURE))
    mujoco.mj_getState(plant.model, plant.data, engine, _SIGNATURE)
    arrays = tuple(array.copy() for array in state_arrays(plant))
    return Snapshot(tick=int(plant.banks.clock[0]), engine=engine, arrays=arrays)


def restore_snapshot(plant: CompiledWorld, snapshot: Snapshot) -> None:
    """Bring a plant into the state of a snapshot that was taken from its like.

    Raises:
        ConfigError: If the snapshot is from another world.
    """
    targets = list(state_arrays(plant))
    shapes = [array.shape for array in targets]
    size = mujoco.mj_stateSize(plant.model, _SIGNATURE)
    if shapes != [a.shape for a in snapshot.arrays] or size != len(snapshot.engine):
        raise ConfigError(
            "the snapshot is from a world with other objects, robots or settings; "
            "restore it into a world that was built in the same way"
        )
    mujoco.mj_setState(plant.model, plant.data, snapshot.engine, _SIGNATURE)
    for target, source in zip(targets, snapshot.arrays, strict=True):
        target[...] = source
    refresh(plant)


def refresh(plant: CompiledWorld) -> None:
    """Compute poses and velocities of all bodies from the state."""
    mujoco.mj_kinematics(plant.model, plant.data)
    mujoco.mj_comPos(plant.model, plant.data)
    mujoco.mj_comVel(plant.model, plant.data)


def state_arrays(plant: CompiledWorld) -> Iterator[np.ndarray]:
    """Yield the arrays beside the engine that change while stepping."""
    banks, model = plant.banks, plant.model
    yield banks.clock
    yield from motors.state_arrays(banks.motors)
    yield from loop_bank.state_arrays(banks.loops)
    yield from conveyor.state_arrays(banks.belts)
    yield from grasp_bank.state_arrays(banks.grasps)
    yield from sense_arrays(banks.senses)
    yield from schedule.state_arrays(banks.captures)
    yield from zone_bank.state_arrays(banks.zones)
    yield from (banks.drive.q, banks.drive.v, banks.black_box)
    # what motors, belts and faults write into the engine's model
    yield from (model.dof_armature, model.dof_damping, model.dof_frictionloss)
    yield model.geom_priority


def hash_state(plant: CompiledWorld) -> str:
    """Return a fingerprint of the state, equal only for states equal in every bit."""
    snapshot = take_snapshot(plant)
    digest = hashlib.sha256(snapshot.engine.tobytes())
    for array in snapshot.arrays:
        digest.update(array.tobytes())
    return digest.hexdigest()
