"""Tool of a robot that marks none, where it is evident.

Evident is the end of an arm: the one way from the root along which joints move, up to
the fingers if it has a gripper. A robot whose moving parts branch early (humanoids,
quadrupeds, mobile bases with an arm) has no tool unless one link alone is called so.
"""

from __future__ import annotations

import re

import numpy as np

from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel

# Names of a tool centre point, the more definite ones first. A prefix is allowed.
_NAMES = tuple(
    re.compile(rf"(?:.*[_\-/])?{word}$", re.IGNORECASE)
    for word in (
        "(hand_)?tcp(_link|_frame)?",
        "tool_?(center|centre)_?point",
        "grasp(ing)?_?(frame|link|point|target)?",
        "tool_?0",
        "tool(_link|_frame)?",
        "(ee|eef|end_?effector)(_link|_frame)?",
        "(gripper|hand)(_base|_palm)?(_link)?",
        "(flange|tool_flange)(_link)?",
    )
)
_DEFINITE = 6  # names of `_NAMES` that stand for a tool wherever the link is
_SENSORS = re.compile(
    r"camera|optical|imu|sensor|lidar|laser|collision|inertia|visual|marker|_sc$",
    re.IGNORECASE,
)
_FINGERS = re.compile(r"jaw", re.IGNORECASE)  # one link that closes on the hand
_LEAST_JOINTS = 3  # on the way to a gripper; fewer are a hand, not an arm


def evident_tool(model: RobotModel) -> int | None:
    """Return the index of the link that is the robot's tool, None if none is evident.

    Args:
        model: Robot without a tool mark.
    """
    leaves = sorted(set(range(len(model.link_names))) - set(model.parent.tolist()))
    if len(leaves) == 1 and not _FINGERS.search(model.link_names[leaves[0]]):
        return leaves[0]
    children = _children(model)
    moving = _moving_below(model, children)
    if not moving[0]:
        return None
    root = 0
    trunk, branches = _trunk(model, children, moving, root)
    if len(leaves) == 1 and (not branches or model.has_floating_base):
        return leaves[0]
    if model.has_floating_base:
        return None
    if branches and not _is_gripper(model, trunk, branches, moving, children):
        return _named_alone(model)
    end = trunk[-1] if trunk else root
    rigid = _rigid(model, children, end)
    below = rigid + [i for b in branches for i in _subtree(children, b)]
    named = _best_named(model, rigid) or _best_named(model, below)
    if named is not None:
        return named
    if branches:  # the body on which the fingers are
        return _common_parent(model, branches)
    ends = [
        i for i in rigid if not children[i] and not _SENSORS.search(model.link_names[i])
    ]
    return _deepest(model, ends or [end], end)


def _children(model: RobotModel) -> list[list[int]]:
    children: list[list[int]] = [list[int]() for _ in model.link_names]
    for i, parent in enumerate(model.parent):
        if parent >= 0:
            children[int(parent)].append(i)
    return children


def _moves(model: RobotModel, i: int) -> bool:
    kind = int(model.joint_type[i])
    return kind in (JointType.REVOLUTE, JointType.PRISMATIC, JointType.BALL)


def _moving_below(model: RobotModel, children: list[list[int]]) -> list[int]:
    """Return the number of moving joints at and below each link, the root's aside."""
    count = [0] * len(children)
    for i in range(len(children) - 1, -1, -1):
        count[i] = sum(count[c] for c in children[i]) + (i > 0 and _moves(model, i))
    return count


def _trunk(
    model: RobotModel, children: list[list[int]], moving: list[int], root: int
) -> tuple[list[int], list[int]]:
    """Return the moving links before the first branching, and what moves behind it."""
    trunk: list[int] = []
    here = root
    while True:
        steps = [
            c
            for i in _rigid(model, children, here)
            for c in children[i]
            if _moves(model, c) and moving[c]
        ]
        if len(steps) != 1:
            break
        here = steps[0]
        trunk.append(here)
    behind = [i for step in steps for i in _subtree(children, step)]
    followed = set(model.mimic[[*trunk, *behind]].tolist())
    arm = list(trunk)  # without fingers that follow each other
    while arm and (
        model.mimic[arm[-1]] >= 0
        or arm[-1] in followed
        or _FINGERS.search(model.link_names[arm[-1]])
    ):
        steps = [arm.pop()]
    if len(arm) == len(trunk) or len(arm) < _LEAST_JOINTS:
        return trunk, [i for i in steps if i not in trunk]
    return arm, steps


def _rigid(model: RobotModel, children: list[list[int]], link: int) -> list[int]:
    """Return a link and all that are fixed to it, outwards."""
    found = [link]
    for i in found:  # grows while it is read
        found += [c for c in children[i] if not _moves(model, c)]
    return found


def _subtree(children: list[list[int]], link: int) -> list[int]:
    found = [link]
    for i in found:
        found += children[i]
    return found


def _is_gripper(
    model: RobotModel,
    trunk: list[int],
    branches: list[int],
    moving: list[int],
    children: list[list[int]],
) -> bool:
    """Return whether the branches are fingers: each shorter than the arm before."""
    if len(trunk) < _LEAST_JOINTS:
        return False
    longest = max(_chain_length(model, children, branch) for branch in branches)
    own = sum(
        model.mimic[i] < 0
        for branch in branches
        for i in _subtree(children, branch)
        if _moves(model, i)
    )
    return longest < len(trunk) and (longest <= 4 or own <= 2) and longest <= 5


def _chain_length(model: RobotModel, children: list[list[int]], link: int) -> int:
    """Return the number of moving joints on the longest way from a link on."""
    length = {link: int(_moves(model, link))}
    for i in _subtree(children, link):
        for child in children[i]:
            length[child] = length[i] + _moves(model, child)
    return max(length.values())


def _best_named(model: RobotModel, links: list[int]) -> int | None:
    """Return the link whose name says most clearly that it is a tool."""
    for name in _NAMES:
        found = [i for i in links if name.fullmatch(model.link_names[i])]
        if found:
            return _deepest(model, found, found[-1])
    return None


def _named_alone(model: RobotModel) -> int | None:
    """Return the only link of the robot with a definite name."""
    for name in _NAMES[:_DEFINITE]:
        found = [i for i, link in enumerate(model.link_names) if name.fullmatch(link)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _common_parent(model: RobotModel, branches: list[int]) -> int:
    """Return the link that carries all branches."""
    ways: list[list[int]] = []
    for branch in branches:
        way, here = list[int](), int(model.parent[branch])
        while here >= 0:
            way.append(here)
            here = int(model.parent[here])
        ways.append(way[::-1])
    common = [row[0] for row in zip(*ways, strict=False) if len(set(row)) == 1]
    return common[-1]


def _deepest(model: RobotModel, links: list[int], otherwise: int) -> int:
    """Return the link behind the most joints; if several differ, `otherwise`."""
    depths: list[int] = []
    for link in links:
        depth, here = 0, link
        while here > 0:
            depth, here = depth + 1, int(model.parent[here])
        depths.append(depth)
    best = [i for i, d in zip(links, depths, strict=True) if d == max(depths)]
    same = all(
        model.parent[i] == model.parent[best[0]]
        and np.allclose(model.T_parent_joint[i], model.T_parent_joint[best[0]])
        for i in best
    )
    return best[0] if same else otherwise
