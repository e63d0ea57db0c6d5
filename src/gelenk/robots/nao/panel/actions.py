"""Buttons beside a NAO that calibrates itself."""

from __future__ import annotations

from collections.abc import Mapping

from gelenk.robots.nao.automaton import AutomatonState, Phase
from gelenk.robots.nao.joints import SIDES, Side
from gelenk.robots.nao.poses.view import TARGETS
from gelenk.runtime.panel import (
    ActionError,
    ChoiceField,
    NumberField,
    PanelAction,
    Value,
)


def calibration_actions(
    state: AutomatonState, poses: int, *, is_covered: bool
) -> tuple[PanelAction, ...]:
    """Return the buttons, as they are now.

    Args:
        state: Of the automaton.
        poses: Of each leg.
        is_covered: Whether the lens is.
    """
    side = ChoiceField(name="side", title="Leg", choices=SIDES, default="left")
    view = (side, _number("pose", poses), _number("gaze", len(TARGETS)))
    return (
        PanelAction(
            name="start",
            title="Press left bumper",
            help="Begins the calibration.",
            is_enabled=state.phase is Phase.IDLE,
            group="Bumpers",
        ),
        PanelAction(
            name="abort",
            title="Press right bumper",
            help="Ends it; the motors are switched off.",
            is_enabled=not state.is_over and state.phase is not Phase.IDLE,
            group="Bumpers",
        ),
        PanelAction(
            name="lens",
            title="Uncover the lens" if is_covered else "Cover the lens",
            help="Holds a black plate before the lower camera.",
            group="Trouble",
        ),
        PanelAction(
            name="cloth",
            title="Lay a cloth over a board",
            help="Once more takes it away.",
            fields=(side,),
            group="Trouble",
        ),
        PanelAction(
            name="show",
            title="Show a view",
            help="Before and after the calibration.",
            fields=view,
            is_enabled=bool(state.views),
            group="Views",
        ),
        PanelAction(
            name="replay",
            title="Take the pose again",
            help="With the new parameters; then it looks whether they fit.",
            fields=view,
            is_enabled=state.phase is Phase.DONE,
            group="Views",
        ),
    )


def side_of(values: Mapping[str, Value]) -> Side:
    """Return the leg that was chosen."""
    return "left" if values["side"] == "left" else "right"


def place_of(values: Mapping[str, Value]) -> tuple[Side, int, int]:
    """Return leg, pose and gaze that were chosen, counted from 0.

    Raises:
        ActionError: If a number is not whole.
    """
    return side_of(values), _whole(values, "pose") - 1, _whole(values, "gaze") - 1


def _number(name: str, end: int) -> NumberField:
    return NumberField(
        name=name,
        title=name.capitalize(),
        default=1.0,
        minimum=1.0,
        maximum=float(end),
    )


def _whole(values: Mapping[str, Value], name: str) -> int:
    value = values[name]
    if not isinstance(value, float) or value != round(value):
        raise ActionError(f"expected a whole number, got {value}", field=name)
    return round(value)
