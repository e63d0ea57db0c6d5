"""Tests of `plan`: freedom by fine samples, bounds by chance, reasons by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import gelenk
from gelenk.collision import Scene
from gelenk.errors import ConfigError, ModelError, NameNotFoundError, ShapeError
from gelenk.kinematics.forward import link_poses
from gelenk.planning import GoalRegion, MotionPlanStatus, plan
from gelenk.planning.motion_bound import coordinate_reach, pair_reach
from gelenk.planning.motion_space import MotionSpace
from gelenk.sim import Box
from gelenk.spatial import se3
from gelenk.trajectory import JointLimits

PANDA = gelenk.load("panda")
HOME = PANDA.home_configuration
CAGE = [
    Box(name="left", size=(0.8, 0.05, 1.2), position=(0.3, 0.55, 0.6)),
    Box(name="right", size=(0.8, 0.05, 1.2), position=(0.3, -0.55, 0.6)),
    Box(name="post", size=(0.1, 0.1, 1.1), position=(0.36, 0.0, 0.55)),
    Box(name="table", size=(1.2, 1.2, 0.05), position=(0.8, 0.0, -0.16)),
]


def scene_of(*things, **options) -> Scene:
    return Scene(PANDA, list(things), shapes="visual", **options)


def is_free_at_each_millimetre(found) -> bool:
    scene, path = found.scene, found.path
    coarse = path.sample(np.linspace(0.0, path.length, 400))
    places = link_poses(scene.robots[0], coarse)[:, :, :3, 3]
    speed = np.linalg.norm(np.diff(places, axis=0), axis=2).max()
    count = 400 * int(np.ceil(speed / 1e-3))
    return bool(scene.is_free(path.sample(np.linspace(0.0, path.length, count))).all())


def either_side(angle=0.9):
    start, goal = HOME.copy(), HOME.copy()
    start[0], goal[0] = -angle, angle
    return start, goal


def test_a_path_leads_around_the_post_and_is_free_at_each_millimetre() -> None:
    start, goal = either_side()
    for seed in range(5):
        found = plan(scene_of(*CAGE), start, goal, seed=seed)
        assert found.found, found.reason
        assert len(found.waypoints) > 2
        assert np.allclose(found.path.sample(0.0), start)
        assert np.allclose(found.path.sample(found.path.length), goal)
        assert is_free_at_each_millimetre(found)


def test_one_seed_gives_one_path() -> None:
    start, goal = either_side()
    one, two = (plan(scene_of(*CAGE), start, goal, seed=3) for _ in range(2))
    assert np.array_equal(one.waypoints, two.waypoints)


def test_random_problems_are_solved_and_free() -> None:
    rng = np.random.default_rng(0)
    scene = scene_of(*CAGE)
    q = rng.uniform(PANDA.limits[0], PANDA.limits[1], (200, 7))
    free = q[scene.is_free(q)]
    for start, goal in zip(free[:8], free[8:16], strict=True):
        found = plan(scene, start, goal, time_limit=20.0)
        assert found.found, found.reason
        assert is_free_at_each_millimetre(found)


def test_a_pose_is_reached_by_some_solution() -> None:
    scene = scene_of(*CAGE)
    start, goal = either_side()
    T = PANDA.forward(goal)
    found = plan(scene, start, T)
    assert found.found
    end = found.path.sample(found.path.length)
    assert np.abs(PANDA.forward(end) - T).max() < 1e-6


def test_poses_are_those_of_the_world_where_the_base_stands_elsewhere() -> None:
    T_world_base = se3.exp([0.5, -0.3, 0.2, 0.0, 0.0, 1.0])
    scene = Scene(PANDA, shapes="visual", T_world_base=T_world_base)
    start, goal = either_side(0.4)
    T = T_world_base @ PANDA.forward(goal)
    found = plan(scene, start, T)
    end = found.path.sample(found.path.length)
    assert np.abs(T_world_base @ PANDA.forward(end) - T).max() < 1e-6


def test_a_region_leaves_the_turn_of_the_tool_free() -> None:
    start, goal = either_side(0.5)
    T = PANDA.forward(goal)
    region = GoalRegion(T_world_frame=T, low=[0] * 5 + [-np.pi], high=[0] * 5 + [np.pi])
    found = plan(scene_of(*CAGE), start, region)
    end = PANDA.forward(found.path.sample(found.path.length))
    assert np.allclose(end[:3, 3], T[:3, 3], atol=1e-6)
    assert np.allclose(end[:3, 2], T[:3, 2], atol=1e-6)


def test_joints_may_be_named_as_goal_and_as_those_that_move() -> None:
    start = HOME.copy()
    found = plan(scene_of(), start, {"joint_4": -1.2}, joints=["joint_2", "joint_4"])
    end = found.path.sample(found.path.length)
    assert end[3] == -1.2
    q = found.path.sample(np.linspace(0, found.path.length, 50))
    assert np.ptp(q[:, [0, 2, 4, 5, 6]], axis=0).max() == 0.0


def test_two_arms_are_planned_at_once() -> None:
    left = gelenk.sim.Robot(name="left", model=PANDA)
    right = gelenk.sim.Robot(
        name="right", model=PANDA, T_world_base=se3.exp([0.0, 0.7, 0, 0, 0, 0])
    )
    scene = Scene([left, right], shapes="visual")
    a, b = either_side(0.5)
    found = plan(scene, np.concatenate([b, a]), np.concatenate([a, b]), time_limit=20.0)
    assert found.found, found.reason
    q = found.path.sample(np.linspace(0.0, found.path.length, 3000))
    assert scene.is_free(q).all()


def test_the_path_is_timed_within_the_limits_of_the_robot() -> None:
    start, goal = either_side()
    found = plan(scene_of(*CAGE), start, goal)
    motion = found.timed()
    assert motion.worst_ratio(JointLimits.of(PANDA)) <= 1.0 + 1e-9
    assert motion.joint_names == PANDA.joint_names
    assert np.allclose(motion.sample(motion.duration).q, goal, atol=1e-8)


def test_reach_bounds_the_motion_of_all_points_of_the_robot() -> None:
    rng = np.random.default_rng(1)
    for name in ("panda", "puma560", "iiwa7"):
        model = gelenk.load(name)
        scene = Scene(model, shapes="visual")
        reach = coordinate_reach(scene.tables, np.ones(model.nq))
        shaped = [model.link_names.index(link) for link in scene.link_groups]
        q = rng.uniform(-1.0, 1.0, (50, model.nq))
        h = 1e-6
        for j in range(model.nq):
            ends = [link_poses(model, q + s * h * np.eye(model.nq)[j]) for s in (1, -1)]
            ends = [end[:, shaped] for end in ends]
            speed = np.linalg.norm((ends[0] - ends[1])[..., :3, 3], axis=-1) / (2 * h)
            assert speed.max() <= reach[j] + 1e-6


def distance_slopes(scene, q, h=1e-6):
    """Change of each pair's distance per unit of each coordinate, by differences."""
    slopes = []
    for direction in np.eye(scene.nq):
        ends = [scene.distance(q + s * h * direction).distance for s in (1.0, -1.0)]
        slopes.append((ends[0] - ends[1]) / (2.0 * h))
    return np.abs(np.moveaxis(slopes, 0, -1)), scene.distance(q).distance


def test_pair_reach_bounds_the_change_of_every_distance() -> None:
    rng = np.random.default_rng(4)
    T_world_base = se3.exp([0.3, -0.2, 0.1, 0.2, 0.4, 1.0])
    near = Box(name="near", size=(0.1, 0.1, 0.1), position=(0.3, -0.2, 0.0))
    for name in ("panda", "ur5e", "scara"):
        model = gelenk.load(name)
        scene = Scene(model, [near, *CAGE], shapes="visual", T_world_base=T_world_base)
        low, high = np.clip(model.limits, -3.0, 3.0)
        magnitudes = np.maximum(np.abs(low), np.abs(high))
        bound = pair_reach(scene.tables, magnitudes)
        slope, distance = distance_slopes(
            scene, rng.uniform(low, high, (100, model.nq))
        )
        slope[distance <= 1e-4] = 0.0
        assert (slope.max(axis=0) <= bound + 1e-4).all()
        # joints that carry both sides count nothing, and some bounds are tight
        assert (bound == 0.0).any()
        assert (slope.max(axis=0) > 0.8 * bound - 1e-4)[bound > 0.0].any()


def test_pairs_of_two_robots_count_the_joints_of_both() -> None:
    left = gelenk.sim.Robot(name="left", model=PANDA)
    right = gelenk.sim.Robot(
        name="right", model=PANDA, T_world_base=se3.exp([0.0, 0.7, 0, 0, 0, 0])
    )
    scene = Scene([left, right], shapes="visual")
    rng = np.random.default_rng(5)
    q = rng.uniform(*np.tile(PANDA.limits, 2), (60, 14))
    slope, distance = distance_slopes(scene, q)
    slope[distance <= 1e-4] = 0.0
    assert (slope.max(axis=0) <= pair_reach(scene.tables, np.ones(14)) + 1e-4).all()


def test_lines_are_free_where_all_their_points_are() -> None:
    rng = np.random.default_rng(6)
    scene = scene_of(*CAGE)
    space = MotionSpace(scene, HOME, None)
    q = rng.uniform(PANDA.limits[0], PANDA.limits[1], (400, 7))
    q = q[scene.is_free(q)]
    shares = np.linspace(0.0, 1.0, 1200)[:, None]
    answers = []
    for a, b in zip(q[:50], q[50:100], strict=True):
        b = a + 0.2 * (b - a)
        points = a + shares * (b - a)
        least = scene.distance(points).distance.min()
        if abs(least) < 1e-3:  # grazing: samples may miss what is no point of theirs
            continue
        answers.append(space.is_line_free(a, b))
        assert answers[-1] == (least > 0.0)
    assert 5 < sum(answers) < len(answers) - 5


def test_a_plate_of_half_a_millimetre_is_not_passed() -> None:
    start, goal = either_side(0.6)
    plate = Box(name="plate", size=(0.8, 5e-4, 1.5), position=(0.62, 0.0, 0.4))
    space = MotionSpace(scene_of(plate), start, None)
    ends = [start, goal, 0.5 * (start + goal)]
    assert scene_of(plate).is_free(ends).tolist() == [True, True, False]
    assert not space.is_line_free(start, goal)


def test_a_margin_holds_along_the_whole_path() -> None:
    start, goal = either_side()
    scene = scene_of(*CAGE, margins={("hand", "post"): 0.02, ("link_7", "post"): 0.02})
    found = plan(scene, start, goal)
    q = found.path.sample(np.linspace(0.0, found.path.length, 3000))
    assert (
        scene.distance(q, within=0.1)
        .distance[:, scene.pairs.index(("link_7", "post"))]
        .min()
        > 0.02 - 3e-4
    )


def test_reasons_name_what_collides() -> None:
    start, goal = either_side()
    block = Box(
        name="block",
        size=(0.05, 0.05, 0.05),
        position=tuple(PANDA.forward(goal, "link_6")[:3, 3]),
    )
    found = plan(scene_of(block), start, goal)
    assert found.status is MotionPlanStatus.GOAL_IN_COLLISION
    assert "'block'" in found.reason
    found = plan(scene_of(block), goal, start)
    assert found.status is MotionPlanStatus.START_IN_COLLISION
    assert "overlap by" in found.reason
    found = plan(scene_of(block), start, PANDA.forward(goal))
    assert found.status is MotionPlanStatus.GOAL_IN_COLLISION


def test_poses_out_of_reach_are_told() -> None:
    T = PANDA.forward(HOME)
    T[0, 3] += 3.0
    found = plan(scene_of(), HOME, T)
    assert found.status is MotionPlanStatus.GOAL_OUT_OF_REACH
    with pytest.raises(ConfigError, match="there is no path to be timed"):
        found.timed()
    far = HOME.copy()
    far[3] = 1.0
    found = plan(scene_of(), HOME, far)
    assert found.status is MotionPlanStatus.GOAL_OUT_OF_REACH
    assert "'joint_4'" in found.reason


def test_a_search_without_end_stops_when_its_time_is_up() -> None:
    start, goal = either_side()
    scene = scene_of(*CAGE)
    found = plan(scene, start, goal, joints=["joint_1"], time_limit=0.3)
    assert found.status is MotionPlanStatus.TIME_UP, found.reason
    assert "give more time" in found.reason
    assert found.seconds < 5.0


def test_mistakes_are_told() -> None:
    with pytest.raises(ShapeError):
        plan(scene_of(), HOME[:3], HOME)
    with pytest.raises(ShapeError):
        plan(scene_of(), HOME, np.zeros(5))
    with pytest.raises(NameNotFoundError):
        plan(scene_of(), HOME, HOME, joints=["elbow"])
    with pytest.raises(NameNotFoundError):
        plan(scene_of(), HOME, {"elbow": 1.0})
    beyond = HOME.copy()
    beyond[0] = 4.0
    with pytest.raises(ConfigError, match="`start` is beyond the limits of joint"):
        plan(scene_of(), beyond, HOME)
    with pytest.raises(ConfigError, match="`low` must not be above"):
        GoalRegion(low=[1, 0, 0, 0, 0, 0])
    fourbar = gelenk.load("fourbar")
    with pytest.raises(ModelError, match="has loops"):
        plan(Scene(fourbar, shapes="visual"), fourbar.home_configuration, [0.3])


def test_endless_joints_take_the_shorter_way() -> None:
    model = gelenk.load("planar2r")
    model = replace(
        model,
        lower=np.full_like(model.lower, -np.inf),
        upper=np.full_like(model.upper, np.inf),
    )
    found = plan(Scene(model, shapes="visual"), [3.0, 0.1], [-3.0, 0.1])
    assert found.found
    assert found.path.length < 0.5
