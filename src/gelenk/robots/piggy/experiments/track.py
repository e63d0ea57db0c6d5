"""EX-12 and what images tell about thrown balls: predictions, starts, consistency.

The tracker sees rendered images of the world and nothing else; the truth is the
judge's, and only figures are made of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gelenk.core.dynamics.flight_meet import Plane
from gelenk.core.estimation.kalman import chi2_band, nees
from gelenk.core.model.catalog import piggy as unit
from gelenk.core.typing import FloatArray
from gelenk.core.vision.camera import Intrinsics
from gelenk.core.vision.sphere import camera_row, sphere_circle
from gelenk.robots.piggy.balls import BallFlight
from gelenk.robots.piggy.cameras import RigCfg
from gelenk.robots.piggy.config import BALL_RADIUS, HOME
from gelenk.robots.piggy.judge import Crossing, crossing_of
from gelenk.robots.piggy.kinematics import forward
from gelenk.robots.piggy.setup import Setup, nominal_setup
from gelenk.robots.piggy.throwers import PlaceName, draw_throw
from gelenk.robots.piggy.tracker import Track, TrackCfg, Tracker
from gelenk.robots.piggy.world import PiggyWorld, SceneCfg, make_world
from gelenk.runtime.figures import Figure

# What a calibration leaves over, instead of what it starts from.
CALIBRATED = RigCfg(
    rotation_sigma=math.radians(0.02),
    position_sigma=0.0005,
    focal_sigma=0.0005,
    center_sigma=0.2,
    distortion=0.0,
)
AHEAD = 0.3  # [s] before the crossing
SETTLED = 3  # frames; before, the prior speaks rather than the filter
NEAR = 0.5  # [m], a track further from the ball is another's
LANDING = Plane(normal=(0.0, 0.0, 1.0), offset=unit.ROLL_ORIGIN[2])
LIMITS = {"indoor": (0.02, 0.005), "outdoor": (0.03, 0.008)}
PAUSE = 0.3  # [s] between throws
COVERED = 7.815  # 95 % of chi-square with 3 degrees


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sighting:
    """One published track beside the truth.

    Attributes:
        age: Frames since the ball was first whole in both images.
        left: Until the true crossing [s]; NaN without one.
        miss: Between predicted and true crossing [m]; infinite without a prediction.
        late: Predicted minus true time of the crossing [s]; likewise.
        fit: Chi-square of both under the predicted covariance, 3 degrees.
        nees: Of position and velocity.
        landing: Predicted x and y at the height of the roll axis [m], (2,).
    """

    age: int
    left: float
    miss: float
    late: float
    fit: float
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
    """

    crossing: Crossing | None
    sightings: tuple[Sighting, ...]
    ids: frozenset[int]
    seconds: tuple[float, ...]

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
    rig: RigCfg = CALIBRATED,
    setup: Setup | None = None,
    cfg: TrackCfg | None = None,
) -> list[Watched]:
    """Return what the tracker makes of throws at a robot that stays at home.

    Args:
        place: "indoor" or "outdoor".
        count: Of throws.
        seed: Of places, throws and noise.
        per_place: After how many throws the place changes.
        rig: True cameras.
        setup: What the tracker knows; None: the drawing.
        cfg: Of the tracker; one thread is used, whatever it says.
    """
    done: list[Watched] = []
    known, cfg = setup or nominal_setup(), cfg or TrackCfg(has_threads=False)
    while len(done) < count:
        place_seed = seed * 1000 + len(done) // per_place
        world = make_world(SceneCfg(place=place, seed=place_seed, rig=rig))
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
    sightings: list[Sighting] = []
    ids: set[int] = set()
    seconds: list[float] = []
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
        age += bool(age or _is_whole(eyes, state[:3], world.truth.rig[0].intrinsics))
        gaps = [np.linalg.norm(t.position[0] - state[:3]) for t in frame.tracks]
        if gaps and age and min(gaps) < NEAR:
            best = frame.tracks[int(np.argmin(gaps))]
            ids.add(best.id)
            sightings.append(_sighting(tracker, best, stamp, state, truth, age))
    return Watched(
        crossing=truth,
        sightings=tuple(sightings),
        ids=frozenset(ids),
        seconds=tuple(seconds),
    )


def _true_state(ball: BallFlight, stamp: float) -> FloatArray | None:
    """Return position and velocity in free flight (6,); None before the release."""
    at = stamp / ball.h - ball.release
    path = ball.free_path()
    k = math.floor(at)
    if k < 0 or k + 1 >= len(path):
        return None
    return path[k] + (at - k) * (path[k + 1] - path[k])


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
    truth: Crossing | None,
    age: int,
) -> Sighting:
    miss = late = fit = math.inf
    if truth is not None and track.crossing is not None:
        found = track.crossing
        late = found.time - truth.time
        error = found.position - truth.position
        miss = float(np.linalg.norm(error))
        # A crossing has two coordinates in the surface, and its time.
        normal = found.position - np.array(unit.ROLL_ORIGIN)
        tangents = np.linalg.svd(normal[None] / np.linalg.norm(normal))[2][1:]
        basis = np.zeros((3, 4))
        basis[0, 0], basis[1:, 1:] = 1.0, tangents
        values = basis @ np.concatenate([[late], error])
        fit = float(nees(values, basis @ found.covariance[:4, :4] @ basis.T))
    landing = tracker.model.filter.meet(track.belief, LANDING, horizon=1.6)
    return Sighting(
        age=age,
        left=math.nan if truth is None else truth.time - stamp,
        miss=miss,
        late=late,
        fit=fit,
        nees=float(
            nees(track.belief.mean[:6] - state, track.belief.covariance[:6, :6])
        ),
        landing=np.full(2, np.nan) if landing is None else landing.mean[1:3],
    )


def ex_12(watched: Sequence[Watched]) -> list[Figure]:
    """EX-12: landing at the roll axis's height, first against last estimate."""
    rows = []
    for throw in watched:
        seen = [s for s in throw.sightings if np.isfinite(s.landing).all()]
        if len(seen) >= 2:
            rows.append(np.abs(seen[0].landing - seen[-1].landing))
    off = np.array(rows).reshape(-1, 2)
    mean, variance = off.mean(axis=0), off.var(axis=0)
    starts = [t.sightings[0].age for t in watched if t.sightings]
    note = f"{len(off)} throws; first track {np.median(starts):.0f} frames (median)"
    inf = math.inf
    return [
        Figure(
            experiment="EX-12", quantity=name, value=value, unit=measure,
            thesis=thesis, accepted=accepted, note=note,
        )
        for name, value, measure, thesis, accepted in (
            ("first to last landing, X", mean[0], "m", "0.0592 m", (-inf, 0.0592)),
            ("first to last landing, Y", mean[1], "m", "0.7415 m", (-inf, 0.7415)),
            ("variance X", variance[0], "m^2", "0.0031 m^2", (-inf, 0.0031)),
            ("variance Y", variance[1], "m^2", "0.0872 m^2", (-inf, 0.0872)),
            ("Y over X", mean[1] / mean[0], "", "12.5", (1.0, inf)),
        )
    ]  # fmt: skip


def prediction_figures(place: PlaceName, watched: Sequence[Watched]) -> list[Figure]:
    """How well crossings are predicted from images, and how well that is known."""
    crossed = [t for t in watched if t.crossing is not None]
    last = [t.ahead(AHEAD) for t in crossed]
    known = [s for s in last if s is not None]
    miss, late = LIMITS[place]
    good = [s for s in known if s.miss <= miss and abs(s.late) <= late]
    low, high = chi2_band(6)
    values = np.array(
        [s.nees for t in watched for s in t.sightings if s.age >= SETTLED]
    )
    starts = np.array([t.sightings[0].age for t in watched if t.sightings])
    ms = 1e3 * np.concatenate([t.seconds for t in watched])
    inf = math.inf
    errors = (
        f"{len(crossed)} throws that cross, 95th percentiles "
        f"{100 * _quantile([s.miss for s in known]):.1f} cm and "
        f"{1e3 * _quantile([abs(s.late) for s in known]):.1f} ms"
    )
    rows = (
        (
            f"within {100 * miss:g} cm and {1e3 * late:g} ms, 300 ms ahead",
            100.0 * len(good) / max(len(crossed), 1), "%", (95.0, inf), errors,
        ),
        (
            "crossings in the predicted 95 % ellipsoid",
            100.0 * float(np.mean([s.fit < COVERED for s in known])), "%",
            (90.0, inf), "",
        ),
        (
            "frames with NEES in its 95 % band",
            100.0 * float(np.mean((values > low) & (values < high))), "%",
            (90.0, 98.0), f"median {np.median(values):.1f} of 6",
        ),
        (
            "first track after the ball is whole in both images, median",
            float(np.median(starts)), "frames", (-inf, 3.0),
            f"95th percentile {np.quantile(starts, 0.95):.0f}",
        ),
        (
            "balls that cross without a track",
            100.0 * (1.0 - len(known) / max(len(crossed), 1)), "%", (-inf, 5.0), "",
        ),
        (
            "images to tracks, 95th percentile, CPU of one thread",
            float(np.quantile(ms, 0.95)), "ms", None,
            f"median {np.median(ms):.1f} ms",
        ),
    )  # fmt: skip
    return [
        Figure(
            experiment="tracking",
            quantity=f"{place}: {name}",
            value=value,
            unit=measure,
            accepted=accepted,
            note=note,
        )
        for name, value, measure, accepted, note in rows
    ]


def _quantile(values: Sequence[float]) -> float:
    return float(np.quantile(values, 0.95)) if values else math.nan
