"""Snapshot of a world's state: restored, it goes on bit by bit as if never stopped."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

import mujoco
import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim import conveyor, external_force, grasp_bank, loop_bank, zone_bank
from gelenk.sim.cameras import schedule
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.motors import bank as motor_bank
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


def take_snapshot(compiled: CompiledWorld) -> Snapshot:
    """Return a copy of the state of a compiled world whose buffers are empty."""
    engine = np.empty(mujoco.mj_stateSize(compiled.model, _SIGNATURE))
    mujoco.mj_getState(compiled.model, compiled.data, engine, _SIGNATURE)
    arrays = tuple(array.copy() for array in state_arrays(compiled))
    return Snapshot(tick=int(compiled.banks.clock[0]), engine=engine, arrays=arrays)


def restore_snapshot(compiled: CompiledWorld, snapshot: Snapshot) -> None:
    """Bring a compiled world into the state of a snapshot that was taken from its like.

    Raises:
        ConfigError: If the snapshot is from another world.
    """
    targets = list(state_arrays(compiled))
    shapes = [array.shape for array in targets]
    size = mujoco.mj_stateSize(compiled.model, _SIGNATURE)
    if shapes != [a.shape for a in snapshot.arrays] or size != len(snapshot.engine):
        raise ConfigError(
            "the snapshot is from a world with other objects, robots or settings; "
            "restore it into a world that was built in the same way"
        )
    mujoco.mj_setState(compiled.model, compiled.data, snapshot.engine, _SIGNATURE)
    for target, source in zip(targets, snapshot.arrays, strict=True):
        target[...] = source
    refresh(compiled)


def refresh(compiled: CompiledWorld) -> None:
    """Compute poses and velocities of all bodies from the state."""
    mujoco.mj_kinematics(compiled.model, compiled.data)
    mujoco.mj_comPos(compiled.model, compiled.data)
    mujoco.mj_comVel(compiled.model, compiled.data)


def state_arrays(compiled: CompiledWorld) -> Iterator[np.ndarray]:
    """Yield the arrays beside the engine that change while stepping."""
    banks, model = compiled.banks, compiled.model
    yield banks.clock
    yield from motor_bank.state_arrays(banks.motors)
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
    yield from external_force.state_arrays(banks.pushes)


def hash_state(compiled: CompiledWorld) -> str:
    """Return a fingerprint of the state, equal only for states equal in every bit."""
    snapshot = take_snapshot(compiled)
    digest = hashlib.sha256(snapshot.engine.tobytes())
    pushes = external_force.state_arrays(compiled.banks.pushes)
    is_pushed = any(array.any() for array in pushes)
    # where nothing pushes, the fingerprint does not know that something could
    hashed = len(snapshot.arrays) - (0 if is_pushed else len(pushes))
    for array in snapshot.arrays[:hashed]:
        digest.update(array.tobytes())
    return digest.hexdigest()
