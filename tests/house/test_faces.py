"""Public names: frozen, few, explained, shown by an example, annotated."""

from __future__ import annotations

import enum
import inspect
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from house import faces

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "gelenk"
MOST_NAMES = 540
# Body, Camera, Scene: things of a world, and what the page hears of them.
MOST_SHARED_CLASS_NAMES = 3
# Values and type aliases: what they mean stands beside them in the source.
VALUES = frozenset(
    {
        "gelenk.robots.armbot.CM",
        "gelenk.robots.armbot.DEG",
        "gelenk.sim.motors.Motor",
        "gelenk.sim.sensors.Sensor",
    }
)
_SECTION = re.compile(r"^([A-Z]\w+):$")
_ENTRY = re.compile(r"^    (\*{0,2}\w+(?:, \*{0,2}\w+)*): +\S")


def described(docstring: str) -> set[str]:
    """Return the names that a docstring describes under Args or Attributes."""
    found: set[str] = set()
    section = ""
    for line in inspect.cleandoc(docstring).split("\n"):
        if match := _SECTION.match(line):
            section = match[1]
        elif section in ("Args", "Attributes") and (match := _ENTRY.match(line)):
            found |= {name.strip(" *") for name in match[1].split(",")}
    return found


def docstrings(item: Any) -> str:
    """Return the docstring of a function, or those of a class and of its bases."""
    if not inspect.isclass(item):
        return inspect.getdoc(item) or ""
    parts = [
        inspect.cleandoc(doc)
        for base in item.__mro__
        if base.__module__.startswith("gelenk")
        for doc in (base.__doc__, getattr(vars(base).get("__init__"), "__doc__", ""))
        if doc
    ]
    return "\n\n".join(parts)


def parameters(item: Any) -> Mapping[str, inspect.Parameter]:
    """Return what a function takes, or the constructor of a class, without self."""
    item = getattr(item, "py_func", item)  # behind a compiled function
    if inspect.isclass(item):
        if issubclass(item, (enum.Enum, Exception)):
            return {}
    elif not inspect.isfunction(item):
        return {}
    found = inspect.signature(item).parameters
    return {name: told for name, told in found.items() if name[0] != "_"}


def shown(names: list[str]) -> Iterator[tuple[str, Any]]:
    """Yield public objects by name, without plain values."""
    objects = faces.public_objects()
    yield from ((name, objects[name]) for name in names if name not in VALUES)


@pytest.fixture(scope="module", name="names")
def _names() -> list[str]:
    return faces.unique_names()


def test_the_public_names_are_the_frozen_ones(names: list[str]) -> None:
    frozen = faces.FROZEN.read_text(encoding="utf-8").split()

    assert names == frozen, (
        f"new: {sorted({*names} - {*frozen})}, gone: {sorted({*frozen} - {*names})}; "
        "if that is wanted, run `PYTHONPATH=tests python -m house.faces`"
    )


def test_the_public_names_are_few(names: list[str]) -> None:
    assert len(names) <= MOST_NAMES


def test_every_public_name_has_a_docstring_with_an_example(names: list[str]) -> None:
    lacking = [
        name
        for name, item in shown(names)
        if "Example:" not in (item.__doc__ or "") or ">>> " not in item.__doc__
    ]

    assert lacking == []


def test_examples_import_what_they_use_from_a_face(names: list[str]) -> None:
    lacking = [
        name
        for name, item in shown(names)
        if ">>> " in (item.__doc__ or "")
        and not re.search(r">>> (from|import) gelenk\b", item.__doc__)
    ]

    assert lacking == []


def test_every_parameter_of_a_public_name_is_described(names: list[str]) -> None:
    lacking = {
        name: sorted(rest)
        for name, item in shown(names)
        if (rest := {*parameters(item)} - described(docstrings(item)))
    }

    assert lacking == {}


def test_every_parameter_and_result_of_a_public_name_is_annotated(
    names: list[str],
) -> None:
    lacking: dict[str, list[str]] = {}
    for name, item in shown(names):
        bare = [
            key
            for key, parameter in parameters(item).items()
            if parameter.annotation is inspect.Parameter.empty
        ]
        function = getattr(item, "py_func", item)
        if inspect.isfunction(function) and "return" not in function.__annotations__:
            bare.append("return")
        if bare:
            lacking[name] = bare

    assert lacking == {}


def test_a_class_name_means_one_thing() -> None:
    robots = PACKAGE / "robots"
    classes = Counter(
        name
        for path in PACKAGE.rglob("*.py")
        if not path.is_relative_to(robots)
        for name in re.findall(r"(?m)^class (\w+)", path.read_text(encoding="utf-8"))
    )
    shared = sorted(name for name, count in classes.items() if count > 1)

    assert len(shared) <= MOST_SHARED_CLASS_NAMES, shared
