"""Tests of robots built from parts: where parts stand and how they move.

Oracle: products of the plane rotations and shifts written out here, against the
textbook tree on the arrays of the built model.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from gelenk.models.parts import (
    Assembly,
    BodyPart,
    GripperMount,
    LinearMotor,
    Segment,
    Servo,
    Tip,
)
from gelenk.models.tree import RobotModel
from gelenk.spatial.plane_angles import plane_angles_from_matrix
from testkit.assemblies import random_assembly
from textbook_tree import link_poses, tool_pose, values_at

EXAMPLE = Path(__file__).parents[2] / "examples/10_kinematics/five_axis_arm.py"


def plane_turn(plane: str, angle: float) -> np.ndarray:
    """Turn the first axis of the plane towards the second."""
    i, j = "xyz".index(plane[0]), "xyz".index(plane[1])
    T = np.eye(4)
    T[i, i] = T[j, j] = np.cos(angle)
    T[j, i], T[i, j] = np.sin(angle), -np.sin(angle)
    return T


def shift(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T


def roto_translation(at: object, turn: object) -> np.ndarray:
    """Turn in xy first, then in xz, then in yz, then shift."""
    a, b, c = np.asarray(turn)
    turned = plane_turn("yz", c) @ plane_turn("xz", b) @ plane_turn("xy", a)
    return shift(*np.asarray(at)) @ turned


def frame_at(model: RobotModel, q: object, name: str) -> np.ndarray:
    return link_poses(model, values_at(model, q))[model.link_id(name)]


# -- open chains -----------------------------------------------------------------------


@pytest.mark.capability("AB-04")
def test_a_chain_of_three_parts_has_its_tool_where_hand_calculation_puts_it() -> None:
    arm = Assembly().servo("waist").segment(0.3).gripper_mount("hand").build("arm")
    T = tool_pose(arm, [np.deg2rad(30.0)])
    assert_allclose(T[:3, 3], [0.3 * np.sqrt(0.75), 0.15, 0.0], atol=1e-15)
    assert arm.joint_names == ("waist",)
    assert arm.tool == "hand"


@pytest.mark.capability("AB-01", "AB-150")
@pytest.mark.parametrize("num_motors", range(1, 9))
def test_arms_of_any_motors_stand_where_their_matrices_multiply_to(
    num_motors: int,
) -> None:
    rng = np.random.default_rng(num_motors)
    for _ in range(10):
        robot = Assembly()
        tip: Tip = robot
        q = rng.uniform(-2.0, 2.0, num_motors)
        factors = []  # of all parts from the body on
        at = rng.uniform(-0.3, 0.3, 3)
        for value in q:
            turn = rng.uniform(-np.pi, np.pi, 3)
            factors.append(roto_translation(at, turn))
            plane = str(rng.choice(["xy", "xz", "yz", "linear"]))
            if plane == "linear":
                motor = LinearMotor(limits=(-3.0, 3.0))
                factors.append(shift(value))
            else:
                motor = Servo(axis=plane)  # type: ignore[arg-type]
                factors.append(plane_turn(plane, value))
            tip = tip.attach(motor, at=at if tip is robot else (0, 0, 0), turn=turn)
            at = np.zeros(3)
            if rng.random() < 0.7:
                end = rng.uniform(0.05, 0.3, 3)
                tip = tip.segment(tuple(end))
                factors.append(shift(*end))
        model = tip.gripper_mount().build("arm")

        outwards = np.eye(4)
        for factor in factors:
            outwards = outwards @ factor
        # The paper's other view: a point of the gripper travels towards the body.
        point = np.array([0.1, 0.2, 0.3, 1.0])
        inwards = point
        for factor in reversed(factors):
            inwards = factor @ inwards
        T = tool_pose(model, q)
        assert_allclose(T, outwards, atol=1e-14)
        assert_allclose(T @ point, inwards, atol=1e-14)


@pytest.mark.capability("AB-05", "AB-122")
def test_both_branches_behind_a_t_connector_have_their_own_pose() -> None:
    robot = Assembly()
    fork = robot.servo("waist").segment((0.0, 0.0, 0.5)).t_connector("fork")
    places = {
        "left": ((0, 0.2, 0), (0.3, 0, 0)),
        "right": ((0, -0.2, 0), (0, 0.4, 0.1)),
    }
    for side, (at, turn) in places.items():
        fork.servo(f"{side}_servo", axis="xz", at=at, turn=turn).segment(
            0.3
        ).touch_point(side)
    model = robot.build("fork")

    q = np.array([0.4, -0.7, 1.1])
    assert model.joint_names == ("waist", "left_servo", "right_servo")
    trunk = plane_turn("xy", q[0]) @ shift(0, 0, 0.5)
    for (side, (at, turn)), value in zip(places.items(), q[1:], strict=True):
        branch = roto_translation(at, turn) @ plane_turn("xz", value) @ shift(0.3)
        assert_allclose(frame_at(model, q, side), trunk @ branch, atol=1e-15)


def test_several_chains_start_at_the_body() -> None:
    robot = Assembly()
    for i in range(3):
        robot.linear_motor(f"lift_{i}", at=(0, i, 0)).termination_point(f"end_{i}")
    model = robot.build("lifts")
    assert model.num_joints == 3
    assert_allclose(frame_at(model, [0.1, 0.2, 0.3], "end_2")[:3, 3], [0.3, 2, 0])


@pytest.mark.capability("AB-118")
def test_a_connection_point_applies_its_roto_translation() -> None:
    turn = np.deg2rad([30.0, 20.0, 10.0])
    robot = Assembly()
    robot.termination_point("end", at=(10, 20, 30), turn=turn)
    T = frame_at(robot.build("r"), [], "end")
    published = [8.848045, 21.716570, 33.118715]  # of the point (1, 2, 3)
    assert_allclose((T @ [1, 2, 3, 1])[:3], published, atol=5e-7)

    by_pose = Assembly()
    by_pose.termination_point("end", pose=T)
    assert_allclose(frame_at(by_pose.build("r"), [], "end"), T, atol=0.0)


# -- single parts ----------------------------------------------------------------------


@pytest.mark.capability("AB-120")
@pytest.mark.parametrize("end", [0.25, (0.1, -0.2, 0.3)])
def test_a_segment_carries_its_child_at_the_end_of_its_line(end: object) -> None:
    turn = (0.1, 0.2, 0.3)
    robot = Assembly()
    robot.segment(end, "bar").termination_point("end", turn=turn)  # type: ignore[arg-type]
    T = frame_at(robot.build("r"), [], "end")
    point = (end, 0, 0) if isinstance(end, float) else end
    assert_allclose(T, roto_translation(point, turn), atol=1e-15)


@pytest.mark.capability("AB-123")
@pytest.mark.parametrize(
    ("axis", "turned_x", "turned_y"),
    [
        ("xy", (0, 1, 0), (-1, 0, 0)),
        ("xz", (0, 0, 1), (0, 1, 0)),  # positive lifts what points forward
        ("yz", (1, 0, 0), (0, 0, 1)),
    ],
)
def test_a_servo_turns_in_its_plane_and_stays_in_place(
    axis: str, turned_x: tuple, turned_y: tuple
) -> None:
    robot = Assembly()
    robot.servo("s", axis=axis, at=(1, 2, 3)).termination_point("end")  # type: ignore[arg-type]
    T = frame_at(robot.build("r"), [np.pi / 2], "end")
    assert_allclose(T[:3, 0], turned_x, atol=1e-15)
    assert_allclose(T[:3, 1], turned_y, atol=1e-15)
    assert_allclose(T[:3, 3], [1, 2, 3], atol=0.0)


@pytest.mark.capability("AB-124")
def test_a_linear_motor_changes_its_length_only() -> None:
    robot = Assembly()
    robot.linear_motor("m", turn=(np.pi / 2, 0, 0)).termination_point("end")
    model = robot.build("r")
    short, long = frame_at(model, [0.1], "end"), frame_at(model, [0.4], "end")
    assert_allclose(short[:3, :3], long[:3, :3], atol=0.0)
    assert_allclose(long[:3, 3] - short[:3, 3], [0, 0.3, 0], atol=1e-15)
    assert_allclose(short[:3, 3], [0, 0.1, 0], atol=1e-15)


def test_motors_have_the_documented_defaults() -> None:
    robot = Assembly()
    robot.servo("turn").linear_motor("push").termination_point()
    model = robot.build("r")
    ids = model.joint_ids
    assert_allclose(model.max_velocity[ids], [np.deg2rad(90.0), 0.2])
    assert np.isinf(model.max_effort[ids]).all()
    assert_allclose(model.limits, [[-np.pi, 0.0], [np.pi, np.inf]])


def test_a_motor_starts_within_its_limits() -> None:
    robot = Assembly()
    tip = robot.servo(limits=(0.2, 1.0)).servo(limits=(-2.0, -1.0)).servo()
    tip.servo(home=0.5).linear_motor(limits=(0.3, 0.6)).termination_point()
    start = robot.build("r").home_configuration
    assert_allclose(start, [0.2, -1.0, 0.0, 0.5, 0.3])


def test_motor_data_reaches_the_joint() -> None:
    servo = Servo(
        "s", max_speed=1.0, max_effort=2.0, damping=3.0, friction=4.0, armature=5.0
    )
    model = Assembly().attach(servo).termination_point().build("r")
    i = model.link_id("s")
    arrays = (model.max_velocity, model.max_effort, model.damping, model.friction)
    assert [a[i] for a in (*arrays, model.armature)] == [1.0, 2.0, 3.0, 4.0, 5.0]


def test_a_floating_body_floats() -> None:
    robot = Assembly(BodyPart("trunk", is_floating=True, mass=3.0))
    robot.servo("hip").termination_point()
    model = robot.build("r")
    assert model.has_floating_base
    assert model.link_names[0] == "trunk"
    assert model.nq == 8


# -- masses and shapes -----------------------------------------------------------------


def sampled_inertia(end: np.ndarray, radius: float) -> np.ndarray:
    """Inertia of 1 kg in a cylinder about its centre, by summing over a fine grid."""
    direction = end / np.linalg.norm(end)
    x = np.cross(direction, [0.3, -0.5, 0.8])
    x /= np.linalg.norm(x)
    y = np.cross(direction, x)
    along = (np.arange(200) + 0.5) / 200 - 0.5
    grid = (np.arange(-100, 101)) / 100
    u, v = (g.ravel() for g in np.meshgrid(grid, grid))
    inside = u**2 + v**2 <= 1.0
    disc = radius * (u[inside, None] * x + v[inside, None] * y)
    second = (disc.T @ disc) / inside.sum() + np.outer(end, end) * (along**2).mean()
    return np.trace(second) * np.eye(3) - second


@pytest.mark.parametrize("radius", [None, 0.08])
def test_the_mass_of_a_segment_is_a_rod_or_a_cylinder(radius: float | None) -> None:
    end = np.array([0.2, -0.3, 0.1])
    robot = Assembly()
    robot.segment(tuple(end), "bar", mass=2.5, radius=radius).termination_point()
    model = robot.build("r")
    i = model.link_id("bar")
    assert model.mass[i] == 2.5
    assert_allclose(model.com[i], end / 2)
    expected = 2.5 * sampled_inertia(end, radius or 0.0)
    assert_allclose(model.inertia[i], expected, rtol=0, atol=3e-4 * expected.max())


def test_masses_of_other_parts_sit_where_they_are_said_to() -> None:
    inertia = np.diag([0.1, 0.2, 0.25])
    robot = Assembly(BodyPart(mass=4.0, com=(0.0, 0.0, 0.1), inertia=inertia))
    tip = robot.attach(Servo("s", mass=0.5, com=(0.01, 0.02, 0.03), inertia=inertia))
    tip.linear_motor("m", mass=0.3).attach(GripperMount("hand", mass=0.2))
    model = robot.build("r")
    assert model.mass.tolist() == [4.0, 0.5, 0.3, 0.2]
    assert_allclose(model.com[1], [0.01, 0.02, 0.03])
    assert_allclose(model.inertia[:2], [inertia, inertia])
    assert not model.inertia[2:].any()


@pytest.mark.parametrize("end", [(0.3, 0, 0), (0, 0, -0.2), (0.1, -0.2, 0.3)])
def test_touchables_get_collision_shapes_along_their_line(end: tuple) -> None:
    robot = Assembly()
    tip = robot.segment(end, "bone").touch_segment(end, "finger", radius=0.01)
    tip.touch_point("tip", radius=0.02)
    model = robot.build("r")

    def roles(name: str) -> list[str]:
        return sorted(g.role for g in model.geometry[model.link_id(name)])

    assert roles("bone") == ["visual"]
    assert roles("finger") == roles("tip") == ["collision", "visual"]
    for shape in model.geometry[model.link_id("finger")]:
        T = np.asarray(shape.T_link_geometry)
        radius, length = shape.size
        assert (shape.kind, radius) == ("capsule", 0.01)
        assert_allclose(T[:3, :3] @ T[:3, :3].T, np.eye(3), atol=1e-15)
        assert np.linalg.det(T[:3, :3]) == pytest.approx(1.0)
        for z, point in ((-length / 2, (0, 0, 0)), (length / 2, end)):
            assert_allclose((T @ [0, 0, z, 1])[:3], point, atol=1e-15)
    sphere = model.geometry[model.link_id("tip")][0]
    assert (sphere.kind, sphere.size) == ("sphere", (0.02,))


# -- the gripper's wrist ---------------------------------------------------------------


@pytest.mark.capability("AB-190")
def test_the_wrist_takes_any_orientation_without_moving_the_mount() -> None:
    robot = Assembly()
    mount = (
        robot.servo("waist")
        .segment((0, 0, 0.2))
        .servo("shoulder", axis="xz")
        .segment(0.3)
        .servo("elbow", axis="xz")
        .segment(0.25)
        .gripper_mount("mount")
    )
    mount.wrist().termination_point("gripper")
    model = robot.build("arm_with_wrist")
    assert model.tool == "mount"

    rng = np.random.default_rng(8)
    for _ in range(1000):
        q = rng.uniform(-3.0, 3.0, 3)
        target = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        target *= np.linalg.det(target)
        T_mount = frame_at(model, [*q, 0, 0, 0], "mount")
        w = plane_angles_from_matrix(T_mount[:3, :3].T @ target, order="reverse").angles
        T = link_poses(model, values_at(model, [*q, *w]))
        assert_allclose(T[model.link_id("gripper"), :3, :3], target, atol=1e-12)
        assert_allclose(T[model.link_id("gripper"), :3, 3], T_mount[:3, 3], atol=0)


# -- naming, building, examples --------------------------------------------------------


def test_unnamed_parts_get_names_that_are_free() -> None:
    robot = Assembly()
    tip = robot.segment(0.1, "segment_1").segment(0.1).segment(0.1)
    tip.touch_segment(0.1).termination_point()
    assert robot.names == [
        "body", "segment_1", "segment_2", "segment_3", "touch_segment_1",
        "termination_point_1",
    ]  # fmt: skip
    assert robot.get("segment_3").part is robot.parts[3]


def test_an_assembly_can_be_built_again_and_grow_on() -> None:
    robot = Assembly()
    robot.servo("first").termination_point()
    small = robot.build("small")
    robot.servo("second").termination_point()
    assert small.joint_names == ("first",)
    assert robot.build("large").joint_names == ("first", "second")


def test_the_tool_is_the_only_mount_or_the_part_named() -> None:
    robot = Assembly()
    robot.servo().segment(0.1, "bone").gripper_mount("left")
    assert robot.build("r").tool == "left"
    assert robot.build("r", tool="bone").tool == "bone"
    robot.servo().gripper_mount("right")
    assert robot.build("r").tool == ""


def test_parts_are_plain_records() -> None:
    bone = Segment("bone", to=(0.3, 0.0, 0.4))
    assert bone.length == pytest.approx(0.5)
    with pytest.raises(AttributeError):
        bone.name = "other"  # type: ignore[misc]
    # The same description may serve in two robots.
    for _ in range(2):
        Assembly().attach(bone).termination_point().build("r")


def test_random_assemblies_build_and_compile() -> None:
    rng = np.random.default_rng(9)
    sizes, num_closed = [], 0
    for _ in range(200):
        robot = random_assembly(rng)
        model = robot.build("random")
        sizes.append(len(robot.parts))
        num_closed += bool(model.loops)
        assert model.compiled.num_bodies >= len(model.tree_joint_ids)
        total = sum(part.mass for part in robot.parts)
        bodies = model.compiled
        assert bodies.body[:, 12].sum() + bodies.base[12] == pytest.approx(total)
    assert set(sizes) == set(range(3, 11))
    assert 20 <= num_closed <= 60


def test_the_example_arm_has_five_axes(capsys: pytest.CaptureFixture[str]) -> None:
    example = runpy.run_path(str(EXAMPLE))
    arm = example["make_arm"]()
    assert arm.num_joints == 5
    example["main"](headless=True)
    assert "five_axis_arm" in capsys.readouterr().out
    # Stretched forward the hand is column, upper arm and forearm away.
    assert_allclose(tool_pose(arm, np.zeros(5))[:3, 3], [0.7, 0.0, 0.3], atol=1e-15)
