"""Pictures of the course's methods, drawn by the code they show.

Each module has `PICTURES`: what draws a method into axes, by the method's id.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from gelenk.course.register import all_methods

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@cache
def pictures() -> dict[str, Callable[[Axes], None]]:
    """Return what draws each method into axes, by the method's id."""
    found: dict[str, Callable[[Axes], None]] = {}
    for info in pkgutil.iter_modules(__path__):
        if info.name != "drawing":
            found |= importlib.import_module(f"{__name__}.{info.name}").PICTURES
    return found


def without_picture() -> tuple[str, ...]:
    """Return the ids of methods that draw nothing: every algorithm should show itself.

    Example:
        >>> without_picture()
        ()
    """
    return tuple(method.id for method in all_methods() if method.id not in pictures())
