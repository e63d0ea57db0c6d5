"""Poses of all bodies of a tree (layout: `model.compiled`)."""

from __future__ import annotations

from gelenk.kernels.chain import base_pose, put_pose
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    put,
    rot,
    scaled,
    turn,
    turned_about_z,
    vec,
    z_axis,
)
from gelenk.typing import FloatArray, IntArray

REVOLUTE = 1


@kernel
def body_poses(
    body: FloatArray,
    topology: IntArray,
    is_floating: bool,
    q: FloatArray,
    poses: FloatArray,
) -> None:
    """Write the pose of each body as [R, p]; row 0 is the base, row i + 1 body i."""
    first = 7 if is_floating else 0
    R, p = base_pose(is_floating, q)
    put(poses, 0, 0, R)
    put(poses, 0, 9, p)
    for i in range(body.shape[0]):
        parent = topology[i, 0] + 1
        R_parent = rot(poses, parent, 0)
        p = add(vec(poses, parent, 9), turn(R_parent, vec(body, i, 9)))
        value = body[i, 22] * q[first + topology[i, 2]] + body[i, 23]
        if topology[i, 1] == REVOLUTE:
            R = chained(R_parent, turned_about_z(rot(body, i, 0), value))
        else:
            R = chained(R_parent, rot(body, i, 0))
            p = add(p, scaled(value, z_axis(R)))
        put(poses, i + 1, 0, R)
        put(poses, i + 1, 9, p)


@kernel
def link_poses_many(
    body: FloatArray,
    topology: IntArray,
    is_floating: bool,
    link_body: IntArray,
    link_placement: FloatArray,
    q: FloatArray,
    poses: FloatArray,
    T: FloatArray,
) -> None:
    """Write the pose of every link for each row of q; `poses` is work space."""
    for b in range(q.shape[0]):
        body_poses(body, topology, is_floating, q[b], poses)
        for k in range(link_body.shape[0]):
            row = link_body[k] + 1
            R = rot(poses, row, 0)
            p = add(vec(poses, row, 9), turn(R, vec(link_placement, k, 9)))
            put_pose(T[b, k], chained(R, rot(link_placement, k, 0)), p)
