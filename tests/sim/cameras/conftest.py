"""Tests that draw need a graphics library; where there is none, they say so."""

from __future__ import annotations

from functools import cache

import pytest

from gelenk.sim.cameras.gl import RenderError, describe_renderer

DRAWING = (
    "test_cached",
    "test_imaging",
    "test_measure",
    "test_projection",
    "test_timing",
    "test_viewfinder",
)


@cache
def why_not() -> str:
    """Return why nothing can be drawn here; empty if it can."""
    try:
        describe_renderer()
    except RenderError as error:
        return str(error)
    return ""


@pytest.fixture(autouse=True)
def _graphics(request: pytest.FixtureRequest) -> None:
    if request.module.__name__.rpartition(".")[2] in DRAWING and why_not():
        pytest.skip(f"nothing can be drawn on this machine: {why_not()}")
