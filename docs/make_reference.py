"""Write the pages of the API reference: one a package, every public name of its face.

Usage:
    python docs/make_reference.py [FOLDER]

The pages are not part of the repository: `make docs` writes them into docs/reference.
They name objects where they are defined; mkdocstrings fills in their docstrings.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).resolve().parent / "reference"
NAMES = """
    spatial models geometry kinematics dynamics trajectory planning control estimation
    navigation vision pointcloud calibration behavior actuation sensing kernels sim
    runtime ui course cli robots.armbot robots.piggy robots.nao robots.amee
"""
PACKAGES = ("gelenk", *(f"gelenk.{name}" for name in NAMES.split()))

INTRODUCTION = """\
# Reference

Every public name, by package. What is not listed here may change without notice.
`help(gelenk.planning)` tells the same in Python, tab completion lists the names.

| Package | Holds | Names |
|---|---|---|
"""


@cache
def public_names(package: str) -> dict[str, str]:
    """Return the public names of a module's face, each with its full name at home.

    They are what `make_facade` is told, and what is imported under its own name
    (`from x import y as y`).

    Args:
        package: Full name of a package or a module.
    """
    source = inspect.getsource(importlib.import_module(package))
    found: dict[str, str] = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ImportFrom) and not node.level:
            for name in node.names:
                if name.asname == name.name:
                    found[name.name] = f"{node.module}.{name.name}"
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            found |= _told_names(package, node.value)
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def _told_names(package: str, call: ast.Call) -> dict[str, str]:
    """Return the names that a call of `make_facade` makes public."""
    if getattr(call.func, "id", "") != "make_facade":
        return {}
    found: dict[str, str] = {}
    for home, names in ast.literal_eval(call.args[1]).items():
        full = home if home.startswith("gelenk.") else f"{package}.{home}"
        found |= {name: f"{full}.{name}" for name in names}
        if not names:
            found[full.rpartition(".")[2]] = full
    return found


def page(package: str) -> str:
    """Return the page of a package."""
    face = importlib.import_module(package)
    parts = [f"# {package}", inspect.cleandoc(face.__doc__ or "")]
    names = public_names(package)
    links = [name for name, home in names.items() if home in PACKAGES]
    if links:
        parts.append(_table("Package", {name: names[name] for name in links}))
    if not names:
        parts.append(_table("Module", _modules(face)))
    shown = set(names.values())
    for name, home in names.items():
        if name in links:
            continue
        parts.append(_entry(name, home))
        if not _is_module(home):
            continue
        for inner, place in public_names(home).items():
            if place not in shown:
                parts.append(_entry(f"{name}.{inner}", place))
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """Return the page with links to all packages."""
    rows = [
        f"| [{package}]({package}.md) | {_head(package)} "
        f"| {len(public_names(package)) or ''} |"
        for package in PACKAGES
    ]
    return INTRODUCTION + "\n".join(rows) + "\n"


def write(folder: Path) -> None:
    """Write all pages; leave alone those that stay as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {package: page(package) for package in PACKAGES} | {"index": index()}
    for name, text in texts.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _entry(label: str, home: str) -> str:
    options = [f"heading: {label}", f"toc_label: {label}"]
    if _is_module(home) and public_names(home):
        options.append("members: false")  # they follow, each from its own home
    lines = "\n".join(f"      {line}" for line in options)
    return f"::: {home}\n    options:\n{lines}"


def _table(title: str, names: dict[str, str]) -> str:
    """Return a table of modules; those with a page of their own are links."""
    rows = [
        f"| {f'[{name}]({home}.md)' if home in PACKAGES else f'`{name}`'} "
        f"| {_head(home)} |"
        for name, home in names.items()
    ]
    return "\n".join([f"| {title} | Holds |", "|---|---|", *rows])


def _modules(package: ModuleType) -> dict[str, str]:
    """Return the modules of a package by their names."""
    found = sorted(item.name for item in pkgutil.iter_modules(package.__path__))
    return {name: f"{package.__name__}.{name}" for name in found if name[0] != "_"}


@cache
def _is_module(home: str) -> bool:
    parent, _, name = home.rpartition(".")
    value = getattr(importlib.import_module(parent), name, None)
    return value is None or inspect.ismodule(value)


def _head(module: str) -> str:
    text = importlib.import_module(module).__doc__ or ""
    return text.strip().split("\n")[0].replace("|", "\\|")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
