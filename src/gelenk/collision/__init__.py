"""Collisions and distances of robots, what they carry, and what stands around them.

A `Scene` answers whether configurations are free, how far everything is apart, and
where it touches; for batches, in compiled loops. Meshes count as their convex hulls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.collision.allowed import AllowedPair as AllowedPair
    from gelenk.collision.allowed import find_allowed_pairs as find_allowed_pairs
    from gelenk.collision.allowed import load_allowed_pairs as load_allowed_pairs
    from gelenk.collision.allowed import save_allowed_pairs as save_allowed_pairs
    from gelenk.collision.objects import CollisionObject as CollisionObject
    from gelenk.collision.results import CollisionContact as CollisionContact
    from gelenk.collision.results import Distances as Distances
    from gelenk.collision.scene import Scene as Scene

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
