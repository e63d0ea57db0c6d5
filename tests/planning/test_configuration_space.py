"""Grown obstacles against hulls, areas by formula and membership; arms by sampling."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial import ConvexHull

from gelenk.errors import ConfigError
from gelenk.geometry.polygon import contains, signed_area
from gelenk.planning.configuration_space import (
    configuration_raster,
    grow_by_disc,
    grow_obstacle,
    is_motion_free,
    minkowski_sum,
    planar_arm_clearance,
)
from gelenk.planning.world import PolygonRegion

BRACKET = np.array([[1, 1], [3, 1], [3, 2], [2, 2], [2, 4], [1, 4]], float)


def _convex(rng, n):
    points = rng.normal(size=(n, 2))
    return points[ConvexHull(points).vertices]


@pytest.mark.capability("GR-214")
def test_a_minkowski_sum_is_the_hull_of_all_sums_of_corners():
    rng = np.random.default_rng(0)
    for _ in range(30):
        a, b = _convex(rng, 12), _convex(rng, 7)
        hull = ConvexHull((a[:, None] + b).reshape(-1, 2))

        total = minkowski_sum(a[::-1], b)

        assert signed_area(total) == pytest.approx(hull.volume, abs=1e-12)
        assert len(total) == len(hull.vertices)
        # Area is a quadratic form: A(P + P) = 4 A(P).
        assert signed_area(minkowski_sum(a, a)) == pytest.approx(4.0 * signed_area(a))


@pytest.mark.capability("GR-214")
def test_the_robot_hits_exactly_where_its_point_is_in_the_grown_obstacle():
    rng = np.random.default_rng(1)
    robot = np.array([[-0.2, -0.1], [0.5, -0.1], [0.1, 0.4]])
    grown = grow_obstacle(BRACKET, robot)
    share = rng.dirichlet(np.ones(3), 4000)
    for q in rng.uniform(0.0, 5.0, (300, 2)):
        body = q + share @ robot
        hits = contains(BRACKET, body).any()
        hits |= PolygonRegion(corners=q + robot).contains(BRACKET).any()
        is_in = any(contains(piece, q) for piece in grown)
        edge = min(abs(float(PolygonRegion(corners=p).distance(q))) for p in grown)
        assert hits == is_in or edge < 0.03


@pytest.mark.capability("GR-214")
def test_growing_by_a_disc_obeys_steiners_formula():
    rng = np.random.default_rng(2)
    obstacle, r = _convex(rng, 15), 0.3
    edges = np.roll(obstacle, -1, axis=0) - obstacle
    perimeter = np.linalg.norm(edges, axis=1).sum()
    steiner = signed_area(obstacle) + perimeter * r + np.pi * r * r

    (coarse,) = grow_by_disc(obstacle, r, sides=8)
    (fine,) = grow_by_disc(obstacle, r, sides=512)

    assert signed_area(fine) == pytest.approx(steiner, rel=1e-5)
    assert signed_area(coarse) > steiner  # on the safe side
    gap = PolygonRegion(corners=obstacle).distance(coarse)
    assert gap.max() <= r / np.cos(np.pi / 8) + 1e-9
    assert gap.min() >= r - 1e-9


@pytest.mark.capability("GR-214")
def test_the_raster_of_two_links_has_the_strip_that_geometry_says():
    # A disc within reach of the first link blocks |q1 - phi| < asin(r / |c|) for all q2.
    lengths, disc = [1.0, 0.8], np.array([[0.5, 0.3, 0.1]])
    phi, half = np.arctan2(0.3, 0.5), np.arcsin(0.1 / np.hypot(0.5, 0.3))

    def are_free(q):
        return planar_arm_clearance(lengths, q, disc) > 0.0

    free = configuration_raster(are_free, [-np.pi, -np.pi], [np.pi, np.pi], (180, 180))

    q1 = -np.pi + 2.0 * np.pi * (np.arange(180) + 0.5) / 180
    q2 = q1
    strip = np.abs(q1 - phi) < half
    assert not free[strip].any()
    # Elsewhere only the second link can hit: its points by sampling.
    s = np.linspace(0.0, 0.8, 1601)
    for i in np.flatnonzero(~strip)[::7]:
        elbow = np.array([np.cos(q1[i]), np.sin(q1[i])])
        angle = q1[i] + q2[:, None]
        x, y = elbow[0] + s * np.cos(angle), elbow[1] + s * np.sin(angle)
        gap = np.hypot(x - 0.5, y - 0.3).min(axis=1) - 0.1
        clear = np.abs(gap) > 1e-4
        assert (free[i][clear] == (gap > 0.0)[clear]).all()
    assert not free[~strip].all()


@pytest.mark.capability("GR-214")
def test_no_thin_obstacle_slips_through_a_motion():
    lengths = [1.0, 0.8]
    thin = np.array([[1.2, 0.9, 0.002]])  # coarse sampling would step over it

    def clearance(q):
        return float(planar_arm_clearance(lengths, q, thin))

    rng = np.random.default_rng(3)
    verdicts = []
    for a, b in rng.uniform(-1.5, 1.5, (60, 2, 2)):
        s = np.linspace(0.0, 1.0, 20_001)[:, None]
        least = planar_arm_clearance(lengths, a + s * (b - a), thin).min()
        # |J| of the tip: |dp| <= (l1 + l2) |dq1| + l2 |dq2| <= hypot(1.8, 0.8) |dq|.
        free = is_motion_free(clearance, a, b, reach=np.hypot(1.8, 0.8))
        verdicts.append(free)
        if abs(least - 1e-4) > 2e-4:
            assert free == (least > 1e-4)
    assert 0 < sum(verdicts) < 60


def test_a_bent_polygon_is_no_summand():
    with pytest.raises(ConfigError, match="not convex"):
        minkowski_sum(BRACKET, BRACKET)
    assert_allclose(len(grow_obstacle(BRACKET, [[0, 0], [1, 0], [0, 1]])), 2)
