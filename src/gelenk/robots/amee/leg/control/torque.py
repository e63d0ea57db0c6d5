"""TorqueCtrl and SpeedCtrl: what the motor currents say about the world.

A collision is a steep rise of torque, not a large torque: the principle of windows
that do not pinch. Small obstacles stay below it.
"""

from __future__ import annotations

from gelenk.robots.amee.config import LegCfg
from gelenk.robots.amee.leg.control.record import Actor, Rotation, Torque
from gelenk.robots.amee.leg.hardware import Bridge

_DRIVEN = (int(Bridge.LEFT), int(Bridge.RIGHT))
_IDLE, _START, _WAIT = Torque.IDLE, Torque.START, Torque.WAIT
_WATCHED = (Rotation.MOVING, Rotation.DECELERATING)


class TorqueCtrl:
    """One automaton for all actors; each call handles one state of one actor."""

    __slots__ = (
        "_absolute",
        "_boost",
        "_ground_time",
        "_mute",
        "_normal",
        "_rise",
        "_stall",
        "_threshold",
    )

    def __init__(self, cfg: LegCfg) -> None:
        t = cfg.torque
        self._threshold = cfg.torque_counts(t.threshold)
        self._rise = cfg.torque_counts(t.max_rise)
        self._absolute = cfg.torque_counts(t.absolute_max)
        self._normal = cfg.torque_counts(t.normal_max)
        # What a larger pulse width of one adds to the current by itself [counts].
        self._stall = cfg.torque_counts(22.0) / 255.0
        self._boost = t.speed_boost
        self._mute = t.ground_mutes_rise
        self._ground_time = t.ground_overload_time

    def has_collided(self, actor: Actor, *, is_grounded: bool) -> bool:
        """Handle the present state of an actor; return True on a new collision."""
        state = actor.torque_state
        if state == _IDLE:
            if actor.rotation in _WATCHED:
                actor.torque_state = _START
        elif state == _START:
            actor.torque_state = _IDLE
            muted = is_grounded and self._mute
            if actor.torque > self._threshold and not muted:
                return self._rose(actor)
        return False

    def is_overloaded(
        self, actor: Actor, code: int, now: float, *, is_grounded: bool
    ) -> bool:
        """Return whether a drive exceeds its absolute maximum, in whatever state.

        A standing leg may exceed it for a moment: to let go would drop the body.
        """
        if actor.torque <= self._absolute or code not in _DRIVEN:
            actor.overload_since = -1.0
            return False
        if actor.overload_since < 0.0:
            actor.overload_since = now
        return not is_grounded or now - actor.overload_since >= self._ground_time

    def extra_speed(self, actor: Actor) -> int:
        """Return what SpeedCtrl adds to the pulse width in this pass."""
        heavy = actor.torque > self._normal and actor.torque_state != _WAIT
        return self._boost if heavy else 0

    def _rose(self, actor: Actor) -> bool:
        """Return whether the torque rose too fast, own commands aside."""
        drives = actor.past_drive
        least = min(drives)
        if least == 0:  # started within the window: a motor draws most at standstill
            return False
        command = (drives[-1] - least) * self._stall
        return actor.torque - actor.past_torque[0] - command > self._rise


def retreat_targets(
    actors: list[Actor], share: float, *, by_range: bool
) -> tuple[int, ...]:
    """Return where all actors back off to [counts]: against their own motion.

    Args:
        actors: All records.
        share: Of the joint's range, or of the way travelled.
        by_range: Which of the two.
    """
    targets: list[int] = []
    for actor in actors:
        moves = actor.rotation not in (Rotation.IDLE, Rotation.START)
        way = actor.high - actor.low if by_range else abs(actor.actual - actor.start)
        back = round(share * way) * actor.direction if moves else 0
        targets.append(min(actor.high, max(actor.low, actor.actual - back)))
    return tuple(targets)
