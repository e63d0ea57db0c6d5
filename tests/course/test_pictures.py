"""Every method of the course: its places have docstrings, its picture shows something."""

from __future__ import annotations

import matplotlib
import pytest

from course_pictures import pictures
from gelenk.course.method import Method
from gelenk.course.register import all_methods

matplotlib.use("Agg")


@pytest.mark.parametrize("method", all_methods(), ids=lambda method: method.id)
def test_places_are_documented_and_the_picture_shows_something(method: Method) -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert all(found.__doc__ for found in method.load())
    pictures()[method.id](axes)
    drawn = (axes.lines, axes.collections, axes.images, axes.texts, axes.patches)
    assert any(drawn)
