"""The form of a robot that the compiled kernels read.

Only moving bodies are kept: a link on a fixed joint is merged into the body that
carries it. Each body gets its own frame whose z axis is the joint axis, so that the
kernels know only rotation about z and translation along z. Link frames are recovered by
the constant `link_placement`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gelenk.core.model.link import JointType
from gelenk.core.typing import FloatArray, IntArray

if TYPE_CHECKING:
    from gelenk.core.model.tree import RobotModel

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
TOP_KIND = 1  # 1 revolute, 2 prismatic
TOP_INDEX = 2  # index of its coordinate among the tree joints


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CompiledTree:
    """Arrays over the moving bodies of a robot; body i has its parent before it.

    Coordinates are those of `RobotModel.tree_joint_ids`: all joints with a value of
    their own, loops cut open.

    Attributes:
        body: Constants of each body, shape (n, NUM_COLS).
        topology: Parent, kind and coordinate index of each body, shape (n, 3).
        base: Row like those of `body` for the root: its placement is the identity and
            only mass, centre and inertia count (floating base), shape (NUM_COLS,).
        link_body: Body that carries each link, -1 for the base, shape (num_links,).
        link_placement: Pose of each link in its body as [R row-major, p], shape
            (num_links, 12).
        num_coords: Number of tree coordinates without the floating base.
        is_floating: Whether the base floats.
        has_mimic: Whether some bodies share a coordinate.
        gravity: [m/s^2], shape (3,).
    """

    body: FloatArray
    topology: IntArray
    base: FloatArray
    link_body: IntArray
    link_placement: FloatArray
    num_coords: int
    is_floating: bool
    has_mimic: bool
    gravity: FloatArray

    @property
    def num_bodies(self) -> int:
        return len(self.body)


def compile_tree(model: RobotModel) -> CompiledTree:
    """Return the kernel arrays of a model."""
    num_links = len(model.link_names)
    moves = (model.joint_type == JointType.REVOLUTE) | (
        model.joint_type == JointType.PRISMATIC
    )
    coord = np.full(num_links, -1, dtype=np.int64)
    coord[model.tree_joint_ids] = np.arange(len(model.tree_joint_ids))
    source = np.where(model.mimic >= 0, model.mimic, np.arange(num_links))

    moving = np.flatnonzero(moves)
    R_link_body = np.tile(np.eye(3), (num_links, 1, 1))
    R_link_body[moving] = _frames_with_z(model.axis[moving])
    body_of = np.full(num_links, -1, dtype=np.int64)
    body_of[moving] = np.arange(len(moving))
    T_body_link = np.tile(np.eye(4), (num_links, 1, 1))
    T_body_link[:, :3, :3] = R_link_body.swapaxes(1, 2)

    body = np.zeros((len(moving), NUM_COLS))
    topology = np.empty((len(moving), 3), dtype=np.int64)
    T_link_body = np.tile(np.eye(4), (num_links, 1, 1))
    T_link_body[:, :3, :3] = R_link_body
    parents = model.parent.tolist()
    for i in range(1, num_links):
        T_bodyframe_link = T_body_link[parents[i]] @ model.T_parent_joint[i]
        if moves[i]:
            k = body_of[i]
            T_parent_body = T_bodyframe_link @ T_link_body[i]
            body[k, COL_R : COL_R + 9] = T_parent_body[:3, :3].ravel()
            body[k, COL_P : COL_P + 3] = T_parent_body[:3, 3]
            topology[k] = body_of[parents[i]], model.joint_type[i], coord[source[i]]
        else:
            T_body_link[i] = T_bodyframe_link
            body_of[i] = body_of[parents[i]]
    body[:, COL_SCALE] = model.multiplier[moving]
    body[:, COL_OFFSET] = model.offset[moving]
    body[:, COL_ARMATURE] = model.armature[moving]

    inertial = _lumped_inertias(model, body_of, T_body_link, len(moving))
    body[:, COL_MASS : COL_MASS + 10] = inertial[1:]
    base = np.zeros(NUM_COLS)
    base[[0, 4, 8]] = 1.0
    base[COL_MASS : COL_MASS + 10] = inertial[0]
    link_placement = np.concatenate(
        [T_body_link[:, :3, :3].reshape(num_links, 9), T_body_link[:, :3, 3]], axis=1
    )
    return CompiledTree(
        body=body,
        topology=topology,
        base=base,
        link_body=body_of,
        link_placement=link_placement,
        num_coords=len(model.tree_joint_ids),
        is_floating=model.has_floating_base,
        has_mimic=bool((model.mimic >= 0).any()),
        gravity=model.gravity,
    )


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
    y = axis[:, [1, 2, 0]] * x[:, [2, 0, 1]] - axis[:, [2, 0, 1]] * x[:, [1, 2, 0]]
    return np.stack([x, y, axis], axis=2)


def _lumped_inertias(
    model: RobotModel, body_of: IntArray, T_body_link: FloatArray, num_bodies: int
) -> FloatArray:
    """Return mass, centre and inertia of each body, row 0 the base: (n + 1, 10)."""
    R = T_body_link[:, :3, :3]
    com = np.einsum("nij,nj->ni", R, model.com) + T_body_link[:, :3, 3]
    inertia = R @ model.inertia @ R.swapaxes(1, 2)
    slot = body_of + 1
    mass = np.bincount(slot, model.mass, minlength=num_bodies + 1)
    safe = np.where(mass > 0.0, mass, 1.0)
    moment = model.mass[:, None] * com
    centre = np.stack(
        [np.bincount(slot, moment[:, k], minlength=num_bodies + 1) for k in range(3)],
        axis=1,
    )
    centre /= safe[:, None]
    # Parallel axes: shift each link's tensor from its own centre to the common one.
    d = com - centre[slot]
    square = np.einsum("ni,ni->n", d, d)[:, None, None] * np.eye(3)
    inertia = inertia + model.mass[:, None, None] * (
        square - d[:, :, None] * d[:, None, :]
    )
    out = np.empty((num_bodies + 1, 10))
    out[:, 0] = mass
    out[:, 1:4] = centre
    for column, (i, j) in enumerate([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]):
        out[:, 4 + column] = np.bincount(
            slot, inertia[:, i, j], minlength=num_bodies + 1
        )
    return out
