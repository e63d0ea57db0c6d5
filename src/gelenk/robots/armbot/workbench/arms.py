"""The arms and grippers that ship, and the arm that a request speaks of."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

import numpy as np

from gelenk.errors import ConfigError
from gelenk.kinematics.workspace import reach_radius
from gelenk.robots.armbot import grippers, manipulators
from gelenk.robots.armbot.design import RobotDesign, design_robot
from gelenk.robots.armbot.kinematics import methods_of
from gelenk.robots.armbot.model import GripperModel, ManipulatorModel
from gelenk.robots.armbot.problems import close_match
from gelenk.robots.armbot.workbench.fields import (
    FieldError,
    as_numbers,
    check_fields,
    quoted,
)
from gelenk.robots.armbot.workbench.looks import (
    describe_bodies,
    describe_joints,
    describe_poses,
)
from gelenk.runtime.files import as_plain
from gelenk.typing import FloatArray


def shipped_arms() -> dict[str, type[ManipulatorModel]]:
    """Return the classes of arms by name."""
    return _classes(manipulators, ManipulatorModel)


def shipped_grippers() -> dict[str, type[GripperModel]]:
    """Return the classes of grippers by name."""
    return _classes(grippers, GripperModel)


def describe_arms(value: dict[str, Any]) -> dict[str, Any]:
    """Return what ships.

    Returns:
        `arms`: name, title, text, joints, methods, preferred method, whether it turns
        its mount itself, reach [m], home position of the mount [m]; `grippers`: name,
        title, text, how it holds, joints.
    """
    check_fields(value, ())
    return {
        "arms": [_describe_arm(name) for name in shipped_arms()],
        "grippers": [_describe_gripper(name) for name in shipped_grippers()],
    }


def forward(value: dict[str, Any]) -> dict[str, Any]:
    """Return where the parts of an arm are.

    Args:
        value: `arm`, a name, or `rows`, see `rows`; `q`, motor values [rad] or [m], by
            default those of home.

    Returns:
        `q`; `bodies` and `poses`, see `looks`; `tool`: pose of the mount; `joints`.
    """
    check_fields(value, ("arm", "rows", "q"))
    arm = find_design(value).arm
    q = read_q(value, "q", arm.home_configuration, arm.limits)
    poses = describe_poses(arm, q)
    return {
        "q": q.tolist(),
        "bodies": describe_bodies(arm),
        "poses": poses,
        "tool": poses[arm.link_names.index(arm.tool)],
        "joints": describe_joints(arm),
    }


def find_design(value: dict[str, Any]) -> RobotDesign:
    """Return the arm that a request names, or that its rows describe.

    Raises:
        FieldError: If there is no such arm, or it cannot be built.
    """
    if "rows" in value:
        from gelenk.robots.armbot.workbench.rows import design_rows

        if "arm" in value:
            raise FieldError("rows", "give either `arm` or `rows`")
        return design_rows(value["rows"])
    name = value.get("arm")
    names = shipped_arms()
    if not isinstance(name, str) or name not in names:
        listing = f"; there are {', '.join(names)}"
        hint = close_match(str(name)[:60], names, or_list=listing)
        raise FieldError(
            "arm", f"expected the name of an arm, got {quoted(name)}{hint}"
        )
    return design_arm(name)


def read_q(
    value: dict[str, Any], field: str, home: FloatArray, limits: FloatArray
) -> FloatArray:
    """Return motor values of a request within their limits, by default home.

    Raises:
        FieldError: If these are not as many numbers as there are motors.
    """
    if value.get(field) is None:
        return np.array(home)
    count = len(home)
    q = as_numbers(field, value[field], count, f"{count} motor values [rad] or [m]")
    return np.clip(q, *limits)


@lru_cache(maxsize=32)
def design_arm(name: str) -> RobotDesign:
    """Return a shipped arm, without a gripper."""
    return design_robot(shipped_arms()[name](), None)


def title_of(name: str) -> str:
    """Return the name of a class in words.

    Example:
        >>> title_of("TightLenArm")
        'Tight len arm'
    """
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip()
    return words[0].upper() + words[1:] if words else ""


def _classes(package: Any, base: Any) -> dict[str, Any]:
    """Return the classes of a package that say how they are built, by name."""
    return {
        name: item
        for name, item in vars(package).items()
        if isinstance(item, type)
        and issubclass(item, base)
        and item.build is not base.build
    }


@lru_cache(maxsize=32)
def _describe_arm(name: str) -> dict[str, Any]:
    design = design_arm(name)
    arm, home = design.arm, design.arm.home_configuration
    return {
        "name": name,
        "title": title_of(name),
        "text": inspect.getdoc(type(design.manipulator)) or "",
        "joints": describe_joints(arm),
        "methods": list(methods_of(design)),
        "preferred": design.manipulator.preferred_ik,
        "has_own_wrist": design.manipulator.has_own_wrist,
        "reach": reach_of(design),
        "home": arm.forward(home)[:3, 3].tolist(),
    }


@lru_cache(maxsize=32)
def _describe_gripper(name: str) -> dict[str, Any]:
    gripper = shipped_grippers()[name]
    design = design_robot(manipulators.SimpleArm(), gripper())
    hand = set(design.gripper_joints)
    return {
        "name": name,
        "title": title_of(name),
        "text": inspect.getdoc(gripper) or "",
        "grasp": gripper.grasp,
        "joints": [j for j in describe_joints(design.robot) if j["name"] in hand],
    }


def reach_of(design: RobotDesign) -> float | None:
    """Return a bound on how far the mount gets from the first joint [m]."""
    try:
        return as_plain(reach_radius(design.arm))
    except ConfigError:  # nothing moves the mount
        return None
