"""The glossary, the levels of tests, and which methods have a picture."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields, is_dataclass
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from course_pictures import pictures, without_picture
from gelenk.course.describe import draw
from gelenk.course.glossary import GLOSSARY, look_up
from gelenk.course.levels import count_tests, level_of, packages_without_tests
from gelenk.course.method import Method
from gelenk.course.register import all_methods
from gelenk.errors import ConfigError, NameNotFoundError

matplotlib.use("Agg")
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.capability("GR-270")
def test_every_algorithm_of_the_course_draws_something(tmp_path: Path) -> None:
    """Every method has a picture; a few of them are drawn and have content."""
    assert without_picture() == ()
    for method in (all_methods()[k] for k in (5, 60, 150)):
        path = tmp_path / f"{method.id}.png"
        draw(pictures()[method.id], path)
        from matplotlib.image import imread

        assert np.ptp(imread(path)) > 0.3


@pytest.mark.capability("GR-282")
@pytest.mark.parametrize("entry", GLOSSARY, ids=lambda entry: entry.symbol)
def test_every_symbol_is_a_name_that_exists(entry) -> None:
    """Oracle: the signature or the fields of what the glossary points to."""
    method = Method(id="GR-282", title="", objects=(entry.place,), formula="")
    (found,) = method.load()
    names = (
        {each.name for each in fields(found)}
        if is_dataclass(found)
        else set(inspect.signature(found).parameters)
    )
    assert entry.identifier in names
    assert look_up(entry.symbol) is entry


def test_an_unknown_symbol_is_told() -> None:
    with pytest.raises(NameNotFoundError, match="symbol of the course"):
        look_up("Ξ")


@pytest.mark.capability("GR-273")
def test_there_are_tests_on_every_level_and_for_every_package_of_the_core() -> None:
    """Second way: the syntax tree of one folder."""
    counts = count_tests(ROOT / "tests")
    assert min(counts.values()) > 10
    assert counts["unit"] > counts["integration"] / 2
    folder = ROOT / "tests" / "behavior"
    parsed = sum(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for path in folder.glob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    )
    assert sum(count_tests(folder).values()) == parsed
    assert packages_without_tests(ROOT / "src/gelenk", ROOT / "tests") == ()
    assert level_of("tests/sim/test_world.py") == "component"
    with pytest.raises(ConfigError, match="no folder"):
        count_tests(ROOT / "nowhere")
