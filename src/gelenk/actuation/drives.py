"""Selection of drives: traits of their families, thermal limits, legs as drives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.typing import ArrayLike, BoolArray, FloatArray

COPPER = 0.00393  # [1/K], how the resistance of a winding grows
REFERENCE = 20.0  # [degC], at which resistances are given


class DriveFamily(StrEnum):
    """Family of drives."""

    HYDRAULIC = "hydraulic"
    PNEUMATIC = "pneumatic"
    ELECTRIC = "electric"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveTraits:
    """Strengths and weaknesses of a family of drives.

    Attributes:
        strengths: Strengths, in a few words each.
        weaknesses: Weaknesses, in a few words each.
        power_density: Power density of the actuator alone, typical [W/kg].
        stiffness: Ability to hold a load, 0 to 1.
        precision: Precision of the position, 0 to 1.
        gentleness: Ability to give way to people, 0 to 1.
        is_mobile: Whether the supply fits a vehicle.
        is_spark_free: Whether it may be used among explosive gases.
        is_clean: Whether it leaks nothing that stains.
        is_cheap: Whether it is cheap in parts and development.
    """

    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]
    power_density: float
    stiffness: float
    precision: float
    gentleness: float
    is_mobile: bool
    is_spark_free: bool
    is_clean: bool
    is_cheap: bool


TRAITS: dict[DriveFamily, DriveTraits] = {
    DriveFamily.HYDRAULIC: DriveTraits(
        strengths=(
            "high loads, best power for its weight",
            "holds a position, oil hardly gives way",
            "lubricates and cools itself, no sparks",
            "fast response, smooth at low speed",
        ),
        weaknesses=(
            "expensive, seals leak, return line",
            "limited speed, hard to make small",
            "bulky supply, depends on temperature",
        ),
        power_density=1000.0,
        stiffness=1.0,
        precision=0.6,
        gentleness=0.1,
        is_mobile=True,
        is_spark_free=True,
        is_clean=False,
        is_cheap=False,
    ),
    DriveFamily.PNEUMATIC: DriveTraits(
        strengths=(
            "cheap, air is at hand in every factory",
            "fast, clean, no return line",
            "gives way by itself among people",
        ),
        weaknesses=(
            "hard to position and to hold",
            "noise, air must be dried and filtered",
            "load and pressure disturb control, compressor",
        ),
        power_density=400.0,
        stiffness=0.2,
        precision=0.2,
        gentleness=1.0,
        is_mobile=False,
        is_spark_free=True,
        is_clean=True,
        is_cheap=True,
    ),
    DriveFamily.ELECTRIC: DriveTraits(
        strengths=(
            "accurate, fast, advanced control",
            "cheap, quickly developed",
        ),
        weaknesses=(
            "fast and weak: needs gears, gears have backlash",
            "sparks, heat in continuous use, brakes to hold",
        ),
        power_density=200.0,
        stiffness=0.7,
        precision=1.0,
        gentleness=0.4,
        is_mobile=True,
        is_spark_free=False,
        is_clean=True,
        is_cheap=True,
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DriveNeeds:
    """Needs of a task; weights are 0 (no matter) to 1 (vital).

    Attributes:
        force: Weight of large forces in little space.
        precision: Weight of accurate positions.
        gentleness: Weight of safety near people.
        holding: Weight of holding loads without energy.
        cost: Weight of a low price.
        must_be_mobile: Supply travels along.
        must_not_spark: Explosive surroundings.
        must_be_clean: Whether food, medicine or chips forbid oil and dust.

    Example:
        >>> from gelenk.actuation import DriveNeeds, choose_drive
        >>> family, marks = choose_drive(DriveNeeds(precision=1.0, must_be_clean=True))
        >>> str(family)
        'electric'
    """

    force: float = 0.0
    precision: float = 0.0
    gentleness: float = 0.0
    holding: float = 0.0
    cost: float = 0.0
    must_be_mobile: bool = False
    must_not_spark: bool = False
    must_be_clean: bool = False


def choose_drive(needs: DriveNeeds) -> tuple[DriveFamily, dict[DriveFamily, float]]:
    """Return the family that suits best, and the marks of all that are admissible.

    Args:
        needs: Weights and musts of the task.

    Raises:
        ConfigError: If no family meets the musts.

    Example:
        >>> from gelenk.actuation import DriveNeeds, choose_drive
        >>> family, _ = choose_drive(DriveNeeds(force=1.0, holding=0.5))
        >>> str(family)
        'hydraulic'
    """
    marks: dict[DriveFamily, float] = {}
    for family, trait in TRAITS.items():
        if (
            (needs.must_be_mobile and not trait.is_mobile)
            or (needs.must_not_spark and not trait.is_spark_free)
            or (needs.must_be_clean and not trait.is_clean)
        ):
            continue
        marks[family] = (
            needs.force * trait.power_density / 1000.0
            + needs.precision * trait.precision
            + needs.gentleness * trait.gentleness
            + needs.holding * trait.stiffness
            + needs.cost * float(trait.is_cheap)
        )
    if not marks:
        raise ConfigError(f"no family of drives meets all of {needs}")
    return max(marks, key=lambda family: marks[family]), marks


def winding_temperature(
    current: float,
    *,
    resistance: float,
    thermal_resistance: float,
    ambient: float,
    copper: bool = True,
) -> float:
    """Return the temperature of a winding that carries a current for ever [degC].

    C_th dT/dt = i² R (1 + 0.00393 (T - 20)) - (T - T_a) / R_th. Warm copper resists
    more and heats more: beyond i² R R_th 0.00393 = 1 there is no balance.

    Args:
        current: Current i in the winding [A].
        resistance: R at 20 degC [Ohm].
        thermal_resistance: R_th to the surroundings [K/W].
        ambient: Ambient temperature T_a [degC].
        copper: Let the resistance grow; False keeps it constant.

    Raises:
        ConfigError: If the winding would burn: no temperature balances the heat.

    Example:
        >>> motor = dict(resistance=1.2, thermal_resistance=5.0, ambient=25.0)
        >>> print(round(winding_temperature(4.0, **motor), 6))
        182.191675
    """
    heat = current**2 * resistance * thermal_resistance
    slope = COPPER if copper else 0.0
    if heat * slope >= 1.0:
        raise ConfigError(f"{current} A heat the winding without end: it burns")
    return (ambient + heat * (1.0 - slope * REFERENCE)) / (1.0 - heat * slope)


def continuous_current(
    limit: float, *, resistance: float, thermal_resistance: float, ambient: float
) -> float:
    """Return the largest current that a winding bears for ever [A].

    Args:
        limit: Highest temperature [degC].
        resistance: Resistance of the winding at 20 degC [Ohm].
        thermal_resistance: Thermal resistance [K/W].
        ambient: Ambient temperature [degC].
    """
    if not limit > ambient:
        raise ConfigError("`limit` must lie above the ambient temperature")
    warm = resistance * (1.0 + COPPER * (limit - REFERENCE))
    return ((limit - ambient) / (thermal_resistance * warm)) ** 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Gait:
    """A rhythm of legs.

    Attributes:
        offsets: Phase o_i of each leg, as share of a cycle.
        duty: Duty factor β, the share of a cycle on the ground.
    """

    offsets: tuple[float, ...]
    duty: float

    def __post_init__(self) -> None:
        if not 0.0 < self.duty < 1.0:
            raise ConfigError(f"`duty` must lie between 0 and 1, got {self.duty}")


# Legs: left front, right front, left hind, right hind; of six: left and right in turn.
GAITS = {
    "walk": Gait(offsets=(0.0, 0.5, 0.25, 0.75), duty=0.75),
    "trot": Gait(offsets=(0.0, 0.5, 0.5, 0.0), duty=0.5),
    "pace": Gait(offsets=(0.0, 0.5, 0.0, 0.5), duty=0.5),
    "bound": Gait(offsets=(0.0, 0.0, 0.5, 0.5), duty=0.5),
    "tripod": Gait(offsets=(0.0, 0.5, 0.5, 0.0, 0.0, 0.5), duty=0.5),
}


def get_gait(name: str) -> Gait:
    """Return a gait by name.

    Example:
        >>> get_gait("trot").duty
        0.5
    """
    if name not in GAITS:
        raise NameNotFoundError("gait", name, GAITS)
    return GAITS[name]


def leg_phases(gait: Gait, t: ArrayLike, period: float) -> FloatArray:
    """Return (t/T + o_i) mod 1 of every leg, shape (..., n)."""
    share = np.asarray(t, np.float64)[..., None] / period
    return np.mod(share + np.array(gait.offsets), 1.0)


def standing_legs(gait: Gait, t: ArrayLike, period: float) -> BoolArray:
    """Return which legs stand: phase < duty, shape (..., n).

    Example:
        >>> print(standing_legs(get_gait("trot"), 0.1, 1.0))
        [ True False False  True]
    """
    return leg_phases(gait, t, period) < gait.duty


def foot_positions(
    gait: Gait, t: ArrayLike, *, period: float, speed: float, lift: float
) -> FloatArray:
    """Return the feet relative to their middle (forward, up) [m], shape (..., n, 2).

    On the ground a foot moves back by v β T; in the air it returns on a curve without
    jumps of speed, lifted by `lift` in the middle.

    Args:
        gait: Rhythm.
        t: Times [s], shape (...).
        period: Period T of a cycle [s].
        speed: Speed v of the body [m/s].
        lift: Height of the foot's lift [m].
    """
    phase = leg_phases(gait, t, period)
    stride = speed * gait.duty * period
    stance = phase / gait.duty
    swing = np.clip((phase - gait.duty) / (1.0 - gait.duty), 0.0, 1.0)
    # Hermite: leaves and meets the ground at the speed of the ground.
    back = -speed * (1.0 - gait.duty) * period
    s = swing
    rise = -0.5 + s * s * (3.0 - 2.0 * s)
    tangents = back * (s * (1.0 - s) ** 2 - s * s * (1.0 - s))
    x_swing = stride * rise + tangents
    is_down = phase < gait.duty
    x = np.where(is_down, stride * (0.5 - stance), x_swing)
    z = np.where(is_down, 0.0, 16.0 * lift * (s * (1.0 - s)) ** 2)
    return np.stack([x, z], axis=-1)
