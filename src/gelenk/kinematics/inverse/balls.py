"""Inverse kinematics of robots with ball joints: on the same robot with hinges.

Three hinges in one place reach every orientation of a ball; their solution becomes a
quaternion.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gelenk.errors import ShapeError
from gelenk.kinematics.inverse.result import IkResult
from gelenk.models.assembler import assemble
from gelenk.models.edit import disassemble
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from gelenk.spatial import quaternion
from gelenk.spatial.euler import euler_from_matrix, matrix_from_euler
from gelenk.typing import ArrayLike, FloatArray

_AXES = np.eye(3)


def with_hinges(model: RobotModel) -> RobotModel:
    """Return the robot with three hinges, about x, y and z, in place of each ball.

    Args:
        model: Robot without loops.
    """
    return model._cached("with_hinges", lambda: _with_hinges(model))


def _with_hinges(model: RobotModel) -> RobotModel:
    links, _ = disassemble(model)
    rows: list[Link] = []
    for link in links:
        if link.joint_type != JointType.BALL:
            rows.append(link)
            continue
        hinge = replace(
            link,
            joint_type=JointType.REVOLUTE,
            axis=_AXES[2],
            lower=-np.inf,
            upper=np.inf,
        )
        parent, T = link.parent, link.T_parent_joint
        for axis, letter in zip(_AXES[:2], "xy", strict=True):
            name = f"{link.name}:{letter}"
            rows.append(
                Link(
                    name=name,
                    parent=parent,
                    joint=f"{link.joint}:{letter}",
                    joint_type=JointType.REVOLUTE,
                    T_parent_joint=T,
                    axis=axis,
                )
            )
            parent, T = name, np.eye(4)
        rows.append(replace(hinge, parent=parent, T_parent_joint=T))
    return assemble(model.name, rows, tool=model.tool, gravity=model.gravity)


def solve_with_hinges(
    model: RobotModel,
    solve: Callable[..., IkResult],
    T: ArrayLike,
    options: dict[str, Any],
) -> IkResult:
    """Return what `solve` finds for the robot with hinges, as values of its balls.

    Args:
        model: Robot with ball joints.
        solve: Method of inverse kinematics, called with a robot, a pose and options.
        T: Wanted pose of the frame in the base, shape (4, 4).
        options: Options of the method; `q0` and `prefer` are values of the robot.
    """
    hinged = with_hinges(model)
    given = dict(options)
    base = 7 if model.has_floating_base else 0
    if given.get("q0") is not None:
        given["q0"] = _angles(model, given["q0"], base)
    if given.get("prefer") is not None:
        prefer = np.asarray(given["prefer"], dtype=np.float64)
        if prefer.shape != (model.nq - base,):
            raise ShapeError(
                "prefer", expected=str((model.nq - base,)), actual=prefer.shape
            )
        q = np.concatenate([model.home_configuration[:base], prefer])
        given["prefer"] = _angles(model, q, base)[base:]
    result = solve(hinged, T, **given)
    return replace(result, q=_values(model, result.q), limits=model.limits)


def _angles(model: RobotModel, q: ArrayLike, base: int) -> FloatArray:
    """Return coordinates of the robot with hinges for those with quaternions."""
    q = model.check_q("q0", q)
    parts: list[FloatArray] = []
    row = 0
    for i in model.ball_joints:
        first = int(model.q_starts[i])
        R = quaternion.matrix_from_quaternion(q[first : first + 4])
        parts += [q[row:first], euler_from_matrix(R, "xyz", axes="intrinsic").angles]
        row = first + 4
    return np.concatenate([*parts, q[row:]])


def _values(model: RobotModel, angles: FloatArray) -> FloatArray:
    """Return coordinates with quaternions for those of the robot with hinges."""
    parts: list[FloatArray] = []
    row = 0
    for count, i in enumerate(model.ball_joints):
        first = int(model.q_starts[i]) - count  # a ball takes one value more
        R = matrix_from_euler(angles[first : first + 3], "xyz", axes="intrinsic")
        parts += [angles[row:first], quaternion.quaternion_from_matrix(R)]
        row = first + 3
    return np.concatenate([*parts, angles[row:]])
