"""MJCF scenes as worlds: robots, objects, scenery, cameras and lamps of one file.

Each body directly below the world becomes one thing of the world, with the names of the
file: without joints it is fixed, with a free joint alone it is a movable object, with
other joints below it a robot. A robot whose bodies all begin with `left/` is named
`left`, any other like its first body.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.sim.bridge.cameras import R_OPENCV_OPENGL
from gelenk.sim.bridge.engine import (
    NUM_USER,
    EngineCfg,
    Placed,
    PlacedTree,
    activation_addresses,
    set_options,
    set_surroundings,
    stop_when_not_finite,
)
from gelenk.sim.bridge.file_parts import (
    FREE,
    FileState,
    dress_file_geoms,
    dress_pairs,
    held_commands,
    joint_starts,
    list_states,
    name_parts,
)
from gelenk.sim.cameras.description import Camera
from gelenk.spatial.quaternion import matrix_from_quaternion
from gelenk.typing import FloatArray, IntArray
from gelenk.vision.camera import Intrinsics

# pyright: reportAttributeAccessIssue=false


HOME = "home"  # keyframe in which a scene begins, if it has one
_RESOLUTION = (640, 480)  # of a camera whose file states none [px]

# What a file may set for all parts without a class, and what we add must not get.
_DEFAULTS = {
    "geom": (
        *("type", "size", "pos", "quat", "contype", "conaffinity", "condim"),
        *("priority", "friction", "solmix", "solref", "solimp", "margin", "gap"),
        *("mass", "density", "rgba", "group", "material", "meshname", "hfieldname"),
    ),
    "joint": (
        *("type", "pos", "axis", "stiffness", "springref", "limited", "range", "ref"),
        *("damping", "armature", "frictionloss", "margin", "group", "springdamper"),
        *("actfrclimited", "actfrcrange", "actgravcomp", "solref_limit"),
        *("solimp_limit", "solref_friction", "solimp_friction"),
    ),
    "mesh": ("scale", "refpos", "refquat", "inertia", "smoothnormal", "maxhullvert"),
    "equality": ("active", "solref", "solimp"),
    "material": (
        *("texuniform", "texrepeat", "emission", "specular", "shininess"),
        *("reflectance", "metallic", "roughness", "rgba"),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileScene:
    """A scene that was read from a file.

    Attributes:
        path: The file.
        spec: Its specification, every part named.
        compiled: The same, compiled.
        state: State in which it begins.
        mocap: Places of its bodies that are moved by hand: positions [m] and
            quaternions, (n, 7).
        placed: Its things by name.
        objects: Names of its movable objects.
        cameras: Its cameras.
    """

    path: Path
    spec: Any
    compiled: Any
    state: FileState
    mocap: FloatArray
    placed: dict[str, Placed]
    objects: tuple[str, ...]
    cameras: tuple[Camera, ...]

    @property
    def has_lights(self) -> bool:
        """Whether it brings lamps of its own."""
        return bool(self.spec.lights)


def read_scene(path: str | os.PathLike[str], key: str | None = None) -> FileScene:
    """Read an MJCF scene.

    Args:
        path: File.
        key: Keyframe in which it begins; None: "home", or what the file draws.

    Raises:
        ConfigError: If MuJoCo refuses the file.
        NameNotFoundError: If there is no such keyframe.
    """
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.compile()
        name_parts(spec)
        _name_cameras(spec)
        compiled = spec.compile()
    except ValueError as error:
        text = " ".join(str(error).split())
        raise ConfigError(f"{path}: MuJoCo refuses this scene: {text}") from error
    state, mocap = _find_state(compiled, key)
    placed = {item.name: item for item in _list_things(compiled, state)}
    return FileScene(
        path=Path(path),
        spec=spec,
        compiled=compiled,
        state=state,
        mocap=mocap,
        placed=placed,
        objects=tuple(
            name
            for name, item in placed.items()
            if item.start and not isinstance(item, PlacedTree)
        ),
        cameras=tuple(_camera(compiled, i) for i in range(compiled.ncam)),
    )


def _name_cameras(spec: Any) -> None:
    for camera in spec.cameras:
        camera.name = camera.name.replace("/", "_")
        if max(camera.resolution) <= 1:
            camera.resolution = _RESOLUTION


def _find_state(compiled: Any, key: str | None) -> tuple[FileState, FloatArray]:
    *keys, state = list_states(compiled)
    names = [one.name for one in keys]
    if key is not None and key not in names:
        raise NameNotFoundError("keyframe", key, names)
    wanted = HOME if key is None else key
    if wanted in names:
        state = keys[names.index(wanted)]
    if state.ctrl is None:
        ctrl, act = held_commands(compiled, state.qpos)
        state = state._replace(ctrl=ctrl, act=act)
    if wanted in names:
        k = names.index(wanted)
        at, turn = compiled.key_mpos[k], compiled.key_mquat[k]
    else:
        bodies = _mocap_bodies(compiled)
        at, turn = compiled.body_pos[bodies], compiled.body_quat[bodies]
    mocap = np.hstack([np.reshape(at, (-1, 3)), np.reshape(turn, (-1, 4))])
    return state, mocap


def _list_things(compiled: Any, state: FileState) -> Iterator[Placed]:
    """Yield what stands in a scene, the world's own shapes first."""
    names = [compiled.body(i).name for i in range(compiled.nbody)]
    geoms = _names(compiled, "geom", compiled.geom_bodyid)
    joints = _names(compiled, "joint", compiled.jnt_bodyid)
    actuators = _actuators_of_bodies(compiled)
    if geoms[0]:
        yield Placed(name="world", bodies=("world",), geoms=tuple(geoms[0]))
    for top in range(1, compiled.nbody):
        if compiled.body_parentid[top] != 0:
            continue
        inside = np.flatnonzero(compiled.body_rootid == top).tolist()
        moving = [joint for body in inside for joint in joints[body]]
        kinds = [int(compiled.joint(joint).type[0]) for joint in moving]
        common = {
            "bodies": tuple(names[body] for body in inside),
            "geoms": tuple(geom for body in inside for geom in geoms[body]),
            "start": tuple(joint_starts(compiled, state, moving)),
        }
        if not moving or kinds == [FREE]:
            yield Placed(name=names[top], joints=tuple(moving), **common)
            continue
        hinges = tuple(
            joint for joint, kind in zip(moving, kinds, strict=True) if kind != FREE
        )
        own = [i for body in inside for i in actuators[body]]
        yield PlacedTree(
            name=_tree_name([names[body] for body in inside]),
            joints=hinges,
            all_joints=hinges,
            base_joint=moving[0] if kinds[0] == FREE else "",
            actuators=tuple(compiled.actuator(i).name for i in sorted(own)),
            commands=_chosen(state.ctrl, sorted(own)),
            activations=_chosen(state.act, activation_addresses(compiled, sorted(own))),
            **common,
        )


def _chosen(values: FloatArray | None, places: list[int]) -> tuple[float, ...]:
    assert values is not None
    return tuple(values[places].tolist())


def _names(compiled: Any, kind: str, bodies: Any) -> list[list[str]]:
    """Return the names of parts of a kind by the body that they are on."""
    found: list[list[str]] = [[] for _ in range(compiled.nbody)]
    for i, body in enumerate(bodies):
        found[int(body)].append(getattr(compiled, kind)(i).name)
    return found


def _actuators_of_bodies(compiled: Any) -> list[list[int]]:
    """Return the actuators by a body that they move: that of their first dof."""
    found: list[list[int]] = [[] for _ in range(compiled.nbody)]
    data = mujoco.MjData(compiled)
    mujoco.mj_fwdPosition(compiled, data)
    first = next(iter(compiled.dof_bodyid), 0)
    for i in range(compiled.nu):
        body = int(first)
        if data.moment_rownnz[i]:
            dof = data.moment_colind[data.moment_rowadr[i]]
            body = int(compiled.dof_bodyid[dof])
        found[body].append(i)
    return found


def _tree_name(bodies: list[str]) -> str:
    head, slash, _ = bodies[0].partition("/")
    if slash and all(body.startswith(f"{head}/") for body in bodies):
        return head
    return bodies[0].replace("/", "_")


def _camera(compiled: Any, i: int) -> Camera:
    """Return a camera of a scene; its frustum is that of the file."""
    width, height = (int(value) for value in compiled.cam_resolution[i])
    size = np.array(compiled.cam_sensorsize[i], dtype=float)
    if size.all():
        fx, fy, cx, cy = compiled.cam_intrinsic[i].tolist()
        scale = np.array([width, height]) / size
        fx, fy, cx, cy = fx * scale[0], fy * scale[1], cx * scale[0], cy * scale[1]
    else:
        fx = fy = 0.5 * height / np.tan(0.5 * np.deg2rad(compiled.cam_fovy[i]))
        cx = cy = 0.0
    body = int(compiled.cam_bodyid[i])
    T = np.eye(4)
    T[:3, :3] = matrix_from_quaternion(compiled.cam_quat[i]) @ R_OPENCV_OPENGL
    T[:3, 3] = compiled.cam_pos[i]
    return Camera(
        name=compiled.camera(i).name,
        intrinsics=Intrinsics(
            fx=float(fx),
            fy=float(fy),
            cx=0.5 * (width - 1) + float(cx),
            cy=0.5 * (height - 1) + float(cy),
            width=width,
            height=height,
        ),
        parent=None if body == 0 else compiled.body(body).name,
        T_parent_camera=T,
        color="rgb",
    )


def prepare_scene(scene: FileScene, cfg: EngineCfg, *, is_engine: bool) -> Any:
    """Return the specification of a scene, ready for further things.

    Args:
        scene: The scene; its specification is changed.
        cfg: Settings of the engine.
        is_engine: Whether contacts are the engine's own; then the file's options stay.
    """
    spec = scene.spec
    for key in list(spec.keys):
        spec.delete(key)
    _forget_defaults(spec)
    spec.nuser_geom = max(int(spec.nuser_geom), NUM_USER)
    if is_engine:
        set_surroundings(spec, cfg)
        stop_when_not_finite(spec)
    else:
        air = (spec.option.density, spec.option.viscosity)
        density, viscosity = (
            own or file
            for own, file in zip((cfg.density, cfg.viscosity), air, strict=True)
        )
        set_options(spec, replace(cfg, density=density, viscosity=viscosity))
        for part in (spec.default.geom, spec.default.equality):
            part.solref = cfg.solref
            part.solimp[:3] = cfg.solimp
        spec.default.geom.condim = 4
    dress_file_geoms(spec, list(spec.geoms), is_engine=is_engine)
    if not is_engine:
        dress_pairs(spec, spec.pairs)
    return spec


def _forget_defaults(spec: Any) -> None:
    """Take back what the file sets for parts without a class; its own have it."""
    plain: Any = mujoco.MjSpec().default
    for kind, names in _DEFAULTS.items():
        source, target = getattr(plain, kind), getattr(spec.default, kind)
        for name in names:
            value = getattr(source, name)
            if isinstance(value, np.ndarray):
                getattr(target, name)[:] = value
            else:
                setattr(target, name, value)


def _mocap_bodies(compiled: Any) -> IntArray:
    """Return the bodies that are moved by hand, in the order of their places."""
    ids = np.flatnonzero(compiled.body_mocapid >= 0)
    return ids[np.argsort(compiled.body_mocapid[ids])]


def apply_mocap(scene: FileScene, model: Any, data: Any) -> None:
    """Put the bodies of a scene that are moved by hand where they begin."""
    for row, body in zip(scene.mocap, _mocap_bodies(scene.compiled), strict=True):
        name = scene.compiled.body(int(body)).name
        at = int(model.body_mocapid[model.body(name).id])
        data.mocap_pos[at], data.mocap_quat[at] = row[:3], row[3:]
