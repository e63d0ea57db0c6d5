"""Predictions in other axes, over the images, and for other balls.

Flights come from another integrator than the tracker's, circles from angles.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.robots.piggy.calibration.flights import Flight, calibrate_flight
from gelenk.robots.piggy.panel.drawn import predictions, seen
from gelenk.robots.piggy.setup import CameraSetup, Setup, nominal_setup
from gelenk.robots.piggy.tracker import Frame, TrackCfg, Tracker
from gelenk.runtime.panel import PixelPath, WorldTube
from gelenk.spatial import so3
from testkit.thrown_balls import (
    FRAME,
    ThrowCfg,
    Throws,
    camera_poses,
    circle_noise,
    circle_of,
    crossing,
    throw,
)

QUIET = TrackCfg(has_threads=False, radius_shift=0.0)
SIGHTS = 26


def circles_of(p: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    rows = [circle_of(T, p) + circle_noise(rng, (3,)) for T in camera_poses()]
    return tuple(
        np.array([[*row, 0.0]]) if np.isfinite(row).all() else np.empty((0, 4))
        for row in rows
    )


def follow(setup: Setup, throws: Throws, k: int = 0) -> list[Frame]:
    rng = np.random.default_rng([7, k])
    with Tracker(QUIET, setup) as tracker:
        return [
            tracker.follow(i * FRAME, circles_of(throws.at(k, i * FRAME)[:3], rng))  # pyright: ignore[reportArgumentType]
            for i in range(SIGHTS)
        ]


def moved(setup: Setup, T: np.ndarray) -> Setup:
    """Return the same robot, described in other axes: T takes old points to new."""
    left, right = (
        CameraSetup(intrinsics=c.intrinsics, T_world_camera=T @ c.T_world_camera)
        for c in setup.cameras
    )
    R6 = np.kron(np.eye(2), T[:3, :3])
    shift = np.concatenate([T[:3, 3], np.zeros(3)])
    prior = replace(
        setup.prior,
        mean=setup.prior.mean @ R6.T + shift,
        covariance=R6 @ setup.prior.covariance @ R6.T,
    )
    gravity = T[:3, :3] @ np.asarray(setup.gravity, dtype=np.float64)
    return replace(setup, left=left, right=right, gravity=gravity, prior=prior)


@pytest.mark.capability("BB-95")
def test_predictions_in_camera_axes_carried_to_the_world_are_those_of_the_world() -> (
    None
):
    """Mean and covariance, now and 0.3 s ahead, from levelled axes of the left camera.

    Level, because the filter takes the wind for horizontal; not to the last digit,
    because sigma points lie along other axes.
    """
    setup, throws = nominal_setup(), throw(1, np.random.default_rng(2))
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = so3.rot_z(0.9), setup.left.T_world_camera[:3, 3]
    inside = moved(setup, np.linalg.inv(T))
    assert_allclose(inside.left.T_world_camera[:3, 3], 0.0, atol=1e-12)
    R6, shift = np.kron(np.eye(2), T[:3, :3]), np.concatenate([T[:3, 3], np.zeros(3)])
    (world,), (camera,) = (
        follow(known, throws)[-1].tracks for known in (setup, inside)
    )
    stamp, ahead = (SIGHTS - 1) * FRAME, np.array([0.0, 0.3])
    there, here = (
        Tracker(QUIET, known).model.filter.path(track.belief, ahead)
        for known, track in ((setup, world), (inside, camera))
    )
    for k, later in enumerate(ahead):
        carried = R6 @ np.concatenate([here.position[k], here.velocity[k]]) + shift
        P = R6 @ here.covariance[k] @ R6.T
        direct = np.concatenate([there.position[k], there.velocity[k]])
        off = carried - direct
        assert off @ np.linalg.solve(P, off) < 1.0
        shares = np.linalg.eigvals(np.linalg.solve(there.covariance[k], P)).real
        assert 0.7 < shares.min() <= shares.max() < 1.4
        error = carried - throws.at(0, stamp + later)
        assert error @ np.linalg.solve(P, error) < 22.5  # 99.9 %, 6 numbers
        wrong = np.concatenate([here.position[k], here.velocity[k]]) - direct
        assert wrong @ np.linalg.solve(P, wrong) > 1e3  # not carried at all


@pytest.mark.capability("BB-97")
def test_what_is_drawn_lies_on_the_ball_in_both_images_and_in_space() -> None:
    setup, throws = nominal_setup(), throw(1, np.random.default_rng(3))
    frame = follow(setup, throws)[-1]
    (track,) = frame.tracks
    for side, T in enumerate(camera_poses()):
        marks = seen(frame, side, setup.cameras[side])
        assert {"balls", "prediction"} <= {mark.layer for mark in marks}
        (way,) = [mark for mark in marks if isinstance(mark, PixelPath)]
        for sample in (0, 2):  # now, and a little later
            truth = circle_of(T, throws.at(0, float(track.time[sample]))[:3])
            assert np.hypot(*(np.asarray(way.at)[sample] - truth[:2])) < 1.0
    (tube,) = [item for item in predictions(frame) if isinstance(item, WorldTube)]
    truth = throws.at(0, float(track.time[0]))[:3]
    assert np.linalg.norm(np.asarray(tube.at)[0] - truth) < 0.02


@pytest.mark.slow
@pytest.mark.capability("BB-98")
def test_every_kind_of_ball_is_predicted_best_with_what_was_learnt_of_it() -> None:
    """Rubber and foam, the second with twice the drag, each learnt from 14 throws."""
    setup = replace(nominal_setup(), drag_sigma=0.05)
    kinds, learnt = {"rubber": 0.061, "foam": 0.122}, {}
    for name, drag in kinds.items():
        cfg = ThrowCfg(drag=drag, drag_sigma=0.02, spin_sigma=2.0)
        rng = np.random.default_rng(5)
        throws = throw(14, rng, cfg)
        times = np.arange(2.0, 40.0) * FRAME
        flights = [
            Flight(
                time=times,
                circles=np.array(
                    [
                        [circle_of(T, throws.at(k, t)[:3]) for T in camera_poses()]
                        for t in times
                    ]
                )
                + circle_noise(rng, (len(times), 2, 3)),
            )
            for k in range(14)
        ]
        found = calibrate_flight(
            flights, setup.camera_rows, gravity=np.asarray(setup.gravity), drag=0.08
        )
        assert found.drag == pytest.approx(drag, rel=0.06)
        learnt[name] = replace(setup, drag=found.drag)
    for name, drag in kinds.items():
        cfg = ThrowCfg(drag=drag, drag_sigma=0.02, spin_sigma=2.0)
        throws = throw(3, np.random.default_rng(6), cfg)
        off = {
            known: [_miss(learnt[known], throws, k) for k in range(3)]
            for known in kinds
        }
        other = next(known for known in kinds if known != name)
        assert np.mean(off[other]) > 2.0 * np.mean(off[name])


def _miss(setup: Setup, throws: Throws, k: int) -> float:
    """Return how far the predicted crossing is from the true one [m]."""
    truth = crossing(throws, k)
    found = follow(setup, throws, k)[-1].tracks[0].crossing
    assert truth is not None
    assert found is not None
    return float(np.linalg.norm(found.position - truth[1][:3]))
