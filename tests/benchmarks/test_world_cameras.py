"""The figures of the cameras are measured on what they say they are."""

import numpy as np
import pytest

from benchmarks.areas._world_cameras import (
    GRAY,
    camera_room,
    measure_pairs,
    sphere_errors,
    stereo_pair,
)


@pytest.mark.slow
def test_a_pair_costs_time_in_every_stage() -> None:
    cost = measure_pairs(count=2)

    assert 0.0 < cost.wall < 10.0
    assert min(cost.stages.values()) > 0.0
    assert sum(cost.stages.values()) < 2.5 * cost.wall  # two cameras at the same time


def test_both_cameras_are_those_of_the_target() -> None:
    left, right = stereo_pair()

    assert (left.intrinsics.width, left.intrinsics.height) == (780, 580)
    assert left.color == right.color == "gray"
    assert left.rate == right.rate == 50.0
    model, _ = camera_room((left, right))
    assert model.ncam == 2


@pytest.mark.slow
def test_spheres_are_seen_in_place() -> None:
    errors = sphere_errors(GRAY, np.random.default_rng(3))

    assert errors.shape == (240, 2)
    assert np.abs(errors).max() < 0.05
