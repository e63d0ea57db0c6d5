"""Independent checker of paths: MuJoCo with the same shapes, in steps of a millimetre.

Only the files' numbers are shared with what is checked: links, joints and shapes are
written into MuJoCo's own description, its kinematics place them, its collision
functions test them, and its poses say how fine the steps must be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gelenk.collision import Scene
from gelenk.models import Geometry, RobotModel
from gelenk.models.link import JointType
from gelenk.models.shapes import mesh_of
from gelenk.sim import Box
from gelenk.trajectory import JointPath
from gelenk.typing import FloatArray

STEP = 1e-3  # [m] of the fastest point
TOUCHING = 1e-6  # [m]: overlaps below are rounding: MuJoCo keeps corners as floats


class PathChecker:
    """The scene of a plan in MuJoCo.

    Args:
        scene: Robots and obstacles.
        obstacles: The obstacles.
        shapes: Role of the shapes that count.
    """

    def __init__(self, scene: Scene, obstacles: Sequence[Box], shapes: str) -> None:
        import mujoco

        self._mujoco: Any = mujoco
        spec: Any = mujoco.MjSpec()
        names = [""]
        if len(scene.robots) > 1:  # their links are named robot/link
            names = list(
                dict.fromkeys(n.split("/")[0] + "/" for n in scene.link_groups)
            )
        self._joints: list[str] = []
        self._followers: list[tuple[str, str, float, float]] = []
        for model, base, prefix in zip(scene.robots, scene.bases, names, strict=True):
            self._add_robot(spec, model, base, prefix, shapes)
        for box in obstacles:
            body = spec.worldbody.add_body(name=box.name, pos=box.position)
            half = 0.5 * np.asarray(box.size)
            body.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=half)
        spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_FILTERPARENT)
        self.model: Any = spec.compile()
        self.model.opt.ccd_tolerance = 1e-10
        self.model.opt.ccd_iterations = 200
        self._data: Any = mujoco.MjData(self.model)
        self._pairs = {frozenset(pair) for pair in scene.pairs}
        self._address = np.array([self._place_of(name) for name in self._joints])
        box = self.model.geom_aabb
        signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, 8).T
        self._corners = box[:, None, :3] + signs * box[:, None, 3:]

    def _add_robot(
        self, spec: Any, model: RobotModel, base: FloatArray, prefix: str, shapes: str
    ) -> None:
        mujoco = self._mujoco
        kinds = {
            int(JointType.REVOLUTE): mujoco.mjtJoint.mjJNT_HINGE,
            int(JointType.PRISMATIC): mujoco.mjtJoint.mjJNT_SLIDE,
        }
        bodies: list[Any] = []
        for i, name in enumerate(model.link_names):
            parent = spec.worldbody if i == 0 else bodies[int(model.parent[i])]
            T = base if i == 0 else model.T_parent_joint[i]
            body = parent.add_body(
                name=prefix + name,
                pos=T[:3, 3],
                quat=_quaternion(mujoco, T),
                mass=1.0,
                inertia=(1.0, 1.0, 1.0),
                explicitinertial=True,
            )
            bodies.append(body)
            if i == 0 and model.has_floating_base:
                body.add_freejoint()
            if i and model.joint_type[i] != int(JointType.FIXED):
                joint = prefix + model.joint_names_all[i]
                kind = kinds[int(model.joint_type[i])]
                body.add_joint(name=joint, type=kind, axis=model.axis[i])
                leader = int(model.mimic[i])
                if leader >= 0:
                    name = prefix + model.joint_names_all[leader]
                    law = float(model.multiplier[i]), float(model.offset[i])
                    self._followers.append((joint, name, *law))
                else:
                    self._joints.append(joint)
            for k, shape in enumerate(model.geometry[i]):
                if shape.role == shapes:
                    _add_shape(mujoco, spec, body, f"{prefix}{name}/{k}", shape)

    def _place_of(self, joint: str) -> int:
        return int(self.model.joint(joint).qposadr[0])

    def worst_overlap(self, path: JointPath) -> tuple[float, int]:
        """Return the deepest overlap of a tested pair [m], and the number of looks.

        Args:
            path: Path of all coordinates of the scene.
        """
        coarse = np.linspace(0.0, path.length, 400)
        places = np.stack([self._points(q) for q in path.sample(coarse)])
        moved = np.linalg.norm(np.diff(places, axis=0), axis=-1).max(axis=(1, 2))
        deepest, looks = 0.0, 0
        for s0, s1, d in zip(coarse[:-1], coarse[1:], moved, strict=True):
            count = int(np.ceil(d / STEP)) + 1
            for q in path.sample(np.linspace(s0, s1, count, endpoint=False)):
                deepest = max(deepest, self._overlap(q))
                looks += 1
        return max(deepest, self._overlap(path.sample(path.length))), looks + 1

    def _place(self, q: FloatArray) -> None:
        self._data.qpos[self._address] = q
        for joint, leader, factor, offset in self._followers:
            value = factor * self._data.qpos[self._place_of(leader)] + offset
            self._data.qpos[self._place_of(joint)] = value
        self._mujoco.mj_kinematics(self.model, self._data)
        self._mujoco.mj_comPos(self.model, self._data)

    def _points(self, q: FloatArray) -> FloatArray:
        self._place(q)
        R = self._data.geom_xmat.reshape(-1, 3, 3)
        return (
            np.einsum("gij,gkj->gki", R, self._corners) + self._data.geom_xpos[:, None]
        )

    def _overlap(self, q: FloatArray) -> float:
        self._place(q)
        self._mujoco.mj_collision(self.model, self._data)
        worst = 0.0
        for contact in self._data.contact:
            if -contact.dist <= max(worst, TOUCHING):
                continue
            bodies = (
                self.model.body(int(self.model.geom_bodyid[g])).name
                for g in contact.geom
            )
            if frozenset(bodies) in self._pairs:
                worst = float(-contact.dist)
        return worst


def _quaternion(mujoco: Any, T: FloatArray) -> FloatArray:
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(T[:3, :3]).ravel())
    return quat


def _add_shape(mujoco: Any, spec: Any, body: Any, name: str, shape: Geometry) -> None:
    T = np.asarray(shape.T_link_geometry)
    place = {"name": name, "pos": T[:3, 3], "quat": _quaternion(mujoco, T)}
    size = np.asarray(shape.size, dtype=np.float64)
    if shape.kind == "mesh":
        mesh = mesh_of(shape)
        assert mesh is not None
        spec.add_mesh(name=name, uservert=mesh.vertices.ravel().tolist())
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name, **place)
        return
    whole = np.zeros(3)
    if shape.kind == "box":
        whole[:] = 0.5 * size
    elif shape.kind in ("cylinder", "capsule"):
        whole[:2] = size[0], 0.5 * size[1]
    else:
        whole[: len(size)] = size
    kind = getattr(mujoco.mjtGeom, f"mjGEOM_{shape.kind.upper()}")
    body.add_geom(type=kind, size=whole, **place)
