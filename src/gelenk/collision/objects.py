"""Things that a robot can hit: named shapes at a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from gelenk.checks import as_finite
from gelenk.errors import ConfigError
from gelenk.models.link import Geometry
from gelenk.models.tree import RobotModel
from gelenk.spatial.se3 import is_pose
from gelenk.typing import ArrayLike, FloatArray


@dataclass(frozen=True, slots=True)
class HalfSpace:
    """Everything below the plane z = 0 of its pose."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HeightGrid:
    """Ground between heights on a regular grid, triangles between them.

    Each cell is cut from the corner of its smallest x and y to that of its largest.

    Attributes:
        size: Full extent along x and y about the origin [m].
        heights: Heights [m]; rows run along y, columns along x, shape (rows, columns).
        bottom: Height of the underside [m].
    """

    size: tuple[float, float]
    heights: FloatArray
    bottom: float


AnyShape: TypeAlias = Geometry | HalfSpace | HeightGrid
PlacedShapes: TypeAlias = Sequence[tuple[AnyShape, FloatArray]]


@runtime_checkable
class Collidable(Protocol):
    """Anything with a name that tells its shapes and their poses in the world."""

    @property
    def name(self) -> str: ...

    def collision_shapes(self) -> PlacedShapes:
        """Return the shapes, each with its pose in the world, shape (4, 4)."""
        ...


@runtime_checkable
class PlacedModel(Protocol):
    """A robot with a name at a place, such as the world's."""

    @property
    def name(self) -> str: ...
    @property
    def model(self) -> RobotModel: ...
    @property
    def T_world_base(self) -> FloatArray: ...  # noqa: N802


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CollisionObject:
    """Shapes that belong together, under one name, at a place.

    The objects of a world (`gelenk.sim.Box`, ...) can be given wherever this can.

    Attributes:
        name: Name of the object.
        shapes: Shapes in the frame of the object.
        T_world_object: Pose of that frame in the world, shape (4, 4).

    Example:
        >>> from gelenk.collision import CollisionObject
        >>> from gelenk.models import Geometry
        >>> ball = Geometry(kind="sphere", size=(0.1,))
        >>> CollisionObject(name="ball", shapes=(ball,)).name
        'ball'
    """

    name: str
    shapes: tuple[Geometry, ...]
    T_world_object: ArrayLike = field(default_factory=lambda: np.eye(4))

    def __post_init__(self) -> None:
        T = as_finite("T_world_object", self.T_world_object, (4, 4))
        if T.shape != (4, 4) or not is_pose(T):
            raise ConfigError(f"{self.name!r}: `T_world_object` must be a pose")
        if not self.name or not self.shapes:
            raise ConfigError(
                f"an object needs a name and shapes, got {self.name!r} with "
                f"{len(self.shapes)} shapes"
            )

    def collision_shapes(self) -> PlacedShapes:
        """Return the shapes, each with the pose of the object in the world."""
        T = np.asarray(self.T_world_object, dtype=np.float64)
        return tuple((shape, T) for shape in self.shapes)


def solid_geometries(model: RobotModel) -> tuple[tuple[Geometry, ...], ...]:
    """Return the shapes of each link that collide, in the order of `link_names`.

    Those with the role "collision", or all if there is none.
    """
    rows = model.geometry or ((),) * len(model.link_names)
    roles = {shape.role for row in rows for shape in row}
    wanted = "collision" if "collision" in roles else "visual"
    return tuple(tuple(s for s in row if s.role == wanted) for row in rows)
