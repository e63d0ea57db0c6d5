"""Compiled filters against the plain ones, and against what chi-square allows."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ShapeError
from gelenk.estimation.kalman import (
    Belief,
    chi2_band,
    chi2_gate,
    extended_predict,
    extended_update,
    nees,
)
from gelenk.estimation.unscented import unscented_predict, unscented_update
from gelenk.navigation.landmark_filter import track_landmarks
from gelenk.spatial.angles import wrap_angle

LANDMARKS = np.array([[4.0, 5.0], [-3.0, 2.0], [1.0, -4.0], [6.0, -1.0]])
Q, R = np.diag([4e-4, 4e-4, 1e-4]), np.diag([0.01, 0.0025])
START = Belief(mean=[0.0, 0.0, 0.3], covariance=np.diag([0.01, 0.01, 0.005]))
DT, STEPS = 0.2, 60


def _drives(runs, rng):
    """Return controls, true poses, readings of robots that obey the model."""
    controls = np.zeros((runs, STEPS, 2))
    controls[..., 0], controls[..., 1] = 0.8, 0.4 * np.sin(0.1 * np.arange(STEPS))
    x = START.mean + rng.normal(size=(runs, 3)) * START.sigma
    truth, z = np.empty((runs, STEPS, 3)), np.empty((runs, STEPS, 4, 2))
    for t in range(STEPS):
        v, w = controls[:, t].T
        x = x + DT * np.stack([v * np.cos(x[:, 2]), v * np.sin(x[:, 2]), w], axis=1)
        x = x + rng.normal(size=(runs, 3)) * np.sqrt(np.diag(Q))
        truth[:, t] = x
        d = LANDMARKS - x[:, None, :2]
        bearing = np.arctan2(d[..., 1], d[..., 0]) - x[:, None, 2]
        z[:, t] = np.stack([np.hypot(*np.moveaxis(d, -1, 0)), bearing], axis=-1)
        z[:, t] += rng.normal(size=(runs, 4, 2)) * np.sqrt(np.diag(R))
    z[..., 1] = wrap_angle(z[..., 1])
    z[:, np.arange(STEPS) % 3 != 0, 2:] = np.nan  # two of them are seen now and then
    return controls, truth, z


@pytest.mark.capability("GR-247", "GR-248", "GR-249")
def test_the_published_step_by_the_compiled_filter():
    start = Belief(
        mean=[1.0, 2.0, math.pi / 6], covariance=np.diag([0.01, 0.01, 0.005])
    )
    options = {"dt": 1.0, "Q": np.diag([1e-3, 1e-3, 5e-4]), "R": R}
    blind = track_landmarks(start, [[0.5, 0.2]], [[[np.nan] * 2]], [[4, 5]], **options)
    seen = track_landmarks(start, [[0.5, 0.2]], [[[3.7, 0.05]]], [[4, 5]], **options)
    assert_allclose(blind.mean[0], (1.433013, 2.25, 0.723599), atol=5e-7)
    P = [
        [0.011312, -0.000541, -0.00125],
        [-0.000541, 0.011938, 0.002165],
        [-0.00125, 0.002165, 0.0055],
    ]
    assert_allclose(blind.covariance[0], P, atol=6e-7)
    assert_allclose(seen.mean[0], (1.437873, 2.292336, 0.752227), atol=5e-7)
    assert seen.nis[0, 0] == pytest.approx(0.371505, abs=5e-7)
    diagonal = np.diag(seen.covariance[0])
    assert_allclose(diagonal, (0.007317, 0.006956, 0.001781), atol=5e-7)


def _drive(u):
    def f(x):
        step = [
            u[0] * np.cos(x[..., 2]),
            u[0] * np.sin(x[..., 2]),
            0 * x[..., 2] + u[1],
        ]
        return x + DT * np.stack(step, axis=-1)

    return f


def _slope(u):
    def A(x):
        s, c = DT * u[0] * np.sin(x[2]), DT * u[0] * np.cos(x[2])
        return np.array([[1, 0, -s], [0, 1, c], [0, 0, 1]])

    return A


def _sight(m):
    def h(x):
        d = m - x[..., :2]
        bearing = np.arctan2(d[..., 1], d[..., 0]) - x[..., 2]
        return np.stack([np.hypot(d[..., 0], d[..., 1]), bearing], axis=-1)

    return h


@pytest.mark.capability("GR-247", "GR-248")
def test_compiled_filters_are_the_plain_ones():
    """The plain filters are proved elsewhere; they share no loop with these."""
    controls, _, z = _drives(1, np.random.default_rng(0))

    def turned(a, b):
        d = np.subtract(a, b)
        return np.array([d[0], float(wrap_angle(d[1]))])

    def H(m):
        def slope(x):
            d = m - x[:2]
            q, r = d @ d, math.hypot(*d)
            return np.array([[-d[0] / r, -d[1] / r, 0], [d[1] / q, -d[0] / q, -1]])

        return slope

    for method in ("extended", "unscented"):
        belief = START
        for t in range(STEPS):
            u = controls[0, t]
            if method == "extended":
                belief = extended_predict(belief, _drive(u), _slope(u), Q)
            else:
                belief = unscented_predict(belief, _drive(u), Q)
            for m, reading in zip(LANDMARKS, z[0, t], strict=True):
                if np.isnan(reading[0]):
                    continue
                expected = _sight(m)(belief.mean)
                near = expected + turned(reading, expected)
                if method == "extended":
                    belief = extended_update(belief, near, _sight(m), H(m), R).belief
                else:
                    h = _sight(m)
                    unwrapped = lambda x, h=h, e=expected: np.stack(  # noqa: E731
                        [h(x)[:, 0], e[1] + wrap_angle(h(x)[:, 1] - e[1])], axis=-1
                    )
                    belief = unscented_update(belief, near, unwrapped, R).belief
        ours = track_landmarks(
            START, controls[0], z[0], LANDMARKS, dt=DT, Q=Q, R=R, method=method
        )
        gap = ours.mean[-1] - belief.mean
        gap[2] = wrap_angle(gap[2])
        assert_allclose(gap, 0.0, atol=1e-9)
        assert_allclose(ours.covariance[-1], belief.covariance, atol=1e-10)


@pytest.fixture(scope="module")
def hundred():
    """Controls, true poses and readings of a hundred seeds."""
    drives = [_drives(1, np.random.default_rng(seed)) for seed in range(100)]
    return tuple(np.concatenate(part) for part in zip(*drives, strict=True))


@pytest.mark.capability("GR-248")
@pytest.mark.parametrize("method", ["extended", "unscented"])
def test_over_a_hundred_seeds_errors_and_residuals_are_as_large_as_told(
    method, hundred
):
    """The oracle is chi-square; a filter that trusts its motion too much leaves it."""
    controls, truth, z = hundred

    def judged(noise):
        track = track_landmarks(
            START, controls, z, LANDMARKS, dt=DT, Q=noise, R=R, method=method
        )
        error = track.mean - truth
        error[..., 2] = wrap_angle(error[..., 2])
        squares = nees(error, track.covariance)
        return squares[:, [14, 29, 44, 59]].mean(axis=0), track.nis

    error, nis = judged(Q)
    low, high = chi2_band(3, 100, level=0.999)
    assert ((low < error) & (error < high)).all()
    seen = nis[~np.isnan(nis)]
    low, high = chi2_band(2, seen.size, level=0.999)
    assert low < seen.mean() < high
    sure, _ = judged(0.2 * Q)
    assert (sure > chi2_band(3, 100, level=0.999)[1]).any()


@pytest.mark.capability("GR-249")
def test_gated_filters_forget_outliers_and_others_are_led_astray():
    rng = np.random.default_rng(1)
    controls, truth, z = _drives(40, rng)
    wrong = rng.random(z.shape[:3]) < 0.05
    z[..., 0] += np.where(wrong, rng.uniform(2, 5, wrong.shape), 0.0)
    gaps = {}
    for name, gate in (("gated", chi2_gate(2)), ("open", math.inf)):
        track = track_landmarks(
            START, controls, z, LANDMARKS, dt=DT, Q=Q, R=R, gate=gate
        )
        gaps[name] = np.linalg.norm((track.mean - truth)[..., :2], axis=-1).mean()
    assert gaps["gated"] < 0.4 * gaps["open"]


def test_readings_must_fit_the_steps():
    with pytest.raises(ShapeError, match="readings"):
        track_landmarks(
            START, np.zeros((3, 2)), np.zeros((2, 4, 2)), LANDMARKS, dt=1.0, Q=Q, R=R
        )
