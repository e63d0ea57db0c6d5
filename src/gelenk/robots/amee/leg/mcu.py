"""The chip around the leg computer: reset, hardware watchdog, brown-out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gelenk.robots.amee.config import NUM_ACTORS, LegCfg
from gelenk.robots.amee.leg.computer import LegComputer
from gelenk.robots.amee.leg.hardware import HardwareWatchdog, LegHardware
from gelenk.robots.amee.wire.table import ErrorCode, Report
from gelenk.typing import IntArray

BROWN_OUT = 6.0  # [V] of the 12 V bus, D: below it the 5 V regulator drops under 4.7 V
_OFF: IntArray = np.zeros(NUM_ACTORS, dtype=np.int64)


class LegMcu:
    """Runs a leg computer and restarts it when it hangs or its supply returns.

    Attributes:
        computer: What runs now; another one after each restart.
        is_hung: Set from outside to let the loop stand still.
        restarts: How often the chip has been reset.
    """

    __slots__ = (
        "_cfg",
        "_dark",
        "_hardware",
        "_watchdog",
        "computer",
        "is_hung",
        "restarts",
    )

    def __init__(self, cfg: LegCfg, hardware: LegHardware) -> None:
        self._cfg, self._hardware = cfg, hardware
        self._watchdog = HardwareWatchdog(cfg.watchdog.hardware)
        self._dark = False
        self.computer = LegComputer(cfg, hardware)
        self.is_hung = False
        self.restarts = 0

    def pass_once(self, now: float, inbox: Sequence[int]) -> list[int]:
        """Run one pass, or what happens instead of one."""
        if self._hardware.read_supply() < BROWN_OUT:
            self._dark = True
            self._watchdog.kick(now)
            self._hardware.set_motors(_OFF, _OFF)
            return []
        if self._dark:
            self._dark = False
            self._restart(now)
        if self.is_hung:
            if not self._watchdog.has_expired(now):
                return []
            self._restart(now)
            self.computer.report(Report.ERROR, ErrorCode.WATCHDOG_RESET)
        self._watchdog.kick(now)
        return self.computer.pass_once(now, inbox)

    def _restart(self, now: float) -> None:
        """Begin anew without current; angles are absolute and need no homing."""
        self.restarts += 1
        self.is_hung = False
        self._watchdog.kick(now)
        self._hardware.set_motors(_OFF, _OFF)
        self.computer = LegComputer(self._cfg, self._hardware)
