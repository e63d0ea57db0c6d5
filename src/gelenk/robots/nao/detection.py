"""Looks for a sandal's board in images, where the robot believes it to be."""

from __future__ import annotations

import math
from collections.abc import Mapping
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
from gelenk.robots.nao.framework import topics
from gelenk.robots.nao.joints import Side, model_from_body
from gelenk.robots.nao.parameters import EYE
from gelenk.robots.nao.representations import (
    CalibratorOutput,
    Chessboard,
    FilteredJointData,
)
from gelenk.robots.nao.transitions import BACK_OF_PLATE, DARK_IMAGE
from gelenk.runtime.images import CameraImage
from gelenk.runtime.modules import Module

DARK = 12.0  # [gray levels]: brighter than the brightest pixel of a covered lens
PATTERN = Pattern(rows=sandal.ROWS, cols=sandal.COLUMNS)


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectionCfg:
    """How a board is looked for.

    Attributes:
        board: How the detector works.
        margin: Of the region that is searched, beyond the expected board [px].
        relative_margin: ... as a share of its size; the larger of both counts.
        patience: Time after which the whole image is searched [s].
    """

    board: ChessboardCfg = field(default_factory=ChessboardCfg)
    margin: float = 80.0
    relative_margin: float = 0.5
    patience: float = 2.0


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
    cfg: DetectionCfg, pixels: np.ndarray, expected: FloatArray, *, everywhere: bool
) -> tuple[FloatArray | None, str]:
    """Return the corners in an image, or None with the reason in words.

    Args:
        cfg: Settings.
        pixels: Gray image, uint8.
        expected: Where the corners should be [px], shape (24, 2).
        everywhere: Search the whole image, not just around the expected place.
    """
    if pixels.max() < DARK:
        return None, DARK_IMAGE
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
        return None, f"{found.reason}; {BACK_OF_PLATE}"
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
class Search:
    """What the detector remembers: the last image, and since when it searches [s].

    Attributes:
        number: Of the last image that was searched.
        begun: When it was switched on [s]; NaN: it is off.
        calls: Images searched so far.
    """

    number: int = -1
    begun: float = math.nan
    calls: int = 0


def detector_module(cfg: DetectionCfg, problem: Problem) -> Module:
    """Return the module that searches images while it is switched on.

    Args:
        cfg: Settings.
        problem: The robot as it is believed to be.
    """

    def search(
        state: Search, inputs: Mapping[str, Any]
    ) -> tuple[Search, Mapping[str, Any]]:
        output: CalibratorOutput | None = inputs["calibrator_output"]
        image: CameraImage | None = inputs["image"]
        joints: FilteredJointData = inputs["filtered_joint_data"]
        if output is None or not output.is_detector_on:
            return replace(state, begun=math.nan), {}
        if math.isnan(state.begun):
            state = replace(state, begun=output.time)
        is_old = image is None or image.number == state.number
        if image is None or is_old or image.time < state.begun:
            return state, {}
        expected = expected_board(problem, None, joints.mean, output.side)
        is_late = image.time - state.begun > cfg.patience
        corners, status = find_board(cfg, image.pixels, expected, everywhere=is_late)
        board = Chessboard(
            time=image.time,
            corners=np.zeros((0, 2)) if corners is None else corners,
            status=status,
        )
        state = replace(state, number=image.number, calls=state.calls + 1)
        return state, {"chessboard": board}

    return Module(
        name="ChessboardDetector",
        step=search,
        initial=Search(),
        requires=topics("filtered_joint_data"),
        uses=topics("calibrator_output", "image"),
        provides=topics("chessboard"),
    )
