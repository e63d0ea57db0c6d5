"""Robot files of other people on this machine: installed packages and named folders."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from pathlib import Path

PACKAGES = (
    "example_robot_data",
    "pybullet_data",
    "rtbdata",
    "robosuite",
    "gymnasium_robotics",
    "dm_control",
    "mujoco_menagerie",
)
FOLDERS = "GELENK_ROBOTS"  # folders of further robots, separated as in PATH
MISSING = (
    "no robot files found: pip install example-robot-data, or name folders in "
    f"the environment variable {FOLDERS}"
)


def folders() -> Iterator[Path]:
    """Yield the folders that may hold robot files."""
    for text in os.environ.get(FOLDERS, "").split(os.pathsep):
        if text and Path(text).is_dir():
            yield Path(text)
    for package in PACKAGES:
        try:
            found = importlib.util.find_spec(package)
        except (ImportError, ValueError):
            continue
        if found is not None and found.submodule_search_locations:
            yield from (Path(place) for place in found.submodule_search_locations)


def urdf_files(most_random: int = 50) -> list[Path]:
    """Return URDF files; of folders of random objects only some."""
    files = sorted({path for folder in folders() for path in folder.rglob("*.urdf")})
    plain = [path for path in files if "random_urdfs" not in path.parts]
    rest = [path for path in files if "random_urdfs" in path.parts]
    return plain + rest[:: max(1, len(rest) // most_random)][:most_random]


def mjcf_files() -> list[Path]:
    """Return MJCF files that are whole by themselves."""
    files = sorted({path for folder in folders() for path in folder.rglob("*.xml")})
    return [path for path in files if _is_mjcf(path)]


def _is_mjcf(path: Path) -> bool:
    try:
        head = path.read_bytes()[:20_000]
    except OSError:
        return False
    return b"<mujoco" in head and b"<mujocoinclude" not in head
