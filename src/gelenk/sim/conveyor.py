"""Belts: surfaces that move although their body stands still.

The engine lets each contact carry a velocity of the surfaces against each other. For
contacts on the top of a running belt this is the belt's speed along its incline plus a
drift towards its middle line. Friction does the rest, so a belt pulls no harder than it
can: heavy things start slowly, steep ones slip.

The drift depends on where the **centre** of a thing is, not its contact points: half of
the points of a wide box lie on either side long before it is in the middle. Close to
the middle line the drift slows down so that friction can brake it without overshoot.
"""

# The functions that run in compiled code have no annotations: their arrays are views.
# pyright: reportMissingParameterType=false
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import mujoco
import numpy as np

from gelenk.errors import ConfigError
from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.layout import mj_reference_constraint
from gelenk.sim.objects import Conveyor
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.typing import FloatArray, IntArray, Vec3

# Columns of `params`, three each: unit vectors along the belt (uphill if it rises),
# across it and out of it, and a point of the middle line, all in world axes.
ALONG, ACROSS, OUT, MIDDLE = 0, 3, 6, 9
NUM_PARAMS = 12
# Columns of `command`.
SPEED = 0  # along the belt [m/s]
TO_MIDDLE = 1  # largest speed of the drift [m/s]
RUNNING = 2  # 1 or 0
NUM_COMMANDS = 3

MIDDLE_BRAKING = 2.0  # [m/s^2], with which the drift ends; friction must afford it
TOP_FACE = 0.7  # cosine: contacts whose normal leans further off are not on the top


class BeltBank(NamedTuple):
    """All belts of a world.

    Attributes:
        belt_of_geom: Belt of each geom, -1 for others, shape (ngeom,).
        priority: Contact priority of a standing and of a running belt, shape (n, 2).
        params: Geometry, columns ALONG to MIDDLE, shape (n, NUM_PARAMS).
        command: Columns SPEED, TO_MIDDLE, RUNNING, shape (n, NUM_COMMANDS).
    """

    belt_of_geom: IntArray
    priority: IntArray
    params: FloatArray
    command: FloatArray


def pack_belts(
    model: mujoco.MjModel, belts: Sequence[tuple[Conveyor, Sequence[str]]]
) -> BeltBank:
    """Return the bank of a model's belts, and let the engine look at surface speeds.

    Args:
        model: The engine's model; its flag for surface velocities is set.
        belts: Each belt with the names of its geoms.
    """
    bank = BeltBank(
        belt_of_geom=np.full(model.ngeom, -1, dtype=np.int64),
        priority=np.zeros((len(belts), 2), dtype=np.int64),
        params=np.zeros((len(belts), NUM_PARAMS)),
        command=np.zeros((len(belts), NUM_COMMANDS)),
    )
    for i, (belt, geoms) in enumerate(belts):
        for name in geoms:
            bank.belt_of_geom[model.geom(name).id] = i
        standing = (
            belt.priority if belt.stopped_priority is None else (belt.stopped_priority)
        )
        bank.priority[i] = standing, belt.priority
        bank.params[i] = _geometry(belt)
        bank.command[i] = belt.speed, belt.to_middle_speed, belt.running
    if belts:
        model.flg_surfacevel = True
    return bank


def state_arrays(bank: BeltBank) -> tuple[np.ndarray, ...]:
    """Return the arrays of a bank that change while the world steps."""
    return (bank.command,)


def command_belt(
    bank: BeltBank,
    belt: int,
    *,
    running: bool | None = None,
    speed: float | None = None,
    to_middle_speed: float | None = None,
) -> None:
    """Start, stop or reverse a belt; what is None stays as it is.

    Args:
        bank: Belts.
        belt: Index of the belt.
        running: Whether it shall run.
        speed: Speed along the belt, negative towards smaller coordinates [m/s].
        to_middle_speed: Speed of the drift across the belt [m/s].

    Raises:
        ConfigError: If a speed is not finite, or the drift negative.
    """
    if speed is not None:
        if not np.isfinite(speed):
            raise ConfigError(f"`speed` of a belt must be finite, got {speed} m/s")
        bank.command[belt, SPEED] = speed
    if to_middle_speed is not None:
        if not (np.isfinite(to_middle_speed) and to_middle_speed >= 0.0):
            raise ConfigError(
                f"`to_middle_speed` of a belt must be >= 0, got {to_middle_speed} m/s"
            )
        bank.command[belt, TO_MIDDLE] = to_middle_speed
    if running is not None:
        bank.command[belt, RUNNING] = float(running)


def _geometry(belt: Conveyor) -> FloatArray:
    """Return one row of `params`."""
    axis = "xy".index(belt.direction)
    corners = belt.plan.corners
    low, high = corners.min(axis=0), corners.max(axis=0)
    along, across = np.zeros(3), np.zeros(3)
    along[axis], along[2] = high[axis] - low[axis], belt.h2 - belt.h1
    across[1 - axis] = 1.0
    along /= np.linalg.norm(along)
    out = np.cross(along, across) * (1.0 if axis == 0 else -1.0)
    middle = np.array([*(0.5 * (low + high)), 0.5 * (belt.h1 + belt.h2)])
    R = matrix_from_quaternion(belt.quat)
    return np.concatenate(
        [R @ along, R @ across, R @ out, R @ middle + np.array(belt.position)]
    )


@kernel
def run_belts(table: IntArray, bank: BeltBank, h: float) -> None:
    """Give the contacts on running belts their surface velocity.

    To be called after the engine's position and velocity stages, once it knows the
    contacts of this moment; updates the references of its constraints.

    Args:
        table: Addresses of the engine's arrays.
        bank: Belts.
        h: Length of a tick [s].
    """
    if bank.command.shape[0] == 0:
        return
    rows = layout.contact_floats(table)
    ints = layout.contact_ints(table)
    body_of = layout.indices(table, layout.GEOM_BODYID)
    centre = layout.array(table, layout.XIPOS)
    is_moved = False
    for i in range(rows.shape[0]):
        geom_1, geom_2 = ints[i, layout.GEOM], ints[i, layout.GEOM + 1]
        if geom_1 < 0 or geom_2 < 0:
            continue
        belt, other, sign = bank.belt_of_geom[geom_1], geom_2, -1.0
        if belt < 0:
            belt, other, sign = bank.belt_of_geom[geom_2], geom_1, 1.0
        if belt < 0 or bank.command[belt, RUNNING] == 0.0:
            continue
        frame = rows[i, layout.FRAME : layout.FRAME + 9]
        p = bank.params[belt]
        if -sign * _dot(frame, 0, p, OUT) < TOP_FACE:
            continue
        body = body_of[other]
        vx, vy, vz = belt_velocity(p, bank.command[belt], centre[body], h)
        for k in range(2):
            t = 3 + 3 * k
            speed = vx * frame[t] + vy * frame[t + 1] + vz * frame[t + 2]
            rows[i, layout.SURFACEVEL + k] = sign * speed
        is_moved = True
    if is_moved:
        mj_reference_constraint(table[layout.MODEL, 0], table[layout.DATA, 0])


@kernel
def set_belt_priorities(table: IntArray, bank: BeltBank) -> None:
    """Tell the engine whose friction counts on each belt; before its position stage."""
    priority = layout.indices(table, layout.GEOM_PRIORITY)
    if bank.command.shape[0] == 0:
        return
    for geom in range(bank.belt_of_geom.shape[0]):
        belt = bank.belt_of_geom[geom]
        if belt >= 0:
            is_running = bank.command[belt, RUNNING] != 0.0
            priority[geom] = bank.priority[belt, 1 if is_running else 0]


@kernel
def belt_velocity(
    params: FloatArray, command: FloatArray, centre: FloatArray, h: float
) -> Vec3:
    """Return the velocity of a belt's surface under a thing, world axes [m/s].

    Args:
        params: Row of the belt.
        command: Row of the belt.
        centre: Centre of the thing's mass [m], shape (3,).
        h: Length of a tick [s].
    """
    offset = 0.0
    for k in range(3):
        offset += params[ACROSS + k] * (centre[k] - params[MIDDLE + k])
    largest = command[TO_MIDDLE]
    # Linear within the stretch that braking takes: v = offset / settle.
    settle = max(largest / MIDDLE_BRAKING, h)
    drift = -min(max(offset / settle, -largest), largest)
    speed = command[SPEED]
    return (
        speed * params[ALONG] + drift * params[ACROSS],
        speed * params[ALONG + 1] + drift * params[ACROSS + 1],
        speed * params[ALONG + 2] + drift * params[ACROSS + 2],
    )


@kernel
def _dot(a: FloatArray, i: int, b: FloatArray, j: int) -> float:
    return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2]
