"""Collision service: against MuJoCo's hulls, and how fast."""

from __future__ import annotations

import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import gelenk
from benchmarks.areas._models_files import load_quietly, named_spec, silence
from benchmarks.areas._robot_files import MISSING, mjcf_files
from benchmarks.harness import Row, Settings
from gelenk.collision import CollisionObject, Scene
from gelenk.kinematics.configuration import integrate
from gelenk.models import Geometry
from gelenk.spatial import se3

ROBOTS = 30
OBSTACLES = 10
CONFIGURATIONS = 4000
TOUCHING = 1e-6  # [m]: pairs nearer to touching than this are not counted


def _boxes(rng: np.random.Generator, size: float) -> list[CollisionObject]:
    return [
        CollisionObject(
            name=f"box_{k}",
            shapes=(Geometry(kind="box", size=tuple(rng.uniform(0.1, 0.3, 3) * size)),),
            T_world_object=se3.exp(
                np.concatenate([rng.uniform(-0.8, 0.8, 3) * size, rng.normal(0, 1, 3)])
            ),
        )
        for k in range(OBSTACLES)
    ]


def _robots(most: int) -> list[tuple[Path, gelenk.RobotModel]]:
    """Return robots without loops or followers, each from another folder."""
    found: list[tuple[Path, gelenk.RobotModel]] = []
    seen: set[Path] = set()
    for path in mjcf_files():
        if path.parent in seen or "scene" in path.name or len(found) >= most:
            continue
        model, _ = load_quietly(path)
        if model is None or model.loops or (model.mimic >= 0).any() or not model.nq:
            continue
        if not any(
            shape.role == "collision" for row in model.geometry for shape in row
        ):
            continue
        seen.add(path.parent)
        found.append((path, model))
    return found


def agreement_with_mujoco(settings: Settings) -> list[Row]:
    """Configurations that one calls free and the other colliding."""
    rng = settings.rng()
    wrongly_free = wrongly_refused = total = 0
    names: list[str] = []
    wanted = settings.pick(ROBOTS, 3)
    for path, model in sorted(
        _robots(200), key=lambda item: not _collision_meshes(item[1])
    ):
        if len(names) == wanted:
            break
        counts = _compare(path, model, rng, settings.pick(CONFIGURATIONS, 400))
        if counts is None:
            continue
        names.append(f"{path.parent.name} {counts[0]}/{counts[1]}")
        settings.tell(names[-1])
        wrongly_free += counts[0]
        wrongly_refused += counts[1]
        total += counts[2]
    note = (
        f"{total} configurations of {len(names)} robots, wrongly free/refused: "
        f"{', '.join(names)}"
    )
    if not total:
        note = MISSING
    share = 100.0 / max(total, 1)
    return [
        Row(
            name="colliding by MuJoCo's hulls, free by ours",
            value=share * wrongly_free if total else None,
            unit="%",
            target=0.0,
            note=note,
        ),
        Row(
            name="free by MuJoCo's hulls, refused by ours",
            value=share * wrongly_refused if total else None,
            unit="%",
            target=0.1,
            note=note,
        ),
    ]


def _compare(
    path: Path, model: gelenk.RobotModel, rng: np.random.Generator, count: int
) -> tuple[int, int, int] | None:
    """Return wrongly free, wrongly refused, and all configurations."""
    import mujoco

    size = max(0.3, float(np.abs(_extent(model)).max()))
    boxes = _boxes(rng, size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scene = Scene(model, boxes, shapes="collision")
    with silence():
        spec = named_spec(path)
        for geom in spec.geoms:
            touches = geom.contype or geom.conaffinity
            if geom.parent.name == "world" and model.link_names[0] != "world":
                touches = 0  # the floor is no part of the robot
            if geom.type in (mujoco.mjtGeom.mjGEOM_PLANE, mujoco.mjtGeom.mjGEOM_HFIELD):
                touches = 0  # nor can it be a shape of a link
            geom.contype = geom.conaffinity = 1 if touches else 0
            geom.margin = geom.gap = 0.0
        for box in boxes:
            T = np.asarray(box.T_world_object, dtype=np.float64)
            quat = np.zeros(4)
            mujoco.mju_mat2Quat(quat, T[:3, :3].ravel())
            body = spec.worldbody.add_body(name=box.name, pos=T[:3, 3], quat=quat)
            half = 0.5 * np.array(box.shapes[0].size)
            body.add_geom(
                type=mujoco.mjtGeom.mjGEOM_BOX, size=half, contype=1, conaffinity=1
            )
        for part in [*spec.excludes, *spec.keys]:
            spec.delete(part)
        flags = mujoco.mjtDisableBit
        spec.option.disableflags |= int(flags.mjDSBL_FILTERPARENT)
        spec.option.disableflags &= ~int(flags.mjDSBL_CONTACT)
        try:
            theirs = spec.compile()
        except ValueError:  # a file that is missing
            return None
    data = mujoco.MjData(theirs)
    joints = [
        mujoco.mj_name2id(theirs, mujoco.mjtObj.mjOBJ_JOINT, n)
        for n in model.joint_names
    ]
    if -1 in joints:
        return None
    _place_boxes(mujoco, theirs, data, model, boxes)
    known = set(model.link_names) | {box.name for box in boxes}
    pairs = {frozenset(pair) for pair in scene.pairs}
    q = _draw(model, rng, count)
    free = scene.is_free(q)
    base = model.link_names[0]
    wrongly_free = wrongly_refused = counted = 0
    for k in range(count):
        _write(theirs, data, model, joints, q[k])
        mujoco.mj_kinematics(theirs, data)
        mujoco.mj_comPos(theirs, data)
        mujoco.mj_collision(theirs, data)
        deepest = np.inf
        for contact in data.contact:
            bodies = [
                theirs.body(int(theirs.geom_bodyid[g])).name for g in contact.geom
            ]
            bodies = [b if b in known else base for b in bodies]
            if frozenset(bodies) in pairs:
                deepest = min(deepest, contact.dist)
        if abs(deepest) < TOUCHING:
            continue
        counted += 1
        wrongly_free += bool(free[k] and deepest < 0.0)
        wrongly_refused += bool(not free[k] and deepest > 0.0)
    return wrongly_free, wrongly_refused, counted


def _place_boxes(
    mujoco: Any,
    theirs: Any,
    data: Any,
    model: gelenk.RobotModel,
    boxes: list[CollisionObject],
) -> None:
    """Move the boxes with the base of the robot: it may stand elsewhere in the file."""
    root = model.link_names[0]
    if model.has_floating_base or root == "world":
        return
    mujoco.mj_kinematics(theirs, data)
    base = theirs.body(root).id
    R, p = data.xmat[base].reshape(3, 3).copy(), data.xpos[base].copy()
    for box in boxes:
        T = np.asarray(box.T_world_object)
        body = theirs.body(box.name).id
        theirs.body_pos[body] = R @ T[:3, 3] + p
        mujoco.mju_mat2Quat(theirs.body_quat[body], (R @ T[:3, :3]).ravel())


def _extent(model: gelenk.RobotModel) -> np.ndarray:
    from gelenk.kinematics.forward import link_poses

    return link_poses(model, model.home_configuration)[:, :3, 3]


def _draw(model: gelenk.RobotModel, rng: np.random.Generator, count: int) -> np.ndarray:
    low, high = (np.clip(limit, -np.pi, np.pi) for limit in model.limits)
    q = np.empty((count, model.nq))
    q[:, len(model.base_home) if model.has_floating_base else 0 :] = rng.uniform(
        low, high, (count, len(low))
    )
    if model.has_floating_base:
        q[:, :7] = model.base_home
    if model.ball_joints:
        zero = np.tile(model.home_configuration, (count, 1))
        q = integrate(model, zero, rng.normal(0, 0.7, (count, model.nv)), 1.0)
    return q


def _write(
    theirs: Any, data: Any, model: Any, joints: list[int], q: np.ndarray
) -> None:
    if model.has_floating_base:
        data.qpos[:7] = q[:7]
    for i, j in enumerate(joints):
        start, own = theirs.jnt_qposadr[j], int(model.q_starts[i])
        width = 4 if i in model.ball_joints else 1
        data.qpos[start : start + width] = q[own : own + width]


def _collision_meshes(model: gelenk.RobotModel) -> int:
    shapes = [shape for row in model.geometry for shape in row]
    return sum(s.kind == "mesh" and s.role == "collision" for s in shapes)


def speed(settings: Settings) -> list[Row]:
    """Time of `is_free` and of all distances, an arm with meshes and ten boxes."""
    arms = [r for r in _robots(200) if r[1].nq >= 6 and not r[1].has_floating_base]
    meshed = [(_collision_meshes(model), path, model) for path, model in arms]
    meshed.sort(key=lambda item: (-("panda" in str(item[1])), -item[0]))
    names = (
        "is_free, arm with meshes, self and ten boxes, batch, one core",
        "distance of all pairs, the same",
    )
    if not meshed or not meshed[0][0]:
        return [Row(name=n, value=None, unit="us", note=MISSING) for n in names]
    count, path, model = meshed[0]
    rng = settings.rng()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scene = Scene(model, _boxes(rng, 0.8), shapes="collision")
    q = _draw(model, rng, 1000)  # below the size at which threads are used
    note = f"{path.parent.name}, {count} meshes, {len(scene.pairs)} pairs, CPU time"
    times: list[list[float]] = [[], []]
    for _ in range(settings.pick(15, 3)):
        for k, ask in enumerate((scene.is_free, lambda q: scene.distance(q[:100]))):
            rows = len(q) if k == 0 else 100
            began = time.process_time()
            ask(q)
            times[k].append((time.process_time() - began) / rows * 1e6)
    return [
        Row(name=n, value=float(np.median(t)), unit="us", target=limit, note=note)
        for n, t, limit in zip(names, times, (15.0, 150.0), strict=True)
    ]
