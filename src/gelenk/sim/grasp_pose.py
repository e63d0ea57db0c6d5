"""Poses of held things: in their gripper's frame and back in the world."""

# The functions that run in compiled code have no annotations: their arrays are views.
# pyright: reportMissingParameterType=false
from __future__ import annotations

from gelenk.kernels.compile import kernel
from gelenk.typing import FloatArray, Vec3


@kernel
def relative_pose(
    p_gripper: FloatArray,
    quat_gripper: FloatArray,
    p_thing: FloatArray,
    quat_thing: FloatArray,
    out: FloatArray,
) -> None:
    """Write the pose of a thing in a gripper's frame: position, then quaternion.

    Args:
        p_gripper: Position of the gripper in the world [m], shape (3,).
        quat_gripper: Its orientation, shape (4,).
        p_thing: Position of the thing in the world [m], shape (3,).
        quat_thing: Its orientation, shape (4,).
        out: Shape (7,).
    """
    w, i, j, k = quat_gripper[0], -quat_gripper[1], -quat_gripper[2], -quat_gripper[3]
    out[0], out[1], out[2] = rotated(
        w,
        i,
        j,
        k,
        p_thing[0] - p_gripper[0],
        p_thing[1] - p_gripper[1],
        p_thing[2] - p_gripper[2],
    )
    out[3], out[4], out[5], out[6] = _product(
        w, i, j, k, quat_thing[0], quat_thing[1], quat_thing[2], quat_thing[3]
    )


@kernel
def carried_pose(
    p_gripper: FloatArray, quat_gripper: FloatArray, relative: FloatArray
) -> tuple[float, float, float, float, float, float, float]:
    """Return the pose of a held thing in the world: x, y, z, qw, qx, qy, qz.

    Args:
        p_gripper: Position of the gripper in the world [m], shape (3,).
        quat_gripper: Its orientation, shape (4,).
        relative: Pose of the thing in the gripper, shape (7,).
    """
    w, i, j, k = quat_gripper[0], quat_gripper[1], quat_gripper[2], quat_gripper[3]
    x, y, z = rotated(w, i, j, k, relative[0], relative[1], relative[2])
    qw, qx, qy, qz = _product(
        w, i, j, k, relative[3], relative[4], relative[5], relative[6]
    )
    return x + p_gripper[0], y + p_gripper[1], z + p_gripper[2], qw, qx, qy, qz


@kernel
def rotated(
    w: float, i: float, j: float, k: float, x: float, y: float, z: float
) -> Vec3:
    """Return a vector turned by a unit quaternion."""
    ax, ay, az = j * z - k * y, k * x - i * z, i * y - j * x
    return (
        x + 2.0 * (w * ax + j * az - k * ay),
        y + 2.0 * (w * ay + k * ax - i * az),
        z + 2.0 * (w * az + i * ay - j * ax),
    )


@kernel
def _product(
    a: float, b: float, c: float, d: float, w: float, x: float, y: float, z: float
) -> tuple[float, float, float, float]:
    """Return the Hamilton product of two quaternions."""
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )
