"""Tests of the tracker with circles of thrown balls; the plant shares none of its code.

Flights come from another integrator, circles from angles instead of algebra.
"""

import math

import numpy as np
import pytest

from gelenk.robots.piggy.setup import nominal_setup
from gelenk.robots.piggy.tracker import Frame, TrackCfg, Tracker
from testkit.thrown_balls import (
    FRAME,
    HEIGHT,
    WIDTH,
    Throws,
    camera_poses,
    circle_noise,
    circle_of,
    crossing,
    throw,
)

POSES = camera_poses()
QUIET = TrackCfg(has_threads=False, radius_shift=0.0)


def circles_at(points, rng, *, clutter: int = 0, still=((), ())):
    """Return both cameras' circles of balls, things at rest, and false ones."""
    out = []
    for T, things in zip(POSES, still, strict=True):
        rows = [circle_of(T, p) + circle_noise(rng, (3,)) for p in points]
        rows = [row for row in rows if not np.isnan(row[0])]
        rows += [np.array(c) + 0.1 * rng.normal(size=3) for c in things]
        high = (WIDTH, HEIGHT, 50.0)
        rows += list(rng.uniform((0.0, 0.0, 6.0), high, (clutter, 3)))
        circles = np.zeros((len(rows), 4))
        if rows:
            circles[:, :3] = rng.permutation(np.array(rows))
        out.append(circles)
    return out[0], out[1]


def follow(
    throws: Throws, rng: np.random.Generator, *, until: float = 0.1, **clutter
) -> list[tuple[float, Frame]]:
    tracker = Tracker(QUIET, nominal_setup())
    end = min((crossing(throws, k) or (1.0,))[0] for k in range(len(throws.drag)))
    frames = []
    for i in range(round((end - until) / FRAME)):
        t = i * FRAME
        places = [throws.at(k, t)[:3] for k in range(len(throws.drag))]
        frames.append((t, tracker.follow(t, circles_at(places, rng, **clutter))))
    return frames


@pytest.mark.capability("BB-67")
def test_a_thrown_ball_is_published_within_four_frames() -> None:
    rng = np.random.default_rng(1)
    starts = []
    for _ in range(5):
        throws = throw(1, rng)
        seen = None
        for k, (t, frame) in enumerate(follow(throws, rng, until=0.5)):
            p = throws.at(0, t)[:3]
            if seen is None and not any(np.isnan(circle_of(T, p)[0]) for T in POSES):
                seen = k
            if frame.tracks and seen is not None:
                starts.append(k - seen + 1)
                assert np.linalg.norm(frame.tracks[0].position[0] - p) < 0.15
                break
    assert len(starts) == 5
    assert np.median(starts) <= 3
    assert max(starts) <= 4


@pytest.mark.capability("BB-68")
def test_tracks_have_fixed_steps_and_honest_uncertainties() -> None:
    rng = np.random.default_rng(2)
    throws = throw(1, rng)
    t, frame = follow(throws, rng, until=0.3)[-1]
    (track,) = frame.tracks
    n = len(track.time)
    assert np.diff(track.time) == pytest.approx(QUIET.path_step)
    assert track.time[0] == pytest.approx(t)
    assert track.position.shape == track.velocity.shape == (n, 3)
    assert track.covariance.shape == (n, 6, 6)
    variance = np.diagonal(track.covariance, axis1=1, axis2=2)
    assert track.sigma**2 == pytest.approx(variance)
    assert (np.diff(track.sigma[1:15, 1]) > 0.0).all()  # the future is less certain
    k = 10
    truth = throws.at(0, track.time[k])
    off = np.concatenate([track.position[k], track.velocity[k]]) - truth
    assert off @ np.linalg.solve(track.covariance[k], off) < 22.5  # 99.9 %, 6 numbers
    place, velocity = track.at(track.time[k] + 0.007)
    truth = throws.at(0, track.time[k] + 0.007)
    assert np.linalg.norm(place - truth[:3]) < 0.03
    assert np.linalg.norm(velocity - truth[3:]) < 0.3


@pytest.mark.capability("BB-70")
def test_crossings_are_predicted_better_the_longer_a_ball_is_seen() -> None:
    rng = np.random.default_rng(3)
    misses = []
    for _ in range(4):
        throws = throw(1, rng)
        truth = crossing(throws, 0)
        if truth is None:
            continue
        row = []
        every = follow(throws, rng)
        for ahead in (0.5, 0.3, 0.15):
            frames = [f for t, f in every if t <= truth[0] - ahead]
            found = frames[-1].tracks[0].crossing
            assert found is not None
            assert found.probability > 0.9
            row.append(
                (
                    np.linalg.norm(found.position - truth[1][:3]),
                    abs(found.time - truth[0]),
                )
            )
        misses.append(row)
    far, middle, near = np.mean(misses, axis=0)
    assert far[0] > middle[0] > near[0]
    assert middle[0] < 0.025
    assert middle[1] < 0.006


@pytest.mark.capability("BB-65")
def test_three_balls_at_once_keep_their_numbers() -> None:
    rng = np.random.default_rng(4)
    throws = throw(3, rng)
    names: list[set[int]] = [set(), set(), set()]
    frames = follow(throws, rng, clutter=3)
    for t, frame in frames:
        for track in frame.tracks:
            gaps = [
                np.linalg.norm(track.position[0] - throws.at(k, t)[:3])
                for k in range(3)
            ]
            assert min(gaps) < 0.3
            names[int(np.argmin(gaps))].add(track.id)
    assert all(len(ids) == 1 for ids in names)
    assert len(frames[-1][1].tracks) == 3


@pytest.mark.capability("BB-69")
def test_false_circles_and_lamps_start_no_tracks() -> None:
    rng = np.random.default_rng(5)
    tracker, frame = Tracker(QUIET, nominal_setup()), None
    # A globe as large as a ball, at rest before the thrower, whole in both images.
    globe = np.array([-0.2, 3.6, 2.4])
    still = tuple([circle_of(T, globe), (100.0, 80.0, 20.0)] for T in POSES)
    for i in range(60):
        circles = circles_at([], rng, clutter=10, still=still)
        frame = tracker.follow(i * FRAME, circles)
        assert not frame.tracks
    assert frame is not None
    assert [int((~mask).sum()) >= 2 for mask in frame.is_ball] == [True, True]
    throws = throw(1, rng)
    seen = 0
    for i in range(40):
        t = i * FRAME
        places = [throws.at(0, t)[:3]]
        circles = circles_at(places, rng, clutter=10, still=still)
        frame = tracker.follow(2.0 + t, circles)
        for track in frame.tracks:
            assert np.linalg.norm(track.position[0] - places[0]) < 0.3
            seen += 1
    assert seen > 25


def test_a_track_outlives_the_sight_of_its_ball_and_ends_behind_the_robot() -> None:
    rng = np.random.default_rng(6)
    throws = throw(1, rng)
    tracker, frame = Tracker(QUIET, nominal_setup()), None
    end = (crossing(throws, 0) or (1.0,))[0]
    gone = 0.0
    for i in range(round(1.6 / FRAME)):
        t = i * FRAME
        places = [throws.at(0, t)[:3]] if t < end - 0.2 else []
        frame = tracker.follow(t, circles_at(places, rng))
        if end - 0.2 <= t < end:
            assert len(frame.tracks) == 1
            assert np.linalg.norm(frame.tracks[0].position[0] - throws.at(0, t)[:3]) < (
                0.08
            )
            gone = t
    assert gone > 0.0
    assert frame is not None
    assert not frame.tracks


def test_a_camera_that_sends_nothing_does_not_end_a_track() -> None:
    rng = np.random.default_rng(7)
    throws = throw(1, rng)
    tracker, frame = Tracker(QUIET, nominal_setup()), None
    for i in range(34):
        t = i * FRAME
        left, right = circles_at([throws.at(0, t)[:3]], rng)
        is_sent = (True, i < 16)
        right = right if i < 16 else np.zeros((0, 4))
        frame = tracker.follow(t, (left, right), is_sent=is_sent)
    assert frame is not None
    (track,) = frame.tracks
    assert np.linalg.norm(track.position[0] - throws.at(0, 33 * FRAME)[:3]) < 0.1


@pytest.mark.capability("BB-101")
def test_a_ball_that_is_carried_or_flies_away_has_no_track() -> None:
    rng = np.random.default_rng(8)
    for v in ((0.0, 0.0, 0.0), (1.0, 0.0, 0.3), (0.0, 7.0, 3.0)):
        tracker = Tracker(QUIET, nominal_setup())
        for i in range(30):
            t = i * FRAME
            wave = 0.15 * math.sin(9.0 * t)
            p = np.array([-0.3, 4.0, 2.2]) + t * np.array(v) + [wave, 0.0, 0.0]
            frame = tracker.follow(t, circles_at([p], rng))
            assert not frame.tracks
