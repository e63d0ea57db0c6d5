from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import gelenk
from gelenk.course.levels import MATHEMATICS
from gelenk.robots.armbot.assets import controller_files

PACKAGE = Path(gelenk.__file__).parent
ARMBOT = "gelenk.robots.armbot"
ALLOWED = (
    f"{ARMBOT}.interface",
    f"{ARMBOT}.controllers",
    f"{ARMBOT}.model",
    "gelenk.runtime.controller.TriggerProcessor",
    *(f"gelenk.{name}" for name in MATHEMATICS),
    "gelenk.typing",
    "gelenk.errors",
    "numpy",
)


def imports_of(path: Path) -> set[str]:
    """Names that a file imports at its top level; annotations' imports do not count."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def names_of_face() -> dict[str, str]:
    """Whole names of what ArmBot's face shows, by the names on the face."""
    face = PACKAGE / "robots" / "armbot" / "__init__.py"
    return {
        alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(ast.parse(face.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def all_imports_of(path: Path) -> set[str]:
    """Modules that a file imports anywhere, and what it takes from ArmBot's face."""
    found: set[str] = set()
    homes = names_of_face()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == ARMBOT:
            found |= {homes.get(alias.name, ARMBOT) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def module_graph() -> dict[str, set[str]]:
    """Which modules of ArmBot import which others when they are loaded."""
    folder = PACKAGE / "robots" / "armbot"
    files = {
        ".".join(["gelenk", *path.relative_to(PACKAGE).with_suffix("").parts]): path
        for path in folder.rglob("*.py")
    }
    names = {name.removesuffix(".__init__"): path for name, path in files.items()}
    graph: dict[str, set[str]] = {}
    for name, path in names.items():
        targets: set[str] = set()
        for imported in imports_of(path):
            while imported and imported not in names:
                imported = imported.rpartition(".")[0]
            if imported and imported != name and not name.startswith(f"{imported}."):
                targets.add(imported)
        graph[name] = targets
    return graph


def find_cycle(graph: dict[str, set[str]]) -> list[str]:
    done: set[str] = set()
    for start in graph:
        path: list[str] = []

        def walk(name: str) -> list[str]:
            if name in path:  # noqa: B023
                return path[path.index(name) :]  # noqa: B023
            if name in done:
                return []
            path.append(name)  # noqa: B023
            for target in sorted(graph[name]):
                if cycle := walk(target):
                    return cycle
            path.pop()  # noqa: B023
            done.add(name)
            return []

        if cycle := walk(start):
            return cycle
    return []


@pytest.mark.capability("AB-182")
def test_no_module_of_armbot_imports_itself_round_a_corner():
    graph = module_graph()
    assert len(graph) > 30
    assert find_cycle(graph) == []
    assert find_cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "b", "c"]


@pytest.mark.capability("AB-183")
def test_controllers_use_only_calculations_and_the_robot_interface():
    files = [*controller_files(), *(PACKAGE / "robots/armbot/controllers").glob("*.py")]
    assert len(files) >= 4
    for path in files:
        for name in all_imports_of(path):
            top = name.partition(".")[0]
            assert name.startswith(ALLOWED) or top in sys.stdlib_module_names, (
                f"{path.name} imports {name}"
            )


def test_a_name_of_the_face_counts_as_what_it_leads_to(tmp_path: Path):
    controller = tmp_path / "controller.py"
    controller.write_text(
        "from gelenk.robots.armbot import CM, run_headless\n", encoding="utf-8"
    )

    assert all_imports_of(controller) == {
        f"{ARMBOT}.interface.controller.CM",
        f"{ARMBOT}.session.run_headless",
    }
