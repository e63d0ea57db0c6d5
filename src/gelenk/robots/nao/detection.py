"""Looks for a sandal's board in images, where the robot believes it to be."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gelenk.calibration.prediction import predict
from gelenk.calibration.problem import CalibrationProblem, Observation
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
from gelenk.runtime.events import CameraImage
from gelenk.runtime.modules import Module
from gelenk.typing import BoolArray, FloatArray
from gelenk.vision.chessboard import detect_chessboard, region_of_interest
from gelenk.vision.chessboard_pattern import ChessboardCfg, ChessboardPattern
from gelenk.vision.homography import apply_homography, fit_homography

DARK = 12.0  # [gray levels]: brighter than the brightest pixel of a covered lens
PATTERN = ChessboardPattern(rows=sandal.ROWS, cols=sandal.COLUMNS)


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
    problem: CalibrationProblem,
    values: FloatArray | None,
    angles: FloatArray,
    side: Side,
) -> FloatArray:
    """Return where the corners of a board should be seen [px], shape (24, 2).

    Args:
        problem: The robot as it is believed to be.
        values: Parameters; None: nominal.
        angles: Body vector of readings [rad], shape (22,).
        side: Whose board.
    """
    sight = Observation(
        camera=EYE,
        target=side,
        q=model_from_body(problem.model, angles),
        points=np.arange(sandal.NUM_CORNERS),
        pixels=np.zeros((sandal.NUM_CORNERS, 2)),
    )
    return predict(problem, values, sight)


def find_board(
    cfg: DetectionCfg, pixels: np.ndarray, expected: FloatArray, *, everywhere: bool
) -> tuple[FloatArray, BoolArray, str]:
    """Return the corners in an image, which are measured, and what there is to say.

    Without a board both arrays are empty.

    Args:
        cfg: Settings.
        pixels: Gray image, uint8.
        expected: Where the corners should be [px], shape (24, 2).
        everywhere: Search the whole image, not just around the expected place.
    """
    if pixels.max() < DARK:
        return *_NOTHING, DARK_IMAGE
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
        measured = found.is_measured
        if measured is None:
            measured = np.ones(len(found.corners), dtype=bool)
        return found.corners, measured, found.status
    if usable is not None and is_blank_plate(pixels, usable):
        return *_NOTHING, f"{found.reason}; {BACK_OF_PLATE}"
    return *_NOTHING, found.reason


_NOTHING = (np.zeros((0, 2)), np.zeros(0, dtype=bool))


def is_blank_plate(pixels: np.ndarray, expected: FloatArray) -> bool:
    """Return whether a plain plate is about where the board should be.

    At least three of its four edges are seen: straight, near their places, and with
    nothing in between.

    Args:
        pixels: Gray image, uint8.
        expected: Where the corners should be [px], shape (24, 2).
    """
    r, c = np.divmod(np.arange(sandal.NUM_CORNERS), sandal.COLUMNS)
    H_image_board = fit_homography(np.stack([c, r], axis=1).astype(float), expected)
    # In tiles, from the middle of the board to the edges of its plate.
    middle = np.array([sandal.COLUMNS - 1, sandal.ROWS - 1]) / 2.0
    margin = 1.0 + sandal.SandalCfg().border / sandal.TILE
    reach = middle + margin
    across = np.linspace(-0.7, 0.7, 7)
    num_edges = 0
    for axis, sign in ((0, -1.0), (0, 1.0), (1, -1.0), (1, 1.0)):
        points = np.zeros((len(across), len(_WAY), 2))
        points[..., axis] = sign * reach[axis] * _WAY
        points[..., 1 - axis] = reach[1 - axis] * across[:, None]
        places = apply_homography(H_image_board, (points + middle).reshape(-1, 2))
        profiles = _brightness(pixels, places).reshape(len(across), len(_WAY))
        num_edges += _is_edge(profiles, across)
    return num_edges >= 3


# From the middle of a plate through its edge at 1, in shares of the way to it.
_WAY = np.linspace(0.3, 1.6, 66)
_SPAN = 3  # samples on both sides of a step that are averaged


def _is_edge(profiles: FloatArray, across: FloatArray) -> bool:
    """Return whether the first steps of profiles lie on a line near the edge.

    Args:
        profiles: Brightness along `_WAY`; NaN outside of the image, shape (n, m).
        across: Where the profiles begin, shape (n,).
    """
    at = []
    for side, profile in zip(across, profiles, strict=True):
        sums = np.convolve(profile, np.ones(_SPAN), "valid") / _SPAN
        steps = np.abs(sums[_SPAN + 1 :] - sums[: -_SPAN - 1])
        level = float(np.median(profile[:10]))
        found = np.flatnonzero(steps > 3.0 + 0.03 * level)
        if len(found) and np.isfinite(profile[: found[0]]).all():
            at.append((side, _WAY[found[0] + _SPAN + 1]))
    if len(at) < 5:
        return False
    x, y = np.array(at).T
    line = np.polyfit(x, y, 1)
    is_straight = float(np.median(np.abs(y - np.polyval(line, x)))) < 0.03
    return is_straight and 0.75 < line[1] < 1.35


def _brightness(pixels: np.ndarray, points: FloatArray) -> FloatArray:
    """Return means of 3 x 3 pixels around points; NaN outside of the image."""
    rows, columns = pixels.shape
    u, v = np.rint(np.nan_to_num(points, nan=-1.0)).astype(int).T
    is_inside = (u >= 1) & (u < columns - 1) & (v >= 1) & (v < rows - 1)
    u, v = np.where(is_inside, u, 1), np.where(is_inside, v, 1)
    near = [pixels[v + i, u + j] for i in (-1, 0, 1) for j in (-1, 0, 1)]
    mean = np.mean(near, axis=0, dtype=np.float64)
    return np.where(is_inside, mean, np.nan)


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


def detector_module(cfg: DetectionCfg, problem: CalibrationProblem) -> Module:
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
        corners, is_measured, status = find_board(
            cfg, image.pixels, expected, everywhere=is_late
        )
        board = Chessboard(
            time=image.time, corners=corners, is_measured=is_measured, status=status
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
