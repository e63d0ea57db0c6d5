"""On which flank of the play the bat lies: an estimate from the motors' angles alone.

Encoders sit before the play, so nobody measures the bat. But it is known what moves it:
gravity, inertia, and the motor where the teeth touch. `BatEstimator` carries a bat of
the controller's own model along with the measured motor: free inside the gap, taken
along without rebound at its ends. Whatever it assumed at first is forgotten at the
first touch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.core.errors import ConfigError
from gelenk.core.typing import ArrayLike, FloatArray
from gelenk.robots.piggy.config import CALIBRATED_WEIGHT, GRAVITY, UNIT, UnitCfg

SUBSTEP = 0.002  # [s]; a free bat falls through the gap in some 0.1 s


@dataclass(frozen=True, slots=True, kw_only=True)
class BatModel:
    """What the controller believes about the bat behind the play.

    Attributes:
        half_gap: Play of roll and tilt to either side [rad].
        weight: F of the gravity torques [N].
        inertia: Of the bat about the tilt axis [kg m^2].
        compliance: Of the teeth [rad/(N m)]: a loaded flank gives way.
        cfg: Geometry.
    """

    half_gap: tuple[float, float]
    weight: float = CALIBRATED_WEIGHT
    inertia: float = 0.20
    compliance: float = 0.0045
    cfg: UnitCfg = UNIT

    def __post_init__(self) -> None:
        if min(self.half_gap) < 0.0 or self.compliance < 0.0:
            raise ConfigError(
                "gaps and compliance must not be negative, got "
                f"{self.half_gap} rad and {self.compliance} rad/(N m)"
            )
        if not min(self.weight, self.inertia) > 0.0:
            raise ConfigError(
                f"weight and inertia must be positive, got {self.weight} N and "
                f"{self.inertia} kg m^2"
            )

    def inertias(self, tilt: float) -> tuple[float, float]:
        """Return the inertia about the roll and the tilt axis [kg m^2]."""
        c = math.cos(tilt)
        moment = self.weight * self.cfg.bat_length / GRAVITY
        offset = self.cfg.axis_offset
        mass = self.weight / GRAVITY
        roll = self.inertia * c * c + 2.0 * offset * moment * c + mass * offset**2
        return roll, self.inertia

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
    """Carries a model bat along with the measured motors.

    Args:
        model: Of bat and play.
    """

    def __init__(self, model: BatModel) -> None:
        self.model = model
        self._time = 0.0
        self._motor: tuple[float, float] | None = None
        self._q = [0.0, 0.0]
        self._qd = [0.0, 0.0]
        self._load = [0.0, 0.0]
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

    def foresee(self, times: FloatArray, q_motor: FloatArray) -> BatBelief:
        """Return the belief at the end of a motion of the motors that is to come.

        Args:
            times: Rising, the first is now [s], (n,).
            q_motor: Angles of the motors then [rad], (n, 2).
        """
        kept = self._motor, self._q[:], self._qd[:], self._load[:], self._flank[:]
        if self._motor is None:
            self._begin((float(q_motor[0, 0]), float(q_motor[0, 1])))
        last = (float(q_motor[0, 0]), float(q_motor[0, 1]))
        for i in range(1, len(times)):
            motor = (float(q_motor[i, 0]), float(q_motor[i, 1]))
            self._advance(last, motor, float(times[i] - times[i - 1]))
            last = motor
        belief = self._belief(last)
        self._motor, self._q, self._qd, self._load, self._flank = kept
        return belief

    def _begin(self, motor: tuple[float, float]) -> None:
        offset = self.model.resting_offset(motor)
        self._q = [motor[i] + float(offset[i]) for i in range(2)]
        self._qd = [0.0, 0.0]
        pull = self.model.gravity(*self._q)
        self._load = [-pull[0], -pull[1]]
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
            for i in range(2):
                motor = before[i] + rates[i] * h * k
                free = self._qd[i] + h * pull[i] / inertia[i]
                self._touch(i, motor, rates[i], free, pull[i], inertia[i], h)

    def _touch(
        self,
        i: int,
        motor: float,
        rate: float,
        free: float,
        pull: float,
        inertia: float,
        h: float,
    ) -> None:
        """Move one joint of the bat by one small step."""
        q = self._q[i] + h * free
        # Under load the flank gives way; the load is known from the last step.
        reach = self.model.half_gap[i] + self.model.compliance * abs(self._load[i])
        offset = q - motor
        if abs(offset) < reach:
            self._flank[i], self._load[i] = 0.0, 0.0
            self._q[i], self._qd[i] = q, free
            return
        side = math.copysign(1.0, offset)
        self._flank[i] = side
        self._q[i] = motor + side * reach
        pushed = inertia * (rate - self._qd[i]) / h - pull
        # Measured speeds come in steps: the load is smoothed over some 10 ms.
        self._load[i] += 0.2 * (pushed - self._load[i])
        self._qd[i] = rate

    def _belief(self, motor: tuple[float, float]) -> BatBelief:
        q = np.array(self._q)
        return BatBelief(
            q=q,
            qd=np.array(self._qd),
            offset=q - np.array(motor),
            flank=np.array(self._flank),
        )
