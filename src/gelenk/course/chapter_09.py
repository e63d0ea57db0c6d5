"""Chapter 9 of the course: planning of ways, paths and trajectories."""

from __future__ import annotations

from gelenk.course.method import Method

_P = "gelenk.planning."

METHODS = (
    Method(
        id="GR-210",
        title="planning terms as types",
        objects=(
            _P + "concepts.Path",
            _P + "concepts.Trajectory",
            _P + "concepts.Route",
        ),
        formula="way: places; path: q(s); trajectory: q(t) = q(s(t))",
    ),
    Method(
        id="GR-211",
        title="shortest paths after Dijkstra",
        objects=(_P + "graph.dijkstra",),
        formula="d(v) = min_u d(u) + w(u, v)",
    ),
    Method(
        id="GR-212",
        title="heuristic search with A*",
        objects=(_P + "graph.a_star", _P + "grid.grid_path"),
        formula="f(v) = g(v) + h(v), h(v) <= cost from v to the goal",
    ),
    Method(
        id="GR-213",
        title="edge costs learned from experience",
        objects=(_P + "search.start_experience", _P + "search.EdgeExperience"),
        formula="w <- (1 - eta) w + eta t",
    ),
    Method(
        id="GR-214",
        title="configuration space and grown obstacles",
        objects=(
            _P + "configuration_space.minkowski_sum",
            _P + "configuration_space.grow_obstacle",
            _P + "configuration_space.configuration_raster",
            _P + "configuration_space.is_motion_free",
        ),
        formula="C = O + (-A) = {o - a}",
    ),
    Method(
        id="GR-215",
        title="shapes combined by set operations",
        objects=(
            _P + "world.Region",
            _P + "world.BallRegion",
            _P + "world.PolygonRegion",
        ),
        formula="A | B, A & B, A - B, {M p + b}",
    ),
    Method(
        id="GR-216",
        title="visibility graph between obstacle corners",
        objects=(_P + "roadmaps.visibility_graph", _P + "roadmaps.shortest_path"),
        formula="edge (a, b) if the segment a-b lies in the closed free space",
    ),
    Method(
        id="GR-217",
        title="tangent graph of common tangents only",
        objects=(_P + "roadmaps.tangent_graph",),
        formula="(t x (a - v)) (t x (b - v)) >= 0 at each corner v",
    ),
    Method(
        id="GR-218",
        title="Voronoi roadmap of greatest clearance",
        objects=(
            _P + "roadmaps.voronoi_roadmap",
            _P + "roadmaps.retract_to_voronoi",
            _P + "roadmaps.safest_path",
        ),
        formula="d_1(p) = d_2(p): the two nearest sites are equally far",
        erratum=(
            "E-51: one approaches the diagram not orthogonally but along the gradient "
            "of the clearance, until the second site is equally far"
        ),
    ),
    Method(
        id="GR-219",
        title="freeway nets along corridor spines",
        objects=(
            _P + "freeway.find_freeways",
            _P + "freeway.freeway_path",
            _P + "freeway.silhouette_roadmap",
        ),
        formula="n_i (p - a_i) = n_j (p - a_j): bisector of facing edges",
    ),
    Method(
        id="GR-220",
        title="free space cut into convex cells",
        objects=(_P + "cells.convex_cells", _P + "cells.cell_path"),
        formula="free space = union of convex cells that share walls only",
        erratum="E-54: the least number of cells is NP-hard to find with holes",
    ),
    Method(
        id="GR-221",
        title="free space cut into trapezoids",
        objects=(_P + "cells.trapezoid_cells",),
        formula="at each corner a wall up and down to the next edge",
    ),
    Method(
        id="GR-222",
        title="free space refined by cell trees",
        objects=(_P + "cells.cell_tree", _P + "cells.tree_path"),
        formula="mixed cube -> 2^n cubes, order [[1, 2], [3, 4]]",
    ),
    Method(
        id="GR-223",
        title="potential field of attraction and repulsion",
        objects=(_P + "potential.PotentialField", _P + "potential.descend_potential"),
        formula="U = alpha |q - q_g|^2 + sum beta / (beta0 + d), F = -grad U",
        erratum=(
            "E-36: a distance of 0 inside obstacles has no slope; ours are signed"
        ),
    ),
    Method(
        id="GR-224",
        title="escapes from local minima",
        objects=(
            _P + "potential.harmonic_potential",
            _P + "potential.navigation_function",
            _P + "potential.descend_with_hills",
            _P + "potential.descend_with_walks",
            _P + "potential.descend_along",
        ),
        formula="laplace U = 0, U = 0 at the goal, U = 1 on obstacles",
    ),
    Method(
        id="GR-225",
        title="effort and completeness of planners compared",
        objects=(
            _P + "complexity.scaling_experiment",
            _P + "complexity.PlannerClass",
        ),
        formula="cells = c^d",
        erratum=(
            "E-49: not 'at least polynomial' but PSPACE-hard; exact methods take time "
            "exponential in the degrees of freedom"
        ),
    ),
    Method(
        id="GR-226",
        title="probabilistic roadmap (PRM) in four steps",
        objects=(
            _P + "probabilistic_roadmap.build_prm",
            _P + "probabilistic_roadmap.plan_prm",
        ),
        formula="sample, drop, connect k nearest, drop",
    ),
    Method(
        id="GR-227",
        title="where to sample for roadmaps",
        objects=tuple(
            _P + f"probabilistic_roadmap.{kind}_samples"
            for kind in ("uniform", "gaussian", "bridge", "boundary", "sparse")
        ),
        formula="bridge: a, b in obstacles, (a + b) / 2 free",
    ),
    Method(
        id="GR-228",
        title="blind, informed and anytime search",
        objects=(
            _P + "search.anytime_a_star",
            _P + "search.breadth_first",
            _P + "search.depth_first",
            _P + "search.uniform_cost",
        ),
        formula="f = g + eps h, cost <= eps optimum, eps -> 1",
    ),
    Method(
        id="GR-229",
        title="random trees (RRT), also under dynamics",
        objects=(
            _P + "random_tree.plan_rrt",
            _P + "random_tree.plan_rrt_star",
            _P + "random_tree.plan_rrt_connect",
            _P + "random_tree.plan_kinodynamic_rrt",
        ),
        formula="x_new = x_near + integral of f(x, u) over dt",
        erratum="E-37: the listing tests neither collisions nor the goal; both are",
    ),
    Method(
        id="GR-230",
        title="occupancy grid from range data",
        objects=(_P + "occupancy.add_scan", _P + "occupancy.OccupancyGrid"),
        formula="l <- l + log(p / (1 - p)) - l0",
        erratum="E-38: SLAM is simultaneous, not self, localisation and mapping",
    ),
    Method(
        id="GR-231",
        title="coastal paths along walls for better localisation",
        objects=(_P + "grid.coastal_path", _P + "grid.position_information"),
        formula="price = 1 + weight det(E + Q I)^(-1/2)",
    ),
    Method(
        id="GR-232",
        title="collision avoidance by dynamic window",
        objects=(
            _P + "dynamic_window.choose_speeds",
            _P + "dynamic_window.window_bounds",
        ),
        formula="v <= sqrt(2 dist a_b), max alpha heading + beta dist + gamma v",
    ),
    Method(
        id="GR-233",
        title="optimal control under constraints",
        objects=(
            _P + "trajectory_optimisation.solve_control",
            _P + "trajectory_optimisation.OptimalControlProblem",
        ),
        formula="min Phi(x(T), T) + integral of L dt, x' = f(x, u), g >= 0",
        erratum="E-39: inputs are bounded on both sides, u_min <= u <= u_max",
    ),
    Method(
        id="GR-234",
        title="time and energy as goals",
        objects=(_P + "trajectory_optimisation.double_integrator",),
        formula="J = T; J = integral of u^2; J = rho_1 T + rho_2 integral of u^2",
    ),
    Method(
        id="GR-235",
        title="smooth arm paths by optimisation",
        objects=(_P + "trajectory_optimisation.smooth_arm_path",),
        formula="min sum |q_k+1 - 2 q_k + q_k-1|^2 + w sum max(0, m - d)^2",
    ),
)
