"""The way of a method of inverse kinematics: what it tried, and how near that was."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from gelenk.robots.armbot.interface.kinematics import DirectKinematics
from gelenk.robots.armbot.inverse.target import Target, error_sizes
from gelenk.robots.armbot.kinematics import ArmKinematics
from gelenk.typing import ArrayLike, FloatArray

RADIAN_LENGTH = 0.1  # [m]: what a radian is worth in a residual
# Tries, residual and mount position x, y, z [m].
Point: TypeAlias = tuple[int, float, float, float, float]


class TimeUpError(Exception):
    """A method was stopped."""


@dataclass(slots=True)
class Way:
    """What a method tried.

    Attributes:
        target: What it looks for.
        deadline: Time of the thread at which it is stopped [s].
        num_tries: Of the forward kinematics.
        best: Smallest residual so far [m].
        points: Tries, residual [m] and position of the mount [m], wherever the
            residual became smaller.
        q: Motor values there.
    """

    target: Target
    deadline: float
    num_tries: int = 0
    best: float = np.inf
    points: list[Point] = field(default_factory=list[Point])
    q: FloatArray | None = None

    def note(self, q: ArrayLike, T: FloatArray) -> None:
        """Take down a try."""
        self.num_tries += 1
        residual = residual_of(self.target, T)
        if residual < self.best:
            self.best, self.q = residual, np.array(q)
            x, y, z = T[:3, 3].tolist()
            self.points.append((self.num_tries, residual, x, y, z))
        if time.thread_time() > self.deadline:
            raise TimeUpError


class WatchedKinematics(DirectKinematics):
    """Direct kinematics that takes down what is asked of it."""

    def __init__(self, inner: ArmKinematics, way: Way) -> None:
        self._inner, self._way = inner, way

    def pose(self, q: ArrayLike) -> FloatArray:
        T = self._inner.pose(q)
        self._way.note(q, T)
        return T

    def linearise(
        self, q: FloatArray, with_rotation: bool
    ) -> tuple[FloatArray, FloatArray]:
        """Return pose and Jacobian, see `ArmKinematics`."""
        T, J = self._inner.linearise(q, with_rotation)
        self._way.note(q, T)
        return T, J


def residual_of(target: Target, T: ArrayLike) -> float:
    """Return what is missing as one length [m]."""
    distance, angle = error_sizes(target.error(np.asarray(T)))
    return float(np.hypot(distance, RADIAN_LENGTH * angle))
