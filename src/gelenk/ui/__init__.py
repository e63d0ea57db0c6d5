"""Page in the browser: what it shows, what it asks, and the server between.

A `SceneRunner` builds scenes and runs them in a thread of its own, a `Hub` hands what
it says to all pages that look on, and a `PageServer` listens for them. `gelenk open`
puts the three together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk._facade import make_facade

if TYPE_CHECKING:
    from gelenk.ui.hub import Hub as Hub
    from gelenk.ui.scene_runner import SceneRunner as SceneRunner
    from gelenk.ui.server import PageServer as PageServer
    from gelenk.ui.server import ServerConfig as ServerConfig

__getattr__, __dir__, __all__ = make_facade(__name__, __file__)
