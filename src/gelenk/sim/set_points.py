"""Watch over set-points that make ideal motors go and stop again and again.

An ideal motor without an acceleration runs to each set-point at top speed and stops
there. For one far target that is what it is for. For a stream of near ones, as a
controller sends them every few milliseconds, the joint goes and stops with each of
them: its speed leaps by radians per second, and what its hand holds by friction slips.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

from gelenk.errors import GelenkWarning
from gelenk.sim.motors.bank import (
    COMMAND,
    IDEAL,
    IS_INTERPOLATED,
    KIND,
    LONGEST_PERIOD,
    MAX_ACCELERATION,
    MAX_SPEED,
    SECOND,
    MotorBank,
)
from gelenk.typing import FloatArray, IntArray

LARGEST_LEAP = np.array([2.0, 0.5])  # [rad/s] of hinges, [m/s] of slides
PATIENCE = 10  # set-points in a row
LEAST_REST = 0.5  # share of the time between two set-points that the joint stands still


class SetPointWatch:
    """Warns once if a robot's set-points make its ideal motors go and stop.

    Args:
        bank: Motors of the world.
        rows: Motors of the robot, -1 for joints without one.
        is_slide: Whether each of its joints slides, (n,).
        robot: Name of the robot.
        joints: Names of its joints.
        step: Length of a tick [s].
    """

    def __init__(
        self,
        bank: MotorBank,
        rows: IntArray,
        *,
        is_slide: Sequence[bool],
        robot: str,
        joints: Sequence[str],
        step: float,
    ) -> None:
        own = np.flatnonzero(rows >= 0)
        params = bank.params[rows[own]]
        is_abrupt = (
            (bank.ints[rows[own], KIND] == IDEAL)
            & np.isinf(params[:, MAX_ACCELERATION])
            & (params[:, IS_INTERPOLATED] == 0.0)
        )
        own = own[is_abrupt]
        self._rows = rows[own]
        self._speed = bank.params[self._rows, MAX_SPEED]
        self._leap = LARGEST_LEAP[np.asarray(is_slide, dtype=int)[own]]
        self._robot, self._names = robot, [joints[i] for i in own]
        self._step, self._last = step, -(10**9)
        self._counts = np.zeros(len(own), dtype=int)
        self.is_idle = bool((self._speed <= self._leap).all())

    def note(self, bank: MotorBank, before: FloatArray, tick: int) -> None:
        """Look at new commands.

        Args:
            bank: Motors of the world with the new commands.
            before: Commands of all motors before, (motors,).
            tick: Number of the coming tick.
        """
        gap, self._last = tick - self._last, tick
        if gap == 0:
            return
        if gap == 1 or gap * self._step > LONGEST_PERIOD:
            self._counts[:] = 0
            return
        way = np.abs(bank.command[self._rows, COMMAND] - before[self._rows])
        top = np.minimum(bank.command[self._rows, SECOND], 1.0) * self._speed
        speed = np.minimum(way / self._step, top)
        stops = way < (1.0 - LEAST_REST) * gap * self._step * top
        self._counts = np.where(stops & (speed > self._leap), self._counts + 1, 0)
        if self._counts.max() < PATIENCE:
            return
        self.is_idle = True
        worst = int(self._counts.argmax())
        warnings.warn(
            f"joint {self._names[worst]!r} of robot {self._robot!r} goes and stops "
            f"with every set-point: its speed leaps by {speed[worst]:.3g} in one tick. "
            "Use IdealMotor(..., interpolate=True), or set-points in every tick",
            GelenkWarning,
            stacklevel=3,
        )
