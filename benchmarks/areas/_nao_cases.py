"""TC5 to TC7: the published robots calibrated, with drawn images, from end to end."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from benchmarks.harness import Row, Settings
from gelenk.robots.nao.cases import calibrate_robot
from gelenk.robots.nao.errors import CASES, NaoErrors
from testkit.nao_situations import corner_errors, num_corners, short_program

JOINT, CAMERA = 0.01, 0.001  # [deg]
SIGMA, BIAS = 0.035, 0.02  # [px]
# Kastner 2014, Tab. 5.5 to 5.7: worst joint [deg].
PUBLISHED = {5: 0.041, 6: 0.030, 7: 0.058}


def published_cases(settings: Settings) -> Iterator[Row]:
    """Worst joint and camera error, corners used, of TC5, TC6 and TC7."""
    program = short_program() if settings.quick else None
    for case in (6,) if settings.quick else tuple(CASES):
        settings.tell(f"case {case}")
        result = calibrate_robot(CASES[case], program)
        outcome = result.outcome
        fit = outcome.fit
        words = outcome.verdict.value
        tried, used = num_corners(result), 0
        if fit is not None:
            found = fit.calibration
            used = int((found.weights > 0.0).sum())
            x, y = found.residual_sigma
            words += (
                f"; {found.iterations} iterations, chi-square {found.chi2_before:.0f} "
                f"to {found.chi2_after:.3f} px^2, sigma {x:.4f} and {y:.4f} px; "
                f"{outcome.simulated:.0f} s simulated"
            )
        # Three poses per leg leave the knee open by that much.
        yield Row(
            name=f"tc{case}_worst_joint",
            value=float(np.rad2deg(np.abs(result.joint_errors)).max()),
            unit="deg",
            target=2.0 * JOINT if settings.quick else JOINT,
            peers={"Kastner 2014": PUBLISHED[case]},
            note=words,
        )
        yield Row(
            name=f"tc{case}_worst_camera",
            value=float(np.rad2deg(np.abs(result.camera_errors)).max()),
            unit="deg",
            target=None if settings.quick else CAMERA,
            peers={"Kastner 2014": 0.0007},
        )
        yield Row(
            name=f"tc{case}_corners_used",
            value=100.0 * used / max(tried, 1),
            unit="%",
            target=100.0 if fit is None else 99.0,
            direction=">=",
            note=f"{used} of {tried}; {len(outcome.automaton.missed)} views missed",
        )


def robot_corners(settings: Settings) -> Iterator[Row]:
    """TC1 in the robot: corners of an error-free NAO against where they must be."""
    program = short_program() if settings.quick else None
    result = calibrate_robot(NaoErrors(), program, model="published")
    views = result.outcome.automaton.views
    errors = corner_errors(result.errors, views).reshape(-1, 2)
    sigma, bias = errors.std(axis=0), errors.mean(axis=0)
    within = np.mean(np.abs(errors - bias) <= 3.0 * sigma)
    yield Row(
        name="tc1_robot_sigma",
        value=float(sigma.max()),
        unit="px",
        target=SIGMA,
        peers={"Kastner 2014": 0.0411},
        note=f"{len(views)} views, {24 * len(views)} of {num_corners(result)} corners; "
        f"{100.0 * within:.1f} % within 3 sigma",
    )
    yield Row(
        name="tc1_robot_bias",
        value=float(np.abs(bias).max()),
        unit="px",
        target=BIAS,
        peers={"Kastner 2014": 0.506},
        note="nothing subtracted",
    )


FIGURES = (robot_corners, published_cases)
