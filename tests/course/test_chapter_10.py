"""Tests of the register of chapter 10."""

from __future__ import annotations

import matplotlib
import pytest

from gelenk.course.chapter_10 import METHODS

matplotlib.use("Agg")


def test_every_id_of_the_chapter_is_registered_once() -> None:
    expected = [f"GR-{k}" for k in (*range(236, 262), 289)]
    assert [method.id for method in METHODS] == expected


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_names_lead_somewhere_and_pictures_show_something(method) -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    assert all(item.__doc__ for item in method.load())
    method.picture(axes)
    assert axes.has_data() or axes.collections or axes.images
