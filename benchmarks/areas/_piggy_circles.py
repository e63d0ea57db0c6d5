"""Circles in rendered images of balls: found, false, precise, fast; beside OpenCV.

Ours is what Piggy's tracker does in a new place: it looks at a second of images without
a ball, learns what is at rest and how likely chance makes circles, and then tells which
circles may be balls. All others are false, lamps too.
"""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Row, Settings
from gelenk.robots.piggy.tracker.clutter import Sieve
from gelenk.typing import FloatArray
from gelenk.vision.circle_score import GateCfg
from gelenk.vision.circles import CircleCfg, SearchWindow, find_circles
from testkit.ball_images import (
    BallCamera,
    BallShot,
    Place,
    draw_empty,
    random_shots,
)
from testkit.ball_places import indoor_place, outdoor_place

VISIBLE = 0.75  # share of an outline with 12 gray levels of contrast
RECALL, FALSE, CENTER, RADIUS = 98.0, 0.5, 0.25, 0.25  # [%], per image, [px], [px]
WINDOW_MS, SPEEDUP = 0.3, 2.0
STATIC = 0.2  # share of a place's images in which something at rest is seen again
SAME = (2.0, 0.1)  # [px], and share of the radius: one thing seen twice
CFG = CircleCfg(focal=BallCamera().focal)
GATE = GateCfg()
FAINT = replace(CFG, min_score=GATE.lowest, max_count=40)  # as the tracker searches
EMPTY = 65  # images of a place that are learnt from, 1.3 s
PERIOD = 0.02  # [s] between images
PLACES = {"indoor": indoor_place, "outdoor": outdoor_place}

Found = FloatArray
"""x, y and radius of each circle [px], (n, 3)."""
Detector = Callable[[BallShot], Found]


class Watcher:
    """Looks at places as the tracker does, one eye for each.

    Args:
        places: That it gets to know.
        rng: Of the noise of images without a ball.
    """

    def __init__(self, places: Sequence[Place], rng: np.random.Generator) -> None:
        self._sieves = {id(place): Sieve(GATE) for place in places}
        self._images = dict.fromkeys(self._sieves, 0)
        for place in places:
            for image in draw_empty(place, EMPTY, rng):
                self._may_be_balls(image, place)

    def __call__(self, shot: BallShot) -> Found:
        """Search everywhere; return what may be a ball."""
        return self._may_be_balls(shot.image, shot.place)

    def thresholds(self) -> FloatArray:
        """Return the least score of each place."""
        return np.array([sieve.threshold for sieve in self._sieves.values()])

    def _may_be_balls(self, image: NDArray[np.uint8], place: Place) -> Found:
        found = find_circles(image, FAINT)
        rows = np.column_stack([found.center, found.radius, found.score])
        self._images[id(place)] += 1
        now = PERIOD * self._images[id(place)]
        return rows[self._sieves[id(place)].sift(rows, now), :3]


def ours_alone(shot: BallShot) -> Found:
    """Search everywhere in one image, with nothing learnt of the place."""
    found = find_circles(shot.image, CFG)
    return np.column_stack([found.center, found.radius])


def ours_in_window(shot: BallShot) -> Found:
    """Search where a tracker would: 1.5 px and 4 % beside the truth."""
    off = shot.center[0] % 1.0 * 2.0 * np.pi  # any direction, the same in each run
    x, y = shot.center + 1.5 * np.array([np.cos(off), np.sin(off)])
    window = SearchWindow(
        center=(float(x), float(y)),
        half_size=4.0 + 0.05 * shot.radius,
        radius=1.04 * shot.radius,
        radius_tolerance=0.12 * shot.radius,
    )
    found = find_circles(shot.image, CFG, windows=[window])
    return np.column_stack([found.center, found.radius])


def _hough(mode: int, dp: float, strong: float, least: float) -> Detector:
    def find(shot: BallShot) -> Found:
        image: Any = shot.image
        if mode == cv2.HOUGH_GRADIENT:
            image = cv2.GaussianBlur(image, (5, 5), 1.0)
        found = cv2.HoughCircles(
            image,
            mode,
            dp,
            12.0,
            param1=strong,
            param2=least,
            minRadius=6,
            maxRadius=54,
        )
        if found is None:
            return np.zeros((0, 3))
        return found.reshape(-1, found.shape[-1])[:, :3].astype(float)

    return find


OPPONENTS: dict[str, Detector] = {
    "GRADIENT 1, 160, 18": _hough(cv2.HOUGH_GRADIENT, 1.0, 160.0, 18.0),
    "GRADIENT 1, 100, 18": _hough(cv2.HOUGH_GRADIENT, 1.0, 100.0, 18.0),
    "GRADIENT 1, 100, 24": _hough(cv2.HOUGH_GRADIENT, 1.0, 100.0, 24.0),
    "GRADIENT 1.5, 160, 24": _hough(cv2.HOUGH_GRADIENT, 1.5, 160.0, 24.0),
    "ALT 1.5, 300, 0.7": _hough(cv2.HOUGH_GRADIENT_ALT, 1.5, 300.0, 0.7),
    "ALT 1.5, 100, 0.85": _hough(cv2.HOUGH_GRADIENT_ALT, 1.5, 100.0, 0.85),
}
"""Settings of `cv2.HoughCircles` that came out best of many; dp, param1, param2."""
SLOWEST = "ALT 1.5, 100, 0.85"  # indoors; not the one to beat
SPARSE = {
    "indoor": {SLOWEST: 12},
    "outdoor": dict.fromkeys(OPPONENTS, 12) | {"ALT 1.5, 300, 0.7": 3},
}
"""Of so many images they see one: outdoors they need up to a second for one."""


@dataclass(slots=True)
class CircleTally:
    """What one detector made of some shots.

    Attributes:
        is_found: Of each visible ball.
        lamps: Circles that are lamps.
        others: Circles that are neither ball nor lamp (x, y, r), of each image of each
            place, by the place's identity.
        images: How many were searched.
        errors: Of balls 2 to 5 m away: x, y, radius [px].
        seconds: CPU time of each image [s], by its number.
    """

    is_found: list[bool] = field(default_factory=list)
    lamps: int = 0
    others: dict[int, list[FloatArray]] = field(default_factory=dict)
    images: int = 0
    errors: list[FloatArray] = field(default_factory=list)
    seconds: dict[int, float] = field(default_factory=dict)

    @property
    def recall(self) -> float:
        """Share of visible balls found [%]."""
        return 100.0 * float(np.mean(self.is_found))

    @property
    def milliseconds(self) -> float:
        """Mean CPU time per image of the faster half [ms]; the rest met other load."""
        return self.milliseconds_of(self.seconds)

    def milliseconds_of(self, images: Iterable[int]) -> float:
        """Return the same of some images only, by their numbers [ms]."""
        times = np.sort([self.seconds[k] for k in images])
        return 1e3 * float(times[: (len(times) + 1) // 2].mean())

    @property
    def false_of_all_kinds(self) -> float:
        """Circles per image that are no ball, lamps and all things at rest included."""
        others = sum(len(found) for place in self.others.values() for found in place)
        return (self.lamps + others) / self.images

    def rms(self) -> FloatArray:
        """Return the rms error of x, y and radius, 2 to 5 m away [px], (3,)."""
        return np.sqrt(np.mean(np.square(np.array(self.errors).reshape(-1, 3)), axis=0))

    def add(self, shot: BallShot, found: Found, number: int, seconds: float) -> None:
        """Count one image."""
        self.images += 1
        self.seconds[number] = seconds
        away = np.linalg.norm(found[:, :2] - shot.center, axis=1)
        right = (away < 0.35 * shot.radius) & (
            np.abs(found[:, 2] / shot.radius - 1.0) < 0.25
        )
        if shot.visible >= VISIBLE:
            self.is_found.append(bool(right.any()))
            if right.any() and 2.0 <= shot.distance <= 5.0:
                best = found[int(np.argmin(np.where(right, away, np.inf)))]
                self.errors.append(best - np.append(shot.center, shot.radius))
        lamps = shot.place.lamps
        rest = found[away > 1.2 * shot.radius]
        reach = np.linalg.norm(rest[:, None, :2] - lamps[None, :, :2], axis=2)
        is_lamp = (reach < 1.2 * lamps[:, 2] + 3.0).any(axis=1)
        self.lamps += int(is_lamp.sum())
        self.others.setdefault(id(shot.place), []).append(rest[~is_lamp])

    def false(self) -> tuple[float, float]:
        """Return false circles per image, lamps apart: passing ones, and static ones.

        Static is what is seen at the same place in a fifth of a place's images at
        least: round things that a tracker learns to ignore.
        """
        passing, static = 0, 0
        for images in self.others.values():
            often = _sights(images) > max(1.0, STATIC * len(images))
            static += int(often.sum())
            passing += int((~often).sum())
        return passing / self.images, static / self.images


def _sights(images: Sequence[Found]) -> FloatArray:
    """Return for each circle in how many images there is one like it, (n,)."""
    every = np.concatenate(images)
    seen = np.zeros(len(every))
    for other in images:
        away = np.hypot(*(every[:, None, :2] - other[None, :, :2]).transpose(2, 0, 1))
        size = np.abs(other[None, :, 2] / every[:, None, 2] - 1.0)
        seen += ((away < SAME[0]) & (size < SAME[1])).any(axis=1)
    return seen


def measure_detectors(
    detectors: dict[str, Detector],
    shots: Sequence[BallShot],
    sparse: dict[str, int] | None = None,
) -> dict[str, CircleTally]:
    """Return what detectors find; they take turns on every image, on one thread.

    Args:
        detectors: By name.
        shots: The images.
        sparse: Of how many images a slow detector sees one, spread over all places.
    """
    tallies = {name: CircleTally() for name in detectors}
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    names = list(detectors)
    try:
        for name in names:
            detectors[name](shots[0])
        for k, shot in enumerate(shots):
            first = k % len(names)
            for name in names[first:] + names[:first]:
                every = (sparse or {}).get(name, 1)
                if (k + k // every) % every:  # shifted, so that all places get a turn
                    continue
                start = time.thread_time()
                found = detectors[name](shot)
                tallies[name].add(shot, found, k, time.thread_time() - start)
    finally:
        cv2.setNumThreads(threads)
    return tallies


def circle_figures(settings: Settings) -> Iterator[Row]:
    """Recall, false circles, precision and time, ours and OpenCV's best settings."""
    seen: list[dict[str, CircleTally]] = []
    for kind in PLACES:
        rng = np.random.default_rng((settings.seed, 1))
        places = [PLACES[kind](rng) for _ in range(settings.pick(12, 2))]
        shots = list(random_shots(places, settings.pick(240, 20), rng))
        ours = Watcher(places, rng)
        own = {"ours": ours, "alone": ours_alone, "window": ours_in_window}
        tallies = measure_detectors(
            {**own, **OPPONENTS}, shots, {} if settings.quick else SPARSE[kind]
        )
        low, high = ours.thresholds().min(), ours.thresholds().max()
        yield from _quality(kind, tallies, f"{low:.1f} to {high:.1f}")
        yield from _speed(kind, tallies)
        seen.append(tallies)
    yield _speed_everywhere(seen)


def _speed_everywhere(seen: Sequence[dict[str, CircleTally]]) -> Row:
    """Return the speed over both kinds of places, as a robot needs one setting."""
    recall = {n: float(np.mean([t[n].recall for t in seen])) for n in seen[0]}
    best = max((n for n in OPPONENTS if n != SLOWEST), key=lambda name: recall[name])
    theirs = sum(t[best].milliseconds for t in seen)
    ours = sum(t["ours"].milliseconds_of(t[best].seconds) for t in seen)
    return Row(
        name="circle_speed_over_hough",
        value=theirs / ours,
        unit="1",
        target=SPEEDUP,
        direction=">=",
        note=f"indoors and outdoors together, one setting for both: {best}, which "
        f"finds most, {recall[best]:.1f} % of the balls; ours {recall['ours']:.1f} %",
    )


def _best(tallies: dict[str, CircleTally]) -> str:
    """Return the opponent with the best recall, the slowest apart."""
    names = [name for name in OPPONENTS if name != SLOWEST]
    return max(names, key=lambda name: tallies[name].recall)


def _quality(
    kind: str, tallies: dict[str, CircleTally], thresholds: str
) -> Iterator[Row]:
    mine, alone, window = (tallies[name] for name in ("ours", "alone", "window"))
    peers = {name: tallies[name] for name in OPPONENTS}
    best = _best(tallies)
    center = float(mine.rms()[:2].max())
    yield Row(
        name=f"circle_recall_{kind}",
        value=mine.recall,
        unit="%",
        target=RECALL,
        direction=">=",
        peers={f"HoughCircles {name}": t.recall for name, t in peers.items()},
        note=f"{len(mine.is_found)} balls 1 to 6 m away whose outline has 12 gray "
        f"levels of contrast over {100 * VISIBLE:g} %; "
        f"in windows {window.recall:.1f} %; one image alone {alone.recall:.1f} %",
    )
    yield Row(
        name=f"circle_false_{kind}",
        value=mine.false_of_all_kinds,
        unit="per image",
        target=FALSE,
        note="all that may be balls for the tracker and are none, lamps and whatever "
        f"is at rest included, after {EMPTY} images without a ball; least scores "
        f"{thresholds}",
    )
    false = {f"HoughCircles {name}": t.false() for name, t in peers.items()}
    passing, static = alone.false()
    yield Row(
        name=f"circle_false_alone_{kind}",
        value=passing + static,
        unit="per image",
        peers={name: sum(counts) for name, counts in false.items()},
        note="neither ball nor round lamp, one image alone with nothing learnt; "
        f"{static:.2f} of them are seen again in a fifth of the place's images; "
        f"round lamps {alone.lamps / alone.images:.1f} per image",
    )
    yield Row(
        name=f"circle_center_rms_{kind}",
        value=center,
        unit="px",
        target=CENTER,
        peers={f"HoughCircles {best}": float(peers[best].rms()[:2].max())},
        note="the worse of both axes, 2 to 5 m away, exposure 5 ms in flight",
    )
    yield Row(
        name=f"circle_radius_rms_{kind}",
        value=float(mine.rms()[2]),
        unit="px",
        target=RADIUS,
        peers={f"HoughCircles {best}": float(peers[best].rms()[2])},
    )


def _speed(kind: str, tallies: dict[str, CircleTally]) -> Iterator[Row]:
    mine, window = tallies["ours"], tallies["window"]
    peers = {name: tallies[name] for name in OPPONENTS}
    slower = {
        name: t.milliseconds / mine.milliseconds_of(t.seconds)
        for name, t in peers.items()
    }
    best = _best(tallies)
    yield Row(
        name=f"circle_time_{kind}",
        value=mine.milliseconds,
        unit="ms",
        peers={f"HoughCircles {name}": t.milliseconds for name, t in peers.items()},
        note="780 x 580, CPU time of one thread, mean of the faster half; without what "
        f"is learnt of the place {tallies['alone'].milliseconds:.2f} ms",
    )
    yield Row(
        name=f"circle_speed_over_hough_{kind}",
        value=slower[best],
        unit="1",
        target=SPEEDUP,
        direction=">=",
        note=f"over the setting with the best recall, {best}, same images, in turns; "
        f"over the fastest {min(slower.values()):.2f}",
    )
    yield Row(
        name=f"circle_window_time_{kind}",
        value=window.milliseconds,
        unit="ms",
        target=WINDOW_MS,
        note="one window, 4 px + 5 % of the radius around the expectation",
    )


FIGURES = (circle_figures,)
