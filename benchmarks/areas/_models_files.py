"""How many robot files load, and whether their numbers are those of others."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np

import gelenk
from benchmarks.areas._robot_files import MISSING, mjcf_files, urdf_files
from benchmarks.harness import Row, Settings
from benchmarks.peers import find_peer, missing_note
from gelenk.kinematics.configuration import integrate
from gelenk.kinematics.forward import link_poses
from gelenk.models import RobotModel

TRIES = 5  # configurations of each robot


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Keep warnings of ours and lines that C++ libraries print to themselves."""
    sys.stderr.flush()
    kept = os.dup(2)
    with Path(os.devnull).open("w") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def load_quietly(path: Path) -> tuple[RobotModel | None, str]:
    """Return a robot, or None and the reason."""
    try:
        with silence():
            return gelenk.load(path), ""
    except gelenk.GelenkError as error:
        return None, str(error)


def _told(failed: list[tuple[Path, str]]) -> str:
    names = "; ".join(f"{path.name}: {text[:90]}" for path, text in failed[:6])
    return f"{len(failed)} refused: {names}" if failed else "none refused"


def urdf_files_loaded(settings: Settings) -> Row:
    """Share of URDF files that load, of those that another reader can read."""
    pinocchio = cast("Any", find_peer("pinocchio"))
    yourdfpy = cast("Any", find_peer("yourdfpy"))
    name, unit = "URDF files that load, of those that others read", "%"
    if not (pinocchio or yourdfpy):
        return Row(name=name, value=None, unit=unit, note=missing_note("Pinocchio"))
    good = readable = by_pinocchio = 0
    failed: list[tuple[Path, str]] = []
    for path in urdf_files(settings.pick(50, 5)):
        ours, reason = load_quietly(path)
        p = _reads(lambda path=path: pinocchio.buildModelFromUrdf(str(path)), pinocchio)
        y = _reads(
            lambda path=path: yourdfpy.URDF.load(
                str(path), load_meshes=False, build_scene_graph=False
            ),
            yourdfpy,
        )
        by_pinocchio += p
        if not (p or y):
            continue
        readable += 1
        good += ours is not None
        if ours is None:
            failed.append((path, reason))
    if not readable:
        return Row(name=name, value=None, unit=unit, note=MISSING)
    return Row(
        name=name,
        value=100.0 * good / readable,
        unit=unit,
        target=99.5,
        direction=">=",
        peers={"Pinocchio": 100.0 * by_pinocchio / readable},
        note=f"{good} of {readable}; {_told(failed)}",
    )


def _reads(read: Callable[[], Any], peer: Any) -> bool:
    if peer is None:
        return False
    try:
        with silence():
            read()
    except Exception:
        return False
    return True


def mjcf_files_loaded(settings: Settings) -> Row:
    """Share of MJCF files that load, of those that MuJoCo compiles."""
    import mujoco

    good = readable = 0
    failed: list[tuple[Path, str]] = []
    files = mjcf_files()
    for path in files[:: settings.pick(1, 10)]:
        if not _reads(
            lambda path=path: mujoco.MjModel.from_xml_path(str(path)), mujoco
        ):
            continue
        readable += 1
        ours, reason = load_quietly(path)
        good += ours is not None
        if ours is None:
            failed.append((path, reason))
    name = "MJCF files that load, of those that MuJoCo compiles"
    if not readable:
        return Row(name=name, value=None, unit="%", note=MISSING)
    return Row(
        name=name,
        value=100.0 * good / readable,
        unit="%",
        target=100.0,
        direction=">=",
        note=f"{good} of {readable} of {len(files)} files; {_told(failed)}",
    )


def urdf_numbers(settings: Settings) -> Row:
    """Largest difference of kinematics and dynamics from Pinocchio's, URDF files."""
    name = "URDF: poses, mass matrix, torques against Pinocchio, worst, relative"
    pin = find_peer("pinocchio")
    if pin is None:
        return Row(name=name, value=None, unit="", note=missing_note("Pinocchio"))
    rng, worst, count, where = settings.rng(), 0.0, 0, ""
    for path in urdf_files(settings.pick(50, 5)):
        ours, _ = load_quietly(path)
        try:
            with silence():
                theirs = pin.buildModelFromUrdf(str(path))
        except Exception:
            continue
        if ours is None or theirs.nq != theirs.nv or ours.nq != theirs.nq:
            continue  # endless joints are two numbers there
        gap = _gap_to_pinocchio(pin, ours, theirs, rng)
        count += 1
        if gap > worst:
            worst, where = gap, path.name
    return Row(
        name=name,
        value=worst if count else None,
        unit="",
        target=5e-14,
        note=f"{count} robots, {TRIES} configurations each; worst in {where}",
    )


def _gap_to_pinocchio(
    pin: Any, ours: RobotModel, theirs: Any, rng: np.random.Generator
) -> float:
    data = theirs.createData()
    order = [theirs.joints[theirs.getJointId(n)].idx_q for n in ours.joint_names]
    theirs.gravity.linear = np.array([0.0, 0.0, -9.81])
    worst = 0.0
    for _ in range(TRIES):
        q, qd, qdd = rng.uniform(-1.0, 1.0, (3, ours.nq))
        Q, V, A = np.zeros((3, theirs.nq))
        Q[order], V[order], A[order] = q, qd, qdd
        pin.forwardKinematics(theirs, data, Q)
        pin.updateFramePlacements(theirs, data)
        poses = link_poses(ours, q)
        for i, link in enumerate(ours.link_names):
            if theirs.existFrame(link, pin.FrameType.BODY):
                T = data.oMf[theirs.getFrameId(link, pin.FrameType.BODY)].homogeneous
                worst = max(worst, _relative(poses[i], T))
        if not ours.nq:
            continue
        M = pin.crba(theirs, data, Q)
        M = np.triu(M) + np.triu(M, 1).T
        M = M[np.ix_(order, order)] + np.diag(ours.armature[ours.joint_ids])
        worst = max(worst, _relative(ours.mass_matrix(q), M))
        tau = pin.rnea(theirs, data, Q, V, A)[order]
        tau = tau + ours.armature[ours.joint_ids] * qdd
        worst = max(worst, _relative(ours.inverse_dynamics(q, qd, qdd), tau))
    return worst


def _relative(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one - other).max() / max(1.0, np.abs(other).max()))


def named_spec(path: Path) -> Any:
    """Return MuJoCo's description of a file, bodies named as our reader names them."""
    import mujoco

    spec = mujoco.MjSpec.from_file(str(path))
    for i, body in enumerate(spec.bodies):
        body.name = body.name or f"body_{i}"
    return spec


def mjcf_numbers(settings: Settings) -> Row:
    """Largest difference of poses and mass matrices from MuJoCo's, MJCF files."""
    import mujoco

    rng, worst, count, where, partial = settings.rng(), 0.0, 0, "", 0
    for path in mjcf_files()[:: settings.pick(1, 10)]:
        ours, _ = load_quietly(path)
        if ours is None or ours.loops:
            continue
        if _lacks_meshes(ours):
            partial += 1
            continue
        try:
            with silence():
                spec = named_spec(path)
                for key in list(spec.keys):
                    spec.delete(key)
                theirs = spec.compile()
        except ValueError:
            continue
        gap = _gap_to_mujoco(mujoco, ours, theirs, rng)
        if gap is None:
            continue
        count += 1
        if gap > worst:
            worst, where = gap, f"{path.parent.name}/{path.name}"
    return Row(
        name="MJCF: poses and mass matrices against MuJoCo, worst, relative",
        value=worst if count else None,
        unit="",
        target=5e-14,
        note=f"{count} robots without loops, {TRIES} configurations each, ball joints "
        f"included; {partial} whose meshes, and so masses, lie outside of their "
        f"folders left out; worst in {where}",
    )


def _lacks_meshes(model: RobotModel) -> bool:
    shapes = (shape for row in model.geometry for shape in row)
    return any(s.kind == "mesh" and s.data is None and s.path is None for s in shapes)


def _gap_to_mujoco(
    mujoco: Any, ours: RobotModel, theirs: Any, rng: np.random.Generator
) -> float | None:
    data = mujoco.MjData(theirs)
    names = [theirs.joint(j).name for j in range(theirs.njnt)]
    ids = [names.index(name) if name in names else -1 for name in ours.joint_names]
    if -1 in ids or (ours.mimic >= 0).any():
        return None  # joints without names, or coordinates that differ
    dofs = [
        theirs.jnt_dofadr[j] + k
        for i, j in enumerate(ids)
        for k in range(3 if i in ours.ball_joints else 1)
    ]
    free = [j for j in range(theirs.njnt) if theirs.jnt_type[j] == 0]
    worst = 0.0
    for _ in range(TRIES):
        q = integrate(ours, ours.home_configuration, rng.uniform(-1, 1, ours.nv), 0.5)
        data.qpos[:] = theirs.qpos0
        if ours.has_floating_base:
            if not free:
                return None
            start = theirs.jnt_qposadr[free[0]]
            data.qpos[start : start + 7] = q[:7]
        for i, j in enumerate(ids):
            start, own = theirs.jnt_qposadr[j], int(ours.q_starts[i])
            width = 4 if i in ours.ball_joints else 1
            data.qpos[start : start + width] = q[own : own + width]
        mujoco.mj_kinematics(theirs, data)
        mujoco.mj_comPos(theirs, data)
        mujoco.mj_makeM(theirs, data)
        poses = link_poses(ours, q)
        T0 = _root_offset(ours, theirs, data, poses)
        for i, link in enumerate(ours.link_names):
            body = mujoco.mj_name2id(theirs, mujoco.mjtObj.mjOBJ_BODY, link)
            if body > 0:
                p = T0[:3, :3] @ poses[i, :3, 3] + T0[:3, 3]
                worst = max(worst, _relative(p, data.xpos[body]))
        M = np.zeros((theirs.nv, theirs.nv))
        mujoco.mj_fullM(theirs, data, M)
        base = 6 if ours.has_floating_base else 0
        own = ours.mass_matrix(q)[base:, base:]
        if dofs:
            worst = max(worst, _relative(own, M[np.ix_(dofs, dofs)]))
    return worst


def _root_offset(
    ours: RobotModel, theirs: Any, data: Any, poses: np.ndarray
) -> np.ndarray:
    """Return the pose of our base in MuJoCo's world, from where the root stands."""
    T = np.eye(4)
    root = ours.link_names[0]
    if ours.has_floating_base or root == "world":
        return T
    body = theirs.body(root)
    T[:3, 3] = data.xpos[body.id] - poses[0, :3, 3]
    return T
