"""Behaviours as Petri nets: places with tokens, transitions that move them.

A transition may fire if all its input places hold enough tokens: M' = M - Pre + Post.
What can happen at all is the graph of reachable markings; one without a transition that
may fire is a deadlock, unless it is an end that is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.typing import IntArray

Marking = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transition:
    """A transition.

    Attributes:
        takes: Tokens from places.
        gives: Tokens to places.
    """

    takes: Mapping[str, int]
    gives: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PetriNet:
    """Places and transitions.

    Attributes:
        places: Names.
        transitions: By name.

    Example:
        >>> net = PetriNet(places=("free", "held"), transitions={
        ...     "grasp": Transition(takes={"free": 1}, gives={"held": 1}),
        ...     "drop": Transition(takes={"held": 1}, gives={"free": 1}),
        ... })
        >>> net.enabled({"free": 1})
        ('grasp',)
        >>> net.fire({"free": 1}, "grasp")
        {'free': 0, 'held': 1}
    """

    places: tuple[str, ...]
    transitions: Mapping[str, Transition]

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
        stuck = []
        for key, ways in self.reachable(start).items():
            here = dict(zip(self.places, key, strict=True))
            if not ways and not any(here[place] for place in final):
                stuck.append(here)
        return stuck
