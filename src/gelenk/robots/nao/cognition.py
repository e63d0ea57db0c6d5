"""The cognition process: looks for the board and leads the calibration."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gelenk.calibration.problem import CalibrationProblem
from gelenk.kinematics.forward import frame_pose
from gelenk.robots.nao.automaton import (
    AutomatonCfg,
    AutomatonState,
    Percept,
    Wishes,
)
from gelenk.robots.nao.detection import DetectionCfg, detector_module
from gelenk.robots.nao.fit import Fit, FitCfg, fit_views
from gelenk.robots.nao.framework import topics
from gelenk.robots.nao.joints import (
    BODY_JOINTS,
    HEAD,
    LEG,
    SIDES,
    model_from_body,
)
from gelenk.robots.nao.parameters import leg_names, nao_problem
from gelenk.robots.nao.poses.view import TARGETS
from gelenk.robots.nao.representations import (
    IGNORE,
    OFF,
    CalibratorOutput,
    Chessboard,
    FilteredJointData,
    FrameInfo,
    HeadMotionRequest,
    JointRequest,
    JointTemperatures,
    KeyStates,
    MotionInfo,
    MotionRequest,
)
from gelenk.robots.nao.transitions import step
from gelenk.runtime.controller import PureController
from gelenk.runtime.modules import Module, make_process
from gelenk.typing import FloatArray

RATE = 60.0  # [1/s]
# What the process hears of others.
HEARD = (
    "frame_info",
    "filtered_joint_data",
    "joint_temperatures",
    "key_states",
    "motion_info",
    "image",
    "joint_request",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CognitionCfg:
    """All settings of a calibration; a report holds a copy.

    Attributes:
        automaton: Times and counts.
        detection: How boards are looked for.
        fit: How the views are fitted.
    """

    automaton: AutomatonCfg = field(default_factory=AutomatonCfg)
    detection: DetectionCfg = field(default_factory=DetectionCfg)
    fit: FitCfg = field(default_factory=FitCfg)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leading:
    """What the calibrator remembers: the automaton, and the fit once there is one."""

    automaton: AutomatonState = field(default_factory=AutomatonState)
    fit: Fit | None = None


def calibrator_module(cfg: CognitionCfg, problem: CalibrationProblem) -> Module:
    """Return the module that leads the calibration.

    Args:
        cfg: All settings.
        problem: The robot as it is believed to be.
    """

    def lead(
        state: Leading, inputs: Mapping[str, Any]
    ) -> tuple[Leading, Mapping[str, Any]]:
        percept = _perceive(cfg.automaton, state, inputs)
        automaton, wishes = step(cfg.automaton, state.automaton, percept)
        fit = state.fit
        if wishes.is_fitting and fit is None:
            fit = fit_views(automaton.views, cfg.fit)
        state = Leading(automaton=automaton, fit=fit)
        outputs: dict[str, Any] = {
            "calibrator_output": _output(state, wishes),
            "motion_request": MotionRequest(
                motion=wishes.motion,
                is_continuing=wishes.is_continuing,
                is_off=wishes.is_off,
            ),
        }
        if wishes.is_turning:
            outputs["head_motion_request"] = _head_request(problem, percept, wishes)
        return state, outputs

    return Module(
        name="Calibrator",
        step=lead,
        initial=Leading(),
        requires=topics("frame_info", "filtered_joint_data"),
        uses=topics(
            "joint_temperatures",
            "key_states",
            "motion_info",
            "chessboard",
            "joint_request",
        ),
        provides=topics("calibrator_output", "motion_request", "head_motion_request"),
    )


def _perceive(cfg: AutomatonCfg, state: Leading, inputs: Mapping[str, Any]) -> Percept:
    frame: FrameInfo = inputs["frame_info"]
    joints: FilteredJointData = inputs["filtered_joint_data"]
    keys: KeyStates = inputs["key_states"] or KeyStates()
    info: MotionInfo = inputs["motion_info"] or MotionInfo(motion="")
    board: Chessboard | None = inputs["chessboard"]
    error = _tracking_errors(inputs["joint_request"], joints)
    return Percept(
        time=frame.time,
        joints_time=joints.time,
        is_start_pressed=keys.is_left_pressed,
        is_abort_pressed=keys.is_right_pressed,
        motion=info.motion,
        token=info.token,
        is_at_milestone=info.is_at_milestone,
        still_since=joints.still_since,
        mean_angles=joints.mean,
        leg_error=float(error[LEG[state.automaton.side]].max()),
        head_error=float(error[HEAD].max()),
        corners=board.corners if board is not None and board.is_found else None,
        is_measured=board.is_measured if board is not None and board.is_found else None,
        image_time=math.nan if board is None else board.time,
        detector="" if board is None else board.status,
        hot=_hot(cfg, inputs["joint_temperatures"]),
        fit=None if state.fit is None else state.fit.answer,
    )


def _tracking_errors(
    request: JointRequest | None, joints: FilteredJointData
) -> FloatArray:
    """Return how far the joints are from their commands [rad], shape (22,)."""
    if request is None:
        return np.zeros(len(BODY_JOINTS))
    is_driven = (request.angles != OFF) & (request.angles != IGNORE)
    return np.where(is_driven, np.abs(request.angles - joints.angles), 0.0)


def _hot(cfg: AutomatonCfg, warmth: JointTemperatures | None) -> tuple[str, ...]:
    if warmth is None:
        return ()
    is_hot = np.nan_to_num(warmth.kelvin, nan=0.0) > cfg.max_temperature
    return tuple(BODY_JOINTS[i] for i in np.flatnonzero(is_hot))


def _head_request(
    problem: CalibrationProblem, percept: Percept, wishes: Wishes
) -> HeadMotionRequest:
    if wishes.gaze is None:
        return HeadMotionRequest()
    q = model_from_body(problem.model, percept.mean_angles)
    T_torso_sole = frame_pose(problem.model, q, frame=f"{wishes.side[0]}_sole")
    x, y, z = T_torso_sole[:3, :3] @ TARGETS[wishes.gaze] + T_torso_sole[:3, 3]
    return HeadMotionRequest(target=(float(x), float(y), float(z)))


def _output(state: Leading, wishes: Wishes) -> CalibratorOutput:
    offsets, turn = np.zeros(len(BODY_JOINTS)), (0.0, 0.0, 0.0)
    if state.fit is not None and wishes.is_applying:
        found = state.fit.calibration
        for side in SIDES:
            offsets[LEG[side]] = [found.value(name) for name in leg_names(side)]
        turn = (
            found.value("CameraYaw"),
            found.value("CameraPitch"),
            found.value("CameraRoll"),
        )
    return CalibratorOutput(
        time=state.automaton.since,
        is_detector_on=wishes.is_detecting,
        side=wishes.side,
        joint_offsets=offsets,
        camera_turn=turn,
    )


def cognition_process(
    cfg: CognitionCfg, problem: CalibrationProblem | None = None
) -> PureController[Any, Any, Any, Any]:
    """Return the process that detects and leads, 60 times a second.

    Args:
        cfg: All settings.
        problem: The robot as it is believed to be; by default as documented.
    """
    problem = problem or nao_problem()
    return make_process(
        "Cognition",
        (detector_module(cfg.detection, problem), calibrator_module(cfg, problem)),
        given=topics(*HEARD),
        rate=RATE,
    )
