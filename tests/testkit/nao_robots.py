"""NAOs met by chance, calibrated from synthetic views; for statistics over many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gelenk.calibration.calibration import Calibration, calibrate
from gelenk.calibration.prediction import information
from gelenk.calibration.problem import CalibrationProblem, Observation
from gelenk.robots.nao.compensation import Compensation, compensation_from
from gelenk.robots.nao.config import ENCODER_STEP
from gelenk.robots.nao.errors import NaoErrors, _schema
from gelenk.robots.nao.parameters import nao_problem
from gelenk.robots.nao.poses.body import body_pose, looking_poses
from gelenk.robots.nao.poses.candidates import Candidates
from gelenk.robots.nao.poses.choice import pose_sights
from gelenk.robots.nao.poses.shipped import GIVEN, shipped_poses
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.typing import FloatArray
from testkit.nao_sights import SightNoise, seen_by_nao

NOISE = SightNoise(pixel=0.04, encoder_step=ENCODER_STEP)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalibratedRobot:
    """A robot, what it was found to be, and what to do about it.

    Attributes:
        errors: The truth.
        problem, calibration: What was fitted, and found.
        compensation: What follows.
        sights: What it rests on.
    """

    errors: NaoErrors
    problem: CalibrationProblem
    calibration: Calibration
    compensation: Compensation
    sights: tuple[Observation, ...]


def given_bodies() -> FloatArray:
    """Return the shipped poses of the left leg with three gazes each, (24, 3, 22)."""
    bodies, _ = looking_poses(
        nominal_model(), body_pose(shipped_poses(GIVEN), "left"), "left"
    )
    return bodies


def calibrated_robot(
    errors: NaoErrors,
    bodies: FloatArray,
    rng: np.random.Generator,
    *,
    is_extended: bool = True,
    noise: SightNoise = NOISE,
) -> CalibratedRobot:
    """Return a robot after its calibration.

    Args:
        errors: What is wrong with it.
        bodies: Poses of the left leg, (n, 3, 22); the right one takes the mirrored.
        rng: Draws noise.
        is_extended: Whether all parameters are fitted, or the published 21.
        noise: How eyes and encoders err.
    """
    problem = nao_problem(extended=is_extended, encoder_step=noise.encoder_step)
    sights = tuple(seen_by_nao(problem, errors, bodies, rng, noise))
    calibration = calibrate(problem, sights)
    return CalibratedRobot(
        errors=errors,
        problem=problem,
        calibration=calibration,
        compensation=compensation_from(calibration),
        sights=sights,
    )


def write_errors(errors: NaoErrors, path: str | Path) -> None:
    """Write errors as a TOML file that `read_errors` reads back."""
    lines = ["# Errors of a NAO; angles [deg], lengths [mm], compliance [deg/(N m)]"]
    table = ""
    for key, (name, index, scale) in _schema().items():
        head, entry = key.split(".")
        if head != table:
            lines += ["", f"[{head}]"]
            table = head
        value = getattr(errors.links, index) if name == "links" else None
        if value is None:
            whole = getattr(errors, name)
            value = whole if index is None else whole[index]
        lines.append(f"{entry} = {float(value) / scale!r}")
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def predicted_sigma(
    problem: CalibrationProblem,
    candidates: Candidates,
    rows: Sequence[int],
    noise: float = 0.04,
) -> FloatArray:
    """Return the standard deviations of all parameters that poses promise, (P,).

    Frozen ones have 0.

    Args:
        problem: What is to be found.
        candidates: Poses.
        rows: Which of them are measured.
        noise: Of a corner's coordinate [px].
    """
    sights = list(pose_sights(problem, candidates.take(rows)))
    free = np.flatnonzero(problem.is_free)
    prior = np.diag([problem.parameters[i].sigma ** -2.0 for i in free])
    told = information(problem, None, sights, noise=noise)[np.ix_(free, free)]
    sigma = np.zeros(len(problem.parameters))
    sigma[free] = np.sqrt(np.diag(np.linalg.inv(told + prior)))
    return sigma
