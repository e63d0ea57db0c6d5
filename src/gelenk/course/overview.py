"""What the course has for every method, and what it lacks."""

from __future__ import annotations

from gelenk.course.register import all_methods


def without_picture() -> tuple[str, ...]:
    """Return the ids of methods that draw nothing: every algorithm should show itself.

    Example:
        >>> without_picture()
        ()
    """
    return tuple(method.id for method in all_methods() if method.picture is None)
