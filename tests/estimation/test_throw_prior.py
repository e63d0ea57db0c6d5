"""Priors of throws: what is learnt from samples, and what a place says about the rest."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation.ball_tracks import (
    ThrowPrior,
    learn_throw_prior,
    prior_density,
    prior_given_place,
)
from gelenk.estimation.kalman import Belief, kalman_update, merge_beliefs

PLACE, C = np.array([0.2, 4.1, 2.1]), np.diag([0.01, 0.09, 0.01])


def _prior():
    rng = np.random.default_rng(0)
    roots = rng.normal(size=(4, 6, 6)) * 0.3
    mean = np.array([[0.0, 5.0 - k, 2.0, 0.0, -7.0, 2.0 - k] for k in range(4)])
    return ThrowPrior(
        mean=mean,
        covariance=roots @ roots.transpose(0, 2, 1) + 0.05 * np.eye(6),
        weight=np.array([0.4, 0.3, 0.2, 0.1]),
    )


def test_slices_have_the_moments_of_the_throws():
    rng = np.random.default_rng(1)
    law = multivariate_normal(np.arange(6.0), np.diag([0.5, 0.4, 0.3, 0.2, 0.1, 0.6]))
    paths = law.rvs((5000, 3), random_state=rng)
    paths[:2500, 2] = np.nan

    prior = learn_throw_prior(paths, inflation=1.0)

    assert_allclose(prior.mean, np.tile(np.arange(6.0), (3, 1)), atol=0.05)
    assert_allclose(prior.covariance[0], law.cov, atol=0.04)
    assert_allclose(prior.weight, (0.4, 0.4, 0.2), atol=1e-12)


def test_inflation_widens_and_few_throws_are_refused():
    paths = np.random.default_rng(2).normal(size=(30, 2, 6))
    paths[10:, 1] = np.nan

    wide, plain = (
        learn_throw_prior(paths, inflation=2.0),
        learn_throw_prior(paths, inflation=1.0),
    )

    assert len(plain.weight) == 1  # ten throws are no slice
    floor = np.diag([1e-4] * 3 + [1e-3] * 3)
    assert_allclose(
        wide.covariance - floor, 4.0 * (plain.covariance - floor), rtol=1e-12
    )
    with pytest.raises(ConfigError, match="record more"):
        learn_throw_prior(paths[:5])


def test_the_density_of_a_place_is_that_of_the_mixture():
    prior = _prior()
    by_scipy = [
        multivariate_normal(m[:3], P[:3, :3] + C).logpdf(PLACE)
        for m, P in zip(prior.mean, prior.covariance, strict=True)
    ]

    found = prior_density(prior.mean, prior.covariance, prior.weight, PLACE, C)

    assert found == pytest.approx(logsumexp(by_scipy, b=prior.weight), abs=1e-10)


def test_a_place_corrects_every_slice_and_merges_them():
    prior = _prior()
    done = [
        kalman_update(Belief(mean=m, covariance=P), PLACE, np.eye(3, 6), C)
        for m, P in zip(prior.mean, prior.covariance, strict=True)
    ]
    expected = merge_beliefs(
        prior.weight * np.exp([d.log_likelihood for d in done]),
        [d.belief for d in done],
    )
    x, P = np.empty(6), np.empty((6, 6))

    prior_given_place(prior.mean, prior.covariance, prior.weight, PLACE, C, x, P)

    assert_allclose(x, expected.mean, atol=1e-8)
    assert_allclose(P, expected.covariance, atol=1e-8)


def test_mistakes_are_named():
    prior = _prior()
    with pytest.raises(ShapeError, match="mean"):
        ThrowPrior(mean=np.zeros(6), covariance=np.eye(6), weight=np.ones(1))
    with pytest.raises(ConfigError, match="weight"):
        ThrowPrior(mean=prior.mean, covariance=prior.covariance, weight=np.ones(4))
    with pytest.raises(ConfigError, match="positive definite"):
        ThrowPrior(mean=prior.mean, covariance=-prior.covariance, weight=prior.weight)
    with pytest.raises(ShapeError, match="paths"):
        learn_throw_prior(np.zeros((3, 6)))
