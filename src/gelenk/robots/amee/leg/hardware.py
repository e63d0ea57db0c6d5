"""What a leg computer is soldered to, and the watchdog beside it."""

from __future__ import annotations

from enum import IntEnum
from typing import Protocol

from gelenk.typing import IntArray


class Bridge(IntEnum):
    """Codes of a motor bridge, bit 0 is IN1 (T Tab. 5-3).

    `LEFT` turns a joint towards larger angles and larger counts.
    """

    STOP = 0b00
    LEFT = 0b01
    RIGHT = 0b10
    HOLD = 0b11


class LegHardware(Protocol):
    """The pins of one leg: four drives, eight converter channels, four toes.

    Arrays that are passed in belong to the caller, arrays that are returned to the
    hardware: who wants to keep one copies it.
    """

    def read_adc(self) -> IntArray:
        """Return conversions since the last call, oldest first, shape (k, 8), k >= 1.

        Channels 0..3 are the angles of A..D, 4..7 the motor currents [counts of
        1023]. A real converter refreshes a channel every 55.2 us; a simulation may
        give only the newest few. The leg averages them.
        """
        ...

    def read_toes(self) -> int:
        """Return closed contacts as bits (`config.TOE_BITS`, `config.TOE_CENTRE`)."""
        ...

    def set_motors(self, codes: IntArray, speeds: IntArray) -> None:
        """Write the bridges of A..D: `Bridge` codes and pulse widths 0..255."""
        ...

    def read_supply(self) -> float:
        """Return the voltage of the 12 V bus [V]; the computer browns out below 6."""
        ...

    def kick_watchdog(self) -> None:
        """Say that the loop is alive; without it for 1 s the drives lose power."""
        ...


class HardwareWatchdog:
    """A timer that must be kicked; hardware models ask it whether it bites.

    Args:
        limit: Longest silence [s].
    """

    __slots__ = ("_last", "limit")

    def __init__(self, limit: float = 1.0) -> None:
        self.limit = limit
        self._last = 0.0

    def kick(self, now: float) -> None:
        """Note a sign of life at time `now` [s]."""
        self._last = now

    def has_expired(self, now: float) -> bool:
        """Return whether the silence up to `now` [s] was too long."""
        return now - self._last > self.limit
