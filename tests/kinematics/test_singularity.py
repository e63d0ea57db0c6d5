"""Singularities: published poses, determinants, finite differences, driven paths."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.errors import ConfigError
from gelenk.kinematics.resolved_rate import ResolvedRateCfg, follow_poses
from gelenk.kinematics.singularity import (
    condition_number,
    generic_rank,
    is_singular,
    manipulability,
    manipulability_gradient,
    report_singularity,
    scaled_jacobian,
    smallest_singular_value,
    variable_damping,
)
from gelenk.kinematics.velocity import solve_velocity
from gelenk.models.catalog import make

PLANE = (0, 1)
Q_LBR = np.array([0.1, 0.5, -0.2, -1.2, 0.3, 0.9, -0.4])
Q_PUMA = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])


@pytest.mark.capability("GR-39")
def test_manipulability_of_published_poses() -> None:
    arm, lbr, puma = make("planar3r"), make("lbr7"), make("puma560")

    assert manipulability(arm.jacobian([0.3, 0.4, 0.5])[:2]) == pytest.approx(
        0.268551, abs=1e-6
    )
    assert manipulability(lbr.jacobian(Q_LBR)) == pytest.approx(0.096407, abs=1e-6)
    # Square: the magnitude of the determinant. Fewer joints: det(J^T J).
    J = puma.jacobian(Q_PUMA)
    assert manipulability(J) == pytest.approx(abs(np.linalg.det(J)), abs=1e-14)
    J = make("rpr").jacobian([0.3, 0.2, -0.5])
    assert manipulability(J) == pytest.approx(
        np.sqrt(np.linalg.det(J.T @ J)), abs=1e-14
    )


@pytest.mark.capability("GR-39")
@pytest.mark.parametrize(
    ("name", "q", "rows"),
    [
        ("planar3r", [0.3, 0.4, 0.5], PLANE),
        ("lbr7", Q_LBR, (0, 1, 2, 3, 4, 5)),
        ("puma560", Q_PUMA, (0, 1, 2, 3, 4, 5)),
        ("stanford", [0.1, 0.2, 0.5, 0.3, -0.4, 0.6], (0, 1, 2)),
        ("rpr", [0.3, 0.2, -0.5], (0, 1, 2, 3, 4, 5)),
    ],
)
def test_gradient_is_the_slope_of_manipulability(
    name: str, q: list[float], rows: tuple[int, ...]
) -> None:
    model, step = make(name), 1e-6
    q_0 = np.array(q)

    def measure(q: np.ndarray) -> float:
        J = scaled_jacobian(model, q, rows=rows)
        square = J @ J.T if J.shape[0] <= J.shape[1] else J.T @ J
        return float(np.sqrt(np.linalg.det(square)))

    numeric = [
        (measure(q_0 + dq) - measure(q_0 - dq)) / (2 * step)
        for dq in step * np.eye(model.nv)
    ]
    gradient = manipulability_gradient(model, np.stack([q_0, q_0]), rows=rows)
    assert gradient.shape == (2, model.nv)
    assert_allclose(gradient[1], numeric, atol=1e-8)


@pytest.mark.capability("GR-40")
def test_singular_poses_of_the_planar_arm_are_flagged() -> None:
    arm = make("planar2r")
    q = [[0.3, 0.0], [0.3, np.pi], [-1.0, -np.pi], [0.3, 0.01], [0.3, np.pi / 2]]

    flags = is_singular(arm, q, rows=PLANE)

    assert flags.tolist() == [True, True, True, False, False]
    assert manipulability(arm.jacobian(q)[:, :2])[:3] == pytest.approx(0.0, abs=1e-15)
    # With the turning as part of the task two joints never lose anything.
    assert not is_singular(arm, q).any()


@pytest.mark.capability("GR-40")
def test_elbow_shoulder_and_wrist_of_the_puma_are_flagged() -> None:
    puma = make("puma560")
    elbow = np.deg2rad(92.691636)
    assert np.tan(elbow) == pytest.approx(-0.4318 / 0.0203, rel=1e-5)
    regular = Q_PUMA.copy()
    at_elbow, at_wrist, at_shoulder = regular.copy(), regular.copy(), regular.copy()
    at_elbow[2] = np.arctan2(0.4318, -0.0203)
    at_wrist[4] = np.pi
    # a2 c2 + a3 c23 - d4 s23 = 0 solved for theta_2 at theta_3 = 0.5.
    a = 0.4318 + 0.0203 * np.cos(0.5) - 0.4318 * np.sin(0.5)
    b = 0.0203 * np.sin(0.5) + 0.4318 * np.cos(0.5)
    at_shoulder[1] = np.arctan2(a, b)

    flags = is_singular(puma, np.stack([regular, at_elbow, at_wrist, at_shoulder]))

    assert flags.tolist() == [False, True, True, True]
    assert at_elbow[2] == pytest.approx(elbow, abs=1e-8)


def test_rank_is_judged_against_the_best_that_the_arm_can_do() -> None:
    assert generic_rank(make("planar2r")) == 2
    assert generic_rank(make("planar3r")) == 3
    assert generic_rank(make("planar3r"), rows=PLANE) == 2
    assert generic_rank(make("lbr7")) == 6
    assert generic_rank(make("scara")) == 4
    with pytest.raises(ConfigError, match="moves the task rows"):
        generic_rank(make("planar2r"), rows=(2,))


@pytest.mark.capability("GR-40")
def test_the_report_names_the_lost_direction() -> None:
    arm = make("planar2r")

    stretched = report_singularity(arm, [0.0, 0.0], rows=PLANE)
    upright = report_singularity(arm, [np.pi / 2, 0.0], rows=PLANE)
    regular = report_singularity(arm, [0.3, 1.0], rows=PLANE)

    assert stretched.is_singular
    assert (stretched.rank, stretched.full_rank) == (1, 2)
    assert_allclose(np.abs(stretched.lost_directions), [[1, 0, 0, 0, 0, 0]], atol=1e-12)
    assert "cannot move along x" in stretched.message
    assert "cannot move along y" in upright.message
    assert stretched.condition == np.inf
    J = arm.jacobian([0.0, 0.0])[:2]
    assert_allclose(J @ stretched.idle_motions[0], 0.0, atol=1e-15)
    assert not regular.is_singular
    assert regular.message.startswith("regular: rank 2")
    assert regular.lost_directions.shape == (0, 6)


@pytest.mark.capability("GR-40")
def test_the_report_of_a_wrist_names_the_axis_it_cannot_turn_about() -> None:
    puma, q = make("puma560"), Q_PUMA.copy()
    q[4] = 0.0

    report = report_singularity(puma, q)

    assert (report.rank, report.full_rank) == (5, 6)
    lost = report.lost_directions[0]
    # Axes 4 and 6 are one; nobody turns about the normal of axes 4 and 5 but the arm,
    # which also moves the wrist. No joint rate has a share of the lost twist.
    assert_allclose(lost @ scaled_jacobian(puma, q), 0.0, atol=1e-12)
    assert_allclose(np.abs(report.idle_motions[0]), [0, 0, 0, *[0.5**0.5], 0, 0.5**0.5],
                    atol=1e-12)  # fmt: skip
    assert "turn about" in report.message


def test_directions_lost_beside_those_never_had_are_found() -> None:
    """A planar arm in all six rows: the sideways rows are no loss, the stretch is."""
    arm = make("planar3r")

    report = report_singularity(arm, [0.4, 0.0, 0.0])

    assert (report.rank, report.full_rank) == (2, 3)
    direction = [np.cos(0.4), np.sin(0.4), 0, 0, 0, 0]
    assert abs(report.lost_directions[0] @ direction) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.capability("GR-40")
def test_joint_rates_grow_on_the_way_into_the_singularity() -> None:
    arm = make("planar2r")
    near = solve_velocity(arm.jacobian([0.0, np.deg2rad(1.0)])[:2], [0.1, 0.0]).qd
    far = solve_velocity(arm.jacobian([0.0, np.deg2rad(45.0)])[:2], [0.1, 0.0]).qd

    assert_allclose(near, [5.728996, -12.891332], atol=1e-6)
    assert_allclose(far, [0.1, -0.276777], atol=1e-6)
    sigma = smallest_singular_value(arm, [[0.0, 0.02], [0.0, 0.01]], rows=PLANE)
    assert sigma[0] / sigma[1] == pytest.approx(2.0, rel=1e-3)


def test_condition_number_is_infinite_only_in_the_singularity() -> None:
    J = np.array([np.diag([4.0, 0.5]), np.diag([1.0, 0.0])])

    assert condition_number(J).tolist() == [8.0, np.inf]


@pytest.mark.capability("GR-43")
def test_damping_begins_at_the_threshold_and_ends_at_its_maximum() -> None:
    sigma = [0.0, 0.03, 0.05, 0.4]

    damping = variable_damping(sigma, threshold=0.05, max_damping=0.2)

    assert_allclose(damping, [0.2, 0.2 * 0.8, 0.0, 0.0], atol=1e-15)
    with pytest.raises(ConfigError, match="`threshold` must be > 0"):
        variable_damping(0.1, threshold=0.0, max_damping=0.2)


def line(start: list[float], end: list[float], count: int) -> np.ndarray:
    T = np.tile(np.eye(4), (count, 1, 1))
    T[:, :3, 3] = np.linspace(start, end, count)
    return T


@pytest.mark.capability("GR-43")
def test_rates_stay_bounded_where_a_path_leaves_the_workspace() -> None:
    """The two-link arm is asked for 1.9 m and back, and reaches 1.8 m."""
    arm, q = make("planar2r"), np.array([-0.9272952, 1.6])
    start = arm.forward(q)[:3, 3]
    end = 1.9 / np.linalg.norm(start) * start
    targets = np.concatenate([line(start, end, 150), line(end, start, 150)])

    damped = follow_poses(arm, q, targets, cfg=ResolvedRateCfg(rows=PLANE))
    rough = follow_poses(
        arm, q, targets, cfg=ResolvedRateCfg(rows=PLANE, max_damping=0.0)
    )
    slowed = follow_poses(
        arm, q, targets,
        cfg=ResolvedRateCfg(rows=PLANE, max_damping=0.0, max_velocity=2.0),
    )  # fmt: skip

    assert np.abs(damped.qd).max() < 15.0
    assert np.abs(rough.qd).max() > 70.0
    assert np.abs(slowed.qd).max() == pytest.approx(2.0)
    assert slowed.factor.min() < 0.1
    assert damped.error[:50].max() < 1e-3  # exact while the arm is bent
    assert damped.error[-1] < 1e-3  # and it comes back
    assert damped.sigma_min.min() < 0.01


@pytest.mark.capability("GR-42")
def test_free_joints_keep_the_redundant_arm_away_from_singularities() -> None:
    arm, q = make("planar3r"), np.array([-1.728, 0.052, -1.78])
    targets = line(arm.forward(q)[:3, 3], [0.435, -0.447, 0.0], 200)

    without = follow_poses(arm, q, targets, cfg=ResolvedRateCfg(rows=PLANE, dt=0.02))
    avoiding = follow_poses(
        arm, q, targets, cfg=ResolvedRateCfg(rows=PLANE, dt=0.02, climb=10.0)
    )

    assert avoiding.error.max() < 1e-3  # the task is not disturbed
    assert without.sigma_min.min() < 0.06
    # What a planner would ask as a constraint, of every configuration on the path.
    assert (smallest_singular_value(arm, avoiding.q, rows=PLANE) > 0.25).all()


def test_impossible_settings_are_refused() -> None:
    with pytest.raises(ConfigError, match="`dt` must be > 0"):
        ResolvedRateCfg(dt=0.0)
    with pytest.raises(ConfigError, match="`climb` must be >= 0"):
        ResolvedRateCfg(climb=-1.0)
    with pytest.raises(ConfigError, match="`length` must be > 0"):
        is_singular(make("planar2r"), [0.1, 0.2], length=0.0)
