"""Workspaces against closed forms of planar arms and volumes of shells."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

from gelenk.errors import ConfigError
from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.workspace import (
    dexterity,
    planar_annulus,
    reach_radius,
    reachability_map,
    sample_configurations,
    spread_orientations,
)
from gelenk.models.catalog import make
from testkit.random_models import random_tree


@pytest.mark.capability("GR-25")
def test_the_two_link_arm_reaches_an_annulus() -> None:
    arm, voxel = make("planar2r"), 0.05

    found = reachability_map(arm, rng=np.random.default_rng(0), voxel=voxel)

    assert_allclose(planar_annulus([1.0, 0.8]), [0.2, 1.8], atol=1e-15)
    angle = np.linspace(-np.pi, np.pi, 200, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1)
    for radius in (0.3, 1.0, 1.7):
        assert found.contains(radius * ring).all()
    for radius in (0.1, 1.9):
        assert not found.contains(radius * ring).any()
    area = found.volume / voxel
    assert area == pytest.approx(np.pi * (1.8**2 - 0.2**2), rel=0.05)
    assert found.counts.sum() == 200_000


@pytest.mark.capability("GR-25")
@pytest.mark.parametrize(
    "lengths", [[1.0, 0.8], [0.5, 0.4, 0.3], [2.0, 0.4, 0.3], [0.1, 0.2, 0.9, 0.3]]
)
def test_the_annulus_is_where_random_arms_end(lengths: list[float]) -> None:
    """Oracle: sums of plane vectors of random directions, and their stretched extremes."""
    rng = np.random.default_rng(1)
    angle = rng.uniform(-np.pi, np.pi, (200_000, len(lengths)))
    radius = np.abs((np.exp(1j * angle) * lengths).sum(axis=1))
    inner, outer = planar_annulus(lengths)

    assert radius.min() >= inner - 1e-12
    assert radius.max() <= outer + 1e-12
    assert radius.min() == pytest.approx(inner, abs=0.03)
    assert radius.max() == pytest.approx(outer, abs=0.03)


@pytest.mark.capability("GR-25")
def test_points_of_the_three_link_arm_are_dexterous_where_the_wrist_circle_fits() -> (
    None
):
    """Links 0.5, 0.4, 0.3: a wrist at distance 0.1 to 0.9 can be served.

    All headings are free at radius r if the circle of radius 0.3 about the point lies in
    that ring: r <= 0.6 and (r >= 0.4 or r <= 0.2). Some heading is free for r <= 1.2.
    """
    arm = make("planar3r")
    headings = Rotation.from_rotvec(
        np.linspace(-np.pi, np.pi, 12, endpoint=False)[:, None] * [0.0, 0.0, 1.0]
    ).as_matrix()
    radius = np.array([0.05, 0.15, 0.3, 0.45, 0.55, 0.7, 1.0, 1.1, 1.3])
    points = radius[:, None] * [np.cos(0.3), np.sin(0.3), 0.0]

    found = dexterity(arm, points, orientations=headings)

    dexterous = (radius <= 0.6) & ((radius >= 0.4) | (radius <= 0.2))
    assert found.is_dexterous.tolist() == dexterous.tolist()
    assert found.is_reachable.tolist() == (radius <= 1.2).tolist()
    assert (found.is_reachable | ~found.is_dexterous).all()
    assert (np.diff(found.share[5:]) < 0.0).all()  # fewer and fewer outwards


@pytest.mark.capability("GR-25")
def test_dexterity_asks_the_given_solver_for_every_orientation() -> None:
    asked = []

    def up_only(T: np.ndarray) -> SimpleNamespace:
        asked.append(T)
        return SimpleNamespace(converged=bool(T[2, 2] > 0.0))

    found = dexterity(
        make("puma560"), [[0.3, 0.1, 0.2], [0.4, 0.0, 0.0]], solve=up_only
    )

    assert len(asked) == 128
    assert_allclose(found.share, 0.5)
    assert_allclose(asked[0][:3, 3], [0.3, 0.1, 0.2])


def test_orientations_are_rotations_spread_evenly() -> None:
    R = spread_orientations(64, 4)

    assert R.shape == (256, 3, 3)
    assert_allclose(
        R @ R.swapaxes(1, 2), np.broadcast_to(np.eye(3), R.shape), atol=1e-14
    )
    assert_allclose(np.linalg.det(R), 1.0)
    assert_allclose(R.mean(axis=0), 0.0, atol=0.02)
    # Uniform directions: the mean of z z^T is a third of the identity.
    z = R[:, :, 2]
    assert_allclose(z.T @ z / len(z), np.eye(3) / 3.0, atol=0.01)
    nearest = np.sort(z[:64] @ z[:64].T - 2.0 * np.eye(64), axis=1)[:, -1]
    assert np.rad2deg(np.arccos(nearest)).min() > 15.0


def test_reach_bounds_every_sampled_configuration() -> None:
    rng = np.random.default_rng(2)
    assert reach_radius(make("planar2r")) == pytest.approx(1.8, abs=1e-12)
    assert reach_radius(make("rp")) == np.inf
    for _ in range(10):
        model = random_tree(rng, num_joints=6, branching=0.0)
        frame = model.link_names[-1]
        q = sample_configurations(model, 2000, rng)
        first = int(model.joint_ids[0])
        start = frame_pose(model, q[:1], frame=model.link_names[first])[0, :3, 3]
        p = frame_pose(model, q, frame=frame)[:, :3, 3]
        if model.joint_type[first] == 1:  # a slider would move the reference itself
            far = np.linalg.norm(p - start, axis=1).max()
            assert far <= reach_radius(model, frame=frame)
            assert far > 0.3 * reach_radius(model, frame=frame)


def test_samples_keep_the_limits_and_take_a_full_turn_without() -> None:
    rng = np.random.default_rng(3)
    puma = make("puma560")
    q = sample_configurations(puma, 5000, rng)
    lower, upper = puma.limits

    assert (q >= lower).all()
    assert_allclose(q.min(axis=0), lower, atol=0.02)
    assert_allclose(q.max(axis=0), np.minimum(upper, lower + 2 * np.pi), atol=0.02)
    half = replace(puma, upper=np.where(puma.upper > 0, np.inf, puma.upper))
    q = sample_configurations(half, 5000, rng)
    assert_allclose(q.min(axis=0), lower, atol=0.02)
    assert_allclose(q.max(axis=0), lower + 2 * np.pi, atol=0.02)
    free = sample_configurations(make("planar2r"), 5000, rng)
    assert_allclose([free.min(), free.max()], [-np.pi, np.pi], atol=0.01)


def test_what_cannot_be_sampled_is_refused_by_name() -> None:
    rng = np.random.default_rng(4)
    with pytest.raises(ConfigError, match="sliders need limits to be sampled: joint_2"):
        sample_configurations(make("rp"), 10, rng)
    with pytest.raises(ConfigError, match="floats"):
        sample_configurations(random_tree(rng, num_joints=2, floating=True), 10, rng)
    with pytest.raises(ConfigError, match="choose a `voxel` larger"):
        reachability_map(make("puma560"), rng=rng, samples=1000, voxel=1e-4)
    with pytest.raises(ConfigError, match="no joint moves the frame"):
        reach_radius(make("planar2r"), frame="base")
    with pytest.raises(ConfigError, match="`link_lengths`"):
        planar_annulus([])


def test_the_same_seed_gives_the_same_map() -> None:
    arm = make("planar3r")
    n = len(arm.link_names)
    limited = replace(arm, lower=np.full(n, -1.0), upper=np.full(n, 1.0))
    maps = [
        reachability_map(limited, rng=np.random.default_rng(7), samples=3000)
        for _ in range(2)
    ]

    np.testing.assert_array_equal(maps[0].counts, maps[1].counts)
    assert maps[0].counts.sum() == 3000
