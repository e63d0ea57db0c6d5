"""`gelenk.load`: a robot by name or from a file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gelenk.errors import ConfigError, FileFormatError, NameNotFoundError
from gelenk.models.mjcf import model_from_mjcf_tree
from gelenk.models.packages import PathLike
from gelenk.models.tree import RobotModel
from gelenk.models.urdf import UrdfOptions, model_from_urdf_tree, parse_urdf
from gelenk.models.urdf_joint import Base
from gelenk.models.urdf_mend import strip_before_declaration
from gelenk.models.xml import parse_xml, read_bytes

SUFFIXES = (".urdf", ".xacro", ".xml")

# What users try to load, and the way from there to a file that can be read.
_REMEDIES = {
    ".env": "an environment file holds a world of parts, which cannot be read yet; "
    "build its robot from parts or export it as URDF",
    ".sdf": "convert it to URDF or MJCF first",
    ".mjb": "save the model as XML in MuJoCo first",
}


def load(
    name_or_path: str | os.PathLike[str],
    *,
    base: Base = "fixed",
    strict: bool = False,
    package_dirs: Sequence[PathLike] = (),
    srdf: PathLike | None = None,
    arguments: Mapping[str, object] | None = None,
) -> RobotModel:
    """Return a robot by its name or from a URDF, xacro or MJCF file.

    A text with a folder separator or the ending .urdf, .xacro or .xml is a path, any
    other a name: of the catalogue, else of the packages robot_descriptions and
    mujoco-menagerie where they are installed. What an XML file is decides its root
    element: <robot> is URDF, <mujoco> is MJCF, whatever the ending.

    Faults that robot files in use have are mended with a `ModelWarning`; the `notes` of
    the model keep it.

    Args:
        name_or_path: Name of a robot, or a file.
        base: "floating" lets the root link of a URDF file float. MJCF files say
            themselves whether they float, catalogue robots are what they are.
        strict: Refuse the faults of a URDF file that are mended otherwise.
        package_dirs: Folders of packages, or folders in which packages lie, for names
            such as package://arm_description/meshes/base.stl.
        srdf: Semantic description of a URDF robot (groups, named poses, pairs that
            never collide); by default that beside the file.
        arguments: Values of the arguments of a xacro template, by name.

    Raises:
        NameNotFoundError: If no robot has this name; the message lists the closest.
        FileFormatError: If the file is missing or does not describe a robot; the
            message names file, line and element.
        ConfigError: If an option is given where it cannot be chosen, or a package
            that is needed is missing.

    Example:
        >>> from gelenk import load
        >>> load("panda")
        RobotModel('panda': 7 joints RRRRRRR, 11 links, tool hand_tcp)
    """
    text = os.fspath(name_or_path)
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ConfigError(f"`name_or_path` must be a text or a path, got {text!r:.60}")
    options = UrdfOptions(
        base=base, strict=strict, package_dirs=package_dirs, srdf=srdf
    )
    if not isinstance(name_or_path, str) or _looks_like_path(text):
        return _load_file(Path(text), options, arguments)
    return _load_by_name(text, options, arguments)


def _looks_like_path(text: str) -> bool:
    separators = {os.sep, os.altsep or "/", "/"}
    suffix = Path(text).suffix.lower()
    if suffix in SUFFIXES or suffix in _REMEDIES:
        return True
    return any(separator in text for separator in separators)


def _load_by_name(
    name: str, options: UrdfOptions, arguments: Mapping[str, object] | None
) -> RobotModel:
    from gelenk.models import catalog

    names = catalog.names()
    if name in names:
        _check_own(options, f"robot {name!r} of the catalogue")
        return catalog.make(name)
    from gelenk.models.collections import INSTALL, close_names, find_robot, installed

    found = find_robot(name)
    if found is not None:
        options = replace(
            options,
            package_dirs=(*options.package_dirs, *found.package_dirs),
            srdf=options.srdf if options.srdf is not None else found.srdf,
        )
        if found.srdf is not None and found.path.suffix == ".xml":
            options = replace(options, srdf=None)
        return _load_file(found.path, options, {**found.arguments, **(arguments or {})})
    if "." in name:  # meant as a file, but of a kind that nothing here can read
        _check_suffix(Path(name))
    packages = installed()
    remedy = f"More robots come with {INSTALL}"
    if packages:
        close = " or ".join(repr(word) for word in close_names(name))
        remedy = f"{' and '.join(packages)} (installed) "
        remedy += f"have {close}" if close else "have none of this name"
    raise NameNotFoundError("robot", name, names, remedy)


def _load_file(
    path: Path, options: UrdfOptions, arguments: Mapping[str, object] | None
) -> RobotModel:
    _check_suffix(path)
    try:
        path = path.expanduser()
    except RuntimeError as error:
        remedy = "write the folder out"
        raise FileFormatError(path, f"{error}", remedy=remedy) from error
    if path.suffix.lower() == ".xacro":
        return _load_template(path, options, arguments)
    if arguments:
        raise ConfigError(
            f"`arguments` are those of a xacro template, which {path} is not"
        )
    data = read_bytes(path)
    root = parse_xml(data if options.strict else strip_before_declaration(data), path)
    if root.tag == "robot":
        return model_from_urdf_tree(root, options, file=path)
    if root.tag == "mujoco":
        _check_own(options, f"{path} (MJCF)")
        return model_from_mjcf_tree(
            root, folder=path.parent, package_dirs=options.package_dirs
        )
    raise root.error(
        f"a robot file has the root element <robot> (URDF) or <mujoco> (MJCF), got "
        f"<{root.tag:.40}>",
        "name the main file of the robot",
    )


def _load_template(
    path: Path, options: UrdfOptions, arguments: Mapping[str, object] | None
) -> RobotModel:
    from gelenk.models.xacro_text import expand_xacro

    text = expand_xacro(path, arguments=arguments, package_dirs=options.package_dirs)
    root = parse_urdf(text, path, strict=options.strict)
    if not root.all("link"):
        raise FileFormatError(
            path,
            "the template makes no link; it defines macros for others, or waits for "
            "arguments",
            remedy="load the file that uses it, or pass `arguments=`",
        )
    return model_from_urdf_tree(root, options, file=path, text=text)


def _check_suffix(path: Path) -> None:
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        kinds = ", ".join(SUFFIXES)
        remedy = _REMEDIES.get(suffix, f"known are {kinds} (URDF, xacro, MJCF)")
        raise FileFormatError(
            path, f"files ending in {suffix!r:.20} cannot be loaded", remedy=remedy
        )


def _check_own(options: UrdfOptions, what: str) -> None:
    """Refuse options that only URDF files have."""
    if options.base != "fixed":
        raise ConfigError(
            f"`base` is {options.base!r:.20}, but only URDF files leave that choice, "
            f"not {what}"
        )
    if options.srdf is not None:
        raise ConfigError(f"`srdf` describes a URDF robot, not {what}")
