"""Levenberg-Marquardt inverse kinematics; the oracle of every answer is a textbook FK."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.transform import Rotation

import gelenk
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.kinematics.chain import frame_chain
from gelenk.kinematics.inverse import IkStatus
from gelenk.kinematics.inverse.lm import _options, low_discrepancy
from gelenk.models.tree import RobotModel
from testkit.random_models import (
    random_arm,
    random_configuration,
    random_tree,
)
from textbook_tree import link_poses as poses_of_values
from textbook_tree import tool_pose, values_at

ARMS = ("panda", "ur5e", "puma560", "iiwa7")
SOLVED_ON_LIMITS = 92  # of 100; without the active set it is 75
TOL = 1.05e-6  # [m], [rad]; the solver's tolerance and the oracle's own rounding


def link_poses(model: RobotModel, q: np.ndarray) -> np.ndarray:
    T_world_base = np.eye(4)
    if model.has_floating_base:
        T_world_base[:3, :3] = Rotation.from_quat(q[3:7], scalar_first=True).as_matrix()
        T_world_base[:3, 3] = q[:3]
        q = q[7:]
    return T_world_base @ poses_of_values(model, values_at(model, q))


def errors(T: np.ndarray, target: np.ndarray) -> tuple[float, float]:
    turn = Rotation.from_matrix(target[:3, :3] @ T[:3, :3].T).magnitude()
    return float(np.linalg.norm(T[:3, 3] - target[:3, 3])), float(turn)


@pytest.mark.capability("GR-27", "AB-X09")
@pytest.mark.parametrize("name", ARMS)
def test_random_reachable_poses_are_solved_within_limits(name: str) -> None:
    model = gelenk.load(name)
    rng = np.random.default_rng(7)
    solved = 0
    for q in random_configuration(rng, model, 300):
        target = tool_pose(model, q)

        result = model.inverse(target)

        solved += result.converged
        if result.converged:
            assert max(errors(tool_pose(model, result.q), target)) <= TOL
            assert (result.q >= model.limits[0]).all()
            assert (result.q <= model.limits[1]).all()
    assert solved == 300


def test_arms_as_users_build_them_are_solved() -> None:
    rng = np.random.default_rng(3)
    solved = 0
    for _ in range(100):
        model = random_arm(rng, num_joints=int(rng.integers(4, 9)))
        target = tool_pose(model, random_configuration(rng, model))
        result = model.inverse(target)
        assert not result.converged or (
            max(errors(tool_pose(model, result.q), target)) <= TOL
        )
        solved += result.converged
    assert solved >= 99


@pytest.mark.parametrize(
    ("task", "parts"),
    [("position", "p"), ("axis", "z"), ("position_axis", "pz"), ("rotation", "r")],
)
def test_partial_tasks_meet_their_part(task: str, parts: str) -> None:
    model = gelenk.load("puma560")
    rng = np.random.default_rng(5)
    for q in random_configuration(rng, model, 30):
        target = tool_pose(model, q)

        result = model.inverse(target, task=task)

        T = tool_pose(model, result.q)
        assert result.converged
        if "p" in parts:
            assert errors(T, target)[0] <= TOL
        if "z" in parts:
            angle = np.arccos(np.clip(T[:3, 2] @ target[:3, 2], -1.0, 1.0))
            assert angle <= 2e-6  # arccos near 1 has this resolution
        if "r" in parts:
            assert errors(T, target)[1] <= TOL


def test_a_partial_task_leaves_the_rest_free() -> None:
    """A five-axis arm reaches positions and directions, though almost no full pose."""
    rng = np.random.default_rng(0)
    model = random_arm(rng, num_joints=5)
    target = tool_pose(model, random_configuration(rng, model))
    turned = target.copy()
    turned[:3, :3] = target[:3, :3] @ Rotation.from_euler("z", 1.0).as_matrix()

    assert model.inverse(turned, task="position_axis").converged
    assert model.inverse(turned, task="position").converged
    assert not model.inverse(turned).converged


def test_a_component_of_weight_zero_is_free() -> None:
    model = gelenk.load("panda")
    target = tool_pose(model, model.home_configuration)
    far_up = target.copy()
    far_up[2, 3] += 50.0

    result = model.inverse(far_up, weights=[1, 1, 0, 1, 1, 1])

    assert result.converged
    T = tool_pose(model, result.q)
    assert np.linalg.norm(T[:2, 3] - far_up[:2, 3]) <= TOL
    assert errors(T, far_up)[1] <= TOL


@pytest.mark.capability("AB-163")
def test_the_solution_stays_near_the_start() -> None:
    model = gelenk.load("ur5e")
    rng = np.random.default_rng(1)
    for q in random_configuration(rng, model, 50):
        near = np.clip(q + rng.normal(scale=0.02, size=6), *model.limits)
        result = model.inverse(tool_pose(model, near), q0=q)
        assert result.converged
        if result.starts == 1:
            assert np.abs(result.q - q).max() < 1.0
        assert np.abs(near - result.q).max() < 1e-3 or result.starts > 1


def test_redundant_arm_approaches_the_preferred_configuration() -> None:
    model = gelenk.load("iiwa7")
    rng = np.random.default_rng(2)
    gains = []
    for q in random_configuration(rng, model, 20):
        target = tool_pose(model, q)
        prefer = np.clip(q + rng.normal(scale=0.1, size=7), *model.limits)

        plain = model.inverse(target, q0=q)
        preferring = model.inverse(target, q0=q, prefer=prefer)

        assert preferring.converged
        assert max(errors(tool_pose(model, preferring.q), target)) <= TOL
        before = np.linalg.norm(plain.q - prefer)
        after = np.linalg.norm(preferring.q - prefer)
        gains.append(before - after)
        # Nearest on the solution curve: the wish has no component along the null space.
        J = model.jacobian(preferring.q)
        null = np.linalg.svd(J)[2][6]
        inside = (np.abs(preferring.q - model.limits) > 1e-6).all()
        if inside:
            assert abs(null @ (prefer - preferring.q)) < 1e-4
    assert min(gains) > -1e-6
    assert max(gains) > 1e-3


def test_a_target_beyond_the_arm_is_unreachable_and_says_so() -> None:
    model = gelenk.load("panda")
    target = np.eye(4)
    target[0, 3] = 9.0

    result = model.inverse(target)

    assert result.status is IkStatus.UNREACHABLE
    assert result.position_error > 7.0
    assert "reach" in result.message


def test_a_target_inside_but_impossible_ends_with_a_status() -> None:
    model = gelenk.load("planar2r")
    target = np.eye(4)
    target[0, 3], target[2, 3] = 1.0, 0.5  # the arm cannot leave its plane

    result = model.inverse(target, task="position")

    assert result.status is IkStatus.MAX_ITERATIONS
    assert result.position_error == pytest.approx(0.5, abs=1e-3)


def test_the_result_names_joints_on_their_limits() -> None:
    model = gelenk.load("planar2r")
    from dataclasses import replace

    lower, upper = model.lower.copy(), model.upper.copy()
    ids = model.joint_ids
    lower[ids], upper[ids] = [-1.0, 0.0], [1.0, 1.2]
    bounded = replace(model, lower=lower, upper=upper)
    target = tool_pose(model, np.array([0.3, 1.2]))

    result = bounded.inverse(target)

    assert result.converged
    assert_array_equal(result.active_limits, [False, True])


@pytest.mark.capability("GR-27")
def test_equal_calls_give_equal_bits() -> None:
    model, again = gelenk.load("panda"), gelenk.load("panda")
    target = tool_pose(model, np.array([0.4, -0.2, 0.9, -1.4, 1.0, 2.0, 0.1]))
    assert_array_equal(model.inverse(target).q, again.inverse(target).q)


def test_floating_base_stays_where_the_start_says() -> None:
    rng = np.random.default_rng(8)
    for _ in range(40):
        model = random_tree(rng, num_joints=8, floating=True, branching=0.0)
        frame = model.link_names[-1]
        q = random_configuration(rng, model)
        target = link_poses(model, q)[-1]

        result = model.inverse(target, frame=frame, q0=q)

        assert result.converged
        assert_array_equal(result.q[:7], q[:7])
        assert max(errors(link_poses(model, result.q)[-1], target)) <= TOL


def test_joints_that_do_not_move_the_frame_stay_at_the_start() -> None:
    rng = np.random.default_rng(11)
    model = random_tree(rng, num_joints=12, branching=0.7)
    frame = model.link_names[4]
    q = random_configuration(rng, model)
    result = model.inverse(link_poses(model, q)[4], frame=frame, q0=q)
    idle = ~model.jacobian(q, frame=frame).any(axis=0)
    assert idle.any()
    assert_array_equal(result.q[idle], q[idle])


def test_seeds_fill_the_cube_evenly() -> None:
    points = low_discrepancy(256, 3)
    for k in range(3):
        counts = np.histogram(points[:, k], bins=16, range=(0.0, 1.0))[0]
        assert counts.min() >= 12
        assert counts.max() <= 20


def test_wrong_arguments_say_what_is_wrong() -> None:
    model = gelenk.load("panda")
    T = np.eye(4)
    with pytest.raises(ShapeError, match=r"`T` must have shape \(4, 4\)"):
        model.inverse(np.eye(3))
    with pytest.raises(ConfigError, match="must be a pose"):
        model.inverse(2.0 * T)
    with pytest.raises(ConfigError, match="must be a pose"):
        model.inverse(np.full((4, 4), np.nan))
    with pytest.raises(ConfigError, match="`task` must be one of pose"):
        model.inverse(T, task="psoe")
    with pytest.raises(ConfigError, match="`weights` must be >= 0"):
        model.inverse(T, weights=[1, 1, 1, -1, 1, 1])
    with pytest.raises(ConfigError, match="must be > 0"):
        model.inverse(T, position_tol=0.0)
    with pytest.raises(ConfigError, match=">= 1"):
        model.inverse(T, max_starts=0)
    with pytest.raises(ShapeError, match="`prefer`"):
        model.inverse(model.forward(model.home_configuration), prefer=[0.0])
    with pytest.raises(ConfigError, match="`q0`"):
        model.inverse(T, q0=np.full(7, np.nan))
    with pytest.raises(NameNotFoundError, match="no frame named 'hnd'"):
        model.inverse(T, frame="hnd")
    with pytest.raises(ConfigError, match="`method` must be one of lm"):
        model.inverse(T, method="magic")  # type: ignore[arg-type]


def test_half_a_turn_away_is_no_trap() -> None:
    """The rotation error of exactly pi has no unique axis; a start there must work."""
    model = gelenk.load("puma560")
    q0 = np.array([0.3, -0.4, 0.5, 0.1, -0.7, 0.2])
    target = tool_pose(model, q0)
    for axis in np.eye(3):
        flipped = target.copy()
        flipped[:3, :3] = (
            Rotation.from_rotvec(np.pi * axis).as_matrix() @ target[:3, :3]
        )
        result = model.inverse(flipped, q0=q0, max_starts=200)
        if result.converged:
            assert max(errors(tool_pose(model, result.q), flipped)) <= TOL
        assert np.isfinite(result.q).all()


def test_precision_follows_the_tolerance() -> None:
    model = gelenk.load("panda")
    target = tool_pose(model, np.array([0.4, -0.2, 0.9, -1.4, 1.0, 2.0, 0.1]))
    result = model.inverse(target, position_tol=1e-12, rotation_tol=1e-12)
    assert result.converged
    assert_allclose(tool_pose(model, result.q), target, atol=2e-12)


def test_turning_about_the_axis_is_no_part_of_an_axis_task() -> None:
    """The last joint of the arm turns about the tool's z axis and must not be felt."""
    from gelenk.kernels.ik_task import task_error

    model = gelenk.load("puma560")
    q = np.array([0.3, -0.4, 0.5, 0.1, -0.7, 0.2])
    target = tool_pose(model, q + 0.3)
    flat = np.concatenate([target[:3, :3].ravel(), target[:3, 3]])
    options = _options(1.0, None, "position_axis", 1e-6, 1e-6, 10, 1, True)
    twists = np.empty((6, 6))

    _, error, _, square = task_error(frame_chain(model), flat, options, q, twists)

    z, wanted = tool_pose(model, q)[:3, 2], target[:3, 2]
    assert_allclose(twists[:, 3:] @ z, 0.0, atol=1e-12)
    assert_allclose(twists[5], 0.0, atol=1e-12)
    assert np.sqrt(square) == pytest.approx(np.arccos(z @ wanted), abs=1e-7)
    assert_allclose(Rotation.from_rotvec(error).apply(z), wanted, atol=1e-12)


def test_a_joint_on_its_limit_does_not_hold_the_others_back() -> None:
    """One start, targets whose solution lies on a limit: the active set must work."""
    model = gelenk.load("panda")
    rng = np.random.default_rng(12)
    solved = 0
    for q in random_configuration(rng, model, 100):
        on_limit = q.copy()
        for k in rng.choice(7, size=2, replace=False):
            on_limit[k] = model.limits[rng.integers(2), k]
        start = np.clip(on_limit + rng.normal(scale=0.15, size=7), *model.limits)
        target = tool_pose(model, on_limit)
        solved += model.inverse(target, q0=start, max_starts=1).converged

    assert solved >= SOLVED_ON_LIMITS
