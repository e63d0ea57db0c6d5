"""The simulated place where AMEE stands: its body, its ground, its faults, its judge.

`AmeeWorld.legs[i]` are the pins of leg i + 1; leg computers and whoever coordinates
them get nothing else, except `read_imu`, which the torso carries. `AmeeWorld.truth` is
for judges.

World axes: z up; the robot starts at the origin and looks along x.

Ticks of 2 ms, as long as a pass of the leg computers. Measured on a robot that crouches
and lifts a foot, both drive profiles: against ticks of 0.25 ms torso and foot are never
more than 0.5 mm elsewhere, the drives take up to 4 % more energy, and it costs a fifth
of the time. Ticks of 4 ms: 1.1 mm and 6 %. A standing world takes about 50 ms, a moving
one 90 ms to 110 ms of one core per simulated second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from gelenk.closing import Closing
from gelenk.errors import ConfigError
from gelenk.models.assembler import assemble
from gelenk.models.tree import RobotModel
from gelenk.robots.amee import config
from gelenk.robots.amee import robot as amee
from gelenk.robots.amee.battery import CURRENT_NOW, VOLTAGE, BatteryCfg, drain
from gelenk.robots.amee.damage import Damage
from gelenk.robots.amee.drives import DriveCfg, drive_motors
from gelenk.robots.amee.faults import BodyFault
from gelenk.robots.amee.port import LegPort
from gelenk.robots.amee.sensors import Converters, SensorCfg, leg_sensors
from gelenk.robots.amee.terrain import TerrainCfg, build_terrain, terrain_from_text
from gelenk.robots.amee.truth import JUDGE_PERIOD, Truth
from gelenk.sim.appearance import compiled_world_of
from gelenk.sim.bridge.engine import EngineCfg
from gelenk.sim.config import WorldConfig
from gelenk.sim.robot import Robot
from gelenk.sim.sensors.channels import DELAY, PERIOD_SAMPLES, PERIOD_TICKS
from gelenk.sim.snapshot import Snapshot
from gelenk.sim.surface import Surface
from gelenk.sim.world import Addable, World
from gelenk.typing import FloatArray

ROBOT = "amee"
_IMU = f"{ROBOT}/imu"
NUM_JOINTS = config.NUM_LEGS * config.NUM_ACTORS
STEP = 0.002  # [s]
# Toes on foam rubber; on stiff ground, what a toe bears would hang on micrometres. Time
# of a contact with the usual foam, which the robot's weight presses in by so much.
RUBBER_TIME, RUBBER_IMPEDANCE = 0.03, 0.5  # [s], [1], A
FOAM, SOFT_FOAM = 0.0012, 0.0027  # [m], A
PARKED_HEIGHT = 0.075  # [m], torso over ground with all legs folded
HUNG_HEIGHT = 1.0  # [m], no foot reaches the ground


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldCfg:
    """What can be chosen.

    Attributes:
        terrain: Ground, or a word such as "rubble:8cm" (`terrain_from_text`).
        drive: Drives, or the name of a profile.
        sensors: How badly the legs are told where they are.
        battery: What feeds the drives.
        start: How the robot begins: standing, parked on its belly, or hung up by its
            torso, feet in the air.
        stance: Hip over sole of a standing start [m].
        angles: Joint angles of the start instead, 16 in the order of legs [rad].
        torso: Where the torso begins [m]; None: over the origin, as high as the start
            wants it.
        friction: Of the soles.
        foam: Of the toes: how far the robot's weight presses it in [m].
        faults: What breaks, and when.
        extras: What else is in the world.
        seed: Of terrain, spread, noise.
        step: Of physics [s].
    """

    terrain: TerrainCfg | str = "flat"
    drive: DriveCfg | str = "thesis"
    sensors: SensorCfg = field(default_factory=SensorCfg)
    battery: BatteryCfg = field(default_factory=BatteryCfg)
    start: Literal["standing", "parked", "hung"] = "standing"
    stance: float = config.STANCE_HEIGHT
    angles: tuple[float, ...] | None = None
    torso: tuple[float, float, float] | None = None
    friction: float = 0.8
    foam: float = FOAM
    faults: tuple[BodyFault, ...] = ()
    extras: tuple[Addable, ...] = ()
    seed: int = 0
    step: float = STEP

    def __post_init__(self) -> None:
        if isinstance(self.terrain, str):
            object.__setattr__(self, "terrain", terrain_from_text(self.terrain))
        if isinstance(self.drive, str):
            object.__setattr__(self, "drive", DriveCfg(profile=self.drive))
        if self.start not in ("standing", "parked", "hung"):
            raise ConfigError(
                f"`start` must be standing, parked or hung, got {self.start!r}"
            )
        if not 1e-4 <= self.foam <= 0.01:
            raise ConfigError(
                f"`foam` must give way by 0.1 to 10 mm, got {self.foam * 1e3} mm"
            )
        if not 0.3 <= self.stance <= 0.66:
            raise ConfigError(f"`stance` must lie in 0.3..0.66 m, got {self.stance} m")
        if self.angles is not None and len(self.angles) != NUM_JOINTS:
            raise ConfigError(
                f"`angles` must be {NUM_JOINTS} numbers, got {len(self.angles)}"
            )


class AmeeWorld(Closing):
    """AMEE in a world; make it with `make_world`.

    Attributes:
        cfg: What was chosen.
        world: The world itself, for pages and recorders.
        legs: Pins of the four legs, `leg.LegHardware`.
        truth: The judge.
    """

    def __init__(self, cfg: WorldCfg) -> None:
        self.cfg = cfg
        self.world = World(_world_config(cfg), seed=cfg.seed)
        for item in _contents(cfg):
            self.world.add(item)
        self._plant = compiled_world_of(self.world)
        self._begin()

    def _begin(self) -> None:
        """Put everything around the world to its beginning."""
        cfg, motors = self.cfg, self._plant.banks.motors
        self._command = motors.command[:NUM_JOINTS]
        self._state = motors.state[:NUM_JOINTS]
        self._constants, self._account = cfg.battery.constants(), cfg.battery.account()
        self._converters = Converters(self._plant, ROBOT, cfg.sensors, cfg.seed)
        self._damage = Damage(self._plant, ROBOT, cfg.faults)
        self.legs: tuple[LegPort, ...] = tuple(self._port(i) for i in range(4))
        self.truth = Truth(self._plant, ROBOT, self._account, cfg.step)
        self._judged = 0
        self._now = self.world.time
        self._volts = self.voltage
        sensors, row = self._plant.banks.senses.sensors, self._plant.sensors[_IMU]
        self._imu_due = sensors.ints[
            row, [DELAY, PERIOD_TICKS, PERIOD_SAMPLES]
        ].tolist()
        self._imu: tuple[int, FloatArray] = (-1, self.world.read(_IMU).value)
        self._judge_every = max(round(JUDGE_PERIOD / cfg.step), 1)
        self._refresh()

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self.world.time

    @property
    def tick(self) -> int:
        """Ticks done."""
        return self.world.tick

    @property
    def voltage(self) -> float:
        """Of the 12 V bus [V]."""
        return float(self._account[VOLTAGE])

    @property
    def current(self) -> float:
        """That the drives draw from the battery [A]."""
        return float(self._account[CURRENT_NOW])

    def step(self, count: int = 1) -> None:
        """Advance by some ticks."""
        for _ in range(count):
            self._tick()

    def snapshot(self) -> Snapshot:
        """Return the beginning, to come back to.

        Raises:
            ConfigError: If it is over: what legs remember is not kept.
        """
        if self.world.tick:
            raise ConfigError("a world in which AMEE has moved cannot be kept")
        return self.world.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to the beginning; pins, battery, faults and judge are new ones."""
        self.world.restore(snapshot)
        self._begin()

    def step_to(self, time: float) -> None:
        """Advance to a time [s], rounded to whole ticks; the past is no time.

        Raises:
            ConfigError: If the time is not finite.
        """
        if not math.isfinite(time):
            raise ConfigError(f"`time` must be finite, got {time}")
        self.step(round(time / self.cfg.step) - self.world.tick)

    def _tick(self) -> None:
        now = self._now = self.world.time
        for leg in self.legs:
            if leg.watchdog.has_expired(now):
                leg.cut_drives()
        self._damage.strike(now)
        self.world.step()
        self._now = self.world.time
        drain(
            self._command,
            self._state,
            self._constants,
            self._account,
            self._damage.sag,
            self.cfg.step,
        )
        self._volts = self.voltage
        self._refresh()
        self._judged += 1
        if self._judged % self._judge_every == 0:
            self.truth.judge()

    def inject(self, fault: BodyFault) -> None:
        """Let something break that was not on the plan; may start at once."""
        self._damage.add(fault)

    def read_imu(self) -> FloatArray:
        """Return specific force and turning rate of the torso, its axes, (6,).

        NaN before the first sample. For whoever coordinates the legs; not to be
        written to.
        """
        delay, num, den = self._imu_due
        sample = (self.world.tick - delay) * den // num
        if sample != self._imu[0]:  # reading it again would give the same bits
            self._imu = (sample, self.world.read(_IMU).value)
        return self._imu[1]

    def close(self) -> None:
        """Free what the world holds."""
        self.world.close()

    def _refresh(self) -> None:
        self._converters.convert(self.world.tick, self.cfg.step)

    def _port(self, leg: int) -> LegPort:
        return LegPort(
            adc=self._converters.adc[leg],
            toes=self._converters.toes,
            leg=leg,
            command=self._command[4 * leg : 4 * leg + 4],
            clock=lambda: self._now,
            voltage=lambda: self._volts,
            has_centre_contact=self.cfg.sensors.has_centre_contact,
        )


def make_world(cfg: WorldCfg | None = None) -> AmeeWorld:
    """Return a world with AMEE in it, its drives without current."""
    return AmeeWorld(cfg or WorldCfg())


def warm_up() -> None:
    """Compile what a first world would have to compile."""
    with make_world() as world:
        world.step_to(2.0 * JUDGE_PERIOD)


def body_model(*, floats: bool = True) -> RobotModel:
    """Return AMEE as it stands in the world.

    Args:
        floats: Whether its torso is free, not held.
    """
    return assemble(ROBOT, amee.amee_links(floats=floats), tool="sole_1")


def start_angles(cfg: WorldCfg) -> FloatArray:
    """Return the joint angles of the start, legs in their order [rad], (16,)."""
    if cfg.angles is not None:
        return np.array(cfg.angles)
    if cfg.start == "parked":
        return np.tile(config.PARK_ANGLES, 4)
    return np.tile(amee.standing_angles(cfg.stance), 4)


def _world_config(cfg: WorldCfg) -> WorldConfig:
    return WorldConfig(
        step=cfg.step,
        engine=EngineCfg(
            solref=(RUBBER_TIME * math.sqrt(cfg.foam / FOAM), 1.0),
            solimp=(RUBBER_IMPEDANCE, RUBBER_IMPEDANCE, 0.001),
            tolerance=1e-8,
        ),
    )


def _contents(cfg: WorldCfg) -> list[Addable]:
    assert isinstance(cfg.terrain, TerrainCfg)
    # the robot comes first: so its motors are the first ones
    return [_robot(cfg), *build_terrain(cfg.terrain, cfg.seed), *cfg.extras]


def _robot(cfg: WorldCfg) -> Robot:
    assert isinstance(cfg.drive, DriveCfg)
    floats = cfg.start != "hung"
    heights = {"standing": cfg.stance, "parked": PARKED_HEIGHT, "hung": HUNG_HEIGHT}
    T_world_torso = np.eye(4)
    T_world_torso[:3, 3] = cfg.torso or (0.0, 0.0, heights[cfg.start])
    base = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0) if floats else ()
    return Robot(
        name=ROBOT,
        model=body_model(floats=floats),
        T_world_base=T_world_torso,
        motors=drive_motors(cfg.drive),
        sensors=leg_sensors(cfg.sensors),
        q=np.array([*base, *start_angles(cfg)]),
        # soles decide on their friction alone, whatever they stand on
        surface=Surface(friction=cfg.friction, condim=3, priority=1),
    )
