"""Tests of what is taken for a ball where much looks round."""

import numpy as np
import pytest

from gelenk.robots.piggy.setup import nominal_setup
from gelenk.robots.piggy.tracker import Frame, TrackCfg, Tracker
from gelenk.robots.piggy.tracker.clutter import Sieve
from gelenk.vision.circle_score import GateCfg
from testkit.thrown_balls import (
    FRAME,
    HEIGHT,
    WIDTH,
    camera_poses,
    circle_noise,
    circle_of,
    throw,
)

POSES = camera_poses()
LEAST = GateCfg().lowest
QUIET = TrackCfg(has_threads=False, radius_shift=0.0)


def chance(rng: np.random.Generator, count: int, score: float) -> np.ndarray:
    """Return circles anywhere, with scores about one, (count, 4)."""
    low, high = (0.0, 0.0, 6.0), (WIDTH, HEIGHT, 50.0)
    circles = np.empty((count, 4))
    circles[:, :3] = rng.uniform(low, high, (count, 3))
    circles[:, 3] = score + 0.3 * rng.normal(size=count)
    return circles


def test_clutter_raises_what_a_circle_needs_within_a_second_and_calm_lowers_it() -> (
    None
):
    rng = np.random.default_rng(1)
    sieve = Sieve()
    passed = [
        int(sieve.sift(chance(rng, 4, -2.0), k * FRAME).sum()) for k in range(200)
    ]
    assert passed[0] == 4
    assert np.mean(passed[60:]) == pytest.approx(0.22, abs=0.12)
    assert -2.0 < sieve.threshold < 0.0
    for k in range(200, 260):
        sieve.sift(np.empty((0, 4)), k * FRAME)
    assert sieve.threshold == LEAST


def test_lamps_raise_nothing_and_even_odds_always_pass() -> None:
    rng = np.random.default_rng(2)
    lamps = np.array([[100.0, 90.0, 20.0, -1.0], [400.0, 300.0, 12.0, -0.5]])
    sieve = Sieve()
    for k in range(120):
        noise = np.column_stack([0.1 * rng.normal(size=(2, 3)), np.zeros(2)])
        passed = sieve.sift(lamps + noise, k * FRAME)
        assert passed.any() == (k < 5)  # the sixth sight is one of a thing at rest
    assert sieve.threshold == LEAST
    for k in range(120, 240):
        circles = chance(rng, 9, -0.2)
        circles[4, 3] = 0.0
        assert sieve.sift(circles, k * FRAME)[4]


def test_circles_with_an_explanation_need_no_score_and_teach_nothing() -> None:
    rng = np.random.default_rng(3)
    sieve = Sieve()
    for k in range(100):
        circles = chance(rng, 5, -1.0)
        assert sieve.sift(circles, k * FRAME, np.ones(5, dtype=np.bool_)).all()
    assert sieve.threshold == LEAST


def seen(point: np.ndarray, rng: np.random.Generator, score: float, others: int):
    """Return both cameras' circles of a ball with this score, among others."""
    out = []
    for T in POSES:
        ball = np.append(circle_of(T, point) + circle_noise(rng, (3,)), score)
        rows = np.vstack([ball, chance(rng, others, -1.5)])
        out.append(rows[np.isfinite(rows[:, 0])])
    return out[0], out[1]


def test_a_ball_that_fades_in_clutter_is_followed_because_it_is_expected() -> None:
    rng = np.random.default_rng(4)
    far = np.array([0.0, -9.0, 0.0])  # behind the cameras
    hits = {}
    for first, later in ((3.0, -3.5), (-3.5, -3.5)):
        throws = throw(1, rng)
        tracker = Tracker(QUIET, nominal_setup())
        for k in range(80):
            tracker.follow(k * FRAME, seen(far, rng, 0.0, 5))
        frame: Frame | None = None
        for k in range(34):
            score = first if k < 14 else later
            p = throws.at(0, k * FRAME)[:3]
            frame = tracker.follow((80 + k) * FRAME, seen(p, rng, score, 5))
        assert frame is not None
        hits[first] = [track.hits for track in frame.tracks]
        if frame.tracks:
            gap = frame.tracks[0].position[0] - throws.at(0, 33 * FRAME)[:3]
            assert np.linalg.norm(gap) < 0.1
    assert len(hits[3.0]) == 1
    assert hits[3.0][0] > 40
    assert hits[-3.5] == []


def test_a_camera_that_sends_nothing_does_not_calm_the_place() -> None:
    rng = np.random.default_rng(5)
    tracker = Tracker(QUIET, nominal_setup())
    for k in range(80):
        circles = (chance(rng, 5, -1.0), chance(rng, 5, -1.0))
        tracker.follow(k * FRAME, circles)
    none = np.empty((0, 4))
    for k in range(80, 140):
        circles = (chance(rng, 5, -1.0), none)
        tracker.follow(k * FRAME, circles, is_sent=(True, False))
    circles = (chance(rng, 20, -2.5), chance(rng, 20, -2.5))
    frame = tracker.follow(140 * FRAME, circles)
    assert not frame.is_ball[0].any()
    assert not frame.is_ball[1].any()
