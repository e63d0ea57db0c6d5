"""The kinematics that a cell gives to its controllers, made from a robot's design."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from gelenk.errors import ConfigError, LoopError
from gelenk.kinematics.forward import frame_pose
from gelenk.kinematics.inverse.closed.closed_solver import closed_solver
from gelenk.kinematics.jacobian import pose_and_jacobian
from gelenk.kinematics.loops.patterns import recognize
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.config import JACOBIAN_STEP
from gelenk.robots.armbot.design import RobotDesign
from gelenk.robots.armbot.interface.kinematics import (
    DirectKinematics,
    InverseKinematics,
    InverseResult,
    NotClosedError,
)
from gelenk.robots.armbot.interface.moves import wrist_values
from gelenk.robots.armbot.inverse import (
    ClosedInverse,
    JacobianInverse,
    SimplexInverse,
    has_own_formula,
)
from gelenk.robots.armbot.model import Method
from gelenk.spatial import se3
from gelenk.typing import ArrayLike, FloatArray

WantedMethod: TypeAlias = Literal["pref", "closed", "down", "jac"]

SLIDE_JACOBIAN_STEP = 1e-6  # [m], of linear motors


class ArmKinematics(DirectKinematics):
    """Direct kinematics of an arm, its closed chains included.

    Depends on the joint values alone, never on what was asked for before.
    """

    def __init__(self, arm: RobotModel) -> None:
        self._arm = arm
        turns = arm.joint_type[arm.joint_ids] == JointType.REVOLUTE
        self._steps = np.where(turns, JACOBIAN_STEP, SLIDE_JACOBIAN_STEP)
        around = np.diag(self._steps)
        self._around = np.concatenate([np.zeros((1, arm.nq)), around, -around])
        # Formulas close a dozen configurations at once in less time than it takes to
        # differentiate one closure.
        self._by_differences = bool(arm.loops) and None not in recognize(arm)

    def pose(self, q: ArrayLike) -> FloatArray:
        try:
            return frame_pose(self._arm, q)
        except LoopError as error:
            raise NotClosedError(str(error)) from error

    def position_jacobian(
        self, q: ArrayLike, step: ArrayLike | None = None
    ) -> FloatArray:
        steps = np.diag(
            np.broadcast_to(self._steps if step is None else step, np.shape(q))
        )
        q = np.asarray(q, dtype=np.float64)
        try:
            both = frame_pose(self._arm, np.stack([q + steps, q - steps]))[..., :3, 3]
        except LoopError as error:
            raise NotClosedError(str(error)) from error
        return ((both[0] - both[1]) / (2.0 * np.diag(steps)[:, None])).T

    def jacobian(self, q: ArrayLike) -> FloatArray:
        return self.pose_and_jacobian(q)[1]

    def pose_and_jacobian(self, q: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return `T_body_mount`, shape (4, 4), and the Jacobian, shape (6, n)."""
        try:
            return pose_and_jacobian(self._arm, q)
        except LoopError as error:
            raise NotClosedError(str(error)) from error

    def linearise(
        self, q: FloatArray, with_rotation: bool
    ) -> tuple[FloatArray, FloatArray]:
        """Return pose and Jacobian, shape (6, n), on the shortest way.

        Without rotation the Jacobian may be that of the position, shape (3, n).
        """
        if with_rotation or not self._by_differences:
            return self.pose_and_jacobian(q)
        try:
            Ts = frame_pose(self._arm, q + self._around)
        except LoopError:  # perhaps only beside q
            return self.pose_and_jacobian(q)
        ahead, behind = Ts[1 : len(q) + 1, :3, 3], Ts[len(q) + 1 :, :3, 3]
        return Ts[0], ((ahead - behind) / (2.0 * self._steps[:, None])).T


def make_direct(design: RobotDesign) -> ArmKinematics:
    """Return the direct kinematics of a robot's arm."""
    return ArmKinematics(design.arm)


def make_inverse(
    design: RobotDesign, direct: DirectKinematics, method: WantedMethod = "pref"
) -> InverseKinematics:
    """Return the inverse kinematics of a robot's arm.

    Args:
        design: The robot.
        direct: Direct kinematics that it tries joint values out with; any.
        method: "closed", "down", "jac"; "pref" for the one that the arm prefers.

    Raises:
        ConfigError: If the arm does not have the method.
    """
    arm, wanted = design.arm, method
    if wanted == "pref":
        wanted = design.manipulator.preferred_ik
    fast = direct.linearise if isinstance(direct, ArmKinematics) else None
    known = methods_of(design)
    if wanted not in known:
        raise ConfigError(
            f"{type(design.manipulator).__name__} has no inverse kinematics "
            f"{wanted!r}; it has {', '.join(known)}"
        )
    if wanted == "down":
        return SimplexInverse(arm, direct)
    by_steps = JacobianInverse(arm, direct, fast)
    if wanted == "jac":
        return by_steps
    return ClosedInverse(design.manipulator, arm, direct, by_steps)


def methods_of(design: RobotDesign) -> tuple[Method, ...]:
    """Return the methods of inverse kinematics that an arm has.

    "closed" is there if its developer wrote `closed_inverse`, or if formulas for its
    structure are known: those for poses if it has a wrist of its own, else those for
    positions, unless it has more motors than a position needs.
    """
    if design.manipulator.has_own_wrist:
        has_formula = closed_solver(design.arm, None, "pose").kernel is not None
    else:
        plan = closed_solver(design.arm, None, "position")
        is_known = plan.kernel is not None and not plan.is_redundant
        has_formula = is_known or has_own_formula(design.manipulator)
    return ("closed", "down", "jac") if has_formula else ("down", "jac")


def gripper_target(design: RobotDesign, T_body_tcp: ArrayLike) -> FloatArray:
    """Return the pose of the gripper's base for a pose of the grip point, (4, 4)."""
    return np.asarray(T_body_tcp) @ se3.inverse(design.T_gripper_tcp)


def solve_tcp(
    design: RobotDesign,
    direct: DirectKinematics,
    inverse: InverseKinematics,
    T_body_tcp: ArrayLike,
    q_robot: ArrayLike,
) -> InverseResult:
    """Return values of all motors of a robot that bring its grip point to a pose.

    The arm brings the mount to its place and the wrist servos turn the gripper; an arm
    with a wrist of its own does both.

    Args:
        design: The robot.
        direct: Direct kinematics of its arm.
        inverse: Inverse kinematics of its arm.
        T_body_tcp: Wanted pose of the grip point in the body frame, shape (4, 4).
        q_robot: Motor values now, order of `design.robot.joint_names`, shape (n,).

    Returns:
        Motor values in the same order, those of the gripper unchanged.
    """
    T = gripper_target(design, T_body_tcp)
    values = np.array(design.robot.check_q("q_robot", q_robot))
    arm, wrist = design.arm_ids, design.wrist_ids
    if design.manipulator.has_own_wrist:
        found = inverse.solve_pose(T, values[arm])
    else:
        found = inverse.solve(T[:3, 3], values[arm])
    values[arm] = found.q
    ok = found.ok
    if len(wrist):
        R_body_mount = np.asarray(direct.pose(found.q))[:3, :3]
        low, high = design.robot.limits[:, wrist]
        turned = wrist_values(R_body_mount.T @ T[:3, :3], values[wrist], low, high)
        if turned is None:
            ok = False
        else:
            values[wrist] = turned
    return InverseResult(
        q=values,
        ok=ok,
        error=found.error,
        iterations=found.iterations,
        method=found.method,
        rotation_error=found.rotation_error,
        starts=found.starts,
    )
