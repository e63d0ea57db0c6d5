"""MJCF of a robot as its own file says, with the asset files where they now lie."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from gelenk.errors import FileFormatError, GelenkError
from gelenk.models.findings import warn
from gelenk.models.mesh_files import FOLDER, MeshFiles
from gelenk.models.mjcf_engine import PLACEHOLDER
from gelenk.models.tree import ModelSource, RobotModel
from gelenk.models.xml import XmlText, parse_xml, save_text

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
    source = model.source
    assert source is not None
    if not source.text:
        return None
    if not _is_unchanged(model, source):
        warn(
            f"robot {model.name!r} was changed since it was read; actuators, sensors "
            "and materials of its file are left out; attach motors in the world"
        )
        return None
    if PLACEHOLDER in source.text:
        warn(
            f"robot {model.name!r}: meshes of its file are missing, so the mechanism "
            "alone is written; put the meshes where the file names them"
        )
        return None
    try:
        names = {name: f"{FOLDER}/{name}" for name in source.parts}
        text = _placed(source.text, source, folder, names, copy=copy)
        for name, part in source.parts.items():
            place = folder / FOLDER
            place.mkdir(exist_ok=True)
            placed = _placed(part, source, place, dict.fromkeys(names), copy=copy)
            save_text(place / name, placed)
    except (FileFormatError, OSError) as error:
        warn(f"robot {model.name!r}: {error}; the mechanism alone is written")
        return None
    return text


def _placed(
    text: str,
    source: ModelSource,
    folder: Path,
    parts: dict[str, str] | dict[str, None],
    *,
    copy: bool,
) -> str:
    """Return a text that names its files relative to a folder."""
    files = MeshFiles(folder, copy=copy)
    root = parse_xml(text, "<source>", keep_words=True)
    for element in root.walk():
        for key in [key for key in element.attributes if key.startswith("file")]:
            name = element.attributes[key]
            if name in source.files:
                element.attributes[key] = files.image(source.files[name])
            elif parts.get(name):
                element.attributes[key] = str(parts[name])
    out = XmlText()
    out.copy(root)
    return out.text()


def _is_unchanged(model: RobotModel, source: ModelSource) -> bool:
    """Return whether the file of a model still gives the model."""
    from gelenk.models.mjcf import load_mjcf, model_from_mjcf

    folders = tuple({path.parent for path in source.files.values()})
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            again = (
                load_mjcf(source.path, package_dirs=folders)
                if source.path is not None
                else model_from_mjcf(source.text, package_dirs=folders)
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
