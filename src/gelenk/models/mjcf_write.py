"""Robot models as MJCF (MuJoCo) files.

Kept to the last digit: names, order, joint types, translations, axes, limits, damping,
friction, armature, springs, gravity compensation, home values, named poses (as key
frames), masses, centres, inertia tensors, mimic laws, loops, shapes with their meshes
and colours, excluded pairs, gravity, the floating base, and by the presence of motors
which joints are passive. Rotations are written as two axes, exact to rounding. What
MJCF has no element for (tool mark, names of fixed joints, largest speeds, branches of
loops) is noted in <custom>, where MuJoCo ignores it and `mjcf` finds it.

A model that came from an MJCF file and was not changed is saved as that file says, with
all that a model cannot hold (actuators, sensors, materials, tendons): `save_mjcf`.

MuJoCo compiles the text to the same mechanism, with two exceptions: it refuses mesh
files it cannot find (see `meshes`) and principal moments that no rigid body has, which
`inertias` may mend. Moving
links without mass, which it refuses too, get the bound MASSLESS, far below all rounding
in the dynamics; joints with equal limits are held by an equality.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np

from gelenk.errors import ConfigError
from gelenk.models.findings import warn
from gelenk.models.inertias import is_physical, physical_inertia
from gelenk.models.link import Geometry, JointType
from gelenk.models.mesh_files import MeshFiles
from gelenk.models.mjcf_loop import CUSTOM_PREFIX
from gelenk.models.mjcf_source import source_text
from gelenk.models.tree import LoopClosure, RobotModel
from gelenk.models.xml import XmlText, number, numbers, save_text
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
Inertias = Literal["keep", "mend"]

_MESH_ENDINGS = (".stl", ".obj", ".msh", "")

MASSLESS = 1e-14  # [kg], [kg m^2]: above MuJoCo's smallest mass, 1e-15
_LEAST = 1e-15

_AT_ORIGIN = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)
_MOVING = (JointType.REVOLUTE, JointType.PRISMATIC)


def mjcf_from_model(
    model: RobotModel, *, meshes: Meshes = "keep", inertias: Inertias = "keep"
) -> str:
    """Return the MJCF text of a robot.

    Args:
        model: Robot.
        meshes: "keep" writes mesh shapes, whose files MuJoCo will want to find; "drop"
            leaves them out.
        inertias: "keep" writes principal moments that no body has as they are, which
            MuJoCo refuses; "mend" writes the nearest that a body can have.

    Raises:
        ConfigError: If a name cannot be written: a character that XML cannot hold, or
            "world" for a link other than a fixed root.

    Example:
        >>> import gelenk
        >>> text = mjcf_from_model(gelenk.load("scara"))
        >>> text.splitlines()[1]
        '<mujoco model="scara">'
    """
    return _written(model, meshes, inertias, MeshFiles())


def save_mjcf(
    model: RobotModel,
    path: str | Path,
    *,
    meshes: Meshes = "keep",
    copy_meshes: bool = False,
) -> None:
    """Write a robot to an MJCF file; an old file stays whole until the new one is.

    A robot that came from an MJCF file and was not changed is written as that file
    says, included files put in: with its actuators, sensors and materials. Principal
    moments that no body has are mended, with a warning.

    Args:
        model: Robot.
        path: File to be written.
        meshes: Whether mesh shapes are kept; see `mjcf_from_model`.
        copy_meshes: Copy mesh files to a folder `meshes` beside the file; without, they
            are named relative to it.

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
    path = Path(path)
    if model.source is not None and model.source.kind == "mjcf" and meshes == "keep":
        text = source_text(model, path.absolute().parent, copy=copy_meshes)
        if text is not None:
            save_text(path, text)
            return
    files = MeshFiles(path.absolute().parent, copy=copy_meshes)
    save_text(path, _written(model, meshes, "mend", files))
    _warn_of_losses(model, meshes)


def _written(
    model: RobotModel, meshes: Meshes, inertias: Inertias, files: MeshFiles
) -> str:
    for name, value, known in (
        ("meshes", meshes, ("keep", "drop")),
        ("inertias", inertias, ("keep", "mend")),
    ):
        if value not in known:
            words = " or ".join(repr(word) for word in known)
            raise ConfigError(f"`{name}` must be {words}, got {value!r}")
    _check_world(model)
    if inertias == "mend":
        model = _with_physical_inertias(model)
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
    assets = _write_assets(out, model, shapes, files)
    out.open("worldbody")
    _write_bodies(out, model, shapes, assets)
    out.close()
    _write_pairs_without_contact(out, model)
    write_closures(out, model)
    _write_motors(out, model)
    _write_keys(out, model)
    _write_notes(out, model)
    out.close()
    return out.text()


def _with_physical_inertias(model: RobotModel) -> RobotModel:
    """Return the model with tensors that bodies can have, and say which were not so."""
    bad = np.flatnonzero(~is_physical(model.inertia))
    if not bad.size:
        return model
    inertia = model.inertia.copy()
    inertia[bad] = physical_inertia(inertia[bad])
    first: list[int] = bad[:6].tolist()
    names = ", ".join(model.link_names[i] for i in first)
    more = f" and {bad.size - 6} more" if bad.size > 6 else ""
    warn(
        f"robot {model.name!r}: no body has the principal moments of {names}{more}; "
        "MuJoCo refuses them, so the nearest ones are written; correct the inertia"
    )
    return replace(model, inertia=inertia)


def _warn_of_losses(model: RobotModel, meshes: Meshes) -> None:
    """Name in one warning what MuJoCo cannot read."""
    if meshes == "drop":
        return
    lost: list[str] = []
    shapes = [shape for row in model.geometry for shape in row]
    files = {Path(shape.path or shape.mesh) for shape in shapes if shape.kind == "mesh"}
    strange = sorted({f.suffix for f in files if f.suffix.lower() not in _MESH_ENDINGS})
    if strange := [suffix for suffix in strange if suffix]:
        lost.append(f"meshes ending in {', '.join(strange)}")
    if any(shape.texture is not None for shape in shapes):
        lost.append("the images that cover shapes")
    if lost:
        warn(
            f"robot {model.name!r}: MuJoCo cannot read {' and '.join(lost)}; convert "
            "them to STL or OBJ, or pass meshes='drop'"
        )


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


Asset = tuple[str, tuple[float, ...]]


def _write_assets(
    out: XmlText,
    model: RobotModel,
    shapes: list[tuple[Geometry, ...]],
    files: MeshFiles,
) -> dict[int, str]:
    """Write the meshes and return the name of each by the identity of its shape."""
    names: dict[Asset, str] = {}
    by_shape: dict[int, str] = {}
    inline: dict[str, Geometry] = {}
    for i, row in enumerate(shapes):
        for k, shape in enumerate(row):
            if shape.kind != "mesh":
                continue
            file = files.mesh(shape, f"{model.link_names[i]}_{k}")
            key = (file or f"<{id(shape.data)}>", tuple(shape.size))
            name = names.setdefault(key, f"mesh_{len(names)}")
            by_shape[id(shape)] = name
            if not file:
                inline[name] = shape
    if names:
        out.open("asset")
        for (file, scale), name in names.items():
            shape = inline.get(name)
            mesh = shape.data if shape is not None else None
            out.leaf(
                "mesh",
                name=name,
                file=file if mesh is None else None,
                vertex=None if mesh is None else numbers(mesh.vertices),
                face=None if mesh is None else numbers(mesh.faces),
                scale=numbers(scale),
            )
        out.close()
    return by_shape


def _write_bodies(
    out: XmlText,
    model: RobotModel,
    shapes: list[tuple[Geometry, ...]],
    assets: dict[int, str],
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
            share = model.gravity_compensation[i]
            out.open(
                "body",
                name=model.link_names[i],
                **_pose(model.T_parent_joint[i]),
                gravcomp=number(share) if share else None,
            )
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
            stiffness=number(model.stiffness[i]) if model.stiffness[i] else None,
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
        stiffness=number(model.stiffness[i]) if model.stiffness[i] else None,
        springref=number(model.rest[i]) if model.rest[i] else None,
    )


def _write_geom(
    out: XmlText,
    shape: Geometry,
    assets: dict[int, str],
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
        mesh=assets[id(shape)] if is_mesh else None,
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


def _write_pairs_without_contact(out: XmlText, model: RobotModel) -> None:
    if not model.excluded_pairs:
        return
    out.open("contact")
    for first, second in model.excluded_pairs:
        out.leaf("exclude", body1=first, body2=second)
    out.close()


def _write_keys(out: XmlText, model: RobotModel) -> None:
    """Write the home configuration and the named poses as key frames."""
    keys: dict[str, FloatArray] = {}
    moving = np.isin(model.joint_type, _MOVING)
    floats = model.has_floating_base
    is_placed = floats and not np.array_equal(model.base_home, _AT_ORIGIN)
    if model.home[moving].any() or is_placed:
        keys["home"] = _key(model, model.home, model.home_configuration)
    for name, q in model.poses.items():
        values = np.array(model.home)
        is_ball = model.joint_type[model.joint_ids] == JointType.BALL
        values[model.joint_ids[~is_ball]] = q[model.q_starts[~is_ball]]
        followers = np.flatnonzero(model.mimic >= 0)
        own = model.mimic[followers]
        values[followers] = model.multiplier[followers] * values[own]
        values[followers] += model.offset[followers]
        keys.setdefault(name, _key(model, values, q))
    if not keys:
        return
    out.open("keyframe")
    for name, qpos in keys.items():
        out.leaf("key", name=name, qpos=numbers(qpos))
    out.close()


def _key(model: RobotModel, values: FloatArray, q: FloatArray) -> FloatArray:
    """Return the coordinates of MuJoCo, in the order in which bodies are written.

    Args:
        model: Robot.
        values: Value of each joint, shape (n,).
        q: Configuration, for the base and for ball joints, shape (nq,).
    """
    balls = {
        int(model.joint_ids[k]): q[model.q_starts[k] : model.q_starts[k] + 4]
        for k in model.ball_joints
    }
    parts = [q[:7]] if model.has_floating_base else []
    for i, _ in _depth_first(model):
        if i in balls:
            parts.append(balls[i])
        elif model.joint_type[i] in _MOVING:
            parts.append(values[[i]])
    return np.concatenate(parts)


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
