"""Scene objects that fall, slide, roll and are pushed."""

from __future__ import annotations

from dataclasses import dataclass, field

from gelenk.errors import ConfigError
from gelenk.models.link import Geometry
from gelenk.sim.surface import Vec3, label, require, require_vector
from gelenk.sim.thing import Thing, require_lengths


@dataclass(frozen=True, slots=True, kw_only=True)
class Movable(Thing):
    """An object that falls, slides and is pushed.

    Attributes:
        mass: [kg].
        velocity: At the start, of the frame's origin, world axes [m/s].
        angular_velocity: At the start, world axes [rad/s].
    """

    mass: float
    velocity: Vec3 = (0.0, 0.0, 0.0)
    angular_velocity: Vec3 = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        Thing.__post_init__(self)
        require(self, "mass", above=0.0, unit="kg")
        require_vector(self, "velocity", 3)
        require_vector(self, "angular_velocity", 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ball(Movable):
    """A solid sphere.

    Attributes:
        radius: [m].
        spins: False takes its rotation away: it is only a position, slides down slopes
            with g sin(angle) and rides on belts at once, as ArmBot's balls do.
    """

    radius: float
    spins: bool = True

    def __post_init__(self) -> None:
        Movable.__post_init__(self)
        require(self, "radius", above=0.0, unit="m")
        if not self.spins and any(self.angular_velocity):
            raise ConfigError(
                f"{label(self)}: a ball with `spins=False` has no angular velocity, "
                f"got {self.angular_velocity}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cuboid(Movable):
    """A solid box about its frame's origin.

    Attributes:
        size: Full edge lengths [m].
    """

    size: Vec3

    def __post_init__(self) -> None:
        Movable.__post_init__(self)
        require_lengths(self, "size", 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovableCylinder(Movable):
    """A solid cylinder along z about its frame's origin.

    Attributes:
        radius, length: [m].
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        Movable.__post_init__(self)
        require(self, "radius", above=0.0, unit="m")
        require(self, "length", above=0.0, unit="m")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Body(Movable):
    """A rigid body of several shapes with one density.

    Attributes:
        shapes: Boxes, spheres, cylinders, capsules, ellipsoids in the body's frame.
            Overlaps count twice in the mass distribution.
    """

    shapes: tuple[Geometry, ...] = field(default=())

    def __post_init__(self) -> None:
        Movable.__post_init__(self)
        if not self.shapes or any(shape.kind == "mesh" for shape in self.shapes):
            raise ConfigError(f"{label(self)} needs `shapes`, none of them a mesh")
