"""Thrown balls from two images: circles, stereo, tracks, and where they will come.

`Tracker(cfg, setup).step(stamp, left, right)` returns a `Frame` with the circles that
were seen and the `Track`s that are believed, each with its predicted way and where it
crosses the workspace.
"""

from gelenk.robots.piggy.tracker.config import TrackCfg
from gelenk.robots.piggy.tracker.messages import Crossing, Frame, Track
from gelenk.robots.piggy.tracker.tracker import Tracker

__all__ = ["Crossing", "Frame", "Track", "TrackCfg", "Tracker"]
