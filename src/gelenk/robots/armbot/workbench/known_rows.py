"""The arms that ship as tables of parts: starting points for own ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from gelenk.models.parts import (
    Assembly,
    AxisRot,
    ClosedChain,
    FullRot,
    Linear,
    Part,
    Segment,
    Servo,
    Spindle,
    TouchPoint,
)
from gelenk.models.parts.components import (
    LINE_RADIUS,
    LINEAR_SPEED,
    SERVO_SPEED,
    Motor,
)
from gelenk.robots.armbot.problems import close_match
from gelenk.robots.armbot.workbench.arms import shipped_arms
from gelenk.robots.armbot.workbench.fields import FieldError, check_fields, quoted
from gelenk.robots.armbot.workbench.part_rows import BODY, CHAIN
from gelenk.spatial.plane_angles import plane_angles_from_matrix
from gelenk.typing import FloatArray

DIGITS = 12  # after the point; a picometre
NONE = 10.0**-DIGITS  # [m] or [rad]: what counts as nothing


def rows_of_arm(value: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a shipped arm as rows.

    Args:
        value: `arm`, its name.

    Returns:
        `rows`, as `assemble` takes them.
    """
    check_fields(value, ("arm",))
    name, names = value.get("arm"), shipped_arms()
    if not isinstance(name, str) or name not in names:
        listing = f"; there are {', '.join(names)}"
        hint = close_match(str(name)[:60], names, or_list=listing)
        raise FieldError(
            "arm", f"expected the name of an arm, got {quoted(name)}{hint}"
        )
    body = Assembly()
    names[name]().build(body)
    return {"rows": [_tidied(row) for row in describe_rows(body)]}


def describe_rows(body: Assembly) -> list[dict[str, Any]]:
    """Return the parts of an assembly as rows, closed chains where they are closed."""
    rows: list[dict[str, Any]] = []
    left = dict(body.closed_chains)
    before = BODY
    for index in range(1, len(body.parts)):
        name, parent = body.names[index], body.names[body.parents[index]]
        # What hangs on a closed chain stands behind it, so that it reads in order.
        for chain in _closed_before(left, parent, body, index):
            rows.append(_chain_row(chain, body))
            before = parent
        row = _part_row(body.parts[index], name)
        T, carrier = body.T_fix_tail[index], body.parts[body.parents[index]]
        if T is not None:
            row |= _place_fields(T, carrier)
        if parent != before:
            row["parent"] = parent
        rows.append(row)
        before = name
    rows += [_chain_row(chain, body) for chain in left.values()]
    return rows


def _tidied(value: Any) -> Any:
    """Return numbers without the last digits that computing left in them."""
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0
    if isinstance(value, list):
        return [_tidied(item) for item in value]
    if isinstance(value, dict):
        return {key: _tidied(item) for key, item in value.items()}
    return value


def _closed_before(
    left: dict[str, ClosedChain], parent: str, body: Assembly, index: int
) -> list[ClosedChain]:
    """Take the chains whose first end carries a part, once all their ends exist."""
    found = [
        chain
        for chain in left.values()
        if chain.ends[0].part == parent
        and all(body.index_of(end.part) < index for end in chain.ends)
    ]
    for chain in found:
        del left[chain.name]
    return found


def _chain_row(chain: ClosedChain, body: Assembly) -> dict[str, Any]:
    ends: list[Any] = []
    for end in chain.ends:
        at = _place_fields(end.T_part_point, body.get(end.part).part).get("at")
        ends.append(end.part if at is None else {"part": end.part, "at": at})
    row: dict[str, Any] = {"part": CHAIN, "name": chain.name, "ends": ends}
    if chain.branch:
        row["branch"] = chain.branch
    if chain.pattern != "preferred":
        row["pattern"] = chain.pattern
    return row


def _part_row(part: Part, name: str) -> dict[str, Any]:
    kind = part.kind.replace(" ", "_").replace("-", "_")
    row: dict[str, Any] = {"part": kind, "name": name}
    if isinstance(part, Segment):
        x, y, z = part.to
        is_along_x = x > 0.0 and y == z == 0.0
        row |= {"length": x} if is_along_x else {"to": list(part.to)}
        if part.radius is not None:
            row["radius"] = part.radius
    elif isinstance(part, Motor):
        row |= _motor_fields(part)
    elif isinstance(part, FullRot) and any(part.home):
        row["home"] = list(part.home)
    elif isinstance(part, AxisRot | Linear) and part.home:
        row["home"] = part.home
    elif isinstance(part, TouchPoint) and part.radius != LINE_RADIUS:
        row["radius"] = part.radius
    if part.mass:
        row["mass"] = part.mass
    return row


def _motor_fields(part: Motor) -> dict[str, Any]:
    row: dict[str, Any] = {}
    if isinstance(part, Servo):
        row["axis"] = part.axis
    if not isinstance(part, Spindle) and np.isfinite(part.limits).all():
        row["limits"] = list(part.limits)
    if part.home is not None:
        row["home"] = part.home
    usual = SERVO_SPEED if isinstance(part, Servo) else LINEAR_SPEED
    if part.max_speed != usual and np.isfinite(part.max_speed):
        row["max_speed"] = part.max_speed
    return row


def _place_fields(T: FloatArray, carrier: Part) -> dict[str, Any]:
    """Return place and turn of a connection point; most parts have theirs fixed."""
    angles = plane_angles_from_matrix(T[:3, :3], order="forward").angles
    row: dict[str, Any] = {}
    if carrier.carries_many and np.abs(T[:3, 3]).max() > NONE:
        row["at"] = T[:3, 3].tolist()
    if np.abs(angles).max() > NONE:
        row["turn"] = np.where(np.abs(angles) > NONE, angles, 0.0).tolist()
    return row
