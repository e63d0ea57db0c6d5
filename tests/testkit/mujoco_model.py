"""The same robot in MuJoCo, asked and answering in our coordinates.

Border facts: the free joint has its linear velocity in world axes and its angular
velocity in **body** axes; quaternions are wxyz.
"""

# pyright: reportAttributeAccessIssue=false
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import mujoco
import numpy as np
from scipy.spatial.transform import Rotation

from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, FloatArray
from testkit.multibody import TreeCase, compare_engines, worst_of


class MujocoRobot:
    """A `RobotModel` rebuilt link by link in MuJoCo (see `MultibodyEngine`).

    Robots with mimic joints or loops are not translated; joints have neither limits
    nor friction, bodies do not collide.
    """

    def __init__(self, model: RobotModel) -> None:
        self.source = model
        self.model: Any = build_spec(model).compile()
        self.data: Any = mujoco.MjData(self.model)
        self.bodies = [self.model.body(name).id for name in model.link_names]

    def forward(self, q: ArrayLike, frame: str | None = None) -> FloatArray:
        """Return the pose of a frame in the world, shape (4, 4)."""
        self._place(q)
        body = self.bodies[self.source.link_id(frame)]
        T = np.eye(4)
        T[:3, :3] = self.data.xmat[body].reshape(3, 3)
        T[:3, 3] = self.data.xpos[body]
        return T

    def jacobian(self, q: ArrayLike, frame: str | None = None) -> FloatArray:
        """Return [v; omega] per unit of qd, world axes, shape (6, nv)."""
        self._place(q)
        J = np.empty((6, self.model.nv))
        body = self.bodies[self.source.link_id(frame)]
        mujoco.mj_jacBody(self.model, self.data, J[:3], J[3:], body)
        return J @ self._map()

    def mass_matrix(self, q: ArrayLike) -> FloatArray:
        """Return the joint-space inertia, shape (nv, nv)."""
        self._place(q)
        mujoco.mj_forward(self.model, self.data)
        M = np.empty((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, M)
        X = self._map()
        return X.T @ M @ X

    def inverse_dynamics(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, **options: Any
    ) -> FloatArray:
        """Return the generalised forces, shape (nv,); option `wrenches` by link."""
        self._place(q)
        X = self._map()
        self.data.qvel, self.data.qacc = X @ np.asarray(qd), X @ np.asarray(qdd)
        mujoco.mj_inverse(self.model, self.data)
        loads = self._loads(options.get("wrenches"))
        return X.T @ (self.data.qfrc_inverse - loads)

    def forward_dynamics(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, **options: Any
    ) -> FloatArray:
        """Return the accelerations, shape (nv,); option `wrenches` by link."""
        self._place(q)
        X = self._map()
        self.data.qvel = X @ np.asarray(qd)
        loads = self._loads(options.get("wrenches"))
        self.data.qfrc_applied = X @ np.asarray(tau) + loads
        mujoco.mj_forward(self.model, self.data)
        return X.T @ self.data.qacc

    def _place(self, q: ArrayLike) -> None:
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos = np.asarray(q, dtype=np.float64)
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)

    def _map(self) -> FloatArray:
        """Return the orthogonal X with qvel = X qd, for the base pose in `data`."""
        X = np.eye(self.model.nv)
        if self.source.has_floating_base:
            X[3:6, 3:6] = self.data.xmat[self.bodies[0]].reshape(3, 3).T
        return X

    def _loads(self, wrenches: dict[str, ArrayLike] | None) -> FloatArray:
        """Return the generalised forces of wrenches at link origins."""
        total = np.zeros(self.model.nv)
        for name, wrench in (wrenches or {}).items():
            body = self.bodies[self.source.link_id(name)]
            load = np.asarray(wrench, dtype=np.float64)
            point = self.data.xpos[body].copy()
            mujoco.mj_applyFT(
                self.model, self.data, load[:3], load[3:], point, body, total
            )
        return total


def build_spec(model: RobotModel) -> Any:
    """Return the MuJoCo specification of a robot: bodies, joints, inertias."""
    spec: Any = mujoco.MjSpec()
    spec.option.gravity = model.gravity
    bodies: list[Any] = []
    for i, name in enumerate(model.link_names):
        parent = int(model.parent[i])
        body = (bodies[parent] if parent >= 0 else spec.worldbody).add_body(name=name)
        if parent >= 0:
            T = model.T_parent_joint[i]
            body.pos = T[:3, 3]
            body.quat = Rotation.from_matrix(T[:3, :3]).as_quat(scalar_first=True)
        kind = JointType(int(model.joint_type[i]))
        if kind is JointType.FLOATING:
            body.add_freejoint()
        elif kind is not JointType.FIXED:
            hinge, slide = mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE
            body.add_joint(
                type=hinge if kind is JointType.REVOLUTE else slide,
                axis=model.axis[i],
                armature=model.armature[i],
            )
        if model.mass[i] > 0.0:
            inertia = model.inertia[i]
            body.mass, body.ipos = model.mass[i], model.com[i]
            body.fullinertia = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            body.explicitinertial = True
        bodies.append(body)
    return spec


def compare_with_mujoco(cases: Iterable[TreeCase]) -> dict[str, float]:
    """Return the worst deviation between us and MuJoCo, by quantity."""
    return worst_of(
        compare_engines(case, case.model, MujocoRobot(case.model)) for case in cases
    )
