"""All methods of the course, by chapter."""

from __future__ import annotations

import difflib
from functools import cache
from pathlib import Path

from gelenk.course.method import Method
from gelenk.course.method_file import number, read_methods
from gelenk.errors import FileFormatError, NameNotFoundError

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
    """Return the methods of each chapter, by number, as the folder `methods` has them.

    Raises:
        FileFormatError: If a file there is not as it should be.
    """
    folder = Path(__file__).with_name("methods")
    found: dict[int, tuple[Method, ...]] = {}
    places: dict[str, Path] = {}
    for chapter in TITLES:
        path = folder / f"{chapter:02d}.toml"
        found[chapter] = read_methods(path)
        for method in found[chapter]:
            if (other := places.setdefault(method.id, path)) != path:
                problem = f"stands in {other.name} already"
                raise FileFormatError(path, problem, element=method.id)
    return found


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
