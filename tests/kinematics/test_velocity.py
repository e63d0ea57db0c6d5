"""Inverse velocity against published vectors, SciPy's optimiser and NumPy's solvers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from gelenk.errors import ConfigError, ShapeError
from gelenk.kinematics.jacobian import jacobian_partials
from gelenk.kinematics.resolved_rate import (
    limit_distance_gradient,
    scale_to_limits,
)
from gelenk.kinematics.velocity import (
    damped_pseudoinverse,
    null_space_projector,
    solve_task_priority,
    solve_velocity,
    solve_velocity_with_gradient,
)
from gelenk.models.catalog import make

ARM_3R = make("planar3r")
J_3R = ARM_3R.jacobian([0.3, 0.4, 0.5])[:2]
V_3R = np.array([0.1, -0.05])


def random_task(
    seed: int, m: int, n: int, *batch: int
) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(*batch, m, n)), rng.normal(size=(*batch, m))


@pytest.mark.capability("GR-37", "GR-38")
def test_published_vectors_of_the_planar_arm() -> None:
    rows = [[-0.685059, -0.537299, -0.279612], [0.892312, 0.414644, 0.108707]]
    assert_allclose(J_3R, rows, atol=1e-6)

    smallest = solve_velocity(J_3R, V_3R)
    damped = solve_velocity(J_3R, V_3R, damping=0.1)
    free = null_space_projector(J_3R) @ [1.0, 0.0, 0.0]

    assert_allclose(smallest.qd, [0.032005, -0.151425, -0.145075], atol=1e-6)
    assert smallest.residual < 1e-15
    assert smallest.rank == 2
    assert_allclose(damped.qd, [0.013022, -0.129068, -0.119458], atol=1e-6)
    assert_allclose(free, [0.045893, -0.139624, 0.155860], atol=1e-6)


@pytest.mark.capability("GR-37")
def test_with_as_many_joints_as_rows_the_solution_is_exact() -> None:
    puma, q = make("puma560"), [0.3, -0.4, 0.5, 0.6, -0.7, 0.8]
    twist = np.array([0.1, -0.2, 0.3, 0.4, -0.5, 0.6])

    result = solve_velocity(puma.jacobian(q), twist)

    assert_allclose(result.qd, np.linalg.solve(puma.jacobian(q), twist), atol=1e-12)
    assert result.rank == 6


@pytest.mark.capability("GR-37")
def test_with_fewer_joints_the_error_is_orthogonal_to_all_they_can_do() -> None:
    J, twist = random_task(0, 6, 3, 5)

    result = solve_velocity(J, twist)

    error = np.matvec(J, result.qd) - twist
    assert_allclose(np.vecmat(error, J), 0.0, atol=1e-13)
    assert_allclose(result.residual, np.linalg.norm(error, axis=-1), atol=1e-14)
    assert (result.residual > 0.1).all()


@pytest.mark.capability("GR-37")
def test_weights_decide_what_is_smallest_and_what_is_close() -> None:
    """Oracle: a general optimiser on the weighted cost, and the textbook formula."""
    J, twist = random_task(1, 2, 4)
    rng = np.random.default_rng(2)
    G = rng.normal(size=(4, 4))
    W, rows, damping = G @ G.T + np.eye(4), np.array([2.0, 0.5]), 0.3

    exact = solve_velocity(J, twist, joint_weights=W).qd
    soft = solve_velocity(
        J, twist, joint_weights=W, task_weights=rows, damping=damping
    ).qd

    Wi = np.linalg.inv(W)
    textbook = Wi @ J.T @ np.linalg.inv(J @ Wi @ J.T) @ twist
    assert_allclose(exact, textbook, atol=1e-12)

    def cost(qd: np.ndarray) -> float:
        error = rows * (J @ qd - twist)
        return float(error @ error + damping**2 * (qd @ W @ qd))

    best = minimize(cost, np.zeros(4), method="BFGS", options={"gtol": 1e-10})
    assert_allclose(soft, best.x, atol=1e-7)


@pytest.mark.capability("GR-38")
def test_null_motion_leaves_the_task_alone_and_raises_the_criterion() -> None:
    q = np.array([0.3, 0.4, 0.5])
    target = np.array([-0.5, 0.2, 0.9])

    def criterion(q: np.ndarray) -> float:
        return -float(np.sum((q - target) ** 2))

    N = null_space_projector(J_3R)
    assert_allclose(J_3R @ N, 0.0, atol=1e-15)
    assert_allclose(N @ N, N, atol=1e-14)

    start, p_start = criterion(q), ARM_3R.forward(q)[:2, 3]
    for _ in range(100):
        J, p = ARM_3R.jacobian(q)[:2], ARM_3R.forward(q)[:2, 3]
        gradient = -2.0 * (q - target)
        step = solve_velocity_with_gradient(J, p_start - p, gradient, gain=0.02)
        before, q = criterion(q), q + step.qd
        assert criterion(q) >= before - 1e-6
    assert criterion(q) > start + 0.04
    uphill = null_space_projector(ARM_3R.jacobian(q)[:2]) @ (target - q)
    assert np.linalg.norm(uphill) < 0.01  # the best that the task leaves
    assert_allclose(ARM_3R.forward(q)[:2, 3], p_start, atol=1e-3)


@pytest.mark.capability("GR-38")
def test_an_extended_jacobian_makes_the_redundant_arm_determined() -> None:
    """A kinematic constraint as a third row: the tool keeps its heading."""
    J = np.vstack([J_3R, np.ones(3)])

    result = solve_velocity(J, [*V_3R, 0.0])

    assert result.rank == 3
    assert result.qd.sum() == pytest.approx(0.0, abs=1e-15)
    assert_allclose(J_3R @ result.qd, V_3R, atol=1e-15)


@pytest.mark.capability("GR-38")
def test_lower_tasks_never_disturb_higher_ones() -> None:
    rng = np.random.default_rng(4)
    J1, J2, J3 = (rng.normal(size=(6, m, 7)) for m in (3, 3, 3))
    v1, v2, v3 = (rng.normal(size=(6, 3)) for _ in range(3))

    result = solve_task_priority([(J1, v1), (J2, v2), (J3, v3)])

    assert result.residual.shape == (6, 3)
    assert_allclose(result.residual[:, :2], 0.0, atol=1e-12)  # 6 of 7 freedoms
    assert (result.residual[:, 2] > 1e-3).all()  # one freedom for three rows
    assert result.rank.tolist() == [7] * 6
    # Oracle: the third task is the least-squares best among the solutions of the first two.
    for k in range(6):
        J12, v12 = np.vstack([J1[k], J2[k]]), np.concatenate([v1[k], v2[k]])
        particular = np.linalg.lstsq(J12, v12, rcond=None)[0]
        direction = np.linalg.svd(J12)[2][-1]
        scale = np.linalg.lstsq(
            (J3[k] @ direction)[:, None], v3[k] - J3[k] @ particular, rcond=None
        )[0]
        assert_allclose(result.qd[k], particular + scale * direction, atol=1e-10)


@pytest.mark.capability("GR-38")
def test_a_task_in_conflict_with_a_higher_one_is_given_up() -> None:
    J = np.array([[1.0, 0.0, 0.0]])

    result = solve_task_priority([(J, [1.0]), (2.0 * J, [-5.0])])

    assert_allclose(result.qd, [1.0, 0.0, 0.0], atol=1e-15)
    assert_allclose(result.residual, [0.0, 7.0], atol=1e-14)
    assert result.rank == 1


@pytest.mark.capability("GR-43")
def test_damping_keeps_the_stretched_arm_calm() -> None:
    J = make("planar2r").jacobian([0.0, 0.0])[:2]

    along = solve_velocity(J, [0.1, 0.0], damping=0.1)
    across = solve_velocity(J, [0.0, 0.1], damping=0.1)
    truncated = solve_velocity(J, [0.1, 0.1])

    assert_allclose(along.qd, [0.0, 0.0], atol=1e-15)
    assert_allclose(across.qd, [0.046272, 0.020566], atol=1e-6)
    assert truncated.rank == 1
    assert_allclose(J @ truncated.qd, [0.0, 0.1], atol=1e-15)


@pytest.mark.capability("GR-43")
def test_scaling_keeps_the_direction_and_names_the_joint_at_its_limit() -> None:
    result = scale_to_limits([[1.0, -4.0, 0.5], [0.1, 0.2, 0.3]], [2.0, 1.0, np.inf])

    assert_allclose(result.factor, [0.25, 1.0])
    assert_allclose(result.qd, [[0.25, -1.0, 0.125], [0.1, 0.2, 0.3]])
    assert result.active.tolist() == [[False, True, False], [False, False, False]]


def test_limit_gradient_is_the_derivative_of_its_criterion() -> None:
    panda, step = make("panda"), 1e-6
    lower, upper = panda.limits
    q = 0.5 * (lower + upper) + 0.3 * np.linspace(-1, 1, 7) * (upper - lower)

    def criterion(q: np.ndarray) -> float:
        ratio = (q - 0.5 * (lower + upper)) / (upper - lower)
        return -float(ratio @ ratio) / 14.0

    numeric = [
        (criterion(q + dq) - criterion(q - dq)) / (2 * step) for dq in step * np.eye(7)
    ]
    assert_allclose(limit_distance_gradient(panda, q), numeric, atol=1e-9)
    assert not limit_distance_gradient(make("planar2r"), [3.0, 9.0]).any()


def test_a_batch_equals_its_elements_one_by_one() -> None:
    J, twist = random_task(9, 3, 5, 2, 3)
    damping = np.linspace(0.0, 1.0, 6).reshape(2, 3)

    result = solve_velocity(J, twist, damping=damping)
    priority = solve_task_priority([(J, twist), (J[..., :1, :], twist[..., :1])])

    for i, j in np.ndindex(2, 3):
        one = solve_velocity(J[i, j], twist[i, j], damping=damping[i, j])
        assert_allclose(result.qd[i, j], one.qd, atol=1e-14)
        both = [(J[i, j], twist[i, j]), (J[i, j, :1], twist[i, j, :1])]
        assert_allclose(priority.qd[i, j], solve_task_priority(both).qd, atol=1e-13)
    assert damped_pseudoinverse(J).shape == (2, 3, 5, 3)


def test_wrong_requests_are_refused_by_name() -> None:
    with pytest.raises(ShapeError, match=r"`twist` must have shape \(\.\.\., 2\)"):
        solve_velocity(J_3R, [1.0, 2.0, 3.0])
    with pytest.raises(ConfigError, match="positive definite"):
        solve_velocity(J_3R, V_3R, joint_weights=-np.eye(3))
    with pytest.raises(ConfigError, match="at least one task"):
        solve_task_priority([])
    with pytest.raises(ConfigError, match="`max_velocity` must be > 0"):
        scale_to_limits([1.0], [0.0])


def test_null_space_projection_is_exact_for_the_seven_joint_arm() -> None:
    lbr, q = make("lbr7"), np.array([0.1, 0.5, -0.2, -1.2, 0.3, 0.9, -0.4])
    N = null_space_projector(lbr.jacobian(q))
    direction = N @ np.arange(7.0)

    # To second order the tool stays: what remains is the curvature of the null motion.
    moved = lbr.jacobian(q + 1e-6 * direction) @ direction
    curvature = np.einsum("ijk,j,k->i", jacobian_partials(lbr, q), direction, direction)
    assert_allclose(moved, 1e-6 * curvature, atol=1e-10)
