"""Closed inverse kinematics of the bench robots.

Oracles: published solutions, formulas solved by hand for each robot, and forward
kinematics as products of matrices (`textbook_tree`), which shares no code with the
solvers.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.kinematics.inverse.closed import Solvability, closed_family, solvability
from gelenk.kinematics.inverse.result import IkResult, IkStatus
from gelenk.models.link import JointType
from gelenk.models.tree import RobotModel
from testkit.random_models import random_configuration
from textbook_tree import tool_pose

EXACT = 1e-10  # [m] and [rad]
SIX = ("puma560", "ur5e", "stanford")
SMALL = ("planar2r", "planar3r", "rp", "scara", "simple_arm")


def target_at(x: float, y: float, z: float, R: np.ndarray | None = None) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    if R is not None:
        T[:3, :3] = R
    return T


def angles_between(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    return np.abs((A - B + np.pi) % (2.0 * np.pi) - np.pi)


def gap(model: RobotModel, solutions: np.ndarray, q: np.ndarray) -> float:
    """Distance of q from the nearest solution, whole turns ignored."""
    turns = model.joint_type[model.joint_ids] == JointType.REVOLUTE
    difference = np.abs(solutions - q)
    difference = np.where(turns, angles_between(solutions, q), difference)
    return float(difference.max(axis=1).min())


def assert_all_meet(model: RobotModel, result: IkResult, T: np.ndarray) -> None:
    for q in result.solutions:
        assert_allclose(tool_pose(model, q), T, rtol=0.0, atol=EXACT)


# -- published and hand-solved --------------------------------------------------------


@pytest.mark.capability("GR-29")
def test_puma_pose_has_exactly_the_eight_published_solutions() -> None:
    model = gelenk.load("puma560")
    expected = np.array(
        [
            (0.3, -0.4, 0.5, -2.541593, 0.7, -2.341593),
            (0.3, -0.4, 0.5, 0.6, -0.7, 0.8),
            (0.3, 1.625583, 2.735548, -0.376464, 1.425357, 1.339309),
            (0.3, 1.625583, 2.735548, 2.765129, -1.425357, -1.802283),
            (2.679991, 1.516009, 0.5, 2.498217, 1.856110, 1.903564),
            (2.679991, 1.516009, 0.5, -0.643375, -1.856110, -1.238029),
            (2.679991, -2.741593, 2.735548, 1.430116, 0.620437, -2.428510),
            (2.679991, -2.741593, 2.735548, -1.711477, -0.620437, 0.713083),
        ]
    )
    T = tool_pose(model, [0.3, -0.4, 0.5, 0.6, -0.7, 0.8])

    result = model.inverse(T, method="closed", limits="ignore")

    assert result.converged
    assert result.solutions.shape == (8, 6)
    for q in expected:
        assert angles_between(result.solutions, q).max(axis=1).min() < 1e-6
    assert_all_meet(model, result, T)


@pytest.mark.capability("GR-28")
def test_two_link_arm_reaches_a_point_with_both_elbows() -> None:
    model = gelenk.load("planar2r")
    expected = [(-0.171499, 1.470629), (1.098795, -1.470629)]

    result = model.inverse(target_at(1.2, 0.6, 0.0), method="closed", task="position")

    order = np.argsort(result.solutions[:, 0])
    assert_allclose(result.solutions[order], expected, atol=1e-6)


@pytest.mark.capability("GR-28")
def test_stretched_and_folded_arms_have_one_solution() -> None:
    model = gelenk.load("planar2r")
    for distance, elbow in ((1.8, 0.0), (0.2, np.pi)):
        T = target_at(0.0, distance, 0.0)
        result = model.inverse(T, method="closed", task="position")
        assert len(result.solutions) == 1
        assert gap(model, result.solutions, np.array([np.pi / 2.0, elbow])) < 1e-7
    for distance in (1.8 + 1e-8, 0.2 - 1e-8):
        T = target_at(0.0, distance, 0.0)
        result = model.inverse(T, method="closed", task="position")
        assert result.status is IkStatus.UNREACHABLE


@pytest.mark.capability("GR-28")
def test_three_link_arm_with_a_heading_leaves_two_elbows() -> None:
    """Wrist point = target minus the last link along the heading, then two links."""
    model = gelenk.load("planar3r")
    x, y, heading = 0.55, 0.35, 0.7
    c, s = np.cos(heading), np.sin(heading)
    wx, wy = x - 0.3 * c, y - 0.3 * s
    D = (wx**2 + wy**2 - 0.25 - 0.16) / 0.4
    expected = []
    for sign in (1.0, -1.0):
        b = np.arctan2(sign * np.sqrt(1.0 - D * D), D)
        a = np.arctan2(wy, wx) - np.arctan2(0.4 * np.sin(b), 0.5 + 0.4 * np.cos(b))
        expected.append((a, b, heading - a - b))
    T = target_at(x, y, 0.0, np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]))

    result = model.inverse(T, method="closed")

    assert len(result.solutions) == 2
    for q in expected:
        assert gap(model, result.solutions, np.array(q)) < 1e-12


@pytest.mark.capability("GR-28")
def test_turning_slide_reaches_a_point_forwards_and_backwards() -> None:
    model = gelenk.load("rp")

    result = model.inverse(target_at(0.3, 0.4, 0.0), method="closed", task="position")

    angle = np.arctan2(0.4, 0.3)
    assert len(result.solutions) == 2
    assert gap(model, result.solutions, np.array([angle, 0.5])) < 1e-12
    assert gap(model, result.solutions, np.array([angle + np.pi, -0.5])) < 1e-12


@pytest.mark.capability("GR-28")
def test_scara_formulas_give_the_same_two_solutions() -> None:
    model = gelenk.load("scara")
    T = tool_pose(model, [0.5, -0.7, 0.1, 0.3])
    x, y, z = T[:3, 3]
    D = (x * x + y * y - 0.09 - 0.0625) / 0.15
    expected = []
    for sign in (1.0, -1.0):
        b = np.arctan2(sign * np.sqrt(1.0 - D * D), D)
        a = np.arctan2(y, x) - np.arctan2(0.25 * np.sin(b), 0.3 + 0.25 * np.cos(b))
        expected.append((a, b, 0.35 - z, a + b - np.arctan2(T[1, 0], T[0, 0])))

    result = model.inverse(T, method="closed", limits="ignore")

    assert len(result.solutions) == 2
    for q in expected:
        assert gap(model, result.solutions, np.array(q)) < 1e-12


@pytest.mark.capability("GR-28")
def test_scara_cannot_tilt_its_tool() -> None:
    model = gelenk.load("scara")
    T = tool_pose(model, [0.5, -0.7, 0.1, 0.3])
    c, s = np.cos(1e-3), np.sin(1e-3)
    T[:3, :3] = T[:3, :3] @ [[1, 0, 0], [0, c, -s], [0, s, c]]

    result = model.inverse(T, method="closed")

    assert result.status is IkStatus.UNREACHABLE
    assert result.solutions.shape == (0, 4)


@pytest.mark.capability("AB-164")
def test_simple_arm_vector_of_the_paper_with_its_sign_corrected() -> None:
    """Roth 2021, ArmBot §5.2, in metres; the printed sign would end at height 0.30."""
    model = gelenk.load("simple_arm")
    T = target_at(0.35, 0.15, 0.10)

    result = model.inverse(T, method="closed", task="position")

    assert len(result.solutions) == 4  # two elbows, two directions of the stand
    expected = np.deg2rad([23.198591, 24.699137, -89.045026])
    assert gap(model, result.solutions, expected) < 1e-7
    for q in result.solutions:
        assert_allclose(tool_pose(model, q)[:3, 3], T[:3, 3], rtol=0.0, atol=EXACT)


@pytest.mark.capability("AB-164")
def test_simple_arm_returns_from_a_thousand_targets_above_and_below_its_femur() -> None:
    model, rng = gelenk.load("simple_arm"), np.random.default_rng(1)
    heights = []
    for q in random_configuration(rng, model, 1000):
        T = tool_pose(model, q)
        result = model.inverse(T, method="closed", task="position")
        assert gap(model, result.solutions, q) < 1e-8
        heights.append(T[2, 3] - 0.20)
    assert min(heights) < -0.2
    assert max(heights) > 0.2


# -- all robots ------------------------------------------------------------------------


@pytest.mark.capability("GR-29", "GR-30")
@pytest.mark.parametrize("name", SIX)
def test_a_drawn_configuration_is_among_its_branches(name: str) -> None:
    model, rng = gelenk.load(name), np.random.default_rng(2)
    for q in random_configuration(rng, model, 400):
        T = tool_pose(model, q)
        result = model.inverse(T, method="closed")
        assert result.converged
        assert 1 <= len(result.solutions) <= 8
        assert gap(model, result.solutions, q) < 1e-8
        assert_all_meet(model, result, T)
        assert (result.solutions >= model.limits[0]).all()
        assert (result.solutions <= model.limits[1]).all()


@pytest.mark.capability("GR-28")
@pytest.mark.parametrize("name", SMALL)
def test_small_arms_return_from_poses_and_points(name: str) -> None:
    model, rng = gelenk.load(name), np.random.default_rng(3)
    for q in random_configuration(rng, model, 200):
        T = tool_pose(model, q)
        result = model.inverse(T, method="closed")
        assert gap(model, result.solutions, q) < 1e-9
        assert_all_meet(model, result, T)
        near = model.inverse(T, method="closed", task="position", q0=q)
        assert_allclose(near.q, q, rtol=0.0, atol=1e-9)


@pytest.mark.capability("GR-29", "GR-30")
@pytest.mark.parametrize("name", ["puma560", "ur5e", "stanford", *SMALL])
def test_poses_made_of_quarter_turns_have_a_solution(name: str) -> None:
    """Axes fall together there: aligned wrists, stretched elbows, points over axes."""
    model, rng = gelenk.load(name), np.random.default_rng(4)
    turns = model.joint_type[model.joint_ids] == JointType.REVOLUTE
    quarter = rng.choice([-1.0, 0.0, 0.0, 1.0, 2.0], size=(100, model.nq)) * np.pi / 2.0
    stroke = rng.choice([0.0, 0.3], size=(100, model.nq))
    configurations = np.where(turns, quarter, stroke)
    configurations[0] = 0.0
    for q in configurations:
        T = tool_pose(model, q)
        q0 = rng.uniform(-1.0, 1.0, size=model.nq)
        result = model.inverse(T, method="closed", limits="ignore", q0=q0)
        assert result.converged, q
        assert np.isfinite(result.solutions).all()
        assert_all_meet(model, result, T)
        for k in range(1, len(result.solutions)):
            assert gap(model, result.solutions[:k], result.solutions[k]) > 1e-7


@pytest.mark.capability("GR-30")
def test_free_wrist_angle_is_chosen_where_the_parallel_links_can_follow() -> None:
    """Almost stretched, with the last axis parallel to the elbow's.

    Joint 6 is then free, but most of its angles push the elbow chain out of reach.
    """
    model, rng = gelenk.load("ur5e"), np.random.default_rng(5)
    T = tool_pose(model, [0.3, -0.2, 0.05, -1.2, 0.0, 0.2])
    for angle in np.linspace(-3.0, 3.0, 25):
        q0 = rng.uniform(-1.0, 1.0, size=6)
        q0[5] = angle
        result = model.inverse(T, method="closed", q0=q0)
        assert result.converged
        assert_all_meet(model, result, T)


@pytest.mark.parametrize("name", [*SIX, *SMALL])
def test_far_targets_are_unreachable(name: str) -> None:
    model = gelenk.load(name)
    T = model.forward(model.home_configuration)
    T[:3, 3] = 3.0, 4.0, 50.0
    for task in ("pose", "position"):
        if (name, task) == ("scara", "position"):
            continue  # its slide has no limits
        result = model.inverse(T, method="closed", task=task, limits="ignore")
        if name == "stanford":  # a long enough slide reaches it
            assert result.converged
            continue
        assert result.status is IkStatus.UNREACHABLE
        assert len(result.solutions) == 0
        assert np.isfinite(result.q).all()
        assert result.residual > 10.0


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("puma560", "spherical_wrist"),
        ("stanford", "spherical_wrist"),
        ("ur5e", "three_parallel"),
        ("planar2r", "planar"),
        ("planar3r", "planar"),
        ("rp", "planar"),
        ("scara", "scara"),
        ("simple_arm", "positioning"),
        ("panda", "spherical_shoulder"),
        ("iiwa7", "swivel"),
    ],
)
@pytest.mark.capability("GR-30")
def test_structure_is_recognised_from_the_axes(name: str, family: str) -> None:
    assert closed_family(gelenk.load(name)) == family


@pytest.mark.capability("GR-24")
def test_solvability_follows_from_the_degrees_of_freedom() -> None:
    two, puma, seven = (gelenk.load(n) for n in ("planar2r", "puma560", "lbr7"))
    assert solvability(two) is Solvability.TASK_REDUCED
    assert solvability(puma) is Solvability.FINITE
    assert solvability(seven) is Solvability.FAMILY
    assert solvability(puma, task="position") is Solvability.FAMILY
    assert solvability(gelenk.load("simple_arm"), task="position") is Solvability.FINITE
    T = puma.forward(puma.home_configuration)
    assert solvability(puma, T) is Solvability.FINITE
    T[:3, 3] = 5.0
    assert solvability(puma, T) is Solvability.UNREACHABLE
