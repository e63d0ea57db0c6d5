"""Balls thrown once, so that all kernels of Piggy's place are compiled."""

from __future__ import annotations

import numpy as np

from gelenk.dynamics.flight import simulate_flight
from gelenk.robots.piggy.config import BALL_RADIUS
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.planner.path import BallPath
from gelenk.robots.piggy.setup import nominal_setup
from gelenk.robots.piggy.stroke import fit_stroke
from gelenk.robots.piggy.throwers import Throw, draw_throw
from gelenk.robots.piggy.tracker import TrackCfg, Tracker
from gelenk.robots.piggy.world import SceneCfg, make_world
from gelenk.vision.sphere import sphere_circle


def throw_balls() -> None:
    """Throw balls in both places, one of them against the bat, look and follow."""
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
    follow_a_ball()
    pass_a_ball()


def pass_a_ball() -> None:
    """Make a stroke exact for the bat on its rod."""
    time = np.arange(0.0, 1.0, 0.02)
    x = simulate_flight([-0.3, 2.75, 1.6, 0.0, -3.6, 4.2], time)
    path = BallPath(time=time, position=x[:, :3], velocity=x[:, 3:6])
    n_c = np.array([0.0, 0.7, 0.7]) / np.sqrt(0.98)
    fit_stroke(path, np.array([-0.3, 3.2, 1.7]), 0.8, n_c, np.zeros(2))


def follow_a_ball() -> None:
    """Follow a ball from image to image: all kernels of the tracker."""
    setup = nominal_setup()
    rows = setup.camera_rows
    p, v = np.array([-0.3, 4.2, 2.1]), np.array([0.0, -7.0, 1.5])
    y, x = np.mgrid[0:580, 0:780]
    with Tracker(TrackCfg(has_threads=False), setup) as tracker:
        for k in range(5):
            images = []
            for u, w, r in sphere_circle(rows, p + 0.02 * k * v, BALL_RADIUS):
                cover = np.clip(r + 0.5 - np.hypot(x - u, y - w), 0.0, 1.0)
                images.append((160.0 - 120.0 * cover).astype(np.uint8))
            tracker.step(0.02 * k, *images, bat=forward(np.zeros(2)))
