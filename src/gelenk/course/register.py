"""All methods of the course, by chapter."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

import gelenk.course
from gelenk.course.method import Method
from gelenk.errors import NameNotFoundError

TITLES: dict[int, str] = {
    2: "Rates, rotations and poses",
    3: "Kinematics",
    4: "Velocities, forces, vehicles",
    5: "Dynamics",
    6: "Actuators",
    7: "Sensors, images, clouds",
    8: "Control and elementary motions",
    9: "Planning",
    10: "Navigation",
    11: "Middleware and simulation",
    12: "Behaviour",
}
NUM_NEIGHBOURS = 6  # ids that are named when one was not found


@cache
def chapters() -> dict[int, tuple[Method, ...]]:
    """Return the methods of each chapter, by number.

    They are the `METHODS` of the modules `chapter_NN` and `chapter_NN_*`.
    """
    found: dict[int, list[Method]] = {chapter: [] for chapter in TITLES}
    for info in pkgutil.iter_modules(gelenk.course.__path__):
        if not info.name.startswith("chapter_"):
            continue
        module = importlib.import_module(f"gelenk.course.{info.name}")
        found[int(info.name[8:10])] += module.METHODS
    return {k: tuple(sorted(methods, key=number)) for k, methods in found.items()}


def all_methods() -> tuple[Method, ...]:
    """Return every method, by number.

    Example:
        >>> from gelenk.course import all_methods
        >>> len(all_methods()) > 200
        True
    """
    return tuple(
        sorted((m for methods in chapters().values() for m in methods), key=number)
    )


def number(method: Method) -> int:
    """Return the number in a method's id."""
    return int(method.id.removeprefix("GR-"))


def find_method(wanted: str) -> Method:
    """Return the method with an id such as "GR-211", "gr211" or "211".

    Args:
        wanted: Id of the method, with or without its letters.

    Raises:
        NameNotFoundError: If there is none; it names near ones.

    Example:
        >>> from gelenk.course import find_method
        >>> find_method("211").title
        'shortest paths after Dijkstra'
    """
    digits = wanted.upper().removeprefix("GR").removeprefix("-")
    id = f"GR-{int(digits):02d}" if digits.isdecimal() else wanted
    methods = {method.id: method for method in all_methods()}
    if id not in methods:
        near = difflib.get_close_matches(id, methods, n=NUM_NEIGHBOURS, cutoff=0.0)
        raise NameNotFoundError("method of the course", wanted, near)
    return methods[id]


def search(word: str) -> tuple[Method, ...]:
    """Return the methods whose title, formula or objects hold a word."""
    word = word.casefold()
    return tuple(
        method
        for method in all_methods()
        if word in " ".join((method.title, method.formula, *method.objects)).casefold()
    )
