"""Write the pages of the API reference: one a package, every public name of its face.

Usage:
    python docs/make_reference.py [FOLDER]

The pages are not part of the repository: `make docs` writes them into docs/reference.
They name objects where they are defined; mkdocstrings fills in their docstrings.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "reference"
PACKAGES = (
    "gelenk",
    *(
        f"gelenk.{name}"
        for name in (
            "spatial models geometry kinematics dynamics trajectory planning control "
            "estimation navigation vision pointcloud calibration behavior actuation "
            "sensing kernels sim runtime ui course cli robots.armbot robots.piggy "
            "robots.nao robots.amee"
        ).split()
    ),
)

INTRODUCTION = """\
# Reference

Every public name, by package. What is not listed here may change without notice.
`help(gelenk.planning)` tells the same in Python, tab completion lists the names.

| Package | Holds | Names |
|---|---|---|
"""


def public_names(package: str) -> dict[str, str]:
    """Return the public names of a package, each with the place that defines it."""
    face = importlib.import_module(package)
    return {name: _place(package, name) for name in face.__all__ if name[0] != "_"}


def page(package: str) -> str:
    """Return the page of a package."""
    face = importlib.import_module(package)
    parts = [f"# {package}", inspect.cleandoc(face.__doc__ or "")]
    for name, place in public_names(package).items():
        parts.append(
            f"::: {place}\n    options:\n      heading: {name}\n      toc_label: {name}"
        )
    return "\n\n".join(parts) + "\n"


def index() -> str:
    """Return the page with links to all packages."""
    rows = []
    for package in PACKAGES:
        face = importlib.import_module(package)
        head = (face.__doc__ or "").strip().split("\n")[0]
        names = len(public_names(package))
        rows.append(f"| [{package}]({package}.md) | {head} | {names} |")
    return INTRODUCTION + "\n".join(rows) + "\n"


def write(folder: Path) -> None:
    """Write all pages; leave alone those that stay as they are."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {package: page(package) for package in PACKAGES} | {"index": index()}
    for name, text in texts.items():
        path = folder / f"{name}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def _place(package: str, name: str) -> str:
    face = importlib.import_module(package)
    if inspect.ismodule(getattr(face, name)):
        return getattr(face, name).__name__
    homes = getattr(face, "__homes__", {})
    return f"{homes.get(name, package)}.{name}"


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
