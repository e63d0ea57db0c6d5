"""Signals of a running world, read all at once: angles, torques, control errors.

A `Signals` object knows where every number lies and copies them with a few array reads;
it changes nothing and computes no physics. Torques are those that the last tick was
stepped with:

- of a drive, what the motor gives before friction;
- of an infinitely strong motor, what it bears: weight, Coriolis forces and springs of
  its joint. Such a motor changes its speed at once and gives way to nothing, so that
  the torque of its acceleration is a blow, and that of a contact any number.

Ideal motors in closed chains share their load in a way that nobody computes; their
torques are not shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gelenk.sim.appearance import Appearance, LookJoint, compiled_world_of
from gelenk.sim.compiled_world import CompiledWorld
from gelenk.sim.conveyor import RUNNING, SPEED
from gelenk.sim.motors import bank as c
from gelenk.sim.world import World
from gelenk.typing import FloatArray

Quantity: TypeAlias = Literal[
    "value", "speed", "torque", "error", "command", "current", "temperature",
    "belt", "energy",
]  # fmt: skip

_KINDS: tuple[tuple[Quantity, str, str, str, str], ...] = (
    # quantity, name and unit of a joint that turns, ... of one that slides
    ("value", "angle", "rad", "position", "m"),
    ("speed", "speed", "rad/s", "speed", "m/s"),
    ("torque", "torque", "N*m", "force", "N"),
    ("error", "control error", "rad", "control error", "m"),
    ("command", "command", "1", "command", "1"),
    ("current", "motor current", "A", "motor current", "A"),
    ("temperature", "motor temperature", "K", "motor temperature", "K"),
)


_ZERO = np.zeros(1)


class Signal(NamedTuple):
    """A number of the world that changes with time.

    Attributes:
        robot: Name of the robot; empty: the world's.
        part: Joint of the robot, or conveyor; empty: of everything.
        quantity: Measured quantity. "error": target minus value, of motors that are
            given a target; "command": of those that are given a share of their voltage.
        kind: Quantity in words, such as "angle".
        unit: SI unit; "1" for shares.
    """

    robot: str
    part: str
    quantity: Quantity
    kind: str
    unit: str

    @property
    def name(self) -> str:
        """All of it: `robot/joint angle [rad]`."""
        owner = "/".join(word for word in (self.robot, self.part) if word)
        return f"{owner} {self.kind} [{self.unit}]".lstrip()


class Signals:
    """Reads everything that can be measured; in the thread that steps.

    Attributes:
        signals: Signals by robot, then by quantity, then by joint; belts; the energy,
            where there is no robot.

    Args:
        world: The world.
        appearance: Appearance with the joints of the world.
    """

    def __init__(self, world: World, appearance: Appearance) -> None:
        compiled = compiled_world_of(world)
        found = list(_signals_of_joints(compiled, appearance))
        belts = tuple(
            Signal("", name, "belt", "belt speed", "m/s") for name in compiled.belts
        )
        self._has_energy = not found
        energy = (Signal("", "", "energy", "energy", "J"),) if not found else ()
        self.signals: tuple[Signal, ...] = (
            *(signal for signal, *_ in found),
            *belts,
            *energy,
        )
        self._world, self._pool = world, _Pool(compiled)
        places = [self._pool.find(*one) for one in found]
        places += [(self._pool.belt(row), self._pool.zero) for row in range(len(belts))]
        places += [(self._pool.zero, self._pool.zero)] * len(energy)
        self._plus, self._minus = np.array(places, dtype=int).reshape(-1, 2).T.copy()
        self._fault = compiled.banks.motors.fault
        self._loads = [
            (i, row)
            for i, (signal, _, row) in enumerate(found)
            if signal.quantity == "torque" and self._pool.is_ideal(row)
        ]

    def read(self) -> NDArray[np.float32]:
        """Return all numbers as they are now, shape (signals,)."""
        pool = self._pool.read()
        values = pool[self._plus]
        values -= pool[self._minus]
        if self._has_energy:
            values[-1] = self._world.energy()
        if self._fault.any():  # who is torn off its joint bears nothing
            for i, row in self._loads:
                if self._fault[row] & c.JOINT_LIMP:
                    values[i] = 0.0
        return values.astype(np.float32)


class _Pool:
    """All numbers of a world from which signals are made, in one array.

    Every signal is the difference of two of them.

    Attributes:
        zero: Place of a number that is always 0.
    """

    def __init__(self, compiled: CompiledWorld) -> None:
        data, bank = compiled.data, compiled.banks.motors
        self._belts = compiled.banks.belts.command
        self._kinds = bank.ints[:, c.KIND]
        self._command, self._range = bank.command, bank.params[:, c.COMMAND_RANGE]
        # views of the engine's memory, which stays where it is
        self._parts: list[Any] = [
            data.qpos,
            data.qvel,
            data.qfrc_bias,
            data.qfrc_passive,
            bank.state.reshape(-1),
        ]
        motors, belts = len(bank.command), len(self._belts)
        sizes = [len(part) for part in self._parts]
        starts = np.cumsum([0, *sizes, motors, motors, belts]).tolist()
        (
            self._qpos,
            self._qvel,
            self._bias,
            self._passive,
            self._state,
            self._targets,
            self._shares,
            self._speeds,
            self.zero,
        ) = starts

    def read(self) -> FloatArray:
        """Return all numbers as they are now."""
        command, belts = self._command[:, c.COMMAND], self._belts
        speeds = belts[:, SPEED] * belts[:, RUNNING]
        shares = command / self._range
        return np.concatenate([*self._parts, command, shares, speeds, _ZERO])

    def is_ideal(self, row: int) -> bool:
        """Return whether a motor is infinitely strong."""
        return bool(self._kinds[row] == c.IDEAL)

    def belt(self, row: int) -> int:
        """Return the place of the speed of a belt."""
        return self._speeds + row

    def find(self, signal: Signal, joint: LookJoint, row: int) -> tuple[int, int]:
        """Return the places of the two numbers whose difference a signal shows."""
        of_motor = self._state + row * c.NUM_STATES
        match signal.quantity:
            case "value":
                return self._qpos + joint.qpos, self.zero
            case "speed":
                return self._qvel + joint.dof, self.zero
            case "error":
                return self._targets + row, self._qpos + joint.qpos
            case "command":
                return self._shares + row, self.zero
            case "current":
                return of_motor + c.CURRENT, self.zero
            case "temperature":
                return of_motor + c.TEMPERATURE, self.zero
            case _:
                if self.is_ideal(row):
                    return self._bias + joint.dof, self._passive + joint.dof
                return of_motor + c.TORQUE, self.zero


def _signals_of_joints(
    compiled: CompiledWorld, appearance: Appearance
) -> Iterator[tuple[Signal, LookJoint, int]]:
    """Yield what can be measured at joints: signal, joint, row of its motor."""
    for robot in appearance.robots:
        own = [joint for joint in appearance.joints if joint.robot == robot]
        rows = compiled.motor_rows[robot].tolist()
        is_closed = any(row >= 0 for row in compiled.loops[robot].values())
        for quantity, *words in _KINDS:
            for joint, row in zip(own, rows, strict=True):
                if not _has(compiled, quantity, row, is_closed=is_closed):
                    continue
                kind, unit = words[2:] if joint.is_linear else words[:2]
                yield Signal(robot, joint.name, quantity, kind, unit), joint, row


def _has(
    compiled: CompiledWorld, quantity: Quantity, row: int, *, is_closed: bool
) -> bool:
    """Return whether a joint with the motor of a row (-1: none) has a quantity."""
    if quantity in ("value", "speed"):
        return True
    if row < 0:
        return False
    bank = compiled.banks.motors
    kind = bank.ints[row, c.KIND]
    match quantity:
        case "torque":
            return not (is_closed and kind == c.IDEAL)
        case "error":
            return kind in (c.IDEAL, c.POSITION_SERVO)
        case "command":
            return kind in (c.TORQUE_SERVO, c.DC_GEAR_MOTOR)
        case "current":
            return bool(bank.params[row, c.STALL_CURRENT] > 0.0)
        case _:
            return bool(bank.params[row, c.WINDING_RESISTANCE] > 0.0)
