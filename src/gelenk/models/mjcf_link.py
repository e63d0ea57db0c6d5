"""Links of a model from the bodies of a compiled MJCF file.

The link of a body carries the body's name, and its frame is the body's frame. Where a
body has several joints, or a hinge whose anchor is not the body's origin, massless
links are put in between: a link on each joint, with its frame at the anchor, and the
body's own link fixed to the last of them if the anchor is elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from gelenk.models.link import JointType, Link
from gelenk.models.mjcf_engine import BALL, FREE, MASSLESS, SLIDE, CompiledFile, Names
from gelenk.models.mjcf_robot import WORLD
from gelenk.models.mjcf_shape import ShapeReader, as_stated, compiled_pose
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.spatial.so3 import rotation_about
from gelenk.typing import FloatArray

_BALL_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@dataclass(slots=True, eq=False, kw_only=True)
class LinkRow:
    """A link under construction.

    Attributes:
        link: The link.
        joint: Index of its joint in the compiled file, -1 if the link is fixed.
        part: Number of the hinge of a ball joint that three hinges stand for, else -1.
    """

    link: Link
    joint: int = -1
    part: int = -1

    @property
    def moves(self) -> bool:
        return self.link.joint_type in (JointType.REVOLUTE, JointType.PRISMATIC)


@dataclass(slots=True, eq=False, kw_only=True)
class LinkBuilder:
    """Turns bodies into rows, parents before children.

    Attributes:
        compiled: The compiled file.
        shapes: Reader of the geoms.
        joint_names: Names that the file remembers for joints that do not move.
        hidden_sites: Sites that only hold a loop closure and become no links.
        has_balls: Whether ball joints stay; otherwise three hinges stand for each.
        link_of_body: Name of the link of each body, by index of the body.
        rows: The links so far.
    """

    compiled: CompiledFile
    shapes: ShapeReader
    joint_names: dict[str, str]
    hidden_sites: set[int]
    has_balls: bool
    link_of_body: dict[int, str]
    rows: list[LinkRow] = field(default_factory=list[LinkRow])
    _links: Names = field(default_factory=Names)
    _joints: Names = field(default_factory=Names)

    def build(self, root: int) -> None:
        """Add the links of the bodies and of their sites.

        Args:
            root: Index of the body that becomes the root link.
        """
        bodies = self.compiled.bodies
        self._links = Names({body.name for body in bodies} | {"world"})
        self._joints = Names(joint.name for joint in self.compiled.joints)
        for i in self.link_of_body:
            self._add_body(i, is_root=i == root)
        for i in self.link_of_body:
            self._add_sites(i)

    def _add_body(self, index: int, *, is_root: bool) -> None:
        model = self.compiled.model
        name = self.link_of_body[index]
        parent = None if is_root else self.link_of_body[int(model.body_parentid[index])]
        mass, com, tensor = inertial_of(self.compiled, index)
        own = Link(
            name=name,
            mass=mass,
            com=com,
            inertia=tensor,
            gravity_compensation=float(model.body_gravcomp[index]),
            geometry=self.shapes.of_body(index),
        )
        T = body_pose(self.compiled, index)
        if is_root and np.allclose(T[:3, :3], np.eye(3), rtol=0.0, atol=1e-9):
            T[:3, :3] = np.eye(3)
        first, count = int(model.body_jntadr[index]), int(model.body_jntnum[index])
        joints = list(range(first, first + count))
        free = next((j for j in joints if model.jnt_type[j] == FREE), -1)
        for k, j in enumerate(joints if free < 0 else ()):
            anchor = self._anchor(j)
            if k == count - 1 and not anchor.any():
                self._add_joint(j, replace(own, parent=parent), T)
                return
            title = self.compiled.joints[j].name
            if title.startswith(f"{name}_joint_{k + 1}"):  # nameless in the file
                title = f"joint_{k + 1}"
            between = Link(name=self._links.claim(f"{name}_{title}"), parent=parent)
            self._add_joint(j, between, T)
            parent, T = between.name, np.eye(4)
            T[:3, 3] = -anchor
        wanted = self.joint_names.get(name, f"{name}_joint")
        given = self.compiled.joints[free].name if free >= 0 else ""
        link = replace(
            own,
            parent=parent,
            joint=given or self._joints.claim(wanted),
            joint_type=JointType.FLOATING if free >= 0 else JointType.FIXED,
            T_parent_joint=T,
        )
        self.rows.append(LinkRow(link=link, joint=free))

    def _anchor(self, j: int) -> FloatArray:
        """Return the anchor of a joint in its body [m]; slides need none."""
        model = self.compiled.model
        return np.zeros(3) if model.jnt_type[j] == SLIDE else np.array(model.jnt_pos[j])

    def _add_joint(self, j: int, link: Link, T: FloatArray) -> None:
        """Add a link on joint `j` whose body is at `T` when it is drawn."""
        model = self.compiled.model
        kind, reference = int(model.jnt_type[j]), reference_of(self.compiled, j)
        dof = int(model.jnt_dofadr[j])
        link = replace(
            link,
            joint=self.compiled.joints[j].name,
            T_parent_joint=T @ self._at_zero(j, reference),
            damping=float(model.dof_damping[dof]),
            friction=float(model.dof_frictionloss[dof]),
            armature=float(model.dof_armature[dof]),
            stiffness=float(model.jnt_stiffness[j]),
        )
        if kind == BALL:
            self._add_ball(j, link)
            return
        is_limited = bool(model.jnt_limited[j])
        lower, upper = model.jnt_range[j].tolist() if is_limited else (-np.inf, np.inf)
        link = replace(
            link,
            joint_type=JointType.PRISMATIC if kind == SLIDE else JointType.REVOLUTE,
            axis=self._axis(j),
            lower=lower if abs(lower) < 1e30 else -np.inf,
            upper=upper if abs(upper) < 1e30 else np.inf,
            rest=float(model.qpos_spring[int(model.jnt_qposadr[j])]),
            home=reference,
        )
        self.rows.append(LinkRow(link=link, joint=j))

    def _add_ball(self, j: int, link: Link) -> None:
        """Add a ball joint, or three hinges on massless links that stand for it."""
        if self.has_balls:
            link = replace(link, joint_type=JointType.BALL)
            self.rows.append(LinkRow(link=link, joint=j))
            return
        parent, T = link.parent, link.T_parent_joint
        for k, (letter, axis) in enumerate(_BALL_AXES.items()):
            name, joint = f"{link.joint}_{letter}", f"{link.joint}_{letter}"
            hinge = replace(
                link if letter == "z" else Link(name=self._links.claim(name)),
                parent=parent,
                joint=self._joints.claim(joint),
                joint_type=JointType.REVOLUTE,
                T_parent_joint=T,
                axis=axis,
                damping=link.damping,
                friction=link.friction,
                armature=link.armature,
                stiffness=link.stiffness,
            )
            self.rows.append(LinkRow(link=hinge, joint=j, part=k))
            parent, T = hinge.name, np.eye(4)

    def _axis(self, j: int) -> FloatArray:
        """Return the axis of a joint in its body, with the digits of the file."""
        axis = np.array(self.compiled.model.jnt_axis[j])
        stated = np.array(self.compiled.joints[j].axis)
        return stated if np.allclose(stated, axis, rtol=0.0, atol=1e-15) else axis

    def _at_zero(self, j: int, reference: float) -> FloatArray:
        """Return the joint frame in the body at joint value 0, anchor included."""
        T = np.eye(4)
        if self.compiled.model.jnt_type[j] == SLIDE:
            T[:3, 3] = -reference * self._axis(j)
            return T
        T[:3, 3] = self._anchor(j)
        if reference:
            T[:3, :3] = rotation_about(self._axis(j), -reference)
        return T

    def _add_sites(self, index: int) -> None:
        """Add a massless fixed link for each named site, unless a closure owns it."""
        model = self.compiled.model
        for s in np.flatnonzero(np.array(model.site_bodyid) == index).tolist():
            given = self.compiled.sites[s].name
            if not given or s in self.hidden_sites:
                continue
            wanted = f"{given}_site" if given in self._links else given
            name = self._links.claim(wanted)
            link = Link(
                name=name,
                parent=self.link_of_body[index],
                joint=self._joints.claim(f"{name}_joint"),
                T_parent_joint=site_pose(self.compiled, s),
            )
            self.rows.append(LinkRow(link=link))


def body_pose(compiled: CompiledFile, index: int) -> FloatArray:
    """Return the pose of a body in its parent as drawn, shape (4, 4)."""
    model = compiled.model
    T = compiled_pose(model.body_pos[index], model.body_quat[index])
    return as_stated(T, compiled.bodies[index]) if index else T


def site_pose(compiled: CompiledFile, index: int) -> FloatArray:
    """Return the pose of a site in its body, shape (4, 4)."""
    model = compiled.model
    T = compiled_pose(model.site_pos[index], model.site_quat[index])
    return as_stated(T, compiled.sites[index])


def drawn_poses(compiled: CompiledFile) -> FloatArray:
    """Return the pose of every body in the world as drawn, shape (n, 4, 4)."""
    poses = [np.eye(4)]
    for i in range(1, compiled.model.nbody):
        parent = int(compiled.model.body_parentid[i])
        poses.append(poses[parent] @ body_pose(compiled, i))
    return np.stack(poses)


def reference_of(compiled: CompiledFile, j: int) -> float:
    """Return the value of a hinge or slide as drawn [rad] or [m]; of others 0."""
    model = compiled.model
    if model.jnt_type[j] in (FREE, BALL):
        return 0.0
    return float(model.qpos0[int(model.jnt_qposadr[j])])


def inertial_of(
    compiled: CompiledFile, index: int
) -> tuple[float, FloatArray, FloatArray]:
    """Return mass [kg], centre [m] and tensor [kg m^2] of a body, in its axes.

    Where the compiler only wrote the file's numbers in another way, they are the
    file's.
    """
    model = compiled.model
    if index == WORLD:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    mass, com = float(model.body_mass[index]), np.array(model.body_ipos[index])
    moments = np.array(model.body_inertia[index])
    R = matrix_from_quaternion(model.body_iquat[index])
    is_impossible = compiled.bodies[index].name in compiled.impossible
    stated = compiled.stated.get(index)
    if stated is not None and is_impossible:
        return stated[0], com, _symmetric(R @ stated[2] @ R.T)
    mass = 0.0 if mass <= MASSLESS else mass
    moments = np.where(moments <= MASSLESS, 0.0, moments)
    tensor = _symmetric((R * moments) @ R.T)
    if stated is not None:
        m, c, J = stated
        scale = max(float(np.abs(tensor).max()), MASSLESS)
        if (
            abs(m - mass) <= MASSLESS
            and np.allclose(c, com, rtol=0.0, atol=1e-12)
            and np.allclose(J, tensor, rtol=0.0, atol=1e-9 * scale + 2.0 * MASSLESS)
        ):
            return m, c, J
    if mass == 0.0 and not tensor.any():
        com = np.zeros(3)
    return mass, com, tensor


def _symmetric(tensor: FloatArray) -> FloatArray:
    return 0.5 * (tensor + tensor.T)
