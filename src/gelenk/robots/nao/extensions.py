"""Further calibrations of a NAO: a few lines of configuration each.

- `standing_problem`: upright, one foot in the air with its sandal on, held there by its
  motors or by a hand.
- `arm_problem`: the arms, seen by the upper camera through a marker on each fist.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gelenk.calibration.effects import (
    Axis,
    CameraRotation,
    JointOffset,
    TargetRotation,
    TargetTranslation,
)
from gelenk.calibration.problem import (
    CalibrationCamera,
    CalibrationParameter,
    CalibrationProblem,
    ReadingError,
    Target,
)
from gelenk.models.catalog.shapes import shift
from gelenk.robots.nao import config
from gelenk.robots.nao.config import T_MOUNT_CAMERA
from gelenk.robots.nao.joints import ARM_JOINTS, BODY_JOINTS, SIDES, SIGNS
from gelenk.robots.nao.parameters import Extension, nao_problem
from gelenk.robots.nao.robot_with_errors import nominal_model
from gelenk.typing import FloatArray

UPPER_EYE = "upper"
FIST_SQUARE = 0.012  # [m], edge of the squares of the marker
FIST_HEIGHT = 0.03  # [m], of the marker above the middle of the hand


def standing_problem(
    *,
    extended: bool | tuple[Extension, ...] = False,
    encoder_step: float = 0.0,
    is_guided: bool = False,
) -> CalibrationProblem:
    """Return the problem of a NAO that stands on one foot and looks at the other.

    Args:
        extended: Parameters beyond the published ones, see `nao_problem`.
        encoder_step: Width of the steps of the joint readings [rad]; 0: exact.
        is_guided: Whether a hand holds the foot, so that nobody knows what loads the
            drives: their sag and play are left out.
    """
    problem = nao_problem(extended=extended, encoder_step=encoder_step)
    kept = [p for p in problem.parameters if not (is_guided and p.group == "drives")]
    upright = np.array([0.0, 0.0, -config.GRAVITY])
    return replace(problem, parameters=tuple(kept), gravity=upright)


def fist_marker() -> FloatArray:
    """Return the inner corners of the 4 x 4 squares on a fist [m], (9, 3)."""
    x, y = np.meshgrid([-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], indexing="ij")
    return FIST_SQUARE * np.stack([x.ravel(), y.ravel(), np.zeros(9)], axis=1)


def arm_problem(*, encoder_step: float = 0.0) -> CalibrationProblem:
    """Return the problem of arms and upper camera with a marker on each fist.

    Four offsets per arm in B-Human's signs, three turns of the camera, and how each
    marker sits: how far along the forearm, and turned about it. A marker that could
    also be turned about the elbow's axis could not be told from the elbow.
    """
    axes: tuple[tuple[str, Axis], ...] = (("Pitch", "y"), ("Roll", "x"), ("Yaw", "z"))
    parameters = [
        CalibrationParameter(
            name=f"Upper{name}", unit="rad", effect=CameraRotation(UPPER_EYE, axis, k)
        )
        for k, (name, axis) in enumerate(axes)
    ]
    for side in SIDES:
        word = side.capitalize()
        for joint in ARM_JOINTS[side]:
            effect = JointOffset(joint, float(SIGNS[BODY_JOINTS.index(joint)]))
            name = f"{word}{joint[1:]}"
            parameters.append(
                CalibrationParameter(name=name, unit="rad", effect=effect)
            )
        turn, slide = TargetRotation(side, "x", 1), TargetTranslation(side, "x")
        parameters.append(
            CalibrationParameter(name=f"{word}FistTurn", unit="rad", effect=turn)
        )
        parameters.append(
            CalibrationParameter(name=f"{word}FistShift", unit="m", effect=slide)
        )
    arms = [joint for side in SIDES for joint in ARM_JOINTS[side]]
    sigma = encoder_step / np.sqrt(12.0)
    return CalibrationProblem(
        model=nominal_model(sandals=False),
        cameras=(
            CalibrationCamera(
                name=UPPER_EYE,
                link="camera_top",
                T_mount_camera=T_MOUNT_CAMERA,
                intrinsics=config.nominal_intrinsics(),
            ),
        ),
        targets=tuple(
            Target(
                name=side,
                link=f"{side[0]}_hand",
                points=fist_marker(),
                T_link_target=shift(z=FIST_HEIGHT),
            )
            for side in SIDES
        ),
        parameters=tuple(parameters),
        readings=tuple(ReadingError(joint=j, sigma=sigma) for j in arms)
        if sigma
        else (),
    )
