"""`gelenk ik`: joint values that bring a robot's tool to a pose."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import bold, dim, format_table, say, write, write_json
from gelenk.cli.robot import model_facts
from gelenk.cli.pose_input import FORMS, parse_numbers, parse_pose

if TYPE_CHECKING:
    from gelenk.kinematics.inverse.result import IkResult
    from gelenk.models.tree import RobotModel


class Method(StrEnum):
    """Names of the inverse-kinematics methods."""

    lm = "lm"
    closed = "closed"
    simplex = "simplex"
    jacobian = "jacobian"


def ik(
    robot: Annotated[
        str,
        typer.Argument(metavar="NAME|FILE", help="Catalogue name, or a robot file."),
    ],
    pose: Annotated[
        str, typer.Option("--pose", help=f"Wanted tool pose in the base: {FORMS}.")
    ],
    method: Annotated[
        Method, typer.Option("--method", help="How to solve.")
    ] = Method.lm,
    start: Annotated[
        str | None, typer.Option("--start", help="Joint values to start from.")
    ] = None,
    frame: Annotated[
        str | None, typer.Option("--frame", help="Link to place, by default the tool.")
    ] = None,
    degrees: Annotated[
        bool, typer.Option("--degrees", help="Angles in degrees, in and out.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object, SI.")] = False,
) -> int:
    """Find joint values for a tool pose; exit code 1 if none were found."""
    import gelenk

    T = parse_pose(pose, degrees=degrees)
    model = gelenk.load(robot)
    options: dict[str, Any] = {}
    if frame is not None:
        options["frame"] = frame
    if start is not None:
        options["q0"] = _start(model, start, degrees=degrees)
    result = model.inverse(T, method=method.value, **options)
    if json:
        write_json({"robot": model.name, "method": method.value} | as_dict(result))
    else:
        _print_result(model, result, degrees=degrees)
    return exit_codes.OK if result.converged else exit_codes.MISSED


def as_dict(result: IkResult) -> dict[str, Any]:
    """Return the fields of a result that `--json` shows."""
    return {
        "status": str(result.status),
        "q": result.q,
        "position_error": result.position_error,
        "rotation_error": result.rotation_error,
        "iterations": result.iterations,
        "starts": result.starts,
        "active_limits": result.active_limits,
        "solutions": result.solutions,
        "message": result.message,
    }


def _start(model: RobotModel, text: str, *, degrees: bool) -> list[float]:
    values = parse_numbers(text, option="--start")
    if not degrees:
        return values
    kinds = [joint["kind"] for joint in model_facts(model)["joints"]]
    turns = [kind == "revolute" for kind in kinds]
    turns = [False] * (len(values) - len(turns)) + turns
    return [
        math.radians(value) if turn else value
        for value, turn in zip(values, turns, strict=False)
    ]


def _print_result(model: RobotModel, result: IkResult, *, degrees: bool) -> None:
    write(f"{bold(str(result.status))}: {result.message}")
    write(
        dim(
            f"position error {result.position_error:.2e} m, "
            f"rotation error {result.rotation_error:.2e} rad"
            + (f", {result.iterations} iterations" if result.iterations else "")
        )
    )
    joints = model_facts(model)["joints"]
    q = result.q[-len(joints) :]  # a floating base comes before the joints
    rows: list[tuple[str, ...]] = []
    for joint, value, on_limit in zip(
        joints, q, result.active_limits[-len(joints) :], strict=True
    ):
        unit = joint["unit"]
        if unit == "rad" and degrees:
            value, unit = math.degrees(value), "deg"
        rows.append(
            (joint["name"], f"{value:.6f}", unit, "on limit" if on_limit else "")
        )
    write(format_table(("joint", "value", "", ""), rows, align="lrll"))
    if len(result.solutions) > 1:
        say(f"{len(result.solutions)} solutions exist; `--json` lists all")
