"""Seven joints with spherical shoulder and wrist: branches at a chosen swivel angle."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.errors import ConfigError
from gelenk.kinematics.inverse.closed import solve_closed, swivel_angle
from gelenk.kinematics.inverse.result import IkStatus
from gelenk.models.tree import RobotModel
from testkit.random_models import random_configuration
from textbook_tree import link_poses, tool_pose, values_at

Q = np.array([0.1, 0.5, -0.2, -1.2, 0.3, 0.9, -0.4])  # the published configuration


def gap(solutions: np.ndarray, q: np.ndarray) -> float:
    return float(np.abs(np.sin(0.5 * (solutions - q))).max(axis=1).min())


def measured_swivel(model: RobotModel, q: np.ndarray) -> float:
    """Angle of the elbow about the line shoulder-wrist, from frames of the textbook."""
    T = link_poses(model, values_at(model, q))
    names = list(model.link_names)
    shoulder, elbow, wrist = (T[names.index(f"axis_{k}"), :3, 3] for k in (2, 4, 6))
    n = (wrist - shoulder) / np.linalg.norm(wrist - shoulder)
    u = np.array([0.0, 0.0, 1.0]) - n[2] * n
    arm = elbow - shoulder
    return float(np.arctan2(np.cross(n, u) @ arm, u @ arm))


@pytest.mark.capability("GR-30")
def test_published_configuration_has_the_published_swivel_angle() -> None:
    model = gelenk.load("lbr7")
    assert swivel_angle(model, Q) == pytest.approx(-0.107414, abs=1e-6)


@pytest.mark.capability("GR-30")
def test_published_branch_at_swivel_zero_is_one_of_eight() -> None:
    model = gelenk.load("lbr7")
    T = tool_pose(model, Q)
    expected = (-0.026601, 0.493936, 3.141593, 1.2, -2.977791, 0.886057, -0.324243)

    result = model.inverse(T, method="closed", swivel=0.0)

    assert result.solutions.shape == (8, 7)
    assert gap(result.solutions, np.array(expected)) < 1e-6
    for q in result.solutions:
        assert_allclose(tool_pose(model, q), T, rtol=0.0, atol=1e-10)
        assert swivel_angle(model, q) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.capability("GR-30")
@pytest.mark.parametrize("name", ["lbr7", "iiwa7"])
def test_q0_is_found_again_at_its_own_swivel_angle(name: str) -> None:
    model, rng = gelenk.load(name), np.random.default_rng(1)
    for q in random_configuration(rng, model, 100):
        result = model.inverse(tool_pose(model, q), method="closed", q0=q)
        assert result.converged
        assert gap(result.solutions, q) < 1e-8
        assert_allclose(result.q, q, rtol=0.0, atol=1e-7)


def test_swivel_angle_is_the_one_measured_on_the_arm() -> None:
    model, rng = gelenk.load("lbr7"), np.random.default_rng(2)
    T = tool_pose(model, Q)
    for psi in rng.uniform(-np.pi, np.pi, size=20):
        result = solve_closed(model, T, swivel=float(psi), limits="ignore")
        assert len(result.solutions) == 8
        for q in result.solutions:
            assert_allclose(tool_pose(model, q), T, rtol=0.0, atol=1e-10)
            difference = measured_swivel(model, q) - psi
            assert np.abs(np.sin(0.5 * difference)) < 1e-9


@pytest.mark.capability("GR-30")
def test_poses_made_of_quarter_turns_have_a_solution() -> None:
    """Stretched, folded with the wrist in the shoulder, aligned wrists and shoulders."""
    model, rng = gelenk.load("lbr7"), np.random.default_rng(3)
    configurations = rng.choice([-1.0, 0.0, 0.0, 1.0, 2.0], size=(100, 7)) * np.pi / 2.0
    configurations[0] = 0.0
    for q in configurations:
        T = tool_pose(model, q)
        result = model.inverse(T, method="closed", q0=rng.uniform(-1.0, 1.0, size=7))
        assert result.converged
        for branch in result.solutions:
            assert_allclose(tool_pose(model, branch), T, rtol=0.0, atol=1e-10)


def test_swivel_out_of_limits_suggests_another() -> None:
    model = gelenk.load("iiwa7")
    T = tool_pose(model, model.home_configuration)
    statuses = {}
    for psi in np.linspace(-np.pi, np.pi, 13):
        result = solve_closed(model, T, swivel=float(psi))
        statuses[result.status] = result.message
    assert IkStatus.CONVERGED in statuses
    assert "swivel" in statuses[IkStatus.OUT_OF_LIMITS]


@pytest.mark.capability("GR-30")
def test_seven_joints_without_spherical_wrist_hold_one_joint() -> None:
    """The Panda's wrist is offset, but its first three axes meet."""
    model, rng = gelenk.load("panda"), np.random.default_rng(4)
    for q in random_configuration(rng, model, 100):
        T = tool_pose(model, q)
        result = model.inverse(T, method="closed", q0=q)
        assert gap(result.solutions, q) < 1e-8
        assert "held" in result.message
        for branch in result.solutions:
            assert_allclose(tool_pose(model, branch), T, rtol=0.0, atol=1e-10)


@pytest.mark.parametrize(("name", "share"), [("iiwa7", 1.0), ("panda", 0.95)])
def test_other_members_of_the_family_are_tried_for_the_limits(
    name: str, share: float
) -> None:
    model, rng = gelenk.load(name), np.random.default_rng(5)
    solved, from_home = 0, 0
    for q in random_configuration(rng, model, 200):
        T = tool_pose(model, q)
        result = model.inverse(T, method="closed")
        solved += result.converged
        from_home += "as in `q0`" in result.message
        if result.converged:
            assert_allclose(tool_pose(model, result.q), T, rtol=0.0, atol=1e-10)
            assert (result.q >= model.limits[0]).all()
            assert (result.q <= model.limits[1]).all()
    assert solved >= share * 200
    assert from_home < 200  # the swivel angle, or joint 7, of home does not always do


def test_swivel_of_an_arm_without_one_is_refused() -> None:
    with pytest.raises(ConfigError, match="no swivel angle"):
        swivel_angle(gelenk.load("puma560"), np.zeros(6))
    with pytest.raises(ConfigError, match="`swivel` must be finite"):
        solve_closed(gelenk.load("lbr7"), np.eye(4), swivel=np.nan)


def test_wrist_in_the_shoulder_keeps_the_shoulder_of_q0() -> None:
    """Both arm parts are 0.4 m long: folded, the line that the elbow turns about is none."""
    model = gelenk.load("lbr7")
    T = np.eye(4)
    T[2, 3] = 0.34 + 0.126

    result = model.inverse(T, method="closed", q0=Q)

    assert result.converged
    assert "continuum" in result.message
    for q in result.solutions:
        assert np.abs(np.sin(0.5 * (q[3] - np.pi))) < 1e-7
        assert_allclose(tool_pose(model, q), T, rtol=0.0, atol=1e-10)
