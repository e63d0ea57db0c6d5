"""What every servo driver can do, whatever stands behind it (§3.3.2, §4.3.1)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Protocol

from gelenk.errors import GelenkError

HIGHEST_COUNT = 4095  # of the absolute position, over 251 degrees


class ServoError(GelenkError, RuntimeError):
    """A servo did not answer, or was asked what its mode does not offer."""


class ServoMode(StrEnum):
    """How a servo takes commands; after power-on always POSITION."""

    POSITION = "position"
    TORQUE = "torque"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServoSettings:
    """What a servo keeps in its own memory.

    Attributes:
        baud_rate: Of the bus [bit/s].
        return_delay: Before it answers [s].
        lowest, highest: Allowed absolute positions [count].
        max_torque: Share of its torque that it may use.
        hottest: Temperature at which it switches itself off [K].
    """

    baud_rate: int = 1_000_000
    return_delay: float = 0.0
    lowest: int = 0
    highest: int = HIGHEST_COUNT
    max_torque: float = 1.0
    hottest: float = 353.15


def differing(wanted: ServoSettings, stored: ServoSettings) -> tuple[str, ...]:
    """Return the names of the settings that are not as wanted."""
    return tuple(
        field.name
        for field in fields(wanted)
        if getattr(wanted, field.name) != getattr(stored, field.name)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ServoStatus:
    """Slow values, refreshed by the servo every 100 ms.

    Attributes:
        time: When they were taken [s].
        voltage: At its terminals [V].
        temperature: [K].
        speed: [rad/s].
        current: [A].
    """

    time: float
    voltage: float
    temperature: float
    speed: float
    current: float


class Servo(Protocol):
    """A servo on its bus; another motor type replaces only this."""

    @property
    def mode(self) -> ServoMode:
        """How it takes commands now."""
        ...

    def open(self) -> None:
        """Connect. Raises `ServoError` if nobody answers."""
        ...

    def close(self) -> None:
        """Disconnect; closing twice does no harm. The servo goes on as it is."""
        ...

    def initialise(self, settings: ServoSettings) -> tuple[str, ...]:
        """Compare stored settings, write those that differ, return their names."""
        ...

    def set_mode(self, mode: ServoMode) -> None:
        """Switch; to POSITION holds where it is, to TORQUE begins without torque."""
        ...

    def read_absolute(self) -> int:
        """Return the position [count], 0 to 4095; in position mode only."""
        ...

    def read_relative(self) -> int:
        """Return the counts of 0.06 degrees since the last read; in torque mode."""
        ...

    def write_torque(self, share: float) -> None:
        """Set a share of the full torque, -1 to 1; it stays until the next write."""
        ...

    def write_position(self, position: int, max_speed: float) -> None:
        """Run to a position [count] at up to `max_speed` [rad/s]; position mode."""
        ...

    def read_status(self) -> ServoStatus:
        """Return the slow values."""
        ...
