"""`gelenk show`: what a robot or a robot file is made of."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import bold, dim, format_table, write, write_json
from gelenk.cli.facts import model_facts
from gelenk.cli.tree_picture import tree_picture

if TYPE_CHECKING:
    from gelenk.models.tree import RobotModel


def show(
    robot: Annotated[
        str,
        typer.Argument(metavar="NAME|FILE", help="Catalogue name, or a robot file."),
    ],
    degrees: Annotated[
        bool, typer.Option("--degrees", help="Angles in degrees in the tables.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, SI.")] = False,
) -> int:
    """Show joints with limits, the tree of links, masses."""
    import gelenk

    model = gelenk.load(robot)
    if json:
        write_json(model_facts(model))
    else:
        print_model(model, degrees=degrees)
    return exit_codes.OK


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
    write(tree_picture(model))


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
