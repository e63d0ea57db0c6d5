"""Tests of the register of chapter 6."""

from __future__ import annotations

import matplotlib
import pytest

from gelenk.course.chapter_06 import METHODS

matplotlib.use("Agg")


def test_every_id_is_registered_once() -> None:
    assert [method.id for method in METHODS] == [f"GR-{k}" for k in range(98, 116)]


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
def test_names_lead_somewhere_and_pictures_show_something(method) -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    found = method.load()
    assert all(item.__doc__ for item in found)
    assert method.picture is not None
    method.picture(axes)
    assert axes.has_data() or axes.collections
