"""Public names of Gelenk: what the faces of its packages list.

Usage:
    PYTHONPATH=tests python -m house.faces           write the frozen list anew
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import types
from collections.abc import Iterator
from pathlib import Path

import gelenk

FROZEN = Path(__file__).with_name("public_names.txt")


def faces() -> Iterator[str]:
    """Yield the dotted names of packages that have a face: a list of public names."""
    yield "gelenk"
    for found in pkgutil.walk_packages(gelenk.__path__, "gelenk."):
        if found.ispkg and not any(part[0] == "_" for part in found.name.split(".")):
            package = importlib.import_module(found.name)
            if getattr(package, "__all__", None):
                yield found.name


def public_objects() -> dict[str, object]:
    """Return every public object by its dotted public name.

    A public name that is a module of functions stands for its functions.
    """
    found: dict[str, object] = {}
    packages = set(faces())
    for package in sorted(packages):
        face = importlib.import_module(package)
        for name in face.__all__:
            value = getattr(face, name)
            if name.startswith("_"):
                continue
            if not inspect.ismodule(value):
                found[f"{package}.{name}"] = value
            elif value.__name__ not in packages:
                found |= {
                    f"{package}.{name}.{inner}": item
                    for inner, item in vars(value).items()
                    if inner[0] != "_" and _is_defined_in(item, value)
                }
    return found


def _is_defined_in(item: object, module: types.ModuleType) -> bool:
    is_named = inspect.isfunction(item) or inspect.isclass(item)
    return is_named and getattr(item, "__module__", "") == module.__name__


def unique_names() -> list[str]:
    """Return the public names, each object once, under its shortest name."""
    shortest: dict[int, str] = {}
    for name, value in sorted(
        public_objects().items(), key=lambda item: (item[0].count("."), item[0])
    ):
        shortest.setdefault(id(value), name)
    return sorted(shortest.values())


if __name__ == "__main__":
    names = unique_names()
    FROZEN.write_text("\n".join(names) + "\n", encoding="utf-8")
    print(f"{len(names)} public names")
