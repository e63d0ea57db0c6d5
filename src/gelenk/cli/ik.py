"""`gelenk ik`: joint values that bring a robot's tool to a pose."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gelenk.cli import exit_codes
from gelenk.cli.console import bold, dim, format_table, say, write, write_json
from gelenk.cli.robot import model_facts
from gelenk.errors import ConfigError

if TYPE_CHECKING:
    from gelenk.kinematics.inverse.result import IkResult
    from gelenk.models.tree import RobotModel
    from gelenk.typing import FloatArray


FORMS = (
    "write x,y,z,roll,pitch,yaw or 16 numbers row by row, or JSON: a 4 x 4 list, "
    '{"xyz": [...], "rpy": [...]} or {"xyz": [...], "wxyz": [...]}'
)


def parse_pose(text: str, *, degrees: bool = False) -> FloatArray:
    """Return the pose that `text` states, shape (4, 4).

    Lengths are in [m]; roll, pitch and yaw turn about the fixed axes x, y, z in this
    order.

    Args:
        text: Six or sixteen numbers, or JSON; see `FORMS`.
        degrees: Whether roll, pitch and yaw are in degrees.

    Raises:
        ConfigError: If the text is not a pose.

    Example:
        >>> parse_pose("0.4, 0.1, 0.5, 0, 0, 90", degrees=True)[:3, 3].tolist()
        [0.4, 0.1, 0.5]
    """
    stripped = text.strip()
    value = _from_json(stripped) if stripped[:1] in ("[", "{") else _numbers(stripped)
    if isinstance(value, Mapping):
        return _from_parts(value, text, degrees=degrees)
    return _from_numbers(_flat(value, text), text, degrees=degrees)


def parse_numbers(text: str, *, option: str) -> list[float]:
    """Return the numbers of `text`, separated by commas or blanks, or as a JSON list.

    Raises:
        ConfigError: If one of them is not a number; the message names `option`.
    """
    try:
        return _flat(_numbers(text.strip().strip("[]")), text)
    except ConfigError as error:
        raise ConfigError(f"`{option}`: {error}") from error


def _from_json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise _refuse(
            text, f"is not JSON ({error.msg}, column {error.colno})"
        ) from None


def _numbers(text: str) -> list[str]:
    return [word for word in re.split(r"[,;\s]+", text) if word]


def _flat(value: Any, text: str) -> list[float]:
    """Return nested lists of numbers as one list of finite floats."""
    if isinstance(value, list):
        return [number for item in value for number in _flat(item, text)]
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise ConfigError(f"{value!r} in {text!r} is not a number") from None
    if number - number != 0.0:  # inf and nan
        raise ConfigError(f"{value!r} in {text!r} is not finite")
    return [number]


def _from_parts(parts: Mapping[str, Any], text: str, *, degrees: bool) -> FloatArray:
    keys = set(parts)
    if keys == {"T"}:
        return _from_numbers(_flat(parts["T"], text), text, degrees=degrees)
    xyz = _flat(parts.get("xyz", []), text)
    if keys == {"xyz", "rpy"}:
        return _from_numbers(xyz + _flat(parts["rpy"], text), text, degrees=degrees)
    if keys == {"xyz", "wxyz"} and len(wxyz := _flat(parts["wxyz"], text)) == 4:
        from gelenk.spatial import se3
        from gelenk.spatial.quaternion import matrix_from_quaternion

        R = matrix_from_quaternion(wxyz)
        return se3.pose_from_rotation_translation(R, xyz)
    raise _refuse(text, f"has the keys {', '.join(sorted(keys)) or 'none'}")


def _from_numbers(numbers: list[float], text: str, *, degrees: bool) -> FloatArray:
    import numpy as np

    from gelenk.spatial import se3
    from gelenk.spatial.euler import matrix_from_rpy

    if len(numbers) == 6:
        angles = np.array(numbers[3:])
        R = matrix_from_rpy(*(np.deg2rad(angles) if degrees else angles))
        return se3.pose_from_rotation_translation(R, np.array(numbers[:3]))
    if len(numbers) == 16:
        T = np.array(numbers).reshape(4, 4)
        if not se3.is_pose(T, tol=1e-6):
            raise _refuse(text, "is not a pose: its rotation part is not a rotation")
        return T
    raise _refuse(text, f"has {len(numbers)} numbers")


def _refuse(text: str, problem: str) -> ConfigError:
    shown = text if len(text) < 60 else text[:57] + "..."
    return ConfigError(f"the pose {shown!r} {problem}; {FORMS}")


def ik(
    robot: Annotated[
        str,
        typer.Argument(metavar="NAME|FILE", help="Catalogue name, or a robot file."),
    ],
    pose: Annotated[
        str, typer.Option("--pose", help=f"Wanted tool pose in the base: {FORMS}.")
    ],
    method: Annotated[
        Literal["lm", "closed", "simplex", "jacobian"],
        typer.Option("--method", help="How to solve."),
    ] = "lm",
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
    result = model.inverse(T, method=method, **options)
    if json:
        write_json({"robot": model.name, "method": method} | as_dict(result))
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
