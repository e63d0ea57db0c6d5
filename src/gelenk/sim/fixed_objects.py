"""Fixed objects: ground, boxes, prisms, slopes, conveyors, height fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from gelenk.errors import ConfigError
from gelenk.sim.scene_object import (
    CircleOutline,
    GroundOutline,
    PolygonOutline,
    RectOutline,
    SceneObject,
    require_lengths,
)
from gelenk.sim.surface import Rgba, Vec3, label, require, require_vector
from gelenk.typing import ArrayLike, FloatArray

Direction = Literal["x", "y"]
Ends: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """The colour of one floor tile, counted from the corner of the ground's border."""

    column: int
    row: int
    rgba: Rgba


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground(SceneObject):
    """An infinite plane, z up in its frame; tiles and border are for drawing only.

    Attributes:
        tile_size: Edge of a square tile [m].
        tile_rgba: The two colours of the checkerboard.
        tiles: Tiles with a colour of their own.
        border: Area that is drawn; None: as large as the picture.

    Example:
        >>> from gelenk.sim import Ground
        >>> Ground(friction=0.8).name
        'ground'
    """

    name: str = "ground"
    tile_size: float = 0.5
    tile_rgba: tuple[Rgba, Rgba] = ((0.80, 0.80, 0.78, 1.0), (0.70, 0.70, 0.68, 1.0))
    tiles: tuple[Tile, ...] = ()
    border: RectOutline | None = None
    rgba: Rgba = (1.0, 1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        require(self, "tile_size", above=0.0, unit="m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(SceneObject):
    """A fixed box about its frame's origin.

    Attributes:
        size: Full edge lengths [m].

    Example:
        >>> from gelenk.sim import Box
        >>> Box(name="table", size=(1.0, 0.6, 0.1), position=(0.0, 0.0, 0.7)).size
        (1.0, 0.6, 0.1)
    """

    size: Vec3

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        require_lengths(self, "size", 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Solid:
    """Everything between two slanting planes over a plan.

    Along `direction`, heights run linearly from the first value at the plan's smallest
    coordinate to the second at its largest.

    Attributes:
        plan: Outline.
        bottom, top: Heights [m].
        direction: Axis along which the heights change.
    """

    plan: GroundOutline
    bottom: Ends
    top: Ends
    direction: Direction = "x"

    @property
    def is_level(self) -> bool:
        return self.bottom[0] == self.bottom[1] and self.top[0] == self.top[1]

    def corners_of(self, piece: FloatArray) -> FloatArray:
        """Return the corners over one convex piece of the plan, shape (k, 3).

        Args:
            piece: Corners of the piece [m], shape (n, 2).
        """
        assert not isinstance(self.plan, CircleOutline)
        axis = "xy".index(self.direction)
        along = self.plan.corners[:, axis]
        share = (piece[:, axis] - along.min()) / np.ptp(along)
        low = self.bottom[0] + share * (self.bottom[1] - self.bottom[0])
        high = self.top[0] + share * (self.top[1] - self.top[0])
        corners = [np.column_stack([piece, low]), np.column_stack([piece, high])]
        # A wedge that ends in an edge has doubles.
        return np.unique(np.vstack(corners), axis=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prism(SceneObject):
    """A plan of any outline, extruded between two heights.

    Attributes:
        plan: Outline in the object's x-y plane; concave ones are allowed.
        bottom, top: Heights over that plane [m].
    """

    plan: GroundOutline
    bottom: float = 0.0
    top: float

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        _check_solid(self, self.solid)

    @property
    def solid(self) -> Solid:
        return Solid(
            plan=self.plan, bottom=(self.bottom, self.bottom), top=(self.top, self.top)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice(Prism):
    """A prism above the floor: a table top, a shelf."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(SceneObject):
    """A prism that stands on the floor.

    Attributes:
        plan: Outline.
        height: Height above the floor [m].
    """

    plan: GroundOutline
    height: float

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        _check_solid(self, self.solid)

    @property
    def solid(self) -> Solid:
        return Solid(plan=self.plan, bottom=(0.0, 0.0), top=(self.height, self.height))


@dataclass(frozen=True, slots=True, kw_only=True)
class Slope(SceneObject):
    """A step with a slanting top.

    Attributes:
        plan: Outline: a rectangle or any polygon.
        h1, h2: Heights at the smallest and the largest coordinate [m].
        direction: Axis along which the height changes.
    """

    plan: RectOutline | PolygonOutline
    h1: float
    h2: float
    direction: Direction = "x"

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        _check_solid(self, self.solid)

    @property
    def solid(self) -> Solid:
        return Solid(
            plan=self.plan,
            bottom=(0.0, 0.0),
            top=(self.h1, self.h2),
            direction=self.direction,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wedge(SceneObject):
    """A slope whose bottom may slant too.

    Attributes:
        plan: Outline: a rectangle or any polygon.
        top, bottom: Heights at the smallest and the largest coordinate [m].
        direction: Axis along which they change.
    """

    plan: RectOutline | PolygonOutline
    top: Ends
    bottom: Ends
    direction: Direction = "x"

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        require_vector(self, "top", 2)
        require_vector(self, "bottom", 2)
        _check_solid(self, self.solid)

    @property
    def solid(self) -> Solid:
        return Solid(
            plan=self.plan, bottom=self.bottom, top=self.top, direction=self.direction
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Conveyor(SceneObject):
    """A slope whose top is a belt.

    A running belt carries what lies on it with `speed` along its incline and draws it
    towards its middle line with `to_middle_speed`. A stopped one is a slope.

    A belt that carries balls which are frictionless elsewhere has a higher `priority`
    than they while it runs, and a lower `stopped_priority`.

    Attributes:
        plan: Outline; the middle line runs through the centre of its extent.
        h1, h2: Heights at the smallest and the largest coordinate [m].
        direction: Axis of transport and of the change of height.
        speed: Speed along the belt, negative towards smaller coordinates [m/s].
        to_middle_speed: Speed of the drift across the belt, >= 0 [m/s].
        running: Whether it runs at the start.
        stopped_priority: Contact priority while it stands; None: the same.

    Example:
        >>> from gelenk.sim import Conveyor, objects
        >>> top = objects.RectOutline(size=(2.0, 0.4))
        >>> Conveyor(name="belt", plan=top, h1=0.5, h2=0.5, speed=0.2).running
        True
    """

    plan: RectOutline | PolygonOutline
    h1: float
    h2: float
    direction: Direction = "x"
    speed: float
    to_middle_speed: float = 0.0
    running: bool = True
    stopped_priority: int | None = None

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        require(self, "speed", unit="m/s")
        require(self, "to_middle_speed", minimum=0.0, unit="m/s")
        _check_solid(self, self.solid)

    @property
    def solid(self) -> Solid:
        return Solid(
            plan=self.plan,
            bottom=(0.0, 0.0),
            top=(self.h1, self.h2),
            direction=self.direction,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylinder(SceneObject):
    """A fixed cylinder along z about its frame's origin.

    Attributes:
        radius, length: Radius and length [m].

    Example:
        >>> from gelenk.sim import Cylinder
        >>> Cylinder(name="post", radius=0.05, length=1.0).length
        1.0
    """

    radius: float
    length: float

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        require(self, "radius", above=0.0, unit="m")
        require(self, "length", above=0.0, unit="m")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere(SceneObject):
    """A fixed sphere; it may float.

    Attributes:
        radius: Radius [m].

    Example:
        >>> from gelenk.sim import Sphere
        >>> Sphere(name="knob", radius=0.1, position=(0.0, 0.0, 1.0)).radius
        0.1
    """

    radius: float

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        require(self, "radius", above=0.0, unit="m")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeightField(SceneObject):
    """Rough ground: heights on a regular grid, triangles between.

    Attributes:
        size: Full extent along x and y about the frame's origin [m].
        heights: Heights over the frame's x-y plane [m], at least 2 x 2 and not all
            equal; rows run along y, columns along x, shape (rows, columns).
        depth: Thickness of the ground below the lowest point [m].

    Example:
        >>> import numpy as np
        >>> from gelenk.sim import HeightField
        >>> rough = np.random.default_rng(0).uniform(0.0, 0.05, (20, 30))
        >>> HeightField(name="rubble", size=(3.0, 2.0), heights=rough).heights.shape
        (20, 30)
    """

    size: tuple[float, float]
    heights: FloatArray
    depth: float = 0.1

    def __post_init__(self) -> None:
        SceneObject.__post_init__(self)
        require_lengths(self, "size", 2)
        require(self, "depth", above=0.0, unit="m")
        heights = np.array(self.heights, dtype=np.float64)
        if (
            heights.ndim != 2
            or min(heights.shape) < 2
            or not np.isfinite(heights).all()
        ):
            raise ConfigError(
                f"{label(self)}: `heights` must be finite numbers of shape (rows >= 2, "
                f"columns >= 2), got shape {heights.shape}"
            )
        if np.ptp(heights) == 0.0:
            raise ConfigError(f"{label(self)}: `heights` are all equal; use a Box")
        heights.setflags(write=False)
        object.__setattr__(self, "heights", heights)


def _check_solid(thing: object, solid: Solid) -> None:
    """Raise ConfigError unless the solid has volume and its top is over its bottom."""
    heights: ArrayLike = (*solid.bottom, *solid.top)
    if not np.isfinite(heights).all():
        raise ConfigError(f"{label(thing)}: heights must be finite, got {heights}")
    if not isinstance(solid.plan, RectOutline | CircleOutline | PolygonOutline):
        raise ConfigError(
            f"{label(thing)}: `plan` must be a Rect, Circle or Polygon, got "
            f"{solid.plan!r}"
        )
    if solid.direction not in ("x", "y"):
        raise ConfigError(
            f"{label(thing)}: `direction` must be 'x' or 'y', got {solid.direction!r}"
        )
    if isinstance(solid.plan, CircleOutline) and not solid.is_level:
        raise ConfigError(
            f"{label(thing)}: a circle cannot have a slanting top; use a Polygon"
        )
    rise = [solid.top[k] - solid.bottom[k] for k in range(2)]
    if min(rise) < 0.0 or max(rise) <= 0.0:
        raise ConfigError(
            f"{label(thing)}: the top must lie over the bottom, got heights "
            f"{solid.top} over {solid.bottom} m"
        )
