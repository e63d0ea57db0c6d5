"""On which flank of the play the bat lies: an estimate from the motors' angles alone.

Encoders sit before the play, so nobody measures the bat. But it is known what moves it:
gravity, inertia, and the motor where the teeth touch. `BatEstimator` carries a bat of
the controller's own model along with the measured motor: free inside the gap, pushed by
a damped spring at its ends. Whatever it assumed at first is forgotten at the first
touch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.config import CALIBRATED_WEIGHT, GRAVITY, UNIT, UnitCfg
from gelenk.typing import ArrayLike, FloatArray

SUBSTEP = 0.001  # [s]; at the edges of the workspace teeth and bat swing at 20 Hz


@dataclass(frozen=True, slots=True, kw_only=True)
class BatModel:
    """What the controller believes about the bat behind the play.

    Attributes:
        half_gap: Play of roll and tilt to either side [rad].
        weight: F of the gravity torques [N].
        inertia: Of the bat about the tilt axis [kg m^2].
        compliance: Of the teeth [rad/(N m)]: a loaded flank gives way.
        damping: Of the teeth [N m s/rad].
        cfg: Geometry.
    """

    half_gap: tuple[float, float]
    weight: float = CALIBRATED_WEIGHT
    inertia: float = 0.20
    compliance: float = 0.0045
    damping: float = 4.5
    cfg: UnitCfg = UNIT

    def __post_init__(self) -> None:
        if min(*self.half_gap, self.damping) < 0.0:
            raise ConfigError(
                "gaps and damping must not be negative, got "
                f"{self.half_gap} rad and {self.damping} N m s/rad"
            )
        if not min(self.weight, self.inertia, self.compliance) > 0.0:
            raise ConfigError(
                "weight, inertia and compliance must be positive, got "
                f"{self.weight} N, {self.inertia} kg m^2, {self.compliance} rad/(N m)"
            )

    def inertias(self, tilt: float) -> tuple[float, float]:
        """Return the inertia about the roll and the tilt axis [kg m^2]."""
        c = math.cos(tilt)
        moment = self.weight * self.cfg.bat_length / GRAVITY
        offset = self.cfg.axis_offset
        mass = self.weight / GRAVITY
        roll = self.inertia * c * c + 2.0 * offset * moment * c + mass * offset**2
        return roll, self.inertia

    def coupling(self, tilt: float, qd: tuple[float, float]) -> tuple[float, float]:
        """Return what the motion of both axes does to each of them [N m].

        A bat that is tilted while it rolls comes nearer to the roll axis and rolls
        faster, as a skater does; and rolling swings it upright.

        Args:
            tilt: [rad].
            qd: Speeds of roll and tilt [rad/s].
        """
        c, s = math.cos(tilt), math.sin(tilt)
        moment = self.weight * self.cfg.bat_length / GRAVITY
        slope = -2.0 * s * (self.inertia * c + self.cfg.axis_offset * moment)
        return -slope * qd[0] * qd[1], 0.5 * slope * qd[0] * qd[0]

    def gravity(self, roll: float, tilt: float) -> tuple[float, float]:
        """Return the torques of gravity on both joints [N m]."""
        length, F = self.cfg.bat_length, self.weight
        reach = length * math.cos(tilt) + self.cfg.axis_offset
        return (
            reach * F * math.sin(roll),
            length * F * math.cos(roll) * math.sin(tilt),
        )

    def resting_offset(
        self, q_bat: ArrayLike, side: ArrayLike = (0.0, 0.0), *, band: float = 0.0
    ) -> FloatArray:
        """Return bat minus motor for a bat at rest at `q_bat` [rad], (2,).

        Gravity holds it on its lower flank.

        Args:
            q_bat: Roll and tilt of the bat [rad], (2,).
            side: On which flank it lies now, -1 to 1, (2,); kept while the bat is
                nearer to upright than `band`.
            band: [rad].
        """
        bat = np.asarray(q_bat, dtype=np.float64)
        now = np.asarray(side, dtype=np.float64)
        pull = np.array(self.gravity(bat[0], bat[1]))
        keep = (np.abs(bat) < band) & (np.abs(now) >= 0.5)
        flank = np.where(keep, np.sign(now), np.where(pull < 0.0, -1.0, 1.0))
        return flank * np.array(self.half_gap) + self.compliance * pull


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BatBelief:
    """Where the bat is believed to be.

    Attributes:
        q: Roll and tilt of the bat [rad], (2,).
        qd: Their speeds [rad/s], (2,).
        offset: Bat minus motor [rad], (2,).
        flank: -1, +1: on that flank; 0: in between, (2,).
    """

    q: FloatArray
    qd: FloatArray
    offset: FloatArray
    flank: FloatArray


class BatEstimator:
    """Carries a model bat along with the measured motors."""

    def __init__(self, model: BatModel) -> None:
        self.model = model
        self._time = 0.0
        self._motor: tuple[float, float] | None = None
        self._q = [0.0, 0.0]
        self._qd = [0.0, 0.0]
        self._flank = [0.0, 0.0]

    def reset(self) -> None:
        """Forget everything; the next step begins at rest."""
        self._motor = None

    def step(self, now: float, q_motor: ArrayLike) -> BatBelief:
        """Return the belief at `now` [s] from the motors' angles there [rad], (2,)."""
        motor = (float(np.asarray(q_motor)[0]), float(np.asarray(q_motor)[1]))
        if self._motor is None or now <= self._time:
            if self._motor is None:
                self._begin(motor)
        else:
            self._advance(self._motor, motor, now - self._time)
        self._time, self._motor = now, motor
        return self._belief(motor)

    def _begin(self, motor: tuple[float, float]) -> None:
        offset = self.model.resting_offset(motor)
        self._q = [motor[i] + float(offset[i]) for i in range(2)]
        self._qd = [0.0, 0.0]
        self._flank = [math.copysign(1.0, offset[i]) for i in range(2)]

    def _advance(
        self, before: tuple[float, float], after: tuple[float, float], dt: float
    ) -> None:
        count = max(1, round(dt / SUBSTEP))
        h = dt / count
        rates = [(after[i] - before[i]) / dt for i in range(2)]
        for k in range(1, count + 1):
            pull = self.model.gravity(self._q[0], self._q[1])
            inertia = self.model.inertias(self._q[1])
            swing = self.model.coupling(self._q[1], (self._qd[0], self._qd[1]))
            for i in range(2):
                motor = before[i] + rates[i] * h * k
                push = self._push(i, motor, rates[i])
                self._qd[i] += h * (pull[i] + swing[i] + push) / inertia[i]
                self._q[i] += h * self._qd[i]

    def _push(self, i: int, motor: float, rate: float) -> float:
        """Return what the teeth do to the bat [N m]; they push and never pull."""
        twist = motor - self._q[i]
        depth = abs(twist) - self.model.half_gap[i]
        if depth <= 0.0:
            self._flank[i] = 0.0
            return 0.0
        side = math.copysign(1.0, twist)
        closing = side * (rate - self._qd[i])
        force = depth / self.model.compliance + self.model.damping * closing
        # The motor ahead of the bat: the bat lies on the other flank.
        self._flank[i] = -side
        return side * max(force, 0.0)

    def _belief(self, motor: tuple[float, float]) -> BatBelief:
        q = np.array(self._q)
        return BatBelief(
            q=q,
            qd=np.array(self._qd),
            offset=q - np.array(motor),
            flank=np.array(self._flank),
        )
