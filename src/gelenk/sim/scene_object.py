"""Scene objects in general, outlines on the ground, and objects that move freely."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gelenk.errors import ConfigError
from gelenk.geometry.polygon import as_polygon, find_crossing, signed_area
from gelenk.models.link import Geometry
from gelenk.sim.surface import (
    Quat,
    Surface,
    Vec3,
    label,
    require,
    require_unit,
    require_vector,
)
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.collision.objects import PlacedShapes


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneObject(Surface):
    """A named object at a place.

    Attributes:
        name: Name, unique in its world.
        position: Position of the object's frame [m].
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

    def collision_shapes(self) -> PlacedShapes:
        """Return the shapes, each with its pose in the world; see `Scene`."""
        from gelenk.sim.collision_shapes import object_shapes

        return object_shapes(self)


def require_lengths(thing: object, name: str, count: int) -> None:
    """Turn a field into a tuple of lengths > 0 m, or raise ConfigError."""
    require_vector(thing, name, count)
    if not min(getattr(thing, name)) > 0.0:
        raise ConfigError(
            f"{label(thing)}: `{name}` must be > 0 m, got {getattr(thing, name)}"
        )


Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class RectOutline:
    """A rectangle parallel to the axes.

    Attributes:
        center: Centre of the rectangle [m].
        size: Full edge lengths along x and y [m].
    """

    center: Point = (0.0, 0.0)
    size: Point

    def __post_init__(self) -> None:
        if not (np.isfinite([*self.center, *self.size]).all() and min(self.size) > 0.0):
            raise ConfigError(
                "a rectangle needs a finite center and edges > 0 m, got center "
                f"{self.center} and size {self.size}"
            )

    @property
    def corners(self) -> FloatArray:
        """The four corners, anticlockwise, shape (4, 2)."""
        half = 0.5 * np.array(self.size)
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        return np.array(self.center) + signs * half


@dataclass(frozen=True, slots=True, kw_only=True)
class CircleOutline:
    """A disc.

    Attributes:
        center: Centre of the disc [m].
        radius: Radius of the disc [m].
    """

    center: Point = (0.0, 0.0)
    radius: float

    def __post_init__(self) -> None:
        if not (np.isfinite([*self.center, self.radius]).all() and self.radius > 0.0):
            raise ConfigError(
                "a circle needs a finite center and a radius > 0 m, got center "
                f"{self.center} and radius {self.radius}"
            )


@dataclass(frozen=True, slots=True)
class PolygonOutline:
    """Any simple polygon, convex or not.

    Attributes:
        points: Corners, three or more, in either sense of rotation [m].

    Example:
        >>> PolygonOutline(((0, 0), (1, 0), (0, 1))).points
        ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    """

    points: tuple[Point, ...]

    def __post_init__(self) -> None:
        corners = as_polygon("points", self.points)
        crossing = find_crossing(corners)
        if crossing is not None or signed_area(corners) == 0.0:
            edges = "has no area" if crossing is None else f"edges {crossing} meet"
            raise ConfigError(
                f"a polygon must not cross or touch itself: {edges} in "
                f"{corners.tolist()}"
            )
        points = tuple((float(x), float(y)) for x, y in corners)
        object.__setattr__(self, "points", points)

    @property
    def corners(self) -> FloatArray:
        """The corners as given, shape (n, 2)."""
        return np.array(self.points)


GroundOutline: TypeAlias = RectOutline | CircleOutline | PolygonOutline


@dataclass(frozen=True, slots=True, kw_only=True)
class Movable(SceneObject):
    """An object that falls, slides and is pushed.

    Attributes:
        mass: Mass [kg].
        velocity: Velocity of the frame's origin at the start, world axes [m/s].
        angular_velocity: Angular velocity at the start, world axes [rad/s].
    """

    mass: float
    velocity: Vec3 = (0.0, 0.0, 0.0)
    angular_velocity: Vec3 = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        require(self, "mass", above=0.0, unit="kg")
        require_vector(self, "velocity", 3)
        require_vector(self, "angular_velocity", 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ball(Movable):
    """A solid sphere.

    Attributes:
        radius: Radius [m].
        spins: False takes its rotation away: it is only a position, slides down slopes
            with g sin(angle) and rides on belts at once, as ArmBot's balls do.

    Example:
        >>> from gelenk.sim import Ball
        >>> Ball(name="ball", radius=0.02, mass=0.003, restitution=0.9).spins
        True
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

    Example:
        >>> from gelenk.sim import Cuboid
        >>> Cuboid(name="parcel", size=(0.2, 0.1, 0.1), mass=0.5).mass
        0.5
    """

    size: Vec3

    def __post_init__(self) -> None:
        Movable.__post_init__(self)
        require_lengths(self, "size", 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class MovableCylinder(Movable):
    """A solid cylinder along z about its frame's origin.

    Attributes:
        radius, length: Radius and length [m].
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
