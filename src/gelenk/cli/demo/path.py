"""A closed path for a robot's tool that its joints can follow."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gelenk.models.tree import RobotModel
from gelenk.typing import FloatArray

SIZES = (0.2, 0.1, 0.05)  # half width of the figure, as a part of the robot's extent
NUM_POSES = 240  # of one round


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ToolPath:
    """Poses of a closed path and joint values that follow them.

    Attributes:
        kind: "figure eight", or "joint swing" where the robot cannot follow one.
        T_base_tool: Wanted poses, shape (k, 4, 4).
        q: Joint values found, shape (k, nq).
        converged: Whether each pose was met, shape (k,).
        position_error: [m], shape (k,).
    """

    kind: str
    T_base_tool: FloatArray
    q: FloatArray
    converged: FloatArray
    position_error: FloatArray


def plan_path(model: RobotModel, num_poses: int = NUM_POSES) -> ToolPath:
    """Return a figure eight around the home pose, as large as the robot can follow."""
    T_home = np.asarray(model.forward(model.home_configuration))
    for size in SIZES:
        targets = _figure_eight(T_home, size * _extent(model), num_poses)
        path = _follow(model, "figure eight", targets)
        if path.converged.all() and _is_smooth(path.q):
            return path
    targets = np.asarray(model.forward(_joint_swing(model, num_poses)))
    return _follow(model, "joint swing", targets)


def _extent(model: RobotModel) -> float:
    """Return the distance of the tool from the base at home [m], at least 1 cm."""
    p = model.forward(model.home_configuration)[:3, 3]
    return max(float(np.linalg.norm(p)), 0.01)


def _figure_eight(T_home: FloatArray, size: float, num_poses: int) -> FloatArray:
    """Return poses on a lemniscate in the base's y-z plane, orientation of home."""
    t = np.linspace(0.0, 2.0 * np.pi, num_poses, endpoint=False)
    T = np.tile(T_home, (num_poses, 1, 1))
    T[:, 1, 3] += size * np.sin(t)
    T[:, 2, 3] += size * np.sin(t) * np.cos(t)
    return T


def _joint_swing(model: RobotModel, num_poses: int) -> FloatArray:
    """Return a slow oscillation of all joints around home, within their limits."""
    home = model.home_configuration
    n = model.num_joints
    lower, upper = np.clip(model.limits, -np.pi, np.pi)
    room = np.minimum(upper - home[-n:], home[-n:] - lower)
    amplitude = np.clip(0.5 * room, 0.0, 0.5)
    t = np.linspace(0.0, 2.0 * np.pi, num_poses, endpoint=False)[:, None]
    q = np.tile(home, (num_poses, 1))
    q[:, -n:] += amplitude * np.sin(t + np.linspace(0.0, np.pi, n))
    return q


def _follow(model: RobotModel, kind: str, targets: FloatArray) -> ToolPath:
    """Solve every pose of a path, each from the solution before it."""
    q = np.array(model.home_configuration)
    qs, converged, errors = [], [], []
    for T in targets:
        result = model.inverse(T, q0=q)
        q = result.q
        qs.append(q)
        converged.append(result.converged)
        errors.append(result.position_error)
    return ToolPath(
        kind=kind,
        T_base_tool=targets,
        q=np.array(qs),
        converged=np.array(converged),
        position_error=np.array(errors),
    )


def _is_smooth(q: FloatArray) -> bool:
    """Return whether no joint jumps from one pose to the next [0.3 rad or m]."""
    return bool(np.abs(np.diff(q, axis=0)).max() < 0.3)
