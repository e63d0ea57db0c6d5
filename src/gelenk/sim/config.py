"""`WorldConfig`: every number of the world, with unit and reason."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from gelenk.errors import ConfigError
from gelenk.sim.bridge.engine import EngineCfg
from gelenk.sim.contact import bank as columns
from gelenk.sim.surface import Vec3, require


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldConfig:
    """Settings of a world.

    Attributes:
        step: Length of a tick [s].
        gravity: Gravity, world axes [m/s^2].
        air_density, air_viscosity: Density and viscosity of the air [kg/m^3], [Pa s];
            0: no drag.
        bounce_speed: Collisions slower than this do not bounce [m/s].
        land_speed: Collisions slower than this are left to the soft contact [m/s]; at
            least what a body gains by falling for one step.
        touch_distance: Bodies nearer than this touch [m].
        slide_lift: Sliding bodies may leave the ground by this much [m].
        restitution_pairs: e for pairs of names or materials; overrules what the two
            say. The name of an object counts before its material.
        black_box: Number of last ticks that are kept for the report when a state stops
            being finite.
        engine: Further settings of MuJoCo; its step and gravity are overruled.
        contact: Solver of contacts. "exact": ours, with impacts that bounce, friction
            that slides without hops, bodies that fly on parabolas, and MuJoCo's
            integrator `implicitfast`. "engine": MuJoCo alone, as `mj_step` does it
            with the integrator, solver and friction cone of the first MJCF file in
            the world, which moves as in MuJoCo; restitution does not count then,
            and beside motors of ours or belts RK4 becomes MuJoCo's Euler.

    Example:
        >>> from gelenk.sim import World, WorldConfig
        >>> World(WorldConfig(step=0.002)).config.step
        0.002
    """

    step: float = field(default=0.001, metadata={"unit": "s"})
    gravity: Vec3 = field(default=(0.0, 0.0, -9.81), metadata={"unit": "m/s^2"})
    air_density: float = field(default=0.0, metadata={"unit": "kg/m^3"})
    air_viscosity: float = field(default=0.0, metadata={"unit": "Pa s"})
    bounce_speed: float = field(default=0.02, metadata={"unit": "m/s"})
    land_speed: float = field(default=0.01, metadata={"unit": "m/s"})
    touch_distance: float = field(default=2e-7, metadata={"unit": "m"})
    slide_lift: float = field(default=5e-6, metadata={"unit": "m"})
    restitution_pairs: Mapping[tuple[str, str], float] = field(
        default_factory=lambda: MappingProxyType({})
    )
    black_box: int = 64
    engine: EngineCfg = field(default_factory=EngineCfg)
    contact: Literal["exact", "engine"] = "exact"

    def __post_init__(self) -> None:
        require(self, "step", above=0.0, unit="s")
        if self.step > 0.02 and self.contact != "engine":
            raise ConfigError(
                f"WorldConfig: `step` must be at most 0.02 s, got {self.step} s; "
                "contacts are not stable beyond; let controllers run slower instead"
            )
        for name in ("bounce_speed", "land_speed"):
            require(self, name, above=0.0, unit="m/s")
        require(self, "touch_distance", above=0.0, unit="m")
        require(self, "slide_lift", above=0.0, unit="m")
        require(self, "black_box", minimum=1)
        if self.contact not in ("exact", "engine"):
            raise ConfigError(
                "WorldConfig: `contact` must be 'exact' or 'engine', got "
                f"{self.contact!r}"
            )
        for pair, e in self.restitution_pairs.items():
            if not 0.0 <= e <= 1.0:
                raise ConfigError(
                    f"WorldConfig: restitution of {pair} must be in 0..1, got {e}"
                )

    def engine_settings(self) -> EngineCfg:
        """Return what the engine is told."""
        own = self.engine
        # a reference faster than two steps is unstable
        solref = (max(own.solref[0], 2.0 * self.step), own.solref[1])
        return EngineCfg(
            step=self.step,
            gravity=self.gravity,
            impratio=own.impratio,
            tolerance=own.tolerance,
            iterations=own.iterations,
            solref=solref,
            solimp=own.solimp,
            density=self.air_density,
            viscosity=self.air_viscosity,
        )

    def plain_settings(self) -> EngineCfg:
        """Return what the engine is told where contacts are its own."""
        return replace(
            self.engine,
            step=self.step,
            gravity=self.gravity,
            density=self.air_density,
            viscosity=self.air_viscosity,
        )

    def contact_settings(self) -> dict[int, float]:
        """Return the thresholds of the contact layer by their column."""
        weight = math.hypot(*self.gravity)
        land = max(self.land_speed, weight * self.step)
        weight = max(weight, 1.0)
        return {
            columns.BOUNCE_SPEED: max(self.bounce_speed, land),
            columns.LAND_SPEED: land,
            columns.TOUCH_DISTANCE: self.touch_distance,
            columns.IS_ENGINE: float(self.contact == "engine"),
            # thrown up with a v, a body rises by (a step)^2 / (2 g)
            columns.SLIDE_TOLERANCE: math.sqrt(2.0 * weight * self.slide_lift)
            / self.step,
        }
