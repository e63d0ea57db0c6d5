"""What `solve_closed` promises beside the solutions: limits, q0, messages, errors."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import gelenk
from gelenk.errors import ConfigError, NameNotFoundError, ShapeError
from gelenk.kinematics.inverse.closed import closed_family, solve_closed
from gelenk.kinematics.inverse.result import IkStatus
from gelenk.models.assembler import assemble
from gelenk.models.link import JointType, Link
from gelenk.models.tree import RobotModel
from textbook_tree import tool_pose

EXACT = 1e-10  # [m] and [rad]


def target_at(x: float, y: float, z: float) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def arm_with_limits(*limits: tuple[float, float]) -> RobotModel:
    """A planar arm of links of 1 m."""
    links = [Link(name="base")]
    for i, (lower, upper) in enumerate(limits):
        T = np.eye(4)
        T[0, 3] = 1.0 if i else 0.0
        links.append(
            Link(
                name=f"link_{i}",
                parent=links[-1].name,
                joint_type=JointType.REVOLUTE,
                T_parent_joint=T,
                lower=lower,
                upper=upper,
            )
        )
    T = np.eye(4)
    T[0, 3] = 1.0
    links.append(Link(name="tool", parent=links[-1].name, T_parent_joint=T))
    return assemble("planar", links)


def test_whole_turns_go_to_the_copy_nearest_to_q0_within_limits() -> None:
    model = arm_with_limits((-7.0, 7.0), (-4.0, 4.0))
    q = np.array([0.4, 0.9])
    T = tool_pose(model, q)

    near = model.inverse(T, method="closed", q0=[6.0, 1.0])
    assert_allclose(near.q, [0.4 + 2.0 * np.pi, 0.9], atol=1e-12)
    # 0.9 - 2 pi would be nearer to -5, but is below the lower limit of -4
    far = model.inverse(T, method="closed", q0=[-5.0, -5.0])
    assert_allclose(far.q, [0.4 - 2.0 * np.pi, 0.9], atol=1e-12)


def test_branch_nearest_to_q0_is_chosen() -> None:
    model = gelenk.load("planar2r")
    T = target_at(1.2, 0.6, 0.0)
    for q0 in ([-0.2, 1.5], [1.0, -1.5]):
        result = model.inverse(T, method="closed", task="position", q0=q0)
        assert_allclose(result.q, q0, atol=0.1)


def test_branches_outside_the_limits_are_left_out_and_counted_if_limits_are_ignored() -> (
    None
):
    model = arm_with_limits((-3.0, 3.0), (0.0, 3.0))
    T = tool_pose(model, [0.5, 1.0])

    within = model.inverse(T, method="closed", task="position")
    both = model.inverse(T, method="closed", task="position", limits="ignore")

    assert_allclose(within.solutions, [[0.5, 1.0]], atol=1e-12)
    assert len(both.solutions) == 2


def test_target_met_only_outside_the_limits_says_so_and_gives_the_branch() -> None:
    model = arm_with_limits((-3.0, 3.0), (0.0, 0.5))
    T = tool_pose(model, [0.5, 1.0])

    result = model.inverse(T, method="closed", task="position")

    assert result.status is IkStatus.OUT_OF_LIMITS
    assert result.solutions.shape == (0, 2)
    assert_allclose(result.q, [0.5, 1.0], atol=1e-12)
    assert "outside" in result.message


def test_joint_on_its_limit_is_within_it() -> None:
    rng = np.random.default_rng(1)
    for elbow in (0.0, *rng.uniform(0.2, 3.0, size=30)):
        model = arm_with_limits((-3.0, 3.0), (-0.1, elbow))
        T = tool_pose(model, [0.5, elbow])
        result = model.inverse(T, method="closed", task="position")
        assert result.converged
        assert_allclose(result.q, [0.5, elbow], rtol=0.0, atol=1e-7)
        assert (result.solutions <= model.limits[1]).all()


def test_value_just_outside_a_limit_is_outside() -> None:
    model = arm_with_limits((-3.0, 3.0), (0.0, 1.0))
    for excess in (1e-8, 5e-7, 1e-3):
        T = tool_pose(model, [0.5, 1.0 + excess])
        result = model.inverse(T, method="closed", task="position")
        assert result.status is IkStatus.OUT_OF_LIMITS
        p_base_tool = tool_pose(model, result.q)[:3, 3]
        assert_allclose(p_base_tool, T[:3, 3], rtol=0.0, atol=EXACT)


def test_angle_outside_keeps_the_turn_that_is_least_outside() -> None:
    model = arm_with_limits((-3.0, 3.0), (0.0, 0.5))
    for elbow in (-1.0, 1.5):
        T = tool_pose(model, [0.5, elbow])
        result = model.inverse(T, method="closed")
        assert result.status is IkStatus.OUT_OF_LIMITS
        assert_allclose(result.q, [0.5, elbow], atol=1e-12)


@pytest.mark.capability("GR-29")
def test_aligned_wrist_keeps_the_free_angle_of_q0_and_names_the_joint() -> None:
    model = gelenk.load("puma560")
    q = np.array([0.3, 0.8, -2.0, 0.6, 0.0, 0.8])
    T = tool_pose(model, q)
    q0 = np.array([0.3, 0.8, -2.0, -1.0, 0.0, 2.0])

    result = model.inverse(T, method="closed", q0=q0)

    # joints 4 and 6 turn about one axis: their sum stays 1.4
    assert_allclose(result.q, [0.3, 0.8, -2.0, -1.0, 0.0, 2.4], atol=1e-9)
    assert "joint_4" in result.message
    assert "q0" in result.message


def test_free_angle_gives_way_where_that_of_q0_would_break_a_limit() -> None:
    """First and last joint turn as one; kept at 0, the first would leave 3.1 to the last."""
    links = [Link(name="base")]
    for name, axis in (("yaw", (0, 0, 1)), ("pitch", (0, 1, 0)), ("roll", (0, 0, 1))):
        links.append(
            Link(
                name=name,
                parent=links[-1].name,
                joint_type=JointType.REVOLUTE,
                axis=axis,
                lower=-2.9,
                upper=2.9,
            )
        )
    model = assemble("wrist", links)
    T = tool_pose(model, [1.0, 0.0, 2.1])

    result = model.inverse(T, method="closed", q0=[0.0, 0.0, 0.0])

    assert result.converged
    assert_allclose(tool_pose(model, result.q), T, rtol=0.0, atol=EXACT)
    assert np.abs(result.q).max() <= 2.9
    assert abs(result.q[0]) < 0.5  # the nearest of the angles that were tried
    assert "limits" in result.message


@pytest.mark.capability("AB-164")
def test_target_on_the_stand_axis_keeps_the_stand_angle_of_q0() -> None:
    model = gelenk.load("simple_arm")

    result = model.inverse(
        target_at(0.0, 0.0, 0.6), method="closed", task="position", q0=[0.7, 1.0, 0.1]
    )

    assert result.converged
    assert_allclose(result.solutions[:, 0], 0.7, atol=1e-12)
    assert "stand" in result.message


def test_joints_that_the_position_does_not_need_are_held_at_q0() -> None:
    model = gelenk.load("puma560")
    q = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
    q0 = q + np.array([0.05, 0.05, 0.05, 0.0, 0.0, 0.0])

    result = model.inverse(tool_pose(model, q), method="closed", task="position", q0=q0)

    assert_allclose(result.q, q, atol=1e-9)
    assert_allclose(result.solutions[:, 3:], np.tile(q[3:], (len(result.solutions), 1)))
    assert "joint_4" in result.message


def test_rotation_task_turns_the_wrist_only() -> None:
    model = gelenk.load("puma560")
    q = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
    T = tool_pose(model, q)
    T[:3, 3] = 9.0  # not asked for

    result = model.inverse(T, method="closed", task="rotation", q0=q)

    assert_allclose(result.q, q, atol=1e-9)
    for branch in result.solutions:
        R = tool_pose(model, branch)[:3, :3]
        assert_allclose(R, T[:3, :3], rtol=0.0, atol=EXACT)


def test_rounded_target_is_made_orthonormal() -> None:
    model = gelenk.load("puma560")
    T = np.round(tool_pose(model, [0.3, -0.4, 0.5, 0.6, -0.7, 0.8]), 6)

    result = model.inverse(T, method="closed")

    assert result.converged
    assert_allclose(tool_pose(model, result.q), T, rtol=0.0, atol=2e-6)


def test_frame_before_the_last_joints_leaves_them_alone() -> None:
    model = gelenk.load("puma560")
    q = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
    T = model.forward(q, frame="link_3")

    result = solve_closed(model, T, frame="link_3", q0=q, task="position")

    assert_allclose(result.q, q, atol=1e-9)
    assert_allclose(result.solutions[:, 3:], np.tile(q[3:], (len(result.solutions), 1)))


def test_arm_without_structure_says_what_was_found_and_what_to_use() -> None:
    rng = np.random.default_rng(7)
    links = [Link(name="base")]
    for i, kind in enumerate("RRRPRR"):
        T = np.eye(4)
        T[:3, 3] = rng.normal(size=3)
        turns = kind == "R"
        links.append(
            Link(
                name=f"link_{i}",
                parent=links[-1].name,
                joint_type=JointType.REVOLUTE if turns else JointType.PRISMATIC,
                T_parent_joint=T,
                axis=rng.normal(size=3),
            )
        )
    model = assemble("crooked", links)

    result = model.inverse(np.eye(4), method="closed")

    assert closed_family(model) is None
    assert result.status is IkStatus.NO_CLOSED_FORM
    assert "RRRPRR" in result.message
    assert 'method="lm"' in result.message
    assert np.isfinite(result.q).all()


def test_mimicking_joint_and_floating_base_have_no_closed_form() -> None:
    hinge = {"joint_type": JointType.REVOLUTE}
    links = [
        Link(name="base"),
        Link(name="a", parent="base", **hinge),
        Link(name="b", parent="a", mimic="a_joint", multiplier=2.0, **hinge),
    ]
    mimic = assemble("mimic", links)
    floating = assemble(
        "floating", [Link(name="base", joint_type=JointType.FLOATING), links[1]]
    )
    for model, word in ((mimic, "mimics"), (floating, "floats")):
        result = model.inverse(np.eye(4), method="closed")
        assert result.status is IkStatus.NO_CLOSED_FORM
        assert word in result.message


def test_mistakes_of_the_caller_raise() -> None:
    model = gelenk.load("planar2r")
    with pytest.raises(ShapeError, match=r"`T_base_target` must have shape \(4, 4\)"):
        solve_closed(model, np.eye(3))
    with pytest.raises(ShapeError, match=r"`q0` must have shape \(2,\)"):
        solve_closed(model, np.eye(4), q0=[0.0])
    with pytest.raises(ConfigError, match="finite"):
        solve_closed(model, np.eye(4), q0=[0.0, np.nan])
    with pytest.raises(ConfigError, match="must be a pose"):
        solve_closed(model, np.diag([1.0, 1.0, -1.0, 1.0]))
    with pytest.raises(ConfigError, match="must be a pose"):
        solve_closed(model, np.full((4, 4), np.nan))
    with pytest.raises(ConfigError, match="`task`"):
        solve_closed(model, np.eye(4), task="axis")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match="`limits`"):
        solve_closed(model, np.eye(4), limits="bend")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match="`swivel`"):
        solve_closed(model, np.eye(4), swivel=0.0)
    with pytest.raises(NameNotFoundError, match="frame"):
        solve_closed(model, np.eye(4), frame="nose")


def test_arguments_are_left_alone_and_may_be_read_only_or_transposed() -> None:
    model = gelenk.load("puma560")
    q = np.array([0.3, -0.4, 0.5, 0.6, -0.7, 0.8])
    T = np.asfortranarray(tool_pose(model, q))
    T.setflags(write=False)
    q.setflags(write=False)

    result = solve_closed(model, T, q0=q)

    assert_allclose(result.q, q, atol=1e-12)
    assert not np.shares_memory(result.solutions, q)
