"""Lazy public face of a package: names are listed at once, imported on first use.

A package's `__init__` says which module holds which public name. Listing them, tab
completion and `help()` load nothing; the first use of a name loads its module.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

_OWN = ("__doc__", "__file__", "__name__", "__package__", "__path__", "__spec__")


def make_facade(
    package: str, homes: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package.

    Args:
        package: Dotted name of the package, its `__name__`.
        homes: Public names by the module that holds them. A module is named relative to
            the package ("_rrt") or, with "gelenk." in front, absolutely. An empty tuple
            makes the module itself public, under its last name.

    Example:
        >>> homes = {"gelenk.spatial.vectors": ("skew",)}
        >>> get, names, public = make_facade("gelenk.example", homes)
        >>> public, get("skew").__name__
        (['skew'], 'skew')
    """
    modules = {
        name: (module if module.startswith("gelenk.") else f"{package}.{module}", name)
        for module, names in homes.items()
        for name in names
    }
    modules |= {
        module.rpartition(".")[2]: (
            module if module.startswith("gelenk.") else f"{package}.{module}",
            "",
        )
        for module, names in homes.items()
        if not names
    }
    public = sorted(modules)

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = modules[name]
        found = importlib.import_module(module)
        value = getattr(found, attribute) if attribute else found
        if package in sys.modules:
            setattr(sys.modules[package], name, value)
        return value

    def list_names() -> list[str]:
        return sorted({*public, *_OWN})

    return get, list_names, public
