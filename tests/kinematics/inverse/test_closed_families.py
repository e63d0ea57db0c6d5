"""Closed inverse kinematics of random arms, family by family, and of arms from parts.

Every arm is drawn at random within its family: skew axes, any base, any tool. Oracles:
the drawn configuration must be found again, every branch must meet the target by
matrix products, and a search from hundreds of starts must find no further branch.
"""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.kinematics.inverse.closed import closed_family, solve_closed
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from testkit.random_models import random_arm, random_configuration, random_pose
from textbook_tree import tool_pose

EXACT = 1e-10  # [m] and [rad]
POSES = 15  # per arm
PATTERNS = ["RRR", "RRP", "RPR", "PRR", "RPP", "PRP", "PPR", "PPP"]


def unit(v: np.ndarray) -> np.ndarray:
    return v / np.linalg.norm(v)


def arm(
    rng: np.random.Generator, kinds: str, axes: np.ndarray, points: np.ndarray
) -> RobotModel:
    """An arm with the given axes at q = 0, with a random base and a random tool."""
    T_base = random_pose(rng)
    links, T_parent = [Link(name="base")], np.eye(4)
    for i, kind in enumerate(kinds):
        T = np.eye(4)
        T[:3, 3] = points[i]
        T = T_base @ T
        turns = kind == "R"
        links.append(
            Link(
                name=f"link_{i}",
                parent=links[-1].name,
                joint_type=JointType.REVOLUTE if turns else JointType.PRISMATIC,
                T_parent_joint=np.linalg.inv(T_parent) @ T,
                axis=axes[i],
                lower=-np.pi if turns else -1.0,
                upper=np.pi if turns else 1.0,
            )
        )
        T_parent = T
    tool = Link(name="tool", parent=links[-1].name, T_parent_joint=random_pose(rng))
    return assemble(kinds, [*links, tool])


def drawn_axes(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray]:
    axes = rng.normal(size=(n, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    return axes, rng.normal(scale=0.5, size=(n, 3))


def meeting(rng: np.random.Generator, kinds: str, *ids: int) -> RobotModel:
    axes, points = drawn_axes(rng, len(kinds))
    centre = rng.normal(scale=0.5, size=3)
    for i in ids:
        points[i] = centre + rng.normal() * axes[i]
    return arm(rng, kinds, axes, points)


def planar(rng: np.random.Generator, kinds: str, *ids: int) -> RobotModel:
    """An arm whose joints `ids` move in parallel planes."""
    axes, points = drawn_axes(rng, len(kinds))
    normal = unit(rng.normal(size=3))
    for i in ids:
        across = unit(np.cross(normal, axes[i]))
        axes[i] = normal * rng.choice([-1.0, 1.0]) if kinds[i] == "R" else across
    return arm(rng, kinds, axes, points)


def gap(model: RobotModel, solutions: np.ndarray, q: np.ndarray) -> float:
    difference = np.abs(solutions - q)
    turns = model.joint_type[model.joint_ids] == JointType.REVOLUTE
    difference[:, turns] = 2.0 * np.abs(np.sin(0.5 * difference[:, turns]))
    return float(difference.max(axis=1, initial=0.0).min(initial=np.inf))


def assert_returns(
    model: RobotModel, rng: np.random.Generator, task: str = "pose"
) -> None:
    for q in random_configuration(rng, model, POSES):
        T = tool_pose(model, q)
        held = task == "position" and model.nq > 3
        result = solve_closed(model, T, task=task, q0=q if held else None)  # pyright: ignore[reportArgumentType]
        assert gap(model, result.solutions, q) < 1e-8, (q, result.message)
        rows = slice(0, 4) if task == "pose" else slice(3, 4)
        for branch in result.solutions:
            error = (tool_pose(model, branch) - T)[:3, rows]
            assert np.abs(error).max() < EXACT


@pytest.mark.capability("GR-29", "GR-30")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_any_three_joints_before_a_spherical_wrist(pattern: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(3):
        model = meeting(rng, pattern + "RRR", 3, 4, 5)
        assert closed_family(model) == "spherical_wrist"
        assert_returns(model, rng)


@pytest.mark.capability("GR-29", "GR-30")
@pytest.mark.parametrize("pattern", PATTERNS)
def test_any_three_joints_behind_a_spherical_shoulder(pattern: str) -> None:
    rng = np.random.default_rng(2)
    model = meeting(rng, "RRR" + pattern, 0, 1, 2)
    assert closed_family(model) == "spherical_shoulder"
    assert_returns(model, rng)


@pytest.mark.capability("GR-30")
@pytest.mark.parametrize("first", [1, 2])
def test_three_axes_that_meet_in_the_middle(first: int) -> None:
    rng = np.random.default_rng(3)
    model = meeting(rng, "RRRRRR", first, first + 1, first + 2)
    assert closed_family(model) == "spherical_middle"
    assert_returns(model, rng)


@pytest.mark.capability("GR-30")
@pytest.mark.parametrize("first", [0, 1, 2, 3])
@pytest.mark.parametrize("triple", ["RRR", "RRP", "RPR", "PRR", "RPP", "PPR"])
def test_three_neighbours_in_parallel_planes(first: int, triple: str) -> None:
    rng = np.random.default_rng(4)
    kinds = "R" * first + triple + "R" * (3 - first)
    model = planar(rng, kinds, first, first + 1, first + 2)
    assert closed_family(model) == "three_parallel"
    assert_returns(model, rng)


@pytest.mark.capability("GR-29", "GR-30")
@pytest.mark.parametrize(
    ("meet", "parallel"),
    [
        ((0, 1), ()), ((1, 2), ()), ((), (0, 1)), ((), (1, 2)), ((0, 1), (1, 2)),
        ((1, 2), (0, 1)),
    ],
)  # fmt: skip
def test_shoulders_whose_neighbours_meet_or_are_parallel(
    meet: tuple[int, ...], parallel: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(5)
    axes, points = drawn_axes(rng, 6)
    points[4] = points[3] + 0.3 * axes[3]
    points[5] = points[4] - 0.2 * axes[4]
    points[3:] = points[4]
    if parallel:
        axes[parallel[1]] = -axes[parallel[0]]
    if meet:
        points[meet[1]] = points[meet[0]] + 0.4 * axes[meet[0]]
    model = arm(rng, "RRRRRR", axes, points)
    assert closed_family(model) == "spherical_wrist"
    assert_returns(model, rng)


@pytest.mark.capability("GR-28")
@pytest.mark.parametrize("kinds", ["RRPR", "PRRR", "RPRR", "RRRP", "RPP", "PRP", "PPR"])
def test_turns_about_parallel_axes_and_slides_along_them_in_any_order(
    kinds: str,
) -> None:
    rng = np.random.default_rng(6)
    axes, points = drawn_axes(rng, len(kinds))
    normal = unit(rng.normal(size=3))
    slides = [i for i, kind in enumerate(kinds) if kind == "P"]
    for i, kind in enumerate(kinds):
        is_along = kind == "R" or i == slides[0]
        axes[i] = normal if is_along else unit(np.cross(normal, axes[i]))
    model = arm(rng, kinds, axes, points)
    assert closed_family(model) == "scara"
    assert_returns(model, rng)
    assert_returns(model, rng, "position")


@pytest.mark.capability("GR-28")
@pytest.mark.parametrize(
    "kinds", ["RR", "RP", "PR", "RRR", "RRP", "RPR", "PRR", "RPP", "PRP", "PPR"]
)
def test_planar_arms_of_turns_and_slides(kinds: str) -> None:
    rng = np.random.default_rng(7)
    model = planar(rng, kinds, *range(len(kinds)))
    assert closed_family(model) == "planar"
    assert_returns(model, rng)
    if len(kinds) == 2:
        assert_returns(model, rng, "position")


@pytest.mark.capability("GR-30")
@pytest.mark.parametrize("kinds", ["R", "P", "RR", "RP", "PR", "PP", *PATTERNS])
def test_up_to_three_skew_joints_meet_poses_and_points(kinds: str) -> None:
    rng = np.random.default_rng(8)
    model = arm(rng, kinds, *drawn_axes(rng, len(kinds)))
    assert_returns(model, rng)
    assert_returns(model, rng, "position")


@pytest.mark.capability("GR-30")
@pytest.mark.parametrize("kinds", ["RRRR", "PRRP", "PPRP", "RPRP", "RRPR", "PRRR"])
def test_four_skew_joints_meet_their_poses(kinds: str) -> None:
    rng = np.random.default_rng(9)
    model = arm(rng, kinds, *drawn_axes(rng, 4))
    assert_returns(model, rng)
    assert_returns(model, rng, "position")


@pytest.mark.capability("GR-30")
def test_five_joints_with_a_meeting_or_a_parallel_part() -> None:
    rng = np.random.default_rng(10)
    for model in (
        meeting(rng, "RRRRR", 3, 4),
        meeting(rng, "RRRRR", 0, 1),
        meeting(rng, "PRRRR", 2, 3, 4),
        planar(rng, "RRRRR", 0, 1, 2),
        planar(rng, "RRRRR", 1, 2, 3),
        planar(rng, "RRRRR", 2, 3, 4),
    ):
        assert_returns(model, rng)


@pytest.mark.capability("GR-30")
def test_wrist_above_the_first_axis_leaves_its_angle_to_the_rotation() -> None:
    """The position does not say how far joint 1 is turned, but the pose does."""
    rng = np.random.default_rng(15)
    z, y = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
    heights = np.array([0.0, 0.1, 0.4, 0.7, 0.7])
    axes, points = np.array([z, y, y, y, z]), heights[:, None] * z
    for kinds in ("RRRRR", "RRRR", "RRR"):
        n = len(kinds)
        model = arm(rng, kinds, axes[:n], points[:n])
        # equal links: the wrist returns to the first axis, the hand stays tilted
        for a in (0.0, 0.6):
            q = np.array([0.7, a, -2.0 * a, 0.3, 0.4])[:n]
            T = tool_pose(model, q)
            result = solve_closed(model, T, q0=rng.uniform(-1.0, 1.0, size=n))
            assert result.converged
            for branch in result.solutions:
                assert_allclose(tool_pose(model, branch), T, rtol=0.0, atol=EXACT)


@pytest.mark.capability("GR-30")
def test_six_skew_axes_are_solved_by_elimination() -> None:
    rng = np.random.default_rng(16)
    for _ in range(4):
        model = arm(rng, "RRRRRR", *drawn_axes(rng, 6))
        assert closed_family(model) == "general"
        assert_returns(model, rng)


@pytest.mark.capability("GR-30")
def test_arm_of_manseur_and_doty_has_sixteen_solutions() -> None:
    """Manseur and Doty 1989 found the first arm and pose with sixteen real solutions."""
    twist = np.deg2rad(1.0)
    quarter = np.pi / 2.0
    rows = [(0.0, 0.3, quarter), (0.0, 1.0, twist), (0.2, 0.0, quarter),
            (0.0, 1.5, twist), (0.0, 0.0, quarter), (0.0, 0.0, 0.0)]  # fmt: skip
    links, T = [Link(name="base")], np.eye(4)
    for i, (d, a, alpha) in enumerate(rows):
        hinge = JointType.REVOLUTE
        links.append(
            Link(
                name=f"l{i}", parent=links[-1].name, joint_type=hinge, T_parent_joint=T
            )
        )
        c, s = np.cos(alpha), np.sin(alpha)
        T = np.array([[1, 0, 0, a], [0, c, -s, 0], [0, s, c, d], [0, 0, 0, 1]])
    links.append(Link(name="hand", parent="l5", T_parent_joint=T))
    model = assemble("sixteen", links)
    target = np.eye(4)
    target[:3, :3] = [
        [-0.760117, -0.641689, 0.102262],
        [0.133333, 0.0, 0.991071],
        [-0.635959, 0.766965, 0.085558],
    ]
    target[:3, 3] = -1.140175, 0.0, 0.0

    result = solve_closed(model, target)

    assert result.solutions.shape == (16, 6)
    for k, q in enumerate(result.solutions):
        assert_allclose(tool_pose(model, q), target, rtol=0.0, atol=2e-6)
        assert gap(model, np.delete(result.solutions, k, axis=0), q) > 1e-3


def test_gantry_with_a_wrist_whose_axes_do_not_meet() -> None:
    rng = np.random.default_rng(11)
    model = arm(rng, "PPPRRR", *drawn_axes(rng, 6))
    assert closed_family(model) == "turn_then_slide"
    assert_returns(model, rng)


@pytest.mark.capability("GR-30")
def test_arms_from_parts_are_solved_or_refused_but_never_wrong() -> None:
    """Axis-aligned segments make many special cases: coaxial, parallel, meeting axes."""
    rng = np.random.default_rng(12)
    solved = 0
    for _ in range(120):
        model = random_arm(rng, num_joints=int(rng.integers(2, 7)))
        if closed_family(model) is None:
            continue
        solved += 1
        for q in random_configuration(rng, model, 3):
            T = tool_pose(model, q)
            result = solve_closed(model, T)
            assert result.converged, result.message
            assert gap(model, result.solutions, q) < 1e-7
            assert_allclose(tool_pose(model, result.q), T, rtol=0.0, atol=EXACT)
    assert solved > 50


def test_axes_that_miss_by_the_digits_of_a_file_are_polished() -> None:
    """A quarter turn printed as 1.5708 makes axes miss each other by 4e-6 rad."""
    rng = np.random.default_rng(13)
    quarter = 1.5708
    # the last offset lies along axis 6, up to the digits: it misses axes 4 and 5
    rows = [(0.0, 0.3, 0.0), (0.1, 0.0, 0.0), (0.0, 0.5, 0.0), (0.4, 0.0, 0.0),
            (0.0, 0.0, 0.0), (0.0, 0.3, 0.0)]  # fmt: skip
    links = [Link(name="base")]
    for i, place in enumerate(rows):
        angle = quarter * (-1.0) ** i if i in (1, 3, 4, 5) else 0.0
        c, s = np.cos(angle), np.sin(angle)
        T = np.eye(4)
        T[:3, :3] = [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
        T[:3, 3] = place
        hinge = JointType.REVOLUTE
        links.append(
            Link(
                name=f"l{i}", parent=links[-1].name, joint_type=hinge, T_parent_joint=T
            )
        )
    model = assemble("printed", links)
    assert closed_family(model) == "spherical_wrist"
    for q in rng.uniform(-3.0, 3.0, size=(30, 6)):
        T = tool_pose(model, q)
        result = solve_closed(model, T)
        assert gap(model, result.solutions, q) < 1e-8
        for branch in result.solutions:
            assert_allclose(tool_pose(model, branch), T, rtol=0.0, atol=EXACT)


# -- completeness -----------------------------------------------------------------------


def poses_and_twists(model: RobotModel, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tool poses (k, 4, 4) and Jacobians (k, 6, n) of many configurations."""
    T = np.tile(np.eye(4), (len(Q), 1, 1))
    axes, points = [], []
    joint = 0
    for i in range(1, len(model.link_names)):
        T = T @ model.T_parent_joint[i]
        if model.joint_type[i] == JointType.REVOLUTE:
            z = model.axis[i]
            axes.append(T[:, :3, :3] @ z)
            points.append(T[:, :3, 3])
            K = np.cross(np.eye(3), z)  # K v = z x v
            s, c = np.sin(Q[:, joint]), np.cos(Q[:, joint])
            R = np.eye(3) + s[:, None, None] * K + (1 - c)[:, None, None] * (K @ K)
            T = T.copy()
            T[:, :3, :3] = T[:, :3, :3] @ R
            joint += 1
    v = [np.cross(z, T[:, :3, 3] - p) for z, p in zip(axes, points, strict=True)]
    J = np.concatenate([np.stack(v, axis=2), np.stack(axes, axis=2)], axis=1)
    return T, J


def search(
    model: RobotModel, target: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """All solutions that damped Newton steps from many random starts run into."""
    Q = rng.uniform(-np.pi, np.pi, size=(600, model.nq))
    for k in range(60):
        T, J = poses_and_twists(model, Q)
        turn = sum(np.cross(T[:, :3, i], target[:3, i]) for i in range(3))
        e = np.concatenate([target[:3, 3] - T[:, :3, 3], 0.5 * turn], axis=1)
        damping = (1e-2 if k < 30 else 1e-12) * np.eye(6)
        y = np.linalg.solve(J @ J.swapaxes(1, 2) + damping, e[..., None])
        step = (J.swapaxes(1, 2) @ y)[..., 0]
        Q = Q + np.clip(step, -0.5, 0.5)
    T, _ = poses_and_twists(model, Q)
    Q = Q[np.abs(T - target).max(axis=(1, 2)) < 1e-9]
    found: list[np.ndarray] = []
    for q in Q:
        if not found or gap(model, np.array(found), q) > 1e-4:
            found.append(q)
    return np.array(found).reshape(-1, model.nq)


@pytest.mark.capability("GR-29", "GR-30")
@pytest.mark.parametrize(
    "family", ["wrist", "shoulder", "middle", "inner", "outer", "general"]
)
def test_a_search_from_many_starts_finds_no_further_branch(family: str) -> None:
    rng = np.random.default_rng(14)
    makers = {
        "general": lambda: arm(rng, "RRRRRR", *drawn_axes(rng, 6)),
        "wrist": lambda: meeting(rng, "RRRRRR", 3, 4, 5),
        "shoulder": lambda: meeting(rng, "RRRRRR", 0, 1, 2),
        "middle": lambda: meeting(rng, "RRRRRR", 2, 3, 4),
        "inner": lambda: planar(rng, "RRRRRR", 1, 2, 3),
        "outer": lambda: planar(rng, "RRRRRR", 3, 4, 5),
    }
    total = 0
    for _ in range(3):
        model = makers[family]()
        T = tool_pose(model, random_configuration(rng, model))
        branches = solve_closed(model, T, limits="ignore").solutions
        found = search(model, T, rng)
        assert len(found) >= 2
        for q in found:
            assert gap(model, branches, q) < 1e-5
        total += len(branches)
    assert total >= 6
