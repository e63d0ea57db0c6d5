"""One leg on a stand: four exact joints without a body, to try the computer on.

Every joint is a drive with inertia, friction and a load of its own; the ground is a
height under each toe. Joints do not act on each other and the ground does not push
back: what needs that lives in the simulated world.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gelenk.robots.amee.config import (
    ADC_MAX,
    ADC_REFERENCE,
    CURRENT_PER_VOLT,
    FOOT_HALF_SIZE,
    NUM_ACTORS,
    TOE_BITS,
    LegCfg,
)
from gelenk.robots.amee.kinematics.forward import point_of
from gelenk.robots.amee.leg.computer import LegComputer
from gelenk.robots.amee.leg.hardware import Bridge, HardwareWatchdog
from gelenk.robots.amee.leg.mcu import LegMcu
from gelenk.robots.amee.wire.gateway import Gateway
from gelenk.robots.amee.wire.packets import encode
from gelenk.robots.amee.wire.table import Command, Message, Report, Request
from gelenk.typing import IntArray

# Height of the ground [m] at a place (x, z) of the leg's frame [m], at a time [s].
Ground = Callable[[float, float, float], float]
# Torque from outside [N m] on an actor at an angle [rad], a speed [rad/s] and a time.
Load = Callable[[int, float, float, float], float]
_SIGNS = {int(Bridge.LEFT): 1.0, int(Bridge.RIGHT): -1.0}
_HOLD = int(Bridge.HOLD)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchCfg:
    """Settings of the stand.

    Attributes:
        angles: Of the joints at the start [rad].
        inertia: Of leg and armature at each joint [kg m^2], A.
        friction: Torque that brakes a joint without power [N m].
        noise: Converter noise, largest deviation [counts].
        conversions: Converter readings that one pass sees.
        seed: Of the noise.
    """

    angles: tuple[float, ...] = (0.0, math.radians(-114.0), math.radians(40.0), 1.85)
    inertia: tuple[float, ...] = (1.2, 1.2, 0.8, 0.5)
    friction: float = 11.0
    noise: int = 1
    conversions: int = 10
    seed: int = 0


class Bench:
    """Hardware of one leg, its chip, and the link to it.

    Args:
        cfg: Settings of the leg.
        bench: Settings of the stand.
        ground: Height under the toes; none by default.
        load: Torque from outside; none by default.

    Attributes:
        now: Time [s].
        q: Joint angles [rad].
        qd: Joint speeds [rad/s].
        codes: Bridge codes as last written.
        speeds: Pulse widths as last written.
        supply: Voltage of the bus [V].
        dead_drives: Actors whose drive is cut off.
        frozen_sensors: Count that an actor's sensor shows whatever happens.
        toes_forced: Toe bits that replace the ground's, or None.
        mcu: Chip with the leg computer.
        gateway: Ethernet computer.
        messages: Time and report of everything the leg has said.

    Example:
        >>> from gelenk.robots.amee import Bench
        >>> bench = Bench()
        >>> bench.now, bench.supply
        (0.0, 12.0)
    """

    def __init__(
        self,
        cfg: LegCfg | None = None,
        bench: BenchCfg | None = None,
        *,
        ground: Ground | None = None,
        load: Load | None = None,
    ) -> None:
        self.cfg = cfg or LegCfg()
        self._bench = bench or BenchCfg()
        self._ground, self._load = ground, load
        # A table of noise, used round after round: drawing it costs most of a pass.
        noise = self._bench.noise
        size = (509, self._bench.conversions, 2 * NUM_ACTORS)
        rng = np.random.default_rng(self._bench.seed)
        self._noise = rng.integers(-noise, noise + 1, size=size)
        self._tick = 0
        self.now = 0.0
        self.q = list(self._bench.angles)
        self.qd = [0.0] * NUM_ACTORS
        self.codes = [0] * NUM_ACTORS
        self.speeds = [0] * NUM_ACTORS
        self.supply = 12.0
        self.dead_drives: set[int] = set()
        self.frozen_sensors: dict[int, int] = {}
        self.toes_forced: int | None = None
        self._watchdog = HardwareWatchdog(self.cfg.watchdog.hardware)
        self.mcu = LegMcu(self.cfg, self)
        self.gateway = Gateway(self.cfg.wire.scale)
        self.messages: list[tuple[float, Message]] = []

    # The pins of the leg.

    def read_adc(self) -> IntArray:
        """Return the conversions of one pass, with noise."""
        lines = self.cfg.sensors
        values = [lines[i].counts_from_angle(self.q[i]) for i in range(NUM_ACTORS)]
        per_ampere = ADC_MAX / ADC_REFERENCE / CURRENT_PER_VOLT
        values += [round(self._current(i) * per_ampere) for i in range(NUM_ACTORS)]
        self._tick = (self._tick + 1) % len(self._noise)
        block = np.array(values, dtype=np.int64) + self._noise[self._tick]
        for actor, value in self.frozen_sensors.items():
            block[:, actor] = value
        return np.minimum(np.maximum(block, 0), ADC_MAX)

    def read_toes(self) -> int:
        """Return the toes that are below the ground under them."""
        if self.toes_forced is not None:
            return self.toes_forced
        if self._ground is None:
            return 0
        bits = 0
        for bit, (x, y, z) in zip(TOE_BITS, self.toe_points(), strict=True):
            if y <= self._ground(x, z, self.now):
                bits |= bit
        return bits

    def set_motors(self, codes: IntArray, speeds: IntArray) -> None:
        """Take what the bridges shall do from now on."""
        self.codes, self.speeds = codes.tolist(), speeds.tolist()

    def read_supply(self) -> float:
        """Return the voltage of the bus [V]."""
        return self.supply

    def kick_watchdog(self) -> None:
        """Note a sign of life."""
        self._watchdog.kick(self.now)

    # The stand.

    @property
    def computer(self) -> LegComputer:
        """What runs on the chip now."""
        return self.mcu.computer

    def foot(self) -> tuple[float, float, float]:
        """Return the true place of the sole's centre [m]."""
        x, y, z, _ = point_of(tuple(self.q), self.cfg.geometry)
        return x, y, z

    def toe_points(self) -> list[tuple[float, float, float]]:
        """Return the true places of the four toes [m]."""
        x, y, z, pitch = point_of(tuple(self.q), self.cfg.geometry)
        c0, s0 = math.cos(self.q[0]), math.sin(self.q[0])
        half_x, half_z = FOOT_HALF_SIZE
        points: list[tuple[float, float, float]] = []
        for ahead in (half_x, -half_x):
            for left in (half_z, -half_z):
                r, up = ahead * math.cos(pitch), ahead * math.sin(pitch)
                points.append((x + r * c0 - left * s0, y + up, z + r * s0 + left * c0))
        return points

    def command(self, command: Command, *values: float) -> None:
        """Send a command over the link [m], [rad] or bytes."""
        self.gateway.receive(Request(command, tuple(values)))

    def run(
        self, seconds: float, until: Callable[[], bool] | None = None
    ) -> list[Message]:
        """Let time pass; return the reports that came, early when `until` holds."""
        said: list[Message] = []
        passes = round(seconds / self.cfg.pass_period)
        for _ in range(passes):
            said += self.step()
            if until is not None and until():
                break
        return said

    def run_until(self, report: Report, seconds: float = 20.0) -> list[Message]:
        """Let time pass until a report comes; return all that came."""
        before = len(self.messages)
        self.run(
            seconds,
            lambda: any(m.report == report for _, m in self.messages[before:]),
        )
        return [message for _, message in self.messages[before:]]

    def step(self) -> list[Message]:
        """Run one pass of the computer, then the joints for the time it takes."""
        room = self.computer.room
        outbox = self.mcu.pass_once(self.now, self.gateway.packets_for_leg(room))
        said = self.gateway.receive_packets(outbox)
        self.messages += [(self.now, message) for message in said]
        self.advance(self.cfg.pass_period)
        return said

    def advance(self, seconds: float) -> None:
        """Move the joints for a while with what the bridges do now."""
        if self._watchdog.has_expired(self.now):
            self.codes = [0] * NUM_ACTORS
        for i in range(NUM_ACTORS):
            self._turn(i, seconds)
        self.now += seconds

    def transfer(self, request: Request) -> tuple[int, ...]:
        """Return the packets of a command, for tests of the link."""
        return encode(request, self.cfg.wire.scale).packets

    def _current(self, i: int) -> float:
        """Return the motor current of an actor [A]."""
        sign = _SIGNS.get(self.codes[i], 0.0)
        if i in self.dead_drives or sign == 0.0:
            return 0.0
        drive = self.cfg.drive
        duty = sign * self.speeds[i] / 255.0 * self.supply / drive.nominal_voltage
        return min(
            15.0, abs(duty - self.qd[i] / drive.no_load_speed) * drive.stall_current
        )

    def _turn(self, i: int, dt: float) -> None:
        """Move one joint: exact first-order motion between changes of friction."""
        drive, inertia = self.cfg.drive, self._bench.inertia[i]
        sign = 0.0 if i in self.dead_drives else _SIGNS.get(self.codes[i], 0.0)
        duty = sign * self.speeds[i] / 255.0 * self.supply / drive.nominal_voltage
        slope = drive.stall_torque / drive.no_load_speed
        held = self.codes[i] == _HOLD and i not in self.dead_drives
        strength = self.speeds[i] / 255.0 if held else float(sign != 0.0)
        load = self._load(i, self.q[i], self.qd[i], self.now) if self._load else 0.0
        push = drive.stall_torque * duty + load
        still = abs(self.qd[i]) < 1e-9
        heading = math.copysign(1.0, push if still else self.qd[i])
        # Friction is part of the data sheet where the drive turns the joint; where the
        # joint turns the drive, or nothing is driven, it brakes.
        friction = 0.0 if sign == heading else self._bench.friction
        if held:
            friction += drive.stall_torque * strength
        stick = friction or drive.start_duty * drive.stall_torque
        if still and abs(push) <= stick:
            self.qd[i] = 0.0
            return
        push -= heading * friction
        rate = slope * strength / inertia
        self._integrate(i, dt, push / inertia, rate, heading, stops=friction > 0.0)

    def _integrate(
        self,
        i: int,
        dt: float,
        push: float,
        rate: float,
        heading: float,
        *,
        stops: bool,
    ) -> None:
        """Solve `qdd = push - rate * qd`; friction ends where the joint would turn."""
        qd = self.qd[i]
        if rate > 1e-9:
            final = push / rate
            decay = math.exp(-rate * dt)
            self.q[i] += final * dt + (qd - final) * (1.0 - decay) / rate
            self.qd[i] = final + (qd - final) * decay
        else:
            self.q[i] += qd * dt + 0.5 * push * dt * dt
            self.qd[i] = qd + push * dt
        if stops and self.qd[i] * heading < 0.0:
            self.qd[i] = 0.0
        low, high = self.cfg.limits[i]
        if not low - 0.02 <= self.q[i] <= high + 0.02:
            self.q[i] = min(high + 0.02, max(low - 0.02, self.q[i]))
            self.qd[i] = 0.0
