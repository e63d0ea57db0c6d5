"""One method of the course, and where it lives in the code."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from gelenk.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """A method of the course.

    Attributes:
        id: Its number, such as "GR-211".
        title: A few words.
        objects: Full names of the functions or classes, the first one leads:
            "gelenk.planning.graph.dijkstra".
        formula: What is computed, as text.
        erratum: Where the course errs or misleads, in a sentence; empty: nowhere.

    Example:
        >>> from gelenk.course import Method
        >>> method = Method(
        ...     id="GR-211",
        ...     title="shortest paths after Dijkstra",
        ...     objects=("gelenk.planning.dijkstra",),
        ...     formula="d(v) = min over edges (u, v) of d(u) + c(u, v)",
        ... )
        >>> method.load()[0].__name__
        'dijkstra'
    """

    id: str
    title: str
    objects: tuple[str, ...]
    formula: str
    erratum: str = ""

    def __post_init__(self) -> None:
        if not self.objects:
            raise ConfigError(f"{self.id}: `objects` must name at least one function")

    def load(self) -> tuple[Any, ...]:
        """Return the objects themselves.

        Raises:
            ConfigError: If a name leads nowhere.
        """
        return tuple(_load(name, self.id) for name in self.objects)


def _load(name: str, number: str) -> Any:
    """Return what a full name means: a module's attribute, or an attribute's."""
    parts = name.split(".")
    for end in range(len(parts) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            if not hasattr(found, part):
                raise ConfigError(f"{number}: {name} leads nowhere, no {part!r}")
            found = getattr(found, part)
        return found
    raise ConfigError(f"{number}: {name} leads nowhere")
