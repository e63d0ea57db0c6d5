"""Every module of Piggy is used by a test, directly."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[2]
PIGGY = "gelenk.robots.piggy"
STEPS = 2  # from what a test imports to a part of it
PREPARES = {f"{PIGGY}.warm_up"}  # compiles kernels before tests run


def imported(source: str) -> set[str]:
    """Return all modules that a file imports, and names from them as modules."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_imports_are_found_wherever_they_stand() -> None:
    text = "import a.b\ndef f():\n    from c import d\n"
    assert imported(text) == {"a.b", "c", "c.d"}


@pytest.mark.capability("BB-89")
def test_every_unit_has_automated_tests() -> None:
    """A test imports it, or what it is a part of: kernels, tables of a panel."""
    import gelenk.robots.piggy

    root = Path(gelenk.robots.piggy.__file__).parent
    tested: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        tested |= imported(file.read_text(encoding="utf-8"))
    units = {
        ".".join((PIGGY, *file.relative_to(root).with_suffix("").parts)): file
        for file in sorted(root.rglob("*.py"))
    }
    for name, file in units.items():  # a package stands for what it shows
        if file.name == "__init__.py" and name.removesuffix(".__init__") in tested:
            tested |= imported(file.read_text(encoding="utf-8"))
    commands = sorted((root.parents[1] / "cli").glob("piggy*.py"))
    reached = set(tested)
    for file in commands:
        reached |= imported(file.read_text(encoding="utf-8"))
    for _ in range(STEPS):
        for name in [name for name in units if name in reached]:
            reached |= imported(units[name].read_text(encoding="utf-8"))
    missing = [
        name
        for name, file in units.items()
        if file.name != "__init__.py" and name not in reached | PREPARES
    ]
    assert missing == []
