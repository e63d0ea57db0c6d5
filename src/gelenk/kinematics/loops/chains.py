"""The chains of a loop, cut at their passive joints.

A chain runs from the root to the closing frame. Between its passive joints it is made
of segments, whose pose depends on motors only (and on passive joints that another loop
has set before).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from gelenk.kernels.chain import COLS as CHAIN_COLS
from gelenk.models.compiled import (
    COL_OFFSET,
    COL_P,
    COL_R,
    COL_SCALE,
    TOP_INDEX,
    TOP_KIND,
    TOP_PARENT,
)
from gelenk.models.link import JointType
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from gelenk.models.compiled import CompiledTree
    from gelenk.models.tree import LoopClosure, RobotModel

_IDENTITY = np.eye(4)
_IDENTITY.setflags(write=False)
CROSSING_TOL = 1e-9  # how far two axes may miss a right angle, or each other [m]


class LoopElement(StrEnum):
    """A passive joint as the patterns count it."""

    BALL = "fullrot"  # two hinges that cross at a right angle
    HINGE = "axisrot"
    SLIDE = "linear"


@dataclass(frozen=True, slots=True, eq=False)
class LoopJoint:
    """A joint on a chain: value = scale * q[coord] + offset.

    Its frame has the axis as z. T_before is its pose at value 0 in the frame of the
    joint before it, shape (4, 4).
    """

    T_before: FloatArray
    is_revolute: bool
    coord: int
    scale: float
    offset: float

    @property
    def is_plain(self) -> bool:
        """Whether its value is the coordinate itself."""
        return self.scale == 1.0 and self.offset == 0.0

    def moved_to(self, T_before: FloatArray) -> LoopJoint:
        """Return the same joint in another place."""
        return LoopJoint(
            T_before, self.is_revolute, self.coord, self.scale, self.offset
        )


@dataclass(frozen=True, slots=True, eq=False)
class LoopSegment:
    """Known joints between two places of a chain, and the last place behind them.

    Attributes:
        joints: The joints in their order.
        T_last: Pose of the last place in the frame of the last joint, shape (4, 4).
    """

    joints: tuple[LoopJoint, ...]
    T_last: FloatArray

    def pose(self, q: FloatArray) -> FloatArray:
        """Return the pose of the last place in the first, shape (4, 4)."""
        T = _IDENTITY
        for joint in self.joints:
            value = joint.scale * float(q[joint.coord]) + joint.offset
            motion = _IDENTITY.copy()
            if joint.is_revolute:
                c, s = math.cos(value), math.sin(value)
                motion[:2, :2] = (c, -s), (s, c)
            else:
                motion[2, 3] = value
            T = T @ joint.T_before @ motion
        return T @ self.T_last


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoopChain:
    """A chain of a loop from the root to its closing frame.

    Attributes:
        link: Index of the link that carries the closing frame.
        elements: The passive joints that this loop is to set, from the root on.
        coords: Tree coordinates of the joints, two for a ball.
        segments: Segments before, between and behind them. A ball is described in the
            frame in which its first axis is minus y and its second z: it turns a point
            in x-y and then in x-z. A hinge turns about z, a slide moves along z.
    """

    link: int
    elements: tuple[LoopElement, ...]
    coords: tuple[int, ...]
    segments: tuple[LoopSegment, ...]

    @property
    def signature(self) -> str:
        """The passive joints as words, such as "fullrot linear"."""
        return " ".join(self.elements)


def find_chains(
    model: RobotModel, loop: LoopClosure, owned: frozenset[int]
) -> tuple[LoopChain, ...] | None:
    """Return the chains of a loop, cut at the passive joints that are not yet owned.

    Args:
        model: The robot.
        loop: Loop of that robot.
        owned: Tree coordinates of passive joints that other loops set.

    Returns:
        The chains in the order of the loop; None if two of them share a passive joint
        that no other loop sets.
    """
    is_passive = model.is_passive[model.tree_joint_ids]
    free = set(is_passive.nonzero()[0].tolist()) - owned
    joints = _joints(model)
    chains = [
        _cut(model, link, T, joints, free)
        for link, T in zip(loop.links, loop.T_link_frame, strict=True)
    ]
    used = [coord for chain in chains for coord in chain.coords]
    depends = [joint.coord for c in chains for s in c.segments for joint in s.joints]
    if len(set(used)) < len(used) or free.intersection(depends):
        return None
    return tuple(chains)


def segment_rows(segment: LoopSegment) -> FloatArray:
    """Return a segment as rows [R, p, is_revolute, coord, scale, offset]."""
    rows = np.zeros((len(segment.joints) + 1, CHAIN_COLS))
    for row, joint in zip(rows, segment.joints, strict=False):
        row[:9] = joint.T_before[:3, :3].ravel()
        row[9:12] = joint.T_before[:3, 3]
        row[12:16] = joint.is_revolute, joint.coord, joint.scale, joint.offset
        row[16] = joint.coord
    rows[-1, :9] = segment.T_last[:3, :3].ravel()
    rows[-1, 9:12] = segment.T_last[:3, 3]
    return rows


def _cut(
    model: RobotModel,
    link: int,
    T_link_frame: FloatArray,
    joints: list[LoopJoint],
    free: set[int],
) -> LoopChain:
    """Return the chain to a frame, cut at the joints whose coordinates are free."""
    tree = model.compiled
    path = [joints[body] for body in _bodies_to(tree, link)]
    elements: list[LoopElement] = []
    coords: list[int] = []
    segments: list[LoopSegment] = []
    known: list[LoopJoint] = []  # joints since the last cut
    T = _IDENTITY  # from the last known joint or the last cut to here
    while path:
        joint = path.pop(0)
        T = T @ joint.T_before
        if joint.coord not in free or not joint.is_plain:
            known.append(joint.moved_to(T))
            T = _IDENTITY
            continue
        coords.append(joint.coord)
        ball = _ball_frames(joint, path[0], free) if path else None
        if ball is not None:
            T_joint_ball, T_ball_next = ball
            elements.append(LoopElement.BALL)
            coords.append(path.pop(0).coord)
        else:
            T_joint_ball = T_ball_next = _IDENTITY
            elements.append(
                LoopElement.HINGE if joint.is_revolute else LoopElement.SLIDE
            )
        segments.append(LoopSegment(tuple(known), T @ T_joint_ball))
        known, T = [], T_ball_next
    T_body_link = _poses(tree.link_placement[link : link + 1])[0]
    segments.append(LoopSegment(tuple(known), T @ T_body_link @ T_link_frame))
    return LoopChain(
        link=link,
        elements=tuple(elements),
        coords=tuple(coords),
        segments=tuple(segments),
    )


def _ball_frames(
    first: LoopJoint, second: LoopJoint, free: set[int]
) -> tuple[FloatArray, FloatArray] | None:
    """Return the ball's frame in the first axis frame, and the second in the ball's.

    None if the two are not free hinges whose axes cross at a right angle.
    """
    if not (first.is_revolute and second.is_revolute):
        return None
    if second.coord not in free or not second.is_plain:
        return None
    T = second.T_before
    x, y, z = T[:3, 2].tolist()  # second axis in the frame whose z is the first
    if abs(z) > CROSSING_TOL or abs(x * T[1, 3] - y * T[0, 3]) > CROSSING_TOL:
        return None
    # Columns y = - first axis, z = second axis, x = y cross z.
    T_first_ball = np.array(
        [
            [y, 0.0, x, 0.0],
            [-x, 0.0, y, 0.0],
            [0.0, -1.0, z, T[2, 3]],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )
    R_ball_first = T_first_ball[:3, :3].T
    T_ball_second = _IDENTITY.copy()
    T_ball_second[:3, :3] = R_ball_first @ T[:3, :3]
    T_ball_second[:3, 3] = R_ball_first @ (T[:3, 3] - T_first_ball[:3, 3])
    return T_first_ball, T_ball_second


def _joints(model: RobotModel) -> list[LoopJoint]:
    """Return the joint of each moving body."""
    tree = model.compiled
    revolute = int(JointType.REVOLUTE)
    return [
        LoopJoint(T, kind == revolute, coord, scale, offset)
        for T, kind, coord, scale, offset in zip(
            _poses(tree.body[:, COL_R : COL_P + 3]),
            tree.topology[:, TOP_KIND].tolist(),
            tree.topology[:, TOP_INDEX].tolist(),
            tree.body[:, COL_SCALE].tolist(),
            tree.body[:, COL_OFFSET].tolist(),
            strict=True,
        )
    ]


def _bodies_to(tree: CompiledTree, link: int) -> list[int]:
    path: list[int] = []
    body = int(tree.link_body[link])
    while body >= 0:
        path.append(body)
        body = int(tree.topology[body, TOP_PARENT])
    return path[::-1]


def _poses(rows: FloatArray) -> FloatArray:
    """Return rows [R, p] as matrices, shape (n, 4, 4)."""
    T = np.zeros((len(rows), 4, 4))
    T[:, :3, :3] = rows[:, :9].reshape(-1, 3, 3)
    T[:, :3, 3] = rows[:, 9:12]
    T[:, 3, 3] = 1.0
    return T
