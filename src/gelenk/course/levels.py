"""Levels of tests: of units, against regressions, of components, of the whole.

Passing proves nothing, it only makes errors rarer; each level finds what the one below
cannot see.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Literal

from gelenk.errors import ConfigError

Level = Literal["unit", "regression", "component", "integration"]
_TEST = re.compile(r"^ *(?:async )?def test_\w+\(", re.MULTILINE)
LEVELS: tuple[Level, ...] = ("unit", "regression", "component", "integration")
MATHEMATICS = (
    "actuation", "behavior", "calibration", "control", "dynamics", "estimation",
    "geometry", "kernels", "kinematics", "models", "navigation", "planning",
    "pointcloud", "sensing", "spatial", "trajectory", "vision",
)  # fmt: skip
_HOMES: dict[str, Level] = {
    **dict.fromkeys(MATHEMATICS, "unit"),
    "course": "unit",
    "testing": "unit",
    "oracle": "regression",
    "docs": "regression",
    "sim": "component",
    "runtime": "component",
    "ui": "component",
    "cli": "integration",
    "robots": "integration",
    "browser": "integration",
}


def level_of(path: str | Path) -> Level:
    """Return the level of a file of tests, by the folder below `tests`.

    Example:
        >>> level_of("tests/spatial/test_so3.py"), level_of("tests/cli/test_x.py")
        ('unit', 'integration')
    """
    parts = Path(path).parts
    below = parts[parts.index("tests") + 1] if "tests" in parts else ""
    return _HOMES.get(below, "integration")


def count_tests(folder: str | Path) -> dict[Level, int]:
    """Return how many test functions there are on each level.

    Args:
        folder: The folder `tests`.

    Raises:
        ConfigError: If it does not exist.
    """
    root = Path(folder)
    if not root.is_dir():
        raise ConfigError(f"{root} is no folder of tests")
    counts: Counter[Level] = Counter()
    for path in sorted(root.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        level = level_of(Path("tests") / path.relative_to(root))
        counts[level] += len(_TEST.findall(text))
    return {level: counts[level] for level in LEVELS}


def packages_without_tests(source: str | Path, folder: str | Path) -> tuple[str, ...]:
    """Return packages of the mathematics that no folder of tests mirrors.

    Args:
        source: Folder of the package, such as `src/gelenk`.
        folder: Folder of the tests.
    """
    packages = [p.parent.name for p in Path(source).glob("*/__init__.py")]
    return tuple(
        name
        for name in sorted(packages)
        if name in MATHEMATICS and not list((Path(folder) / name).rglob("test_*.py"))
    )
