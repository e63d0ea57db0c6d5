"""Tests of the register of chapter 7.2.2, images, and 7.2.3, sensing in space."""

from __future__ import annotations

import matplotlib
import pytest

from gelenk.course.chapter_07b import METHODS as IMAGES
from gelenk.course.chapter_07c import METHODS as SPACE

matplotlib.use("Agg")


def test_every_id_of_both_sections_is_registered_once() -> None:
    assert [method.id for method in IMAGES] == [
        *(f"GR-{k}" for k in range(135, 157)),
        "GR-288",
    ]
    assert [method.id for method in SPACE] == [f"GR-{k}" for k in range(157, 171)]


@pytest.mark.parametrize("method", [*IMAGES, *SPACE], ids=lambda method: method.id)
def test_names_lead_somewhere_and_pictures_show_something(method) -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert all(item.__doc__ for item in method.load())
    assert method.picture is not None
    method.picture(axes)
    assert axes.has_data() or axes.collections
