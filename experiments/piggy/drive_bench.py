"""A batting unit on the bench: drive, servos and motion control, no ball, no cameras.

The bench knows the truth of the simulation; what is under test does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gelenk.robots.piggy.control.gains import motion_cfg
from gelenk.robots.piggy.control.motion import MotionControl
from gelenk.robots.piggy.control.state import MotionCfg
from gelenk.robots.piggy.control.weigh import weigh
from gelenk.robots.piggy.drives import JOINTS, DriveProfile, get_profile, piggy_robot
from gelenk.robots.piggy.hardware import Bus, RollTilt
from gelenk.robots.piggy.hardware.roll_tilt import ServoScale
from gelenk.robots.piggy.hardware.world_servo import MIDDLE, WorldServo
from gelenk.robots.piggy.setup import Setup, nominal_setup
from gelenk.sim import Encoder, World, WorldConfig
from gelenk.sim.observe import gear_wear
from gelenk.sim.world import Addable
from gelenk.typing import ArrayLike, FloatArray

STEP = 0.001  # [s], of physics
CYCLE = 10  # ticks of one control cycle
CONTACT_TIME = 0.0147  # [s], of a ball at 5 m/s


def world_unit(
    world: World,
    scales: Sequence[ServoScale],
    *,
    profile: str | DriveProfile = "thesis",
    bus: Bus | None = None,
    middles: tuple[float, float] = (MIDDLE, MIDDLE),
) -> RollTilt:
    """Return the batting unit of a world, its servos powered on and not yet connected.

    Args:
        world: With `drives.piggy_robot` in it.
        scales: Of both servos, from the calibration: `setup.servos`.
        profile: Of the drive that the robot was made with.
        bus: Of both servos; None: one that loses nothing.
        middles: True absolute positions of the joints at 0 [count].
    """
    wire = bus or Bus()
    servos = [
        WorldServo(world, joint, profile=profile, bus=wire, middle=middle)
        for joint, middle in zip(JOINTS, middles, strict=True)
    ]
    sheet = get_profile(profile).sheet
    return RollTilt(servos, scales, stall_torque=sheet.stall_torque)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Run:
    """What happened, one row per control cycle; degrees, for people.

    Attributes:
        time: Since the run began [s], (n,).
        encoder: Measured angles of the motors [deg], (n, 2).
        motor: True angles of the motors [deg], (n, 2).
        bat: True angles of the bat [deg], (n, 2).
        torque: Commanded [N m], (n, 2).
        setpoint: [deg], (n, 2).
    """

    time: FloatArray
    encoder: FloatArray
    motor: FloatArray
    bat: FloatArray
    torque: FloatArray
    setpoint: FloatArray


class DriveBench:
    """World, servos, control.

    Args:
        profile: Of the drive: a name.
        q: Roll and tilt at the start [rad], (2,).
        change: What to change in the settings of motion control.
        drive: Another plant than the profile's.
        setup: Calibration; None: nominal, with the weight that was weighed.
        seed: Of all noise.
        extras: What else is in the world: faults.
    """

    def __init__(
        self,
        profile: str = "thesis",
        *,
        q: ArrayLike = (0.0, 0.0),
        change: Callable[[MotionCfg], MotionCfg] | None = None,
        drive: DriveProfile | None = None,
        setup: Setup | None = None,
        seed: int = 0,
        extras: Sequence[Addable] = (),
    ) -> None:
        plant = drive or profile
        truth = {"truth": Encoder(joints=JOINTS, side="motor")}
        self.world = World(WorldConfig(step=STEP), seed=seed)
        self.world.add(piggy_robot(plant, q=q, sensors=truth))
        for item in extras:
            self.world.add(item)
        self.setup = setup or bench_setup(profile)
        cfg = motion_cfg(profile, self.setup)
        self.cfg = change(cfg) if change else cfg
        self.unit = world_unit(self.world, self.setup.servos, profile=plant)
        self.control = MotionControl(self.unit, self.cfg)

    def start(self, seconds: float = 0.3) -> None:
        """Power on, wait, reference, and hold."""
        self.world.run(0.1)
        self.control.start(self.world.time)
        self.run(seconds)

    @property
    def motor(self) -> FloatArray:
        """True angles of the motors [rad], (2,)."""
        return self.world.read("piggy/truth").value

    @property
    def bat(self) -> FloatArray:
        """True angles of the bat [rad], (2,)."""
        return self.world.joint_positions("piggy")

    @property
    def wear(self) -> float:
        """Energy that the teeth of both gears have taken [J]."""
        return float(gear_wear(self.world, "piggy").sum())

    def run(self, seconds: float, each: Callable[[float], None] | None = None) -> Run:
        """Let control run and say what happened.

        Args:
            seconds: How long.
            each: Called before each cycle with the time since the beginning [s].
        """
        rows: list[tuple[FloatArray, ...]] = []
        begin = self.world.time
        for _ in range(round(seconds / (CYCLE * STEP))):
            now = self.world.time
            self.control.keep_alive()
            if each is not None:
                each(now - begin)
            torque = self.control.step(now)
            state = self.control.state
            rows.append(
                (
                    np.array([now - begin]),
                    np.rad2deg(state.q),
                    np.rad2deg(self.motor),
                    np.rad2deg(self.bat),
                    torque,
                    np.rad2deg(state.q_set),
                )
            )
            self.world.step(CYCLE)
        time, *rest = (np.array(column) for column in zip(*rows, strict=True))
        encoder, motor, bat, tau, setpoint = rest
        return Run(
            time=time[:, 0],
            encoder=encoder,
            motor=motor,
            bat=bat,
            torque=tau,
            setpoint=setpoint,
        )

    def hit(self, momentum: ArrayLike, *, seconds: float = CONTACT_TIME) -> None:
        """Press on the sphere like a ball, while one control cycle and a half pass.

        Args:
            momentum: What the bat receives, world axes [N s], (3,).
            seconds: How long the contact lasts [s].
        """
        ticks = round(seconds / STEP)
        peak = np.asarray(momentum, dtype=np.float64) * math.pi / (2.0 * seconds)
        for k in range(ticks):
            if k % CYCLE == 0:
                self.control.keep_alive()
                self.control.step(self.world.time)
            force = peak * math.sin(math.pi * (k + 0.5) / ticks)
            self.world.apply_wrench("piggy/sphere", [*force, 0.0, 0.0, 0.0])
            self.world.step()
        self.world.apply_wrench("piggy/sphere", np.zeros(6))
        self.world.step(-ticks % CYCLE)


def bench_setup(profile: str = "thesis") -> Setup:
    """Return a nominal setup with the weight as the bench weighs it."""
    return replace(_nominal(profile), weight=WEIGHED)


def _nominal(profile: str) -> Setup:
    return nominal_setup(drive="tight" if profile == "tight" else "thesis")


WEIGHED = 3.11  # [N], see `weigh_on_bench`


def weigh_on_bench(profile: str = "thesis") -> float:
    """Return the weight F that the servos of a drive feel [N]."""
    bench = DriveBench(profile, setup=_nominal(profile))
    bench.start()
    return weigh(bench.control, bench.run)


def settling(values: FloatArray, tolerance: float, *, tail: int = 50) -> float:
    """Return when a run comes within `tolerance` of where it ends, for good [s].

    Args:
        values: One per control cycle, (n,) or (n, 2).
        tolerance: Same unit.
        tail: Cycles at the end whose mean is where it ends.
    """
    column = values.reshape(len(values), -1)
    final = column[-tail:].mean(axis=0)
    outside = np.flatnonzero((np.abs(column - final) > tolerance).any(axis=1))
    return 0.0 if len(outside) == 0 else float(outside[-1] + 1) * CYCLE * STEP


def swing(values: FloatArray, *, tail: int = 50) -> float:
    """Return half of peak to peak over the last cycles, same unit as the values."""
    return float(np.ptp(values[-tail:], axis=0).max() / 2.0)


def frequency(values: FloatArray, *, tail: int = 100) -> float:
    """Return the strongest frequency of the last cycles [Hz]."""
    end = values[-tail:] - values[-tail:].mean()
    power = np.abs(np.fft.rfft(end * np.hanning(len(end)), n=4096))
    return float(np.fft.rfftfreq(4096, CYCLE * STEP)[int(np.argmax(power))])
