"""Robot models as MJCF (MuJoCo) files.

Kept to the last digit: names, order, joint types, translations, axes, limits, damping,
friction, armature, home values, masses, centres, inertia tensors, mimic laws, loops,
shapes, gravity, the floating base, and by the presence of motors which joints are
passive. Rotations are written as two axes, exact to rounding. What MJCF has no element
for (tool mark, names of fixed joints, largest speeds, branches of loops) is noted in
<custom>, where MuJoCo ignores it and `mjcf` finds it.

MuJoCo compiles the text to the same mechanism, with two exceptions: it refuses mesh
files it cannot find (see `meshes`) and principal moments that no rigid body has. Moving
links without mass, which it refuses too, get the bound MASSLESS, far below all rounding
in the dynamics; joints with equal limits are held by an equality.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.link import Geometry, JointType
from gelenk.models.mjcf_loop import CUSTOM_PREFIX
from gelenk.models.tree import LoopClosure, RobotModel
from gelenk.models.xml import XmlText, number, numbers, save_text
from gelenk.spatial.se3 import vector_from_pose
from gelenk.typing import ArrayLike, FloatArray, IntArray

AXIS_STEP = 0.1  # [m] along z from the first to the second point of a hinge


def closure_sites(model: RobotModel) -> dict[int, list[tuple[str, FloatArray]]]:
    """Return names and poses of the sites that closures need, by link."""
    sites: dict[int, list[tuple[str, FloatArray]]] = {}
    for loop in model.loops:
        for k, (link, T) in enumerate(zip(loop.links, loop.T_link_frame, strict=True)):
            here = sites.setdefault(link, [])
            here.append((f"{loop.name}:{k}", T))
            if loop.kind == "hinge":
                T_step = np.eye(4)
                T_step[2, 3] = AXIS_STEP
                here.append((f"{loop.name}:axis:{k}", T @ T_step))
    return sites


def locked_joints(model: RobotModel) -> IntArray:
    """Return the joints with equal limits, which MuJoCo holds by an equality."""
    moves = np.isin(model.joint_type, (JointType.REVOLUTE, JointType.PRISMATIC))
    return np.flatnonzero(moves & (model.lower == model.upper))


def write_closures(out: XmlText, model: RobotModel) -> None:
    """Write the <tendon> and <equality> sections, if the model needs them."""
    rods = [loop for loop in model.loops if loop.kind == "distance"]
    if rods:
        out.open("tendon")
        for rod in rods:
            out.open("spatial", name=rod.name)
            for k in range(2):
                out.leaf("site", site=f"{rod.name}:{k}")
            out.close()
        out.close()
    followers = np.flatnonzero(model.mimic >= 0)
    locked = locked_joints(model)
    if not model.loops and not followers.size and not locked.size:
        return
    out.open("equality")
    for i in map(int, locked):
        law = (float(model.lower[i]), 0.0, 0.0, 0.0, 0.0)
        out.leaf("joint", joint1=model.joint_names_all[i], polycoef=numbers(law))
    for i in map(int, followers):
        law = (model.offset[i], model.multiplier[i], 0.0, 0.0, 0.0)
        out.leaf(
            "joint",
            joint1=model.joint_names_all[i],
            joint2=model.joint_names_all[int(model.mimic[i])],
            polycoef=numbers(law),
        )
    Ts_drawn = _poses_as_drawn(model) if rods else np.empty(0)
    for loop in model.loops:
        if loop.kind == "distance":
            _write_rod(out, loop, Ts_drawn)
        else:
            _write_pairs(out, loop)
    out.close()


def _write_pairs(out: XmlText, loop: LoopClosure) -> None:
    """Hold every further frame of a loop at its first."""
    tag = "weld" if loop.kind == "pose" else "connect"
    for k in range(1, len(loop.links)):
        name = loop.name if k == 1 else f"{loop.name}:{k}"
        out.leaf(tag, name=name, site1=f"{loop.name}:0", site2=f"{loop.name}:{k}")
        if loop.kind == "hinge":
            out.leaf(
                tag,
                name=f"{name}:axis",
                site1=f"{loop.name}:axis:0",
                site2=f"{loop.name}:axis:{k}",
            )


def _write_rod(out: XmlText, loop: LoopClosure, Ts_drawn: FloatArray) -> None:
    """Hold the ends of a rod at its length; MJCF counts it from the drawn distance."""
    a, b = (
        (Ts_drawn[link] @ T)[:3, 3]
        for link, T in zip(loop.links, loop.T_link_frame, strict=True)
    )
    extra = loop.length - float(np.linalg.norm(a - b))
    law = (extra, 0.0, 0.0, 0.0, 0.0)
    out.leaf("tendon", name=loop.name, tendon1=loop.name, polycoef=numbers(law))


def _poses_as_drawn(model: RobotModel) -> FloatArray:
    """Return the pose of each link at joint values 0, where the file draws them."""
    Ts = np.array(model.T_parent_joint)
    for i in range(1, len(Ts)):
        Ts[i] = Ts[model.parent[i]] @ Ts[i]
    return Ts


Meshes = Literal["keep", "drop"]

MASSLESS = 1e-14  # [kg], [kg m^2]: above MuJoCo's smallest mass, 1e-15
_LEAST = 1e-15

_MOVING = (JointType.REVOLUTE, JointType.PRISMATIC)


def mjcf_from_model(model: RobotModel, *, meshes: Meshes = "keep") -> str:
    """Return the MJCF text of a robot.

    Args:
        model: Robot.
        meshes: "keep" writes mesh shapes, whose files MuJoCo will want to find; "drop"
            leaves them out.

    Raises:
        ConfigError: If a name cannot be written: a character that XML cannot hold, or
            "world" for a link other than a fixed root.

    Example:
        >>> import gelenk
        >>> text = mjcf_from_model(gelenk.load("scara"))
        >>> text.splitlines()[1]
        '<mujoco model="scara">'
    """
    if meshes not in ("keep", "drop"):
        raise ConfigError(f"`meshes` must be 'keep' or 'drop', got {meshes!r}")
    _check_world(model)
    shapes = _kept_shapes(model, meshes)
    out = XmlText()
    out.open("mujoco", model=model.name)
    bound = number(MASSLESS) if _needs_bound(model) else None
    out.leaf(
        "compiler",
        angle="radian",
        autolimits="true",
        inertiafromgeom="false",
        boundmass=bound,
        boundinertia=bound,
    )
    out.leaf("option", gravity=numbers(model.gravity))
    assets = _write_assets(out, shapes)
    out.open("worldbody")
    _write_bodies(out, model, shapes, assets)
    out.close()
    write_closures(out, model)
    _write_motors(out, model)
    _write_home(out, model)
    _write_notes(out, model)
    out.close()
    return out.text()


def save_mjcf(model: RobotModel, path: str | Path, *, meshes: Meshes = "keep") -> None:
    """Write a robot to an MJCF file; an old file stays whole until the new one is.

    Args:
        model: Robot.
        path: File to be written.
        meshes: Whether mesh shapes are kept; see `mjcf_from_model`.

    Raises:
        ConfigError: See `mjcf_from_model`; also if the file cannot be written.

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import gelenk
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder) / "scara.xml"
        ...     save_mjcf(gelenk.load("scara"), path)
        ...     gelenk.load(path).joint_names
        ('joint_1', 'joint_2', 'joint_3', 'joint_4')
    """
    save_text(path, mjcf_from_model(model, meshes=meshes))


def _is_world(model: RobotModel) -> bool:
    return model.link_names[0] == "world" and not model.has_floating_base


def _check_world(model: RobotModel) -> None:
    if "world" in model.link_names and not _is_world(model):
        raise ConfigError(
            f"robot {model.name!r} has a link 'world' that is not its fixed root; MJCF "
            "reserves this name: rename the link"
        )


def _kept_shapes(model: RobotModel, meshes: Meshes) -> list[tuple[Geometry, ...]]:
    rows = model.geometry or ((),) * len(model.link_names)
    if meshes == "keep":
        return list(rows)
    return [tuple(shape for shape in row if shape.kind != "mesh") for row in rows]


def _needs_bound(model: RobotModel) -> bool:
    """Return whether a moving link has no mass, not even by links fixed to it."""
    lowest = np.linalg.eigvalsh(model.inertia)[:, 0]
    has_mass = (model.mass >= _LEAST) & (lowest >= _LEAST)
    for i in range(len(has_mass) - 1, 0, -1):  # children come after their parents
        if model.joint_type[i] == JointType.FIXED:
            has_mass[model.parent[i]] |= has_mass[i]
    return bool(((model.joint_type != JointType.FIXED) & ~has_mass).any())


def _write_assets(
    out: XmlText, shapes: list[tuple[Geometry, ...]]
) -> dict[tuple[str, tuple[float, ...]], str]:
    """Write the meshes and return the name of each by file and scale."""
    names: dict[tuple[str, tuple[float, ...]], str] = {}
    for shape in (shape for row in shapes for shape in row if shape.kind == "mesh"):
        names.setdefault((shape.mesh, tuple(shape.size)), f"mesh_{len(names)}")
    if names:
        out.open("asset")
        for (file, scale), name in names.items():
            out.leaf("mesh", name=name, file=file, scale=numbers(scale))
        out.close()
    return names


def _write_bodies(
    out: XmlText,
    model: RobotModel,
    shapes: list[tuple[Geometry, ...]],
    assets: dict[tuple[str, tuple[float, ...]], str],
) -> None:
    sites = closure_sites(model)
    geom_names: set[str] = set()
    first = 1 if _is_world(model) else 0  # the world has no <body> of its own
    num_open = 0
    for i, depth in _depth_first(model):
        while num_open > max(depth - first, 0):
            out.close()
            num_open -= 1
        if depth >= first:
            out.open("body", name=model.link_names[i], **_pose(model.T_parent_joint[i]))
            num_open += 1
            _write_inertial(out, model, i)
            _write_joint(out, model, i)
        for shape in shapes[i]:
            _write_geom(out, shape, assets, geom_names)
        for name, T in sites.get(i, ()):
            out.leaf("site", name=name, **_pose(T))
    for _ in range(num_open):
        out.close()


def _depth_first(model: RobotModel) -> list[tuple[int, int]]:
    """Return link and depth in the order in which bodies are written."""
    children = [list[int]() for _ in model.link_names]
    for i, parent in enumerate(map(int, model.parent)):
        if parent >= 0:
            children[parent].append(i)
    order: list[tuple[int, int]] = []
    stack: list[tuple[int, int]] = [(0, 0)]
    while stack:
        i, depth = stack.pop()
        order.append((i, depth))
        stack.extend((child, depth + 1) for child in reversed(children[i]))
    return order


def _pose(T: ArrayLike) -> dict[str, str]:
    """Return the attributes of a placement, without those of the identity."""
    T = np.asarray(T, dtype=np.float64)
    words: dict[str, str] = {}
    if T[:3, 3].any():
        words["pos"] = numbers(T[:3, 3])
    if not np.array_equal(T[:3, :3], np.eye(3)):
        words["xyaxes"] = numbers(T[:3, :2].T)
    return words


def _write_inertial(out: XmlText, model: RobotModel, i: int) -> None:
    mass, com, tensor = model.mass[i], model.com[i], model.inertia[i]
    if not (mass or com.any() or tensor.any()):
        return
    words = {"mass": number(mass), "pos": numbers(com)}
    moments, axes = np.linalg.eigh(tensor)
    if np.array_equal(tensor, np.diag(np.diag(tensor))):
        words["diaginertia"] = numbers(np.diag(tensor))
    elif moments[0] > _LEAST:
        rows, columns = [0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]
        words["fullinertia"] = numbers(tensor[rows, columns])
    else:  # MuJoCo accepts full tensors only if they are positive definite
        words["xyaxes"] = numbers(axes[:, :2].T)
        words["diaginertia"] = numbers(np.maximum(moments, 0.0))
    out.leaf("inertial", **words)


def _write_joint(out: XmlText, model: RobotModel, i: int) -> None:
    kind = model.joint_type[i]
    if kind == JointType.FLOATING:
        out.leaf("freejoint", name=model.joint_names_all[i])
    if kind == JointType.BALL:
        out.leaf(
            "joint",
            name=model.joint_names_all[i],
            type="ball",
            damping=number(model.damping[i]) if model.damping[i] else None,
            frictionloss=number(model.friction[i]) if model.friction[i] else None,
            armature=number(model.armature[i]) if model.armature[i] else None,
        )
    if kind not in _MOVING:
        return
    lower, upper, effort = model.lower[i], model.upper[i], model.max_effort[i]
    is_limited = (np.isfinite(lower) or np.isfinite(upper)) and lower < upper
    is_weak = bool(0.0 < effort < np.inf)
    out.leaf(
        "joint",
        name=model.joint_names_all[i],
        type="hinge" if kind == JointType.REVOLUTE else "slide",
        axis=numbers(model.axis[i]),
        limited="true" if is_limited else None,
        range=numbers((lower, upper)) if is_limited else None,
        actuatorfrclimited="true" if is_weak else None,
        actuatorfrcrange=numbers((-effort, effort)) if is_weak else None,
        damping=number(model.damping[i]) if model.damping[i] else None,
        frictionloss=number(model.friction[i]) if model.friction[i] else None,
        armature=number(model.armature[i]) if model.armature[i] else None,
    )


def _write_geom(
    out: XmlText,
    shape: Geometry,
    assets: dict[tuple[str, tuple[float, ...]], str],
    names: set[str],
) -> None:
    size: FloatArray | None = 0.5 * np.asarray(shape.size, dtype=np.float64)
    if shape.kind in ("sphere", "ellipsoid"):
        size = np.asarray(shape.size, dtype=np.float64)
    elif shape.kind in ("cylinder", "capsule"):
        size = np.array([shape.size[0], 0.5 * shape.size[1]])
    is_mesh = shape.kind == "mesh"
    is_visual = shape.role == "visual"
    name = shape.name if shape.name not in names else ""
    names.add(shape.name)
    out.leaf(
        "geom",
        name=name or None,
        type=shape.kind,
        mesh=assets[shape.mesh, tuple(shape.size)] if is_mesh else None,
        size=None if is_mesh else numbers(size),
        **_pose(shape.T_link_geometry),
        contype="0" if is_visual else None,
        conaffinity="0" if is_visual else None,
        rgba=numbers(shape.rgba) if shape.rgba is not None else None,
    )


def _write_motors(out: XmlText, model: RobotModel) -> None:
    """Write a motor for each joint that is neither passive nor a follower."""
    moving = np.isin(model.joint_type, _MOVING)
    if not moving.any():
        return
    out.open("actuator")
    for i in np.flatnonzero(moving & ~model.is_passive & (model.mimic < 0)):
        name = model.joint_names_all[i]
        out.leaf("motor", name=name, joint=name)
    out.close()


def _write_home(out: XmlText, model: RobotModel) -> None:
    moving = np.isin(model.joint_type, _MOVING)
    if not model.home[moving].any():
        return
    base: FloatArray = np.zeros(0)
    if model.has_floating_base:
        vector = vector_from_pose(model.T_parent_joint[0])
        base = np.concatenate([vector[4:], vector[:4]])
    balls = model.joint_type == JointType.BALL
    order = np.array([i for i, _ in _depth_first(model)])
    values = [
        np.array([1.0, 0.0, 0.0, 0.0]) if balls[i] else model.home[[i]]
        for i in order[(moving | balls)[order]]
    ]
    qpos = np.concatenate([base, *values])
    out.open("keyframe")
    out.leaf("key", name="home", qpos=numbers(qpos))
    out.close()


def _write_notes(out: XmlText, model: RobotModel) -> None:
    """Write what MJCF has no element for into <custom>."""
    notes: dict[str, str] = {}
    is_turned = not np.array_equal(model.T_parent_joint[0, :3, :3], np.eye(3))
    if _is_world(model) or (is_turned and not model.has_floating_base):
        notes["root"] = model.link_names[0]
    if model.tool:
        notes["tool"] = model.tool
    for i, (link, joint) in enumerate(
        zip(model.link_names, model.joint_names_all, strict=True)
    ):
        if model.joint_type[i] == JointType.FIXED and joint != f"{link}_joint":
            notes[f"joint:{link}"] = joint
        if model.joint_type[i] in _MOVING and np.isfinite(model.max_velocity[i]):
            notes[f"max_velocity:{joint}"] = number(model.max_velocity[i])
        if model.joint_type[i] in _MOVING and model.max_effort[i] == 0.0:
            notes[f"max_effort:{joint}"] = "0"  # MuJoCo refuses an empty range
        if model.mimic[i] >= 0 and model.is_passive[i]:  # followers have no motor
            notes[f"passive:{joint}"] = "true"
    for loop in model.loops:
        if loop.branch:
            notes[f"branch:{loop.name}"] = str(loop.branch)
    if not notes:
        return
    out.open("custom")
    for key, value in notes.items():
        out.leaf("text", name=f"{CUSTOM_PREFIX}{key}", data=value)
    out.close()
