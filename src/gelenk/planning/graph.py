"""Graphs of places, and the cheapest route through them: Dijkstra and A*, compiled.

Both expand the place with the smallest f(v) = g(v) + eps h(v): g is the cost to get
there, h a guess of the cost that is left. Dijkstra: h = 0. A*: eps = 1; the route is
the cheapest if h never overestimates (admissible), and no place is expanded twice if
besides h(u) <= w(u, v) + h(v) (consistent).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from gelenk.checks import as_kernel_array
from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.kernels.compile import kernel
from gelenk.planning.concepts import Route
from gelenk.typing import ArrayLike, BoolArray, FloatArray, IntArray

# Sums in another order differ by rounding: no reason to expand a place again.
ROUNDING = 1.0 - 1e-12


@kernel
def _is_before(key: FloatArray, g: FloatArray, a: int, b: int) -> bool:
    """Return whether place a leaves the queue before b.

    Of equal keys the one farther from the start goes first: it is nearer to the goal.
    """
    return key[a] < key[b] or (key[a] == key[b] and g[a] > g[b])


@kernel
def _rise(
    heap: IntArray, place: IntArray, key: FloatArray, g: FloatArray, k: int
) -> None:
    """Move entry k of the heap up until its parent goes first."""
    node = heap[k]
    while k > 0:
        above = (k - 1) // 2
        if not _is_before(key, g, node, heap[above]):
            break
        heap[k] = heap[above]
        place[heap[k]] = k
        k = above
    heap[k] = node
    place[node] = k


@kernel
def _sink(
    heap: IntArray, place: IntArray, key: FloatArray, g: FloatArray, size: int
) -> None:
    """Move the first entry of the heap down until it goes before its children."""
    node = heap[0]
    k = 0
    while True:
        child = 2 * k + 1
        if child >= size:
            break
        if child + 1 < size and _is_before(key, g, heap[child + 1], heap[child]):
            child += 1
        if not _is_before(key, g, heap[child], node):
            break
        heap[k] = heap[child]
        place[heap[k]] = k
        k = child
    heap[k] = node
    place[node] = k


@kernel
def best_first(
    first: IntArray,
    head: IntArray,
    weight: FloatArray,
    heuristic: FloatArray,
    target: int,
    inflation: float,
    reopen: bool,
    g: FloatArray,
    parent: IntArray,
    is_open: BoolArray,
) -> int:
    """Expand places by g + inflation h until nothing cheaper than the target is left.

    Args:
        first: Edges first[v] to first[v + 1] - 1 leave v, shape (n + 1,).
        head: Place an edge enters, shape (m,).
        weight: Cost of an edge, shape (m,).
        heuristic: h, shape (n,).
        target: Place to reach; -1: all.
        inflation: >= 1.
        reopen: Whether places are expanded again when they got cheaper. If not, they
            are only marked open for the next call.
        g: Costs so far, shape (n,); changed.
        parent: Predecessors, shape (n,); changed.
        is_open: Places to expand, shape (n,); on return those left over.

    Returns:
        The number of expansions.
    """
    n = first.shape[0] - 1
    key = np.empty(n)
    heap, place = np.empty(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)
    is_closed = np.zeros(n, dtype=np.bool_)
    size = 0
    for v in range(n):
        if is_open[v]:
            key[v] = g[v] + inflation * heuristic[v]
            heap[size] = v
            place[v] = size
            _rise(heap, place, key, g, size)
            size += 1
    expansions = 0
    while size > 0:
        u = heap[0]
        if target >= 0 and key[u] >= g[target] + inflation * heuristic[target]:
            break
        size -= 1
        place[u] = -1
        if size > 0:
            heap[0] = heap[size]
            _sink(heap, place, key, g, size)
        is_open[u] = False
        is_closed[u] = True
        expansions += 1
        for k in range(first[u], first[u + 1]):
            v: int = head[k]
            cost = g[u] + weight[k]
            if not cost < g[v] or (is_closed[v] and cost > g[v] * ROUNDING):
                continue
            g[v] = cost
            parent[v] = u
            is_open[v] = True
            if is_closed[v] and not reopen:
                continue
            key[v] = cost + inflation * heuristic[v]
            if place[v] < 0:
                heap[size] = v
                place[v] = size
                size += 1
            _rise(heap, place, key, g, place[v])
    return expansions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Graph:
    """Directed edges with weights, sorted by the place they leave.

    Attributes:
        first: Edges first[v] to first[v + 1] - 1 leave place v, shape (n + 1,).
        head: Place that an edge enters, shape (m,).
        weight: Cost of each edge, not negative, shape (m,); infinite: blocked.
        names: Names of the places; empty: they have none.
    """

    first: IntArray
    head: IntArray
    weight: FloatArray
    names: tuple[str, ...] = ()
    _ids: dict[str, int] = field(init=False, repr=False, default_factory=dict[str, int])

    def __post_init__(self) -> None:
        if np.isnan(self.weight).any() or (self.weight < 0.0).any():
            raise ConfigError("weights of edges must not be negative")
        self._ids.update({name: k for k, name in enumerate(self.names)})

    @property
    def num_nodes(self) -> int:
        """Number of places."""
        return len(self.first) - 1

    @property
    def tail(self) -> IntArray:
        """Place that each edge leaves, shape (m,)."""
        return np.repeat(np.arange(self.num_nodes), np.diff(self.first))

    def node(self, place: int | str) -> int:
        """Return the index of a place, given by index or name."""
        if isinstance(place, str):
            if place not in self._ids:
                raise NameNotFoundError("place", place, self.names)
            return self._ids[place]
        if not 0 <= place < self.num_nodes:
            raise ConfigError(
                f"places are numbered 0 to {self.num_nodes - 1}, got {place}"
            )
        return int(place)

    def edge(self, tail: int | str, head: int | str) -> int:
        """Return the index of the edge between two places.

        Raises:
            NameNotFoundError: If there is none.
        """
        a, b = self.node(tail), self.node(head)
        for k in range(self.first[a], self.first[a + 1]):
            if self.head[k] == b:
                return k
        heads = [str(self.head[k]) for k in range(self.first[a], self.first[a + 1])]
        raise NameNotFoundError(f"edge from {tail} to", str(head), heads)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SearchResult:
    """Outcome of a search in a graph.

    Attributes:
        nodes: Places from start to goal, shape (k,); empty if there is no way.
        cost: Sum of the weights; infinite if there is no way.
        expansions: Number of expanded places, repetitions included.
        distance: Cost found so far to every place, shape (n,); infinite: not seen.
    """

    nodes: IntArray
    cost: float
    expansions: int
    distance: FloatArray

    @property
    def found(self) -> bool:
        """Whether there is a route."""
        return bool(np.isfinite(self.cost))


def graph_from_edges(
    edges: Iterable[tuple[int, int, float]] | Iterable[tuple[str, str, float]],
    *,
    num_nodes: int | None = None,
    is_directed: bool = False,
) -> Graph:
    """Return a graph from (from, to, weight), places by index or by name.

    Args:
        edges: Edges (from, to, weight), all by index or all by name.
        num_nodes: Number of places; by default as many as the edges name.
        is_directed: Whether an edge leads one way only.

    Example:
        >>> from gelenk.planning import graph_from_edges
        >>> graph_from_edges([("hall", "lab", 3.0)]).names
        ('hall', 'lab')
    """
    rows = list(edges)
    names: tuple[str, ...] = ()
    if rows and isinstance(rows[0][0], str):
        names = tuple(sorted({str(name) for row in rows for name in row[:2]}))
        ids = {name: k for k, name in enumerate(names)}
        ends = np.array([[ids[str(a)], ids[str(b)]] for a, b, _ in rows])
    else:
        ends = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2)
    weights = np.array([row[2] for row in rows], dtype=float)
    least = int(ends.max(initial=-1)) + 1
    count = num_nodes if num_nodes is not None else max(least, len(names))
    if count < least:
        raise ConfigError(f"`num_nodes` is {count}, but an edge names place {least}")
    if not is_directed:
        ends = np.concatenate([ends, ends[:, ::-1]])
        weights = np.concatenate([weights, weights])
    return graph_from_arrays(ends[:, 0], ends[:, 1], weights, count, names=names)


def graph_from_arrays(
    tail: IntArray,
    head: IntArray,
    weight: FloatArray,
    num_nodes: int,
    *,
    names: tuple[str, ...] = (),
) -> Graph:
    """Return a graph from directed edges in any order, each array of shape (m,)."""
    order = np.argsort(tail, kind="stable")
    counts = np.bincount(tail, minlength=num_nodes)
    first = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Graph(
        first=first,
        head=np.ascontiguousarray(head[order], dtype=np.int64),
        weight=as_kernel_array(weight[order]),
        names=names,
    )


def dijkstra(
    graph: Graph, start: int | str, goal: int | str | None = None
) -> SearchResult:
    """Find the cheapest route to a place, or to all: d(v) = min_u d(u) + w(u, v).

    Args:
        graph: Places and edges, weights >= 0.
        start: Index or name.
        goal: Index or name; None: all places (`distance` of the result).

    Example:
        >>> from gelenk.planning import dijkstra, graph_from_edges
        >>> graph = graph_from_edges([("A", "B", 4), ("A", "C", 2), ("B", "C", 1)])
        >>> dijkstra(graph, "A", "B").cost
        3.0
    """
    heuristic = np.zeros(graph.num_nodes)
    return _search(graph, start, goal, heuristic)


def a_star(
    graph: Graph, start: int | str, goal: int | str, heuristic: ArrayLike
) -> SearchResult:
    """Find the cheapest route with a guess of the cost left: f = g + h.

    Places are expanded again if a cheaper way to them turns up, so the answer is the
    cheapest for every admissible guess, consistent or not.

    Args:
        graph: Places and edges, weights >= 0.
        start: Index or name.
        goal: Index or name.
        heuristic: Guess of the cost from each place to the goal, shape (n,); it must
            not overestimate.

    Example:
        On a line of 5 places in both directions from the start, no place on the wrong
        side is expanded.

        >>> from gelenk.planning import a_star, dijkstra, graph_from_edges
        >>> line = graph_from_edges([(k, k + 1, 1.0) for k in range(10)])
        >>> far = abs(np.arange(11) - 10.0)
        >>> a_star(line, 5, 10, far).expansions, dijkstra(line, 5, 10).expansions
        (5, 9)
    """
    return _search(graph, start, goal, np.asarray(heuristic, dtype=float))


def find_route(graph: Graph, start: str, goal: str) -> Route | None:
    """Return the cheapest route by names, or None if there is none.

    Args:
        graph: Graph with named places.
        start: Name of the first place.
        goal: Name of the last place.

    Example:
        >>> graph = graph_from_edges([("A", "B", 4), ("A", "C", 2), ("B", "C", 1)])
        >>> find_route(graph, "A", "B").places
        ('A', 'C', 'B')
    """
    result = dijkstra(graph, start, goal)
    if not result.found:
        return None
    return Route(
        places=tuple(graph.names[int(k)] for k in result.nodes), cost=result.cost
    )


def trace_parents(parent: IntArray, node: int) -> IntArray:
    """Return the places from the root to `node` in a tree of parents (-1: root)."""
    nodes = [node]
    while parent[nodes[-1]] >= 0:
        nodes.append(int(parent[nodes[-1]]))
    return np.array(nodes[::-1], dtype=np.int64)


def _search(
    graph: Graph, start: int | str, goal: int | str | None, heuristic: FloatArray
) -> SearchResult:
    n = graph.num_nodes
    if heuristic.shape != (n,) or np.isnan(heuristic).any():
        raise ConfigError(
            f"`heuristic` needs one number per place, shape ({n},), got "
            f"{heuristic.shape}"
        )
    source = graph.node(start)
    target = -1 if goal is None else graph.node(goal)
    g, parent = np.full(n, np.inf), np.full(n, -1)
    is_open = np.zeros(n, dtype=np.bool_)
    g[source], is_open[source] = 0.0, True
    expansions = best_first(
        graph.first,
        graph.head,
        graph.weight,
        as_kernel_array(heuristic),
        target,
        1.0,
        True,
        g,
        parent,
        is_open,
    )
    cost = float(g[target]) if target >= 0 else 0.0
    nodes = np.empty(0, dtype=np.int64)
    if target >= 0 and np.isfinite(cost):
        nodes = trace_parents(parent, target)
    return SearchResult(nodes=nodes, cost=cost, expansions=int(expansions), distance=g)
