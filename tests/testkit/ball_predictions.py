"""How well thrown balls are predicted from circles, and found among false ones."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import cache

import numpy as np

from gelenk.dynamics.flight_crossing import TorusSheet
from gelenk.estimation.ball import BallFilter, BallFilterCfg
from gelenk.estimation.ball_tracks import (
    BallModel,
    ThrowPrior,
    learn_throw_prior,
    prior_given_place,
)
from gelenk.estimation.kalman import Belief, chi2_band, nees
from gelenk.estimation.multi_hypothesis import (
    DetectionScan,
    MultiHypothesisTracker,
    TrackerCfg,
    TrackerState,
)
from gelenk.typing import FloatArray
from gelenk.vision.camera import Intrinsics
from gelenk.vision.sphere import camera_row, triangulate_spheres
from testkit.thrown_balls import (
    FRAME,
    HEIGHT,
    RADIUS,
    ROLL_AXIS,
    STEP,
    WIDTH,
    ThrowCfg,
    Throws,
    camera_poses,
    circle_noise,
    circle_of,
    crossing,
    throw,
)

IMAGE = Intrinsics.from_field_of_view(
    width=WIDTH, height=HEIGHT, horizontal=math.radians(57.0)
)
POSES = camera_poses()
CAMERAS = np.array([camera_row(IMAGE, T) for T in POSES])
WORKSPACE = TorusSheet(
    center=(float(ROLL_AXIS[0]), float(ROLL_AXIS[1]), float(ROLL_AXIS[2])),
    offset=0.06,
    radius=0.84,
)
INDOORS = ThrowCfg()
OUTDOORS = ThrowCfg(wind_sigma=1.5, max_wind=2.0, gust_sigma=0.4)
BALL = BallFilterCfg(circle_sigma=(0.06, 0.06, 0.06), tail_share=0.08, tail_factor=6.7)
BALL_IN_WIND = BallFilterCfg(
    circle_sigma=(0.06, 0.06, 0.06),
    tail_share=0.08,
    tail_factor=6.7,
    wind_sigma=(1.5, 1.5, 0.4),
    wind_density=0.3,
)
SETTLED = 3  # frames; before, the prior speaks rather than the filter
SLICE = 60  # steps of 1 ms between slices of the prior


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions:
    """Errors of predictions of the crossing, one per throw that crosses.

    Attributes:
        miss: Between predicted and true place [m], shape (n,).
        late: Predicted minus true time [s], shape (n,).
        fit: Chi-square, 3 numbers, of both under the predicted covariance, shape (n,).
        frames: Frames since the first sight, shape (n,).
        nees: Frame since the first sight and NEES of (p, v) there, shape (k, 2).
    """

    miss: FloatArray
    late: FloatArray
    fit: FloatArray
    frames: FloatArray
    nees: FloatArray

    def share_within(self, miss: float, late: float) -> float:
        """Return the share of throws, 0 to 1, with both errors within bounds."""
        return float(np.mean((self.miss <= miss) & (np.abs(self.late) <= late)))

    def share_consistent(self) -> float:
        """Return the share of frames whose NEES is inside its 95 % band."""
        low, high = chi2_band(6)
        value = self.nees[self.nees[:, 0] >= SETTLED, 1]
        return float(np.mean((value > low) & (value < high)))


def prior_of(throws: Throws, inflation: float = 1.2) -> ThrowPrior:
    """Return the prior that such throws teach."""
    return learn_throw_prior(throws.path[:, ::SLICE][:, :18], inflation=inflation)


def predictions(
    count: int,
    throws: ThrowCfg = INDOORS,
    ball: BallFilterCfg = BALL,
    *,
    seed: int = 0,
    ahead: float = 0.3,
    detect: float = 0.97,
    inflation: float = 1.2,
) -> Predictions:
    """Return errors of predictions `ahead` [s] of the crossing of the workspace.

    The filter sees circles with the errors of the detector, and a prior learnt from a
    hundred other throws, wider by `inflation` than they were.
    """
    others = throw(100, np.random.default_rng((seed, 1)), throws)
    prior = prior_of(others, inflation)
    rng = np.random.default_rng((seed, 2))
    flights, filter = throw(count, rng, throws), BallFilter(ball, CAMERAS)
    rows, errors = [], []
    for k in range(count):
        truth = crossing(flights, k)
        if truth is None:
            continue
        belief, last, frames = None, 0.0, 0
        t = rng.uniform(0.0, FRAME)
        while t <= truth[0] - ahead:
            circles = _circles(flights.at(k, t)[:3], rng, detect)
            if belief is not None:
                belief = _followed(filter, belief, t - last, circles)
            elif not np.isnan(circles).any():
                belief = _started(filter, prior, circles)
            if belief is not None:
                last, frames = t, frames + 1
                error = belief.mean[:6] - flights.at(k, t)
                errors.append((frames, float(nees(error, belief.covariance[:6, :6]))))
            t += FRAME
        if belief is not None:
            rows.append((*_judged(filter, belief, last, truth), float(frames)))
    miss, late, fit, seen = np.array(rows).T
    return Predictions(
        miss=miss, late=late, fit=fit, frames=seen, nees=np.array(errors)
    )


def _circles(p: FloatArray, rng: np.random.Generator, detect: float) -> FloatArray:
    """Return the circles of both cameras, NaN where the ball was not found."""
    circles = np.array([circle_of(T, p) for T in POSES]) + circle_noise(rng, (2, 3))
    circles[rng.random(2) > detect] = np.nan
    return circles


def _started(filter: BallFilter, prior: ThrowPrior, circles: FloatArray) -> Belief:
    place = triangulate_spheres(CAMERAS, circles, (0.15, 0.15, 0.15), RADIUS)
    x, P = np.empty(6), np.empty((6, 6))
    prior_given_place(
        prior.mean,
        prior.covariance,
        prior.weight,
        place.position,
        place.covariance,
        x,
        P,
    )
    return filter.start(x, P)


def _followed(
    filter: BallFilter, belief: Belief, dt: float, circles: FloatArray
) -> Belief:
    belief = filter.predict(belief, dt)
    for camera, circle in enumerate(circles):
        if not math.isnan(circle[0]):
            belief, _ = filter.update(belief, camera, circle)
    return belief


def _judged(
    filter: BallFilter, belief: Belief, now: float, truth: tuple[float, FloatArray]
) -> tuple[float, float, float]:
    """Return miss, delay and chi-square of a prediction; infinite if there is none."""
    found = filter.meet(belief, WORKSPACE)
    if found is None:
        return math.inf, math.inf, math.inf
    late = now + found.mean[0] - truth[0]
    error = found.mean[1:4] - truth[1][:3]
    # A crossing has two coordinates in the surface, and its time.
    normal = found.mean[1:4] - ROLL_AXIS
    tangents = np.linalg.svd(normal[None] / np.linalg.norm(normal))[2][1:]
    basis = np.zeros((3, 4))
    basis[0, 0], basis[1:, 1:] = 1.0, tangents
    values = basis @ np.concatenate([[late], error])
    fit = nees(values, basis @ found.covariance[:4, :4] @ basis.T)
    return float(np.linalg.norm(error)), float(late), float(fit)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pursuit:
    """What a tracker made of several balls in clutter.

    Attributes:
        starts: Frames from the first sight in both images to the first report; NaN if
            a ball was never reported, shape (balls,).
        lost: Frames in which a reported ball was reported no more, of all balls.
        swapped: Balls that were reported under more than one number.
        false: Reports that were no ball, per frame.
        work: CPU time of each frame [s], shape (frames,).
    """

    starts: FloatArray
    lost: int
    swapped: int
    false: float
    work: FloatArray


def pursue(
    balls: int,
    clutter: float,
    *,
    seed: int = 0,
    detect: float = 0.97,
    storm: float = 0.0,
) -> Pursuit:
    """Return how a tracker follows balls thrown at once, up to 0.1 s before contact.

    Args:
        balls: How many.
        clutter: False circles per image.
        seed: Of throws, circles and clutter.
        detect: Probability that the circle of a ball is found.
        storm: False circles per image from 0.4 s to 0.5 s, instead.
    """
    prior = _usual_prior()
    rng = np.random.default_rng(seed)
    flights = throw(balls, rng)
    model = BallModel(BallFilter(BALL, CAMERAS), prior, (IMAGE, IMAGE))
    tracker = MultiHypothesisTracker(
        model, TrackerCfg(clutter_density=max(clutter, 0.5) / (WIDTH * HEIGHT * 45.0))
    )
    ends = [(crossing(flights, k) or (1.0,))[0] for k in range(balls)]
    state: TrackerState = TrackerState()
    first, told = np.full(balls, np.nan), np.full(balls, np.nan)
    names: list[set[int]] = [set() for _ in range(balls)]
    work, lost, false = [], 0, 0
    frames = int(1.0 / FRAME)
    for frame in range(frames):
        t = frame * FRAME
        places = [flights.at(k, t)[:3] for k in range(balls)]
        seen = np.array([_circles(p, rng, detect) for p in places])
        for k in range(balls):
            if t > ends[k] - 2.0 * STEP:
                seen[k] = np.nan
            elif math.isnan(first[k]) and not np.isnan(seen[k]).any():
                first[k] = frame
        start = time.thread_time()
        for camera in (0, 1):
            rate = storm if storm and 0.4 <= t < 0.5 else clutter
            rows = _with_clutter(seen[:, camera], rate, rng)
            scan = DetectionScan(time=t, detections=rows, sensor=camera)
            state = tracker.step(state, scan)
        work.append(time.thread_time() - start)
        reports = tracker.tracks(state)
        for report in reports:
            misses = [np.linalg.norm(report.state[0][:3] - p) for p in places]
            k = int(np.argmin(misses))
            if misses[k] < 0.25:
                names[k].add(report.id)
                if math.isnan(told[k]):
                    told[k] = frame
            else:
                false += 1
        for k in range(balls):
            is_due = told[k] <= frame and t < ends[k] - 0.1
            near = any(report.id in names[k] for report in reports)
            lost += bool(is_due and not near)
    return Pursuit(
        starts=told - first + 1.0,
        lost=lost,
        swapped=sum(len(ids) > 1 for ids in names),
        false=false / frames,
        work=np.array(work),
    )


@cache
def _usual_prior() -> ThrowPrior:
    return prior_of(throw(100, np.random.default_rng((0, 1))))


def _with_clutter(
    circles: FloatArray, rate: float, rng: np.random.Generator
) -> FloatArray:
    """Return the circles that were found and false ones, in random order."""
    count = rng.poisson(rate)
    low, high = (0.0, 0.0, 6.0), (WIDTH, HEIGHT, 51.0)
    false = rng.uniform(low, high, (count, 3))
    found = circles[~np.isnan(circles[:, 0])]
    return rng.permutation(np.vstack([found, false]))
