"""EX-12 and what images tell about thrown balls: predictions, starts, consistency."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from experiments.figures import ComparedFigure
from experiments.piggy.track_watch import Watched, watch_throws
from gelenk.estimation.kalman import chi2_band
from gelenk.robots.piggy.throwers import PlaceName
from gelenk.robots.piggy.workspace import height

AHEAD = 0.3  # [s] before the crossing
SETTLED = 3  # frames; before, the prior speaks rather than the filter
LIMITS = {"indoor": (0.02, 0.005), "outdoor": (0.03, 0.008)}
COVERED = 7.815  # 95 % of chi-square with 3 degrees
THROWS = 11  # of EX-12, as in the thesis
GRAZING = math.sin(math.radians(10.0))  # flatter, and millimetres move the entry far


def landing_drift(
    watched: Sequence[Watched] | None = None, *, seed: int = 0
) -> list[ComparedFigure]:
    """EX-12: landing at the roll axis's height, first against last estimate.

    Args:
        watched: Throws; None: as many as in the thesis, indoors.
        seed: Of those.
    """
    if watched is None:
        watched = watch_throws("indoor", THROWS, seed=seed)
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
        ComparedFigure(
            experiment="EX-12", quantity=name, value=float(value), unit=measure,
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


_Row = tuple[str, float, str, tuple[float, float] | None, str]
"""Of a figure: quantity, value, unit, what is accepted, note."""


def prediction_figures(
    place: PlaceName, watched: Sequence[Watched]
) -> list[ComparedFigure]:
    """How well balls are predicted from images, and how well that is known.

    Returns:
        Shares of throws whose passing and whose entry are predicted, share inside the
        ellipsoid, NEES, start of tracks, balls without one, false circles, time.
    """
    return [
        ComparedFigure(
            experiment="tracking",
            quantity=f"{place}: {name}",
            value=float(value),
            unit=measure,
            accepted=accepted,
            note=note,
        )
        for name, value, measure, accepted, note in (
            *_ahead_rows(place, watched),
            *_frame_rows(watched),
        )
    ]


def _ahead_rows(place: PlaceName, watched: Sequence[Watched]) -> list[_Row]:
    """Return what is said 300 ms before balls cross."""
    crossed = [t for t in watched if t.crossing is not None]
    seen = [t.ahead(AHEAD) for t in crossed]
    known = [s for s in seen if s is not None]
    miss, late = LIMITS[place]
    limits = f"{100 * miss:g} cm and {1e3 * late:g} ms"
    good = [s.miss <= miss and abs(s.late) <= late for s in known]
    entered = [s.entry_miss <= miss and abs(s.entry_late) <= late for s in known]
    flat = sum(_dive(t) < GRAZING for t in crossed)
    count = max(len(crossed), 1)
    passing = (
        f"{sum(good)} of {len(crossed)} throws that cross; 95th percentiles "
        f"{100 * _quantile([s.miss for s in known]):.1f} cm and "
        f"{1e3 * _quantile([abs(s.late) for s in known]):.1f} ms"
    )
    where = f"passes within {limits} of where the bat would be, 300 ms ahead"
    graze = f"{flat} of {len(crossed)} graze, flatter than 10 deg"
    covered = [s.fit < COVERED for s in known]
    return [
        (where, 100.0 * sum(good) / count, "%", (95.0, math.inf), passing),
        (
            f"enters the workspace within {limits}",
            100.0 * sum(entered) / count, "%", (95.0, math.inf), graze,
        ),
        (
            "balls in the predicted 95 % ellipsoid",
            100.0 * float(np.mean(covered)), "%", (90.0, math.inf), "",
        ),
        (
            "balls that cross without a track",
            100.0 * (1.0 - len(known) / count), "%", (-math.inf, 5.0), "",
        ),
    ]  # fmt: skip


def _frame_rows(watched: Sequence[Watched]) -> list[_Row]:
    """Return what holds in all frames."""
    low, high = chi2_band(6)
    values = np.array(
        [s.nees for t in watched for s in t.sightings if s.age >= SETTLED]
    )
    starts = np.array([t.sightings[0].age for t in watched if t.sightings])
    false = np.concatenate([t.false for t in watched]).mean(axis=0)
    ms = 1e3 * np.concatenate([t.seconds for t in watched])
    return [
        (
            "frames with NEES in its 95 % band",
            100.0 * float(np.mean((values > low) & (values < high))), "%",
            (90.0, 98.0), f"median {np.median(values):.1f} of 6",
        ),
        (
            "first track after the ball is whole in both images, median",
            float(np.median(starts)), "frames", (-math.inf, 3.0),
            f"95th percentile {np.quantile(starts, 0.95):.0f}",
        ),
        (
            "false circles that may be balls, per image",
            0.5 * float(false[0]), "", (-math.inf, 0.5),
            f"pairs that may be balls: {false[1]:.3f} per frame",
        ),
        (
            "images to tracks, 95th percentile, CPU of one thread",
            float(np.quantile(ms, 0.95)), "ms", None,
            f"median {np.median(ms):.1f} ms",
        ),
    ]  # fmt: skip


def _dive(throw: Watched) -> float:
    """Return the sine of the angle at which a ball enters the workspace."""
    crossing = throw.crossing
    if crossing is None:
        return 0.0
    h = 1e-6
    p, v = crossing.position, crossing.velocity / np.linalg.norm(crossing.velocity)
    before, after = height(np.stack([p - h * v, p + h * v]))
    return float(before - after) / (2.0 * h)


def _quantile(values: Sequence[float]) -> float:
    # No interpolation: one of them may be infinite.
    return float(np.quantile(values, 0.95, method="higher")) if values else math.nan


EXPERIMENTS: Mapping[str, Callable[[], list[ComparedFigure]]] = MappingProxyType(
    {"EX-12": landing_drift}
)
