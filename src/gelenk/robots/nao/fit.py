"""From views to parameters: which model explains them, and whether to believe it."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

import numpy as np

from gelenk.calibration.calibration import (
    Calibration,
    CalibrationCfg,
    CalibrationStatus,
    calibrate,
)
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.errors import ConfigError
from gelenk.robots.nao import config
from gelenk.robots.nao.automaton import BoardView, FitAnswer, Verdict
from gelenk.robots.nao.joints import SIDES, model_from_body
from gelenk.robots.nao.parameters import (
    EXTENSIONS,
    EYE,
    Extension,
    leg_names,
    nao_problem,
)
from gelenk.robots.nao.poses.view import TARGETS
from gelenk.robots.nao.printed import calibrate_printed

ModelName: TypeAlias = Literal["published", "extended", "auto"]
MethodName: TypeAlias = Literal["robust", "printed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FitCfg:
    """How views are fitted and what is believed.

    Attributes:
        model: "published": the 21 parameters; "extended": with those beyond; "auto":
            the published ones, and those beyond if the residuals ask for them, or
            where the readings have steps behind which other causes can hide.
        method: "robust": the one to use; "printed": Algorithm 4.2 of Kastner 2014, for
            the published parameters only.
        encoder_step: Width of the joint readings' steps [rad]; 0: exact.
        solver: Settings of the least squares.
        unexplained: Residual noise above which "auto" looks for more causes [px].
        least_views: Views below which nothing is fitted.
        max_joint: Largest believable joint offset [rad].
        max_camera: Largest believable turn of the camera [rad].
        max_shift: Largest believable shift of a board [m].
        max_turn: Largest believable turn of a board [rad].
        max_noise: Largest believable residual noise [px].
        max_outliers: Largest share of doubted corners.
    """

    model: ModelName = "auto"
    method: MethodName = "robust"
    encoder_step: float = config.ENCODER_STEP
    solver: CalibrationCfg = field(default_factory=CalibrationCfg)
    unexplained: float = 0.15
    least_views: int = 12
    max_joint: float = math.radians(8.0)
    max_camera: float = math.radians(6.0)
    max_shift: float = 0.020
    max_turn: float = math.radians(5.0)
    max_noise: float = 5.0
    max_outliers: float = 0.35

    def __post_init__(self) -> None:
        if self.model not in ("published", "extended", "auto"):
            raise ConfigError(
                f"`model` must be 'published', 'extended' or 'auto', got {self.model!r}"
            )
        if self.method not in ("robust", "printed"):
            raise ConfigError(
                f"`method` must be 'robust' or 'printed', got {self.method!r}"
            )
        if self.method == "printed" and self.model == "extended":
            raise ConfigError(
                "`method` 'printed' knows no priors and fits the published model only; "
                "take 'robust' for the extended one"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """What the views say.

    Attributes:
        problem: The model that was fitted.
        calibration: Its parameters.
        sights: The data, in the order of the views.
        model: "published" or "extended".
        answer: Verdict and reason.
        seconds: Time that the computation took [s]; differs from run to run.
    """

    problem: CalibrationProblem
    calibration: Calibration
    sights: tuple[Observation, ...]
    model: str
    answer: FitAnswer
    seconds: float


def sights_from_views(
    problem: CalibrationProblem, views: Sequence[BoardView]
) -> tuple[Observation, ...]:
    """Return the measured corners of views; a leg pose is a group.

    Args:
        problem: Made by `nao_problem`.
        views: Collected views.
    """
    stride = 1 + max((view.pose for view in views), default=0)
    return tuple(
        Observation(
            camera=EYE,
            target=view.side,
            q=model_from_body(problem.model, view.angles),
            points=np.flatnonzero(view.is_measured),
            pixels=view.corners[view.is_measured],
            group=SIDES.index(view.side) * stride + view.pose,
        )
        for view in views
    )


def fit_views(views: Sequence[BoardView], cfg: FitCfg | None = None) -> Fit:
    """Return the parameters of a NAO and whether they can be believed."""
    cfg = cfg or FitCfg()
    begin = time.perf_counter()
    first: bool | tuple[Extension, ...] = cfg.model == "extended"
    fit = _fit(views, cfg, first)
    if (
        cfg.model == "auto"
        and cfg.method == "robust"
        and len(views) >= cfg.least_views
        and (cfg.encoder_step > 0.0 or not fit.calibration.noise <= cfg.unexplained)
    ):
        # Errors of readings with steps are unknowns, too: they would take up what the
        # published model cannot explain, and small residuals prove nothing.
        fit = _fit(views, cfg, EXTENSIONS)
    return replace(fit, seconds=time.perf_counter() - begin)


def _fit(
    views: Sequence[BoardView], cfg: FitCfg, extended: bool | tuple[Extension, ...]
) -> Fit:
    step = cfg.encoder_step if cfg.method == "robust" else 0.0
    problem = nao_problem(extended=extended, encoder_step=step)
    sights = sights_from_views(problem, views)
    if cfg.method == "printed":
        calibration = calibrate_printed(problem, sights)
    else:
        calibration = calibrate(problem, sights, cfg.solver)
    return Fit(
        problem=problem,
        calibration=calibration,
        sights=sights,
        model="extended" if extended else "published",
        answer=judge(problem, calibration, len(views), cfg),
        seconds=0.0,
    )


def judge(
    problem: CalibrationProblem, calibration: Calibration, num_views: int, cfg: FitCfg
) -> FitAnswer:
    """Return whether a result is believed, with the reason.

    Args:
        problem: What was fitted.
        calibration: The result.
        num_views: How many views it rests on.
        cfg: What is believed.
    """
    if num_views < cfg.least_views:
        needed = f"{cfg.least_views} are needed"
        return FitAnswer(
            verdict=Verdict.TOO_FEW_VIEWS, reason=f"{num_views} views, {needed}"
        )
    if calibration.status is CalibrationStatus.TOO_FEW_POINTS:
        return FitAnswer(verdict=Verdict.TOO_FEW_VIEWS, reason=calibration.message)
    if calibration.status is not CalibrationStatus.CONVERGED:
        return FitAnswer(verdict=Verdict.NOT_CONVERGED, reason=calibration.message)
    doubts = [*_out_of_range(problem, calibration, cfg), *_poor(calibration, cfg)]
    if doubts:
        return FitAnswer(verdict=Verdict.IMPLAUSIBLE, reason="; ".join(doubts))
    return FitAnswer(
        verdict=Verdict.CALIBRATED,
        reason=f"{num_views} views, residual noise {calibration.noise:.3f} px",
    )


def _out_of_range(
    problem: CalibrationProblem, calibration: Calibration, cfg: FitCfg
) -> list[str]:
    limits: dict[str, float] = {}
    for side in SIDES:
        word = side.capitalize()
        limits |= dict.fromkeys(leg_names(side), cfg.max_joint)
        limits[f"{word}RotationZ"] = cfg.max_turn
        limits |= dict.fromkeys(
            (f"{word}TranslationX", f"{word}TranslationY"), cfg.max_shift
        )
    limits |= dict.fromkeys(("CameraYaw", "CameraPitch", "CameraRoll"), cfg.max_camera)
    doubts = []
    for name, limit in limits.items():
        value = calibration.value(name)
        if abs(value) > limit:
            is_length = problem.parameters[problem.index(name)].unit == "m"
            scale, unit = (1e3, "mm") if is_length else (math.degrees(1.0), "degrees")
            doubts.append(
                f"{name} {scale * value:.1f} {unit} (at most {scale * limit:.0f})"
            )
    return doubts


def _poor(calibration: Calibration, cfg: FitCfg) -> list[str]:
    doubts = []
    if calibration.noise > cfg.max_noise:
        doubts.append(
            f"residuals of {calibration.noise:.1f} px (at most {cfg.max_noise:g})"
        )
    share = calibration.num_outliers / max(calibration.num_points, 1)
    if share > cfg.max_outliers:
        doubts.append(f"{100.0 * share:.0f} % of the corners do not fit")
    return doubts


def num_expected(num_poses: int) -> int:
    """Return the number of views of both legs for a number of poses per leg."""
    return len(SIDES) * num_poses * len(TARGETS)
