"""AMEE: a four-legged rescue robot whose legs are computers of their own.

`walk` lets it walk in a world, `Bench` holds one leg with its computer, `make_amee`
returns its kinematic model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.robots.amee.leg.bench import Bench as Bench
    from gelenk.robots.amee.robot import make_amee as make_amee
    from gelenk.robots.amee.session import WalkCfg as WalkCfg
    from gelenk.robots.amee.session import walk as walk

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
