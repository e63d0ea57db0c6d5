"""A motion file made ready to be played: names resolved, angles in radians."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from gelenk.typing import FloatArray, IntArray

KEEP, DRIVE, OFF = 0, 1, 2  # what a line does with a joint


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MoveStep:
    """A line of angles.

    Attributes:
        values: Targets or increments [rad], 0 where there are none, shape (22,).
        modes: KEEP, DRIVE or OFF for each joint, shape (22,).
        is_relative: Whether the values are increments.
        duration: Shortest time of the move [s].
        max_speed: [rad/s]; infinite if the line does not limit it.
        is_milestone: Whether to hold the pose.
        token: What the line announces.
        line: Its number in the file.
    """

    values: FloatArray
    modes: IntArray
    is_relative: bool
    duration: float
    max_speed: float
    is_milestone: bool
    token: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StiffnessStep:
    """A line of hardness: stiffness 0 to 1, shape (22,), reached in a time [s]."""

    stiffness: FloatArray
    duration: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Jump:
    """A transition.

    Attributes:
        goal: Number of the step to go on with.
        request: Requested motion that it waits for; None: always taken.
        is_rest: Whether it costs one tick, as the last line of `motions` does.
    """

    goal: int
    request: str | None
    is_rest: bool


Step: TypeAlias = MoveStep | StiffnessStep | Jump


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MotionProgram:
    """Steps of all motions in a row; it begins with the first.

    Attributes:
        steps: They never run off the end: each motion closes with a jump.
        owners: Name of the motion that each step belongs to.
        motions: Names in the order of the file.
        requests: Names that a transition waits for.
    """

    steps: tuple[Step, ...]
    owners: tuple[str, ...]
    motions: tuple[str, ...]
    requests: frozenset[str]
