"""Multi-hypothesis tracking of points on a plane: closed forms, crossings, clutter."""

import inspect
import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import multivariate_normal

from gelenk.errors import ConfigError, ShapeError
from gelenk.estimation import multi_hypothesis
from gelenk.estimation.multi_hypothesis import (
    DetectionScan,
    MultiHypothesisTracker,
    TrackerCfg,
    TrackerState,
)

SIDE = 20.0  # [m], of the field
NOISE = 0.05
R = NOISE**2 * np.eye(2)
H = np.eye(2, 4)


class Points:
    """Objects that move almost straight, in the manner of a textbook."""

    probability = 0.9

    def __init__(self):
        self.updates = 0

    def predict(self, state, dt):
        x, P = state
        A = np.eye(4) + dt * np.eye(4, k=2)
        return A @ x, A @ P @ A.T + dt * np.diag([1e-5, 1e-5, 1e-3, 1e-3])

    def likelihoods(self, state, scan):
        x, P = state
        S = H @ P @ H.T + R
        d = scan.detections - x[:2]
        nis = np.einsum("ni,ij,nj->n", d, np.linalg.inv(S), d)
        value = -0.5 * (nis + math.log(np.linalg.det(2 * math.pi * S)))
        return np.where(nis < 20.0, value, -np.inf)

    def update(self, state, scan, index):
        self.updates += 1
        x, P = state
        K = P @ H.T @ np.linalg.inv(H @ P @ H.T + R)
        return x + K @ (scan.detections[index] - x[:2]), (np.eye(4) - K @ H) @ P

    def detection_probability(self, state, scan):
        return self.probability

    def births(self, scan):
        return np.full(len(scan.detections), -2 * math.log(SIDE))

    def birth(self, scan, index):
        x = np.concatenate([scan.detections[index], np.zeros(2)])
        return x, np.diag([NOISE**2, NOISE**2, 1.0, 1.0])

    def is_lost(self, state, silence):
        return silence > 1.0


def _cfg(clutter=2.0, **changes):
    return replace(TrackerCfg(clutter_density=max(clutter, 0.1) / SIDE**2), **changes)


def _run(paths, *, clutter=0.0, detect=0.9, seed=0, cfg=None, scans=60, dt=0.1):
    """Return the tracks after every scan; paths map a time to a place."""
    rng = np.random.default_rng(seed)
    tracker, state, told = (
        MultiHypothesisTracker(Points(), cfg or _cfg(clutter)),
        TrackerState(),
        [],
    )
    for k in range(scans):
        seen = [
            path(k * dt) + NOISE * rng.normal(size=2)
            for path in paths
            if rng.random() < detect
        ]
        false = rng.uniform(0.0, SIDE, (rng.poisson(clutter), 2))
        rows = rng.permutation(np.vstack([np.reshape(seen, (-1, 2)), false]))
        state = tracker.step(state, DetectionScan(time=k * dt, detections=rows))
        told.append(tracker.tracks(state))
    return told, state


def _error(track, path, t):
    return float(np.linalg.norm(track.state[0][:2] - path(t)))


def _up(t):
    return np.array([4.0 + 2.0 * t, 7.0 + 1.0 * t])


def _down(t):
    return np.array([4.0 + 2.0 * t, 13.0 - 1.0 * t])


@pytest.mark.capability("GR-250", "BB-65")
@pytest.mark.parametrize("clutter", [0.0, 3.0])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_two_objects_keep_their_numbers_when_they_cross(clutter, seed):
    told, _ = _run([_up, _down], clutter=clutter, seed=seed)

    before = {
        min(told[20], key=lambda track, p=p: _error(track, p, 2.0)).id
        for p in (_up, _down)
    }
    assert len(before) == 2
    for path in (_up, _down):
        first = min(told[20], key=lambda track, p=path: _error(track, p, 2.0))
        last = next(track for track in told[-1] if track.id == first.id)
        assert _error(first, path, 2.0) < 0.2
        assert _error(last, path, 5.9) < 0.2


@pytest.mark.capability("GR-250")
@pytest.mark.parametrize("clutter", [0.0, 1.0, 5.0, 10.0])
def test_clutter_makes_no_lasting_tracks_and_hides_none(clutter):
    false, found = 0, 0
    for seed in range(3):
        told, _ = _run([_up], clutter=clutter, seed=seed, scans=40)
        for k in range(10, 40):
            near = [track for track in told[k] if _error(track, _up, 0.1 * k) < 0.3]
            found += len(near) == 1
            false += len(told[k]) - len(near)

    assert found >= 0.97 * 90
    assert false <= 0.05 * 90


def test_a_track_survives_missed_detections_and_ends_when_they_last():
    rng = np.random.default_rng(0)
    tracker, state, told = (
        MultiHypothesisTracker(Points(), _cfg(0.1)),
        TrackerState(),
        [],
    )
    for k in range(60):
        hidden = 20 <= k < 25 or k >= 40
        rows = (
            np.empty((0, 2))
            if hidden
            else (_up(0.1 * k) + NOISE * rng.normal(size=2))[None]
        )
        state = tracker.step(state, DetectionScan(time=0.1 * k, detections=rows))
        told.append(tracker.tracks(state))

    assert {track.id for tracks in told for track in tracks} == {told[10][0].id}
    assert told[24]
    assert told[39][0].seen == pytest.approx(3.9)
    assert not told[-1]


def test_weights_are_those_of_the_closed_form():
    """One scan, one detection: clutter or birth, with odds that are known."""
    cfg = _cfg(2.0)
    state = MultiHypothesisTracker(Points(), cfg).step(
        TrackerState(), DetectionScan(time=0.0, detections=np.array([[5.0, 5.0]]))
    )

    odds = cfg.birth_rate / SIDE**2 / cfg.clutter_density
    weights = {len(h.leaves): math.exp(h.log_weight) for h in state.hypotheses}
    assert weights == pytest.approx(
        {0: 1 / (1 + odds), 1: odds / (1 + odds)}, abs=1e-12
    )


def test_two_scans_are_weighed_as_by_hand():
    """Second scan: the track again, a miss and another birth, clutter only."""
    cfg, p = _cfg(2.0, max_gap=50.0), Points.probability
    tracker = MultiHypothesisTracker(Points(), cfg)
    first, second = np.array([[5.0, 5.0]]), np.array([[5.02, 5.01]])
    state = tracker.step(TrackerState(), DetectionScan(time=0.0, detections=first))
    state = tracker.step(state, DetectionScan(time=0.1, detections=second))

    model = Points()
    x, P = model.predict(model.birth(DetectionScan(time=0.0, detections=first), 0), 0.1)
    density = multivariate_normal(x[:2], H @ P @ H.T + R).pdf(second[0])
    b, c = cfg.birth_rate / SIDE**2, cfg.clutter_density
    by_hand = {
        "clutter, clutter": c * c,
        "clutter, birth": c * b,
        "birth, track": b * p * density,
        "birth, miss and clutter": b * (1 - p) * c,
        "birth, miss and birth": b * (1 - p) * b,
    }
    total = sum(by_hand.values())
    found = sorted(math.exp(h.log_weight) for h in state.hypotheses)
    assert_allclose(
        found, sorted(value / total for value in by_hand.values()), atol=1e-12
    )


def test_old_decisions_become_final():
    _, state = _run([_up, _down], clutter=3.0, cfg=_cfg(3.0, depth=3), scans=30)

    roots = [
        {state.leaves[n].path[0] for n in h.leaves if state.leaves[n].scans >= 3}
        for h in state.hypotheses
    ]
    assert all(r == roots[0] for r in roots)
    assert all(len(leaf.path) <= 4 for leaf in state.leaves.values())


def test_a_storm_of_detections_costs_bounded_work():
    rng = np.random.default_rng(0)
    model, cfg = Points(), _cfg(5.0)
    tracker, state = MultiHypothesisTracker(model, cfg), TrackerState()
    for k in range(15):
        storm = rng.uniform(0.0, SIDE, (2000 if k >= 10 else 0, 2))
        rows = np.vstack([(_up(0.1 * k) + NOISE * rng.normal(size=2))[None], storm])
        before = model.updates
        state = tracker.step(state, DetectionScan(time=0.1 * k, detections=rows))

        assert len(state.hypotheses) <= cfg.max_hypotheses
        assert model.updates - before <= cfg.max_hypotheses * cfg.max_detections
        assert len(state.leaves) <= cfg.max_hypotheses * (cfg.max_births + 8)

    best = tracker.tracks(state)
    assert any(_error(track, _up, 1.4) < 0.3 for track in best)


def test_a_step_changes_nothing_of_what_it_is_given():
    tracker = MultiHypothesisTracker(Points(), _cfg())
    scans = [
        DetectionScan(time=0.1 * k, detections=_up(0.1 * k)[None]) for k in range(6)
    ]
    state = TrackerState()
    for scan in scans[:5]:
        state = tracker.step(state, scan)

    one, two = tracker.step(state, scans[5]), tracker.step(state, scans[5])

    assert one.next_node == two.next_node
    assert [h.leaves for h in one.hypotheses] == [h.leaves for h in two.hypotheses]
    assert [h.log_weight for h in one.hypotheses] == [
        h.log_weight for h in two.hypotheses
    ]
    assert state.time == scans[4].time


def test_numbers_of_tracks_are_never_used_again():
    told, state = _run([_up], clutter=5.0, scans=30)

    ids = [leaf.track for leaf in state.leaves.values()]
    assert max(ids) < state.next_track
    assert len({track.id for track in told[-1]}) == len(told[-1])


def test_the_tracker_knows_nothing_but_scans_and_its_model():
    source = inspect.getsource(multi_hypothesis)

    imports = [
        line for line in source.splitlines() if line.startswith(("import", "from"))
    ]
    assert not any(
        word in line
        for line in imports
        for word in ("sim", "testing", "ball", "mujoco")
    )


def test_mistakes_are_named():
    tracker = MultiHypothesisTracker(Points(), _cfg())
    state = tracker.step(
        TrackerState(), DetectionScan(time=1.0, detections=np.empty((0, 2)))
    )
    with pytest.raises(ConfigError, match="order of time"):
        tracker.step(state, DetectionScan(time=0.5, detections=np.empty((0, 2))))
    with pytest.raises(ShapeError, match="detections"):
        DetectionScan(time=0.0, detections=np.zeros(2))
    with pytest.raises(ConfigError, match="clutter_density"):
        TrackerCfg(clutter_density=0.0)
    with pytest.raises(ConfigError, match="depth"):
        TrackerCfg(clutter_density=1.0, depth=0)
