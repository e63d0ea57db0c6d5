"""Control layer data: one record of integers per actor, like a control register."""

from __future__ import annotations

from collections import deque
from enum import IntEnum


class Rotation(IntEnum):
    """States of RotationCtrl; BruteForceRotationCtrl uses some of them."""

    IDLE = 0
    START = 1
    ACCELERATING = 2
    MOVING = 3
    DECELERATING = 4
    BREAKING = 5
    CHANGE_DIR = 6
    SENSOR_FAULT = 7
    OUT_OF_RANGE = 9


class Torque(IntEnum):
    """States of TorqueCtrl."""

    IDLE = 0
    START = 1
    WAIT = 2


class Actor:
    """Record of one actor; all angles in counts.

    Attributes:
        index: 0..3 for A..D.
        low: Lowest count allowed.
        high: Highest count allowed.
        actual: Smoothed angle.
        target: Angle to drive to.
        start: Angle at the start of the acceleration.
        torque: Motor current now.
        past_torque: Motor currents of the passes in the collision window, oldest first.
        past_drive: Pulse widths of the same passes.
        past_actual: Angles of the passes in which a joint must move to be moving.
        rotation: State of RotationCtrl or BruteForceRotationCtrl.
        torque_state: State of TorqueCtrl.
        direction: +1 towards larger counts, -1 towards smaller.
        is_moving: What CalcRealSpeed found.
        seen: Sum of the newer angles when CalcRealSpeed last looked.
        newer: Sum of the newer half of `past_actual`.
        older: Sum of its older half; one half against the other is blind to noise.
        brute_force: Whether BruteForceRotationCtrl has the actor.
        learned: Pulse width that BruteForceRotationCtrl has learned.
        overload_since: When the torque first exceeded the absolute maximum [s], or -1.
        extra: What SpeedCtrl added to the pulse width in the last pass.
        rotation_changed: Whether `rotation` changed in the last pass.
        sync_speed: Share of the speed that lets all actors arrive together, 0..255.
    """

    __slots__ = (
        "actual",
        "brute_force",
        "direction",
        "extra",
        "high",
        "index",
        "is_moving",
        "learned",
        "low",
        "newer",
        "older",
        "overload_since",
        "past_actual",
        "past_drive",
        "past_torque",
        "rotation",
        "rotation_changed",
        "seen",
        "start",
        "sync_speed",
        "target",
        "torque",
        "torque_state",
    )

    def __init__(
        self, index: int, limits: tuple[int, int], *, window: int, moved: int
    ) -> None:
        self.index = index
        self.low, self.high = limits
        self.actual = self.target = self.start = 0
        self.seen = self.newer = self.older = 0
        self.torque = 0
        self.past_torque: deque[int] = deque([0] * window, maxlen=window)
        self.past_drive: deque[int] = deque([0] * window, maxlen=window)
        self.past_actual: deque[int] = deque([0] * 2 * moved, maxlen=2 * moved)
        self.rotation = Rotation.IDLE
        self.torque_state = Torque.IDLE
        self.direction = 0
        self.is_moving = False
        self.brute_force = False
        self.learned = self.extra = 0
        self.overload_since = -1.0
        self.rotation_changed = False
        self.sync_speed = 0

    @property
    def remaining(self) -> int:
        """Way to the target in the direction of motion; negative when passed."""
        return (self.target - self.actual) * self.direction

    def observe(self, angle: int, torque: int, drive: int) -> None:
        """Take the readings of a pass."""
        past = self.past_actual
        middle = past[len(past) // 2]
        self.newer += angle - middle
        self.older += middle - past[0]
        past.append(angle)
        self.actual, self.torque = angle, torque
        self.past_torque.append(torque)
        self.past_drive.append(drive)

    def settle(self, angle: int) -> None:
        """Begin at rest at an angle."""
        half = len(self.past_actual) // 2
        self.past_actual.extend([angle] * 2 * half)
        self.actual = self.target = angle
        self.newer = self.older = self.seen = angle * half

    def advance(self) -> float:
        """Return how far the newer angles are from the older ones [counts]."""
        return (self.newer - self.older) / (len(self.past_actual) // 2)

    def has_moved(self, tolerance: int) -> bool:
        """Return whether the newer angles differ from the older ones [counts]."""
        return abs(self.newer - self.older) > tolerance * (len(self.past_actual) // 2)

    def rest(self) -> None:
        """Force both automata to idle; where the joint is becomes its target."""
        self.target = self.actual
        self.rotation = Rotation.IDLE
        self.torque_state = Torque.IDLE
        self.brute_force = False
        self.overload_since = -1.0
