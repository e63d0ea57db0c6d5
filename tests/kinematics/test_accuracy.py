"""Accuracy figures against a published example and a simulated workshop."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError, ShapeError
from gelenk.kinematics.accuracy import (
    ArmErrors,
    attained_positions,
    misbuilt,
    position_performance,
    worst_resolution,
)
from gelenk.models.catalog import make

PUMA = make("puma560")
Q = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])


@pytest.mark.capability("GR-31")
def test_published_figures_of_five_hits() -> None:
    hits = [
        [1, 0.1, 0],
        [1.2, -0.1, 0],
        [0.9, 0, 0.1],
        [1.1, 0.1, -0.1],
        [0.8, -0.1, 0],
    ]

    result = position_performance([0.0, 0.0, 0.0], hits)

    assert result.accuracy == pytest.approx(1.0, abs=1e-12)
    assert result.mean_distance == pytest.approx(0.172368, abs=1e-6)
    assert result.std_distance == pytest.approx(0.053494, abs=1e-6)
    assert result.repeatability == pytest.approx(0.332849, abs=1e-6)


@pytest.mark.capability("GR-31")
def test_a_badly_built_arm_repeats_well_and_hits_badly() -> None:
    rng = np.random.default_rng(0)
    errors = ArmErrors()
    commanded = PUMA.forward(Q)[:3, 3]

    results = [
        position_performance(
            commanded,
            attained_positions(
                misbuilt(PUMA, errors, rng), Q, count=30, errors=errors, rng=rng
            ),
        )
        for _ in range(20)
    ]

    accuracy = np.array([r.accuracy for r in results])
    repeatability = np.array([r.repeatability for r in results])
    assert (repeatability < 0.2 * accuracy).mean() > 0.9
    assert 0.5e-3 < np.median(accuracy) < 5e-3
    assert (repeatability < 1e-4).all()


@pytest.mark.capability("GR-31")
def test_no_single_step_of_the_encoders_moves_the_tool_further_than_the_resolution() -> (
    None
):
    steps = np.array([1e-5, 2e-5, 3e-5, 1e-4, 1e-4, 2e-4])
    bound = worst_resolution(PUMA.jacobian(Q)[:3], steps)
    signs = np.array(np.meshgrid(*[[-1, 0, 1]] * 6)).reshape(6, -1).T
    start = PUMA.forward(Q)[:3, 3]

    moves = np.abs(PUMA.forward(Q + signs * steps)[:, :3, 3] - start)

    assert (moves <= bound * (1.0 + 1e-3)).all()
    assert_allclose(moves.max(axis=0), bound, rtol=1e-3)  # and one does reach it
    assert (
        worst_resolution(np.ones((4, 2, 3)), [1.0, 2.0, 3.0]).tolist()
        == [[6.0] * 2] * 4
    )


@pytest.mark.capability("GR-31")
def test_encoders_round_the_command() -> None:
    errors = ArmErrors(joint_std=0.0, encoder_step=0.01)
    rng = np.random.default_rng(1)

    hits = attained_positions(PUMA, Q + 0.004, count=3, errors=errors, rng=rng)

    assert_allclose(hits, np.tile(PUMA.forward(Q)[:3, 3], (3, 1)), atol=1e-12)
    assert position_performance(hits[0], hits).repeatability == pytest.approx(0.0)


def test_misbuilding_keeps_everything_but_the_placement() -> None:
    rng = np.random.default_rng(2)
    built = misbuilt(PUMA, ArmErrors(length_std=1e-3, angle_std=0.0), rng)

    shift = built.T_parent_joint - PUMA.T_parent_joint
    assert_allclose(shift[:, :3, :3], 0.0, atol=1e-15)
    assert np.abs(shift[1:, :3, 3]).max() < 5e-3
    assert shift[1:, :3, 3].all()
    np.testing.assert_array_equal(built.mass, PUMA.mass)
    assert not (built.T_parent_joint[0] - np.eye(4)).any()


def test_too_few_hits_and_negative_steps_are_refused() -> None:
    with pytest.raises(ShapeError, match=r"`attained` must have shape \(n >= 2, 3\)"):
        position_performance([0, 0, 0], [[1, 0, 0]])
    with pytest.raises(ConfigError, match="`joint_steps` must be >= 0"):
        worst_resolution(np.eye(2), [1.0, -1.0])
