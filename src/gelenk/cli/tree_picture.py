"""The tree of links as text, one line per link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gelenk.cli.facts import KINDS

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

MARKS = {"fixed": "─", "revolute": "↻", "prismatic": "⇕", "floating": "~"}


def tree_picture(model: RobotModel) -> str:
    """Return the links, each under its parent, with the joint that carries it.

    A chain without branches stays in one column, so that an arm of seven joints does
    not run out of the window.
    """
    children: dict[int, list[int]] = {}
    for i, parent in enumerate(model.parent.tolist()):
        children.setdefault(parent, []).append(i)
    tool = model.tool
    lines: list[str] = []
    stack = [(0, "", "")]
    while stack:
        i, lead, below = stack.pop()
        lines.append(lead + _label(model, i, is_tool=model.link_names[i] == tool))
        offspring = children.get(i, [])
        for child in reversed(offspring):
            if len(offspring) == 1:
                stack.append((child, below, below))
            else:
                is_last = child == offspring[-1]
                corner, wall = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
                stack.append((child, below + corner, below + wall))
    return "\n".join(lines)


def _label(model: RobotModel, i: int, *, is_tool: bool) -> str:
    kind = KINDS[model.joint_type[i]]
    mass = f"  {model.mass[i]:.3g} kg" if model.mass[i] else ""
    tool = "  (tool)" if is_tool else ""
    if model.parent[i] < 0:
        joint = "~ floats" if kind == "floating" else "fixed to the world"
        return f"{model.link_names[i]}  {joint}{mass}{tool}"
    joint = "" if kind == "fixed" else f" {model.joint_names_all[i]}"
    return f"{MARKS[kind]}{joint} → {model.link_names[i]}{mass}{tool}"
