"""Tests of what an assembly refuses, and of the words it refuses it with."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from gelenk.errors import ModelError, NameNotFoundError
from gelenk.kinematics.loops.close import close_loops
from gelenk.models.parts import (
    Assembly,
    BodyPart,
    ConnectionPoint,
    LinearMotor,
    Segment,
    Servo,
    TouchPoint,
    TouchSegment,
)


@pytest.mark.capability("AB-116", "AB-117")
def test_a_second_body_is_rejected() -> None:
    robot = Assembly(BodyPart("base"))
    with pytest.raises(
        ModelError, match=r"body 'other' cannot be attached to body 'base'.*one body"
    ):
        robot.attach(BodyPart("other"))


@pytest.mark.capability("AB-116")
def test_a_robot_starts_with_a_body() -> None:
    with pytest.raises(ModelError, match="starts with a body, got servo 's'"):
        Assembly(Servo("s"))  # type: ignore[arg-type]


@pytest.mark.capability("AB-117")
def test_a_point_at_the_end_of_a_chain_carries_nothing() -> None:
    robot = Assembly()
    tip = robot.servo().touch_point("nose")
    with pytest.raises(
        ModelError, match=r"touch point 'nose' ends its chain.*servo 'x'"
    ):
        tip.servo("x")
    end = robot.servo().termination_point("stop")
    with pytest.raises(ModelError, match="termination point 'stop' ends its chain"):
        end.segment(0.1)


@pytest.mark.capability("AB-117", "AB-120")
@pytest.mark.parametrize(
    "part", [Segment("p", to=(1, 0, 0)), Servo("p"), LinearMotor("p")]
)
def test_a_part_with_one_connection_point_carries_one_part(part: object) -> None:
    tip = Assembly().attach(part)  # type: ignore[arg-type]
    tip.segment(0.1, "first")
    with pytest.raises(
        ModelError, match=r"'p' carries 'first' already.*segment 'second'.*t-connector"
    ):
        tip.segment(0.1, "second")


def test_a_part_is_not_used_twice() -> None:
    robot = Assembly()
    bone = Segment("bone", to=(0.1, 0.0, 0.0))
    robot.attach(bone)
    with pytest.raises(ModelError, match="segment 'bone' is used twice"):
        robot.attach(bone)
    with pytest.raises(ModelError, match="two parts named 'bone'"):
        robot.servo("bone")


@pytest.mark.parametrize("last", ["servo", "linear_motor", "t_connector"])
def test_every_chain_needs_an_end(last: str) -> None:
    robot = Assembly()
    robot.segment(0.1).termination_point()
    getattr(robot, last)("loose")
    with pytest.raises(ModelError, match=r"a chain ends in .* 'loose'; end it with"):
        robot.build("r")


def test_a_body_alone_is_no_robot() -> None:
    with pytest.raises(ModelError, match="a chain ends in body 'body'"):
        Assembly().build("r")


@pytest.mark.parametrize(
    "length", [0.0, -0.1, float("nan"), float("inf"), (0.0, 0.0, 0.0), (0, np.nan, 1)]
)
def test_a_segment_needs_a_length(length: object) -> None:
    with pytest.raises(
        ModelError, match="segment 'bar': length must be finite and > 0"
    ):
        Assembly().segment(length, "bar")  # type: ignore[arg-type]


def test_a_segment_needs_one_or_three_numbers() -> None:
    with pytest.raises(
        ModelError, match=r"one length .* three coordinates.*shape \(2,\)"
    ):
        Assembly().segment((0.1, 0.2))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Servo("s", mass=-1.0), "servo 's': mass must be >= 0 kg, got -1"),
        (lambda: Servo("s", mass=float("nan")), "servo 's': mass"),
        (lambda: Servo("s", limits=(1.0, -1.0)), r"servo 's': limits .*\(1.0, -1.0\)"),
        (lambda: Servo("s", limits=(float("nan"), 1.0)), "servo 's': limits"),
        (lambda: Servo("s", home=9.0), "servo 's': home value 9.0 is outside"),
        (lambda: Servo("s", axis="zx"), "servo 's': axis must be .* got 'zx'"),  # type: ignore[arg-type]
        (lambda: LinearMotor("m", max_speed=-1.0), "linear motor 'm': `max_speed`"),
        (lambda: LinearMotor("m", max_effort=float("nan")), "'m': `max_effort`"),
        (lambda: TouchPoint("t", radius=0.0), "touch point 't': radius must be"),
        (lambda: TouchSegment(to=(1, 0, 0), radius=-1), "unnamed touch segment: radius"),
    ],
)  # fmt: skip
def test_impossible_numbers_are_refused_where_they_are_written(
    make: object, message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        make()  # type: ignore[operator]


def test_connection_points_are_checked() -> None:
    robot = Assembly()
    with pytest.raises(ModelError, match=r"body 'body': `at` must be finite"):
        robot.servo(at=(0.0, np.nan, 0.0))
    with pytest.raises(ModelError, match=r"`turn` must be finite with shape \(3,\)"):
        robot.servo(turn=(0.0, 1.0))
    with pytest.raises(ModelError, match="either `pose` or `at` and `turn`"):
        robot.servo(pose=np.eye(4), at=(1.0, 0.0, 0.0))
    bar = robot.segment(0.3, "bar")
    with pytest.raises(
        ModelError,
        match=r"segment 'bar' has its one connection point at \(0.3, 0.0, 0.0\)",
    ):
        bar.servo(at=(0.1, 0.0, 0.0))
    skewed = np.eye(4)
    skewed[0, 1] = 0.1
    robot.servo("tilted", pose=skewed).termination_point()
    bar.termination_point()
    with pytest.raises(ModelError, match="'tilted': `T_parent_joint` is not a pose"):
        robot.build("r")


def test_an_unknown_part_is_named_with_the_closest_one() -> None:
    robot = Assembly()
    robot.servo("elbow").termination_point()
    with pytest.raises(NameNotFoundError, match=r"no part named 'elbw'.*'elbow'"):
        robot.get("elbw")


# -- closed chains ---------------------------------------------------------------------


def two_hinges() -> tuple[Assembly, list]:
    robot = Assembly()
    ends = [
        robot.axisrot(f"hinge_{i}", at=(i, 0, 0)).segment(0.8, f"bar_{i}")
        for i in (0, 1)
    ]
    return robot, ends


@pytest.mark.capability("AB-159")
def test_two_hinges_are_refused_if_a_closed_form_is_required() -> None:
    robot, ends = two_hinges()
    robot.closed_chain("frame", ends, pattern="required")
    with pytest.raises(ModelError) as caught:
        robot.build("r")
    message = str(caught.value)
    assert "closed chain 'frame' is no pattern with a closed form" in message
    assert "chain to 'bar_0' has axisrot; chain to 'bar_1' has axisrot" in message
    assert "TIGHT_ROT (axisrot, fullrot)" in message
    assert "pattern='preferred'" in message


def test_two_hinges_are_left_to_the_numerical_solver_otherwise() -> None:
    robot, ends = two_hinges()
    robot.closed_chain("frame", ends)
    model = robot.build("r")
    assert model.loops[0].kind == "point"
    assert model.num_joints == 0
    assert len(model.tree_joint_ids) == 2


@pytest.mark.capability("AB-X12")
def test_two_hinges_in_one_plane_close_numerically() -> None:
    robot = Assembly()
    pushed = robot.axisrot("left", home=0.8).linear_motor("push", home=0.8)
    bar = robot.axisrot("right", at=(1, 0, 0), home=2.4).segment(0.8)
    robot.closed_chain("frame", [pushed, bar])
    model = robot.build("r")
    for length in (0.8, 0.6, 0.9):
        result = close_loops(model, [length])
        assert result.closed
        # Law of cosines in the triangle of both bars and the base of 1 m.
        left = np.arccos((length**2 + 1.0 - 0.8**2) / (2.0 * length))
        right = np.arccos((0.8**2 + 1.0 - length**2) / (2.0 * 0.8))
        expected = [left, length, np.pi - right]
        np.testing.assert_allclose(result.q_tree, expected, atol=1e-9)


def test_passive_parts_start_where_they_are_told_to() -> None:
    robot = Assembly()
    strut = robot.fullrot("ball", home=(0.1, 0.2)).linear("rod", home=0.3)
    door = robot.axisrot("hinge", home=0.4).segment(0.5)
    robot.closed_chain("c", [strut, door])
    model = robot.build("r")
    joints = zip(model.joint_names_all, model.home.tolist(), strict=True)
    home = {name: value for name, value in joints if value}
    assert home == {"ball_xy": 0.1, "ball_xz": 0.2, "rod": 0.3, "hinge": 0.4}


def test_a_closed_chain_ends_its_chains_and_may_go_on_behind_the_first() -> None:
    robot, ends = two_hinges()
    robot.closed_chain("frame", ends, branch=-1).gripper_mount("hand")
    model = robot.build("r")
    loop = model.loops[0]
    assert [model.link_names[k] for k in loop.links] == ["bar_0", "bar_1"]
    assert loop.T_link_frame[:, 0, 3].tolist() == [0.8, 0.8]
    assert loop.branch == -1
    assert model.link_names[model.parent[model.link_id("hand")]] == "bar_0"


def test_closed_chains_are_checked() -> None:
    robot, ends = two_hinges()
    with pytest.raises(NameNotFoundError, match="no part named 'bar_9'"):
        robot.closed_chain("c", ["bar_0", "bar_9"])
    with pytest.raises(ModelError, match="'c' joins 1 chains, at least 2"):
        robot.closed_chain("c", ends[:1])
    with pytest.raises(ModelError, match="'c' uses one part as the end of two"):
        robot.closed_chain("c", [ends[0], "bar_0"])
    with pytest.raises(ModelError, match="'c': branch must be -1, 0 or 1, got 2"):
        robot.closed_chain("c", ends, branch=2)
    with pytest.raises(ModelError, match="'c': pattern must be"):
        robot.closed_chain("c", ends, pattern="never")  # type: ignore[arg-type]
    with pytest.raises(NameNotFoundError, match="no part named 'ghost'"):
        robot.closed_chain("c", [ends[0], ConnectionPoint("ghost", np.eye(4))])
    nose = robot.segment(0.1).touch_point("nose")
    with pytest.raises(ModelError, match="touch point 'nose' has no connection point"):
        robot.closed_chain("c", [ends[0], nose])
    stranger = Assembly().segment(0.1, "stranger")
    with pytest.raises(ModelError, match=r"'stranger'.* belongs to another robot"):
        robot.closed_chain("c", [ends[0], stranger])
    robot.closed_chain("c", ends)
    with pytest.raises(ModelError, match="'c': the name is empty or taken"):
        robot.closed_chain("c", ends)


def test_a_passive_part_outside_all_closed_chains_is_refused() -> None:
    robot, ends = two_hinges()
    robot.closed_chain("frame", ends)
    robot.fullrot("limp").segment(0.1).termination_point()
    with pytest.raises(
        ModelError, match="passive fullrot 'limp' is in no closed chain"
    ):
        robot.build("r")


def test_a_point_on_a_t_connector_can_close_a_chain() -> None:
    robot = Assembly()
    hub = robot.servo("arm").t_connector("hub")
    hub.gripper_mount()
    sensor = robot.fullrot("ball", at=(0, 0, -0.2)).linear("rod").segment(0.05, "tip")
    robot.closed_chain("sense", [hub.point(at=(0.3, 0.1, 0.0)), sensor])
    loop = robot.build("r").loops[0]
    assert loop.T_link_frame[0, :3, 3].tolist() == [0.3, 0.1, 0.0]


def test_a_ball_joint_with_its_end_off_its_plane_is_cautioned(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for height, count in ((0.0, 0), (0.05, 1)):
        robot = Assembly()
        door = robot.axisrot().segment(0.4)
        stay = robot.fullrot(at=(0.1, 0.3, 0.0)).segment((0.3, 0.0, height), "stay")
        robot.closed_chain("latch", [door, stay])
        with caplog.at_level(logging.WARNING):
            robot.build("r")
        assert len(caplog.records) == count
    assert "'stay' lies 0.05 m off the x-y plane of its fullrot" in caplog.text
