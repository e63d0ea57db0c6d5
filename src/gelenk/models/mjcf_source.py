"""MJCF of a robot as its own file says, with the asset files where they now lie."""

from __future__ import annotations

import os
import shutil
import warnings
from pathlib import Path

import numpy as np

from gelenk.errors import ConfigError, FileFormatError, GelenkError
from gelenk.models.findings import warn
from gelenk.models.mesh_files import FOLDER
from gelenk.models.tree import RobotModel
from gelenk.models.xml import XmlElement, XmlText, parse_xml, read_bytes

_WITH_FILES = ("mesh", "texture", "hfield", "skin", "model", "flexcomp")
_NAMED = ("mesh", "texture", "hfield", "skin")  # which take the name of their file
_MAX_DEPTH = 200  # of elements and included files

# What two models share if one was not changed since it was read.
_COLUMNS = (
    "parent", "joint_type", "T_parent_joint", "axis", "mass", "com", "inertia", "lower",
    "upper", "max_velocity", "max_effort", "damping", "friction", "armature",
    "stiffness", "rest", "gravity_compensation", "mimic", "multiplier", "offset",
    "is_passive", "gravity",
)  # fmt: skip


def source_text(model: RobotModel, folder: Path, *, copy: bool) -> str | None:
    """Return the MJCF text of an unchanged robot, None if it was changed.

    Args:
        model: Robot that came from an MJCF file.
        folder: Folder of the new file.
        copy: Whether asset files are copied beside the new file.
    """
    if not _is_unchanged(model):
        warn(
            f"robot {model.name!r} was changed since it was read; actuators, sensors "
            "and materials of its file are left out; attach motors in the world"
        )
        return None
    source = model.source
    assert source is not None
    base = source.path.parent if source.path is not None else Path()
    try:
        if source.text:
            root = parse_xml(source.text, "<source>", keep_words=True)
        else:
            root = _read(base / (source.path or ""))
        _inline(root, base, 0)
        _place_assets(root, base.absolute(), folder, copy)
    except FileFormatError as error:
        warn(f"robot {model.name!r}: {error}; the mechanism alone is written")
        return None
    out = XmlText()
    out.copy(root)
    return out.text()


def _read(path: Path) -> XmlElement:
    return parse_xml(read_bytes(path), path, keep_words=True)


def _inline(element: XmlElement, base: Path, depth: int) -> None:
    """Put what included files hold in the place of <include>."""
    if depth > _MAX_DEPTH:
        raise element.error("files include each other", "remove one <include>")
    children: list[XmlElement] = []
    for child in element.children:
        if child.tag == "include":
            root = _read(base / child.text("file"))
            _inline(root, base, depth + 1)
            children += root.children
        else:
            _inline(child, base, depth + 1)
            children.append(child)
    element.children = children


def _is_unchanged(model: RobotModel) -> bool:
    """Return whether the file of a model still gives the model."""
    from gelenk.models.mjcf import load_mjcf, model_from_mjcf

    source = model.source
    assert source is not None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = (
                load_mjcf(source.path)
                if source.path is not None
                else model_from_mjcf(source.text)
            )
    except GelenkError:
        return False
    return (
        again.link_names == model.link_names
        and again.joint_names_all == model.joint_names_all
        and len(again.loops) == len(model.loops)
        and all(
            np.array_equal(getattr(again, key), getattr(model, key)) for key in _COLUMNS
        )
    )


def _place_assets(root: XmlElement, base: Path, folder: Path, copy: bool) -> None:
    """Name the asset files relative to the new folder, or copy them there."""
    words: dict[str, str] = {}
    for compiler in root.all("compiler"):
        words |= compiler.attributes
        for key in ("meshdir", "texturedir", "assetdir", "strippath"):
            compiler.attributes.pop(key, None)
    assets = words.get("assetdir", "")
    places = {
        "texture": words.get("texturedir", assets),
        "model": "",
    }
    taken: dict[Path, Path] = {}
    for element in root.walk():
        if element.tag not in _WITH_FILES:
            continue
        place = places.get(element.tag, words.get("meshdir", assets))
        for key in [key for key in element.attributes if key.startswith("file")]:
            name = element.attributes[key]
            if not name:
                continue
            if words.get("strippath") == "true":
                name = Path(name.replace("\\", "/")).name
            path = Path(os.path.normpath(base / place / name))
            if element.tag in _NAMED and key == "file":
                element.attributes.setdefault("name", path.stem)
            if copy and path not in taken:
                taken[path] = _copied(path, folder / FOLDER, set(taken.values()))
            new = os.path.relpath(taken.get(path, path), folder)
            element.attributes[key] = Path(new).as_posix()


def _copied(path: Path, folder: Path, taken: set[Path]) -> Path:
    target, count = folder / path.name, 2
    while target in taken:
        target, count = folder / f"{path.stem}_{count}{path.suffix}", count + 1
    try:
        folder.mkdir(exist_ok=True)
        if not (target.exists() and target.samefile(path)):
            shutil.copyfile(path, target)
    except OSError as error:
        raise ConfigError(
            f"cannot copy {str(path)!r} to {str(folder)!r}: "
            f"{error.strerror or error}; pass copy_meshes=False"
        ) from error
    return target
