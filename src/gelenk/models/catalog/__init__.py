"""Catalogue of robots by name: `catalog.make("panda")`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.models.catalog.registry import RobotSpec as RobotSpec
    from gelenk.models.catalog.registry import describe as describe
    from gelenk.models.catalog.registry import make as make
    from gelenk.models.catalog.registry import names as names

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
