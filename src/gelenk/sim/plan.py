"""Ground plans: the outlines that scene objects are extruded from.

A plan lies in the x-y plane of its object. Lengths in metres.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gelenk.errors import ConfigError
from gelenk.geometry.polygon import as_polygon, find_crossing, signed_area
from gelenk.typing import FloatArray

Point: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rect:
    """A rectangle parallel to the axes.

    Attributes:
        center: Its middle [m].
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
class Circle:
    """A disc.

    Attributes:
        center: Its middle [m].
        radius: [m].
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
class Polygon:
    """Any simple polygon, convex or not.

    Attributes:
        points: At least three corners, in either sense of rotation [m].

    Example:
        >>> Polygon(((0, 0), (1, 0), (0, 1))).points
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


Plan: TypeAlias = Rect | Circle | Polygon
