"""Gelenk: a robotics workbench. `gelenk.load("panda")` is the way in.

Importing this package is cheap: nothing is compiled and no engine is loaded until a
function that needs it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gelenk.models.loader import load as load
    from gelenk.models.tree import RobotModel as RobotModel

__version__ = "0.1.0"
__all__ = ["RobotModel", "__version__", "load"]

_HOMES = {
    "load": "gelenk.models.loader",
    "RobotModel": "gelenk.models.tree",
}


def __getattr__(name: str) -> Any:
    """Import public names on first use, so that `import gelenk` stays instant."""
    if name in _HOMES:
        import importlib

        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'gelenk' has no attribute {name!r}")
