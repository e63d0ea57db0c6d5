"""Shapes against areas and volumes by formula, set laws, and finite differences."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.planning.world import (
    BallRegion,
    BoxRegion,
    EllipsoidRegion,
    HalfSpaceRegion,
    PolygonRegion,
    unite_regions,
)

STAR = np.array([[0, 0], [4, 1], [1, 2], [2, 5], [-1, 2], [-3, 3], [-2, 0]], float)


def _area(shape, low, high, n=400):
    axes = [low + (high - low) * (np.arange(n) + 0.5) / n] * 2
    points = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    return shape.contains(points).mean() * (high - low) ** 2


@pytest.mark.capability("GR-215")
def test_the_lens_of_two_discs_has_the_area_of_the_formula():
    a, b = BallRegion(center=[0, 0], radius=1.0), BallRegion(center=[1, 0], radius=1.0)
    lens = 2.0 * np.pi / 3.0 - np.sqrt(3.0) / 2.0

    assert _area(a & b, -2.0, 3.0) == pytest.approx(lens, rel=0.005)
    assert _area(a | b, -2.0, 3.0) == pytest.approx(2.0 * np.pi - lens, rel=0.005)
    assert _area(a - b, -2.0, 3.0) == pytest.approx(np.pi - lens, rel=0.005)


@pytest.mark.capability("GR-215")
def test_different_trees_may_describe_one_set():
    rng = np.random.default_rng(0)
    everything = BoxRegion(lower=[-5, -5], upper=[5, 5])
    a = PolygonRegion(corners=STAR)
    b = EllipsoidRegion(center=[0.5, 1.0], semi_axes=[2.0, 1.0])
    c = HalfSpaceRegion(normal=np.array([1.0, 1.0]), offset=1.5)
    points = rng.uniform(-5.0, 5.0, (5000, 2))

    left = everything - (a | b)
    right = (everything - a) & (everything - b)

    assert (left.contains(points) == right.contains(points)).all()
    assert (
        (a & (b | c)).contains(points) == ((a & b) | (a & c)).contains(points)
    ).all()
    assert (
        unite_regions([a, b, c]).contains(points) == ((c | b) | a).contains(points)
    ).all()
    assert 0.0 < left.contains(points).mean() < 1.0


@pytest.mark.capability("GR-215")
def test_a_moved_shape_scales_its_volume_by_the_determinant():
    rng = np.random.default_rng(1)
    A = np.array([[1.2, 0.3, 0.0], [-0.2, 0.8, 0.1], [0.0, 0.4, 1.1]])
    body = EllipsoidRegion(center=[0.1, 0, 0], semi_axes=[0.9, 0.5, 0.7])
    points = rng.uniform(-2.0, 2.0, (200_000, 3))
    volume = 4.0 / 3.0 * np.pi * 0.9 * 0.5 * 0.7 * np.linalg.det(A)

    moved = body.moved(A, [0.2, 0.1, -0.1])

    assert moved.contains(points).mean() * 64.0 == pytest.approx(volume, rel=0.02)
    inside = points[body.contains(points)]
    assert moved.contains(inside @ A.T + [0.2, 0.1, -0.1]).all()


@pytest.mark.capability("GR-215")
def test_membership_changes_only_near_the_boundary_when_numbers_change_a_little():
    rng = np.random.default_rng(2)
    points = rng.uniform(-4.0, 6.0, (20_000, 2))
    shape, shifted = PolygonRegion(corners=STAR), PolygonRegion(corners=STAR + 1e-3)
    changed = shape.contains(points) != shifted.contains(points)

    assert changed.any()
    assert np.abs(shape.distance(points[changed])).max() < 2e-3


@pytest.mark.parametrize(
    "shape", [BallRegion(center=[0.3, 1.0], radius=1.1), PolygonRegion(corners=STAR)]
)
def test_distances_are_negative_inside_and_slope_one_away(shape):
    rng = np.random.default_rng(3)
    points = rng.uniform(-4.0, 6.0, (300, 2))
    step = 1e-6

    d, away = shape.distance(points), shape.away(points)

    slopes = np.stack(
        [
            (shape.distance(points + e) - shape.distance(points - e)) / (2.0 * step)
            for e in step * np.eye(2)
        ],
        axis=-1,
    )
    smooth = np.abs(np.linalg.norm(slopes, axis=-1) - 1.0) < 1e-4  # not on a ridge
    assert smooth.mean() > 0.95
    assert_allclose(away[smooth], slopes[smooth], atol=1e-6)
    assert ((d <= 0.0) == shape.contains(points)).all()


def test_impossible_shapes_are_refused():
    with pytest.raises(ConfigError, match="radius"):
        BallRegion(center=[0, 0], radius=0.0)
    with pytest.raises(ConfigError, match="below"):
        BoxRegion(lower=[0, 0], upper=[1, 0])
    with pytest.raises(ConfigError, match="invertible"):
        BallRegion(center=[0, 0], radius=1.0).moved(np.zeros((2, 2)), [0, 0])
