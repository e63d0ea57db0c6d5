"""Random planners: plain Python twins, exact optima, statistics, other libraries."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import gelenk
from gelenk.errors import ConfigError
from gelenk.kinematics.forward import link_poses
from gelenk.planning.probabilistic_roadmap import (
    boundary_samples,
    bridge_samples,
    build_prm,
    gaussian_samples,
    nearest_pairs,
    plan_prm,
    sparse_samples,
    uniform_samples,
)
from gelenk.planning.random_tree import (
    biased_samples,
    plan_kinodynamic_rrt,
    plan_rrt,
    plan_rrt_connect,
    plan_rrt_star,
    shorten_path,
)
from gelenk.planning.roadmaps import shortest_path
from gelenk.planning.scene import arm_scene, point_scene, scene_from_world
from gelenk.planning.world import PolygonWorld

WORLD = PolygonWorld(
    [
        [[2, 2], [4, 2], [4, 5], [2, 5]],
        [[6, 4], [8, 4], [8, 8], [6, 8]],
        [[1, 7], [4, 6], [4.5, 9], [3, 8]],
    ],
    [0, 0],
    [10, 10],
)
SCENE = scene_from_world(WORLD)
# A wall with a gap 0.2 m wide.
GATE = point_scene([0, 0], [10, 10], boxes=[[4, 0, 6, 4.9], [4, 5.1, 6, 10]])
ARM = gelenk.load("puma560")
CELL = arm_scene(
    ARM,
    lower=np.full(6, -np.pi),
    upper=np.full(6, np.pi),
    boxes=[[0.3, 0.2, -0.5, 0.6, 0.4, 0.6]],
    balls=[[0.3, -0.4, 0.3, 0.15]],
    radius=0.06,
)


def test_the_compiled_scene_is_the_polygon_world():
    rng = np.random.default_rng(0)
    a, b = rng.uniform(0.0, 10.0, (2, 500, 2))

    assert (SCENE.are_free_between(a, b) == WORLD.are_free_between(a, b)).all()
    assert (SCENE.are_free(a) == WORLD.are_free(a)).all()


def test_lines_miss_balls_where_samples_do():
    rng = np.random.default_rng(1)
    balls = np.column_stack([rng.uniform(0, 4, (5, 3)), rng.uniform(0.2, 0.6, 5)])
    scene = point_scene([0, 0, 0], [4, 4, 4], balls=balls)
    a, b = rng.uniform(0.0, 4.0, (2, 300, 3))
    s = np.linspace(0.0, 1.0, 2001)[:, None, None]
    gaps = np.min(
        [
            np.linalg.norm(a + s * (b - a) - c[:3], axis=-1).min(axis=0) - c[3]
            for c in balls
        ],
        axis=0,
    )

    free = scene.are_free_between(a, b)

    clear = np.abs(gaps) > 1e-3
    assert (free[clear] == (gaps > 0.0)[clear]).all()


def test_the_cladding_sits_on_the_arm():
    rng = np.random.default_rng(2)
    for q in rng.uniform(-np.pi, np.pi, (5, 6)):
        centers = CELL.cladding_centers(q)
        poses = link_poses(ARM, q)
        joints = poses[:, :3, 3]
        # Every ball lies on a line between two successive joint frames.
        for center in centers:
            gaps = []
            for a, b in pairwise(joints):
                length = np.linalg.norm(b - a)
                s = np.clip((center - a) @ (b - a) / max(length**2, 1e-12), 0.0, 1.0)
                gaps.append(np.linalg.norm(center - a - s * (b - a)))
            assert min(gaps) < 0.16  # links of the Puma are offset sideways by 0.15 m
        assert np.linalg.norm(centers[-1] - joints[-1]) < 0.5


def _plain_rrt(scene, start, goal, draws, step):
    """The listing of the course with both missing tests, line by line."""
    nodes, parent = [np.array(start, float)], [-1]
    for x_rand in draws:
        gaps = np.linalg.norm(np.array(nodes) - x_rand, axis=1)
        near = int(gaps.argmin())
        if gaps[near] == 0.0:
            continue
        share = min(1.0, step / gaps[near])
        x_new = nodes[near] + share * (x_rand - nodes[near])
        if not WORLD.are_free_between(nodes[near], x_new):
            continue
        nodes.append(x_new)
        parent.append(near)
        if np.linalg.norm(x_new - goal) <= 1e-9:
            break
    return np.array(nodes), np.array(parent)


@pytest.mark.capability("GR-229")
def test_the_compiled_tree_is_the_plain_one_node_by_node():
    start, goal = np.array([1.0, 3.0]), np.array([9.0, 6.0])
    draws = biased_samples(SCENE, goal, 400, 0.08, np.random.default_rng(3))
    nodes, parent = _plain_rrt(SCENE, start, goal, draws, 0.5)

    tree = plan_rrt(
        SCENE, start, goal, step=0.5, rng=np.random.default_rng(3), samples=400
    )

    assert_allclose(tree.nodes, nodes, atol=1e-12)
    assert (tree.parent == parent).all()


@pytest.mark.capability("GR-229")
@pytest.mark.parametrize("planner", [plan_rrt, plan_rrt_connect, plan_rrt_star])
def test_random_trees_reach_the_goal_without_touching_anything(planner):
    for seed in range(8):
        rng = np.random.default_rng(seed)
        result = planner(SCENE, [1, 3], [9, 6], step=0.5, rng=rng, samples=2000)

        assert result.found
        path = result.path.points
        assert_allclose(path[[0, -1]], [[1, 3], [9, 6]], atol=1e-9)
        assert WORLD.are_free_between(path[:-1], path[1:]).all()
        assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() <= 0.5 + 1e-9
        hung = result.parent >= 0
        lengths = result.nodes[hung] - result.nodes[result.parent[hung]]
        assert np.linalg.norm(lengths, axis=1).max() <= 0.5 + 1e-9


@pytest.mark.capability("GR-229")
def test_rewiring_comes_near_the_exact_shortest_path():
    exact = shortest_path(WORLD, [1, 3], [9, 6]).path.length
    lengths = [
        planner(
            SCENE, [1, 3], [9, 6], step=1.0, rng=np.random.default_rng(4), samples=3000
        ).path.length
        for planner in (plan_rrt, plan_rrt_star)
    ]

    assert exact <= lengths[1] < 1.03 * exact
    assert lengths[0] > 1.08 * exact


@pytest.mark.capability("GR-229")
def test_shortcuts_only_shorten_and_stay_free():
    rng = np.random.default_rng(5)
    path = plan_rrt(SCENE, [1, 3], [9, 6], step=0.5, rng=rng).path

    short = shorten_path(SCENE, path, rng=rng)

    assert short.length < path.length
    assert short.length >= shortest_path(WORLD, [1, 3], [9, 6]).path.length - 1e-9
    assert WORLD.are_free_between(short.points[:-1], short.points[1:]).all()


@pytest.mark.capability("GR-229")
def test_an_arm_of_six_joints_gets_around_a_pillar():
    # Bent far to either side of the pillar, so that the straight motion meets it.
    start = np.array([1.5, -0.2, -0.3, 0.0, 0.3, 0.0])
    goal = np.array([0.0, -0.2, -0.3, 0.5, 0.2, 0.0])
    assert not CELL.are_free_between(start, goal)

    result = plan_rrt_connect(CELL, start, goal, step=0.2, rng=np.random.default_rng(6))

    assert result.found
    finer = result.path.at(np.linspace(0.0, result.path.length, 2000))
    for q in finer[::20]:
        for center in CELL.cladding_centers(q):
            low, high = np.array([0.3, 0.2, -0.5]), np.array([0.6, 0.4, 0.6])
            gap = np.linalg.norm(center - np.clip(center, low, high))
            assert gap > 0.05
            assert np.linalg.norm(center - [0.3, -0.4, 0.3]) > 0.2


@pytest.mark.capability("GR-229")
def test_edges_of_a_kinodynamic_tree_replay_by_integration():
    # A cart with inertia: x, y, heading, speed; inputs: acceleration and turn rate.
    def flow(x, u):
        rates = (x[:, 3] * np.cos(x[:, 2]), x[:, 3] * np.sin(x[:, 2]), u[:, 1], u[:, 0])
        return np.stack(rates, axis=1)

    choices = np.array([[a, w] for a in (-1.0, 0.0, 1.0) for w in (-1.0, 0.0, 1.0)])
    result = plan_kinodynamic_rrt(
        flow,
        [1, 1, 0, 0],
        [8, 8, 1, 0.5],
        inputs=choices,
        lower=[0, 0, -4, 0],
        upper=[10, 10, 4, 1.5],
        are_free=lambda x: WORLD.are_free(x[..., :2]),
        tolerance=0.8,
        scale=[1, 1, 0.1, 0.1],
        dt=0.5,
        rng=np.random.default_rng(7),
        samples=4000,
    )

    assert result.trajectory is not None
    x = np.array([1.0, 1.0, 0.0, 0.0])
    for k, u in enumerate(result.controls):
        replay = solve_ivp(
            lambda _, x, u=u: flow(x[None], u[None])[0],
            (0, 0.5),
            x,
            rtol=1e-10,
            atol=1e-12,
        )
        x = replay.y[:, -1]
        assert_allclose(result.trajectory.points[k + 1], x, atol=1e-4)
    assert np.linalg.norm(x[:2] - 8.0) < 0.9
    assert WORLD.are_free(result.trajectory.points[:, :2]).all()


@pytest.mark.capability("GR-226")
def test_the_four_steps_leave_free_points_and_free_lines_to_nearest_neighbours():
    rng = np.random.default_rng(8)
    roadmap = build_prm(WORLD, count=60, rng=rng, neighbours=4)
    p, edges = roadmap.points, roadmap.edges

    assert WORLD.are_free(p).all()
    s = np.linspace(0.0, 1.0, 200)[:, None, None]
    fine = p[edges[:, 0]] + s * (p[edges[:, 1]] - p[edges[:, 0]])
    assert WORLD.are_free(fine).all()
    gaps = np.linalg.norm(p[:, None] - p, axis=-1)
    rank = gaps.argsort(axis=1).argsort(axis=1)
    brute = {
        (i, j) for i in range(60) for j in range(i)
        if (rank[i, j] <= 4 or rank[j, i] <= 4) and WORLD.are_free_between(p[i], p[j])
    }  # fmt: skip
    assert {(int(b), int(a)) for a, b in edges} == brute
    assert len(nearest_pairs(p, 4)) > len(edges)  # step 4 dropped some


@pytest.mark.capability("GR-226")
def test_roadmaps_succeed_more_often_and_shorter_the_more_they_sample():
    exact = shortest_path(WORLD, [1, 3], [9, 6]).path.length
    shares, means = [], []
    for count in (8, 30, 300):
        results = [
            plan_prm(
                SCENE, [1, 3], [9, 6], count=count, rng=np.random.default_rng(seed)
            )
            for seed in range(20)
        ]
        found = [r.path.length for r in results if r.path is not None]
        shares.append(len(found) / 20)
        means.append(np.mean(found))

    assert shares[0] < shares[1] <= shares[2] == 1.0
    assert exact <= means[2] < means[1]
    assert means[2] < 1.2 * exact


@pytest.mark.capability("GR-227")
def test_samplers_find_the_narrow_gate_that_uniform_ones_miss():
    samplers = {
        "uniform": uniform_samples,
        "gaussian": partial(gaussian_samples, sigma=0.3),
        "bridge": partial(bridge_samples, sigma=1.0),
        "boundary": boundary_samples,
    }
    inside = {}
    for name, sampler in samplers.items():
        points = sampler(GATE, 300, np.random.default_rng(9))
        assert GATE.are_free(points).all()
        is_in = (np.abs(points[:, 0] - 5.0) < 1.0) & (np.abs(points[:, 1] - 5.0) < 0.1)
        inside[name] = is_in.mean()

    # Uniformly the gate holds its share of the free area: 0.4 / 80.4 = 0.5 %.
    assert inside["uniform"] < 0.02
    assert inside["bridge"] > 0.5
    assert inside["gaussian"] > 5.0 * 0.4 / 80.4
    assert inside["boundary"] > 0.4 / 80.4


@pytest.mark.capability("GR-227")
def test_a_narrow_passage_is_planned_through_more_often_with_bridges():
    def mixed(space, count, rng):
        return np.concatenate(
            [
                uniform_samples(space, count // 2, rng),
                bridge_samples(space, count - count // 2, rng, sigma=1.0),
            ]
        )

    def share(sampler):
        results = [
            plan_prm(
                GATE,
                [1, 5],
                [9, 5],
                count=60,
                rng=np.random.default_rng(seed),
                sampler=sampler,
            ).found
            for seed in range(20)
        ]
        return np.mean(results)

    start_sees_gate = GATE.are_free_between([1, 5], [9, 5]).item()
    assert start_sees_gate
    assert share(mixed) >= share(uniform_samples) + 0.3


@pytest.mark.capability("GR-227")
def test_more_samples_go_where_there_were_few_neighbours():
    # A large and a small chamber; the few samples in the small one are less crowded.
    two = point_scene([0, 0], [10, 10], boxes=[[8, 0, 8.5, 10], [8.5, 1, 10, 10]])
    rng = np.random.default_rng(10)
    uniform = uniform_samples(two, 2000, rng)
    sparse = sparse_samples(two, 2000, rng, radius=1.0)

    in_small = [float((p[:, 0] > 8.5).mean()) for p in (uniform, sparse)]
    assert in_small[1] > 1.15 * in_small[0]


def test_mistakes_are_named():
    rng = np.random.default_rng(0)
    with pytest.raises(ConfigError, match="`start`"):
        plan_rrt(SCENE, [3, 3], [9, 6], step=0.5, rng=rng)
    with pytest.raises(ConfigError, match="`step`"):
        plan_rrt(SCENE, [1, 3], [9, 6], step=0.0, rng=rng)
    with pytest.raises(ConfigError, match="found only 0 of 5"):
        bridge_samples(point_scene([0, 0], [1, 1]), 5, rng, sigma=0.1)
