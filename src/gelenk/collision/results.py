"""Answers of a scene: distances of all pairs, and contacts."""

from __future__ import annotations

from dataclasses import dataclass

from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Distances:
    """Distances of pairs; leading axes are those of the configurations.

    Attributes:
        pairs: Names of both sides of each pair.
        distance: Distance of each pair, negative by the depth where they overlap, inf
            where it was not looked for [m], shape (..., p).
        points: Nearest, or deepest, points of both sides in the world [m], shape
            (..., p, 2, 3).
        normals: Unit vectors from the first to the second side, shape (..., p, 3).
        gradient: Derivative of each distance by the velocities `qd` of the robots, one
            behind the other, shape (..., p, nv); None if it was not asked for.

    Example:
        >>> import gelenk
        >>> from gelenk.collision import Distances, Scene
        >>> found = Scene(gelenk.load("panda"), shapes="visual").distance([0] * 7)
        >>> isinstance(found, Distances), found.distance.shape == (len(found.pairs),)
        (True, True)
    """

    pairs: tuple[tuple[str, str], ...]
    distance: FloatArray
    points: FloatArray
    normals: FloatArray
    gradient: FloatArray | None = None

    @property
    def smallest(self) -> FloatArray:
        """Smallest distance over all pairs [m], shape (...)."""
        return self.distance.min(axis=-1, initial=float("inf"))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CollisionContact:
    """A pair that does not keep its margin.

    Attributes:
        pair: Names of both sides.
        distance: Distance, negative by the depth where they overlap [m].
        points: Nearest, or deepest, points of both sides in the world [m], (2, 3).
        normal: Unit vector from the first to the second side, shape (3,).

    Example:
        >>> import gelenk
        >>> from gelenk.collision import Scene
        >>> from gelenk.sim import Sphere
        >>> ball = Sphere(name="ball", radius=0.1, position=(0.0, 0.0, 0.3))
        >>> scene = Scene(gelenk.load("panda"), [ball], shapes="visual")
        >>> all(contact.distance < 0.0 for contact in scene.contacts([0] * 7))
        True
    """

    pair: tuple[str, str]
    distance: float
    points: FloatArray
    normal: FloatArray
