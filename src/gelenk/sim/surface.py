"""`Surface`: how a thing feels when it is touched, and what colour it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gelenk.errors import ConfigError

Vec3: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
Rgba: TypeAlias = tuple[float, float, float, float]

ContactGroup = Literal["world", "object", "robot", "touch", "none"]
"""Who touches whom. "world": all but itself and "touch"; "object": all; "robot":
all but "touch"; "touch" (fingers that act on objects only): "object"; "none": nobody.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Contact properties and colour; every scene object has these fields.

    Where two things touch, the one with the higher `priority` decides alone on
    `friction`, `torsion`, `rolling` and `condim`; at equal priority the larger value of
    each counts. Restitution of a pair: the smaller one where both have one, else the
    one that is given, else none (the contact does not bounce).

    Attributes:
        friction: Coulomb coefficient of sliding.
        torsion: Torsional friction [m]: the arm with which the normal force resists
            spinning about the contact normal.
        rolling: Rolling friction [m], likewise for rolling.
        restitution: Speed after a normal impact over speed before, 0..1; None leaves
            it to the partner.
        rolling_resistance: Share of the speed along the surface that is gone after one
            second of touching, 0..1.
        flight_resistance: Share of the speed that is gone after one second of touching
            nothing, 0..1.
        condim: Directions in which the contact acts: 1 frictionless, 3 sliding, 4 and
            torsion, 6 and rolling; None: 4, balls 6.
        priority: Rank in deciding on a contact; the higher one decides alone.
        group: Group of `ContactGroup`; None: fixed objects "world", movable ones
            "object", links "robot".
        rgba: Colour, four numbers in 0..1.
    """

    friction: float = 0.6
    torsion: float = 0.005
    rolling: float = 0.0005
    restitution: float | None = None
    rolling_resistance: float = 0.0
    flight_resistance: float = 0.0
    condim: Literal[1, 3, 4, 6] | None = None
    priority: int = 0
    group: ContactGroup | None = None
    rgba: Rgba = (0.6, 0.6, 0.6, 1.0)

    def __post_init__(self) -> None:
        for name in ("friction", "torsion", "rolling"):
            require(self, name, minimum=0.0)
        if self.restitution is not None:
            require(self, "restitution", minimum=0.0, maximum=1.0)
        for name in ("rolling_resistance", "flight_resistance"):
            require(self, name, minimum=0.0, maximum=1.0)
        if self.condim not in (None, 1, 3, 4, 6):
            raise ConfigError(
                f"{label(self)}: `condim` must be 1, 3, 4, 6 or None, got {self.condim}"
            )
        if self.group not in (None, "world", "object", "robot", "touch", "none"):
            raise ConfigError(
                f"{label(self)}: `group` must be one of world, object, robot, touch, "
                f"none, got {self.group!r}"
            )
        require_vector(self, "rgba", 4)
        if not all(0.0 <= part <= 1.0 for part in self.rgba):
            raise ConfigError(f"{label(self)}: `rgba` must be in 0..1, got {self.rgba}")


def label(thing: object) -> str:
    """Return a thing in words for messages, such as "Ball 'red'"."""
    name = getattr(thing, "name", "")
    return f"{type(thing).__name__} {name!r}" if name else type(thing).__name__


def require(
    thing: object,
    name: str,
    *,
    minimum: float = -np.inf,
    maximum: float = np.inf,
    above: float = -np.inf,
    unit: str = "",
) -> None:
    """Raise ConfigError unless a field is a finite number in its range.

    Args:
        thing: Object with the field.
        name: Name of the field.
        minimum: Smallest allowed value.
        maximum: Largest allowed value.
        above: The number must be larger than this.
        unit: Unit for the message.
    """
    value = getattr(thing, name)
    number = isinstance(value, (int, float, np.floating, np.integer))
    if number and np.isfinite(value) and minimum <= value <= maximum and value > above:
        return
    words = [f">= {minimum:g}"] * (minimum > -np.inf)
    words += [f"<= {maximum:g}"] * (maximum < np.inf) + [f"> {above:g}"] * (above > -1)
    wanted = " and ".join(words) or "finite"
    unit = f" {unit}" if unit else ""
    raise ConfigError(f"{label(thing)}: `{name}` must be {wanted}{unit}, got {value!r}")


def require_vector(thing: object, name: str, count: int) -> None:
    """Turn a field of a frozen dataclass into a tuple of finite floats, or raise."""
    value = getattr(thing, name)
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.array(np.nan)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise ConfigError(
            f"{label(thing)}: `{name}` must be {count} finite numbers, got {value!r}"
        )
    object.__setattr__(thing, name, tuple(float(x) for x in array))


def require_unit(thing: object, name: str) -> None:
    """Turn a field into a unit quaternion (w, x, y, z), w >= 0, or raise."""
    require_vector(thing, name, 4)
    quat: Sequence[float] = getattr(thing, name)
    length = float(np.linalg.norm(quat))
    if abs(length - 1.0) > 1e-6:
        raise ConfigError(
            f"{label(thing)}: `{name}` must be a unit quaternion (w, x, y, z), got "
            f"{quat} of length {length:.6g}"
        )
    sign = -1.0 if quat[0] < 0.0 else 1.0
    object.__setattr__(thing, name, tuple(sign * x / length for x in quat))
