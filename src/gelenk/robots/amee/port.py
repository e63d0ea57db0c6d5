"""The pins of one leg of a simulated AMEE: `leg.LegHardware` on top of the world.

Whoever holds a port sees what a leg computer sees and does what it can do; nothing
else. Numbers become new when the world has been stepped.
"""

from __future__ import annotations

from collections.abc import Callable

from gelenk.robots.amee.config import TOE_CENTRE, TOES_ALL
from gelenk.robots.amee.leg.hardware import Bridge, HardwareWatchdog
from gelenk.typing import FloatArray, IntArray

# By bridge code: sign of the voltage, and whether the motor is shorted.
_SIGN = tuple({Bridge.LEFT: 1.0, Bridge.RIGHT: -1.0}.get(code, 0.0) for code in Bridge)
_HOLD = tuple(float(code == Bridge.HOLD) for code in Bridge)


class LegPort:
    """One leg's converters, contacts, bridges and watchdog.

    Args:
        adc: Conversions of this leg, (k, 8), written by the world.
        toes: Contacts of all legs, (4,), written by the world.
        leg: Index 0..3.
        command: Rows of this leg's motors in the world's bank, (4, 2).
        clock: Tells the simulated time [s].
        voltage: Tells the voltage of the 12 V bus.
        has_centre_contact: Whether a button sits amid the foot.
    """

    def __init__(
        self,
        *,
        adc: IntArray,
        toes: IntArray,
        leg: int,
        command: FloatArray,
        clock: Callable[[], float],
        voltage: Callable[[], float],
        has_centre_contact: bool,
    ) -> None:
        self.leg = leg
        self.watchdog = HardwareWatchdog()
        self._adc, self._toes, self._command = adc, toes, command
        self._clock, self._voltage = clock, voltage
        self._mask = TOES_ALL | (TOE_CENTRE if has_centre_contact else 0)

    def read_adc(self) -> IntArray:
        """Return the newest conversions, oldest first, (k, 8)."""
        return self._adc

    def read_toes(self) -> int:
        """Return closed contacts as bits."""
        return int(self._toes[self.leg]) & self._mask

    def set_motors(self, codes: IntArray, speeds: IntArray) -> None:
        """Write the bridges of A..D: `Bridge` codes and pulse widths 0..255."""
        self._command[:] = [
            (_SIGN[code] * speed, _HOLD[code] * speed)
            for code, speed in zip(codes.tolist(), speeds.tolist(), strict=True)
        ]

    def read_supply(self) -> float:
        """Return the voltage of the 12 V bus [V]."""
        return self._voltage()

    def kick_watchdog(self) -> None:
        """Say that the loop is alive."""
        self.watchdog.kick(self._clock())

    def cut_drives(self) -> None:
        """Take the pulses from all bridges, as pull-downs do without a computer."""
        self._command[:] = 0.0
