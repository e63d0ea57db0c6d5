"""What is drawn around a NAO that looks at its feet: where things are, and seem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np

from gelenk.robots.nao import sandal
from gelenk.robots.nao.compensation import Compensation, camera_pose, sole_poses
from gelenk.robots.nao.joints import SIDES, Side
from gelenk.robots.nao.session import Session
from gelenk.runtime.panel import Color, Overlay, WorldPath, WorldPoints, WorldSpheres
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
