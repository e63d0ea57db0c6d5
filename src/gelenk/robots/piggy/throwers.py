"""People who throw balls at Piggy: as good and as bad as those of the thesis.

A thrower stands 5 to 6 m away, aims above the roll axis and allows for gravity and the
usual drag, but neither for wind nor for spin. The scatter is such that about 9 % of the
throws indoors and 27 % outdoors never come into the workspace (Hammer table 5.3); the
rest is chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.piggy.air import AirCfg, FloorCfg, fly_ticks
from gelenk.robots.piggy.config import DRAG, GRAVITY
from gelenk.typing import ArrayLike

PlaceName = Literal["indoor", "outdoor"]
Vec3 = tuple[float, float, float]

AIM: Vec3 = (-0.305, -0.23, 1.70)  # [m], at the top of the workspace's middle
_STEP = 2e-3  # [s], of the thrower's experience


@dataclass(frozen=True, slots=True, kw_only=True)
class Throw:
    """A ball that leaves a hand.

    Attributes:
        position: Where it is released, world axes [m].
        velocity: With which velocity [m/s].
        spin: With which spin [rad/s].
        wind: Mean wind during this flight [m/s].
        drag: Of this ball [1/m].
        albedo: Of this ball, 0 (black) to 1 (white).
        windup: For how long the hand swings it before, visibly [s].
        is_held: Whether it is never released: the hand stops it where it would leave.
    """

    position: Vec3
    velocity: Vec3
    spin: Vec3 = (0.0, 0.0, 0.0)
    wind: Vec3 = (0.0, 0.0, 0.0)
    drag: float = DRAG
    albedo: float = 0.35
    windup: float = 0.12
    is_held: bool = False

    def __post_init__(self) -> None:
        for name in ("position", "velocity", "spin", "wind"):
            value = tuple(float(v) for v in getattr(self, name))
            if len(value) != 3 or not all(map(math.isfinite, value)):
                raise ConfigError(f"Throw: `{name}` must be 3 finite numbers: {value}")
            object.__setattr__(self, name, value)
        if self.windup < 0.0 or self.drag < 0.0 or not 0.0 <= self.albedo <= 1.0:
            raise ConfigError(
                "Throw: `windup` and `drag` must not be negative and `albedo` in 0..1, "
                f"got {self.windup}, {self.drag}, {self.albedo}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowerCfg:
    """How somebody throws.

    Attributes:
        distance: Nearest and farthest, from the point aimed at [m].
        azimuth: Largest angle from straight ahead [rad].
        height: Lowest and highest point of release [m].
        flight_time: Shortest and longest, to the point aimed at [s].
        aim_sigma: Of the point met in still air, across and up [m].
        spin_sigma: About each axis [rad/s].
        drag_sigma: Of the drag from ball to ball, relative; at most twice that.
        albedo: Darkest and brightest ball.
        windup: Of the arm [s].
    """

    distance: tuple[float, float] = (5.0, 6.0)
    azimuth: float = math.radians(10.0)
    height: tuple[float, float] = (1.4, 1.9)
    flight_time: tuple[float, float] = (0.65, 1.05)
    aim_sigma: float = 0.16
    spin_sigma: float = 3.0
    drag_sigma: float = 0.10
    albedo: tuple[float, float] = (0.2, 0.5)
    windup: float = 0.12


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    """The air of a place.

    Attributes:
        wind_sigma: Of the mean wind of a throw, along each horizontal axis [m/s].
        air: Gusts and the rest.
    """

    wind_sigma: float = 0.0
    air: AirCfg = field(default_factory=AirCfg)


WEATHER: Mapping[str, Weather] = MappingProxyType(
    {
        "indoor": Weather(),
        "outdoor": Weather(wind_sigma=1.6, air=AirCfg(gust_sigma=0.3)),
    }
)
SKILLS: Mapping[str, ThrowerCfg] = MappingProxyType(
    {
        "default": ThrowerCfg(),
        "skilled": ThrowerCfg(aim_sigma=0.08, spin_sigma=2.0),
        "fair": ThrowerCfg(),
        "clumsy": ThrowerCfg(aim_sigma=0.35, spin_sigma=5.0),
        "fast": ThrowerCfg(flight_time=(0.5, 0.65)),
    }
)


def draw_throw(
    rng: np.random.Generator,
    place: PlaceName = "indoor",
    *,
    skill: str | ThrowerCfg = "default",
    start: ArrayLike | None = None,
    aim: ArrayLike = AIM,
) -> Throw:
    """Return a throw at random.

    Args:
        rng: Of everything random in it.
        place: Whose weather it has.
        skill: "default", "skilled", "fair", "clumsy", "fast" (as at demonstrations), or
            a description.
        start: Where it is released [m], (3,); None: as the skill says.
        aim: What the thrower aims at [m], (3,).
    """
    if isinstance(skill, str) and skill not in SKILLS:
        raise NameNotFoundError("skill", skill, SKILLS)
    if place not in WEATHER:
        raise NameNotFoundError("place", place, WEATHER)
    cfg = SKILLS[skill] if isinstance(skill, str) else skill
    goal = np.array(aim, dtype=np.float64)
    distance, azimuth = rng.uniform(*cfg.distance), rng.uniform(-1, 1) * cfg.azimuth
    away = distance * np.array([math.sin(azimuth), math.cos(azimuth)])
    height = rng.uniform(*cfg.height)
    release = np.array([goal[0] + away[0], goal[1] + away[1], height])
    if start is not None:
        release = np.array(start, dtype=np.float64)
    met = goal + cfg.aim_sigma * rng.normal(size=3) * [1.0, 0.0, 1.0]
    duration = rng.uniform(*cfg.flight_time)
    spread = cfg.drag_sigma * float(np.clip(rng.normal(), -2.0, 2.0))
    wind = WEATHER[place].wind_sigma * rng.normal(size=2)
    spin = cfg.spin_sigma * rng.normal(size=3)
    return Throw(
        position=tuple(release),
        velocity=tuple(aimed_velocity(release, met, duration)),
        spin=tuple(spin),
        wind=(float(wind[0]), float(wind[1]), 0.0),
        drag=DRAG * (1.0 + spread),
        albedo=rng.uniform(*cfg.albedo),
        windup=cfg.windup,
    )


def aimed_velocity(
    start: np.ndarray, target: np.ndarray, duration: float, drag: float = DRAG
) -> np.ndarray:
    """Return the velocity with which a ball meets a point after a time, in still air.

    Args:
        start: Of the flight [m], (3,).
        target: [m], (3,).
        duration: Of the flight [s].
        drag: That the thrower is used to [1/m].
    """
    steps = max(1, round(duration / _STEP))
    h = duration / steps
    gravity = np.array([0.0, 0.0, -GRAVITY])
    still = np.zeros((1, 3))
    velocity = (target - start) / duration - 0.5 * duration * gravity
    floor = FloorCfg()
    bounce = (floor.restitution, floor.friction, floor.rolling)
    path = np.empty((1, 6))
    for _ in range(6):  # each leaves a third of the miss
        state = np.concatenate([start, velocity, np.zeros(3)])
        air = (drag, 0.0, 1e9)
        fly_ticks(state, still, 0, steps, gravity, air, bounce, h, path)
        velocity = velocity + (target - state[:3]) / duration
    return velocity
