"""Autonomy levels: what a robot decides alone, and what its operator must confirm.

In the manner of FlexBE every outcome of a state has a required level. A transition
happens by itself if the robot's level is at least that; otherwise it waits until the
operator confirms it, or raises the level. The operator may also force another outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from gelenk.errors import NameNotFoundError


class Autonomy(IntEnum):
    """How much a robot decides by itself."""

    OFF = 0
    LOW = 1
    HIGH = 2
    FULL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One way to leave a state.

    Attributes:
        target: The next state.
        required: Level from which on it is taken without asking.
    """

    target: str
    required: Autonomy = Autonomy.OFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A state of the mission.

    Attributes:
        run: Called every cycle; the name of an outcome, or None: not finished.
        outcomes: By name; none: the mission ends here.
    """

    run: Callable[[Any], str | None] = lambda world: None
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Where a mission stands.

    Attributes:
        state: Present state.
        waiting: Outcome that waits for the operator, "" if none.
        required: Level that it needs.
        is_done: Whether the state has no outcomes.
    """

    state: str
    waiting: str = ""
    required: Autonomy = Autonomy.OFF
    is_done: bool = False


class Mission:
    """A state machine that asks before it does what it may not.

    Args:
        tasks: States by name.
        start: First state.
        level: Autonomy at the start.

    Example:
        >>> tasks = {
        ...     "look": Task(run=lambda w: "found", outcomes={
        ...         "found": Outcome(target="open", required=Autonomy.HIGH)}),
        ...     "open": Task(),
        ... }
        >>> mission = Mission(tasks, "look", level=Autonomy.LOW)
        >>> mission.step(None).waiting
        'found'
        >>> mission.confirm()
        >>> mission.step(None).state
        'open'
    """

    def __init__(
        self, tasks: Mapping[str, Task], start: str, *, level: Autonomy = Autonomy.FULL
    ) -> None:
        if start not in tasks:
            raise NameNotFoundError("task", start, tasks)
        for task in tasks.values():
            for outcome in task.outcomes.values():
                if outcome.target not in tasks:
                    raise NameNotFoundError("task", outcome.target, tasks)
        self._tasks, self._state, self.level = dict(tasks), start, level
        self._waiting, self._is_confirmed = "", False
        self.history: list[tuple[str, str, bool]] = []

    @property
    def state(self) -> str:
        """Present state."""
        return self._state

    def step(self, world: Any) -> Report:
        """Run one cycle of the present state, and go on if that is allowed."""
        outcomes = self._tasks[self._state].outcomes
        if not self._waiting:
            name = self._tasks[self._state].run(world)
            if name is not None:
                if name not in outcomes:
                    raise NameNotFoundError(
                        f"outcome of {self._state!r}", name, outcomes
                    )
                self._waiting = name
        if self._waiting:
            outcome = outcomes[self._waiting]
            if self._is_confirmed or self.level >= outcome.required:
                self._leave(self._waiting, outcome.target)
            else:
                return Report(
                    state=self._state, waiting=self._waiting, required=outcome.required
                )
        return Report(state=self._state, is_done=not self._tasks[self._state].outcomes)

    def confirm(self) -> None:
        """Allow the outcome that waits; without one this changes nothing."""
        self._is_confirmed = bool(self._waiting)

    def reject(self) -> None:
        """Refuse the outcome that waits: the state runs on."""
        self._waiting, self._is_confirmed = "", False

    def force(self, outcome: str) -> None:
        """Take an outcome now, as the operator says.

        Raises:
            NameNotFoundError: If the present state has no such outcome.
        """
        outcomes = self._tasks[self._state].outcomes
        if outcome not in outcomes:
            raise NameNotFoundError(f"outcome of {self._state!r}", outcome, outcomes)
        self._is_confirmed = True
        self._leave(outcome, outcomes[outcome].target)

    def _leave(self, outcome: str, target: str) -> None:
        self.history.append((self._state, outcome, self._is_confirmed))
        self._state, self._waiting, self._is_confirmed = target, "", False
