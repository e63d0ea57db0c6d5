"""What motion and current of a joint say about its drive, whatever the leg does.

A drive that is told to turn hard, draws nothing and does not turn its joint is dead, or
its shaft is torn. A torn joint swings, or was loose before while it should have been
held; a dead one is kept by its gear. A joint that is held and turns far without a
current is torn, too: a shorted motor that turns with its joint gives one.
One that is driven hard both ways and does not turn at all is locked; a foot that is
wedged still gives a little.
"""

from __future__ import annotations

from gelenk.robots.amee.config import ADC_MAX, NUM_ACTORS, LegCfg
from gelenk.robots.amee.leg.control.layer import ControlLayer
from gelenk.robots.amee.leg.control.record import Rotation
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.leg.io import LegIo
from gelenk.robots.amee.wire.table import ErrorCode

_HOLD, _IDLE = int(Bridge.HOLD), Rotation.IDLE
_DRIVEN = (int(Bridge.LEFT), int(Bridge.RIGHT))
_HARD = 200  # of 255
_FREE_TIME = 0.4  # [s] of hard drive without current after which a drive is judged
_LEAST_WAY = 20  # [counts], a healthy drive without load goes four times as far
_SWING = 4  # [counts] to and fro, or against the drive; a dead joint may coast
_LOOSE = 3  # [counts], more than a joint moves that its gear keeps
_MEMORY = 30.0  # [s]
_STILL = 1  # [counts], what noise makes of a joint that is locked
_PUSH_TIME = 0.25  # [s] of stall each way
_STALL = 12.0  # [N m] of the 22 N m drive


class Defects:
    """Watches all joints."""

    __slots__ = (
        "_anchor",
        "_begin",
        "_control",
        "_give_way",
        "_high",
        "_io",
        "_last",
        "_limit",
        "_loose_at",
        "_low",
        "_pushed",
        "_quiet",
        "_since",
        "_stall",
        "_still_at",
    )

    def __init__(self, cfg: LegCfg, io: LegIo, control: ControlLayer) -> None:
        self._io, self._control = io, control
        self._limit = cfg.torque_counts(cfg.watchdog.dead_drive)
        self._give_way = cfg.watchdog.give_way
        self._quiet = min(_LOOSE, self._give_way) if self._give_way > 0 else _LOOSE
        self._stall = cfg.torque_counts(_STALL)
        self._loose_at = [-_MEMORY] * NUM_ACTORS
        self._still_at = [-ADC_MAX] * NUM_ACTORS
        self._pushed = [[0.0, 0.0] for _ in range(NUM_ACTORS)]
        self._last = 0.0
        self.rest()

    def rest(self) -> None:
        """Begin to watch anew; that a joint was loose is not forgotten."""
        self._anchor: list[int | None] = [None] * NUM_ACTORS
        self._since = [-1.0] * NUM_ACTORS
        self._begin = [0] * NUM_ACTORS
        self._low = [0] * NUM_ACTORS
        self._high = [0] * NUM_ACTORS

    def look(self, now: float) -> tuple[ErrorCode, int] | None:
        """Return what is broken at which actor; None: nothing that would show."""
        step, self._last = now - self._last, now
        anchors, codes, limit = self._anchor, self._io.codes, self._limit
        for i, actor in enumerate(self._control.actors):
            code, actual, torque = codes[i], actor.actual, actor.torque
            if self._is_locked(i, actual, torque, code, step):
                return ErrorCode.MECHANICAL_DEFECT, i
            if code == _HOLD and actor.rotation is _IDLE:
                self._since[i] = -1.0
                anchor = anchors[i]
                # slips, but its motor turns with it: or nothing to compare with
                if torque >= limit or anchor is None:
                    anchors[i] = actual
                elif abs(actual - anchor) > self._quiet and self._gives_way(
                    i, abs(actual - anchor), now
                ):
                    return ErrorCode.MECHANICAL_DEFECT, i
                continue
            anchors[i] = None
            is_hard = code in _DRIVEN and self._io.speeds[i] >= _HARD
            if is_hard and torque < limit:
                found = self._runs_free(i, actual, actor.direction, now)
                if found is not None:
                    return found, i
            else:
                self._since[i] = -1.0
        return None

    def _is_locked(
        self, i: int, actual: int, torque: int, code: int, step: float
    ) -> bool:
        if abs(actual - self._still_at[i]) > _STILL:
            self._still_at[i] = actual
            self._pushed[i] = [0.0, 0.0]
        elif torque > self._stall and code in _DRIVEN:
            pushed = self._pushed[i]
            pushed[_DRIVEN.index(code)] += step
            return min(pushed) > _PUSH_TIME
        return False

    def _gives_way(self, i: int, off: int, now: float) -> bool:
        if off > _LOOSE:
            self._loose_at[i] = now
        return self._give_way > 0 and off > self._give_way

    def _runs_free(
        self, i: int, actual: int, direction: int, now: float
    ) -> ErrorCode | None:
        if self._since[i] < 0.0:
            self._since[i] = now
            self._begin[i] = self._low[i] = self._high[i] = actual
        self._low[i] = min(self._low[i], actual)
        self._high[i] = max(self._high[i], actual)
        if (actual - self._begin[i]) * direction > _LEAST_WAY:
            self._since[i] = -1.0
            return None
        if now - self._since[i] < _FREE_TIME:
            return None
        way = (actual - self._begin[i]) * direction
        to_and_fro = self._high[i] - self._low[i] - abs(way)
        swings = max(to_and_fro, -way) > _SWING
        if swings or now - self._loose_at[i] < _MEMORY:
            return ErrorCode.MECHANICAL_DEFECT
        return ErrorCode.DRIVE_DEFECT
