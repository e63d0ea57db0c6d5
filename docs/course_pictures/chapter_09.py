"""Pictures of chapter 9: planning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gelenk.planning.cells import (
    CellMap,
    CellState,
    cell_path,
    cell_tree,
    convex_cells,
    trapezoid_cells,
)
from gelenk.planning.complexity import scaling_experiment
from gelenk.planning.concepts import Path
from gelenk.planning.configuration_space import (
    configuration_raster,
    planar_arm_clearance,
)
from gelenk.planning.dynamic_window import DynamicWindow, arc_distance
from gelenk.planning.freeway import find_freeways
from gelenk.planning.graph import a_star, dijkstra, find_route, graph_from_edges
from gelenk.planning.grid import (
    CoastalSensor,
    coastal_path,
    grid_graph,
    grid_heuristic,
    lost_information,
    position_information,
)
from gelenk.planning.occupancy import add_scan, empty_grid
from gelenk.planning.potential import (
    PotentialField,
    descend_potential,
    harmonic_potential,
)
from gelenk.planning.probabilistic_roadmap import (
    bridge_samples,
    build_prm,
    uniform_samples,
)
from gelenk.planning.random_tree import plan_rrt
from gelenk.planning.roadmaps import (
    Roadmap,
    roadmap_path,
    tangent_graph,
    visibility_graph,
    voronoi_roadmap,
)
from gelenk.planning.scene import point_scene, scene_from_world
from gelenk.planning.search import anytime_a_star, start_experience
from gelenk.planning.trajectory_optimisation import (
    double_integrator,
    smooth_arm_path,
    solve_control,
)
from gelenk.planning.world import BallRegion, BoxRegion, PolygonWorld, cast_rays
from gelenk.typing import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORLD = PolygonWorld(
    [
        np.array([[2.0, 2.0], [4.0, 2.0], [4.0, 5.0], [2.0, 5.0]]),
        np.array([[6.0, 4.0], [8.0, 4.0], [8.0, 8.0], [6.0, 8.0]]),
    ],
    np.zeros(2),
    np.full(2, 10.0),
)
START, GOAL = np.array([1.0, 3.0]), np.array([9.0, 6.0])
TOWN = [
    ("A", "B", 4.0), ("A", "C", 2.0), ("B", "C", 1.0), ("B", "D", 5.0),
    ("C", "D", 8.0), ("C", "E", 10.0), ("D", "E", 2.0), ("D", "Z", 6.0),
    ("E", "Z", 3.0),
]  # fmt: skip
TOWN_AT = {"A": (0, 1), "B": (1, 2), "C": (1, 0), "D": (2, 2), "E": (2, 0), "Z": (3, 1)}


def _world(axes: Axes) -> None:
    for corners in WORLD.obstacles:
        axes.fill(*corners.T, color="0.6")
    axes.plot(*START, "go")
    axes.plot(*GOAL, "r*", markersize=12)
    axes.set_xlim(0, 10)
    axes.set_ylim(0, 10)
    axes.set_aspect("equal")
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")


def _lines(axes: Axes, roadmap: Roadmap) -> None:
    for i, j in roadmap.edges:
        axes.plot(*roadmap.points[[i, j]].T, color="tab:blue", linewidth=0.6)


def _path(axes: Axes, path: Path | None) -> None:
    if path is not None:
        axes.plot(*path.points.T, color="tab:red", linewidth=2)


def _town(axes: Axes, places: tuple[str, ...]) -> None:
    for a, b, weight in TOWN:
        ends = np.array([TOWN_AT[a], TOWN_AT[b]], dtype=float)
        axes.plot(*ends.T, color="0.7")
        x, y = ends.mean(axis=0)
        axes.text(float(x), float(y), f"{weight:g}")
    x, y = np.array([TOWN_AT[p] for p in places], dtype=float).reshape(-1, 2).T
    axes.plot(x, y, color="tab:red", linewidth=3)
    for name, at in TOWN_AT.items():
        axes.plot(*at, "o", color="tab:blue")
        axes.text(at[0] + 0.05, at[1] + 0.05, name)
    axes.set_axis_off()


def draw_terms(axes: Axes) -> None:
    """A path, and the same path with time."""
    path = Path(points=np.array([[1.0, 3.0], [4.0, 1.0], [9.0, 6.0]]))
    trajectory = path.timed(1.0)
    axes.plot(*path.points.T, "0.6", label="path")
    at = trajectory.at(np.arange(0.0, trajectory.duration, 1.0))
    axes.plot(*at.T, "o", label="trajectory, every second")
    axes.legend()


def draw_dijkstra(axes: Axes) -> None:
    """The cheapest way through a town."""
    best = find_route(graph_from_edges(TOWN), "A", "Z")
    _town(axes, best.places if best else ())


def draw_a_star(axes: Axes) -> None:
    """What a guess saves: cells seen by A* over those seen by Dijkstra."""
    free = np.ones((30, 40), dtype=bool)
    free[5:25, 20] = False
    graph, goal = grid_graph(free), 15 * 40 + 35
    blind = dijkstra(graph, 15 * 40 + 5, goal)
    informed = a_star(graph, 15 * 40 + 5, goal, grid_heuristic((30, 40), (15, 35)))
    seen = np.isfinite(blind.distance).astype(int) + np.isfinite(informed.distance)
    axes.imshow(np.where(free, seen.reshape(30, 40), 3), cmap="Blues")
    i, j = np.divmod(informed.nodes, 40)
    axes.plot(j, i, "tab:red")


def draw_experience(axes: Axes) -> None:
    """The way after the passage from B to D was found blocked."""
    known = start_experience(graph_from_edges(TOWN)).blocked("B", "D").known()
    best = find_route(known, "A", "Z")
    _town(axes, best.places if best else ())


def draw_configuration_space(axes: Axes) -> None:
    """Joint angles at which two links touch a disc."""
    disc = np.array([[0.9, 0.7, 0.2]])
    raster = configuration_raster(
        lambda q: np.asarray(planar_arm_clearance([1.0, 0.8], q, disc) > 0.0),
        np.full(2, -np.pi),
        np.full(2, np.pi),
        (120, 120),
    )
    axes.imshow(raster.T, origin="lower", extent=(-np.pi, np.pi, -np.pi, np.pi))
    axes.set_xlabel("q1 [rad]")
    axes.set_ylabel("q2 [rad]")


def draw_shapes(axes: Axes) -> None:
    """A plate with a hole and a round corner."""
    plate = BoxRegion(lower=np.array([0.0, 0.0]), upper=np.array([3.0, 2.0]))
    body = (plate | BallRegion(center=np.array([3.0, 1.0]), radius=1.0)) - BallRegion(
        center=np.array([3.0, 1.0]), radius=0.5
    )
    x, y = np.meshgrid(np.linspace(-0.5, 4.5, 250), np.linspace(-0.5, 2.5, 150))
    axes.contourf(x, y, body.contains(np.stack([x, y], axis=-1)), levels=1)
    axes.set_aspect("equal")


def draw_visibility(axes: Axes) -> None:
    """Lines of sight, and the shortest path."""
    roadmap = visibility_graph(WORLD, START, GOAL)
    _world(axes)
    _lines(axes, roadmap)
    _path(axes, roadmap_path(roadmap, 0, 1).path)


def draw_tangents(axes: Axes) -> None:
    """Common tangents, and the same shortest path."""
    roadmap = tangent_graph(WORLD, START, GOAL)
    _world(axes)
    _lines(axes, roadmap)
    _path(axes, roadmap_path(roadmap, 0, 1).path)


def draw_voronoi(axes: Axes) -> None:
    """Lines of greatest clearance."""
    _world(axes)
    _lines(axes, voronoi_roadmap(WORLD, 0.25).roadmap)


def draw_freeways(axes: Axes) -> None:
    """Spines of the corridors."""
    _world(axes)
    for spine in find_freeways(WORLD, step=0.25):
        axes.plot(*spine.ends.T, linewidth=1)


def _cells(axes: Axes, cells: CellMap) -> None:
    _world(axes)
    for corners in cells.cells:
        axes.fill(*corners.T, fill=False, edgecolor="tab:blue", linewidth=0.6)
    _path(axes, cell_path(cells, START, GOAL).path)


def draw_convex_cells(axes: Axes) -> None:
    """Few convex cells, and a path through their walls."""
    _cells(axes, convex_cells(WORLD))


def draw_trapezoids(axes: Axes) -> None:
    """Trapezoids, and a path through the middles of their walls."""
    _cells(axes, trapezoid_cells(WORLD))


def draw_cell_tree(axes: Axes) -> None:
    """A quadtree about a disc."""
    i, j = np.indices((64, 64))
    tree = cell_tree((i - 30) ** 2 + (j - 36) ** 2 < 15**2)
    for leaf in tree.leaves():
        (y, x), s = leaf.corner, leaf.size
        color = "white" if leaf.state == CellState.FREE else "0.5"
        ring = np.array([[x, y], [x + s, y], [x + s, y + s], [x, y + s]], dtype=float)
        axes.fill(*ring.T, facecolor=color, edgecolor="tab:blue", linewidth=0.4)
    axes.set_aspect("equal")


def _bowl() -> PotentialField:
    discs = [
        BallRegion(center=np.array([4.0, 3.6]), radius=0.8),
        BallRegion(center=np.array([6.0, 6.5]), radius=1.0),
    ]
    return PotentialField(
        goal=np.array([9.0, 9.0]),
        obstacles=discs,
        attraction=0.05,
        repulsion=0.6,
        offset=0.2,
    )


def draw_potential(axes: Axes) -> None:
    """Contours of the potential, and the way down."""
    field = _bowl()
    x, y = np.meshgrid(np.linspace(0, 10, 120), np.linspace(0, 10, 120))
    axes.contour(x, y, field.potential(np.stack([x, y], axis=-1)), levels=30)
    _path(axes, descend_potential(field, np.array([1.0, 1.5])).path)
    axes.set_aspect("equal")


def draw_escapes(axes: Axes) -> None:
    """A harmonic potential has no minimum in the pocket."""
    free = np.ones((40, 40), dtype=bool)
    free[12:28, 24] = False
    free[12, 14:24] = free[27, 14:24] = False
    field = harmonic_potential(free, (20, 34))
    axes.contourf(np.log10(np.maximum(1.0 - field, 1e-12)), levels=30)
    axes.plot(34, 20, "r*")


def draw_complexity(axes: Axes) -> None:
    """Cells of a grid and nodes of random trees over the degrees of freedom."""
    table = scaling_experiment(trials=2, rng=np.random.default_rng(0))
    d = [row.dimensions for row in table]
    axes.semilogy(d, [row.cells for row in table], "o-", label="cells of a grid")
    axes.semilogy(d, [row.nodes for row in table], "s-", label="nodes of two trees")
    axes.set_xlabel("degrees of freedom")
    axes.legend()


def draw_prm(axes: Axes) -> None:
    """A probabilistic roadmap and a path in it."""
    roadmap = build_prm(
        scene_from_world(WORLD),
        count=120,
        rng=np.random.default_rng(0),
        include=np.stack([START, GOAL]),
    )
    _world(axes)
    _lines(axes, roadmap)
    _path(axes, roadmap_path(roadmap, 0, 1).path)


def draw_sampling(axes: Axes) -> None:
    """Uniform samples, and those of the bridge test in a gate."""
    gate = point_scene(
        np.zeros(2), np.full(2, 10.0), boxes=[[4, 0, 6, 4.8], [4, 5.2, 6, 10]]
    )
    rng = np.random.default_rng(0)
    axes.plot(*uniform_samples(gate, 150, rng).T, ".", label="uniform")
    axes.plot(*bridge_samples(gate, 60, rng, sigma=1.0).T, "x", label="bridge")
    axes.legend()
    axes.set_aspect("equal")


def draw_searches(axes: Axes) -> None:
    """Cost of an anytime search, round by round."""
    price = np.random.default_rng(0).uniform(1.0, 5.0, (40, 40))
    graph = grid_graph(np.ones((40, 40), dtype=bool), price=price)
    rounds = anytime_a_star(graph, 0, 1599, grid_heuristic((40, 40), (39, 39)))
    work = np.cumsum([step.expansions for step in rounds])
    axes.step(work, [step.cost for step in rounds], "o-", where="post")
    axes.set_xlabel("places expanded")
    axes.set_ylabel("cost of the way")


def draw_rrt(axes: Axes) -> None:
    """A random tree and the path it found."""
    tree = plan_rrt(
        scene_from_world(WORLD), START, GOAL, step=0.5, rng=np.random.default_rng(0)
    )
    _world(axes)
    hung = np.flatnonzero(tree.parent >= 0)
    edges = np.stack([tree.parent[hung], hung], axis=-1)
    _lines(axes, Roadmap(points=tree.nodes, edges=edges))
    _path(axes, tree.path)


def draw_occupancy(axes: Axes) -> None:
    """The map after scans from four places."""
    grid = empty_grid([-0.5, -0.5], [10.5, 10.5], 0.25)
    bearings = np.linspace(-np.pi, np.pi, 120, endpoint=False)
    for p in ((1.0, 1.0), (9.0, 2.0), (5.0, 6.0), (9.0, 9.0)):
        ranges = cast_rays(WORLD, p, bearings, 6.0)
        grid = add_scan(grid, [*p, 0.0], bearings, ranges, max_range=6.0)
    axes.imshow(grid.probability.T, origin="lower", cmap="gray_r", vmin=0, vmax=1)


def draw_coastal(axes: Axes) -> None:
    """The shortest path through a hall, and one along its coast."""
    hall = PolygonWorld([], np.zeros(2), np.array([24.0, 12.0]))
    x, y = np.meshgrid(np.arange(0.5, 24.0), np.arange(0.5, 12.0), indexing="ij")
    sensor = CoastalSensor(max_range=2.5)
    information = position_information(hall, np.stack([x, y], axis=-1), sensor)
    lost = lost_information(information, step_sigma=0.1)
    axes.imshow(lost.T, origin="lower", cmap="Reds")
    free = np.ones(lost.shape, dtype=bool)
    for weight, name in ((0.0, "shortest"), (5.0, "coastal")):
        cells = coastal_path(free, lost, (1, 5), (22, 5), weight=weight)
        axes.plot(*cells.T, label=name)
    axes.legend()


def draw_dynamic_window(axes: Axes) -> None:
    """How far each pair of speeds gets before it hits something."""
    cfg = DynamicWindow()
    v, w = np.meshgrid(np.linspace(0.01, 0.6, 60), np.linspace(-1.5, 1.5, 90))
    points: FloatArray = np.array([[1.0, 0.3], [0.8, -0.5], [1.5, 0.0]])
    reach = arc_distance(v, w, points, radius=cfg.radius, horizon=cfg.horizon)
    axes.contourf(w, v, reach, levels=20)
    axes.set_xlabel("turn rate [rad/s]")
    axes.set_ylabel("speed [m/s]")


def _inputs(axes: Axes, *problems: tuple[str, float | None, float]) -> None:
    for criterion, duration, limit in problems:
        problem = double_integrator(
            1.0,
            criterion=criterion,  # type: ignore[arg-type]
            duration=duration,
            limit=limit,
        )
        found = solve_control(problem, intervals=16, guess_duration=2.5)
        axes.plot(found.times, found.inputs[:, 0], label=criterion)
    axes.set_xlabel("t [s]")
    axes.set_ylabel("u [m/s^2]")
    axes.legend()


def draw_optimal_control(axes: Axes) -> None:
    """The input of least energy."""
    _inputs(axes, ("energy", 2.0, 10.0))


def draw_criteria(axes: Axes) -> None:
    """Least time, least energy, and both."""
    _inputs(axes, ("time", None, 1.0), ("energy", 2.0, 10.0), ("combined", None, 10.0))


def draw_arm_path(axes: Axes) -> None:
    """Joint angles of a Puma 560 around a pillar, before and after."""
    import gelenk
    from gelenk.planning.random_tree import plan_rrt_connect
    from gelenk.planning.scene import arm_scene

    scene = arm_scene(
        gelenk.load("puma560"),
        lower=np.full(6, -np.pi),
        upper=np.full(6, np.pi),
        boxes=[[0.3, 0.2, -0.5, 0.6, 0.4, 0.6]],
        radius=0.06,
        spacing=0.12,
    )
    start, goal = [1.5, -0.2, -0.3, 0.0, 0.3, 0.0], [0.0, -0.2, -0.3, 0.5, 0.2, 0.0]
    rng = np.random.default_rng(0)
    rough = plan_rrt_connect(scene, start, goal, step=0.3, rng=rng).path
    if rough is None:
        return
    smooth = smooth_arm_path(scene, rough, count=24, max_iterations=40)
    before = rough.at(np.linspace(0.0, rough.length, 24))
    for k in range(3):
        axes.plot(before[:, k], "--", color=f"C{k}")
        axes.plot(smooth.path.points[:, k], color=f"C{k}", label=f"q{k + 1}")
    axes.set_ylabel("[rad]")
    axes.legend()


PICTURES = {
    "GR-210": draw_terms,
    "GR-211": draw_dijkstra,
    "GR-212": draw_a_star,
    "GR-213": draw_experience,
    "GR-214": draw_configuration_space,
    "GR-215": draw_shapes,
    "GR-216": draw_visibility,
    "GR-217": draw_tangents,
    "GR-218": draw_voronoi,
    "GR-219": draw_freeways,
    "GR-220": draw_convex_cells,
    "GR-221": draw_trapezoids,
    "GR-222": draw_cell_tree,
    "GR-223": draw_potential,
    "GR-224": draw_escapes,
    "GR-225": draw_complexity,
    "GR-226": draw_prm,
    "GR-227": draw_sampling,
    "GR-228": draw_searches,
    "GR-229": draw_rrt,
    "GR-230": draw_occupancy,
    "GR-231": draw_coastal,
    "GR-232": draw_dynamic_window,
    "GR-233": draw_optimal_control,
    "GR-234": draw_criteria,
    "GR-235": draw_arm_path,
}
