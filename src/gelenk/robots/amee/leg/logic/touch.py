"""TouchCtrl and SearchSafe: how a foot finds ground that bears.

Three toes down are a safe foothold. Fewer make the foot feel on: lower, tilt, press,
and at last try another place, a bounded number of times. A sharp object under the
foot's centre closes no toe; an optional contact or the torque of hip and knee tells.
"""

from __future__ import annotations

import math
from enum import IntEnum

from gelenk.robots.amee.config import TOE_CENTRE, TOES_ALL, TOES_FRONT, TOES_REAR
from gelenk.robots.amee.leg.logic.data import LogicLayer, Point
from gelenk.robots.amee.wire.table import ErrorCode, Report


class Touch(IntEnum):
    """States of TouchCtrl; BEARING and SEARCHING wait for what the table implies."""

    IDLE = 0
    START = 1
    CORRECTION = 2
    UNSAFE = 3
    UNSAFE_MOVE = 4
    CORRECTION_FAIL = 5
    FAIL = 6
    SEARCHING = 7
    BEARING = 8


PRESS_TIME = 0.2  # [s], after which a foot that presses on has load enough
MIN_LOWERING = 0.005  # [m]: a correction that gains less has reached the end
_START_CURRENT = 0.2  # [s] in which a motor's current says nothing about the ground
_CARRIED_POLLS = 3  # looks at the torque that must agree
_SHARES = (1.0, 0.7, 0.5, 0.35, 0.2)


class TouchCtrl:
    """Automaton of the ground contact.

    Args:
        logic: Shared data of the layer.

    Attributes:
        state: Present state.
        pitch: Foot's pitch at the last foothold [rad].
        fails: Footholds given up since the start.
        polled: Whether the toes were looked at in this pass.
    """

    __slots__ = (
        "_attempt",
        "_back",
        "_base_torque",
        "_began_front",
        "_carried",
        "_first_contact",
        "_logic",
        "_needed",
        "_next_poll",
        "_open_since",
        "_reopened",
        "_safe_since",
        "_stays",
        "fails",
        "pitch",
        "polled",
        "state",
    )

    def __init__(self, logic: LogicLayer) -> None:
        self._logic = logic
        self._next_poll = 0.0
        self.reset()
        self.pitch = 0.0
        self.polled = False

    @property
    def is_idle(self) -> bool:
        """Whether nothing is felt for."""
        return self.state == Touch.IDLE

    def start(self, *, stays: bool = False) -> None:
        """Begin to feel; a move towards the ground is under way.

        Args:
            stays: Whether the foot must not look for another place: a body may rest on
                a foot that is told to feel where it is.
        """
        self.reset()
        self._stays = stays
        self._logic.control.on_ground = True
        self.state = Touch.START

    def reset(self) -> None:
        """Force to idle."""
        self.state = Touch.IDLE
        self.fails = 0
        self._attempt = 0
        self._safe_since = 0.0
        self._first_contact = -1.0
        self._base_torque: tuple[int, int] | None = None
        self._back = 0.0
        self._began_front = False
        self._needed = self._logic.cfg.touch.least_toes
        self._carried = self._reopened = 0
        self._open_since = -1.0
        self._stays = False

    def step(self, now: float) -> None:
        """Handle the present state, at most once in the polling period."""
        self.polled = False
        if self.state == Touch.IDLE or now < self._next_poll:
            return
        self._next_poll = now + self._logic.cfg.touch.period - 1e-9
        self.polled = True
        toes = self._logic.control.toes
        count = (toes & TOES_ALL).bit_count()
        if count == 0:
            self._first_contact = -1.0
        if self.state == Touch.START:
            self._start(toes, count, now)
        elif self.state == Touch.CORRECTION:
            self._correct()
        elif self.state == Touch.UNSAFE:
            self._feel_on(toes, count)
        elif self.state in (Touch.UNSAFE_MOVE, Touch.CORRECTION_FAIL):
            self._await_third(toes, count, now)
        elif self.state == Touch.BEARING:
            self._bear(count, now)
        elif self.state == Touch.FAIL:
            self._search()
        elif self._logic.has_arrived():  # searching
            self._base_torque = None
            self.state = Touch.START

    def _start(self, toes: int, count: int, now: float) -> None:
        if count >= self._needed:
            self._freeze(now)
        elif self._logic.control.is_hit():
            self._give_in(toes, now)  # it pushes against something all the same
        elif count >= 1:
            if self._first_contact < 0.0:
                self._first_contact = now
            waited = now - self._first_contact >= self._logic.cfg.touch.patience
            if waited or self._logic.has_arrived():
                self.state = Touch.UNSAFE
        elif self._stands_on_centre(toes, now):
            self._logic.control.freeze()
            self._back = self._logic.cfg.touch.centre_back
            self.state = Touch.FAIL
        elif self._logic.has_arrived():
            self.state = Touch.CORRECTION

    def _stands_on_centre(self, toes: int, now: float) -> bool:
        """Return whether something carries the foot that no toe feels."""
        cfg = self._logic.cfg.touch
        if cfg.centre_sensing == "contact":
            return bool(toes & TOE_CENTRE)
        if cfg.centre_sensing == "off":
            return False
        torques = self._logic.control.torques
        felt = (torques[1], torques[2])
        base = self._base_torque
        if base is None or now - self._logic.move_started < _START_CURRENT:
            self._base_torque, self._carried = felt, 0
            return False
        self._base_torque = (min(base[0], felt[0]), min(base[1], felt[1]))
        limit = self._logic.cfg.torque_counts(cfg.centre_torque)
        rose = felt[0] - base[0] > limit or felt[1] - base[1] > limit
        self._carried = self._carried + 1 if rose else 0
        return self._carried >= _CARRIED_POLLS

    def _correct(self) -> None:
        """Lower the foot; at the end of its reach there is no ground."""
        logic = self._logic
        x, y, z = logic.goal
        lower = logic.cfg.touch.lower * 0.5**self._attempt
        if lower < MIN_LOWERING:
            self._abort(ErrorCode.NO_GROUND)
        elif self._move((x, y - lower, z), logic.goal_pitch):
            self._go(Touch.START)
        else:
            self._attempt += 1

    def _feel_on(self, toes: int, count: int) -> None:
        """Tilt towards the side without contact, or press if both ends have some."""
        cfg = self._logic.cfg.touch
        (x, y, z), pitch = self._logic.measured_point()
        front, rear = bool(toes & TOES_FRONT), bool(toes & TOES_REAR)
        self._began_front = front
        if count == 0:
            self._go(Touch.START)
        elif self._attempt >= len(_SHARES):
            self._go(Touch.FAIL)
        elif front and rear:
            share = _SHARES[self._attempt]
            moved = self._move((x, y - share * cfg.two_sided_lower, z), pitch)
            self._go_or_try_less(Touch.CORRECTION_FAIL, moved)
        else:
            # Near the end of the reach a smaller tilt must do.
            share = _SHARES[self._attempt]
            tilt = share * (cfg.one_sided_tilt if front else -cfg.one_sided_tilt)
            moved = self._tilt((x, y - share * cfg.one_sided_lower, z), tilt)
            self._go_or_try_less(Touch.UNSAFE_MOVE, moved)

    def _go_or_try_less(self, state: Touch, moved: bool) -> None:
        if moved:
            self._go(state)
        else:
            self._attempt += 1

    def _go(self, state: Touch) -> None:
        self._attempt = 0
        self.state = state

    def _tilt(self, point: Point, tilt: float) -> bool:
        """Start a move with a tilted foot about its sole or its ankle."""
        logic = self._logic
        if logic.cfg.touch.tilt_about == "sole":
            return self._move(point, tilt)
        # About the ankle: the sole's centre goes where the ankle's turn takes it.
        g = logic.cfg.geometry
        c, s = math.cos(tilt), math.sin(tilt)
        ahead = g.toe_ahead * c + g.sole_drop * s - g.toe_ahead
        up = g.toe_ahead * s - g.sole_drop * c + g.sole_drop
        yaw = logic.measured_angles()[0]
        x, y, z = point
        turned = (x + ahead * math.cos(yaw), y + up, z + ahead * math.sin(yaw))
        return self._move(turned, tilt)

    def _await_third(self, toes: int, count: int, now: float) -> None:
        """Wait for the third toe while the foot tilts or presses."""
        cfg = self._logic.cfg.touch
        late = now - self._logic.move_started > cfg.feel_time
        # Where a tilt began with the toes of one end and the other end bears now, the
        # foot has just been parallel to the ground: more tilt would only lift the body.
        far_end = toes & (TOES_REAR if self._began_front else TOES_FRONT)
        if count >= self._needed:
            self._freeze(now)
        elif far_end and self.state == Touch.UNSAFE_MOVE and cfg.press_after_tilt:
            (x, y, z), pitch = self._logic.measured_point()
            if self._move((x, y - cfg.two_sided_lower, z), pitch):
                self._go(Touch.CORRECTION_FAIL)
            else:
                self._give_in(toes, now)
        elif late or self._logic.has_arrived() or self._logic.control.is_hit():
            # hit: the foot stands hard, and the leg would lift the robot
            self._give_in(toes, now)

    def _give_in(self, toes: int, now: float) -> None:
        """Take a foothold that no effort makes better, or look for another one.

        Toes in front and behind that bear on one side only: the body rolls until the
        others do, too.
        """
        cfg = self._logic.cfg.touch
        count = (toes & TOES_ALL).bit_count()
        # here, not where an overloaded drive would be sent again
        self._logic.start(tuple(self._logic.control.measured()))
        if count >= cfg.accept_toes and toes & TOES_FRONT and toes & TOES_REAR:
            self._accept(cfg.accept_toes, now)
        elif (self._stays or self.fails >= cfg.tries) and count >= cfg.last_toes:
            self._accept(cfg.last_toes, now)
        else:
            self.state = Touch.FAIL

    def _accept(self, toes: int, now: float) -> None:
        self._needed = toes
        self._safe_since = now
        self.state = Touch.BEARING

    def _freeze(self, now: float) -> None:
        """Brake, or press a little further: a foot that only touches soon lets go."""
        (x, y, z), pitch = self._logic.measured_point()
        press = self._logic.cfg.touch.press
        if press <= 0.0 or not self._move((x, y - press, z), pitch):
            self._logic.control.freeze()
        self._safe_since = now
        self.state = Touch.BEARING

    def _bear(self, count: int, now: float) -> None:
        """Report the foothold when it has borne for a while; leave it if it yields."""
        logic, cfg = self._logic, self._logic.cfg.touch
        if count >= self._needed:
            self._open_since = -1.0
            if cfg.press > 0.0 and now - logic.move_started >= PRESS_TIME:
                logic.control.freeze()
            if logic.has_arrived() and now - self._safe_since >= cfg.settle:
                logic.found, self.pitch = logic.measured_point()
                logic.targets = tuple(logic.control.measured())
                logic.report(Report.FOUND)
                self.state = Touch.IDLE
            return
        self._safe_since = now
        if self._open_since < 0.0:
            self._open_since = now
        if now - self._open_since >= cfg.reopen_time:
            self._open_since = -1.0
            self._reopened += 1
            if self._reopened > cfg.max_reopened:
                self._go(Touch.FAIL)
            elif not self._press_again():
                self._go(Touch.START)

    def _press_again(self) -> bool:
        """Follow ground that has given way a little; the body rocks on its feet."""
        press = self._logic.cfg.touch.press
        (x, y, z), pitch = self._logic.measured_point()
        return press > 0.0 and self._move((x, y - press, z), pitch)

    def _search(self) -> None:
        """Lift the foot and set it a little nearer to the hip, three times at most."""
        logic, cfg = self._logic, self._logic.cfg.touch
        self.fails += 1
        self._reopened = 0
        if self._stays or self.fails > cfg.tries:
            self._abort(ErrorCode.NO_FOOTHOLD)
            return
        (x, y, z), _ = logic.measured_point()
        yaw = logic.measured_angles()[0]
        radius = x * math.cos(yaw) + z * math.sin(yaw)
        back = max(cfg.search_back, self._back)
        self._back = 0.0
        radius -= math.copysign(back, radius)
        near = (radius * math.cos(yaw), y + cfg.search_up, radius * math.sin(yaw))
        if self._move(near, 0.0):
            self.state = Touch.SEARCHING
        else:
            self._abort(ErrorCode.NO_FOOTHOLD)

    def _move(self, point: Point, pitch: float) -> bool:
        return self._logic.move(point, pitch, speed=self._logic.cfg.touch.speed)

    def _abort(self, code: ErrorCode) -> None:
        self._logic.control.freeze()
        self._logic.fail(code)
        self.state = Touch.IDLE
