"""RotationCtrl, gently to a target, and BruteForceRotationCtrl, in very short moves."""

from __future__ import annotations

from gelenk.robots.amee.config import ADC_MAX, RotationCfg
from gelenk.robots.amee.leg.control.record import Actor, Rotation
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.leg.io import LegIo

_STOP, _HOLD = int(Bridge.STOP), int(Bridge.HOLD)
_LEFT, _RIGHT = int(Bridge.LEFT), int(Bridge.RIGHT)
_IDLE, _START = Rotation.IDLE, Rotation.START
_ACCELERATING, _MOVING = Rotation.ACCELERATING, Rotation.MOVING
_DECELERATING, _BREAKING = Rotation.DECELERATING, Rotation.BREAKING
_CHANGE_DIR, _FAULT = Rotation.CHANGE_DIR, Rotation.SENSOR_FAULT
_RANGE = Rotation.OUT_OF_RANGE


class RotationCtrl:
    """One automaton for all actors; each call handles one state of one actor.

    Args:
        cfg: Distances and tolerances.
        io: Registers of the drives.
        ramp: What a pulse width changes in one pass; the thesis's passes change it by
            one, longer passes by as many as they stand for.

    Attributes:
        pace: Share of the way that remains which all joints shall go in half a boost
            period, so that they arrive together.
    """

    __slots__ = (
        "_cfg",
        "_idle_code",
        "_idle_speed",
        "_io",
        "_is_servo",
        "_push",
        "_ramp",
        "_states",
        "pace",
    )

    def __init__(self, cfg: RotationCfg, io: LegIo, ramp: int) -> None:
        self._cfg, self._io, self._ramp = cfg, io, ramp
        self._push = max(1, ramp // 3)
        self.pace = 0.0
        hold = cfg.idle_mode != "stop"
        self._is_servo = cfg.idle_mode == "servo"
        self._idle_code, self._idle_speed = (_HOLD, 255) if hold else (_STOP, 0)
        self._states = {
            _START: self._start,
            _ACCELERATING: self._accelerating,
            _MOVING: self._moving,
            _DECELERATING: self._decelerating,
            _BREAKING: self._breaking,
            _CHANGE_DIR: self._change_dir,
            _FAULT: self._fault,
            _RANGE: self._out_of_range,
        }

    def step(self, actor: Actor) -> None:
        """Handle the present state of an actor."""
        if actor.rotation is not _IDLE:
            self._states[actor.rotation](actor)
        elif not self.drives_back(actor):  # most of the time
            self._io.codes[actor.index] = self._idle_code
            self._io.speeds[actor.index] = self._idle_speed

    def drives_back(self, actor: Actor) -> bool:
        """Drive an idle joint back that its load has turned; return whether it must be.

        A braked joint creeps as soon as its load is more than friction holds.
        """
        if not self._is_servo:
            return False
        error = actor.target - actor.actual
        beyond = abs(error) - self._cfg.servo_tolerance
        if beyond <= 0:
            return False
        code = _LEFT if error > 0 else _RIGHT
        self._io.set_motor(actor.index, code, min(255, self._cfg.servo_gain * beyond))
        return True

    def is_beyond_range(self, actor: Actor) -> bool:
        """Return whether a target is refused; a slightly wrong one is corrected."""
        tolerance = self._cfg.range_tolerance
        if not actor.low - tolerance <= actor.target <= actor.high + tolerance:
            return True
        actor.target = min(actor.high, max(actor.low, actor.target))
        return False

    def is_sensor_broken(self, actor: Actor) -> bool:
        """Return whether a reading is where no joint can be: cable or magnet lost."""
        tolerance = self._cfg.fault_tolerance
        return actor.actual <= tolerance or actor.actual >= ADC_MAX - tolerance

    def aim(self, actor: Actor) -> bool:
        """Choose the direction; return False if the drive runs the other way."""
        wanted = 1 if actor.target > actor.actual else -1
        code = self._io.codes[actor.index]
        running = self._io.speeds[actor.index] > 0 and code in (_LEFT, _RIGHT)
        if running and code != (_LEFT if wanted > 0 else _RIGHT):
            return False
        actor.direction = wanted
        speed = self._io.speeds[actor.index] if running else 0
        self._io.set_motor(actor.index, _LEFT if wanted > 0 else _RIGHT, speed)
        return True

    def drive(self, actor: Actor, wanted: int) -> None:
        """Set a pulse width; push harder, pass by pass, where nothing moves."""
        register = self._io.speeds[actor.index]
        if wanted > 0 and not actor.has_moved(self._cfg.moving_tolerance):
            wanted = max(wanted, register + self._ramp)
        code = _LEFT if actor.direction > 0 else _RIGHT
        self._io.set_motor(actor.index, code, wanted)

    def _start(self, actor: Actor) -> None:
        if self.is_beyond_range(actor):
            actor.rotation = _RANGE
        elif abs(actor.target - actor.actual) <= self._cfg.arrival_tolerance:
            actor.rotation = _IDLE
        elif self.aim(actor):
            actor.start = actor.actual
            actor.rotation = _ACCELERATING
        else:
            actor.rotation = _CHANGE_DIR

    def _accelerating(self, actor: Actor) -> None:
        speed = actor.sync_speed
        register = self._io.speeds[actor.index]
        if actor.remaining < self._cfg.break_distance:
            actor.rotation = _DECELERATING
        elif speed > 0 and register >= speed:
            actor.rotation = _MOVING
        if speed == 0:
            actor.start = actor.actual
            self._io.speeds[actor.index] = 0
            return
        way = abs(actor.actual - actor.start)
        ramped = max(1, speed * way // self._cfg.acceleration_distance)
        self.drive(actor, min(speed, max(register, ramped)))

    def _moving(self, actor: Actor) -> None:
        remaining = actor.remaining
        if remaining < -self._cfg.arrival_tolerance:
            actor.rotation = _CHANGE_DIR
        elif actor.sync_speed == 0:
            actor.rotation = _ACCELERATING
        elif remaining < self._cfg.break_distance:
            actor.rotation = _DECELERATING
        self.drive(actor, actor.sync_speed)

    def _decelerating(self, actor: Actor) -> None:
        remaining = actor.remaining
        if remaining < -self._cfg.arrival_tolerance:
            actor.rotation = _CHANGE_DIR
            return
        if remaining <= self._cfg.arrival_tolerance:
            actor.rotation = _BREAKING
            return
        if remaining > self._cfg.break_distance:
            actor.rotation = _ACCELERATING
        # Slower in proportion to what remains. The pulse width that gives such a speed
        # depends on the load, so it is felt for: up slowly, down fast.
        wanted = max(self._cfg.least_approach, remaining * self.pace)
        register = self._io.speeds[actor.index]
        slow = actor.advance() * actor.direction < wanted
        register = register + self._push if slow else register - self._ramp
        code = _LEFT if actor.direction > 0 else _RIGHT
        self._io.set_motor(actor.index, code, max(1, register))

    def _breaking(self, actor: Actor) -> None:
        strength = self._io.speeds[actor.index] + self._ramp
        self._io.set_motor(actor.index, _HOLD, strength)
        if strength >= 255:
            actor.rotation = _IDLE

    def _change_dir(self, actor: Actor) -> None:
        speed = max(0, self._io.speeds[actor.index] - self._ramp)
        if speed == 0 or self._io.codes[actor.index] not in (_LEFT, _RIGHT):
            self._io.set_motor(actor.index, _STOP, 0)
            actor.rotation = _START
        else:
            self._io.set_motor(actor.index, self._io.codes[actor.index], speed)

    def _fault(self, actor: Actor) -> None:
        self._io.set_motor(actor.index, _STOP, 0)

    def _out_of_range(self, actor: Actor) -> None:
        self._io.set_motor(actor.index, _STOP, 0)
        actor.target = actor.actual
        actor.rotation = _IDLE


_STOP, _HOLD = int(Bridge.STOP), int(Bridge.HOLD)
_LEFT, _RIGHT = int(Bridge.LEFT), int(Bridge.RIGHT)
_IDLE, _START = Rotation.IDLE, Rotation.START
_ACCELERATING, _MOVING = Rotation.ACCELERATING, Rotation.MOVING
_DECELERATING, _BREAKING = Rotation.DECELERATING, Rotation.BREAKING
_CHANGE_DIR, _FAULT = Rotation.CHANGE_DIR, Rotation.SENSOR_FAULT


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
