"""`SceneCfg`: what stands where in Piggy's simulated place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.robots.piggy.air import FloorCfg
from gelenk.robots.piggy.ball_contact import BallCfg
from gelenk.robots.piggy.cameras import RigCfg
from gelenk.robots.piggy.config import CAMERA_RATE, HOME
from gelenk.robots.piggy.drives import DriveProfile
from gelenk.robots.piggy.people import Person
from gelenk.robots.piggy.throwers import WEATHER, PlaceName


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneCfg:
    """What stands where.

    Attributes:
        place: "indoor": a high hall with lamps; "outdoor": a meadow with trees, wind.
        drive: Profile of the drives, see `drives`.
        seed: Of everything random in it.
        place_seed: Which hall or meadow; None: the seed's.
        rig: The cameras, and how far they are from the drawing.
        ball: The ball as it is.
        floor: What the floor does to balls.
        people: Who stands where at the start.
        inclination: Of the base about x and y [rad]: gravity leans in the world.
        q: Roll and tilt at the start [rad].
        servo_offset: Absolute position of roll and tilt at 0 beside the middle [count].
        step: Length of a tick [s].
        samples: Rays per side of a pixel of the place's picture.
    """

    place: PlaceName = "indoor"
    drive: Literal["thesis", "tight"] | DriveProfile = "thesis"
    seed: int = 0
    place_seed: int | None = None
    rig: RigCfg = field(default_factory=RigCfg)
    ball: BallCfg = field(default_factory=BallCfg)
    floor: FloorCfg = field(default_factory=FloorCfg)
    people: tuple[Person, ...] = ()
    inclination: tuple[float, float] = (0.0, 0.0)
    q: tuple[float, float] = HOME
    servo_offset: tuple[float, float] = (0.0, 0.0)
    step: float = 0.0005
    samples: int = 3

    def __post_init__(self) -> None:
        if self.place not in WEATHER:
            raise NameNotFoundError("place", self.place, WEATHER)
        for name, time in (("frame", 1.0 / CAMERA_RATE), ("exposure/2", self.mid)):
            ticks = time / self.step
            if abs(ticks - round(ticks)) > 1e-6:
                raise ConfigError(
                    f"`step` {self.step} s must divide the {name} of {time:g} s"
                )

    @property
    def seen_seed(self) -> int:
        """Of the place that is seen."""
        return self.seed if self.place_seed is None else self.place_seed

    @property
    def mid(self) -> float:
        """From the start of an exposure to its middle [s]."""
        return self.rig.exposure / 2.0
