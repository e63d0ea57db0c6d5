"""Actions of a panel: buttons with fields, and the check of their values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from gelenk.errors import ConfigError, GelenkError

MAX_TEXT = 2000  # characters

Value: TypeAlias = float | str | bool | tuple[float, float]


class ActionError(GelenkError, ValueError):
    """An action cannot be done with these values; nothing has changed.

    Attributes:
        field: Name of the field that is to blame; empty: none alone.
    """

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberField:
    """A number.

    Attributes:
        name: Key in the values of `RobotPanel.press`, or name of a parameter.
        title: Title in a few words.
        default: Number that stands in the field first.
        unit: Unit of the number.
        minimum, maximum: Limits of the accepted numbers, included; None: no limit.
        help: Explanation in one sentence.
    """

    kind: Literal["number"] = field(default="number", init=False)
    name: str
    title: str
    default: float
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceField:
    """One of several words.

    Attributes:
        name, title, help: Key, title and explanation as for `NumberField`.
        choices: Words to choose from.
        default: Word that is chosen first.
    """

    kind: Literal["choice"] = field(default="choice", init=False)
    name: str
    title: str
    choices: tuple[str, ...]
    default: str
    help: str = ""

    def __post_init__(self) -> None:
        if self.default not in self.choices:
            raise ConfigError(
                f"`default` of {self.name!r} must be one of {', '.join(self.choices)}, "
                f"got {self.default!r}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchField:
    """Switch, on or off; attributes as of `NumberField`."""

    kind: Literal["switch"] = field(default="switch", init=False)
    name: str
    title: str
    default: bool = False
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField:
    """Any text; attributes as of `NumberField`."""

    kind: Literal["text"] = field(default="text", init=False)
    name: str
    title: str
    default: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundField:
    """A point on the ground, chosen by a click into the 3D view.

    Attributes:
        name, title, help: Key, title and explanation as for `NumberField`.
        default: Point x, y that is chosen first [m]; None: it has to be chosen.
        low, high: Corners of the area in which points are accepted [m]; None: all.
        height: Height of the plane that is clicked at [m].
    """

    kind: Literal["ground"] = field(default="ground", init=False)
    name: str
    title: str
    default: tuple[float, float] | None = None
    low: tuple[float, float] | None = None
    high: tuple[float, float] | None = None
    height: float = 0.0
    help: str = ""


Field: TypeAlias = NumberField | ChoiceField | SwitchField | TextField | GroundField


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelAction:
    """A button, with fields that belong to it.

    Attributes:
        name: Name that `RobotPanel.press` gets.
        title: Text on the button.
        help: Explanation in one sentence.
        fields: Fields of the values that the action takes. With a `GroundField`, a
            click into the view does it at once where `is_done_by_click`.
        is_done_by_click: Whether choosing the point already presses the button.
        is_enabled: Whether it can be pressed now.
        group: Heading under which it stands; empty: none.
    """

    name: str
    title: str
    help: str = ""
    fields: tuple[Field, ...] = ()
    is_done_by_click: bool = True
    is_enabled: bool = True
    group: str = ""


def check_values(action: PanelAction, values: Mapping[str, Any]) -> dict[str, Value]:
    """Return a value for every field of an action; defaults where none is given.

    Args:
        action: Action to do.
        values: Given values by the name of the field.

    Returns:
        Numbers as floats, points as (x, y) [m].

    Raises:
        ActionError: If a value does not fit its field, or belongs to none.
    """
    names = [item.name for item in action.fields]
    for name in values:
        if name not in names:
            listing = ", ".join(names) or "none"
            message = f"{action.title} has no field {name!r}; it has: {listing}"
            raise ActionError(message, field=str(name))
    return {
        item.name: check_field(item, values.get(item.name, item.default))
        for item in action.fields
    }


def check_field(item: Field, value: Any) -> Value:
    """Return a value as a field takes it.

    Raises:
        ActionError: If it does not fit; the message says what would.
    """
    match item:
        case NumberField():
            return _check_number(item, value)
        case ChoiceField():
            if value not in item.choices:
                raise _wrong(item, f"one of {', '.join(item.choices)}", value)
            return value
        case SwitchField():
            if not isinstance(value, bool):
                raise _wrong(item, "true or false", value)
            return value
        case TextField():
            if not isinstance(value, str) or len(value) > MAX_TEXT:
                raise _wrong(item, f"a text of up to {MAX_TEXT} characters", value)
            return value
        case GroundField():
            return _check_ground(item, value)


def _check_number(item: NumberField, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, float | int):
        raise _wrong(item, "a number", value)
    low, high = item.minimum, item.maximum
    is_low, is_high = low is not None and value < low, high is not None and value > high
    if not math.isfinite(value) or is_low or is_high:
        ends = " and ".join(
            f"{word} {end:g} {item.unit}".rstrip()
            for word, end in (("at least", low), ("at most", high))
            if end is not None
        )
        raise _wrong(item, ends or "a finite number", value)
    return float(value)


def _check_ground(item: GroundField, value: Any) -> tuple[float, float]:
    if value is None:
        raise ActionError(f"{item.title}: click into the view first", field=item.name)
    is_pair = isinstance(value, tuple | list) and len(value) == 2
    if not is_pair or not all(_is_finite(part) for part in value):
        raise _wrong(item, "a point x, y", value)
    x, y = float(value[0]), float(value[1])
    (x1, y1), (x2, y2) = (
        item.low or (-math.inf, -math.inf),
        item.high or (math.inf, math.inf),
    )
    if not (x1 <= x <= x2 and y1 <= y <= y2):
        area = f"{x1:g} to {x2:g} m in x and {y1:g} to {y2:g} m in y"
        raise _wrong(item, f"a point in {area}", f"({x:.2f}, {y:.2f}) m")
    return x, y


def _is_finite(value: Any) -> bool:
    is_number = isinstance(value, float | int) and not isinstance(value, bool)
    return is_number and math.isfinite(value)


def _wrong(item: Field, expected: str, value: object) -> ActionError:
    got = value if isinstance(value, str) else f"{value!r:.60}"
    text = f"{item.title}: expected {expected}, got {got:.60}"
    return ActionError(text, field=item.name)
