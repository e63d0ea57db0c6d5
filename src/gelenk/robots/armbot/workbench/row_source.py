"""Writes a table of parts as Python: a class that builds the same arm."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from gelenk.models.parts import GripperMount, Tip
from gelenk.robots.armbot.workbench.part_rows import BODY, CHAIN, End, Row

WIDTH = 88  # columns
_TAKEN = frozenset({BODY, "self", "math", "float", "Tip", "Assembly"})
_ANGLES = ("turn",)  # always; `limits` and `home` where the part turns
_TURNING = ("servo", "spindle", "fullrot", "axisrot")


def write_source(name: str, rows: Mapping[int, Row], tips: Mapping[int, Tip]) -> str:
    """Return Python text with a class `name` that joins the rows in their order."""
    variables: dict[str, str] = {BODY: BODY}
    lines: list[str] = []
    before, mount = BODY, BODY
    for number, row in rows.items():
        tip = tips[number]
        own_name = row.name or tip.name
        variable = f"{own_name}_" if own_name in _TAKEN else own_name
        while variable in variables.values():
            variable += "_"
        variables[own_name] = variable
        carrier = before if row.parent is None else variables[row.parent]
        lines += _statement(variable, carrier, row, own_name, variables)
        before = variable
        if isinstance(tip.part, GripperMount) and row.part != CHAIN:
            mount = variable
    uses_math = any("math." in line for line in lines)
    head = ["import math", ""] if uses_math else []
    head += [
        "from gelenk.robots.armbot.model import Assembly, ManipulatorModel, Tip",
        "",
        "",
        f"class {name}(ManipulatorModel):",
        '    """Made of parts at the workbench; metres and radians."""',
        "",
        "    def build(self, body: Assembly) -> Tip:",
    ]
    return "\n".join([*head, *lines, f"        return {mount}", ""])


def _statement(
    variable: str, carrier: str, row: Row, name: str, variables: Mapping[str, str]
) -> list[str]:
    if row.part == CHAIN:
        ends = ", ".join(_end(end, variables) for end in row.ends)
        call, arguments = "body.closed_chain", [f'"{name}"', f"[{ends}]"]
    else:
        call, arguments = f"{carrier}.{row.part}", [f'"{name}"']
        if row.end is not None:
            arguments.insert(0, _value(row.end))
    arguments += [
        f"{key}={_option(key, value, row.part)}" for key, value in row.options.items()
    ]
    line = f"        {variable} = {call}({', '.join(arguments)})"
    if len(line) <= WIDTH:
        return [line]
    return [
        f"        {variable} = {call}(",
        *(f"            {argument}," for argument in arguments),
        "        )",
    ]


def _end(end: End, variables: Mapping[str, str]) -> str:
    variable = variables[end.part]
    return variable if end.at is None else f"{variable}.point(at={_value(end.at)})"


def _option(key: str, value: Any, part: str) -> str:
    is_angle = key in _ANGLES or (key in ("limits", "home") and part in _TURNING)
    if is_angle or (key == "max_speed" and part in _TURNING):
        return _angle(value)
    return _value(value)


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_value(item) for item in value)})"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _angle(value: Any) -> str:
    """Return radians as whole degrees where they are some: people think in them."""
    if isinstance(value, tuple):
        return f"({', '.join(_angle(item) for item in value)})"
    degrees = round(math.degrees(value), 6)
    is_short = degrees == round(degrees, 2)
    if value != 0.0 and is_short and math.isclose(math.radians(degrees), value):
        return f"math.radians({degrees})"
    return repr(value)
