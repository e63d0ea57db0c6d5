"""Loops, mimic laws and locked joints of a model as MJCF equality constraints.

The closing frames are sites named `x:0`, `x:1`, ... for a loop x, so that the closure
does not depend on the pose in which the robot is written. "point" becomes <connect>,
"pose" <weld>, "distance" a tendon of constant length; a "hinge" is two points on its
axis held together, the second under the name `x:axis`.
"""

from __future__ import annotations

import numpy as np

from gelenk.models.link import JointType
from gelenk.models.tree import LoopClosure, RobotModel
from gelenk.models.xml_write import XmlText, numbers
from gelenk.typing import FloatArray, IntArray

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
    for i in locked:
        law = (float(model.lower[i]), 0.0, 0.0, 0.0, 0.0)
        out.leaf("joint", joint1=model.joint_names_all[i], polycoef=numbers(law))
    for i in followers:
        law = (model.offset[i], model.multiplier[i], 0.0, 0.0, 0.0)
        out.leaf(
            "joint",
            joint1=model.joint_names_all[i],
            joint2=model.joint_names_all[model.mimic[i]],
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
