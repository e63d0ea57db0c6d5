"""What a model is, as plain data that both the tables and `--json` are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

KINDS = ("fixed", "revolute", "prismatic", "floating")  # in the order of `JointType`


def model_facts(model: RobotModel) -> dict[str, Any]:
    """Return name, sizes, joints, links and loops of a robot; SI units."""
    has_tool = bool(model.tool) or _num_leaves(model) == 1
    return {
        "name": model.name,
        "nq": model.nq,
        "nv": model.nv,
        "has_floating_base": model.has_floating_base,
        "mass": float(model.mass.sum()),
        "gravity": model.gravity,
        "tool": model.link_names[model.link_id()] if has_tool else None,
        "joints": [_joint(model, i) for i in model.joint_ids],
        "other_joints": _other_joints(model),
        "links": [_link(model, i) for i in range(len(model.link_names))],
        "loops": [
            {
                "name": loop.name,
                "kind": loop.kind,
                "links": [model.link_names[i] for i in loop.links],
            }
            for loop in model.loops
        ],
    }


def _num_leaves(model: RobotModel) -> int:
    return len(set(range(len(model.link_names))) - set(model.parent.tolist()))


def _joint(model: RobotModel, i: int) -> dict[str, Any]:
    kind = KINDS[model.joint_type[i]]
    return {
        "name": model.joint_names_all[i],
        "kind": kind,
        "unit": "m" if kind == "prismatic" else "rad",
        "lower": float(model.lower[i]),
        "upper": float(model.upper[i]),
        "max_velocity": float(model.max_velocity[i]),
        "max_effort": float(model.max_effort[i]),
        "home": float(model.home[i]),
    }


def _other_joints(model: RobotModel) -> list[dict[str, str]]:
    """Return the joints that move but have no value in `q`, and what sets them."""
    own = set(model.joint_ids.tolist())
    found: list[dict[str, str]] = []
    for i, name in enumerate(model.joint_names_all):
        kind = KINDS[model.joint_type[i]]
        if i in own or kind not in ("revolute", "prismatic"):
            continue
        follows = int(model.mimic[i])
        by = f"follows {model.joint_names_all[follows]}" if follows >= 0 else "a loop"
        found.append({"name": name, "kind": kind, "set_by": by})
    return found


def _link(model: RobotModel, i: int) -> dict[str, Any]:
    parent = int(model.parent[i])
    return {
        "name": model.link_names[i],
        "parent": None if parent < 0 else model.link_names[parent],
        "joint": model.joint_names_all[i],
        "joint_kind": KINDS[model.joint_type[i]],
        "mass": float(model.mass[i]),
        "com": model.com[i],
    }
