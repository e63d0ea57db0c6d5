"""Piggy: a robot that sees a thrown ball and bats it to the person you choose.

`PlaySession` lets people throw at it. `Tracker(cfg, setup).step(stamp, left, right)`
returns the circles that two images show and the tracks that are believed, each with its
predicted path and the place where it crosses the workspace of the bat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.robots.piggy.session import PlayCfg as PlayCfg
    from gelenk.robots.piggy.session import PlaySession as PlaySession
    from gelenk.robots.piggy.setup import nominal_setup as nominal_setup
    from gelenk.robots.piggy.tracker.config import TrackCfg as TrackCfg
    from gelenk.robots.piggy.tracker.tracker import Tracker as Tracker

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
