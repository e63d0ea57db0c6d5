"""`Thing`: what every scene object has, a name and a place."""

from __future__ import annotations

from dataclasses import dataclass

from gelenk.errors import ConfigError
from gelenk.sim.surface import Quat, Surface, Vec3, label, require_unit, require_vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing(Surface):
    """A named object at a place.

    Attributes:
        name: Unique in its world.
        position: Of the object's frame [m].
        quat: Orientation of that frame, (w, x, y, z).
        material: Word that things may share, for `WorldConfig.restitution_pairs`.
    """

    name: str
    position: Vec3 = (0.0, 0.0, 0.0)
    quat: Quat = (1.0, 0.0, 0.0, 0.0)
    material: str = ""

    def __post_init__(self) -> None:
        # Named, since zero-argument super() does not find a slotted class.
        Surface.__post_init__(self)
        if not isinstance(self.name, str) or not self.name or "/" in self.name:
            raise ConfigError(
                f"`name` of a {type(self).__name__} must be a word without '/', got "
                f"{self.name!r}"
            )
        require_vector(self, "position", 3)
        require_unit(self, "quat")


def require_lengths(thing: object, name: str, count: int) -> None:
    """Turn a field into a tuple of lengths > 0 m, or raise ConfigError."""
    require_vector(thing, name, count)
    if not min(getattr(thing, name)) > 0.0:
        raise ConfigError(
            f"{label(thing)}: `{name}` must be > 0 m, got {getattr(thing, name)}"
        )
