"""Piggy's predictions: thrown balls with unknown drag, spin and wind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from benchmarks.harness import Row, Settings, interleaved
from benchmarks.rows import Direction
from gelenk.estimation.ball import BallFilter, BallFilterCfg
from testkit.ball_predictions import (
    BALL,
    BALL_IN_WIND,
    CAMERAS,
    INDOORS,
    OUTDOORS,
    Predictions,
    predictions,
    pursue,
)
from testkit.thrown_balls import ThrowCfg, camera_poses, circle_of

SHARE = 95.0  # [%] of throws
CONSISTENT = (90.0, 98.0)  # [%] of frames inside the 95 % band
STEP_TIME = 50.0  # [us], prediction and correction
START = 3.0  # frames


def interception(settings: Settings) -> Iterator[Row]:
    """Predict from images where and when balls cross the workspace, 300 ms ahead.

    Rendered images, cameras as a calibration found them, the tracker as it plays.
    """
    from experiments.piggy.track import prediction_figures, watch_throws

    count = settings.pick(60, 6)
    names = (
        "share",
        "entry",
        "covered",
        "without_track",
        "nees",
        "track_start",
        "false_circles",
        "time",
    )
    for place in ("indoor", "outdoor"):
        watched = watch_throws(place, count, seed=settings.seed + 1, per_place=10)
        figures = prediction_figures(place, watched)
        for name, figure in zip(names, figures, strict=True):
            low, high = figure.accepted or (-math.inf, math.inf)
            note = f"{figure.quantity}; {figure.note}".strip("; ")
            ends: list[tuple[str, float | None, Direction]] = []
            if math.isfinite(low):
                ends.append(("", low, ">="))
            if math.isfinite(high):
                ends.append(("_at_most" if ends else "", high, "<="))
            for suffix, target, direction in ends or [("", None, "<=")]:
                yield Row(
                    name=f"interception_{place}_{name}{suffix}",
                    value=float(figure.value),
                    unit=figure.unit,
                    target=target,
                    direction=direction,
                    note=note,
                )


def interception_from_circles(settings: Settings) -> Iterator[Row]:
    """Predict from circles with errors as assumed: what the filter alone can do."""
    count = settings.pick(500, 60)
    cases: tuple[tuple[str, ThrowCfg, BallFilterCfg, float, float], ...] = (
        ("indoors", INDOORS, BALL, 0.02, 0.005),
        ("in_wind", OUTDOORS, BALL_IN_WIND, 0.03, 0.008),
    )
    for name, throws, ball, miss, late in cases:
        found = predictions(count, throws, ball, seed=settings.seed)
        note = (
            f"{len(found.miss)} throws over 5 to 6 m that cross, drag +- 10 %, spin "
            f"{throws.spin_sigma:.0f} rad/s per axis, {_errors(found)}; circles with "
            "errors of 0.06 px, 8 % of 0.4 px"
        )
        yield Row(
            name=f"circles_{name}",
            value=100.0 * found.share_within(miss, late),
            unit="%",
            target=SHARE,
            direction=">=",
            note=f"within {100 * miss:.0f} cm and {1e3 * late:.0f} ms; {note}",
        )
        yield Row(
            name=f"circles_{name}_covered",
            value=100.0 * float(np.mean(found.fit < 7.815)),
            unit="%",
            target=90.0,
            direction=">=",
            note="crossings inside the predicted 95 % ellipsoid of place and time",
        )
        ends: tuple[tuple[str, float, Direction], ...] = (
            ("at_least", CONSISTENT[0], ">="),
            ("at_most", CONSISTENT[1], "<="),
        )
        for side, limit, direction in ends:
            yield Row(
                name=f"circles_{name}_nees_{side}",
                value=100.0 * found.share_consistent(),
                unit="%",
                target=limit,
                direction=direction,
                note="frames with the NEES of place and velocity in its 95 % band",
            )


def interception_hard_cases(settings: Settings) -> Iterator[Row]:
    """Predict faster throws, in shorter gusts, and without spin among the unknowns."""
    count = settings.pick(300, 40)
    fast = replace(INDOORS, flight_time=(0.65, 1.05))
    gusty = replace(OUTDOORS, gust_time=0.5)
    blind = replace(BALL, lift_sigma=1e-6)
    for name, throws, ball, miss, late in (
        ("fast_throws", fast, BALL, 0.02, 0.005),
        ("short_gusts", gusty, BALL_IN_WIND, 0.03, 0.008),
        ("spin_not_estimated", INDOORS, blind, 0.02, 0.005),
    ):
        found = predictions(count, throws, ball, seed=settings.seed)
        yield Row(
            name=f"interception_{name}",
            value=100.0 * found.share_within(miss, late),
            unit="%",
            note=(
                f"within {100 * miss:.0f} cm and {1e3 * late:.0f} ms, 300 ms ahead; "
                f"{_errors(found)}"
            ),
        )


def sharpening(settings: Settings) -> Iterator[Row]:
    """Predict earlier and later: errors shrink the longer a ball is seen."""
    count = settings.pick(200, 40)
    for ahead in (0.5, 0.4, 0.3, 0.2):
        found = predictions(count, seed=settings.seed, ahead=ahead)
        yield Row(
            name=f"miss_{1e3 * ahead:.0f}_ms_ahead",
            value=100.0 * float(np.quantile(found.miss, 0.95)),
            unit="cm",
            note=f"95th percentile, indoors; {_errors(found)}",
        )


def filter_step(settings: Settings) -> Iterator[Row]:
    """Time one prediction by a frame and one correction by a circle."""
    place = np.array([0.0, 3.5, 2.2])
    circle = circle_of(camera_poses()[0], place)
    mean = np.concatenate([place, (0.0, -6.0, 1.0)])
    for name, ball in (("10", BALL), ("13", BALL_IN_WIND)):
        filter = BallFilter(ball, CAMERAS)
        x0, P0 = filter.start_arrays(mean, np.diag([0.01] * 3 + [0.25] * 3))

        def step(
            filter: BallFilter = filter, x0: np.ndarray = x0, P0: np.ndarray = P0
        ) -> None:
            x, P = x0.copy(), P0.copy()
            filter.predict_arrays(x, P, 0.02)
            filter.update_arrays(x, P, 0, circle)

        timings = interleaved({"gelenk": step}, rounds=settings.pick(300, 50))
        yield Row(
            name=f"filter_step_{name}_states",
            value=timings.microseconds()["gelenk"],
            unit="us",
            target=STEP_TIME,
            note="prediction over 20 ms and correction by one circle, from Python",
        )


def tracking_in_clutter(settings: Settings) -> Iterator[Row]:
    """Follow balls among false circles, without pairing circles beforehand."""
    runs = settings.pick(30, 4)
    for balls, clutter in ((1, 0), (1, 5), (1, 20), (1, 50), (3, 5)):
        done = [pursue(balls, clutter, seed=settings.seed + run) for run in range(runs)]
        starts = np.concatenate([pursuit.starts for pursuit in done])
        work = np.concatenate([pursuit.work for pursuit in done])
        yield Row(
            name=f"track_start_{balls}_balls_{clutter}_false",
            value=float(np.nanmedian(starts)),
            unit="frames",
            target=START,
            note=(
                f"{runs} x {balls} balls, {clutter} false circles per image; "
                f"{int(np.isnan(starts).sum())} never found, lost in "
                f"{sum(p.lost for p in done)} frames, {sum(p.swapped for p in done)} "
                f"renumbered, {np.mean([p.false for p in done]):.3f} false tracks per "
                f"frame, CPU p95 {1e3 * np.quantile(work, 0.95):.1f} ms per frame"
            ),
        )
    storm = pursue(1, 5.0, seed=settings.seed, storm=500.0)
    yield Row(
        name="circle_storm",
        value=1e3 * float(storm.work.max()),
        unit="ms",
        target=20.0,
        note=(
            f"longest frame with 500 false circles per image for 0.1 s, CPU; ball lost "
            f"in {storm.lost} frames"
        ),
    )


def _errors(found: Predictions) -> str:
    miss, late = np.quantile(found.miss, 0.95), np.quantile(np.abs(found.late), 0.95)
    return f"95 %: {100 * miss:.1f} cm, {1e3 * late:.1f} ms"
