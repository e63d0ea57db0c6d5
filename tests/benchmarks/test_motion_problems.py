"""Planning problems of the benchmark, and the checker that judges their paths."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.areas import _motion_scenes as scenes
from benchmarks.areas._motion_checker import PathChecker
from gelenk.trajectory import round_corners


@pytest.mark.parametrize("kind", scenes.KINDS)
def test_one_seed_draws_one_problem_with_free_ends(kind: str) -> None:
    one, two = (scenes.draw_problem(kind, "panda", 3) for _ in range(2))
    assert np.array_equal(one.start, two.start)
    assert np.array_equal(one.goal, two.goal)
    assert one.obstacles == two.obstacles
    assert one.scene.is_free([one.start, one.goal]).all()
    other = scenes.draw_problem(kind, "panda", 4)
    assert not np.array_equal(one.start, other.start)


@pytest.mark.parametrize("robot", scenes.ARMS)
def test_the_checker_sees_what_a_straight_line_runs_into(robot: str) -> None:
    problem = scenes.draw_problem("bin", robot, 1)
    checker = PathChecker(problem.scene, problem.obstacles, problem.shapes)
    stays = round_corners([problem.start, problem.start + 1e-6])
    assert checker.worst_overlap(stays)[0] == 0.0
    rng = np.random.default_rng(0)
    for _ in range(100):
        goal = problem.start + rng.normal(0.0, 0.5, problem.scene.nq)
        line = round_corners([problem.start, goal])
        q = line.sample(np.linspace(0.0, line.length, 500))
        if problem.scene.distance(q).distance.min() < -0.01:
            break
    overlap, looks = checker.worst_overlap(line)
    assert overlap > 1e-3
    assert looks > 400


def test_the_checker_takes_steps_of_a_millimetre_of_the_fastest_point() -> None:
    problem = scenes.draw_problem("table", "panda", 0)
    checker = PathChecker(problem.scene, problem.obstacles, problem.shapes)
    goal = problem.start.copy()
    goal[0] += 0.5
    tool = problem.scene.robots[0].forward(problem.start)
    arc = 0.5 * float(np.hypot(tool[0, 3], tool[1, 3]))
    _, looks = checker.worst_overlap(round_corners([problem.start, goal]))
    assert looks > arc / 1e-3
