"""Includes of MJCF files expanded, and numbers refused that no robot needs."""

from __future__ import annotations

import re
from pathlib import Path

from gelenk.models.packages import FileFinder
from gelenk.models.xml import (
    MAX_ELEMENTS,
    MAX_NUMBER,
    XmlElement,
    parse_xml,
    read_bytes,
)

MAX_COUNT = 100_000  # of anything that an attribute multiplies
MAX_PIXELS = 2**26  # of a texture; decoded, it takes three or four bytes each

# Attributes whose numbers multiply what MuJoCo builds or stores.
_COUNTS = {
    "size": ("nkey", "nuserdata", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site",
             "nuser_cam", "nuser_tendon", "nuser_actuator", "nuser_sensor"),
    "replicate": ("count",), "composite": ("count",), "flexcomp": ("count",),
    "texture": ("width", "height", "gridsize"), "hfield": ("nrow", "ncol"),
    "camera": ("resolution",), "mesh": ("params",), "general": ("nsample",),
    "position": ("nsample",), "motor": ("nsample",), "velocity": ("nsample",),
    "contact": ("num",), "flex": ("cellcount",),
}  # fmt: skip
_PICTURES = ("texture", "hfield", "camera")
_TEXTS = ("name", "class", "childclass", "model", "data", "value", "file")
# What a number that is not finite or beyond MAX_NUMBER looks like.
_SUSPECT = re.compile(r"nan|inf|e\+?[3-9]\d|e\+?\d{3}|\d{30}", re.IGNORECASE)


def expand_includes(root: XmlElement, folder: Path | None, finder: FileFinder) -> None:
    """Replace every <include> below `root` by the children of the included root.

    File names are relative to the folder of the main file, or else of the including
    one. As in MuJoCo a file can be included once, so a cycle cannot occur.

    Args:
        root: Parsed main file, changed in place.
        folder: Folder of the main file; None if the text has none.
        finder: Search for the files.

    Raises:
        FileFormatError: If a file is missing, broken or included twice.
    """
    seen: set[Path] = {Path(root.path).resolve()} if folder else set()
    stack = [root]
    while stack:
        element = stack.pop()
        children: list[XmlElement] = []
        pending = element.children[::-1]
        while pending:
            child = pending.pop()
            if child.tag == "include":
                pending.extend(_included(child, folder, finder, seen)[::-1])
            else:
                child.parent = element
                children.append(child)
        element.children = children
        stack.extend(children)


def _included(
    include: XmlElement, folder: Path | None, finder: FileFinder, seen: set[Path]
) -> list[XmlElement]:
    name = include.text("file")
    if folder is None:
        raise include.error(
            f"{name!r:.80} cannot be found: this text has no folder",
            "save it to a file and load that",
        )
    beside = str(Path(include.path).absolute().parent / name)
    wanted = str(folder.absolute() / name)
    path = finder.resolve(wanted) or finder.resolve(beside)
    if path is None:
        raise include.error(f"{name!r:.200}: {why_missing(finder, wanted)}")
    identity = path.resolve()
    if identity in seen:
        raise include.error(
            f"{name!r:.80} is included a second time, or includes itself",
            "a file can be included once",
        )
    seen.add(identity)
    root = parse_xml(read_bytes(path), path)
    if root.tag not in ("mujoco", "mujocoinclude"):
        raise root.error(
            f"an included file has the root <mujocoinclude>, got <{root.tag:.40}>",
            "wrap its content",
        )
    return root.children


def check_numbers(root: XmlElement) -> None:
    """Refuse what would make MuJoCo build or store more than any robot needs."""
    total, stack = 0, [(root, 1)]
    while stack:
        element, copies = stack.pop()
        for key, value in element.attributes.items():
            if key not in _TEXTS and _SUSPECT.search(value):
                _check_size(element, key, value)
        product = _product(element)
        if element.tag == "replicate":
            copies *= max(product, 1)
        most = MAX_PIXELS if element.tag in _PICTURES else MAX_COUNT
        total += copies
        if product > most or total > MAX_ELEMENTS:
            raise element.error(
                "this makes more elements than any robot needs", "lower the count"
            )
        stack.extend((child, copies) for child in element.children)


def _check_size(element: XmlElement, key: str, value: str) -> None:
    """Refuse numbers that are not finite or absurd; limits may be infinite."""
    for word in value.split():
        try:
            number = float(word)
        except ValueError:
            continue  # MuJoCo says so
        is_limit = key.endswith("range") and number == number
        if not abs(number) <= MAX_NUMBER and not is_limit:
            raise element.error(
                f"`{key}` needs numbers up to {MAX_NUMBER:g}, got {word!r:.60}",
                "correct it",
            )


def _product(element: XmlElement) -> int:
    """Return the product of the counts of an element, 1 without any."""
    product = 1.0
    for key in _COUNTS.get(element.tag, ()):
        for word in element.attributes.get(key, "").split():
            try:
                product *= max(abs(float(word)), 1.0)
            except ValueError:
                continue  # MuJoCo says so
    return int(min(product, 1e18))


def why_missing(finder: FileFinder, name: str) -> str:
    """Return why a file was not found, and what to do."""
    reasons = [reason for reason, names in finder.missing.items() if name in names]
    return reasons[0] if reasons else "not found; check the spelling"
