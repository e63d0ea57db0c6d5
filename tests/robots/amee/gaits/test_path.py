"""Paths as natural splines with footholds on both sides."""

from __future__ import annotations

import numpy as np
import pytest

from gelenk.errors import ConfigError
from gelenk.robots.amee.gaits.walking import SplinePath

POINTS = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.6), (2.5, 1.5)]


@pytest.mark.capability("QW-108")
def test_a_path_passes_its_points_and_does_not_bend_at_its_ends() -> None:
    path = SplinePath(POINTS)
    for x, y in POINTS:
        assert path.point(path.nearest(x, y)) == pytest.approx([x, y], abs=0.005)
    ends = path.spline(path.spline.x[[0, -1]], 2)
    assert np.abs(ends).max() < 1e-9


@pytest.mark.capability("QW-108")
def test_footholds_lie_alternately_right_and_left_half_a_hip_spacing_away() -> None:
    path = SplinePath(POINTS)
    feet = path.footholds(0.2)
    assert len(feet) == int(path.length / 0.2) + 1
    for k, foot in enumerate(feet):
        on_path = path.point(0.2 * k)
        ahead = path.point(0.2 * k + 1e-3) - on_path
        off = foot - on_path
        side = ahead[0] * off[1] - ahead[1] * off[0]
        assert np.linalg.norm(off) == pytest.approx(0.2)
        if 0.2 * k + 1e-3 < path.length:
            assert (side > 0) == (k % 2 == 1)


def test_the_length_of_a_straight_path_is_its_distance() -> None:
    assert SplinePath([(0.0, 0.0), (3.0, 4.0)]).length == pytest.approx(5.0)


def test_two_equal_points_are_refused() -> None:
    with pytest.raises(ConfigError, match="follow each other"):
        SplinePath([(0.0, 0.0), (0.0, 0.0)])
