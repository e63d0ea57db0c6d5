"""<include> elements of MJCF files: replaced by the content of the files they name."""

from __future__ import annotations

from pathlib import Path

from gelenk.errors import FileFormatError
from gelenk.models.files import read_bytes
from gelenk.models.xml import Element, parse_xml


def expand_includes(root: Element, folder: Path | None) -> None:
    """Replace every <include> below `root` by the children of the included root.

    File names are relative to the folder of the main file, or else of the including
    one. As in MuJoCo a file can be included once, so a cycle cannot occur.

    Args:
        root: Parsed main file, changed in place.
        folder: Folder of the main file; None if the text has none.

    Raises:
        FileFormatError: If a file is missing, broken or included twice.
    """
    seen = {_identity(Path(root.path))} if folder else set()
    stack = [root]
    while stack:
        element = stack.pop()
        children: list[Element] = []
        pending = element.children[::-1]
        while pending:
            child = pending.pop()
            if child.tag == "include":
                pending.extend(_included(child, folder, seen)[::-1])
            else:
                child.parent = element
                children.append(child)
        element.children = children
        stack.extend(children)


def _included(include: Element, folder: Path | None, seen: set[Path]) -> list[Element]:
    name = include.text("file")
    if folder is None:
        raise include.error(
            f"{name!r:.80} cannot be found: this text has no folder",
            "save it to a file and load that",
        )
    if Path(name).is_absolute():
        raise include.error(
            f"{name!r:.80} is an absolute path", "make it relative to the main file"
        )
    path = folder / name
    beside = Path(include.path).parent / name
    try:
        path = path if path.exists() or not beside.exists() else beside
        identity = _identity(path)
    except (OSError, ValueError) as error:
        raise include.error(f"{name!r:.80} is no file name", "correct it") from error
    if identity in seen:
        raise include.error(
            f"{name!r:.80} is included a second time, or includes itself",
            "a file can be included once",
        )
    seen.add(identity)
    try:
        root = parse_xml(read_bytes(path), path)
    except FileFormatError as error:
        if error.line is not None:
            raise
        raise include.error(str(error)) from error
    if root.tag not in ("mujoco", "mujocoinclude"):
        raise root.error(
            f"an included file has the root <mujocoinclude>, got <{root.tag:.40}>",
            "wrap its content",
        )
    return root.children


def _identity(path: Path) -> Path:
    return path.resolve()
