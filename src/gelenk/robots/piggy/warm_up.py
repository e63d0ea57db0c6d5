"""Balls thrown once, so that all kernels of Piggy's place are compiled."""

from __future__ import annotations

import numpy as np

from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.throwers import Throw, draw_throw
from gelenk.robots.piggy.world import SceneCfg, make_world


def throw_balls() -> None:
    """Throw balls in both places, one of them against the bat, and look."""
    rng = np.random.default_rng(0)
    x, y, z = forward(np.zeros(2))
    against = Throw(
        position=(x, y + 0.25, z), velocity=(0.0, -5.0, 0.0), wind=(1.0, 0.0, 0.0)
    )
    for place in ("indoor", "outdoor"):
        world = make_world(SceneCfg(place=place, q=(0.0, 0.0), samples=1))
        world.throw(against)
        world.throw(draw_throw(rng, place))
        world.step_to(0.2)
        world.images()
        world.close()
