"""Costs of edges learned from experience: driving times, and blocked passages.

After a drive over an edge w <- (1 - eta) w + eta t. Where the passage was blocked its
weight is multiplied; the factor decays with time, since doors open again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gelenk.errors import ConfigError
from gelenk.planning.graph import Graph
from gelenk.typing import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EdgeExperience:
    """What a robot has learned about the edges of a graph.

    Attributes:
        graph: The graph as drawn.
        times: Mean time to pass each edge [s], shape (m,).
        obstruction: ln of the factor for blocked passages, shape (m,), >= 0.
        rate: eta, share of a new measurement, in (0, 1].
        half_life: Time in which `obstruction` halves [s].
    """

    graph: Graph
    times: FloatArray
    obstruction: FloatArray
    rate: float = 0.3
    half_life: float = 600.0

    def __post_init__(self) -> None:
        if not 0.0 < self.rate <= 1.0:
            raise ConfigError(f"`rate` must be in (0, 1], got {self.rate}")
        if not self.half_life > 0.0:
            raise ConfigError(f"`half_life` must be positive, got {self.half_life}")

    def known(self) -> Graph:
        """Return the graph with the weights as they are believed now."""
        return replace(self.graph, weight=self.times * np.exp(self.obstruction))

    def passed(self, tail: int | str, head: int | str, time: float) -> EdgeExperience:
        """Return what is known after an edge was passed in `time` [s].

        The passage is open: its obstruction is forgotten at once.
        """
        if not time >= 0.0:
            raise ConfigError(f"`time` must not be negative, got {time}")
        k = self.graph.edge(tail, head)
        times, obstruction = self.times.copy(), self.obstruction.copy()
        times[k] = (1.0 - self.rate) * times[k] + self.rate * time
        obstruction[k] = 0.0
        return replace(self, times=times, obstruction=obstruction)

    def blocked(
        self, tail: int | str, head: int | str, *, factor: float = 10.0
    ) -> EdgeExperience:
        """Return what is known after an edge was found blocked, both ways if it has.

        Args:
            tail: Place before it.
            head: Place behind it.
            factor: Its weight becomes this many times larger, > 1.
        """
        if not factor > 1.0:
            raise ConfigError(f"`factor` must be greater than 1, got {factor}")
        obstruction = self.obstruction.copy()
        obstruction[self.graph.edge(tail, head)] += np.log(factor)
        a, b = self.graph.node(head), self.graph.node(tail)
        heads = self.graph.head[self.graph.first[a] : self.graph.first[a + 1]]
        if (heads == b).any():
            obstruction[self.graph.edge(a, b)] += np.log(factor)
        return replace(self, obstruction=obstruction)

    def aged(self, duration: float) -> EdgeExperience:
        """Return what is left of the obstructions after `duration` [s]."""
        share = 0.5 ** (duration / self.half_life)
        return replace(self, obstruction=self.obstruction * share)


def experience(
    graph: Graph, *, rate: float = 0.3, half_life: float = 600.0
) -> EdgeExperience:
    """Return the experience of a robot that has seen nothing yet.

    Example:
        >>> from gelenk.planning.graph import graph_from_edges, way
        >>> rooms = graph_from_edges([("A", "B", 1), ("A", "C", 2), ("C", "B", 2)])
        >>> way(rooms, "A", "B").places
        ('A', 'B')
        >>> way(experience(rooms).blocked("A", "B").known(), "A", "B").places
        ('A', 'C', 'B')
    """
    return EdgeExperience(
        graph=graph,
        times=graph.weight.copy(),
        obstruction=np.zeros(len(graph.weight)),
        rate=rate,
        half_life=half_life,
    )
