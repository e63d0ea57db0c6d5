"""Ideal servos: the same two axes without anything that spoils a motor.

No play, no latency, no friction, no speed-torque line, no heat; torques are exact. The
bat behind them is rigid, its equations written down by hand:

    M(t) r'' + M'(t) r' t' = tau_roll + g (S cos t + m o) sin r
    I t''    - M'(t) r'^2 / 2 = tau_tilt + g S cos r sin t
    M(t) = I cos^2 t + 2 o S cos t + m o^2

with mass m, static moment S, inertia I and axis offset o.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.config import ENCODER_STEP, GRAVITY
from gelenk.robots.piggy.hardware.roll_tilt import ABSOLUTE_STEP
from gelenk.robots.piggy.hardware.servo import (
    HIGHEST_COUNT,
    ServoError,
    ServoMode,
    ServoSettings,
    ServoStatus,
    differing,
)
from gelenk.robots.piggy.robot import (
    ANGLE_LIMIT,
    AXIS_OFFSET,
    SERVO_MASS,
    bat_inertia,
)
from gelenk.typing import ArrayLike, FloatArray

MIDDLE = 2047.5  # [count] of a joint at 0
STEP = 0.0005  # [s], of the integration


@dataclass(frozen=True, slots=True, kw_only=True)
class RigidBat:
    """Mass properties of the bat on its two axes.

    Attributes:
        mass: [kg].
        moment: Static moment about the tilt axis [kg m].
        inertia: About the tilt axis [kg m^2].
        offset: Between the axes [m].
        carried: Static moment about the roll axis of what only roll moves [kg m].
        carried_inertia: Its inertia [kg m^2].
    """

    mass: float
    moment: float
    inertia: float
    offset: float = AXIS_OFFSET
    carried: float = 0.0
    carried_inertia: float = 0.0

    def accelerations(
        self, q: FloatArray, qd: FloatArray, tau: FloatArray
    ) -> FloatArray:
        """Return the joints' accelerations [rad/s^2], (2,)."""
        (r, t), (rd, td) = q, qd
        s, c = math.sin(t), math.cos(t)
        roll = self.roll_inertia(t)
        slope = -2.0 * s * (self.inertia * c + self.offset * self.moment)
        lever = self.moment * c + self.mass * self.offset + self.carried
        pull = GRAVITY * lever * math.sin(r), GRAVITY * self.moment * math.cos(r) * s
        return np.array(
            [
                (tau[0] + pull[0] - slope * rd * td) / roll,
                (tau[1] + pull[1] + 0.5 * slope * rd * rd) / self.inertia,
            ]
        )

    def roll_inertia(self, tilt: float) -> float:
        """Return the inertia about the roll axis [kg m^2]."""
        c = math.cos(tilt)
        bat = self.inertia * c * c + 2.0 * self.offset * self.moment * c
        return bat + self.mass * self.offset**2 + self.carried_inertia

    def energy(self, q: FloatArray, qd: FloatArray) -> float:
        """Return kinetic and potential energy [J]."""
        r, t = q
        turn = self.roll_inertia(t) * qd[0] ** 2 + self.inertia * qd[1] ** 2
        lever = self.moment * math.cos(t) + self.mass * self.offset + self.carried
        return 0.5 * turn + GRAVITY * lever * math.cos(r)


def built_bat() -> RigidBat:
    """Return the bat with its rubber cover and the tilt servo on the roll axis."""
    mass, com, inertia = bat_inertia(cover=True)
    return RigidBat(
        mass=mass,
        moment=mass * com,
        inertia=float(inertia[0, 0]) + mass * com**2,
        carried=SERVO_MASS * AXIS_OFFSET,
        carried_inertia=SERVO_MASS * AXIS_OFFSET**2,
    )


class IdealUnit:
    """Two ideal servos with a bat, and their time.

    Args:
        q: Roll and tilt at the start [rad], (2,).
        stall_torque: What a full command means [N m].
        bat: Its mass properties; None: as built.
    """

    def __init__(
        self,
        q: ArrayLike = (0.0, 0.0),
        *,
        stall_torque: float,
        bat: RigidBat | None = None,
    ) -> None:
        self.q = np.array(q, dtype=np.float64)
        if self.q.shape != (2,):
            raise ConfigError(f"`q` must have shape (2,), got {self.q.shape}")
        self.qd = np.zeros(2)
        self.time = 0.0
        self.bat = bat or built_bat()
        self.stall_torque = stall_torque
        self.servos = (IdealServo(self, 0), IdealServo(self, 1))

    def advance(self, seconds: float) -> None:
        """Let time pass [s]."""
        for _ in range(round(seconds / STEP)):
            for i, servo in enumerate(self.servos):
                if servo.mode is ServoMode.POSITION:
                    self._run_to(i, servo.target, servo.max_speed)
            self._fall()
            self.time += STEP

    def _run_to(self, i: int, target: float, max_speed: float) -> None:
        reach = max_speed * STEP
        before = self.q[i]
        self.q[i] += min(max(target - before, -reach), reach)
        self.qd[i] = 0.0

    def _fall(self) -> None:
        """Move what torques drive; end stops take all speed."""
        tau = np.array([s.share for s in self.servos]) * self.stall_torque
        free = np.array([s.mode is ServoMode.TORQUE for s in self.servos])

        def slope(q: FloatArray, qd: FloatArray) -> FloatArray:
            return np.where(free, self.bat.accelerations(q, qd, tau), 0.0)

        q, qd, h = self.q, self.qd, STEP
        a = slope(q, qd)
        b = slope(q + 0.5 * h * qd, qd + 0.5 * h * a)
        c = slope(q + 0.5 * h * qd + 0.25 * h * h * a, qd + 0.5 * h * b)
        d = slope(q + h * qd + 0.5 * h * h * b, qd + h * c)
        self.q = q + h * qd + h * h * (a + b + c) / 6.0
        self.qd = qd + h * (a + 2.0 * b + 2.0 * c + d) / 6.0
        at_stop = np.abs(self.q) > ANGLE_LIMIT
        self.q = np.clip(self.q, -ANGLE_LIMIT, ANGLE_LIMIT)
        self.qd[at_stop] = 0.0


class IdealServo:
    """One servo of an `IdealUnit`; see there."""

    def __init__(self, unit: IdealUnit, row: int) -> None:
        self._unit, self._row = unit, row
        self._mode = ServoMode.POSITION
        self._counted = 0
        self._is_open = False
        self.stored = ServoSettings()
        self.share = 0.0
        self.target, self.max_speed = float(unit.q[row]), math.inf

    @property
    def mode(self) -> ServoMode:
        """How it takes commands now."""
        return self._mode

    def open(self) -> None:
        """Connect."""
        self._is_open = True

    def close(self) -> None:
        """Disconnect."""
        self._is_open = False

    def initialise(self, settings: ServoSettings) -> tuple[str, ...]:
        """Compare stored settings, write those that differ, return their names."""
        self._need(None)
        names = differing(settings, self.stored)
        self.stored = settings
        return names

    def set_mode(self, mode: ServoMode) -> None:
        """Switch; to POSITION holds where it is, to TORQUE begins without torque."""
        self._need(None)
        self._mode, self.share = mode, 0.0
        self.target, self.max_speed = self._angle(), math.inf
        self._counted = self._count()

    def read_absolute(self) -> int:
        """Return the position [count]; in position mode only."""
        self._need(ServoMode.POSITION)
        count = math.floor(MIDDLE + self._angle() / ABSOLUTE_STEP + 0.5)
        return min(max(count, 0), HIGHEST_COUNT)

    def read_relative(self) -> int:
        """Return the counts since the last read; in torque mode only."""
        self._need(ServoMode.TORQUE)
        before, self._counted = self._counted, self._count()
        return self._counted - before

    def write_torque(self, share: float) -> None:
        """Set a share of the full torque, -1 to 1; it stays until the next write."""
        self._need(ServoMode.TORQUE)
        most = self.stored.max_torque
        self.share = min(max(share, -most), most)

    def write_position(self, position: int, max_speed: float) -> None:
        """Run to a position [count] at up to `max_speed` [rad/s]; position mode."""
        self._need(ServoMode.POSITION)
        if not self.stored.lowest <= position <= self.stored.highest:
            raise ServoError(
                f"position must lie between {self.stored.lowest} and "
                f"{self.stored.highest} counts, 0 to 251 degrees, got {position}"
            )
        self.target = (position - MIDDLE) * ABSOLUTE_STEP
        self.max_speed = max_speed

    def read_status(self) -> ServoStatus:
        """Return the slow values: nothing ever is wrong."""
        self._need(None)
        return ServoStatus(
            time=self._unit.time,
            voltage=14.8,
            temperature=298.15,
            speed=float(self._unit.qd[self._row]),
            current=0.0,
        )

    def _need(self, mode: ServoMode | None) -> None:
        if not self._is_open:
            raise ServoError("the servo is not connected; call `open` first")
        if mode is not None and self._mode is not mode:
            raise ServoError(
                f"this needs {mode.value} mode, the servo is in {self._mode.value} mode"
            )

    def _angle(self) -> float:
        return float(self._unit.q[self._row])

    def _count(self) -> int:
        return math.floor(self._angle() / ENCODER_STEP + 0.5)
