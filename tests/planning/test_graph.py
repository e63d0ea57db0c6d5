"""Searches in graphs against SciPy, networkx, a relaxation to the end, and by hand."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from gelenk.errors import ConfigError, NameNotFoundError
from gelenk.planning.graph import a_star, dijkstra, find_route, graph_from_edges
from gelenk.planning.grid import grid_graph, grid_heuristic, grid_path
from gelenk.planning.search import (
    anytime_a_star,
    breadth_first,
    depth_first,
    route_cost,
    start_experience,
    uniform_cost,
)

TOWN = [
    ("A", "B", 4), ("A", "C", 2), ("B", "C", 1), ("B", "D", 5), ("C", "D", 8),
    ("C", "E", 10), ("D", "E", 2), ("D", "Z", 6), ("E", "Z", 3),
]  # fmt: skip
MAZE = ["S....", ".###.", ".#...", ".#.#.", "...#G"]


def _random_graph(rng, n=60, m=200):
    ends = rng.integers(n, size=(m, 2))
    ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    weights = rng.uniform(0.1, 5.0, len(ends))
    edges = [(int(a), int(b), w) for (a, b), w in zip(ends, weights, strict=True)]
    return graph_from_edges(edges, num_nodes=n, is_directed=True), edges


@pytest.mark.capability("GR-211")
def test_the_town_is_crossed_for_13():
    best = find_route(graph_from_edges(TOWN), "A", "Z")

    assert best is not None
    assert best.cost == 13.0
    assert best.places == ("A", "C", "B", "D", "E", "Z")


@pytest.mark.capability("GR-211")
def test_dijkstra_finds_the_distances_of_scipy():
    rng = np.random.default_rng(0)
    for _ in range(20):
        graph, edges = _random_graph(rng)
        a, b, w = (np.array(column) for column in zip(*edges, strict=True))
        matrix = csr_array((w, (a, b)), shape=(60, 60))
        expected = shortest_path(matrix, method="BF", indices=0)

        result = dijkstra(graph, 0)

        assert_allclose(result.distance, expected, atol=1e-12)


@pytest.mark.capability("GR-211", "GR-212")
def test_ways_cost_what_networkx_finds():
    networkx = pytest.importorskip("networkx")
    rng = np.random.default_rng(1)
    graph, edges = _random_graph(rng)
    peer = networkx.DiGraph()
    peer.add_weighted_edges_from(edges)
    expected = networkx.single_source_dijkstra_path_length(peer, 0)
    to_goal = dict(networkx.single_target_shortest_path_length(peer, 7))
    # The number of edges times the cheapest one never overestimates.
    h = 0.1 * np.array([to_goal.get(k, 0) for k in range(60)], dtype=float)

    for goal in range(1, 60):
        result = dijkstra(graph, 0, goal)
        assert result.cost == pytest.approx(expected.get(goal, np.inf), abs=1e-12)
        if result.found:
            assert route_cost(graph, result.nodes) == pytest.approx(result.cost)
    assert a_star(graph, 0, 7, h).cost == pytest.approx(expected[7], abs=1e-12)


@pytest.mark.capability("GR-212")
def test_the_grids_of_the_course_cost_what_they_should():
    _, diagonal = grid_path(np.ones((5, 5), dtype=bool), (0, 0), (4, 2))
    free = np.array([[c != "#" for c in row] for row in MAZE])
    cells, straight = grid_path(free, (0, 0), (4, 4), neighbours=4)

    assert diagonal.cost == pytest.approx(2.0 * np.sqrt(2.0) + 2.0, abs=1e-12)
    assert straight.cost == 8.0
    assert free[cells[:, 0], cells[:, 1]].all()
    assert_allclose(np.abs(np.diff(cells, axis=0)).sum(axis=1), 1.0)


@pytest.mark.capability("GR-212")
def test_a_guess_saves_expansions_and_costs_nothing():
    rng = np.random.default_rng(2)
    for _ in range(10):
        free = rng.random((30, 40)) > 0.25
        free[0, 0] = free[29, 39] = True
        graph = grid_graph(free)
        guess = grid_heuristic((30, 40), (29, 39))

        blind = dijkstra(graph, 0, 29 * 40 + 39)
        informed = a_star(graph, 0, 29 * 40 + 39, guess)

        assert informed.cost == pytest.approx(blind.cost, abs=1e-9)
        assert informed.expansions <= blind.expansions


@pytest.mark.capability("GR-212")
def test_an_inconsistent_but_admissible_guess_still_finds_the_cheapest():
    rng = np.random.default_rng(3)
    for _ in range(30):
        graph, edges = _random_graph(rng)
        backwards = graph_from_edges(
            [(b, a, w) for a, b, w in edges], num_nodes=60, is_directed=True
        )
        left = dijkstra(backwards, 9).distance
        guess = np.where(np.isfinite(left), left, 0.0) * rng.uniform(0.0, 1.0, 60)

        assert a_star(graph, 0, 9, guess).cost == pytest.approx(
            dijkstra(graph, 0, 9).cost, abs=1e-12
        )


@pytest.mark.capability("GR-213")
def test_a_passage_is_avoided_once_found_blocked_and_used_again_later():
    fresh = start_experience(graph_from_edges(TOWN), half_life=100.0)

    after = fresh.blocked("D", "B")
    detour = find_route(after.known(), "A", "Z")
    later = find_route(after.aged(1000.0).known(), "A", "Z")

    assert detour is not None
    assert later is not None
    assert detour.cost == 15.0  # A, C, E, Z and A, C, D, E, Z alike
    assert "B" not in detour.places
    assert later.places == ("A", "C", "B", "D", "E", "Z")


@pytest.mark.capability("GR-213")
def test_learned_times_forget_as_a_geometric_series():
    # w_k - t = (1 - eta)^k (w_0 - t): the closed form of the recursion.
    known = start_experience(graph_from_edges(TOWN), rate=0.2)
    for k in range(1, 8):
        known = known.passed("A", "B", 10.0)
        weight = known.known().weight[known.graph.edge("A", "B")]
        assert weight == pytest.approx(10.0 + 0.8**k * (4.0 - 10.0), abs=1e-12)
    assert known.known().weight[known.graph.edge("B", "A")] == 4.0


@pytest.mark.capability("GR-228")
def test_searches_are_ordered_by_what_their_ways_cost():
    rng = np.random.default_rng(4)
    free = rng.random((20, 25)) > 0.2
    free[0, 0] = free[19, 24] = True
    price = rng.uniform(1.0, 5.0, free.shape)
    graph = grid_graph(free, price=price)
    h = grid_heuristic(free.shape, (19, 24))
    goal = 19 * 25 + 24

    fewest = breadth_first(graph, 0, goal)
    some = depth_first(graph, 0, goal)
    cheapest = uniform_cost(graph, 0, goal)
    rounds = anytime_a_star(graph, 0, goal, h)

    hops = shortest_path(
        csr_array((np.ones(len(graph.head)), (graph.tail, graph.head))),
        unweighted=True,
        indices=0,
    )
    assert len(fewest.nodes) - 1 == hops[goal]
    assert route_cost(graph, fewest.nodes) == pytest.approx(fewest.cost)
    assert route_cost(graph, some.nodes) == pytest.approx(some.cost)
    assert len(some.nodes) >= len(fewest.nodes)
    assert cheapest.cost <= fewest.cost <= some.cost
    costs = [step.cost for step in rounds]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] == pytest.approx(cheapest.cost, abs=1e-9)
    assert costs[0] > cheapest.cost
    for step in rounds:
        assert step.cost <= step.inflation * cheapest.cost + 1e-9


@pytest.mark.capability("GR-228")
def test_an_anytime_search_answers_first_with_a_fraction_of_the_work():
    graph = grid_graph(np.ones((60, 60), dtype=bool), price=np.full((60, 60), 2.0))
    h = grid_heuristic((60, 60), (59, 30))

    rounds = anytime_a_star(graph, 0, 59 * 60 + 30, h, inflations=(2.0, 1.0))

    assert rounds[0].expansions * 10 < dijkstra(graph, 0, 59 * 60 + 30).expansions


@pytest.mark.parametrize("search", [dijkstra, breadth_first, depth_first])
def test_no_way_is_an_answer_and_not_an_error(search):
    result = search(graph_from_edges([(0, 1, 1.0), (2, 3, 1.0)]), 0, 3)

    assert not result.found
    assert result.cost == np.inf
    assert len(result.nodes) == 0


def test_mistakes_are_named():
    graph = graph_from_edges(TOWN)
    with pytest.raises(NameNotFoundError, match="place named 'Q'"):
        dijkstra(graph, "Q", "A")
    with pytest.raises(ConfigError, match="negative"):
        graph_from_edges([(0, 1, -1.0)])
    with pytest.raises(ConfigError, match="heuristic"):
        a_star(graph, "A", "B", np.zeros(3))
    with pytest.raises(ConfigError, match="outside the grid"):
        grid_path(np.ones((2, 2), dtype=bool), (0, 0), (2, 0))
