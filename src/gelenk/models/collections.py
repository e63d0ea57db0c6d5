"""Robots of installed collections, found by name.

Known are the packages robot_descriptions and mujoco-menagerie. Both keep their files in
a cache and fetch what is missing there; nothing here opens a connection.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gelenk.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedRobot:
    """Files of a robot of a collection.

    Attributes:
        path: Main file.
        package_dirs: Folders of its packages.
        srdf: Semantic description, if there is one.
        arguments: Arguments of its template.
    """

    path: Path
    package_dirs: tuple[Path, ...] = ()
    srdf: Path | None = None
    arguments: Mapping[str, object] = field(default_factory=dict[str, object])


INSTALL = "pip install robot_descriptions, or mujoco-menagerie"
_KEYS = ("URDF_PATH", "XACRO_PATH", "MJCF_PATH")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+.\-]*")


def installed() -> tuple[str, ...]:
    """Return the names of the installed packages that hold robots."""
    known = ("robot_descriptions", "mujoco_menagerie")
    return tuple(name for name in known if importlib.util.find_spec(name) is not None)


def find_robot(name: str) -> CollectedRobot | None:
    """Return the files of a robot of an installed collection, None without one.

    Args:
        name: Name such as "fr3", also with "_description", "_mj_description" or, for
            the menagerie, the name of its folder.

    Raises:
        ConfigError: If the collection knows the robot and cannot give its files.
    """
    if not _NAME.fullmatch(name):
        return None
    packages = installed()
    if "robot_descriptions" in packages:
        found = _described(name)
        if found is not None:
            return found
    if "mujoco_menagerie" in packages:
        return _of_menagerie(name)
    return None


def close_names(name: str) -> list[str]:
    """Return names in the installed collections that are close to a name."""
    known: list[str] = []
    packages = installed()
    if "robot_descriptions" in packages:
        known += {re.sub(r"(_mj)?_description$", "", word) for word in _modules()}
    if "mujoco_menagerie" in packages:
        known += _menagerie_names()
    return difflib.get_close_matches(name, sorted(set(known)), n=3, cutoff=0.6)


def _modules() -> list[str]:
    """Return the modules of robot_descriptions that describe a robot."""
    spec = importlib.util.find_spec("robot_descriptions")
    folders: Iterable[str] = (spec and spec.submodule_search_locations) or ()
    return sorted(
        path.stem
        for folder in folders
        for path in Path(folder).glob("*_description.py")
    )


def _described(name: str) -> CollectedRobot | None:
    modules = set(_modules())
    wanted = (name, f"{name}_description", f"{name}_mj_description")
    module = next((word for word in wanted if word in modules), None)
    if module is None:
        return None
    try:
        description: Any = importlib.import_module(f"robot_descriptions.{module}")
    except Exception as error:  # git, network, file system: whatever it raises
        raise _unavailable(name, "robot_descriptions", error) from error
    path = next((word for key in _KEYS if (word := getattr(description, key, ""))), "")
    folders = [
        getattr(description, key, "") for key in ("PACKAGE_PATH", "REPOSITORY_PATH")
    ]
    places = getattr(description, "XACRO_PACKAGE_PATHS", {})
    srdf = getattr(description, "SRDF_PATH", None)
    if path:
        return CollectedRobot(
            path=Path(path),
            package_dirs=tuple(Path(f) for f in (*folders, *places.values()) if f),
            srdf=Path(srdf) if srdf else None,
            arguments=dict(getattr(description, "XACRO_ARGS", {})),
        )
    raise ConfigError(f"{name!r} of robot_descriptions names no URDF or MJCF file")


def _menagerie_names() -> list[str]:
    try:
        return list(importlib.import_module("mujoco_menagerie").names())
    except Exception:
        return []


def _of_menagerie(name: str) -> CollectedRobot | None:
    names = _menagerie_names()
    matches = [word for word in names if word == name or word.endswith(f"_{name}")]
    if name in matches:
        matches = [name]
    if len(matches) != 1:
        return None
    try:
        menagerie: Any = importlib.import_module("mujoco_menagerie")
        robot = menagerie.get(matches[0])
        return CollectedRobot(path=Path(robot.xml(robot.default_model)))
    except Exception as error:
        raise _unavailable(name, "mujoco_menagerie", error) from error


def _unavailable(name: str, package: str, error: Exception) -> ConfigError:
    reason = " ".join(str(error).split())[:200] or type(error).__name__
    return ConfigError(
        f"the package {package} knows {name!r} but cannot give its files: {reason}; "
        "it fetches them on first use, so load it once while connected, or load a "
        "file of your own"
    )
