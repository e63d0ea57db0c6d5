"""`gelenk robot`: what a robot or a robot file is made of."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import bold, dim, format_table, render, write, write_json

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel

KINDS = (
    "fixed",
    "revolute",
    "prismatic",
    "floating",
    "ball",
)  # in the order of `JointType`
MARKS = {"fixed": "─", "revolute": "↻", "prismatic": "⇕", "floating": "~", "ball": "●"}


def robot(
    name: Annotated[
        str,
        typer.Argument(metavar="NAME|FILE", help="Robot by name, or a robot file."),
    ],
    degrees: Annotated[
        bool, typer.Option("--degrees", help="Angles in degrees in the tables.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, SI.")] = False,
) -> int:
    """Describe a robot: joints with limits, the tree of links, masses, sources."""
    import gelenk
    from gelenk.models.catalog import registry

    model = gelenk.load(name)
    spec = registry.describe(name) if name in registry.names() else None
    if json:
        about = {"title": spec.title, "provenance": spec.provenance} if spec else {}
        write_json(model_facts(model) | about)
        return exit_codes.OK
    if spec is not None:
        write(spec.title)
        write(dim(f"source: {spec.provenance}"))
        write()
    print_model(model, degrees=degrees)
    return exit_codes.OK


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


def print_model(model: RobotModel, *, degrees: bool = False) -> None:
    """Write the facts of `model` as tables and a picture of its tree."""
    facts = model_facts(model)
    tool = f", tool {facts['tool']}" if facts["tool"] else ", no single tool"
    base = ", floating base" if facts["has_floating_base"] else ""
    write(bold(facts["name"]))
    write(
        f"{len(facts['joints'])} joints, {len(facts['links'])} links, "
        f"{facts['mass']:.4g} kg{tool}{base}"
    )
    write()
    write(joint_table(facts["joints"], degrees=degrees))
    for joint in facts["other_joints"]:
        write(dim(f"{joint['name']}: {joint['kind']}, set by {joint['set_by']}"))
    for loop in facts["loops"]:
        write(dim(f"loop {loop['name']} ({loop['kind']}): {', '.join(loop['links'])}"))
    write()
    write(draw_links(model))


def joint_table(joints: list[dict[str, Any]], *, degrees: bool = False) -> str:
    """Return the joints in the order of `q` as a table with units."""
    rows: list[tuple[str, ...]] = []
    for i, joint in enumerate(joints):
        turns = joint["kind"] == "revolute"
        unit, scale = joint["unit"], 1.0
        if turns and degrees:
            unit, scale = "deg", 180.0 / math.pi
        effort = "N m" if turns else "N"
        rows.append(
            (
                str(i),
                joint["name"],
                joint["kind"],
                _number(joint["lower"] * scale),
                _number(joint["upper"] * scale),
                unit,
                _with_unit(joint["max_velocity"] * scale, f"{unit}/s"),
                _with_unit(joint["max_effort"], effort),
                _number(joint["home"] * scale),
            )
        )
    header = ("q", "joint", "kind", "lower", "upper", "", "speed", "effort", "home")
    return format_table(header, rows, align="rllrrlrrr")


def _number(value: float) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:.4g}"


def _with_unit(value: float, unit: str) -> str:
    return "∞" if math.isinf(value) else f"{value:.4g} {unit}"


def draw_links(model: RobotModel) -> str:
    """Return the links, each under its parent, with the joint that carries it.

    A chain without branches stays in one column, so that an arm of seven joints does
    not run out of the window.
    """
    from rich.text import Text
    from rich.tree import Tree

    children: dict[int, list[int]] = {}
    for i, parent in enumerate(model.parent.tolist()):
        children.setdefault(parent, []).append(i)

    def chain_from(i: int) -> tuple[Text, list[int]]:
        """Return the labels down to the next branching, and its branches."""
        labels = [_label(model, i)]
        while len(offspring := children.get(i, [])) == 1:
            i = offspring[0]
            labels.append(_label(model, i))
        return Text("\n".join(labels)), offspring

    label, branches = chain_from(0)
    root = Tree(label)
    stack = [(root, i) for i in branches]
    while stack:
        tree, i = stack.pop(0)
        label, branches = chain_from(i)
        twig = tree.add(label)
        stack += [(twig, branch) for branch in branches]
    return render(root)


def _label(model: RobotModel, i: int) -> str:
    kind = KINDS[model.joint_type[i]]
    mass = f"  {model.mass[i]:.3g} kg" if model.mass[i] else ""
    tool = "  (tool)" if model.link_names[i] == model.tool else ""
    if model.parent[i] < 0:
        joint = "~ floats" if kind == "floating" else "fixed to the world"
        return f"{model.link_names[i]}  {joint}{mass}{tool}"
    joint = "" if kind == "fixed" else f" {model.joint_names_all[i]}"
    return f"{MARKS[kind]}{joint} → {model.link_names[i]}{mass}{tool}"
