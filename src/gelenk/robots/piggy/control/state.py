"""Settings and state of motion control, and its log, cycle by cycle."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.robots.piggy.config import (
    ACCELERATION_LIMIT,
    DERATING,
    HIT_WINDOW,
    HOME,
    SPEED_LIMIT,
)
from gelenk.robots.piggy.control.flank import BatModel
from gelenk.robots.piggy.control.pd import PdGains, RestCfg
from gelenk.trajectory.patterns import PatternCfg
from gelenk.typing import FloatArray

REST = RestCfg()
PATTERN = PatternCfg(
    max_speed=SPEED_LIMIT,
    max_acceleration=ACCELERATION_LIMIT,
    derating=DERATING,
    hit_time=HIT_WINDOW,
)
# Chosen: the bat follows without ringing; 46 degrees take 0.8 s.
GENTLE = PatternCfg(max_speed=math.radians(90.0), max_acceleration=math.radians(300.0))


class MotionMode(StrEnum):
    """What motion control is doing."""

    OFF = "off"  # not started: the servos hold by themselves
    DIRECT = "direct"  # PD straight to a setpoint
    PATTERN = "pattern"  # along a planned motion without a deadline
    STRIKE = "strike"  # along a planned motion to a place, speed and time
    STOP = "stop"  # brakes and holds, by order
    SAFE = "safe"  # brakes and holds, because commands stopped
    FAULT = "fault"  # servos hold by themselves, until started again


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionCfg:
    """Settings of motion control.

    Attributes:
        gains: Of the PD controllers.
        direct: Of joints on a direct move that do not rest yet, if they have gains of
            their own.
        direct_after: So long after its error became small such a joint rests [s].
        model: Of bat and play: gravity compensation, and the flank of the play.
        pattern: Limits of motions to a place, speed and time.
        gentle: Limits of motions without a deadline: home, smooth, braking.
        gravity_compensation: Whether the controllers subtract gravity.
        hanging: Whether gravity is that of a bat which hangs on the lower flank of the
            play, instead of one in line with the motor.
        rest: When joints rest and get smaller gains; None: never.
        feed_forward: Whether planned motions send their torque ahead.
        back_emf: Torque that speed costs [N m s/rad], used by the feed-forward.
        latency: From a read to the middle of the cycle that answers it [s]: so far
            ahead the feed-forward looks.
        play: "ignore" takes the motor's angle for the bat's, as the thesis does;
            "estimate" corrects targets by the flank that the bat lies on.
        home: Roll and tilt [rad].
        command_timeout: Without any command for so long: safe state [s].
        stuck_error, stuck_time: A joint that is this far from its setpoint at full
            torque [rad], without moving, for this long [s], is stuck.
        hottest: Temperature that is a fault [K].
        lowest_voltage: That is a fault [V].
        kept: Cycles that the log keeps.
    """

    gains: PdGains
    model: BatModel
    direct: PdGains | None = None
    direct_after: float = 0.1
    pattern: PatternCfg = PATTERN
    gentle: PatternCfg = GENTLE
    gravity_compensation: bool = True
    hanging: bool = True
    rest: RestCfg | None = REST
    feed_forward: bool = False
    back_emf: float = 0.0
    latency: float = 0.009
    play: Literal["ignore", "estimate"] = "ignore"
    home: tuple[float, float] = HOME
    command_timeout: float = 0.5
    stuck_error: float = 0.15
    stuck_time: float = 0.3
    hottest: float = 348.15
    lowest_voltage: float = 10.0
    kept: int = 6000

    def __post_init__(self) -> None:
        if not min(self.command_timeout, self.stuck_error, self.stuck_time) > 0.0:
            raise ConfigError(
                "`command_timeout`, `stuck_error` and `stuck_time` must be positive, "
                f"got {self.command_timeout}, {self.stuck_error}, {self.stuck_time}"
            )
        if self.play not in ("ignore", "estimate"):
            raise ConfigError(
                f"`play` must be 'ignore' or 'estimate', got {self.play!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MotionState:
    """One cycle of control; the log keeps these.

    Attributes:
        time: [s].
        mode: What is being done.
        reason: Why it is STOP, SAFE or FAULT; empty otherwise.
        q, qd, qdd: Of the motors, measured [rad], [rad/s], [rad/s^2], (2,) each.
        q_set, qd_set: Setpoint of the motors [rad], [rad/s], (2,) each.
        error: q_set - q [rad], (2,).
        derivative: Filtered part of the controller [rad/s], (2,).
        gravity: Torques of gravity that were subtracted [N m], (2,).
        tau: Commanded torques after saturation [N m], (2,).
        q_bat: Believed angles of the bat [rad], (2,).
        qd_bat: Their speeds [rad/s], (2,).
        flank: Of the play on which the bat is believed to lie, -1, 0, 1, (2,).
        bat: Believed centre of the sphere, world [m], (3,).
    """

    time: float
    mode: MotionMode
    reason: str
    q: FloatArray
    qd: FloatArray
    qdd: FloatArray
    q_set: FloatArray
    qd_set: FloatArray
    error: FloatArray
    derivative: FloatArray
    gravity: FloatArray
    tau: FloatArray
    q_bat: FloatArray
    qd_bat: FloatArray
    flank: FloatArray
    bat: FloatArray


class MotionLog:
    """The last cycles of motion control."""

    def __init__(self, *, kept: int) -> None:
        self._states: deque[MotionState] = deque(maxlen=kept)

    def __len__(self) -> int:
        return len(self._states)

    @property
    def last(self) -> MotionState:
        """The newest cycle.

        Raises:
            ConfigError: If there is none.
        """
        if not self._states:
            raise ConfigError("motion control has not been stepped yet; call `step`")
        return self._states[-1]

    def latest(self, count: int) -> list[MotionState]:
        """Return the newest cycles, oldest first; fewer if there are not so many."""
        return [*islice(reversed(self._states), count)][::-1]

    def append(self, state: MotionState) -> None:
        """Keep one more cycle."""
        self._states.append(state)

    def clear(self) -> None:
        """Forget all cycles."""
        self._states.clear()

    def table(self) -> dict[str, np.ndarray[Any, Any]]:
        """Return all cycles, one array per quantity, the first axis is time."""
        return {
            field.name: np.array([getattr(s, field.name) for s in self._states])
            for field in fields(MotionState)
        }

    def write(self, path: str | Path) -> None:
        """Write the table to a numpy .npz file."""
        table = self.table()
        for name in ("mode", "reason"):
            table[name] = np.array([str(text) for text in table[name]], dtype=np.str_)
        with Path(path).open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **table)
