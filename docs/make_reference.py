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
    spatial models geometry kinematics dynamics collision trajectory planning control
    estimation navigation vision pointcloud calibration behavior actuation sensing
    kernels sim runtime ui course cli robots.armbot robots.piggy robots.nao robots.amee
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

    They are what is imported under its own name (`from x import y as y`), by
    a face under `if TYPE_CHECKING`.

    Args:
        package: Full name of a package or a module.
    """
    source = inspect.getsource(importlib.import_module(package))
    found: dict[str, str] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and not node.level:
            for name in node.names:
                if name.asname == name.name:
                    found[name.name] = f"{node.module}.{name.name}"
    return dict(sorted(found.items(), key=lambda item: item[0].lower()))


def page(package: str) -> str:
    """Return the page of a package."""
    face = importlib.import_module(package)
    text, _, example = inspect.cleandoc(face.__doc__ or "").partition("\nExample:\n")
    parts = [f"# {package}", text]
    if example:
        parts.append(f"```python\n{inspect.cleandoc(example)}\n```")
    names = public_names(package)
    if not names:
        parts.append(_table("Module", "Holds", _rows_of_modules(face)))
    packages = [home for home in names.values() if home in PACKAGES]
    if packages:
        parts.append(_table("Package", "Holds", [_row(home) for home in packages]))
    others = {name: home for name, home in names.items() if _owner(home) != package}
    for home in packages:
        others.pop(home.rpartition(".")[2])
    if others:
        rows = [
            f"| [{name}]({_owner(home)}.md#{home}) | {_head(home)} |"
            for name, home in others.items()
        ]
        parts.append(_table("Name", "Is", rows))
    parts += [
        _entry(label, home)
        for label, home in _entries(package).items()
        if _owner(home) == package
    ]
    return "\n\n".join(parts) + "\n"


@cache
def _entries(package: str) -> dict[str, str]:
    """Return the names of a package and of the modules among them, with their homes."""
    names = {
        name: home
        for name, home in public_names(package).items()
        if home not in PACKAGES
    }
    found: dict[str, str] = {}
    for name, home in names.items():
        found[name] = home
        if _is_module(home):
            found |= {
                f"{name}.{inner}": place
                for inner, place in public_names(home).items()
                if place not in names.values()
            }
    return found


@cache
def _owner(home: str) -> str:
    """Return the package on whose page a name is described: the nearest to its home."""
    owners = [name for name in PACKAGES if home in _entries(name).values()]
    near = [name for name in owners if home.startswith(f"{name}.")]
    return max(near or owners or [""], key=len)


def index() -> str:
    """Return the page with links to all packages."""
    rows = [
        f"| [{package}]({package}.md) | {_head(package)} "
        f"| {len(public_names(package)) or ''} |"
        for package in PACKAGES
    ]
    return INTRODUCTION + "\n".join(rows) + "\n"


def write(folder: Path) -> None:
    """Write all pages, leave alone those that stay as they are, remove old ones."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {package: page(package) for package in PACKAGES} | {"index": index()}
    for path in folder.glob("*.md"):
        if path.stem not in texts:
            path.unlink()
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


def _table(title: str, content: str, rows: list[str]) -> str:
    return "\n".join([f"| {title} | {content} |", "|---|---|", *rows])


def _row(module: str) -> str:
    name = module.rpartition(".")[2]
    link = f"[{name}]({module}.md)" if module in PACKAGES else f"`{name}`"
    return f"| {link} | {_head(module)} |"


def _rows_of_modules(package: ModuleType) -> list[str]:
    found = sorted(item.name for item in pkgutil.iter_modules(package.__path__))
    return [_row(f"{package.__name__}.{name}") for name in found if name[0] != "_"]


@cache
def _is_module(home: str) -> bool:
    return inspect.ismodule(_value(home))


@cache
def _value(home: str) -> object:
    """Return what a full name means: a module, or what one holds."""
    parent, _, name = home.rpartition(".")
    value = getattr(importlib.import_module(parent), name, None) if parent else None
    return importlib.import_module(home) if value is None else value


def _head(home: str) -> str:
    """Return the first line of the docstring of a module, class or function."""
    text = inspect.getdoc(_value(home)) or ""
    return text.split("\n")[0].replace("|", "\\|")


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
