"""The cognition process: looks for the board and leads the calibration."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gelenk.core.calibration.predict import predict
from gelenk.core.calibration.problem import Problem, Sight
from gelenk.core.typing import FloatArray
from gelenk.core.vision.chessboard import (
    ChessboardCfg,
    Pattern,
    detect_chessboard,
    region_of_interest,
)
from gelenk.robots.nao import sandal
from gelenk.robots.nao.automaton import (
    AutomatonCfg,
    AutomatonState,
    Percept,
    Wishes,
    step,
)
from gelenk.robots.nao.fit import Fit, FitCfg, fit_views
from gelenk.robots.nao.joints import BODY_JOINTS, HEAD, LEG, Side, model_from_body
from gelenk.robots.nao.limbs import (
    HEAD_TOPIC,
    IMAGE_TOPIC,
    INFO_TOPIC,
    KEYS_TOPIC,
    MOTION_TOPIC,
    OUTPUT_TOPIC,
    REQUEST_TOPIC,
    STILL_TOPIC,
    sole_point,
)
from gelenk.robots.nao.parameters import EYE, leg_names, nao_problem
from gelenk.robots.nao.poses.gaze import TARGETS
from gelenk.robots.nao.representations import (
    IGNORE,
    OFF,
    CalibratorOutput,
    Chessboard,
    FilteredJointData,
    HeadMotionRequest,
    JointRequest,
    KeyStates,
    MotionInfo,
    MotionRequest,
)
from gelenk.runtime.controller import PureController
from gelenk.runtime.images import CameraImage
from gelenk.runtime.modules import Module, make_process

BOARD_TOPIC = "chessboard"
RATE = 60.0  # [1/s]
DARK = 12.0  # [gray levels]: brighter than the brightest pixel of a covered lens
PATTERN = Pattern(rows=sandal.ROWS, cols=sandal.COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class CognitionCfg:
    """All settings of a calibration; a report holds a copy.

    Attributes:
        automaton: Times and counts.
        board: How the detector works.
        fit: How the views are fitted.
        margin: Of the region that is searched, beyond the expected board [px].
        relative_margin: ... as a share of its size; the larger of both counts.
    """

    automaton: AutomatonCfg = field(default_factory=AutomatonCfg)
    board: ChessboardCfg = field(default_factory=ChessboardCfg)
    fit: FitCfg = field(default_factory=FitCfg)
    margin: float = 80.0
    relative_margin: float = 0.5


def expected_board(
    problem: Problem, values: FloatArray | None, angles: FloatArray, side: Side
) -> FloatArray:
    """Return where the corners of a board should be seen [px], shape (24, 2).

    Args:
        problem: The robot as it is believed to be.
        values: Parameters; None: nominal.
        angles: Body vector of readings [rad], shape (22,).
        side: Whose board.
    """
    sight = Sight(
        eye=EYE,
        target=side,
        q=model_from_body(problem.model, angles),
        points=np.arange(sandal.NUM_CORNERS),
        pixels=np.zeros((sandal.NUM_CORNERS, 2)),
    )
    return predict(problem, values, sight)


def find_board(
    cfg: CognitionCfg, pixels: np.ndarray, expected: FloatArray, *, everywhere: bool
) -> tuple[FloatArray | None, str]:
    """Return the corners in an image, or None with the reason in words.

    Args:
        cfg: Settings.
        pixels: Gray image, uint8.
        expected: Where the corners should be [px], shape (24, 2).
        everywhere: Search the whole image, not just around the expected place.
    """
    if pixels.max() < DARK:
        return None, "image is dark"
    usable = expected if np.isfinite(expected).all() else None
    roi = None
    if not everywhere and usable is not None:
        roi = region_of_interest(
            usable,
            (pixels.shape[0], pixels.shape[1]),
            margin=cfg.margin,
            relative_margin=cfg.relative_margin,
        )
    found = detect_chessboard(pixels, PATTERN, cfg=cfg.board, roi=roi, expected=usable)
    if found.corners is not None:
        return found.corners, found.status
    if usable is not None and is_blank_plate(pixels, usable):
        return None, f"{found.reason}; it looks like the back of the plate"
    return None, found.reason


def is_blank_plate(pixels: np.ndarray, expected: FloatArray) -> bool:
    """Return whether a plain bright plate is where the board should be.

    Its inner half is even and brighter than what surrounds it.

    Args:
        pixels: Gray image, uint8.
        expected: Where the corners should be [px], shape (24, 2).
    """
    middle = expected.mean(axis=0)
    inner = middle + 0.5 * (expected - middle)
    outer = middle + 2.6 * (expected - middle)
    inside = _samples(pixels, inner)
    around = _samples(pixels, outer[[0, 5, 18, 23, 2, 20]])
    if len(inside) < sandal.NUM_CORNERS or len(around) < 3:
        return False
    brightness = float(np.median(inside))
    is_even = float(np.ptp(inside)) < 0.12 * brightness + 8.0
    return is_even and brightness > 1.3 * float(np.median(around)) + 5.0


def _samples(pixels: np.ndarray, points: FloatArray) -> np.ndarray:
    """Return means of 5 x 5 pixels around those points that are on the image."""
    rows, columns = pixels.shape
    values = []
    for u, v in np.rint(points).astype(int):
        if 2 <= u < columns - 2 and 2 <= v < rows - 2:
            values.append(float(pixels[v - 2 : v + 3, u - 2 : u + 3].mean()))
    return np.array(values)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """What the detector remembers: the last image, and since when it searches."""

    number: int = -1
    begun: float = math.nan
    calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Leading:
    """What the calibrator remembers: the automaton, and the fit once there is one."""

    automaton: AutomatonState = field(default_factory=AutomatonState)
    fit: Fit | None = None


def detector_step(
    cfg: CognitionCfg, problem: Problem
) -> Callable[[Any, Mapping[str, Any]], tuple[Any, Mapping[str, Any]]]:
    """Return the step of the module that searches images while it is switched on."""

    def search(
        state: _Search, inputs: Mapping[str, Any]
    ) -> tuple[_Search, Mapping[str, Any]]:
        output: CalibratorOutput | None = inputs[OUTPUT_TOPIC]
        image: CameraImage | None = inputs[IMAGE_TOPIC]
        joints: FilteredJointData | None = inputs[STILL_TOPIC]
        if output is None or not output.is_detector_on or joints is None:
            return replace(state, begun=math.nan), {}
        begun = joints.time if math.isnan(state.begun) else state.begun
        if image is None or image.number == state.number:
            return replace(state, begun=begun), {}
        expected = expected_board(problem, None, joints.mean, output.side)
        is_late = joints.time - begun > cfg.automaton.detect_timeout / 2.0
        corners, status = find_board(cfg, image.pixels, expected, everywhere=is_late)
        board = Chessboard(
            time=image.time,
            corners=np.zeros((0, 2)) if corners is None else corners,
            status=status,
        )
        state = _Search(number=image.number, begun=begun, calls=state.calls + 1)
        return state, {BOARD_TOPIC: board}

    return search


def calibrator_step(
    cfg: CognitionCfg, problem: Problem
) -> Callable[[Any, Mapping[str, Any]], tuple[Any, Mapping[str, Any]]]:
    """Return the step of the module that leads the calibration."""

    def lead(
        state: Leading, inputs: Mapping[str, Any]
    ) -> tuple[Leading, Mapping[str, Any]]:
        percept = _perceive(state, inputs)
        automaton, wishes = step(cfg.automaton, state.automaton, percept)
        fit = state.fit
        if wishes.is_fitting and fit is None:
            fit = fit_views(automaton.views, cfg.fit)
        state = Leading(automaton=automaton, fit=fit)
        head = _head_request(problem, percept, wishes)
        return state, {
            OUTPUT_TOPIC: _output(state, wishes),
            HEAD_TOPIC: head,
            MOTION_TOPIC: MotionRequest(
                motion=wishes.motion,
                is_continuing=wishes.is_continuing,
                is_off=wishes.is_off,
            ),
        }

    return lead


def _perceive(state: Leading, inputs: Mapping[str, Any]) -> Percept:
    joints: FilteredJointData = inputs[STILL_TOPIC]
    keys: KeyStates = inputs[KEYS_TOPIC] or KeyStates()
    info: MotionInfo | None = inputs[INFO_TOPIC]
    board: Chessboard | None = inputs[BOARD_TOPIC]
    request: JointRequest | None = inputs[REQUEST_TOPIC]
    error = np.zeros(22)
    if request is not None:
        is_driven = (request.angles != OFF) & (request.angles != IGNORE)
        error = np.where(is_driven, np.abs(request.angles - joints.angles), 0.0)
    return Percept(
        time=joints.time,
        is_start_pressed=keys.is_left_pressed,
        is_abort_pressed=keys.is_right_pressed,
        motion="" if info is None else info.motion,
        token="" if info is None else info.token,
        is_at_milestone=info is not None and info.is_at_milestone,
        still_since=joints.still_since,
        mean_angles=joints.mean,
        leg_error=float(error[LEG[state.automaton.side]].max()),
        head_error=float(error[HEAD].max()),
        corners=board.corners if board is not None and board.is_found else None,
        image_time=math.nan if board is None else board.time,
        detector="" if board is None else board.status,
        fit=None if state.fit is None else state.fit.answer,
    )


def _head_request(
    problem: Problem, percept: Percept, wishes: Wishes
) -> HeadMotionRequest:
    if wishes.gaze is None:
        return HeadMotionRequest()
    point = sole_point(
        problem.model, percept.mean_angles, wishes.side, TARGETS[wishes.gaze]
    )
    return HeadMotionRequest(target=(float(point[0]), float(point[1]), float(point[2])))


def _output(state: Leading, wishes: Wishes) -> CalibratorOutput:
    offsets, turn = np.zeros(22), (0.0, 0.0, 0.0)
    if state.fit is not None and wishes.is_applying:
        found = state.fit.calibration
        for name, joint in _offset_names().items():
            offsets[BODY_JOINTS.index(joint)] = found.value(name)
        turn = (
            found.value("CameraYaw"),
            found.value("CameraPitch"),
            found.value("CameraRoll"),
        )
    return CalibratorOutput(
        is_detector_on=wishes.is_detecting,
        side=wishes.side,
        joint_offsets=offsets,
        camera_turn=turn,
    )


def _offset_names() -> dict[str, str]:
    """Return the joints of the legs by the names of their parameters."""
    sides: tuple[Side, Side] = ("left", "right")
    return {
        name: f"{side[0].upper()}{name[len(side) :]}"
        for side in sides
        for name in leg_names(side)
    }


def cognition_process(
    cfg: CognitionCfg, problem: Problem | None = None
) -> PureController[Any, Any, Any, Any]:
    """Return the process that detects and leads, 60 times a second.

    Args:
        cfg: All settings.
        problem: The robot as it is believed to be; by default as documented.
    """
    problem = problem or nao_problem()
    given = {
        STILL_TOPIC: FilteredJointData,
        KEYS_TOPIC: KeyStates,
        INFO_TOPIC: MotionInfo,
        IMAGE_TOPIC: CameraImage,
        REQUEST_TOPIC: JointRequest,
    }
    return make_process(
        "Cognition",
        (
            Module(
                name="ChessboardDetector",
                step=detector_step(cfg, problem),
                initial=_Search(),
                uses={
                    OUTPUT_TOPIC: CalibratorOutput,
                    IMAGE_TOPIC: CameraImage,
                    STILL_TOPIC: FilteredJointData,
                },
                provides={BOARD_TOPIC: Chessboard},
            ),
            Module(
                name="Calibrator",
                step=calibrator_step(cfg, problem),
                initial=Leading(),
                requires={STILL_TOPIC: FilteredJointData},
                uses={
                    KEYS_TOPIC: KeyStates,
                    INFO_TOPIC: MotionInfo,
                    BOARD_TOPIC: Chessboard,
                    REQUEST_TOPIC: JointRequest,
                },
                provides={
                    OUTPUT_TOPIC: CalibratorOutput,
                    MOTION_TOPIC: MotionRequest,
                    HEAD_TOPIC: HeadMotionRequest,
                },
            ),
        ),
        given=given,
        rate=RATE,
    )
