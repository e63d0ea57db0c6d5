"""Optimal control: closed solutions, refinement, replay; arms; growth of effort."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.errors import ConfigError
from gelenk.planning.complexity import (
    PLANNERS,
    Completeness,
    box_scene,
    scaling_experiment,
)
from gelenk.planning.random_tree import plan_rrt_connect
from gelenk.planning.scene import arm_scene
from gelenk.planning.trajectory_optimisation import (
    OptimalControlProblem,
    double_integrator,
    path_bend,
    simulate_control,
    smooth_arm_path,
    solve_control,
    sphere_gaps,
)


@pytest.mark.capability("GR-233", "GR-234")
def test_least_energy_is_the_straight_input_of_the_course():
    problem = double_integrator(1.0, criterion="energy", duration=2.0)
    solution = solve_control(problem, intervals=20)

    assert solution.converged
    assert solution.cost == pytest.approx(1.514578, abs=1e-6)
    assert_allclose(solution.inputs[:, 0], 1.5 * (1.0 - solution.times), atol=0.09)
    # The error of the trapezoid is O(h^2): half the step, a quarter of it.
    coarse = solve_control(problem, intervals=10).cost
    assert (coarse - 1.5) / (solution.cost - 1.5) == pytest.approx(4.0, rel=0.1)


@pytest.mark.capability("GR-233")
def test_hermite_simpson_integrates_the_dynamics_better():
    problem = double_integrator(1.0, criterion="energy", duration=2.0)
    errors = []
    for rule in ("trapezoid", "hermite-simpson"):
        solution = solve_control(problem, intervals=10, rule=rule)
        errors.append(
            np.abs(simulate_control(problem, solution)[-1] - [1.0, 0.0]).max()
        )

    assert errors[0] > 1e-3
    assert errors[1] < 1e-7


@pytest.mark.capability("GR-234")
def test_least_time_is_full_power_then_full_brake():
    problem = double_integrator(1.0, criterion="time", limit=1.0)
    solution = solve_control(problem, intervals=20, guess_duration=3.0)

    assert solution.converged
    assert solution.cost == pytest.approx(2.0, abs=0.01)
    before, after = solution.times < 0.85, solution.times > 1.15
    assert_allclose(solution.inputs[before, 0], 1.0, atol=1e-3)
    assert_allclose(solution.inputs[after, 0], -1.0, atol=1e-3)


@pytest.mark.capability("GR-234")
def test_time_and_energy_together_choose_their_own_duration():
    # J(T) = T + 12 / T^3 has its least at T = sqrt 6.
    problem = double_integrator(1.0, criterion="combined")
    solution = solve_control(problem, intervals=24, guess_duration=2.0)

    assert solution.converged
    assert solution.times[-1] == pytest.approx(np.sqrt(6.0), abs=0.02)
    assert solution.cost == pytest.approx(3.265986, abs=0.02)


@pytest.mark.capability("GR-233")
def test_constraints_and_bounds_hold_and_cost_something():
    def flow(x, u):
        return np.stack([x[:, 2], x[:, 3], u[:, 0], u[:, 1]], axis=1)

    def around(x, u):
        return ((x[:, :2] - [1.0, 0.05]) ** 2).sum(axis=1, keepdims=True) - 0.3**2

    free, tied = (
        solve_control(
            OptimalControlProblem(
                flow=flow,
                start=np.zeros(4),
                end=np.array([2.0, 0.0, 0.0, 0.0]),
                lower=np.full(2, -3.0),
                upper=np.full(2, 3.0),
                running=lambda x, u: (u**2).sum(axis=1),
                duration=2.0,
                constraint=constraint,
            ),
            intervals=12,
        )
        for constraint in (None, around)
    )

    assert tied.converged
    assert tied.residual < 1e-6
    assert around(tied.states, tied.inputs).min() > -1e-6
    assert around(free.states, free.inputs).min() < -0.01  # without it straight through
    assert np.abs(tied.inputs).max() <= 3.0 + 1e-9
    assert tied.cost > free.cost


@pytest.mark.capability("GR-235")
def test_the_path_of_an_arm_gets_smoother_and_stays_clear():
    arm = gelenk.load("puma560")
    scene = arm_scene(
        arm,
        lower=np.full(6, -np.pi),
        upper=np.full(6, np.pi),
        boxes=[[0.3, 0.2, -0.5, 0.6, 0.4, 0.6]],
        radius=0.06,
        spacing=0.12,
    )
    start = np.array([1.5, -0.2, -0.3, 0.0, 0.3, 0.0])
    goal = np.array([0.0, -0.2, -0.3, 0.5, 0.2, 0.0])
    assert not scene.are_free_between(start, goal)
    rough = plan_rrt_connect(
        scene, start, goal, step=0.3, rng=np.random.default_rng(0)
    ).path

    smooth = smooth_arm_path(scene, rough, count=24, max_iterations=60)

    assert smooth.is_free
    assert_allclose(smooth.path.points[[0, -1]], [start, goal])
    before = path_bend(rough.at(np.linspace(0.0, rough.length, 24)))
    assert smooth.bend < 0.3 * before
    assert smooth.path.length < rough.length
    # Clearance once more, from the geometry of a box instead of its planes.
    low, high = np.array([0.3, 0.2, -0.5]), np.array([0.6, 0.4, 0.6])
    fine = smooth.path.at(np.linspace(0.0, smooth.path.length, 300))
    for q in fine[::5]:
        centers = scene.cladding_centers(q)
        gap = np.linalg.norm(centers - np.clip(centers, low, high), axis=1) - 0.06
        assert gap.min() > 0.0
        assert (
            sphere_gaps(scene, q) <= gap + 1e-9
        ).all()  # planes are on the safe side


@pytest.mark.capability("GR-225")
def test_grids_grow_exponentially_and_random_trees_hardly():
    table = scaling_experiment((2, 3, 4, 5, 6), rng=np.random.default_rng(0), trials=4)

    cells = np.log([row.cells for row in table])
    nodes = np.log([row.nodes for row in table])
    assert_allclose(np.diff(cells), np.log(20.0), rtol=1e-9)
    assert (nodes[-1] - nodes[0]) / 4.0 < 0.3 * np.log(20.0)
    # The grid of 20^6 cells would not fit; the trees still answer.
    assert table[-1].cells == 64_000_000
    assert table[-1].nodes < 2000


@pytest.mark.capability("GR-225")
def test_every_planner_in_the_table_exists_and_has_a_class():
    import importlib

    for row in PLANNERS:
        module, function = row.name.split(".")
        home = importlib.import_module(f"gelenk.planning.{module}")
        assert callable(getattr(home, function))
    assert {row.completeness for row in PLANNERS} == set(Completeness)


@pytest.mark.capability("GR-225")
def test_random_planners_never_prove_that_there_is_none():
    from gelenk.planning.scene import point_scene

    walled = point_scene([0, 0], [1, 1], boxes=[[0.4, -1, 0.6, 2]])
    result = plan_rrt_connect(
        walled,
        [0.1, 0.5],
        [0.9, 0.5],
        step=0.2,
        rng=np.random.default_rng(0),
        samples=300,
    )

    assert not result.found
    assert result.status == "gave up"
    assert box_scene(3).are_free([0.1, 0.1, 0.1])


def test_mistakes_are_named():
    with pytest.raises(ConfigError, match="duration"):
        double_integrator(1.0, criterion="energy")
    with pytest.raises(ConfigError, match="intervals"):
        solve_control(double_integrator(1.0, criterion="time"), intervals=1)
