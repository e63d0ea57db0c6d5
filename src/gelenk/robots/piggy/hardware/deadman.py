"""Somebody who watches the controller: if it falls silent, the servos are held.

In torque mode a servo goes on with its last command until it meets the end stop
(§3.3.2). A `Deadman` runs beside the controller, not inside it.
"""

from __future__ import annotations

from gelenk.errors import ConfigError
from gelenk.robots.piggy.hardware.roll_tilt import RollTilt
from gelenk.robots.piggy.hardware.servo import ServoError

DEADLINE = 0.05  # [s], five cycles of control


class Deadman:
    """Switches the servos to position mode when no torque was written in time.

    Args:
        unit: The servos.
        deadline: Longest time between two writes [s].
    """

    def __init__(self, unit: RollTilt, *, deadline: float = DEADLINE) -> None:
        if not deadline > 0.0:
            raise ConfigError(f"`deadline` must be positive, got {deadline}")
        self.unit, self.deadline = unit, deadline
        self.reason = ""
        self._writes = -1
        self._since = 0.0

    def check(self, now: float) -> bool:
        """Return whether all is well; hold the servos if not. Call it often.

        Args:
            now: [s].
        """
        if not self.unit.is_referenced:
            self._writes = -1
            return not self.reason
        if self.unit.writes != self._writes:
            self._writes, self._since, self.reason = self.unit.writes, now, ""
            return True
        silent = now - self._since
        if silent <= self.deadline + 1e-9:
            return True
        self.reason = f"no torque was commanded for {1e3 * silent:.0f} ms"
        try:
            self.unit.hold()
        except ServoError as error:
            self.reason += f"; and the servos cannot hold: {error}"
        return False
