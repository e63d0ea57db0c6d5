"""Wrenches that act on bodies from outside: pushes, thrusters, disturbances.

A wrench acts at a point of a body and moves with it; its axes are those of the world or
of the body. Forces are those at the begin of a tick.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError, ShapeError
from gelenk.kernels.compile import kernel
from gelenk.sim.bridge import layout
from gelenk.sim.bridge.layout import mj_kinematics
from gelenk.typing import ArrayLike, FloatArray, IntArray

WrenchFrame = Literal["world", "body"]

# Columns of `wrenches`: force [N], torque [N m], point in the frame of the body [m].
FORCE, TORQUE, POINT = 0, 3, 6
IS_LOCAL = 9  # 1: force and torque are in axes of the body
END = 10  # first tick without it
IS_ON = 11
NUM_COLUMNS = 12


class PushBank(NamedTuple):
    """Wrenches on the bodies of a world.

    Attributes:
        wrenches: One row per body, columns above, (nbody, NUM_COLUMNS).
        active: Number of wrenches that act, (1,).
    """

    wrenches: FloatArray
    active: IntArray


def new_pushes(num_bodies: int) -> PushBank:
    """Return the bank of a world in which nothing pushes."""
    return PushBank(
        wrenches=np.zeros((num_bodies, NUM_COLUMNS)), active=np.zeros(1, np.int64)
    )


def state_arrays(bank: PushBank) -> tuple[np.ndarray, ...]:
    """Return the arrays that change while stepping: copied, they are a snapshot."""
    return bank.wrenches, bank.active


def set_push(
    bank: PushBank,
    body: int,
    wrench: ArrayLike,
    point: ArrayLike | None,
    frame: WrenchFrame,
    T_world_body: FloatArray,
    end: float,
) -> None:
    """Let a wrench act on a body from the coming tick on, instead of the one before.

    Args:
        bank: Bank of the world.
        body: Index of the body.
        wrench: Force [N] and torque about the point [N m], in `frame`, (6,).
        point: Point in `frame` as it is now [m], (3,); None: the origin of the body.
        frame: "world", or "body" for its own axes.
        T_world_body: Pose of the body as it is now, (4, 4).
        end: First tick without it; infinity: until something else is said.

    Raises:
        ShapeError, ConfigError: If something is not what it should be.
    """
    values = as_finite("wrench", wrench, ())
    if values.shape != (6,):
        raise ShapeError("wrench", expected="(6,)", actual=values.shape)
    if frame not in ("world", "body"):
        raise ConfigError(f"`frame` must be 'world' or 'body', got {frame!r}")
    place = np.zeros(3)
    if point is not None:
        place = as_finite("point", point, (3,))
        if frame == "world":
            place = T_world_body[:3, :3].T @ (place - T_world_body[:3, 3])
    row = bank.wrenches[body]
    if not (values.any() or row[IS_ON]):
        return
    row[FORCE : FORCE + 6], row[POINT : POINT + 3] = values, place
    row[IS_LOCAL], row[END], row[IS_ON] = frame == "body", end, 1.0
    if not values.any():  # what acts no more ends with the coming tick
        row[END] = 0.0
    bank.active[0] = np.count_nonzero(bank.wrenches[:, IS_ON])


@kernel
def push_bodies(table: IntArray, bank: PushBank, tick: int) -> None:
    """Give the engine the wrenches of the coming tick.

    Args:
        table: Addresses of the engine's arrays.
        bank: Wrenches; those that are over are forgotten.
        tick: Number of the tick.
    """
    mj_kinematics(table[layout.MODEL, 0], table[layout.DATA, 0])
    applied = layout.array(table, layout.XFRC_APPLIED)
    origin = layout.array(table, layout.XPOS)
    centre = layout.array(table, layout.XIPOS)
    turn = layout.array(table, layout.XMAT)
    arm = np.empty(3)
    for body in range(bank.wrenches.shape[0]):
        row = bank.wrenches[body]
        if row[IS_ON] == 0.0:
            continue
        if tick >= row[END]:
            applied[body] = 0.0
            row[:] = 0.0
            bank.active[0] -= 1
            continue
        R = turn[body]
        for i in range(3):
            applied[body, i], applied[body, 3 + i] = row[FORCE + i], row[TORQUE + i]
            if row[IS_LOCAL] != 0.0:
                for first in (0, 3):
                    applied[body, first + i] = (
                        R[3 * i] * row[first]
                        + R[3 * i + 1] * row[first + 1]
                        + R[3 * i + 2] * row[first + 2]
                    )
        # The engine wants the torque about the centre of mass.
        for i in range(3):
            arm[i] = (
                origin[body, i]
                + R[3 * i] * row[POINT]
                + R[3 * i + 1] * row[POINT + 1]
                + R[3 * i + 2] * row[POINT + 2]
                - centre[body, i]
            )
        fx, fy, fz = applied[body, 0], applied[body, 1], applied[body, 2]
        applied[body, 3] = (
            applied[body, 3] + _rounded(arm[1] * fz) - _rounded(arm[2] * fy)
        )
        applied[body, 4] = (
            applied[body, 4] + _rounded(arm[2] * fx) - _rounded(arm[0] * fz)
        )
        applied[body, 5] = (
            applied[body, 5] + _rounded(arm[0] * fy) - _rounded(arm[1] * fx)
        )


@kernel
def _rounded(product: float) -> float:
    """Return a product that no sum is fused with, so that it is rounded as in Python.

    The comparison decides nothing but is in the compiler's way.
    """
    return product if product > -np.inf else -np.inf
