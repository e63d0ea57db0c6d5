"""Tests of the register of chapter 7, first part."""

from __future__ import annotations

import matplotlib
import pytest

from gelenk.course.chapter_07a import METHODS

matplotlib.use("Agg")


def test_every_id_is_registered_once() -> None:
    ids = [f"GR-{k}" for k in (*range(116, 135), 283)]
    assert [method.id for method in METHODS] == ids


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_names_lead_somewhere_and_pictures_show_something(method) -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    found = method.load()
    assert all(item.__doc__ for item in found)
    assert method.picture is not None
    method.picture(axes)
    assert axes.has_data() or axes.collections
