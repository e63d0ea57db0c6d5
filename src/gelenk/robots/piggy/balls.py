"""Balls in hands, in the air and at the bat, and what happened to them: the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.robots.piggy.air import AirCfg, FloorCfg, fly_ticks, make_wind
from gelenk.robots.piggy.throwers import Throw
from gelenk.typing import FloatArray

LIFE = 4.0  # [s] after its release, and a ball is forgotten

TouchOf = Literal["sphere", "rod", "floor", "housing"]


@dataclass(slots=True, kw_only=True)
class Touch:
    """A contact of a ball.

    Attributes:
        body: What it touched.
        start, end: When [s].
        position: Of the ball's centre at the start [m], (3,).
        point: Where both touched at the start [m], (3,).
        v_before, v_after: Velocity of the ball [m/s], (3,).
        spin_after: [rad/s], (3,).
        peak_force: [N].
        impulse: Given to the ball [N s], (3,).
    """

    body: TouchOf
    start: float
    end: float
    position: FloatArray
    point: FloatArray
    v_before: FloatArray
    v_after: FloatArray
    spin_after: FloatArray
    peak_force: float = 0.0
    impulse: FloatArray = field(default_factory=lambda: np.zeros(3))


class BallFlight:
    """One thrown ball: state and history.

    Args:
        number: Of the ball, from 0.
        throw: How it was thrown.
        release: Tick of its release.
        h: Length of a tick [s].
        gravity: [m/s^2], (3,).
        air: What the air does.
        floor: What the floor does.
        rng: Of the gusts.

    Attributes:
        state: Position, velocity, spin, (9,).
        path: Position and velocity after each tick since the release, (n, 6).
        touches: What it touched, in order.
        is_forgotten: Whether its way is no longer known.
    """

    def __init__(
        self,
        number: int,
        throw: Throw,
        release: int,
        *,
        h: float,
        gravity: FloatArray,
        air: AirCfg,
        floor: FloorCfg,
        rng: np.random.Generator,
    ) -> None:
        self.number, self.throw, self.release = number, throw, release
        self.h, self.gravity = h, gravity
        self.air = (throw.drag, air.lift, air.spin_time)
        self.floor = (floor.restitution, floor.friction, floor.rolling)
        self.last = round(LIFE / h)
        self.wind = make_wind(air, np.array(throw.wind), self.last, h, rng)
        self.state = np.array([*throw.position, *throw.velocity, *throw.spin])
        self.path = np.full((self.last + 1, 6), np.nan)
        self.path[0] = self.state[:6]
        self.touches: list[Touch] = []
        self.open_touch: Touch | None = None
        self._free: FloatArray | None = None
        self.is_forgotten = False

    def age(self, tick: int) -> int:
        """Return the ticks since its release; negative while a hand holds it."""
        return tick - self.release

    def is_over(self, tick: int) -> bool:
        """Return whether nobody needs it any more."""
        return self.age(tick) >= self.last

    def is_flying(self, tick: int) -> bool:
        """Return whether it has left the hand."""
        return self.age(tick) >= 0 and not self.throw.is_held

    def is_visible(self, tick: int) -> bool:
        """Return whether it is there at all: in the hand, or later."""
        return self.age(tick) * self.h >= -self.throw.windup - 1e-9

    def look(self, tick: int) -> tuple[FloatArray, FloatArray]:
        """Return position and velocity at the present tick [m, m/s], each (3,).

        A hand speeds it up evenly along a line. A held ball is slowed down again.
        """
        if self.is_flying(tick):
            return self.state[:3].copy(), self.state[3:6].copy()
        t, T = self.age(tick) * self.h, max(self.throw.windup, self.h)
        v = np.array(self.throw.velocity)
        share = 1.0 - abs(t) / T
        if share <= 0.0:
            t, share = math.copysign(T, t), 0.0
        way = t - 0.5 * t * abs(t) / T
        return np.array(self.throw.position) + way * v, share * v

    def fly(self, tick: int, count: int) -> None:
        """Advance it by some ticks far from the bat."""
        before = self.state.copy()
        touched = fly_ticks(self.state, self.wind, self.age(tick), count, self.gravity,
                            self.air, self.floor, self.h, self.path)  # fmt: skip
        if touched:
            self._note_fixed(touched, tick, count, before)

    def free_path(self) -> FloatArray:
        """Return the flight as it would be without a bat, as `path`, (n, 6)."""
        if self._free is None:
            start = np.array(
                [*self.throw.position, *self.throw.velocity, *self.throw.spin]
            )
            path = np.full_like(self.path, np.nan)
            path[0] = start[:6]
            fly_ticks(start, self.wind, 0, self.last, self.gravity, self.air,
                      self.floor, self.h, path)  # fmt: skip
            self._free = path
        return self._free

    def forget_path(self) -> None:
        """Free the memory of its way; touches stay."""
        self._free, self.is_forgotten = None, True
        self.path, self.wind = self.path[:1].copy(), self.wind[:1].copy()

    def _note_fixed(
        self, touched: int, tick: int, count: int, before: FloatArray
    ) -> None:
        body: TouchOf = "floor" if touched & 1 else "housing"
        now = (tick + count) * self.h
        is_same = bool(self.touches) and self.touches[-1].body == body
        if is_same and now - self.touches[-1].end < 0.03:  # it rolls
            self.touches[-1].end = now
            return
        state = self.state
        self.touches.append(
            Touch(
                body=body,
                start=now,
                end=now,
                position=state[:3].copy(),
                point=state[:3].copy(),
                v_before=before[3:6].copy(),
                v_after=state[3:6].copy(),
                spin_after=state[6:9].copy(),
            )
        )
