"""Corners of chessboards in rendered images: precision, light, distraction, time."""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.areas._nao_views import (
    LUX,
    BoardView,
    distracted,
    lit,
    random_pose,
    rendered_views,
)
from benchmarks.harness import Row, Settings, interleaved
from benchmarks.timing import Timings
from gelenk.sim.cameras.gl import RenderError, describe_renderer
from gelenk.typing import FloatArray
from gelenk.vision.chessboard import detect_chessboard, region_of_interest
from gelenk.vision.chessboard_pattern import order_corners
from gelenk.vision.chessboard_printed import order_printed

SIGMA, BIAS = 0.035, 0.02  # [px]
SUCCESS = 99.5  # [%]
WRONG = 0.25  # of the way to the next corner: further from the truth it is another one
SIZE = (6, 4)  # as OpenCV counts: columns, rows
_SUBPIX = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 30, 0.01)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Precision:
    """Errors of one detector.

    Attributes:
        errors: Detected less true corners of the boards found [px], (boards, 24, 2).
        boards: Which views these are, (boards,).
        count: Views in all.
    """

    errors: FloatArray
    boards: NDArray[np.int64]
    count: int

    @property
    def sigma(self) -> FloatArray:
        """Standard deviation in x and y [px]."""
        return self.errors.reshape(-1, 2).std(axis=0)

    @property
    def bias(self) -> FloatArray:
        """Mean in x and y [px]."""
        return self.errors.reshape(-1, 2).mean(axis=0)

    @property
    def worst(self) -> float:
        """Largest coordinate [px]."""
        return float(np.abs(self.errors).max())

    def only(self, boards: NDArray[np.int64]) -> Precision:
        """Return the errors on some of the views alone."""
        keep = np.isin(self.boards, boards)
        return Precision(
            errors=self.errors[keep], boards=self.boards[keep], count=len(boards)
        )


@dataclass(slots=True)
class Tally:
    """How many boards were found, missed, and numbered wrongly.

    Attributes:
        found: Boards with every corner in its place.
        wrong: Boards with a corner out of its place.
        near: Corners within half a pixel of the truth, of those in their place.
        missed: Boards not found, by status.
    """

    found: int = 0
    wrong: int = 0
    near: int = 0
    missed: dict[str, int] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """All views."""
        return self.found + self.wrong + sum(self.missed.values())

    @property
    def percent(self) -> float:
        """Share of boards with every corner in its place [%]."""
        return 100.0 * self.found / max(self.count, 1)

    def add(self, view: BoardView, corners: FloatArray | None, status: str) -> None:
        """Count one view."""
        if corners is None:
            self.missed[status] = self.missed.get(status, 0) + 1
            return
        away = np.linalg.norm(corners - view.corners, axis=1)
        between = np.linalg.norm(view.corners[:, None] - view.corners, axis=2)
        np.fill_diagonal(between, np.inf)
        if (away > WRONG * between.min(axis=1)).any():
            self.wrong += 1
        else:
            self.found += 1
            self.near += int((away < 0.5).sum())

    def describe(self) -> str:
        """Return all but the share of boards found."""
        share = 100.0 * self.near / max(24 * self.found, 1)
        missed = ", ".join(f"{n} {name}" for name, n in self.missed.items()) or "none"
        return (
            f"{self.count} views, {self.wrong} numbered wrongly; missed: {missed}; "
            f"{share:.2f} % of the corners within 0.5 px"
        )


def find_by_sectors(image: NDArray[np.uint8]) -> FloatArray | None:
    """Return what OpenCV's `findChessboardCornersSB` finds, (24, 2)."""
    is_found, corners = cv2.findChessboardCornersSB(image, SIZE)
    return corners.reshape(-1, 2).astype(float) if is_found else None


def find_classic(image: NDArray[np.uint8]) -> FloatArray | None:
    """Return what `findChessboardCorners` and `cornerSubPix` find, (24, 2)."""
    is_found, corners = cv2.findChessboardCorners(image, SIZE)
    if not is_found:
        return None
    cv2.cornerSubPix(image, corners, (5, 5), (-1, -1), _SUBPIX)
    return corners.reshape(-1, 2).astype(float)


def _either_way(corners: FloatArray | None, truth: FloatArray) -> FloatArray | None:
    """Return the errors of the better of both numberings, or None if both are wrong."""
    if corners is None:
        return None
    errors = min(
        (corners - truth, corners[::-1] - truth), key=lambda e: float(np.abs(e).max())
    )
    return errors if np.abs(errors).max() < 3.0 else None


def corner_precision(views: Sequence[BoardView]) -> dict[str, Precision]:
    """Return the errors of "ours", "SB" and "cornerSubPix" on the same images.

    `cornerSubPix` starts at the true corners, rounded: it finds no boards by itself.
    """
    errors: dict[str, list[FloatArray]] = {"ours": [], "SB": [], "cornerSubPix": []}
    boards: dict[str, list[int]] = {name: [] for name in errors}
    for number, view in enumerate(views):
        start = np.rint(view.corners).astype(np.float32).reshape(-1, 1, 2)
        polished = cv2.cornerSubPix(view.image, start, (5, 5), (-1, -1), _SUBPIX)
        found = {
            "ours": detect_chessboard(view.image).corners,
            "SB": find_by_sectors(view.image),
            "cornerSubPix": polished.reshape(-1, 2).astype(float),
        }
        for name, corners in found.items():
            error = _either_way(corners, view.corners)
            if error is not None:
                errors[name].append(error)
                boards[name].append(number)
    return {
        name: Precision(
            errors=np.array(values).reshape(-1, 24, 2),
            boards=np.array(boards[name], dtype=np.int64),
            count=len(views),
        )
        for name, values in errors.items()
    }


def light_tally(count: int, rng: np.random.Generator) -> dict[float, Tally]:
    """Return how boards are found at four light levels, `count` views of each.

    With a hard edge of shade across the board (2 to 7 times), a reflection, and noise.
    """
    tallies = {lux: Tally() for lux in LUX}
    for view in rendered_views(count, rng):
        for lux, tally in tallies.items():
            shade = rng.uniform(2.0, 7.0) if lux in LUX[1:3] else 1.0
            dim = lit(view, lux, rng, shade=shade, sheen=30.0)
            result = detect_chessboard(dim.image, expected=dim.expected(rng))
            tally.add(dim, result.corners, result.status)
    return tallies


def distracted_tally(count: int, rng: np.random.Generator) -> tuple[Tally, Tally]:
    """Return how boards at any roll are found beside three false corners.

    Returns:
        Our detector, and OpenCV's, to which either numbering is allowed.
    """
    ours, sectors = Tally(), Tally()
    for view in rendered_views(count, rng):
        lux = LUX[int(rng.integers(len(LUX)))]
        seen = lit(distracted(view, rng), lux, rng, shade=rng.uniform(1.0, 3.0))
        result = detect_chessboard(seen.image, expected=seen.expected(rng))
        ours.add(seen, result.corners, result.status)
        peer = find_by_sectors(seen.image)
        if peer is not None and _either_way(peer, seen.corners) is not None:
            peer = seen.corners
        sectors.add(seen, peer, "not found")
    return ours, sectors


def ordering_tally(
    count: int, rng: np.random.Generator, *, false: int = 3, noise: float = 0.1
) -> tuple[Tally, Tally]:
    """Return how lists of corners are ordered: by the lattice, and as printed.

    Args:
        count: Random views, any roll, up to 60 degrees of tilt.
        rng: Of the views.
        false: False corners among the true ones.
        noise: Of the positions [px].
    """
    ours, printed = Tally(), Tally()
    blank = np.zeros((1, 1), np.uint8)
    for _ in range(count):
        _, truth = random_pose(rng)
        view = BoardView(image=blank, corners=truth)
        low, high = truth.min(axis=0) - 20.0, truth.max(axis=0) + 20.0
        # No detector of maxima returns a false corner within 5 px of a true one.
        extra = [p for p in rng.uniform(low, high, (50, 2)) if _nearest(truth, p) > 5.0]
        xy = np.concatenate([truth, extra[:false]])
        xy += rng.normal(0.0, noise, xy.shape)
        response = rng.uniform(400.0, 700.0, len(xy))
        shuffle = rng.permutation(len(xy))
        xy, response = xy[shuffle], response[shuffle]
        order = order_corners(xy, response, expected=view.expected(rng))
        ours.add(view, None if order is None else xy[order], "no board")
        order = order_printed(xy, response, rows=4, cols=6, line_distance=2.0)
        printed.add(view, None if order is None else xy[order], "no board")
    return ours, printed


def _nearest(points: FloatArray, p: FloatArray) -> float:
    return float(np.linalg.norm(points - p, axis=1).min())


def detection_times(view: BoardView, rounds: int) -> Timings:
    """Time detectors on one image that all of them solve, each on one core."""
    roi = region_of_interest(view.corners + 20.0, view.image.shape)
    image = np.array(view.image)
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return interleaved(
            {
                "ours": lambda: detect_chessboard(image),
                "ours, region": lambda: detect_chessboard(image, roi=roi),
                "SB": lambda: find_by_sectors(image),
                "classic": lambda: find_classic(image),
            },
            rounds=rounds,
        )
    finally:
        cv2.setNumThreads(threads)


def easy_view(rng: np.random.Generator, noise: float = 0.0) -> BoardView:
    """Return a view that all detectors solve."""
    for view in rendered_views(100, rng, noise=noise, max_tilt=0.5, max_roll=0.5):
        if all(
            find(view.image) is not None for find in (find_by_sectors, find_classic)
        ):
            return view
    raise RuntimeError("OpenCV found none of 100 easy boards")


# -- figures -------------------------------------------------------------------------


def _why_not() -> str:
    try:
        describe_renderer()
    except RenderError as error:
        return str(error)
    return ""


def corner_sigma(settings: Settings) -> Iterator[Row]:
    """TC1: scatter and bias of rendered corners, ours and OpenCV's."""
    count = settings.pick(144, 30)
    for noise in (0.0, 2.0):
        tag = "" if noise == 0.0 else "_noise_2"
        if reason := _why_not():
            yield Row(name=f"corner_sigma{tag}", value=None, unit="px", note=reason)
            continue
        views = list(rendered_views(count, settings.rng(), noise=noise))
        found = corner_precision(views)
        ours, peer = found["ours"], found["SB"]
        common = ours.only(peer.boards)
        yield Row(
            name=f"corner_sigma{tag}",
            value=float(ours.sigma.max()),
            unit="px",
            target=SIGMA,
            peers={
                "OpenCV SB (its boards)": float(peer.sigma.max()),
                "ours (boards of SB)": float(common.sigma.max()),
                "cornerSubPix from the truth": float(found["cornerSubPix"].sigma.max()),
            },
            note=f"{len(ours.boards)} of {count} boards, SB {len(peer.boards)}; tilt "
            f"to 60 degrees, noise {noise:g}; worst corner {ours.worst:.3f} px",
        )
        yield Row(
            name=f"corner_bias{tag}",
            value=float(np.abs(ours.bias).max()),
            unit="px",
            target=BIAS,
            peers={"OpenCV SB": float(np.abs(peer.bias).max())},
            note="pixel centres at whole numbers, nothing subtracted",
        )
        yield Row(
            name=f"boards_found{tag}",
            value=100.0 * len(ours.boards) / count,
            unit="%",
            target=SUCCESS,
            direction=">=",
            peers={"OpenCV SB": 100.0 * len(peer.boards) / count},
        )


def light_success(settings: Settings) -> Iterator[Row]:
    """TC2: boards with every corner in its place at four light levels."""
    if reason := _why_not():
        yield Row(name="board_light", value=None, unit="%", note=reason)
        return
    for lux, tally in light_tally(settings.pick(250, 25), settings.rng()).items():
        yield Row(
            name=f"board_light_{lux:g}_lx",
            value=tally.percent,
            unit="%",
            target=SUCCESS,
            direction=">=",
            note=tally.describe(),
        )


def distraction_success(settings: Settings) -> Iterator[Row]:
    """TC2: random views, any roll, three false corners, images and lists."""
    count = settings.pick(1000, 60)
    if reason := _why_not():
        yield Row(name="board_false_corners", value=None, unit="%", note=reason)
    else:
        ours, sectors = distracted_tally(count, settings.rng())
        yield Row(
            name="board_false_corners",
            value=ours.percent,
            unit="%",
            target=SUCCESS,
            direction=">=",
            peers={"OpenCV SB, either way round": sectors.percent},
            note=f"rendered, any light: {ours.describe()}",
        )
    ours, printed = ordering_tally(settings.pick(1000, 200), settings.rng())
    yield Row(
        name="list_false_corners",
        value=ours.percent,
        unit="%",
        target=SUCCESS,
        direction=">=",
        peers={"Wang 2005 as printed": printed.percent},
        note=f"lists of corners without images: {ours.describe()}",
    )


def detection_time(settings: Settings) -> Iterator[Row]:
    """Time of one 640 x 480 image against OpenCV's detectors."""
    if reason := _why_not():
        yield Row(name="detection_time", value=None, unit="us", note=reason)
        return
    times = detection_times(easy_view(settings.rng()), settings.pick(200, 40))
    micro = times.microseconds()
    yield Row(
        name="detection_time",
        value=micro["ours"],
        unit="us",
        peers={name: value for name, value in micro.items() if name != "ours"},
        note="whole image, single core each",
    )
    for name, peer in (("sb", "SB"), ("classic", "classic")):
        yield Row(
            name=f"detection_time_over_{name}",
            value=times.ratio("ours", peer),
            unit="1",
            target=1.0 if name == "sb" else None,
            note=f"with a region of interest {times.ratio('ours, region', peer):.3f}",
        )


FIGURES = (corner_sigma, light_success, distraction_success, detection_time)
