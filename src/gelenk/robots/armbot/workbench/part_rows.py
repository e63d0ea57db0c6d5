"""Rows of a table of parts: fields of each part, and the arms that ship as rows."""

from __future__ import annotations

import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
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
from gelenk.models.parts.components import LINE_RADIUS, LINEAR_SPEED, SERVO_SPEED, Motor
from gelenk.robots.armbot.problems import close_match
from gelenk.robots.armbot.workbench.arms import shipped_arms
from gelenk.robots.armbot.workbench.fields import (
    FieldError,
    as_number,
    as_numbers,
    check_fields,
    quoted,
)
from gelenk.spatial.plane_angles import plane_angles_from_matrix
from gelenk.typing import FloatArray

MAX_ROWS = 200
CHAIN = "closed_chain"
BODY = "body"
# Fields of each part besides name, parent, at and turn.
PARTS: Mapping[str, tuple[str, ...]] = {
    "servo": ("axis", "limits", "home", "max_speed", "mass"),
    "spindle": ("axis", "max_speed", "mass"),
    "linear_motor": ("limits", "home", "max_speed", "mass"),
    "segment": ("length", "to", "radius", "mass"),
    "touch_segment": ("length", "to", "radius", "mass"),
    "t_connector": ("mass",),
    "fullrot": ("home",),
    "axisrot": ("home",),
    "linear": ("home",),
    "touch_point": ("radius", "mass"),
    "termination_point": (),
    "gripper_mount": ("mass",),
}
_PLACED = ("part", "name", "parent", "at", "turn")
_CHAINED = ("part", "name", "ends", "branch", "pattern")
_ALL = dict.fromkeys(
    (*_PLACED, *_CHAINED, *(name for names in PARTS.values() for name in names))
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_AXES = ("xy", "xz", "yz")


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """An end of a chain: a part, and a place on it [m]."""

    part: str
    at: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A part as it is attached.

    Attributes:
        part: Its kind, the name of a method of `Tip`, or `closed_chain`.
        name: Its name; empty lets the assembly choose one.
        parent: Part that carries it; None: that of the row before.
        end: Of a segment: its length or its end point [m].
        options: Keyword arguments of the method.
        ends: Of a closed chain.
    """

    part: str
    name: str = ""
    parent: str | None = None
    end: float | tuple[float, float, float] | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    ends: tuple[End, ...] = ()


def read_row(value: object) -> Row:
    """Return a row of a request; fields that are missing or None are not given.

    Raises:
        FieldError: With the field that is wrong.
    """
    given = {k: v for k, v in check_fields(value, _ALL).items() if v is not None}
    part = given.get("part")
    kinds = (*PARTS, CHAIN)
    if not isinstance(part, str) or part not in kinds:
        hint = close_match(
            str(part)[:40], kinds, or_list=f"; one of {', '.join(kinds)}"
        )
        raise FieldError("part", f"expected a kind of part, got {quoted(part)}{hint}")
    name = _read_name(given, "name", may_be_empty=part != CHAIN)
    if part == CHAIN:
        _refuse_others(given, part, _CHAINED)
        return Row(
            part=part, name=name, ends=_read_ends(given), options=_chain_options(given)
        )
    _refuse_others(given, part, (*_PLACED, *PARTS[part]))
    end = _read_end(given) if "length" in PARTS[part] else None
    parent = _read_name(given, "parent", may_be_empty=True) or None
    options = {
        key: _read_option(key, given[key], part)
        for key in (*PARTS[part], "at", "turn")
        if key in given and key not in ("length", "to")
    }
    return Row(part=part, name=name, parent=parent, end=end, options=options)


def _refuse_others(given: Mapping[str, Any], part: str, known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            raise FieldError(key, f"a {words_of(part)} has none; leave it empty")


def _read_name(given: Mapping[str, Any], key: str, *, may_be_empty: bool) -> str:
    name = given.get(key, "")
    if not isinstance(name, str):
        raise FieldError(key, f"expected a name, got {quoted(name)}")
    name = name.strip()
    if not name and may_be_empty:
        return ""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise FieldError(
            key,
            "expected a name of letters, digits and _ that begins with a letter, got "
            f"{quoted(name)}",
        )
    return name


def _read_end(given: Mapping[str, Any]) -> float | tuple[float, float, float]:
    if ("length" in given) == ("to" in given):
        raise FieldError(
            "length", "give either a length, or the end point `to` [m], of a segment"
        )
    if "length" in given:
        length = as_number("length", given["length"])
        if not length > 0.0:
            raise FieldError("length", f"expected a length > 0 m, got {length:g}")
        return length
    return _vector("to", given["to"], "three coordinates x, y, z [m]")


def _read_option(key: str, value: object, part: str) -> Any:
    if key == "axis":
        if value not in _AXES:
            raise FieldError(
                key, f"expected a plane, xy, xz or yz, got {quoted(value)}"
            )
        return value
    if key in ("at", "turn"):
        what = "x, y, z [m]" if key == "at" else "angles xy, xz, yz [rad]"
        return _vector(key, value, f"three numbers {what}")
    if key == "limits":
        low, high = as_numbers(key, value, 2, "smallest and largest value").tolist()
        if low > high:
            raise FieldError(key, f"the smallest value {low:g} is above {high:g}")
        return (low, high)
    if key == "home" and part == "fullrot":
        xy, xz = as_numbers(key, value, 2, "two angles xy, xz [rad]").tolist()
        return (xy, xz)
    number = as_number(key, value)
    if key in ("mass", "radius", "max_speed") and number < 0.0:
        raise FieldError(key, f"expected a number that is not negative, got {number:g}")
    return number


def _vector(key: str, value: object, what: str) -> tuple[float, float, float]:
    x, y, z = as_numbers(key, value, 3, what).tolist()
    return (x, y, z)


def _chain_options(given: Mapping[str, Any]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if "branch" in given:
        if given["branch"] not in (-1, 0, 1) or isinstance(given["branch"], bool):
            raise FieldError(
                "branch", f"expected -1, 0 or 1, got {quoted(given['branch'])}"
            )
        options["branch"] = int(given["branch"])
    if "pattern" in given:
        if given["pattern"] not in ("preferred", "required"):
            raise FieldError(
                "pattern",
                f"expected preferred or required, got {quoted(given['pattern'])}",
            )
        options["pattern"] = given["pattern"]
    return options


def _read_ends(given: Mapping[str, Any]) -> tuple[End, ...]:
    ends = given.get("ends")
    if not isinstance(ends, list) or not 2 <= len(ends) <= 12:
        raise FieldError(
            "ends", f"expected the names of 2 to 12 parts that meet, got {quoted(ends)}"
        )
    return tuple(_read_one_end(end) for end in ends)


def _read_one_end(end: object) -> End:
    if isinstance(end, str):
        return End(part=_read_name({"ends": end}, "ends", may_be_empty=False))
    if not isinstance(end, dict) or not set(end) <= {"part", "at"}:
        raise FieldError(
            "ends",
            f"expected the name of a part, or `part` and `at`, got {quoted(end)}",
        )
    part = _read_name({"ends": end.get("part")}, "ends", may_be_empty=False)
    at = end.get("at")
    if at is None:
        return End(part=part)
    return End(part=part, at=_vector("ends", at, "a place x, y, z [m]"))


def words_of(part: str) -> str:
    """Return the kind of a part in words: "linear motor" for linear_motor."""
    return "t-connector" if part == "t_connector" else part.replace("_", " ")


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
