"""Recorded flights: replayed bit for bit, and enough for what is computed from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gelenk.errors import FileFormatError
from gelenk.robots.piggy.calibration.collect import flight_from_frames
from gelenk.robots.piggy.setup import nominal_setup
from gelenk.robots.piggy.tracker import Frame, TrackCfg
from gelenk.robots.piggy.tracker.recording import (
    RecordingTracker,
    SeenFrame,
    landings,
    read_recording,
    replay,
    write_recording,
)
from testkit.thrown_balls import (
    FRAME,
    camera_poses,
    circle_noise,
    circle_of,
    throw,
)

QUIET = TrackCfg(has_threads=False, radius_shift=0.0)
THROWS = 2


@pytest.fixture(scope="module")
def recorded() -> tuple[list[Frame], list[SeenFrame]]:
    """Two throws, one after the other, seen from afar until they are near."""
    rng = np.random.default_rng(0)
    throws = throw(THROWS, rng)
    frames = []
    with RecordingTracker(QUIET, nominal_setup()) as tracker:
        for k in range(THROWS):
            for i in range(30):
                t = i * FRAME
                rows = [
                    circle_of(T, throws.at(k, t)[:3]) + circle_noise(rng, (3,))
                    for T in camera_poses()
                ]
                left, right = (
                    np.array([[*row, 0.0]])
                    if np.isfinite(row).all()
                    else np.empty((0, 4))
                    for row in rows
                )
                bat = None if i % 2 else np.array([-0.3, -0.6, 1.7])
                frames.append(tracker.follow(3.0 * k + t, (left, right), bat=bat))
        return frames, list(tracker.frames)


@pytest.mark.capability("BB-96")
def test_a_recording_from_a_file_gives_every_prediction_again(
    recorded: tuple[list[Frame], list[SeenFrame]], tmp_path: Path
) -> None:
    frames, seen = recorded
    path = tmp_path / "flights.npz"
    write_recording(path, seen)
    kept = read_recording(path)
    again = replay(kept, QUIET, nominal_setup())

    assert sum(len(frame.tracks) for frame in frames) > 40
    for frame, stored, new in zip(frames, kept, again, strict=True):
        assert [t.id for t in new.tracks] == [t.id for t in frame.tracks]
        for track, told, other in zip(
            frame.tracks, stored.predictions, new.tracks, strict=True
        ):
            for name in ("time", "position", "velocity", "sigma", "covariance"):
                np.testing.assert_array_equal(
                    getattr(other, name), getattr(track, name)
                )
            np.testing.assert_array_equal(told.samples[:, 1:4], track.position)
            assert told.id == track.id


@pytest.mark.capability("BB-96")
def test_landings_and_flights_come_from_the_recording_alone(
    recorded: tuple[list[Frame], list[SeenFrame]],
) -> None:
    """First and last landing as EX-12 asks, and the circles that EX-11 fits."""
    frames, seen = recorded
    places = landings(seen)
    assert len(places) == THROWS
    for rows in places.values():
        early, late = rows[:6, 1:], rows[-6:, 1:]
        assert np.ptp(early, axis=0).max() > np.ptp(late, axis=0).max()  # it sharpens
        assert np.abs(np.diff(rows[:, 0]) - FRAME).max() < 1e-9
    setup = nominal_setup()
    first, second = (
        flight_from_frames(part, setup.camera_rows)
        for part in (frames[:30], replay(seen[:30], QUIET, setup))
    )
    assert first is not None
    assert second is not None
    np.testing.assert_array_equal(first.circles, second.circles)


def test_another_setup_makes_something_else_of_the_same_circles(
    recorded: tuple[list[Frame], list[SeenFrame]],
) -> None:
    frames, seen = recorded
    heavy = replace(nominal_setup(), drag=0.02)
    other = replay(seen[:30], QUIET, heavy)
    mine, theirs = (some[29].tracks[0].position[-1] for some in (frames, other))
    assert np.linalg.norm(mine - theirs) > 1e-3


def test_what_is_no_recording_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    with pytest.raises(FileFormatError, match=r"x\.npz"):
        read_recording(path)
    path.write_text("hello", encoding="utf-8")
    with pytest.raises(FileFormatError, match="no recording of flights"):
        read_recording(path)
    np.savez(path, version=np.array(1))
    with pytest.raises(FileFormatError, match="left"):
        read_recording(path)
