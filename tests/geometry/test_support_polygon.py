"""The support polygon against SciPy's hull and against polygons solved by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial import ConvexHull

from gelenk.geometry.support_polygons import support_margin, support_polygon
from gelenk.robots.amee.robot import HIP_SPACING, PAD


@pytest.mark.capability("QW-105")
def test_the_polygon_is_the_convex_hull_of_scipy() -> None:
    rng = np.random.default_rng(1)
    for count in (3, 4, 7, 16, 40):
        points = rng.normal(size=(count, 2))
        hull = ConvexHull(points)
        own = support_polygon(points)
        start = int(np.argmin(own[:, 0]))
        theirs = points[hull.vertices]
        turned = np.roll(theirs, start - int(np.argmin(theirs[:, 0])), axis=0)
        assert_allclose(own, turned)


@pytest.mark.capability("QW-105")
def test_the_margin_is_the_distance_to_the_nearest_half_plane() -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(size=(12, 2))
    hull = ConvexHull(points)
    for p in rng.uniform(-1.0, 1.0, (200, 2)):
        distances = hull.equations[:, :2] @ p + hull.equations[:, 2]
        margin = support_margin(points, p)
        if distances.max() <= 0.0:
            assert margin == pytest.approx(-distances.max(), abs=1e-12)
        else:  # nearest point of all edges, finely sampled
            corners = points[hull.vertices]
            t = np.linspace(0.0, 1.0, 4001)[:, None, None]
            edge = corners + t * (np.roll(corners, -1, axis=0) - corners)
            nearest = np.linalg.norm(edge - p, axis=2).min()
            assert margin == pytest.approx(-nearest, abs=1e-4)


@pytest.mark.parametrize("size", [1e-16, 3e-16, 1e-10, 1e-8, 1e-6])
def test_feet_in_line_up_to_rounding_do_not_confuse_the_margin(size: float) -> None:
    # Toes of several feet lie on one line but for rounding; wrapping the points like a
    # gift, from each to the next, misses its beginning then and never ends.
    rng = np.random.default_rng(5)
    toes = np.array([(x, y) for x in (-0.08, -0.03, 0.03, 0.08) for y in (-0.06, 0.06)])
    for feet in (4, 3):
        hips = np.array([(-0.35, 0.2), (-0.35, -0.2), (0.35, 0.2), (0.35, -0.2)])[:feet]
        turn = np.array([(np.cos(0.3), -np.sin(0.3)), (np.sin(0.3), np.cos(0.3))])
        points = (hips[:, None] + toes).reshape(-1, 2) @ turn
        exact = ConvexHull(points)
        for p in rng.uniform(-0.1, 0.1, (100, 2)):
            moved = points + size * rng.uniform(-1.0, 1.0, points.shape)
            distances = exact.equations[:, :2] @ p + exact.equations[:, 2]
            margin = support_margin(rng.permutation(moved), p)
            assert margin == pytest.approx(-distances.max(), abs=3e-6)


def test_points_on_an_edge_or_given_twice_make_no_corners() -> None:
    square = [(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0), (1, 0), (0.25, 0.25), (0, 0.5)]
    assert_allclose(support_polygon(square), [(0, 0), (1, 0), (1, 1), (0, 1)])
    assert support_margin(square, (0.5, 0.4)) == pytest.approx(0.4)


def test_fewer_than_three_points_hold_nothing() -> None:
    assert support_margin([], (0, 0)) == -np.inf
    assert support_margin([(3, 4)], (0, 0)) == pytest.approx(-5.0)
    assert support_margin([(3, 4), (3, 4)], (0, 0)) == pytest.approx(-5.0)
    assert support_margin([(-1, 1), (1, 1)], (0.5, 0)) == pytest.approx(-1.0)
    assert support_margin([(-1, 0), (0, 0), (1, 0)], (0, 2)) == pytest.approx(-2.0)
    assert support_margin([(-1, 0), (1, 0)], (0, 0)) == pytest.approx(0.0)


@pytest.mark.capability("QW-105")
def test_lifted_legs_of_the_careful_gaits_have_the_derived_margins() -> None:
    # Hips 700 x 400 mm, stroke 250 mm, margins [mm] of each lift with point feet and
    # with pads of +-80 x +-60 mm; derived by hand, centre of mass 0 and 40 mm behind.
    half = np.array(HIP_SPACING) / 2.0
    signs = np.array([(1, -1), (1, 1), (-1, 1), (-1, -1)])  # legs 1 to 4
    pad = np.array([(i, j) for i in (-1, 1) for j in (-1, 1)]) * PAD
    expected = {
        ((4, 3, 1, 2), 0.0): ((62, 0, 0, 62), (154, 98, 98, 154)),
        ((4, 2, 3, 1), 0.0): ((62, -62, -62, 62), (154, 30, 30, 154)),
        ((4, 3, 1, 2), -0.04): ((42, -27, 27, 82), (134, 71, 125, 174)),
    }
    for (order, com), rows in expected.items():
        for shapes, margins in zip((np.zeros((1, 2)), pad), rows, strict=True):
            ahead = dict.fromkeys(range(1, 5), -0.125)  # all at the end of the stroke
            for leg, margin in zip(order, margins, strict=True):
                others = [k for k in (1, 2, 3, 4) if k != leg]
                feet = [signs[k - 1] * half + (ahead[k], 0.0) for k in others]
                points = np.concatenate([foot + shapes for foot in feet])
                found = 1e3 * support_margin(points, (com, 0.0))
                assert found == pytest.approx(margin, abs=0.6)
                ahead[leg] = 0.125
