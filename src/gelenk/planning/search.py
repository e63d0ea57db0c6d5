"""Blind and anytime searches in graphs, and edge costs learned from experience.

Blind searches know nothing of the goal: breadth first finds the fewest edges, depth
first just some route, uniform cost (Dijkstra) the cheapest. An anytime search answers
soon and improves for as long as it is let.

After a drive over an edge w <- (1 - eta) w + eta t. Where the passage was blocked its
weight is multiplied; the factor decays with time, since doors open again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ConfigError
from gelenk.planning.graph import (
    Graph,
    SearchResult,
    best_first,
    dijkstra,
    trace_parents,
)
from gelenk.typing import ArrayLike, FloatArray, IntArray


def breadth_first(graph: Graph, start: int | str, goal: int | str) -> SearchResult:
    """Find a route with the fewest edges; weights only count in `cost`.

    Example:
        >>> from gelenk.planning.graph import graph_from_edges
        >>> graph = graph_from_edges([("A", "B", 4), ("A", "C", 2), ("B", "C", 1)])
        >>> breadth_first(graph, "A", "B").cost
        4.0
    """
    return _blind(graph, start, goal, is_first_in_first_out=True)


def depth_first(graph: Graph, start: int | str, goal: int | str) -> SearchResult:
    """Find some route by following each branch to its end; finite graphs only.

    Example:
        >>> from gelenk.planning.graph import graph_from_edges
        >>> graph = graph_from_edges([("A", "B", 4), ("A", "C", 2), ("B", "C", 1)])
        >>> depth_first(graph, "A", "C").nodes.tolist()
        [0, 1, 2]
    """
    return _blind(graph, start, goal, is_first_in_first_out=False)


def uniform_cost(graph: Graph, start: int | str, goal: int | str) -> SearchResult:
    """Find the cheapest route without a guess: Dijkstra's algorithm."""
    return dijkstra(graph, start, goal)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnytimeStep:
    """One answer of an anytime search.

    Attributes:
        inflation: The answer costs at most this many times the optimum.
        nodes: Places from start to goal; empty if there is no way.
        cost: Cost of the way.
        expansions: Places expanded for this answer alone.
    """

    inflation: float
    nodes: IntArray
    cost: float
    expansions: int


def anytime_a_star(
    graph: Graph,
    start: int | str,
    goal: int | str,
    heuristic: ArrayLike,
    *,
    inflations: tuple[float, ...] = (3.0, 2.0, 1.5, 1.0),
) -> list[AnytimeStep]:
    """Search with f = g + eps h for falling eps, keeping what is known (ARA*).

    Within a round no place is expanded twice; those that got cheaper wait for the next
    round (Likhachev, Gordon and Thrun 2003). The cost of a round is at most eps times
    the optimum, for a consistent guess.

    Args:
        graph: Places and edges.
        start: Index or name.
        goal: Index or name.
        heuristic: Consistent guess of the cost to the goal, shape (n,).
        inflations: eps of the rounds, falling, all >= 1.

    Returns:
        One answer per round.
    """
    if not inflations or min(inflations) < 1.0:
        raise ConfigError(f"`inflations` must be at least 1, got {inflations}")
    h = as_kernel_array(heuristic)
    if h.shape != (graph.num_nodes,):
        raise ConfigError(
            f"`heuristic` needs shape ({graph.num_nodes},), got {h.shape}"
        )
    source, target = graph.node(start), graph.node(goal)
    n = graph.num_nodes
    g, parent = np.full(n, np.inf), np.full(n, -1)
    is_open = np.zeros(n, dtype=np.bool_)
    g[source], is_open[source] = 0.0, True
    steps: list[AnytimeStep] = []
    for inflation in inflations:
        expansions = best_first(
            graph.first,
            graph.head,
            graph.weight,
            h,
            target,
            float(inflation),
            False,
            g,
            parent,
            is_open,
        )
        found = np.isfinite(g[target])
        nodes = trace_parents(parent, target) if found else np.empty(0, dtype=np.int64)
        step = AnytimeStep(
            inflation=inflation,
            nodes=nodes,
            cost=route_cost(graph, nodes) if found else float("inf"),
            expansions=int(expansions),
        )
        steps.append(step)
    return steps


def route_cost(graph: Graph, nodes: ArrayLike) -> float:
    """Return the sum of weights along places, shape (k,), joined by edges."""
    places = [int(k) for k in np.asarray(nodes)]
    return float(sum(graph.weight[graph.edge(a, b)] for a, b in pairwise(places)))


def _blind(
    graph: Graph, start: int | str, goal: int | str, *, is_first_in_first_out: bool
) -> SearchResult:
    source, target = graph.node(start), graph.node(goal)
    parent = np.full(graph.num_nodes, -1)
    distance: FloatArray = np.full(graph.num_nodes, np.inf)
    is_seen = np.zeros(graph.num_nodes, dtype=np.bool_)
    waiting: deque[tuple[int, int, float]] = deque([(source, -1, 0.0)])
    expansions = 0
    while waiting:
        node, before, cost = (
            waiting.popleft() if is_first_in_first_out else waiting.pop()
        )
        if is_seen[node]:
            continue
        is_seen[node], parent[node], distance[node] = True, before, cost
        if node == target:
            break
        expansions += 1
        edges = range(graph.first[node], graph.first[node + 1])
        # A stack reverses the order of the edges; undo that, so both take the first.
        for k in edges if is_first_in_first_out else reversed(edges):
            if not is_seen[graph.head[k]] and np.isfinite(graph.weight[k]):
                waiting.append((int(graph.head[k]), node, cost + graph.weight[k]))
    found = bool(is_seen[target])
    return SearchResult(
        nodes=trace_parents(parent, target) if found else np.empty(0, dtype=np.int64),
        cost=float(distance[target]),
        expansions=expansions,
        distance=distance,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EdgeExperience:
    """Learned costs of the edges of a graph.

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
        """Return the experience after an edge was found blocked, in both directions.

        Args:
            tail: Place before it.
            head: Place behind it.
            factor: Factor by which the weight of the edge grows, > 1.
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


def start_experience(
    graph: Graph, *, rate: float = 0.3, half_life: float = 600.0
) -> EdgeExperience:
    """Return the experience of a robot that has seen nothing yet.

    Example:
        >>> from gelenk.planning.graph import graph_from_edges, find_route
        >>> rooms = graph_from_edges([("A", "B", 1), ("A", "C", 2), ("C", "B", 2)])
        >>> find_route(rooms, "A", "B").places
        ('A', 'B')
        >>> known = start_experience(rooms).blocked("A", "B").known()
        >>> find_route(known, "A", "B").places
        ('A', 'C', 'B')
    """
    return EdgeExperience(
        graph=graph,
        times=graph.weight.copy(),
        obstruction=np.zeros(len(graph.weight)),
        rate=rate,
        half_life=half_life,
    )
