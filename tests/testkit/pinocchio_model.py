"""The same robot in Pinocchio, asked and answering in our coordinates.

Border facts: Pinocchio's free-flyer has the quaternion as xyzw and its velocity in
**body** axes; so its acceleration lacks the term omega x v of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pinocchio as pin  # pyright: ignore[reportMissingImports]

from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray
from testkit.multibody import TreeCase, compare_engines, worst_of

_MOVING = (JointType.REVOLUTE, JointType.PRISMATIC, JointType.FLOATING)


class PinocchioRobot:
    """A `RobotModel` rebuilt link by link in Pinocchio (see `MultibodyEngine`).

    Robots with mimic joints or loops are not translated.
    """

    def __init__(self, model: RobotModel) -> None:
        self.source = model
        self.model, self.frame_ids = _build(model)
        self.data: Any = self.model.createData()

    def forward(self, q: ArrayLike, frame: str | None = None) -> FloatArray:
        """Return the pose of a frame in the world, shape (4, 4)."""
        pin.framesForwardKinematics(self.model, self.data, self._q(q))
        return self.data.oMf[self._frame(frame)].homogeneous

    def jacobian(self, q: ArrayLike, frame: str | None = None) -> FloatArray:
        """Return [v; omega] per unit of qd, world axes, shape (6, nv)."""
        J = pin.computeFrameJacobian(
            self.model, self.data, self._q(q), self._frame(frame),
            pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
        )  # fmt: skip
        return J.reshape(6, -1) @ self._map(q)

    def mass_matrix(self, q: ArrayLike) -> FloatArray:
        """Return the joint-space inertia, shape (nv, nv)."""
        X = self._map(q)
        M = np.triu(pin.crba(self.model, self.data, self._q(q)).reshape(X.shape))
        M = M + np.triu(M, 1).T
        return X.T @ M @ X

    def inverse_dynamics(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **options: Any
    ) -> FloatArray:
        """Return the generalised forces, shape (nv,); option `wrenches` by link."""
        X, qd, qdd = self._map(q), np.asarray(qd), np.array(qdd, dtype=np.float64)
        if self.source.has_floating_base:
            qdd[:3] -= np.cross(qd[3:6], qd[:3])
        loads = self._loads(q, options.get("wrenches"))
        tau = pin.rnea(self.model, self.data, self._q(q), X @ qd, X @ qdd, loads)
        return X.T @ tau

    def forward_dynamics(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, **options: Any
    ) -> FloatArray:
        """Return the accelerations, shape (nv,); option `wrenches` by link."""
        X, qd = self._map(q), np.asarray(qd)
        loads = self._loads(q, options.get("wrenches"))
        acc = pin.aba(
            self.model, self.data, self._q(q), X @ qd, X @ np.asarray(tau), loads
        )
        qdd = X.T @ acc
        if self.source.has_floating_base:
            qdd[:3] += np.cross(qd[3:6], qd[:3])
        return qdd

    def _frame(self, frame: str | None) -> int:
        return self.frame_ids[self.source.link_id(frame)]

    def _q(self, q: ArrayLike) -> FloatArray:
        q = np.array(q, dtype=np.float64)
        if self.source.has_floating_base:
            q[3:7] = q[[4, 5, 6, 3]]
        return q

    def _map(self, q: ArrayLike) -> FloatArray:
        """Return the orthogonal X with v_pinocchio = X qd."""
        X = np.eye(self.model.nv)
        if self.source.has_floating_base:
            R = pin.Quaternion(self._q(q)[3:7]).toRotationMatrix()
            X[:3, :3] = X[3:6, 3:6] = R.T
        return X

    def _loads(self, q: ArrayLike, wrenches: dict[str, ArrayLike] | None) -> Any:
        """Return external wrenches in joint axes about the joint origins."""
        pin.framesForwardKinematics(self.model, self.data, self._q(q))
        loads = pin.StdVec_Force()
        for _ in range(self.model.njoints):
            loads.append(pin.Force.Zero())
        for name, wrench in (wrenches or {}).items():
            frame = self._frame(name)
            joint = self.model.frames[frame].parentJoint
            here = pin.SE3(np.eye(3), self.data.oMf[frame].translation)
            in_world = here.act(pin.Force(np.asarray(wrench, dtype=np.float64)))
            loads[joint] += self.data.oMi[joint].actInv(in_world)
        return loads


def _build(model: RobotModel) -> tuple[Any, list[int]]:
    """Return the Pinocchio model and its frame of each link."""
    robot = pin.Model()
    robot.gravity.linear = model.gravity
    joint_of: list[int] = []
    placement: list[Any] = []  # of the link in its joint
    frame_ids: list[int] = []
    for i, name in enumerate(model.link_names):
        parent = int(model.parent[i])
        joint = joint_of[parent] if parent >= 0 else 0
        T = pin.SE3(model.T_parent_joint[i]) if parent >= 0 else pin.SE3.Identity()
        T = placement[parent] * T if parent >= 0 else T
        kind = JointType(int(model.joint_type[i]))
        if kind in _MOVING:
            joint = robot.addJoint(joint, _joint(kind, model.axis[i]), T, f"j_{name}")
            T = pin.SE3.Identity()
            if kind is not JointType.FLOATING:
                armature = robot.armature
                armature[robot.joints[joint].idx_v] = model.armature[i]
                robot.armature = armature
        inertia = pin.Inertia(model.mass[i], model.com[i], model.inertia[i])
        robot.appendBodyToJoint(joint, inertia, T)
        frame = pin.Frame(name, joint, 0, T, pin.FrameType.OP_FRAME)
        frame_ids.append(robot.addFrame(frame, False))
        joint_of.append(joint)
        placement.append(T)
    return robot, frame_ids


def _joint(kind: JointType, axis: FloatArray) -> Any:
    if kind is JointType.FLOATING:
        return pin.JointModelFreeFlyer()
    if kind is JointType.REVOLUTE:
        return pin.JointModelRevoluteUnaligned(axis)
    return pin.JointModelPrismaticUnaligned(axis)


def compare_with_pinocchio(cases: Iterable[TreeCase]) -> dict[str, float]:
    """Return the worst deviation between us and Pinocchio, by quantity."""
    return worst_of(
        compare_engines(case, case.model, PinocchioRobot(case.model)) for case in cases
    )
