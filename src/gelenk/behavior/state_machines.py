"""State machines: missions with autonomy levels, and Petri nets.

In the manner of FlexBE every outcome of a mission's state has a required level. A
transition happens by itself if the robot's level is at least that; otherwise it waits
until the operator confirms it, or raises the level. The operator may also force another
outcome.

A transition of a Petri net may fire if all its input places hold enough tokens:
M' = M - Pre + Post. What can happen at all is the graph of reachable markings; one
without a transition that may fire is a deadlock, unless it is a wanted end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.typing import IntArray


class Autonomy(IntEnum):
    """Level of autonomy of a robot."""

    OFF = 0
    LOW = 1
    HIGH = 2
    FULL = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class StateOutcome:
    """Transition from a state of the mission.

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
        outcomes: Outcomes by name; without any the mission ends here.
    """

    run: Callable[[Any], str | None] = lambda world: None
    outcomes: Mapping[str, StateOutcome] = field(
        default_factory=dict[str, StateOutcome]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MissionReport:
    """Report of a mission's present state.

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
        >>> from gelenk.behavior import Mission
        >>> from gelenk.behavior.state_machines import Autonomy, StateOutcome, Task
        >>> tasks = {
        ...     "look": Task(run=lambda w: "found", outcomes={
        ...         "found": StateOutcome(target="open", required=Autonomy.HIGH)}),
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

    def step(self, world: Any) -> MissionReport:
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
                return MissionReport(
                    state=self._state, waiting=self._waiting, required=outcome.required
                )
        return MissionReport(
            state=self._state, is_done=not self._tasks[self._state].outcomes
        )

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


Marking = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PetriTransition:
    """Transition of a Petri net.

    Attributes:
        takes: Number of tokens taken from each place, by name.
        gives: Number of tokens given to each place, by name.

    Example:
        >>> from gelenk.behavior import PetriTransition
        >>> grasp = PetriTransition(takes={"free": 1}, gives={"held": 1})
        >>> grasp.gives
        {'held': 1}
    """

    takes: Mapping[str, int]
    gives: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PetriNet:
    """Petri net of places and transitions.

    Attributes:
        places: Names of the places.
        transitions: Transitions by name.

    Example:
        >>> from gelenk.behavior import PetriNet, PetriTransition
        >>> net = PetriNet(places=("free", "held"), transitions={
        ...     "grasp": PetriTransition(takes={"free": 1}, gives={"held": 1}),
        ...     "drop": PetriTransition(takes={"held": 1}, gives={"free": 1}),
        ... })
        >>> net.enabled({"free": 1})
        ('grasp',)
        >>> net.fire({"free": 1}, "grasp")
        {'free': 0, 'held': 1}
    """

    places: tuple[str, ...]
    transitions: Mapping[str, PetriTransition]

    def __post_init__(self) -> None:
        for transition in self.transitions.values():
            for place in (*transition.takes, *transition.gives):
                if place not in self.places:
                    raise NameNotFoundError("place", place, self.places)

    def full(self, marking: Marking) -> dict[str, int]:
        """Return a marking that names every place."""
        for place, count in marking.items():
            if place not in self.places:
                raise NameNotFoundError("place", place, self.places)
            if count < 0:
                raise ConfigError(f"place {place!r} cannot hold {count} tokens")
        return {place: marking.get(place, 0) for place in self.places}

    def enabled(self, marking: Marking) -> tuple[str, ...]:
        """Return the transitions that may fire."""
        here = self.full(marking)
        return tuple(
            name
            for name, transition in self.transitions.items()
            if all(here[p] >= n for p, n in transition.takes.items())
        )

    def fire(self, marking: Marking, name: str) -> dict[str, int]:
        """Return the marking after a transition: M - Pre + Post.

        Raises:
            ConfigError: If it may not fire.
        """
        if name not in self.enabled(marking):
            raise ConfigError(
                f"{name!r} may not fire; enabled are "
                f"{', '.join(self.enabled(marking)) or 'none'}"
            )
        here = self.full(marking)
        for place, count in self.transitions[name].takes.items():
            here[place] -= count
        for place, count in self.transitions[name].gives.items():
            here[place] += count
        return here

    def incidence(self) -> IntArray:
        """Return Post - Pre, places by transitions, shape (p, t)."""
        C = np.zeros((len(self.places), len(self.transitions)), dtype=np.int64)
        for j, transition in enumerate(self.transitions.values()):
            for sign, moved in ((-1, transition.takes), (1, transition.gives)):
                for place, count in moved.items():
                    C[self.places.index(place), j] += sign * count
        return C

    def reachable(
        self, start: Marking, *, most: int = 10_000
    ) -> dict[tuple[int, ...], dict[str, tuple[int, ...]]]:
        """Return all markings that can occur and where transitions lead from them.

        Raises:
            ConfigError: If there are more than `most`: the net may be unbounded.
        """
        first = self.full(start)
        graph: dict[tuple[int, ...], dict[str, tuple[int, ...]]] = {}
        waiting = [tuple(first.values())]
        while waiting:
            key = waiting.pop()
            if key in graph:
                continue
            if len(graph) >= most:
                raise ConfigError(
                    f"more than {most} markings; the net may be unbounded"
                )
            here = dict(zip(self.places, key, strict=True))
            graph[key] = {
                name: tuple(self.fire(here, name).values())
                for name in self.enabled(here)
            }
            waiting += graph[key].values()
        return graph

    def deadlocks(
        self, start: Marking, *, final: tuple[str, ...] = ()
    ) -> list[dict[str, int]]:
        """Return markings in which nothing can happen any more.

        Args:
            start: First marking.
            final: Places whose token means that the job is done: no deadlock.
        """
        stuck: list[dict[str, int]] = []
        for key, steps in self.reachable(start).items():
            here = dict(zip(self.places, key, strict=True))
            if not steps and not any(here[place] for place in final):
                stuck.append(here)
        return stuck
