"""Plane angles of ArmBot: rotations in three coordinate planes, in two orders.

An angle is named by the plane it turns in: `xy` turns +x towards +y, `xz` turns +x
towards +z, `yz` turns +y towards +z. Attention: +x towards +z, "up", is a right-handed
rotation about **minus** y, the opposite of `so3.rot_y`. In the forward order a point is
turned first in xy, then in xz, then in yz; in the reverse order the other way round.
Roth 2021, ArmBot §7.1 and §7.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeAlias, get_args

import numpy as np

from gelenk.checks import as_array
from gelenk.errors import ConfigError
from gelenk.spatial.angles import wrap_angle
from gelenk.spatial.euler import GIMBAL_TOL
from gelenk.spatial.so3 import rot_x, rot_y, rot_z
from gelenk.spatial.vectors import norm
from gelenk.typing import ArrayLike, BoolArray, FloatArray

PlaneOrder: TypeAlias = Literal["forward", "reverse"]

LENGTH_TOL = 1e-6  # relative; points farther apart in length are no rotation's images
REACH_TOL = 1e-12
"""How far below zero a squared distance, relative to |point|^2, counts as zero.

A thousand times the rounding of the difference of squares, so that a point exactly at
the edge of what two turns reach is reached.
"""


@dataclass(frozen=True, slots=True, eq=False)
class PlaneAnglesResult:
    """The angles of a rotation in the coordinate planes.

    Attributes:
        angles: Angles (xy, xz, yz) [rad], shape (..., 3), xz in [-pi/2, pi/2].
        singular: Whether xz is a quarter turn, so that only the sum or the difference
            of the others is determined and yz is zero by choice. Shape (...).
    """

    angles: FloatArray
    singular: BoolArray


class PointMapStatus(StrEnum):
    """Answer to whether two plane angles take one point to another."""

    SOLVED = "solved"
    NO_SOLUTION = "no solution"


@dataclass(frozen=True, slots=True, eq=False)
class PointMapResult:
    """The two pairs of plane angles that take one point to another.

    Attributes:
        angle_xy: Angles in the x-y plane [rad] in [-pi, pi), shape (..., 2): solutions
            1 and 2. NaN where there is none.
        angle_xz: Angles in the x-z plane [rad], likewise.
        solvable: Whether there are solutions, shape (...).
    """

    angle_xy: FloatArray
    angle_xz: FloatArray
    solvable: BoolArray

    @property
    def status(self) -> PointMapStatus:
        """SOLVED if every pair of points of the batch has its solutions."""
        if np.all(self.solvable):
            return PointMapStatus.SOLVED
        return PointMapStatus.NO_SOLUTION


def rotation_xy(angle: ArrayLike) -> FloatArray:
    """Return the rotation by `angle` [rad] that turns +x towards +y."""
    return rot_z(angle)


def rotation_xz(angle: ArrayLike) -> FloatArray:
    """Return the rotation by `angle` [rad] that turns +x towards +z, i.e. about -y.

    Example:
        >>> print((rotation_xz(np.pi / 2.0) @ [1.0, 0.0, 0.0]).round(12))
        [0. 0. 1.]
    """
    return rot_y(-as_array("angle", angle, ()))


def rotation_yz(angle: ArrayLike) -> FloatArray:
    """Return the rotation by `angle` [rad] that turns +y towards +z."""
    return rot_x(angle)


def matrix_from_plane_angles(angles: ArrayLike, *, order: PlaneOrder) -> FloatArray:
    """Return R = Ryz Rxz Rxy (forward) or R = Rxy Rxz Ryz (reverse).

    Args:
        angles: Angles (xy, xz, yz) [rad], shape (..., 3), in this order for both.
        order: "forward" if a point is turned in xy first, "reverse" if in yz.

    Returns:
        Rotation matrices, shape (..., 3, 3).

    Example:
        >>> angles = np.deg2rad([30.0, 20.0, 10.0])
        >>> print(matrix_from_plane_angles(angles, order="forward")[0].round(6))
        [ 0.813798 -0.469846 -0.34202 ]
    """
    _check_order(order)
    angles = as_array("angles", angles, (3,))
    R_xy = rotation_xy(angles[..., 0])
    R_xz = rotation_xz(angles[..., 1])
    R_yz = rotation_yz(angles[..., 2])
    return R_yz @ R_xz @ R_xy if order == "forward" else R_xy @ R_xz @ R_yz


def plane_angles_from_matrix(R: ArrayLike, *, order: PlaneOrder) -> PlaneAnglesResult:
    """Return the plane angles of a rotation matrix.

    The angle yz is found first and its factor taken out of R before xy is read off.
    Read off from R itself, as the paper prints it, xy loses every digit next to
    xz = +-90 degrees, where its row and column vanish; this way the triple
    reproduces R to rounding there too.

    Args:
        R: Rotation matrices, shape (..., 3, 3).
        order: The order in which the angles are to be applied.

    Returns:
        The solution with xz in [-pi/2, pi/2]; the others in [-pi, pi).

    Example:
        >>> R = matrix_from_plane_angles([0.3, 0.2, 0.1], order="reverse")
        >>> print(plane_angles_from_matrix(R, order="reverse").angles)
        [0.3 0.2 0.1]
    """
    _check_order(order)
    R = as_array("R", R, (3, 3))
    if order == "forward":
        # The transpose reverses the order of the factors and the sign of the angles.
        R = R.swapaxes(-1, -2)
    lever = np.hypot(R[..., 2, 1], R[..., 2, 2])
    singular = lever < GIMBAL_TOL
    yz = np.where(singular, 0.0, np.arctan2(R[..., 2, 1], R[..., 2, 2]))
    xz = np.arctan2(R[..., 2, 0], lever)
    cos, sin = np.cos(yz), np.sin(yz)
    xy = np.arctan2(
        sin * R[..., 0, 2] - cos * R[..., 0, 1],
        cos * R[..., 1, 1] - sin * R[..., 1, 2],
    )
    angles = np.stack([xy, xz, yz], axis=-1)
    if order == "forward":
        angles = -angles
    return PlaneAnglesResult(wrap_angle(angles) + 0.0, singular)


def angles_to_map_point(
    p: ArrayLike, p_target: ArrayLike, *, order: PlaneOrder
) -> PointMapResult:
    """Return the two turns in xy and xz that take one point to another.

    Forward, the turn in xy comes first. It must already produce the target's y, which
    the turn in xz no longer changes: x' = +-sqrt(x^2 + y^2 - y_target^2), and both
    signs lead to a solution. Reverse, the turn in xz comes first and produces the
    target's z. There is no solution if the target's y (its z) is farther from the
    origin than the first turn can carry the point; points on the x axis always have
    one. Roth 2021, ArmBot §7.2, which does not mention the points without.

    Args:
        p: Points to be turned about the origin [m], shape (..., 3).
        p_target: Points where they arrive [m], shape (..., 3), at the same distance
            from the origin (`LENGTH_TOL`); only its direction counts.
        order: "forward" for first xy, then xz; "reverse" for first xz, then xy.

    Returns:
        Solution 1 has x' >= 0. Along a smooth path each solution is continuous, as long
        as the path keeps clear of the pole (target on the y axis; reverse: on the z
        axis); a choice between the two by size would jump.

    Raises:
        ConfigError: If a point and its target differ in length.

    Example:
        >>> p, p_target = [3.0, 1.0, 2.0], [1.0, 2.0, 3.0]
        >>> result = angles_to_map_point(p, p_target, order="forward")
        >>> print(np.rad2deg(result.angle_xy).round(6))
        [ 20.796572 122.333531]
        >>> print(np.rad2deg(result.angle_xz).round(6))
        [ 32.333531 -69.203428]
    """
    _check_order(order)
    p, target = as_array("p", p, (3,)), as_array("p_target", p_target, (3,))
    p, target = np.broadcast_arrays(p, _scaled_to(norm(p), target))
    # `side` is the coordinate that the first turn settles, `last` the remaining one.
    side, last = (1, 2) if order == "forward" else (2, 1)

    square = _square_between(p, target, side, last)
    solvable = square >= -REACH_TOL * np.vecdot(p, p)
    x_between = np.sqrt(np.where(solvable, np.maximum(square, 0.0), np.nan))
    x_between = np.stack([x_between, -x_between], axis=-1)

    p, target = p[..., None, :], target[..., None, :]
    first_turn = wrap_angle(
        np.arctan2(target[..., side], x_between) - np.arctan2(p[..., side], p[..., 0])
    )
    second_turn = wrap_angle(
        np.arctan2(target[..., last], target[..., 0])
        - np.arctan2(p[..., last], x_between)
    )
    if order == "forward":
        return PointMapResult(first_turn, second_turn, solvable)
    return PointMapResult(second_turn, first_turn, solvable)


def _scaled_to(length: FloatArray, target: FloatArray) -> FloatArray:
    """Return `target` with exactly the length of the point, if it is nearly so."""
    target_length = norm(target)
    differs = np.abs(target_length - length) > LENGTH_TOL * length
    if np.any(differs):
        lengths = np.broadcast_arrays(length, target_length)
        wrong = [float(values[differs].flat[0]) for values in lengths]
        raise ConfigError(
            "`p` and `p_target` must be equally far from the origin, got "
            f"{wrong[0]:.9g} m and {wrong[1]:.9g} m; a rotation keeps lengths"
        )
    is_zero = target_length == 0.0
    scale = np.where(is_zero, 1.0, length / np.where(is_zero, 1.0, target_length))
    return target * scale[..., None]


def _square_between(
    p: FloatArray, target: FloatArray, side: int, last: int
) -> FloatArray:
    """Return the square of x between the two turns; negative if they cannot do it.

    Because the points are equally long, it is x^2 + side^2 - side_target^2 and also
    x_target^2 + last_target^2 - last^2. Of the two, the one with the smaller terms
    cancels fewer digits: that keeps points next to the pole exact.
    """
    reach = np.hypot(p[..., 0], p[..., side])
    rest = np.hypot(target[..., 0], target[..., last])
    side_target, last_start = target[..., side], p[..., last]
    return np.where(
        reach <= rest,
        (reach - side_target) * (reach + side_target),
        (rest - last_start) * (rest + last_start),
    )


def _check_order(order: str) -> None:
    if order not in get_args(PlaneOrder):
        raise ConfigError(f"`order` must be 'forward' or 'reverse', got {order!r}")
