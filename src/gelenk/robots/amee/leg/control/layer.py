"""Control layer: four actors, their automata, and what the logic layer may ask."""

from __future__ import annotations

from collections.abc import Sequence

from gelenk.robots.amee.config import ADC_MAX, TOES_ALL, LegCfg
from gelenk.robots.amee.leg.control.record import Actor, Rotation, Torque
from gelenk.robots.amee.leg.control.rotation import BruteForceRotationCtrl, RotationCtrl
from gelenk.robots.amee.leg.control.torque import TorqueCtrl, retreat_targets
from gelenk.robots.amee.leg.hardware import Bridge
from gelenk.robots.amee.leg.io import LegIo
from gelenk.robots.amee.timing import LOOP_PASS

_IDLE, _FAULT = Rotation.IDLE, Rotation.SENSOR_FAULT
_RANGE, _WAIT = Rotation.OUT_OF_RANGE, Torque.WAIT
_TORQUE_IDLE = Torque.IDLE
_DRIVEN = (int(Bridge.LEFT), int(Bridge.RIGHT))
_DRIVING = (Rotation.ACCELERATING, Rotation.MOVING, Rotation.DECELERATING)


class ControlLayer:
    """RotationCtrl, BruteForceRotationCtrl, TorqueCtrl, SpeedCtrl and CalcRealSpeed.

    Attributes:
        actors: Records of A..D.
        speed: Largest pulse width of the present job.
        collision: Actor that collided and has not been dealt with, or -1.
        was_overload: Whether that was the absolute maximum of a standing leg.
        out_of_range: Whether targets were refused since this was last cleared.
        fault: Actor whose sensor failed, or -1.
        on_ground: Whether the leg stands or feels for ground, as the logic layer knows;
            toes alone would not tell ground from what is in the way.
        has_looked: Whether CalcRealSpeed ran in this pass.
    """

    __slots__ = (
        "_approach",
        "_brute",
        "_cfg",
        "_highest",
        "_io",
        "_lowest",
        "_next_look",
        "_rotation",
        "_top_advance",
        "_torque",
        "actors",
        "collision",
        "fault",
        "has_looked",
        "on_ground",
        "out_of_range",
        "speed",
        "was_overload",
    )

    def __init__(self, cfg: LegCfg, io: LegIo) -> None:
        self._cfg, self._io = cfg, io
        ramp = max(1, round(cfg.pass_period / LOOP_PASS))
        window = max(2, round(cfg.torque.window / cfg.pass_period))
        moved = max(2, round(cfg.rotation.boost_period / cfg.pass_period / 2))
        self.actors = [
            Actor(i, limits, window=window, moved=moved)
            for i, limits in enumerate(cfg.limit_counts)
        ]
        self._rotation = RotationCtrl(cfg.rotation, io, ramp)
        # Readings in between are those of a sound sensor.
        self._lowest = cfg.rotation.fault_tolerance
        self._highest = ADC_MAX - cfg.rotation.fault_tolerance
        slope = abs(cfg.sensors[0].slope)
        # What a joint goes in half a boost period: at most, of what remains; and at
        # full voltage, for each unit of the pulse width [counts].
        half = cfg.rotation.boost_period / 2.0
        self._approach = half / cfg.rotation.approach_time
        self._top_advance = half * slope * cfg.drive.no_load_speed / 255.0
        self._brute = BruteForceRotationCtrl(
            self._rotation,
            io,
            learn_up=cfg.rotation.learn_up,
            learn_down=cfg.rotation.learn_down,
            overshoot=slope * cfg.rotation.learn_tolerance,
            near=cfg.rotation.short_tolerance,
        )
        self._torque = TorqueCtrl(cfg)
        self._next_look = 0.0
        self.has_looked = False
        self.speed = cfg.rotation.default_speed
        self.collision = self.fault = -1
        self.was_overload = self.out_of_range = self.on_ground = False
        for actor in self.actors:
            actor.learned = self.speed // 2

    def start(self, targets: Sequence[int], *, brute_force: bool = False) -> None:
        """Copy targets [counts] into the records and start all controllers."""
        self.collision, self.was_overload = -1, False
        for actor, target in zip(self.actors, targets, strict=True):
            if actor.rotation == _FAULT:
                return
            if brute_force:
                self._brute.judge(actor, actor.target, self.speed)
            actor.target = int(target)
            actor.brute_force = brute_force
            actor.torque_state = Torque.IDLE
            actor.rotation = Rotation.START

    def freeze(self) -> None:
        """Brake where the leg is now: the measured angles become the targets."""
        for actor in self.actors:
            actor.target = actor.actual
            if actor.rotation not in (_FAULT, _IDLE, _RANGE):
                actor.rotation = _IDLE if actor.brute_force else Rotation.BREAKING

    def rest(self) -> None:
        """Force all controllers to idle; a sensor fault is forgotten."""
        for actor in self.actors:
            actor.rest()
        self.collision = self.fault = -1
        self.was_overload = self.out_of_range = False

    def are_all_idle(self) -> bool:
        """Return whether every actor has arrived and no collision is pending."""
        for actor in self.actors:
            if actor.rotation != _IDLE or actor.torque_state == _WAIT:
                return False
        return True

    def is_off_target(self) -> bool:
        """Return whether play has carried a joint off its target."""
        tolerance = self._cfg.rotation.arrival_tolerance + 1
        return any(abs(a.target - a.actual) > tolerance for a in self.actors)

    def is_hit(self) -> bool:
        """Return whether a collision or an overload is being dealt with."""
        return any(actor.torque_state == _WAIT for actor in self.actors)

    def step(self, now: float) -> None:
        """Handle one state of every automaton of every actor."""
        io = self._io
        widest = 0
        for actor, angle, torque, code, speed in zip(
            self.actors, io.angles, io.torques, io.codes, io.speeds, strict=True
        ):
            actor.observe(angle, torque, speed if code in _DRIVEN else 0)
            if actor.rotation is not _IDLE:
                widest = max(widest, abs(actor.target - angle))
        if widest:
            top = self._top_advance * self.speed
            self._rotation.pace = min(self._approach, top / widest)
        self.has_looked = now >= self._next_look
        if self.has_looked:
            self._next_look = now + self._cfg.rotation.moving_period
            self._look_at_motion()
        for actor in self.actors:
            if (
                actor.rotation is _IDLE
                and actor.torque_state is _TORQUE_IDLE
                and self._lowest < actor.actual < self._highest
            ):  # most actors, most of the time
                (self._brute if actor.brute_force else self._rotation).step(actor)
                actor.rotation_changed = False
            else:
                self._step_actor(actor, widest, now, is_grounded=self.on_ground)

    def _step_actor(
        self, actor: Actor, widest: int, now: float, *, is_grounded: bool
    ) -> None:
        before, torque_before = actor.rotation, actor.torque_state
        self._check_sensor(actor)
        if before == _IDLE and torque_before == Torque.IDLE:
            (self._brute if actor.brute_force else self._rotation).step(actor)
            actor.rotation_changed = actor.rotation != before
            return
        if actor.extra:  # held for one pass only
            self._io.speeds[actor.index] -= actor.extra
            actor.extra = 0
        way = abs(actor.target - actor.actual)
        actor.sync_speed = self.speed * way // widest if widest else 0
        (self._brute if actor.brute_force else self._rotation).step(actor)
        if actor.rotation == _RANGE and before != _RANGE:
            self._refuse()
        if self._torque.has_collided(actor, is_grounded=is_grounded):
            self._reflex(actor)
        elif actor.torque_state != _WAIT and self._torque.is_overloaded(
            actor, self._io.codes[actor.index], now, is_grounded=is_grounded
        ):
            if is_grounded and self._is_near(actor):
                self._brute.arrive(actor)
            else:
                self.was_overload = is_grounded
                self._reflex(actor)
        elif actor.rotation in _DRIVING:
            register = self._io.speeds[actor.index]
            actor.extra = min(255 - register, self._torque.extra_speed(actor))
            self._io.speeds[actor.index] = register + actor.extra
        actor.rotation_changed = actor.rotation != before

    def _is_near(self, actor: Actor) -> bool:
        """Return whether an actor of a line is as good as there.

        Legs that stand press against each other; whoever comes last cannot push the
        others aside, and what is missing adds to the next via point.
        """
        near = self._cfg.rotation.strained_tolerance
        return actor.brute_force and abs(actor.target - actor.actual) <= near

    def _check_sensor(self, actor: Actor) -> None:
        if self._rotation.is_sensor_broken(actor) and self.fault < 0:
            self.break_down(actor.index)

    def break_down(self, index: int) -> None:
        """Take the current from all drives because a sensor cannot be trusted."""
        self.fault = index
        self._io.stop_all()
        for actor in self.actors:
            actor.rotation = _FAULT
            actor.torque_state = Torque.IDLE

    def _refuse(self) -> None:
        """Stop all actors because one target is out of its range."""
        self.out_of_range = True
        self._io.stop_all()
        for actor in self.actors:
            actor.rotation = _RANGE
            actor.brute_force = False

    def _reflex(self, hit: Actor) -> None:
        """Back off on all joints; a standing leg that is overloaded holds instead."""
        t = self._cfg.torque
        if self.was_overload:
            targets = tuple(actor.actual for actor in self.actors)
        else:
            by_range = t.retreat_mode == "range"
            targets = retreat_targets(self.actors, t.retreat, by_range=by_range)
        self.collision = hit.index
        for actor, target in zip(self.actors, targets, strict=True):
            moves = target != actor.actual
            actor.target = target
            actor.brute_force = self.was_overload
            actor.rotation = Rotation.CHANGE_DIR if moves else Rotation.IDLE
            actor.torque_state = _WAIT

    def _look_at_motion(self) -> None:
        """CalcRealSpeed: whether each joint has moved since the last look."""
        for actor in self.actors:
            half = len(actor.past_actual) // 2
            way = abs(actor.newer - actor.seen)
            actor.is_moving = way > self._cfg.rotation.moving_tolerance * half
            actor.seen = actor.newer

    def measured(self) -> list[int]:
        """Return the smoothed angles of A..D [counts]."""
        return self._io.angles

    @property
    def toes(self) -> int:
        """Closed contacts as bits."""
        return self._io.toes

    def feel_ground(self) -> None:
        """Take the leg as standing if a toe is pressed now."""
        self.on_ground = bool(self._io.toes & TOES_ALL)

    @property
    def torques(self) -> list[int]:
        """Motor currents of A..D [counts]."""
        return self._io.torques
