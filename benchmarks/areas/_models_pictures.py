"""Robots drawn with their true shapes: meshes that are read, outlines of pictures."""

from __future__ import annotations

import importlib
import math
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import gelenk
from benchmarks.areas._models_files import load_quietly, named_spec, silence
from benchmarks.areas._robot_files import MISSING, mjcf_files, urdf_files
from benchmarks.harness import Row, Settings
from benchmarks.peers import find_peer
from gelenk.geometry import MeshInstance, render_meshes
from gelenk.kinematics.forward import link_poses
from gelenk.models.picture import robot_instances
from gelenk.models.shapes import mesh_of
from gelenk.vision import Intrinsics

ROBOTS = 80
WIDTH, HEIGHT = 400, 300  # [px]
_ANGLE = 0.6  # of view, horizontal [rad]
_FACING = np.array([-0.55, 0.72, -0.42])  # direction in which the camera looks


def meshes_read(settings: Settings) -> Row:
    """Share of the meshes that robot files name which are found and read."""
    good, failed = 0, []
    robots = 0
    for path in [*urdf_files(1), *mjcf_files()][:: settings.pick(1, 10)]:
        model, _ = load_quietly(path)
        if model is None:
            continue
        robots += 1
        for shape in (shape for row in model.geometry for shape in row):
            if shape.kind != "mesh":
                continue
            with silence():
                mesh = mesh_of(shape)
            good += mesh is not None
            if mesh is None:
                failed.append((path, shape.mesh, shape.path is None))
    lost = [item for item in failed if not item[2]]
    files = sorted({f"{path.name}: {name}" for path, name, _ in lost})
    absent = sorted({path.name for path, _, is_absent in failed if is_absent})
    count = good + len(lost)
    note = (
        f"{good} meshes of {robots} files read, {len(lost)} not: "
        f"{'; '.join(files[:4]) or 'none'}; {len(failed) - len(lost)} name no file "
        f"that is there and may be read ({', '.join(absent[:6])})"
    )
    return Row(
        name="meshes of robot files that are read, of those that are there",
        value=100.0 * good / count if count else None,
        unit="%",
        target=100.0,
        direction=">=",
        note=note if count else MISSING,
    )


@dataclass(frozen=True, slots=True)
class Outline:
    """How far two pictures of one robot agree."""

    path: Path
    share: float  # of the pixels that either shows, those that both show


def outlines(settings: Settings) -> list[Row]:
    """Outlines of pictures against those that MuJoCo draws, same camera and pose."""
    names = (
        "outline of the robot in pictures against MuJoCo's, overlap, median",
        "the same, worst",
    )
    wanted = settings.pick(ROBOTS, 6)
    found: list[Outline] = []
    problem = MISSING
    for outline in compare_outlines(wanted):
        if isinstance(outline, str):
            problem = outline
            break
        found.append(outline)
        settings.tell(f"{outline.path.name}: {outline.share:.3f}")
    if not found:
        return [Row(name=n, value=None, unit="", note=problem) for n in names]
    found.sort(key=lambda outline: outline.share)
    urdf = sum(outline.path.suffix == ".urdf" for outline in found)
    low = [outline for outline in found if outline.share < 0.95]
    told = ", ".join(f"{o.path.stem} {o.share:.3f}" for o in found[:5])
    note = f"{len(found)} robots, {urdf} of them URDF; {len(low)} below 0.95; {told}"
    values = float(np.median([o.share for o in found])), found[0].share
    return [
        Row(name=n, value=v, unit="", target=0.95, direction=">=", note=note)
        for n, v in zip(names, values, strict=True)
    ]


def compare_outlines(most: int) -> Iterator[Outline | str]:
    """Yield how far pictures agree, or one text that says why none can be compared.

    Args:
        most: Largest number of robots, half of them URDF if there are so many.
    """
    mujoco: Any = importlib.import_module("mujoco")
    try:
        if "MUJOCO_GL" not in os.environ:  # without a display, whatever came before
            egl: Any = importlib.import_module("mujoco.egl")
            drawer: Any = sys.modules[mujoco.Renderer.__module__]
            drawer.gl_context.GLContext = egl.GLContext
        mujoco.Renderer(mujoco.MjModel.from_xml_string("<mujoco/>"), 8, 8).close()
    except Exception as error:  # whatever the graphics libraries raise
        yield f"not compared: MuJoCo cannot draw here ({type(error).__name__})"
        return
    count = 0
    for path, model in _robots(urdf_files(1), most):
        outline = _compare_urdf(mujoco, path, model)
        if outline is not None:
            count += 1
            yield outline
        if count >= most // 2:
            break
    for path, model in _robots(mjcf_files(), most):
        outline = _compare_mjcf(mujoco, path, model)
        if outline is not None:
            count += 1
            yield outline
        if count >= most:
            return


def _robots(
    files: Iterable[Path], most: int
) -> Iterator[tuple[Path, gelenk.RobotModel]]:
    """Yield robots with meshes that are drawn, scenes left out."""
    for path in files:
        if "scene" in path.name:
            continue
        model, _ = load_quietly(path)
        if model is None or not model.nq or model.loops:
            continue
        shapes = [shape for row in model.geometry for shape in row]
        if any(s.kind == "mesh" and (s.path or s.data) for s in shapes):
            yield path, model


def _compare_urdf(mujoco: Any, path: Path, model: gelenk.RobotModel) -> Outline | None:
    """Compare with what Pinocchio places and trimesh reads, drawn by MuJoCo."""
    pin = find_peer("pinocchio")
    if pin is None or find_peer("trimesh") is None:
        return None
    try:
        with silence():
            theirs = pin.buildModelFromUrdf(str(path))
            shapes = pin.buildGeomFromUrdf(
                theirs, str(path), pin.GeometryType.VISUAL, _package_folders(path)
            )
    except Exception:  # whatever Pinocchio raises for files it does not find
        return None
    if theirs.nq != theirs.nv or theirs.nq != model.nq or (model.mimic >= 0).any():
        return None
    if not shapes.geometryObjects:
        return None
    q = np.zeros(theirs.nq)
    for k, name in enumerate(model.joint_names):
        q[theirs.joints[theirs.getJointId(name)].idx_q] = model.home_configuration[k]
    data, places = theirs.createData(), shapes.createData()
    pin.forwardKinematics(theirs, data, q)
    pin.updateGeometryPlacements(theirs, data, shapes, places)
    spec = mujoco.MjSpec()
    for k, item in enumerate(shapes.geometryObjects):
        if not _add_geom(mujoco, spec, item, places.oMg[k].homogeneous, f"mesh_{k}"):
            return None
    instances = _ours(model)
    camera, T = _camera(instances)
    mask = _drawn(mujoco, spec, camera, T, lambda compiled, data: None)
    return None if mask is None else Outline(path, _overlap(instances, camera, T, mask))


def _package_folders(path: Path) -> list[str]:
    return [str(folder) for folder in list(path.parents)[:6]]


def _add_geom(mujoco: Any, spec: Any, item: Any, T: np.ndarray, name: str) -> bool:
    """Add a shape of Pinocchio to a MuJoCo description; False if it cannot be."""
    kinds = mujoco.mjtGeom
    shape, trimesh = item.geometry, importlib.import_module("trimesh")
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(T[:3, :3]).ravel())
    place = {"pos": T[:3, 3], "quat": quat, "contype": 0, "conaffinity": 0}
    match type(shape).__name__:
        case "Box":
            size = np.array(shape.halfSide)
            spec.worldbody.add_geom(type=kinds.mjGEOM_BOX, size=size, **place)
        case "Sphere":
            size = [shape.radius, 0.0, 0.0]
            spec.worldbody.add_geom(type=kinds.mjGEOM_SPHERE, size=size, **place)
        case "Cylinder":
            size = [shape.radius, shape.halfLength, 0.0]
            spec.worldbody.add_geom(type=kinds.mjGEOM_CYLINDER, size=size, **place)
        case "Capsule":
            size = [shape.radius, shape.halfLength, 0.0]
            spec.worldbody.add_geom(type=kinds.mjGEOM_CAPSULE, size=size, **place)
        case kind if kind.startswith("BVHModel"):
            # Not the triangles of `shape`: Coal mixes up those of files with several
            # geometries, which their area shows.
            with silence():
                mesh = trimesh.load(item.meshPath, force="mesh", process=False)
            points = np.array(mesh.vertices) * np.array(item.meshScale)
            faces = np.array(mesh.faces)
            spec.add_mesh(
                name=name,
                uservert=points.ravel(),
                userface=faces.astype(np.int32).ravel(),
                inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_SHELL,
            )
            spec.worldbody.add_geom(type=kinds.mjGEOM_MESH, meshname=name, **place)
        case _:
            return False
    return True


def _compare_mjcf(mujoco: Any, path: Path, model: gelenk.RobotModel) -> Outline | None:
    """Compare with the picture that MuJoCo draws of the file."""
    try:
        with silence():
            spec = named_spec(path)
    except ValueError:
        return None
    if (model.mimic >= 0).any():
        return None
    links = set(model.link_names)
    if list(spec.skins):
        return None  # drawn in place of geoms
    hides_first = "robosuite" in str(path)  # there group 0 holds what collides
    for geom in spec.geoms:
        is_shown = geom.group == 1 if hides_first else geom.group <= 2
        is_plane = geom.type == mujoco.mjtGeom.mjGEOM_PLANE
        if geom.parent.name not in links or not is_shown or is_plane:
            geom.group = 5
        else:
            geom.group = 0
    if not any(geom.group == 0 for geom in spec.geoms):
        return None
    instances = _ours(model)
    camera, T = _camera(instances)
    base = np.eye(4)

    def pose(compiled: Any, data: Any) -> np.ndarray | None:
        names = [compiled.joint(j).name for j in range(compiled.njnt)]
        if any(name not in names for name in model.joint_names):
            return None
        q = model.home_configuration
        if model.has_floating_base:
            data.qpos[:7] = q[:7]
        for i, name in enumerate(model.joint_names):
            width = 4 if i in model.ball_joints else 1
            start = int(compiled.jnt_qposadr[names.index(name)])
            own = int(model.q_starts[i])
            data.qpos[start : start + width] = q[own : own + width]
        mujoco.mj_kinematics(compiled, data)
        body = compiled.body(model.link_names[0]).id
        base[:3, :3] = data.xmat[body].reshape(3, 3)
        base[:3, 3] = data.xpos[body]
        return base @ np.linalg.inv(link_poses(model, q)[0])

    mask = _drawn(mujoco, spec, camera, T, pose)
    return None if mask is None else Outline(path, _overlap(instances, camera, T, mask))


def _ours(model: gelenk.RobotModel) -> list[MeshInstance]:
    """Return the shapes of a picture at home, all of them opaque."""
    with silence():
        poses = link_poses(model, model.home_configuration)
        instances = robot_instances(model, poses)
    return [replace(item, color=(0.5, 0.5, 0.5)) for item in instances]


def _camera(instances: Sequence[MeshInstance]) -> tuple[Intrinsics, np.ndarray]:
    """Return a camera that has all shapes in its picture, and its pose."""
    points = np.concatenate(
        [
            item.mesh.vertices @ np.asarray(item.T_world_mesh)[:3, :3].T
            + np.asarray(item.T_world_mesh)[:3, 3]
            for item in instances
        ]
    )
    low, high = points.min(axis=0), points.max(axis=0)
    radius = 0.5 * float(np.linalg.norm(high - low))
    z = _FACING / np.linalg.norm(_FACING)
    x = np.cross(z, [0.0, 0.0, 1.0])
    x /= np.linalg.norm(x)
    T = np.eye(4)
    T[:3, :3] = np.stack([x, np.cross(z, x), z], axis=1)
    far = radius / math.sin(0.5 * _ANGLE * HEIGHT / WIDTH)
    T[:3, 3] = 0.5 * (low + high) - 0.85 * far * z
    camera = Intrinsics.from_field_of_view(
        width=WIDTH, height=HEIGHT, horizontal=_ANGLE
    )
    return camera, T


def _drawn(
    mujoco: Any, spec: Any, camera: Intrinsics, T: np.ndarray, pose: Any
) -> np.ndarray | None:
    """Return where MuJoCo draws something, shape (HEIGHT, WIDTH).

    Args:
        mujoco: The library.
        spec: Description; geoms in group 0 are drawn.
        camera: Camera.
        T: Its pose in our world: x right, y down, z forward.
        pose: Sets joints; returns the pose of our world in MuJoCo's, None if it cannot.
    """
    eye = spec.worldbody.add_camera(name="eye of the comparison")
    eye.fovy = math.degrees(2.0 * math.atan(0.5 * HEIGHT / camera.fy))
    for part in [*spec.keys]:
        spec.delete(part)
    try:
        with silence(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = spec.compile()
    except ValueError:
        return None
    data = mujoco.MjData(compiled)
    T_world = pose(compiled, data)
    if T_world is None and compiled.njnt:
        return None
    seen = T if T_world is None else T_world @ T
    axes = np.ascontiguousarray(seen[:3, :3] @ np.diag([1.0, -1.0, -1.0]))
    place = compiled.camera("eye of the comparison").id
    compiled.cam_pos[place] = seen[:3, 3]
    mujoco.mju_mat2Quat(compiled.cam_quat[place], axes.ravel())
    compiled.vis.global_.offwidth, compiled.vis.global_.offheight = WIDTH, HEIGHT
    distance = float(np.linalg.norm(T[:3, 3]))
    compiled.vis.map.znear, compiled.vis.map.zfar = 0.001, 1000.0
    compiled.stat.extent = max(distance, 0.1)
    mujoco.mj_forward(compiled, data)
    option = mujoco.MjvOption()
    option.geomgroup[:] = [1, 0, 0, 0, 0, 0]
    option.sitegroup[:] = 0
    option.tendongroup[:] = 0
    with mujoco.Renderer(compiled, HEIGHT, WIDTH, max_geom=20_000) as renderer:
        renderer.enable_segmentation_rendering()
        renderer.update_scene(data, place, option)
        # Both sides of a face are seen, as in our pictures.
        renderer.scene.flags[int(mujoco.mjtRndFlag.mjRND_CULL_FACE)] = 0
        picture = renderer.render()
    return picture[..., 1] == int(mujoco.mjtObj.mjOBJ_GEOM)


def _overlap(
    instances: Sequence[MeshInstance],
    camera: Intrinsics,
    T: np.ndarray,
    mask: np.ndarray,
) -> float:
    """Return the intersection of both outlines, of their union."""
    own = render_meshes(instances, camera, T, samples=1).segments >= 0
    either = int((own | mask).sum())
    return float((own & mask).sum()) / either if either else 0.0
