"""Lazy public face of a package: names are listed at once, imported on first use.

A package's `__init__` imports its public names under `if TYPE_CHECKING`, for type
checkers and for this module, which reads there what is public and where it lives.
Listing the names, tab completion and `help()` load nothing; the first use of a name
loads its module.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

_OWN = ("__doc__", "__file__", "__name__", "__package__", "__path__", "__spec__")
_IMPORT = re.compile(r"^    from ([\w.]+) import (?:\(\s*)?(\w+) as \2\b", re.MULTILINE)


def make_facade(
    package: str, source: str | Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package.

    Args:
        package: Dotted name of the package, its `__name__`.
        source: The package's `__file__`; its indented imports of the form
            `from module import name as name` are the public names. Or the public names
            by the module that holds them, relative to the package or, with "gelenk." in
            front, absolute; an empty tuple makes the module itself public.

    Example:
        >>> homes = {"gelenk.spatial.so3": ("rot_x",)}
        >>> get, names, public = make_facade("gelenk.example", homes)
        >>> public, get("rot_x").__name__
        (['rot_x'], 'rot_x')
    """
    modules: dict[str, str] = {}
    if isinstance(source, str):
        text = Path(source).read_text(encoding="utf-8")
        modules = {name: module for module, name in _IMPORT.findall(text)}
    else:
        for home, names in source.items():
            module = home if home.startswith("gelenk.") else f"{package}.{home}"
            modules |= dict.fromkeys(names, module)
            if not names:
                above, _, name = module.rpartition(".")
                modules[name] = above
    public = sorted(modules)

    def get(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = _load(modules[name], name, package)
        if package in sys.modules:
            setattr(sys.modules[package], name, value)
        return value

    def list_names() -> list[str]:
        return sorted({*public, *_OWN})

    return get, list_names, public


def _load(module: str, name: str, package: str) -> Any:
    """Return what a module holds under a name, or the module of that name below it."""
    if module != package:  # whose names this is asked for
        try:
            return getattr(importlib.import_module(module), name)
        except AttributeError:
            pass
    return importlib.import_module(f"{module}.{name}")
