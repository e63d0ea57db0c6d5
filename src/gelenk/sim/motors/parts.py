"""Parts of drives as data: friction, backlash and the warmth of a winding."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gelenk.errors import ConfigError


def check_values(
    owner: object, *names: str, above: bool = True, inf: bool = False
) -> None:
    """Refuse values that are negative, NaN, or (unless allowed) 0 or infinite."""
    for name in names:
        value = getattr(owner, name)
        is_good = (value > 0.0 if above else value >= 0.0) and (
            inf or math.isfinite(value)
        )
        if not is_good:
            expected = "more than 0" if above else "at least 0"
            raise ConfigError(
                f"`{name}` of {type(owner).__name__} must be {expected}"
                f"{'' if inf else ' and finite'}, got {value}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Friction:
    """Friction of a drive, after Stribeck.

    Attributes:
        coulomb: Dry friction while sliding [N m].
        static: Dry friction at rest [N m]; at least `coulomb`, which it defaults to.
        stribeck_speed: Speed at which 1/e of their difference is left [rad/s].
        viscous: Friction per speed [N m s/rad].

    Example:
        >>> from gelenk.sim.motors import Friction
        >>> Friction(coulomb=0.1, static=0.15).at_rest  # [N m]
        0.15
    """

    coulomb: float = 0.0
    static: float | None = None
    stribeck_speed: float = 0.05
    viscous: float = 0.0

    def __post_init__(self) -> None:
        check_values(self, "coulomb", "viscous", above=False)
        check_values(self, "stribeck_speed")
        if self.static is not None and not self.coulomb <= self.static < math.inf:
            raise ConfigError(
                f"`static` friction must be at least `coulomb` ({self.coulomb} N m), "
                f"got {self.static}"
            )

    @property
    def at_rest(self) -> float:
        """Dry friction that must be overcome to set the drive in motion [N m]."""
        return self.coulomb if self.static is None else self.static


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlash:
    """Play of a gear: the rotor moves freely between two flanks of the link.

    Attributes:
        half_gap: Free motion to either side of the middle [rad].
        stiffness: Stiffness of the teeth in contact [N m/rad].
        damping: Damping of the teeth in contact [N m s/rad]; teeth push and never pull.

    Example:
        >>> from gelenk.sim import PositionServo
        >>> from gelenk.sim.motors import Backlash
        >>> play = Backlash(half_gap=0.005, stiffness=200.0, damping=0.1)
        >>> servo = PositionServo(
        ...     kp=20.0, kd=1.0, torque_limit=3.0, rotor_inertia=1e-5, backlash=play
        ... )
        >>> servo.backlash.half_gap
        0.005
    """

    half_gap: float
    stiffness: float
    damping: float

    def __post_init__(self) -> None:
        check_values(self, "half_gap", "damping", above=False)
        check_values(self, "stiffness")


@dataclass(frozen=True, slots=True, kw_only=True)
class Heating:
    """Warmth of a winding: copper loss in, one path to the surroundings.

    Attributes:
        winding_resistance: Makes heat i^2 R of the current [Ohm].
        thermal_resistance: Thermal resistance to the surroundings [K/W].
        time_constant: Time constant of the winding [s].
        ambient: Temperature of the surroundings and at the start [K].
        shut_off: The drive switches itself off above this temperature [K].
        restart: ... and on again below this one [K]; `shut_off` if not given.

    Example:
        >>> from gelenk.sim.motors import Heating
        >>> winding = Heating(
        ...     winding_resistance=2.0, thermal_resistance=5.0, time_constant=30.0
        ... )
        >>> current = 3.0  # [A]
        >>> loss = current**2 * winding.winding_resistance
        >>> winding.ambient + loss * winding.thermal_resistance  # in the long run [K]
        388.15
    """

    winding_resistance: float
    thermal_resistance: float
    time_constant: float
    ambient: float = 298.15
    shut_off: float = math.inf
    restart: float | None = None

    def __post_init__(self) -> None:
        check_values(self, "winding_resistance", "thermal_resistance", "time_constant")
        check_values(self, "ambient")
        if not self.shut_off > self.ambient:
            raise ConfigError(
                f"`shut_off` must exceed the ambient {self.ambient} K, "
                f"got {self.shut_off}"
            )
        if self.restart is not None and not (
            self.ambient < self.restart <= self.shut_off
        ):
            raise ConfigError(
                f"`restart` must lie between the ambient {self.ambient} K and "
                f"`shut_off` ({self.shut_off} K), got {self.restart}"
            )
