"""Pictures of robots, without display or graphics card."""

from __future__ import annotations

import math
from typing import Literal, TypedDict

import numpy as np

from gelenk.errors import ConfigError
from gelenk.geometry.mesh import Mesh
from gelenk.geometry.render import MeshInstance, render_meshes
from gelenk.geometry.solids import capsule_mesh, cylinder_mesh
from gelenk.kinematics.forward import link_poses
from gelenk.models.link import Geometry, JointType
from gelenk.models.shapes import load_shapes, looks_of, mesh_of
from gelenk.models.tree import RobotModel
from gelenk.typing import ArrayLike, ByteArray, FloatArray
from gelenk.vision.camera import Intrinsics

ImageSide = Literal["corner", "front", "back", "left", "right", "top"]
Shapes = Literal["visual", "collision"]


class ImageOptions(TypedDict, total=False):
    """Options of a picture.

    Attributes:
        width: Columns [px], 640 by default.
        height: Rows [px], 480 by default.
        view: Side from which the robot is seen, "corner" by default; its front looks
            along +x.
        shapes: Shapes that are drawn, "visual" by default.
    """

    width: int
    height: int
    view: ImageSide
    shapes: Shapes


# Azimuth, counter-clockwise from +x, and elevation of the eye [deg].
_VIEWS: dict[str, tuple[float, float]] = {
    "corner": (-52.0, 22.0),
    "front": (0.0, 8.0),
    "back": (180.0, 8.0),
    "left": (90.0, 8.0),
    "right": (-90.0, 8.0),
    "top": (-90.0, 89.0),
}
_ANGLE = math.radians(32.0)  # of view, vertical
_FILLED = 0.86  # share of the picture that the robot fills
_COLLISION = (0.45, 0.62, 0.86, 1.0)
_BONE, _JOINT = (0.55, 0.57, 0.60, 1.0), (0.93, 0.45, 0.13, 1.0)
_FAINT = 0.5  # opacity; what collides is drawn so where it is not to be seen
_MOVING = (int(JointType.REVOLUTE), int(JointType.PRISMATIC))


def robot_image(
    model: RobotModel,
    q: ArrayLike | None = None,
    *,
    width: int = 640,
    height: int = 480,
    view: ImageSide = "corner",
    shapes: Shapes = "visual",
) -> ByteArray:
    """Return a picture of a robot, shape (height, width, 3), red, green, blue.

    A link without visual shapes is drawn with those that it collides with, if they have
    a colour of their own, and not a faint one. A robot without the wanted shapes is
    drawn with its others; one without any as a skeleton, its joint axes marked.

    Args:
        model: Robot.
        q: Joint values [rad] or [m], shape (nq,); by default the home configuration.
        width: Columns [px].
        height: Rows [px].
        view: Side from which it is seen; the robot's front looks along +x.
        shapes: Shapes that are drawn.

    Raises:
        ConfigError: If there is no such view, or no such kind of shapes.
    """
    if view not in _VIEWS:
        raise ConfigError(f"`view` must be one of {', '.join(_VIEWS)}, got {view!r}")
    if shapes not in ("visual", "collision"):
        raise ConfigError(f"`shapes` must be visual or collision, got {shapes!r}")
    if width < 1 or height < 1:
        raise ConfigError(f"a picture needs pixels, got {width} x {height}")
    q = model.home_configuration if q is None else model.check_q("q", q)
    if np.ndim(q) != 1:
        raise ConfigError(f"`q` must be one configuration, got shape {np.shape(q)}")
    poses = link_poses(model, q)
    instances = robot_instances(model, poses, shapes)
    points = np.concatenate([_extent(item) for item in instances])
    camera = Intrinsics.from_field_of_view(
        width=width,
        height=height,
        horizontal=2.0 * math.atan(math.tan(0.5 * _ANGLE) * width / height),
    )
    T = _framing(points, view, width / height)
    floor = None if view == "top" else float(points[:, 2].min())
    return render_meshes(instances, camera, T, floor=floor).color


def robot_instances(
    model: RobotModel,
    poses: FloatArray,
    shapes: Shapes = "visual",
) -> list[MeshInstance]:
    """Return the meshes of a robot where they are in the world.

    Args:
        model: Robot.
        poses: Pose of each link, shape (n, 4, 4).
        shapes: Shapes that are taken; see `robot_image`.
    """
    other = "collision" if shapes == "visual" else "visual"
    has_looks = any(item.role == "visual" for row in model.geometry for item in row)
    is_filled = shapes == "visual" and has_looks
    for role in (shapes, other):
        pairs = [
            (i, item)
            for i, items in enumerate(model.geometry)
            for item in items
            if item.role == role or (is_filled and _stands_in(item, items))
        ]
        load_shapes([item for _, item in pairs])
        found = [_instance(item, poses[i]) for i, item in pairs]
        drawn = [item for item in found if item is not None]
        if drawn:
            return drawn
    return _skeleton(model, poses)


def _stands_in(geometry: Geometry, others: tuple[Geometry, ...]) -> bool:
    """Return whether a shape to collide with is one that is seen as well."""
    is_seen = geometry.rgba is not None and geometry.rgba[3] > _FAINT
    return is_seen and all(other.role == "collision" for other in others)


def _instance(geometry: Geometry, T_world_link: FloatArray) -> MeshInstance | None:
    mesh = mesh_of(geometry)
    if mesh is None or not len(mesh.faces):
        return None
    T = T_world_link @ np.asarray(geometry.T_link_geometry, dtype=np.float64)
    if geometry.role == "collision" and geometry.rgba is None:
        return MeshInstance(mesh=mesh, T_world_mesh=T, color=_COLLISION)
    color = looks_of(geometry, mesh)
    if color is not None and color[3] <= 0.0:
        return None
    return MeshInstance(mesh=mesh, T_world_mesh=T, color=color)


def _skeleton(model: RobotModel, poses: FloatArray) -> list[MeshInstance]:
    """Return rods from link to link and short cylinders along the joint axes."""
    places = poses[:, :3, 3]
    size = float(np.linalg.norm(np.ptp(places, axis=0))) or 0.2
    out: list[MeshInstance] = []
    knob = cylinder_mesh(0.03 * size, 0.09 * size)
    for i, parent in enumerate(model.parent.tolist()):
        if parent >= 0:
            span = places[i] - places[parent]
            length = float(np.linalg.norm(span))
            if length > 1e-9 * size:
                T = _turned_to(span / length)
                T[:3, 3] = 0.5 * (places[i] + places[parent])
                rod = capsule_mesh(0.012 * size, length)
                out.append(MeshInstance(mesh=rod, T_world_mesh=T, color=_BONE))
        if int(model.joint_type[i]) in _MOVING:
            T = _turned_to(poses[i, :3, :3] @ model.axis[i])
            T[:3, 3] = places[i]
            out.append(MeshInstance(mesh=knob, T_world_mesh=T, color=_JOINT))
    if not out:
        T = np.eye(4)
        T[:3, 3] = places[0]
        out.append(MeshInstance(mesh=knob, T_world_mesh=T, color=_JOINT))
    return out


def _turned_to(z: FloatArray) -> FloatArray:
    """Return a pose in the origin whose z axis points along a unit vector."""
    x = np.cross(np.eye(3)[int(np.argmin(np.abs(z)))], z)
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    return T


def _extent(item: MeshInstance) -> FloatArray:
    """Return points of a mesh in the world whose hull is about that of the mesh."""
    points, T = _outermost(item.mesh), np.asarray(item.T_world_mesh)
    return points @ T[:3, :3].T + T[:3, 3]


def _outermost(mesh: Mesh) -> FloatArray:
    """Return the corners farthest out along 26 directions."""
    steps = np.stack(np.meshgrid(*[[-1, 0, 1]] * 3), axis=-1).reshape(-1, 3)
    directions = steps[np.abs(steps).sum(axis=1) > 0]
    return mesh.vertices[np.unique((mesh.vertices @ directions.T).argmax(axis=0))]


def _framing(points: FloatArray, view: str, aspect: float) -> FloatArray:
    """Return the pose of a camera that has all points in the picture, and large."""
    azimuth, elevation = (math.radians(angle) for angle in _VIEWS[view])
    ca, sa, ce, se = (
        math.cos(azimuth),
        math.sin(azimuth),
        math.cos(elevation),
        math.sin(elevation),
    )
    forward, right = np.array([-ca * ce, -sa * ce, -se]), np.array([-sa, ca, 0.0])
    axes = np.stack([right, np.cross(forward, right), forward], axis=1)
    seen = points @ axes
    tangent = _FILLED * math.tan(0.5 * _ANGLE)
    slopes = np.array([tangent * aspect, tangent])
    eye = np.empty(3)
    depth = -math.inf
    # Lines of sight through the outermost points on both sides meet in the eye.
    for k in range(2):
        low = (seen[:, k] + slopes[k] * seen[:, 2]).min()
        high = (seen[:, k] - slopes[k] * seen[:, 2]).max()
        eye[k] = 0.5 * (low + high)
        depth = max(depth, (high - low) / (2.0 * slopes[k]))
    eye[2] = -depth
    size = float(np.ptp(seen, axis=0).max())
    eye[2] = min(eye[2], seen[:, 2].min() - 0.2 * max(size, 1e-6))
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = axes, axes @ eye
    return T
