"""Poses, velocities and accelerations of all bodies of a tree.

Layout of the arrays: `model.compiled`.
"""

from __future__ import annotations

import numpy as np

from gelenk.kernels.chain import ball_turned, base_pose, put_pose
from gelenk.kernels.compile import kernel
from gelenk.kernels.tuples import (
    add,
    chained,
    cross,
    put,
    rot,
    scaled,
    sub,
    turn,
    turned_about_z,
    vec,
    z_axis,
)
from gelenk.typing import FloatArray, IntArray, Vec3

PRISMATIC, BALL, BALL_PART = 2, 4, 5


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
        kind, k = topology[i, 1], first + topology[i, 2]
        if kind == BALL:
            R = ball_turned(rot(body, i, 0), q, k)
            R = chained(R_parent, R)
        elif kind == BALL_PART:
            R = chained(R_parent, rot(body, i, 0))
        else:
            value = body[i, 22] * q[k] + body[i, 23]
            if kind != PRISMATIC:
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


VEL, OMEGA, ACC, ALPHA = 12, 15, 18, 21  # columns of the work space; 0..11 the pose
MOTION_COLS = 24


@kernel
def _carried(w: FloatArray, row: int, arm: Vec3) -> tuple[Vec3, Vec3]:
    """Return velocity and acceleration of a point fixed to a body, `arm` from it."""
    omega = vec(w, row, OMEGA)
    turning = cross(omega, arm)
    v = add(vec(w, row, VEL), turning)
    a = add(
        add(vec(w, row, ACC), cross(vec(w, row, ALPHA), arm)), cross(omega, turning)
    )
    return v, a


@kernel
def _body_motion(
    body: FloatArray,
    topology: IntArray,
    is_floating: bool,
    q: FloatArray,
    qd: FloatArray,
    qdd: FloatArray,
    w: FloatArray,
) -> None:
    """Fill the work space with pose and motion of each body's origin, world axes."""
    column = 6 if is_floating else 0
    body_poses(body, topology, is_floating, q, w)
    carried = (0.0, 0.0, 0.0)
    for c in range(12):
        w[0, VEL + c] = 0.0
    if is_floating:
        for c in range(6):
            w[0, VEL + c], w[0, ACC + c] = qd[c], qdd[c]
    for i in range(body.shape[0]):
        row, parent = i + 1, topology[i, 0] + 1
        z = z_axis(rot(w, row, 0))
        k, scale = column + topology[i, 3], body[i, 22]
        speed, push = scaled(scale * qd[k], z), scaled(scale * qdd[k], z)
        v, a = _carried(w, parent, sub(vec(w, row, 9), vec(w, parent, 9)))
        omega, alpha = vec(w, parent, OMEGA), vec(w, parent, ALPHA)
        if topology[i, 1] != BALL_PART:  # those turn with what carries the first
            carried = omega
        if topology[i, 1] != PRISMATIC:
            alpha = add(alpha, add(push, cross(carried, speed)))
            omega = add(omega, speed)
        else:
            v = add(v, speed)
            a = add(a, add(push, scaled(2.0, cross(omega, speed))))
        put(w, row, VEL, v)
        put(w, row, OMEGA, omega)
        put(w, row, ACC, a)
        put(w, row, ALPHA, alpha)


@kernel
def link_motion_many(
    body: FloatArray,
    topology: IntArray,
    is_floating: bool,
    link_body: IntArray,
    link_placement: FloatArray,
    q: FloatArray,
    qd: FloatArray,
    qdd: FloatArray,
    twist: FloatArray,
    acc: FloatArray,
) -> None:
    """Write twist and acceleration of every link for each row of (q, qd, qdd)."""
    w = np.empty((body.shape[0] + 1, MOTION_COLS))
    for b in range(q.shape[0]):
        _body_motion(body, topology, is_floating, q[b], qd[b], qdd[b], w)
        for k in range(link_body.shape[0]):
            row = link_body[k] + 1
            v, a = _carried(w, row, turn(rot(w, row, 0), vec(link_placement, k, 9)))
            for c in range(3):
                twist[b, k, c], twist[b, k, 3 + c] = v[c], w[row, OMEGA + c]
                acc[b, k, c], acc[b, k, 3 + c] = a[c], w[row, ALPHA + c]
