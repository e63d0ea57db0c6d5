"""Sensors in each tick of a world: touches, blows, faults, samples.

The values of mounted sensors (inertial, range, force) are the engine's own and describe
the motion of the tick that has just ended, from its start. The engine's accelerations
leave out what happens beside them: impacts, prescribed joints, implicit damping. So the
change of velocity that they do not explain counts as a blow too; what an accelerometer
or a force sensor says then sums up to what velocities and momenta did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import cross, vec
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.robot_sensors import WiredSensors
from gelenk.sim.contact.bank import (
    EVENTS,
    IMPACT_GEOM_1,
    IMPACT_IMPULSE,
    IMPACT_POINT,
)
from gelenk.sim.fault_bank import FaultBank, pack_faults, switch_sensor_faults
from gelenk.sim.faults import Fault
from gelenk.sim.sensors.bank import SensorBank, pack_sensors, state_arrays
from gelenk.sim.sensors.channels import FORCE_TORQUE, INERTIAL, KIND, SWITCH
from gelenk.sim.sensors.sample import Blows, body_jumps, sample_sensors
from gelenk.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.sim.contact.bank import ContactBank


class BodyTree(NamedTuple):
    """Tree of bodies: arrays of the engine, in place.

    Attributes:
        cdof: Motion axes, (nv, 6).
        subtree_com: Centres of mass of subtrees, (nbody, 3).
        parent, root, first_dof, num_dofs: Parent, root, first degree of freedom and
            their number of each body, (nbody,).
    """

    cdof: FloatArray
    subtree_com: FloatArray
    parent: NDArray[np.int32]
    root: NDArray[np.int32]
    first_dof: NDArray[np.int32]
    num_dofs: NDArray[np.int32]


class Senses(NamedTuple):
    """Sensors of a world and what they need.

    Attributes:
        sensors: Bank of the sensors.
        faults: Schedule of all faults inside the world.
        touch: Contact force on each body in this tick [N], (nbody,).
        blows: Impacts of this tick.
        tree: Bodies.
        jump: Scratch: unexplained change of qvel, (nv,).
        needs: Whether any sensor feels touches; whether any feels blows, (2,).
    """

    sensors: SensorBank
    faults: FaultBank
    touch: FloatArray
    blows: Blows
    tree: BodyTree
    jump: FloatArray
    needs: IntArray


def build_senses(
    model: Any,
    data: Any,
    wired: WiredSensors,
    *,
    step: float,
    seed: int,
    faults: Iterable[Fault] = (),
    motors: Mapping[str, int] | None = None,
    robots: Mapping[str, Sequence[int]] | None = None,
) -> Senses:
    """Return the senses of a compiled world.

    Args:
        model: `mujoco.MjModel`.
        data: `mujoco.MjData`; its arrays are kept, for they stay where they are.
        wired: The sensors of all robots.
        step: Length of a tick [s].
        seed: Seed of the world.
        faults: Faults on the schedule of the run.
        motors: Row of each motor by the name of its joint.
        robots: Rows of all motors of each robot.
    """
    bank = pack_sensors(wired.sensors, wired.wirings, wired.names, step=step, seed=seed)
    rows = {name: i for i, name in enumerate(wired.names)}
    schedule = pack_faults(
        faults, motors=motors or {}, robots=robots or {}, sensors=rows, step=step
    )
    kinds = bank.ints[:, KIND]
    needs = (kinds == SWITCH).any(), np.isin(kinds, (INERTIAL, FORCE_TORQUE)).any()
    return Senses(
        sensors=bank,
        faults=schedule,
        touch=np.zeros(model.nbody),
        blows=Blows(
            is_struck=np.zeros(1, np.int64),
            body_jump=np.zeros((model.nbody, 6)),
            body_impulse=np.zeros((model.nbody, 6)),
            xipos=data.xipos,
            ximat=data.ximat,
            body_mass=model.body_mass,
            body_inertia=model.body_inertia,
            site_xpos=data.site_xpos,
            site_xmat=data.site_xmat,
        ),
        tree=BodyTree(
            cdof=data.cdof,
            subtree_com=data.subtree_com,
            parent=model.body_parentid,
            root=model.body_rootid,
            first_dof=model.body_dofadr,
            num_dofs=model.body_dofnum,
        ),
        jump=np.zeros(model.nv),
        needs=np.array(needs, np.int64),
    )


def sense_arrays(senses: Senses) -> tuple[np.ndarray, ...]:
    """Return the arrays that change while stepping: copied, they are a snapshot."""
    return state_arrays(senses.sensors)


@kernel
def sense(
    table: IntArray,
    senses: Senses,
    contact: ContactBank,
    motor_state: FloatArray,
    qvel_before: FloatArray,
    first_event: int,
    h: float,
    tick: int,
) -> None:
    """Let all sensors see what a tick did.

    Args:
        table: Addresses of the engine's arrays.
        senses: The sensors; their samples and state advance.
        contact: Contact bank after the tick.
        motor_state: `MotorBank.state`.
        qvel_before: Speeds at the start of the tick, (nv,).
        first_event: Number of events before the tick.
        h: Length of the tick [s].
        tick: Number of ticks done; 0: at the start.
    """
    sensors = senses.sensors
    if sensors.ints.shape[0] == 0:
        return
    switch_sensor_faults(senses.faults, sensors.fault, sensors.fault_amounts, tick)
    if senses.needs[0] != 0:
        _gather_touch(table, contact.body_impulse, h, senses.touch)
    if senses.needs[1] != 0 and tick > 0:
        qvel = layout.vector(table, layout.QVEL)
        qacc = layout.vector(table, layout.QACC)
        for dof in range(senses.jump.shape[0]):
            senses.jump[dof] = qvel[dof] - qvel_before[dof] - h * qacc[dof]
        events = contact.events[first_event : contact.counters[EVENTS]]
        body_of = layout.indices(table, layout.GEOM_BODYID)
        _gather_blows(senses.blows, senses.tree, senses.jump, events, body_of)
    sample_sensors(
        sensors,
        layout.vector(table, layout.QPOS),
        layout.vector(table, layout.QVEL),
        layout.vector(table, layout.SENSORDATA),
        motor_state,
        senses.touch,
        senses.blows,
        h,
        tick,
    )


@kernel
def _gather_touch(
    table: IntArray, body_impulse: FloatArray, h: float, out: FloatArray
) -> None:
    """Write the normal force on each body: contacts of now, impacts of the tick."""
    out[:] = body_impulse / h
    ints = layout.contact_ints(table)
    force = layout.constraint_rows(table, layout.EFC_FORCE)
    body_of = layout.indices(table, layout.GEOM_BODYID)
    for i in range(ints.shape[0]):
        row = ints[i, layout.EFC_ADDRESS]
        if row >= 0:
            for side in range(2):
                geom = ints[i, layout.GEOM + side]
                if geom >= 0:
                    out[body_of[geom]] += force[row]


@kernel
def _gather_blows(
    blows: Blows,
    tree: BodyTree,
    velocity_jump: FloatArray,
    events: FloatArray,
    body_of: NDArray[np.int32],
) -> None:
    """Write jumps and impulses of the bodies."""
    blows.is_struck[0] = 1
    body_jumps(
        velocity_jump,
        tree.cdof,
        tree.subtree_com,
        blows.xipos,
        tree.parent,
        tree.root,
        tree.first_dof,
        tree.num_dofs,
        blows.body_jump,
    )
    blows.body_impulse[:] = 0.0
    for i in range(events.shape[0]):
        impulse = vec(events, i, IMPACT_IMPULSE)
        moment = cross(vec(events, i, IMPACT_POINT), impulse)
        for side in range(2):
            body = body_of[int(events[i, IMPACT_GEOM_1 + side])]
            sign = 2 * side - 1  # the impulse acts on the second body
            for j in range(3):
                blows.body_impulse[body, j] += sign * impulse[j]
                blows.body_impulse[body, 3 + j] += sign * moment[j]
