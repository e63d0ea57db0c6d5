"""Sentences on what a model lacks of its MJCF file, and the tool that is evident."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from gelenk.models.link import JointType
from gelenk.models.mjcf_engine import BALL, FREE, CompiledFile
from gelenk.models.mjcf_link import LinkRow
from gelenk.models.mjcf_loop import Equalities

# Names of the place at which a tool works, the most telling first.
_TOOL_NAMES = (
    r"tcp|pinch|grasp|tool_?(0|point|center|centre|tip)?",
    r"eef?|end_?eff?ector|grip(per)?",
    r"attachment|flange",
)
_TOOL_TAIL = r"(_?(site|frame|point|center|centre|pose))*"
_LEAST_JOINTS = 3  # between the base and the tool of an arm


def default_tool(rows: Sequence[LinkRow]) -> str:
    """Return the site that is named like a tool, empty if none or several are.

    Only robots with a fixed base have one, and only behind three joints.
    """
    links = {row.link.name: row.link for row in rows}
    if any(link.joint_type == JointType.FLOATING for link in links.values()):
        return ""
    sites = [row.link for row in rows if row.joint < 0 and row.link.mass == 0.0]
    for words in _TOOL_NAMES:
        pattern = re.compile(rf"(.*[^a-z])?({words}){_TOOL_TAIL}", re.IGNORECASE)
        named = [site for site in sites if pattern.fullmatch(site.name)]
        named = [site for site in named if not site.geometry and site.parent]
        found: list[str] = []
        for site in named:
            count, parent = 0, site.parent
            while parent is not None:
                count += links[parent].joint_type != JointType.FIXED
                parent = links[parent].parent
            if count >= _LEAST_JOINTS:
                found.append(site.name)
        if found:
            return found[0] if len(found) == 1 else ""
    return ""


def sentences(
    compiled: CompiledFile,
    rows: Sequence[LinkRow],
    equalities: Equalities,
    shapes: Iterable[tuple[str, str]],
    moved: Sequence[str],
) -> list[str]:
    """Return one sentence for each part of the file that the model lacks.

    Args:
        compiled: The compiled file.
        rows: Links of the robot.
        equalities: Constraints that were read.
        shapes: Kinds of geoms that were left out, with their bodies.
        moved: Joints whose home value lay outside their limits.
    """
    found = [*_counted(compiled, equalities), *equalities.skipped]
    found += [
        f"the {kind} of body {body!r} is no shape of a link" for kind, body in shapes
    ]
    found += [
        f"the principal moments of body {name!r} are those of no rigid body, and "
        "MuJoCo refuses them"
        for name in compiled.impossible
    ]
    if any(row.part >= 0 for row in rows):
        found.append("three hinges stand for each ball joint, since there are loops")
    if moved:
        found.append(
            "home was brought into the limits of joints " + ", ".join(map(repr, moved))
        )
    found += [f"MuJoCo warns: {warning}" for warning in compiled.warnings]
    found += _lost_numbers(compiled, rows)
    return found


def _counted(compiled: CompiledFile, equalities: Equalities) -> list[str]:
    model = compiled.model
    counts = {
        "actuator": int(model.nu),
        "tendon": int(model.ntendon) - len(equalities.rods),
        "sensor": int(model.nsensor),
        "camera": int(model.ncam),
        "light": int(model.nlight),
        "deformable body": int(model.nflex),
        "skin": int(model.nskin),
        "plugin": int(model.nplugin),
    }
    words = [_plural(count, word) for word, count in counts.items() if count]
    return ["kept for the world: " + ", ".join(words)] if words else []


def _plural(count: int, word: str) -> str:
    if count == 1:
        return f"1 {word}"
    return f"{count} {word[:-1]}ies" if word.endswith("y") else f"{count} {word}s"


def _lost_numbers(compiled: CompiledFile, rows: Sequence[LinkRow]) -> list[str]:
    """Return sentences on springs and losses that a model cannot hold."""
    model = compiled.model
    curved: list[str] = []
    turned: list[str] = []
    free: list[str] = []
    empty: list[str] = []
    for j in sorted({row.joint for row in rows if row.joint >= 0}):
        name, dof = compiled.joints[j].name, int(model.jnt_dofadr[j])
        kind = int(model.jnt_type[j])
        if np.any(model.jnt_stiffnesspoly[j]) or np.any(model.dof_dampingpoly[dof]):
            curved.append(name)
        lower, upper = compiled.joints[j].range
        if lower > upper:
            empty.append(name)
        start = int(model.jnt_qposadr[j])
        if kind == BALL and model.jnt_stiffness[j]:
            rest = np.array(model.qpos_spring[start : start + 4])
            if not np.allclose(np.abs(rest), [1.0, 0.0, 0.0, 0.0], atol=1e-9):
                turned.append(name)
        losses = (model.dof_damping, model.dof_frictionloss, model.dof_armature)
        if kind == FREE and any(array[dof : dof + 6].any() for array in losses):
            free.append(name)
    kinds = {
        "the range ends below its beginning and is no limit of joints": empty,
        "only the linear part of the springs and losses was read of joints": curved,
        "springs with a turned rest were left out of ball joints": turned,
        "losses and inertia were left out of floating joints": free,
    }
    return [f"{k} {', '.join(map(repr, v))}" for k, v in kinds.items() if v]
