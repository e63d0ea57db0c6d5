"""Compiled tree: the arrays of a robot in the form that the kernels read.

Only moving bodies are kept: a link on a fixed joint is merged into the body that
carries it. Each body gets its own frame whose z axis is the joint axis, so that the
kernels know only rotation about z and translation along z. Link frames are recovered by
the constant `link_placement`.

A ball joint is three bodies in one place, whose z axes are the axes x, y and z of its
link: the first turns by the quaternion, the others not at all, and each has one
component of the angular velocity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gelenk.models.link import JointType
from gelenk.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

# Columns of `CompiledTree.body`, one row per moving body. R is row-major.
COL_R = 0  # 9: rotation parent body -> this body at joint value 0
COL_P = 9  # 3: its translation [m]
COL_MASS = 12  # 1 [kg]
COL_COM = 13  # 3: in the body frame [m]
COL_INERTIA = 16  # 6: xx xy xz yy yz zz about the centre of mass, body axes [kg m^2]
COL_SCALE = 22  # joint value = scale * q[index] + offset
COL_OFFSET = 23
COL_ARMATURE = 24
NUM_COLS = 25

# Columns of `CompiledTree.topology`
TOP_PARENT = 0  # parent body, -1: the base
TOP_KIND = 1  # 1 revolute, 2 prismatic, 4 first part of a ball, 5 its other parts
TOP_INDEX = 2  # index of its coordinate in q, a floating base aside
TOP_VELOCITY = 3  # index of its velocity in qd, a floating base aside
TOP_COLS = 4

# Plain integers: comparing an array with an enum member costs ten times as much.
_REVOLUTE, _PRISMATIC = int(JointType.REVOLUTE), int(JointType.PRISMATIC)
_BALL, _BALL_PART = int(JointType.BALL), 5
_NEXT_AXES = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0])  # axes y, z, x
_YZX, _ZXY = np.array([1, 2, 0]), np.array([2, 0, 1])  # for cross products
_UPPER = np.array([0, 1, 2, 4, 5, 8])  # xx xy xz yy yz zz of a flattened tensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CompiledTree:
    """Arrays over the moving bodies of a robot; body i has its parent before it.

    Coordinates are those of `RobotModel.tree_joint_ids`: all joints with a value of
    their own, loops cut open.

    Attributes:
        body: Constants of each body, shape (n, NUM_COLS).
        topology: Parent, kind, and indices of coordinate and velocity of each body,
            shape (n, TOP_COLS).
        base: Row like those of `body` for the root: its placement is the identity and
            only mass, centre and inertia count (floating base), shape (NUM_COLS,).
        body_link: Link that each body carries first, shape (n,).
        link_body: Body that carries each link, -1 for the base, shape (num_links,).
        link_placement: Pose of each link in its body as [R row-major, p], shape
            (num_links, 12).
        num_quaternions: Number of ball joints, and 1 more if the base floats.
        is_floating: Whether the base floats.
        has_mimic: Whether some bodies share a coordinate.
        gravity: Gravitational acceleration [m/s^2], shape (3,).
    """

    body: FloatArray
    topology: IntArray
    base: FloatArray
    body_link: IntArray
    link_body: IntArray
    link_placement: FloatArray
    num_quaternions: int
    is_floating: bool
    has_mimic: bool
    gravity: FloatArray

    @property
    def num_bodies(self) -> int:
        return len(self.body)


def compile_tree(model: RobotModel) -> CompiledTree:
    """Return the kernel arrays of a model."""
    num_links = len(model.link_names)
    is_ball = model.joint_type == _BALL
    moves = (model.joint_type == _REVOLUTE) | (model.joint_type == _PRISMATIC) | is_ball
    index, velocity = _coordinates(model)
    source = np.where(model.mimic >= 0, model.mimic, np.arange(num_links))

    moving = np.repeat(moves.nonzero()[0], 1 + 2 * is_ball[moves])  # link of each body
    last = np.append(moving[1:] != moving[:-1], True)[: len(moving)]
    R_link_body = _frames_with_z(model.axis[moving])
    R_link_body[is_ball[moving]] = np.eye(3)
    T_body_link = np.zeros((num_links, 4, 4))
    T_body_link[:] = np.eye(4)
    T_body_link[moving[last], :3, :3] = R_link_body[last].swapaxes(1, 2)
    body_of = np.full(num_links, -1, dtype=np.int64)
    body_of[moving[last]] = np.arange(len(moving))[last]
    parents = model.parent.tolist()
    for i in (~moves).nonzero()[0].tolist()[1:]:  # without the root
        T_body_link[i] = T_body_link[parents[i]] @ model.T_parent_joint[i]
        body_of[i] = body_of[parents[i]]

    parent = model.parent[moving]
    T_parent_link = T_body_link[parent] @ model.T_parent_joint[moving]
    R_parent_body = T_parent_link[:, :3, :3] @ R_link_body
    body = np.zeros((len(moving), NUM_COLS))
    body[:, COL_R : COL_R + 9] = R_parent_body.reshape(-1, 9)
    body[:, COL_P : COL_P + 3] = T_parent_link[:, :3, 3]
    body[:, COL_SCALE] = model.multiplier[moving]
    body[:, COL_OFFSET] = model.offset[moving]
    body[:, COL_ARMATURE] = model.armature[moving]
    topology = np.empty((len(moving), TOP_COLS), dtype=np.int64)
    topology[:, TOP_PARENT] = body_of[parent]
    topology[:, TOP_KIND] = model.joint_type[moving]
    topology[:, TOP_INDEX] = index[source[moving]]
    topology[:, TOP_VELOCITY] = velocity[source[moving]]
    for i in np.flatnonzero(is_ball[moving] & last).tolist():
        body[i - 1 : i + 1, COL_R : COL_P + 3] = [*_NEXT_AXES, 0.0, 0.0, 0.0]
        topology[i - 1 : i + 1, TOP_PARENT] = i - 2, i - 1
        topology[i - 1 : i + 1, TOP_KIND] = _BALL_PART
        topology[i - 1 : i + 1, TOP_VELOCITY] += 1, 2

    inertial = _lumped_inertias(model, body_of, T_body_link, len(moving))
    body[:, COL_MASS : COL_MASS + 10] = inertial[1:]
    base = np.zeros(NUM_COLS)
    base[[0, 4, 8]] = 1.0
    base[COL_MASS : COL_MASS + 10] = inertial[0]
    link_placement = np.empty((num_links, 12))
    link_placement[:, :9] = T_body_link[:, :3, :3].reshape(num_links, 9)
    link_placement[:, 9:] = T_body_link[:, :3, 3]
    return CompiledTree(
        body=body,
        topology=topology,
        base=base,
        body_link=moving,
        link_body=body_of,
        link_placement=link_placement,
        num_quaternions=int(is_ball.sum()) + model.has_floating_base,
        is_floating=model.has_floating_base,
        has_mimic=bool((model.mimic >= 0).any()),
        gravity=model.gravity.copy(),  # writable: one type for all kernels
    )


def _coordinates(model: RobotModel) -> tuple[IntArray, IntArray]:
    """Return where each link's joint begins in q and in qd, a floating base aside."""
    ids = model.tree_joint_ids
    is_ball = model.joint_type[ids] == _BALL
    out = np.full((2, len(model.link_names)), -1, dtype=np.int64)
    for row, extra in zip(out, (3, 2), strict=True):
        widths = 1 + extra * is_ball
        row[ids] = np.cumsum(widths) - widths
    return out[0], out[1]


def _frames_with_z(axis: FloatArray) -> FloatArray:
    """Return rotations whose third column is `axis`, shape (n, 3, 3).

    The first column is the coordinate axis most perpendicular to `axis`, made
    orthogonal; for a coordinate axis the result has entries 0 and +-1 exactly.
    """
    n = len(axis)
    x = np.zeros((n, 3))
    x[np.arange(n), np.abs(axis).argmin(axis=1)] = 1.0
    x -= np.einsum("ni,ni->n", x, axis)[:, None] * axis
    x /= np.sqrt(np.einsum("ni,ni->n", x, x))[:, None]
    R = np.empty((n, 3, 3))
    R[:, :, 0] = x
    R[:, :, 1] = axis[:, _YZX] * x[:, _ZXY] - axis[:, _ZXY] * x[:, _YZX]
    R[:, :, 2] = axis
    return R


def _lumped_inertias(
    model: RobotModel, body_of: IntArray, T_body_link: FloatArray, num_bodies: int
) -> FloatArray:
    """Return mass, centre and inertia of each body, row 0 the base: (n + 1, 10)."""
    out = np.zeros((num_bodies + 1, 10))
    slot = body_of + 1
    is_part_of = np.zeros((num_bodies + 1, len(slot)))
    is_part_of[slot, np.arange(len(slot))] = 1.0
    R = T_body_link[:, :3, :3]
    com = np.einsum("nij,nj->ni", R, model.com) + T_body_link[:, :3, 3]
    mass = is_part_of @ model.mass
    centre = is_part_of @ (model.mass[:, None] * com)
    centre /= np.where(mass > 0.0, mass, 1.0)[:, None]
    # Parallel axes: shift each link's tensor from its own centre to the common one.
    d = com - centre[slot]
    square = np.einsum("ni,ni->n", d, d)[:, None, None] * np.eye(3)
    inertia = R @ model.inertia @ R.swapaxes(1, 2)
    inertia += model.mass[:, None, None] * (square - d[:, :, None] * d[:, None, :])
    out[:, 0] = mass
    out[:, 1:4] = centre
    out[:, 4:] = is_part_of @ inertia.reshape(-1, 9)[:, _UPPER]
    return out
