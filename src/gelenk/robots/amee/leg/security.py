"""Security layer: the software watchdog, collisions and their repeats, defects.

The watchdog looks only at whether automata change their state. States that wait for
the main controller or for a moving joint are exempt: a plain limit of one second
would end every patient wait.
"""

from __future__ import annotations

from collections.abc import Callable

from gelenk.robots.amee.config import NUM_ACTORS, TOES_ALL, LegCfg
from gelenk.robots.amee.leg.control.layer import ControlLayer
from gelenk.robots.amee.leg.control.record import Actor, Rotation
from gelenk.robots.amee.leg.defects import Defects
from gelenk.robots.amee.leg.io import LegIo
from gelenk.robots.amee.leg.logic.data import LogicLayer
from gelenk.robots.amee.leg.logic.line import Line, LineMover
from gelenk.robots.amee.leg.logic.motion import MotionCtrl
from gelenk.robots.amee.leg.logic.step import DoStep, Step
from gelenk.robots.amee.leg.logic.touch import TouchCtrl
from gelenk.robots.amee.wire.table import Command, ErrorCode, Report

_IDLE = Rotation.IDLE
_DRIVING = (Rotation.ACCELERATING, Rotation.MOVING, Rotation.DECELERATING)
_STUCK = 2  # [counts], what noise makes of a joint that cannot move
_PATIENT_STEPS = (Step.IDLE, Step.WAIT_FIRST_SYNC, Step.WAIT_LINE_MOVER)
_PATIENT_LINES = (Line.IDLE, Line.WAIT, Line.MOVING)


class Security:
    """Watches all controllers; cuts across the layers.

    Args:
        cfg: Settings of the leg.
        io: Hardware layer.
        control: Control layer.
        logic: Logic layer data.
        motion: MotionCtrl.
        step_ctrl: DoStep.
        line: LineMover.
        touch: TouchCtrl.
        note: Writes a line into the journal.

    Attributes:
        collisions: Collisions since the last success.
        resets: Automata that the software watchdog has reset.
    """

    __slots__ = (
        "_alive",
        "_busy_since",
        "_cfg",
        "_check_at",
        "_collided_at",
        "_control",
        "_defects",
        "_has_arrived",
        "_hit",
        "_hit_at",
        "_hit_way",
        "_io",
        "_last_move",
        "_line",
        "_logic",
        "_motion",
        "_note",
        "_reported_defect",
        "_reported_fault",
        "_seen",
        "_step",
        "_touch",
        "collisions",
        "resets",
    )

    def __init__(
        self,
        cfg: LegCfg,
        io: LegIo,
        control: ControlLayer,
        logic: LogicLayer,
        motion: MotionCtrl,
        step_ctrl: DoStep,
        line: LineMover,
        touch: TouchCtrl,
        note: Callable[[str], None],
    ) -> None:
        self._cfg, self._io, self._control, self._logic = cfg, io, control, logic
        self._motion, self._step, self._line = motion, step_ctrl, line
        self._touch, self._note = touch, note
        self._defects = Defects(cfg, io, control)
        self.resets = 0
        self.rest(0.0)

    def rest(self, now: float) -> None:
        """Start all clocks anew and forget collisions."""
        self._alive = [now] * NUM_ACTORS
        self._seen: dict[str, tuple[int, float]] = {}
        self._check_at = now + self._cfg.watchdog.software
        self._collided_at = -1.0
        self._busy_since = now
        self._last_move, self._has_arrived = now, True
        self._reported_fault = False
        self._reported_defect: tuple[ErrorCode, int] | None = None
        self._hit, self._hit_at, self._hit_way = -1, 0, 0
        self._defects.rest()
        self.collisions = 0

    def step(self, now: float) -> None:
        """Look at all controllers once."""
        control = self._control
        if control.fault >= 0:
            self._tell_fault()
            return
        if control.out_of_range:
            control.out_of_range = False
            self._logic.report(Report.OUT_OF_RANGE)
            self._motion.abort()
        if self._cfg.watchdog.early_diagnosis:
            self._look_for_defects(now)
        if self._motion.state == Command.IDLE:
            if self.collisions or self._seen:
                self.rest(now)
            self._alive = [now] * NUM_ACTORS
            return
        if control.collision >= 0:
            self._count_collision(control.collision, now)
        elif self._collided_at >= 0.0:
            if now - self._collided_at >= self._cfg.torque.retry_after:
                self._retry(now)
            return
        self._watch_actors(now)
        self._watch_logic(now)

    def _look_for_defects(self, now: float) -> None:
        """Say once what motion and current of a joint give away."""
        found = self._defects.look(now)
        if found is not None and found != self._reported_defect:
            self._reported_defect = found
            self._give_up(*found)

    def _tell_fault(self) -> None:
        if self._reported_fault:
            return
        self._reported_fault = True
        index = self._control.fault
        self._note(f"sensor of actor {index} failed: all drives off")
        self._logic.report(Report.SENSOR_FAULT, index)
        self._motion.abort()

    def _count_collision(self, index: int, now: float) -> None:
        """Count a collision; after the last repeat give up."""
        control = self._control
        control.collision = -1
        if self._is_frozen(control.actors[index], now):
            control.break_down(index)
            return
        self.collisions += 1
        kind = "overload" if control.was_overload else "collision"
        self._note(f"{kind} {self.collisions} at actor {index}")
        if self.collisions > self._cfg.torque.max_retries:
            self._logic.report(Report.COLLISION, index)
            self._io.stop_all()
            control.rest()
            self._collided_at = -1.0
            self._motion.abort()
        else:
            self._collided_at = now
            self._remember_hit(control.actors[index])
        control.was_overload = False

    def _remember_hit(self, actor: Actor) -> None:
        """Keep where an actor was stopped, and how far it shall get away from there."""
        self._hit, self._hit_at = actor.index, actor.actual
        self._hit_way = abs(actor.target - actor.actual)

    def _is_locked(self, index: int) -> bool:
        """Return whether an actor could not even get away from where it was hit.

        A foot that touches something may be wedged; then nobody can tell.
        """
        actor = self._control.actors[index]
        return (
            index == self._hit
            and not self._io.toes & TOES_ALL
            and self._cfg.watchdog.early_diagnosis
            and self._hit_way >= self._cfg.watchdog.least_retreat
            and abs(actor.actual - self._hit_at) <= _STUCK
        )

    def _retry(self, now: float) -> None:
        """Drive the old targets again, unless the joint did not even back off."""
        self._collided_at = -1.0
        if self._is_locked(self._hit):
            self._give_up(ErrorCode.MECHANICAL_DEFECT, self._hit)
            return
        self._note("old targets again")
        targets = self._logic.targets
        if targets is None:
            targets = tuple(self._control.measured())
        self._logic.move_started = now
        self._alive = [now] * NUM_ACTORS
        self._control.start(targets)

    def _watch_actors(self, now: float) -> None:
        """RotationCtrl: alive while it changes or its joint moves."""
        control, limits = self._control, self._cfg.watchdog
        busy = False
        for actor in control.actors:
            if actor.rotation == _IDLE:
                self._alive[actor.index] = now
                continue
            busy = True
            if actor.rotation_changed or actor.is_moving:
                self._alive[actor.index] = now
            if actor.rotation in _DRIVING and self._is_frozen(actor, now):
                self._note(f"sensor of actor {actor.index} shows not even noise")
                control.break_down(actor.index)
                return
            if now - self._alive[actor.index] > limits.software:
                self._alive[actor.index] = now
                self.resets += 1
                self._note(f"actor {actor.index} stuck in {actor.rotation.name}")
                if limits.early_diagnosis and self._is_dead(actor):
                    self._give_up(ErrorCode.DRIVE_DEFECT, actor.index)
                    return
                actor.rotation = Rotation.START
        if not busy:
            self._busy_since = now
        if now - max(self._busy_since, self._logic.move_started) > limits.total:
            self._diagnose()
        elif now >= self._check_at:
            self._check_at = now + limits.software
            if not busy:
                self._check_end_position()

    def _check_end_position(self) -> None:
        """Once a second: joints that play has carried off are driven again."""
        tolerance = self._cfg.rotation.arrival_tolerance + 1
        if self._touch.is_idle and self.collisions:
            self.collisions = 0  # what was in the way is gone
        if self._logic.targets is None:  # nothing was ordered since the last job
            return
        for actor in self._control.actors:
            off = abs(actor.target - actor.actual) > tolerance
            if off and not actor.brute_force and actor.rotation == _IDLE:
                actor.rotation = Rotation.START

    def _is_frozen(self, actor: Actor, now: float) -> bool:
        """Return whether a driven joint's sensor has shown no noise for too long."""
        period = self._cfg.rotation.frozen_period
        since = max(self._io.changed_at[actor.index], self._logic.move_started)
        return period > 0 and now - since > period

    def _is_dead(self, actor: Actor) -> bool:
        """Return whether a drive at rest draws nothing although it is driven hard."""
        limit = self._cfg.torque_counts(self._cfg.watchdog.dead_drive)
        driven = self._io.speeds[actor.index] >= 200 and not actor.is_moving
        return driven and actor.torque < limit

    def _diagnose(self) -> None:
        """After 15 s without arrival or collision: name what must be broken."""
        late = [a for a in self._control.actors if a.rotation != _IDLE]
        dead = [a for a in late if self._is_dead(a)]
        if dead:
            self._give_up(ErrorCode.DRIVE_DEFECT, dead[0].index)
        else:
            self._give_up(ErrorCode.MECHANICAL_DEFECT, late[0].index)

    def _give_up(self, code: ErrorCode, actor: int) -> None:
        self._note(f"{code.name.lower()} at actor {actor}")
        self._io.stop_all()
        self._control.rest()
        self._logic.fail(code, actor)
        self._motion.abort()

    def _watch_logic(self, now: float) -> None:
        """Reset controllers of the logic layer that neither work nor wait for leave."""
        if self._logic.move_started != self._last_move:
            self._last_move, self._has_arrived = self._logic.move_started, False
        if self._control.are_all_idle():
            self._has_arrived = True
        # Joints that are only driven back to where they were keep nobody alive.
        busy = not self._has_arrived
        touching = not self._touch.is_idle
        self._watch("touch", self._touch.state, busy or not touching, now)
        self._watch("step", self._step.state, busy or self._step_waits(), now)
        line_waits = touching or self._line.state in _PATIENT_LINES
        self._watch("line", self._line.state, busy or line_waits, now)
        working = (
            touching or self._step.state != Step.IDLE or self._line.state != Line.IDLE
        )
        working = working or self._motion.is_settling()
        self._watch("motion", self._motion.state, busy or working, now)

    def _step_waits(self) -> bool:
        return self._step.state in _PATIENT_STEPS

    def _watch(self, name: str, state: int, exempt: bool, now: float) -> None:
        seen = self._seen.get(name)
        if exempt or seen is None or seen[0] != state:
            self._seen[name] = (state, now)
        elif now - seen[1] > self._cfg.watchdog.software:
            self._seen[name] = (state, now)
            self.resets += 1
            self._note(f"{name} controller hung: reset")
            self._logic.fail(ErrorCode.CONTROLLER_RESET)
            self._motion.abort()
