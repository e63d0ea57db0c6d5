"""EX-12 and what images tell about thrown balls: predictions, starts, consistency."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from gelenk.core.estimation.kalman import chi2_band
from gelenk.robots.piggy.experiments.track_watch import Watched, watch_throws
from gelenk.robots.piggy.throwers import PlaceName
from gelenk.robots.piggy.workspace import height
from gelenk.runtime.figures import Figure

AHEAD = 0.3  # [s] before the crossing
SETTLED = 3  # frames; before, the prior speaks rather than the filter
LIMITS = {"indoor": (0.02, 0.005), "outdoor": (0.03, 0.008)}
COVERED = 7.815  # 95 % of chi-square with 3 degrees
THROWS = 11  # of EX-12, as in the thesis
GRAZING = math.sin(math.radians(10.0))  # flatter, and the point of entry is undefined


def landing_drift(
    watched: Sequence[Watched] | None = None, *, seed: int = 0
) -> list[Figure]:
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
    good = [t for t in crossed if _is_good(t, miss, late)]
    low, high = chi2_band(6)
    values = np.array(
        [s.nees for t in watched for s in t.sightings if s.age >= SETTLED]
    )
    starts = np.array([t.sightings[0].age for t in watched if t.sightings])
    ms = 1e3 * np.concatenate([t.seconds for t in watched])
    inf = math.inf
    errors = (
        f"{len(crossed)} throws that cross, {_without_grazing(crossed, miss, late)}; "
        "95th percentiles "
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


def _is_good(throw: Watched, miss: float, late: float) -> bool:
    seen = throw.ahead(AHEAD)
    return seen is not None and seen.miss <= miss and abs(seen.late) <= late


def _without_grazing(crossed: Sequence[Watched], miss: float, late: float) -> str:
    """Return in words how many balls graze the workspace, and the share without them.

    Where a path only touches the sheet, millimetres decide where it enters, or whether.
    """
    steep = [t for t in crossed if t.crossing is not None and _dive(t) >= GRAZING]
    share = 100.0 * np.mean([_is_good(t, miss, late) for t in steep]) if steep else 0.0
    return f"{share:.1f} % without {len(crossed) - len(steep)} that graze"


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


EXPERIMENTS: Mapping[str, Callable[[], list[Figure]]] = MappingProxyType(
    {"EX-12": landing_drift}
)
