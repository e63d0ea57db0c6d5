"""SRDF files: groups, named poses, collision exceptions and ends of a robot.

An SRDF speaks of the joints and links of a URDF. What it says about others is left out:
it is often written for several variants of a robot.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from gelenk.errors import FileFormatError
from gelenk.models.findings import Findings
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from gelenk.models.xml import XmlElement, XmlText, numbers
from gelenk.typing import BoolArray, FloatArray

# Names of states that are a robot's home, the first that there is.
HOME_NAMES = (
    "home", "ready", "half_sitting", "half_sit", "standing", "stand", "default",
)  # fmt: skip
_FOLDERS = (".", "../srdf", "../config")
_MAX_GROUPS = 1_000


def srdf_beside(file: Path, name: str) -> Path | None:
    """Return the SRDF file that lies beside a URDF file, None without one.

    Args:
        file: The URDF file.
        name: Name of the robot.
    """
    stem = file.name.split(".")[0]
    for folder in _FOLDERS:
        for word in dict.fromkeys((file.stem, stem, name)):
            if not word or "/" in word or "\\" in word or "\0" in word:
                continue
            path = file.absolute().parent / folder / f"{word}.srdf"
            try:
                if path.is_file():
                    return path
            except OSError:
                continue
    return None


def apply_srdf(model: RobotModel, srdf: XmlElement, findings: Findings) -> RobotModel:
    """Return the model with the groups, poses, pairs and tool of an SRDF.

    Args:
        model: Robot.
        srdf: Root element of the SRDF.
        findings: Collector of what was left out.

    Raises:
        FileFormatError: If it is not an SRDF.
    """
    if srdf.tag != "robot":
        raise srdf.error(
            f"the root element of an SRDF file is <robot>, got <{srdf.tag:.40}>",
            "name the SRDF of this robot",
        )
    model = replace(
        model,
        groups=MappingProxyType(_groups(model, srdf)),
        excluded_pairs=_excluded_pairs(model, srdf),
        is_passive=_passive(model, srdf),
        tool=_tool(model, srdf) or model.tool,
    )
    poses = _poses(model, srdf, findings)
    model = _with_home(replace(model, poses=MappingProxyType(poses)), findings)
    if not model.has_floating_base and any(
        joint.attributes.get("type") == "floating"
        for joint in srdf.all("virtual_joint")
    ):
        findings.note(f"{srdf.path}: the base may float; load with base='floating'")
    return model


def _groups(model: RobotModel, srdf: XmlElement) -> dict[str, tuple[str, ...]]:
    """Return the joints of `q` in each group, in the order of `q`."""
    elements: dict[str, list[XmlElement]] = {}
    for group in srdf.all("group")[:_MAX_GROUPS]:
        name = group.attributes.get("name", "")
        if name:
            elements.setdefault(name, []).append(group)
    found: dict[str, tuple[str, ...]] = {}
    for name in elements:
        members, todo, seen = set[str](), [name], {name}
        while todo:
            for group in elements[todo.pop()]:
                members |= _members(model, group)
                inner = [
                    child.attributes.get("name", "") for child in group.all("group")
                ]
                todo += [n for n in inner if n in elements and n not in seen]
                seen.update(inner)
        found[name] = tuple(joint for joint in model.joint_names if joint in members)
    return found


def _members(model: RobotModel, group: XmlElement) -> set[str]:
    """Return the joints that a group names itself."""
    names = {joint.attributes.get("name", "") for joint in group.all("joint")}
    links = {name: i for i, name in enumerate(model.link_names)}
    for link in group.all("link"):
        i = links.get(link.attributes.get("name", ""))
        if i is not None:
            names.add(model.joint_names_all[i])
    for chain in group.all("chain"):
        base = links.get(chain.attributes.get("base_link", ""))
        here = links.get(chain.attributes.get("tip_link", ""))
        if base is None or here is None:
            continue
        while here >= 0 and here != base:
            names.add(model.joint_names_all[here])
            here = int(model.parent[here])
    return names


def _excluded_pairs(model: RobotModel, srdf: XmlElement) -> tuple[tuple[str, str], ...]:
    links = set(model.link_names)
    pairs = dict.fromkeys(model.excluded_pairs)
    for link in srdf.all("disable_default_collisions"):
        name = link.attributes.get("link", "")
        if name in links:
            pairs |= dict.fromkeys((name, n) for n in model.link_names if n != name)
    for pair in srdf.all("disable_collisions"):
        names = (pair.attributes.get("link1", ""), pair.attributes.get("link2", ""))
        if (
            links.issuperset(names)
            and names[0] != names[1]
            and names[::-1] not in pairs
        ):
            pairs[names] = None
    for pair in srdf.all("enable_collisions"):
        first = pair.attributes.get("link1", "")
        second = pair.attributes.get("link2", "")
        pairs.pop((first, second), None)
        pairs.pop((second, first), None)
    return tuple(pairs)


def _passive(model: RobotModel, srdf: XmlElement) -> BoolArray:
    names = {joint.attributes.get("name") for joint in srdf.all("passive_joint")}
    named = np.array([name in names for name in model.joint_names_all], dtype=np.bool_)
    return model.is_passive | named


def _tool(model: RobotModel, srdf: XmlElement) -> str:
    """Return the link of the only end effector, empty if there are several."""
    ends = {end.attributes.get("parent_link", "") for end in srdf.all("end_effector")}
    ends &= set(model.link_names)
    return ends.pop() if len(ends) == 1 else ""


def _poses(
    model: RobotModel, srdf: XmlElement, findings: Findings
) -> dict[str, FloatArray]:
    """Return the named states; those of one name and of several groups become one."""
    base_joints = {
        joint.attributes.get("name", "root_joint")
        for joint in srdf.all("virtual_joint")
    } | {"root_joint"}
    merged: dict[str, dict[str, tuple[float, ...]]] = {}
    for state in srdf.all("group_state"):
        name = state.attributes.get("name", "")
        if not name:
            continue
        values = _values(model, state, base_joints, findings)
        own = merged.setdefault(name, {})
        if any(own.get(joint, value) != value for joint, value in values.items()):
            name = f"{name} ({state.attributes.get('group', 'other')})"
            own = merged.setdefault(name, {})
        own |= values
    return {name: _configuration(model, own) for name, own in merged.items() if own}


def _values(
    model: RobotModel,
    state: XmlElement,
    base_joints: set[str],
    findings: Findings,
) -> dict[str, tuple[float, ...]]:
    """Return the values of a state by joint; the base under an empty name."""
    widths = dict.fromkeys(model.joint_names, 1)
    widths |= {model.joint_names[i]: 4 for i in model.ball_joints}
    found: dict[str, tuple[float, ...]] = {}
    for joint in state.all("joint"):
        name = joint.attributes.get("name", "")
        is_base = name in base_joints and name not in widths
        if name not in widths and not (is_base and model.has_floating_base):
            continue
        width = 7 if is_base else widths[name]
        try:
            row = joint.numbers("value", width)
        except FileFormatError as error:
            findings.tell("srdf value", f"{error}; the value is left out")
            continue
        if is_base:  # an SRDF has the scalar part last
            row = (*row[:3], row[6], *row[3:6])
            if not any(row[3:]):
                continue
        found["" if is_base else name] = row
    return found


def _configuration(
    model: RobotModel, values: Mapping[str, Iterable[float]]
) -> FloatArray:
    """Return `q` with the given values, others as in the home configuration."""
    q = model.home_configuration.copy()
    starts = dict(zip(model.joint_names, model.q_starts.tolist(), strict=True))
    for name, row in values.items():
        row = np.array(tuple(row))
        start = starts[name] if name else 0
        q[start : start + len(row)] = row
        if len(row) in (4, 7):
            turn = q[start + len(row) - 4 : start + len(row)]
            length = np.linalg.norm(turn)
            turn[:] = turn / length if length > 0.0 else (1.0, 0.0, 0.0, 0.0)
    q.setflags(write=False)
    return q


def _with_home(model: RobotModel, findings: Findings) -> RobotModel:
    """Return the model at home in the state whose name says so, within the limits."""
    name = next((name for name in HOME_NAMES if name in model.poses), None)
    if name is None:
        return model
    q, home = model.poses[name], model.home.copy()
    is_ball = model.joint_type[model.joint_ids] == int(JointType.BALL)
    ids, starts = model.joint_ids[~is_ball], model.q_starts[~is_ball]
    home[ids] = np.clip(q[starts], model.lower[ids], model.upper[ids])
    if np.abs(home[ids] - q[starts]).max(initial=0.0) > 1e-6:
        findings.note(
            f"pose {name!r} lies outside the limits of a joint; the home configuration "
            "has the nearest value within"
        )
    base = q[:7] if model.has_floating_base else model.base_home
    return replace(model, home=home, base_home=np.array(base))


def needs_srdf(model: RobotModel) -> bool:
    """Return whether a URDF alone would lose poses, groups, pairs, tool or home."""
    kind = model.joint_type[model.joint_ids]
    ids = model.joint_ids[kind != int(JointType.BALL)]
    nearest = np.clip(0.0, model.lower[ids], model.upper[ids])
    return bool(
        model.poses
        or model.groups
        or model.excluded_pairs
        or model.tool
        or (model.home[ids] != nearest).any()
    )


def srdf_from_model(model: RobotModel) -> str:
    """Return the SRDF text of a robot: groups, named poses, pairs and its tool."""
    out = XmlText()
    out.open("robot", name=model.name)
    for name, joints in model.groups.items():
        out.open("group", name=name)
        for joint in joints:
            out.leaf("joint", name=joint)
        out.close()
    if model.has_floating_base:
        out.leaf(
            "virtual_joint",
            name=_base_joint(model),
            type="floating",
            parent_frame="world",
            child_link=model.link_names[0],
        )
    home = next((name for name in HOME_NAMES if name in model.poses), None)
    poses = dict(model.poses)
    if home is None or not np.array_equal(poses[home], model.home_configuration):
        poses = {"home": model.home_configuration, **poses}
        poses["home"] = model.home_configuration
    for name, q in poses.items():
        _write_state(out, model, name, q)
    if model.tool:
        out.leaf("end_effector", name="tool", parent_link=model.tool, group="tool")
    for first, second in model.excluded_pairs:
        out.leaf("disable_collisions", link1=first, link2=second)
    out.close()
    return out.text()


def _base_joint(model: RobotModel) -> str:
    name = "root_joint"
    while name in model.joint_names:
        name += "_"
    return name


def _write_state(out: XmlText, model: RobotModel, name: str, q: FloatArray) -> None:
    out.open("group_state", name=name, group="all")
    if model.has_floating_base:
        base = (*q[:3], *q[4:7], q[3])
        out.leaf("joint", name=_base_joint(model), value=numbers(base))
    for k, joint in enumerate(model.joint_names):
        start = int(model.q_starts[k])
        width = 4 if k in model.ball_joints else 1
        out.leaf("joint", name=joint, value=numbers(q[start : start + width]))
    out.close()
