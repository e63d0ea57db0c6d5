"""From an arm and a gripper, as their developers wrote them, to one robot.

Between them stand three servos in the mount point, `wrist_xy`, `wrist_xz` and
`wrist_yz` seen from the arm: the gripper takes any orientation and the mount stays
where it is (Roth 2021, ArmBot §5.3). Everything that cannot be a robot is refused here,
with the class and the part named.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from gelenk.errors import GelenkError, ModelError
from gelenk.models.parts import (
    Assembly,
    GripperMount,
    TerminationPoint,
    Tip,
    TouchPoint,
    TouchSegment,
)
from gelenk.models.tree import RobotModel
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel
from gelenk.typing import FloatArray, IntArray

WRIST = "wrist"
GRIPPER_BASE = "gripper"
TCP = "tcp"
WRIST_LIMITS = (-2.0 * math.pi, 2.0 * math.pi)  # [rad]; lines must not end in a turn

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RobotDesign:
    """A robot made of an arm, its wrist and its gripper.

    Attributes:
        manipulator: The arm as its developer wrote it.
        gripper: The gripper, or None: then the arm ends at its mount, without a wrist.
        arm: The arm alone; its tool is the mount.
        robot: All together; its tool is the grip point.
        mount: Link of the mount.
        gripper_base: Link in whose frame the gripper is described.
        tcp: Link of the grip point; without a gripper the mount.
        arm_joints, wrist_joints, gripper_joints: Motors by name.
        arm_ids, wrist_ids, gripper_ids: Their places in `robot.joint_names`, which
            need not be in this order.
        touch_links: Links that act on objects.
        fingers: Those of the gripper.
        T_gripper_tcp: Pose of the grip point in the gripper's base, shape (4, 4).
    """

    manipulator: ManipulatorModel
    gripper: GripperModel | None
    arm: RobotModel
    robot: RobotModel
    mount: str
    gripper_base: str
    tcp: str
    arm_joints: tuple[str, ...]
    wrist_joints: tuple[str, ...]
    gripper_joints: tuple[str, ...]
    arm_ids: IntArray
    wrist_ids: IntArray
    gripper_ids: IntArray
    touch_links: tuple[str, ...]
    fingers: tuple[str, ...]
    T_gripper_tcp: FloatArray


def design_robot(
    manipulator: ManipulatorModel, gripper: GripperModel | None
) -> RobotDesign:
    """Return the robot of an arm with a gripper.

    Args:
        manipulator: The arm.
        gripper: The gripper; None: the arm ends at its mount.

    Raises:
        ModelError: If the arm or the gripper cannot be built, or do not fit together.
    """
    arm_name, body = type(manipulator).__name__, Assembly()
    mount = _built(manipulator, "build", body)
    _check_mount(arm_name, body, mount)
    arm = _guarded(arm_name, lambda: body.build(arm_name, tool=mount.name))
    _check_arm(arm_name, arm)
    num_arm_parts = len(body.parts)
    if gripper is None:
        return _design(manipulator, None, arm, arm, body, mount.name, num_arm_parts)
    gripper_name = type(gripper).__name__
    both = f"{gripper_name} on {arm_name}"
    base = _guarded(both, lambda: _attach_base(manipulator, mount))
    _built(gripper, "build", base)
    tcp = _guarded(
        gripper_name,
        lambda: base.attach(TerminationPoint(TCP), at=_checked_tcp(gripper)),
    )
    robot = _guarded(
        both, lambda: body.build(f"{arm_name}_{gripper_name}", tool=tcp.name)
    )
    design = _design(manipulator, gripper, arm, robot, body, mount.name, num_arm_parts)
    _check_gripper(gripper, design)
    return design


# -- building ----------------------------------------------------------------------


def _attach_base(manipulator: ManipulatorModel, mount: Tip) -> Tip:
    end = mount
    if not manipulator.has_own_wrist:
        end = mount.wrist(WRIST, limits=WRIST_LIMITS)
    return end.t_connector(GRIPPER_BASE)


def _design(
    manipulator: ManipulatorModel,
    gripper: GripperModel | None,
    arm: RobotModel,
    robot: RobotModel,
    body: Assembly,
    mount: str,
    num_arm_parts: int,
) -> RobotDesign:
    touching = [
        (i, name)
        for i, (part, name) in enumerate(zip(body.parts, body.names, strict=True))
        if isinstance(part, TouchPoint | TouchSegment)
    ]
    wrist = tuple(f"{WRIST}_{plane}" for plane in ("xy", "xz", "yz"))
    if gripper is None or manipulator.has_own_wrist:
        wrist = ()
    known = {*arm.joint_names, *wrist}
    hand = tuple(name for name in robot.joint_names if name not in known)
    return RobotDesign(
        manipulator=manipulator,
        gripper=gripper,
        arm=arm,
        robot=robot,
        mount=mount,
        gripper_base=mount if gripper is None else GRIPPER_BASE,
        tcp=mount if gripper is None else TCP,
        arm_joints=arm.joint_names,
        wrist_joints=wrist,
        gripper_joints=hand,
        arm_ids=_ids(robot, arm.joint_names),
        wrist_ids=_ids(robot, wrist),
        gripper_ids=_ids(robot, hand),
        touch_links=tuple(name for _, name in touching),
        fingers=tuple(name for i, name in touching if i >= num_arm_parts),
        T_gripper_tcp=_tcp_pose(gripper),
    )


def _ids(robot: RobotModel, names: tuple[str, ...]) -> IntArray:
    ids = np.array([robot.joint_id(name) for name in names], dtype=np.int64)
    ids.setflags(write=False)
    return ids


def _tcp_pose(gripper: GripperModel | None) -> FloatArray:
    T = np.eye(4)
    if gripper is not None:
        T[:3, 3] = gripper.tcp
    T.setflags(write=False)
    return T


def _built(model: ManipulatorModel | GripperModel, method: str, place: Tip) -> Any:
    """Return what a developer's method returns; its errors name class and line."""
    name = type(model).__name__
    try:
        return getattr(model, method)(place)
    except GelenkError as error:
        raise ModelError(f"{name}.{method}, {_line_of(error)}: {error}") from error
    except Exception as error:
        raise ModelError(
            f"{name}.{method} failed, {_line_of(error)}: "
            f"{type(error).__name__}: {error}"
        ) from error


def _guarded(name: str, build: Callable[[], _Result]) -> _Result:
    try:
        return build()
    except GelenkError as error:
        raise ModelError(f"{name}: {error}") from error


def _line_of(error: BaseException) -> str:
    """Return where a developer's method stood: the frame behind our call of it."""
    frames = traceback.extract_tb(error.__traceback__)
    frame = frames[1] if len(frames) > 1 else frames[-1]
    return f"{frame.filename}:{frame.lineno}"


# -- checks ------------------------------------------------------------------------


def _check_mount(name: str, body: Assembly, mount: object) -> None:
    remedy = "end it with `return ....gripper_mount('mount')`"
    if not isinstance(mount, Tip):
        raise ModelError(
            f"{name}.build must return the gripper mount, got {mount!r}; {remedy}"
        )
    if mount._assembly is not body:
        raise ModelError(
            f"{name}.build returned a part of another robot; build on the `body` "
            "that is given"
        )
    if not isinstance(mount.part, GripperMount):
        raise ModelError(
            f"{name}.build must return the gripper mount, got {mount.part.kind} "
            f"{mount.name!r}; {remedy}"
        )
    index = body.index_of(mount.name)
    if body.num_carried[index]:
        child = body.names[body.parents.index(index, 1)]
        raise ModelError(
            f"{name}: the gripper mount {mount.name!r} carries {child!r} already; the "
            "gripper has to be attached there"
        )


def _check_arm(name: str, arm: RobotModel) -> None:
    if not arm.joint_names:
        raise ModelError(f"{name} has no motor; attach a servo or a linear motor")
    if not arm.loops:
        return
    from gelenk.kinematics.loops.close import close_loops

    result = _guarded(name, lambda: close_loops(arm, arm.home_configuration))
    if not result.closed.all():
        raise ModelError(
            f"{name} does not close where its motors start: {result.message}; give "
            "them other `home` values"
        )


def _checked_tcp(gripper: GripperModel) -> FloatArray:
    tcp = np.asarray(gripper.tcp, dtype=np.float64)
    if tcp.shape != (3,) or not np.isfinite(tcp).all():
        raise ModelError(f"`tcp` must be three finite numbers [m], got {gripper.tcp!r}")
    return tcp


def _check_gripper(gripper: GripperModel, design: RobotDesign) -> None:
    name, robot = type(gripper).__name__, design.robot
    if not design.fingers:
        raise ModelError(
            f"{name} has nothing that touches; end its fingers with a touch point, or "
            "make them of touch segments"
        )
    if gripper.grasp not in ("fingers", "suction"):
        raise ModelError(
            f"{name}: `grasp` must be 'fingers' or 'suction', got {gripper.grasp!r}"
        )
    listing = ", ".join(design.gripper_joints) or "none"
    for key in ("open_values", "closed_values"):
        values = getattr(gripper, key)
        if set(values) != set(design.gripper_joints):
            raise ModelError(
                f"{name}: `{key}` must give a value to each motor of the gripper "
                f"({listing}), got {', '.join(values) or 'none'}"
            )
        for joint, value in values.items():
            low, high = robot.limits[:, robot.joint_id(joint)]
            if not low <= value <= high:
                raise ModelError(
                    f"{name}: `{key}` sends {joint!r} to {value}, outside its limits "
                    f"{low:g} to {high:g}"
                )
