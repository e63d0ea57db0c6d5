"""`Motor`: a servo or linear motor as a controller sees it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from gelenk.errors import ConfigError
from gelenk.typing import FloatArray, IntArray

ARRIVED = 1e-9  # [rad] or [m] from the target: rounding
RUN_ON = 1e12  # [rad] or [m]: the target of a motor that runs on


class Drive(Protocol):
    """All motors of one robot; what stands behind it may be a simulator or a machine.

    Attributes:
        period: Time between two commands of a path [s].
    """

    @property
    def period(self) -> float: ...

    def values(self) -> FloatArray:
        """Return where the motors are [rad] or [m], shape (n,)."""
        ...

    def speeds(self) -> FloatArray:
        """Return how fast they move [rad/s] or [m/s], shape (n,)."""
        ...

    def targets(self) -> FloatArray:
        """Return where they are to go, shape (n,)."""
        ...

    def set_targets(self, indices: IntArray, values: FloatArray, share: float) -> None:
        """Send motors to values with a share of their top speed, 0..1."""
        ...

    def is_moving(self, indices: IntArray) -> bool:
        """Whether one of the motors is on its way; running on does not count."""
        ...

    def follow(self, indices: IntArray, path: FloatArray) -> Course:
        """Take motors along a path: one row per period, shape (k, m)."""
        ...

    def hold(self) -> None:
        """Let all paths stand still where they are."""
        ...

    def proceed(self) -> None:
        """Go on along the paths that were held."""
        ...


class Course(Protocol):
    """Motors on their way along a path.

    Attributes:
        is_done: The end is reached.
        is_replaced: Another command came before that.
    """

    @property
    def is_done(self) -> bool: ...

    @property
    def is_replaced(self) -> bool: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class MotorFacts:
    """What a motor is, fixed by the model of its robot.

    Attributes:
        name: Of the motor and its joint.
        kind: "servo" counts in rad, "linear" in m.
        min_value, max_value: Range [rad] or [m].
        max_speed: [rad/s] or [m/s].
        initial_value: At the start and after a reset.
        index: Place among the motors of the robot.
    """

    name: str
    kind: Literal["servo", "linear"]
    min_value: float
    max_value: float
    max_speed: float
    initial_value: float
    index: int


class Motor:
    """A servo or a linear motor: it gets a value and runs there; nothing stops it.

    Attributes:
        facts: Its constants.
    """

    def __init__(self, facts: MotorFacts, drive: Drive) -> None:
        self.facts, self._drive = facts, drive
        self._index = np.array([facts.index])

    def __repr__(self) -> str:
        return f"Motor({self.name!r}, {self.value:.4g} {self.unit})"

    @property
    def name(self) -> str:
        return self.facts.name

    @property
    def unit(self) -> str:
        """Unit of its values."""
        return "rad" if self.facts.kind == "servo" else "m"

    @property
    def min_value(self) -> float:
        return self.facts.min_value

    @property
    def max_value(self) -> float:
        return self.facts.max_value

    @property
    def max_speed(self) -> float:
        return self.facts.max_speed

    @property
    def initial_value(self) -> float:
        return self.facts.initial_value

    @property
    def value(self) -> float:
        """Where it is [rad] or [m]."""
        return float(self._drive.values()[self.facts.index])

    @property
    def target(self) -> float:
        """Where it goes [rad] or [m]."""
        return float(self._drive.targets()[self.facts.index])

    @property
    def speed(self) -> float:
        """How fast it moves now [rad/s] or [m/s], signed."""
        return float(self._drive.speeds()[self.facts.index])

    def set_target(self, value: float, speed_fraction: float = 1.0) -> None:
        """Run to a value, clipped to the range.

        Args:
            value: [rad] or [m].
            speed_fraction: Share of the top speed, above 0, at most 1.
        """
        if not math.isfinite(value):
            raise ConfigError(f"motor {self.name!r} needs a finite value, got {value}")
        check_share(speed_fraction)
        value = min(max(float(value), self.min_value), self.max_value)
        self._drive.set_targets(self._index, np.array([value]), speed_fraction)

    def run_at(self, speed: float) -> None:
        """Run on at a speed until another command comes; for motors without a range.

        Args:
            speed: [rad/s] or [m/s], signed, at most the top speed; 0 stops.
        """
        if math.isfinite(self.min_value) or math.isfinite(self.max_value):
            raise ConfigError(
                f"motor {self.name!r} goes from {self.min_value:g} to "
                f"{self.max_value:g} {self.unit} and cannot run on; a spindle can"
            )
        if not abs(speed) <= self.max_speed:
            raise ConfigError(
                f"motor {self.name!r} runs at up to {self.max_speed:g} {self.unit}/s, "
                f"got {speed}"
            )
        if speed == 0.0:
            self.stop()
            return
        target = np.array([math.copysign(RUN_ON, speed)])
        self._drive.set_targets(self._index, target, abs(speed) / self.max_speed)

    def stop(self) -> None:
        """Stand still at once."""
        self._drive.set_targets(self._index, np.array([self.value]), 1.0)

    def is_moving(self) -> bool:
        """Whether it is on its way."""
        return abs(self.target) >= RUN_ON or self._drive.is_moving(self._index)


def check_share(share: float) -> None:
    """Raise ConfigError unless a share of a speed is above 0 and at most 1."""
    if not 0.0 < share <= 1.0:
        raise ConfigError(
            f"a share of the top speed must be above 0 and at most 1, got {share}"
        )
