"""A calibration as one JSON document, in degrees and millimetres.

The same request gives the same document, except for the keys of `CLOCKS`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import gelenk
from gelenk.calibration.calibration import Calibration
from gelenk.robots.nao.automaton import Verdict
from gelenk.robots.nao.command import Finished
from gelenk.robots.nao.errors import NaoErrors
from gelenk.robots.nao.fit import Fit
from gelenk.robots.nao.joints import SIDES
from gelenk.robots.nao.parameters import values_from_errors
from gelenk.robots.nao.report.advice import Advice
from gelenk.runtime.config_values import to_plain
from gelenk.runtime.files import as_plain

SCHEMA = 1  # raised whenever a key changes its meaning or goes
CLOCKS = ("compute_seconds", "run_compute_seconds")
PITCHES = ("HipPitch", "KneePitch", "AnklePitch")
_UNITS = {
    "rad": (math.degrees(1.0), "deg"),
    "m": (1e3, "mm"),
    "rad/(N m)": (math.degrees(1.0), "deg/(N m)"),
}


class Shown(NamedTuple):
    """A parameter in the units that people read.

    Attributes:
        name, group, unit: What it is.
        estimate, sigma: What was found, and its standard deviation.
        true_error: What is really wrong; None if nobody knows.
        prior: Spread of what was believed before; infinite without a belief.
        is_frozen: Whether it was kept as it is.
    """

    name: str
    group: str
    unit: str
    estimate: float
    sigma: float
    true_error: float | None
    prior: float
    is_frozen: bool

    @property
    def deviation(self) -> float | None:
        """Estimate less truth."""
        return None if self.true_error is None else self.estimate - self.true_error


def shown_unit(unit: str) -> tuple[float, str]:
    """Return the factor and the name under which a unit is shown.

    Example:
        >>> shown_unit("m")
        (1000.0, 'mm')
    """
    return _UNITS.get(unit, (1.0, unit))


def shown_parameters(fit: Fit, errors: NaoErrors | None = None) -> list[Shown]:
    """Return the parameters of a fit in readable units.

    Args:
        fit: The fit.
        errors: What is really wrong, if somebody knows.
    """
    found = fit.calibration
    truth = None if errors is None else values_from_errors(fit.problem, errors)
    sigma = found.sigma
    shown = []
    for i, parameter in enumerate(fit.problem.parameters):
        factor, unit = shown_unit(parameter.unit)
        shown.append(
            Shown(
                name=parameter.name,
                group=parameter.group,
                unit=unit,
                estimate=factor * float(found.values[i]),
                sigma=factor * float(sigma[i]),
                true_error=None if truth is None else factor * float(truth[i]),
                prior=factor * float(parameter.sigma),
                is_frozen=parameter.is_frozen,
            )
        )
    return shown


def pitch_sums(calibration: Calibration) -> dict[str, dict[str, float]]:
    """Return the sums of the three parallel pitch joints of each leg [deg].

    How the error is shared among them is hard to see, their sum is not.
    """
    sums = {}
    for side in SIDES:
        names = [f"{side.capitalize()}{joint}" for joint in PITCHES]
        value, sigma = calibration.combination(dict.fromkeys(names, 1.0))
        single = [float(calibration.sigma[calibration.index(name)]) for name in names]
        sums[side] = {
            "sum": math.degrees(value),
            "sigma": math.degrees(sigma),
            "largest_single_sigma": math.degrees(max(single)),
        }
    return sums


def make_document(finished: Finished, advice: Advice | None = None) -> dict[str, Any]:
    """Return what became of a calibration.

    Args:
        finished: The calibration.
        advice: What it says in words.
    """
    request, outcome = finished.request, finished.outcome
    state, fit = outcome.automaton, outcome.fit
    document: dict[str, Any] = {
        "schema": SCHEMA,
        "kind": "nao calibration",
        "software": f"gelenk {gelenk.__version__}",
        "robot": request.robot,
        "verdict": str(state.verdict),
        "ok": state.verdict is Verdict.CALIBRATED,
        "reason": state.reason,
        "model": None if fit is None else fit.model,
        "method": request.cfg.cognition.fit.method,
        "parameters": [] if fit is None else _parameters(fit, request.errors),
        "measurements": {
            "views_expected": request.num_views,
            "views": len(state.views),
            "corners": sum(int(view.is_measured.sum()) for view in state.views),
            "corners_doubted": 0 if fit is None else fit.calibration.num_outliers,
            "images_searched": outcome.searches,
        },
        "missed": [
            {
                "leg": miss.side,
                "pose": miss.pose + 1,
                "gaze": miss.gaze + 1,
                "time": miss.time,
                "reason": miss.reason,
            }
            for miss in state.missed
        ],
        **_fit_figures(fit),
        "simulated_seconds": outcome.simulated,
        "compute_seconds": None if fit is None else fit.seconds,
        "run_compute_seconds": outcome.seconds,
        "advice": [] if advice is None else list(advice.sentences),
        "config": {
            "poses": request.poses,
            "poses_per_leg": request.num_poses,
            **to_plain(request.cfg),
        },
    }
    return as_plain(document)


def _parameters(fit: Fit, errors: NaoErrors) -> list[dict[str, Any]]:
    return [
        {
            "name": item.name,
            "group": item.group,
            "unit": item.unit,
            "estimate": item.estimate,
            "sigma": item.sigma,
            "true_error": item.true_error,
            "deviation": item.deviation,
            "prior_sigma": item.prior,
            "frozen": item.is_frozen,
        }
        for item in shown_parameters(fit, errors)
    ]


def _fit_figures(fit: Fit | None) -> dict[str, Any]:
    if fit is None:
        empty = ("iterations", "chi2_before", "chi2_after", "noise", "status")
        return {
            **dict.fromkeys(empty),
            "residual_sigma": {"x": None, "y": None},
            "pitch_sums": None,
        }
    found = fit.calibration
    sigma_x, sigma_y = map(float, found.residual_sigma)
    return {
        "iterations": found.iterations,
        "chi2_before": found.chi2_before,
        "chi2_after": found.chi2_after,
        "noise": found.noise,
        "status": str(found.status),
        "residual_sigma": {"x": sigma_x, "y": sigma_y},
        "pitch_sums": pitch_sums(found),
    }


def worst_joint_error(document: Mapping[str, Any]) -> tuple[str, float] | None:
    """Return the leg joint with the largest deviation from the truth [deg]."""
    known = [
        (item["name"], abs(item["deviation"]))
        for item in document["parameters"]
        if item["group"].endswith(" leg") and item["deviation"] is not None
    ]
    return max(known, key=lambda pair: pair[1]) if known else None


def by_group(shown: list[Shown]) -> Iterator[tuple[str, list[Shown]]]:
    """Yield groups with their parameters, in the order of their first ones."""
    groups: dict[str, list[Shown]] = {}
    for item in shown:
        groups.setdefault(item.group, []).append(item)
    yield from groups.items()
