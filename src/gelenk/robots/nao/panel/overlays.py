"""Overlays around a NAO that looks at its feet, and images of boards with residuals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from gelenk.robots.nao import sandal
from gelenk.robots.nao.compensation import Compensation, camera_pose, sole_poses
from gelenk.robots.nao.joints import SIDES, Side
from gelenk.robots.nao.session import Session
from gelenk.runtime.panel import (
    AnnotatedImage,
    Color,
    Mark,
    Overlay,
    PixelArrows,
    PixelPath,
    WorldPath,
    WorldPoints,
    WorldSpheres,
)
from gelenk.runtime.panel import PixelPoints as Points
from gelenk.typing import FloatArray

CORNER_RADIUS = 0.0035  # [m], of a dot
TARGET_RADIUS = 0.008  # [m]


class Posture(NamedTuple):
    """Where the robot believes its parts to be, shape (4, 4) each.

    Attributes:
        T_world_eye: Lower camera, x along its optical axis.
        T_world_sole: Sole of the leg that is looked at.
    """

    T_world_eye: FloatArray
    T_world_sole: FloatArray

    @classmethod
    def of(
        cls, session: Session, belief: Compensation, angles: FloatArray, side: Side
    ) -> Self:
        """Return the posture of readings of the joints [rad], shape (22,)."""
        T_world_torso = session.world.pose(f"{session.names.robot}/torso")
        soles = sole_poses(belief, belief.corrected(angles))
        return cls(
            T_world_eye=T_world_torso @ camera_pose(belief, angles),
            T_world_sole=T_world_torso @ soles[side],
        )


def way_of_sole(trail: Sequence[FloatArray]) -> Iterator[Overlay]:
    """Yield where a sole has been, world [m]."""
    if len(trail) > 1:
        yield WorldPath(name="way of the sole", at=np.array(trail), color="neutral")


def boards(session: Session, body: Posture, side: Side) -> Iterator[Overlay]:
    """Yield the corners of a board where they are, and where they seem to be.

    Args:
        session: The world knows where they are.
        body: The robot believes where they are.
        side: Whose board.
    """
    corners = sandal.corners()
    if side in session.cfg.world.boards:
        name = session.names.boards[SIDES.index(side)]
        T_world_sandal = session.world.pose(name) @ np.linalg.inv(sandal.board_pose())
        yield _dots("corners", T_world_sandal, corners, "measured")
    yield _dots("corners as believed", body.T_world_sole, corners, "model")


def sight(body: Posture, p_sole: FloatArray) -> Iterator[Overlay]:
    """Yield what is looked at, and the optical axis as it is believed to be.

    Args:
        body: What the robot believes.
        p_sole: Target in the sole's frame [m], shape (3,).
    """
    target = _moved(body.T_world_sole, p_sole[None])
    eye, forward = body.T_world_eye[:3, 3], body.T_world_eye[:3, 0]
    length = float(np.linalg.norm(target[0] - eye))
    ends = np.array([eye, eye + length * forward])
    yield WorldPath(name="line of sight", at=ends, color="target", opacity=0.7)
    yield WorldSpheres(
        name="gaze target", centers=target, radii=[TARGET_RADIUS], color="target"
    )


def _moved(T: FloatArray, points: FloatArray) -> FloatArray:
    return points @ T[:3, :3].T + T[:3, 3]


def _dots(name: str, T: FloatArray, points: FloatArray, color: Color) -> WorldPoints:
    at = _moved(T, points)
    return WorldPoints(name=name, at=at, radius=CORNER_RADIUS, color=color)


ENLARGEMENTS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
LONGEST = 45.0  # [px], of an enlarged arrow at most
# Row by row, back and forth: one line through all corners of a board.
_WAY = np.arange(sandal.NUM_CORNERS).reshape(sandal.ROWS, sandal.COLUMNS)
_WAY[1::2] = _WAY[1::2, ::-1]
WAY = _WAY.ravel()


def rms(residuals: FloatArray) -> float:
    """Return the root mean square distance of points [px]; NaN without any."""
    if not len(residuals):
        return float("nan")
    return float(np.sqrt(np.mean(np.sum(np.square(residuals), axis=1))))


def enlargement(residuals: FloatArray) -> int:
    """Return how many times arrows can be enlarged so that they fit.

    Example:
        >>> enlargement(np.array([[0.1, 0.0]]))
        200
    """
    longest = float(np.linalg.norm(residuals, axis=1).max(initial=1e-9))
    return max((k for k in ENLARGEMENTS if k * longest <= LONGEST), default=1)


def board_picture(
    name: str,
    pixels: NDArray[np.uint8],
    *,
    corners: FloatArray,
    expected: FloatArray,
    words: str,
    color: Color = "model",
) -> AnnotatedImage:
    """Return an image with corners, the expected board and residual arrows.

    Args:
        name: Of the picture.
        pixels: Gray image.
        corners: Seen [px], shape (24, 2), or (0, 2).
        expected: By the model [px], shape (24, 2); not finite: behind the camera.
        words: First part of the caption.
        color: Of the expected board.
    """
    marks: list[Mark] = []
    is_expected = bool(np.isfinite(expected).all())
    if is_expected:
        marks.append(PixelPath(at=expected[WAY], color=color, layer="expected board"))
        marks.append(Points(at=expected[:1], color=color, layer="expected board"))
    text = words
    if len(corners):
        marks.append(Points(at=corners, color="measured", layer="corners"))
        if is_expected:
            residuals = corners - expected
            times = enlargement(residuals)
            marks.append(
                PixelArrows(
                    starts=expected, ends=expected + times * residuals, color="bad"
                )
            )
            scale = "to scale" if times == 1 else f"enlarged {times} times"
            text += f"; off by {rms(residuals):.2f} px rms, arrows {scale}"
    return AnnotatedImage(name=name, image=pixels, marks=tuple(marks), caption=text)
