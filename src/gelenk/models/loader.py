"""`gelenk.load`: a robot by catalogue name or from a file."""

from __future__ import annotations

import os
from pathlib import Path

from gelenk.errors import ConfigError, FileFormatError, NameNotFoundError
from gelenk.models.mjcf import model_from_mjcf_tree
from gelenk.models.tree import RobotModel
from gelenk.models.urdf import Base, model_from_urdf_tree
from gelenk.models.xml import parse_xml, read_bytes

SUFFIXES = (".urdf", ".xml")

# What users try to load, and the way from there to a file that can be read.
_REMEDIES = {
    ".env": "an environment file holds a world of parts, which cannot be read yet; "
    "build its robot from parts or export it as URDF",
    ".xacro": "expand the template first: xacro robot.urdf.xacro > robot.urdf",
    ".sdf": "convert it to URDF or MJCF first",
    ".mjb": "save the model as XML in MuJoCo first",
}


def load(name_or_path: str | os.PathLike[str], *, base: Base = "fixed") -> RobotModel:
    """Return a robot by its catalogue name or from a URDF or MJCF file.

    A text with a folder separator or the ending .urdf or .xml is a path, any other a
    name. What an XML file is decides its root element: <robot> is URDF, <mujoco> is
    MJCF, whatever the ending.

    Args:
        name_or_path: Name of a robot in the catalogue, or a file.
        base: "floating" lets the root link of a URDF file float. MJCF files say
            themselves whether they float, catalogue robots are what they are.

    Raises:
        NameNotFoundError: If no robot has this name; the message lists the closest.
        FileFormatError: If the file is missing or does not describe a robot; the
            message names file, line and element.
        ConfigError: If a floating base is asked for where it cannot be chosen.

    Example:
        >>> from gelenk import load
        >>> load("panda")
        RobotModel('panda': 7 joints RRRRRRR, 11 links, tool hand_tcp)
    """
    text = os.fspath(name_or_path)
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"`name_or_path` must be a text or a path, got {text!r:.60}")
    path = Path(text)
    is_path = not isinstance(name_or_path, str) or _looks_like_path(text)
    return _load_file(path, base) if is_path else _load_by_name(text, base)


def _looks_like_path(text: str) -> bool:
    separators = {os.sep, os.altsep or "/", "/"}
    suffix = Path(text).suffix.lower()
    if suffix in SUFFIXES or suffix in _REMEDIES:
        return True
    return any(separator in text for separator in separators)


def _load_by_name(name: str, base: Base) -> RobotModel:
    from gelenk.models import catalog

    names = catalog.names()
    if name not in names:
        if "." in name:  # meant as a file, but of a kind that nothing here can read
            _check_suffix(Path(name))
        raise NameNotFoundError("robot", name, names)
    _check_fixed(base, f"robot {name!r} of the catalogue")
    return catalog.make(name)


def _load_file(path: Path, base: Base) -> RobotModel:
    _check_suffix(path)
    try:
        path = path.expanduser()
    except RuntimeError as error:
        remedy = "write the folder out"
        raise FileFormatError(path, f"{error}", remedy=remedy) from error
    root = parse_xml(read_bytes(path), path)
    if root.tag == "robot":
        return model_from_urdf_tree(root, base=base)
    if root.tag == "mujoco":
        _check_fixed(base, f"{path} (MJCF)")
        return model_from_mjcf_tree(root, folder=path.parent)
    raise root.error(
        f"a robot file has the root element <robot> (URDF) or <mujoco> (MJCF), got "
        f"<{root.tag:.40}>",
        "name the main file of the robot",
    )


def _check_suffix(path: Path) -> None:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        kinds = " and ".join(SUFFIXES)
        remedy = _REMEDIES.get(suffix, f"known are {kinds} (URDF, MJCF)")
        raise FileFormatError(
            path, f"files ending in {suffix!r:.20} cannot be loaded", remedy=remedy
        )


def _check_fixed(base: Base, what: str) -> None:
    if base != "fixed":
        raise ConfigError(
            f"`base` is {base!r:.20}, but only URDF files leave that choice, not {what}"
        )
