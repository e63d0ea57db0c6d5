"""`WorldDrive`: the motors of one robot in the simulated world, and their paths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.armbot.interface.motor import ARRIVED, RUN_ON, MotorFacts
from gelenk.typing import FloatArray, IntArray

STILL = 0.02  # [rad/s] or [m/s]: slower motors of limited strength stand
ARRIVING = 1.0 + 1e-9  # rounding must not make a motor late


class WorldCourse:
    """Motors on their way along a path.

    Attributes:
        indices: Of the motors.
        path: Values, one row per control period.
        row: The next one to be commanded.
        is_done: Whether the end is reached.
        is_replaced: Whether another command came first.
    """

    def __init__(self, indices: IntArray, path: FloatArray) -> None:
        self.indices, self.path = indices, path
        self.row = 0
        self.is_done = self.is_replaced = False


class WorldDrive:
    """Commands the motors of a robot; a path gets one command per control period.

    Args:
        world: The simulated world.
        robot: Name of the robot in it.
        facts: Its motors, in the order of its model.
        period: Time between two control ticks [s].
        is_limited: Whether the motors have a limited strength: they are led to their
            targets in small steps, and may hang behind.
    """

    def __init__(
        self,
        world: Any,
        robot: str,
        facts: Sequence[MotorFacts],
        period: float,
        *,
        is_limited: bool = False,
    ) -> None:
        self._world, self._robot, self.period = world, robot, period
        self._is_limited = is_limited
        self._top_speed = np.array([fact.max_speed for fact in facts])
        self._initial = np.array([fact.initial_value for fact in facts])
        self._targets = self._initial.copy()
        self._courses: list[WorldCourse] = []
        self._is_held = False
        self._last_tick = -1

    def values(self) -> FloatArray:
        """Return where the motors are [rad] or [m], shape (n,)."""
        return self._world.joint_positions(self._robot)

    def speeds(self) -> FloatArray:
        """Return how fast they move [rad/s] or [m/s], shape (n,)."""
        return self._world.joint_velocities(self._robot)

    def targets(self) -> FloatArray:
        """Return where they are to go, shape (n,)."""
        return self._targets.copy()

    def set_targets(self, indices: IntArray, values: FloatArray, share: float) -> None:
        """Send motors to values with a share of their top speed, 0..1."""
        self._replace(indices)
        if self._is_limited:
            self._lead(indices, values, share)
        else:
            self._command(indices, values, np.full(len(indices), share))

    def is_moving(self, indices: IntArray) -> bool:
        """Whether one of the motors is on its way; running on does not count."""
        for course in self._courses:
            if np.intersect1d(course.indices, indices).size:
                return True
        if self._is_limited:  # gravity and contact keep them off their targets
            return bool(np.abs(self.speeds()[indices]).max() > STILL)
        targets = self._targets[indices]
        away = np.abs(targets - self.values()[indices])
        return bool(np.any((away > ARRIVED) & (np.abs(targets) < RUN_ON)))

    def follow(self, indices: IntArray, path: FloatArray) -> WorldCourse:
        """Take motors along a path: one row per period, shape (k, m)."""
        self._replace(indices)
        self._is_held = False
        course = WorldCourse(indices, path)
        self._courses.append(course)
        self._advance(course)
        return course

    def hold(self) -> None:
        """Let all paths stand still where they are."""
        self._is_held = True

    def proceed(self) -> None:
        """Go on along the paths that were held."""
        self._is_held = False

    def tick(self) -> None:
        """Command the next row of every path; to be called once per control tick."""
        tick = self._world.tick
        if tick <= self._last_tick:  # the world was put back to its beginning
            self._targets = self._initial.copy()
            for course in self._courses:
                course.is_replaced = True
            self._courses, self._is_held = [], False
        self._last_tick = tick
        if not self._is_held:
            for course in tuple(self._courses):
                self._advance(course)

    def _advance(self, course: WorldCourse) -> None:
        if course.row == len(course.path):
            course.is_done = True
            self._courses.remove(course)
            return
        values = course.path[course.row]
        reach = self._top_speed[course.indices] * self.period
        # A motor that has not arrived where it was sent to before starts from where it
        # is; later it is at the row before.
        before = self._targets if course.row else self.values()
        with np.errstate(invalid="ignore"):
            share = np.abs(values - before[course.indices]) / reach
        # An infinite top speed, or nothing to do: any share will do.
        share = np.where(np.isfinite(share) & (share > 0.0), share, 1.0)
        self._command(course.indices, values, np.minimum(share * ARRIVING, 1.0))
        course.row += 1

    def _lead(self, indices: IntArray, values: FloatArray, share: float) -> None:
        """Take motors to their values in steps, each as fast as it may by itself."""
        if np.abs(values).max() >= RUN_ON:
            raise ConfigError("motors of limited strength cannot run on at a speed")
        start = self._targets[indices]
        reach = share * self._top_speed[indices] * self.period
        way = values - start
        with np.errstate(invalid="ignore"):
            needed = np.where(way == 0.0, 0.0, np.abs(way) / reach)
        count = max(int(np.ceil(needed.max())), 1)
        rows = np.arange(1, count + 1)[:, None] * reach
        path = start + np.sign(way) * np.minimum(rows, np.abs(way))
        path[-1] = values
        course = WorldCourse(indices, path)
        self._courses.append(course)
        self._advance(course)

    def _replace(self, indices: IntArray) -> None:
        for course in tuple(self._courses):
            if np.intersect1d(course.indices, indices).size:
                course.is_replaced = True
                self._courses.remove(course)

    def _command(
        self, indices: IntArray, values: FloatArray, share: FloatArray
    ) -> None:
        self._targets[indices] = values
        commands = np.full((2, len(self._targets)), np.nan)
        commands[0, indices], commands[1, indices] = values, share
        # The second channel of limited motors is their stiffness, not their speed.
        second = None if self._is_limited else commands[1]
        self._world.command(self._robot, commands[0], second)
