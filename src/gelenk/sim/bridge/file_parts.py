"""Parts of an MJCF file on their way into a world: names, contacts, the start.

The file's own numbers stay: bodies, meshes, joints, springs, constraints, tendons,
sensors, actuators, contact rules. What a world must know of them are names, so that
what has none gets one. With our contacts shapes that have MuJoCo's softness, which is
its guess where a file says nothing, get ours; a softness that the file states stays, as
do friction, directions, priority and margins. With the engine's contacts all stay as
they are.

**Who touches whom.** The bits by which a file says which of its shapes touch are moved
up, beside those of `engine.CONTACT_BITS`: among themselves its shapes touch as in the
file, and things of the world touch those that a shape of MuJoCo without any settings
would touch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np

from gelenk.sim.bridge.engine import (
    NUM_USER,
    USER_RESTITUTION,
    JointStart,
    dress_geom,
)
from gelenk.sim.surface import Surface
from gelenk.typing import FloatArray

# pyright: reportAttributeAccessIssue=false


_SHIFT = 4  # the bits below are those of `engine.CONTACT_BITS`
_TOUCHES = 1 | 2 | 4  # the groups world, object and robot
_SOLREF = (0.02, 1.0)  # MuJoCo's own
_SOLIMP = (0.9, 0.95, 0.001, 0.5, 2.0)
_ROOM = (1 << (31 - _SHIFT)) - 1

_JOINT = mujoco.mjtJoint
FREE, BALL = int(_JOINT.mjJNT_FREE), int(_JOINT.mjJNT_BALL)
_SIZES = {FREE: (7, 6), BALL: (4, 3)}


def joint_sizes(kind: int) -> tuple[int, int]:
    """Return how many numbers a joint of MuJoCo has in qpos and in qvel."""
    return _SIZES.get(int(kind), (1, 1))


def name_parts(spec: Any) -> None:
    """Give every body, joint, actuator, camera and shape of a file a name.

    Args:
        spec: Specification of the file, compiled at least once.
    """
    for parts, kind in (
        (spec.bodies, "body"),
        (spec.joints, "joint"),
        (spec.actuators, "actuator"),
        (spec.cameras, "camera"),
    ):
        taken = {part.name for part in parts}
        for part in parts:
            part.name = part.name or _unused(f"{kind}_{part.id}", taken)
    taken = {geom.name for geom in spec.geoms}
    for body in spec.bodies:
        for k, geom in enumerate(body.geoms):
            geom.name = geom.name or _unused(f"{body.name}/{k}", taken)


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


class FileState(NamedTuple):
    """State of a file's mechanism in the order of its compiled model.

    Attributes:
        name: Name of the keyframe, empty for the file's drawing.
        qpos, qvel, act, ctrl: Its numbers; `ctrl` is None where the file says nothing.
    """

    name: str
    qpos: FloatArray
    qvel: FloatArray
    act: FloatArray | None
    ctrl: FloatArray | None


def list_states(compiled: Any) -> list[FileState]:
    """Return the keyframes of a compiled file, and last what it draws."""
    states = [
        FileState(
            name=compiled.key(k).name,
            qpos=np.array(compiled.key_qpos[k]),
            qvel=np.array(compiled.key_qvel[k]),
            act=np.array(compiled.key_act[k]),
            ctrl=np.array(compiled.key_ctrl[k]),
        )
        for k in range(compiled.nkey)
    ]
    drawn = np.array(compiled.qpos0)
    return [*states, FileState("", drawn, np.zeros(compiled.nv), None, None)]


def joint_starts(
    compiled: Any, state: FileState, names: Iterable[str], prefix: str = ""
) -> list[JointStart]:
    """Return the starts of joints of a file in one of its states.

    Args:
        compiled: `mujoco.MjModel` of the file, with its names.
        state: The state.
        names: Names of the joints.
        prefix: Begin of their names in the world.
    """
    starts: list[JointStart] = []
    for name in names:
        joint = compiled.joint(name)
        count, rates = joint_sizes(joint.type[0])
        at, dof = int(joint.qposadr[0]), int(joint.dofadr[0])
        starts.append(
            JointStart(
                joint=prefix + name,
                qpos=tuple(state.qpos[at : at + count].tolist()),
                qvel=tuple(state.qvel[dof : dof + rates].tolist()),
            )
        )
    return starts


def held_commands(compiled: Any, qpos: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return commands and activations with which position servos stay where they are.

    Other actuators get 0, as in MuJoCo.

    Args:
        compiled: `mujoco.MjModel` of the file.
        qpos: Coordinates of the mechanism, (nq,).
    """
    ctrl, act = np.zeros(compiled.nu), np.zeros(compiled.na)
    if compiled.nu == 0:
        return ctrl, act
    data = mujoco.MjData(compiled)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(compiled, data)
    mujoco.mj_comPos(compiled, data)
    mujoco.mj_tendon(compiled, data)
    mujoco.mj_transmission(compiled, data)
    gain, bias = compiled.actuator_gainprm[:, 0], compiled.actuator_biasprm[:, 1]
    is_affine = compiled.actuator_biastype == mujoco.mjtBias.mjBIAS_AFFINE
    is_servo = is_affine & (gain == -bias) & (gain != 0.0)
    kinds = np.array(compiled.actuator_dyntype)
    is_rate = kinds == mujoco.mjtDyn.mjDYN_INTEGRATOR
    for i in np.flatnonzero(is_servo):
        length = float(data.actuator_length[i])
        if compiled.actuator_ctrllimited[i] and not is_rate[i]:
            length = float(np.clip(length, *compiled.actuator_ctrlrange[i]))
        if not is_rate[i]:
            ctrl[i] = length
        if compiled.actuator_actnum[i] == 1:
            act[compiled.actuator_actadr[i]] = length
    return ctrl, act


def dress_file_geoms(
    spec: Any,
    geoms: Sequence[Any],
    *,
    is_engine: bool,
    surfaces: Sequence[Surface | None] = (),
) -> None:
    """Give shapes of a file their place among those of a world.

    Args:
        spec: Specification whose defaults say how stiff contacts are.
        geoms: Shapes of one mechanism or scene.
        is_engine: Whether contacts are the engine's own; then nothing that moves
            anything is changed.
        surfaces: Properties of each shape instead of the file's, None to keep those.
    """
    masks = [_masks(geom) for geom in geoms]
    touching = [bool((kind | affinity) & 1) for kind, affinity in masks]
    if not any(touching):  # a file that uses other bits throughout
        touching = [bool(kind | affinity) for kind, affinity in masks]
    for i, geom in enumerate(geoms):
        kind, affinity = masks[i]
        surface = surfaces[i] if surfaces else None
        if surface is not None:
            rgba = np.array(geom.rgba)
            dress_geom(spec, geom, surface, group="robot", condim=int(geom.condim))
            geom.rgba = rgba
        else:
            user = np.zeros(NUM_USER)
            user[USER_RESTITUTION] = -1.0
            geom.userdata = user
            if not is_engine:
                _stiffen(spec, geom)
        if surface is None or surface.group is None:
            geom.contype = kind << _SHIFT
            geom.conaffinity = (affinity << _SHIFT) | (_TOUCHES if touching[i] else 0)


def _stiffen(spec: Any, part: Any) -> None:
    """Give a shape or a pair our stiffness where its file states none."""
    solref, solimp = np.array(part.solref)[:2], np.array(part.solimp)
    if np.array_equal(solref, _SOLREF) and np.array_equal(solimp, _SOLIMP):
        part.solref = spec.default.geom.solref
        part.solimp = spec.default.geom.solimp


def _masks(geom: Any) -> tuple[int, int]:
    return int(geom.contype) & _ROOM, int(geom.conaffinity) & _ROOM


def dress_pairs(spec: Any, pairs: Iterable[Any]) -> None:
    """Give pairs of shapes that a file names our stiffness, see `dress_file_geoms`."""
    for pair in pairs:
        _stiffen(spec, pair)
