"""Both servos as one unit in SI units, and the watchdog that stops them.

Counts end here: whoever exchanges a servo changes a driver and its setup, nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.robots.piggy import kinematics
from gelenk.robots.piggy.config import ENCODER_STEP, UNIT, UnitCfg
from gelenk.robots.piggy.hardware.servo import (
    HIGHEST_COUNT,
    Servo,
    ServoError,
    ServoMode,
    ServoSettings,
    ServoStatus,
)
from gelenk.typing import ArrayLike, FloatArray

ABSOLUTE_STEP = math.radians(251.0 / HIGHEST_COUNT)  # [rad/count] of the data sheet


class ServoScale(Protocol):
    """How an absolute position becomes an angle; `setup.ServoSetup` is one."""

    @property
    def j_off(self) -> float:
        """Count of the bat upright."""
        ...

    @property
    def j_scale(self) -> float:
        """[rad/count]."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointReading:
    """One read of both servos, the motors' side of the play.

    Attributes:
        time: Of the read [s].
        q: Roll and tilt [rad], (2,).
        qd: From the last two reads [rad/s], (2,); one count at 100 Hz is 6 deg/s.
        qdd: From the last three [rad/s^2], (2,).
    """

    time: float
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray


class RollTilt:
    """The batting unit behind its two servos.

    Args:
        servos: Roll and tilt.
        scales: Of both, from the calibration.
        stall_torque: What full command means [N m], data sheet at the voltage in use.
        settings: That both servos must have stored.
        cfg: Geometry.
    """

    def __init__(
        self,
        servos: Sequence[Servo],
        scales: Sequence[ServoScale],
        *,
        stall_torque: float,
        settings: ServoSettings | None = None,
        cfg: UnitCfg = UNIT,
    ) -> None:
        if len(servos) != 2 or len(scales) != 2:
            raise ConfigError(
                "expected two servos and two scales, roll and tilt, got "
                f"{len(servos)} and {len(scales)}"
            )
        if not stall_torque > 0.0:
            raise ConfigError(f"`stall_torque` must be positive, got {stall_torque}")
        self.servos = tuple(servos)
        self.scales = tuple(scales)
        self.stall_torque = stall_torque
        self.cfg = cfg
        self._settings = settings or ServoSettings()
        self._steps = np.array(
            [ENCODER_STEP * s.j_scale / ABSOLUTE_STEP for s in self.scales]
        )
        self._q: FloatArray | None = None
        self._last: JointReading | None = None
        self.writes = 0  # commands so far: a sign of life

    @property
    def is_referenced(self) -> bool:
        """Whether the angles are known and the servos take torques."""
        return self._q is not None

    def reference(self) -> tuple[str, ...]:
        """Connect, check settings, read the absolute angles, go to torque mode.

        Returns:
            What had to be corrected in the servos, "roll: baud_rate" and so on.

        Raises:
            ServoError: If a servo does not answer.
        """
        corrected: list[str] = []
        angles = np.zeros(2)
        for i, (name, servo) in enumerate(
            zip(("roll", "tilt"), self.servos, strict=True)
        ):
            servo.open()
            wrong = servo.initialise(self._settings)
            corrected += [f"{name}: {setting}" for setting in wrong]
            if servo.mode is not ServoMode.POSITION:
                servo.set_mode(ServoMode.POSITION)
            scale = self.scales[i]
            angles[i] = (servo.read_absolute() - scale.j_off) * scale.j_scale
        for servo in self.servos:
            servo.set_mode(ServoMode.TORQUE)
            servo.read_relative()  # counts from before do not count
        self._q, self._last = angles, None
        return tuple(corrected)

    def read(self, now: float) -> JointReading:
        """Return angles, speeds and accelerations; call it once per cycle.

        Raises:
            ServoError: If the unit was not referenced or a servo does not answer.
        """
        if self._q is None:
            raise ServoError("the servos must be referenced before they are read")
        counts = np.array([servo.read_relative() for servo in self.servos])
        q = self._q + self._steps * counts
        qd, qdd = np.zeros(2), np.zeros(2)
        if self._last is not None and now > self._last.time:
            dt = now - self._last.time
            qd = (q - self._last.q) / dt
            qdd = (qd - self._last.qd) / dt
        self._q = q
        self._last = JointReading(time=now, q=q.copy(), qd=qd, qdd=qdd)
        return self._last

    def write(self, torques: ArrayLike) -> FloatArray:
        """Command torques [N m], (2,); return what is left after saturation."""
        wanted = as_finite("torques", torques, (2,))
        self.writes += 1
        shares = np.clip(wanted / self.stall_torque, -1.0, 1.0)
        for servo, scale, share in zip(self.servos, self.scales, shares, strict=True):
            servo.write_torque(float(math.copysign(1.0, scale.j_scale) * share))
        return shares * self.stall_torque

    def hold(self) -> None:
        """Let the servos hold where they are by themselves; ends torque mode."""
        for servo in self.servos:
            servo.set_mode(ServoMode.POSITION)
        self._q, self._last = None, None

    def status(self) -> tuple[ServoStatus, ServoStatus]:
        """Return the slow values of roll and tilt."""
        roll, tilt = (servo.read_status() for servo in self.servos)
        return roll, tilt

    def bat(self, q: ArrayLike) -> FloatArray:
        """Return the sphere's centre in the world [m] for angles, (..., 3)."""
        return kinematics.forward(q, cfg=self.cfg)

    def close(self) -> None:
        """Disconnect both servos."""
        for servo in self.servos:
            servo.close()


DEADLINE = 0.05  # [s], five cycles of control


class Deadman:
    """Switches the servos to position mode when no torque was written in time.

    Args:
        unit: The servos.
        deadline: Longest time between two writes [s].
    """

    def __init__(self, unit: RollTilt, *, deadline: float = DEADLINE) -> None:
        if not deadline > 0.0:
            raise ConfigError(f"`deadline` must be positive, got {deadline}")
        self.unit, self.deadline = unit, deadline
        self.reason = ""
        self._writes = -1
        self._since = 0.0

    def check(self, now: float) -> bool:
        """Return whether all is well; hold the servos if not. Call it often.

        Args:
            now: [s].
        """
        if not self.unit.is_referenced:
            self._writes = -1
            return not self.reason
        if self.unit.writes != self._writes:
            self._writes, self._since, self.reason = self.unit.writes, now, ""
            return True
        silent = now - self._since
        if silent <= self.deadline + 1e-9:
            return True
        self.reason = f"no torque was commanded for {1e3 * silent:.0f} ms"
        try:
            self.unit.hold()
        except ServoError as error:
            self.reason += f"; and the servos cannot hold: {error}"
        return False
