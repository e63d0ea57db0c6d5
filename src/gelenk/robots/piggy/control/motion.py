"""`MotionControl`: the only way for others to move the bat (§4.3.4)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.robots.piggy import kinematics, workspace
from gelenk.robots.piggy.control.flank import BatBelief, BatEstimator
from gelenk.robots.piggy.control.pd import PdState, RestState, pd_step, rest_step
from gelenk.robots.piggy.control.state import (
    MotionCfg,
    MotionLog,
    MotionMode,
    MotionState,
)
from gelenk.robots.piggy.hardware.roll_tilt import JointReading, RollTilt
from gelenk.robots.piggy.hardware.servo import ServoError
from gelenk.trajectory.patterns import MotionPattern, plan_pattern
from gelenk.typing import ArrayLike, FloatArray

UPRIGHT_BAND = np.deg2rad(0.5)  # [rad], the flank is kept while so near to upright
HANGING_BAND = np.deg2rad(1.5)  # [rad], so near to upright no flank is certain
STATUS_PERIOD = 0.1  # [s], the servos refresh their slow values so often
SLOW = np.deg2rad(1.0)  # [rad/s], a motion that begins slower begins at rest
_CALM = (MotionMode.PATTERN, MotionMode.STOP, MotionMode.SAFE)
_PLANNED = (MotionMode.PATTERN, MotionMode.STRIKE, MotionMode.STOP, MotionMode.SAFE)


class MotionControl:
    """Moves the bat: direct, by patterns, home, stop; guarded, watched, logged.

    Targets are angles or places of the bat. They are cut to the valid workspace. `step`
    must be called every `period`; commands take effect in the next step. If nobody
    commands for `command_timeout`, the bat brakes and holds (SAFE); any command ends
    that. FAULT is ended by `start`.

    Args:
        unit: The servos.
        cfg: Settings, e.g. `gains.motion_cfg("thesis", setup)`.
    """

    def __init__(self, unit: RollTilt, cfg: MotionCfg) -> None:
        self.unit, self.cfg = unit, cfg
        self.log = MotionLog(kept=cfg.kept)
        self._estimator = BatEstimator(cfg.model)
        self._pd = PdState()
        self._rest = RestState()
        self._mode, self._reason = MotionMode.OFF, "not started"
        self._now = self._commanded = 0.0
        self._reading: JointReading | None = None
        self._belief: BatBelief | None = None
        self._setpoint = np.zeros(2)
        self._patterns: tuple[MotionPattern, MotionPattern] | None = None
        self._began = 0.0
        self._is_rounded = True
        self._stuck_since: float | None = None
        self._asked = -np.inf

    # -- for everybody -------------------------------------------------------------

    @property
    def period(self) -> float:
        """Between two steps [s]."""
        return self.cfg.gains.period

    @property
    def mode(self) -> MotionMode:
        """What is being done."""
        return self._mode

    @property
    def state(self) -> MotionState:
        """The last cycle.

        Raises:
            ConfigError: If there was none yet.
        """
        return self.log.last

    @property
    def arrival(self) -> float:
        """When the planned motion ends [s]; now if there is none."""
        if self._patterns is None:
            return self._now
        return self._began + max(p.duration for p in self._patterns)

    def start(self, now: float) -> tuple[str, ...]:
        """Reference the servos and hold; also ends a fault.

        Args:
            now: [s].

        Returns:
            What had to be corrected in the servos.
        """
        corrected = self.unit.reference()
        self._now = self._commanded = now
        self._pd, self._rest = PdState(), RestState()
        self._estimator.reset()
        self._stuck_since = None
        self._reading = self.unit.read(now)
        self._setpoint, self._patterns = self._reading.q, None
        self._belief = self._estimator.step(now, self._reading.q)
        self._mode, self._reason = MotionMode.STOP, "started"
        return corrected

    def reach(self, target: ArrayLike, *, smooth: bool = False) -> FloatArray:
        """Go to a pose or a place as fast as possible.

        Args:
            target: Roll and tilt of the bat [rad], (2,), or a place for the sphere's
                centre in the world [m], (3,); the nearest pose is taken.
            smooth: Along a pattern instead of by the PD controllers alone: slower,
                hardly any ringing.

        Returns:
            Where the bat will go after the workspace guard [rad], (2,).

        Raises:
            ConfigError: If the target is no pose and no place.
        """
        q_bat = self._guarded(self._angles(target))
        q = q_bat - self._resting_offset(q_bat)
        if not self._accept():
            return q_bat
        if smooth:
            self._plan(q, np.zeros(2), None, MotionMode.PATTERN)
        else:
            self._setpoint, self._patterns = q, None
            self._mode, self._reason = MotionMode.DIRECT, ""
        return q_bat

    def strike(self, target: ArrayLike, qd: ArrayLike, time: float) -> float:
        """Pass a pose or a place with a speed at a time.

        Args:
            target: As in `reach`.
            qd: Joint speeds there [rad/s], (2,), or velocity of the sphere [m/s],
                (3,); cut to the limits of the patterns.
            time: When [s], the clock of `step`. Shortly before a hit new targets come
                too late and change nothing.

        Returns:
            When the slower joint will be there [s]; later than `time` if it cannot.
        """
        q_bat = self._guarded(self._angles(target))
        speed = np.asarray(qd, dtype=np.float64)
        if speed.shape == (3,):
            speed = kinematics.joint_rates(q_bat, speed, cfg=self.unit.cfg)
        speed = as_finite("qd", speed, (2,))
        top = self.cfg.pattern.max_speed
        speed = np.clip(speed, -top, top)
        if not self._accept():
            return time
        left = max(time - self._now, 0.0)
        is_committed = left < self.cfg.pattern.hit_time + 2.0 * self.period
        if self._mode is MotionMode.STRIKE and is_committed:
            return self.arrival
        offset = self._resting_offset(q_bat)
        if self.cfg.play == "estimate" and self._belief is not None:
            # A bat in motion is on its way from where it lies to where it would rest.
            offset = 0.5 * (offset + self._belief.offset)
        self._plan(q_bat - offset, speed, left, MotionMode.STRIKE)
        return self.arrival

    def home(self, *, smooth: bool = True) -> None:
        """Go to the home pose and wait there."""
        self.reach(self.cfg.home, smooth=smooth)

    def stop(self, reason: str = "stopped by order") -> None:
        """Brake and hold."""
        if self._accept():
            self._brake(MotionMode.STOP, reason)

    def keep_alive(self) -> None:
        """Say that somebody is there, without a new command."""
        self._commanded = self._now

    def step(self, now: float) -> FloatArray:
        """Read, control, command; one cycle.

        Args:
            now: [s].

        Returns:
            Commanded torques [N m], (2,); 0 when off or in fault.
        """
        self._now = now
        if self._mode in (MotionMode.OFF, MotionMode.FAULT):
            return np.zeros(2)
        try:
            reading = self.unit.read(now)
            fault = self._diagnose(reading)
        except ServoError as error:
            return self._fail(f"servo: {error}")
        self._reading = reading
        self._belief = self._estimator.step(now, reading.q)
        if fault:
            return self._fail(fault)
        self._watch(now)
        q_set, qd_set = self._reference(now)
        torque = self._pulled(q_set, reading.q, self._belief)
        gravity = self._gravity(reading.q)
        torque = torque - gravity + self._feed_forward(now, reading.q)
        try:
            sent = self.unit.write(torque)
        except ServoError as error:
            return self._fail(f"servo: {error}")
        self._record(reading, q_set, qd_set, gravity, sent)
        return sent

    # -- commands ------------------------------------------------------------------

    def _accept(self) -> bool:
        """Note that somebody commands; return whether it can be done."""
        self._commanded = self._now
        return self._mode not in (MotionMode.OFF, MotionMode.FAULT)

    def _angles(self, target: ArrayLike) -> FloatArray:
        array = np.asarray(target, dtype=np.float64)
        if array.shape == (3,):
            array = kinematics.inverse(array, cfg=self.unit.cfg)
        if array.shape != (2,) or not np.isfinite(array).all():
            raise ConfigError(
                "a target must be roll and tilt, shape (2,), or a place above the "
                f"roll axis, shape (3,), got {np.asarray(target)}"
            )
        return array

    def _guarded(self, q_bat: FloatArray) -> FloatArray:
        if self._belief is None:
            return q_bat
        now = np.clip(self._belief.q, -self.unit.cfg.valid_angle, None)
        now = np.minimum(now, self.unit.cfg.valid_angle)
        return workspace.guard(now, q_bat, cfg=self.unit.cfg)

    def _resting_offset(self, q_bat: FloatArray) -> FloatArray:
        if self.cfg.play == "ignore" or self._belief is None:
            return np.zeros(2)
        return self.cfg.model.resting_offset(
            q_bat, self._belief.flank, band=float(UPRIGHT_BAND)
        )

    def _plan(
        self, q: FloatArray, qd: FloatArray, left: float | None, mode: MotionMode
    ) -> None:
        limits = self.cfg.pattern if left is not None else self.cfg.gentle
        place, speed = self._where()
        # Braking from more than its top speed, a gentle motion begins with that.
        fastest = float(max(limits.max_speed, *np.abs(speed), *np.abs(qd)))
        limits = replace(limits, max_speed=fastest)
        roll, tilt = (
            plan_pattern(
                limits,
                (place[i], speed[i]),
                (float(q[i]), float(qd[i])),
                left,
            )
            for i in range(2)
        )
        # A rounded ramp begins without acceleration: planned anew in every cycle it
        # would never gain speed. Only what begins at rest is rounded.
        self._is_rounded = bool((np.abs(speed) < SLOW).all()) or mode in _CALM
        self._patterns, self._began = (roll, tilt), self._now
        self._mode, self._reason = mode, ""

    def _where(self) -> tuple[FloatArray, FloatArray]:
        """Return where a new motion begins: on the old one, or where the motors are."""
        top = self.cfg.pattern.max_speed
        if self._patterns is not None and self._mode in _PLANNED:
            q, qd = self._reference(self._now)
            return q, np.clip(qd, -top, top)
        assert self._reading is not None
        return self._reading.q, np.clip(self._reading.qd, -top, top)

    def _brake(self, mode: MotionMode, reason: str) -> None:
        q, qd = self._where()
        way = qd * np.abs(qd) / (2.0 * self.cfg.pattern.acceleration)
        # Time 0 cannot be kept: the quickest stop within the limits of a strike.
        self._plan(q + way, np.zeros(2), 0.0, mode)
        self._reason = reason

    # -- every cycle ---------------------------------------------------------------

    def _watch(self, now: float) -> None:
        """Brake when commands stop; brake after a hit."""
        silent = now - self._commanded > self.cfg.command_timeout + 1e-9
        if silent and self._mode in (
            MotionMode.DIRECT,
            MotionMode.PATTERN,
            MotionMode.STRIKE,
        ):
            waited = now - self._commanded
            self._brake(MotionMode.SAFE, f"no command for {waited:.2f} s")
        elif self._mode is MotionMode.STRIKE and now > self.arrival:
            self._brake(MotionMode.PATTERN, "")

    def _reference(self, now: float) -> tuple[FloatArray, FloatArray]:
        """Return setpoint and speed of the motors, each (2,)."""
        if self._patterns is None:
            return self._setpoint, np.zeros(2)
        pairs = [
            pattern.sample(now - self._began, rounded=self._is_rounded)
            for pattern in self._patterns
        ]
        limit = self.unit.cfg.valid_angle
        q = np.array([float(place) for place, _ in pairs])
        return np.clip(q, -limit, limit), np.array([float(v) for _, v in pairs])

    def _pulled(
        self, q_set: FloatArray, q: FloatArray, belief: BatBelief
    ) -> FloatArray:
        """Return the torques of the controllers [N m], (2,), without what is known."""
        cfg, share = self.cfg, np.ones(2)
        quick = cfg.direct if self._mode is MotionMode.DIRECT else None
        if cfg.rest is not None:
            rest = cfg.rest
            if quick is not None:
                rest = replace(rest, after=cfg.direct_after)
            share, self._rest = rest_step(rest, self._rest, q_set - q, self.period)
        torque, self._pd = pd_step(cfg.gains, self._pd, q_set, q, share)
        if quick is None:
            return torque
        moving, _ = pd_step(quick, self._pd, q_set, q, bat_speed=belief.qd)
        return np.where(share < 1.0, torque, moving)

    def _gravity(self, q: FloatArray) -> FloatArray:
        """Return the torques of gravity on the bat [N m], (2,)."""
        if not self.cfg.gravity_compensation:
            return np.zeros(2)
        if self.cfg.hanging:
            gap = np.array(self.cfg.model.half_gap)
            q = q + gap * np.clip(q / HANGING_BAND, -1.0, 1.0)
        return kinematics.gravity_torques(
            q, weight=self.cfg.model.weight, cfg=self.unit.cfg
        )

    def _feed_forward(self, now: float, q: FloatArray) -> FloatArray:
        """Return what the plan needs in the cycle that this command rules [N m], (2,).

        The mean over that cycle: ramps may be shorter than it.
        """
        if not self.cfg.feed_forward or self._patterns is None:
            return np.zeros(2)
        middle, half = now + self.cfg.latency, 0.5 * self.period
        before, after = (self._reference(middle + d)[1] for d in (-half, half))
        inertia = np.array(self.cfg.model.inertias(float(q[1])))
        mean = 0.5 * (before + after)
        return inertia * (after - before) / self.period + self.cfg.back_emf * mean

    def _diagnose(self, reading: JointReading) -> str:
        """Return what is wrong with the servos, in words; empty: nothing."""
        error = np.zeros(2) if self._pd.error is None else np.asarray(self._pd.error)
        is_stuck = (np.abs(error) > self.cfg.stuck_error) & (
            np.abs(reading.qd) < np.deg2rad(12.0)
        )
        if not is_stuck.any():
            self._stuck_since = None
        elif self._stuck_since is None:
            self._stuck_since = reading.time
        elif reading.time - self._stuck_since > self.cfg.stuck_time:
            joint = ("roll", "tilt")[int(np.argmax(is_stuck))]
            return f"{joint} does not follow: stuck?"
        if reading.time - self._asked < STATUS_PERIOD - 1e-9:
            return ""
        self._asked = reading.time
        for joint, status in zip(("roll", "tilt"), self.unit.status(), strict=True):
            if status.temperature > self.cfg.hottest:
                return f"{joint} is too hot: {status.temperature - 273.15:.0f} deg C"
            if status.voltage < self.cfg.lowest_voltage:
                return f"{joint} has too little voltage: {status.voltage:.1f} V"
        return ""

    def _fail(self, reason: str) -> FloatArray:
        """Let the servos hold by themselves, as far as they still answer."""
        self._mode, self._reason = MotionMode.FAULT, reason
        self._patterns = None
        try:
            self.unit.hold()
        except ServoError as error:
            self._reason = f"{reason}; and cannot hold: {error}"
        zero = np.zeros(2)
        if self._reading is not None:
            self._record(self._reading, self._reading.q, zero, zero, zero)
        return zero

    def _record(
        self,
        reading: JointReading,
        q_set: FloatArray,
        qd_set: FloatArray,
        gravity: FloatArray,
        tau: FloatArray,
    ) -> None:
        assert self._belief is not None
        believes = self.cfg.play == "estimate"
        q_bat = self._belief.q if believes else reading.q
        self.log.append(
            MotionState(
                time=self._now,
                mode=self._mode,
                reason=self._reason,
                q=reading.q,
                qd=reading.qd,
                qdd=reading.qdd,
                q_set=np.array(q_set),
                qd_set=np.array(qd_set),
                error=q_set - reading.q,
                derivative=self._pd.derivative,
                gravity=gravity,
                tau=tau,
                q_bat=q_bat,
                qd_bat=self._belief.qd if believes else reading.qd,
                flank=self._belief.flank,
                bat=self.unit.bat(q_bat),
            )
        )
