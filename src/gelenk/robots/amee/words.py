"""What AMEE is about, in words, for people."""

from __future__ import annotations

from collections.abc import Sequence

from gelenk.robots.amee.config import LEG_NAMES
from gelenk.robots.amee.coordinator.coordinator import Coordinator
from gelenk.robots.amee.coordinator.diagnosis import Cause, Entry

JOINTS = ("A, hip yaw", "B, hip pitch", "C, knee", "D, ankle")


def name_of(leg: int) -> str:
    """Return who a leg is.

    Example:
        >>> name_of(1)
        'leg 2, front left'
    """
    return f"leg {leg + 1}, {LEG_NAMES[leg].replace('_', ' ')}"


def names_of(legs: Sequence[int]) -> str:
    """Return who some legs are; of several only the numbers.

    Example:
        >>> names_of((0, 2))
        'legs 1 and 3'
    """
    if len(legs) == 1:
        return name_of(legs[0])
    numbers = [str(leg + 1) for leg in legs]
    return f"legs {', '.join(numbers[:-1])} and {numbers[-1]}"


def doing(coordinator: Coordinator) -> str:
    """Return what the robot is about, as its main controller knows it."""
    if coordinator.state != "walking":
        return coordinator.state
    desk = coordinator.desk
    raised = [leg for leg, view in enumerate(desk.legs) if not view.stands]
    if not raised:
        return "all feet push the torso on" if desk.moves else "stands on four feet"
    swings = f"{names_of(raised)}, {'steps' if len(raised) == 1 else 'swing'}"
    return f"{swings}, the others push" if desk.moves else swings


def reason(cause: Cause) -> str:
    """Return why a walk ended, empty if it arrived.

    Example:
        >>> reason(Cause(kind="drive", leg=2, actor=1, text="draws no current"))
        'leg 3, rear left, joint B: draws no current'
    """
    if cause.kind == "none":
        return ""
    where = [name_of(cause.leg)] if cause.leg >= 0 else []
    where += [f"joint {'ABCD'[cause.actor]}"] if cause.actor >= 0 else []
    return f"{', '.join(where)}: {cause.text}" if where else cause.text


def entry_line(entry: Entry) -> str:
    """Return a line of the log as people read it."""
    who = "robot" if entry.leg < 0 else name_of(entry.leg)
    mark = {"warning": "warning: ", "fault": "fault: "}.get(entry.weight, "")
    return f"{entry.time:8.1f} s  {who}: {mark}{entry.text}"
