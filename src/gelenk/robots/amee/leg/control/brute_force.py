"""BruteForceRotationCtrl: chains of very short moves, without ramps."""

from __future__ import annotations

from gelenk.robots.amee.leg.control.record import Actor, Rotation
from gelenk.robots.amee.leg.control.rotation import RotationCtrl
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.leg.io import LegIo

_STOP, _HOLD = int(Bridge.STOP), int(Bridge.HOLD)
_IDLE, _START, _MOVING = Rotation.IDLE, Rotation.START, Rotation.MOVING
_BREAKING, _CHANGE_DIR = Rotation.BREAKING, Rotation.CHANGE_DIR
_FAULT, _RANGE = Rotation.SENSOR_FAULT, Rotation.OUT_OF_RANGE


class BruteForceRotationCtrl:
    """One automaton for all actors; shares data and helpers with RotationCtrl.

    Args:
        rotation: Whose helpers choose directions and overcome standstill.
        io: Registers of the drives.
        learn_up: What an exact arrival adds to the learned pulse width.
        learn_down: What an overshoot takes from it.
        overshoot: Counts beyond the target that are punished.
        near: Counts not worth a move.
    """

    __slots__ = ("_io", "_learn_down", "_learn_up", "_near", "_overshoot", "_rotation")

    def __init__(
        self,
        rotation: RotationCtrl,
        io: LegIo,
        *,
        learn_up: int,
        learn_down: int,
        overshoot: float,
        near: int,
    ) -> None:
        self._rotation, self._io, self._near = rotation, io, near
        self._learn_up, self._learn_down = learn_up, learn_down
        self._overshoot = overshoot

    def step(self, actor: Actor) -> None:
        """Handle the present state of an actor."""
        state = actor.rotation
        if state is _IDLE:
            if not self._rotation.drives_back(actor):
                self._io.codes[actor.index] = _HOLD
                self._io.speeds[actor.index] = 255
        elif state == _MOVING:
            self._moving(actor)
        elif state == _START:
            self._start(actor)
        elif state in (_FAULT, _RANGE, _BREAKING, _CHANGE_DIR):
            self._rotation.step(actor)
        else:  # taken over from RotationCtrl in the middle of a ramp
            actor.rotation = _MOVING

    def judge(self, actor: Actor, previous_target: int, limit: int) -> None:
        """Learn from the move before, called where a new one starts (dynaSpeed).

        Args:
            actor: Record, its angle where the last move ended.
            previous_target: Where that move should have ended [counts].
            limit: Largest pulse width.
        """
        if actor.direction == 0:
            return
        beyond = (actor.actual - previous_target) * actor.direction
        if beyond == 0:
            actor.learned += self._learn_up
        elif beyond > self._overshoot:
            actor.learned -= self._learn_down
        actor.learned = min(limit, max(1, actor.learned))

    def _start(self, actor: Actor) -> None:
        if self._rotation.is_beyond_range(actor):
            actor.rotation = _RANGE
        elif abs(actor.target - actor.actual) <= self._near:
            self.arrive(actor)  # what is missing adds to the next short move
        elif self._rotation.aim(actor):
            actor.rotation = _MOVING
        else:
            self._io.set_motor(actor.index, _STOP, 0)

    def arrive(self, actor: Actor) -> None:
        """Hold an actor where it is."""
        actor.rotation = _IDLE
        self._io.set_motor(actor.index, _HOLD, 255)

    def _moving(self, actor: Actor) -> None:
        if actor.remaining <= 0:
            self.arrive(actor)
        else:
            self._rotation.drive(actor, actor.learned)
