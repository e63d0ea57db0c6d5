"""Throws that the tracker watches in rendered images, beside the truth.

The tracker sees images of the world and nothing else; the truth is the judge's, and
only figures are made of it.

A prediction is where and when play would meet the ball: a point for the bat, and a
moment. It is as good as the ball passes near that point, near that moment. The place at
which a path enters the workspace is another thing: where the path is flat to that sheet
millimetres across it are centimetres along it, but for the bat they stay millimetres.
Both are told. Whether it knows how good it is, NEES, is asked in the frame that
its cameras believe in: a calibration turns the whole world by a twentieth of a degree,
which no ball can show.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

import numpy as np

from gelenk.dynamics.flight_crossing import CrossingPlane
from gelenk.estimation.kalman import nees
from gelenk.robots.piggy import robot as unit
from gelenk.robots.piggy.balls import BallFlight
from gelenk.robots.piggy.cameras import RigCfg, TrueCamera
from gelenk.robots.piggy.config import BALL_RADIUS, HOME
from gelenk.robots.piggy.crossing import find_crossing
from gelenk.robots.piggy.judge import Crossing, crossing_of
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.setup import Setup, shipped_setup
from gelenk.robots.piggy.tactics import path_of
from gelenk.robots.piggy.throwers import PlaceName, draw_throw
from gelenk.robots.piggy.tracker import Frame, Track, TrackCfg, Tracker
from gelenk.robots.piggy.world import PiggyWorld, SceneCfg, make_world
from gelenk.spatial import so3
from gelenk.typing import ArrayLike, FloatArray
from gelenk.vision.camera import Intrinsics
from gelenk.vision.sphere import camera_row, sphere_circle

NEAR = 0.5  # [m], a track further from the ball is another's
LANDING = CrossingPlane(normal=(0.0, 0.0, 1.0), offset=unit.ROLL_ORIGIN[2])
PAUSE = 0.3  # [s] between throws
APPROACH = 0.2  # [s] around a moment, in which a ball passes a point


def approach_of(
    ball: BallFlight, point: ArrayLike, around: float
) -> tuple[float, float]:
    """Return how near a ball would pass a point [m], and when [s], without a bat.

    What the bat needs to know: sent to a point for a moment, how far from it the ball
    passes, and how much earlier or later. Unlike the place of a crossing it is as well
    defined for a ball that only grazes the workspace.

    Args:
        ball: In flight.
        point: World axes [m], (3,).
        around: Passings more than 0.2 s from this time do not count [s].
    """
    path, start = ball.free_path(), ball.release * ball.h
    p = np.asarray(point, dtype=np.float64)
    first = max(round((around - APPROACH - start) / ball.h), 0)
    last = max(round((around + APPROACH - start) / ball.h), 0) + 1
    away = np.linalg.norm(path[first:last, :3] - p, axis=1)
    if not np.isfinite(away).any():
        return math.inf, math.nan
    k = first + int(np.nanargmin(away))
    position, velocity = path[k, :3], path[k, 3:]
    # Within a tick the flight is a line.
    shift = float((p - position) @ velocity / (velocity @ velocity))
    shift = min(max(shift, -ball.h), ball.h)
    nearest = float(np.linalg.norm(position + shift * velocity - p))
    return nearest, start + k * ball.h + shift


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sighting:
    """One published track beside the truth.

    Attributes:
        age: Frames since the ball was first whole in both images.
        left: Until the true crossing [s]; NaN without one.
        miss: How far from the predicted point the ball passes [m]; infinite without a
            prediction.
        late: Predicted moment minus that of the passing [s]; likewise.
        fit: Chi-square of where the ball is at that moment, under the predicted
            covariance, 3 degrees.
        entry_miss: Between predicted and true place of entry into the workspace [m].
        entry_late: Predicted minus true time of entry [s].
        nees: Of position and velocity, in the frame of the cameras.
        landing: Predicted x and y at the height of the roll axis [m], (2,).
    """

    age: int
    left: float
    miss: float
    late: float
    fit: float
    entry_miss: float
    entry_late: float
    nees: float
    landing: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Watched:
    """What the tracker made of one throw.

    Attributes:
        crossing: The true one; None if the ball misses the workspace.
        sightings: Of each frame with a track of this ball.
        ids: Numbers under which it was published.
        seconds: CPU time of each frame, both images on one thread [s].
        false: In each frame of the flight, circles of both images that are neither this
            ball nor known to rest nor the bat, and pairs of circles that are not this
            ball, (n, 2).
    """

    crossing: Crossing | None
    sightings: tuple[Sighting, ...]
    ids: frozenset[int]
    seconds: tuple[float, ...]
    false: FloatArray

    def ahead(self, span: float) -> Sighting | None:
        """Return the last sighting at least `span` [s] before the crossing."""
        found = [s for s in self.sightings if s.left >= span]
        return found[-1] if found else None


def watch_throws(
    place: PlaceName,
    count: int,
    *,
    seed: int = 0,
    per_place: int = 12,
    rig: RigCfg | None = None,
    setup: Setup | None = None,
    cfg: TrackCfg | None = None,
) -> list[Watched]:
    """Return what the tracker makes of throws at a robot that stays at home.

    Args:
        place: "indoor" or "outdoor".
        count: Of throws.
        seed: Of places, throws and noise.
        per_place: After how many throws the place changes.
        rig: True cameras; None: those of the setup that ships.
        setup: What the tracker knows; None: what a calibration with images of these
            cameras found, the setup that ships.
        cfg: Of the tracker; one thread is used, whatever it says.
    """
    done: list[Watched] = []
    known, cfg = setup or shipped_setup("thesis"), cfg or TrackCfg(has_threads=False)
    while len(done) < count:
        place_seed = seed * 1000 + len(done) // per_place
        world = make_world(SceneCfg(place=place, seed=place_seed, rig=rig or RigCfg()))
        rng = np.random.default_rng([place_seed, 1])
        with Tracker(cfg, known) as tracker:
            _look(world, tracker, world.time + 0.2)
            for _ in range(min(per_place, count - len(done))):
                done.append(_watch(world, tracker, place, rng))
                world.step_to(world.time + PAUSE)
        world.close()
    return done


def _look(world: PiggyWorld, tracker: Tracker, until: float) -> None:
    """Let the tracker see the place without a ball."""
    while world.time < until:
        world.step_to(world.next_image)
        pair = world.images()
        if pair is not None:
            tracker.step(pair[2], pair[0], pair[1], bat=forward(HOME))


def _watch(
    world: PiggyWorld, tracker: Tracker, place: PlaceName, rng: np.random.Generator
) -> Watched:
    number = world.throw(draw_throw(rng, place))
    ball = world.truth.balls[number]
    truth = crossing_of(ball)
    end = ball.release * ball.h + 1.1 if truth is None else truth.time
    eyes = np.stack(
        [
            camera_row(camera.intrinsics, np.linalg.inv(camera.T_world_camera))
            for camera in world.truth.rig
        ]
    )
    T_believed_world = believed_frame(world.truth.rig, tracker.setup)
    sightings: list[Sighting] = []
    ids: set[int] = set()
    seconds: list[float] = []
    false: list[tuple[int, int]] = []
    age = 0
    while world.time < end:
        world.step_to(world.next_image)
        pair = world.images()
        if pair is None:
            continue
        left, right, stamp = pair
        start = time.thread_time()
        frame = tracker.step(stamp, left, right, bat=forward(HOME))
        seconds.append(time.thread_time() - start)
        state = _true_state(ball, stamp)
        if state is None:
            continue
        false.append(_false(frame, sphere_circle(eyes, state[:3], BALL_RADIUS)))
        age += bool(age or _is_whole(eyes, state[:3], world.truth.rig[0].intrinsics))
        state = seen_from(T_believed_world, state)
        gaps = [np.linalg.norm(t.position[0] - state[:3]) for t in frame.tracks]
        if gaps and age and min(gaps) < NEAR:
            best = frame.tracks[int(np.argmin(gaps))]
            ids.add(best.id)
            sightings.append(_sighting(tracker, best, stamp, state, ball, age))
    return Watched(
        crossing=truth,
        sightings=tuple(sightings),
        ids=frozenset(ids),
        seconds=tuple(seconds),
        false=np.array(false).reshape(-1, 2),
    )


def believed_frame(rig: tuple[TrueCamera, TrueCamera], setup: Setup) -> FloatArray:
    """Return T_believed_world (4, 4), of the world that a setup's cameras believe in.

    The mean of what both cameras' true and believed poses say; what they disagree on,
    and errors of the lenses, stays an error of the setup.
    """
    turns, shifts = [], []
    for true, known in zip(rig, setup.cameras, strict=True):
        turns.append(known.T_world_camera[:3, :3] @ true.T_world_camera[:3, :3].T)
        shifts.append((known.T_world_camera[:3, 3], true.T_world_camera[:3, 3]))
    T = np.eye(4)
    T[:3, :3] = turns[0] @ so3.exp(0.5 * so3.log(turns[0].T @ turns[1]))
    known, true = np.mean(shifts, axis=0)
    T[:3, 3] = known - T[:3, :3] @ true
    return T


def seen_from(T: FloatArray, state: FloatArray) -> FloatArray:
    """Return position and velocity (6,) in another frame."""
    R = T[:3, :3]
    return np.concatenate([R @ state[:3] + T[:3, 3], R @ state[3:]])


def _true_state(ball: BallFlight, stamp: float) -> FloatArray | None:
    """Return position and velocity in free flight (6,); None before the release."""
    at = stamp / ball.h - ball.release
    path = ball.free_path()
    k = math.floor(at)
    if k < 0 or k + 1 >= len(path):
        return None
    return path[k] + (at - k) * (path[k + 1] - path[k])


def _false(frame: Frame, ball: FloatArray) -> tuple[int, int]:
    """Return how many circles of both images, and how many pairs, are not the ball.

    Args:
        frame: What the tracker saw.
        ball: The true circle in each image, NaN where there is none, (2, 3).
    """
    is_other = []
    for circles, (u, v, r) in zip(frame.circles, ball, strict=True):
        away = np.hypot(circles[:, 0] - u, circles[:, 1] - v)
        is_other.append(~(away < r))
    singles = [
        int((other & may).sum())
        for other, may in zip(is_other, frame.is_ball, strict=True)
    ]
    pairs = is_other[0][frame.pairs[:, 0]] | is_other[1][frame.pairs[:, 1]]
    return sum(singles), int(pairs.sum())


def _is_whole(eyes: FloatArray, p: FloatArray, lens: Intrinsics) -> bool:
    """Return whether a ball is wholly in both images."""
    circles = sphere_circle(eyes, p, BALL_RADIUS)
    low = (circles[:, :2] - circles[:, 2:]).min(axis=0)
    high = (circles[:, :2] + circles[:, 2:]).max(axis=0)
    limit = np.array([lens.width - 1.0, lens.height - 1.0])
    return bool((low >= 0.0).all() and (high <= limit).all())


def _sighting(
    tracker: Tracker,
    track: Track,
    stamp: float,
    state: FloatArray,
    ball: BallFlight,
    age: int,
) -> Sighting:
    truth = crossing_of(ball)
    model = tracker.model.filter
    miss = late = fit = entry_miss = entry_late = math.inf
    found = find_crossing(path_of(track), after=stamp)
    if truth is not None and found is not None:
        miss, passed = approach_of(ball, found.position, found.time)
        late = found.time - passed
        entry_miss = float(np.linalg.norm(found.position - truth.position))
        entry_late = found.time - truth.time
        then = _true_state(ball, found.time)
        if then is not None:
            ahead = model.path(track.belief, [found.time - stamp])
            error = found.position - then[:3]
            fit = float(nees(error, ahead.covariance[0, :3, :3]))
    landing = model.meet(track.belief, LANDING, horizon=1.6)
    return Sighting(
        age=age,
        left=math.nan if truth is None else truth.time - stamp,
        miss=miss,
        late=late,
        fit=fit,
        entry_miss=entry_miss,
        entry_late=entry_late,
        nees=float(
            nees(track.belief.mean[:6] - state, track.belief.covariance[:6, :6])
        ),
        landing=np.full(2, np.nan) if landing is None else landing.mean[1:3],
    )
