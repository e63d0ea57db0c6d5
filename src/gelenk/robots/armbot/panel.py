"""The controls of a cell as plain data: what a page or a terminal has to draw.

Everything is made of dicts, lists, texts, numbers and booleans, so that it can be sent
as JSON. `press` is the way back.
"""

from __future__ import annotations

import dataclasses
import math
import typing
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from gelenk.errors import NameNotFoundError
from gelenk.robots.armbot.option_values import RenderFlags
from gelenk.runtime.run_controls import Buttons

if TYPE_CHECKING:
    from gelenk.robots.armbot.cell import Cell

SYMBOLS = {"start": "▶", "pause": "❚❚", "stop": "■", "reset": "↺"}
MOUSE = {
    "left": "turn about the focus",
    "left + shift": "move the focus in x and y",
    "right": "zoom; down is farther",
}
FLAGS = {
    "moving": "servos that move",
    "fast": "servos at 95 % of their top speed or more",
    "triggers": "areas that send triggers",
}


def describe_panel(
    cell: Cell, *, flags: RenderFlags | None = None, since: dict[str, int] | None = None
) -> dict[str, Any]:
    """Return all controls and what they show now.

    Args:
        cell: The cell.
        flags: What the view highlights.
        since: Line number by window from which on its lines are wanted; without it,
            or for windows not named, all.
    """
    execute, run = cell.execute, cell.run
    return {
        "time": run.time,
        "is_held": run.is_held,
        "state": str(execute.state),
        "buttons": _buttons(execute.buttons),
        "robots": [
            {
                "number": number,
                "state": str(state),
                "buttons": _buttons(execute.buttons_of(number)),
            }
            for number, state in execute.states.items()
        ],
        "windows": [_window(cell, action, since or {}) for action in cell.windows.menu],
        "commander": {
            "robots": list(cell.commander.robots),
            "selected": cell.commander.selected,
        },
        "parameters": describe_parameters(cell.setup.cfg),
        "flags": [
            {
                "name": name,
                "title": title,
                "is_on": getattr(flags or RenderFlags(), name),
            }
            for name, title in FLAGS.items()
        ],
        "mouse": dict(MOUSE),
    }


def press(cell: Cell, button: str, robot: int | None = None) -> Future[None]:
    """Press a button of the panel, for all robots or for one.

    Raises:
        NameNotFoundError: If there is no such button or robot.
    """
    if button not in Buttons._fields:
        raise NameNotFoundError("button", button, Buttons._fields)
    if button == "reset":
        return cell.execute.reset()
    return getattr(cell.execute, button)(robot)


def describe_parameters(cfg: Any) -> list[dict[str, Any]]:
    """Return the settings of a dataclass with their values, units and ranges."""
    hints = typing.get_type_hints(type(cfg))
    return [
        {
            "name": field.name,
            "value": getattr(cfg, field.name),
            "unit": field.metadata.get("unit", ""),
            "minimum": _finite(field.metadata.get("minimum")),
            "maximum": _finite(field.metadata.get("maximum")),
            "choices": [str(item) for item in typing.get_args(hints[field.name])],
        }
        for field in dataclasses.fields(cfg)
    ]


def _buttons(buttons: Buttons) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "title": name.capitalize(),
            "symbol": SYMBOLS[name],
            "is_enabled": is_enabled,
        }
        for name, is_enabled in buttons._asdict().items()
    ]


def _window(cell: Cell, action: Any, since: dict[str, int]) -> dict[str, Any]:
    name = action.window
    inputs = {"commander": ["line"], "triggers": ["receiver", "text"]}
    return {
        "name": name,
        "title": action.title,
        "is_open": action.is_checked,
        "inputs": inputs.get(name, []),
        "count": cell.windows.contents[name].scroll.count,
        "lines": list(cell.windows.lines(name, since.get(name, 0))),
    }


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
